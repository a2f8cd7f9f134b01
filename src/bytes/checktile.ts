// The structural check of one tile: vertices, polygons, detail meshes, BV tree and off-mesh connections. The header and
// the extent of the sections have been checked before (check.ts). Imported by check.ts only.
import { badFile } from './bad.ts';
import { checkNeighbours } from './checkneighbours.ts';
import {
  BV_BYTES,
  DETAIL_BYTES,
  DETAIL_TRI_BASE,
  DETAIL_TRI_BYTES,
  DETAIL_TRI_COUNT,
  DETAIL_VERT_BASE,
  DETAIL_VERT_COUNT,
  type MsetTile,
  NEI_BORDER,
  OFFMESH_BYTES,
  OFFMESH_POLY,
  OFFMESH_RADIUS,
  OFFMESH_SIDE,
  POLY_AREA_TYPE,
  POLY_BYTES,
  POLY_MAX_VERTS,
  POLY_NEIS,
  POLY_VERT_COUNT,
  POLY_VERTS,
} from './mset.ts';
import type { ByteReader } from './reader.ts';

/** What a tile costs at import: edges in all, border edges by side / 2, most detail triangles of a polygon. */
export interface TileLoad {
  readonly edges: number;
  readonly borders: readonly [number, number, number, number];
  readonly detailTriangles: number;
  /** Off-mesh connections that end in this tile, and those that end in a neighbour, by side 0..7. */
  readonly innerConnections: number;
  readonly outerConnections: readonly number[];
}

/** Checks the inside of a tile whose sections lie inside the file; `t` is its number in file order. */
export function checkTile(r: ByteReader, tile: MsetTile, t: number): TileLoad {
  const { header: h, sections: s, at } = tile;
  checkFinite(r, at + s.verts, h.vertCount * 3, t, 'vertex coordinate');
  checkFinite(r, at + s.detailVerts, h.detailVertCount * 3, t, 'detail vertex coordinate');
  const borders: [number, number, number, number] = [0, 0, 0, 0];
  // The verts of off-mesh connections follow those of the ground, two a connection: the importer moves them.
  const groundVerts = h.vertCount - 2 * h.offMeshConCount;
  let edges = 0;
  let inner = 0;
  for (let p = 0; p < h.offMeshBase; p++) {
    const count = checkPolygon(r, tile, t, p, groundVerts);
    edges += count;
    for (let c = 0; c < count; c++) {
      const nei = r.u16(at + s.polys + p * POLY_BYTES + POLY_NEIS + 2 * c);
      if (nei & NEI_BORDER) borders[(nei & 7) >> 1]++;
      else if (nei !== 0) inner++;
    }
  }
  checkNeighbours(r, tile, t);
  const needed = inner + 2 * h.offMeshConCount;
  if (h.maxLinkCount < needed) {
    throw badFile({ tile: t, offset: at + 32 }, 'link count', h.maxLinkCount, `at least ${needed}, its inner edges`);
  }
  const detailTriangles = checkDetails(r, tile, t);
  checkTree(r, tile, t);
  const outerConnections = [0, 0, 0, 0, 0, 0, 0, 0];
  let innerConnections = 0;
  for (let k = 0; k < h.offMeshConCount; k++) {
    const side = checkConnection(r, tile, t, k, groundVerts);
    if (side === 0xff) innerConnections++;
    else outerConnections[side]++;
  }
  return { edges, borders, detailTriangles, innerConnections, outerConnections };
}

function checkFinite(r: ByteReader, at: number, count: number, t: number, what: string): void {
  for (let i = 0; i < count; i++) {
    const value = r.f32(at + 4 * i);
    if (!Number.isFinite(value)) {
      const name = `${'xyz'[i % 3]} of ${what.replace(' coordinate', '')} ${Math.floor(i / 3)}`;
      throw badFile({ tile: t, offset: at + 4 * i }, name, value, 'a finite number');
    }
  }
}

