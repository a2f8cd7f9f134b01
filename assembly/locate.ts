// Where a position stands: all polygons that hold its grid point within a height band, or the nearest one. Imported by
// ray, corridor and reach. Exact inside (closed signs on integers); the only tolerance is the caller's, in metres.

import { ldF64, ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { carries, nearHeights } from './band.ts';
import { frame } from './frame.ts';
import {
  F_LIST_S,
  FLOOR_ONLY,
  H_GRID_H,
  H_GRID_INV,
  H_GRID_W,
  H_GRID_X,
  H_GRID_Z,
  H_INV_UNIT,
  H_ORIGIN_X,
  H_ORIGIN_Z,
  H_TABLE,
  IN,
  MAP_BASE,
  NONE,
  OUT,
  POLY_STRIDE,
  SECTION_CELL_LIST,
  SECTION_CELL_START,
} from './layout.ts';
import {
  component,
  count,
  firstPiece,
  heightAt,
  holds,
  INSIDE,
  idOf,
  neighbour,
  nextPiece,
  OFF_GRID,
  OUTSIDE,
  polyAt,
  polygons,
  stands,
  toMetresX,
  toMetresZ,
  toUnitsX,
  toUnitsZ,
  vid,
  x,
  yMin,
  z,
} from './mesh.ts';
import { nearest, nearestDistance, nearestX, nearestZ } from './nearest.ts';
import { orient } from './orient.ts';

/** Tolerances beyond this many metres count as this many: the search for the nearest polygon stays bounded. */
export const TOLERANCE_MAX: f64 = 64.0;

// Answers of `place`; valid until the next call.
let atX: f64 = 0.0;
let atZ: f64 = 0.0;
let atDistance: f64 = 0.0;

/** Plan position (units, on the grid) of the last `place`. */
export function placedX(): f64 {
  return atX;
}
export function placedZ(): f64 {
  return atZ;
}
/** Plan distance (m) between the asked position and the mesh: 0 when a polygon holds it. */
export function placedDistance(): f64 {
  return atDistance;
}

function cellStarts(): u32 {
  return MAP_BASE + ldU32(MAP_BASE + H_TABLE + SECTION_CELL_START * 8);
}
function cellList(): u32 {
  return MAP_BASE + ldU32(MAP_BASE + H_TABLE + SECTION_CELL_LIST * 8);
}

/**
 * Writes the record addresses of every polygon whose closed area holds the grid point, and whose detail height there is
 * in the band, to `list` in id order, pieces of a cut one in its place; returns how many. The list never outgrows H_MAX_LIST: a
 * grid cell lists all polygons whose closed area meets the closed cell, in id order. Bound: one pass over one cell's list and the
 * pieces of what it lists.
 */
export function locateAll(px: f64, pz: f64, py: f64, below: f64, above: f64, list: u32): u32 {
  const inverse: f64 = ldF64(MAP_BASE + H_GRID_INV);
  const cx: f64 = Math.floor((px - ldF64(MAP_BASE + H_GRID_X)) * inverse);
  const cz: f64 = Math.floor((pz - ldF64(MAP_BASE + H_GRID_Z)) * inverse);
  const w: u32 = ldU32(MAP_BASE + H_GRID_W);
  const h: u32 = ldU32(MAP_BASE + H_GRID_H);
  // The far rim of the grid belongs to its last cells: lists are closed.
  if (!(cx >= 0.0 && cz >= 0.0 && cx <= (w as f64) && cz <= (h as f64))) return 0;
  const ix: u32 = Math.min(cx, (w as f64) - 1.0) as u32;
  const iz: u32 = Math.min(cz, (h as f64) - 1.0) as u32;
  const starts: u32 = cellStarts() + ((iz * w + ix) << 2);
  const entries: u32 = cellList();
  const records: u32 = polyAt(0);
  const end: u32 = entries + (ldU32(starts + 4) << 2);
  let found: u32 = 0;
  for (let e: u32 = entries + (ldU32(starts) << 2); e < end; e += 4) {
    const p: u32 = records + ldU32(e) * POLY_STRIDE;
    if (yMin(p) === Infinity) {
      // Its pieces may reach a unit or two beyond it, so they are asked even where it does not hold the point.
      found = locatePieces(p, px, pz, py, below, above, list, found);
    } else if (holds(p, px, pz) && carries(p, px, pz, py, below, above)) {
      stU32(list + (found << 2), p);
      found = found + 1;
    }
  }
  return found;
}

/** The same for the pieces of polygon p, when obstacles have cut it: after `found` others. Bound: its pieces. */
function locatePieces(p: u32, px: f64, pz: f64, py: f64, below: f64, above: f64, list: u32, found: u32): u32 {
  for (let q: u32 = firstPiece(p); q !== 0; q = nextPiece(q)) {
    if (!holds(q, px, pz) || !carries(q, px, pz, py, below, above)) continue;
    stU32(list + (found << 2), q);
    found = found + 1;
  }
  return found;
}

/** Of `n` listed polygons (n >= 1) the one whose height at the point is nearest to py; ties: the lowest id. */
export function closestFloor(list: u32, n: u32, px: f64, pz: f64, py: f64): u32 {
  let best: u32 = ldU32(list);
  if (n === 1) return best;
  let least: f64 = Math.abs(py - heightAt(best, px, pz));
  for (let i: u32 = 1; i < n; i++) {
    const p: u32 = ldU32(list + (i << 2));
    const gap: f64 = Math.abs(py - heightAt(p, px, pz));
    if (gap < least) {
      least = gap;
      best = p;
    }
  }
  return best;
}

/**
 * Record address of the polygon that a hint names when it holds the point and the height is in the band of the polygon's
 * heights, else 0. The hint says which floor is meant, so its detail surface is not looked up here; with FLOOR_ONLY it does
 * not answer for its rim.
 */
function locateHint(hint: u32, px: f64, pz: f64, py: f64, below: f64, above: f64): u32 {
  const id: u32 = hint & ~FLOOR_ONLY;
  if (id >= polygons()) return 0;
  const p: u32 = polyAt(id);
  const where: u32 = stands(p, px, pz);
  if (where === OUTSIDE || (where !== INSIDE && id !== hint)) return 0;
  return nearHeights(p, py, below, above) ? p : 0;
}

/**
 * Whether a hint may be taken for the floor of a *target*: false when the point is inside its polygon and out of the band of
 * the height there. Who starts on a known floor is on it; who claims a point of it may be under it.
 */
export function floorOver(hint: u32, px: f64, pz: f64, py: f64, below: f64, above: f64): bool {
  if (hint >= polygons()) return true;
  const p: u32 = polyAt(hint);
  return stands(p, px, pz) !== INSIDE || carries(p, px, pz, py, below, above);
}

/**
 * Whether closed polygons p and q, which both hold the point, are joined there: by a common edge, or by a chain of them round
 * a common corner (one vertex id per fan). Two fans that touch in a point only are not. Bound: their corners.
 */
function joined(p: u32, q: u32, px: f64, pz: f64): bool {
  const n: u32 = count(p);
  for (let i: u32 = 0; i < n; i++) {
    if (x(p, i) !== px || z(p, i) !== pz) continue;
    const vertex: u32 = vid(p, i);
    const corners: u32 = count(q);
    for (let k: u32 = 0; k < corners; k++) {
      if (vid(q, k) === vertex) return true;
    }
    return false;
  }
  // on the rim between two corners: what else is joined there lies across that edge
  for (let i: u32 = 0; i < n; i++) {
    const j: u32 = i + 1 < n ? i + 1 : 0;
    if (neighbour(p, i) === q && orient(x(p, i), z(p, i), x(p, j), z(p, j), px, pz) === 0.0) return true;
  }
  return false;
}

/**
 * Of the n >= 1 listed polygons those on the floor of polygon p, when the closed p holds the point: no higher or lower there
 * than p by more than `below` (m). Returns how many; all of them when p does not hold the point or is not listed.
 */
function keepFloor(p: u32, px: f64, pz: f64, below: f64, list: u32, n: u32): u32 {
  let listed: bool = false;
  for (let i: u32 = 0; i < n; i++) {
    if (ldU32(list + (i << 2)) === p) listed = true;
  }
  if (!listed) return n;
  const h: f64 = heightAt(p, px, pz);
  let kept: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const q: u32 = ldU32(list + (i << 2));
    if (q === p || Math.abs(heightAt(q, px, pz) - h) <= below) {
      stU32(list + (kept << 2), q);
      kept = kept + 1;
    }
  }
  return kept;
}

