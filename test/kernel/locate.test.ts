// Point location against brute force over all polygons: who holds a point, on which floor, and who is nearest.
import { describe, expect, test } from 'vitest';
import { F_LIST_S, H_TABLE, IN, MAP_BASE, POLY_STRIDE } from '../../assembly/layout.ts';
import type { Engine, Kernel } from '../../src/kernel/index.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { latticeMesh } from '../oracle/lattice.ts';
import { ringDistance, ringHeight, ringHolds } from '../oracle/nearest.ts';
import { between, random } from '../oracle/random.ts';
import { type Ring, ringMesh } from '../oracle/rings.ts';
import type { Point } from '../oracle/sight.ts';
import { askLocate, type Band, kernelOf, NONE, type Place, UNIT } from './ask.ts';

const SEED = 20250402;
const ENGINES: readonly Engine[] = ['wasm', 'twin'];

/** Asks one position; the polygons that hold it are read from the kernel's own list. */
function locate(kernel: Kernel, pos: Place, band: Band) {
  kernel.input.set([...pos, band.below, band.above, band.tolerance]);
  const polygon = kernel.locate();
  const [x, y, z, distance, component, held] = kernel.output;
  const list = kernel.u32(kernel.u32(kernel.input.byteOffset - IN + F_LIST_S, 1)[0], held);
  const base = MAP_BASE + kernel.u32(MAP_BASE + H_TABLE, 1)[0];
  return { polygon, point: [x, y, z], distance, component, held: [...list].map((p) => (p - base) / POLY_STRIDE) };
}

/** Two floors of bumpy triangles over each other, heights from the corners. */
function bumpyFloors(seed: number): Ring[] {
  const lift = (x: number, z: number) => ((((x * 7 + z * 13) % 5) + 5) % 5) / 8;
  return [0, 2].flatMap((base, floor) => {
    const map = latticeMesh({ w: 5, h: 5, seed: seed + 50 * floor, blocked: 0.2 });
    return map.rings.map((at) => ({ at, y: [0, 2, 4].map((k) => base + lift(at[k], at[k + 1])) }));
  });
}

