// Boxes and triangles to the triangle soup that Recast rasterises. Imported by build/.
import type { Box, CheckedSpec } from './spec.ts';

/** Flat x, y, z positions in metres and three indices per triangle, counter-clockwise seen from outside. */
export interface TriangleSoup {
  readonly positions: number[];
  readonly indices: number[];
}

/**
 * Recast sees surfaces, not solids: ground under a closed box keeps a ceiling high enough to walk under, and so becomes a
 * room nobody can enter. Every box therefore carries shelves, horizontal and facing down, closer together than a walker
 * is tall: what lies between two of them is never walkable, whatever else of the level reaches into the box.
 * @param shelf greatest distance between two shelves, metres; less than the walker's height by a voxel at least
 */
export function trianglesOf(spec: Pick<CheckedSpec, 'boxes' | 'triangles'>, shelf: number): TriangleSoup {
  const soup: TriangleSoup = { positions: [], indices: [] };
  for (const t of spec.triangles) {
    const v = soup.positions.length / 3;
    soup.positions.push(...t);
    soup.indices.push(v, v + 1, v + 2);
  }
  for (const box of spec.boxes) addBox(soup, box, shelf);
  return soup;
}

function addBox(soup: TriangleSoup, [x0, y0, z0, x1, y1, z1]: Box, shelf: number): void {
  const v = soup.positions.length / 3;
  // Corner number = x bit + 2 * y bit + 4 * z bit.
  for (let corner = 0; corner < 8; corner++) {
    soup.positions.push(corner & 1 ? x1 : x0, corner & 2 ? y1 : y0, corner & 4 ? z1 : z0);
  }
  for (const [a, b, c, d] of FACES) {
    soup.indices.push(v + a, v + b, v + c, v + a, v + c, v + d);
  }
  const gaps = Math.ceil((y1 - y0) / shelf);
  for (let i = 1; i < gaps; i++) {
    const y = y0 + ((y1 - y0) * i) / gaps;
    const s = soup.positions.length / 3;
    soup.positions.push(x0, y, z0, x1, y, z0, x1, y, z1, x0, y, z1);
    soup.indices.push(s, s + 1, s + 2, s, s + 2, s + 3);
  }
}

/** Quads, counter-clockwise seen from outside: top, bottom, -z, +z, -x, +x. */
const FACES: readonly (readonly [number, number, number, number])[] = [
  [2, 6, 7, 3],
  [0, 1, 5, 4],
  [0, 2, 3, 1],
  [4, 5, 7, 6],
  [0, 4, 6, 2],
  [1, 3, 7, 5],
];
