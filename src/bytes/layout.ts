// How the relatives of an MSET file lay out the same facts: byte order, width of references, and the records of a tile as
// tables of fields. Facts only, no judgement. Sources: recastnavigation DetourNavMesh.h (DT_POLYREF64), DotRecast.Detour/Io,
// Unreal 4 Detour/DetourNavMesh.h as hxhb/ue4-recast-detour has it. Imported by bytes/ only.
import { BV_BYTES, DETAIL_BYTES, OFFMESH_BYTES, POLY_BYTES, TILE_HEADER_BYTES, VERTEX_BYTES } from './mset.ts';

/** Where a field stands in the foreign record, where in ours, and its width in bytes. */
export type Field = readonly [from: number, to: number, width: 1 | 2 | 4];

/** A record of a tile: its stride there and in an MSET file with 32-bit references. 0 bytes: not kept. */
export interface RecordLayout {
  readonly from: number;
  readonly to: number;
  readonly fields: readonly Field[];
}

/** How the tiles of a file are written. */
export interface TileLayout {
  /** Bytes before each tile: 8 = u32 ref, i32 size; 12 = u64 ref, i32 size; 16 = the same and 4 of padding. */
  readonly prefix: 8 | 12 | 16;
  /** DNAV version, 7 in everything but DotRecast's own layouts. */
  readonly version: number;
  readonly header: RecordLayout;
  /** Byte of the foreign header that holds the count of off-mesh connections and of their first polygon. */
  readonly conCountAt: number;
  readonly conBaseAt: number;
  /** Unreal's additions: bytes of the header with the count of segment links and of clusters, or null. */
  readonly unreal: { readonly segmentsAt: number; readonly clustersAt: number } | null;
  readonly poly: RecordLayout;
  /** Bytes of a link record; 0 = the tile has none. */
  readonly linkBytes: 0 | 12 | 16;
  readonly detail: RecordLayout;
  readonly bv: RecordLayout;
  readonly offMesh: RecordLayout;
}

const VERTS_PER_POLY = 6;
/** Unreal: f32 x 12, radius, height, u32 userId, u16 firstPoly, u8 npolys, u8 flags. */
export const UNREAL_SEGMENT_BYTES = 64;
/** Unreal: f32 x 3, u32 firstLink, u32 numLinks. */
export const UNREAL_CLUSTER_BYTES = 20;
/** Unreal: u8 flags of an off-mesh connection, and the side that means "inside this tile". */
export const UNREAL_BIDIRECTIONAL = 0x80;
export const UNREAL_INTERNAL = 0x80;

export const VERTEX: RecordLayout = record(VERTEX_BYTES, VERTEX_BYTES, words(0, 0, 3));
const HEADER = record(TILE_HEADER_BYTES, TILE_HEADER_BYTES, words(0, 0, 25));
const DETAIL_FIELDS: Field[] = [...words(0, 0, 2), [8, 8, 1], [9, 9, 1]];
const BV: RecordLayout = record(BV_BYTES, BV_BYTES, [...halves(0, 0, 6), [12, 12, 4]]);
const OFFMESH = record(OFFMESH_BYTES, OFFMESH_BYTES, [
  ...words(0, 0, 7),
  [28, 28, 2],
  [30, 30, 1],
  [31, 31, 1],
  [32, 32, 4],
]);

/** Plain Detour with references of 32 or 64 bits. */
export function detourLayout(prefix: 8 | 12 | 16): TileLayout {
  return {
    prefix,
    version: 7,
    header: HEADER,
    conCountAt: 52,
    conBaseAt: 56,
    unreal: null,
    poly: polyLayout(VERTS_PER_POLY, true),
    linkBytes: prefix === 8 ? 12 : 16,
    detail: record(DETAIL_BYTES, DETAIL_BYTES, DETAIL_FIELDS),
    bv: BV,
    offMesh: OFFMESH,
  };
}

/**
 * DotRecast's own layout (version 0x8807 .. 0x8809 of its tiles): no links, no padding; from 0x8808 no firstLink, and in
 * 0x8809 a BV tree of 32-bit bounds, which is left out: 16 bits need not hold it, and the mesh does not depend on it.
 */
export function recast4jLayout(version: number, vertsPerPoly: number): TileLayout {
  return {
    ...detourLayout(12),
    version,
    poly: polyLayout(vertsPerPoly, version < 0x8808),
    linkBytes: 0,
    detail: record(10, DETAIL_BYTES, DETAIL_FIELDS),
    bv: version < 0x8809 ? BV : record(28, 0, []),
  };
}

/**
 * Unreal 4: a header of 116 bytes in one of two orders (the segment counts among the others, or behind the floats), an
 * off-mesh connection of 40 bytes, and sections for segment links and clusters behind it.
 */
export function unrealLayout(prefix: 8 | 12 | 16, order: 'inner' | 'behind'): TileLayout {
  const inner = order === 'inner';
  return {
    ...detourLayout(prefix),
    header: inner
      ? record(116, TILE_HEADER_BYTES, [...words(0, 0, 14), [60, 56, 4], ...words(72, 60, 10)])
      : record(116, TILE_HEADER_BYTES, words(0, 0, 25)),
    conBaseAt: inner ? 60 : 56,
    unreal: inner ? { segmentsAt: 56, clustersAt: 112 } : { segmentsAt: 104, clustersAt: 100 },
    // pos, radius, (height), userId, poly, side, flags
    offMesh: record(40, OFFMESH_BYTES, [...words(0, 0, 7), [32, 32, 4], [36, 28, 2], [38, 31, 1], [39, 30, 1]]),
  };
}

/** `firstLink` is rebuilt at import and never copied. */
function polyLayout(vertsPerPoly: number, firstLink: boolean): RecordLayout {
  const start = firstLink ? 4 : 0;
  const neis = start + 2 * vertsPerPoly;
  const rest = neis + 2 * vertsPerPoly;
  const kept = Math.min(vertsPerPoly, VERTS_PER_POLY);
  return record(rest + 4, POLY_BYTES, [
    ...halves(start, 4, kept),
    ...halves(neis, 16, kept),
    [rest, 28, 2],
    [rest + 2, 30, 1],
    [rest + 3, 31, 1],
  ]);
}

function record(from: number, to: number, fields: readonly Field[]): RecordLayout {
  return { from, to, fields };
}

function words(from: number, to: number, count: number): Field[] {
  return Array.from({ length: count }, (_, i): Field => [from + 4 * i, to + 4 * i, 4]);
}

function halves(from: number, to: number, count: number): Field[] {
  return Array.from({ length: count }, (_, i): Field => [from + 2 * i, to + 2 * i, 2]);
}

/** The byte of the foreign record that became byte `to` of ours. */
export function foreignByte(layout: RecordLayout, to: number): number {
  for (const [from, ours, width] of layout.fields) if (to >= ours && to < ours + width) return from + to - ours;
  return 0;
}
