// Portals beside a map: --portals of the commands, and the header of a move log. Needs dist/ (npm run build).
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLog } from '../../src/log/index.ts';
import { NavMap } from '../../src/map.ts';

const MAIN = resolve(__dirname, '../../dist/src/cli/main.js');
let folder = '';

function navguard(...args: string[]) {
  const run = spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, encoding: 'utf8' });
  return { code: run.status, out: run.stdout, err: run.stderr };
}
const write = (name: string, value: unknown): void => writeFileSync(join(folder, name), JSON.stringify(value));

/** Two islands, 4 m apart. */
const BOXES = [
  [0, -1, 0, 20, 0, 10],
  [24, -1, 0, 44, 0, 10],
];
const GAP = { name: 'gap', start: [19, 0, 5], end: [25, 0, 5], width: 2, agentType: 'humanoid' };

beforeAll(() => {
  expect(existsSync(MAIN), 'run npm run build first').toBe(true);
  folder = mkdtempSync(join(tmpdir(), 'navguard-portals-'));
  copyFileSync(resolve(__dirname, '../../navdata/maps/pillars.bin'), join(folder, 'map.bin'));
  write('portals.json', { portals: [GAP, { start: [500, 0, 5], end: [501, 0, 5] }] });
  write('far.json', [
    { name: `lost\n${'x'.repeat(99)}`, start: [500, 0, 5], end: [501, 0, 5] },
    { name: 'ferry', start: [0, 0, 5], end: [501, 0, 5] },
  ]);
  write('wrong.json', [{ ...GAP, widht: 2 }]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('pack takes them into the packed map, by agent type; a packed map takes none', () => {
  const plain = navguard('pack', 'map.bin', '-o', 'plain.navpack');
  const all = navguard('pack', 'map.bin', '--portals', 'portals.json', '-o', 'all.navpack');
  const ogres = navguard('pack', 'map.bin', '--portals', 'portals.json', '--agent-type', 'ogre', '-o', 'ogres.navpack');
  expect([plain.code, all.code, ogres.code]).toEqual([0, 0, 0]);
  const names = (file: string) => NavMap.fromPack(readFileSync(join(folder, file))).links.map(({ name }) => name);
  expect(names('plain.navpack')).toEqual([]);
  expect(new Set(names('all.navpack'))).toEqual(new Set(['gap', null]));
  expect(names('ogres.navpack')).toEqual([null]);
  const again = navguard('inspect', 'all.navpack', '--portals', 'portals.json');
  expect([again.code, again.err]).toEqual([2, expect.stringMatching(/^navguard: all\.navpack: .*portals.*\n$/)]);
});

test('inspect names the portal whose end is off the mesh; what is wrong with the file is one sentence', () => {
  const { code, out } = navguard('inspect', 'map.bin', '--portals', 'portals.json');
  expect(code).toBe(0);
  expect(out).toMatch(/off-mesh links? with an end on no polygon/);
  const named = navguard('inspect', 'map.bin', '--portals', 'far.json').out;
  expect(named).toMatch(
    /unlinked-link \(2\): 2 off-mesh links with an end on no polygon \("lost\\nx{25,30}\.\.\.", "ferry"\)\n/,
  );
  expect(navguard('inspect', 'map.bin', '--portals', 'wrong.json')).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /^navguard: wrong\.json: portals\[0\] \("gap"\): expected only the fields start.*"widht"\.\n$/,
    ),
  });
  expect(navguard('inspect', 'map.bin', '--portals', 'none.json').err).toMatch(/^navguard: Cannot read none\.json: /);
});

const CROSSING = [
  { t: 0, op: 'enter', id: 'p', pos: [19, 0, 5.5], speed: 6 },
  ...Array.from({ length: 20 }, (_, k) => ({
    ...{ t: 50 * (k + 1), op: 'move', id: 'p', seq: k + 1, pos: [19 + 0.3 * (k + 1), 0, 5.5] },
    expect: 'accept',
  })),
];
async function played(map: unknown): Promise<number> {
  write('crossing.ndjson', {});
  const lines = [{ movelog: 1, map }, ...CROSSING].map((line) => JSON.stringify(line));
  writeFileSync(join(folder, 'crossing.ndjson'), `${lines.join('\n')}\n`);
  return (await auditLog(join(folder, 'crossing.ndjson'))).mismatchCount;
}

test("a move log's header names them, in it or in a file beside it, with inline geometry or a map file", async () => {
  const portal = { ...GAP, agentType: undefined };
  expect(await played({ build: { boxes: BOXES } })).toBeGreaterThan(5);
  expect(await played({ build: { boxes: BOXES }, portals: [portal] })).toBe(0);
  const { buildNavMesh } = await import('../../src/build/index.ts');
  writeFileSync(join(folder, 'islands.bin'), await buildNavMesh({ boxes: BOXES }));
  write('gap.json', [portal]);
  expect(await played({ file: 'islands.bin', portals: 'gap.json' })).toBe(0);
  expect(await played({ file: 'islands.bin', portals: [portal] })).toBe(0);
  const bytes = readFileSync(join(folder, 'islands.bin'));
  const { hash } = (await NavMap.load(bytes, { portals: JSON.stringify([portal]) })).info;
  expect(await played({ file: 'islands.bin', portals: 'gap.json', hash })).toBe(0);
  await expect(played({ file: 'islands.bin', hash })).rejects.toThrow(/recorded on a map with hash/);
  await expect(played({ file: 'islands.bin', portals: 'wrong.json' })).rejects.toThrow(/wrong\.json: portals\[0\]/);
  await expect(played({ file: 'islands.bin', portals: 5 })).rejects.toThrow(/map\.portals.*a path or a list/);
  await expect(played({ build: { boxes: BOXES }, portals: 'gap.json' })).rejects.toThrow(/map\.portals.*a list/);
});

test('how a map is read belongs to a map: without one before the logs the flags are refused, never left unheeded', () => {
  for (const command of ['audit', 'tune']) {
    for (const [flag, value] of [
      ['--portals', 'portals.json'],
      ['--scale', '2'],
      ['--agent-type', 'ogre'],
    ]) {
      const { code, out, err } = navguard(command, 'crossing.ndjson', flag!, value!);
      expect([code, out]).toEqual([2, '']);
      expect(err).toMatch(new RegExp(`^navguard: ${flag}: expected a map before the logs .*\\.\n$`));
    }
  }
});

test("ids of a log's build.links are names of links", async () => {
  const { mapOfHeader } = await import('../../src/log/index.ts');
  const links = [
    { id: 'jump', from: [19, 0, 5], to: [25, 0, 5], radius: 0.5, bidirectional: true },
    { from: [19, 0, 8], to: [25, 0, 8], radius: 0.5, bidirectional: true },
  ] as const;
  const map = await mapOfHeader({ movelog: 1, map: { build: { boxes: BOXES as never, links } } }, 'log');
  expect(map.links.map(({ name, userId }) => [name, userId])).toEqual([
    ['jump', 1],
    [null, 2],
  ]);
  map.link('jump', false);
  expect([...map.kernel.states]).toEqual([0, 3]);
});
