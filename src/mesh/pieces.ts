// Export polygons -> convex counter-clockwise pieces on the grid, as one flat list of edges. Imported by conform.ts.
// Also says which edges may meet: "meetings", one per pair of polygons that the export calls neighbours.
import type { Findings } from './findings.ts';
import { type NavMesh, PORTAL, polygonCount, WALL } from './navmesh.ts';
import { clipEars, doubleArea, isConvex, turn } from './ring.ts';
import type { SnappedPlan } from './snap.ts';
import { UnionFind } from './unionfind.ts';

/** Edges of all pieces; those of piece k are first[k] .. first[k + 1] - 1 in ring order. */
export interface Pieces {
  readonly first: number[];
  /** Export polygon of each piece. */
  readonly source: number[];
  /** Start of each edge, units and metres. */
  readonly x: number[];
  readonly z: number[];
  readonly y: number[];
  /** Corner of the export at which the edge starts (or ends, where the polygon was reversed); -1 = a cut. */
  readonly corner: number[];
  readonly piece: number[];
}

/** Which edges may meet: lists of edges; any two of one list that run against each other along one line do. */
export type Meetings = readonly (readonly number[])[];

export interface Cut {
  readonly pieces: Pieces;
  readonly meetings: Meetings;
  /** Export polygons of which nothing is left. */
  readonly gone: Uint8Array;
}

/** The edge after e in its piece. */
export function nextEdge(pieces: Pieces, e: number): number {
  const k = pieces.piece[e];
  return e + 1 === pieces.first[k + 1] ? pieces.first[k] : e + 1;
}

/** Cuts the mesh into pieces. Near-linear: each polygon is looked at once; only non-convex ones cost more. */
export function cutPieces(mesh: NavMesh, plan: SnappedPlan, findings: Findings): Cut {
  const n = polygonCount(mesh);
  const pieces: Pieces = { first: [0], source: [], x: [], z: [], y: [], corner: [], piece: [] };
  const claims = new Claims(mesh);
  const gone = new Uint8Array(n);
  let leftWound = 0;
  let firstLeft = -1;
  let firstRight = -1;

  const add = (source: number, ring: Ring, places: readonly number[], cuts: ReadonlyMap<string, number>) => {
    const k = pieces.source.length;
    pieces.source.push(source);
    places.forEach((at, i) => {
      const then = places[(i + 1) % places.length];
      const e = pieces.x.length;
      pieces.x.push(ring.x[at]);
      pieces.z.push(ring.z[at]);
      pieces.y.push(ring.y[at]);
      const whole = then === (at + 1) % ring.x.length;
      pieces.corner.push(whole ? ring.corner[at] : -1);
      pieces.piece.push(k);
      if (whole) claims.edge(e, ring.corner[at]);
      else claims.cutEdge(e, cuts.get(cutKey(at, then))!);
    });
    pieces.first.push(pieces.x.length);
  };

  for (let p = 0; p < n; p++) {
    const ring = ringOf(mesh, plan, p);
    const count = ring.x.length;
    const area = count < 3 ? 0 : doubleArea(ring.x, ring.z, 0, count);
    if (area > 0) {
      leftWound++;
      if (firstLeft < 0) firstLeft = p;
    } else if (area < 0) {
      if (firstRight < 0) firstRight = p;
      reverse(ring);
    }
    if (isConvex(ring.x, ring.z, 0, count)) {
      add(
        p,
        ring,
        ring.x.map((_, i) => i),
        NO_CUTS,
      );
      continue;
    }
    if (isFlat(ring)) {
      findings.add('dropped-polygon', p);
      gone[p] = 1;
      claims.join(ring.corner);
      continue;
    }
    findings.add('triangulated-polygon', p);
    const { ears, rest } = clipEars(ring.x, ring.z);
    if (rest > 0) findings.add('dropped-polygon', p);
    const cuts = new Map<string, number>();
    for (let t = 0; t < ears.length; t++) {
      const a = ears[t];
      const b = ears[t % 3 === 2 ? t - 2 : t + 1];
      if (b !== (a + 1) % count && !cuts.has(cutKey(a, b))) cuts.set(cutKey(a, b), claims.newMeeting());
    }
    let kept = 0;
    for (let t = 0; t < ears.length; t += 3) {
      const [a, b, c] = [ears[t], ears[t + 1], ears[t + 2]];
      if (turn(ring.x[a], ring.z[a], ring.x[b], ring.z[b], ring.x[c], ring.z[c]) > 0) {
        add(p, ring, [a, b, c], cuts);
        kept++;
      } else {
        findings.add('dropped-polygon', p);
        claims.joinTriangle(ring, [a, b, c], cuts);
      }
    }
    if (kept === 0) gone[p] = 1;
  }

  const counted = n - gone.reduce((sum, g) => sum + g, 0);
  const rightWound = counted - leftWound;
  if (firstLeft >= 0 && firstRight >= 0) {
    const fewer = Math.min(leftWound, rightWound);
    findings.add('reversed-winding', leftWound < rightWound ? firstLeft : firstRight, Math.max(1, fewer));
  }
  return { pieces, meetings: claims.meetings(), gone };
}

interface Ring {
  x: number[];
  z: number[];
  y: number[];
  corner: number[];
}

const NO_CUTS: ReadonlyMap<string, number> = new Map();

function cutKey(a: number, b: number): string {
  return a < b ? `${a},${b}` : `${b},${a}`;
}

