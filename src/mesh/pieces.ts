// Export polygons -> convex counter-clockwise pieces on the grid, as one flat list of edges. Imported by conform.ts.
// Also says which edges may meet: "meetings", one per pair of polygons that the export calls neighbours.
import { Claims, cutKey, type Meetings, type Ring } from './claims.ts';
import type { Pieces } from './edges.ts';
import type { Findings } from './findings.ts';
import { type NavMesh, polygonCount, WALL } from './navmesh.ts';
import { polygonPlace } from './places.ts';
import { clipEars, doubleArea, isConvex, turn } from './ring.ts';
import type { SnappedPlan } from './snap.ts';

export interface Cut {
  readonly pieces: Pieces;
  readonly meetings: Meetings;
  /** Export polygons of which nothing is left. */
  readonly gone: Uint8Array;
}

/** Cuts the mesh into pieces. Near-linear: each polygon is looked at once; only non-convex ones cost more. */
export function cutPieces(mesh: NavMesh, plan: SnappedPlan, findings: Findings): Cut {
  const n = polygonCount(mesh);
  const { first, corners, neighbours, vertices } = mesh;
  const out = new PieceWriter(corners.length);
  const claims = new Claims(mesh);
  const gone = new Uint8Array(n);
  let left = 0;
  let counted = n;
  let firstLeft = -1;
  let firstRight = -1;
  // Scratch for the ring of one polygon.
  let most = 0;
  for (let p = 0; p < n; p++) most = Math.max(most, first[p + 1] - first[p]);
  const x = new Int32Array(most);
  const z = new Int32Array(most);

  const add = (source: number, ring: Ring, places: readonly number[], cuts: ReadonlyMap<string, number>) => {
    places.forEach((at, i) => {
      const then = places[(i + 1) % places.length];
      const whole = then === (at + 1) % ring.x.length;
      const e = out.edge(ring.x[at], ring.y[at], ring.z[at], whole ? ring.corner[at] : -1);
      if (whole) claims.edge(e, ring.corner[at]);
      else claims.cutEdge(e, cuts.get(cutKey(at, then))!);
    });
    out.close(source);
  };

  for (let p = 0; p < n; p++) {
    const a = first[p];
    const size = first[p + 1] - a;
    // Nearly all polygons are convex already, one way round or the other: no lists are made for them.
    let clean = size >= 3;
    for (let i = 0; i < size; i++) {
      const v = corners[a + i];
      x[i] = plan.x[v];
      z[i] = plan.z[v];
    }
    for (let i = 0, before = size - 1; i < size; before = i++) {
      if (x[i] === x[before] && z[i] === z[before]) clean = false;
    }
    const area = clean ? doubleArea(x, z, 0, size) : 0;
    if (area < 0) reverseFirst(x, z, size);
    if (area !== 0 && isConvex(x, z, 0, size)) {
      if (area > 0) {
        left++;
        if (firstLeft < 0) firstLeft = p;
      } else if (firstRight < 0) firstRight = p;
      const last = a + size - 1;
      for (let i = 0; i < size; i++) {
        // Run the other way, edge i is the one that ended at its start: see reverse.
        const at = area > 0 ? a + i : last - i;
        const c = area > 0 ? at : at === a ? last : at - 1;
        const e = out.edge(x[i], vertices[3 * corners[at] + 1], z[i], c);
        if (neighbours[c] !== WALL) claims.edge(e, c);
      }
      out.close(p);
      continue;
    }
    const ring = ringOf(mesh, plan, p);
    const count = ring.x.length;
    const ringArea = count < 3 ? 0 : doubleArea(ring.x, ring.z, 0, count);
    if (ringArea > 0) {
      left++;
      if (firstLeft < 0) firstLeft = p;
    } else if (ringArea < 0) {
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
      findings.add('dropped-polygon', p, 1, polygonPlace(mesh, p));
      gone[p] = 1;
      counted--;
      claims.join(ring.corner);
      continue;
    }
    const place = polygonPlace(mesh, p);
    findings.add('triangulated-polygon', p, 1, place);
    const { ears, rest } = clipEars(ring.x, ring.z);
    if (rest > 0) findings.add('dropped-polygon', p, 1, place);
    const cuts = new Map<string, number>();
    for (let t = 0; t < ears.length; t++) {
      const i = ears[t];
      const j = ears[t % 3 === 2 ? t - 2 : t + 1];
      if (j !== (i + 1) % count && !cuts.has(cutKey(i, j))) cuts.set(cutKey(i, j), claims.newMeeting());
    }
    let kept = 0;
    for (let t = 0; t < ears.length; t += 3) {
      const [i, j, k] = [ears[t], ears[t + 1], ears[t + 2]];
      if (turn(ring.x[i], ring.z[i], ring.x[j], ring.z[j], ring.x[k], ring.z[k]) > 0) {
        add(p, ring, [i, j, k], cuts);
        kept++;
      } else {
        findings.add('dropped-polygon', p, 1, place);
        claims.joinTriangle(ring, [i, j, k], cuts);
      }
    }
    if (kept === 0) {
      gone[p] = 1;
      counted--;
    }
  }

  if (firstLeft >= 0 && firstRight >= 0) {
    const right = counted - left;
    const odd = left < right ? firstLeft : firstRight;
    findings.add('reversed-winding', odd, Math.max(1, Math.min(left, right)), polygonPlace(mesh, odd));
  }
  const pieces = out.pieces();
  return { pieces, meetings: claims.meetings(pieces.x.length), gone };
}

