// Rays on seeded maps, asked of a kernel and of the brute-force oracle: what differs, in words. Used by the quick test, the
// long run and the mutants, which must all make it say something.
import { FLOOR_ONLY } from '../../assembly/layout.ts';
import type { Kernel } from '../../src/kernel/index.ts';
import { randomEnds } from '../oracle/ends.ts';
import { type LatticeMap, type LatticeOptions, latticeMesh } from '../oracle/lattice.ts';
import { random } from '../oracle/random.ts';
import { ringMesh } from '../oracle/rings.ts';
import { bigTurn, type Point, ringHolds, sees, smallTurn, startsIn, walkable } from '../oracle/sight.ts';
import {
  askLocate,
  askRay,
  askRays,
  BLOCKED,
  CLEAR,
  FLAT,
  FROM_OFF,
  NONE,
  type Place,
  packOf,
  place,
  UNIT,
} from './ask.ts';

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
    const want = (hints?: readonly number[]) => a.map((s, i) => expected(map, s, b[i], hints?.[i]));
    const [starts, ends] = [a.map((p) => place(p)), b.map((p) => place(p))];
    compare(kernel, starts, ends, want, `seed ${seed}`, tally);
  }
  return tally;
}

/** Asks in one batch, with hints that hold the starts, with hints that need not, and the same one by one. */
function compare(
  kernel: Kernel,
  from: readonly Place[],
  to: readonly Place[],
  want: (hints?: readonly number[]) => number[],
  name: string,
  tally: Tally,
): void {
  const hints = [...askLocate(kernel, from, FLAT).polygon];
  const next = random(from.length);
  const wrong = from.map(() => Math.floor(next() * 60));
  const floors = hints.map((hint) => (hint | FLOOR_ONLY) >>> 0);
  const [plain, right, any] = [want(), want(hints), want(wrong)];
  const answers: [string, ArrayLike<number>, readonly number[]][] = [
    ['batch', askRays(kernel, from, to).status, plain],
    ['batch with hints', askRays(kernel, from, to, FLAT, hints).status, right],
    ['batch with any hints', askRays(kernel, from, to, FLAT, wrong).status, any],
    ['batch with floors', askRays(kernel, from, to, FLAT, floors).status, plain],
    ['one by one', from.map((p, i) => askRay(kernel, p, to[i])), plain],
    ['one by one with hints', from.map((p, i) => askRay(kernel, p, to[i], FLAT, hints[i])), right],
    ['one by one with any hints', from.map((p, i) => askRay(kernel, p, to[i], FLAT, wrong[i])), any],
    ['one by one with floors', from.map((p, i) => askRay(kernel, p, to[i], FLAT, floors[i])), plain],
  ];
  tally.rays += plain.length;
  tally.clear += plain.filter((w) => w === CLEAR).length;
  for (const [how, got, expected] of answers) {
    expected.forEach((w, i) => {
      if (got[i] === w) return;
      const ends = [from[i], to[i]].map(([x, y, z]) => `${x / UNIT},${z / UNIT} at ${y}`).join(' -> ');
      tally.differences.push(`${name}, ${how}: ${ends}: got ${got[i]}, expected ${w}`);
    });
  }
}

/** `hint`: number of a ring; when that holds the start, it starts there and nowhere else. */
function expected(map: LatticeMap, s: Point, e: Point, hint = NONE): number {
  const turn = Math.max(...map.bounds.map(Math.abs)) < 2 ** 20 ? smallTurn : bigTurn;
  if (!walkable(map, s[0], s[1], 1, turn)) return FROM_OFF;
  if (!sees(map, s, e, turn)) return BLOCKED;
  const ring = map.rings[hint];
  return ring && ringHolds(ring, s, turn) && !startsIn(map, ring, s, e, turn) ? BLOCKED : CLEAR;
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
  const want = (hints?: readonly number[]) =>
    from.map((s, i) => {
      // rings of the other floor are out of the band
      const hint = hints ? hints[i] - (fromFloor[i] === 1 ? floors[0].rings.length : 0) : undefined;
      const word = expected(floors[fromFloor[i]], s, to[i], hint);
      return word === CLEAR && fromFloor[i] !== toFloor[i] ? BLOCKED : word;
    });
  const tally: Tally = { rays: 0, clear: 0, differences: [] };
  compare(
    kernel,
    from.map((p, i) => place(p, 3 * fromFloor[i] + lift[i])),
    to.map((p, i) => place(p, 3 * toFloor[i])),
    want,
    `floors, seed ${seed}`,
    tally,
  );
  return tally;
}

/**
 * Two floors that are both in the band everywhere: without a hint either may carry the ray; a hint that holds the start
 * names the floor, and the side where fans touch in a corner.
 */
export function looseBattery(make: () => Kernel, seed: number, count: number): Tally {
  const floors = [0, 1].map((k) => latticeMesh({ w: 5, h: 5, blocked: 0.35, seed: seed + 2000 + 1000 * k }));
  const rings = floors.flatMap((map, k) => map.rings.map((at) => ({ at, y: 3 * k })));
  const kernel = make();
  kernel.load(packOf(ringMesh(rings).mesh));
  const next = random(seed);
  const { from, to } = randomEnds(floors[0], next, count);
  const band = { below: 4, above: 4, tolerance: 0 };
  const starts = from.map((p) => place(p, next() < 0.5 ? 0.5 : 2.5));
  const ends = to.map((p) => place(p, 1));
  const hints = [...askLocate(kernel, starts, band).polygon];
  const tally: Tally = { rays: count, clear: 0, differences: [] };
  const plain = askRays(kernel, starts, ends, band).status;
  const hinted = askRays(kernel, starts, ends, band, hints).status;
  from.forEach((s, i) => {
    const words = floors.map((map) => expected(map, s, to[i]));
    const either = words.includes(CLEAR) ? CLEAR : words.includes(BLOCKED) ? BLOCKED : FROM_OFF;
    const floor = hints[i] === NONE ? 0 : rings[hints[i]].y / 3;
    const named =
      hints[i] === NONE ? either : expected(floors[floor], s, to[i], hints[i] - floor * floors[0].rings.length);
    if (either === CLEAR) tally.clear++;
    if (plain[i] !== either) tally.differences.push(`loose, seed ${seed}: ${s} -> ${to[i]}: got ${plain[i]}`);
    if (hinted[i] !== named) tally.differences.push(`loose, hint, seed ${seed}: ${s} -> ${to[i]}: got ${hinted[i]}`);
  });
  return tally;
}

export function add(into: Tally, more: Tally): Tally {
  into.rays += more.rays;
  into.clear += more.clear;
  into.differences.push(...more.differences);
  return into;
}
