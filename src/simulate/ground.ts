// The ground that simulated players walk on: recast-navigation's own import of the same bytes, so that what judges a
// move shares no code with what made it. Imported by simulate/.
import {
  Crowd,
  type CrowdAgent,
  getNavMeshPositionsAndIndices,
  importNavMesh,
  init,
  type NavMesh,
  NavMeshQuery,
} from 'recast-navigation';
import { NavguardError } from '../errors.ts';
import type { Point, Terrain } from './actor.ts';
import type { Random } from './random.ts';

export type { Point } from './actor.ts';

const NODES = 16_384;
const NARROW = { x: 0.3, y: 0.6, z: 0.3 };
const TALL = { x: 0.05, y: 1.5, z: 0.05 };
/** Metres: deeper falls than 2 x this are none of a hop's business. */
const DEPTH = 50;
/** Detour: DT_PARTIAL_RESULT, DT_OUT_OF_NODES, DT_BUFFER_TOO_SMALL. */
const PARTIAL = 0x40;
const OUT_OF_NODES = 0x20;
const BUFFER_TOO_SMALL = 0x10;

export class Ground implements Terrain {
  readonly crowd: Crowd;
  readonly #navMesh: NavMesh;
  readonly #query: NavMeshQuery;
  readonly #triangles: Float64Array;
  /** Plan area of the triangles up to and including each. */
  readonly #areaUpTo: Float64Array;

  /**
   * @param bytes an MSET export that navguard's own check has passed: recast-navigation itself checks nothing
   * @param agents room in the crowd
   */
  static async open(bytes: Uint8Array, agents: number): Promise<Ground> {
    await init();
    return new Ground(bytes, agents);
  }

  private constructor(bytes: Uint8Array, agents: number) {
    const { navMesh } = importNavMesh(bytes);
    this.#navMesh = navMesh;
    closeLinks(navMesh);
    const [positions, indices] = getNavMeshPositionsAndIndices(navMesh);
    this.#triangles = new Float64Array(indices.length * 3);
    this.#areaUpTo = new Float64Array(indices.length / 3);
    let total = 0;
    for (let i = 0; i < indices.length; i++) {
      for (let k = 0; k < 3; k++) this.#triangles[i * 3 + k] = positions[indices[i] * 3 + k];
      if (i % 3 !== 2) continue;
      const t = this.#triangles.subarray((i - 2) * 3, (i + 1) * 3);
      total += Math.abs((t[3] - t[0]) * (t[8] - t[2]) - (t[6] - t[0]) * (t[5] - t[2])) / 2;
      this.#areaUpTo[(i - 2) / 3] = total;
    }
    if (!(total > 0)) {
      navMesh.destroy();
      throw new NavguardError('BAD_ARGUMENT', 'Nothing to walk on: the map has 0 square metres of ground.');
    }
    this.#query = new NavMeshQuery(navMesh, { maxNodes: NODES });
    this.crowd = new Crowd(navMesh, { maxAgents: agents, maxAgentRadius: 1 });
  }

  destroy(): void {
    this.crowd.destroy();
    this.#query.destroy();
    this.#navMesh.destroy();
  }

