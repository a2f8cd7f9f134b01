// Query sets: where points lie, which rays and walks are asked. All from a seed and a level's ground. Imported by the
// cases.
import { type Tuple, vector } from './ground.ts';
import type { Level } from './level.ts';
import type { Pairs } from './pairs.ts';
import { type Random, random } from './random.ts';

/** A case cannot be asked on a map: it is too small, or nothing joins its parts. */
export class UnsuitedMap extends Error {}

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
    const to = pointAt(level, from, shortest + next() * (longest - shortest), next);
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
 * Pairs joined by a walk, as the level's ground finds it (an unreachable target would cost it a search of the whole
 * component and navguard one comparison). `near`: at most 10 m apart; else anywhere on the map, more than 10 m apart.
 */
export function walks(level: Level, n: number, near: boolean, seed: number): Pairs {
  const next = random(seed);
  const point = groundPoints(level, next);
  const pairs = empty(n);
  let tries = 0;
  for (let i = 0; i < n; ) {
    if (++tries > 50 * (i + 40)) {
      throw new UnsuitedMap(
        `${level.name}: expected walks ${near ? 'of at most' : 'over'} 10 m, found ${i} in ${tries}`,
      );
    }
    const from = point();
    const to = near ? pointAt(level, from, next() * 10, next) : point();
    if (!near && planDistance(from, to) <= 10) continue;
    if (near && !level.ground.holds(to)) continue;
    if (!level.ground.joined(from, to)) continue;
    pairs.from.set(from, 3 * i);
    pairs.to.set(to, 3 * i);
    i++;
  }
  return withObjects(pairs);
}

function pointAt(level: Level, from: Tuple, distance: number, next: Random): Tuple {
  const angle = next() * 2 * Math.PI;
  const x = from[0] + distance * Math.cos(angle);
  const z = from[2] + distance * Math.sin(angle);
  return [x, level.ground.floorNear(x, from[1], z), z];
}

function planDistance(a: Tuple, b: Tuple): number {
  return Math.sqrt((b[0] - a[0]) ** 2 + (b[2] - a[2]) ** 2);
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