/** Checks one ground polygon and returns its corner count. */
function checkPolygon(r: ByteReader, tile: MsetTile, t: number, p: number, groundVerts: number): number {
  const { header: h, sections: s, at } = tile;
  const poly = at + s.polys + p * POLY_BYTES;
  const type = r.u8(poly + POLY_AREA_TYPE) >> 6;
  if (type !== 0) {
    throw badFile({ tile: t, polygon: p, offset: poly + POLY_AREA_TYPE }, 'polygon type', type, '0 (ground)');
  }
  const count = r.u8(poly + POLY_VERT_COUNT);
  if (count < 3 || count > POLY_MAX_VERTS) {
    throw badFile({ tile: t, polygon: p, offset: poly + POLY_VERT_COUNT }, 'corners', count, `3..${POLY_MAX_VERTS}`);
  }
  for (let c = 0; c < count; c++) {
    const offset = poly + POLY_VERTS + 2 * c;
    const vertex = r.u16(offset);
    if (vertex >= groundVerts) {
      throw badFile({ tile: t, polygon: p, offset }, `vertex of corner ${c}`, vertex, `below ${groundVerts}`);
    }
    for (let e = 0; e < c; e++) {
      if (r.u16(poly + POLY_VERTS + 2 * e) === vertex) {
        throw badFile(
          { tile: t, polygon: p, offset },
          `vertex of corner ${c}`,
          `${vertex}, that of corner ${e}`,
          'another',
        );
      }
    }
    const nei = r.u16(offset + POLY_NEIS - POLY_VERTS);
    const place = { tile: t, polygon: p, offset: offset + POLY_NEIS - POLY_VERTS };
    if (nei & NEI_BORDER) {
      // Detour compares the wrong axis (in truth, an uninitialised one) for the odd, diagonal sides.
      const side = nei & ~NEI_BORDER;
      if (side > 6 || side & 1) throw badFile(place, `border side of edge ${c}`, side, '0, 2, 4 or 6');
    } else if (nei > h.offMeshBase) {
      throw badFile(place, `neighbour of edge ${c}`, nei - 1, `a ground polygon below ${h.offMeshBase}`);
    } else if (nei === p + 1) {
      throw badFile(place, `neighbour of edge ${c}`, `${p}, the polygon itself`, 'another polygon');
    }
  }
  return count;
}

/** Returns the most triangles that any polygon has. */
function checkDetails(r: ByteReader, tile: MsetTile, t: number): number {
  const { header: h, sections: s, at } = tile;
  let most = 0;
  let verts = 0;
  let triangles = 0;
  for (let p = 0; p < h.detailMeshCount; p++) {
    const detail = at + s.details + p * DETAIL_BYTES;
    const vertBase = r.u32(detail + DETAIL_VERT_BASE);
    const triBase = r.u32(detail + DETAIL_TRI_BASE);
    const vertCount = r.u8(detail + DETAIL_VERT_COUNT);
    const triCount = r.u8(detail + DETAIL_TRI_COUNT);
    const corners = r.u8(at + s.polys + p * POLY_BYTES + POLY_VERT_COUNT);
    if (vertBase + vertCount > h.detailVertCount) {
      throw badFile(
        { tile: t, polygon: p, offset: detail + DETAIL_VERT_BASE },
        'detail vertices',
        `${vertBase} + ${vertCount}`,
        `at most ${h.detailVertCount}`,
      );
    }
    if (triCount === 0) {
      // Detour takes the closest detail edge for granted and would read from address 0.
      throw badFile({ tile: t, polygon: p, offset: detail + DETAIL_TRI_COUNT }, 'detail triangles', 0, 'at least 1');
    }
    if (triBase + triCount > h.detailTriCount) {
      throw badFile(
        { tile: t, polygon: p, offset: detail + DETAIL_TRI_BASE },
        'detail triangles',
        `${triBase} + ${triCount}`,
        `at most ${h.detailTriCount}`,
      );
    }
    const tris = at + s.detailTris + triBase * DETAIL_TRI_BYTES;
    for (let k = 0; k < triCount; k++) {
      for (let c = 0; c < 3; c++) {
        const offset = tris + k * DETAIL_TRI_BYTES + c;
        const vertex = r.u8(offset);
        if (vertex >= corners + vertCount) {
          throw badFile(
            { tile: t, polygon: p, offset },
            `vertex ${c} of detail triangle ${k}`,
            vertex,
            `below ${corners + vertCount}`,
          );
        }
      }
    }
    if (triCount > most) most = triCount;
    verts += vertCount;
    triangles += triCount;
  }
  // No exporter shares them, and sharing would let a small file unfold into a huge mesh.
  if (verts > h.detailVertCount) {
    throw badFile(
      { tile: t, offset: at + 40 },
      'detail vertices of all polygons',
      verts,
      `at most ${h.detailVertCount}`,
    );
  }
  if (triangles > h.detailTriCount) {
    const place = { tile: t, offset: at + 44 };
    throw badFile(place, 'detail triangles of all polygons', triangles, `at most ${h.detailTriCount}`);
  }
  return most;
}

