// Accessors over the packed map at MAP_BASE: polygon records, detail heights, the lattice. Imported by every navmesh
// kernel. A polygon is named by the address of its record; its corners are exact integers in units, heights in metres.

import { ldF32, ldF64, ldU8, ldU32 } from '../src/kernel/twin/memory.ts';
import {
  D_TRI_COUNT,
  D_TRIS,
  D_VERTS,
  DETAIL_TRI_STRIDE,
  DETAIL_VERT_STRIDE,
  H_INV_UNIT,
  H_ORIGIN_X,
  H_ORIGIN_Z,
  H_POLYGONS,
  H_TABLE,
  H_UNIT,
  MAP_BASE,
  P_COMPONENT,
  P_COUNT,
  P_DETAIL,
  P_ID,
  P_NEI,
  P_VID,
  P_X,
  P_Y,
  P_YMAX,
  P_YMIN,
  P_Z,
  POLY_STRIDE,
} from './layout.ts';
import { orient } from './orient.ts';

/** Largest |coordinate| in units: beyond it determinants are no longer exact. */
export const RANGE: f64 = 16777216.0;
/** What toUnitsX and toUnitsZ answer for a coordinate that is not finite or beyond RANGE. */
export const OFF_GRID: f64 = 33554432.0;

// ---- the map ------------------------------------------------------------------------------------------------------

export function polygons(): u32 {
  return ldU32(MAP_BASE + H_POLYGONS);
}
/** Record address of polygon `id`; SECTION_POLYGONS is the table's first entry. */
export function polyAt(id: u32): u32 {
  return MAP_BASE + ldU32(MAP_BASE + H_TABLE) + id * POLY_STRIDE;
}
/** Metres per unit. */
export function unit(): f64 {
  return ldF64(MAP_BASE + H_UNIT);
}

function toUnits(metres: f64, origin: f64, inverse: f64): f64 {
  const u: f64 = Math.floor((metres - origin) * inverse + 0.5);
  // Written so that NaN fails it.
  return Math.abs(u) <= RANGE ? u : OFF_GRID;
}
/** The nearest grid coordinate, or OFF_GRID. */
export function toUnitsX(metres: f64): f64 {
  return toUnits(metres, ldF64(MAP_BASE + H_ORIGIN_X), ldF64(MAP_BASE + H_INV_UNIT));
}
export function toUnitsZ(metres: f64): f64 {
  return toUnits(metres, ldF64(MAP_BASE + H_ORIGIN_Z), ldF64(MAP_BASE + H_INV_UNIT));
}
export function toMetresX(units: f64): f64 {
  return ldF64(MAP_BASE + H_ORIGIN_X) + units * ldF64(MAP_BASE + H_UNIT);
}
export function toMetresZ(units: f64): f64 {
  return ldF64(MAP_BASE + H_ORIGIN_Z) + units * ldF64(MAP_BASE + H_UNIT);
}

// ---- one polygon ----------------------------------------------------------------------------------------------------

export function idOf(p: u32): u32 {
  return ldU32(p + P_ID);
}
export function count(p: u32): u32 {
  return ldU8(p + P_COUNT);
}
export function component(p: u32): u32 {
  return ldU32(p + P_COMPONENT);
}
export function x(p: u32, i: u32): f64 {
  return ldF32(p + P_X + (i << 2));
}
export function z(p: u32, i: u32): f64 {
  return ldF32(p + P_Z + (i << 2));
}
export function y(p: u32, i: u32): f64 {
  return ldF32(p + P_Y + (i << 2));
}
/** Vertex id of corner i: one per walkable fan. */
export function vid(p: u32, i: u32): u32 {
  return ldU32(p + P_VID + (i << 2));
}
/** Record address of the polygon across edge i -> i+1, 0 = wall. */
export function neighbour(p: u32, i: u32): u32 {
  const offset: u32 = ldU32(p + P_NEI + (i << 2));
  return offset === 0 ? 0 : MAP_BASE + offset;
}
/** Address of the polygon's detail index entry. */
export function detail(p: u32): u32 {
  return MAP_BASE + ldU32(p + P_DETAIL);
}
export function yMin(p: u32): f64 {
  return ldF32(p + P_YMIN);
}
export function yMax(p: u32): f64 {
  return ldF32(p + P_YMAX);
}

