// Heights where two edges face each other: is the border between them a step higher than the climb? Imported by seams.ts
// and recover.ts.

import { nextEdge, type Pieces } from './edges.ts';
import type { NavMesh } from './navmesh.ts';
import type { SnappedPlan } from './snap.ts';
import { surfaceHeight } from './surface.ts';

/** A place in units. */
export interface Point {
  readonly x: number;
  readonly z: number;
}

/** Heights within this of the climb are no step: corner heights are f32 multiples of the cell height, metres. */
const CLIMB_NOISE = 1e-3;

/** Height on edge e's straight line beside a point, clamped to its ends. */
export function heightAlong(pieces: Pieces, e: number, x: number, z: number): number {
  const end = nextEdge(pieces, e);
  const dx = pieces.x[end] - pieces.x[e];
  const dz = pieces.z[end] - pieces.z[e];
  const t = ((x - pieces.x[e]) * dx + (z - pieces.z[e]) * dz) / (dx * dx + dz * dz);
  return pieces.y[e] + Math.min(Math.max(t, 0), 1) * (pieces.y[end] - pieces.y[e]);
}

/** The ends of the overlap of two facing edges. */
function overlap(pieces: Pieces, e: number, f: number): [Point, Point] {
  const { x, z } = pieces;
  const eEnd = nextEdge(pieces, e);
  const fEnd = nextEdge(pieces, f);
  const dx = x[eEnd] - x[e];
  const dz = z[eEnd] - z[e];
  const along = (i: number) => (x[i] - x[e]) * dx + (z[i] - z[e]) * dz;
  const from = along(fEnd) > 0 ? fEnd : e;
  const to = along(f) < dx * dx + dz * dz ? f : eEnd;
  return [
    { x: x[from], z: z[from] },
    { x: x[to], z: z[to] },
  ];
}

/** The gap in height between two facing edges at both ends of their overlap, metres: a's height minus b's. */
function chordGaps(pieces: Pieces, e: number, f: number, [from, to]: [Point, Point]): [number, number] {
  return [
    heightAlong(pieces, e, from.x, from.z) - heightAlong(pieces, f, from.x, from.z),
    heightAlong(pieces, e, to.x, to.z) - heightAlong(pieces, f, to.x, to.z),
  ];
}

/** Whether one edge lies higher than the climb over the other all along their overlap. */
export function isChordStep(pieces: Pieces, climb: number, e: number, f: number): boolean {
  return isOver(climb + CLIMB_NOISE, chordGaps(pieces, e, f, overlap(pieces, e, f)));
}

/** More than the climb at every place, and on one side: no crossing in between. */
function isOver(climb: number, gaps: readonly number[]): boolean {
  return gaps.every((gap) => Math.abs(gap) > climb && gap > 0 === gaps[0] > 0);
}

/**
 * Whether a border portal is a step. Edges are chords of the terrain, so where they say "step" the detail surfaces are
 * asked too, at both ends and in the middle: both must agree.
 */
export function isStep(mesh: NavMesh, plan: SnappedPlan, pieces: Pieces, e: number, f: number): boolean {
  const climb = mesh.agent.climb + CLIMB_NOISE;
  const ends = overlap(pieces, e, f);
  if (!isOver(climb, chordGaps(pieces, e, f, ends))) return false;
  const [from, to] = ends;
  const p = pieces.source[pieces.piece[e]];
  const q = pieces.source[pieces.piece[f]];
  const gaps = [0, 0.5, 1].map((t) => {
    const x = from.x + t * (to.x - from.x);
    const z = from.z + t * (to.z - from.z);
    return surfaceHeight(mesh, plan, p, x, z) - surfaceHeight(mesh, plan, q, x, z);
  });
  return isOver(climb, gaps);
}
