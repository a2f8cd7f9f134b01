// Query sets: where points lie, which rays and walks are asked. All from a seed and recast-navigation's own idea of the
// ground, never from the code that is measured. Imported by the cases.
import type { NavMeshQuery } from 'recast-navigation';
import type { Level } from './levels.ts';
import { type Random, random } from './random.ts';

/** Positions of n queries, metres, in every shape that a library asks for. */
export interface Pairs {
  readonly n: number;
  /** Flat x, y, z. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** recast-navigation's and everyone's plain objects, made before any timing. */
  readonly fromVectors: readonly Vector[];
  readonly toVectors: readonly Vector[];
  readonly fromTuples: readonly Tuple[];
  readonly toTuples: readonly Tuple[];
}
export type Vector = { x: number; y: number; z: number };
export type Tuple = [number, number, number];

/** Half extents of every nearest-polygon search of the peers: speed.md's hand-written guard. */
export const HALF_EXTENTS: Vector = { x: 0.5, y: 2, z: 0.5 };

/** Draws points uniformly by plan area from a map's ground. */
export function groundPoints(level: Level, next: Random): () => Tuple {
  const { positions: p, indices } = level.ground;
  const triangles = indices.length / 3;
  const upTo = new Float64Array(triangles);
  let total = 0;
  for (let t = 0; t < triangles; t++) {
    const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
    total += Math.abs((p[b] - p[a]) * (p[c + 2] - p[a + 2]) - (p[c] - p[a]) * (p[b + 2] - p[a + 2])) / 2;
    upTo[t] = total;
  }
  return () => {
    const t = firstAbove(upTo, next() * total);
    const [a, b, c] = [3 * indices[3 * t], 3 * indices[3 * t + 1], 3 * indices[3 * t + 2]];
    // Uniform in a triangle: fold the unit square along its diagonal.
    let u = next();
    let v = next();
    if (u + v > 1) {
      u = 1 - u;
      v = 1 - v;
    }
    const at = (k: number): number => p[a + k] + u * (p[b + k] - p[a + k]) + v * (p[c + k] - p[a + k]);
    return [at(0), at(1), at(2)];
  };
}

/** Segments of a length uniform in [shortest, longest] in any direction; a target takes the floor nearest in height. */
export function rays(level: Level, n: number, shortest: number, longest: number, seed: number): Pairs {
  const next = random(seed);
  const point = groundPoints(level, next);
  const pairs = empty(n);
  for (let i = 0; i < n; i++) {
    const from = point();
    const to = pointAt(level.query, from, shortest + next() * (longest - shortest), next);
    pairs.from.set(from, 3 * i);
    pairs.to.set(to, 3 * i);
  }
  return withObjects(pairs);
}

/** Points as a client would send them: on the ground in plan, up to 0.2 m over or 0.1 m under it in height. */
export function points(level: Level, n: number, seed: number): Pairs {
  const next = random(seed);
  const point = groundPoints(level, next);
  const pairs = empty(n);
  for (let i = 0; i < n; i++) {
    const [x, y, z] = point();
    pairs.from.set([x, y - 0.1 + next() * 0.3, z], 3 * i);
  }
  return withObjects(pairs);
}

/**
 * Pairs joined by a walk, as recast-navigation finds it (an unreachable target would cost it a search of the whole
 * component and navguard one comparison). `near`: at most 10 m apart; else anywhere on the map, more than 10 m apart.
 */
export function walks(level: Level, n: number, near: boolean, seed: number): Pairs {
  const next = random(seed);
  const point = groundPoints(level, next);
  const pairs = empty(n);
  let tries = 0;
  for (let i = 0; i < n; ) {
    if (++tries > 50 * n) throw new Error(`${level.name}: expected ${n} walks, found ${i} in ${tries} tries`);
    const from = point();
    const to = near ? pointAt(level.query, from, next() * 10, next) : point();
    if (!near && planDistance(from, to) <= 10) continue;
    if (near && !onGround(level.query, to)) continue;
    if (!joined(level.query, from, to)) continue;
    pairs.from.set(from, 3 * i);
    pairs.to.set(to, 3 * i);
    i++;
  }
  return withObjects(pairs);
}

/** Whether recast-navigation's path ends at the target: a path that does not is a success too. */
function joined(query: NavMeshQuery, from: Tuple, to: Tuple): boolean {
  const a = query.findNearestPoly(vector(from), { halfExtents: HALF_EXTENTS });
  const b = query.findNearestPoly(vector(to), { halfExtents: HALF_EXTENTS });
  if (a.nearestRef === 0 || b.nearestRef === 0) return false;
  const found = query.findPath(a.nearestRef, b.nearestRef, vector(from), vector(to), { maxPathPolys: 2048 });
  const last = found.polys.size > 0 ? found.polys.get(found.polys.size - 1) : 0;
  found.polys.destroy();
  return found.success && last === b.nearestRef;
}

function onGround(query: NavMeshQuery, [x, y, z]: Tuple): boolean {
  const found = query.findNearestPoly({ x, y, z }, { halfExtents: { x: 0.01, y: 0.5, z: 0.01 } });
  // The search box meets the polygon's bounds, not the polygon: only over it is there ground.
  return found.nearestRef !== 0 && found.isOverPoly;
}

function pointAt(query: NavMeshQuery, from: Tuple, distance: number, next: Random): Tuple {
  const angle = next() * 2 * Math.PI;
  const x = from[0] + distance * Math.cos(angle);
  const z = from[2] + distance * Math.sin(angle);
  return [x, floorNear(query, x, from[1], z), z];
}

/** Height of the floor at x, z that is nearest to y, or y where there is none. Metres. */
export function floorNear(query: NavMeshQuery, x: number, y: number, z: number): number {
  const found = query.findNearestPoly({ x, y, z }, { halfExtents: { x: 0.05, y: 20, z: 0.05 } });
  // Success with reference 0 means nothing was found, and then the point is old memory.
  return found.nearestRef !== 0 && found.isOverPoly ? found.nearestPoint.y : y;
}

function planDistance(a: Tuple, b: Tuple): number {
  return Math.sqrt((b[0] - a[0]) ** 2 + (b[2] - a[2]) ** 2);
}

function vector([x, y, z]: Tuple): Vector {
  return { x, y, z };
}

function firstAbove(upTo: Float64Array, value: number): number {
  let low = 0;
  let high = upTo.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (upTo[middle] > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function empty(n: number): { n: number; from: Float64Array; to: Float64Array } {
  return { n, from: new Float64Array(3 * n), to: new Float64Array(3 * n) };
}

function withObjects(pairs: { n: number; from: Float64Array; to: Float64Array }): Pairs {
  const tuples = (flat: Float64Array): Tuple[] =>
    Array.from({ length: pairs.n }, (_, i): Tuple => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]);
  const fromTuples = tuples(pairs.from);
  const toTuples = tuples(pairs.to);
  return { ...pairs, fromTuples, toTuples, fromVectors: fromTuples.map(vector), toVectors: toTuples.map(vector) };
}
