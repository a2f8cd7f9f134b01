// The exact search against the brute-force graph, map by map: used by the quick slice and by the long run.
import { S_CLEAR, S_OVER, S_UNREACHABLE, S_WALK } from '../../assembly/layout.ts';
import { createKernel, type Engine, type Kernel } from '../../src/kernel/index.ts';
import { randomPoint } from '../oracle/ends.ts';
import { fanGraph, shortestByGraph } from '../oracle/fangraph.ts';
import { type LatticeMap, latticeMesh } from '../oracle/lattice.ts';
import { random } from '../oracle/random.ts';
import { filteredTurn, type Point, ringHolds, sees, smallTurn, type Turn } from '../oracle/sight.ts';
import { packOf, place, UNIT } from './ask.ts';
import { askReach, askShortest } from './walks.ts';

export interface ShortestCount {
  queries: number;
  walks: number;
  turns: number;
  worst: number;
  /** Starts at a corner of several fans, where the polygon it stands in makes the walk longer or impossible. */
  sides: number;
  wrong: string[];
}

export const NOTHING = (): ShortestCount => ({ queries: 0, walks: 0, turns: 0, worst: 0, sides: 0, wrong: [] });

export function latticeFor(seed: number, merge?: number): LatticeMap {
  const next = random(seed);
  return latticeMesh({
    w: 4 + Math.floor(next() * 4),
    h: 4 + Math.floor(next() * 4),
    seed,
    blocked: 0.2 + 0.15 * next(),
    jitter: next() < 0.3 ? 0 : 1,
    ...(merge === undefined ? {} : { merge }),
  });
}

export type Make = () => Kernel;
export const engine =
  (name: Engine): Make =>
  () =>
    createKernel(name);

/** Length, limit on both sides of it, legs and corners of `n` queries on one map; wrong ones are described. */
export function checkShortest(seed: number, n: number, count: ShortestCount, make: Make = engine('wasm')): void {
  checkMap(latticeFor(seed, seed % 3 === 0 ? undefined : 4 + (seed % 5)), seed, n, count, make, smallTurn);
}

/**
 * The same at the rim of the range: a lattice blown up to all of it with its coincidences kept or missed by a unit, or a
 * small one in a far corner of it.
 */
export function checkRange(seed: number, n: number, count: ShortestCount, make: Make = engine('wasm')): void {
  const next = random(seed ^ 0x0ff5);
  const far = next() < 0.25;
  const corner = (): number => (next() < 0.5 ? 2 ** 24 - 400 : 400 - 2 ** 24);
  const w = 4 + Math.floor(next() * 3);
  const h = 4 + Math.floor(next() * 3);
  // Three integers a cell and one more on each side: this many times that fills +-2^24, less room for the last nudge.
  const scale = far ? 7 : Math.floor((2 ** 25 - 16) / (3 * Math.max(w, h) + 2));
  const low = scale + 8 - 2 ** 24;
  const map = latticeMesh({
    w,
    h,
    seed,
    blocked: 0.2 + 0.15 * next(),
    jitter: next() < 0.4 ? 0 : 1,
    scale,
    fine: far ? 0 : Math.floor(next() * 3),
    offset: far ? [corner(), corner()] : [low, low],
    ...(next() < 0.5 ? {} : { merge: 6 }),
  });
  checkMap(map, seed, n, count, make, filteredTurn);
}

function checkMap(map: LatticeMap, seed: number, n: number, count: ShortestCount, make: Make, turn: Turn): void {
  const graph = fanGraph(map, map.points, turn);
  const kernel = make();
  kernel.load(packOf(map.mesh));
  const next = random(seed ^ 0x51a7);
  for (let i = 0; i < n; i++) {
    const s = randomPoint(map, next, 0.4, 0);
    const e = randomPoint(map, next, 0.4, 0);
    const truth = shortestByGraph(graph, s, e) * UNIT;
    const text = checkOne(kernel, map, s, e, truth, count, turn);
    if (text) count.wrong.push(`seed ${seed}: ${s} -> ${e}: ${text}`);
    if (turn !== smallTurn) continue;
    for (const [hint, ring] of map.rings.entries()) {
      if (!ringHolds(ring, s)) continue;
      const sided = shortestByGraph(graph, s, e, ring) * UNIT;
      if (sided !== truth) count.sides++;
      const wrong = checkSide(kernel, s, e, hint, sided);
      if (wrong) count.wrong.push(`seed ${seed}: ${s} in ring ${hint} -> ${e}: ${wrong}`);
    }
  }
}

