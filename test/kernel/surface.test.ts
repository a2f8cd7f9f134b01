// The walk along the surface: against brute force and an exact simulation on lattices, by its symmetries, and by hand.
import { describe, expect, test } from 'vitest';
import { compareProducts } from '../../assembly/slide.ts';
import { createKernel, type Engine, type Kernel } from '../../src/kernel/index.ts';
import { NavMap } from '../../src/map.ts';
import { randomPoint } from '../oracle/ends.ts';
import { latticeMesh } from '../oracle/lattice.ts';
import { between, random } from '../oracle/random.ts';
import { type Ring, ringMesh } from '../oracle/rings.ts';
import type { Point } from '../oracle/sight.ts';
import { pinches, slideExactly } from '../oracle/slide.ts';
import { BLOCKED, CLEAR, FLAT, FROM_OFF, kernelOf, NONE, OUT_OF_RANGE, type Place, place, UNIT } from './ask.ts';
import { twoFloors } from './floors.ts';
import {
  add,
  askSurface,
  LARGE,
  metres,
  nothing,
  plan,
  randomMotion,
  SLID,
  SMALL,
  slideBattery,
  type Tally,
} from './slides.ts';

const SEED = 20250811;
const ENGINES: readonly Engine[] = ['wasm', 'twin'];
const UNDECIDED = 4;

function battery(
  engine: Engine,
  shape: (typeof SMALL)[number][1],
  rounds: number,
  count: number,
  exact: boolean,
): Tally {
  const total = nothing();
  for (let r = 0; r < rounds; r++) {
    add(
      total,
      slideBattery(() => createKernel(engine), shape, SEED + r, count, exact),
    );
  }
  return total;
}

/** Corners of walk ends in the order of `walk`: a chain of motions, each from where the last one ended. */
function chain(kernel: Kernel, from: Point, motions: readonly Point[]): Point {
  let at = place(from);
  let hint = NONE;
  for (const by of motions) {
    const got = askSurface(kernel, at, metres(by), { hint });
    at = got.end;
    hint = got.polygon;
  }
  return plan(at);
}