describe.each(ENGINES)('locate (%s)', (engine) => {
  test('finds every polygon that holds the point in the band, in id order, and the nearest floor', () => {
    let several = 0;
    for (let round = 0; round < 6; round++) {
      const seed = SEED + round;
      const rings = bumpyFloors(seed);
      const kernel = kernelOf(ringMesh(rings).mesh, engine);
      const next = random(seed);
      for (let i = 0; i < 400; i++) {
        const p: Point = [between(next, -2, 17), between(next, -2, 17)];
        const y = next() * 5 - 1;
        const band: Band = { below: 0.25 + next() * 0.5, above: 0.5 + next() * 2, tolerance: 0 };
        const floors = rings
          .map((ring, id) => ({ id, h: ringHeight(ring, p), in: ringHolds(ring, p) }))
          .filter((f) => f.in);
        // Too close to a limit for plain doubles: such heights are not asked.
        if (floors.some((f) => Math.abs(f.h - band.below - y) < 1e-9 || Math.abs(f.h + band.above - y) < 1e-9))
          continue;
        const want = floors.filter((f) => f.h - band.below <= y && y <= f.h + band.above);
        const got = locate(kernel, [p[0] * UNIT, y, p[1] * UNIT], band);
        const context = `seed ${seed}, point ${p}, y ${y}, below ${band.below}, above ${band.above}`;
        expect(got.held, context).toEqual(want.map((f) => f.id));
        if (want.length === 0) {
          expect(got, context).toEqual({
            polygon: NONE,
            point: [0, 0, 0],
            distance: Infinity,
            component: NONE,
            held: [],
          });
          continue;
        }
        if (want.length > 1) several++;
        const gap = Math.min(...want.map((f) => Math.abs(y - f.h)));
        const best = want.filter((f) => Math.abs(y - f.h) <= gap + 1e-12).map((f) => f.id);
        expect(best, context).toContain(got.polygon);
        expect([got.point[0], got.point[2], got.distance], context).toEqual([p[0] * UNIT, p[1] * UNIT, 0]);
        expect(got.point[1], context).toBeCloseTo(floors.find((f) => f.id === got.polygon)!.h, 9);
      }
    }
    expect(several).toBeGreaterThan(200);
  });

  test('finds the nearest polygon in the band, and a grid point inside it', () => {
    let outside = 0;
    for (let round = 0; round < 8; round++) {
      const seed = SEED + 100 + round;
      const scale = [1, 37, 1024, 5000][round % 4];
      const floor = (y: number, s: number): Ring[] =>
        latticeMesh({ w: 5, h: 5, seed: s, blocked: 0.4, scale, merge: round % 2 ? 6 : 3 }).rings.map((at) => ({
          at,
          y,
        }));
      const rings = [...floor(0, seed), ...floor(3, seed + 50)];
      const kernel = kernelOf(ringMesh(rings).mesh, engine);
      const next = random(seed);
      for (let i = 0; i < 300; i++) {
        const px = (next() * 25 - 5) * scale;
        const pz = (next() * 25 - 5) * scale;
        const y = next() < 0.5 ? 0.25 : 3.25;
        const tolerance = next() * 6 * scale * UNIT;
        const got = locate(kernel, [px * UNIT, y, pz * UNIT], { below: 0.5, above: 1, tolerance });
        const grid: Point = [Math.floor(px + 0.5), Math.floor(pz + 0.5)];
        const mine = rings.map((ring, id) => ({ ring, id })).filter(({ ring }) => Math.abs((ring.y as number) - y) < 1);
        const context = `seed ${seed}, position ${px}, ${pz}, y ${y}, tolerance ${tolerance}`;
        const holding = mine.filter(({ ring }) => ringHolds(ring, grid));
        if (holding.length > 0) {
          expect([got.polygon, got.distance], context).toEqual([holding[0].id, 0]);
          continue;
        }
        const distances = mine.map(({ ring, id }) => ({ id, d: ringDistance(ring, px, pz) }));
        const least = Math.min(...distances.map((e) => e.d));
        if (Math.abs(least * UNIT - tolerance) < 1e-9) continue;
        if (least * UNIT > tolerance) {
          expect(got.polygon, context).toBe(NONE);
          continue;
        }
        outside++;
        expect(got.polygon, context).not.toBe(NONE);
        expect(Math.abs(got.distance - least * UNIT), context).toBeLessThan(1e-9 * scale);
        // The polygons that hold the answer come in id order; the nearest one is among them.
        expect(got.held[0], context).toBe(got.polygon);
        const tied = distances.filter((e) => e.d <= least + 1e-9 * scale).map((e) => e.id);
        expect(
          got.held.some((id) => tied.includes(id)),
          context,
        ).toBe(true);
        const answer: Point = [got.point[0] / UNIT, got.point[2] / UNIT];
        expect(answer.every(Number.isInteger), context).toBe(true);
        for (const id of got.held) expect(ringHolds(rings[id], answer), context).toBe(true);
        const away = Math.hypot(answer[0] - px, answer[1] - pz);
        const corner = rings[tied[0]].at.some((_, k) => k % 2 === 0 && rings[tied[0]].at[k] === answer[0]);
        expect(corner || away <= least + 3, context).toBe(true);
      }
    }
    expect(outside).toBeGreaterThan(300);
  });

  test('the batch says what single questions say', () => {
    const rings = bumpyFloors(SEED + 7);
    const kernel = kernelOf(ringMesh(rings).mesh, engine);
    const next = random(SEED + 7);
    const band: Band = { below: 0.5, above: 1, tolerance: 3 * UNIT };
    const places = Array.from(
      { length: 500 },
      (): Place => [(next() * 20 - 2) * UNIT, next() * 4, (next() * 20 - 2) * UNIT],
    );
    places.push([Number.NaN, 0, 0], [0, Number.NaN, 0], [Number.POSITIVE_INFINITY, 0, 0], [1e6, 0, 1e6]);
    const batch = askLocate(kernel, places, band);
    places.forEach((pos, i) => {
      const one = locate(kernel, pos, band);
      expect([batch.polygon[i], ...batch.point.slice(3 * i, 3 * i + 3), batch.distance[i]]).toEqual([
        one.polygon,
        ...one.point,
        one.distance,
      ]);
    });
  });

  const square = (x: number, z: number, y = 0): Ring => ({ at: [x, z, x + 10, z, x + 10, z + 10, x, z + 10], y });
  const any: Band = { below: 1, above: 1, tolerance: 1 };

  test.each([
    [
      'a shared corner of four: all four, the lowest answers',
      [square(0, 0), square(10, 0), square(0, 10), square(10, 10)],
      [10, 0, 10],
      any,
      [0, 1, 2, 3],
      0,
    ],
    ['a shared edge: both', [square(0, 0), square(10, 0)], [10, 0, 5], any, [0, 1], 0],
    ['the rim of the mesh', [square(0, 0)], [10, 0, 3], any, [0], 0],
    ['the far corner of the mesh', [square(0, 0)], [10, 0, 10], any, [0], 0],
    ['two floors in the band: the nearer height', [square(0, 0, 0), square(0, 0, 1.5)], [5, 0.8, 5], any, [0, 1], 1],
    [
      'two floors in the band, equally near: the lower id',
      [square(0, 0, 1.5), square(0, 0, 0)],
      [5, 0.75, 5],
      any,
      [0, 1],
      0,
    ],
    ['at the upper limit of the band', [square(0, 0)], [5, 1, 5], any, [0], 0],
    ['at the lower limit of the band', [square(0, 0)], [5, -1, 5], any, [0], 0],
    ['equally near to two apart: the lower id', [square(12, 0), square(0, 0)], [11, 0, 5], any, [0], 0],
    ['just off a corner shared by two: the lower id', [square(0, 0), square(10, 0)], [10, 0, -1], any, [0, 1], 0],
  ] as const)('%s', (_, rings, [x, y, z], band, held, polygon) => {
    const kernel = kernelOf(ringMesh(rings).mesh, engine);
    const got = locate(kernel, [x * UNIT, y, z * UNIT], band);
    expect(got.held).toEqual(held);
    expect(got.polygon).toBe(polygon);
  });

  test('off by a hair of the band, off the tolerance, not finite, out of range: on no polygon', () => {
    const kernel = kernelOf(ringMesh([square(0, 0)]).mesh, engine);
    const off: Place[] = [
      [5 * UNIT, 1.0000001, 5 * UNIT],
      [5 * UNIT, -1.0000001, 5 * UNIT],
      [Number.NaN, 0, 5 * UNIT],
      [5 * UNIT, Number.NaN, 5 * UNIT],
      [5 * UNIT, 0, Number.NEGATIVE_INFINITY],
      [5 * UNIT, Number.POSITIVE_INFINITY, 5 * UNIT],
      [1e308, 0, 0],
      [2 ** 40, 0, 0],
      [-2, 0, 0],
    ];
    for (const pos of off) {
      const got = locate(kernel, pos, any);
      expect(got, `${pos}`).toEqual({ polygon: NONE, point: [0, 0, 0], distance: Infinity, component: NONE, held: [] });
    }
  });

  test('a tolerance is never worth more than 64 m', () => {
    const kernel = kernelOf(ringMesh([{ at: [0, 0, 4096, 0, 4096, 4096, 0, 4096] }]).mesh, engine);
    for (const tolerance of [64, 1000, Number.POSITIVE_INFINITY]) {
      expect(locate(kernel, [-63.5, 0, 2], { below: 1, above: 1, tolerance }).distance).toBe(63.5);
      expect(locate(kernel, [-64.5, 0, 2], { below: 1, above: 1, tolerance }).polygon).toBe(NONE);
    }
    for (const tolerance of [-1, Number.NaN, 0]) {
      expect(locate(kernel, [-0.5, 0, 2], { below: 1, above: 1, tolerance }).polygon).toBe(NONE);
    }
  });
});

