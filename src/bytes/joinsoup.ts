// T-junctions: edges that no polygon shares whole, but along which others run. Imported by soup.ts only. Finds the pairs that
// face each other in plan and in height; conform's seams then cut the edges where the others end.
import { NavguardError } from '../errors.ts';
import { PORTAL, WALL } from '../mesh/navmesh.ts';
import { nextCorner, type Rings } from './pairsoup.ts';

export interface Joined {
  /** NavMesh.portals: corner of an edge, polygon it may lead to; sorted. */
  readonly portals: Uint32Array;
  /** Vertices moved onto an edge that they lie beside. */
  readonly moved: number;
}

/** Conform takes what lies within two of its units as one line; farther vertices are moved onto the line here. */
const CONFORM_METRES = 1 / 1024;
/** Edges in a leaf of the tree. */
const LEAF = 8;

/**
 * Finds facing pairs among the edges that `neighbours` calls walls, marks both as PORTAL, and moves vertices (in
 * `rings.positions`) by up to `weld` metres where they lie beside the other edge. A pair may differ in height by `climb` at
 * both ends of what they share. A tree of boxes over the edges: n log n plus the pairs whose boxes meet, at most 256 an
 * edge on average, else `BAD_FILE`.
 */
export function joinEdges(rings: Rings, neighbours: Int32Array, weld: number, climb: number): Joined {
  const open: number[] = [];
  for (let c = 0; c < neighbours.length; c++) {
    if (neighbours[c] === WALL && rings.corners[c] !== rings.corners[nextCorner(rings, c)]) open.push(c);
  }
  const reach = Math.max(weld, CONFORM_METRES);
  const tree = new EdgeTree(rings, open, reach, climb);
  const moves = new Map<number, readonly [number, number]>();
  const pairs: number[] = [];
  tree.pairs((e, f) => {
    if (rings.polygonOf[e] === rings.polygonOf[f]) return;
    const facing = face(rings, e, f, reach, climb);
    if (facing === null) return;
    pairs.push(e, rings.polygonOf[f], f, rings.polygonOf[e]);
    neighbours[e] = PORTAL;
    neighbours[f] = PORTAL;
    // The first edge that wants a vertex gets it.
    for (const [vertex, x, z] of facing) if (!moves.has(vertex)) moves.set(vertex, [x, z]);
  });
  for (const [vertex, [x, z]] of moves) {
    rings.positions[3 * vertex] = x;
    rings.positions[3 * vertex + 2] = z;
  }
  return { portals: sortedPairs(pairs), moved: moves.size };
}

function sortedPairs(pairs: number[]): Uint32Array {
  const order = Array.from({ length: pairs.length / 2 }, (_, i) => 2 * i);
  order.sort((i, j) => pairs[i] - pairs[j] || pairs[i + 1] - pairs[j + 1]);
  return Uint32Array.from(order.flatMap((i) => [pairs[i], pairs[i + 1]]));
}

/**
 * Null, or the vertices to move onto the other edge: [vertex, x, z]. Edges face each other when they run against each other
 * (as their polygons wind in plan), overlap by more than `reach`, and are no farther apart than it where they overlap.
 */
