// navcat as its documentation calls it, on the mesh that its own generator makes. Imported by levels.ts.
import {
  createFindNearestPolyResult,
  DEFAULT_QUERY_FILTER,
  findNearestPoly,
  findPath,
  type NavMesh,
  raycast,
} from 'navcat';
import { HALF_EXTENTS, type Tuple } from '../../src/bench/ground.ts';
import type { Others } from '../../src/bench/level.ts';
import type { Pairs } from '../../src/bench/pairs.ts';
import { SEGMENT, type Subject } from '../../src/bench/rounds.ts';

const EXTENTS: Tuple = [HALF_EXTENTS.x, HALF_EXTENTS.y, HALF_EXTENTS.z];

/** navcat as a peer on one map; `cell` (metres): a path that ends farther than this from its target is none. */
export function navcatPeers(mesh: NavMesh, cell: number): Others {
  return {
    ray: (pairs) => [raySubject(mesh, pairs)],
    locate: (pairs) => [locateSubject(mesh, pairs)],
    corridor: (pairs) => [corridorSubject(mesh, pairs, cell)],
  };
}

/** `raycast` from known polygons (found untimed); answers 1 = clear. */
function raySubject(mesh: NavMesh, pairs: Pairs): Subject {
  const refs = pairs.fromTuples.map((from) => nearest(mesh, from));
  const clear = new Uint8Array(pairs.n);
  return {
    name: 'navcat',
    run(segment) {
      let sum = 0;
      for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
        const hit = raycast(mesh, refs[i], pairs.fromTuples[i], pairs.toTuples[i], DEFAULT_QUERY_FILTER);
        clear[i] = hit.t >= 1 ? 1 : 0;
        sum += clear[i];
      }
      return sum;
    },
    answers: () => clear,
  };
}

/** `findNearestPoly`; answers x, y, z per query, NaN when nothing is near. */
function locateSubject(mesh: NavMesh, pairs: Pairs): Subject {
  const point = new Float64Array(3 * pairs.n);
  const found = createFindNearestPolyResult();
  return {
    name: 'navcat',
    run(segment) {
      let sum = 0;
      for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
        findNearestPoly(found, mesh, pairs.fromTuples[i], EXTENTS, DEFAULT_QUERY_FILTER);
        for (let k = 0; k < 3; k++) point[3 * i + k] = found.success ? found.position[k] : Number.NaN;
        sum += found.nodeRef;
      }
      return sum;
    },
    answers: () => point,
  };
}

/** `findPath` and the sum of its corners in plan; answers metres, NaN when the path ends elsewhere. */
function corridorSubject(mesh: NavMesh, pairs: Pairs, cell: number): Subject {
  const length = new Float64Array(pairs.n);
  return {
    name: 'navcat',
    run(segment) {
      let sum = 0;
      for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
        length[i] = pathLength(mesh, pairs.fromTuples[i], pairs.toTuples[i], cell);
        sum += length[i];
      }
      return sum;
    },
    answers: () => length,
  };
}

function pathLength(mesh: NavMesh, from: Tuple, to: Tuple, within: number): number {
  const { success, path } = findPath(mesh, from, to, EXTENTS, DEFAULT_QUERY_FILTER);
  if (!success || path.length === 0) return Number.NaN;
  let length = 0;
  for (let k = 1; k < path.length; k++) {
    const dx = path[k].position[0] - path[k - 1].position[0];
    const dz = path[k].position[2] - path[k - 1].position[2];
    length += Math.sqrt(dx * dx + dz * dz);
  }
  const last = path[path.length - 1].position;
  return Math.abs(last[0] - to[0]) <= within && Math.abs(last[2] - to[2]) <= within ? length : Number.NaN;
}

function nearest(mesh: NavMesh, from: Tuple): number {
  return findNearestPoly(createFindNearestPolyResult(), mesh, from, EXTENTS, DEFAULT_QUERY_FILTER).nodeRef;
}
