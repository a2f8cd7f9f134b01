// The structural check of an MSET file, before any foreign code sees a byte: set header, tile directory and the work that
// an import would do. The inside of a tile is checktile.ts. Imported by bytes/ only.
import { badFile } from './bad.ts';
import { checkHeader } from './checkheader.ts';
import { checkTile, type TileLoad } from './checktile.ts';
import { checkImportWork } from './checkwork.ts';
import {
  bitsFor,
  DNAV_MAGIC,
  DNAV_VERSION,
  MSET_MAGIC,
  MSET_VERSION,
  type MsetDirectory,
  type MsetTile,
  readParams,
  readTileHeader,
  SET_HEADER_BYTES,
  type SetParams,
  TILE_HEADER_BYTES,
  TILE_PREFIX_BYTES,
  tileSections,
} from './mset.ts';
import { ByteReader } from './reader.ts';

/** Bytes: far above any real map (a city of 21,000 polygons has 4 MB), and a quarter of what the import may take. */
export const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** Tile slots: the importer allocates 60 bytes for each slot, used or not. */
export const MAX_TILE_SLOTS = 65_536;
/** Metres: a query walks all tile cells under its box, so a cell of a nanometre would never end. */
export const MIN_TILE_METRES = 0.01;
/** Detour links no more than this many layers at one tile position and silently leaves out the rest. */
export const MAX_LAYERS = 32;
/** Bits of a reference that must remain for the salt. */
const MIN_SALT_BITS = 10;

/**
 * Checks that `bytes` are one whole MSET file with 32-bit references in which every count, index and number is sound.
 * Throws `BAD_FILE` at the first fact that is not. Allocates in proportion to the tiles that are really there.
 */
export function checkMset(bytes: Uint8Array): MsetDirectory {
  if (bytes.byteLength > MAX_FILE_BYTES) {
    throw badFile({ offset: 0 }, 'file size', `${bytes.byteLength} bytes`, `at most ${MAX_FILE_BYTES}`);
  }
  if (bytes.byteLength < SET_HEADER_BYTES) {
    throw badFile(
      { offset: 0 },
      'file size',
      `${bytes.byteLength} bytes`,
      `at least the ${SET_HEADER_BYTES} of a header`,
    );
  }
  const r = new ByteReader(bytes);
  const magic = r.u32(0);
  if (magic !== MSET_MAGIC) throw badFile({ offset: 0 }, 'magic', hex(magic), `${hex(MSET_MAGIC)} ('MSET')`);
  const version = r.i32(4);
  if (version !== MSET_VERSION) throw badFile({ offset: 4 }, 'MSET version', version, MSET_VERSION);
  const params = readParams(r, 12);
  checkParams(params);
  const polyBits = bitsFor(params.maxPolys);
  const tileBits = bitsFor(params.maxTiles);
  if (tileBits + polyBits + MIN_SALT_BITS > 32) {
    throw badFile(
      { offset: 32 },
      'bits that tile slots and polygons take of a reference',
      `${tileBits} + ${polyBits}`,
      `at most ${32 - MIN_SALT_BITS} together`,
    );
  }
  const tileCount = r.i32(8);
  if (tileCount < 1 || tileCount > params.maxTiles) {
    throw badFile({ offset: 8 }, 'tile count', tileCount, `1..${params.maxTiles} (the slots declared)`);
  }

  const tiles: MsetTile[] = [];
  const loads: TileLoad[] = [];
  const slots = new Map<number, number>();
  const positions = new Map<string, number[]>();
  let at = SET_HEADER_BYTES;
  let polygons = 0;
  for (let t = 0; t < tileCount; t++) {
    const tile = readDirectoryEntry(r, at, t, params, polyBits, tileBits);
    const earlier = slots.get(tile.slot);
    if (earlier !== undefined) {
      throw badFile({ tile: t, offset: at }, 'tile slot', `${tile.slot}, taken by tile ${earlier}`, 'a free slot');
    }
    slots.set(tile.slot, t);
    checkPosition(positions, tiles, tile, t);
    loads.push(checkTile(r, tile, t));
    tiles.push(tile);
    polygons += tile.header.offMeshBase;
    at = tile.at + tile.size;
  }
  if (at !== bytes.byteLength) {
    throw badFile({ offset: at }, `bytes after the last of ${tileCount} tiles`, bytes.byteLength - at, 0);
  }
  if (polygons === 0) throw badFile({ offset: 8 }, 'ground polygons in all tiles', 0, 'at least 1');
  const directory: MsetDirectory = { params, polyBits, tileBits, tiles };
  checkImportWork(directory, loads);
  return directory;
}

