// What the navmesh has near a body, by recast-navigation's own import: whether a body is somewhere that the mesh knows of
// at all, and how far outside it is. Imported by bodies/. Nothing of navguard's judges here.
import { importNavMesh, init, type NavMesh, NavMeshQuery } from 'recast-navigation';
import type { Point } from '../actor.ts';

/** Detour gives at most so many polygons near a body. */
const POLYGONS = 256;

export class Footing {
  readonly #navMesh: NavMesh;
  readonly #query: NavMeshQuery;
  /** The mesh point that the last `outside` found. */
  readonly nearest: Point = { x: 0, y: 0, z: 0 };
  /** Its polygon; 0 = none was found. */
  polygon = 0;

  /** @param bytes an MSET export that navguard's own check has passed */
  static async open(bytes: Uint8Array): Promise<Footing> {
    await init();
    return new Footing(bytes);
  }

  private constructor(bytes: Uint8Array) {
    this.#navMesh = importNavMesh(bytes).navMesh;
    this.#query = new NavMeshQuery(this.#navMesh);
  }

  destroy(): void {
    this.#query.destroy();
    this.#navMesh.destroy();
  }

  /**
   * Plan metres from a point to the nearest mesh whose height there is from `low` under the point to `high` over it;
   * Infinity when there is none within `reach`.
   */
  outside(p: Point, reach: number, low: number, high: number): number {
    const query = this.#query;
    const centre = { x: p.x, y: p.y + (high - low) / 2, z: p.z };
    const half = { x: reach, y: (high + low) / 2, z: reach };
    const { polyRefs } = query.queryPolygons(centre, half, { maxPolys: POLYGONS });
    let best = Infinity;
    this.polygon = 0;
    for (const polygon of polyRefs) {
      const { closestPoint: c } = query.closestPointOnPoly(polygon, p);
      if (c.y < p.y - low || c.y > p.y + high) continue;
      const away = Math.sqrt((c.x - p.x) * (c.x - p.x) + (c.z - p.z) * (c.z - p.z));
      if (away > reach || away >= best) continue;
      best = away;
      this.polygon = polygon;
      this.nearest.x = c.x;
      this.nearest.y = c.y;
      this.nearest.z = c.z;
      if (best === 0) break;
    }
    return best;
  }

  /** Plan metres from a point to a polygon. */
  away(p: Point, polygon: number): number {
    const { closestPoint: c } = this.#query.closestPointOnPoly(polygon, p);
    return Math.sqrt((c.x - p.x) * (c.x - p.x) + (c.z - p.z) * (c.z - p.z));
  }
}
