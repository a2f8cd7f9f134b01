// What holds for every claim: a refused one changes nothing, credit stays within its bounds, honest walkers are never
// refused, fast ones soon. Seeded; the seed stands in the name of each test.
import { describe, expect, test } from 'vitest';
import { GridMap } from '../../src/gridmap.ts';
import { MoveGuard } from '../../src/guard.ts';
import * as L from '../../src/rules/ledger.ts';
import { random } from './rounding.ts';
import { field, floors, World } from './world.ts';

/** Rooms of 8 m with doors of 2 m. */
function rooms(): GridMap {
  const rows = Array.from({ length: 65 }, (_, z) =>
    Array.from({ length: 65 }, (_, x) => {
      const onX = x % 8 === 0;
      const onZ = z % 8 === 0;
      if (!onX && !onZ) return '.';
      const door = onX && onZ ? false : onX ? z % 8 === 3 || z % 8 === 4 : x % 8 === 3 || x % 8 === 4;
      return door && x > 0 && z > 0 && x < 64 && z < 64 ? '.' : '#';
    }).join(''),
  );
  return GridMap.from(rows);
}
const ROOMS = rooms();
const FIELD = field(600, 60);

/** What a refusal may change: the number used up, the time of judgement, the score, a pending correction, server work. */
const MAY_CHANGE = new Set([
  L.SEQ,
  L.FLAGS,
  L.JUDGED_T,
  L.OPEN,
  ...Array.from({ length: L.LAYERS }, (_, k) => L.SCORES + k),
  L.SCORE_SUM,
  L.SCORE_T,
  L.CORRECTION,
  L.PEND_T,
  L.PEND_FIRST,
  L.PEND_GROSS,
  L.PEND_LAYER,
  L.PEND_OPEN,
  L.PUT_X,
  L.PUT_Y,
  L.PUT_Z,
  L.PUT_T,
  L.PUT_N,
  L.SILENT,
  L.NODES,
  L.NODES_T,
]);

