// The exact ray walk against brute-force closed-set visibility, and the properties that no oracle is needed for.
import { describe, expect, test } from 'vitest';
import { FLOOR_ONLY } from '../../assembly/layout.ts';
import { walkOverruns } from '../../assembly/ray.ts';
import { createKernel, type Engine, type Kernel } from '../../src/kernel/index.ts';
import { type Ends, randomEnds } from '../oracle/ends.ts';
import { type LatticeMap, latticeMesh } from '../oracle/lattice.ts';
import { between, random } from '../oracle/random.ts';
import { type Ring, ringMesh } from '../oracle/rings.ts';
import { type Point, ringHolds, sees, smallTurn, startsIn, walkable } from '../oracle/sight.ts';
import { askLocate, askRay, askRays, BLOCKED, CLEAR, FLAT, FROM_OFF, kernelOf, place, UNIT } from './ask.ts';
import { add, floorBattery, looseBattery, rayBattery, SHAPES, type Tally } from './battery.ts';

const SEED = 20250301;
const ENGINES: readonly Engine[] = ['wasm', 'twin'];

function clear(kernel: Kernel, ends: Ends): { clear: boolean[]; t: Float64Array; status: Uint32Array } {
  const answers = askRays(
    kernel,
    ends.from.map((p) => place(p)),
    ends.to.map((p) => place(p)),
  );
  return { clear: [...answers.status].map((s) => s === CLEAR), t: answers.t, status: answers.status };
}

