// The WASM side of the memory leaf: plain linear-memory loads and stores. Its twin is src/kernel/twin/memory.ts; the
// build script swaps this file in. Same names, same meaning, nothing else in either.

export function ldF64(p: u32): f64 {
  return load<f64>(p as usize);
}
export function ldF32(p: u32): f64 {
  return load<f32>(p as usize) as f64;
}
export function ldU32(p: u32): u32 {
  return load<u32>(p as usize);
}
export function ldU16(p: u32): u32 {
  return load<u16>(p as usize) as u32;
}
export function ldU8(p: u32): u32 {
  return load<u8>(p as usize) as u32;
}
export function stF64(p: u32, v: f64): void {
  store<f64>(p as usize, v);
}
export function stF32(p: u32, v: f64): void {
  store<f32>(p as usize, v as f32);
}
export function stU32(p: u32, v: u32): void {
  store<u32>(p as usize, v);
}
export function stU8(p: u32, v: u32): void {
  store<u8>(p as usize, v as u8);
}
/** The 32 bits that begin at bit address p, bit 0 of a byte first; 8 bytes from p / 8 must exist. */
export function ldBits(p: u32): i32 {
  return (load<u64>((p >>> 3) as usize) >>> ((p & 7) as u64)) as i32;
}
