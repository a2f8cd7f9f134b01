// Whether a state that a log or another guard brings can be one: judging reads memory and runs loops by some of its numbers, and
// a log may come from anywhere. Imported by guard.ts and moved.ts.
import { FLOOR_ONLY, H_LINKS, H_POLYGONS, MAP_BASE, NONE } from '../../assembly/layout.ts';
import type { Kernel } from '../kernel/kernel.ts';
import * as L from '../rules/ledger.ts';

/** What counts how many of something are there, and the most of it. */
const COUNTS: readonly (readonly [string, number, number])[] = [
  ['flags', L.FLAGS, 2 ** 31 - 1],
  ['lowered limits', L.LOWER_COUNT, L.LOWER_MAX],
  ['grants', L.GRANT_COUNT, L.GRANT_MAX],
  ['last positions', L.RING_COUNT, L.RING_MAX],
];

/** What is wrong with a state of the right length, in words: [expected, got]; null when nothing is. */
export function stateFault(
  kernel: Kernel,
  state: ArrayLike<number>,
  path: readonly number[] | Float64Array | undefined,
): readonly [string, number] | null {
  for (const [what, at, most] of COUNTS) {
    if (!isWhole(state[at], most)) return [`a number of ${what} of 0..${most}`, state[at]];
  }
  const polygons = kernel.u32(MAP_BASE + H_POLYGONS, 1)[0];
  const ledge = (state[L.FLAGS] & L.OVER_LEDGE) !== 0;
  for (const polygon of ledge ? [state[L.POLYGON], state[L.LEDGE + 3]] : [state[L.POLYGON]]) {
    const id = polygon >= FLOOR_ONLY ? polygon - FLOOR_ONLY : polygon;
    if (polygon !== NONE && !isWhole(id, polygons - 1)) return [`a polygon of 0..${polygons - 1}`, polygon];
  }
  const ends = 2 * kernel.u32(MAP_BASE + H_LINKS, 1)[0];
  if ((state[L.FLAGS] & L.ON_LINK) !== 0 && !isWhole(state[L.LINK], ends - 1)) {
    return [`a link end of 0..${ends - 1}`, state[L.LINK]];
  }
  if ((state[L.FLAGS] & L.WALKING) === 0) return null;
  const corners = state[L.PATH_CORNERS];
  if (!(corners >= 1 && path !== undefined && path.length === corners * L.CORNER && path.every(Number.isFinite))) {
    return [`a path of ${corners} corners, ${L.CORNER} finite numbers each`, path?.length ?? 0];
  }
  return null;
}

function isWhole(n: number, most: number): boolean {
  return Number.isInteger(n) && n >= 0 && n <= most;
}
