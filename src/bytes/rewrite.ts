// Writes the tiles of MSET's relatives (layout.ts) as one MSET file with 32-bit references, so that they take the one path
// that exists: check, import, compare. Only what must hold to copy is checked here; the rest is check.ts's, and its errors
// are told in bytes of the file that was given. Imported by the readers of bytes/ only.
import { NavguardError } from '../errors.ts';
import { badFile, type Place } from './bad.ts';
import { MAX_FILE_BYTES } from './check.ts';
import {
  foreignByte,
  type RecordLayout,
  type TileLayout,
  UNREAL_BIDIRECTIONAL,
  UNREAL_CLUSTER_BYTES,
  UNREAL_INTERNAL,
  UNREAL_SEGMENT_BYTES,
  VERTEX,
} from './layout.ts';
import {
  bitsFor,
  DETAIL_TRI_BYTES,
  DNAV_MAGIC,
  LINK_BYTES,
  MSET_MAGIC,
  MSET_VERSION,
  NEI_BORDER,
  NULL_LINK,
  OFFMESH_BYTES,
  OFFMESH_FLAGS,
  OFFMESH_SIDE,
  POLY_BYTES,
  POLY_FIRST_LINK,
  POLY_MAX_VERTS,
  SET_HEADER_BYTES,
  type SetParams,
  TILE_PREFIX_BYTES,
} from './mset.ts';
import { ByteReader } from './reader.ts';

/** Bits of a 32-bit reference for tile and polygon together: Detour wants ten for the salt. */
const MOST_REF_BITS = 22;

/** One tile where it was found. */
export interface SourceTile {
  readonly bytes: Uint8Array;
  /** First byte of its header, and the bytes that it declares to have; they lie inside `bytes`. */
  readonly at: number;
  readonly size: number;
  /** Its reference, when that has 32 bits. */
  readonly ref: number;
  /** Bytes where its reference (or what stands for it) and its declared size were read. */
  readonly refAt: number;
  readonly sizeAt: number;
  /** For sentences: "MSAT file", "MMAP file 0000601.mmtile". */
  readonly file: string;
}

/** A set of tiles in a foreign layout. */
export interface SourceSet {
  readonly layout: TileLayout;
  readonly little: boolean;
  readonly params: SetParams;
  /** References of 32 bits stay as they are; others are ours to choose. */
  readonly keepRefs: boolean;
  readonly tiles: readonly SourceTile[];
  /** Bytes that were read in all: what is written may not be far more. */
  readonly bytesRead: number;
  /** Where byte `offset` of an MSET header stands in what was read, and in which file. */
  readonly headerByte: (offset: number) => { readonly offset: number; readonly file: string };
}

/** A section of a tile: where it stands there and in ours, counted from the tile's first byte. */
interface Section {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly record: RecordLayout;
}

interface TilePlan {
  readonly tile: SourceTile;
  readonly sections: readonly Section[];
  readonly links: number;
  readonly polyCount: number;
  readonly conCount: number;
  readonly bvCount: number;
  /** Bytes of the tile as we write it, and where its header will stand. */
  readonly size: number;
  readonly to: number;
}

export interface Rewritten {
  /** An MSET file with 32-bit references; not yet checked. */
  readonly bytes: Uint8Array;
  /** Runs the check or the import, and tells a `BAD_FILE` in bytes of the source. */
  blame<T>(work: () => Promise<T>): Promise<T>;
}

