// The validator against its slow model: seeded random play with everything that a network and a hostile server do.
import { expect, test } from 'vitest';
import { SNAPSHOT_ACTIONS, SNAPSHOT_REASONS, SnapshotValidator } from '../../src/client/index.ts';
import { wholeDistance } from '../../src/client/numbers.ts';
import { seeded } from '../../src/simulate/random.ts';
import { Oracle, type Shot } from './oracle.ts';

const UNITS = 1024;
const options = {
  maxSpeed: 8,
  speedTolerance: 1.25,
  maxVerticalSpeed: 20,
  fixedPoint: UNITS,
  tickMs: 50,
  burstMs: 1000,
  driftTolerance: 0,
  leadMs: 1000,
  lateMs: 2000,
  rebaseAfter: 4,
};
// 8 m/s x 1.25 x 1024 units/m x 50 ms = 512 units a tick
const limits = {
  rate: 512,
  cap: 10 * UNITS,
  lift: UNITS,
  liftCap: 20 * UNITS,
  overrun: 512,
  leap: 50 * UNITS,
  tickMs: 50,
  gapSmoothMs: 250,
  leadMs: 1000,
  lateMs: 2000,
  smooth: Math.ceil(0.1 * UNITS),
  drop: 10 * UNITS,
  report: 50 * UNITS,
  rebaseAfter: 4,
  range: 32_768 * UNITS,
};

test('every action, reason and baseline is that of the slow model', () => {
  const told = new Map<string, number>();
  for (let seed = 1; seed <= 40; seed++) {
    const random = seeded(seed);
    const validator = new SnapshotValidator(options);
    const oracle = new Oracle(limits);
    const truth: Shot = {
      tick: random.chance(0.5) ? 2 ** 32 - random.below(200) : random.below(1e6),
      x: 0,
      y: 0,
      z: 0,
    };
    let now = 0;
    const sent: Shot[] = [];
    for (let i = 0; i < 160; i++) {
      const n = random.chance(0.9) ? 1 : 1 + random.below(12);
      truth.tick = (truth.tick + n) % 2 ** 32;
      now += random.chance(0.9) ? 50 * n : random.below(2000);
      // from a stroll to just over the limit: the edge of the bucket is walked along
      const pace = random.chance(0.1) ? random.below(12 * UNITS) : random.below(660) * n;
      truth.x += random.below(2 * pace + 1) - pace;
      truth.z += random.below(2 * pace + 1) - pace;
      if (random.chance(0.05)) truth.y += random.below(60 * UNITS) - 30 * UNITS;
      if (random.chance(0.02)) truth.x += random.below(300 * UNITS);
      if (random.chance(0.01)) truth.tick = random.below(2 ** 32);
      let shot = { ...truth };
      sent.push(shot);
      if (random.chance(0.1)) shot = { ...sent[random.below(sent.length)] };
      if (random.chance(0.05)) {
        const bad = [Number.NaN, Infinity, 2 ** 40, -1, 0.5, 2 ** 32, 2 ** 31][random.below(7)];
        shot[(['tick', 'x', 'y', 'z'] as const)[random.below(4)]] = bad;
      }
      const wide = [1, 200, 12 * UNITS, 60 * UNITS][random.below(4)];
      const predicted = random.chance(0.5)
        ? null
        : { tick: 0, x: truth.x + random.below(wide), y: truth.y, z: truth.z - random.below(wide) };
      const action = validator.check(now, shot, predicted);
      const got = [SNAPSHOT_ACTIONS[action], SNAPSHOT_REASONS[validator.reason]];
      const want = oracle.check(now, shot, predicted);
      expect([seed, i, ...got]).toEqual([seed, i, ...want]);
      const base = oracle.newest;
      expect(validator.based).toBe(base !== undefined);
      if (base === undefined) continue;
      expect([validator.tick, validator.x, validator.y, validator.z]).toEqual([base.tick, base.x, base.y, base.z]);
      told.set(got.join(' '), (told.get(got.join(' ')) ?? 0) + 1);
    }
  }
  const all = [
    ...['accept None', 'accept Rebased', 'smooth TickGap', 'smooth Displacement', 'smooth Deviation', 'drop TickOrder'],
    ...['drop Displacement', 'drop Deviation', 'report Field', 'report TickOrder', 'report TickGap'],
    ...['report Displacement', 'report Deviation'],
  ];
  for (const kind of all) expect([kind, (told.get(kind) ?? 0) >= 4]).toEqual([kind, true]);
  expect([...told.keys()].toSorted()).toEqual(all.toSorted());
});

test('whole distances are exact, next to squares and at the largest step', () => {
  const random = seeded(7);
  const exact = (dx: number, dz: number): number => {
    const square = BigInt(dx) ** 2n + BigInt(dz) ** 2n;
    let root = BigInt(Math.floor(Math.sqrt(Number(square)))) + 2n;
    while (root > 0n && (root - 1n) ** 2n >= square) root--;
    return Number(root);
  };
  for (let i = 0; i < 5000; i++) {
    const size = 2 ** (1 + random.below(26));
    const [dx, dz] = [random.below(size) - size / 2, random.below(size + 1)];
    expect([dx, dz, wholeDistance(dx, dz)]).toEqual([dx, dz, exact(dx, dz)]);
  }
  for (const dx of [2 ** 26, 2 ** 26 - 1])
    for (const dz of [0, 1, 2 ** 26, 2 ** 26 - 1]) expect(wholeDistance(dx, dz)).toBe(exact(dx, dz));
  expect(wholeDistance(2 ** 26 + 1, 0)).toBe(Infinity);
  expect(wholeDistance(Number.NaN, 0)).toBe(Infinity);
});
