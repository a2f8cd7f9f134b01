// Facing edges -> whole shared edges: cuts steps higher than the climb, splits T-junctions, picks one partner per part.
// Imported by conform.ts.
import { NavguardError } from '../errors.ts';
import { nextEdge, type Pieces } from './edges.ts';
import type { Findings } from './findings.ts';
import type { Matches } from './meet.ts';
import { type NavMesh, PORTAL } from './navmesh.ts';
import { borderPlace, placeAt } from './places.ts';
import type { PlanGrid, SnappedPlan } from './snap.ts';
import { heightAlong, isStep, type Point } from './step.ts';
import { UnionFind } from './unionfind.ts';

/** Parts of edges after splitting; those of edge e are first[e] .. first[e + 1] - 1 in the edge's direction. */
export interface Seams {
  readonly first: Uint32Array;
  /** Start of each part. */
  readonly x: Int32Array;
  readonly z: Int32Array;
  readonly y: Float64Array;
  /** The part on the other side, -1 = wall. */
  readonly twin: Int32Array;
  /** Edges that lost a partner to a step. */
  readonly cut: ReadonlySet<number>;
}

/** Joins facing edges. Near-linear in edges + matches. */
export function joinSeams(
  mesh: NavMesh,
  plan: SnappedPlan,
  pieces: Pieces,
  matches: Matches,
  tolerance: number,
  findings: Findings,
): Seams {
  const edges = pieces.x.length;
  const { corner, piece, source } = pieces;
  const { neighbours } = mesh;

  // Steps first: what is cut must not take part in anything that follows.
  const cut = new Set<number>();
  const a: number[] = [];
  const b: number[] = [];
  // The first so many of a and b come from the export's own links.
  let linked = 0;
  const degree = new Uint32Array(edges);
  for (let i = 0; i < matches.a.length; i++) {
    const e = matches.a[i];
    const f = matches.b[i];
    const border =
      (corner[e] >= 0 && neighbours[corner[e]] === PORTAL) || (corner[f] >= 0 && neighbours[corner[f]] === PORTAL);
    if (border && isStep(mesh, plan, pieces, e, f)) {
      findings.add('cut-portal', source[piece[e]], 1, borderPlace(plan.grid, pieces, e, f));
      cut.add(e).add(f);
      continue;
    }
    a.push(e);
    b.push(f);
    if (i < matches.linked) linked++;
    degree[e]++;
    degree[f]++;
  }

  // Most edges have one partner that runs exactly the other way: no splitting. The rest is taken line by line.
  const inserts = new Map<number, Point[]>();
  const tangled: number[] = [];
  const isWhole = new Uint8Array(a.length);
  for (let i = 0; i < a.length; i++) {
    if (degree[a[i]] === 1 && degree[b[i]] === 1 && isReverse(pieces, a[i], b[i])) isWhole[i] = 1;
    else tangled.push(i);
  }
  const lines = new UnionFind(tangled.length > 0 ? edges : 0);
  for (const i of tangled) lines.union(a[i], b[i]);
  const groups = new Map<number, number[]>();
  for (const i of tangled) {
    const root = lines.find(a[i]);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [i]);
    else group.push(i);
  }
  const room = { left: 32 * edges + 4096 };
  const rows: { members: number[]; pairs: number[] }[] = [];
  for (const pairs of groups.values()) {
    const members = [...new Set(pairs.flatMap((i) => [a[i], b[i]]))].sort((p, q) => p - q);
    insertPoints(plan.grid, pieces, members, tolerance, inserts, room, findings);
    rows.push({ members, pairs });
  }

  const first = new Uint32Array(edges + 1);
  for (let e = 0; e < edges; e++) first[e + 1] = 1;
  for (const [e, list] of inserts) first[e + 1] += list.length;
  for (let e = 0; e < edges; e++) first[e + 1] += first[e];
  const parts = first[edges];
  const seams: Seams = {
    first,
    x: new Int32Array(parts),
    z: new Int32Array(parts),
    y: new Float64Array(parts),
    twin: new Int32Array(parts).fill(-1),
    cut,
  };
  for (let e = 0; e < edges; e++) {
    const at = first[e];
    seams.x[at] = pieces.x[e];
    seams.z[at] = pieces.z[e];
    seams.y[at] = pieces.y[e];
  }
  for (const [e, list] of inserts) {
    let at = first[e];
    for (const point of list) {
      at++;
      seams.x[at] = point.x;
      seams.z[at] = point.z;
      seams.y[at] = heightAlong(pieces, e, point.x, point.z);
    }
  }
  const reportRecovered = (i: number) =>
    findings.add('recovered-portal', source[piece[a[i]]], 1, borderPlace(plan.grid, pieces, a[i], b[i]));
  for (let i = 0; i < a.length; i++) {
    if (isWhole[i] === 0) continue;
    link(seams, first[a[i]], first[b[i]]);
    if (i >= linked) reportRecovered(i);
  }
  const joined = new Set<number>();
  for (const row of rows) pairParts(plan.grid, pieces, seams, row.pairs, a, b, joined, findings);
  for (const i of joined) if (i >= linked) reportRecovered(i);
  return seams;
}

function link(seams: Seams, p: number, q: number): void {
  seams.twin[p] = q;
  seams.twin[q] = p;
}

function isReverse(pieces: Pieces, e: number, f: number): boolean {
  const eEnd = nextEdge(pieces, e);
  const fEnd = nextEdge(pieces, f);
  return (
    pieces.x[e] === pieces.x[fEnd] &&
    pieces.z[e] === pieces.z[fEnd] &&
    pieces.x[f] === pieces.x[eEnd] &&
    pieces.z[f] === pieces.z[eEnd]
  );
}