/** Throws `BAD_FILE` when counts and sizes do not agree, `UNSUPPORTED_FORMAT` when 32-bit references cannot hold the map. */
export function rewriteSet(set: SourceSet): Rewritten {
  const plans: TilePlan[] = [];
  let at = SET_HEADER_BYTES;
  let mostPolys = 1;
  for (let t = 0; t < set.tiles.length; t++) {
    const plan = planTile(set, t, at + TILE_PREFIX_BYTES);
    plans.push(plan);
    at += TILE_PREFIX_BYTES + plan.size;
    if (plan.polyCount > mostPolys) mostPolys = plan.polyCount;
  }
  // Only layouts without link records can grow at all, and no honest one of them doubles.
  if (at > Math.min(MAX_FILE_BYTES, 2 * set.bytesRead + 65_536)) {
    const { offset, file } = set.headerByte(8);
    throw badFile({ offset }, 'bytes that its links need', at, 'at most twice its size', file);
  }
  const { params } = set;
  const slots = set.keepRefs ? params.maxTiles : 2 ** bitsFor(set.tiles.length);
  const polys = set.keepRefs ? params.maxPolys : mostPolys;
  const polyBits = set.keepRefs ? 0 : bitsFor(polys);
  const saltShift = polyBits + bitsFor(slots);
  if (!set.keepRefs && saltShift > MOST_REF_BITS) throw tooLarge(set.tiles.length, polys);
  const bytes = new Uint8Array(at);
  const out = new DataView(bytes.buffer);
  const head = [MSET_MAGIC, MSET_VERSION, set.tiles.length];
  head.forEach((word, i) => {
    out.setUint32(4 * i, word, true);
  });
  [...params.orig, params.tileWidth, params.tileHeight].forEach((value, i) => {
    out.setFloat32(12 + 4 * i, value, true);
  });
  out.setInt32(32, slots, true);
  out.setInt32(36, polys, true);
  for (let t = 0; t < plans.length; t++) {
    const ref = set.keepRefs ? plans[t].tile.ref : 2 ** saltShift + t * 2 ** polyBits;
    writeTile(set, plans[t], ref, bytes, out);
  }
  return {
    bytes,
    async blame(work) {
      try {
        return await work();
      } catch (error) {
        throw inSource(set, plans, error);
      }
    },
  };
}

/** Checks a tile's counts against its size, and lays out what will be written for it. */
function planTile(set: SourceSet, t: number, to: number): TilePlan {
  const { layout, little } = set;
  const tile = set.tiles[t];
  const r = new ByteReader(tile.bytes, little);
  const place = (offset: number): Place => ({ tile: t, offset: tile.at + offset });
  if (tile.size < layout.header.from) {
    const expected = `at least the ${layout.header.from} of its header`;
    throw badFile({ tile: t, offset: tile.sizeAt }, 'tile size in bytes', tile.size, expected, tile.file);
  }
  const magic = r.u32(tile.at);
  if (magic !== DNAV_MAGIC) throw badFile(place(0), 'tile magic', hex(magic), `${hex(DNAV_MAGIC)} ('DNAV')`, tile.file);
  const version = r.i32(tile.at + 4);
  if (version !== layout.version) throw badFile(place(4), 'tile version', version, layout.version, tile.file);
  const count = (offset: number, what: string) => {
    const value = r.i32(tile.at + offset);
    if (value < 0) throw badFile(place(offset), what, value, 'not negative', tile.file);
    return value;
  };
  const polyCount = count(24, 'polygon count');
  const vertCount = count(28, 'vertex count');
  const linkCount = count(32, 'link count');
  const detailCount = count(36, 'detail mesh count');
  const detailVerts = count(40, 'detail vertex count');
  const detailTris = count(44, 'detail triangle count');
  const bvCount = count(48, 'BV node count');
  const conCount = count(layout.conCountAt, 'off-mesh connection count');
  // All sums stay below 2^53 whatever the counts say.
  const verts = layout.header.from;
  const polys = verts + vertCount * VERTEX.from;
  const links = polys + polyCount * layout.poly.from;
  const details = links + linkCount * layout.linkBytes;
  const dVerts = details + detailCount * layout.detail.from;
  const dTris = dVerts + detailVerts * VERTEX.from;
  const bv = dTris + detailTris * DETAIL_TRI_BYTES;
  const offMesh = bv + bvCount * layout.bv.from;
  let end = offMesh + conCount * layout.offMesh.from;
  if (layout.unreal !== null) {
    const segments = count(layout.unreal.segmentsAt, 'segment link count');
    end += segments * UNREAL_SEGMENT_BYTES + count(layout.unreal.clustersAt, 'cluster count') * UNREAL_CLUSTER_BYTES;
    end += 4 * Math.ceil(detailCount / 2);
    if (end === tile.size && segments > 0) throw segmentLinks(segments);
  }
  if (end !== tile.size) {
    const what = `${end}, the sum of the sections that its counts declare`;
    throw badFile({ tile: t, offset: tile.sizeAt }, 'tile size in bytes', tile.size, what, tile.file);
  }
  const kept = layout.linkBytes === 0 || layout.unreal !== null ? null : linkCount;
  const writtenLinks =
    kept ??
    linksNeeded(r, tile.at + polys, polyCount, layout.poly) +
      4 * conCount +
      landings(set, r.i32(tile.at + 8), r.i32(tile.at + 12));
  const sections: Section[] = [];
  let cursor = 0;
  const add = (from: number, number: number, record: RecordLayout) => {
    sections.push({ from, to: cursor, count: number, record });
    cursor += number * record.to;
  };
  add(0, 1, layout.header);
  add(verts, vertCount, VERTEX);
  add(polys, polyCount, layout.poly);
  cursor += writtenLinks * LINK_BYTES;
  add(details, detailCount, layout.detail);
  add(dVerts, detailVerts, VERTEX);
  add(dTris, detailTris, DETAIL_TRI);
  add(bv, bvCount, layout.bv);
  add(offMesh, conCount, layout.offMesh);
  const bvKept = layout.bv.to === 0 ? 0 : bvCount;
  return { tile, sections, links: writtenLinks, polyCount, conCount, bvCount: bvKept, size: cursor, to };
}

