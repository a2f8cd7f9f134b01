// Finds the edges that face each other along one line: exact on a lattice, within a small tolerance elsewhere. Imported
// by conform.ts. Two edges of different pieces match when they run against each other and overlap in more than a point.
import { NavguardError } from '../errors.ts';
import type { Meetings } from './claims.ts';
import { nextEdge, type Pieces } from './edges.ts';

/** Pairs of facing edges: a[i] faces b[i]. */
export interface Matches {
  readonly a: number[];
  readonly b: number[];
  /** The first so many come from the export's own links, the rest from recover.ts. */
  linked: number;
}

/** Lists up to this long are compared pair by pair; longer ones are sorted along their lines first. */
const PAIRWISE = 16;

/**
 * All facing pairs within each meeting. Lists of two, nearly all of them, cost one comparison; long lists cost
 * n log n plus their matches. More matches than a flat map could have (many edges stacked on one line) throw `BAD_FILE`.
 */
export function facingEdges(pieces: Pieces, meetings: Meetings, tolerance: number): Matches {
  const matches: Matches = { a: [], b: [], linked: 0 };
  const most = 16 * pieces.x.length + 4096;
  const seen = new Set<number>();
  const { first, edges, shared } = meetings;
  const test = (e: number, f: number, once: boolean) => {
    if (pieces.piece[e] === pieces.piece[f] || !face(pieces, e, f, tolerance)) return;
    // Two edges can meet in two lists, or twice on one line: once is enough.
    if (!once) {
      const key = e < f ? e * pieces.x.length + f : f * pieces.x.length + e;
      if (seen.has(key)) return;
      seen.add(key);
    }
    matches.a.push(Math.min(e, f));
    matches.b.push(Math.max(e, f));
    if (matches.a.length > most) {
      throw new NavguardError(
        'BAD_FILE',
        `navmesh: expected at most ${most} facing edges for ${pieces.x.length} edges, got more: edges are stacked on one line`,
        { edges: pieces.x.length },
      );
    }
  };
  for (let l = 0; l + 1 < first.length; l++) {
    const from = first[l];
    const to = first[l + 1];
    if (to - from <= PAIRWISE) {
      for (let i = from; i < to; i++) {
        for (let j = i + 1; j < to; j++) test(edges[i], edges[j], shared[edges[i]] === 0 || shared[edges[j]] === 0);
      }
    } else {
      sweepLines(pieces, edges.subarray(from, to), (e, f) => {
        test(e, f, false);
        return true;
      });
    }
  }
  matches.linked = matches.a.length;
  return matches;
}

/** Whether e and f run against each other along one line and overlap in more than a point. */
function face(pieces: Pieces, e: number, f: number, tolerance: number): boolean {
  const { x, z } = pieces;
  const eEnd = nextEdge(pieces, e);
  const fEnd = nextEdge(pieces, f);
  const ax = x[e];
  const az = z[e];
  const dx = x[eEnd] - ax;
  const dz = z[eEnd] - az;
  const fx = x[f];
  const fz = z[f];
  const gx = x[fEnd];
  const gz = z[fEnd];
  if (dx * (gx - fx) + dz * (gz - fz) >= 0) return false;
  if (tolerance === 0) {
    if (dx * (fz - az) - dz * (fx - ax) !== 0 || dx * (gz - az) - dz * (gx - ax) !== 0) return false;
    // f runs from its far end on e's axis to its near end.
    const far = dx * (fx - ax) + dz * (fz - az);
    const near = dx * (gx - ax) + dz * (gz - az);
    return far > 0 && near < dx * dx + dz * dz;
  }
  // Every end that lies beside the other edge must be near to its line; the overlap must exceed the tolerance.
  const length = Math.sqrt(dx * dx + dz * dz);
  const far = (dx * (fx - ax) + dz * (fz - az)) / length;
  const near = (dx * (gx - ax) + dz * (gz - az)) / length;
  if (Math.min(far, length) - Math.max(near, 0) <= tolerance) return false;
  const offStart = Math.abs(dx * (fz - az) - dz * (fx - ax)) / length;
  const offEnd = Math.abs(dx * (gz - az) - dz * (gx - ax)) / length;
  if (far <= length && offStart > tolerance) return false;
  if (near >= 0 && offEnd > tolerance) return false;
  const fl = Math.sqrt((gx - fx) ** 2 + (gz - fz) ** 2);
  if (near < 0 && Math.abs((gx - fx) * (az - fz) - (gz - fz) * (ax - fx)) / fl > tolerance) return false;
  if (far > length) {
    const off = Math.abs((gx - fx) * (z[eEnd] - fz) - (gz - fz) * (x[eEnd] - fx)) / fl;
    if (off > tolerance) return false;
  }
  return true;
}

/**
 * Visits the pairs of a long list that lie on one line, run against each other and overlap, until visit says false.
 * n log n plus the pairs visited.
 */
export function sweepLines(pieces: Pieces, list: Iterable<number>, visit: (e: number, f: number) => boolean): void {
  const { x, z } = pieces;
  const lines = new Map<string, Span[]>();
  for (const e of list) {
    const end = nextEdge(pieces, e);
    let dx = x[end] - x[e];
    let dz = z[end] - z[e];
    const g = gcd(Math.abs(dx), Math.abs(dz));
    const back = dx < 0 || (dx === 0 && dz < 0);
    dx /= back ? -g : g;
    dz /= back ? -g : g;
    const key = `${dx},${dz},${dx * z[e] - dz * x[e]}`;
    const along = dx === 0 ? z : x;
    const span = { e, back, low: Math.min(along[e], along[end]), high: Math.max(along[e], along[end]) };
    const line = lines.get(key);
    if (line === undefined) lines.set(key, [span]);
    else line.push(span);
  }
  for (const line of lines.values()) {
    line.sort((p, q) => p.low - q.low || p.e - q.e);
    // Open spans by direction. Only the opposite side is looked through: what is closed there leaves for good, what is
    // open is a match, so the work is that of the matches.
    let forth: Span[] = [];
    let back: Span[] = [];
    for (const span of line) {
      const facing = (span.back ? forth : back).filter((o) => o.high > span.low);
      for (const o of facing) if (!visit(o.e, span.e)) return;
      if (span.back) {
        forth = facing;
        back.push(span);
      } else {
        back = facing;
        forth.push(span);
      }
    }
  }
}

interface Span {
  readonly e: number;
  readonly back: boolean;
  readonly low: number;
  readonly high: number;
}

function gcd(a: number, b: number): number {
  let p = a;
  let q = b;
  while (q !== 0) {
    const rest = p % q;
    p = q;
    q = rest;
  }
  return p;
}