describe.each(ENGINES)('surface (%s)', (engine) => {
  test.each(SMALL)('never through a wall, never longer than the motion: %s', (_, shape) => {
    const total = battery(engine, shape, 8, 250, false);
    expect(total.faults).toEqual([]);
    expect(total.slid).toBeGreaterThan(600);
  });

  test.each(LARGE)('ends where the exact simulation ends: %s', (_, shape) => {
    const total = battery(engine, shape, 4, 100, true);
    expect(total.faults).toEqual([]);
    expect(total.far).toEqual([]);
    expect(total.alike).toBeGreaterThan(300);
    expect(total.slides).toBeGreaterThan(80);
  });

  const turnLeft = ([x, z]: Point): Point => [-z, x];
  const SYMMETRIES: readonly (readonly [string, (p: Point) => Point, (p: Point) => Point, boolean])[] = [
    ['translation', ([x, z]) => [x + 1234, z - 777], (p) => p, false],
    ['mirror', ([x, z]) => [-x, z], ([x, z]) => [-x, z], true],
    ['the other mirror', ([x, z]) => [z, x], ([x, z]) => [z, x], true],
    ['quarter turn', turnLeft, turnLeft, false],
    ['half turn', (p) => turnLeft(turnLeft(p)), (p) => turnLeft(turnLeft(p)), false],
  ];
  test.each(SYMMETRIES)('%s moves the end and changes nothing else', (_, move, turn, flips) => {
    for (const [k, scale] of [1, 1, 7, 1024].entries()) {
      const seed = SEED + 500 + k;
      const map = latticeMesh({ w: 6, h: 6, seed, blocked: 0.25, scale, ...(k % 2 ? { merge: 6 } : {}) });
      const next = random(seed);
      const plain = kernelOf(ringMesh(map.rings.map((at) => ({ at }))).mesh, engine);
      const moved = kernelOf(ringMesh(map.rings.map((at) => ({ at: moveRing(at, move, flips) }))).mesh, engine);
      for (let i = 0; i < 300; i++) {
        const from = randomPoint(map, next, 0.3, 0);
        const by = randomMotion(map, next);
        const a = askSurface(plain, place(from), metres(by));
        const b = askSurface(moved, place(move(from)), metres(turn(by)));
        const name = `seed ${seed}: ${from} by ${by}`;
        expect(plan(b.end), name).toEqual(move(plan(a.end)).map((v) => v + 0));
        expect([b.status, b.length, b.lost, b.slides], name).toEqual([a.status, a.length, a.lost, a.slides]);
      }
    }
  });

  test('a motion in pieces ends where the whole one ends', () => {
    let compared = 0;
    for (let k = 0; k < 4; k++) {
      const seed = SEED + 700 + k;
      const map = latticeMesh({ w: 6, h: 6, seed, blocked: 0.25, scale: 4096, merge: 6 });
      const kernel = kernelOf(map.mesh, engine);
      const pinched = pinches(map);
      const next = random(seed);
      for (let i = 0; i < 60; i++) {
        const from = randomPoint(map, next, 0.3, 0);
        const pieces = between(next, 2, 9);
        const by = randomMotion(map, next).map((v) => Math.round(v / pieces)) as unknown as Point;
        const want = slideExactly(map, from, [by[0] * pieces, by[1] * pieces]);
        const through = (p: readonly number[]) => want.events.some((e) => e[0] === p[0] && e[1] === p[1]);
        if (want.word === 'tie' || pinched.some(through)) continue;
        const got = chain(
          kernel,
          from,
          Array.from({ length: pieces }, () => by),
        );
        // A step of the grid aside at the start of a slide costs time by the inverse of its speed.
        const allowed = (3 * pieces) / want.slowest;
        expect(Math.hypot(got[0] - want.end[0], got[1] - want.end[1]), `seed ${seed}: ${from} by ${by}`).toBeLessThan(
          allowed,
        );
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(150);
  });

  test('a corridor of 150 wall pieces on one line is one slide', () => {
    // Parallelograms whose sides lie on one tilted line each.
    const rings = Array.from({ length: 150 }, (_, i): Ring => {
      const [x, z] = [i * 300, i * 100];
      return { at: [x, z, x + 300, z + 100, x + 200, z + 400, x - 100, z + 300] };
    });
    const kernel = kernelOf(ringMesh(rings).mesh, engine);
    const got = askSurface(kernel, place([150, 250]), metres([42_500, 10_000]));
    expect(got.status).toBe(SLID);
    expect(got.slides).toBe(1);
    expect(got.corners.length).toBeGreaterThan(125);
    // It meets the wall z = x / 3 at 2190, 730 with 0.952 of the motion left, whose share along (3, 1) is 39270, 13090.
    expect(plan(got.end)).toEqual([41_460, 13_820]);
  });

  /** A hall 0..8000 x 0..4000 with a step: the part over x > 4000 goes on to z = 8000. */
  const HALL: readonly Ring[] = [
    { at: [0, 0, 4000, 0, 4000, 4000, 0, 4000] },
    { at: [4000, 0, 8000, 0, 8000, 4000, 4000, 4000] },
    { at: [4000, 4000, 8000, 4000, 8000, 8000, 4000, 8000] },
  ];
  const hall = () => kernelOf(ringMesh(HALL).mesh, engine);
  const CASES: readonly (readonly [string, Point, Point, Point, number, number])[] = [
    ['nothing', [5, 5], [0, 0], [5, 5], CLEAR, 0],
    ['along a wall', [0, 100], [0, 3900], [0, 4000], CLEAR, 0],
    ['head-on', [1000, 1000], [0, 9000], [1000, 4000], BLOCKED, 0],
    ['head-on from the wall', [1000, 4000], [0, 10], [1000, 4000], BLOCKED, 0],
    ['into an inner corner', [1000, 1000], [-5000, -6000], [0, 0], BLOCKED, 1],
    ['pressed into an inner corner', [0, 0], [-5, -6], [0, 0], BLOCKED, 0],
    ['out of a corner along its wall', [0, 0], [300, -400], [300, 0], SLID, 1],
    ['round an outer corner, and straight again', [1000, 3000], [6000, 3000], [7000, 5500], SLID, 1],
    ['past an outer corner, touching it', [2000, 2000], [4000, 4000], [6000, 6000], CLEAR, 0],
    ['two walls in one motion', [5000, 5000], [6000, 9000], [8000, 8000], BLOCKED, 1],
  ];
  test.each(CASES)('%s', (_, from, by, end, status, slides) => {
    const got = askSurface(hall(), place(from), metres(by));
    expect([plan(got.end), got.status, got.slides]).toEqual([end, status, slides]);
  });

  test('at the tip of a corner the nearer side is taken, and neither when both are equally near', () => {
    // A wedge of obstacle with its tip at 0, 0, open to the right; floor all around, in triangles.
    const rim: Point[] = [
      [1000, 300],
      [1000, 1000],
      [-1000, 1000],
      [-1000, -1000],
      [1000, -1000],
      [1000, -300],
    ];
    const rings = rim.slice(1).map((p, i): Ring => ({ at: [0, 0, ...rim[i], ...p] }));
    const kernel = kernelOf(ringMesh(rings).mesh, engine);
    const from = (z: number) => askSurface(kernel, place([-1000, -z]), metres([1500, (z * 3) / 2]));
    expect([from(0).status, plan(from(0).end)]).toEqual([BLOCKED, [0, 0]]);
    expect(plan(from(2).end)[1]).toBeGreaterThan(0);
    expect(plan(from(-2).end)[1]).toBeLessThan(0);
    expect(from(2).slides).toBe(1);
  });

  test('says the wall it met: unit normal into the floor', () => {
    const at = (by: Point) => askSurface(hall(), place([3000, 2000]), metres(by)).normal;
    expect(at([100, 100])).toEqual([0, 0]);
    expect(at([0, 9000]).map((v) => v + 0)).toEqual([0, -1]);
    expect(at([-9000, 10]).map((v) => v + 0)).toEqual([1, 0]);
  });

  test('a start off the mesh within the tolerance begins at the nearest point', () => {
    const band = { ...FLAT, tolerance: 30 * UNIT };
    const off = askSurface(hall(), place([-20, 1000]), metres([-50, 60]), { band });
    expect([off.status, plan(off.end), off.off / UNIT]).toEqual([SLID, [0, 1060], 20]);
    expect(askSurface(hall(), place([-20, 1000]), metres([-50, 60])).status).toBe(FROM_OFF);
    expect(askSurface(hall(), place([100, 1000], 1.5), metres([1, 1])).status).toBe(FROM_OFF);
  });

  test('what cannot be a motion is out of range', () => {
    const bad = [Number.NaN, Infinity, -Infinity, 1e300, -32769, 32769];
    for (const v of bad) {
      expect(askSurface(hall(), place([5, 5]), [v, 0]).status, `${v}`).toBe(OUT_OF_RANGE);
      expect(askSurface(hall(), place([5, 5]), [0, v]).status, `${v}`).toBe(OUT_OF_RANGE);
    }
    for (const v of bad.slice(0, 4)) {
      for (const at of [
        [v, 0, 0],
        [0, v, 0],
        [0, 0, v],
      ] as const) {
        expect([OUT_OF_RANGE, FROM_OFF]).toContain(askSurface(hall(), at, [0, 0]).status);
      }
    }
    const far = askSurface(hall(), place([5, 5]), [32768, -32768]);
    expect([far.status, plan(far.end)]).toEqual([BLOCKED, [8000, 0]]);
  });

  test('short steps lose no speed: what is below the grid comes back', () => {
    const kernel = hall();
    let at = place([0, 2000]);
    let hint = NONE;
    let rest: readonly [number, number] = [0, 0];
    const step = [1.37 * UNIT, -0.41 * UNIT] as const;
    for (let i = 0; i < 1000; i++) {
      const got = askSurface(kernel, at, [step[0] + rest[0], step[1] + rest[1]], { hint });
      expect(got.length).toBeLessThanOrEqual(Math.hypot(step[0] + rest[0], step[1] + rest[1]));
      [at, hint, rest] = [got.end, got.polygon, got.rest];
    }
    expect(Math.abs(plan(at)[0] - 1370)).toBeLessThanOrEqual(1);
    expect(Math.abs(plan(at)[1] - 1590)).toBeLessThanOrEqual(1);
  });

  test('more walls than the cap: it says so, stands on the mesh, and goes on from there', () => {
    // A round hall as a fan of 320 triangles: 80 walls to the rightmost point.
    const rim = Array.from({ length: 320 }, (_, i): Point => {
      const angle = (i * Math.PI) / 160;
      return [Math.round(3e6 * Math.cos(angle)), Math.round(3e6 * Math.sin(angle))];
    });
    const rings = rim.map((p, i): Ring => ({ at: [0, 0, ...p, ...rim[(i + 1) % 320]] }));
    const kernel = kernelOf(ringMesh(rings).mesh, engine);
    const got = askSurface(kernel, place([0, 0]), metres([30e6, -4]));
    expect(got.status).toBe(BLOCKED);
    const capped = askSurface(kernel, place([100, -2.9e6]), metres([30e6, 0]));
    expect(capped.status).toBe(UNDECIDED);
    expect(capped.slides).toBe(64);
    const on = askSurface(kernel, capped.end, metres([30e6, 0]), { hint: capped.polygon });
    expect(plan(on.end)[0]).toBeGreaterThan(plan(capped.end)[0]);
  });

  test('a polygon keeps the floor and the fan', () => {
    // Two squares that touch in one corner.
    const rings: Ring[] = [
      { at: [0, 0, 1000, 0, 1000, 1000, 0, 1000] },
      { at: [1000, 1000, 2000, 1000, 2000, 2000, 1000, 2000] },
    ];
    const kernel = kernelOf(ringMesh(rings).mesh, engine);
    const tip = place([1000, 1000]);
    const by = metres([500, 400]);
    expect(plan(askSurface(kernel, tip, by, { hint: 0 }).end)).toEqual([1000, 1000]);
    expect(plan(askSurface(kernel, tip, by, { hint: 1 }).end)).toEqual([1500, 1400]);
    expect(plan(askSurface(kernel, tip, by).end)).toEqual([1500, 1400]);
    // From one into the other there is no way, whatever the direction.
    const through = askSurface(kernel, place([500, 500]), metres([1000, 1000]));
    expect([plan(through.end), through.status]).toEqual([[1000, 1000], BLOCKED]);
    expect(through.polygon).toBe(0);
  });

  test('on two floors over each other bodies change floor by the ramp only', () => {
    const { mesh, pick } = twoFloors();
    const kernel = kernelOf(mesh, engine);
    const next = random(SEED + 900);
    const seen = new Set<number>();
    for (let walker = 0; walker < 20; walker++) {
      let at: Place = pick(next).at;
      let hint = NONE;
      for (let i = 0; i < 100; i++) {
        const by = [between(next, -3000, 3000), between(next, -3000, 3000)] as const;
        const got = askSurface(kernel, at, metres(by), { hint });
        // Ramps climb 1.5 m in 4 m.
        got.corners.slice(1).forEach((c, k) => {
          const b = got.corners[k];
          const run = Math.hypot(c[0] - b[0], c[2] - b[2]);
          expect(Math.abs(c[1] - b[1])).toBeLessThanOrEqual(0.375 * run + 1e-6);
        });
        expect(got.corners.at(-1)).toEqual(got.end);
        [at, hint] = [got.end, got.polygon];
        seen.add(Math.round(at[1] * 2));
      }
    }
    expect(seen.size).toBeGreaterThan(3);
  });

  test('a batch gives what single calls give, also in place', () => {
    const seed = SEED + 950;
    const map = latticeMesh({ w: 6, h: 6, seed, blocked: 0.25, scale: 64, merge: 6 });
    const next = random(seed);
    const kernel = kernelOf(map.mesh, engine);
    const n = 200;
    const from = Array.from({ length: n }, () => place(randomPoint(map, next, 0.3, 0.1)));
    const by = from.map(() => metres(randomMotion(map, next)));
    const base = kernel.reserve(n * (24 + 24 + 24 + 8 + 12));
    const at = { from: base, by: base + 24 * n, point: base + 48 * n, length: base + 72 * n, u: base + 80 * n };
    for (const inPlace of [false, true]) {
      const singles = from.map((p, i) => askSurface(kernel, p, by[i]));
      kernel.f64(at.from, 3 * n).set(from.flat());
      kernel.f64(at.by, 3 * n).set(by.flatMap(([x, z]) => [x, 0, z]));
      kernel.u32(at.u, n).fill(NONE);
      const [point, last] = inPlace ? [at.from, at.u] : [at.point, at.u + 8 * n];
      kernel.input.set([FLAT.below, FLAT.above, FLAT.tolerance], 6);
      kernel.batchSurface(n, at.from, at.by, at.u, at.u + 4 * n, point, at.length, last);
      const on = (s: { status: number }) => s.status !== FROM_OFF;
      expect([...kernel.u32(at.u + 4 * n, n)]).toEqual(singles.map((s) => s.status));
      expect([...kernel.f64(at.length, n)]).toEqual(singles.map((s) => s.length));
      expect([...kernel.u32(last, n)]).toEqual(singles.map((s) => s.polygon));
      expect([...kernel.f64(point, 3 * n)]).toEqual(singles.flatMap((s, i) => (on(s) ? s.end : from[i])));
      expect(singles.filter(on).length).toBeGreaterThan(150);
    }
  });

  test('NavMap.surface', () => {
    const map = NavMap.fromMesh(ringMesh(HALL).mesh, { engine });
    const got = map.surface(place([1000, 3000]), metres([6000, 3000]));
    expect(got).toMatchObject({ status: 'slid', slides: 1, rest: [0, 0], normal: [0, -1] });
    expect(plan(got.point)).toEqual([7000, 5500]);
    expect(got.length + got.lost).toBeCloseTo(Math.hypot(6000, 3000) * UNIT, 12);
    const on = map.surface(got.point, metres([-100, 3.25]), { polygon: got.polygon });
    expect(on).toMatchObject({ status: 'clear', lost: 0, normal: null, rest: [0, 0.25 * UNIT] });
    expect(map.surface([-9, 0, 0], [1, 1])).toMatchObject({ status: 'fromOff', polygon: null, point: [-9, 0, 0] });
    expect(map.surface([1, 0, 1], [Number.NaN, 1]).status).toBe('outOfRange');
  });
});

test('products of integers up to 2^51 compare exactly', () => {
  const next = random(SEED);
  const some = () => {
    const size = 2 ** between(next, 0, 51);
    return Math.min(Math.floor(next() * size) + between(next, 0, 2), 2 ** 51);
  };
  let equal = 0;
  for (let i = 0; i < 20_000; i++) {
    const [a, b] = [some(), some()];
    // Often equal, or one apart.
    const [c, d] = next() < 0.5 ? [b, a + between(next, -1, 1)] : [some(), some()];
    if (d < 0 || d > 2 ** 51) continue;
    const want = BigInt(a) * BigInt(b) - BigInt(c) * BigInt(d);
    if (want === 0n) equal++;
    expect(Math.sign(compareProducts(a, b, c, d)), `${a} * ${b} and ${c} * ${d}`).toBe(
      want > 0n ? 1 : want < 0n ? -1 : 0,
    );
  }
  expect(equal).toBeGreaterThan(1000);
});

function moveRing(ring: readonly number[], move: (p: Point) => Point, flips: boolean): number[] {
  const points: Point[] = [];
  for (let i = 0; i < ring.length; i += 2) points.push(move([ring[i], ring[i + 1]]));
  if (flips) points.reverse();
  return points.flat();
}
