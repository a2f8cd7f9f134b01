// Which edges may meet: gathered while polygons are cut into pieces, from what the export says of neighbours and links.
// Imported by pieces.ts; the result by meet.ts.
import { type NavMesh, PORTAL, polygonCount, WALL } from './navmesh.ts';
import { UnionFind } from './unionfind.ts';

/**
 * Which edges may meet: lists of edges; any two of one list that run against each other along one line do. List i is
 * edges[first[i]] .. edges[first[i + 1] - 1]; lists are numbered by their first edge, and edges ascend within each.
 */
export interface Meetings {
  readonly first: Uint32Array;
  readonly edges: Uint32Array;
  /** Per edge: 1 when it stands in more than one list. */
  readonly shared: Uint8Array;
}

/** One polygon of the export on the grid, counter-clockwise, without edges of no length. */
export interface Ring {
  x: number[];
  z: number[];
  y: number[];
  corner: number[];
}

/** Names a cut between two places of a ring, whichever way round. */
export function cutKey(a: number, b: number): string {
  return a < b ? `${a},${b}` : `${b},${a}`;
}

const NONE: readonly number[] = [];

/** Gathers, per pair of neighbouring export polygons, the edges that claim each other. */
export class Claims {
  readonly #mesh: NavMesh;
  readonly #polygonOf: Uint32Array;
  /** Meeting of each corner's edge, -1 = not asked for yet. */
  readonly #meetingOf: Int32Array;
  /** Meetings of pairs that portals link, and these meetings by polygon. */
  readonly #pairs = new Map<number, number>();
  readonly #linked = new Map<number, Set<number>>();
  /** Pairs of edge and meeting, in the order of the edges; grows by doubling. */
  #entries: Int32Array;
  #entryCount = 0;
  readonly #joins: [number, number][] = [];
  #count = 0;

  constructor(mesh: NavMesh) {
    this.#mesh = mesh;
    this.#entries = new Int32Array(2 * mesh.corners.length + 64);
    const { first } = mesh;
    this.#meetingOf = new Int32Array(mesh.corners.length).fill(-1);
    this.#polygonOf = new Uint32Array(mesh.corners.length);
    for (let p = 0; p < polygonCount(mesh); p++) {
      for (let c = first[p]; c < first[p + 1]; c++) this.#polygonOf[c] = p;
    }
    this.#reciprocate();
  }

  /** A link counts from both sides even if the export lists it on one only (Detour lists at most four per edge). */
  #reciprocate(): void {
    const { portals } = this.#mesh;
    for (let i = 0; i < portals.length; i += 2) {
      const p = this.#polygonOf[portals[i]];
      const q = portals[i + 1];
      const key = this.#key(p, q);
      let meeting = this.#pairs.get(key);
      if (meeting === undefined) {
        meeting = this.newMeeting();
        this.#pairs.set(key, meeting);
      }
      for (const side of [p, q]) {
        const list = this.#linked.get(side);
        if (list === undefined) this.#linked.set(side, new Set([meeting]));
        else list.add(meeting);
      }
    }
  }

  #key(p: number, q: number): number {
    const n = this.#mesh.first.length;
    return p < q ? p * n + q : q * n + p;
  }

  /** The meeting of an inner edge: one per pair of polygons, found at the corners that name each other. */
  #inner(corner: number): number {
    const meetingOf = this.#meetingOf;
    if (meetingOf[corner] >= 0) return meetingOf[corner];
    const p = this.#polygonOf[corner];
    const q = this.#mesh.neighbours[corner];
    let meeting = -1;
    if (this.#linked.size > 0 && this.#linked.has(p)) meeting = this.#pairs.get(this.#key(p, q)) ?? -1;
    if (meeting < 0) meeting = this.#named(q, p);
    if (meeting < 0) meeting = this.#named(p, q);
    if (meeting < 0) meeting = this.newMeeting();
    meetingOf[corner] = meeting;
    return meeting;
  }

  /** The meeting of a corner of p whose edge leads to q, if one has it already. */
  #named(p: number, q: number): number {
    const { first, neighbours } = this.#mesh;
    for (let c = first[p]; c < first[p + 1]; c++) {
      if (neighbours[c] === q && this.#meetingOf[c] >= 0) return this.#meetingOf[c];
    }
    return -1;
  }

  /** Meetings of the edge that starts at a corner of the export. */
  #of(corner: number): Iterable<number> {
    const across = this.#mesh.neighbours[corner];
    if (across === WALL) return NONE;
    if (across === PORTAL) return this.#linked.get(this.#polygonOf[corner]) ?? NONE;
    return [this.#inner(corner)];
  }

  newMeeting(): number {
    return this.#count++;
  }

  edge(e: number, corner: number): void {
    const across = this.#mesh.neighbours[corner];
    if (across === WALL) return;
    if (across === PORTAL) {
      for (const meeting of this.#linked.get(this.#polygonOf[corner]) ?? NONE) this.cutEdge(e, meeting);
    } else this.cutEdge(e, this.#inner(corner));
  }

  cutEdge(e: number, meeting: number): void {
    const at = 2 * this.#entryCount++;
    if (at === this.#entries.length) {
      const wider = new Int32Array(2 * at);
      wider.set(this.#entries);
      this.#entries = wider;
    }
    this.#entries[at] = e;
    this.#entries[at + 1] = meeting;
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

  /** The lists, of the edges 0 .. `edges` - 1. */
  meetings(edges: number): Meetings {
    const sets = new UnionFind(this.#count);
    for (const [a, b] of this.#joins) sets.union(a, b);
    const entries = this.#entryCount;
    const pairs = this.#entries;
    const list = new Int32Array(entries);
    const listOf = new Int32Array(this.#count).fill(-1);
    // The last edge of each list so far: an edge's entries follow each other, so a repeat stands at the end.
    const last = new Int32Array(this.#count).fill(-1);
    const sizes = new Uint32Array(this.#count + 1);
    const times = new Uint8Array(edges);
    const shared = new Uint8Array(edges);
    let lists = 0;
    for (let i = 0; i < entries; i++) {
      const root = sets.find(pairs[2 * i + 1]);
      if (listOf[root] < 0) listOf[root] = lists++;
      const l = listOf[root];
      const e = pairs[2 * i];
      if (last[l] === e) {
        list[i] = -1;
        continue;
      }
      last[l] = e;
      list[i] = l;
      sizes[l]++;
      if (times[e] === 1) shared[e] = 1;
      times[e] = 1;
    }
    const first = new Uint32Array(lists + 1);
    for (let l = 0; l < lists; l++) first[l + 1] = first[l] + sizes[l];
    const out = new Uint32Array(first[lists]);
    const next = first.slice(0, lists);
    for (let i = 0; i < entries; i++) if (list[i] >= 0) out[next[list[i]]++] = pairs[2 * i];
    return { first, edges: out, shared };
  }
}