function face(rings: Rings, e: number, f: number, reach: number, climb: number): [number, number, number][] | null {
  const { positions: at, corners, winding, polygonOf } = rings;
  const [a, b] = ends(rings, e);
  const [c, d] = ends(rings, f);
  const dx = at[3 * b] - at[3 * a];
  const dz = at[3 * b + 2] - at[3 * a + 2];
  const gx = at[3 * d] - at[3 * c];
  const gz = at[3 * d + 2] - at[3 * c + 2];
  if (dx * gx + dz * gz >= 0) return null;
  const length = Math.sqrt(dx * dx + dz * dz);
  if (!(length > reach && gx * gx + gz * gz > reach * reach)) return null;
  const along = (v: number) => ((at[3 * v] - at[3 * a]) * dx + (at[3 * v + 2] - at[3 * a + 2]) * dz) / length;
  const off = (v: number) => ((at[3 * v + 2] - at[3 * a + 2]) * dx - (at[3 * v] - at[3 * a]) * dz) / length;
  // f runs from `far` back to `near` along e.
  const far = along(c);
  const near = along(d);
  const low = Math.max(0, near);
  const high = Math.min(length, far);
  if (!(high - low > reach)) return null;
  for (const t of [low, high]) {
    const u = (t - near) / (far - near);
    if (Math.abs(off(d) + (off(c) - off(d)) * u) > reach) return null;
    const over = at[3 * d + 1] + (at[3 * c + 1] - at[3 * d + 1]) * u;
    const own = at[3 * a + 1] + ((at[3 * b + 1] - at[3 * a + 1]) * t) / length;
    if (!(Math.abs(over - own) <= climb)) return null;
  }
  const moves: [number, number, number][] = [];
  const onto = (vertex: number, from: number, x: number, z: number) => {
    const ex = at[3 * from];
    const ez = at[3 * from + 2];
    const t = ((at[3 * vertex] - ex) * x + (at[3 * vertex + 2] - ez) * z) / (x * x + z * z);
    const px = ex + t * x;
    const pz = ez + t * z;
    const gap = Math.sqrt((px - at[3 * vertex]) ** 2 + (pz - at[3 * vertex + 2]) ** 2);
    if (gap > CONFORM_METRES / 2) moves.push([vertex, px, pz]);
  };
  // Ends strictly inside the other edge go onto its line; ends beside each other become one place in plan.
  for (const v of [c, d]) if (along(v) > reach && along(v) < length - reach) onto(v, a, dx, dz);
  for (const [v, other] of [
    [a, d],
    [b, c],
  ]) {
    const apart = Math.sqrt((at[3 * v] - at[3 * other]) ** 2 + (at[3 * v + 2] - at[3 * other + 2]) ** 2);
    if (apart <= reach) {
      if (v !== other && apart > CONFORM_METRES / 2) moves.push([v, at[3 * other], at[3 * other + 2]]);
    } else if (along(v) > near + reach && along(v) < far - reach) onto(v, c, gx, gz);
  }
  return moves;

  function ends(_: Rings, corner: number): [number, number] {
    const from = corners[corner];
    const to = corners[nextCorner(rings, corner)];
    return winding[polygonOf[corner]] > 0 ? [from, to] : [to, from];
  }
}

/** Boxes over edges, halved along their wider side: a static bounding-volume tree. */
class EdgeTree {
  readonly #rings: Rings;
  readonly #edges: Uint32Array;
  readonly #reach: number;
  readonly #climb: number;
  readonly #boxes: Float64Array;
  readonly #middle: Float64Array;

  constructor(rings: Rings, open: readonly number[], reach: number, climb: number) {
    this.#rings = rings;
    this.#reach = reach;
    this.#climb = climb;
    this.#edges = Uint32Array.from(open);
    this.#middle = new Float64Array(2 * rings.corners.length);
    for (const e of open) {
      const a = 3 * rings.corners[e];
      const b = 3 * rings.corners[nextCorner(rings, e)];
      this.#middle[2 * e] = rings.positions[a] + rings.positions[b];
      this.#middle[2 * e + 1] = rings.positions[a + 2] + rings.positions[b + 2];
    }
    this.#boxes = new Float64Array(6 * 4 * Math.max(1, Math.ceil(open.length / LEAF)) + 6);
    this.#depthFirst(0, 0, open.length);
  }