/**
 * Puts a position (m) on the mesh. Writes the polygons that hold it there, in the band and in id order, to `list` and
 * returns how many: 0 when no polygon is within the tolerance (m), NONE when the position is not finite or out of range.
 * Sets placedX, placedZ, placedDistance. `hint` (polygon id or NONE) alone answers when it holds the point: what is joined to
 * it there is reached from it, and who stands in it at a corner that another fan touches is not in that fan. With FLOOR_ONLY
 * it says on its rim which floor is meant, not which side of a corner.
 */
export function place(mx: f64, my: f64, mz: f64, below: f64, above: f64, tolerance: f64, hint: u32, list: u32): u32 {
  const px: f64 = toUnitsX(mx);
  const pz: f64 = toUnitsZ(mz);
  if (px === OFF_GRID || pz === OFF_GRID || !(Math.abs(my) < Infinity)) return NONE;
  atX = px;
  atZ = pz;
  atDistance = 0.0;
  const known: u32 = locateHint(hint, px, pz, my, below, above);
  if (known !== 0) {
    stU32(list, known);
    return 1;
  }
  const n: u32 = locateAll(px, pz, my, below, above, list);
  if (n > 0 || !(tolerance > 0.0)) return onFloor(hint, px, pz, below, list, n);
  const inverse: f64 = ldF64(MAP_BASE + H_INV_UNIT);
  // The distance is measured from the asked point itself, not from its grid point.
  const ux: f64 = (mx - ldF64(MAP_BASE + H_ORIGIN_X)) * inverse;
  const uz: f64 = (mz - ldF64(MAP_BASE + H_ORIGIN_Z)) * inverse;
  if (nearest(ux, uz, my, below, above, Math.min(tolerance, TOLERANCE_MAX) * inverse) === 0) return 0;
  atX = nearestX();
  atZ = nearestZ();
  atDistance = nearestDistance();
  const near: u32 = locateHint(hint, atX, atZ, my, below, above);
  if (near !== 0) {
    stU32(list, near);
    return 1;
  }
  return onFloor(hint, atX, atZ, below, list, locateAll(atX, atZ, my, below, above, list));
}

