// Line of sight on a walkability grid: an exact integer walk of the cells that a segment touches. Exported through
// index.ts; the memory it reads is made by src/kernel/gridsight.ts.
//
// Amanatides & Woo 1987, "A Fast Voxel Traversal Algorithm", with the crossing parameters t = distance / |delta|
// compared by cross-multiplication instead of division. Positions are floored to 1/1024 cell first, so every number
// is an integer of at most 2^25, every product at most 2^50: no rounding, no epsilon.
//
// Which cells count. Cells are half-open (a point belongs to floor(x), floor(z)). From cell c0 to cell c1 the segment
// crosses the grid lines min(c0, c1) + 1 .. max(c0, c1) of each axis: the same lines in both directions, at mirrored
// parameters, in mirrored order. So the cells between the crossings are the same in both directions: sight is
// symmetric. A segment along a grid line belongs to the row (column) that the line opens.
// Lines of both axes crossed at the same parameter = an exact corner: both side cells blocked -> blocked (no squeeze
// between two blocked cells that touch at a corner); one blocked -> clear (the corner is touched, not entered).
// Bound: |dcx| + |dcz| <= width + height steps, known before the first.
import { ldF64, ldU8, ldU32, stU8 } from '../src/kernel/twin/memory.ts';
import { GRID_CELLS, GRID_FRACTION, GRID_HEIGHT, GRID_WIDTH, MAP_BASE } from './layout.ts';

/** Positions in cells. 1 = clear; 0 = blocked, also for ends outside the grid or not finite. */
export function gridSight(x0: f64, z0: f64, x1: f64, z1: f64): u32 {
  const width: u32 = ldU32(MAP_BASE + GRID_WIDTH);
  const height: u32 = ldU32(MAP_BASE + GRID_HEIGHT);
  const w: f64 = width as f64;
  const h: f64 = height as f64;
  // Positive tests, so that NaN fails them.
  if (!(x0 >= 0.0 && x0 < w && z0 >= 0.0 && z0 < h)) return 0;
  if (!(x1 >= 0.0 && x1 < w && z1 >= 0.0 && z1 < h)) return 0;

  const cx0: f64 = Math.floor(x0);
  const cz0: f64 = Math.floor(z0);
  const cx1: f64 = Math.floor(x1);
  const cz1: f64 = Math.floor(z1);
  const row: u32 = (width + 2) >>> 0;
  const first: u32 = (MAP_BASE + GRID_CELLS + row + 1) >>> 0;
  // At most 2^15 rows of 2^15 + 2 bytes: exact in f64 and in u32.
  const start: u32 = ((cz0 * (row as f64) + cx0) as u32) >>> 0;
  const end: u32 = ((cz1 * (row as f64) + cx1) as u32) >>> 0;
  let cell: u32 = (first + start) >>> 0;
  const atStart: u32 = ldU8(cell);
  const atEnd: u32 = ldU8((first + end) >>> 0);
  if (atStart === 0 || atEnd === 0) return 0;

  let stepsX: f64 = Math.abs(cx1 - cx0);
  let stepsZ: f64 = Math.abs(cz1 - cz0);
  // The whole box of the two cells, corner neighbours included, lies within the clearance of one end: every cell that
  // the walk could ask for is walkable. (byte = 1 + clearance, so < is <=.)
  const far: f64 = stepsX > stepsZ ? stepsX : stepsZ;
  if (far < (atStart as f64) || far < (atEnd as f64)) return 1;

  const qx0: f64 = Math.floor(x0 * GRID_FRACTION);
  const qz0: f64 = Math.floor(z0 * GRID_FRACTION);
  const qx1: f64 = Math.floor(x1 * GRID_FRACTION);
  const qz1: f64 = Math.floor(z1 * GRID_FRACTION);
  const dx: f64 = Math.abs(qx1 - qx0);
  const dz: f64 = Math.abs(qz1 - qz0);
  // Steps as u32 that wrap: 2^32 - n goes back by n.
  const stepX: u32 = qx1 < qx0 ? 0xffffffff : 1;
  const stepZ: u32 = qz1 < qz0 ? (0 - row) >>> 0 : row;
  // Units from the start to the first line crossed.
  const ex: f64 = qx1 < qx0 ? qx0 - cx0 * GRID_FRACTION : (cx0 + 1.0) * GRID_FRACTION - qx0;
  const ez: f64 = qz1 < qz0 ? qz0 - cz0 * GRID_FRACTION : (cz0 + 1.0) * GRID_FRACTION - qz0;
  // > 0: the next z line comes first; < 0: the next x line; 0: both at once. (ex / dx against ez / dz.)
  let order: f64 = ex * dz - ez * dx;
  const orderX: f64 = dz * GRID_FRACTION;
  const orderZ: f64 = dx * GRID_FRACTION;

  while (stepsX > 0.0 && stepsZ > 0.0) {
    if (order < 0.0) {
      cell = (cell + stepX) >>> 0;
      order += orderX;
      stepsX -= 1.0;
    } else if (order > 0.0) {
      cell = (cell + stepZ) >>> 0;
      order -= orderZ;
      stepsZ -= 1.0;
    } else {
      if (ldU8((cell + stepX) >>> 0) === 0 && ldU8((cell + stepZ) >>> 0) === 0) return 0;
      cell = (((cell + stepX) >>> 0) + stepZ) >>> 0;
      order += orderX - orderZ;
      stepsX -= 1.0;
      stepsZ -= 1.0;
    }
    if (ldU8(cell) === 0) return 0;
  }
  // Lines of one axis only are left; comparing further would meet a line of the other axis that the end touches from
  // inside its own cell and does not cross.
  while (stepsX > 0.0) {
    cell = (cell + stepX) >>> 0;
    if (ldU8(cell) === 0) return 0;
    stepsX -= 1.0;
  }
  while (stepsZ > 0.0) {
    cell = (cell + stepZ) >>> 0;
    if (ldU8(cell) === 0) return 0;
    stepsZ -= 1.0;
  }
  return 1;
}

/** n rays: `from`, `to` f64[2n] in cells (x, z), `clear` u8[n]. */
export function batchGridSight(n: u32, from: u32, to: u32, clear: u32): void {
  let a: u32 = from;
  let b: u32 = to;
  let out: u32 = clear;
  const last: u32 = (clear + n) >>> 0;
  while (out !== last) {
    stU8(out, gridSight(ldF64(a), ldF64((a + 8) >>> 0), ldF64(b), ldF64((b + 8) >>> 0)));
    a = (a + 16) >>> 0;
    b = (b + 16) >>> 0;
    out = (out + 1) >>> 0;
  }
}
