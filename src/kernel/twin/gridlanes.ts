// The pure-TypeScript side of the grid's lanes leaf: JavaScript has no vectors, so no ray is prepared here and
// assembly/gridwave.ts prepares them one by one. The WASM side is assembly/gridlanes.ts (four at a time, the same bits).

/**
 * Prepares rays of a wave, four at a time, and returns how many. `from`, `to`: f64[2n] positions in cells (x, z); `rays`:
 * the wave (R_* in layout.ts); then the grid's cells in x and z and the bit addresses of its planes and of a blocked cell.
 */
export function prepareLanes(
  _n: u32,
  _from: u32,
  _to: u32,
  _rays: u32,
  _width: u32,
  _height: u32,
  _byRows: u32,
  _byColumns: u32,
  _wall: u32,
): u32 {
  return 0;
}
