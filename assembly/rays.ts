// Entry points of the exact walk: one ray, and batches that advance many rays a step at a time. Imported by index.ts; the
// rounds of a wave by moves.ts too.
//
// A batch goes in waves. Each round moves every live ray of the wave through one polygon; the rays of a round do not
// depend on each other, so their memory accesses and arithmetic overlap, and the list of live rays is kept without a
// branch. Whatever is not a plain edge crossing (a vertex event, several start polygons, another floor, a hint on a
// rim) is asked again of the one-ray walk, so both give the same answers. Bound: polygons + vertices rounds a wave.

import { ldF64, ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { lowestBit, signs } from '../src/kernel/twin/signs.ts';
import { carries, nearHeights } from './band.ts';
import { frame } from './frame.ts';
import {
  F_LIST_S,
  F_NODES,
  H_POLYGONS,
  H_VERTICES,
  IN,
  MAP_BASE,
  NONE,
  OUT,
  P_NEI,
  P_X,
  P_Z,
  S_BLOCKED,
  S_CLEAR,
  S_FROM_OFF,
  S_OUT_OF_RANGE,
} from './layout.ts';
import { place, placedX, placedZ } from './locate.ts';
import {
  count,
  heightAt,
  INSIDE,
  idOf,
  OFF_GRID,
  OUTSIDE,
  polyAt,
  polygons,
  stands,
  toMetresX,
  toMetresZ,
  toUnitsX,
  toUnitsZ,
  x,
  z,
} from './mesh.ts';
import { orient } from './orient.ts';
import { rayEdgeDistance, rayPolygon, raySegment, rayT } from './ray.ts';

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
  const ax: f64 = ldF64(from);
  const ay: f64 = ldF64(from + 8);
  const az: f64 = ldF64(from + 16);
  if (hint < polygons() && Math.abs(ay) < Infinity) {
    // The walk from one closed polygon covers its whole fan at S, so a clear answer stands; a blocked one only when S
    // lies inside, where no other polygon of the floor could carry the ray.
    const p: u32 = polyAt(hint);
    fromX = toUnitsX(ax);
    fromZ = toUnitsZ(az);
    const where: u32 = stands(p, fromX, fromZ);
    if (where !== OUTSIDE && nearHeights(p, ay, below, above)) {
      stU32(list, p);
      if (raySegment(list, 1, fromX, fromZ, toX, toZ, ey, below, above)) return S_CLEAR;
      if (where === INSIDE) return S_BLOCKED;
    }
  }
  const n: u32 = place(ax, ay, az, below, above, tolerance, hint, list);
  if (n === NONE) return S_OUT_OF_RANGE;
  if (n === 0) return S_FROM_OFF;
  fromX = placedX();
  fromZ = placedZ();
  return raySegment(list, n, fromX, fromZ, toX, toZ, ey, below, above) ? S_CLEAR : S_BLOCKED;
}

/**
 * Entry point: see KernelExports.ray. The target is not moved: when it is off the mesh, the ray ends at the wall. Off
 * the mesh or out of range at the start: OUT 0..4 are 0 and OUT 5 is NONE.
 */
export function ray(fromPolygon: u32): u32 {
  const f: u32 = frame();
  const status: u32 = rayBetween(
    f + IN,
    f + IN + 24,
    ldF64(f + IN + 48),
    ldF64(f + IN + 56),
    ldF64(f + IN + 64),
    fromPolygon,
    ldU32(f + F_LIST_S),
  );
  const out: u32 = f + OUT;
  if (status !== S_CLEAR && status !== S_BLOCKED) {
    for (let i: u32 = 0; i < 5; i++) stF64(out + (i << 3), 0.0);
    stF64(out + 40, NONE as f64);
    return status;
  }
  const t: f64 = rayT();
  const p: u32 = rayPolygon();
  const px: f64 = t < 1.0 ? fromX + t * (toX - fromX) : toX;
  const pz: f64 = t < 1.0 ? fromZ + t * (toZ - fromZ) : toZ;
  stF64(out, t);
  stF64(out + 8, toMetresX(px));
  stF64(out + 16, heightAt(p, px, pz));
  stF64(out + 24, toMetresZ(pz));
  stF64(out + 32, rayEdgeDistance(toX, toZ));
  stF64(out + 40, idOf(p) as f64);
  return status;
}

