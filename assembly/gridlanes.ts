// The WASM side of the grid's lanes leaf: four rays per vector. Its twin is src/kernel/twin/gridlanes.ts; the build script
// swaps this file in, so it imports nothing.
//
// The same numbers as `prepare` in gridray.ts, where their meaning and bounds stand; here only what differs.

// As in layout.ts, which a leaf cannot import.
const GRID_BAND: u32 = 8;
const R_START: u32 = 0;
const R_RUN: u32 = 1024;
const R_CELL: u32 = 2048;
const R_REST: u32 = 3072;
const R_DIV: u32 = 4096;
const R_BACK: u32 = 5120;
const R_QUOT: u32 = 6144;
const R_STEP: u32 = 7168;
const R_END: u32 = 8192;
const R_ROWS: u32 = 9216;
const R_LEFT: u32 = 10240;
const R_LOW: u32 = 11264;
const R_LIST: u32 = 12288;
const R_SEEN: u32 = 13312;
const LIST_LONG: u32 = 16;
const LIST_CORNERS: u32 = 8;
const LIST_ALONE: u32 = 27;
const LIST_DONE: u32 = 28;

// 2^52 + an integer of 0 .. 2^32 - 1 has this high word, and the integer as its low word: cheaper than a conversion, and
// anything else (below 0, too large, not a number) has another high word.
const TWO_52: f64 = 4503599627370496;
const HIGH_WORD: i32 = 0x43300000;

/** floor(v) as the low word of each f64 lane. */
function floored(v: v128): v128 {
  return f64x2.add(f64x2.floor(v), f64x2.splat(TWO_52));
}
/** The position (x, z) at `p` in units. */
function units(p: u32): v128 {
  return floored(f64x2.mul(v128.load(p as usize), f64x2.splat(1024)));
}
/** i32 lanes 0, 2 (low words, x) or 1, 3 (high words, z) of a and of b. */
function even(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 2, 4, 6);
}
function odd(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 1, 3, 5, 7);
}
/**
 * floor(v / d) for integers 0 <= v, d >= 1 below 2^27, given inv = 1 / d rounded: (v + 0.5) / d is at least 0.5 / d from
 * any integer, and the product is off by less than 2^27 / d * 2^-51.
 */
function quotients(v: v128, invLow: v128, invHigh: v128): v128 {
  const half: v128 = f64x2.splat(0.5);
  return even(
    floored(f64x2.mul(f64x2.add(f64x2.convert_low_i32x4_s(v), half), invLow)),
    floored(f64x2.mul(f64x2.add(f64x2.convert_low_i32x4_s(upper(v)), half), invHigh)),
  );
}
/** i32 lanes 2, 3 as 0, 1. */
function upper(v: v128): v128 {
  return v128.shuffle<i32>(v, v, 2, 3, 2, 3);
}

