// Accessors over the packed map at MAP_BASE: polygon records, detail heights, the lattice. Imported by every navmesh
// kernel. A polygon is named by the address of its record; its corners are exact integers in units, heights in metres.

import { ldF32, ldF64, ldU8, ldU32 } from '../src/kernel/twin/memory.ts';
import { standing } from '../src/kernel/twin/signs.ts';
import {
  D_LEVEL,
  D_SLOPE_X,
  D_SLOPE_Z,
  D_SPREAD,
  D_TRI_COUNT,
  D_TRIS,
  D_VERTS,
  DETAIL_TRI_STRIDE,
  DETAIL_VERT_STRIDE,
  H_CHAINS,
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

/**
 * Record address of the first piece of a polygon that obstacles have cut, 0 = it is whole. What is cut has heights of Infinity,
 * and what is closed too; the latter leads nowhere. See src/live.
 */
export function firstPiece(p: u32): u32 {
  return yMin(p) === Infinity ? neighbour(p, 0) : 0;
}
/** The next piece of the same polygon, 0 = q was the last. Chains end: src/live makes them. */
export function nextPiece(q: u32): u32 {
  const offset: u32 = ldU32(MAP_BASE + ldU32(MAP_BASE + H_CHAINS) + (idOf(q) << 2));
  return offset === 0 ? 0 : MAP_BASE + offset;
}

/** Answers of `stands`. */
export const OUTSIDE: u32 = 0;
export const RIM: u32 = 1;
/** Strictly inside: no other polygon of the same floor holds the point. */
export const INSIDE: u32 = 2;

/** Where a grid point stands to the polygon: exact. At most 8 corners. */
export function stands(p: u32, px: f64, pz: f64): u32 {
  return standing(p + P_X, p + P_Z, count(p), px, pz);
}

/** Whether the closed polygon holds the grid point. */
export function holds(p: u32, px: f64, pz: f64): bool {
  return stands(p, px, pz) !== OUTSIDE;
}

// ---- detail heights ---------------------------------------------------------------------------------------------------

/**
 * Height (m) of the polygon's detail surface at a plan point (units). The first triangle that holds the point (closed)
 * answers; snapping may leave gaps, then the nearest point of the triangles' sides answers.
 * Bound: at most two passes over the polygon's detail triangles.
 */
export function heightAt(p: u32, px: f64, pz: f64): f64 {
  const low: f64 = yMin(p);
  const high: f64 = yMax(p);
  if (low === high) return low;
  const entry: u32 = detail(p);
  const verts: u32 = MAP_BASE + ldU32(entry + D_VERTS);
  const tris: u32 = MAP_BASE + ldU32(entry + D_TRIS);
  const end: u32 = tris + ldU32(entry + D_TRI_COUNT) * DETAIL_TRI_STRIDE;
  for (let tri: u32 = tris; tri < end; tri += DETAIL_TRI_STRIDE) {
    const a: u32 = verts + ldU8(tri) * DETAIL_VERT_STRIDE;
    const b: u32 = verts + ldU8(tri + 1) * DETAIL_VERT_STRIDE;
    const c: u32 = verts + ldU8(tri + 2) * DETAIL_VERT_STRIDE;
    // Corners less the point: the weight of a corner is the cross product of the other two.
    const ax: f64 = ldF32(a) - px;
    const az: f64 = ldF32(a + 8) - pz;
    const bx: f64 = ldF32(b) - px;
    const bz: f64 = ldF32(b + 8) - pz;
    const cx: f64 = ldF32(c) - px;
    const cz: f64 = ldF32(c + 8) - pz;
    const wa: f64 = bx * cz - bz * cx;
    const wb: f64 = cx * az - cz * ax;
    const wc: f64 = ax * bz - az * bx;
    // One branch, seldom taken otherwise: three would be coin tosses.
    const out: u32 = (wa < 0.0 ? 1 : 0) | (wb < 0.0 ? 1 : 0) | (wc < 0.0 ? 1 : 0);
    if (out !== 0) continue;
    const area: f64 = wa + wb + wc;
    if (area === 0.0) continue;
    // Rounding must not leave the polygon's range: the band is tested against the range first.
    const h: f64 = (wa * ldF32(a + 4) + wb * ldF32(b + 4) + wc * ldF32(c + 4)) / area;
    return Math.min(Math.max(h, low), high);
  }
  return Math.min(Math.max(heightBeside(verts, tris, end, low, px, pz), low), high);
}

/** Height at a point that no detail triangle holds: at the nearest point of all sides; `none` without a real triangle. */
function heightBeside(verts: u32, tris: u32, end: u32, none: f64, px: f64, pz: f64): f64 {
  let least: f64 = Infinity;
  let height: f64 = none;
  for (let tri: u32 = tris; tri < end; tri += DETAIL_TRI_STRIDE) {
    for (let k: u32 = 0; k < 3; k++) {
      const a: u32 = verts + ldU8(tri + k) * DETAIL_VERT_STRIDE;
      const b: u32 = verts + ldU8(tri + (k === 2 ? 0 : k + 1)) * DETAIL_VERT_STRIDE;
      const ax: f64 = ldF32(a);
      const az: f64 = ldF32(a + 8);
      const ex: f64 = ldF32(b) - ax;
      const ez: f64 = ldF32(b + 8) - az;
      const length2: f64 = ex * ex + ez * ez;
      if (length2 === 0.0) continue;
      const s: f64 = Math.min(Math.max(((px - ax) * ex + (pz - az) * ez) / length2, 0.0), 1.0);
      const dx: f64 = px - (ax + s * ex);
      const dz: f64 = pz - (az + s * ez);
      const d: f64 = dx * dx + dz * dz;
      if (d < least) {
        least = d;
        height = ldF32(a + 4) + s * (ldF32(b + 4) - ldF32(a + 4));
      }
    }
  }
  return height;
}

/** The plane that the polygon's detail surface lies near, at a plan point (units): metres. */
export function planeAt(p: u32, px: f64, pz: f64): f64 {
  const entry: u32 = detail(p);
  return ldF32(entry + D_LEVEL) + ldF32(entry + D_SLOPE_X) * px + ldF32(entry + D_SLOPE_Z) * pz;
}
/** No height of the surface is farther than this (m) from planeAt; may be Infinity. */
export function planeSpread(p: u32): f64 {
  return ldF32(detail(p) + D_SPREAD);
}
