// Our tile reader: the tiles of a checked MSET file, or the same tiles out of the importer's heap, -> one NavMesh value.
// Imported by bytes/ only.
import { type NavLink, type NavMesh, type NavTile, PORTAL, WALL } from '../mesh/navmesh.ts';
import { cellOfQuantFactor, shortestF32 } from './lattice.ts';
import {
  DETAIL_BYTES,
  DETAIL_TRI_BASE,
  DETAIL_TRI_BYTES,
  DETAIL_TRI_COUNT,
  DETAIL_VERT_BASE,
  DETAIL_VERT_COUNT,
  LINK_BYTES,
  LINK_EDGE,
  LINK_NEXT,
  LINK_REF,
  type MsetDirectory,
  NEI_BORDER,
  NULL_LINK,
  OFFMESH_BYTES,
  OFFMESH_FLAGS,
  OFFMESH_RADIUS,
  OFFMESH_USER_ID,
  POLY_AREA_TYPE,
  POLY_BYTES,
  POLY_FIRST_LINK,
  POLY_FLAGS,
  POLY_NEIS,
  POLY_VERT_COUNT,
  POLY_VERTS,
  VERTEX_BYTES,
} from './mset.ts';
import { ByteReader } from './reader.ts';

/** Where the bytes of a tile are: `bytes[at]` is the first of its header. */
export interface TileBytes {
  readonly bytes: Uint8Array;
  readonly at: number;
}

/**
 * Reads the tiles of a checked file. `tiles[t]` holds the bytes of tile t of the directory, in the layout that the
 * directory declares. `links`: the bytes carry the links that Detour rebuilt, so portals can be read from them; a file's
 * own links mean nothing. Off-mesh connections become `links` of the mesh, their two-corner polygons are left out.
 */
export function readTiles(set: MsetDirectory, tiles: readonly TileBytes[], options: { links: boolean }): NavMesh {
  const navTiles: NavTile[] = [];
  let polyCount = 0;
  let vertCount = 0;
  for (const { header: h } of set.tiles) {
    const bounds = [...h.bmin, ...h.bmax] as unknown as NavTile['bounds'];
    navTiles.push({ x: h.x, y: h.y, layer: h.layer, polyBase: polyCount, polyCount: h.offMeshBase, bounds });
    polyCount += h.offMeshBase;
    vertCount += h.vertCount - 2 * h.offMeshConCount;
  }
  const readers = tiles.map((tile) => new ByteReader(tile.bytes));
  const words = tiles.map((tile, t) => wordsOf(tile, set.tiles[t].size));
  const ground = readGround(set, tiles, words, polyCount, vertCount);
  const portals = options.links ? readPortals(set, tiles, readers, navTiles, ground) : new Uint32Array(0);
  const agent = set.tiles[0].header;
  return {
    format: 'MSET, 32-bit',
    tiles: navTiles,
    lattice: latticeOf(set),
    agent: {
      height: shortestF32(agent.walkableHeight),
      radius: shortestF32(agent.walkableRadius),
      climb: shortestF32(agent.walkableClimb),
    },
    ...ground,
    portals,
    ...readDetails(set, tiles, words, polyCount),
    links: readLinks(set, tiles, readers),
  };
}

/** A tile's bytes as numbers; index 0 is its first byte. Sections begin at multiples of 4. */
interface TileWords {
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
}

/** The directory's offsets lie inside the tile, so these need no checks of their own. Little-endian, as every machine here. */
function wordsOf({ bytes, at }: TileBytes, size: number): TileWords {
  let u8 = bytes.subarray(at, at + size);
  if (u8.byteOffset % 4 !== 0) u8 = u8.slice();
  const { buffer, byteOffset } = u8;
  return {
    u8,
    u16: new Uint16Array(buffer, byteOffset, u8.length >>> 1),
    u32: new Uint32Array(buffer, byteOffset, u8.length >>> 2),
    f32: new Float32Array(buffer, byteOffset, u8.length >>> 2),
  };
}

type Ground = Pick<NavMesh, 'vertices' | 'first' | 'corners' | 'neighbours' | 'areas' | 'flags' | 'polyTile'>;