const DETAIL_TRI: RecordLayout = { from: DETAIL_TRI_BYTES, to: DETAIL_TRI_BYTES, fields: [[0, 0, 4]] };

/** One link an inner edge and up to two a border edge, as Detour's own builder reckons. */
function linksNeeded(r: ByteReader, at: number, polyCount: number, poly: RecordLayout): number {
  const vertsAt = foreignByte(poly, 4);
  const countAt = foreignByte(poly, 30);
  const perPoly = (foreignByte(poly, 28) - vertsAt) / 4;
  let links = 0;
  for (let p = 0; p < polyCount; p++) {
    const corners = Math.min(r.u8(at + p * poly.from + countAt), perPoly, POLY_MAX_VERTS);
    for (let c = 0; c < corners; c++) {
      links += r.u16(at + p * poly.from + vertsAt + 2 * (perPoly + c)) & NEI_BORDER ? 3 : 1;
    }
  }
  return links + 1;
}

const landingsOf = new WeakMap<SourceSet, ReadonlyMap<string, number>>();

/** Off-mesh connections that may land in the tile at (x, y): those of the tiles around it, each with a link there. */
function landings(set: SourceSet, x: number, y: number): number {
  let around = landingsOf.get(set);
  if (around === undefined) {
    around = connectionsByCell(set);
    landingsOf.set(set, around);
  }
  let sum = 0;
  for (let dx = -1; dx <= 1; dx++) for (let dy = -1; dy <= 1; dy++) sum += around.get(`${x + dx},${y + dy}`) ?? 0;
  return sum;
}

function connectionsByCell(set: SourceSet): Map<string, number> {
  const cells = new Map<string, number>();
  for (const { bytes, at, size } of set.tiles) {
    if (size < set.layout.header.from) continue;
    const r = new ByteReader(bytes, set.little);
    const count = r.i32(at + set.layout.conCountAt);
    if (count <= 0 || count * set.layout.offMesh.from > size) continue;
    const cell = `${r.i32(at + 8)},${r.i32(at + 12)}`;
    cells.set(cell, (cells.get(cell) ?? 0) + count);
  }
  return cells;
}

function writeTile(set: SourceSet, plan: TilePlan, ref: number, bytes: Uint8Array, out: DataView): void {
  const { tile, to } = plan;
  const source = new DataView(tile.bytes.buffer, tile.bytes.byteOffset, tile.bytes.byteLength);
  out.setUint32(to - TILE_PREFIX_BYTES, ref, true);
  out.setInt32(to - 4, plan.size, true);
  for (const section of plan.sections) copySection(section, tile, source, bytes, out, to, set.little);
  // The version and the counts are ours to say where the layout differs.
  out.setInt32(to + 4, 7, true);
  out.setInt32(to + 32, plan.links, true);
  out.setInt32(to + 48, plan.bvCount, true);
  const polys = to + plan.sections[2].to;
  for (let p = 0; p < plan.polyCount; p++) out.setUint32(polys + p * POLY_BYTES + POLY_FIRST_LINK, NULL_LINK, true);
  if (set.layout.unreal === null) return;
  const cons = to + plan.sections[7].to;
  for (let k = 0; k < plan.conCount; k++) {
    const con = cons + k * OFFMESH_BYTES;
    const side = bytes[con + OFFMESH_SIDE];
    bytes[con + OFFMESH_FLAGS] = bytes[con + OFFMESH_FLAGS] & UNREAL_BIDIRECTIONAL ? 1 : 0;
    bytes[con + OFFMESH_SIDE] = side & UNREAL_INTERNAL ? 0xff : side;
  }
}

