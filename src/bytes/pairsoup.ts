// Which polygons share an edge whole: same two vertices, from opposite sides in plan. Imported by soup.ts only.
// Of several on one side the pair that continues most evenly in slope is taken; the others stay unpaired.
import { WALL } from '../mesh/navmesh.ts';
import { Chains, hash3 } from './chains.ts';

/** Polygons over welded vertices. */
export interface Rings {
  readonly positions: Float32Array;
  /** polygonCount + 1 entries. */
  readonly first: Uint32Array;
  readonly corners: Uint32Array;
  /** 1 or -1: how the polygon winds in plan. */
  readonly winding: Int8Array;
  readonly polygonOf: Uint32Array;
}

export interface Paired {
  /** Per corner: the polygon across, or WALL. */
  readonly neighbours: Int32Array;
  /** Corners whose edge has more polygons than two sides can hold. */
  readonly crowded: number[];
}

/** The corner after c in its polygon. */
export function nextCorner(rings: Rings, c: number): number {
  const p = rings.polygonOf[c];
  return c + 1 === rings.first[p + 1] ? rings.first[p] : c + 1;
}

/** Pairs whole edges. Linear, but for edges with many polygons: k on each side cost k^2 up to 16, the rest are left. */
export function pairEdges(rings: Rings): Paired {
  const { corners, polygonOf } = rings;
  const neighbours = new Int32Array(corners.length).fill(WALL);
  const chains = new Chains(corners.length);
  const hashOf = (c: number) => {
    const a = corners[c];
    const b = corners[nextCorner(rings, c)];
    return hash3(Math.min(a, b), Math.max(a, b), 0);
  };
  for (let c = 0; c < corners.length; c++) chains.add(c, hashOf(c));
  const crowded: number[] = [];
  const done = new Uint8Array(corners.length);
  for (let c = 0; c < corners.length; c++) {
    if (done[c] === 1) continue;
    const a = corners[c];
    const b = corners[nextCorner(rings, c)];
    const sides: [number[], number[]] = [[], []];
    for (let d = chains.first(hashOf(c)); d >= 0; d = chains.after(d)) {
      const from = corners[d];
      const to = corners[nextCorner(rings, d)];
      if (!((from === a && to === b) || (from === b && to === a))) continue;
      done[d] = 1;
      sides[(from === a) === rings.winding[polygonOf[d]] > 0 ? 0 : 1].push(d);
    }
    const [left, right] = sides;
    if (left.length === 1 && right.length === 1) link(rings, neighbours, left[0], right[0]);
    else if (left.length > 0 && right.length > 0) pairMany(rings, neighbours, left, right, crowded);
  }
  return { neighbours, crowded };
}

const MOST_CANDIDATES = 16;

function pairMany(rings: Rings, neighbours: Int32Array, left: number[], right: number[], crowded: number[]): void {
  left.sort((p, q) => p - q);
  right.sort((p, q) => p - q);
  const options: { c: number; d: number; bend: number }[] = [];
  for (const c of left.slice(0, MOST_CANDIDATES)) {
    for (const d of right.slice(0, MOST_CANDIDATES)) {
      if (rings.polygonOf[c] === rings.polygonOf[d]) continue;
      options.push({ c, d, bend: Math.abs(slopeAcross(rings, c) + slopeAcross(rings, d)) });
    }
  }
  options.sort((s, t) => s.bend - t.bend || s.c - t.c || s.d - t.d);
  for (const { c, d } of options) {
    if (neighbours[c] === WALL && neighbours[d] === WALL) link(rings, neighbours, c, d);
  }
  for (const c of [...left, ...right]) if (neighbours[c] === WALL) crowded.push(c);
}

/** How steeply the polygon rises away from its edge: rise over run at its farthest corner in plan. */
function slopeAcross(rings: Rings, c: number): number {
  const { positions, corners, first, polygonOf } = rings;
  const a = 3 * corners[c];
  const b = 3 * corners[nextCorner(rings, c)];
  const dx = positions[b] - positions[a];
  const dz = positions[b + 2] - positions[a + 2];
  const length = Math.sqrt(dx * dx + dz * dz);
  let far = 0;
  let slope = 0;
  const p = polygonOf[c];
  for (let i = first[p]; i < first[p + 1]; i++) {
    const v = 3 * corners[i];
    const away = Math.abs(dx * (positions[v + 2] - positions[a + 2]) - dz * (positions[v] - positions[a])) / length;
    if (!(away > far)) continue;
    far = away;
    const along = ((positions[v] - positions[a]) * dx + (positions[v + 2] - positions[a + 2]) * dz) / (length * length);
    const base = positions[a + 1] + along * (positions[b + 1] - positions[a + 1]);
    slope = (positions[v + 1] - base) / away;
  }
  return slope;
}

function link(rings: Rings, neighbours: Int32Array, c: number, d: number): void {
  // A polygon that meets itself (a slit) has nothing across.
  if (rings.polygonOf[c] === rings.polygonOf[d]) return;
  neighbours[c] = rings.polygonOf[d];
  neighbours[d] = rings.polygonOf[c];
}
