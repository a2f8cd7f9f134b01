// The one question against ray and corridor asked apart, and the cases that only the order of its steps decides.
import { describe, expect, test } from 'vitest';
import {
  S_CLEAR,
  S_FROM_OFF,
  S_OUT_OF_RANGE,
  S_OVER,
  S_TO_OFF,
  S_UNDECIDED,
  S_UNREACHABLE,
  S_WALK,
} from '../../assembly/layout.ts';
import type { Kernel } from '../../src/kernel/index.ts';
import { latticeMesh } from '../oracle/lattice.ts';
import { between, random } from '../oracle/random.ts';
import { ringMesh } from '../oracle/rings.ts';
import { askLocate, askRays, BLOCKED, CLEAR, kernelOf, NONE, type Place, place, UNIT } from './ask.ts';
import { twoFloors } from './floors.ts';
import { askCorridor, askReach } from './walks.ts';

const SEED = 88001;
const M = 1024;
const EXACT = 0;
const LOWER = 1;
const UPPER = 2;
/** Lower bounds are lowered by what rounding may have added. */
const ALMOST = 1 - 1e-11;
const square = (x: number, z: number, size: number): number[] => [x, z, x + size, z, x + size, z + size, x, z + size];
const plan = (a: readonly number[], b: readonly number[]): number => {
  const [dx, dz] = [b[0]! - a[0]!, b[2]! - a[2]!];
  return Math.sqrt(dx * dx + dz * dz);
};

