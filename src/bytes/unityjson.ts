// Unity's NavMesh.CalculateTriangulation() as JSON: vertices, indices, areas. Imported by bytes/ only. There is no standard:
// JsonUtility, Newtonsoft and hand-written exporters differ in how a vertex is written, all of which are read here:
//   {"vertices":[{"x":1,"y":0,"z":2},..],"indices":[0,1,2,..],"areas":[0,..]}      numbers per vertex: objects,
//   {"vertices":[[1,0,2],..],...}  {"vertices":[1,0,2,..],...}                    lists, or one flat list;
// "triangles" or "polygons" (lists of corners) in place of indices, "layers" in place of areas, capital initials, and the
// whole inside one member of an outer object. Unity's coordinates are left-handed: they are kept, unless flip is given.
import type { NavMesh } from '../mesh/navmesh.ts';
import { JsonScan } from './jsonscan.ts';
import type { Reading } from './options.ts';
import { Numbers, PolygonSoup } from './polygons.ts';
import { soupToNavMesh } from './soup.ts';

const LIST = 0x5b;
const OBJECT = 0x7b;

/** Reads the JSON of a triangulation. Throws `BAD_FILE` with the line, `UNSUPPORTED_FORMAT` for level geometry. */
export function readTriangulation(bytes: Uint8Array, reading: Reading): NavMesh {
  return soupToNavMesh(readTriangulationSoup(bytes), reading);
}

export function readTriangulationSoup(bytes: Uint8Array): PolygonSoup {
  const scan = new JsonScan(bytes, 'triangulation (JSON)');
  const parts = new Parts();
  readParts(scan, parts, 0);
  scan.space();
  if (!scan.done) throw scan.bad('more after the end of the document', 'one JSON document');
  return parts.soup(scan);
}

/** Gathered while the document is read, since its members come in any order. */
class Parts {
  readonly #soup = new PolygonSoup('triangulation (JSON)');
  /** Flat numbers of vertices in a flat list, which need a multiple of three. */
  flat = 0;
  readonly indices = new Numbers(new Uint32Array(0));
  /** Ends of polygons in `indices`; empty = triangles. */
  readonly ends = new Numbers(new Uint32Array(0));
  readonly areas = new Numbers(new Uint32Array(0));
  readonly seen = new Set<string>();

  get positions(): PolygonSoup {
    return this.#soup;
  }

  soup(scan: JsonScan): PolygonSoup {
    const soup = this.#soup;
    const { indices, ends, areas } = this;
    for (const part of ['vertices', 'indices'] as const) {
      if (!this.seen.has(part)) throw scan.bad(`no "${part}" in the document`, 'vertices and indices (or triangles)');
    }
    if (ends.length === 0 && indices.length % 3 !== 0) {
      throw scan.bad(`${indices.length} indices`, 'a multiple of three');
    }
    const count = ends.length === 0 ? indices.length / 3 : ends.length;
    if (count === 0) throw scan.bad('no triangles', 'at least one');
    if (areas.length > 0 && areas.length !== count) {
      throw scan.bad(`${areas.length} areas`, `${count}, one for each triangle`);
    }
    const labels = new Map<number, number>();
    let at = 0;
    for (let p = 0; p < count; p++) {
      const end = ends.length === 0 ? at + 3 : ends.array[p];
      if (end - at < 3) throw scan.bad(`polygon ${p} of ${end - at} corners`, 'three or more');
      for (; at < end; at++) {
        if (indices.array[at] >= soup.vertexCount) {
          throw scan.bad(`index ${indices.array[at]} in polygon ${p}`, `0..${soup.vertexCount - 1} (the vertices)`);
        }
        soup.corner(indices.array[at]);
      }
      const area = areas.length === 0 ? 0 : areas.array[p];
      let label = labels.get(area);
      if (label === undefined) {
        label = soup.label({ names: [], area, flags: 1 });
        labels.set(area, label);
      }
      soup.close(label);
    }
    return soup;
  }
}

