// The same facts by another road: recast-navigation imports the file and its field getters are asked one by one. Slow, and
// shares no code with src/bytes.
import { importNavMesh, init } from 'recast-navigation';

/** One ground polygon as recast-navigation sees it. */
export interface SeenPolygon {
  readonly tile: number;
  readonly corners: [number, number, number][];
  readonly neis: number[];
  readonly area: number;
  readonly flags: number;
  /** Detail triangles as three points each. */
  readonly triangles: [number, number, number][][];
  /** Links over border edges: edge, slot of the other tile, its polygon. */
  readonly links: { edge: number; slot: number; polygon: number }[];
}

export interface SeenConnection {
  readonly pos: number[];
  readonly radius: number;
  readonly flags: number;
  readonly userId: number;
}

/** All ground polygons and connections, tile slots in ascending order. */
export async function seenByRecast(
  bytes: Uint8Array,
): Promise<{ tiles: number; polygons: SeenPolygon[]; connections: SeenConnection[]; total: number }> {
  await init();
  const { navMesh } = importNavMesh(bytes);
  const polygons: SeenPolygon[] = [];
  const connections: SeenConnection[] = [];
  let tiles = 0;
  let total = 0;
  for (let slot = 0; slot < navMesh.getMaxTiles(); slot++) {
    const tile = navMesh.getTile(slot);
    const header = tile.header();
    if (!header || header.polyCount() === 0) continue;
    const number = tiles++;
    total += header.polyCount();
    const vertex = (i: number): [number, number, number] => [
      tile.verts(3 * i),
      tile.verts(3 * i + 1),
      tile.verts(3 * i + 2),
    ];
    for (let p = 0; p < header.offMeshBase(); p++) {
      const poly = tile.polys(p);
      const count = poly.vertCount();
      const corners = Array.from({ length: count }, (_, c) => vertex(poly.verts(c)));
      const detail = tile.detailMeshes(p);
      const triangles: [number, number, number][][] = [];
      for (let k = 0; k < detail.triCount(); k++) {
        const points = [0, 1, 2].map((c): [number, number, number] => {
          const v = tile.detailTris(4 * (detail.triBase() + k) + c);
          if (v < count) return corners[v];
          const at = 3 * (detail.vertBase() + v - count);
          return [tile.detailVerts(at), tile.detailVerts(at + 1), tile.detailVerts(at + 2)];
        });
        triangles.push(points);
      }
      const links: SeenPolygon['links'] = [];
      for (let i = poly.firstLink() >>> 0; i !== 0xffffffff; ) {
        const link = tile.links(i);
        const edge = link.edge();
        if (edge < count && poly.neis(edge) & 0x8000) {
          const { tileIndex, tilePolygonIndex } = navMesh.decodePolyId(link.ref() >>> 0);
          links.push({ edge, slot: tileIndex, polygon: tilePolygonIndex });
        }
        i = link.next() >>> 0;
      }
      polygons.push({
        tile: number,
        corners,
        neis: Array.from({ length: count }, (_, c) => poly.neis(c)),
        area: poly.areaAndType() & 63,
        flags: poly.flags(),
        triangles,
        links,
      });
    }
    for (let k = 0; k < header.offMeshConCount(); k++) {
      const con = tile.offMeshCons(k);
      connections.push({
        pos: [0, 1, 2, 3, 4, 5].map((i) => con.pos(i)),
        radius: con.rad(),
        flags: con.flags(),
        userId: con.userId(),
      });
    }
  }
  navMesh.destroy();
  return { tiles, polygons, connections, total };
}