  /** Visits every pair whose boxes meet, once. */
  pairs(visit: (e: number, f: number) => void): void {
    let left = 256 * this.#edges.length + 65_536;
    const count = this.#edges.length;
    const box = new Float64Array(6);
    for (let i = 0; i < count; i++) {
      const e = this.#edges[i];
      this.#boxOf(e, box);
      const stack: [number, number, number][] = [[0, 0, count]];
      while (stack.length > 0) {
        const [node, from, to] = stack.pop()!;
        // Each pair is met from its earlier edge.
        if (to <= i + 1 || !this.#meets(box, node)) continue;
        if (to - from <= LEAF) {
          for (let j = Math.max(from, i + 1); j < to; j++) {
            if (--left < 0) throw stacked(count);
            visit(e, this.#edges[j]);
          }
        } else {
          const half = from + ((to - from) >> 1);
          stack.push([2 * node + 1, from, half], [2 * node + 2, half, to]);
        }
      }
    }
  }

  #meets(box: Float64Array, node: number): boolean {
    const b = this.#boxes;
    const at = 6 * node;
    return (
      box[0] <= b[at + 3] &&
      box[3] >= b[at] &&
      box[2] <= b[at + 5] &&
      box[5] >= b[at + 2] &&
      box[1] <= b[at + 4] &&
      box[4] >= b[at + 1]
    );
  }

  #boxOf(e: number, into: Float64Array): void {
    const { positions, corners } = this.#rings;
    const a = 3 * corners[e];
    const b = 3 * corners[nextCorner(this.#rings, e)];
    for (let k = 0; k < 3; k++) {
      // Half of what may lie between on each side: both boxes are widened.
      const room = k === 1 ? this.#climb : this.#reach;
      into[k] = Math.min(positions[a + k], positions[b + k]) - room;
      into[k + 3] = Math.max(positions[a + k], positions[b + k]) + room;
    }
  }

  /** Fills the boxes below a node; halves are of equal count, so the depth is the logarithm of the edges. */
  #depthFirst(node: number, from: number, to: number): void {
    const at = 6 * node;
    if (to - from > LEAF) {
      const half = from + ((to - from) >> 1);
      this.#order(from, to);
      this.#depthFirst(2 * node + 1, from, half);
      this.#depthFirst(2 * node + 2, half, to);
      for (let k = 0; k < 3; k++) {
        this.#boxes[at + k] = Math.min(this.#boxes[12 * node + 6 + k], this.#boxes[12 * node + 12 + k]);
        this.#boxes[at + 3 + k] = Math.max(this.#boxes[12 * node + 9 + k], this.#boxes[12 * node + 15 + k]);
      }
      return;
    }
    const box = new Float64Array(6);
    this.#boxes.fill(Number.POSITIVE_INFINITY, at, at + 3).fill(Number.NEGATIVE_INFINITY, at + 3, at + 6);
    for (let i = from; i < to; i++) {
      this.#boxOf(this.#edges[i], box);
      for (let k = 0; k < 3; k++) {
        this.#boxes[at + k] = Math.min(this.#boxes[at + k], box[k]);
        this.#boxes[at + 3 + k] = Math.max(this.#boxes[at + 3 + k], box[k + 3]);
      }
    }
  }

  #order(from: number, to: number): void {
    const middle = this.#middle;
    let [lowX, highX, lowZ, highZ] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = from; i < to; i++) {
      const e = this.#edges[i];
      lowX = Math.min(lowX, middle[2 * e]);
      highX = Math.max(highX, middle[2 * e]);
      lowZ = Math.min(lowZ, middle[2 * e + 1]);
      highZ = Math.max(highZ, middle[2 * e + 1]);
    }
    const axis = highX - lowX >= highZ - lowZ ? 0 : 1;
    this.#edges.subarray(from, to).sort((e, f) => middle[2 * e + axis] - middle[2 * f + axis] || e - f);
  }
}

function stacked(edges: number): NavguardError {
  return new NavguardError(
    'BAD_FILE',
    `The mesh has too many edges over each other to be joined (${edges} edges without a neighbour), expected a navmesh: are its triangles given twice, or is it a model?`,
    { edges },
  );
}
