// Writes a set of tiles as MSET's family does: 32 or 64 bits, either byte order, with MSAT's bounds or without a magic, in
// DotRecast's own layout, in Unreal 4's. Written from the structs, sharing no code with the readers.
import { ByteWriter } from './bytewriter.ts';
import type { PlainSet, PlainTile } from './tileset.ts';

export interface SetOptions {
  readonly bits?: 32 | 64;
  readonly little?: boolean;
  /** 64 bits: whether the size of a tile is padded to 8 bytes (as C structs are). */
  readonly padded?: boolean;
  readonly head?: 'mset' | 'msat' | 'bare';
  readonly tile?: 'detour' | 'unreal' | 'unreal-behind';
}

const MSET = 0x4d534554;
const MSAT = 0x4d534154;
const DNAV = 0x444e4156;

/** Plain Detour or Unreal 4 tiles in a set. */
export function writeSet(set: PlainSet, options: SetOptions = {}): Uint8Array {
  const { bits = 32, little = true, padded = true, head = 'mset', tile: kind = 'detour' } = options;
  const w = new ByteWriter(little);
  if (head !== 'bare') w.i32(head === 'msat' ? MSAT : MSET);
  w.i32(1, set.tiles.length);
  const polyBits = 8;
  writeParams(w, set, 2 ** bitsOf(set.tiles.length), 2 ** polyBits);
  if (head === 'msat') w.f32(-1, -2, -3, 1, 2, 3);
  set.tiles.forEach((tile, t) => {
    const bytes =
      kind === 'detour' ? detourTile(tile, set, little, bits === 32 ? 12 : 16) : unrealTile(tile, set, little, kind);
    if (bits === 32) w.i32(((1 << bitsOf(set.tiles.length)) + t) << polyBits, bytes.length);
    else {
      // salt 16, tile 28, poly 20
      w.u64((1n << 48n) | (BigInt(t) << 20n)).i32(bytes.length);
      if (padded) w.i32(0);
    }
    w.bytes(bytes);
  });
  return w.done();
}

/** DotRecast and recast4j, not in C-compatible mode. */
export function writeDotRecast(
  set: PlainSet,
  options: { version?: 0x8801 | 0x8802; tiles?: 0x8807 | 0x8808 | 0x8809; little?: boolean; verts?: number } = {},
): Uint8Array {
  const { version = 0x8802, tiles = 0x8809, little = false, verts = 6 } = options;
  const w = new ByteWriter(little);
  w.i32(MSET, version, set.tiles.length);
  writeParams(w, set, 128, 0x8000);
  if (version === 0x8802) w.i32(verts);
  set.tiles.forEach((tile, t) => {
    const b = new ByteWriter(little);
    writeHead(b, tile, tiles, counts(tile));
    writeAgent(b, tile, set);
    writeVerts(b, tile);
    writePolys(b, tile, verts, tiles === 0x8807);
    writeDetails(b, tile, false);
    if (tiles === 0x8809) for (const leaf of tile.leaves) b.i32(0, 0, 0, 70_000, 70_000, 70_000, leaf);
    else writeTree(b, tile);
    writeConnections(b, tile);
    const bytes = b.done();
    w.u64((1n << 48n) | (BigInt(t) << 20n))
      .i32(bytes.length)
      .bytes(bytes);
  });
  return w.done();
}

/** One tile in the layout of plain Detour. */
export function detourTile(tile: PlainTile, set: PlainSet, little: boolean, linkBytes: 12 | 16): Uint8Array {
  const b = new ByteWriter(little);
  const n = counts(tile);
  writeHead(b, tile, 7, n);
  writeAgent(b, tile, set);
  writeVerts(b, tile);
  writePolys(b, tile, 6, true);
  for (let i = 0; i < n.links * linkBytes; i += 4) b.i32(0x5a5a5a5a);
  writeDetails(b, tile, true);
  writeTree(b, tile);
  writeConnections(b, tile);
  return b.done();
}