describe('whatever is claimed', () => {
  test.each([11, 12, 13, 14])('a refusal changes only what it may; credit stays in bounds (seed %i)', (seed) => {
    const rand = random(seed);
    const map =
      seed % 2 === 0
        ? ROOMS
        : floors([
            [1, 1, 60, 60, 0],
            [10, 10, 30, 30, 4],
            [70, 0, 90, 60, 0],
          ]);
    const w = new World(map);
    w.guard.enter('p', { pos: [4.5, 0, 4.5], speed: 6 });
    const odd = [0, -0, NaN, Infinity, -Infinity, 1e308, -1e9, 1e-320, '5', null, undefined, {}, 7n] as number[];
    const seen = new Set<string>();
    for (let i = 0; i < 4000; i++) {
      w.t += rand() < 0.3 ? 0 : rand() < 0.02 ? rand() * 5000 : rand() * 100;
      if (rand() < 0.02) w.guard.setSpeed('p', rand() * 12);
      if (rand() < 0.02) w.guard.rtt('p', rand() * 500);
      if (rand() < 0.01) w.guard.boost('p', rand() * 10, rand() * 1000);
      if (rand() < 0.01) w.guard.impulse('p', [rand() * 10, rand() * 5, -rand() * 10], 1 + rand() * 30);
      if (rand() < 0.01) w.guard.pause(rand() * 500);
      if (rand() < 0.02) w.guard.state('p', { rooted: rand() < 0.3, alive: rand() < 0.8, flying: rand() < 0.1 });
      if (rand() < 0.005) w.guard.teleport('p', [2 + rand() * 50, 0, 2 + rand() * 50]);
      if (rand() < 0.01) w.guard.grant('p', [2 + rand() * 50, 0, 2 + rand() * 50], { radius: rand() * 4 });
      if (rand() < 0.05) w.guard.ack('p', Math.floor(rand() * 20));
      const before = w.state;
      const pos = w.pos;
      const far = rand() < 0.1 ? 100 : rand() < 0.5 ? 3 : 0.3;
      const x = rand() < 0.02 ? odd[Math.floor(rand() * odd.length)] : pos[0] + (rand() - 0.5) * 2 * far;
      const y = rand() < 0.05 ? rand() * 8 - 2 : 0;
      const z = rand() < 0.02 ? odd[Math.floor(rand() * odd.length)] : pos[2] + (rand() - 0.5) * 2 * far;
      const seq = rand() < 0.03 ? (odd[Math.floor(rand() * odd.length)] as number) : ++w.seq;
      const click = rand() < 0.1;
      const v = click
        ? w.guard.begin('p', {
            seq,
            from: pos,
            to: [x, y, z],
            speed: rand() * 8,
            duration: rand() * 3000,
            stop: rand(),
          })
        : w.guard.move('p', seq, x, y, z);
      const after = w.state;
      seen.add(`${v.verdict} ${v.reason}`);
      for (let k = 0; k < after.length; k++) {
        if (Number.isNaN(after[k])) throw new Error(`step ${i}: number ${k} of the state is not a number`);
      }
      const cap = Math.max(0.1, Math.max(before[L.LIMIT], after[L.LIMIT]) * 0.00115 * (1000 + after[L.RTT] + 60_000));
      expect(after[L.CREDIT]).toBeGreaterThanOrEqual(0);
      expect(after[L.CREDIT]).toBeLessThanOrEqual(cap);
      expect(after[L.OPEN]).toBeGreaterThanOrEqual(0);
      if (v.accepted) continue;
      if (!((before[L.FLAGS] & L.WALKING) !== 0)) expect(v.pos).toEqual(pos);
      for (let k = 0; k < after.length; k++) {
        if (!Object.is(before[k], after[k]) && !MAY_CHANGE.has(k)) {
          throw new Error(`step ${i}, ${v.verdict} ${v.reason}: number ${k} went from ${before[k]} to ${after[k]}`);
        }
      }
      const moved = (before[L.FLAGS] ^ after[L.FLAGS]) & ~(L.SEEN | L.PENDING | L.STALE | L.UNCONFIRMED);
      expect(moved).toBe(0);
    }
    // the run met what it is about
    for (const word of ['accept Accept', 'correct SpeedLimit', 'reject Malformed']) expect([...seen]).toContain(word);
    expect([...seen].some((word) => word.startsWith('ignore'))).toBe(true);
  });

  test.each([21, 22])(
    'looking at credit changes nothing: any number of refused probes in between (seed %i)',
    (seed) => {
      const rand = random(seed);
      const plain = new World(FIELD);
      const probed = new World(FIELD);
      for (const w of [plain, probed]) w.guard.enter('p', { pos: [5, 0, 30], speed: 6 });
      let x = 5;
      for (let i = 1; i <= 300; i++) {
        const dt = rand() * 150;
        plain.t += dt;
        probed.t += dt * 0.5;
        if (rand() < 0.1) {
          const speed = 4 + rand() * 6;
          plain.guard.setSpeed('p', speed);
          probed.t = plain.t;
          probed.guard.setSpeed('p', speed);
        }
        probed.guard.move('p', 2 * i, x + 40, 0, 30);
        probed.t = plain.t;
        const step = rand() * 0.6;
        const a = plain.guard.move('p', i, x + step, 0, 30).copy();
        const b = probed.guard.move('p', 2 * i + 1, x + step, 0, 30).copy();
        expect(b.accepted).toBe(a.accepted);
        expect(b.allowed).toBe(a.allowed);
        if (a.accepted) x += step;
      }
    },
  );
});

/** An honest client: walks for real in its own time, samples its position, and packets travel. */
function honest(
  map: GridMap,
  seed: number,
  options: { hz: number; rtt: number; stall: number; loss: number; path: (t: number) => [number, number] },
): { refused: number; score: number; claims: number; reasons: string[] } {
  const rand = random(seed);
  let now = 0;
  const guard = new MoveGuard(map, {}, { now: () => now });
  const [x0, z0] = options.path(0);
  guard.enter('p', { pos: [x0, 0, z0], speed: 6 });
  guard.rtt('p', options.rtt);
  const packets: { at: number; seq: number; x: number; z: number }[] = [];
  let seq = 0;
  let blockedUntil = 0;
  let lastArrival = 0;
  for (let t = 0; t < 60_000; t += 1000 / options.hz) {
    const [x, z] = options.path(t);
    seq++;
    if (rand() < options.loss) continue;
    if (rand() < options.stall) blockedUntil = Math.max(blockedUntil, t + rand() * 900);
    const at = Math.max(t, blockedUntil) + (options.rtt / 2) * (1 + rand() * 0.5);
    lastArrival = Math.max(lastArrival, at);
    packets.push({ at: lastArrival, seq, x: Math.round(x * 100) / 100, z: Math.round(z * 100) / 100 });
  }
  let refused = 0;
  const reasons: string[] = [];
  for (const p of packets) {
    now = p.at;
    const v = guard.move('p', p.seq, p.x, 0, p.z);
    if (!v.accepted) {
      refused++;
      reasons.push(`${v.reason} ${v.used}/${v.allowed} at ${p.at}`);
    }
  }
  return { refused, score: guard.score('p') ?? 0, claims: packets.length, reasons };
}

