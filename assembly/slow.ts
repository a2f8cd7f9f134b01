// Slow ground: how much longer than its length a walk is at least, when areas slow it down. Imported by reach and exact,
// which call it after a search and only while some area is slow.
//
// Effort of a walk: its plan length, each metre divided by the multiplier (0 < m <= 1) of the polygon it is walked on; at a
// speed limit v it takes effort / v. Metres over an off-mesh link count once. The bound never overstates it:
//
// 1. Depth. Let d be the least, over all ways to leave V, of the greatest straight distance from the point to any edge on
//    the way; V are the slow polygons that Prim's rule takes first from those that hold the point (an edge's key is the
//    larger of its own distance and its polygon's key; the least key first; walls are no edges). Then the first d metres of
//    every walk from the point lie in V: to be in a polygon outside of V it crossed an edge with key >= d, so at some time
//    it stood at least d away from the point, and straight lines are the shortest. An end of an off-mesh link in V is a way
//    to leave at its own distance. Backwards in time the same holds of the last metres of every walk to the point. The
//    larger V, the larger d; stopping early (SLOW_CAP) gives the next key, for which all of this holds. V is all that has a key
//    of at most d: equal keys come in the order of the records, which on a living map tells what was there before.
// 2. m is the largest multiplier in V, so those metres cost at least 1/m each. a = 1/m - 1, and 0 off slow ground (d = 0).
// 3. A walk of length l >= L from S to T. If dS + dT <= l the two stretches are apart: effort >= l + aS dS + aT dT. Else they
//    cover the walk: the first min(dS, l) cost 1/mS, the rest lies in the last dT and costs 1/mT; or the other way round.
//    All three grow with l, and the third case at l = dS + dT is the first, so l = L is the least: the bound.
// It is exact where the shortest way is straight into slow ground of one kind, square to its edge.
// Bound: SLOW_CAP polygons with 8 edges each through the heap, and one pass over at most LINKS_CAP links.
import { ldF32, ldF64, ldU8, ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { frame } from './frame.ts';
import { nextGeneration } from './generation.ts';
import { heapKey, heapPayload, heapPop, heapPush } from './heap.ts';
import {
  AREA_COUNT,
  F_AREAS,
  F_HEAP,
  F_SLOW,
  F_VISIT,
  H_LINKS,
  H_TABLE,
  HEAP_CAP,
  L_AX,
  L_AZ,
  L_END_STRIDE,
  L_POLY_A,
  LINK_STRIDE,
  MAP_BASE,
  P_AREA,
  SECTION_LINKS,
} from './layout.ts';
import { count, idOf, neighbour, x, z } from './mesh.ts';

/** Polygons that one flood takes at most; the heap has room for all their edges. */
const SLOW_CAP: u32 = 1024;
/** On maps with more links than this no ground counts as slow: they would all have to be looked at. */
const LINKS_CAP: u32 = 65536;
/** What rounding may have added. */
const LOWER: f64 = 0.999999999999;

/** 1 / m - 1 of the last slowDepth. */
let extra: f64 = 0.0;

/** Entry point: see KernelExports.areaSpeed. */
export function areaSpeed(area: u32, multiplier: f64): void {
  const f: u32 = frame();
  if (area >= AREA_COUNT) return;
  stF64(f + F_AREAS + (area << 3), multiplier);
  let slow: u32 = 0;
  for (let i: u32 = 0; i < AREA_COUNT; i++) {
    if (ldF64(f + F_AREAS + (i << 3)) < 1.0) slow = slow + 1;
  }
  stU32(f + F_SLOW, slow);
}

/** Whether any area slows a walk down now. */
export function anySlow(): bool {
  return ldU32(frame() + F_SLOW) !== 0;
}

function multiplierOf(p: u32): f64 {
  const area: u32 = ldU8(p + P_AREA);
  return area < AREA_COUNT ? ldF64(frame() + F_AREAS + (area << 3)) : 1.0;
}

/** Distance from a grid point to edge i -> j of p: from exact integers, so its relative error is that of one division. */
function toEdge(p: u32, i: u32, j: u32, px: f64, pz: f64): f64 {
  const ax: f64 = x(p, i) - px;
  const az: f64 = z(p, i) - pz;
  const bx: f64 = x(p, j) - px;
  const bz: f64 = z(p, j) - pz;
  const ex: f64 = bx - ax;
  const ez: f64 = bz - az;
  if (ax * ex + az * ez >= 0.0) return Math.sqrt(ax * ax + az * az);
  if (bx * ex + bz * ez <= 0.0) return Math.sqrt(bx * bx + bz * bz);
  return Math.abs(ax * bz - az * bx) / Math.sqrt(ex * ex + ez * ez);
}

/** The distance to the nearest end of a link in the polygons of this flood, or `most`. */
function toLinks(px: f64, pz: f64, generation: u32, most: f64): f64 {
  const links: u32 = ldU32(MAP_BASE + H_LINKS);
  const first: u32 = MAP_BASE + ldU32(MAP_BASE + H_TABLE + SECTION_LINKS * 8);
  const visit: u32 = ldU32(frame() + F_VISIT);
  let least: f64 = most;
  for (let e: u32 = 0; e < links * 2; e++) {
    const link: u32 = first + (e >>> 1) * LINK_STRIDE;
    const offset: u32 = ldU32(link + L_POLY_A + ((e & 1) << 2));
    if (offset === 0 || ldU32(visit + (idOf(MAP_BASE + offset) << 3)) !== generation) continue;
    const dx: f64 = ldF32(link + L_AX + (e & 1) * L_END_STRIDE) - px;
    const dz: f64 = ldF32(link + L_AZ + (e & 1) * L_END_STRIDE) - pz;
    least = Math.min(least, Math.sqrt(dx * dx + dz * dz));
  }
  return least;
}

/**
 * How deep (units) a grid point lies in slow ground: at least so many metres next to it, on every walk from it or to it,
 * are slow. `list` has the `n` polygons that hold it: 0 when any of them is plain ground. More than `most` is not looked
 * for; Infinity when the slow ground has no way out. Sets `extra`.
 */
export function slowDepth(list: u32, n: u32, px: f64, pz: f64, most: f64): f64 {
  extra = 0.0;
  if (n > SLOW_CAP || ldU32(MAP_BASE + H_LINKS) > LINKS_CAP) return 0.0;
  const f: u32 = frame();
  const heap: u32 = ldU32(f + F_HEAP);
  const visit: u32 = ldU32(f + F_VISIT);
  let size: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const p: u32 = ldU32(list + (i << 2));
    if (!(multiplierOf(p) < 1.0)) return 0.0;
    size = heapPush(heap, size, HEAP_CAP, 0.0, p);
  }
  const generation: u32 = nextGeneration();
  let taken: u32 = 0;
  let fastest: f64 = 0.0;
  let depth: f64 = Infinity;
  while (size > 0) {
    const key: f64 = heapKey(heap);
    const p: u32 = heapPayload(heap);
    if (key > depth || key >= most || taken === SLOW_CAP) {
      depth = Math.min(depth, key);
      break;
    }
    size = heapPop(heap, size);
    // Payload 0 is plain ground: the way out. What is as near as it belongs to V too, so V is the same in any order.
    if (p === 0) {
      depth = key;
      continue;
    }
    const stamp: u32 = visit + (idOf(p) << 3);
    if (ldU32(stamp) === generation) continue;
    stU32(stamp, generation);
    taken = taken + 1;
    fastest = Math.max(fastest, multiplierOf(p));
    const c: u32 = count(p);
    for (let i: u32 = 0; i < c; i++) {
      const q: u32 = neighbour(p, i);
      if (q === 0 || ldU32(visit + (idOf(q) << 3)) === generation) continue;
      const edge: f64 = Math.max(key, toEdge(p, i, i + 1 === c ? 0 : i + 1, px, pz));
      size = heapPush(heap, size, HEAP_CAP, edge, multiplierOf(q) < 1.0 ? q : 0);
    }
  }
  if (taken === 0) return 0.0;
  extra = 1.0 / fastest - 1.0;
  return toLinks(px, pz, generation, depth);
}

/**
 * Lower bound (units) of the effort of every walk of at least `length` units from the point held by the `fromCount` polygons
 * of `from` to the one held by `to`. Overwrites the heap and the visit stamps: no search may be under way.
 */
export function slowEffort(
  length: f64,
  from: u32,
  fromCount: u32,
  fromX: f64,
  fromZ: f64,
  to: u32,
  toCount: u32,
  toX: f64,
  toZ: f64,
): f64 {
  if (!(length > 0.0 && length < Infinity)) return length;
  const fromDepth: f64 = slowDepth(from, fromCount, fromX, fromZ, length);
  const fromExtra: f64 = extra;
  const toDepth: f64 = slowDepth(to, toCount, toX, toZ, length);
  const toExtra: f64 = extra;
  if (fromDepth + toDepth <= length) return length + (fromExtra * fromDepth + toExtra * toDepth) * LOWER;
  const first: f64 = Math.min(fromDepth, length);
  const last: f64 = Math.min(toDepth, length);
  const forward: f64 = fromExtra * first + toExtra * (length - first);
  const backward: f64 = toExtra * last + fromExtra * (length - last);
  return length + Math.max(forward, backward) * LOWER;
}
