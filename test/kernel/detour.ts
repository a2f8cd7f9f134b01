// Corridor lengths beside recast-navigation's computePath, and their legs beside the ray, on any export.
import { importNavMesh, init, NavMeshQuery } from 'recast-navigation';
import { H_TABLE, MAP_BASE, P_Y, POLY_STRIDE, S_WALK } from '../../assembly/layout.ts';
import { NavMap } from '../../src/map.ts';
import { random } from '../oracle/random.ts';
import type { Surface } from '../oracle/sleeve.ts';
import { askRays, CLEAR, type Place, UNIT } from './ask.ts';
import { askCorridor, surfaceOf } from './walks.ts';

/** A point inside a random polygon, on its floor: a weighted mean of its corners. */
function inside(map: NavMap, surface: Surface, next: () => number): Place {
  const p = Math.floor(next() * surface.rings.length);
  const ring = surface.rings[p]!;
  const table = map.kernel.u32(MAP_BASE + H_TABLE, 1)[0]!;
  const heights = map.kernel.f32(MAP_BASE + table + p * POLY_STRIDE + P_Y, ring.length / 2);
  let [x, y, z, sum] = [0, 0, 0, 0];
  for (let i = 0; i < ring.length; i += 2) {
    const weight = 0.05 + next();
    x += ring[i]! * weight;
    y += heights[i / 2]! * weight;
    z += ring[i + 1]! * weight;
    sum += weight;
  }
  const at = map.locate([(x / sum) * UNIT, y / sum, (z / sum) * UNIT], { below: 2.5, above: 2.5, tolerance: 0 });
  if (!at) throw new Error(`polygon ${p} does not hold its own middle`);
  return at.point;
}

const length = (path: readonly { x: number; z: number }[]): number =>
  path.slice(1).reduce((l, c, i) => l + Math.hypot(c.x - path[i]!.x, c.z - path[i]!.z), 0);

export interface Beside {
  /** Lengths within 3 % of each other; ours longer; ours shorter; no walk. */
  within: number;
  longer: number;
  shorter: number;
  none: number;
  /** The pairs of differing lengths, and of differing answers whether there is a walk. */
  far: string[];
  split: string[];
  legs: number;
  blocked: string[];
}

/** Asks both for `queries` random pairs of points of the map. */
export async function besideDetour(bytes: Uint8Array, queries: number, seed: number): Promise<Beside> {
  await init();
  const map = await NavMap.load(bytes);
  const { navMesh } = importNavMesh(bytes);
  const query = new NavMeshQuery(navMesh, { maxNodes: 4096 });
  const surface = surfaceOf(map.kernel);
  const next = random(seed);
  const band = { below: 0.5, above: 0.5, tolerance: 0.1 };
  const shares = { within: 0, longer: 0, shorter: 0, none: 0 };
  const legs: [Place, Place][] = [];
  const far: string[] = [];
  const split: string[] = [];
  for (let i = 0; i < queries; i++) {
    const [from, to] = [inside(map, surface, next), inside(map, surface, next)];
    const got = askCorridor(map.kernel, from, to, { band });
    const theirs = query.computePath({ x: from[0], y: from[1], z: from[2] }, { x: to[0], y: to[1], z: to[2] });
    const end = theirs.path.at(-1);
    const arrived =
      theirs.success && end && Math.hypot(end.x - to[0], end.z - to[2]) < 0.05 && Math.abs(end.y - to[1]) < 1;
    if (got.status !== S_WALK || !arrived) {
      if ((got.status === S_WALK) !== Boolean(arrived))
        split.push(`${from} -> ${to}: ${got.status}, Detour ${arrived}`);
      shares.none++;
      continue;
    }
    const ratio = got.length / Math.max(length(theirs.path), 1e-9);
    if (ratio > 1.03) shares.longer++;
    else if (ratio < 0.97) shares.shorter++;
    else shares.within++;
    if (Math.abs(ratio - 1) > 0.03) far.push(`${from} -> ${to}: ${got.length} against ${length(theirs.path)}`);
    got.corners.slice(1).forEach((c, k) => {
      legs.push([got.corners[k]!, c]);
    });
  }
  query.destroy();
  navMesh.destroy();
  const rays = askRays(
    map.kernel,
    legs.map(([a]) => a),
    legs.map(([, b]) => b),
    { below: 2, above: 2, tolerance: 0 },
  );
  return {
    ...shares,
    far,
    split,
    legs: legs.length,
    blocked: legs.filter((_, i) => rays.status[i] !== CLEAR).map(([a, b]) => `${a} -> ${b}`),
  };
}