/** Straight legs at 6 m/s between random points of the open field. */
function wander(rand: () => number): (t: number) => [number, number] {
  const legs: { t: number; x: number; z: number }[] = [{ t: 0, x: 300, z: 30 }];
  while (legs[legs.length - 1].t < 61_000) {
    const last = legs[legs.length - 1];
    const x = 20 + rand() * 560;
    const z = 2 + rand() * 56;
    legs.push({ t: last.t + (Math.hypot(x - last.x, z - last.z) / 6) * 1000, x, z });
  }
  return (t) => alongLegs(legs, t);
}

/** Through doors and round corners: legs from door to door of the rooms, cutting every corner as tightly as it goes. */
function doors(rand: () => number): (t: number) => [number, number] {
  let [i, k] = [3, 3];
  const legs: { t: number; x: number; z: number }[] = [{ t: 0, x: 8 * i + 4, z: 8 * k + 4 }];
  const to = (x: number, z: number): void => {
    const last = legs[legs.length - 1];
    legs.push({ t: last.t + (Math.hypot(x - last.x, z - last.z) / 6) * 1000, x, z });
  };
  while (legs[legs.length - 1].t < 61_000) {
    const way = Math.floor(rand() * 4);
    const [dx, dz] = [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ][way];
    if (i + dx < 0 || i + dx > 7 || k + dz < 0 || k + dz > 7) continue;
    // the wall's door cells are 3 and 4: from 8 j + 3 to 8 j + 5; hug its edge
    const side = rand() < 0.5 ? 3.01 : 4.99;
    if (dx !== 0) {
      const wall = dx > 0 ? 8 * (i + 1) : 8 * i;
      to(dx > 0 ? wall - 0.01 : wall + 1.01, 8 * k + side);
      to(dx > 0 ? wall + 1.01 : wall - 0.01, 8 * k + side);
    } else {
      const wall = dz > 0 ? 8 * (k + 1) : 8 * k;
      to(8 * i + side, dz > 0 ? wall - 0.01 : wall + 1.01);
      to(8 * i + side, dz > 0 ? wall + 1.01 : wall - 0.01);
    }
    i += dx;
    k += dz;
  }
  return (t) => alongLegs(legs, t);
}

function alongLegs(legs: readonly { t: number; x: number; z: number }[], t: number): [number, number] {
  let low = 0;
  let high = legs.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (legs[middle].t <= t) low = middle;
    else high = middle - 1;
  }
  const a = legs[low];
  const b = legs[low + 1];
  const s = b.t > a.t ? Math.min(1, (t - a.t) / (b.t - a.t)) : 1;
  return [a.x + s * (b.x - a.x), a.z + s * (b.z - a.z)];
}

describe('honest walkers are never refused', () => {
  for (const hz of [5, 10, 20, 60]) {
    for (const rtt of [20, 100, 400]) {
      const seed = hz * 1000 + rtt;
      test(`open field, ${hz} Hz, ${rtt} ms (seed ${seed})`, () => {
        const run = honest(FIELD, seed, { hz, rtt, stall: 0.002, loss: 0.05, path: wander(random(seed)) });
        expect(run.reasons).toEqual([]);
        expect(run.score).toBe(0);
        expect(run.claims).toBeGreaterThan(60 * hz * 0.9);
      });
      test(`doors and corners, ${hz} Hz, ${rtt} ms (seed ${seed})`, () => {
        const run = honest(ROOMS, seed, { hz, rtt, stall: 0.002, loss: 0.05, path: doors(random(seed)) });
        expect(run.reasons).toEqual([]);
        expect(run.score).toBe(0);
      });
    }
  }
});

describe('fast walkers are refused within a bounded number of metres', () => {
  for (const factor of [1.2, 1.5, 3]) {
    test(`x${factor}`, () => {
      const w = new World(FIELD);
      w.guard.enter('p', { pos: [5, 0, 30], speed: 6 });
      w.walk(100, 50, 0.15, 0);
      const start = w.pos[0];
      const verdicts = w.run(600, 50, [start, 30], 0.3 * factor, 0);
      const first = verdicts.findIndex((v) => !v.accepted);
      // the excess over 6.9 m/s eats the burst of 6.9 m
      const excess = 0.3 * factor - 0.345;
      expect(first).toBeGreaterThan(0);
      expect(first).toBeLessThanOrEqual(Math.ceil(6.9 / excess) + 1);
      expect(verdicts[first].reason).toBe('SpeedLimit');
    });
  }
});
