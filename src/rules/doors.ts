// Judging by doors: a claim is asked of the map as its entity can have known it, see changes.ts. And whether two places would
// be joined if every door were open. Imported by rules/.
import { FLOOR_ONLY, H_POLYGONS, H_TABLE, MAP_BASE, NONE, P_COMPONENT, POLY_STRIDE } from '../../assembly/layout.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Closure } from '../live/closure.ts';
import { Q_FLOOR, Q_FROM_X, Q_FROM_Z, Q_T } from './hand.ts';
import { ANCHOR_X, ANCHOR_Z, ATTACHED, FLAGS, FLOOR, OFF, WALKING, X, Z } from './ledger.ts';
import { Mud } from './mud.ts';
import { CORNER_ERROR, onPath } from './places.ts';
import { locate } from './probe.ts';
import type { Scene } from './scene.ts';

/** Judges a claim with everything open that is open for its entity. */
export function openedFor<T>(scene: Scene, f: Float64Array, o: number, judge: () => T): T {
  const { changes, kernel, q } = scene;
  const { living, open } = changes;
  findOpen(scene, f, o, q[Q_T]);
  if (open.length === 0) return judge();
  living.open(kernel, open);
  try {
    return judge();
  } finally {
    living.shut(kernel, open);
    open.length = 0;
  }
}

/** Judges with each area as fast as the entity can have heard at q[Q_T] that it is. */
export function onGroundAsHeard<T>(scene: Scene, f: Float64Array, o: number, judge: () => T): T {
  const { kernel, changes, mud } = scene;
  const { speeds } = changes.living;
  const heard = changes.speedsHeard(f, o, scene.q[Q_T]);
  const set = (to: Readonly<Float64Array>): void => {
    for (let n = 0; n < speeds.length; n++) if (heard[n] !== speeds[n]) kernel.areaSpeed(n, to[n]);
  };
  set(heard);
  scene.mud = heard.some((speed) => speed < 1) ? new Mud(kernel, heard) : null;
  try {
    return judge();
  } finally {
    scene.mud = mud;
    set(speeds);
  }
}

/** Collects in `changes.open` what is open for an entity at t though it is closed. */
function findOpen(scene: Scene, f: Float64Array, o: number, t: number): void {
  const { changes, q } = scene;
  changes.openLately(f, o, t);
  // (on a carrier no door closes on it)
  if ((f[o + FLAGS] & ATTACHED) !== 0) return;
  if ((f[o + FLAGS] & WALKING) !== 0) {
    onPath(scene, f, o, t);
    findClosedAt(scene, q[Q_FROM_X], q[Q_FLOOR], q[Q_FROM_Z], changes.open);
  } else if (f[o + OFF] > 0) findClosedAt(scene, f[o + ANCHOR_X], f[o + FLOOR], f[o + ANCHOR_Z], changes.open);
  else findClosedAt(scene, f[o + X], f[o + FLOOR], f[o + Z], changes.open);
}

/**
 * Adds to `into` what closed the ground of a place (x, z, height of its floor); nothing where the place is on open ground or
 * its rim, or on none at all.
 */
export function findClosedAt(scene: Scene, x: number, floor: number, z: number, into: Closure[]): void {
  const { changes, kernel } = scene;
  if (locate(kernel, x, floor, z, CORNER_ERROR, CORNER_ERROR, 0) !== NONE) return;
  const polygon = changes.asIfOpen(kernel, () => locate(kernel, x, floor, z, CORNER_ERROR, CORNER_ERROR, 0));
  if (polygon === NONE) return;
  at.length = 0;
  changes.living.closuresAt(kernel, idOf(polygon), at);
  for (const closure of at) if (!into.includes(closure)) into.push(closure);
}

const at: Closure[] = [];

/** A polygon's number without what a hint says besides. */
export function idOf(polygon: number): number {
  return polygon >= FLOOR_ONLY && polygon !== NONE ? polygon - FLOOR_ONLY : polygon;
}

/** Whether two polygons belong to one part of the map when all its doors are open. */
export function isJoined(kernel: Kernel, a: number, b: number): boolean {
  const count = kernel.u32(MAP_BASE + H_POLYGONS, 1)[0];
  if (!(idOf(a) < count && idOf(b) < count)) return false;
  return componentOf(kernel, idOf(a)) === componentOf(kernel, idOf(b));
}

function componentOf(kernel: Kernel, polygon: number): number {
  const polygons = MAP_BASE + kernel.u32(MAP_BASE + H_TABLE, 1)[0];
  return kernel.u32(polygons + polygon * POLY_STRIDE + P_COMPONENT, 1)[0];
}
