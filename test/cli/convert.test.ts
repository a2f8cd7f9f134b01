// navguard convert as a process: both ways, and every reader takes both forms. Needs dist/ (npm run build).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GridMap, MoveGuard } from '../../src/index.ts';

const MAIN = resolve(__dirname, '../../dist/src/cli/main.js');
let folder = '';

function navguard(args: string[], input?: Uint8Array) {
  const run = spawnSync(process.execPath, [MAIN, ...args], { cwd: folder, input, maxBuffer: 1 << 26 });
  return { code: run.status, out: run.stdout, err: run.stderr.toString() };
}

const MAP = '{"movelog":1,"map":{"grid":["........","...##...","...##...","........"],"cell":1}}';
const LOG = `${[
  MAP,
  '{"t":0,"op":"enter","id":"p1","pos":[1,0,1.5],"speed":6}',
  '{"t":50,"op":"move","id":"p1","seq":1,"pos":[1.3,0,1.5],"expect":"accept"}',
  '{"t":100,"op":"move","id":"p1","seq":2,"pos":["NaN",0,1.5],"expect":"Malformed"}',
  '{"t":150,"op":"move","id":"p1","seq":3,"pos":[7,0,1.5],"expect":["SpeedLimit","Wall"],"note":{"a":1}}',
].join('\n')}\n`;

beforeAll(() => {
  expect(existsSync(MAIN), 'run npm run build first').toBe(true);
  folder = mkdtempSync(join(tmpdir(), 'navguard-convert-'));
  writeFileSync(join(folder, 'a.ndjson'), LOG);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('there and back: the very same bytes, and the same verdicts from either', () => {
  const there = navguard(['convert', 'a.ndjson', '-o', 'b.log']);
  expect(there).toMatchObject({ code: 0 });
  expect(there.err).toMatch(/^b\.log: binary, 4 events, [\d,]+ bytes of [\d,]+\n$/);
  const binary = readFileSync(join(folder, 'b.log'));
  expect(binary.subarray(0, 4).toString()).toBe('NGML');
  // told by content, not by name; from a pipe too
  expect(navguard(['convert', 'b.log', '-o', '-']).out.toString()).toBe(LOG);
  expect(navguard(['convert', '-', '-o', '-'], binary).out.toString()).toBe(LOG);
  expect(navguard(['convert', 'b.log', '--to', 'binary', '-o', '-']).out.equals(binary)).toBe(true);
  const [a, b] = ['a.ndjson', 'b.log'].map((log) => navguard(['audit', log, '--check', '--out', '-']));
  expect(a.code).toBe(0);
  expect(b.out.toString()).toBe(a.out.toString());
  expect(navguard(['audit', '-', '--check'], binary).code).toBe(0);
});

test('a log that is cut off: one sentence and no file, or what is there', () => {
  const binary = navguard(['convert', 'a.ndjson', '-o', '-']).out;
  writeFileSync(join(folder, 'cut.ngml'), binary.subarray(0, binary.length - 3));
  const strict = navguard(['convert', 'cut.ngml', '-o', 'c.ndjson']);
  expect(strict.code).toBe(2);
  expect(strict.err).toMatch(
    /^navguard: cut\.ngml, byte \d+: the log is cut off here, in a frame that lacks 3 bytes;.*--lenient.*\n$/,
  );
  expect(readdirSync(folder).filter((name) => name.startsWith('c.') || name.startsWith('.c'))).toEqual([]);
  const lenient = navguard(['convert', 'cut.ngml', '--lenient', '-o', 'c.ndjson']);
  expect(lenient.code).toBe(0);
  expect(lenient.err).toContain('3 events');
  expect(readFileSync(join(folder, 'c.ndjson'), 'utf8')).toBe(`${LOG.split('\n').slice(0, 4).join('\n')}\n`);
  expect(navguard(['audit', 'cut.ngml']).code).toBe(2);
  expect(navguard(['audit', 'cut.ngml', '--lenient']).code).toBe(0);
});

test('what is wrong is one sentence, exit code 2', () => {
  for (const [args, sentence] of [
    [['convert', 'a.ndjson'], /--output/],
    [['convert', 'nowhere', '-o', 'x'], /no such file/],
    [['convert', 'a.ndjson', '-o', 'x', '--to', 'xml'], /--to xml: expected binary or ndjson/],
    [['convert', 'a.ndjson', '-o', join('no', 'x')], /there is no folder/],
  ] as const) {
    const { code, err } = navguard([...args]);
    expect(code).toBe(2);
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
  }
  expect(existsSync(join(folder, 'x'))).toBe(false);
});

test('an appeal: what a guard recorded is audited with the map given, in both forms', () => {
  const map = GridMap.from(['........', '...##...', '...##...', '........']);
  writeFileSync(join(folder, 'map.navpack'), new Uint8Array(map.toPack()));
  let t = 0;
  const guard = new MoveGuard(
    map,
    { speedTolerance: 1.2 },
    { now: () => t, record: { events: 16, map: 'map.navpack' } },
  );
  guard.enter('p1', { pos: [1, 0, 1.5], speed: 6 });
  for (let i = 0; i < 60; i++) {
    t += 50;
    guard.move('p1', i, i % 9 === 0 ? 7 : 1 + (i % 3) * 0.1, 0, 1.5);
  }
  const recording = guard.record('p1');
  writeFileSync(join(folder, 'appeal.ndjson'), recording.text());
  writeFileSync(join(folder, 'appeal.ngml'), recording.bytes());
  expect(recording.bytes('ndjson')).toEqual(new TextEncoder().encode(recording.text()));
  for (const args of [['appeal.ndjson'], ['appeal.ngml'], ['map.navpack', 'appeal.ngml']]) {
    const { code, out } = navguard(['audit', ...args, '--check', '--json']);
    const summary = JSON.parse(out.toString()) as { expected: number; mismatchCount: number; refused: number };
    expect(code, args.join(' ')).toBe(0);
    expect(summary.mismatchCount).toBe(0);
    expect(summary.expected).toBeGreaterThanOrEqual(8);
    expect(summary.refused).toBeGreaterThan(0);
  }
  expect(navguard(['convert', 'appeal.ngml', '-o', '-']).out.toString()).toBe(recording.text());
});