// ---- waves --------------------------------------------------------------------------------------------------------------

/** Rays of one wave: enough to hide a cache miss behind the others, few enough to stay in the first cache level. */
export const WAVE: u32 = 128;
// One ray of a wave, at F_NODES (no search runs meanwhile), and after all rays the list of live ones.
export const R_DX: u32 = 0; // f64, units
export const R_DZ: u32 = 8; // f64
export const R_C: u32 = 16; // f64, dx * sz - dz * sx
export const R_EX: u32 = 24; // f64, units
export const R_EZ: u32 = 32; // f64
const R_SX: u32 = 40; // f64, units
const R_SZ: u32 = 48; // f64
export const R_BEYOND: u32 = 56; // f64, side of E to the last exit edge: >= 0 is reached
export const R_POLY: u32 = 64; // u32, record address
export const R_EDGE: u32 = 68; // u32, last exit edge, or NONE: ask the one-ray walk
const R_INSIDE: u32 = 72; // u32, 1 = a blocked answer is final
export const R_STRIDE: u32 = 80;

/** Maps with more polygons than this do not fit into a core's second cache level beside everything else. */
export const LARGE: u32 = 2048;

/**
 * Reads a word of both cache lines that a step needs of a record. Asked for all rays of a round before the first is
 * computed, the misses overlap: a quarter less time a ray on a map of 8,400 polygons, nothing gained on small ones.
 */
export function touch(p: u32): u32 {
  return (ldU32(p + P_X) ^ ldU32(p + P_NEI)) >>> 0;
}

/** Prepares a ray; 1 when it goes with the wave, 0 when it is left to the one-ray walk. */
function launch(r: u32, from: u32, to: u32, below: f64, above: f64, hint: u32, limit: u32, list: u32): u32 {
  stU32(r + R_EDGE, NONE);
  const ay: f64 = ldF64(from + 8);
  const sx: f64 = toUnitsX(ldF64(from));
  const sz: f64 = toUnitsZ(ldF64(from + 16));
  const ex: f64 = toUnitsX(ldF64(to));
  const ez: f64 = toUnitsZ(ldF64(to + 16));
  if (!(Math.abs(ay) < Infinity) || !(Math.abs(ldF64(to + 8)) < Infinity)) return 0;
  if (sx === OFF_GRID || sz === OFF_GRID || ex === OFF_GRID || ez === OFF_GRID) return 0;
  let p: u32 = 0;
  let inside: u32 = 1;
  if (hint < limit) {
    p = polyAt(hint);
    const where: u32 = stands(p, sx, sz);
    if (where === OUTSIDE || !nearHeights(p, ay, below, above)) return 0;
    inside = where === INSIDE ? 1 : 0;
  } else {
    // No tolerance here: a start off the mesh is left to the one-ray walk.
    if (place(ldF64(from), ay, ldF64(from + 16), below, above, 0.0, NONE, list) !== 1) return 0;
    p = ldU32(list);
  }
  const dx: f64 = ex - sx;
  const dz: f64 = ez - sz;
  stF64(r + R_DX, dx);
  stF64(r + R_DZ, dz);
  stF64(r + R_C, dx * sz - dz * sx);
  stF64(r + R_EX, ex);
  stF64(r + R_EZ, ez);
  stF64(r + R_SX, sx);
  stF64(r + R_SZ, sz);
  stU32(r + R_POLY, p);
  stU32(r + R_INSIDE, inside);
  return 1;
}

