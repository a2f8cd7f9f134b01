// The exact search: a seeded slice of the comparisons with brute force (the full counts are long runs).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readNavMesh } from '../../src/bytes/index.ts';
import { NavMap } from '../../src/map.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { random } from '../oracle/random.ts';
import { ringMesh } from '../oracle/rings.ts';
import { gridPoints } from './gridpoints.ts';
import { checkSandwich, NO_SANDWICH } from './sandwichcheck.ts';
import { checkRange, checkShortest, engine, latticeFor, NOTHING } from './shortestcheck.ts';
import { checkSymmetry, NO_SYMMETRY } from './symmetrycheck.ts';
import { checkHairpin, checkTower, NO_TOWERS } from './towercheck.ts';

const SEED = 40_000;

describe.each(['wasm', 'twin'] as const)('shortest on %s', (name) => {
  test('equals the visibility graph with fans on random lattices', () => {
    const count = NOTHING();
    for (let seed = SEED; seed < SEED + 20; seed++) checkShortest(seed, 20, count, engine(name));
    expect(count.wrong, `seeds from ${SEED}`).toEqual([]);
    expect(count.queries).toBe(400);
    expect(count.walks).toBeGreaterThan(200);
    expect(count.turns).toBeGreaterThan(100);
    expect(count.sides).toBeGreaterThan(10);
  });

  test('equals it where coordinates fill +-2^24', () => {
    const count = NOTHING();
    for (let seed = SEED; seed < SEED + 12; seed++) checkRange(seed, 20, count, engine(name));
    expect(count.wrong, `seeds from ${SEED}`).toEqual([]);
    expect(count.walks).toBeGreaterThan(150);
  });

  test('equals the best of all sequences of polygons on floors over each other', () => {
    const count = NO_TOWERS();
    checkHairpin(engine(name), count);
    for (let seed = SEED; seed < SEED + 30; seed++) checkTower(engine(name), seed, 20, count);
    expect(count.wrong, `seeds from ${SEED}`).toEqual([]);
    expect(count.walks).toBeGreaterThan(350);
    expect(count.climbs).toBeGreaterThan(100);
  });
});

test('a start on an edge crosses it, even where the floor across is out of the band', () => {
  // Two squares side by side; the right one's detail mesh bulges by 0.4 m in the middle of the shared edge.
  const square = (x: number) => ({ at: [x, 0, x + 2, 0, x + 2, 4, x, 4].map((v) => v * 1024) });
  const map = NavMap.fromMesh({
    ...ringMesh([square(0), square(2)]).mesh,
    detailFirstVertex: Uint32Array.from([0, 0, 1]),
    detailVertices: Float32Array.from([2, 0.4, 2]),
    detailFirstTriangle: Uint32Array.from([0, 0, 3]),
    detailTriangles: Uint8Array.from([0, 1, 4, 1, 2, 4, 2, 3, 4]),
  });
  const options = { below: 0.3, above: 0.3, tolerance: 0 };
  for (const y of [-0.2, 0, 0.2, 0.4, 0.6]) {
    for (const to of [
      [3.5, 0, 2],
      [0.5, 0, 2],
    ] as const) {
      const got = map.shortest([2, y, 2], to, options);
      expect(got.status, `from height ${y} to ${to}`).toBe('complete');
      expect(got.length).toBeCloseTo(1.5, 9);
      expect(map.shortest(to, [2, y, 2], options).length).toBeCloseTo(1.5, 9);
    }
  }
});

/** A bundled map without its links: what is asked here are walks. */
async function bundled(name: string): Promise<NavMesh> {
  const bytes = readFileSync(new URL(`../../navdata/maps/${name}.bin`, import.meta.url));
  return { ...(await readNavMesh(new Uint8Array(bytes))), links: [] };
}

test('lengths stay when the map is moved, turned, mirrored, cut up, and when the ends are swapped', async () => {
  const count = NO_SYMMETRY();
  for (let seed = SEED; seed < SEED + 8; seed++) checkSymmetry(latticeFor(seed).mesh, seed, 15, count);
  for (const name of ['floors', 'thin-walls']) checkSymmetry(await bundled(name), SEED, 40, count);
  expect(count.wrong.slice(0, 10), `seeds from ${SEED}`).toEqual([]);
  expect(count.walks).toBeGreaterThan(1_000);
  expect(count.corners).toBeGreaterThan(500);
});

test.each(['maze', 'terrain'])('%s: straight <= bound <= length <= corridor, legs are clear', async (name) => {
  const map = NavMap.fromMesh(await bundled(name));
  const stand = gridPoints(map, random(SEED));
  const total = NO_SANDWICH();
  const wrong: string[] = [];
  for (let i = 0; i < 200; i++) wrong.push(...checkSandwich(map, stand().at, stand().at, total));
  expect(wrong.slice(0, 10), `seed ${SEED}`).toEqual([]);
  expect(total.walks).toBeGreaterThan(150);
});