function unrealTile(tile: PlainTile, set: PlainSet, little: boolean, order: 'unreal' | 'unreal-behind'): Uint8Array {
  const b = new ByteWriter(little);
  const n = counts(tile);
  const cons = tile.connections.length;
  const clusters = tile.polys.length % 3;
  // Unreal leaves the links of off-mesh connections out of the count.
  const links = n.links - 4 * cons;
  b.i32(DNAV, 7, tile.x, tile.y, tile.layer, 0, n.polys, n.verts, links);
  b.i32(tile.polys.length, n.extra, n.triangles, tile.leaves.length, cons);
  if (order === 'unreal') b.i32(0, tile.polys.length, n.polys, n.verts);
  else b.i32(tile.polys.length);
  b.f32(set.agent.height, set.agent.radius, set.agent.climb, ...tile.bmin, ...tile.bmax, 1 / set.cell);
  b.i32(clusters);
  if (order === 'unreal-behind') b.i32(0, n.polys, n.verts);
  writeVerts(b, tile);
  writePolys(b, tile, 6, true);
  b.zeros(16 * links);
  writeDetails(b, tile, true);
  writeTree(b, tile);
  tile.connections.forEach((con, k) => {
    b.f32(...con.from, ...con.to, con.radius, -1)
      .i32(con.userId)
      .u16(tile.polys.length + k);
    b.u8(con.side ?? 0x80, con.bidirectional ? 0x80 : 0x40);
  });
  for (let c = 0; c < clusters; c++) b.f32(1, 2, 3).i32(-1, 0);
  for (let p = 0; p < tile.polys.length; p++) b.u16(0);
  if (tile.polys.length % 2 === 1) b.u16(0xfefe);
  return b.done();
}

export function writeParams(w: ByteWriter, set: PlainSet, maxTiles: number, maxPolys: number): void {
  w.f32(...set.orig, set.tileWidth, set.tileHeight).i32(maxTiles, maxPolys);
}

interface Counts {
  readonly polys: number;
  readonly verts: number;
  readonly links: number;
  readonly extra: number;
  readonly triangles: number;
}

function counts(tile: PlainTile): Counts {
  const cons = tile.connections.length;
  const edges = tile.polys.flatMap((poly) => poly.neis);
  return {
    polys: tile.polys.length + cons,
    verts: tile.verts.length + 2 * cons,
    links: edges.length + 2 * edges.filter((nei) => nei & 0x8000).length + 4 * cons,
    extra: tile.polys.reduce((sum, poly) => sum + poly.extra.length, 0),
    triangles: tile.polys.reduce((sum, poly) => sum + poly.triangles.length, 0),
  };
}

function writeHead(b: ByteWriter, tile: PlainTile, version: number, n: Counts): void {
  b.i32(DNAV, version, tile.x, tile.y, tile.layer, 4242, n.polys, n.verts, n.links);
  b.i32(tile.polys.length, n.extra, n.triangles, tile.leaves.length, tile.connections.length, tile.polys.length);
}

function writeAgent(b: ByteWriter, tile: PlainTile, set: PlainSet): void {
  b.f32(set.agent.height, set.agent.radius, set.agent.climb, ...tile.bmin, ...tile.bmax, 1 / set.cell);
}

function writeVerts(b: ByteWriter, tile: PlainTile): void {
  for (const vert of tile.verts) b.f32(...vert);
  for (const con of tile.connections) b.f32(...con.from, ...con.to);
}

function writePolys(b: ByteWriter, tile: PlainTile, perPoly: number, firstLink: boolean): void {
  const padded = (list: readonly number[]) => [...list, ...new Array(perPoly - list.length).fill(0)];
  for (const poly of tile.polys) {
    if (firstLink) b.i32(0x7777);
    b.u16(...padded(poly.corners), ...padded(poly.neis), poly.flags).u8(poly.corners.length, poly.area);
  }
  tile.connections.forEach((con, k) => {
    if (firstLink) b.i32(0x7777);
    const v = tile.verts.length + 2 * k;
    b.u16(...padded([v, v + 1]), ...padded([]), con.flags).u8(2, 64 | con.area);
  });
}

function writeDetails(b: ByteWriter, tile: PlainTile, padding: boolean): void {
  let verts = 0;
  let triangles = 0;
  for (const poly of tile.polys) {
    b.i32(verts, triangles).u8(poly.extra.length, poly.triangles.length);
    if (padding) b.u16(0xabab);
    verts += poly.extra.length;
    triangles += poly.triangles.length;
  }
  for (const poly of tile.polys) for (const vert of poly.extra) b.f32(...vert);
  for (const poly of tile.polys) for (const triangle of poly.triangles) b.u8(...triangle, 21);
}

function writeTree(b: ByteWriter, tile: PlainTile): void {
  for (const leaf of tile.leaves) b.u16(0, 0, 0, 0xffff, 0xffff, 0xffff).i32(leaf);
}

function writeConnections(b: ByteWriter, tile: PlainTile): void {
  tile.connections.forEach((con, k) => {
    b.f32(...con.from, ...con.to, con.radius).u16(tile.polys.length + k);
    b.u8(con.bidirectional ? 1 : 0, con.side ?? 0xff).i32(con.userId);
  });
}

/** Bits for numbers below n. */
function bitsOf(n: number): number {
  let bits = 0;
  while (2 ** bits < n) bits++;
  return bits;
}