function readGround(
  set: MsetDirectory,
  tiles: readonly TileBytes[],
  words: readonly TileWords[],
  polyCount: number,
  vertCount: number,
): Ground {
  const vertices = new Float32Array(vertCount * 3);
  const first = new Uint32Array(polyCount + 1);
  const areas = new Uint8Array(polyCount);
  const flags = new Uint16Array(polyCount);
  const polyTile = new Uint32Array(polyCount);
  let p = 0;
  for (let t = 0; t < tiles.length; t++) {
    const { u8, u16 } = words[t];
    let poly = set.tiles[t].sections.polys;
    for (let k = set.tiles[t].header.offMeshBase; k > 0; k--, p++, poly += POLY_BYTES) {
      first[p + 1] = first[p] + u8[poly + POLY_VERT_COUNT];
      areas[p] = u8[poly + POLY_AREA_TYPE] & 63;
      flags[p] = u16[(poly + POLY_FLAGS) >>> 1];
      polyTile[p] = t;
    }
  }
  const corners = new Uint32Array(first[polyCount]);
  const neighbours = new Int32Array(first[polyCount]);
  let vertBase = 0;
  let polyBase = 0;
  for (let t = 0; t < tiles.length; t++) {
    const { header: h, sections: s } = set.tiles[t];
    const { u16, f32 } = words[t];
    const verts = h.vertCount - 2 * h.offMeshConCount;
    vertices.set(f32.subarray(s.verts >>> 2, (s.verts >>> 2) + 3 * verts), 3 * vertBase);
    for (let k = 0; k < h.offMeshBase; k++) {
      const end = first[polyBase + k + 1];
      let at = (s.polys + k * POLY_BYTES + POLY_VERTS) >>> 1;
      for (let corner = first[polyBase + k]; corner < end; corner++, at++) {
        corners[corner] = vertBase + u16[at];
        const nei = u16[at + ((POLY_NEIS - POLY_VERTS) >>> 1)];
        neighbours[corner] = nei === 0 ? WALL : nei & NEI_BORDER ? PORTAL : polyBase + nei - 1;
      }
    }
    vertBase += verts;
    polyBase += h.offMeshBase;
  }
  return { vertices, first, corners, neighbours, areas, flags, polyTile };
}

/**
 * The polygons that Detour linked across tile borders, as pairs (corner, polygon), sorted. A chain of links is no longer
 * than the tile's link count, so the walk ends whatever the bytes say.
 */
function readPortals(
  set: MsetDirectory,
  tiles: readonly TileBytes[],
  readers: readonly ByteReader[],
  navTiles: readonly NavTile[],
  ground: Ground,
): Uint32Array {
  const tileOfSlot = new Map<number, number>();
  for (let t = 0; t < set.tiles.length; t++) tileOfSlot.set(set.tiles[t].slot, t);
  const polyMask = (1 << set.polyBits) - 1;
  const slotMask = (1 << set.tileBits) - 1;
  const pairs: number[] = [];
  for (let t = 0; t < tiles.length; t++) {
    const { header: h, sections: s } = set.tiles[t];
    const r = readers[t];
    for (let k = 0; k < h.offMeshBase; k++) {
      const p = navTiles[t].polyBase + k;
      let border = false;
      for (let c = ground.first[p]; c < ground.first[p + 1]; c++) border ||= ground.neighbours[c] === PORTAL;
      if (!border) continue;
      const here: [number, number][] = [];
      let link = r.u32(tiles[t].at + s.polys + k * POLY_BYTES + POLY_FIRST_LINK);
      for (let step = 0; link !== NULL_LINK && step < h.maxLinkCount; step++) {
        const at = tiles[t].at + s.links + link * LINK_BYTES;
        const ref = r.u32(at + LINK_REF);
        const edge = r.u8(at + LINK_EDGE);
        link = r.u32(at + LINK_NEXT);
        const corner = ground.first[p] + edge;
        // Inner edges are known already; an edge number past the corners marks the landing of an off-mesh connection.
        if (corner >= ground.first[p + 1] || ground.neighbours[corner] !== PORTAL) continue;
        const other = tileOfSlot.get((ref >>> set.polyBits) & slotMask);
        if (other === undefined || (ref & polyMask) >= navTiles[other].polyCount) continue;
        here.push([corner, navTiles[other].polyBase + (ref & polyMask)]);
      }
      here.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      for (const [corner, polygon] of here) pairs.push(corner, polygon);
    }
  }
  return Uint32Array.from(pairs);
}

