// One file with many tiles, as MSET's relatives write it: which relative a file is (by its first tile, proven by the sum of
// that tile's sections), and reading it. The family: MSET of 64-bit references, MSAT, KBEngine's without a magic, either
// byte order, DotRecast's own, Unreal 4's. Imported by detect.ts and index.ts.
import { NavguardError } from '../errors.ts';
import type { NavMesh } from '../mesh/navmesh.ts';
import { badFile } from './bad.ts';
import { readMset } from './import.ts';
import {
  detourLayout,
  recast4jLayout,
  type TileLayout,
  UNREAL_CLUSTER_BYTES,
  UNREAL_SEGMENT_BYTES,
  unrealLayout,
  VERTEX,
} from './layout.ts';
import { DETAIL_TRI_BYTES, DNAV_MAGIC, MSET_MAGIC, readParams } from './mset.ts';
import { ByteReader } from './reader.ts';
import { rewriteSet, type SourceSet, type SourceTile } from './rewrite.ts';

export type SetKind = 'mset' | 'mset64' | 'msat' | 'kbengine' | 'mset-swapped' | 'recast4j' | 'unreal';

/** What a file of tiles is, before anything of it is believed. */
export interface SetShape {
  readonly kind: SetKind;
  /** For a sentence: "an MSET navmesh with 64-bit references". */
  readonly name: string;
  /** For `NavMesh.format`: "MSET, 64-bit". */
  readonly format: string;
  readonly little: boolean;
  /** Bytes: of the tile count, the parameters and the first tile. */
  readonly countAt: number;
  readonly tilesAt: number;
  readonly layout: TileLayout;
}

const MSAT_MAGIC = 0x4d534154;
/** MSAT: f32 bmin[3], bmax[3] of the geometry between parameters and tiles. */
const MSAT_BOUNDS_BYTES = 24;
const PARAMS_BYTES = 28;
/** Set versions of recast4j and DotRecast: the second names the most corners of a polygon after the parameters. */
const RECAST4J_SETS = [0x8801, 0x8802];
const RECAST4J_TILES = [0x8807, 0x8808, 0x8809];
const MOST_VERTS = 6;
const C_PREFIXES = [8, 16, 12] as const;

/** The shape of a file, or null when it is no file of Detour tiles. Reads a few hundred bytes, throws nothing. */
export function setShape(bytes: Uint8Array): SetShape | null {
  if (bytes.byteLength < 8) return null;
  const little = new ByteReader(bytes);
  const big = new ByteReader(bytes, false);
  for (const r of [little, big]) {
    const magic = r.u32(0);
    if (magic === MSET_MAGIC || magic === MSAT_MAGIC) return tagged(r, r === little, magic === MSAT_MAGIC);
  }
  for (const r of [little, big]) {
    if (r.i32(0) !== 1) continue;
    const layout = provenLayout(r, 8 + PARAMS_BYTES) ?? plainLayout(r, 8 + PARAMS_BYTES);
    if (layout === null) continue;
    const { bits, swapped } = words(layout, r === little);
    const name = `a KBEngine-style navmesh (MSET without the magic)${swapped && ', big-endian'}`;
    const format = `KBEngine, ${bits}-bit${swapped}`;
    return { kind: 'kbengine', name, format, little: r === little, countAt: 4, tilesAt: 8 + PARAMS_BYTES, layout };
  }
  return null;
}

/**
 * Whether an MSET file holds tiles as Unreal 5 has them: no magic, a u16 version 7 where a tile must begin, numbers of
 * double precision behind it. Their layout differs between its versions, so that none of them is read.
 */
export function looksLikeUnreal5(bytes: Uint8Array, shape: SetShape): boolean {
  if (shape.kind !== 'mset' || bytes.byteLength < shape.tilesAt + 200) return false;
  const r = new ByteReader(bytes);
  if (C_PREFIXES.some((prefix) => tileAt(r, shape.tilesAt + prefix))) return false;
  // u64 reference, i32 size, padding; a 32-bit tile whose magic was damaged would have its version where the padding is.
  const at = shape.tilesAt + 16;
  return r.u16(at) === 7 && r.i32(at - 4) === 0 && r.i32(at - 8) <= r.length - at;
}