describe.each(ENGINES)('ray (%s)', (engine) => {
  test.each(SHAPES)('agrees with closed-set visibility, both ways: %s', (_, shape) => {
    const total: Tally = { rays: 0, clear: 0, differences: [] };
    for (let round = 0; round < 5; round++) {
      add(
        total,
        rayBattery(() => createKernel(engine), shape, SEED + round, 150),
      );
    }
    expect(total.differences).toEqual([]);
    expect(total.clear).toBeGreaterThan(100);
  });

  test('agrees on two floors: plan visibility and the same floor', () => {
    const total: Tally = { rays: 0, clear: 0, differences: [] };
    for (let round = 0; round < 5; round++) {
      add(
        total,
        floorBattery(() => createKernel(engine), SEED + round, 200),
      );
      add(
        total,
        looseBattery(() => createKernel(engine), SEED + round, 200),
      );
    }
    expect(total.differences).toEqual([]);
    expect(total.clear).toBeGreaterThan(100);
  });

  test('is the same in both directions', () => {
    for (let round = 0; round < 6; round++) {
      const seed = SEED + 200 + round;
      const map = latticeMesh({ w: 7, h: 7, seed, blocked: 0.25, ...(round % 2 ? { merge: 6 } : {}) });
      const ends = onMesh(map, randomEnds(map, random(seed), 500));
      const kernel = kernelOf(map.mesh, engine);
      expect(clear(kernel, ends).clear).toEqual(clear(kernel, { from: ends.to, to: ends.from }).clear);
    }
  });

  test('does not depend on how the floor is cut: triangles, merged polygons, extra collinear corners', () => {
    for (let round = 0; round < 5; round++) {
      const seed = SEED + 300 + round;
      const shape = { w: 6, h: 6, seed, blocked: 0.2, scale: 2 };
      const map = latticeMesh(shape);
      const merged = latticeMesh({ ...shape, merge: 8 });
      const split = ringMesh(map.rings.map((ring) => ({ at: withMiddles(ring) })));
      expect(merged.rings.length).toBeLessThan(map.rings.length);
      const ends = randomEnds(map, random(seed), 500);
      const want = clear(kernelOf(map.mesh, engine), ends).clear;
      expect(clear(kernelOf(merged.mesh, engine), ends).clear).toEqual(want);
      expect(clear(kernelOf(split.mesh, engine), ends).clear).toEqual(want);
    }
  });

  test('a clear segment is clear in all its parts', () => {
    const next = random(SEED + 400);
    const map = latticeMesh({ w: 8, h: 8, seed: SEED + 400, blocked: 0.15, merge: 6 });
    const kernel = kernelOf(map.mesh, engine);
    const ends = randomEnds(map, next, 1500);
    const whole = clear(kernel, ends).clear;
    const parts: Ends = { from: [], to: [] };
    ends.from.forEach((s, i) => {
      const e = ends.to[i];
      const steps = gcd(Math.abs(e[0] - s[0]), Math.abs(e[1] - s[1]));
      if (!whole[i] || steps < 2) return;
      const k = between(next, 1, steps - 1);
      const m = [s[0] + ((e[0] - s[0]) / steps) * k, s[1] + ((e[1] - s[1]) / steps) * k] as const;
      parts.from.push(s, m);
      parts.to.push(m, e);
    });
    expect(parts.from.length).toBeGreaterThan(200);
    expect(clear(kernel, parts).clear.filter((c) => !c).length).toBe(0);
  });

  const turnLeft = ([x, z]: Point): Point => [-z, x];
  const SYMMETRIES: readonly (readonly [string, (p: Point) => Point, boolean])[] = [
    ['translation', ([x, z]) => [x + 1234, z - 777], false],
    ['mirror', ([x, z]) => [-x, z], true],
    ['quarter turn', turnLeft, false],
    ['three quarter turns', (p) => turnLeft(turnLeft(turnLeft(p))), false],
    ['scale 2', ([x, z]) => [2 * x, 2 * z], false],
    ['scale 1024', ([x, z]) => [1024 * x, 1024 * z], false],
  ];
  test.each(SYMMETRIES)('%s changes neither the answer nor a bit of t', (_, move, flips) => {
    for (let round = 0; round < 3; round++) {
      const seed = SEED + 500 + round;
      const map = latticeMesh({ w: 6, h: 6, seed, blocked: 0.25, merge: 6 });
      const ends = randomEnds(map, random(seed), 400);
      const moved = ringMesh(map.rings.map((ring) => ({ at: moveRing(ring, move, flips) })));
      const plain = clear(kernelOf(ringMesh(map.rings.map((at) => ({ at }))).mesh, engine), ends);
      const other = clear(kernelOf(moved.mesh, engine), { from: ends.from.map(move), to: ends.to.map(move) });
      expect([...other.status], `seed ${seed}`).toEqual([...plain.status]);
      expect([...other.t]).toEqual([...plain.t]);
    }
  });

  test('hints change whether a segment is clear only at a corner that two fans share', () => {
    const seed = SEED + 600;
    const map = latticeMesh({ w: 7, h: 7, seed, blocked: 0.2, merge: 6 });
    const kernel = kernelOf(map.mesh, engine);
    const ends = randomEnds(map, random(seed), 1000);
    const from = ends.from.map((p) => place(p));
    const to = ends.to.map((p) => place(p));
    const plain = askRays(kernel, from, to);
    const next = random(seed);
    for (const hint of [() => between(next, 0, map.rings.length - 1), () => between(next, 0, 2 ** 32 - 1)]) {
      const hinted = askRays(kernel, from, to, undefined, from.map(hint));
      const differ = ends.from.filter(
        (s, i) => (hinted.status[i] !== plain.status[i] || hinted.t[i] !== plain.t[i]) && !isPinch(map, s),
      );
      expect(differ).toEqual([]);
    }
  });

  test('with a hint the report is the same to the bit: fraction, point, distance beyond the wall, polygon', () => {
    const seed = SEED + 650;
    const height = (x: number, z: number) => (((x * 5 + z * 3) % 7) + 7) / 16;
    const map = latticeMesh({ w: 7, h: 7, seed, blocked: 0.2, merge: 6, scale: 331, height });
    const kernel = kernelOf(map.mesh, engine);
    const ends = randomEnds(map, random(seed), 1500);
    const band = { below: 2, above: 2, tolerance: 0 };
    const starts = ends.from.map((p) => place(p));
    const hints = askLocate(kernel, starts, band).polygon;
    const counts = [0, 0];
    starts.forEach((from, i) => {
      const to = place(ends.to[i], 0.5);
      const report = (hint: number) => [askRay(kernel, from, to, band, hint), ...kernel.output.slice(0, 6)];
      const plain = report(0xffffffff);
      if (!isPinch(map, ends.from[i])) expect(report(hints[i]), `seed ${seed}, ray ${i}`).toEqual(plain);
      expect(report((hints[i] | FLOOR_ONLY) >>> 0), `seed ${seed}, ray ${i}`).toEqual(plain);
      if (plain[0] === CLEAR) counts[0]++;
      if (plain[0] === BLOCKED) counts[1]++;
    });
    expect(Math.min(...counts)).toBeGreaterThan(100);
  });
});

