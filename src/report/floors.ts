// Floors over each other: where polygons overlap in plan, how far apart they are, and which floor of a picture each belongs
// to. Imported by report/ only.
import { UnionFind } from '../mesh/unionfind.ts';
import { common, ringArea, ringMiddle, ringOf } from './clip.ts';
import type { Near } from './near.ts';
import { heightAt, type Place, type Plan } from './plan.ts';

/** Two polygons that overlap in plan. */
export interface Overlap {
  readonly lower: number;
  readonly upper: number;
  /** Plan area in common, m2. */
  readonly size: number;
  /** Least height between them, metres, and where (on the lower one). */
  readonly clearance: number;
  readonly at: Place;
}

/** Less is rounding. */
const LEAST_M2 = 1e-4;
/** Pairs of a hostile map can grow with the square of its polygons: enough is enough. */
const MOST_OVERLAPS = 200_000;

/** Every pair of polygons that overlap in plan, up to a cap. */
export function overlapsOf(plan: Plan, near: Near): Overlap[] {
  const overlaps: Overlap[] = [];
  for (let p = 0; p < plan.count && overlaps.length < MOST_OVERLAPS; p++) {
    const ring = ringOf(plan, p);
    near.visit(near.boxes[p], (q) => {
      if (q <= p || isNeighbour(plan, p, q)) return;
      const both = common(ring, ringOf(plan, q));
      const size = both.length === 0 ? 0 : ringArea(both);
      if (size <= LEAST_M2) return;
      const middle = ringMiddle(both);
      const over = heightAt(plan, q, ...middle) >= heightAt(plan, p, ...middle);
      const [lower, upper] = over ? [p, q] : [q, p];
      let clearance = Number.POSITIVE_INFINITY;
      let at: Place = [0, 0, 0];
      const look = (x: number, z: number) => {
        const y = heightAt(plan, lower, x, z);
        const gap = Math.abs(heightAt(plan, upper, x, z) - y);
        if (gap >= clearance) return;
        clearance = gap;
        at = [x, y, z];
      };
      look(...middle);
      for (let i = 0; i < both.length; i += 2) look(both[i], both[i + 1]);
      overlaps.push({ lower, upper, size, clearance, at });
    });
  }
  return overlaps;
}

function isNeighbour({ first, neighbour }: Plan, p: number, q: number): boolean {
  for (let c = first[p]; c < first[p + 1]; c++) if (neighbour[c] === q) return true;
  return false;
}

/** More floors than this share the last one. */
const MOST_FLOORS = 24;

/**
 * The floor of each polygon, 0 = lowest: no two polygons of one floor overlap in plan. Each floor is flooded from the lowest
 * polygon of every region that is left, lower ground first, so that stairs belong to the floor they rise from.
 */
export function floorsOf(plan: Plan, overlaps: readonly Overlap[]): { floor: Uint8Array; count: number } {
  const { count, first, neighbour } = plan;
  const floor = new Uint8Array(count).fill(255);
  const over: number[][] = Array.from({ length: count }, () => []);
  for (const { lower, upper } of overlaps) {
    over[lower].push(upper);
    over[upper].push(lower);
  }
  const order = Array.from({ length: count }, (_, p) => p).sort((p, q) => plan.high[p] - plan.high[q] || p - q);
  const rank = new Uint32Array(count);
  order.forEach((p, i) => {
    rank[p] = i;
  });
  let left = count;
  let level = 0;
  for (; left > 0; level++) {
    const last = level === MOST_FLOORS - 1;
    const regions = new UnionFind(count);
    for (let p = 0; p < count; p++) {
      if (floor[p] !== 255) continue;
      for (let c = first[p]; c < first[p + 1]; c++) {
        if (neighbour[c] > p && floor[neighbour[c]] === 255) regions.union(p, neighbour[c]);
      }
    }
    const seeded = new Uint8Array(count);
    const tried = new Uint8Array(count);
    for (const seed of order) {
      if (floor[seed] !== 255 || tried[seed] === 1 || seeded[regions.find(seed)] === 1) continue;
      seeded[regions.find(seed)] = 1;
      const heap = new Lowest(rank);
      heap.push(seed);
      tried[seed] = 1;
      for (let p = heap.pop(); p >= 0; p = heap.pop()) {
        if (!last && over[p].some((q) => floor[q] === level)) continue;
        floor[p] = level;
        left--;
        for (let c = first[p]; c < first[p + 1]; c++) {
          const q = neighbour[c];
          if (q < 0 || floor[q] !== 255 || tried[q] === 1) continue;
          tried[q] = 1;
          heap.push(q);
        }
      }
    }
  }
  return { floor, count: level };
}

/** A binary heap of polygons, the lowest on top. */
class Lowest {
  readonly #rank: Uint32Array;
  readonly #heap: number[] = [];

  constructor(rank: Uint32Array) {
    this.#rank = rank;
  }

  push(p: number): void {
    const heap = this.#heap;
    let i = heap.length;
    heap.push(p);
    while (i > 0) {
      const up = (i - 1) >>> 1;
      if (this.#rank[heap[up]] <= this.#rank[p]) break;
      heap[i] = heap[up];
      i = up;
    }
    heap[i] = p;
  }

  /** -1 = empty. */
  pop(): number {
    const heap = this.#heap;
    if (heap.length === 0) return -1;
    const top = heap[0];
    const p = heap.pop()!;
    if (heap.length === 0) return top;
    let i = 0;
    while (true) {
      let down = 2 * i + 1;
      if (down >= heap.length) break;
      if (down + 1 < heap.length && this.#rank[heap[down + 1]] < this.#rank[heap[down]]) down++;
      if (this.#rank[heap[down]] >= this.#rank[p]) break;
      heap[i] = heap[down];
      i = down;
    }
    heap[i] = p;
    return top;
  }
}
