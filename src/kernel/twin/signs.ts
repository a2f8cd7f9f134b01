// The pure-TypeScript side of the signs leaf: on which side of a line a polygon's corners lie. Its WASM side is
// assembly/signs.ts (two corners per vector); the same bits come out of both, because every determinant is exact.
import { ldF32 } from './memory.ts';

/**
 * Signs of `dx * z - dz * x - c` for the eight corner lanes of a record, whose f32 lanes begin at the addresses xs and zs:
 * bit i = lane i is negative (right of the line), bit 8 + i = positive (left of it). Lanes past `n`, the corner count,
 * repeat corner 0.
 */
export function signs(xs: u32, zs: u32, n: u32, dx: f64, dz: f64, c: f64): u32 {
  let mask: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const side: f64 = dx * ldF32(zs + (i << 2)) - dz * ldF32(xs + (i << 2)) - c;
    if (side < 0.0) mask |= 1 << i;
    else if (side > 0.0) mask |= 256 << i;
  }
  const padded: u32 = 0xff & (0xff << n);
  if ((mask & 1) !== 0) mask |= padded;
  if ((mask & 256) !== 0) mask |= padded << 8;
  return mask;
}

/**
 * Where a point stands to the convex polygon whose corner lanes begin at xs and zs, with n corners: 0 = outside, 1 = on
 * the rim, 2 = strictly inside. The side of edge a -> b is the sign of (a - p) x (b - p), exact.
 */
export function standing(xs: u32, zs: u32, n: u32, px: f64, pz: f64): u32 {
  let where: u32 = 2;
  let ax: f64 = ldF32(xs + ((n - 1) << 2)) - px;
  let az: f64 = ldF32(zs + ((n - 1) << 2)) - pz;
  for (let i: u32 = 0; i < n; i++) {
    const bx: f64 = ldF32(xs + (i << 2)) - px;
    const bz: f64 = ldF32(zs + (i << 2)) - pz;
    const side: f64 = ax * bz - az * bx;
    if (side < 0.0) return 0;
    if (side === 0.0) where = 1;
    ax = bx;
    az = bz;
  }
  return where;
}

/** Number of the lowest set bit; the mask must not be 0. */
export function lowestBit(mask: u32): u32 {
  return 31 - Math.clz32(mask & -mask);
}