/** Whether fans touch only by this point: some segment that starts there starts in one of them and not in another. */
function isPinch(map: LatticeMap, s: Point): boolean {
  const rings = map.rings.filter((ring) => ringHolds(ring, s));
  const corners = rings.map((ring): Point => [ring[0] + ring[2] + ring[4], ring[1] + ring[3] + ring[5]]);
  const thrice = (ring: readonly number[]) => ring.map((v) => 3 * v);
  const scene = { walls: [], triangles: map.triangles.map((t) => thrice(t) as unknown as typeof t) };
  return rings.some((ring) => corners.some((c) => !startsIn(scene, thrice(ring), [3 * s[0], 3 * s[1]], c)));
}

// WASM puts corners right or left of a ray in float32 where that is proven to tell: rays that pass corners by a unit or two,
// on maps so large that it does not.
test.each([1, 613, 40009, 1000003])('float32 never decides what it cannot tell, scale %i', (scale) => {
  const seed = SEED + 700 + scale;
  const next = random(seed);
  const map = latticeMesh({ w: 6, h: 6, seed, blocked: 0.15, merge: 6, scale, offset: [-8 * scale, -8 * scale] });
  const corners = map.rings.flatMap((at) => at.flatMap((v, k): Point[] => (k % 2 ? [] : [[v, at[k + 1]]])));
  const close = () => between(next, -2, 2);
  const [from, to]: [Point[], Point[]] = [[], []];
  while (from.length < 4000) {
    const [a, w] = [corners[between(next, 0, corners.length - 1)], corners[between(next, 0, corners.length - 1)]];
    const b: Point = [2 * w[0] - a[0] + close(), 2 * w[1] - a[1] + close()];
    if (Math.max(Math.abs(b[0]), Math.abs(b[1])) > 2 ** 24) continue;
    from.push([(a[0] + w[0]) >> 1, (a[1] + w[1]) >> 1], [a[0] + close(), a[1] + close()]);
    to.push(b, b);
  }
  const ask = (engine: Engine) => {
    const kernel = kernelOf(map.mesh, engine);
    const starts = from.map((p) => place(p));
    const hints = askLocate(kernel, starts, FLAT).polygon;
    return askRays(
      kernel,
      starts,
      to.map((p) => place(p)),
      undefined,
      [...hints],
    );
  };
  const [wasm, twin] = [ask('wasm'), ask('twin')];
  expect([...wasm.status], `seed ${seed}`).toEqual([...twin.status]);
  expect([...wasm.t]).toEqual([...twin.t]);
  expect(new Set(twin.status).size).toBeGreaterThan(1);
});