/** Prepares rays 0 .. n / 4 * 4 - 1; returns how many. See the twin for the arguments. */
export function prepareLanes(
  n: u32,
  from: u32,
  to: u32,
  rays: u32,
  width: u32,
  height: u32,
  byRows: u32,
  byColumns: u32,
  wall: u32,
): u32 {
  const w: v128 = i32x4.splat(width as i32);
  const h: v128 = i32x4.splat(height as i32);
  const limits: v128 = i32x4.sub(i32x4.shl(v128.shuffle<i32>(w, h, 0, 4, 0, 4), 10), i32x4.splat(1));
  const rowsPlane: v128 = i32x4.splat(byRows as i32);
  const columnsPlane: v128 = i32x4.splat(byColumns as i32);
  const walled: v128 = i32x4.splat(wall as i32);
  const last: u32 = rays + ((n & ~3) << 2);
  while (rays < last) {
    const f0: v128 = units(from);
    const f1: v128 = units(from + 16);
    const f2: v128 = units(from + 32);
    const f3: v128 = units(from + 48);
    const t0: v128 = units(to);
    const t1: v128 = units(to + 16);
    const t2: v128 = units(to + 32);
    const t3: v128 = units(to + 48);
    const inside: v128 = i32x4.splat(HIGH_WORD);
    // Coordinates out of the grid are brought into it, so that all that follows is in range, and the ray is marked.
    const f01: v128 = even(f0, f1);
    const f23: v128 = even(f2, f3);
    const t01: v128 = even(t0, t1);
    const t23: v128 = even(t2, t3);
    const cf01: v128 = i32x4.min_u(f01, limits);
    const cf23: v128 = i32x4.min_u(f23, limits);
    const ct01: v128 = i32x4.min_u(t01, limits);
    const ct23: v128 = i32x4.min_u(t23, limits);
    const ok01: v128 = v128.and(
      v128.and(i32x4.eq(f01, cf01), i32x4.eq(odd(f0, f1), inside)),
      v128.and(i32x4.eq(t01, ct01), i32x4.eq(odd(t0, t1), inside)),
    );
    const ok23: v128 = v128.and(
      v128.and(i32x4.eq(f23, cf23), i32x4.eq(odd(f2, f3), inside)),
      v128.and(i32x4.eq(t23, ct23), i32x4.eq(odd(t2, t3), inside)),
    );
    const ok: v128 = v128.and(even(ok01, ok23), odd(ok01, ok23));
    const x0: v128 = even(cf01, cf23);
    const z0: v128 = odd(cf01, cf23);
    const x1: v128 = even(ct01, ct23);
    const z1: v128 = odd(ct01, ct23);

    const dx: v128 = i32x4.abs(i32x4.sub(x1, x0));
    const dz: v128 = i32x4.abs(i32x4.sub(z1, z0));
    const steep: v128 = i32x4.gt_s(dz, dx);
    const af: v128 = v128.bitselect(z0, x0, steep);
    const at: v128 = v128.bitselect(z1, x1, steep);
    const bf: v128 = v128.bitselect(x0, z0, steep);
    const bt: v128 = v128.bitselect(x1, z1, steep);
    const da: v128 = i32x4.max_s(dx, dz);
    const db: v128 = i32x4.min_s(dx, dz);
    const turn: v128 = i32x4.gt_s(af, at);
    const a0: v128 = i32x4.min_s(af, at);
    const a1: v128 = i32x4.max_s(af, at);
    const b0: v128 = v128.bitselect(bt, bf, turn);
    const b1: v128 = v128.bitselect(bf, bt, turn);
    const down: v128 = i32x4.gt_s(b0, b1);
    const ca: v128 = i32x4.shr_s(a0, 10);
    const cb: v128 = i32x4.shr_s(b0, 10);
    const lines: v128 = i32x4.sub(i32x4.shr_s(a1, 10), ca);
    const rows: v128 = i32x4.abs(i32x4.sub(i32x4.shr_s(b1, 10), cb));
    const cell: v128 = i32x4.splat(1024);
    const fraction: v128 = i32x4.splat(1023);
    const ea: v128 = i32x4.sub(cell, v128.and(a0, fraction));
    const fb: v128 = v128.and(b0, fraction);
    const eb: v128 = v128.bitselect(fb, i32x4.sub(cell, fb), down);
    const low: v128 = i32x4.sub(i32x4.mul(eb, v128.and(da, fraction)), i32x4.mul(ea, v128.and(db, fraction)));
    const n0: v128 = i32x4.add(
      i32x4.add(
        i32x4.sub(i32x4.mul(eb, i32x4.shr_s(da, 10)), i32x4.mul(ea, i32x4.shr_s(db, 10))),
        i32x4.shr_s(low, 10),
      ),
      db,
    );
    const one: v128 = i32x4.splat(1);
    const div: v128 = i32x4.max_s(db, one);
    const invLow: v128 = f64x2.div(f64x2.splat(1), f64x2.convert_low_i32x4_s(div));
    const invHigh: v128 = f64x2.div(f64x2.splat(1), f64x2.convert_low_i32x4_s(upper(div)));
    const quot: v128 = quotients(da, invLow, invHigh);
    const first: v128 = quotients(n0, invLow, invHigh);
    const single: v128 = i32x4.eq(rows, i32x4.splat(0));
    const run: v128 = v128.bitselect(lines, first, single);
    const stride: v128 = v128.bitselect(h, w, steep);
    const row: v128 = v128.bitselect(i32x4.neg(stride), stride, down);
    const start: v128 = i32x4.add(i32x4.add(v128.bitselect(columnsPlane, rowsPlane, steep), ca), i32x4.mul(cb, stride));
    const lowUnits: v128 = v128.and(low, fraction);
    const others: v128 = i32x4.sub(rows, one);
    const band: v128 = i32x4.splat(GRID_BAND - 1);
    const long: v128 = i32x4.gt_s(others, band);
    const corners: v128 = v128.andnot(i32x4.eq(lowUnits, i32x4.splat(0)), single);
    const apart: v128 = v128.or(
      v128.or(i32x4.gt_s(run, i32x4.splat(31)), v128.andnot(i32x4.gt_s(quot, i32x4.splat(30)), single)),
      v128.and(corners, long),
    );
    const done: v128 = i32x4.splat(LIST_DONE);
    const alone: v128 = i32x4.splat(LIST_ALONE);
    const seen: v128 = v128.bitselect(alone, done, v128.or(apart, corners));
    const list: v128 = v128.or(
      v128.and(others, band),
      v128.or(v128.and(long, i32x4.splat(LIST_LONG)), v128.and(corners, i32x4.splat(LIST_CORNERS))),
    );
    const listed: v128 = v128.bitselect(alone, v128.bitselect(done, list, single), apart);
    v128.store((rays + R_START) as usize, v128.bitselect(start, walled, ok));
    v128.store((rays + R_RUN) as usize, run);
    v128.store((rays + R_CELL) as usize, i32x4.add(i32x4.add(start, run), row));
    v128.store((rays + R_REST) as usize, i32x4.sub(n0, i32x4.mul(first, div)));
    v128.store((rays + R_DIV) as usize, div);
    v128.store((rays + R_BACK) as usize, i32x4.sub(i32x4.sub(da, div), i32x4.mul(quot, div)));
    v128.store((rays + R_QUOT) as usize, quot);
    v128.store((rays + R_STEP) as usize, i32x4.add(i32x4.add(row, one), quot));
    v128.store((rays + R_END) as usize, i32x4.add(i32x4.add(start, lines), i32x4.mul(rows, row)));
    v128.store((rays + R_ROWS) as usize, rows);
    v128.store((rays + R_LEFT) as usize, i32x4.shl(i32x4.shr_s(others, 3), 1));
    v128.store((rays + R_LOW) as usize, lowUnits);
    v128.store((rays + R_LIST) as usize, v128.bitselect(listed, done, ok));
    v128.store((rays + R_SEEN) as usize, v128.bitselect(seen, done, ok));
    from += 64;
    to += 64;
    rays += 16;
  }
  return n & ~3;
}
