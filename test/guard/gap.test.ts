// jumpGap: a hole in the mesh is jumped over by who can jump so far, by nobody who cannot, and by nobody at all by default.
// Floors of the helper have no walls between them: what separates them is missing mesh.
import { describe, expect, test } from 'vitest';
import * as L from '../../src/rules/ledger.ts';
import { random } from './rounding.ts';
import { floors, World } from './world.ts';

const G = 9.81;
/** Two floors of 40 m with a hole of `width` from x = 20 on, the far one `up` metres higher. */
const hole = (width: number, up = 0) =>
  floors([
    [0, 0, 20, 40, 0],
    [20 + width, 0, 60, 40, up],
  ]);

function stands(width: number, rules: Record<string, unknown> = {}, up = 0, x = 19.5): World {
  const w = new World(hole(width, up), { jumpGap: 3, ...rules });
  w.guard.enter('p', { pos: [x, 0, 20], speed: 6 });
  w.move(500, x, 20);
  return w;
}

interface Jump {
  readonly width: number;
  readonly hz: number;
  readonly speed: number;
  /** Metres before the edge, jump height, angle to the straight way over, ms of jitter. */
  readonly before: number;
  readonly height: number;
  readonly angle: number;
  readonly jitter: number;
  readonly up: number;
  readonly rules?: Record<string, unknown>;
}

/** Runs at the hole, jumps, lands beyond and runs on; what was not accepted, and the guard. */
function jump(j: Jump, rand: () => number): { refused: string[]; w: World } {
  const w = new World(hole(j.width, j.up), { jumpGap: 3, ...j.rules });
  const dx = Math.cos(j.angle);
  const dz = Math.sin(j.angle);
  const from: readonly [number, number] = [20 - (j.before + 4) * dx, 20 - (j.before + 4) * dz];
  w.guard.enter('p', { pos: [from[0], 0, from[1]], speed: 6 });
  w.guard.rtt('p', 2 * j.jitter);
  const v0 = Math.sqrt(2 * G * j.height);
  const takeOff = 4 / j.speed;
  const refused: string[] = [];
  let arrived = 0;
  let flying = true;
  for (let c = 0; c < 3; c += 1 / j.hz) {
    const x = from[0] + c * j.speed * dx;
    const z = from[1] + c * j.speed * dz;
    const s = c - takeOff;
    let y = 0;
    if (s > 0 && flying) {
      y = v0 * s - (G * s * s) / 2;
      const floor = x >= 20 + j.width ? j.up : x <= 20 ? 0 : Number.NEGATIVE_INFINITY;
      if (y <= floor && s > v0 / G) flying = false;
    }
    if (!flying) y = x <= 20 ? 0 : j.up;
    arrived = Math.max(arrived, 1000 * c + rand() * j.jitter);
    w.t = arrived;
    const q = (n: number) => Math.round(n * 20) / 20;
    const v = w.move(0, q(x), q(z), q(y));
    if (v.verdict !== 'accept') refused.push(`${x.toFixed(2)} ${y.toFixed(2)} ${z.toFixed(2)} ${v.reason}`);
  }
  return { refused, w };
}

/** A jump that clears the hole: the flight begins before the edge and ends beyond the other one. */
function clearing(rand: () => number, width: number): Jump {
  for (;;) {
    const speed = 3 + rand() * 3;
    const angle = (rand() - 0.5) * 0.7;
    const height = 0.6 + rand() * 1.5;
    const up = rand() < 0.3 ? rand() * 0.8 * height : 0;
    const before = rand() * 3;
    const v0 = Math.sqrt(2 * G * height);
    const flight = (v0 + Math.sqrt(v0 * v0 - 2 * G * up)) / G;
    // the feet are above the far edge when they come over it
    const t = (before + width / Math.cos(angle)) / speed;
    const clears = flight * speed > before + width / Math.cos(angle) + 0.2 && v0 * t - (G * t * t) / 2 > up + 0.1;
    if (!clears) continue;
    return { width, hz: 5 + rand() * 55, speed, before, height, angle, jitter: rand() * 150, up };
  }
}