function checkParams(p: SetParams): void {
  for (let axis = 0; axis < 3; axis++) {
    if (!Number.isFinite(p.orig[axis])) {
      throw badFile({ offset: 12 + 4 * axis }, `origin ${'xyz'[axis]}`, p.orig[axis], 'a finite number');
    }
  }
  const sizes: [string, number, number][] = [
    ['tile width', p.tileWidth, 24],
    ['tile height', p.tileHeight, 28],
  ];
  for (const [what, value, offset] of sizes) {
    if (!(value >= MIN_TILE_METRES && value < Number.POSITIVE_INFINITY)) {
      throw badFile({ offset }, what, value, `a finite length of at least ${MIN_TILE_METRES} m`);
    }
  }
  if (p.maxTiles < 1 || p.maxTiles > MAX_TILE_SLOTS) {
    throw badFile({ offset: 32 }, 'tile slots (maxTiles)', p.maxTiles, `1..${MAX_TILE_SLOTS}`);
  }
  if (p.maxPolys < 1) throw badFile({ offset: 36 }, 'polygons a tile (maxPolys)', p.maxPolys, 'at least 1');
}

/** Reads and checks what precedes a tile, and its header, so that all sections lie inside the file. */
function readDirectoryEntry(
  r: ByteReader,
  at: number,
  t: number,
  params: SetParams,
  polyBits: number,
  tileBits: number,
): MsetTile {
  if (at + TILE_PREFIX_BYTES > r.length) {
    throw badFile({ tile: t, offset: at }, 'bytes left for a tile', r.length - at, `at least ${TILE_PREFIX_BYTES}`);
  }
  const ref = r.u32(at);
  const size = r.i32(at + 4);
  // >>> of a JavaScript number takes its shift modulo 32; both sums are at most 22 here.
  const slot = (ref >>> polyBits) & ((1 << tileBits) - 1);
  const salt = ref >>> (polyBits + tileBits);
  const place = { tile: t, offset: at };
  if ((ref & ((1 << polyBits) - 1)) !== 0) {
    throw badFile(place, 'polygon bits of the tile reference', hex(ref), `the low ${polyBits} bits zero`);
  }
  // With one tile of one polygon the salt keeps 31 bits only: Detour masks the top one away.
  if (salt === 0 || salt > 0x7fffffff) {
    throw badFile(
      place,
      'salt of the tile reference',
      salt,
      `1..${Math.min(0x7fffffff, 2 ** (32 - polyBits - tileBits) - 1)}`,
    );
  }
  if (slot >= params.maxTiles) throw badFile(place, 'tile slot', slot, `below ${params.maxTiles}`);
  const start = at + TILE_PREFIX_BYTES;
  if (size < TILE_HEADER_BYTES || size > r.length - start) {
    throw badFile(
      { tile: t, offset: at + 4 },
      'tile size in bytes',
      size,
      r.length - start < TILE_HEADER_BYTES
        ? `at most ${r.length - start}, what the file still holds: it ends early`
        : `${TILE_HEADER_BYTES}..${r.length - start} (what the file still holds: ${r.length - start})`,
    );
  }
  const header = readTileHeader(r, start);
  if (header.magic !== DNAV_MAGIC) {
    throw badFile({ tile: t, offset: start }, 'tile magic', hex(header.magic), `${hex(DNAV_MAGIC)} ('DNAV')`);
  }
  if (header.version !== DNAV_VERSION) {
    throw badFile({ tile: t, offset: start + 4 }, 'tile version', header.version, DNAV_VERSION);
  }
  checkHeader(header, start, t, params, polyBits);
  const sections = tileSections(header);
  if (sections.end !== size) {
    throw badFile(
      { tile: t, offset: at + 4 },
      'tile size in bytes',
      size,
      `${sections.end}, the sum of the sections that its counts declare`,
    );
  }
  return { ref, slot, salt, at: start, size, header, sections };
}

function checkPosition(positions: Map<string, number[]>, tiles: readonly MsetTile[], tile: MsetTile, t: number): void {
  const { x, y, layer } = tile.header;
  const key = `${x},${y}`;
  const here = positions.get(key);
  if (here === undefined) {
    positions.set(key, [t]);
    return;
  }
  for (const other of here) {
    if (tiles[other].header.layer === layer) {
      throw badFile(
        { tile: t, offset: tile.at + 8 },
        'tile position',
        `(${x}, ${y}) layer ${layer}, taken by tile ${other}`,
        'a free position',
      );
    }
  }
  if (here.length >= MAX_LAYERS) {
    throw badFile({ tile: t, offset: tile.at + 8 }, `layers at (${x}, ${y})`, here.length + 1, `at most ${MAX_LAYERS}`);
  }
  here.push(t);
}

function hex(n: number): string {
  return `0x${n.toString(16).padStart(8, '0')}`;
}
