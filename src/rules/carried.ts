// An entity on a carrier: where it is, getting on and off by the server's word. Imported by rules/ and guard.ts.
//
// While it is carried, its place is its offset on the carrier (OFFSET_X.. of the ledger), and x, y, z follow whenever somebody
// looks: a lift that moves touches nobody's numbers. What its way is measured by (the trailing point, the marks, GROUND_Y) is
// kept in the carrier's coordinates meanwhile, so that the carrier's own motion is neither speed nor cost.
import { NONE } from '../../assembly/layout.ts';
import type { Carrier } from './carriers.ts';
import { Q_FLOOR, Q_FROM_X, Q_FROM_Z } from './hand.ts';
import {
  ANCHOR_X,
  ANCHOR_Z,
  ATTACHED,
  BY_WORD,
  FLAGS,
  FLOOR,
  OFF,
  OFFSET_X,
  OFFSET_Y,
  OFFSET_Z,
  OVER_GAP,
  PLACED_OFF,
  POLYGON,
  SEEN_LAG,
  STALE,
  UNCONFIRMED,
  WALKING,
  X,
  Y,
  Z,
} from './ledger.ts';
import { here, putAt, stopWalk, touchGround } from './places.ts';
import { POSE, toWorld } from './pose.ts';
import type { Scene } from './scene.ts';
import { beginTrail } from './trail.ts';

/** Entities that carry each other stand at most so many on top of each other. */
export const MOST_HIGH = 8;

const pose = new Float64Array(POSE);
const place = new Float64Array(3);

/**
 * Where an entity's carrier is at t, to `to`; where entities stand (q) is overwritten. `note`: an entity that carries is
 * remembered there. Only events of the rider are noted, never questions: so a replay of its events remembers the same.
 */
export function poseUnder(scene: Scene, carrier: Carrier, t: number, note: boolean, to: Float64Array): void {
  if (carrier.entity === null) {
    carrier.now(to);
    return;
  }
  const { ledger, q } = scene;
  const o = ledger.offsetOf(carrier.entity);
  if (o < 0) {
    carrier.now(to);
    return;
  }
  const { f } = ledger;
  if ((f[o + FLAGS] & ATTACHED) !== 0) follow(scene, f, o, t, false);
  here(scene, f, o, t);
  to[0] = q[Q_FROM_X];
  to[1] = (f[o + FLAGS] & WALKING) === 0 ? f[o + Y] : q[Q_FLOOR] + scene.rules.yOffset;
  to[2] = q[Q_FROM_Z];
  to[3] = 1;
  to[4] = 0;
  if (note) carrier.tell(t, to);
}

/** Brings x, y, z of an entity on a carrier to where the carrier is at t. */
export function follow(scene: Scene, f: Float64Array, o: number, t: number, note: boolean): void {
  const carrier = scene.carriers.under(o);
  if (carrier === undefined) return;
  poseUnder(scene, carrier, t, note, pose);
  place[0] = f[o + OFFSET_X];
  place[1] = f[o + OFFSET_Y];
  place[2] = f[o + OFFSET_Z];
  toWorld(pose, place, place);
  f[o + X] = place[0] + 0;
  f[o + Y] = scene.flat ? f[o + OFFSET_Y] : place[1] + 0;
  f[o + Z] = place[2] + 0;
  f[o + FLOOR] = scene.level(f[o + Y]);
  f[o + ANCHOR_X] = f[o + X];
  f[o + ANCHOR_Z] = f[o + Z];
}

/** An entity stands on a carrier from t on, at an offset: its way begins anew there. */
export function board(
  scene: Scene,
  f: Float64Array,
  o: number,
  t: number,
  carrier: Carrier,
  x: number,
  y: number,
  z: number,
  byWord: boolean,
): void {
  stopWalk(scene, f, o, t);
  scene.carriers.board(o, carrier);
  f[o + OFFSET_X] = x + 0;
  f[o + OFFSET_Y] = y + 0;
  f[o + OFFSET_Z] = z + 0;
  f[o + SEEN_LAG] = -1;
  settleOn(scene, f, o, t);
  f[o + FLAGS] = (f[o + FLAGS] & ~(STALE | UNCONFIRMED | BY_WORD)) | ATTACHED | (byWord ? BY_WORD : 0);
  follow(scene, f, o, t, true);
}

/** Its way and its flight begin anew where it stands on its carrier. */
export function settleOn(scene: Scene, f: Float64Array, o: number, t: number): void {
  touchGround(f, o, t, scene.level(f[o + OFFSET_Y]));
  f[o + FLAGS] = f[o + FLAGS] & ~(PLACED_OFF | OVER_GAP);
  f[o + OFF] = 0;
  f[o + POLYGON] = NONE;
  beginTrail(f, o, f[o + OFFSET_X], f[o + OFFSET_Y], f[o + OFFSET_Z]);
}

/** It belongs to no carrier any more; where it is now is the caller's to say. */
export function release(scene: Scene, f: Float64Array, o: number): void {
  scene.carriers.drop(o);
  f[o + FLAGS] = f[o + FLAGS] & ~(ATTACHED | BY_WORD);
}

/** By the server's word it stands on nothing but the ground, where it is: its fall, if it is one, begins now. */
export function detach(scene: Scene, f: Float64Array, o: number, t: number): void {
  if ((f[o + FLAGS] & ATTACHED) === 0) return;
  follow(scene, f, o, t, true);
  release(scene, f, o);
  putAt(scene, f, o, t, f[o + X], f[o + Y], f[o + Z]);
}

/** Whoever stands on an entity that goes stays behind. */
export function dropRiders(scene: Scene, f: Float64Array, riders: Iterable<number>, t: number): void {
  for (const o of riders) detach(scene, f, o, t);
}

/** Whether an entity stands on another, or on one that does, ...: then it cannot carry it. */
export function standsOn(scene: Scene, id: string, other: string): boolean {
  let at = other;
  for (let high = 0; high < MOST_HIGH; high++) {
    if (at === id) return true;
    const o = scene.ledger.offsetOf(at);
    const under = o < 0 ? undefined : scene.carriers.under(o);
    if (under === undefined || under.entity === null) return false;
    at = under.entity;
  }
  return true;
}