/** The polygon's corners without edges of no length. */
function ringOf(mesh: NavMesh, plan: SnappedPlan, p: number): Ring {
  const ring: Ring = { x: [], z: [], y: [], corner: [] };
  const from = mesh.first[p];
  const to = mesh.first[p + 1];
  for (let c = from; c < to; c++) {
    const v = mesh.corners[c];
    const w = mesh.corners[c + 1 === to ? from : c + 1];
    if (plan.x[v] === plan.x[w] && plan.z[v] === plan.z[w]) continue;
    ring.x.push(plan.x[v]);
    ring.z.push(plan.z[v]);
    ring.y.push(mesh.vertices[3 * v + 1]);
    ring.corner.push(c);
  }
  return ring;
}

/** Runs the ring the other way: edge i of the result is the old edge between the same two corners. */
function reverse(ring: Ring): void {
  ring.x.reverse();
  ring.z.reverse();
  ring.y.reverse();
  ring.corner.reverse();
  // Corner i's edge now leads to the old predecessor, whose edge it is.
  ring.corner.push(ring.corner.shift()!);
}

function isFlat(ring: Ring): boolean {
  const n = ring.x.length;
  for (let i = 2; i < n; i++) {
    if (turn(ring.x[0], ring.z[0], ring.x[1], ring.z[1], ring.x[i], ring.z[i]) !== 0) return false;
  }
  return true;
}

/** Gathers, per pair of neighbouring export polygons, the edges that claim each other. */
class Claims {
  readonly #mesh: NavMesh;
  readonly #polygonOf: Uint32Array;
  readonly #portalAt: Int32Array;
  readonly #pairs = new Map<number, number>();
  /** Portal meetings by polygon. */
  readonly #linked = new Map<number, Set<number>>();
  readonly #entryMeeting: number[] = [];
  readonly #entryEdge: number[] = [];
  readonly #joins: [number, number][] = [];
  #count = 0;

  constructor(mesh: NavMesh) {
    this.#mesh = mesh;
    const n = polygonCount(mesh);
    this.#polygonOf = new Uint32Array(mesh.corners.length);
    for (let p = 0; p < n; p++) this.#polygonOf.fill(p, mesh.first[p], mesh.first[p + 1]);
    // First entry of each corner in the sorted list of portals.
    this.#portalAt = new Int32Array(mesh.corners.length).fill(-1);
    for (let i = mesh.portals.length - 2; i >= 0; i -= 2) this.#portalAt[mesh.portals[i]] = i;
    this.#reciprocate();
  }

  /** A link counts from both sides even if the export lists it on one only (Detour lists at most four per edge). */
  #reciprocate(): void {
    const { portals } = this.#mesh;
    for (let i = 0; i < portals.length; i += 2) {
      const p = this.#polygonOf[portals[i]];
      const q = portals[i + 1];
      const meeting = this.#pair(p, q);
      for (const side of [p, q]) {
        const list = this.#linked.get(side);
        if (list === undefined) this.#linked.set(side, new Set([meeting]));
        else list.add(meeting);
      }
    }
  }

  #pair(p: number, q: number): number {
    const n = this.#mesh.first.length;
    const key = p < q ? p * n + q : q * n + p;
    let meeting = this.#pairs.get(key);
    if (meeting === undefined) {
      meeting = this.newMeeting();
      this.#pairs.set(key, meeting);
    }
    return meeting;
  }

  /** Meetings of the edge that starts at a corner of the export. */
  #of(corner: number): Iterable<number> {
    const across = this.#mesh.neighbours[corner];
    if (across === WALL) return NONE;
    if (across === PORTAL) return this.#linked.get(this.#polygonOf[corner]) ?? NONE;
    return [this.#pair(this.#polygonOf[corner], across)];
  }

  newMeeting(): number {
    return this.#count++;
  }
  edge(e: number, corner: number): void {
    for (const meeting of this.#of(corner)) this.cutEdge(e, meeting);
  }
  cutEdge(e: number, meeting: number): void {
    this.#entryMeeting.push(meeting);
    this.#entryEdge.push(e);
  }
  /** A polygon of no area vanished: everything that met it may meet each other. */
  join(corners: readonly number[]): void {
    this.#joinAll(corners.flatMap((c) => [...this.#of(c)]));
  }
  joinTriangle(ring: Ring, places: readonly number[], cuts: ReadonlyMap<string, number>): void {
    this.#joinAll(
      places.flatMap((at, i) => {
        const then = places[(i + 1) % 3];
        const cut = cuts.get(cutKey(at, then));
        return cut === undefined ? [...this.#of(ring.corner[at])] : [cut];
      }),
    );
  }
  #joinAll(meetings: readonly number[]): void {
    for (let i = 1; i < meetings.length; i++) this.#joins.push([meetings[0], meetings[i]]);
  }

  meetings(): Meetings {
    const sets = new UnionFind(this.#count);
    for (const [a, b] of this.#joins) sets.union(a, b);
    const lists: number[][] = [];
    const listOf = new Int32Array(this.#count).fill(-1);
    for (let i = 0; i < this.#entryEdge.length; i++) {
      const root = sets.find(this.#entryMeeting[i]);
      if (listOf[root] < 0) {
        listOf[root] = lists.length;
        lists.push([]);
      }
      const list = lists[listOf[root]];
      // An edge's entries follow each other, so a repeat stands at the end.
      if (list[list.length - 1] !== this.#entryEdge[i]) list.push(this.#entryEdge[i]);
    }
    return lists;
  }
}

const NONE: readonly number[] = [];