const SQUARE: Ring = { at: [0, 0, 10, 0, 10, 10, 0, 10] };
/** Two squares that touch in one corner only. */
const PINCH: readonly Ring[] = [SQUARE, { at: [10, 10, 20, 10, 20, 20, 10, 20] }];
/** The same, joined by a way round. */
const PINCH_JOINED: readonly Ring[] = [
  SQUARE,
  { at: [10, 10, 20, 10, 20, 20, 10, 20] },
  { at: [10, 0, 20, 0, 20, 5, 10, 5] },
];
/** A room with a pillar (10..20 squared) in the middle, as eight squares around it. */
const PILLAR: readonly Ring[] = [0, 10, 20].flatMap((z) =>
  [0, 10, 20].filter((x) => x !== 10 || z !== 10).map((x) => ({ at: [x, z, x + 10, z, x + 10, z + 10, x, z + 10] })),
);
/** Four tiles around a corner where the lower ones meet the upper ones with shifted seams: T-junctions. */
const TILES: readonly Ring[] = [
  { at: [0, 0, 10, 0, 10, 10, 0, 10], tile: 0 },
  { at: [10, 0, 20, 0, 20, 10, 10, 10], tile: 1 },
  { at: [0, 10, 6, 10, 6, 20, 0, 20], tile: 2 },
  { at: [6, 10, 10, 10, 10, 20, 6, 20], tile: 2 },
  { at: [10, 10, 20, 10, 20, 20, 10, 20], tile: 3 },
];
/** A walkable strip whose lower rim has three collinear wall corners, the middle one bearing a spike of wall below. */
const STRIP: readonly Ring[] = [
  { at: [0, 0, 10, 0, 10, 10, 0, 10] },
  { at: [10, 0, 20, 0, 20, 10, 10, 10] },
  { at: [20, 0, 30, 0, 30, 10, 20, 10] },
  { at: [0, -10, 10, -10, 10, 0, 0, 0] },
  { at: [20, -10, 30, -10, 30, 0, 20, 0] },
];

const CASES: readonly (readonly [string, readonly Ring[], Point, Point, boolean])[] = [
  ['zero length inside', [SQUARE], [5, 5], [5, 5], true],
  ['zero length on a corner', [SQUARE], [10, 10], [10, 10], true],
  ['along a wall', [SQUARE], [0, 0], [10, 0], true],
  ['along a wall, backwards', [SQUARE], [10, 0], [0, 0], true],
  ['along a wall, inner part', [SQUARE], [3, 10], [7, 10], true],
  ['from corner to opposite corner', [SQUARE], [0, 0], [10, 10], true],
  ['out through a wall', [SQUARE], [5, 5], [5, 11], false],
  ['out through a corner', [SQUARE], [5, 5], [11, 11], false],
  ['along a wall and past its end', [SQUARE], [2, 0], [12, 0], false],
  ['from a corner outwards', [SQUARE], [10, 10], [12, 13], false],
  ['to a corner, from outside its cone', PILLAR, [10, 0], [10, 10], true],
  ['pinch: through it', PINCH, [5, 5], [15, 15], false],
  ['pinch: up to it', PINCH, [5, 5], [10, 10], true],
  ['pinch: away from it, one fan', PINCH, [10, 10], [5, 5], true],
  ['pinch: away from it, other fan', PINCH, [10, 10], [15, 15], true],
  ['pinch: standing on it', PINCH, [10, 10], [10, 10], true],
  ['pinch with a way round: through it', PINCH_JOINED, [5, 5], [15, 15], false],
  ['pillar: along its whole side', PILLAR, [0, 10], [30, 10], true],
  ['pillar: along its side, from corner to corner', PILLAR, [20, 20], [20, 10], true],
  ['pillar: touching one corner', PILLAR, [5, 15], [15, 5], true],
  ['pillar: touching two corners by their sides', PILLAR, [10, 0], [10, 30], true],
  ['pillar: cutting a corner by one unit', PILLAR, [5, 16], [15, 6], false],
  ['pillar: from its corner along the diagonal into it', PILLAR, [10, 10], [20, 20], false],
  ['pillar: from its corner away', PILLAR, [10, 10], [0, 0], true],
  ['tiles: through the corner of four', TILES, [0, 0], [20, 20], true],
  ['tiles: through the corner of four, other diagonal', TILES, [20, 0], [0, 20], true],
  ['tiles: along the seam', TILES, [0, 10], [20, 10], true],
  ['tiles: along the seam, backwards', TILES, [20, 10], [0, 10], true],
  ['tiles: through a T-junction', TILES, [6, 0], [6, 20], true],
  ['tiles: slantwise through a T-junction', TILES, [2, 2], [10, 18], true],
  ['three collinear corners along the rim', STRIP, [0, 0], [30, 0], true],
  ['three collinear corners, backwards', STRIP, [30, 0], [0, 0], true],
  ['one unit into the wall between them', STRIP, [0, 0], [30, -1], false],
];

