// The WASM side of the ray lanes leaf: both coordinates of a point, or four corners of a polygon, per vector. Its twin is
// src/kernel/twin/raylanes.ts; the build script swaps this file in, so it imports nothing. Same names, same decisions.

// As in layout.ts, which a leaf cannot import.
const H_ORIGIN_X: u32 = 80;
const H_INV_UNIT: u32 = 104;
const H_MIN_X: u32 = 144;
const H_MAX_X: u32 = 160;
const W_DOUBT: u32 = 16;
const W_EX: u32 = 24;

const RANGE: f64 = 16777216.0;
/** `rightOf` when a corner is too near the line. */
const DOUBTFUL: u32 = 256;
/** 2^-21, see `rightOf`. */
const ROUNDING: f64 = 0.000000476837158203125;

/**
 * Prepares a ray of a wave (W_* in layout.ts) from two positions, f64 x, y, z in metres: its ends on the grid. False when
 * a number is not finite or out of range. `map` is the address of the packed map.
 */
export function aim(from: u32, to: u32, ray: u32, map: u32): bool {
  const origin: v128 = v128.load((map + H_ORIGIN_X) as usize);
  const inverse: v128 = v128.load64_splat((map + H_INV_UNIT) as usize);
  const s: v128 = snapped(from, origin, inverse);
  const e: v128 = snapped(to, origin, inverse);
  const range: v128 = f64x2.splat(RANGE);
  const y: v128 = f64x2.abs(v128.load64_lane((to + 8) as usize, v128.load64_zero((from + 8) as usize), 1));
  const fine: v128 = v128.and(
    v128.and(f64x2.le(f64x2.abs(s), range), f64x2.le(f64x2.abs(e), range)),
    f64x2.lt(y, f64x2.splat(Infinity)),
  );
  if (i64x2.bitmask(fine) !== 3) return false;
  const d: v128 = f64x2.sub(e, s);
  // No corner of the map is farther from S than this, per axis.
  const span: v128 = f64x2.pmax(
    f64x2.sub(s, v128.load((map + H_MIN_X) as usize)),
    f64x2.sub(v128.load((map + H_MAX_X) as usize), s),
  );
  const doubt: v128 = f64x2.mul(f64x2.abs(d), v128.shuffle<f64>(span, span, 1, 0));
  const sum: f64 = f64x2.extract_lane(doubt, 0) + f64x2.extract_lane(doubt, 1);
  store<f32>((ray + W_DOUBT) as usize, (sum * ROUNDING) as f32);
  v128.store(ray as usize, v128.shuffle<i32>(f32x4.demote_f64x2_zero(s), f32x4.demote_f64x2_zero(d), 0, 1, 4, 5));
  v128.store64_lane((ray + W_EX) as usize, f32x4.demote_f64x2_zero(e), 0);
  return true;
}

/** x and z of a position on the grid. */
function snapped(at: u32, origin: v128, inverse: v128): v128 {
  const p: v128 = v128.load64_lane((at + 16) as usize, v128.load64_zero(at as usize), 1);
  return f64x2.floor(f64x2.add(f64x2.mul(f64x2.sub(p, origin), inverse), f64x2.splat(0.5)));
}

/**
 * Which of the eight corner lanes at xs and zs lie right of the ray: bit i = lane i does, all others lie left of it; or 256
 * when float32 does not tell for some lane. Lanes past `_n`, the corner count, repeat corner 0.
 *
 * With a = dx * (z - sz), b = dz * (x - sx): dx, dz, each difference and each product is off by at most 2^-24 of itself
 * (corners and S are exact in float32), their difference as well, so a - b by less than 4.1 * 2^-24 of |a| + |b|, and
 * |a| + |b| is at most 2^21 times W_DOUBT, over whatever corner of the map. A result beyond W_DOUBT has the right sign.
 */
export function rightOf(xs: u32, zs: u32, _n: u32, ray: u32): u32 {
  const sx: v128 = v128.load32_splat(ray as usize);
  const sz: v128 = v128.load32_splat((ray + 4) as usize);
  const dx: v128 = v128.load32_splat((ray + 8) as usize);
  const dz: v128 = v128.load32_splat((ray + 12) as usize);
  const doubt: v128 = v128.load32_splat((ray + W_DOUBT) as usize);
  const a: v128 = sides(v128.load(xs as usize), v128.load(zs as usize), sx, sz, dx, dz);
  const b: v128 = sides(v128.load((xs + 16) as usize), v128.load((zs + 16) as usize), sx, sz, dx, dz);
  const sure: v128 = v128.and(f32x4.gt(f32x4.abs(a), doubt), f32x4.gt(f32x4.abs(b), doubt));
  if (i32x4.bitmask(sure) !== 15) return DOUBTFUL;
  return (i32x4.bitmask(a) | (i32x4.bitmask(b) << 4)) as u32;
}

function sides(x: v128, z: v128, sx: v128, sz: v128, dx: v128, dz: v128): v128 {
  return f32x4.sub(f32x4.mul(dx, f32x4.sub(z, sz)), f32x4.mul(dz, f32x4.sub(x, sx)));
}
