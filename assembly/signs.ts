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

/**
 * Where a point stands to the convex polygon whose corner lanes begin at xs and zs, with n corners: 0 = outside, 1 = on
 * the rim, 2 = strictly inside. The side of edge a -> b is the sign of (a - p) x (b - p), exact.
 */
export function standing(xs: u32, zs: u32, n: u32, px: f64, pz: f64): u32 {
  const vx: v128 = f64x2.splat(px);
  const vz: v128 = f64x2.splat(pz);
  const x0: v128 = lanes(xs, vx);
  const x1: v128 = lanes(xs + 8, vx);
  const x2: v128 = lanes(xs + 16, vx);
  const x3: v128 = lanes(xs + 24, vx);
  const z0: v128 = lanes(zs, vz);
  const z1: v128 = lanes(zs + 8, vz);
  const z2: v128 = lanes(zs + 16, vz);
  const z3: v128 = lanes(zs + 24, vz);
  const a: v128 = side(x0, z0, x1, z1);
  const b: v128 = side(x1, z1, x2, z2);
  const c: v128 = side(x2, z2, x3, z3);
  const d: v128 = side(x3, z3, x0, z0);
  const zero: v128 = f64x2.splat(0);
  const outside: v128 = v128.or(
    v128.or(f64x2.lt(a, zero), f64x2.lt(b, zero)),
    v128.or(f64x2.lt(c, zero), f64x2.lt(d, zero)),
  );
  if (v128.any_true(outside)) return 0;
  const rim: v128 = i16x8.narrow_i32x4_s(
    halves(f64x2.eq(a, zero), f64x2.eq(b, zero)),
    halves(f64x2.eq(c, zero), f64x2.eq(d, zero)),
  );
  // Edges between padded lanes have no length: their zeros mean nothing.
  return (i16x8.bitmask(rim) & ((1 << n) - 1)) === 0 ? 2 : 1;
}

/** Two neighbouring lanes, less the point's coordinate. */
function lanes(at: u32, v: v128): v128 {
  return f64x2.sub(f64x2.promote_low_f32x4(v128.load64_zero(at as usize)), v);
}

/** (a - p) x (b - p) for the two edges that start in this pair of lanes; the second ends in the next pair. */
function side(x: v128, z: v128, nextX: v128, nextZ: v128): v128 {
  const bx: v128 = v128.shuffle<f64>(x, nextX, 1, 2);
  const bz: v128 = v128.shuffle<f64>(z, nextZ, 1, 2);
  return f64x2.sub(f64x2.mul(x, bz), f64x2.mul(z, bx));
}

/** Number of the lowest set bit; the mask must not be 0. */
export function lowestBit(mask: u32): u32 {
  return ctz<u32>(mask);
}