/** Takes edges one after the other into flat arrays that grow by doubling. */
class PieceWriter {
  #edges = 0;
  #count = 0;
  #first: Uint32Array;
  #source: Uint32Array;
  #x: Int32Array;
  #z: Int32Array;
  #y: Float64Array;
  #corner: Int32Array;
  #piece: Uint32Array;

  /** `room`: edges to make room for at first. */
  constructor(room: number) {
    this.#first = new Uint32Array(room + 1);
    this.#source = new Uint32Array(room);
    this.#x = new Int32Array(room);
    this.#z = new Int32Array(room);
    this.#y = new Float64Array(room);
    this.#corner = new Int32Array(room);
    this.#piece = new Uint32Array(room);
  }

  /** Takes an edge of the piece at hand and returns its number. */
  edge(x: number, y: number, z: number, corner: number): number {
    const e = this.#edges++;
    if (e === this.#x.length) this.#grow();
    this.#x[e] = x;
    this.#z[e] = z;
    this.#y[e] = y;
    this.#corner[e] = corner;
    this.#piece[e] = this.#count;
    return e;
  }

  /** The piece at hand is whole. */
  close(source: number): void {
    this.#source[this.#count++] = source;
    this.#first[this.#count] = this.#edges;
  }

  /** A piece has three edges or more, so room for the edges is room for the pieces. */
  #grow(): void {
    const room = 2 * this.#x.length;
    const wider = <T extends Int32Array | Uint32Array | Float64Array>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    this.#first = wider(new Uint32Array(room + 1), this.#first);
    this.#source = wider(new Uint32Array(room), this.#source);
    this.#x = wider(new Int32Array(room), this.#x);
    this.#z = wider(new Int32Array(room), this.#z);
    this.#y = wider(new Float64Array(room), this.#y);
    this.#corner = wider(new Int32Array(room), this.#corner);
    this.#piece = wider(new Uint32Array(room), this.#piece);
  }

  pieces(): Pieces {
    const edges = this.#edges;
    return {
      first: this.#first.subarray(0, this.#count + 1),
      source: this.#source.subarray(0, this.#count),
      x: this.#x.subarray(0, edges),
      z: this.#z.subarray(0, edges),
      y: this.#y.subarray(0, edges),
      corner: this.#corner.subarray(0, edges),
      piece: this.#piece.subarray(0, edges),
    };
  }
}

const NO_CUTS: ReadonlyMap<string, number> = new Map();

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

function reverseFirst(x: Int32Array, z: Int32Array, count: number): void {
  for (let i = 0, j = count - 1; i < j; i++, j--) {
    const atX = x[i];
    const atZ = z[i];
    x[i] = x[j];
    z[i] = z[j];
    x[j] = atX;
    z[j] = atZ;
  }
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