/** How many of the n listed polygons are on the floor that the hint names. */
function onFloor(hint: u32, px: f64, pz: f64, below: f64, list: u32, n: u32): u32 {
  const id: u32 = hint & ~FLOOR_ONLY;
  return n > 1 && id < polygons() ? keepFloor(polyAt(id), px, pz, below, list, n) : n;
}

let held: u32 = 0;
function locateInto(mx: f64, my: f64, mz: f64, below: f64, above: f64, tolerance: f64, list: u32): u32 {
  const n: u32 = place(mx, my, mz, below, above, tolerance, NONE, list);
  if (n === 0 || n === NONE) {
    held = 0;
    return 0;
  }
  held = n;
  return closestFloor(list, n, atX, atZ, my);
}

/** Whether one of the n listed polygons on the floor of p (within `below`, m) touches p at the placed point only. */
function touched(list: u32, n: u32, p: u32, below: f64): bool {
  const h: f64 = heightAt(p, atX, atZ);
  for (let i: u32 = 0; i < n; i++) {
    const q: u32 = ldU32(list + (i << 2));
    if (q !== p && Math.abs(heightAt(q, atX, atZ) - h) <= below && !joined(p, q, atX, atZ)) return true;
  }
  return false;
}

/** Entry point: see KernelExports.locate. A position on no polygon gives distance Infinity, component NONE. */
export function locate(): u32 {
  const f: u32 = frame();
  const p: u32 = locateInto(
    ldF64(f + IN),
    ldF64(f + IN + 8),
    ldF64(f + IN + 16),
    ldF64(f + IN + 24),
    ldF64(f + IN + 32),
    ldF64(f + IN + 40),
    ldU32(f + F_LIST_S),
  );
  const out: u32 = f + OUT;
  stF64(out + 40, held as f64);
  stF64(out + 48, held > 1 && touched(ldU32(f + F_LIST_S), held, p, ldF64(f + IN + 24)) ? 1.0 : 0.0);
  if (p === 0) {
    stF64(out, 0.0);
    stF64(out + 8, 0.0);
    stF64(out + 16, 0.0);
    stF64(out + 24, Infinity);
    stF64(out + 32, NONE as f64);
    return NONE;
  }
  stF64(out, toMetresX(atX));
  stF64(out + 8, heightAt(p, atX, atZ));
  stF64(out + 16, toMetresZ(atZ));
  stF64(out + 24, atDistance);
  stF64(out + 32, component(p) as f64);
  return idOf(p);
}

/**
 * Entry point. pos: f64[3n]; out: polygon u32[n] (NONE = off the mesh), point f64[3n] (zeros when off), distance f64[n]
 * (Infinity when off). below, above, tolerance in IN 6, 7, 8.
 */
export function batchLocate(n: u32, pos: u32, polygon: u32, point: u32, distance: u32): void {
  const f: u32 = frame();
  const below: f64 = ldF64(f + IN + 48);
  const above: f64 = ldF64(f + IN + 56);
  const tolerance: f64 = ldF64(f + IN + 64);
  const list: u32 = ldU32(f + F_LIST_S);
  for (let i: u32 = 0; i < n; i++) {
    const from: u32 = pos + i * 24;
    const to: u32 = point + i * 24;
    const p: u32 = locateInto(ldF64(from), ldF64(from + 8), ldF64(from + 16), below, above, tolerance, list);
    if (p === 0) {
      stU32(polygon + (i << 2), NONE);
      stF64(to, 0.0);
      stF64(to + 8, 0.0);
      stF64(to + 16, 0.0);
      stF64(distance + (i << 3), Infinity);
    } else {
      stU32(polygon + (i << 2), idOf(p));
      stF64(to, toMetresX(atX));
      stF64(to + 8, heightAt(p, atX, atZ));
      stF64(to + 16, toMetresZ(atZ));
      stF64(distance + (i << 3), atDistance);
    }
  }
}
