// Writers of Unity's triangulation as JSON, in the ways that exporters write it.
import { indexed, type PolyGround } from './polyground.ts';

export interface TriangulationStyle {
  readonly vertices?: 'objects' | 'lists' | 'flat';
  /** Corners as one list of triangles, or a list for each polygon. */
  readonly polygons?: boolean;
  readonly shared?: boolean;
  /** Names as C# writes them, inside an outer object, members in another order, indented. */
  readonly wrapped?: boolean;
}

/** Without `polygons` the ground's polygons must be triangles. */
export function writeTriangulation(ground: PolyGround, style: TriangulationStyle = {}): Uint8Array {
  const { vertices, rings } = style.shared ? indexed(ground) : unshared(ground);
  const places = {
    objects: vertices.map(([x, y, z]) => ({ x, y, z, w: { kept: [true, null, 'no"t'] } })),
    lists: vertices,
    flat: vertices.flat(),
  }[style.vertices ?? 'objects'];
  const corners = style.polygons ? rings : rings.flat();
  const { areas } = ground;
  const json = style.wrapped
    ? {
        version: 1.5,
        NavMesh: { Areas: areas, Indices: corners, note: 'a "vertices": [1] in a string', Vertices: places },
      }
    : { vertices: places, indices: corners, areas };
  return new TextEncoder().encode(JSON.stringify(json, null, style.wrapped ? 2 : 0));
}

function unshared(ground: PolyGround): { vertices: readonly (readonly number[])[]; rings: number[][] } {
  let n = 0;
  return { vertices: ground.rings.flat(), rings: ground.rings.map((ring) => ring.map(() => n++)) };
}
