// How far apart two places on one floor are, found by brute force on a plan of the boxes: shares nothing with Recast.
import type { Box } from '../../src/build/index.ts';

const CELL = 0.1;
/** Bodies are 0.4 m wide to either side; half of that keeps the answer on the short side. */
const BODY = 0.2;
/** Taller than a step, lower than a head: what stands in the way. */
const KNEE = 0.5;
const HEAD = 1.6;

interface Place {
  x: number;
  y: number;
  z: number;
}

/**
 * A lower bound of the walk in metres (Dijkstra over 16 directions on a 10 cm grid, corrected for its longest detour);
 * Infinity when there is none, and no less than `most` once it is known to be over it. Flat maps only.
 */
export function separation(boxes: readonly Box[], from: Place, to: Place, most: number): number {
  const reach = Math.ceil((most * 1.1) / CELL) + 2;
  const size = 2 * reach + 1;
  const column = (x: number): number => Math.round((x - from.x) / CELL) + reach;
  const row = (z: number): number => Math.round((z - from.z) / CELL) + reach;
  const free = new Uint8Array(size * size);
  for (const b of boxes) {
    if (Math.abs(b[4] - (from.y - 0.1)) > 0.35) continue;
    each(b, 0, (i) => {
      free[i] = 1;
    });
  }
  for (const b of boxes) {
    if (b[4] < from.y + KNEE || b[1] > from.y + HEAD) continue;
    each(b, BODY, (i) => {
      free[i] = 0;
    });
  }
  function each(b: Box, grow: number, use: (i: number) => void): void {
    for (let r = Math.max(0, row(b[2] - grow)); r <= Math.min(size - 1, row(b[5] + grow)); r++) {
      for (let c = Math.max(0, column(b[0] - grow)); c <= Math.min(size - 1, column(b[3] + grow)); c++)
        use(r * size + c);
    }
  }
  const goal = row(to.z) * size + column(to.x);
  const best = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  // Buckets a tenth of a cell wide serve as the queue: nothing is ever pushed into an earlier one.
  const buckets: number[][] = [[reach * size + reach]];
  best[reach * size + reach] = 0;
  for (let k = 0; k < buckets.length; k++) {
    for (const at of buckets[k] ?? []) {
      if (Math.floor(best[at] * 10) !== k) continue;
      if (at === goal) return (best[at] * CELL) / LONGEST_DETOUR;
      if ((best[at] * CELL) / LONGEST_DETOUR > most) return (best[at] * CELL) / LONGEST_DETOUR;
      const [r, c] = [Math.floor(at / size), at % size];
      for (const [dr, dc] of STEPS) {
        if (r + dr < 0 || c + dc < 0 || r + dr >= size || c + dc >= size) continue;
        const next = (r + dr) * size + c + dc;
        const length = best[at] + Math.hypot(dr, dc);
        if (free[next] === 0 || length >= best[next]) continue;
        best[next] = length;
        const bucket = Math.floor(length * 10);
        buckets[bucket] ??= [];
        buckets[bucket].push(next);
      }
    }
  }
  return Number.POSITIVE_INFINITY;
}

const STEPS: readonly (readonly [number, number])[] = [-2, -1, 0, 1, 2].flatMap((r) =>
  [-2, -1, 0, 1, 2].flatMap((c): [number, number][] =>
    (r !== 0 || c !== 0) && !(Math.abs(r) === 2 && c % 2 === 0) && !(Math.abs(c) === 2 && r % 2 === 0) ? [[r, c]] : [],
  ),
);
/** Sixteen directions go at most this much out of the way (2.8 %). */
const LONGEST_DETOUR = 1.028;
