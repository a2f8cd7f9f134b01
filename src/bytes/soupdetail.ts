// Detail surfaces of a soup's polygons in the mesh's layout. Imported by soup.ts only.
import type { NavMesh } from '../mesh/navmesh.ts';
import { placer } from './adapt.ts';
import type { Reading } from './options.ts';
import type { PolygonSoup, SoupDetail } from './polygons.ts';

type Details = Pick<NavMesh, 'detailFirstVertex' | 'detailVertices' | 'detailFirstTriangle' | 'detailTriangles'>;

/**
 * The details of the kept polygons; `first` are their corners. A polygon that lost corners to welding loses its detail, whose
 * triangles name corners by number, and is a fan like any other.
 */
export function soupDetails(soup: PolygonSoup, reading: Reading, source: Uint32Array, first: Uint32Array): Details {
  const polygons = source.length;
  const detailFirstVertex = new Uint32Array(polygons + 1);
  const detailFirstTriangle = new Uint32Array(polygons + 1);
  const ends = soup.ends.taken();
  const found: (SoupDetail | undefined)[] = [];
  for (let p = 0; p < polygons; p++) {
    const given = ends[source[p]] - (source[p] === 0 ? 0 : ends[source[p] - 1]);
    const detail = given === first[p + 1] - first[p] ? soup.details.get(source[p]) : undefined;
    found.push(detail);
    detailFirstVertex[p + 1] = detailFirstVertex[p] + (detail?.vertices.length ?? 0) / 3;
    detailFirstTriangle[p + 1] = detailFirstTriangle[p] + (detail?.triangles.length ?? 0) / 3;
  }
  const detailVertices = new Float32Array(3 * detailFirstVertex[polygons]);
  const detailTriangles = new Uint8Array(3 * detailFirstTriangle[polygons]);
  const place = placer(reading);
  found.forEach((detail, p) => {
    if (detail === undefined) return;
    const { vertices } = detail;
    for (let i = 0; i < vertices.length; i += 3) {
      const at = place([vertices[i], vertices[i + 1], vertices[i + 2]]);
      detailVertices.set(at, 3 * detailFirstVertex[p] + i);
    }
    detailTriangles.set(detail.triangles, 3 * detailFirstTriangle[p]);
  });
  return { detailFirstVertex, detailVertices, detailFirstTriangle, detailTriangles };
}