describe.each(['wasm', 'twin'] as const)('reach, %s', (engine) => {
  test('is the ray, then the corridor within the budget', () => {
    const wrong: string[] = [];
    const seen = new Map<number, number>();
    for (let round = 0; round < 12; round++) {
      const seed = SEED + round;
      const map = latticeMesh({ w: 8, h: 8, blocked: 0.3, seed, spacing: 4, ...(round % 3 ? { merge: 6 } : {}) });
      const next = random(seed);
      const kernel = kernelOf(map.mesh, engine);
      const [minX, minZ, maxX, maxZ] = map.bounds;
      const pick = (): Place =>
        next() < 0.3
          ? place(map.points[Math.floor(next() * map.points.length)]!)
          : place([between(next, minX, maxX), between(next, minZ, maxZ)]);
      for (let i = 0; i < 150; i++) {
        const [from, to] = [pick(), pick()];
        const limit = next() < 0.2 ? Infinity : plan(from, to) * (0.8 + next());
        const band = { below: 1, above: 1, tolerance: next() < 0.5 ? 0 : 2 * UNIT };
        const got = askReach(kernel, from, to, { limit, band });
        seen.set(got.status, (seen.get(got.status) ?? 0) + 1);
        const what = `seed ${seed} ${from} -> ${to} within ${limit}: ${JSON.stringify(got)}`;
        const corridor = askCorridor(kernel, from, to, { limit, band });
        const ray = askRays(kernel, [from], [to], band).status[0];
        if (got.straight !== plan(from, to)) wrong.push(`${what}, straight ${plan(from, to)}`);
        if (ray === CLEAR) {
          if (got.status !== S_CLEAR || got.bound !== EXACT || got.t !== 1 || got.edgeDistance !== 0) wrong.push(what);
          if (got.startDistance === 0 ? got.length !== got.straight : got.length > got.straight + 3 * UNIT)
            wrong.push(`${what}, clear`);
          continue;
        }
        if (ray !== BLOCKED) {
          if (got.status !== ray) wrong.push(`${what}, ray ${ray}`);
          continue;
        }
        if (got.status === S_TO_OFF || got.status === S_UNREACHABLE) {
          if (corridor.status !== got.status) wrong.push(`${what}, corridor ${corridor.status}`);
          continue;
        }
        if (got.status === S_CLEAR) {
          // Only because the target was put on the mesh: the ray to where it was put is clear.
          if (!(got.targetDistance > 0)) wrong.push(`${what}, clear without cause`);
          const again = askRays(kernel, [got.startPoint as never], [got.targetPoint as never]).status[0];
          if (again !== CLEAR) wrong.push(`${what}, not clear to ${got.targetPoint}`);
          continue;
        }
        const free = askCorridor(kernel, from, to, { band });
        const least = plan(got.startPoint, got.targetPoint);
        if (got.length < least * ALMOST || got.length * ALMOST > free.length) wrong.push(`${what}, ${free.length}`);
        if (got.status === S_WALK) {
          if (got.bound !== EXACT) wrong.push(what);
        } else if (got.status !== S_OVER || got.bound !== LOWER || corridor.status === S_WALK || got.length < limit) {
          wrong.push(`${what}, corridor ${corridor.status}`);
        }
        if (got.status === S_WALK && got.length > limit) wrong.push(`${what}, over`);
      }
    }
    expect(wrong.slice(0, 12), `seed ${SEED}, ${wrong.length} wrong`).toEqual([]);
    for (const status of [S_CLEAR, S_WALK, S_OVER, S_UNREACHABLE, S_FROM_OFF, S_TO_OFF])
      expect(seen.get(status) ?? 0, `status ${status}`).toBeGreaterThan(10);
  });

  test('a right hint changes nothing, a wrong one neither', () => {
    const map = latticeMesh({ w: 8, h: 8, blocked: 0.25, seed: SEED + 50, spacing: 6, merge: 6 });
    const next = random(SEED + 50);
    const kernel = kernelOf(map.mesh, engine);
    const [minX, minZ, maxX, maxZ] = map.bounds;
    let hinted = 0;
    for (let i = 0; i < 400; i++) {
      const from = place([between(next, minX, maxX), between(next, minZ, maxZ)]);
      const to = place([between(next, minX, maxX), between(next, minZ, maxZ)]);
      const hint = askLocate(kernel, [from], { below: 1, above: 1, tolerance: 0 }).polygon[0]!;
      const plain = askReach(kernel, from, to, { limit: 1 });
      expect(askReach(kernel, from, to, { limit: 1, hint })).toEqual(plain);
      // (on a rim it is the polygon that is named)
      const other = askReach(kernel, from, to, { limit: 1, hint: Math.floor(next() * 60) });
      expect({ ...other, start: plain.start }).toEqual(plain);
      expect(askReach(kernel, from, to, { limit: 1, hint: 1_000_000 })).toEqual(plain);
      if (hint !== NONE) hinted++;
    }
    expect(hinted).toBeGreaterThan(100);
  });

  test('clear is clear whatever the budget', () => {
    const kernel = kernelOf(ringMesh([{ at: square(0, 0, 10 * M) }]).mesh, engine);
    for (const limit of [0, 1, Number.NaN, Infinity]) {
      const got = askReach(kernel, [1, 0, 1], [4, 0, 5], { limit });
      expect(got).toMatchObject({ status: S_CLEAR, length: 5, straight: 5, bound: EXACT, nodes: 0, t: 1 });
    }
  });

  // A U of three bars, 2 m wide and 6 m high, joined at the bottom; between the bars a gap of 2 m.
  const u = ringMesh([
    { at: [0, 0, 2, 0, 2, 2, 0, 2].map((v) => v * M) },
    { at: [2, 0, 4, 0, 4, 2, 2, 2].map((v) => v * M) },
    { at: [4, 0, 6, 0, 6, 2, 4, 2].map((v) => v * M) },
    { at: [0, 2, 2, 2, 2, 6, 0, 6].map((v) => v * M) },
    { at: [4, 2, 6, 2, 6, 6, 4, 6].map((v) => v * M) },
  ]);
  const way = 2 * Math.hypot(1, 3) + 2;

  test.each([
    ['within the budget', way, S_WALK, EXACT, way],
    ['a hair over it', way - 1e-9, S_OVER, LOWER, way],
    ['far over it', 5, S_OVER, LOWER, 5],
    ['shorter than the straight line', 3, S_OVER, LOWER, 4],
    ['not a number', Number.NaN, S_OVER, LOWER, 4],
  ])('round a U: %s', (_name, limit, status, bound, least) => {
    const kernel = kernelOf(u.mesh, engine);
    const got = askReach(kernel, [1, 0, 5], [5, 0, 5], { limit });
    expect(got).toMatchObject({ status, bound, start: 3, target: 4, targetDistance: 0, t: 0.25 });
    expect(got.length).toBeGreaterThan(least * ALMOST);
    expect(got.length).toBeLessThanOrEqual(way);
    expect(got.edgeDistance).toBeCloseTo(3, 12);
  });

  test('round a U with a node cap: undecided, or a corridor that acquits, never guilt', () => {
    const kernel = kernelOf(u.mesh, engine);
    for (let cap = 0; cap < 12; cap++) {
      const got = askReach(kernel, [1, 0, 5], [5, 0, 5], { limit: way, cap });
      if (got.status === S_WALK) expect(got.bound === EXACT || got.bound === UPPER).toBe(true);
      else expect(got).toMatchObject({ status: S_UNDECIDED, bound: LOWER });
      expect(got.length).toBeLessThanOrEqual(way / ALMOST);
      if (cap < 2) expect(got.status).toBe(S_UNDECIDED);
    }
  });

  test('pressed into a wall: the target is put on the mesh', () => {
    const kernel = kernelOf(u.mesh, engine);
    const band = { below: 1, above: 1, tolerance: 0.25 };
    const got = askReach(kernel, [1, 0, 3], [2.2, 0, 4], { limit: 10, band });
    expect(got).toMatchObject({ status: S_CLEAR, target: 3, targetPoint: [2, 0, 4], edgeDistance: 0 });
    expect(got.targetDistance).toBeCloseTo(0.2, 12);
    expect(got.length).toBeCloseTo(Math.hypot(1, 1), 12);
    expect(askReach(kernel, [1, 0, 3], [2.3, 0, 4], { limit: 10, band }).status).toBe(S_TO_OFF);
    // The other bar's rim: no straight way, so the way round counts.
    const across = askReach(kernel, [1, 0, 4], [3.8, 0, 4], { limit: 20, band });
    expect(across).toMatchObject({ status: S_WALK, target: 4, targetPoint: [4, 0, 4] });
    expect(askReach(kernel, [-0.2, 0, 4], [1, 0, 4], { limit: 10, band })).toMatchObject({
      status: S_CLEAR,
      startPoint: [0, 0, 4],
      length: 1,
    });
    expect(askReach(kernel, [-0.3, 0, 4], [1, 0, 4], { limit: 10, band })).toMatchObject({
      status: S_FROM_OFF,
      start: NONE,
      target: NONE,
      length: Infinity,
    });
  });

  test.each<[string, Place, Place]>([
    ['x is not a number', [1, 0, 1], [Number.NaN, 0, 1]],
    ['y is infinite', [1, 0, 1], [1, Infinity, 1]],
    ['z overflows', [1, 0, 1], [1, 0, -1e308]],
    ['the start is not a number', [1, Number.NaN, 1], [1, 0, 1]],
    ['beyond 2^24 units', [1, 0, 1], [20000, 0, 1]],
  ])('out of range: %s', (_name, from, to) => {
    expect(askReach(kernelOf(u.mesh, engine), from, to, { limit: 10 }).status).toBe(S_OUT_OF_RANGE);
  });

  describe('two floors', () => {
    const band = { below: 0.5, above: 2.6, tolerance: 0.1 };
    test('C6: a balcony without stairs is unreachable, whatever the plan says', () => {
      const map = ringMesh([{ at: square(0, 0, 4 * M) }, { at: square(2 * M, 0, 4 * M), y: 3 }]);
      const kernel = kernelOf(map.mesh, engine);
      const got = askReach(kernel, [1, 0, 2], [3, 3, 2], { limit: 100, band });
      expect(got).toMatchObject({ status: S_UNREACHABLE, target: 1, bound: LOWER, length: Infinity });
      expect(askReach(kernel, [1, 0, 2], [3, 0, 2], { limit: 100, band }).status).toBe(S_CLEAR);
    });

    test('C7: a jump under a floor stays on the floor it began on', () => {
      const kernel = kernelOf(twoFloors().mesh, engine);
      for (const y of [1.7, 2.4, 2.6]) {
        const got = askReach(kernel, [1, 0, 1], [1.5, y, 1.25], { limit: 5, band });
        expect(got).toMatchObject({ status: S_CLEAR, target: 0, targetPoint: [1.5, 0, 1.25] });
      }
    });

    test('a floor switch costs the way over the ramp', () => {
      const kernel = kernelOf(twoFloors().mesh, engine);
      const [from, to] = [[5, 0, 1] as const, [5, 3, 1] as const];
      expect(askReach(kernel, from, to, { limit: 2, band }).status).toBe(S_OVER);
      const got = askReach(kernel, from, to, { limit: 50, band });
      expect(got).toMatchObject({ status: S_WALK, straight: 0 });
      // Out and back round (10, 2), and up round (6, 2) on the way in.
      expect(got.length).toBeCloseTo(Math.hypot(5, 1) + 4 + Math.hypot(1, 1), 9);
    });
  });
});

