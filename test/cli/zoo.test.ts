// `navguard simulate --cheats` with cheats of the zoo, from outside. Needs dist/ (npm run build).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const ROOT = resolve(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'navguard-zoo-'));
afterAll(() => rmSync(folder, { recursive: true }));

function navguard(...args: string[]): { code: number | null; out: string; err: string } {
  const run = spawnSync(process.execPath, [join(ROOT, 'dist/src/cli/main.js'), ...args], { encoding: 'utf8' });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

const MAP = join(ROOT, 'navdata/maps/thin-walls.bin');

test('cheats of the zoo come out as a log that audit refuses, and their honest part holds', () => {
  const log = join(folder, 'zoo.ndjson');
  const played = navguard('simulate', MAP, '--cheats', 'wall-hop,split-hops', '--players', '3', '-o', log);
  expect(played.err).toBe(
    'simulate: wall-hop: 3 of 3 refused or watched\nsimulate: split-hops: 3 of 3 refused or watched\n',
  );
  expect(played.code).toBe(0);
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(1);
  const events = lines.map((line) => JSON.parse(line) as { t: number; id: string; expect?: string });
  expect(events.every(({ t }, i) => i === 0 || t >= events[i - 1].t)).toBe(true);
  expect(events.filter((event) => event.expect === 'accept').length).toBeGreaterThan(100);
  const checked = navguard('audit', '--check', '--json', log);
  expect(checked.code).toBe(0);
  const { byReason } = JSON.parse(checked.out) as { byReason: Record<string, number> };
  expect(byReason.Wall).toBeGreaterThan(0);
  expect(byReason.SpeedLimit).toBeGreaterThan(0);
});

test('the list has a sentence for each; a name beside it is told the nearest', () => {
  const { out } = navguard('simulate', 'x', '--cheats', 'list', '-o', '-');
  expect(out).toMatch(/^boiled-frog +Speeds up by one percent a second/m);
  const wrong = navguard('simulate', MAP, '--cheats', 'wall-hop,wal-creep', '-o', '-');
  expect(wrong.err).toContain('"wal-creep" among cheats of the zoo; the nearest known is "wall-creep"');
  expect(wrong.code).toBe(2);
});

test('the old names are the walkers beside which they play', () => {
  const { err, code } = navguard('simulate', MAP, '--cheats', 'blink', '--players', '2', '--seconds', '8', '-o', '-');
  expect(code).toBe(0);
  expect(err).toMatch(/runs with a claim to refuse: blink \d+ of \d+/);
});
