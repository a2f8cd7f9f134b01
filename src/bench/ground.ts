// Where queries are drawn from: a map's walkable ground as triangles, floors under points, walks between them. As
// recast-navigation sees it wherever it can load the map, so that no query is chosen by the code that is measured.
// Imported by level.ts.
import { getNavMeshPositionsAndIndices, type NavMesh, type NavMeshQuery } from 'recast-navigation';
import type { NavMap } from '../map.ts';
import { packPolygon } from '../pack/view.ts';

export type Vector = { x: number; y: number; z: number };
export type Tuple = [number, number, number];

/** Half extents of every nearest-polygon search of the peers. */
export const HALF_EXTENTS: Vector = { x: 0.5, y: 2, z: 0.5 };

/** Ground this near in plan is ground, metres. */
const BESIDE = 0.02;

/** Metres. */
export interface Ground {
  /** Flat x, y, z, and three indices per triangle. */
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  /** Height of the floor at x, z that is nearest to y, or y where there is none. */
  floorNear(x: number, y: number, z: number): number;
  /** Whether there is a floor within half a metre of the point's height. */
  holds(point: Tuple): boolean;
  /** Whether a walk leads from one point to the other. */
  joined(from: Tuple, to: Tuple): boolean;
  /** Corners of a walk that ends at the target, from its start on; null when there is none. */
  path(from: Tuple, to: Tuple): Tuple[] | null;
}

/** The ground as recast-navigation sees it. */
export function recastGround(navMesh: NavMesh, query: NavMeshQuery): Ground {
  const [positions, indices] = getNavMeshPositionsAndIndices(navMesh);
  return {
    positions,
    indices,
    floorNear(x, y, z) {
      const found = query.findNearestPoly({ x, y, z }, { halfExtents: { x: 0.05, y: 20, z: 0.05 } });
      // Success with reference 0 means nothing was found, and then the point is old memory.
      if (found.nearestRef === 0) return y;
      // On a tile's border no polygon is under the point, but its edge is at it.
      const { nearestPoint: near } = found;
      const beside = Math.max(Math.abs(near.x - x), Math.abs(near.z - z)) <= BESIDE;
      return found.isOverPoly || beside ? near.y : y;
    },
    holds([x, y, z]) {
      const found = query.findNearestPoly({ x, y, z }, { halfExtents: { x: 0.01, y: 0.5, z: 0.01 } });
      // The search box meets the polygon's bounds, not the polygon: only over it is there ground.
      return found.nearestRef !== 0 && found.isOverPoly;
    },
    joined(from, to) {
      const a = query.findNearestPoly(vector(from), { halfExtents: HALF_EXTENTS });
      const b = query.findNearestPoly(vector(to), { halfExtents: HALF_EXTENTS });
      if (a.nearestRef === 0 || b.nearestRef === 0) return false;
      // A path that does not end at the target is a success too.
      const found = query.findPath(a.nearestRef, b.nearestRef, vector(from), vector(to), { maxPathPolys: 2048 });
      const last = found.polys.size > 0 ? found.polys.get(found.polys.size - 1) : 0;
      found.polys.destroy();
      return found.success && last === b.nearestRef;
    },
    path(from, to) {
      const { success, path } = query.computePath(vector(from), vector(to), { halfExtents: HALF_EXTENTS });
      if (!success || path.length < 2) return null;
      const last = path[path.length - 1];
      if (Math.abs(last.x - to[0]) + Math.abs(last.y - to[1]) + Math.abs(last.z - to[2]) > 1) return null;
      return path.map((c): Tuple => [c.x, c.y, c.z]);
    },
  };
}

/** The ground of a map that recast-navigation cannot load, such as a packed one: navguard's own idea of it. */
export function ownGround(map: NavMap): Ground {
  const pack = map.toPack();
  const positions: number[] = [];
  const indices: number[] = [];
  for (let id = 0; id < map.info.polygons; id++) {
    const first = positions.length / 3;
    const { corners } = packPolygon(pack, id);
    for (const corner of corners) positions.push(...corner);
    for (let i = 2; i < corners.length; i++) indices.push(first, first + i - 1, first + i);
  }
  return {
    positions,
    indices,
    floorNear: (x, y, z) => map.locate([x, y, z], { below: 20, above: 20, tolerance: 0 })?.point[1] ?? y,
    holds: (point) => map.locate(point, { below: 0.5, above: 0.5, tolerance: 0 }) !== null,
    joined: (from, to) => map.corridor(from, to).status === 'complete',
    path(from, to) {
      const { status, corners } = map.corridor(from, to);
      return status === 'complete' && corners.length >= 2 ? corners : null;
    },
  };
}

export function vector([x, y, z]: Tuple): Vector {
  return { x, y, z };
}
