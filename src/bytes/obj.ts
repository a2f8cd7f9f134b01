// Wavefront OBJ whose faces are the navmesh, line by line. Imported by bytes/ only. Reads v, f, g, o and usemtl; everything
// else (normals, colours after the position, smoothing, lines, points, curves) says nothing about ground. Format: Wavefront's
// "Advanced Visualizer" appendix B1.
import type { NavMesh } from '../mesh/navmesh.ts';
import type { Reading } from './options.ts';
import { PolygonSoup } from './polygons.ts';
import { soupToNavMesh } from './soup.ts';
import { MOST_NAME, TextScan } from './textscan.ts';

const HASH = 35;
const SLASH = 47;
const COMMA = 44;
/** Kinds of ground that a file may name. */
const MOST_LABELS = 65_536;

/**
 * Reads an OBJ file. Areas by name of material, group or object: the `areas` option. Throws `BAD_FILE` with the line,
 * `UNSUPPORTED_FORMAT` for level geometry.
 */
export function readObjNavMesh(bytes: Uint8Array, reading: Reading): NavMesh {
  return soupToNavMesh(readObjSoup(bytes), reading);
}

/** The faces of an OBJ file as they are. */
export function readObjSoup(bytes: Uint8Array): PolygonSoup {
  const scan = new TextScan(bytes, 'OBJ file');
  const soup = new PolygonSoup('OBJ');
  let material = '';
  let groups: string[] = [];
  let object = '';
  let label = -1;
  for (; !scan.done; scan.nextLine(HASH)) {
    if (scan.lineEnds(HASH)) continue;
    const keyword = scan.word();
    if (keyword === 'v') {
      const x = coordinate(scan, 'x');
      const y = coordinate(scan, 'y');
      const z = coordinate(scan, 'z');
      // What may follow is a weight or a colour; letters or a comma are not.
      if (!scan.lineEnds(HASH)) scan.number('a weight or a colour');
      soup.vertex(x, y, z);
    } else if (keyword === 'f' || keyword === 'fo') {
      if (label < 0) {
        const names = [material, ...groups, object].filter((name) => name !== '');
        if (soup.labels.length >= MOST_LABELS) throw scan.bad('another group', `at most ${MOST_LABELS}`);
        label = soup.label({ names: [...new Set(names)], area: 0, flags: 1 });
      }
      readFace(scan, soup, label);
    } else if (keyword === 'usemtl') {
      material = scan.rest();
      label = -1;
    } else if (keyword === 'g') {
      groups = scan.rest().slice(0, MOST_NAME).split(' ').filter(Boolean);
      label = -1;
    } else if (keyword === 'o') {
      object = scan.rest();
      label = -1;
    }
  }
  if (soup.polygonCount === 0) throw scan.bad('no faces in the whole file', 'at least one line "f 1 2 3"');
  return soup;
}

function coordinate(scan: TextScan, name: string): number {
  const value = scan.number(name);
  if (scan.peek() === COMMA) throw scan.bad('a decimal comma', 'points (export with an invariant culture)');
  return value;
}

function readFace(scan: TextScan, soup: PolygonSoup, label: number): void {
  const start = soup.corners.length;
  const count = soup.vertexCount;
  while (!scan.lineEnds(HASH)) {
    const n = scan.whole('a vertex number');
    const vertex = n < 0 ? count + n : n - 1;
    if (!(vertex >= 0 && vertex < count)) {
      throw scan.bad(`vertex ${n}`, `a number of one of the ${count} vertices so far, 1..${count} or negative`);
    }
    soup.corner(vertex);
    // Texture and normal of the corner.
    for (let part = 0; part < 2 && scan.peek() === SLASH; part++) {
      scan.at++;
      if (scan.peek() !== SLASH && !scan.lineEnds(HASH) && !isBlankBefore(scan))
        scan.whole('a texture or normal number');
    }
  }
  if (soup.corners.length - start < 3) {
    throw scan.bad(`a face of ${soup.corners.length - start} corners`, 'three or more');
  }
  soup.close(label);
}

/** Whether a blank was skipped: "1/ 2" has no texture for corner 1. */
function isBlankBefore(scan: TextScan): boolean {
  const before = scan.bytes[scan.at - 1];
  return before === 32 || before === 9;
}
