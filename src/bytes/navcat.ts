// navcat's NavMesh as JSON (JSON.stringify(navMesh) of navcat 0.x). Imported by bytes/ only. Tiles with polygons over world
// vertices, areas, flags and agent sizes, and off-mesh connections. Its nodes, links and neighbour codes are left aside: the
// soup finds neighbours by the edges themselves, across tiles too. Detail meshes are laid out as Detour's are.
import type { NavMesh } from '../mesh/navmesh.ts';
import { JsonScan } from './jsonscan.ts';
import type { Reading } from './options.ts';
import { Numbers, PolygonSoup, type SoupDetail } from './polygons.ts';
import { soupToNavMesh } from './soup.ts';

/** Reads the JSON of a navcat NavMesh. Throws `BAD_FILE` with the line. */
export function readNavcat(bytes: Uint8Array, reading: Reading): NavMesh {
  return soupToNavMesh(readNavcatSoup(bytes), reading);
}

export function readNavcatSoup(bytes: Uint8Array): PolygonSoup {
  const scan = new JsonScan(bytes, 'navcat navmesh (JSON)');
  const soup = new PolygonSoup('navcat (JSON)');
  const origin = [0, 0, 0];
  const cells: number[] = [];
  scan.object('the navmesh', (name) => {
    if (name === 'origin') readVector(scan, name, origin);
    else if (name === 'tiles') scan.object('tiles', (id) => readTile(scan, soup, id, cells));
    else if (name === 'offMeshConnections') scan.object(name, () => readConnection(scan, soup));
    else scan.skip();
  });
  scan.space();
  if (!scan.done) throw scan.bad('more after the end of the document', 'one JSON document');
  if (soup.polygonCount === 0) throw scan.bad('no polygons in any tile', 'at least one');
  // All tiles of one cell size: their vertices stand on its corners, unless the mesh was not made of voxels (then conform
  // says that they lie on none).
  if (cells.length > 0 && cells[0] > 0 && cells.every((cell) => cell === cells[0])) {
    soup.lattice = { x: origin[0], z: origin[2], cell: cells[0] };
  }
  return soup;
}

function readTile(scan: JsonScan, soup: PolygonSoup, id: string, cells: number[]): void {
  const base = soup.vertexCount;
  const corners = new Numbers(new Uint32Array(0));
  const polygons: { end: number; label: number }[] = [];
  const details: DetailParts = {
    meshes: [],
    vertices: new Numbers(new Float64Array(0)),
    triangles: new Numbers(new Uint32Array(0)),
  };
  const sizes: Record<string, number> = {};
  scan.object(`tile ${id}`, (name) => {
    if (name === 'vertices') readVertices(scan, soup, id);
    else if (name === 'polys') {
      scan.list('polys', (p) => polygons.push(readPoly(scan, soup, corners, p)));
    } else if (name === 'detailMeshes') {
      scan.list(name, (p) => {
        details.meshes.push(readDetailMesh(scan, p));
      });
    } else if (name === 'detailVertices') {
      scan.list(name, (i) => details.vertices.push(scan.jsonNumber(`number ${i} of the detail vertices`)));
    } else if (name === 'detailTriangles') {
      scan.list(name, (i) => details.triangles.push(count(scan, `number ${i} of the detail triangles`)));
    } else if (SIZES.includes(name)) sizes[name] = size(scan, name);
    else scan.skip();
  });
  const vertices = soup.vertexCount - base;
  let at = 0;
  polygons.forEach(({ end, label }, p) => {
    const ring = end - at;
    if (ring < 3) throw scan.bad(`polygon ${p} of tile ${id} with ${ring} corners`, 'three or more');
    for (; at < end; at++) {
      const vertex = corners.array[at];
      if (vertex >= vertices) throw scan.bad(`vertex ${vertex} in polygon ${p} of tile ${id}`, `0..${vertices - 1}`);
      soup.corner(base + vertex);
    }
    const mesh = details.meshes[p];
    if (mesh !== undefined && mesh.trianglesCount > 0) {
      soup.details.set(soup.polygonCount, detailOf(scan, details, mesh, ring, `polygon ${p} of tile ${id}`));
    }
    soup.close(label);
  });
  const { cellSize = 0, walkableRadius, walkableHeight, walkableClimb } = sizes;
  if (polygons.length > 0) cells.push(cellSize);
  if (soup.agent === null && [walkableRadius, walkableHeight, walkableClimb].every((s) => s !== undefined)) {
    soup.agent = { radius: walkableRadius, height: walkableHeight, climb: walkableClimb };
  }
}

type DetailMesh = Record<'verticesBase' | 'verticesCount' | 'trianglesBase' | 'trianglesCount', number>;

interface DetailParts {
  readonly meshes: DetailMesh[];
  readonly vertices: Numbers<Float64Array>;
  readonly triangles: Numbers<Uint32Array>;
}

function readDetailMesh(scan: JsonScan, p: number): DetailMesh {
  const mesh: DetailMesh = { verticesBase: 0, verticesCount: 0, trianglesBase: 0, trianglesCount: 0 };
  scan.object(`detail mesh ${p}`, (name) => {
    if (Object.hasOwn(mesh, name)) mesh[name as keyof DetailMesh] = count(scan, name);
    else scan.skip();
  });
  return mesh;
}

