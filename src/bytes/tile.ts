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
  const ground = readGround(set, tiles, readers, polyCount, vertCount);
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
    ...readDetails(set, tiles, readers, polyCount),
    links: readLinks(set, tiles, readers),
  };
}

type Ground = Pick<NavMesh, 'vertices' | 'first' | 'corners' | 'neighbours' | 'areas' | 'flags' | 'polyTile'>;

function readGround(
  set: MsetDirectory,
  tiles: readonly TileBytes[],
  readers: readonly ByteReader[],
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
    const { header: h, sections: s } = set.tiles[t];
    const r = readers[t];
    for (let k = 0; k < h.offMeshBase; k++, p++) {
      const poly = tiles[t].at + s.polys + k * POLY_BYTES;
      first[p + 1] = first[p] + r.u8(poly + POLY_VERT_COUNT);
      areas[p] = r.u8(poly + POLY_AREA_TYPE) & 63;
      flags[p] = r.u16(poly + POLY_FLAGS);
      polyTile[p] = t;
    }
  }
  const corners = new Uint32Array(first[polyCount]);
  const neighbours = new Int32Array(first[polyCount]);
  let corner = 0;
  let vertBase = 0;
  let polyBase = 0;
  for (let t = 0; t < tiles.length; t++) {
    const { header: h, sections: s } = set.tiles[t];
    const r = readers[t];
    const verts = h.vertCount - 2 * h.offMeshConCount;
    for (let i = 0; i < verts * 3; i++) vertices[vertBase * 3 + i] = r.f32(tiles[t].at + s.verts + 4 * i);
    for (let k = 0; k < h.offMeshBase; k++) {
      const poly = tiles[t].at + s.polys + k * POLY_BYTES;
      const count = r.u8(poly + POLY_VERT_COUNT);
      for (let c = 0; c < count; c++, corner++) {
        corners[corner] = vertBase + r.u16(poly + POLY_VERTS + 2 * c);
        const nei = r.u16(poly + POLY_NEIS + 2 * c);
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
  readers: readonly ByteReader[],
  polyCount: number,
): Pick<NavMesh, 'detailFirstVertex' | 'detailVertices' | 'detailFirstTriangle' | 'detailTriangles'> {
  const detailFirstVertex = new Uint32Array(polyCount + 1);
  const detailFirstTriangle = new Uint32Array(polyCount + 1);
  let p = 0;
  for (let t = 0; t < tiles.length; t++) {
    for (let k = 0; k < set.tiles[t].header.offMeshBase; k++, p++) {
      const detail = tiles[t].at + set.tiles[t].sections.details + k * DETAIL_BYTES;
      detailFirstVertex[p + 1] = detailFirstVertex[p] + readers[t].u8(detail + DETAIL_VERT_COUNT);
      detailFirstTriangle[p + 1] = detailFirstTriangle[p] + readers[t].u8(detail + DETAIL_TRI_COUNT);
    }
  }
  const detailVertices = new Float32Array(detailFirstVertex[polyCount] * 3);
  const detailTriangles = new Uint8Array(detailFirstTriangle[polyCount] * 3);
  p = 0;
  for (let t = 0; t < tiles.length; t++) {
    const { header: h, sections: s } = set.tiles[t];
    const r = readers[t];
    const base = tiles[t].at;
    for (let k = 0; k < h.offMeshBase; k++, p++) {
      const detail = base + s.details + k * DETAIL_BYTES;
      const verts = base + s.detailVerts + r.u32(detail + DETAIL_VERT_BASE) * VERTEX_BYTES;
      const floats = (detailFirstVertex[p + 1] - detailFirstVertex[p]) * 3;
      for (let i = 0; i < floats; i++) detailVertices[detailFirstVertex[p] * 3 + i] = r.f32(verts + 4 * i);
      const tris = base + s.detailTris + r.u32(detail + DETAIL_TRI_BASE) * DETAIL_TRI_BYTES;
      const count = detailFirstTriangle[p + 1] - detailFirstTriangle[p];
      for (let i = 0; i < count; i++) {
        // The fourth byte holds edge flags for Detour's own use.
        const to = (detailFirstTriangle[p] + i) * 3;
        for (let c = 0; c < 3; c++) detailTriangles[to + c] = r.u8(tris + i * DETAIL_TRI_BYTES + c);
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