function copySection(
  { from, to, count, record }: Section,
  tile: SourceTile,
  source: DataView,
  bytes: Uint8Array,
  out: DataView,
  base: number,
  little: boolean,
): void {
  if (record.to === 0) return;
  const isBytes = record === DETAIL_TRI;
  if (isBytes || (little && record.from === record.to && record.fields.every(([a, b]) => a === b))) {
    const start = tile.at + from;
    bytes.set(tile.bytes.subarray(start, start + count * record.from), base + to);
    return;
  }
  for (let i = 0; i < count; i++) {
    const a = tile.at + from + i * record.from;
    const b = base + to + i * record.to;
    for (const [there, here, width] of record.fields) {
      if (width === 4) out.setUint32(b + here, source.getUint32(a + there, little), true);
      else if (width === 2) out.setUint16(b + here, source.getUint16(a + there, little), true);
      else bytes[b + here] = source.getUint8(a + there);
    }
  }
}

/** The same error in the source's own bytes. */
function inSource(set: SourceSet, plans: readonly TilePlan[], error: unknown): unknown {
  if (!(error instanceof NavguardError) || error.code !== 'BAD_FILE') return error;
  const { offset, what, got, expected, tile, polygon } = error.detail as {
    offset?: number;
    what?: string;
    got?: number | string;
    expected?: number | string;
    tile?: number;
    polygon?: number;
  };
  if (offset === undefined || what === undefined || got === undefined || expected === undefined) return error;
  const there = sourceByte(set, plans, offset);
  const place: Place = {
    offset: there.offset,
    ...(tile === undefined ? {} : { tile }),
    ...(polygon === undefined ? {} : { polygon }),
  };
  return badFile(place, what, got, expected, there.file);
}

function sourceByte(set: SourceSet, plans: readonly TilePlan[], offset: number): { offset: number; file: string } {
  let plan: TilePlan | undefined;
  for (const candidate of plans) if (candidate.to - TILE_PREFIX_BYTES <= offset) plan = candidate;
  if (plan === undefined) return set.headerByte(offset);
  const { tile } = plan;
  const inTile = offset - plan.to;
  // Before the header: the reference, and behind it the size.
  if (inTile < -4) return { offset: tile.refAt, file: tile.file };
  if (inTile < 0) return { offset: tile.sizeAt, file: tile.file };
  let at = tile.at;
  for (const { from, to, count, record } of plan.sections) {
    if (record.to === 0 || inTile < to || inTile >= to + count * record.to) continue;
    const index = Math.floor((inTile - to) / record.to);
    at = tile.at + from + index * record.from + foreignByte(record, inTile - to - index * record.to);
  }
  return { offset: at, file: tile.file };
}

function tooLarge(tiles: number, polys: number): NavguardError {
  return new NavguardError(
    'UNSUPPORTED_FORMAT',
    `This map has ${tiles} tiles of up to ${polys} polygons, which need ${bitsFor(tiles)} + ${bitsFor(polys)} bits of a reference, at most ${MOST_REF_BITS} are there: export it in smaller parts.`,
    { tiles, polygons: polys, got: bitsFor(tiles) + bitsFor(polys), expected: MOST_REF_BITS },
  );
}

function segmentLinks(count: number): NavguardError {
  return new NavguardError(
    'UNSUPPORTED_FORMAT',
    `This Unreal navmesh has ${count} segment ${count === 1 ? 'link' : 'links'} in a tile, which navguard does not read: make them point links (Nav Link Proxy) and export it again.`,
    { got: count, expected: 0 },
  );
}

function hex(n: number): string {
  return `0x${n.toString(16).padStart(8, '0')}`;
}