/** A polygon's part of the tile's details: as in Detour, corners come first, a triangle takes four numbers, the last its edges. */
function detailOf(scan: JsonScan, parts: DetailParts, mesh: DetailMesh, ring: number, what: string): SoupDetail {
  const { verticesBase, verticesCount, trianglesBase, trianglesCount } = mesh;
  if (verticesCount + ring > 255)
    throw scan.bad(`${verticesCount} detail vertices of ${what}`, `at most ${255 - ring}`);
  if (3 * (verticesBase + verticesCount) > parts.vertices.length) {
    throw scan.bad(
      `detail vertices of ${what} to ${verticesBase + verticesCount}`,
      `at most ${parts.vertices.length / 3}`,
    );
  }
  if (trianglesCount > 255 || 4 * (trianglesBase + trianglesCount) > parts.triangles.length) {
    throw scan.bad(
      `${trianglesCount} detail triangles of ${what} from ${trianglesBase}`,
      'at most 255, all in the tile',
    );
  }
  const triangles = new Uint8Array(3 * trianglesCount);
  for (let t = 0; t < trianglesCount; t++) {
    for (let k = 0; k < 3; k++) {
      const vertex = parts.triangles.array[4 * (trianglesBase + t) + k];
      if (vertex >= ring + verticesCount) {
        throw scan.bad(`vertex ${vertex} in a detail triangle of ${what}`, `0..${ring + verticesCount - 1}`);
      }
      triangles[3 * t + k] = vertex;
    }
  }
  return { vertices: parts.vertices.array.slice(3 * verticesBase, 3 * (verticesBase + verticesCount)), triangles };
}

const SIZES = ['cellSize', 'walkableRadius', 'walkableHeight', 'walkableClimb'];

function size(scan: JsonScan, name: string): number {
  const value = scan.jsonNumber(name);
  if (value >= 0 && value <= 1e6) return value;
  throw scan.bad(`${name} ${value}`, '0..1000000');
}

function readVertices(scan: JsonScan, soup: PolygonSoup, tile: string): void {
  const xyz: number[] = [];
  scan.list('vertices', (i) => {
    xyz.push(scan.jsonNumber(`number ${i} of the vertices`));
    if (xyz.length < 3) return;
    soup.vertex(xyz[0], xyz[1], xyz[2]);
    xyz.length = 0;
  });
  if (xyz.length > 0) throw scan.bad(`a vertex of ${xyz.length} numbers in tile ${tile}`, 'x, y and z for each');
}

function readPoly(
  scan: JsonScan,
  soup: PolygonSoup,
  corners: Numbers<Uint32Array>,
  p: number,
): { end: number; label: number } {
  let area = 0;
  let flags = 1;
  scan.object(`polygon ${p}`, (name) => {
    if (name === 'vertices') scan.list(`polygon ${p}`, (k) => corners.push(count(scan, `corner ${k} of polygon ${p}`)));
    else if (name === 'area') area = Math.min(count(scan, 'area'), 0xffff);
    // Detour's flags have 16 bits; navcat's filters look at those too.
    else if (name === 'flags') flags = count(scan, 'flags') & 0xffff;
    else scan.skip();
  });
  return { end: corners.length, label: soup.label({ names: [], area, flags }) };
}

function count(scan: JsonScan, what: string): number {
  const n = scan.jsonWhole(what);
  if (n >= 0 && n < 2 ** 32) return n;
  throw scan.bad(`${what} ${n}`, 'a whole number that is not negative');
}

function readVector(scan: JsonScan, what: string, into: number[]): void {
  let length = 0;
  scan.list(what, (i) => {
    if (i < 3) into[i] = scan.jsonNumber(`number ${i} of ${what}`);
    else scan.skip();
    length = i + 1;
  });
  if (length !== 3) throw scan.bad(`${what} of ${length} numbers`, 'x, y and z');
}

function readConnection(scan: JsonScan, soup: PolygonSoup): void {
  const from = [0, 0, 0];
  const to = [0, 0, 0];
  const numbers: Record<string, number> = { id: 0, radius: 0, direction: 0, flags: 1, area: 0 };
  const seen = new Set<string>();
  scan.object('an off-mesh connection', (name) => {
    seen.add(name);
    if (name === 'start') readVector(scan, name, from);
    else if (name === 'end') readVector(scan, name, to);
    else if (name === 'radius') numbers.radius = size(scan, name);
    else if (Object.hasOwn(numbers, name)) numbers[name] = count(scan, name);
    else scan.skip();
  });
  if (!seen.has('start') || !seen.has('end'))
    throw scan.bad('an off-mesh connection without its ends', 'start and end');
  const { id, radius, direction, flags, area } = numbers;
  if (area > 63) throw scan.bad(`area ${area} of an off-mesh connection`, '0..63');
  soup.links.push({
    from: [from[0], from[1], from[2]],
    to: [to[0], to[1], to[2]],
    radius,
    bidirectional: direction === 1,
    area,
    flags: flags & 0xffff,
    userId: id >>> 0,
    tile: 0,
  });
}
