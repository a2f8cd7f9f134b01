// The pure-TypeScript side of the memory leaf: the same loads and stores over one ArrayBuffer. Its WASM side is
// assembly/memory.ts. One twin is bound at a time; kernel/twin.ts rebinds when another map's twin is called.

let f64View: Float64Array = new Float64Array(0);
let f32View: Float32Array = new Float32Array(0);
let u32View: Uint32Array = new Uint32Array(0);
let u16View: Uint16Array = new Uint16Array(0);
let u8View: Uint8Array = new Uint8Array(0);

/** Makes `buffer` (byte length a multiple of 8) the memory that all twin kernels read and write. */
export function bindMemory(buffer: ArrayBufferLike): void {
  f64View = new Float64Array(buffer);
  f32View = new Float32Array(buffer);
  u32View = new Uint32Array(buffer);
  u16View = new Uint16Array(buffer);
  u8View = new Uint8Array(buffer);
}

export function ldF64(p: u32): f64 {
  return f64View[p >>> 3];
}
export function ldF32(p: u32): f64 {
  return f32View[p >>> 2];
}
export function ldU32(p: u32): u32 {
  return u32View[p >>> 2];
}
export function ldU16(p: u32): u32 {
  return u16View[p >>> 1];
}
export function ldU8(p: u32): u32 {
  return u8View[p];
}
export function stF64(p: u32, v: f64): void {
  f64View[p >>> 3] = v;
}
export function stF32(p: u32, v: f64): void {
  f32View[p >>> 2] = v;
}
export function stU32(p: u32, v: u32): void {
  u32View[p >>> 2] = v;
}
export function stU8(p: u32, v: u32): void {
  u8View[p] = v;
}
/** The 32 bits that begin at bit address p, bit 0 of a byte first; 8 bytes from p / 8 must exist. */
export function ldBits(p: u32): i32 {
  const word: u32 = p >>> 5;
  const shift: u32 = p & 31;
  return (u32View[word] >>> shift) | ((u32View[word + 1] << 1) << (31 - shift));
}
