// The layout of an MSET file with 32-bit references, as RecastDemo and recast-navigation write it: offsets, strides and
// header records. Facts only, no judgement. Imported by bytes/ only.
import type { ByteReader } from './reader.ts';

/** The bytes 'TESM' read as a little-endian number: the C constant 'MSET'. */
export const MSET_MAGIC = 0x4d534554;
export const MSET_VERSION = 1;
/** The bytes 'VAND' read as a little-endian number: the C constant 'DNAV'. */
export const DNAV_MAGIC = 0x444e4156;
export const DNAV_VERSION = 7;

/** magic, version, tile count (i32 each), then orig[3], tileWidth, tileHeight (f32), maxTiles, maxPolys (i32). */
export const SET_HEADER_BYTES = 40;
/** Before each tile: u32 tileRef, i32 dataSize. */
export const TILE_PREFIX_BYTES = 8;
export const TILE_HEADER_BYTES = 100;
export const VERTEX_BYTES = 12;
export const POLY_BYTES = 32;
export const LINK_BYTES = 12;
export const DETAIL_BYTES = 12;
export const DETAIL_TRI_BYTES = 4;
export const BV_BYTES = 16;
export const OFFMESH_BYTES = 36;

// Inside a polygon record.
export const POLY_FIRST_LINK = 0; // u32
export const POLY_VERTS = 4; // u16[6]
export const POLY_NEIS = 16; // u16[6]: 0 wall, n + 1 polygon n of this tile, 0x8000 | side a tile border
export const POLY_FLAGS = 28; // u16
export const POLY_VERT_COUNT = 30; // u8
export const POLY_AREA_TYPE = 31; // u8: area in the low 6 bits, type in the high 2 (0 ground, 1 off-mesh connection)
export const POLY_MAX_VERTS = 6;
export const NEI_BORDER = 0x8000;

// Inside a link record (meaningful only after Detour has rebuilt the links).
export const LINK_REF = 0; // u32
export const LINK_NEXT = 4; // u32
export const LINK_EDGE = 8; // u8, 0xff for the landing side of an off-mesh connection
export const NULL_LINK = 0xffffffff;

// Inside a detail record.
export const DETAIL_VERT_BASE = 0; // u32
export const DETAIL_TRI_BASE = 4; // u32
export const DETAIL_VERT_COUNT = 8; // u8
export const DETAIL_TRI_COUNT = 9; // u8

// Inside an off-mesh connection record.
export const OFFMESH_POS = 0; // f32[6]: start, end
export const OFFMESH_RADIUS = 24; // f32
export const OFFMESH_POLY = 28; // u16
export const OFFMESH_FLAGS = 30; // u8: 1 = both ways
export const OFFMESH_SIDE = 31; // u8: 0..7 towards a neighbour tile, 0xff inside this one
export const OFFMESH_USER_ID = 32; // u32

export interface SetParams {
  readonly orig: readonly [number, number, number];
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly maxTiles: number;
  readonly maxPolys: number;
}

export interface TileHeader {
  readonly magic: number;
  readonly version: number;
  readonly x: number;
  readonly y: number;
  readonly layer: number;
  readonly polyCount: number;
  readonly vertCount: number;
  readonly maxLinkCount: number;
  readonly detailMeshCount: number;
  readonly detailVertCount: number;
  readonly detailTriCount: number;
  readonly bvNodeCount: number;
  readonly offMeshConCount: number;
  readonly offMeshBase: number;
  readonly walkableHeight: number;
  readonly walkableRadius: number;
  readonly walkableClimb: number;
  readonly bmin: readonly [number, number, number];
  readonly bmax: readonly [number, number, number];
  readonly bvQuantFactor: number;
}

/** Byte offsets of a tile's sections, counted from its header; `end` must equal the declared size. */
export interface TileSections {
  readonly verts: number;
  readonly polys: number;
  readonly links: number;
  readonly details: number;
  readonly detailVerts: number;
  readonly detailTris: number;
  readonly bv: number;
  readonly offMesh: number;
  readonly end: number;
}

/** One tile of a checked file. */
export interface MsetTile {
  readonly ref: number;
  /** Tile slot and salt out of the reference. */
  readonly slot: number;
  readonly salt: number;
  /** Byte offset of the tile's header in the file, and its declared size. */
  readonly at: number;
  readonly size: number;
  readonly header: TileHeader;
  readonly sections: TileSections;
}

/** The directory of a checked file: nothing in it points outside the file. */
export interface MsetDirectory {
  readonly params: SetParams;
  /** Bits of a reference, low to high: polygon, tile slot, salt. */
  readonly polyBits: number;
  readonly tileBits: number;
  readonly tiles: readonly MsetTile[];
}

/** How many bits Detour gives to numbers below n: ilog2 of the next power of two; n >= 1. */
export function bitsFor(n: number): number {
  return 32 - Math.clz32(n - 1);
}

export function readParams(r: ByteReader, at: number): SetParams {
  return {
    orig: [r.f32(at), r.f32(at + 4), r.f32(at + 8)],
    tileWidth: r.f32(at + 12),
    tileHeight: r.f32(at + 16),
    maxTiles: r.i32(at + 20),
    maxPolys: r.i32(at + 24),
  };
}

export function readTileHeader(r: ByteReader, at: number): TileHeader {
  return {
    magic: r.u32(at),
    version: r.i32(at + 4),
    x: r.i32(at + 8),
    y: r.i32(at + 12),
    layer: r.i32(at + 16),
    // byte 20: userId, the exporter's own
    polyCount: r.i32(at + 24),
    vertCount: r.i32(at + 28),
    maxLinkCount: r.i32(at + 32),
    detailMeshCount: r.i32(at + 36),
    detailVertCount: r.i32(at + 40),
    detailTriCount: r.i32(at + 44),
    bvNodeCount: r.i32(at + 48),
    offMeshConCount: r.i32(at + 52),
    offMeshBase: r.i32(at + 56),
    walkableHeight: r.f32(at + 60),
    walkableRadius: r.f32(at + 64),
    walkableClimb: r.f32(at + 68),
    bmin: [r.f32(at + 72), r.f32(at + 76), r.f32(at + 80)],
    bmax: [r.f32(at + 84), r.f32(at + 88), r.f32(at + 92)],
    bvQuantFactor: r.f32(at + 96),
  };
}

/**
 * Where each section begins. Counts may be anything a 32-bit integer holds: sums of such products stay below 2^53, so
 * the arithmetic is exact. `linkBytes` is 12, or 16 in a build with 64-bit references.
 */
export function tileSections(h: TileHeader, linkBytes: number = LINK_BYTES): TileSections {
  const verts = TILE_HEADER_BYTES;
  const polys = verts + h.vertCount * VERTEX_BYTES;
  const links = polys + h.polyCount * POLY_BYTES;
  const details = links + h.maxLinkCount * linkBytes;
  const detailVerts = details + h.detailMeshCount * DETAIL_BYTES;
  const detailTris = detailVerts + h.detailVertCount * VERTEX_BYTES;
  const bv = detailTris + h.detailTriCount * DETAIL_TRI_BYTES;
  const offMesh = bv + h.bvNodeCount * BV_BYTES;
  const end = offMesh + h.offMeshConCount * OFFMESH_BYTES;
  return { verts, polys, links, details, detailVerts, detailTris, bv, offMesh, end };
}
