// navguard inspect from outside: findings with places, pictures, comparisons and their exit codes. Needs dist/.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conform } from '../../src/mesh/conform.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { pack } from '../../src/pack/pack.ts';
import { box, meshOf } from '../mesh/handmade.ts';
import { byClass, parseXml } from '../report/pictures.ts';

const MAIN = resolve(__dirname, '../../dist/src/cli/main.js');
let folder = '';

function inspect(...args: string[]): { code: number | null; out: string; err: string } {
  const run = spawnSync(process.execPath, [MAIN, 'inspect', ...args], { cwd: folder, encoding: 'utf8' });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

beforeAll(() => {
  expect(existsSync(MAIN), 'dist/ is missing: npm run build').toBe(true);
  folder = mkdtempSync(join(tmpdir(), 'navguard-inspect-'));
  const write = (name: string, mesh: NavMesh) =>
    writeFileSync(join(folder, name), new Uint8Array(pack(mesh, conform(mesh))));
  const metre = { cell: 1 };
  write('old.navpack', meshOf([box(0, 0, 10, 10), box(4, 4, 8, 8, 0, 3), box(30, 0, 32, 1)], metre));
  write('now.navpack', meshOf([box(0, 0, 10, 8), box(4, 4, 8, 8, 0, 3), box(30, 0, 32, 1)], metre));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('findings in words, with their places, and numbered alike in the picture', () => {
  const { code, out, err } = inspect('old.navpack', '--svg', 'plan.svg');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain('  floors      2\n');
  expect(out).toMatch(
    / {2}1 {2}island \(2\): 2 unreachable islands of 2 m2 to 16 m2.*\n {5}at \(31, 0, 0\.5\), \(6, 3, 6\)\n/,
  );
  expect(out).toMatch(/overlapping-floors \(1\): .*least clearance is 3 m\n/);
  const root = parseXml(readFileSync(join(folder, 'plan.svg'), 'utf8'));
  expect(byClass(root, 'mark').map((mark) => mark.children[2].text)).toEqual(['1', '1', '2']);
  const json = JSON.parse(inspect('old.navpack', '--json').out);
  expect(json.findings.map(({ kind }: { kind: string }) => kind)).toEqual(['island', 'overlapping-floors']);
  expect(json.floors).toBe(2);
});

test('--colour floor puts floors side by side; other words are refused', () => {
  const { code, out } = inspect('old.navpack', '--svg', '-', '--colour', 'floor');
  expect(code).toBe(0);
  expect(parseXml(out).children.filter(({ text }) => /^floor \d of 2$/.test(text))).toHaveLength(2);
  expect(inspect('old.navpack', '--colour', 'blue')).toMatchObject({ code: 2, out: '' });
});

test('--diff: 0 the same, 1 different, 2 trouble; text, JSON and picture', () => {
  const same = inspect('old.navpack', '--diff', 'old.navpack');
  expect(same).toMatchObject({ code: 0, err: '' });
  expect(same.out).toContain('The two are the same: byte for byte.\n');
  const other = inspect('old.navpack', '--diff', 'now.navpack', '--svg', 'changes.svg');
  expect(other).toMatchObject({ code: 1, err: '' });
  expect(other.out).toContain(
    'Ground gained: none\nGround lost: 20 m2 in 1 piece (cut out exactly)\n  20 m2  at (5, 0, 9)\n',
  );
  const root = parseXml(readFileSync(join(folder, 'changes.svg'), 'utf8'));
  expect(byClass(root, 'lostground').filter(({ name }) => name === 'path')).toHaveLength(1);
  const json = inspect('now.navpack', '--diff', 'old.navpack', '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({ same: false, gained: { pieces: 1 }, lost: { area: 0 } });
  expect(inspect('old.navpack', '--diff', 'nowhere.bin')).toMatchObject({
    code: 2,
    out: '',
    err: 'navguard: Cannot read nowhere.bin: there is no such file.\n',
  });
});

test('--help explains every finding that there is, and the exit codes', () => {
  const { out } = inspect('--help');
  const kinds = ['mesh/conforming.ts', 'report/noted.ts'].flatMap((file) => {
    const source = readFileSync(resolve(__dirname, '../../src', file), 'utf8');
    const union = source.slice(source.indexOf('readonly kind:'), source.indexOf('readonly message:'));
    return [...union.matchAll(/\| '([a-z-]+)'/g)].map(([, kind]) => kind);
  });
  expect(kinds.length).toBeGreaterThan(25);
  const listed = out.slice(out.indexOf('Findings, and what'), out.indexOf('Examples:'));
  for (const kind of kinds) expect(listed, kind).toMatch(new RegExp(`(^ {2}|, )${kind}\\b`, 'm'));
  expect(out).toContain('Exit codes');
  expect(out).toContain('--diff');
});
