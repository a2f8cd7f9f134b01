// navguard tune from outside: tables, JSON, pictures, and one sentence for each mistake. Needs dist/ (npm run build).
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = resolve(__dirname, '../..');
const MAIN = join(ROOT, 'dist/src/cli/main.js');
const LOG = join(ROOT, 'navdata/logs/pillars.ndjson');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'navguard-tune-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function tune(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'tune', ...args], { encoding: 'utf8' });
  return { code: status, out: stdout, err: stderr };
}

test('without a rule: the margin of each', () => {
  const { code, out, err } = tune(LOG);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/claims in 1 log under their own rules/);
  expect(out).toMatch(/rule +now +strictest +margin/);
  expect(out).toMatch(/Nothing in these logs depends on: .*maxStop/);
});

test('a sweep as JSON, with a picture beside it', () => {
  const svg = join(folder, 'burst.svg');
  const { code, out, err } = tune(LOG, '--rule', 'burstMs=100:1000:300', '--json', '--svg', svg);
  expect([code, err]).toEqual([0, '']);
  const { base, sweep, margins } = JSON.parse(out);
  expect(sweep.map((row: { values: unknown }) => row.values)).toEqual(
    [100, 400, 700, 1000].map((burstMs) => ({ burstMs })),
  );
  expect(sweep[0].newlyRefused).toBeGreaterThan(0);
  expect(sweep[3].newlyRefused).toBe(0);
  expect(sweep[3].claims).toBe(base.claims);
  expect(margins).toEqual([]);
  expect(readFileSync(svg, 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s);
});

test.each([
  [['--rule', 'speedTolerence=1.1', LOG], /unknown rule "speedTolerence"; the nearest known rule is "speedTolerance"/],
  [['--rule', 'speedTolerance', LOG], /expected name=values/],
  [['--rule', 'speedTolerance=1.2:1.1:0.1', LOG], /expected from:to:step/],
  [['--rule', 'speedTolerance=0.5', LOG], /rules\.speedTolerance: expected a number of 1\.\.10 x, got 0\.5/],
  [['--rule', 'falls=maybe', LOG], /rules\.falls: expected one of/],
  [['--rule', 'burstMs=1,2', '--rule', 'burstMs=3', LOG], /burstMs is given twice/],
  [['--rule', 'burstMs=1:1000:1', '--rule', 'pendingMs=1:1000:1', LOG], /1000000 combinations, expected at most 10000/],
  [['--svg', 'x.svg', LOG], /expected at least one --rule/],
  [['-'], /expected files, got - \(stdin\)/],
])('%j is refused in one sentence', (args, sentence) => {
  const { code, out, err } = tune(...args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(sentence);
  expect(err.trim().split('\n').length).toBe(1);
  expect(existsSync('x.svg')).toBe(false);
});
