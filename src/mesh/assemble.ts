// Pieces with whole shared edges -> the final polygons: at most 8 corners, vertex ids per fan, components. Imported by
// conform.ts.
import type { ConformingMesh } from './conforming.ts';
import type { Pieces } from './edges.ts';
import type { Findings } from './findings.ts';
import { piecePlace } from './places.ts';
import { clipEars, cutRing, isConvex, turn } from './ring.ts';
import type { Seams } from './seams.ts';
import type { PlanGrid } from './snap.ts';
import type { UnionFind } from './unionfind.ts';

/** Corners that a polygon record holds. */
export const MOST_CORNERS = 8;

export interface Polygons {
  readonly first: Uint32Array;
  readonly x: Int32Array;
  readonly z: Int32Array;
  readonly y: Float32Array;
  /** Corner at which the same edge starts on the other side, -1 = wall. */
  readonly twin: Int32Array;
  readonly polygonOf: Uint32Array;
  readonly source: Uint32Array;
}

/** Cuts what has too many corners and numbers polygons and corners: by export polygon, then in ring order. */
export function assemblePolygons(grid: PlanGrid, pieces: Pieces, seams: Seams, findings: Findings): Polygons {
  return wholePolygons(pieces, seams) ?? cutPolygons(grid, pieces, seams, findings);
}

/** The usual case: nothing has to be cut, so every part is a corner as it stands. Null when something has. */
function wholePolygons(pieces: Pieces, seams: Seams): Polygons | null {
  const count = pieces.source.length;
  const first = new Uint32Array(count + 1);
  const polygonOf = new Uint32Array(seams.x.length);
  for (let k = 0; k < count; k++) {
    const from = seams.first[pieces.first[k]];
    const to = seams.first[pieces.first[k + 1]];
    if (to - from > MOST_CORNERS || !isConvex(seams.x, seams.z, from, to - from)) return null;
    first[k + 1] = to;
    for (let h = from; h < to; h++) polygonOf[h] = k;
  }
  const { x, z, twin } = seams;
  return { first, x, z, y: new Float32Array(seams.y), twin, polygonOf, source: pieces.source };
}

function cutPolygons(grid: PlanGrid, pieces: Pieces, seams: Seams, findings: Findings): Polygons {
  const first: number[] = [0];
  const source: number[] = [];
  // Per corner: the part whose start (and edge) it is, or -1 - k for the side of cut k.
  const part: number[] = [];
  const start: number[] = [];
  const cutSides: number[][] = [];

  for (let k = 0; k < pieces.source.length; k++) {
    const from = seams.first[pieces.first[k]];
    const to = seams.first[pieces.first[k + 1]];
    const count = to - from;
    const convex = isConvex(seams.x, seams.z, from, count);
    if (convex && count <= MOST_CORNERS) {
      for (let h = from; h < to; h++) {
        part.push(h);
        start.push(h);
      }
      first.push(part.length);
      source.push(pieces.source[k]);
      continue;
    }
    const x = Array.from(seams.x.subarray(from, to));
    const z = Array.from(seams.z.subarray(from, to));
    let rings: number[][];
    if (convex) {
      findings.add('split-polygon', pieces.source[k], 1, piecePlace(grid, pieces, k));
      rings = cutRing(x, z, MOST_CORNERS);
    } else {
      // Only where inserted points were off the line by the weld's tolerance.
      const place = piecePlace(grid, pieces, k);
      findings.add('triangulated-polygon', pieces.source[k], 1, place);
      const { ears, rest } = clipEars(x, z);
      rings = [];
      let dropped = rest > 0 ? 1 : 0;
      for (let t = 0; t < ears.length; t += 3) {
        const [a, b, c] = [ears[t], ears[t + 1], ears[t + 2]];
        if (turn(x[a], z[a], x[b], z[b], x[c], z[c]) > 0) rings.push([a, b, c]);
        else dropped++;
      }
      if (dropped > 0) findings.add('dropped-polygon', pieces.source[k], dropped, place);
    }
    const cuts = new Map<string, number>();
    for (const ring of rings) {
      ring.forEach((at, i) => {
        const then = ring[(i + 1) % ring.length];
        start.push(from + at);
        if (then === (at + 1) % count) {
          part.push(from + at);
          return;
        }
        const key = at < then ? `${at},${then}` : `${then},${at}`;
        let cut = cuts.get(key);
        if (cut === undefined) {
          cut = cutSides.length;
          cuts.set(key, cut);
          cutSides.push([]);
        }
        cutSides[cut].push(part.length);
        part.push(-1 - cut);
      });
      first.push(part.length);
      source.push(pieces.source[k]);
    }
  }

  const corners = part.length;
  const cornerOf = new Int32Array(seams.x.length).fill(-1);
  for (let c = 0; c < corners; c++) if (part[c] >= 0) cornerOf[part[c]] = c;
  const twin = new Int32Array(corners).fill(-1);
  for (let c = 0; c < corners; c++) {
    if (part[c] >= 0) {
      const across = seams.twin[part[c]];
      if (across >= 0) twin[c] = cornerOf[across];
    } else {
      const sides = cutSides[-1 - part[c]];
      if (sides.length === 2) twin[c] = sides[0] === c ? sides[1] : sides[0];
    }
  }
  const polygonOf = new Uint32Array(corners);
  for (let p = 0; p < source.length; p++) for (let c = first[p]; c < first[p + 1]; c++) polygonOf[c] = p;
  const x = new Int32Array(corners);
  const z = new Int32Array(corners);
  const y = new Float32Array(corners);
  for (let c = 0; c < corners; c++) {
    x[c] = seams.x[start[c]];
    z[c] = seams.z[start[c]];
    y[c] = seams.y[start[c]];
  }
  return { first: new Uint32Array(first), x, z, y, twin, polygonOf, source: new Uint32Array(source) };
}