/** A file that begins with MSET's or MSAT's magic. */
function tagged(r: ByteReader, little: boolean, msat: boolean): SetShape {
  const version = r.i32(4);
  const countAt = 8;
  if (RECAST4J_SETS.includes(version)) {
    const tilesAt = 12 + PARAMS_BYTES + (version === 0x8802 ? 4 : 0);
    const verts = version === 0x8802 && r.length >= tilesAt ? r.i32(tilesAt - 4) : 0;
    const layout = recast4j(r, tilesAt, verts);
    const hex = `0x${version.toString(16)}`;
    const swapped = little ? '' : ', big-endian';
    const name = `a navmesh set in DotRecast's own layout (${hex})${swapped}`;
    return { kind: 'recast4j', name, format: `DotRecast ${hex}${swapped}`, little, countAt, tilesAt, layout };
  }
  const tilesAt = 12 + PARAMS_BYTES + (msat ? MSAT_BOUNDS_BYTES : 0);
  const layout = provenLayout(r, tilesAt) ?? plainLayout(r, tilesAt) ?? detourLayout(8);
  const { bits, swapped } = words(layout, little);
  const shape = { little, countAt, tilesAt, layout };
  if (layout.unreal !== null) {
    const name = `a navmesh of Unreal 4 (its own Detour layout)${swapped}`;
    return { ...shape, kind: 'unreal', name, format: `Unreal 4, ${bits}-bit${swapped}` };
  }
  if (msat) {
    const name = `an MSAT file (MSET with bounds, fananchong/NavMeshScene)${swapped}`;
    return { ...shape, kind: 'msat', name, format: `MSAT, ${bits}-bit${swapped}` };
  }
  const name = `an MSET navmesh with ${bits}-bit references${swapped}`;
  const kind = little ? (bits === 32 ? 'mset' : 'mset64') : 'mset-swapped';
  return { ...shape, kind, name, format: `MSET, ${bits}-bit${swapped}` };
}

function words(layout: TileLayout, little: boolean): { bits: 32 | 64; swapped: string } {
  return { bits: layout.prefix === 8 ? 32 : 64, swapped: little ? '' : ', big-endian' };
}

/** The layout whose sections add up to the size that the first tile declares. */
function provenLayout(r: ByteReader, tilesAt: number): TileLayout | null {
  for (const prefix of C_PREFIXES) {
    if (!tileAt(r, tilesAt + prefix)) continue;
    for (const layout of [detourLayout(prefix), unrealLayout(prefix, 'inner'), unrealLayout(prefix, 'behind')]) {
      if (adds(r, tilesAt, layout)) return layout;
    }
  }
  return null;
}

/** Not proven, but a tile stands where a prefix of this width puts it: then the reader says what does not add up. */
function plainLayout(r: ByteReader, tilesAt: number): TileLayout | null {
  const prefix = C_PREFIXES.find((width) => tileAt(r, tilesAt + width));
  return prefix === undefined ? null : detourLayout(prefix);
}

function recast4j(r: ByteReader, tilesAt: number, verts: number): TileLayout {
  const at = tilesAt + 12;
  const found = r.length >= at + 8 ? r.i32(at + 4) : 0;
  const version = RECAST4J_TILES.includes(found) ? found : RECAST4J_TILES[RECAST4J_TILES.length - 1];
  if (verts >= 3) return recast4jLayout(version, verts);
  // 0x8801 does not say how many corners a polygon may have: the sum of the sections does.
  for (let n = MOST_VERTS; n >= 3; n--) {
    const layout = recast4jLayout(version, n);
    if (tileAt(r, at) && adds(r, tilesAt, layout)) return layout;
  }
  return recast4jLayout(version, MOST_VERTS);
}

function tileAt(r: ByteReader, at: number): boolean {
  return r.length >= at + 120 && r.u32(at) === DNAV_MAGIC;
}

function adds(r: ByteReader, tilesAt: number, l: TileLayout): boolean {
  const at = tilesAt + l.prefix;
  const declared = r.i32(tilesAt + (l.prefix === 8 ? 4 : 8));
  const count = (offset: number) => r.i32(at + offset);
  let sum = l.header.from + (count(28) + count(40)) * VERTEX.from + count(24) * l.poly.from + count(32) * l.linkBytes;
  sum += count(36) * l.detail.from + count(44) * DETAIL_TRI_BYTES + count(48) * l.bv.from;
  sum += count(l.conCountAt) * l.offMesh.from;
  if (l.unreal !== null) {
    sum += count(l.unreal.segmentsAt) * UNREAL_SEGMENT_BYTES + count(l.unreal.clustersAt) * UNREAL_CLUSTER_BYTES;
    sum += 4 * Math.ceil(count(36) / 2);
  }
  return sum === declared && (l.unreal === null || count(l.conBaseAt) === count(36));
}