function readDetails(
  set: MsetDirectory,
  tiles: readonly TileBytes[],
  words: readonly TileWords[],
  polyCount: number,
): Pick<NavMesh, 'detailFirstVertex' | 'detailVertices' | 'detailFirstTriangle' | 'detailTriangles'> {
  const detailFirstVertex = new Uint32Array(polyCount + 1);
  const detailFirstTriangle = new Uint32Array(polyCount + 1);
  let p = 0;
  for (let t = 0; t < tiles.length; t++) {
    const { u8 } = words[t];
    let detail = set.tiles[t].sections.details;
    for (let k = set.tiles[t].header.offMeshBase; k > 0; k--, p++, detail += DETAIL_BYTES) {
      detailFirstVertex[p + 1] = detailFirstVertex[p] + u8[detail + DETAIL_VERT_COUNT];
      detailFirstTriangle[p + 1] = detailFirstTriangle[p] + u8[detail + DETAIL_TRI_COUNT];
    }
  }
  const detailVertices = new Float32Array(detailFirstVertex[polyCount] * 3);
  const detailTriangles = new Uint8Array(detailFirstTriangle[polyCount] * 3);
  p = 0;
  for (let t = 0; t < tiles.length; t++) {
    const { header: h, sections: s } = set.tiles[t];
    const { u8, u32, f32 } = words[t];
    for (let k = 0; k < h.offMeshBase; k++, p++) {
      const detail = (s.details + k * DETAIL_BYTES) >>> 2;
      let from = (s.detailVerts + u32[detail + (DETAIL_VERT_BASE >>> 2)] * VERTEX_BYTES) >>> 2;
      for (let i = detailFirstVertex[p] * 3; i < detailFirstVertex[p + 1] * 3; i++) detailVertices[i] = f32[from++];
      let tri = s.detailTris + u32[detail + (DETAIL_TRI_BASE >>> 2)] * DETAIL_TRI_BYTES;
      for (let i = detailFirstTriangle[p] * 3; i < detailFirstTriangle[p + 1] * 3; i += 3, tri += DETAIL_TRI_BYTES) {
        // The fourth byte holds edge flags for Detour's own use.
        detailTriangles[i] = u8[tri];
        detailTriangles[i + 1] = u8[tri + 1];
        detailTriangles[i + 2] = u8[tri + 2];
      }
    }
  }
  return { detailFirstVertex, detailVertices, detailFirstTriangle, detailTriangles };
}

function readLinks(set: MsetDirectory, tiles: readonly TileBytes[], readers: readonly ByteReader[]): NavLink[] {
  const links: NavLink[] = [];
  for (let t = 0; t < tiles.length; t++) {
    const { header: h, sections: s } = set.tiles[t];
    const r = readers[t];
    for (let k = 0; k < h.offMeshConCount; k++) {
      const con = tiles[t].at + s.offMesh + k * OFFMESH_BYTES;
      const poly = tiles[t].at + s.polys + (h.offMeshBase + k) * POLY_BYTES;
      links.push({
        // As placed by the level team, not as the importer moves the polygon's ends.
        from: [r.f32(con), r.f32(con + 4), r.f32(con + 8)],
        to: [r.f32(con + 12), r.f32(con + 16), r.f32(con + 20)],
        radius: shortestF32(r.f32(con + OFFMESH_RADIUS)),
        bidirectional: (r.u8(con + OFFMESH_FLAGS) & 1) !== 0,
        area: r.u8(poly + POLY_AREA_TYPE) & 63,
        flags: r.u16(poly + POLY_FLAGS),
        userId: r.u32(con + OFFMESH_USER_ID),
        tile: t,
      });
    }
  }
  return links;
}

/** All tiles must agree on the cell; a file that mixes cells has no common lattice. */
function latticeOf(set: MsetDirectory): NavMesh['lattice'] {
  const factor = set.tiles[0].header.bvQuantFactor;
  const same = set.tiles.every((tile) => tile.header.bvQuantFactor === factor);
  return { x: set.params.orig[0], z: set.params.orig[2], cell: same ? cellOfQuantFactor(factor) : 0 };
}
