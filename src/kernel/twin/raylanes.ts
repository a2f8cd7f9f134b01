// The pure-TypeScript side of the ray lanes leaf: what a wave of rays does per ray and per polygon. Its WASM side is
// assembly/raylanes.ts (vectors, float32 with a proven bound); both decide alike, and where that one doubts, signs.ts does.
import { ldF32, ldF64, stF32 } from './memory.ts';
import { signs } from './signs.ts';

// As in layout.ts, which a leaf cannot import.
const H_ORIGIN_X: u32 = 80;
const H_ORIGIN_Z: u32 = 88;
const H_INV_UNIT: u32 = 104;
const W_SX: u32 = 0;
const W_SZ: u32 = 4;
const W_EX: u32 = 24;
const W_EZ: u32 = 28;
const DOUBTFUL: u32 = 256;

const RANGE: f64 = 16777216.0;

/**
 * Prepares a ray of a wave (W_* in layout.ts) from two positions, f64 x, y, z in metres: its ends on the grid. False when
 * a number is not finite or out of range. `map` is the address of the packed map.
 */
export function aim(from: u32, to: u32, ray: u32, map: u32): bool {
  const inverse: f64 = ldF64(map + H_INV_UNIT);
  const ox: f64 = ldF64(map + H_ORIGIN_X);
  const oz: f64 = ldF64(map + H_ORIGIN_Z);
  const sx: f64 = Math.floor((ldF64(from) - ox) * inverse + 0.5);
  const sz: f64 = Math.floor((ldF64(from + 16) - oz) * inverse + 0.5);
  const ex: f64 = Math.floor((ldF64(to) - ox) * inverse + 0.5);
  const ez: f64 = Math.floor((ldF64(to + 16) - oz) * inverse + 0.5);
  if (!(Math.abs(sx) <= RANGE && Math.abs(sz) <= RANGE && Math.abs(ex) <= RANGE && Math.abs(ez) <= RANGE)) return false;
  if (!(Math.abs(ldF64(from + 8)) < Infinity && Math.abs(ldF64(to + 8)) < Infinity)) return false;
  stF32(ray + W_SX, sx);
  stF32(ray + W_SZ, sz);
  stF32(ray + W_EX, ex);
  stF32(ray + W_EZ, ez);
  return true;
}

/**
 * Which of the eight corner lanes at xs and zs lie right of the ray: bit i = lane i does, all others lie left of it; or 256
 * when some lane lies on its line. Lanes past `n`, the corner count, repeat corner 0.
 */
export function rightOf(xs: u32, zs: u32, n: u32, ray: u32): u32 {
  const sx: f64 = ldF32(ray + W_SX);
  const sz: f64 = ldF32(ray + W_SZ);
  const dx: f64 = ldF32(ray + W_EX) - sx;
  const dz: f64 = ldF32(ray + W_EZ) - sz;
  const m: u32 = signs(xs, zs, n, dx, dz, dx * sz - dz * sx);
  return ((m | (m >>> 8)) & 0xff) === 0xff ? m & 0xff : DOUBTFUL;
}
