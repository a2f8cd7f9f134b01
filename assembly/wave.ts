// Many rays one polygon further at a time: the rounds of a wave. Imported by rays.ts and moves.ts.
//
// The rays of a round do not depend on each other, so their memory accesses and arithmetic overlap, and the list of live
// ones (u32 record addresses, with a word behind the last of a wave for `touch`) is kept without a branch. Corners are put
// right or left of a ray in float32 with a proven bound, exactly where that cannot tell; the side of a target is exact.
// Each step is that of `walk` in ray.ts, edge crossings only. Bound of a round: one pass over the list.

import { ldF32, ldF64, ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { rightOf } from '../src/kernel/twin/raylanes.ts';
import { lowestBit, signs } from '../src/kernel/twin/signs.ts';
import {
  DOUBTFUL,
  MAP_BASE,
  NONE,
  P_NEI,
  P_X,
  P_Z,
  W_BEYOND,
  W_EDGE,
  W_ENTRY,
  W_EX,
  W_EZ,
  W_POLY,
  W_SX,
  W_SZ,
} from './layout.ts';
import { count, x, z } from './mesh.ts';
import { orient } from './orient.ts';

/** Rays of one wave: enough to hide a cache miss behind the others, few enough to stay in the first cache level. */
export const WAVE: u32 = 128;
/** Maps with more polygons than this do not fit into a core's second cache level beside everything else. */
export const LARGE: u32 = 2048;

/**
 * Reads the two cache lines of a record that a step needs. Where all records of a round are read before the first is
 * computed, the misses overlap: a quarter less time a ray on a map of 8,400 polygons, nothing gained on small ones.
 */
export function touch(p: u32): u32 {
  return (ldU32(p + P_X) ^ ldU32(p + P_NEI)) >>> 0;
}

/** Signs of the corners of polygon p where float32 does not tell, see `signs`. */
function exactSides(p: u32, r: u32): u32 {
  const sx: f64 = ldF32(r + W_SX);
  const sz: f64 = ldF32(r + W_SZ);
  const dx: f64 = ldF32(r + W_EX) - sx;
  const dz: f64 = ldF32(r + W_EZ) - sz;
  return signs(p + P_X, p + P_Z, count(p), dx, dz, dx * sz - dz * sx);
}

/** Side of the ray's end whose coordinates are at `end` to edge i of polygon p: >= 0 is inside. */
export function sideOf(p: u32, i: u32, end: u32): f64 {
  const j: u32 = (i + 1) & 7;
  return orient(x(p, i), z(p, i), x(p, j), z(p, j), ldF32(end), ldF32(end + 4));
}

// A step is three loops of short chains of dependent work rather than one of long ones: more rays overlap.

/** Finds the edges over which the lines of the live rays cross their polygons; returns how many are still live. */
export function cross(live: u32, n: u32): u32 {
  let kept: u32 = 0;
  for (let k: u32 = 0; k < n; k++) {
    const r: u32 = ldU32(live + (k << 2));
    const p: u32 = ldU32(r + W_POLY);
    // Bit i: corner i lies right, or left, of the line; see `walk` in ray.ts.
    let right: u32 = rightOf(p + P_X, p + P_Z, count(p), r);
    let left: u32 = right ^ 0xff;
    if (right === DOUBTFUL) {
      const m: u32 = exactSides(p, r);
      right = m & 0xff;
      left = m >>> 8;
    }
    const exit: u32 = right & ((left >>> 1) | (left << 7));
    const entry: u32 = left & ((right >>> 1) | (right << 7));
    if (exit === 0 || entry === 0) {
      stU32(r + W_EDGE, NONE);
      continue;
    }
    stU32(r + W_EDGE, lowestBit(exit));
    stU32(r + W_ENTRY, lowestBit(entry));
    stU32(live + (kept << 2), r);
    kept = kept + 1;
  }
  return kept;
}

/** Takes a ray over edge i of polygon p, E's side to which is `beyond`; 1 when it has more to walk. No branch: a coin toss. */
export function pass(r: u32, p: u32, i: u32, beyond: f64): u32 {
  const next: u32 = ldU32(p + P_NEI + (i << 2));
  stF64(r + W_BEYOND, beyond);
  // Going on means: E lies beyond the exit edge, and there is a neighbour.
  const on: u32 = (beyond < 0.0 ? 1 : 0) & (next !== 0 ? 1 : 0);
  const mask: u32 = (0 - on) >>> 0;
  stU32(r + W_POLY, (p ^ ((p ^ (MAP_BASE + next)) & mask)) >>> 0);
  return on;
}

/** Takes the live rays over their exit edges; returns how many have more to walk. */
function leave(live: u32, n: u32): u32 {
  let kept: u32 = 0;
  for (let k: u32 = 0; k < n; k++) {
    const r: u32 = ldU32(live + (k << 2));
    const p: u32 = ldU32(r + W_POLY);
    const i: u32 = ldU32(r + W_EDGE);
    stU32(live + (kept << 2), r);
    kept = kept + pass(r, p, i, sideOf(p, i, r + W_EX));
  }
  return kept;
}

/** One step of every live ray; returns how many are still live. */
export function advance(live: u32, n: u32, large: bool): u32 {
  if (large) {
    let seen: u32 = 0;
    for (let k: u32 = 0; k < n; k++) seen = seen ^ touch(ldU32(ldU32(live + (k << 2)) + W_POLY));
    // Stored, or the reads would be dropped.
    stU32(live + WAVE * 4, seen >>> 0);
  }
  return leave(live, cross(live, n));
}

/** Whether the ray has come to E in plan. */
export function reached(r: u32): bool {
  return ldU32(r + W_EDGE) !== NONE && ldF64(r + W_BEYOND) >= 0.0;
}