/** From a polygon that holds the start: the exact walk, and the one question, begin in its fan only. */
function checkSide(kernel: Kernel, s: Point, e: Point, hint: number, truth: number): string {
  const near = (length: number) => Math.abs(length - truth) <= 4e-12 * Math.max(truth, UNIT);
  const exact = askShortest(kernel, place(s), place(e), { hint });
  const reached = askReach(kernel, place(s), place(e), { hint, limit: Infinity });
  const there = [S_CLEAR, S_WALK].includes(reached.status);
  if (truth === Infinity) return exact.status === S_WALK || there ? 'expected no walk' : '';
  if (exact.status !== S_WALK || !near(exact.length)) return `shortest: expected ${truth}, got ${exact.length}`;
  return there && near(reached.length)
    ? ''
    : `reach: expected ${truth}, got status ${reached.status}, ${reached.length}`;
}

function checkOne(
  kernel: Kernel,
  map: LatticeMap,
  s: Point,
  e: Point,
  truth: number,
  count: ShortestCount,
  turn: Turn,
): string {
  count.queries++;
  const got = askShortest(kernel, place(s), place(e));
  if (truth === Infinity) {
    const none = got.status === S_UNREACHABLE || (got.status === S_OVER && got.length === Infinity);
    return none ? '' : `expected no walk, got status ${got.status}, ${got.length}`;
  }
  count.walks++;
  if (got.status !== S_WALK) return `expected ${truth}, got status ${got.status}`;
  const error = Math.abs(got.length - truth) / Math.max(truth, UNIT);
  count.worst = Math.max(count.worst, error);
  if (error > 4e-12) return `expected ${truth}, got ${got.length}`;
  if (got.length > truth * (1 + 1e-15)) return `${got.length} is no lower bound of ${truth}`;
  // The corners are a real walk of that length.
  count.turns += Math.max(0, got.corners.length - 2);
  let sum = 0;
  for (let k = 1; k < got.corners.length; k++) {
    const [a, b] = [got.corners[k - 1]!, got.corners[k]!];
    sum += Math.sqrt((b[0] - a[0]) ** 2 + (b[2] - a[2]) ** 2);
    const from: Point = [Math.round(a[0] / UNIT), Math.round(a[2] / UNIT)];
    const to: Point = [Math.round(b[0] / UNIT), Math.round(b[2] / UNIT)];
    if (!sees(map, from, to, turn)) return `leg ${from} -> ${to} is blocked`;
  }
  if (Math.abs(sum - got.length) > 4e-12 * Math.max(truth, UNIT)) return `corners sum to ${sum}, not ${got.length}`;
  // The bounded question, at the truth and on both sides of it.
  const at = askShortest(kernel, place(s), place(e), { limit: truth });
  if (at.status !== S_WALK) return `limit ${truth}, the truth: status ${at.status}`;
  const above = askShortest(kernel, place(s), place(e), { limit: truth * 1.0000001 + 1e-9 });
  if (above.status !== S_WALK) return `limit just above ${truth}: status ${above.status}`;
  const under = askShortest(kernel, place(s), place(e), { limit: truth * 0.999 - 1e-9 });
  if (truth > 0 && under.status !== S_OVER && s.join() !== e.join() && !sees(map, s, e, turn)) {
    return `limit under ${truth}: status ${under.status}`;
  }
  if (under.status === S_OVER && under.length > truth) return `limit under: bound ${under.length} above ${truth}`;
  // A search cut short still gives a lower bound.
  for (const cap of [1, 3, 8, 20]) {
    const cut = askShortest(kernel, place(s), place(e), { cap });
    if (cut.length > truth * (1 + 1e-15)) return `cap ${cap}: bound ${cut.length} above ${truth}`;
  }
  return '';
}