describe.each(ENGINES)('ray, hand-made cases (%s)', (engine) => {
  test.each(CASES)('%s', (_, rings, s, e, want) => {
    const map = ringMesh(rings);
    // The table is the author's opinion; the oracle must share it (it knows no tiles: walls come cut).
    const scene = { walls: map.walls, triangles: map.triangles };
    if (!rings.some((r) => r.tile)) expect(sees(scene, s, e)).toBe(want);
    const kernel = kernelOf(map.mesh, engine);
    expect(clear(kernel, { from: [s], to: [e] }).clear).toEqual([want]);
    expect(clear(kernel, { from: [e], to: [s] }).clear).toEqual([want]);
  });

  test('reports where it stopped and how far the target lies beyond the wall', () => {
    const kernel = kernelOf(ringMesh([{ at: [0, 0, 10240, 0, 10240, 10240, 0, 10240] }]).mesh, engine);
    const report = (s: Point, e: Point) => {
      kernel.input.set([s[0], 0, s[1], e[0], 0, e[1], 1, 1, 0]);
      const status = kernel.ray(0xffffffff);
      return [status, ...kernel.output.slice(0, 6)];
    };
    expect(report([5, 5], [9, 8])).toEqual([CLEAR, 1, 9, 0, 8, 0, 0]);
    // The wall at x = 10 is met half way; the target lies 5 m beyond it.
    expect(report([5, 5], [15, 5])).toEqual([BLOCKED, 0.5, 10, 0, 5, 5, 0]);
    // Through the corner: 3 m and 4 m beyond the two walls there, 5 m from either edge.
    expect(report([10 - 3, 10 - 4], [13, 14])).toEqual([BLOCKED, 0.5, 10, 0, 10, 5, 0]);
    expect(report([10, 10], [13, 14])).toEqual([BLOCKED, 0, 10, 0, 10, 5, 0]);
    // Off the mesh at the start, and out of range.
    expect(report([-1, 5], [5, 5])).toEqual([6, 0, 0, 0, 0, 0, 0xffffffff]);
    expect(report([Number.NaN, 5], [5, 5])).toEqual([8, 0, 0, 0, 0, 0, 0xffffffff]);
    expect(report([5, 5], [5, Number.POSITIVE_INFINITY])).toEqual([8, 0, 0, 0, 0, 0, 0xffffffff]);
    expect(report([5, 5], [1e308, 5])).toEqual([8, 0, 0, 0, 0, 0, 0xffffffff]);
  });

  test('a start just outside is put on the mesh within the tolerance', () => {
    const kernel = kernelOf(ringMesh([{ at: [0, 0, 10240, 0, 10240, 10240, 0, 10240] }]).mesh, engine);
    const answers = askRays(
      kernel,
      [
        [-0.2, 0, 5],
        [-0.2, 0, 5],
        [-0.4, 0, 5],
      ],
      [
        [5, 0, 5],
        [-0.2, 0, 6],
        [5, 0, 5],
      ],
      { below: 1, above: 1, tolerance: 0.3 },
    );
    expect([...answers.status]).toEqual([CLEAR, BLOCKED, FROM_OFF]);
  });
});