/** Inserts every end of a line's edges into the edges that it lies strictly inside of. */
function insertPoints(
  grid: PlanGrid,
  pieces: Pieces,
  members: readonly number[],
  tolerance: number,
  inserts: Map<number, Point[]>,
  room: { left: number },
  findings: Findings,
): void {
  const { x, z } = pieces;
  // Order along the line by the axis on which the first edge is longer: exact for integers.
  const e0 = members[0];
  const end0 = nextEdge(pieces, e0);
  const byX = Math.abs(x[end0] - x[e0]) >= Math.abs(z[end0] - z[e0]);
  const along = byX ? x : z;
  const across = byX ? z : x;
  const ends = new Map<number, number>();
  for (const e of members) {
    for (const at of [e, nextEdge(pieces, e)]) ends.set(pointKey(x[at], z[at]), at);
  }
  const points = [...ends.values()].sort((p, q) => along[p] - along[q] || across[p] - across[q]);
  for (const e of members) {
    const end = nextEdge(pieces, e);
    const low = Math.min(along[e], along[end]);
    const high = Math.max(along[e], along[end]);
    const list: Point[] = [];
    for (let i = firstAbove(points, along, low); i < points.length && along[points[i]] < high; i++) {
      const at = points[i];
      if (tolerance > 0 && !near(pieces, e, at, tolerance)) continue;
      list.push({ x: x[at], z: z[at] });
      room.left--;
      if (room.left < 0) {
        throw new NavguardError(
          'BAD_FILE',
          `navmesh: expected at most ${32 * pieces.x.length + 4096} T-junctions for ${pieces.x.length} edges, got more: edges are stacked on one line`,
          { edges: pieces.x.length },
        );
      }
    }
    if (list.length === 0) continue;
    if (along[e] > along[end]) list.reverse();
    inserts.set(e, list);
    const [{ x: px, z: pz }] = list;
    const place = placeAt(grid, px, heightAlong(pieces, e, px, pz), pz);
    findings.add('split-edge', pieces.source[pieces.piece[e]], list.length, place);
  }
}

/** First place in the sorted points that lies strictly above `low`. */
function firstAbove(points: readonly number[], along: Int32Array, low: number): number {
  let a = 0;
  let b = points.length;
  while (a < b) {
    const middle = (a + b) >>> 1;
    if (along[points[middle]] > low) b = middle;
    else a = middle + 1;
  }
  return a;
}

function near(pieces: Pieces, e: number, at: number, tolerance: number): boolean {
  const { x, z } = pieces;
  const end = nextEdge(pieces, e);
  const dx = x[end] - x[e];
  const dz = z[end] - z[e];
  const cross = dx * (z[at] - z[e]) - dz * (x[at] - x[e]);
  return cross * cross <= tolerance * tolerance * (dx * dx + dz * dz);
}

/** Gives every part of a line at most one partner: of several, the nearest in height. Used pairs go to `joined`. */
function pairParts(
  grid: PlanGrid,
  pieces: Pieces,
  seams: Seams,
  pairs: readonly number[],
  a: readonly number[],
  b: readonly number[],
  joined: Set<number>,
  findings: Findings,
): void {
  const options: { p: number; q: number; gap: number; i: number }[] = [];
  // Parts of an edge by their end, made once per edge: the part across starts there.
  const endsOf = new Map<number, Map<number, number>>();
  const ends = (f: number) => {
    let map = endsOf.get(f);
    if (map === undefined) {
      map = new Map();
      for (let q = seams.first[f]; q < seams.first[f + 1]; q++) map.set(pointKey(...partEnd(pieces, seams, f, q)), q);
      endsOf.set(f, map);
    }
    return map;
  };
  for (const i of pairs) {
    // Walk the edge with fewer parts, look up in the other: n partners on one long edge cost n steps, not n^2.
    const shorter = seams.first[a[i] + 1] - seams.first[a[i]] <= seams.first[b[i] + 1] - seams.first[b[i]];
    const e = shorter ? a[i] : b[i];
    const f = shorter ? b[i] : a[i];
    for (let p = seams.first[e]; p < seams.first[e + 1]; p++) {
      const q = ends(f).get(pointKey(seams.x[p], seams.z[p]));
      if (q === undefined) continue;
      const [x, z] = partEnd(pieces, seams, e, p);
      if (x !== seams.x[q] || z !== seams.z[q]) continue;
      const mx = (x + seams.x[p]) / 2;
      const mz = (z + seams.z[p]) / 2;
      options.push({ p, q, gap: Math.abs(heightAlong(pieces, e, mx, mz) - heightAlong(pieces, f, mx, mz)), i });
    }
  }
  options.sort((s, t) => s.gap - t.gap || s.p - t.p || s.q - t.q);
  for (const { p, q, i } of options) {
    if (seams.twin[p] >= 0 || seams.twin[q] >= 0) {
      const place = borderPlace(grid, pieces, a[i], b[i]);
      findings.add('ambiguous-portal', pieces.source[pieces.piece[a[i]]], 1, place);
    } else {
      link(seams, p, q);
      joined.add(i);
    }
  }
}

/** One number per grid point: |coordinate| <= 2^24 leaves room. */
function pointKey(x: number, z: number): number {
  return (x + 2 ** 25) * 2 ** 26 + (z + 2 ** 25);
}

function partEnd(pieces: Pieces, seams: Seams, e: number, p: number): [number, number] {
  if (p + 1 < seams.first[e + 1]) return [seams.x[p + 1], seams.z[p + 1]];
  const end = nextEdge(pieces, e);
  return [pieces.x[end], pieces.z[end]];
}
