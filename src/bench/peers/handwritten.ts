// The guard that a team writes by hand on recast-navigation: speed, nearest polygon, raycast, and a path when the ray is
// blocked. The peer of guard.move; its settings are part of the comparison and stay as they are.
import type { NavMeshQuery } from 'recast-navigation';
import { HALF_EXTENTS, type Vector } from '../ground.ts';

const NEAREST = { halfExtents: HALF_EXTENTS };
const TOLERANCE = 1.15;

interface Entity {
  pos: Vector;
  /** When the last accepted move came in, ms. */
  time: number;
  ref: number;
  speed: number;
}

/** Positions in metres, times in milliseconds, speed in m/s. */
export class HandWrittenGuard {
  readonly #query: NavMeshQuery;
  readonly #entities = new Map<string, Entity>();

  constructor(query: NavMeshQuery) {
    this.#query = query;
  }

  enter(id: string, pos: Vector, speed: number, time: number): void {
    const { nearestRef } = this.#query.findNearestPoly(pos, NEAREST);
    this.#entities.set(id, { pos, time, ref: nearestRef, speed });
  }

  /** Whether the move is accepted; a refused one changes nothing. */
  move(id: string, x: number, y: number, z: number, time: number): boolean {
    const entity = this.#entities.get(id);
    if (!entity) return false;
    const from = entity.pos;
    const to = { x, y, z };
    const allowed = (entity.speed * TOLERANCE * (time - entity.time)) / 1000;
    const dx = x - from.x;
    const dz = z - from.z;
    if (!(Math.sqrt(dx * dx + dz * dz) <= allowed)) return false;

    const nearest = this.#query.findNearestPoly(to, NEAREST);
    if (!nearest.success || nearest.nearestRef === 0) return false;

    const hit = this.#query.raycast(entity.ref, from, to);
    if (!hit.success) return false;
    if (hit.t < 1) {
      const { success, path } = this.#query.computePath(from, to, NEAREST);
      if (!success) return false;
      let length = 0;
      for (let i = 1; i < path.length; i++) {
        const a = path[i - 1];
        const b = path[i];
        length += Math.sqrt((b.x - a.x) ** 2 + (b.z - a.z) ** 2);
      }
      if (length > allowed) return false;
    }
    entity.pos = to;
    entity.time = time;
    entity.ref = nearest.nearestRef;
    return true;
  }
}
