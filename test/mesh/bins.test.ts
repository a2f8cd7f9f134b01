// Which closed cells does a closed convex polygon touch? Against separating axes in BigInt, every cell of the grid.
import { expect, test } from 'vitest';
import { buildBins, fillBins } from '../../src/mesh/bins.ts';
import { between, random } from '../oracle/random.ts';

type Point = readonly [number, number];

/** Whether two closed convex polygons share a point: no side of either separates them. */
function touch(a: readonly Point[], b: readonly Point[]): boolean {
  for (const [one, two] of [
    [a, b],
    [b, a],
  ]) {
    for (let i = 0; i < one.length; i++) {
      const [px, pz] = one[i].map(BigInt);
      const [qx, qz] = one[(i + 1) % one.length].map(BigInt);
      const outside = two.every(([x, z]) => (qx - px) * (BigInt(z) - pz) - (qz - pz) * (BigInt(x) - px) < 0n);
      if (outside) return false;
    }
  }
  return true;
}

function wild(seed: number, scale: number): Point[][] {
  const next = random(seed);
  const out: Point[][] = [];
  while (out.length < 12) {
    const [ax, az, bx, bz, cx, cz] = Array.from(
      { length: 6 },
      () => between(next, -8, 8) * scale + between(next, -1, 1),
    );
    const twice = (bx - ax) * (cz - az) - (bz - az) * (cx - ax);
    if (twice === 0) continue;
    out.push(
      twice > 0
        ? [
            [ax, az],
            [bx, bz],
            [cx, cz],
          ]
        : [
            [ax, az],
            [cx, cz],
            [bx, bz],
          ],
    );
  }
  return out;
}

function flat(polygons: readonly Point[][]) {
  const first = [0];
  const x: number[] = [];
  const z: number[] = [];
  for (const ring of polygons) {
    for (const [px, pz] of ring) {
      x.push(px);
      z.push(pz);
    }
    first.push(x.length);
  }
  return { first, x, z };
}

test.each([
  { name: 'small coordinates, many on cell lines', scale: 1, cell: 2 },
  { name: 'cells of one unit', scale: 1, cell: 1 },
  { name: 'up to the edge of the range', scale: 2 ** 21 - 1, cell: 2 ** 21 },
])('$name', ({ scale, cell }) => {
  for (let seed = 1; seed <= 40; seed++) {
    const polygons = wild(seed, scale);
    const shift = seed % 3 === 0 ? 1 : 0;
    const low = -9 * scale - shift - ((-9 * scale) % cell === 0 ? 0 : cell + ((-9 * scale) % cell));
    const side = Math.ceil((18 * scale + 2 * cell) / cell) + 1;
    const grid = { x: low, z: low, cell, width: side, height: side };
    const bins = fillBins(flat(polygons), grid, Number.POSITIVE_INFINITY)!;
    for (let j = 0; j < side; j++) {
      for (let i = 0; i < side; i++) {
        const [x0, z0] = [low + i * cell, low + j * cell];
        const square: Point[] = [
          [x0, z0],
          [x0 + cell, z0],
          [x0 + cell, z0 + cell],
          [x0, z0 + cell],
        ];
        const expected = polygons.flatMap((ring, p) => (touch(ring, square) ? [p] : []));
        const n = j * side + i;
        const got = Array.from(bins.list.subarray(bins.start[n], bins.start[n + 1]));
        expect(got, `seed ${seed}, cell ${i}, ${j}`).toEqual(expected);
      }
    }
    expect(bins.longest).toBeGreaterThan(0);
  }
});

test('the grid is chosen small: at most 4 cells and 8 entries per polygon, and 64', () => {
  // 200 long thin needles, all across the map.
  const needles: Point[][] = Array.from({ length: 200 }, (_, i) => [
    [-1_000_000, i * 10],
    [1_000_000, i * 10 + 5_000],
    [1_000_000, i * 10 + 5_001],
  ]);
  const bins = buildBins(flat(needles), 1024, 128);
  expect(bins.grid.width * bins.grid.height).toBeLessThanOrEqual(4 * 200 + 64);
  expect(bins.list.length).toBeLessThanOrEqual(8 * 200 + 64);
  expect(bins.grid.x).toBeLessThanOrEqual(-1_000_000);
  expect(bins.grid.x + bins.grid.width * bins.grid.cell).toBeGreaterThanOrEqual(1_000_000);
});
