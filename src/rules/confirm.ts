// Until a client confirms where the server put it, by a correction or a teleport. Imported by rules/ and guard.ts.
//
// Claims made before the client heard of it are still under way, and the server cannot always tell: such a claim may be a
// legal walk from the new place too, and is then taken for obedience. The entity follows a client that is about to be
// put back; when that comes to pass, its claims start again from the place, metres behind. So until it is confirmed by
// number the place stays open: by the acknowledgement, or by a claim at it, the entity is back there. What it had walked
// since is taken back with it, as if those claims had been ignored.
//
// What this gives away. Metres are given back only for a walk that was charged, over a way that can be walked, on the
// ground: when and where the entity may be afterwards is what it would be had it stood still, so no credit is won. What
// remains is the leap back, to where it had just been: once for each correction or teleport, of at most one window, out of
// the allowance that `backAt` refills in twenty seconds.
import { NONE, S_CLEAR, S_WALK } from '../../assembly/layout.ts';
import type { Verdict } from '../types.ts';
import { accept } from './answer.ts';
import { endPending } from './corrections.ts';
import { backAt, limitAt, limitCreditAt, noteBack, settle } from './credit.ts';
import { Q_STRAIGHT, Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import {
  AIRBORNE,
  ANCHOR_X,
  ANCHOR_Z,
  ATTACHED,
  CREDIT,
  FLAGS,
  FLOOR,
  FLYING,
  OFF,
  ON_LINK,
  OPEN,
  OVER_GAP,
  OVER_LEDGE,
  PACE,
  POLYGON,
  PUT_N,
  PUT_T,
  PUT_X,
  PUT_Y,
  PUT_Z,
  UNCONFIRMED,
  WALKING,
  X,
  Y,
  Z,
} from './ledger.ts';
import { placeAt, touchGround } from './places.ts';
import { ask } from './probe.ts';
import { planDistance, type Scene } from './scene.ts';
import { capAt, spendNodes } from './search.ts';
import { capOf, windowMs } from './terms.ts';
import { beginTrail } from './trail.ts';
import { payClear } from './wayround.ts';

/** A place is kept open for this long, ms: a line that stands still for longer has lost its player. */
export const OPEN_MS = 5000;
/** A claim is at the place if a walk of so many ackRadius leads there: not through a wall. */
const WALK_OF_RADIUS = 1.5;
/** Nobody comes back out of the air or off a link, nor to there. */
const NOT_ON_GROUND = WALKING | ATTACHED | AIRBORNE | OVER_LEDGE | ON_LINK | OVER_GAP | FLYING;

/** The client is told to be where the entity is: by correction `n`, or 0 for a teleport. */
export function notePut(scene: Scene, f: Float64Array, o: number, t: number, n: number): void {
  const onGround = (f[o + FLAGS] & NOT_ON_GROUND) === 0 && f[o + OFF] <= scene.edge;
  forgetPut(f, o);
  if (!onGround) return;
  f[o + FLAGS] = f[o + FLAGS] | UNCONFIRMED;
  f[o + PUT_X] = f[o + X];
  f[o + PUT_Y] = f[o + Y];
  f[o + PUT_Z] = f[o + Z];
  f[o + PUT_T] = t;
  f[o + PUT_N] = n;
}

/** The place is confirmed, or no longer where the client belongs. */
export function forgetPut(f: Float64Array, o: number): void {
  f[o + FLAGS] = f[o + FLAGS] & ~UNCONFIRMED;
}

/** After an accepted claim: the place is kept open for a time only. */
export function agePut(f: Float64Array, o: number, t: number): void {
  if ((f[o + FLAGS] & UNCONFIRMED) !== 0 && t - f[o + PUT_T] > OPEN_MS) forgetPut(f, o);
}

/** The client confirms `n` by number: the entity is where that put it, whatever was taken for its walk since. */
export function confirmPut(scene: Scene, f: Float64Array, o: number, t: number, n: number): void {
  if ((f[o + FLAGS] & UNCONFIRMED) === 0 || f[o + PUT_N] !== n) return;
  const metres = metresBack(scene, f, o, t);
  if (metres > 0) comeBack(scene, f, o, t, metres);
  forgetPut(f, o);
}

/**
 * The claim at hand, which is no legal walk (or a leap), as one at the place of the last teleport: null when it is not, and
 * then nothing has changed. (Corrections are acknowledged; claims to and fro about their places must not be free.)
 */
export function returnToPut(scene: Scene, f: Float64Array, o: number): Verdict | null {
  const { q, rules, kernel, below, above, edge, terms } = scene;
  const t = q[Q_T];
  const x = f[o + PUT_X];
  const z = f[o + PUT_Z];
  const straight = planDistance(x, z, q[Q_X], q[Q_Z]);
  if ((f[o + FLAGS] & UNCONFIRMED) === 0 || f[o + PUT_N] !== 0 || !(straight <= rules.ackRadius)) return null;
  // not on its way out
  if (!(straight < planDistance(x, z, f[o + X], f[o + Z]))) return null;
  const metres = metresBack(scene, f, o, t);
  if (!(metres > 0)) return null;
  const credit = Math.min(limitCreditAt(f, o, t, terms) + metres, capAtNow(scene, f, o, t));
  const level = scene.level(f[o + PUT_Y]);
  const radius = Math.min(rules.ackRadius * WALK_OF_RADIUS, credit);
  const cap = capAt(f, o, t, rules.searchNodesPerSecond, rules.nodeCap);
  ask(kernel, x, level, z, q[Q_X], scene.level(q[Q_Y]), q[Q_Z], below, above, edge, radius, cap);
  const status = kernel.reach(NONE, NONE) >>> 0;
  const out = kernel.output;
  spendNodes(f, o, t, rules.searchNodesPerSecond, out[13]);
  const walk = status === S_CLEAR ? straight : status === S_WALK ? out[1] : Infinity;
  if (!(walk <= radius) || scene.level(q[Q_Y]) - out[5] > scene.ground) return null;
  const leap = q[Q_STRAIGHT];
  comeBack(scene, f, o, t, metres);
  f[o + CREDIT] = Math.max(0, f[o + CREDIT] - walk);
  f[o + PACE] = f[o + PACE] - walk;
  payClear(f, o, walk, limitAt(f, o, t) * terms.perMs);
  stand(scene, f, o, t, q[Q_X], q[Q_Y], q[Q_Z]);
  forgetPut(f, o);
  endPending(f, o, t, rules.scoreHalfLifeMs);
  return accept(scene, f, o, leap, NaN, -1, walk, credit);
}

/** The walk back to the place, metres; 0 when it is there already, NaN when there is no way back. */
function metresBack(scene: Scene, f: Float64Array, o: number, t: number): number {
  const { kernel, rules, below, above, edge, terms } = scene;
  const x = f[o + PUT_X];
  const z = f[o + PUT_Z];
  if ((f[o + FLAGS] & NOT_ON_GROUND) !== 0 || t - f[o + PUT_T] > OPEN_MS) return NaN;
  const straight = planDistance(x, z, f[o + X], f[o + Z]);
  if (straight === 0) return 0;
  const most = backAt(f, o, t, terms) * limitAt(f, o, t) * terms.perMs;
  if (straight > most) return NaN;
  const off = f[o + OFF] > 0;
  const fromX = off ? f[o + ANCHOR_X] : f[o + X];
  const fromZ = off ? f[o + ANCHOR_Z] : f[o + Z];
  const from = f[o + FLOOR] + scene.middle;
  const cap = capAt(f, o, t, rules.searchNodesPerSecond, rules.nodeCap);
  const level = scene.level(f[o + PUT_Y]);
  ask(kernel, fromX, from, fromZ, x, level, z, below, above, edge, most + 2 * scene.grain, cap);
  const status = kernel.reach(f[o + POLYGON], NONE) >>> 0;
  spendNodes(f, o, t, rules.searchNodesPerSecond, kernel.output[13]);
  return status === S_CLEAR || status === S_WALK ? straight : NaN;
}

/** The entity is where it was put, `metres` back; as if what was accepted since had not been. */
function comeBack(scene: Scene, f: Float64Array, o: number, t: number, metres: number): void {
  const { terms } = scene;
  settle(f, o, t, terms);
  const ms = metres / (limitAt(f, o, t) * terms.perMs);
  noteBack(f, o, ms, t, terms);
  f[o + CREDIT] = Math.min(f[o + CREDIT] + metres, capAtNow(scene, f, o, t));
  f[o + PACE] = f[o + PACE] + metres;
  f[o + OPEN] = f[o + OPEN] + ms;
  stand(scene, f, o, t, f[o + PUT_X], f[o + PUT_Y], f[o + PUT_Z]);
}

function capAtNow(scene: Scene, f: Float64Array, o: number, t: number): number {
  return capOf(limitAt(f, o, t), windowMs(f, o, t, scene.terms), scene.terms);
}

/** On the ground at a point that it walked to. */
function stand(scene: Scene, f: Float64Array, o: number, t: number, x: number, y: number, z: number): void {
  placeAt(scene, f, o, x, y, z);
  beginTrail(f, o, f[o + X], f[o + Y], f[o + Z]);
  touchGround(f, o, t, scene.level(f[o + Y]));
}