/** Reads a file of a shape. Throws `BAD_FILE`, `UNSUPPORTED_FORMAT`, `IMPORT_FAILED`. */
export async function readSet(bytes: Uint8Array, shape: SetShape): Promise<NavMesh> {
  if (shape.kind === 'mset') return readMset(bytes);
  const rewritten = rewriteSet(sourceOf(bytes, shape));
  const mesh = await rewritten.blame(() => readMset(rewritten.bytes));
  return { ...mesh, format: shape.format };
}

/** Finds the tiles of a file. Throws `BAD_FILE` when they do not lie inside it one after the other. */
export function sourceOf(bytes: Uint8Array, shape: SetShape): SourceSet {
  const { layout, little, countAt, tilesAt } = shape;
  const file = `${shape.format.split(',')[0]} file`;
  const r = new ByteReader(bytes, little);
  if (bytes.byteLength < tilesAt) {
    throw badFile({ offset: 0 }, 'file size', `${bytes.byteLength} bytes`, `at least the ${tilesAt} of a header`, file);
  }
  if (shape.kind !== 'recast4j' && r.i32(countAt - 4) !== 1) {
    throw badFile({ offset: countAt - 4 }, 'version', r.i32(countAt - 4), 1, file);
  }
  if (shape.kind === 'recast4j') checkCorners(r, shape);
  const params = readParams(r, countAt + 4);
  const tileCount = r.i32(countAt);
  if (tileCount < 1 || tileCount > params.maxTiles) {
    const expected = `1..${params.maxTiles} (the slots declared)`;
    throw badFile({ offset: countAt }, 'tile count', tileCount, expected, file);
  }
  const tiles: SourceTile[] = [];
  const refs = new Set<string>();
  let at = tilesAt;
  for (let t = 0; t < tileCount; t++) {
    const place = { tile: t, offset: at };
    const start = at + layout.prefix;
    if (start > r.length) {
      throw badFile(place, 'bytes left for a tile', r.length - at, `at least ${layout.prefix}`, file);
    }
    const wide = layout.prefix !== 8;
    const first = r.u32(at);
    const second = wide ? r.u32(at + 4) : 0;
    const ref = `${first}:${second}`;
    if (first === 0 && second === 0) throw badFile(place, 'tile reference', 0, 'not zero', file);
    if (refs.has(ref)) throw badFile(place, 'tile reference', 'that of an earlier tile', 'another', file);
    refs.add(ref);
    const sizeAt = at + (wide ? 8 : 4);
    const size = r.i32(sizeAt);
    if (size < 0 || size > r.length - start) {
      const expected = `0..${r.length - start}, what the file still holds`;
      throw badFile({ tile: t, offset: sizeAt }, 'tile size in bytes', size, expected, file);
    }
    tiles.push({ bytes, at: start, size, ref: first, refAt: at, sizeAt, file });
    at = start + size;
  }
  if (at !== r.length) {
    throw badFile({ offset: at }, `bytes after the last of ${tileCount} tiles`, r.length - at, 0, file);
  }
  const shift = countAt - 8;
  return {
    layout,
    little,
    params,
    keepRefs: layout.prefix === 8,
    tiles,
    bytesRead: bytes.byteLength,
    headerByte: (offset) => ({ offset: Math.max(0, offset + shift), file }),
  };
}

function checkCorners(r: ByteReader, shape: SetShape): void {
  if (shape.tilesAt !== 44) return;
  const verts = r.i32(40);
  if (verts >= 3 && verts <= MOST_VERTS) return;
  throw new NavguardError(
    'UNSUPPORTED_FORMAT',
    `This DotRecast navmesh has polygons of up to ${verts} corners, and Detour reads 3 to ${MOST_VERTS}: build it with maxVertsPerPoly ${MOST_VERTS}.`,
    { got: verts, expected: MOST_VERTS },
  );
}