describe.each(ENGINES)('ray and floors (%s)', (engine) => {
  // Ground 0..30, a balcony at 3 m over 10..20, and a ramp from the ground at x = 30 up to a gallery at x = 50, 3 m.
  const ground: Ring = { at: [0, 0, 30, 0, 30, 10, 0, 10], y: 0 };
  const balcony: Ring = { at: [10, 0, 20, 0, 20, 10, 10, 10], y: 3 };
  const ramp: Ring = { at: [30, 0, 40, 0, 40, 10, 30, 10], y: [0, 3, 3, 0] };
  const gallery: Ring = { at: [40, 0, 50, 0, 50, 10, 40, 10], y: 3 };
  const map = ringMesh([ground, balcony, ramp, gallery]);
  const kernel = kernelOf(map.mesh, engine);
  const at = (x: number, y: number, z: number) => [x * UNIT, y, z * UNIT] as const;
  const band = { below: 0.5, above: 1, tolerance: 0 };
  const status = (from: readonly [number, number, number], to: readonly [number, number, number]) =>
    askRays(kernel, [at(...from)], [at(...to)], band).status[0];

  test.each([
    ['on the ground, under the balcony', [5, 0, 5], [15, 0, 5], CLEAR],
    ['from the ground to the balcony', [5, 0, 5], [15, 3, 5], BLOCKED],
    ['from the balcony to the ground under it', [15, 3, 5], [15, 0, 6], BLOCKED],
    ['from the balcony over its edge', [15, 3, 5], [25, 0, 5], BLOCKED],
    ['from the balcony to its edge', [15, 3, 5], [20, 3, 5], CLEAR],
    ['ground to the point under the rim of the balcony', [5, 0, 5], [10, 0, 5], CLEAR],
    ['ground to the rim of the balcony', [5, 0, 5], [10, 3, 5], BLOCKED],
    ['up the ramp to the gallery', [25, 0, 5], [45, 3, 5], CLEAR],
    ['to the foot of the ramp', [25, 0, 5], [30, 0, 5], CLEAR],
    ['half way up the ramp', [25, 0, 5], [35, 1.5, 5], CLEAR],
    ['half way up the ramp, claimed on the ground', [25, 0, 5], [35, 0, 5], BLOCKED],
    ['from under the balcony to the gallery', [15, 0, 5], [50, 3, 10], CLEAR],
    ['the ground, jumping within the band', [5, 0.9, 5], [15, 0.9, 5], CLEAR],
    ['the ground, beyond the band', [5, 0, 5], [15, 1.1, 5], BLOCKED],
    ['from too high above the ground', [5, 1.1, 5], [15, 0, 5], FROM_OFF],
  ] as const)('%s', (_, from, to, want) => {
    expect(status(from, to)).toBe(want);
  });

  test('the target on a rim counts for every polygon that shares it', () => {
    // Two floors that meet at x = 10 with a step of 0.4 m in their details is no mesh; a steep pair of ramps is.
    const steep = ringMesh([
      { at: [0, 0, 10, 0, 10, 10, 0, 10], y: [0, 2, 2, 0] },
      { at: [10, 0, 20, 0, 20, 10, 10, 10], y: [2, 0, 0, 2] },
    ]);
    const k = kernelOf(steep.mesh, engine);
    const answers = askRays(k, [at(2, 0.4, 5), at(18, 0.4, 5)], [at(10, 2, 5), at(10, 2, 10)], band);
    expect([...answers.status]).toEqual([CLEAR, CLEAR]);
  });

  test('the wrong floor reports the height that is missing', () => {
    kernel.input.set([...at(5, 0, 5), ...at(15, 1.25, 5), 0.5, 1, 0]);
    expect(kernel.ray(0xffffffff)).toBe(BLOCKED);
    expect(kernel.output[0]).toBe(1);
    expect(kernel.output[4]).toBe(0.25);
  });
});

test('no walk ever hit its step cap', () => {
  expect(walkOverruns()).toBe(0);
});

function onMesh(map: LatticeMap, ends: Ends): Ends {
  const good = ends.from.map(
    (s, i) => walkable(map, s[0], s[1], 1, smallTurn) && walkable(map, ends.to[i][0], ends.to[i][1], 1, smallTurn),
  );
  return { from: ends.from.filter((_, i) => good[i]), to: ends.to.filter((_, i) => good[i]) };
}

function withMiddles(ring: readonly number[]): number[] {
  const out: number[] = [];
  for (let k = 0; k < ring.length; k += 2) {
    const [ax, az, bx, bz] = [ring[k], ring[k + 1], ring[(k + 2) % ring.length], ring[(k + 3) % ring.length]];
    out.push(ax, az, (ax + bx) / 2, (az + bz) / 2);
  }
  return out;
}

function moveRing(ring: readonly number[], move: (p: Point) => Point, flips: boolean): number[] {
  const points: Point[] = [];
  for (let k = 0; k < ring.length; k += 2) points.push(move([ring[k], ring[k + 1]]));
  if (flips) points.reverse();
  return points.flat();
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}
