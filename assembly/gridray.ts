// One ray on a walkability grid, from two positions to an answer. Imported by grid.ts and gridwave.ts.
//
// Which cells count. Positions are floored to 1/1024 cell (a unit). Cells are half-open: a point belongs to floor(x),
// floor(z). From cell c0 to cell c1 the segment crosses the grid lines min(c0, c1) + 1 .. max(c0, c1) of each axis: the
// same lines in both directions, at mirrored parameters, in mirrored order. So the cells between the crossings are the
// same in both directions: sight is symmetric. A segment along a grid line belongs to the row (column) that it opens.
// Lines of both axes crossed at the same parameter = an exact corner: both side cells blocked -> blocked (no squeeze
// between two blocked cells that touch at a corner); one blocked -> clear (the corner is touched, not entered).
//
// The walk goes row by row (Amanatides & Woo 1987 with the run lengths of Bresenham's line): with a the longer axis, walked
// upwards (sight is symmetric), and b the other, the j-th line of b is crossed after
//   K(j) = floor((N + (j - 1) * 1024 * da) / (1024 * db)) + 1,   N = eb * da - ea * db,
// lines of a, where da, db are the lengths and ea, eb the way to the first line, in units. A row of cells is one stretch of
// bits: in the plane by rows when a is x, in the plane by columns when a is z; so a row of up to 32 cells is one load.
// From one line of b to the next, K grows by quot or quot + 1 (quot = floor(da / db)), told apart by adding up rests.
//
// Exact in 32-bit integers on every grid: da, db < 2^25 and ea, eb <= 1024. N may have 35 bits, but only n = floor(N / 1024)
// and low = N mod 1024 are needed: with da = 1024 A + a, db = 1024 B + b,
//   N = 1024 (eb * A - ea * B) + (eb * a - ea * b),   both brackets within 2^26.
// Then K(1) = floor((n + db) / db), n >= -db, and the rest at each line is (n + db + (j - 1) * da) mod db < 2^25. An exact
// corner at a line of b has rest 0 and low 0, and its line of a is a real one: a is walked upwards, so even a line that
// the end stands on is crossed. No rounding, no epsilon.
import { ldBits, ldU32, stU32 } from '../src/kernel/twin/memory.ts';
import {
  GRID_BAND,
  GRID_FRACTION,
  GRID_HEIGHT,
  GRID_PLANES,
  GRID_WALL,
  GRID_WIDTH,
  LIST_ALONE,
  LIST_CORNERS,
  LIST_DONE,
  LIST_LONG,
  MAP_BASE,
  R_BACK,
  R_CELL,
  R_DIV,
  R_END,
  R_LEFT,
  R_LIST,
  R_LOW,
  R_QUOT,
  R_REST,
  R_ROWS,
  R_RUN,
  R_SEEN,
  R_START,
  R_STEP,
} from './layout.ts';

/** Bytes of one plane of a grid. */
export function gridPlaneBytes(cells: u32): u32 {
  return (((cells >>> 6) + 2) << 3) >>> 0;
}

/** Bit address of a plane: 0 by rows, 1 by columns, 2 and 3 their bands. */
export function gridPlane(which: u32): u32 {
  const cells: u32 = (ldU32(MAP_BASE + GRID_WIDTH) * ldU32(MAP_BASE + GRID_HEIGHT)) >>> 0;
  return ((MAP_BASE + GRID_PLANES + which * gridPlaneBytes(cells)) << 3) >>> 0;
}

export function signed(p: u32): i32 {
  return (ldU32(p) as i32) | 0;
}

/** u for mask 0, v for mask -1. */
export function pick(u: i32, v: i32, mask: i32): i32 {
  return u ^ ((u ^ v) & mask);
}

/** Bits 0 .. k, for k below 32. */
export function upTo(k: i32): i32 {
  return ((2 << k) - 1) | 0;
}

/**
 * Fills the fields of the ray at r (positions in cells). Everything is computed in a straight line: which axis is longer
 * and which way it goes are coin tosses, and a mispredicted branch costs more than all the masks.
 */
