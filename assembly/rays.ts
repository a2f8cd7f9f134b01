// Entry points of the exact walk: one ray, and batches that advance many rays a step at a time. Imported by index.ts only.
//
// A batch goes in waves. Each round moves every live ray of the wave through one polygon; the rays of a round do not
// depend on each other, so their memory accesses and arithmetic overlap, and the list of live rays is kept without a
// branch. Corners are put right or left of a ray in float32 with a proven bound, exactly where that cannot tell. Whatever
// is not a plain edge crossing (a vertex event, several start polygons, another floor, a hint on a rim) is asked again of
// the one-ray walk, so both give the same answers. Bound: polygons + vertices rounds a wave.

import { ldF32, ldF64, ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { aim, rightOf } from '../src/kernel/twin/raylanes.ts';
import { lowestBit } from '../src/kernel/twin/signs.ts';
import { carries, inBand, nearHeights, planeCarries, rangeCarries } from './band.ts';
import { frame } from './frame.ts';
import {
  DOUBTFUL,
  F_LIST_S,
  F_NODES,
  H_POLYGONS,
  H_VERTICES,
  IN,
  MAP_BASE,
  NONE,
  OUT,
  P_X,
  P_Z,
  S_BLOCKED,
  S_CLEAR,
  S_FROM_OFF,
  S_OUT_OF_RANGE,
  W_BEYOND,
  W_BITS,
  W_EDGE,
  W_ENTRY,
  W_EX,
  W_EZ,
  W_POLY,
  W_SX,
  W_SZ,
} from './layout.ts';
import { place, placedX, placedZ } from './locate.ts';
import {
  count,
  heightAt,
  idOf,
  neighbour,
  OFF_GRID,
  polyAt,
  polygons,
  toMetresX,
  toMetresZ,
  toUnitsX,
  toUnitsZ,
  unit,
  x,
  z,
} from './mesh.ts';
import { orient } from './orient.ts';
import { edgeDistance2, rayEdgeDistance, rayPolygon, raySegment, rayT } from './ray.ts';
import { advance, cross, LARGE, pass, reached, sideOf, touch, WAVE } from './wave.ts';

// Ends of the ray in hand, units.
let fromX: f64 = 0.0;
let fromZ: f64 = 0.0;
let toX: f64 = 0.0;
let toZ: f64 = 0.0;

/** Places both ends and walks. `from` and `to` are addresses of f64 x, y, z in metres. */
function rayBetween(from: u32, to: u32, below: f64, above: f64, tolerance: f64, hint: u32, list: u32): u32 {
  const ey: f64 = ldF64(to + 8);
  toX = toUnitsX(ldF64(to));
  toZ = toUnitsZ(ldF64(to + 16));
  if (toX === OFF_GRID || toZ === OFF_GRID || !(Math.abs(ey) < Infinity)) return S_OUT_OF_RANGE;
  const n: u32 = place(ldF64(from), ldF64(from + 8), ldF64(from + 16), below, above, tolerance, hint, list);
  if (n === NONE) return S_OUT_OF_RANGE;
  if (n === 0) return S_FROM_OFF;
  fromX = placedX();
  fromZ = placedZ();
  return raySegment(list, n, fromX, fromZ, toX, toZ, ey, below, above) ? S_CLEAR : S_BLOCKED;
}

/** Writes the answer of `ray`: where it stopped, units, in polygon p at height h. */
function report(t: f64, px: f64, h: f64, pz: f64, edgeDistance: f64, p: u32): void {
  const out: u32 = frame() + OUT;
  stF64(out, t);
  stF64(out + 8, toMetresX(px));
  stF64(out + 16, h);
  stF64(out + 24, toMetresZ(pz));
  stF64(out + 32, edgeDistance);
  stF64(out + 40, idOf(p) as f64);
}

/**
 * The ordinary ray from a known polygon: it starts in it, crosses edges only and ends on E's floor or at a wall.
 * Reports and returns S_CLEAR or S_BLOCKED; NONE, nothing reported, when it is not that ordinary. The walk of `raySegment`
 * with the shortcuts of a wave, so with the same answer. Bound: as there.
 */
function ordinary(r: u32, p: u32, ay: f64, ey: f64, below: f64, above: f64): u32 {
  const ex: f64 = ldF32(r + W_EX);
  const ez: f64 = ldF32(r + W_EZ);
  const cap: u32 = ldU32(MAP_BASE + H_POLYGONS) + ldU32(MAP_BASE + H_VERTICES);
  for (let steps: u32 = 0; steps <= cap; steps++) {
    const right: u32 = rightOf(p + P_X, p + P_Z, count(p), r);
    const left: u32 = right ^ 0xff;
    const exit: u32 = right & ((left >>> 1) | (left << 7));
    if (right === DOUBTFUL || exit === 0) return NONE;
    const i: u32 = lowestBit(exit);
    if (steps === 0) {
      const entry: u32 = left & ((right >>> 1) | (right << 7));
      // See `begin`.
      const behind: f64 = sideOf(p, lowestBit(entry), r + W_SX);
      if (!(behind >= 0.0 && sideOf(p, i, r + W_SX) >= 0.0 && nearHeights(p, ay, below, above))) return NONE;
    }
    const beyond: f64 = sideOf(p, i, r + W_EX);
    if (beyond >= 0.0) {
      const h: f64 = heightAt(p, ex, ez);
      if (!inBand(h, ey, below, above)) return NONE;
      report(1.0, ex, h, ez, 0.0, p);
      return S_CLEAR;
    }
    const next: u32 = neighbour(p, i);
    if (next === 0) {
      const s: f64 = sideOf(p, i, r + W_SX);
      const t: f64 = s > 0.0 ? s / (s - beyond) : 0.0;
      const sx: f64 = ldF32(r + W_SX);
      const sz: f64 = ldF32(r + W_SZ);
      const px: f64 = sx + t * (ex - sx);
      const pz: f64 = sz + t * (ez - sz);
      report(t, px, heightAt(p, px, pz), pz, Math.sqrt(edgeDistance2(p, i, ex, ez)) * unit(), p);
      return S_BLOCKED;
    }
    p = next;
  }
  return NONE;
}

/**
 * Entry point: see KernelExports.ray. The target is not moved: when it is off the mesh, the ray ends at the wall. Off
 * the mesh or out of range at the start: OUT 0..4 are 0 and OUT 5 is NONE.
 */
export function ray(fromPolygon: u32): u32 {
  const f: u32 = frame();
  const from: u32 = f + IN;
  const to: u32 = f + IN + 24;
  const below: f64 = ldF64(f + IN + 48);
  const above: f64 = ldF64(f + IN + 56);
  const r: u32 = ldU32(f + F_NODES);
  if (fromPolygon < polygons() && aim(from, to, r, MAP_BASE)) {
    const easy: u32 = ordinary(r, polyAt(fromPolygon), ldF64(from + 8), ldF64(to + 8), below, above);
    if (easy !== NONE) return easy;
  }
  const status: u32 = rayBetween(from, to, below, above, ldF64(f + IN + 64), fromPolygon, ldU32(f + F_LIST_S));
  if (status !== S_CLEAR && status !== S_BLOCKED) {
    const out: u32 = f + OUT;
    for (let i: u32 = 0; i < 5; i++) stF64(out + (i << 3), 0.0);
    stF64(out + 40, NONE as f64);
    return status;
  }
  const t: f64 = rayT();
  const p: u32 = rayPolygon();
  const px: f64 = t < 1.0 ? fromX + t * (toX - fromX) : toX;
  const pz: f64 = t < 1.0 ? fromZ + t * (toZ - fromZ) : toZ;
  report(t, px, heightAt(p, px, pz), pz, rayEdgeDistance(toX, toZ), p);
  return status;
}

/** Prepares a ray: its ends and the polygon it starts in. False when it is left to the one-ray walk. */
function launch(r: u32, from: u32, to: u32, below: f64, above: f64, hint: u32, limit: u32, list: u32): bool {
  stU32(r + W_EDGE, NONE);
  if (!aim(from, to, r, MAP_BASE)) return false;
  stU32(r + W_POLY, polyAt(hint));
  if (hint >= limit) {
    // No tolerance here: a start off the mesh is left to the one-ray walk.
    if (place(ldF64(from), ldF64(from + 8), ldF64(from + 16), below, above, 0.0, NONE, list) !== 1) return false;
    stU32(r + W_POLY, ldU32(list));
  }
  return true;
}

/**
 * Takes the first step of the live rays that start in their polygons; returns how many are still live. Whether a closed polygon
 * holds S needs no test of its own: the ray's line crosses it between two edges, and S lies on that line, so S is inside
 * exactly when it is inside of these two.
 */
function begin(live: u32, n: u32, rays: u32, from: u32, below: f64, above: f64): u32 {
  let kept: u32 = 0;
  for (let k: u32 = 0; k < n; k++) {
    const r: u32 = ldU32(live + (k << 2));
    const p: u32 = ldU32(r + W_POLY);
    const y: f64 = ldF64(from + ((r - rays) >>> W_BITS) * 24 + 8);
    const behind: f64 = sideOf(p, ldU32(r + W_ENTRY), r + W_SX);
    const i: u32 = ldU32(r + W_EDGE);
    const j: u32 = (i + 1) & 7;
    const ax: f64 = x(p, i);
    const az: f64 = z(p, i);
    const bx: f64 = x(p, j);
    const bz: f64 = z(p, j);
    const ahead: f64 = orient(ax, az, bx, bz, ldF32(r + W_SX), ldF32(r + W_SZ));
    if (behind < 0.0 || ahead < 0.0 || !nearHeights(p, y, below, above)) {
      stU32(r + W_EDGE, NONE);
      continue;
    }
    stU32(live + (kept << 2), r);
    kept = kept + pass(r, p, i, orient(ax, az, bx, bz, ldF32(r + W_EX), ldF32(r + W_EZ)));
  }
  return kept;
}

/**
 * Entry point. from, to: f64[3n]; polygon: u32[n] hints or NONE; out: status u32[n], t f64[n], last u32[n] (NONE when the
 * start is off the mesh or out of range, and t 0). A hint that holds the start in plan and whose heights reach it in the
 * band is taken for its floor. below, above, tolerance in IN 6, 7, 8.
 */
export function batchRay(n: u32, from: u32, to: u32, polygon: u32, status: u32, t: u32, last: u32): void {
  const f: u32 = frame();
  const below: f64 = ldF64(f + IN + 48);
  const above: f64 = ldF64(f + IN + 56);
  const tolerance: f64 = ldF64(f + IN + 64);
  const list: u32 = ldU32(f + F_LIST_S);
  const rays: u32 = ldU32(f + F_NODES);
  const live: u32 = rays + (WAVE << W_BITS);
  const limit: u32 = polygons();
  const cap: u32 = ldU32(MAP_BASE + H_POLYGONS) + ldU32(MAP_BASE + H_VERTICES);
  const large: bool = limit > LARGE;
  for (let first: u32 = 0; first < n; first += WAVE) {
    const size: u32 = Math.min(n - first, WAVE) as u32;
    if (large) {
      let seen: u32 = 0;
      for (let i: u32 = 0; i < size; i++) {
        const hint: u32 = ldU32(polygon + ((first + i) << 2));
        seen = seen ^ touch(polyAt(hint < limit ? hint : 0));
      }
      stU32(live + WAVE * 4, seen >>> 0);
    }
    let going: u32 = 0;
    for (let i: u32 = 0; i < size; i++) {
      const r: u32 = rays + (i << W_BITS);
      const at: u32 = (first + i) * 24;
      stU32(live + (going << 2), r);
      const hint: u32 = ldU32(polygon + ((first + i) << 2));
      if (launch(r, from + at, to + at, below, above, hint, limit, list)) going = going + 1;
    }
    going = cross(live, going);
    going = begin(live, going, rays, from + first * 24, below, above);
    for (let round: u32 = 0; going > 0 && round <= cap; round++) going = advance(live, going, large);
    // The cap is an assertion, as in ray.ts: rays that broke it are asked again, and counted there.
    for (let k: u32 = 0; k < going; k++) stU32(ldU32(live + (k << 2)) + W_EDGE, NONE);

    // Answers, as if every ray that came to E ended on its floor; those not sure of it, or of anything, are listed.
    let open: u32 = 0;
    for (let i: u32 = 0; i < size; i++) {
      const r: u32 = rays + (i << W_BITS);
      const q: u32 = first + i;
      const edge: u32 = ldU32(r + W_EDGE);
      stU32(live + (open << 2), r);
      if (edge === NONE) {
        open = open + 1;
        continue;
      }
      const p: u32 = ldU32(r + W_POLY);
      const beyond: f64 = ldF64(r + W_BEYOND);
      const there: u32 = beyond >= 0.0 ? 1 : 0;
      const s: f64 = sideOf(p, edge, r + W_SX);
      // s / (s - beyond), and 1 when E is reached.
      const fraction: f64 = s / (s - (beyond - Math.abs(beyond)) * 0.5);
      stU32(status + (q << 2), there !== 0 ? S_CLEAR : S_BLOCKED);
      stF64(t + (q << 3), s > 0.0 ? fraction : (there as f64));
      stU32(last + (q << 2), idOf(p));
      const floor: u32 = rangeCarries(p, ldF64(to + q * 24 + 8), below, above);
      open = open + (there & (1 - floor));
    }
    // The planes of all before the detail heights of those few that they do not decide.
    let rest: u32 = 0;
    for (let k: u32 = 0; k < open; k++) {
      const r: u32 = ldU32(live + (k << 2));
      stU32(live + (rest << 2), r);
      if (!reached(r)) {
        rest = rest + 1;
        continue;
      }
      const y: f64 = ldF64(to + (first + ((r - rays) >>> W_BITS)) * 24 + 8);
      rest = rest + (1 - planeCarries(ldU32(r + W_POLY), ldF32(r + W_EX), ldF32(r + W_EZ), y, below, above));
    }
    for (let k: u32 = 0; k < rest; k++) {
      const r: u32 = ldU32(live + (k << 2));
      const q: u32 = first + ((r - rays) >>> W_BITS);
      const y: f64 = ldF64(to + q * 24 + 8);
      if (reached(r) && carries(ldU32(r + W_POLY), ldF32(r + W_EX), ldF32(r + W_EZ), y, below, above)) continue;
      const s: u32 = rayBetween(from + q * 24, to + q * 24, below, above, tolerance, ldU32(polygon + (q << 2)), list);
      const ended: bool = s === S_CLEAR || s === S_BLOCKED;
      stU32(status + (q << 2), s);
      stF64(t + (q << 3), ended ? rayT() : 0.0);
      stU32(last + (q << 2), ended ? idOf(rayPolygon()) : NONE);
    }
  }
}
