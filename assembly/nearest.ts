// The polygon nearest to a position off the mesh, over the grid of exact overlaps. Imported by locate only. Distances are
// real numbers, but the point that stands for the answer is a grid point exactly inside its polygon.

import { ldF64, ldU32 } from '../src/kernel/twin/memory.ts';
import { carries, nearHeights } from './band.ts';
import {
  H_GRID_CELL,
  H_GRID_H,
  H_GRID_INV,
  H_GRID_W,
  H_GRID_X,
  H_GRID_Z,
  H_TABLE,
  MAP_BASE,
  SECTION_CELL_LIST,
  SECTION_CELL_START,
} from './layout.ts';
import { count, firstPiece, holds, nextPiece, polyAt, unit, x, z } from './mesh.ts';
import { orient } from './orient.ts';

/** No more rings of grid cells than this are searched: at most 513 x 513 cells. */
const RINGS_MAX: i32 = 256;

let nearX: f64 = 0.0;
let nearZ: f64 = 0.0;
let nearDistance: f64 = 0.0;

/** Answer of the last `nearest`: a grid point (units) of the polygon found. */
export function nearestX(): f64 {
  return nearX;
}
export function nearestZ(): f64 {
  return nearZ;
}
/** Plan distance (m) between the asked point and that polygon. */
export function nearestDistance(): f64 {
  return nearDistance;
}

// Nearest point of polygon p to a real plan point; sets nearX, nearZ and returns the squared distance, 0 inside.
// Corners come out as exact integers, so polygons that share the nearest corner tie exactly.
function nearestOn(p: u32, ux: f64, uz: f64): f64 {
  const n: u32 = count(p);
  let best: f64 = Infinity;
  let ax: f64 = x(p, n - 1);
  let az: f64 = z(p, n - 1);
  for (let i: u32 = 0; i < n; i++) {
    const bx: f64 = x(p, i);
    const bz: f64 = z(p, i);
    if (orient(ax, az, bx, bz, ux, uz) < 0.0) {
      const ex: f64 = bx - ax;
      const ez: f64 = bz - az;
      const s: f64 = Math.min(Math.max(((ux - ax) * ex + (uz - az) * ez) / (ex * ex + ez * ez), 0.0), 1.0);
      const qx: f64 = ax + s * ex;
      const qz: f64 = az + s * ez;
      const d: f64 = (ux - qx) * (ux - qx) + (uz - qz) * (uz - qz);
      if (d < best) {
        best = d;
        nearX = qx;
        nearZ = qz;
      }
    }
    ax = bx;
    az = bz;
  }
  if (best < Infinity) return best;
  nearX = ux;
  nearZ = uz;
  return 0.0;
}

// The grid point of closed polygon p that stands for its real point nearX, nearZ: the nearest one to (ux, uz) of the
// sixteen lattice points around, else (slivers) the polygon's nearest corner. It lies exactly inside, so a walk from
// it never starts outside. Sets nearX, nearZ. Bound: 16 point tests, then 8 corners.
function gridPointOn(p: u32, ux: f64, uz: f64): void {
  const fx: f64 = Math.floor(nearX);
  const fz: f64 = Math.floor(nearZ);
  let best: f64 = Infinity;
  for (let i: u32 = 0; i < 16; i++) {
    const gx: f64 = fx + ((i & 3) as f64) - 1.0;
    const gz: f64 = fz + ((i >>> 2) as f64) - 1.0;
    const d: f64 = (ux - gx) * (ux - gx) + (uz - gz) * (uz - gz);
    if (d < best && holds(p, gx, gz)) {
      best = d;
      nearX = gx;
      nearZ = gz;
    }
  }
  if (best < Infinity) return;
  const n: u32 = count(p);
  for (let i: u32 = 0; i < n; i++) {
    const gx: f64 = x(p, i);
    const gz: f64 = z(p, i);
    const d: f64 = (ux - gx) * (ux - gx) + (uz - gz) * (uz - gz);
    if (d < best) {
      best = d;
      nearX = gx;
      nearZ = gz;
    }
  }
}