describe('jumpGap 3', () => {
  test.each([201, 202, 203])('a hole of 2.5 m is jumped over, 5 to 60 Hz, jitter: no refusal (seed %i)', (seed) => {
    const rand = random(seed);
    for (let round = 0; round < 60; round++) {
      const j = clearing(rand, 2.5);
      const { refused, w } = jump(j, rand);
      expect([round, JSON.stringify(j), ...refused]).toEqual([round, JSON.stringify(j)]);
      expect(w.pos[0]).toBeGreaterThan(22);
      expect(w.state[L.FLAGS] & L.OVER_GAP).toBe(0);
      expect(w.guard.score('p')).toBeLessThan(0.1);
    }
  });
  test('one of 4 m is not, nor any without the rule', () => {
    const rand = random(204);
    for (let round = 0; round < 20; round++) {
      const j = clearing(rand, 2.5);
      expect(jump({ ...j, width: 4 }, rand).w.pos[0]).toBeLessThanOrEqual(23.2);
      expect(jump({ ...j, rules: { jumpGap: 0 } }, rand).w.pos[0]).toBeLessThan(20.5);
    }
    const w = stands(4);
    expect(w.move(900, 24.2, 20).accepted).toBe(false);
    // in halves: over the gap there is nothing to stand on
    for (const x of [20.5, 21.5, 22.5, 23.5, 24.2]) w.move(200, x, 20, 1);
    expect(w.pos[0]).toBeLessThan(20.5);
  });
  test('in one claim, charged in full', () => {
    const w = stands(2.5);
    const v = w.move(600, 23, 20);
    expect([v.verdict, v.used]).toEqual(['accept', 3.5]);
    const slow = stands(2.5);
    for (let x = 19.5; slow.t < 5000; x += 0.6) {
      const s = slow.move(50, x, 20, x > 20 && x < 22.5 ? 1 : 0);
      if (s.reason === 'SpeedLimit') return;
    }
    expect.fail('12 m/s over a gap');
  });
  test('nobody hangs over it', () => {
    for (const y of [0, 1, 2]) {
      const w = stands(2.5);
      w.move(200, 20, 20, y / 2);
      let ms = 0;
      while (w.move(50, 21.2, 20, y).accepted && ms < 20_000) ms += 50;
      expect([y, ms > 100, ms < 2700]).toEqual([y, true, true]);
      // nor comes across later, from where it hangs
      for (let i = 0; i < 10; i++) expect(w.move(100, 21.2, 20, y).accepted).toBe(false);
      const v = w.move(50, 23, 20, 1.5);
      expect([y, w.pos[0], v.verdict, v.reason]).toEqual([y, 21.2, v.verdict, 'Airborne']);
    }
  });
  test('who jumps too short falls in, and does not come up again', () => {
    const w = stands(2.5, {}, 0, 19.9);
    let lowest = 0;
    for (let ms = 50; ms <= 2000; ms += 50) {
      const s = ms / 1000;
      const y = 3 * s - (G * s * s) / 2;
      if (w.move(50, Math.min(19.9 + 2.5 * s, 21.5), 20, y).accepted) lowest = y;
    }
    expect(lowest).toBeLessThan(-10);
    for (const [x, y] of [
      [21.5, 0],
      [23, 0],
      [19.5, 0],
    ] as const)
      expect([x, y, w.pos, w.move(50, x, 20, y).accepted]).toEqual([x, y, w.pos, false]);
  });
  test('may be turned back from', () => {
    const w = stands(2.5);
    for (const [x, y] of [
      [19.9, 0.8],
      [20.6, 1.5],
      [21, 1.9],
      [20.6, 1.9],
      [20, 1.4],
      [19.6, 0.4],
      [19.5, 0],
    ] as const) {
      expect(w.move(130, x, 20, y).verdict).toBe('accept');
    }
    expect(w.state[L.FLAGS] & L.OVER_GAP).toBe(0);
    expect(w.state[L.FLOOR]).toBe(0);
  });
  test('up by a jump, not higher; down by as much, deeper only as a fall', () => {
    for (const [up, lands] of [
      [1.8, true],
      [3.2, false],
      [-1.8, true],
      [-3, false],
    ] as const) {
      const w = stands(2.5, {}, up);
      w.move(300, 20, 20, 1.5);
      w.move(300, 21.8, 20, 2);
      expect([up, w.move(300, 23, 20, up).accepted]).toEqual([up, lands]);
    }
  });
  test('nothing is to be had without another side', () => {
    const w = new World(floors([[0, 0, 20, 40, 0]]), { jumpGap: 3 });
    w.guard.enter('p', { pos: [19.5, 0, 20], speed: 6 });
    w.move(500, 19.5, 20);
    expect(w.move(200, 20.6, 20, 1).accepted).toBe(false);
    const far = stands(4);
    expect(far.move(300, 21, 20, 1).accepted).toBe(false);
  });
  test('a refused claim leaves the state as it was', () => {
    const w = stands(2.5);
    w.move(200, 20.8, 20, 1);
    expect(w.state[L.FLAGS] & L.OVER_GAP).not.toBe(0);
    const before = w.pos;
    for (const [x, z, y] of [
      [21, 25, 1],
      [21, 20, 6],
      [25, 20, 9],
      [-50, 20, 0],
    ] as const) {
      expect(w.move(20, x, z, y).accepted).toBe(false);
      expect(w.pos).toEqual(before);
      expect(w.state[L.FLAGS] & L.OVER_GAP).not.toBe(0);
    }
    expect(w.move(300, 22.6, 20, 0.8).verdict).toBe('accept');
  });
  test('a thin wall is a hole too, with a rule that wide; the default sees a wall', () => {
    // a wall of 0.2 m and a radius of 0.4 on both sides
    expect(stands(1).move(400, 21.5, 20).verdict).toBe('accept');
    expect(stands(1, { jumpGap: 0.9 }).move(400, 21.5, 20).accepted).toBe(false);
    expect(stands(1, { jumpGap: 0 }).move(400, 21.5, 20).accepted).toBe(false);
  });
});
