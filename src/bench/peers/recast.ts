// recast-navigation as its documentation calls it: one NavMeshQuery, plain objects in and out. Each function gives one
// subject, or none where recast-navigation cannot load the map. Imported by the cases.
import type { NavMeshQuery } from 'recast-navigation';
import { HALF_EXTENTS, type Vector } from '../ground.ts';
import type { Level } from '../level.ts';
import type { Pairs } from '../pairs.ts';
import { SEGMENT, type Subject } from '../rounds.ts';

const NEAREST = { halfExtents: HALF_EXTENTS };

/** `raycast` from known polygons (found untimed); answers 1 = clear. */
export function recastRay(level: Level, pairs: Pairs): Subject[] {
  const { query } = level;
  if (!query) return [];
  const refs = pairs.fromVectors.map((from) => query.findNearestPoly(from, NEAREST).nearestRef);
  const clear = new Uint8Array(pairs.n);
  return [
    {
      name: 'recast-navigation',
      run(segment) {
        let sum = 0;
        for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
          const hit = query.raycast(refs[i], pairs.fromVectors[i], pairs.toVectors[i]);
          clear[i] = hit.success && hit.t >= 1 ? 1 : 0;
          sum += clear[i];
        }
        return sum;
      },
      answers: () => clear,
    },
  ];
}

/** `findNearestPoly`; answers x, y, z per query, NaN when nothing is near. */
export function recastLocate(level: Level, pairs: Pairs): Subject[] {
  const { query } = level;
  if (!query) return [];
  const point = new Float64Array(3 * pairs.n);
  return [
    {
      name: 'recast-navigation',
      run(segment) {
        let sum = 0;
        for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
          const found = query.findNearestPoly(pairs.fromVectors[i], NEAREST);
          const there = found.success && found.nearestRef !== 0;
          point[3 * i] = there ? found.nearestPoint.x : Number.NaN;
          point[3 * i + 1] = there ? found.nearestPoint.y : Number.NaN;
          point[3 * i + 2] = there ? found.nearestPoint.z : Number.NaN;
          sum += found.nearestRef;
        }
        return sum;
      },
      answers: () => point,
    },
  ];
}

/** `computePath` and the sum of its corners in plan; answers metres, NaN when the path ends elsewhere. */
export function recastCorridor(level: Level, pairs: Pairs): Subject[] {
  const { query, cell } = level;
  if (!query) return [];
  const length = new Float64Array(pairs.n);
  return [
    {
      name: 'recast-navigation',
      run(segment) {
        let sum = 0;
        for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
          length[i] = pathLength(query, pairs.fromVectors[i], pairs.toVectors[i], cell);
          sum += length[i];
        }
        return sum;
      },
      answers: () => length,
    },
  ];
}

/**
 * Whether the target is on the mesh and a walk of at most the budget leads there: `findNearestPoly`, `raycast` from the
 * known polygon, `computePath` when it is blocked; answers 1 = yes.
 */
export function recastReach(level: Level, pairs: Pairs, budgets: Float64Array): Subject[] {
  const { query, cell } = level;
  if (!query) return [];
  const refs = pairs.fromVectors.map((from) => query.findNearestPoly(from, NEAREST).nearestRef);
  const reached = new Uint8Array(pairs.n);
  return [
    {
      name: 'recast-navigation',
      run(segment) {
        let sum = 0;
        for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
          const [from, to] = [pairs.fromVectors[i], pairs.toVectors[i]];
          const target = query.findNearestPoly(to, NEAREST);
          let within = false;
          if (target.success && target.nearestRef !== 0) {
            const hit = query.raycast(refs[i], from, to);
            within = (hit.success && hit.t >= 1) || pathLength(query, from, to, cell) <= budgets[i];
          }
          reached[i] = within ? 1 : 0;
          sum += reached[i];
        }
        return sum;
      },
      answers: () => reached,
    },
  ];
}

/** Plan length of `computePath` in metres; NaN when it fails or stops more than `within` short of the target in plan. */
export function pathLength(query: NavMeshQuery, from: Vector, to: Vector, within: number): number {
  const { success, path } = query.computePath(from, to, NEAREST);
  if (!success || path.length === 0) return Number.NaN;
  let length = 0;
  for (let k = 1; k < path.length; k++) {
    const dx = path[k].x - path[k - 1].x;
    const dz = path[k].z - path[k - 1].z;
    length += Math.sqrt(dx * dx + dz * dz);
  }
  const last = path[path.length - 1];
  return Math.abs(last.x - to.x) <= within && Math.abs(last.z - to.z) <= within ? length : Number.NaN;
}
