// Reads the plain 2-D polygon meshes of path-search research ("mesh", version 2) into a NavMesh on a lattice of 1 m. For
// tests: it is no import format.
import { type NavMesh, WALL } from '../../src/mesh/navmesh.ts';

/** `V x y, neighbours ..` lines, then `n corners .., n neighbours ..` lines; neighbour i lies across corners i - 1 and i. */
export function readPolygonMesh(text: string, name: string): NavMesh {
  const words = text.split(/\s+/).filter((w) => w !== '');
  if (words[0] !== 'mesh' || words[1] !== '2') throw new Error(`${name}: expected "mesh" version 2`);
  let at = 2;
  const take = (): number => {
    const value = Number(words[at++]);
    if (!Number.isFinite(value)) throw new Error(`${name}: expected a number, got ${words[at - 1]}`);
    return value;
  };
  const [vertexCount, polygons] = [take(), take()];
  const vertices: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    vertices.push(take(), 0, take());
    for (let n = take(); n > 0; n--) take();
  }
  const first = [0];
  const corners: number[] = [];
  for (let p = 0; p < polygons; p++) {
    const n = take();
    for (let k = 0; k < n; k++) corners.push(take());
    for (let k = 0; k < n; k++) take();
    first.push(corners.length);
  }
  if (at !== words.length) throw new Error(`${name}: ${words.length - at} words are left`);
  // Which polygon lies across is found from the edges themselves.
  const owner = new Map<string, number>();
  const ends = corners.map((_, c) => {
    const p = first.findLastIndex((f) => f <= c);
    const [a, b] = [corners[c]!, corners[c + 1 === first[p + 1] ? first[p]! : c + 1]!];
    owner.set(`${a} ${b}`, p);
    return [a, b] as const;
  });
  const xs = vertices.filter((_, i) => i % 3 === 0);
  const zs = vertices.filter((_, i) => i % 3 === 2);
  const bounds = [Math.min(...xs), 0, Math.min(...zs), Math.max(...xs), 0, Math.max(...zs)] as const;
  return {
    format: name,
    tiles: [{ x: 0, y: 0, layer: 0, polyBase: 0, polyCount: polygons, bounds }],
    lattice: { x: 0, z: 0, cell: 1 },
    agent: { height: 2, radius: 0, climb: 0.5 },
    vertices: Float32Array.from(vertices),
    first: Uint32Array.from(first),
    corners: Uint32Array.from(corners),
    neighbours: Int32Array.from(ends, ([a, b]) => owner.get(`${b} ${a}`) ?? WALL),
    portals: new Uint32Array(0),
    areas: new Uint8Array(polygons),
    flags: new Uint16Array(polygons).fill(1),
    polyTile: new Uint32Array(polygons),
    detailFirstVertex: new Uint32Array(polygons + 1),
    detailVertices: new Float32Array(0),
    detailFirstTriangle: new Uint32Array(polygons + 1),
    detailTriangles: new Uint8Array(0),
    links: [],
  };
}
