// An MSET file from tiles that are there already. Imported by cachesession.ts and bake/.
import { MSET_MAGIC, MSET_VERSION, SET_HEADER_BYTES, type SetParams, TILE_PREFIX_BYTES } from './mset.ts';

/** A tile with its reference (salt, slot, polygon bits zero). */
export interface SetTile {
  readonly ref: number;
  readonly bytes: Uint8Array;
}

/** The bytes of an MSET file, 32-bit, little-endian. Nothing is checked. */
export function writeMset(params: SetParams, tiles: readonly SetTile[]): Uint8Array<ArrayBuffer> {
  const size = tiles.reduce((sum, tile) => sum + TILE_PREFIX_BYTES + tile.bytes.length, SET_HEADER_BYTES);
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  view.setUint32(0, MSET_MAGIC, true);
  view.setInt32(4, MSET_VERSION, true);
  view.setInt32(8, tiles.length, true);
  [...params.orig, params.tileWidth, params.tileHeight].forEach((value, i) => {
    view.setFloat32(12 + 4 * i, value, true);
  });
  view.setInt32(32, params.maxTiles, true);
  view.setInt32(36, params.maxPolys, true);
  let at = SET_HEADER_BYTES;
  for (const { ref, bytes } of tiles) {
    view.setUint32(at, ref, true);
    view.setInt32(at + 4, bytes.length, true);
    out.set(bytes, at + TILE_PREFIX_BYTES);
    at += TILE_PREFIX_BYTES + bytes.length;
  }
  return out;
}
