// Tuning: margins and sweeps against logs whose every limit is known by arithmetic.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventLine, headerLine, type MoveLogEvent, Tuning } from '../../src/log/index.ts';
import { marginText, sweepPicture, sweepText } from '../../src/report/tune.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'navguard-tune-'));
});
afterAll(() => rm(folder, { recursive: true }));

const GRID = Array.from({ length: 20 }, () => '.'.repeat(200));

/** Walks along x at `speed` in steps of 100 ms; `id` may be expected to be refused. */
function walker(id: string, z: number, speed: number, expected?: unknown): MoveLogEvent[] {
  const events: MoveLogEvent[] = [{ t: 0, op: 'enter', id, pos: [2, 0, z], speed: 6 }];
  for (let i = 1; i <= 200; i++) {
    const move: MoveLogEvent = { t: 100 * i, op: 'move', id, seq: i, pos: [2 + (speed * i) / 10, 0, z] };
    if (expected !== undefined) (move as { expect: unknown }).expect = expected;
    events.push(move);
  }
  return events;
}

async function log(name: string, events: MoveLogEvent[], rules: Record<string, unknown> = {}): Promise<string> {
  const path = join(folder, `${name}.ndjson`);
  const sorted = [...events].sort((a, b) => a.t - b.t);
  await writeFile(path, headerLine({ map: { grid: GRID }, rules }) + sorted.map(eventLine).join(''));
  return path;
}

test('the margin of the speed tolerance is where a 6 % fast walker is', async () => {
  const path = await log('fast', [...walker('slow', 5, 5, 'accept'), ...walker('fast', 8, 6.36, 'accept')]);
  const tuning = await Tuning.open([path]);
  expect([tuning.base.claims, tuning.base.refused]).toEqual([400, 0]);
  const margins = await tuning.margins();
  const speed = margins.find((m) => m.rule === 'speedTolerance');
  // 127.2 m in 20 s with the credit of a quarter second: the tolerance that just pays is 1.047
  expect(speed?.beyond).toBe('refused');
  expect(speed?.strictest).toBeGreaterThan(1.04);
  expect(speed?.strictest).toBeLessThan(1.06);
  expect(speed?.margin).toBeCloseTo(1.15 - (speed?.strictest ?? 0), 9);
  expect(speed?.first).toMatchObject({ file: path, id: 'fast', reason: 'SpeedLimit' });
  // at the strictest nothing is refused, a little beyond it something is
  expect((await tuning.trial({ speedTolerance: speed?.strictest })).newlyRefused).toBe(0);
  expect((await tuning.trial({ speedTolerance: (speed?.strictest ?? 0) - 0.002 })).newlyRefused).toBeGreaterThan(0);
  expect(margins.find((m) => m.rule === 'maxStop')).toMatchObject({ idle: true, first: null });
  expect(marginText(margins)).toMatch(/speedTolerance +1\.15 +1\.04/);
});

test('cheats of a log that says what to expect count nowhere', async () => {
  const path = await log('cheats', [...walker('p', 5, 6, 'accept'), ...walker('x', 8, 6.6)]);
  const tuning = await Tuning.open([path]);
  expect(tuning.base.refused).toBe(0);
  const [row] = await tuning.sweep([{ rule: 'speedTolerance', values: [1.02] }]);
  expect(row.refused).toBeGreaterThan(0);
  expect([row.newlyRefused, row.first, row.watched]).toEqual([0, null, 0]);
  // the same play without a word of what to expect is honest
  const plain = await log('plain', [...walker('p', 5, 6), ...walker('x', 8, 6.6)]);
  const [other] = await (await Tuning.open([plain])).sweep([{ rule: 'speedTolerance', values: [1.02] }]);
  expect(other.newlyRefused).toBe(other.refused);
  expect(other.first?.id).toBe('x');
});

test('two rules at once: every combination, in tables and pictures', async () => {
  const path = await log('two', walker('p', 5, 6.3));
  const tuning = await Tuning.open([path], { rules: { burstMs: 800 } });
  const rows = await tuning.sweep([
    { rule: 'speedTolerance', values: [1, 1.1] },
    { rule: 'burstMs', values: [150, 1000] },
  ]);
  expect(rows.map((row) => row.values)).toEqual([
    { speedTolerance: 1, burstMs: 150 },
    { speedTolerance: 1, burstMs: 1000 },
    { speedTolerance: 1.1, burstMs: 150 },
    { speedTolerance: 1.1, burstMs: 1000 },
  ]);
  expect(rows[0].newlyRefused).toBeGreaterThan(0);
  expect(rows[3].newlyRefused).toBe(0);
  expect(sweepText(rows).split('\n').length).toBe(6);
  const map = sweepPicture(rows, tuning.base);
  expect(map.match(/<rect/g)?.length).toBe(5);
  const bars = sweepPicture(await tuning.sweep([{ rule: 'falls', values: ['edges', 'off'] }]), tuning.base);
  expect(bars).toContain('>edges<');
  expect(bars.match(/<rect/g)?.length).toBe(3);
});

test('rules that differ from log to log have no one margin; wrong values are said before anything is run', async () => {
  const a = await log('a', walker('p', 5, 6), { speedTolerance: 1.2 });
  const b = await log('b', walker('p', 5, 6), { speedTolerance: 1.3 });
  const tuning = await Tuning.open([a, b]);
  expect((await tuning.margins()).map((m) => m.rule)).not.toContain('speedTolerance');
  await expect(tuning.sweep([{ rule: 'speedTolerance', values: [1.1, 0.5] }])).rejects.toMatchObject({
    code: 'BAD_RULE',
  });
});

test('progress: runs are counted up to at most what was announced', async () => {
  const path = await log('progress', walker('p', 5, 6));
  const seen: [number, number][] = [];
  const tuning = await Tuning.open([path], { onRun: (done, atMost) => void seen.push([done, atMost]) });
  await tuning.margins();
  expect(seen.length).toBeGreaterThan(10);
  seen.forEach(([done, atMost], i) => {
    expect(done).toBe(i + 1);
    expect(atMost).toBeGreaterThanOrEqual(done);
  });
});