/**
 * One id per walkable fan: corners are one vertex when a chain of shared edges leads from one to the other. A pinch (two
 * fans that meet in a point only) keeps two ids. Numbered by first corner.
 */
export function fanIds(polygons: Polygons): { vertex: Uint32Array; count: number } {
  const { first, twin, polygonOf } = polygons;
  const corners = polygons.x.length;
  const UNKNOWN = 0xffffffff;
  const vertex = new Uint32Array(corners).fill(UNKNOWN);
  let count = 0;
  for (let c = 0; c < corners; c++) {
    if (vertex[c] !== UNKNOWN) continue;
    vertex[c] = count;
    // Round the vertex over each corner's own edge: c -> next(c) here is next(t) -> t over there. Every step numbers a corner
    // or ends the walk.
    for (let t = twin[c]; t >= 0; ) {
      const q = polygonOf[t];
      const at = t + 1 === first[q + 1] ? first[q] : t + 1;
      if (vertex[at] !== UNKNOWN) break;
      vertex[at] = count;
      t = twin[at];
    }
    // And over the edge before it, where a wall ended the first walk.
    for (let at = c; ; ) {
      const p = polygonOf[at];
      at = twin[at === first[p] ? first[p + 1] - 1 : at - 1];
      if (at < 0 || vertex[at] !== UNKNOWN) break;
      vertex[at] = count;
    }
    count++;
  }
  return { vertex, count };
}

/** Ids 0.. by the first member of each set. */
export function numbered(sets: UnionFind, size: number): { vertex: Uint32Array; count: number } {
  const vertex = new Uint32Array(size);
  let count = 0;
  for (let i = 0; i < size; i++) {
    const root = sets.find(i);
    // Roots are the smallest members, so a root is numbered before the rest of its set.
    vertex[i] = root === i ? count++ : vertex[root];
  }
  return { vertex, count };
}

/** Per vertex id: 1 when a wall edge begins or ends there. */
export function walledVertices(
  conforming: Pick<ConformingMesh, 'first' | 'neighbour' | 'vertex' | 'vertexCount'>,
): Uint8Array {
  const { first, neighbour, vertex } = conforming;
  const walled = new Uint8Array(conforming.vertexCount);
  for (let p = 0; p + 1 < first.length; p++) {
    for (let c = first[p]; c < first[p + 1]; c++) {
      if (neighbour[c] >= 0) continue;
      walled[vertex[c]] = 1;
      walled[vertex[c + 1 < first[p + 1] ? c + 1 : first[p]]] = 1;
    }
  }
  return walled;
}