/** Whether the closed polygon holds the grid point: exact, every edge sign >= 0. At most 8 steps. */
export function holds(p: u32, px: f64, pz: f64): bool {
  const n: u32 = count(p);
  let ax: f64 = x(p, n - 1);
  let az: f64 = z(p, n - 1);
  for (let i: u32 = 0; i < n; i++) {
    const bx: f64 = x(p, i);
    const bz: f64 = z(p, i);
    if (orient(ax, az, bx, bz, px, pz) < 0.0) return false;
    ax = bx;
    az = bz;
  }
  return true;
}

/** Whether the grid point lies strictly inside: then no other polygon of the same floor holds it. At most 8 steps. */
export function holdsInside(p: u32, px: f64, pz: f64): bool {
  const n: u32 = count(p);
  let ax: f64 = x(p, n - 1);
  let az: f64 = z(p, n - 1);
  for (let i: u32 = 0; i < n; i++) {
    const bx: f64 = x(p, i);
    const bz: f64 = z(p, i);
    if (orient(ax, az, bx, bz, px, pz) <= 0.0) return false;
    ax = bx;
    az = bz;
  }
  return true;
}

// ---- detail heights ---------------------------------------------------------------------------------------------------

/**
 * Height (m) of the polygon's detail surface at a plan point (units). The first triangle that holds the point (closed)
 * answers; snapping may leave gaps, then the triangle that the point is least outside of answers, clamped to its rim.
 * Bound: one pass over the polygon's detail triangles.
 */
export function heightAt(p: u32, px: f64, pz: f64): f64 {
  const low: f64 = yMin(p);
  const high: f64 = yMax(p);
  if (low === high) return low;
  const entry: u32 = detail(p);
  const verts: u32 = MAP_BASE + ldU32(entry + D_VERTS);
  const tris: u32 = MAP_BASE + ldU32(entry + D_TRIS);
  const triangles: u32 = ldU32(entry + D_TRI_COUNT);
  let least: f64 = Infinity;
  let height: f64 = low;
  for (let t: u32 = 0; t < triangles; t++) {
    const tri: u32 = tris + t * DETAIL_TRI_STRIDE;
    const a: u32 = verts + ldU8(tri) * DETAIL_VERT_STRIDE;
    const b: u32 = verts + ldU8(tri + 1) * DETAIL_VERT_STRIDE;
    const c: u32 = verts + ldU8(tri + 2) * DETAIL_VERT_STRIDE;
    const ax: f64 = ldF32(a);
    const az: f64 = ldF32(a + 8);
    const bx: f64 = ldF32(b);
    const bz: f64 = ldF32(b + 8);
    const cx: f64 = ldF32(c);
    const cz: f64 = ldF32(c + 8);
    const area: f64 = orient(ax, az, bx, bz, cx, cz);
    if (area <= 0.0) continue;
    // Barycentric weights times the area: how far the point lies inside the side opposite to each corner.
    let wa: f64 = orient(bx, bz, cx, cz, px, pz);
    let wb: f64 = orient(cx, cz, ax, az, px, pz);
    let wc: f64 = orient(ax, az, bx, bz, px, pz);
    if (wa >= 0.0 && wb >= 0.0 && wc >= 0.0) {
      // Rounding must not leave the polygon's range: the band is tested against the range first.
      return Math.min(Math.max((wa * ldF32(a + 4) + wb * ldF32(b + 4) + wc * ldF32(c + 4)) / area, low), high);
    }
    // Squared distance outside of the worst side.
    let outside: f64 = 0.0;
    if (wa < 0.0) outside = (wa * wa) / ((cx - bx) * (cx - bx) + (cz - bz) * (cz - bz));
    if (wb < 0.0) outside = Math.max(outside, (wb * wb) / ((ax - cx) * (ax - cx) + (az - cz) * (az - cz)));
    if (wc < 0.0) outside = Math.max(outside, (wc * wc) / ((bx - ax) * (bx - ax) + (bz - az) * (bz - az)));
    if (outside < least) {
      least = outside;
      wa = Math.max(wa, 0.0);
      wb = Math.max(wb, 0.0);
      wc = Math.max(wc, 0.0);
      // Their sum is at least the area, which is positive: the three signed weights add up to it.
      height = (wa * ldF32(a + 4) + wb * ldF32(b + 4) + wc * ldF32(c + 4)) / (wa + wb + wc);
    }
  }
  return Math.min(Math.max(height, low), high);
}
