// The WASM side of the signs leaf: two corners per f64x2 vector. Its twin is src/kernel/twin/signs.ts; the build script
// swaps this file in, so it imports nothing. Same names, same bits: every determinant is an exact integer below 2^53.

/**
 * Signs of `dx * z - dz * x - c` for the eight corner lanes of a record, whose f32 lanes begin at the addresses xs and zs:
 * bit i = lane i is negative (right of the line), bit 8 + i = positive (left of it). Lanes past `_n`, the corner count,
 * repeat corner 0.
 */
export function signs(xs: u32, zs: u32, _n: u32, dx: f64, dz: f64, c: f64): u32 {
  const vx: v128 = f64x2.splat(dx);
  const vz: v128 = f64x2.splat(dz);
  const vc: v128 = f64x2.splat(c);
  const zero: v128 = f64x2.splat(0);
  const a: v128 = pair(xs, zs, vx, vz, vc);
  const b: v128 = pair(xs + 8, zs + 8, vx, vz, vc);
  const d: v128 = pair(xs + 16, zs + 16, vx, vz, vc);
  const e: v128 = pair(xs + 24, zs + 24, vx, vz, vc);
  // Four comparisons of two 64-bit lanes become eight bits by narrowing, so one bitmask reads both vectors.
  const negative: v128 = i16x8.narrow_i32x4_s(
    halves(f64x2.lt(a, zero), f64x2.lt(b, zero)),
    halves(f64x2.lt(d, zero), f64x2.lt(e, zero)),
  );
  const positive: v128 = i16x8.narrow_i32x4_s(
    halves(f64x2.gt(a, zero), f64x2.gt(b, zero)),
    halves(f64x2.gt(d, zero), f64x2.gt(e, zero)),
  );
  return i8x16.bitmask(i8x16.narrow_i16x8_s(negative, positive)) as u32;
}

/** Determinants of two neighbouring corner lanes. */
function pair(xs: u32, zs: u32, vx: v128, vz: v128, vc: v128): v128 {
  const x: v128 = f64x2.promote_low_f32x4(v128.load64_zero(xs as usize));
  const z: v128 = f64x2.promote_low_f32x4(v128.load64_zero(zs as usize));
  return f64x2.sub(f64x2.sub(f64x2.mul(vx, z), f64x2.mul(vz, x)), vc);
}

/** The low halves of four 64-bit lane masks. */
function halves(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 2, 4, 6);
}

/** Number of the lowest set bit; the mask must not be 0. */
export function lowestBit(mask: u32): u32 {
  return ctz<u32>(mask);
}
