// Rays on seeded maps, asked of a kernel and of the brute-force oracle: what differs, in words. Used by the quick test, the
// long run and the mutants, which must all make it say something.
import type { Kernel } from '../../src/kernel/index.ts';
import { randomEnds } from '../oracle/ends.ts';
import { type LatticeMap, type LatticeOptions, latticeMesh } from '../oracle/lattice.ts';
import { random } from '../oracle/random.ts';
import { ringMesh } from '../oracle/rings.ts';
import { bigTurn, type Point, sees, smallTurn, walkable } from '../oracle/sight.ts';
import { askRays, BLOCKED, CLEAR, FLAT, FROM_OFF, packOf, place } from './ask.ts';

const RIM = 1973789;
export const SHAPES: readonly (readonly [string, Omit<LatticeOptions, 'seed'>])[] = [
  ['triangles', { w: 6, h: 6 }],
  ['dense', { w: 7, h: 5, blocked: 0.5 }],
  ['open, merged to 6', { w: 6, h: 6, blocked: 0.12, merge: 6 }],
  ['straight lattice, merged to 8', { w: 6, h: 6, jitter: 0, blocked: 0.25, merge: 8 }],
  ['straight lattice, triangles', { w: 8, h: 4, jitter: 0, spacing: 2 }],
  // 17 spacings of an odd length span the whole range of coordinates.
  ['rim of the range', { w: 5, h: 5, scale: RIM, offset: [RIM - 2 ** 24, RIM - 2 ** 24], blocked: 0.2 }],
];

export interface Tally {
  rays: number;
  clear: number;
  differences: string[];
}

/** `count` rays on one lattice map: status against the oracle, forwards and backwards. */
export function rayBattery(
  make: () => Kernel,
  shape: Omit<LatticeOptions, 'seed'>,
  seed: number,
  count: number,
): Tally {
  const map = latticeMesh({ ...shape, seed });
  const kernel = make();
  kernel.load(packOf(map.mesh));
  const { from, to } = randomEnds(map, random(seed), count);
  const tally: Tally = { rays: 0, clear: 0, differences: [] };
  for (const [a, b] of [
    [from, to],
    [to, from],
  ]) {
    const { status } = askRays(
      kernel,
      a.map((p) => place(p)),
      b.map((p) => place(p)),
    );
    a.forEach((s, i) => {
      const want = expected(map, s, b[i]);
      tally.rays++;
      if (want === CLEAR) tally.clear++;
      if (status[i] !== want)
        tally.differences.push(`seed ${seed}: ${s} -> ${b[i]}: got ${status[i]}, expected ${want}`);
    });
  }
  return tally;
}

function expected(map: LatticeMap, s: Point, e: Point): number {
  const turn = Math.max(...map.bounds.map(Math.abs)) < 2 ** 20 ? smallTurn : bigTurn;
  if (!walkable(map, s[0], s[1], 1, turn)) return FROM_OFF;
  return sees(map, s, e, turn) ? CLEAR : BLOCKED;
}

/** Two lattice floors over each other, 3 m apart and joined nowhere: a target on the other floor is never reached. */
export function floorBattery(make: () => Kernel, seed: number, count: number): Tally {
  const floors = [0, 1].map((k) => latticeMesh({ w: 5, h: 5, blocked: 0.2, seed: seed + 1000 * k }));
  const rings = floors.flatMap((map, k) => map.rings.map((at) => ({ at, y: 3 * k })));
  const kernel = make();
  kernel.load(packOf(ringMesh(rings).mesh));
  const next = random(seed);
  const { from, to } = randomEnds(floors[0], next, count);
  const fromFloor = from.map(() => (next() < 0.5 ? 0 : 1));
  const toFloor = from.map(() => (next() < 0.5 ? 0 : 1));
  // At the limits of the band now and then: it is closed.
  const lift = from.map(() => [0, FLAT.above, -FLAT.below][Math.floor(next() * 3)]);
  const { status } = askRays(
    kernel,
    from.map((p, i) => place(p, 3 * fromFloor[i] + lift[i])),
    to.map((p, i) => place(p, 3 * toFloor[i])),
  );
  const tally: Tally = { rays: from.length, clear: 0, differences: [] };
  from.forEach((s, i) => {
    let want = expected(floors[fromFloor[i]], s, to[i]);
    if (want === CLEAR && fromFloor[i] !== toFloor[i]) want = BLOCKED;
    if (want === CLEAR) tally.clear++;
    if (status[i] !== want)
      tally.differences.push(`seed ${seed}: ${s} -> ${to[i]}: got ${status[i]}, expected ${want}`);
  });
  return tally;
}

export function add(into: Tally, more: Tally): Tally {
  into.rays += more.rays;
  into.clear += more.clear;
  into.differences.push(...more.differences);
  return into;
}