/** One step of every live ray; returns how many are still live. See `walk` in ray.ts for what a step is. */
export function advance(live: u32, n: u32, large: bool): u32 {
  let kept: u32 = 0;
  if (large) {
    let seen: u32 = 0;
    for (let k: u32 = 0; k < n; k++) seen = seen ^ touch(ldU32(ldU32(live + (k << 2)) + R_POLY));
    // Stored, or the reads would be dropped.
    stU32(live + WAVE * 4, seen >>> 0);
  }
  for (let k: u32 = 0; k < n; k++) {
    const r: u32 = ldU32(live + (k << 2));
    const p: u32 = ldU32(r + R_POLY);
    const m: u32 = signs(p + P_X, p + P_Z, count(p), ldF64(r + R_DX), ldF64(r + R_DZ), ldF64(r + R_C));
    const left: u32 = m >>> 8;
    const exit: u32 = m & ((left >>> 1) | (left << 7)) & 0xff;
    if (exit === 0) {
      stU32(r + R_EDGE, NONE);
      continue;
    }
    const i: u32 = lowestBit(exit);
    const j: u32 = (i + 1) & 7;
    const beyond: f64 = orient(x(p, i), z(p, i), x(p, j), z(p, j), ldF64(r + R_EX), ldF64(r + R_EZ));
    const next: u32 = ldU32(p + P_NEI + (i << 2));
    stF64(r + R_BEYOND, beyond);
    stU32(r + R_EDGE, i);
    // Going on means: E lies beyond the exit edge, and there is a neighbour. No branch: the outcome is a coin toss.
    const on: u32 = (beyond < 0.0 ? 1 : 0) & (next !== 0 ? 1 : 0);
    const mask: u32 = (0 - on) >>> 0;
    stU32(r + R_POLY, (p ^ ((p ^ (MAP_BASE + next)) & mask)) >>> 0);
    stU32(live + (kept << 2), r);
    kept = kept + on;
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
  const live: u32 = rays + WAVE * R_STRIDE;
  const limit: u32 = polygons();
  const cap: u32 = ldU32(MAP_BASE + H_POLYGONS) + ldU32(MAP_BASE + H_VERTICES);
  const large: bool = limit > LARGE;
  for (let first: u32 = 0; first < n; first += WAVE) {
    const size: u32 = n - first < WAVE ? n - first : WAVE;
    let going: u32 = 0;
    if (large) {
      let seen: u32 = 0;
      for (let i: u32 = 0; i < size; i++) {
        const hint: u32 = ldU32(polygon + ((first + i) << 2));
        seen = seen ^ touch(polyAt(hint < limit ? hint : 0));
      }
      stU32(live + WAVE * 4, seen >>> 0);
    }
    for (let i: u32 = 0; i < size; i++) {
      const r: u32 = rays + i * R_STRIDE;
      const at: u32 = (first + i) * 24;
      stU32(live + (going << 2), r);
      going = going + launch(r, from + at, to + at, below, above, ldU32(polygon + ((first + i) << 2)), limit, list);
    }
    for (let round: u32 = 0; going > 0 && round <= cap; round++) going = advance(live, going, large);
    // The cap is an assertion, as in ray.ts: rays that broke it are asked again, and counted there.
    for (let k: u32 = 0; k < going; k++) stU32(ldU32(live + (k << 2)) + R_EDGE, NONE);
    for (let i: u32 = 0; i < size; i++) {
      const r: u32 = rays + i * R_STRIDE;
      const q: u32 = first + i;
      const to3: u32 = to + q * 24;
      const edge: u32 = ldU32(r + R_EDGE);
      const p: u32 = ldU32(r + R_POLY);
      if (edge !== NONE) {
        const ex: f64 = ldF64(r + R_EX);
        const ez: f64 = ldF64(r + R_EZ);
        const beyond: f64 = ldF64(r + R_BEYOND);
        if (beyond >= 0.0) {
          if (carries(p, ex, ez, ldF64(to3 + 8), below, above)) {
            stU32(status + (q << 2), S_CLEAR);
            stF64(t + (q << 3), 1.0);
            stU32(last + (q << 2), idOf(p));
            continue;
          }
        } else if (ldU32(r + R_INSIDE) !== 0) {
          const j: u32 = (edge + 1) & 7;
          const s: f64 = orient(x(p, edge), z(p, edge), x(p, j), z(p, j), ldF64(r + R_SX), ldF64(r + R_SZ));
          stU32(status + (q << 2), S_BLOCKED);
          stF64(t + (q << 3), s > 0.0 ? s / (s - beyond) : 0.0);
          stU32(last + (q << 2), idOf(p));
          continue;
        }
      }
      const s: u32 = rayBetween(from + q * 24, to3, below, above, tolerance, ldU32(polygon + (q << 2)), list);
      const ended: bool = s === S_CLEAR || s === S_BLOCKED;
      stU32(status + (q << 2), s);
      stF64(t + (q << 3), ended ? rayT() : 0.0);
      stU32(last + (q << 2), ended ? idOf(rayPolygon()) : NONE);
    }
  }
}