/** A leaf names a ground polygon; an inner node skips forward and not past the end, so every walk of the tree ends. */
function checkTree(r: ByteReader, tile: MsetTile, t: number): void {
  const { header: h, sections: s, at } = tile;
  for (let n = 0; n < h.bvNodeCount; n++) {
    const offset = at + s.bv + n * BV_BYTES + 12;
    const i = r.i32(offset);
    if (i >= 0 && i >= h.offMeshBase) {
      throw badFile({ tile: t, offset }, `polygon of BV leaf ${n}`, i, `below ${h.offMeshBase}`);
    }
    if (i < 0 && n - i > h.bvNodeCount) {
      throw badFile({ tile: t, offset }, `skip of BV node ${n}`, -i, `at most ${h.bvNodeCount - n}`);
    }
  }
}

/** Checks off-mesh connection k with its polygon; returns its side. */
function checkConnection(r: ByteReader, tile: MsetTile, t: number, k: number, groundVerts: number): number {
  const { header: h, sections: s, at } = tile;
  const con = at + s.offMesh + k * OFFMESH_BYTES;
  const p = h.offMeshBase + k;
  for (let i = 0; i < 6; i++) {
    const value = r.f32(con + 4 * i);
    if (!Number.isFinite(value)) {
      const what = `${'xyz'[i % 3]} of the ${i < 3 ? 'start' : 'end'} of off-mesh connection ${k}`;
      throw badFile({ tile: t, offset: con + 4 * i }, what, value, 'a finite number');
    }
  }
  const radius = r.f32(con + OFFMESH_RADIUS);
  if (!(radius >= 0 && radius < Number.POSITIVE_INFINITY)) {
    throw badFile(
      { tile: t, offset: con + OFFMESH_RADIUS },
      `radius of off-mesh connection ${k}`,
      radius,
      'a finite number, not negative',
    );
  }
  // The importer moves the ends of the polygon named here: another number would move somebody else's vertices.
  const named = r.u16(con + OFFMESH_POLY);
  if (named !== p)
    throw badFile({ tile: t, offset: con + OFFMESH_POLY }, `polygon of off-mesh connection ${k}`, named, p);
  const side = r.u8(con + OFFMESH_SIDE);
  if (side > 7 && side !== 0xff) {
    throw badFile({ tile: t, offset: con + OFFMESH_SIDE }, `side of off-mesh connection ${k}`, side, '0..7 or 255');
  }
  const poly = at + s.polys + p * POLY_BYTES;
  const type = r.u8(poly + POLY_AREA_TYPE) >> 6;
  if (type !== 1) {
    throw badFile(
      { tile: t, polygon: p, offset: poly + POLY_AREA_TYPE },
      'polygon type',
      type,
      '1 (off-mesh connection)',
    );
  }
  const count = r.u8(poly + POLY_VERT_COUNT);
  if (count !== 2) throw badFile({ tile: t, polygon: p, offset: poly + POLY_VERT_COUNT }, 'corners', count, 2);
  for (let c = 0; c < 2; c++) {
    const offset = poly + POLY_VERTS + 2 * c;
    const vertex = r.u16(offset);
    const expected = groundVerts + 2 * k + c;
    if (vertex !== expected) throw badFile({ tile: t, polygon: p, offset }, `vertex of corner ${c}`, vertex, expected);
    const nei = r.u16(offset + POLY_NEIS - POLY_VERTS);
    if (nei !== 0) {
      throw badFile(
        { tile: t, polygon: p, offset: offset + POLY_NEIS - POLY_VERTS },
        `neighbour of edge ${c} of an off-mesh connection`,
        nei,
        0,
      );
    }
  }
  return side;
}