test('both engines answer alike to the last bit, single and in batches', () => {
  const map = latticeMesh({ w: 12, h: 12, blocked: 0.25, seed: SEED + 90, merge: 6, spacing: 5, jitter: 2 });
  const next = random(SEED + 90);
  const n = 1500;
  const [minX, minZ, maxX, maxZ] = map.bounds;
  const pick = (): Place => {
    const p = place([between(next, minX, maxX), between(next, minZ, maxZ)], next() - 0.5);
    return next() < 0.01 ? [Number.NaN, p[1], p[2]] : [p[0] + UNIT * (next() - 0.5), p[1], p[2]];
  };
  const from = Array.from({ length: n }, pick);
  const to = Array.from({ length: n }, pick);
  const budget = from.map((p, i) => (next() < 0.1 ? Infinity : plan(p, to[i]!) * (0.5 + next())));
  const batch = (kernel: Kernel) => {
    const base = kernel.reserve(n * 80);
    const at = { from: base, to: base + 24 * n, budget: base + 48 * n, length: base + 56 * n };
    const four = { polygon: base + 64 * n, status: base + 68 * n, bound: base + 72 * n, target: base + 76 * n };
    kernel.f64(at.from, 3 * n).set(from.flat());
    kernel.f64(at.to, 3 * n).set(to.flat());
    kernel.f64(at.budget, n).set(budget);
    kernel.u32(four.polygon, n).fill(NONE);
    kernel.input.set([1, 1, UNIT, 0, 4096], 6);
    kernel.batchReach(n, at.from, at.to, four.polygon, at.budget, four.status, at.length, four.bound, four.target);
    return {
      status: [...kernel.u32(four.status, n)],
      length: [...kernel.f64(at.length, n)],
      bound: [...kernel.u32(four.bound, n)],
      target: [...kernel.u32(four.target, n)],
    };
  };
  const [wasm, twin] = [kernelOf(map.mesh, 'wasm'), kernelOf(map.mesh, 'twin')];
  const a = batch(wasm);
  expect(batch(twin)).toEqual(a);
  const band = { below: 1, above: 1, tolerance: UNIT };
  for (let i = 0; i < n; i++) {
    const one = askReach(wasm, from[i]!, to[i]!, { limit: budget[i]!, band });
    expect(askReach(twin, from[i]!, to[i]!, { limit: budget[i]!, band })).toEqual(one);
    expect([one.status, one.length, one.bound, one.target]).toEqual([
      a.status[i],
      a.length[i],
      a.bound[i],
      a.target[i],
    ]);
  }
  expect(new Set(a.status).size).toBeGreaterThan(5);
});
