// Where a correction leads when the entity's own place is closed ground: onto walkable ground on the side that it came from.
// Imported by refuse.ts and judgebegin.ts.
//
// An entity inside what closed on it is left alone until a claim of it is refused. Then it is put to the nearest walkable
// point, all doors shut, that can be walked to from R; where there is none near, to the last walkable point of the straight
// way from R to its place. R is where it came from: the latest of its kept positions (one each tenth of a second, of the
// second at hand) that is on walkable ground with a straight way from there, had nothing closed; without one the same
// straight back along its last step. When nothing tells, the nearest walkable point is all.
import { NONE, S_CLEAR, S_WALK } from '../../assembly/layout.ts';
import type { Closure } from '../live/closure.ts';
import { findClosedAt } from './doors.ts';
import {
  ANCHOR_X,
  ANCHOR_Z,
  ATTACHED,
  FLAGS,
  FLOOR,
  FLYING,
  MARK_X,
  MARK_Z,
  OFF,
  ON_LINK,
  OVER_GAP,
  OVER_LEDGE,
  PLACED_OFF,
  POLYGON,
  RING,
  RING_COUNT,
  RING_STRIDE,
  WALKING,
  X,
  Y,
  Z,
} from './ledger.ts';
import { touchGround } from './places.ts';
import { ask, locate, NOWHERE } from './probe.ts';
import { planDistance, type Scene } from './scene.ts';
import { MOVE_NODES } from './search.ts';
import { beginTrail } from './trail.ts';

/** So far back along its last step an entity is taken to have come from, metres, nearest first. */
const BACK = [1, 2, 4, 8] as const;

const spot = { x: 0, y: 0, z: 0, polygon: NONE as number };
const came = { x: 0, y: 0, z: 0, polygon: NONE as number };

/** Puts an entity that stands on closed ground off it; does nothing to others. */
export function leaveClosed(scene: Scene, f: Float64Array, o: number, t: number): void {
  const { changes, kernel, rules } = scene;
  const { living, open } = changes;
  if (changes.closed === 0 || f[o + OFF] > 0) return;
  if ((f[o + FLAGS] & (WALKING | FLYING | ON_LINK | OVER_GAP | ATTACHED)) !== 0) return;
  const opened = open.splice(0);
  living.shut(kernel, opened);
  try {
    const on: Closure[] = [];
    findClosedAt(scene, f[o + X], f[o + FLOOR], f[o + Z], on);
    if (on.length === 0 || !findSpot(scene, f, o)) return;
  } finally {
    open.push(...opened);
    living.open(kernel, opened);
  }
  f[o + X] = spot.x;
  f[o + Y] = scene.flat ? f[o + Y] : spot.y + rules.yOffset;
  f[o + Z] = spot.z;
  f[o + FLOOR] = spot.y;
  f[o + POLYGON] = spot.polygon;
  f[o + OFF] = 0;
  f[o + ANCHOR_X] = spot.x;
  f[o + ANCHOR_Z] = spot.z;
  f[o + FLAGS] = f[o + FLAGS] & ~(OVER_LEDGE | PLACED_OFF);
  beginTrail(f, o, spot.x, f[o + Y], spot.z);
  touchGround(f, o, t, spot.y);
}

function findSpot(scene: Scene, f: Float64Array, o: number): boolean {
  const { kernel, below, above, middle, edge } = scene;
  const out = kernel.output;
  const polygon = locate(kernel, f[o + X], f[o + FLOOR], f[o + Z], below, above, NOWHERE);
  if (polygon === NONE) return false;
  note(spot, out[0], out[1], out[2], polygon);
  if (!findOrigin(scene, f, o)) return true;
  ask(kernel, came.x, came.y + middle, came.z, spot.x, spot.y, spot.z, below, above, edge, Infinity, MOVE_NODES);
  const status = kernel.reach(came.polygon, polygon) >>> 0;
  if (status === S_CLEAR || status === S_WALK) return true;
  // the nearest one is on the other side
  ask(kernel, came.x, came.y + middle, came.z, f[o + X], f[o + FLOOR], f[o + Z], below, above, edge, 0, 0);
  kernel.ray(came.polygon);
  if (out[5] !== NONE) note(spot, out[1], out[2], out[3], out[5]);
  return true;
}

function note(at: typeof spot, x: number, y: number, z: number, polygon: number): void {
  at.x = x;
  at.y = y;
  at.z = z;
  at.polygon = polygon;
}

/** Where the entity came from, to `came`; false when nothing tells. */
function findOrigin(scene: Scene, f: Float64Array, o: number): boolean {
  for (let k = f[o + RING_COUNT] - 1; k >= 0; k--) {
    const r = o + RING + k * RING_STRIDE;
    if (isOrigin(scene, f, o, f[r], f[r + 1])) return true;
  }
  const dx = f[o + MARK_X] - f[o + X];
  const dz = f[o + MARK_Z] - f[o + Z];
  const step = planDistance(0, 0, dx, dz);
  if (!(step > 0)) return false;
  for (const back of BACK) {
    if (isOrigin(scene, f, o, f[o + X] + (back * dx) / step, f[o + Z] + (back * dz) / step)) return true;
  }
  return false;
}

/** Whether a point is on walkable ground, with a straight way to the entity's place if nothing were closed. */
function isOrigin(scene: Scene, f: Float64Array, o: number, x: number, z: number): boolean {
  const { kernel, changes, below, above, middle, edge } = scene;
  const out = kernel.output;
  const polygon = locate(kernel, x, f[o + FLOOR], z, below, above, 0);
  if (polygon === NONE) return false;
  note(came, out[0], out[1], out[2], polygon);
  const { living } = changes;
  living.open(kernel, living.closures);
  ask(kernel, came.x, came.y + middle, came.z, f[o + X], f[o + FLOOR], f[o + Z], below, above, edge, 0, 0);
  const clear = kernel.ray(polygon) >>> 0 === S_CLEAR;
  living.shut(kernel, living.closures);
  return clear;
}