export function prepare(r: u32, x0: f64, z0: f64, x1: f64, z1: f64): void {
  const width: u32 = ldU32(MAP_BASE + GRID_WIDTH);
  const height: u32 = ldU32(MAP_BASE + GRID_HEIGHT);
  const w: f64 = width as f64;
  const h: f64 = height as f64;
  // Positive tests, so that NaN fails them.
  if (!(x0 >= 0.0 && x0 < w && z0 >= 0.0 && z0 < h && x1 >= 0.0 && x1 < w && z1 >= 0.0 && z1 < h)) {
    const wall: u32 = ((MAP_BASE + GRID_WALL) << 3) >>> 0;
    stU32(r + R_START, wall);
    stU32(r + R_END, wall);
    stU32(r + R_RUN, 0);
    stU32(r + R_ROWS, 0);
    stU32(r + R_LIST, LIST_DONE);
    stU32(r + R_SEEN, LIST_DONE);
    return;
  }
  const qx0: i32 = ((x0 * GRID_FRACTION) as i32) | 0;
  const qz0: i32 = ((z0 * GRID_FRACTION) as i32) | 0;
  const qx1: i32 = ((x1 * GRID_FRACTION) as i32) | 0;
  const qz1: i32 = ((z1 * GRID_FRACTION) as i32) | 0;
  // Masks are 0 or -1; (v ^ mask) - mask negates where it is -1.
  const mx: i32 = (qx1 - qx0) >> 31;
  const mz: i32 = (qz1 - qz0) >> 31;
  const dx: i32 = ((qx1 - qx0) ^ mx) - mx;
  const dz: i32 = ((qz1 - qz0) ^ mz) - mz;
  const steep: i32 = (dx - dz) >> 31;
  const da: i32 = pick(dx, dz, steep);
  const db: i32 = pick(dz, dx, steep);
  const af: i32 = pick(qx0, qz0, steep);
  const bf: i32 = pick(qz0, qx0, steep);
  const at: i32 = pick(qx1, qz1, steep);
  const bt: i32 = pick(qz1, qx1, steep);
  const turn: i32 = (at - af) >> 31;
  const a0: i32 = pick(af, at, turn);
  const b0: i32 = pick(bf, bt, turn);
  const a1: i32 = pick(at, af, turn);
  const b1: i32 = pick(bt, bf, turn);
  const down: i32 = (b1 - b0) >> 31;

  const lines: i32 = (a1 >> 10) - (a0 >> 10);
  const rows: i32 = (((b1 >> 10) - (b0 >> 10)) ^ down) - down;
  const ea: i32 = 1024 - (a0 & 1023);
  const eb: i32 = pick(1024 - (b0 & 1023), b0 & 1023, down);
  const low: i32 = eb * (da & 1023) - ea * (db & 1023);
  const n: i32 = eb * (da >> 10) - ea * (db >> 10) + (low >> 10) + db;
  // A ray along a has no line of b to cross: any divisor will do.
  const div: i32 = db | ((db - 1) >>> 31);
  const first: i32 = ((n as u32) / (div as u32)) | 0;
  const quot: i32 = ((da as u32) / (div as u32)) | 0;
  const single: i32 = (rows - 1) >> 31;
  const run: i32 = pick(first, lines, single);

  const stride: i32 = pick(width as i32, height as i32, steep);
  const row: i32 = (stride ^ down) - down;
  const plane: i32 = pick(gridPlane(0) as i32, gridPlane(1) as i32, steep);
  const start: i32 = plane + (b0 >> 10) * stride + (a0 >> 10);
  stU32(r + R_START, start as u32);
  stU32(r + R_RUN, run as u32);
  stU32(r + R_CELL, (start + run + row) as u32);
  stU32(r + R_REST, (n - first * div) as u32);
  stU32(r + R_DIV, div as u32);
  stU32(r + R_BACK, (da - quot * div - div) as u32);
  stU32(r + R_QUOT, quot as u32);
  stU32(r + R_STEP, (row + quot + 1) as u32);
  stU32(r + R_END, (start + lines + rows * row) as u32);
  stU32(r + R_ROWS, rows as u32);
  stU32(r + R_LEFT, (((rows - 1) >> 3) << 1) as u32);
  stU32(r + R_LOW, (low & 1023) as u32);
  const others: i32 = rows - 1;
  const long: i32 = ((GRID_BAND as i32) - 1 - others) >> 31;
  const corners: i32 = (((low & 1023) - 1) >> 31) & ~single;
  // What a wave does not do: rows of more than 32 cells, and exact corners on long rays.
  const alone: i32 = ((31 - run) >> 31) | (((30 - quot) >> 31) & ~single) | (corners & long);
  stU32(r + R_SEEN, pick(LIST_DONE as i32, LIST_ALONE as i32, alone | corners) as u32);
  const list: i32 =
    (others & ((GRID_BAND as i32) - 1)) | ((LIST_LONG as i32) & long) | ((LIST_CORNERS as i32) & corners);
  stU32(r + R_LIST, pick(pick(list, LIST_DONE as i32, single), LIST_ALONE as i32, alone) as u32);
}

/** Whether one of the cells p .. p + k of a row is blocked. */
function runBlocked(p: i32, k: i32): bool {
  while (k > 31) {
    if (ldBits(p as u32) !== 0) return true;
    p = p + 32;
    k = k - 32;
  }
  return (ldBits(p as u32) & upTo(k)) !== 0;
}

/** Walks the prepared ray at r. 1 = clear. Bound: R_ROWS + 1 rows, and a load for each 32 cells of a row. */
export function walk(r: u32): u32 {
  const quot: i32 = signed(r + R_QUOT);
  const row: i32 = signed(r + R_STEP) - quot - 1;
  const div: i32 = signed(r + R_DIV);
  const back: i32 = signed(r + R_BACK);
  const corners: bool = ldU32(r + R_LOW) === 0;
  let rows: i32 = signed(r + R_ROWS);
  let run: i32 = signed(r + R_RUN);
  let rest: i32 = signed(r + R_REST);
  let p: i32 = signed(r + R_START);
  const end: i32 = signed(r + R_END);
  while (rows > 0) {
    if (corners && rest === 0 && run > 0) {
      // The run's last line of a and the line of b at once: the last cell of the run is only a side cell.
      if (runBlocked(p, run - 1)) return 0;
      if ((ldBits((p + run) as u32) & ldBits((p + run - 1 + row) as u32) & 1) !== 0) return 0;
    } else if (runBlocked(p, run)) return 0;
    p = p + run + row;
    rows = rows - 1;
    rest = rest + back;
    const borrow: i32 = rest >> 31;
    rest = rest + (div & borrow);
    run = quot + 1 + borrow;
  }
  return runBlocked(p, end - p) ? 0 : 1;
}