  /** Anywhere on the ground, every square metre alike. */
  randomPoint(random: Random): Point {
    const areas = this.#areaUpTo;
    const wanted = random.next() * areas[areas.length - 1];
    let low = 0;
    let high = areas.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (areas[middle] > wanted) high = middle;
      else low = middle + 1;
    }
    const t = this.#triangles.subarray(low * 9, low * 9 + 9);
    let u = random.next();
    let v = random.next();
    if (u + v > 1) {
      u = 1 - u;
      v = 1 - v;
    }
    return {
      x: t[0] + u * (t[3] - t[0]) + v * (t[6] - t[0]),
      y: t[1] + u * (t[4] - t[1]) + v * (t[7] - t[1]),
      z: t[2] + u * (t[5] - t[2]) + v * (t[8] - t[2]),
    };
  }

  /** The polygon under a point (within 0.3 m in plan, 0.6 m in height), 0 when there is none. */
  polygonAt(p: Point): number {
    const found = this.#query.findNearestPoly(p, { halfExtents: NARROW });
    return found.success ? found.nearestRef : 0;
  }

  /** The ground under a position and near its height; null when it is not over the mesh (on its very edge: either). */
  onGround(p: Point): Point | null {
    const found = this.#query.findNearestPoly(p, { halfExtents: NARROW });
    return found.success && found.nearestRef !== 0 && found.isOverPoly ? found.nearestPoint : null;
  }

  /** The nearest ground within 0.3 m in plan and 0.6 m in height, or null. */
  nearest(p: Point): Point | null {
    const found = this.#query.findNearestPoly(p, { halfExtents: NARROW });
    return found.success && found.nearestRef !== 0 ? found.nearestPoint : null;
  }

  /**
   * The height of the floor nearest to a walker. The crowd forgets to update it while a walker follows the edge between
   * two polygons, and on a steep edge that soon is half a metre.
   */
  floorAt(p: Point): number {
    const found = this.#query.findNearestPoly(p, { halfExtents: TALL });
    return found.success && found.nearestRef !== 0 ? found.nearestPoint.y : p.y;
  }

  /** Whether there is ground within `radius` (plan metres) of the segment that lies more than `drop` below its start. */
  lowerGroundNear(from: Point, to: Point, radius: number, drop: number): boolean {
    const centre = { x: (from.x + to.x) / 2, y: from.y - drop - DEPTH, z: (from.z + to.z) / 2 };
    const half = { x: Math.abs(to.x - from.x) / 2 + radius, y: DEPTH, z: Math.abs(to.z - from.z) / 2 + radius };
    const { polyRefs } = this.#query.queryPolygons(centre, half, { maxPolys: 256 });
    if (polyRefs.length >= 256) return true;
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.z - from.z) / 0.25));
    for (const polygon of polyRefs) {
      for (let i = 0; i <= steps; i++) {
        const x = from.x + ((to.x - from.x) * i) / steps;
        const z = from.z + ((to.z - from.z) * i) / steps;
        const { closestPoint: p } = this.#query.closestPointOnPoly(polygon, { x, y: from.y, z });
        if (p.y < from.y - drop && Math.hypot(p.x - x, p.z - z) < radius) return true;
      }
    }
    return false;
  }

  /** Whether the straight line is free, as Detour sees it. */
  sight(from: Point, to: Point): boolean {
    const polygon = this.polygonAt(from);
    if (polygon === 0) return false;
    return this.#query.raycast(polygon, from, to).t > 1;
  }

  /**
   * Metres (plan) of Detour's walk: Infinity when there is none, NaN when the search did not finish or an end is off the
   * mesh. Never shorter than the true shortest walk, sometimes longer.
   */
  walk(from: Point, to: Point): number {
    return this.#straightPath(from, to, null);
  }

  /** The corners of Detour's walk, ends included; null when there is none or the search did not finish. */
  path(from: Point, to: Point): Point[] | null {
    const corners: Point[] = [];
    const length = this.#straightPath(from, to, corners);
    return Number.isFinite(length) && corners.length > 1 ? corners : null;
  }

  /**
   * One step of a body that slides along walls: Detour's moveAlongSurface; null when it lost the ground. A body knows the
   * polygon it is on (0 = to be found) and goes on from it: looked up anew at a corner that only touches other polygons it
   * would slip through.
   */
  slide(from: Point, to: Point, on: number): { at: Point; on: number } | null {
    const polygon = on === 0 ? this.polygonAt(from) : on;
    if (polygon === 0) return null;
    const moved = this.#query.moveAlongSurface(polygon, from, to, { maxVisitedSize: 64 });
    if (!moved.success) return null;
    const { x, y, z } = moved.resultPosition;
    return { at: { x, y: this.floorAt({ x, y, z }), z }, on: moved.visited.at(-1) ?? polygon };
  }

  #straightPath(from: Point, to: Point, corners: Point[] | null): number {
    const start = this.polygonAt(from);
    const end = this.polygonAt(to);
    if (start === 0 || end === 0) return Number.NaN;
    const found = this.#query.findPath(start, end, from, to, { maxPathPolys: 2048 });
    const polygons = found.polys;
    try {
      if (!found.success || polygons.size === 0) return Number.NaN;
      if ((found.status & (OUT_OF_NODES | BUFFER_TOO_SMALL)) !== 0) return Number.NaN;
      if ((found.status & PARTIAL) !== 0 || polygons.get(polygons.size - 1) !== end) return Number.POSITIVE_INFINITY;
      const straight = this.#query.findStraightPath(from, to, polygons, { maxStraightPathPoints: 512 });
      let length = 0;
      for (let i = 0; corners !== null && i < straight.straightPathCount; i++) {
        const at = (k: number): number => straight.straightPath.get(i * 3 + k);
        corners.push({ x: at(0), y: at(1), z: at(2) });
      }
      for (let i = 1; i < straight.straightPathCount; i++) {
        length += Math.hypot(
          straight.straightPath.get(i * 3) - straight.straightPath.get(i * 3 - 3),
          straight.straightPath.get(i * 3 + 2) - straight.straightPath.get(i * 3 - 1),
        );
      }
      straight.straightPath.destroy();
      straight.straightPathFlags.destroy();
      straight.straightPathRefs.destroy();
      return straight.success && straight.straightPathCount < 512 ? length : Number.NaN;
    } finally {
      polygons.destroy();
    }
  }

  /** A walker that never pushes or is pushed: collisions would move it faster than it can walk. */
  addWalker(at: Point, speed: number): CrowdAgent {
    return this.crowd.addAgent(at, {
      radius: 0.3,
      height: 1.8,
      maxSpeed: speed,
      maxAcceleration: speed * 5,
      collisionQueryRange: 0.001,
      pathOptimizationRange: 12,
      // DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OPTIMIZE_VIS | DT_CROWD_OPTIMIZE_TOPO
      updateFlags: 1 | 8 | 16,
    });
  }
}

/** Jumps over off-mesh connections leave the mesh on the way: walkers stay off them. */
function closeLinks(navMesh: NavMesh): void {
  for (let i = 0; i < navMesh.getMaxTiles(); i++) {
    const tile = navMesh.getTile(i);
    const header = tile.header();
    if (!header) continue;
    const base = navMesh.getPolyRefBase(tile);
    for (let k = 0; k < header.offMeshConCount(); k++) navMesh.setPolyFlags(base + header.offMeshBase() + k, 0);
  }
}