describe.each(ENGINES)('detail heights (%s)', (engine) => {
  /** A 16 x 16 m square with its own detail triangles: corners 0..3, one extra vertex 4 in the middle at 2 m. */
  function hill(triangles: readonly number[]): NavMesh {
    const { mesh } = ringMesh([{ at: [0, 0, 16384, 0, 16384, 16384, 0, 16384] }]);
    return {
      ...mesh,
      detailFirstVertex: Uint32Array.from([0, 1]),
      detailVertices: Float32Array.from([8, 2, 8]),
      detailFirstTriangle: Uint32Array.from([0, triangles.length / 3]),
      detailTriangles: Uint8Array.from(triangles),
    };
  }
  const high = (kernel: Kernel, x: number, z: number) =>
    locate(kernel, [x, 1, z], { below: 9, above: 9, tolerance: 0 }).point[1];

  test('follow the detail triangles, not the corners', () => {
    const kernel = kernelOf(hill([0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4]), engine);
    expect([
      high(kernel, 8, 8),
      high(kernel, 4, 8),
      high(kernel, 8, 12),
      high(kernel, 0, 0),
      high(kernel, 16, 3),
    ]).toEqual([2, 1, 1, 0, 0]);
    expect(high(kernel, 3, 5)).toBe(0.75);
  });

  test('decide the band exactly, whichever shortcut answers', () => {
    const kernel = kernelOf(hill([0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4]), engine);
    const next = random(SEED + 9);
    let [inside, outside] = [0, 0];
    for (let i = 0; i < 3000; i++) {
      const [x, z] = [next() * 16, next() * 16];
      const h = high(kernel, x, z);
      const band = { below: next(), above: next() * 2, tolerance: 0 };
      // Near the limits of the band, far off, and exactly on them.
      const edge = next() < 0.5 ? h - band.below : h + band.above;
      const y = edge + [0, 1e-12, -1e-12, 0.01, -0.01, 1, -1][between(next, 0, 6)];
      const want = h - band.below <= y && y <= h + band.above;
      if (want) inside++;
      else outside++;
      const got = locate(kernel, [x, y, z], band);
      expect(got.held.length, `${x}, ${y}, ${z} over ${h}, below ${band.below}, above ${band.above}`).toBe(
        want ? 1 : 0,
      );
    }
    expect(Math.min(inside, outside)).toBeGreaterThan(500);
  });

  test('a gap between detail triangles takes the height of the nearest rim', () => {
    // Only the two triangles on the left and below: the rest is a gap.
    const kernel = kernelOf(hill([0, 1, 4, 3, 0, 4]), engine);
    expect(high(kernel, 4, 8)).toBe(1);
    expect(high(kernel, 9, 10)).toBeGreaterThan(1);
    expect(high(kernel, 9, 10)).toBeLessThanOrEqual(2);
    expect(high(kernel, 16, 16)).toBeLessThanOrEqual(2);
  });
});