/** The members of one object; an inner object is looked through when it holds what the outer one does not. */
function readParts(scan: JsonScan, parts: Parts, depth: number): void {
  scan.object('the triangulation', (name) => {
    const known = name.toLowerCase();
    const part = Object.hasOwn(PARTS, known) ? PARTS[known] : undefined;
    const value = scan.begins();
    if (part !== undefined && value === LIST) {
      if (parts.seen.has(part)) throw scan.bad(`"${name}" a second time`, 'it once');
      parts.seen.add(part);
      if (part === 'vertices') readVertices(scan, parts);
      else if (part === 'areas') readAreas(scan, parts);
      else readIndices(scan, parts);
    } else if (value === OBJECT && depth < 2) readParts(scan, parts, depth + 1);
    else scan.skip();
  });
}

const PARTS: Readonly<Record<string, 'vertices' | 'indices' | 'areas'>> = {
  vertices: 'vertices',
  verts: 'vertices',
  indices: 'indices',
  triangles: 'indices',
  tris: 'indices',
  polygons: 'indices',
  faces: 'indices',
  areas: 'areas',
  layers: 'areas',
};

function readVertices(scan: JsonScan, parts: Parts): void {
  const soup = parts.positions;
  const rest: number[] = [];
  scan.list('vertices', (i) => {
    const value = scan.begins();
    if ((value === LIST || value === OBJECT) && rest.length > 0) {
      throw scan.bad(`vertex ${i} as a list`, 'a number, as the items before it');
    }
    if (value === LIST) {
      const xyz: number[] = [];
      scan.list(`vertex ${i}`, (k) => {
        if (k === 3) throw scan.bad('a fourth number', 'x, y and z');
        xyz.push(scan.jsonNumber(`coordinate ${k} of vertex ${i}`));
      });
      if (xyz.length !== 3) throw scan.bad(`vertex ${i} of ${xyz.length} numbers`, 'x, y and z');
      soup.vertex(xyz[0], xyz[1], xyz[2]);
    } else if (value === OBJECT) {
      const xyz = [Number.NaN, Number.NaN, Number.NaN];
      scan.object(`vertex ${i}`, (name) => {
        const axis = name.length === 1 ? 'xyz'.indexOf(name.toLowerCase()) : -1;
        if (axis < 0) scan.skip();
        else xyz[axis] = scan.jsonNumber(`${name} of vertex ${i}`);
      });
      if (xyz.some(Number.isNaN)) throw scan.bad(`vertex ${i} without x, y or z`, 'all three');
      soup.vertex(xyz[0], xyz[1], xyz[2]);
    } else {
      rest.push(scan.jsonNumber(`number ${i} of the vertices`));
      if (rest.length === 3) soup.vertex(rest[0], rest[1], rest[2]);
      if (rest.length === 3) rest.length = 0;
      parts.flat++;
    }
  });
  if (parts.flat > 0 && parts.flat !== 3 * soup.vertexCount) {
    throw scan.bad(`${parts.flat} numbers for vertices`, 'three for each vertex');
  }
}

function readAreas(scan: JsonScan, parts: Parts): void {
  scan.list('areas', (i) => {
    const area = scan.jsonWhole(`area ${i}`);
    if (!(area >= 0 && area <= 0xffff)) throw scan.bad(`area ${area}`, '0..65535');
    parts.areas.push(area);
  });
}

function readIndices(scan: JsonScan, parts: Parts): void {
  const index = (what: string) => {
    const n = scan.jsonWhole(what);
    if (!(n >= 0 && n < 2 ** 32 - 1)) throw scan.bad(`index ${n}`, 'the number of a vertex, counted from 0');
    parts.indices.push(n);
  };
  scan.list('indices', (i) => {
    const value = scan.begins();
    if (value !== LIST) {
      if (parts.ends.length > 0) throw scan.bad(`index ${i} outside a list`, 'a list of corners, as before');
      index(`index ${i}`);
      return;
    }
    if (parts.ends.length !== i) throw scan.bad(`polygon ${i} as a list`, 'a number, as the items before it');
    scan.list(`polygon ${i}`, (k) => index(`corner ${k} of polygon ${i}`));
    parts.ends.push(parts.indices.length);
  });
}