/**
 * The polygon nearest in plan to a real point (units) within `tolerance` (units) whose height, at the grid point of it
 * that stands for the nearest point, is in the band; ties: the lowest id. Returns its record address or 0, and sets
 * nearestX, nearestZ (that grid point) and nearestDistance.
 * Rings of grid cells outwards; invariant: what is not yet seen lies farther than `reach`, the distance from the point
 * to the rim of the rings done. Bound: RINGS_MAX rings, and no cell outside the grid; the pieces of what stands in them.
 */
export function nearest(ux: f64, uz: f64, py: f64, below: f64, above: f64, tolerance: f64): u32 {
  const cell: f64 = ldF64(MAP_BASE + H_GRID_CELL);
  const inverse: f64 = ldF64(MAP_BASE + H_GRID_INV);
  const rx: f64 = (ux - ldF64(MAP_BASE + H_GRID_X)) * inverse;
  const rz: f64 = (uz - ldF64(MAP_BASE + H_GRID_Z)) * inverse;
  const fx: f64 = Math.floor(rx);
  const fz: f64 = Math.floor(rz);
  const w: i32 = (ldU32(MAP_BASE + H_GRID_W) as i32) | 0;
  const h: i32 = (ldU32(MAP_BASE + H_GRID_H) as i32) | 0;
  const cx: i32 = (fx as i32) | 0;
  const cz: i32 = (fz as i32) | 0;
  const starts: u32 = MAP_BASE + ldU32(MAP_BASE + H_TABLE + SECTION_CELL_START * 8);
  const entries: u32 = MAP_BASE + ldU32(MAP_BASE + H_TABLE + SECTION_CELL_LIST * 8);
  // From the point to the nearest side of its own cell.
  const margin: f64 = Math.min(Math.min(rx - fx, fx + 1.0 - rx), Math.min(rz - fz, fz + 1.0 - rz));
  let best: f64 = tolerance * tolerance;
  let bestPoly: u32 = 0;
  let bestBase: u32 = 0;
  let bestX: f64 = 0.0;
  let bestZ: f64 = 0.0;
  for (let ring: i32 = 0; ring <= RINGS_MAX; ring++) {
    if (ring > 0) {
      const reach: f64 = ((ring as f64) - 1.0 + margin) * cell;
      if (reach * reach > best) break;
    }
    let z0: i32 = cz - ring;
    if (z0 < 0) z0 = 0;
    let z1: i32 = cz + ring;
    if (z1 > h - 1) z1 = h - 1;
    let x0: i32 = cx - ring;
    if (x0 < 0) x0 = 0;
    let x1: i32 = cx + ring;
    if (x1 > w - 1) x1 = w - 1;
    for (let iz: i32 = z0; iz <= z1; iz++) {
      // Whole rows above and below, only the two ends of the rows between.
      const whole: bool = iz === cz - ring || iz === cz + ring;
      const step: i32 = whole ? 1 : ring * 2;
      for (let ix: i32 = whole ? x0 : cx - ring; ix <= x1; ix += step) {
        if (ix < 0) continue;
        const at: u32 = starts + (((iz * w + ix) as u32) << 2);
        const end: u32 = entries + (ldU32(at + 4) << 2);
        for (let e: u32 = entries + (ldU32(at) << 2); e < end; e += 4) {
          const p: u32 = polyAt(ldU32(e));
          // The polygon, or the pieces of a cut one.
          let q: u32 = nearHeights(p, py, below, above) ? p : firstPiece(p);
          for (; q !== 0; q = q === p ? 0 : nextPiece(q)) {
            if (!nearHeights(q, py, below, above)) continue;
            const d: f64 = nearestOn(q, ux, uz);
            // Records lie in id order, so the lower address is the lower id; pieces count as what they are cut from.
            if (d > best || (d === best && bestPoly !== 0 && p >= bestBase)) continue;
            gridPointOn(q, ux, uz);
            if (carries(q, nearX, nearZ, py, below, above)) {
              best = d;
              bestPoly = q;
              bestBase = p;
              bestX = nearX;
              bestZ = nearZ;
            }
          }
        }
      }
    }
  }
  if (bestPoly === 0) return 0;
  nearX = bestX;
  nearZ = bestZ;
  nearDistance = Math.sqrt(best) * unit();
  return bestPoly;
}
