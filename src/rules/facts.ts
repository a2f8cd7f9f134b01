// What the server tells of an entity, as changes of the ledger: entering, leaving, teleports, states. Values are already
// checked. Imported by guard.ts.
import { confirmPut, forgetPut, notePut } from './confirm.ts';
import { endPending, sendCorrection } from './corrections.ts';
import { voidGrants } from './grants.ts';
import * as L from './ledger.ts';
import { MIXED_SLICES, paceCap } from './pace.ts';
import { putAt, stopWalk } from './places.ts';
import type { Scene } from './scene.ts';
import { beginSnapshot } from './strategy.ts';
import { LAYER_TELEPORT } from './suspicion.ts';
import { openAt, slackAt } from './wayround.ts';

/** A new entity has this much of its speed as credit, ms. */
const ENTER_MS = 250;
/** And at least this, metres: clients round their positions. */
const ENTER_MIN = 0.1;

/** What an entity that comes back keeps, besides its scores and what it had not spent. */
const KEPT = [
  [L.RTT, 1],
  [L.GRACE, 2],
  [L.CORRECTION, 1],
  [L.NODES, 2],
  [L.AIR_DEBT, 1],
  [L.AIR_T, 1],
  [L.SCORE_SUM, 1],
  [L.SCORE_T, 1],
  [L.SCORES, L.LAYERS],
  [L.METRES, 1],
  [L.PACE, 2],
  [L.LOWERED_T, 1],
  [L.SLICE_T, 1],
  [L.SLICE_MIXED, 2],
  [L.SPEEDS, L.SPEEDS_MAX],
  [L.SINCE_T, 3],
  [L.WINDOW, L.WINDOW_MAX * L.WINDOW_STRIDE],
  [L.HOVER, 3],
  [L.INPUT_T, 1],
  [L.LACKED, 1],
] as const;

/** An entity appears. One that was here within KEEP_MS keeps its score, and no more credit than it had. */
export function enterAt(
  scene: Scene,
  id: string,
  t: number,
  x: number,
  y: number,
  z: number,
  speed: number,
  strategies = 0,
): void {
  const { ledger, rules, terms } = scene;
  ledger.sweep(t);
  let credit = Math.max(speed * terms.perMs * ENTER_MS, ENTER_MIN);
  let slack = rules.wayRoundSlackMs;
  let fresh = false;
  let o = ledger.offsetOfKept(id);
  if (o >= 0) {
    const { f } = ledger;
    settleAll(scene, f, o, t);
    credit = Math.min(credit, f[o + L.CREDIT]);
    slack = slackAt(f, o, t, rules.wayRoundSlackMs);
    const kept = f.slice(o, o + L.STRIDE);
    f.fill(0, o, o + L.STRIDE);
    for (const [field, count] of KEPT) {
      for (let k = field; k < field + count; k++) f[o + k] = kept[k];
    }
  } else {
    o = ledger.add(id);
    const { f } = ledger;
    f[o + L.GRACE] = 1;
    f[o + L.GRACE_T] = t;
    f[o + L.SCORE_T] = t;
    f[o + L.NODES] = rules.searchNodesPerSecond;
    f[o + L.NODES_T] = t;
    f[o + L.SINCE_T] = t;
    f[o + L.SLICE_T] = t;
    f[o + L.LOWERED_T] = -Infinity;
    f[o + L.INPUT_T] = -Infinity;
    fresh = true;
  }
  const { f } = ledger;
  f[o + L.FLAGS] = L.ALIVE;
  f[o + L.CREDIT] = credit;
  f[o + L.CREDIT_T] = t;
  f[o + L.LIMIT] = speed;
  f[o + L.ANNOUNCED] = speed;
  f[o + L.JUDGED_T] = t;
  f[o + L.INPUT_T] = Math.max(f[o + L.INPUT_T], t - ENTER_MS);
  f[o + L.SLACK] = slack;
  f[o + L.SLACK_T] = t;
  f[o + L.BONUS_UNTIL] = -Infinity;
  f[o + L.STALE_UNTIL] = -Infinity;
  f[o + L.ALIVE_T] = -Infinity;
  f[o + L.ROOTED_T] = -Infinity;
  f[o + L.STRATEGIES] = strategies;
  if (fresh) {
    f[o + L.PACE] = paceCap(f, o, t, terms);
    f[o + L.PACE_T] = t;
  }
  f[o + L.SLICE_MIXED] = MIXED_SLICES;
  putAt(scene, f, o, t, x, y, z);
  beginSnapshot(f, o);
}

/** An entity goes; its ledger stays for KEEP_MS. */
export function leaveAt(scene: Scene, id: string, o: number, t: number): void {
  settleAll(scene, scene.ledger.f, o, t);
  scene.ledger.leave(id, o, t);
  scene.ledger.sweep(t);
}

/** Ends what goes on by itself: a walk, credit that grows, a pending correction. */
function settleAll(scene: Scene, f: Float64Array, o: number, t: number): void {
  stopWalk(scene, f, o, t);
  endPending(f, o, t, scene.rules.scoreHalfLifeMs);
}

/** The server has moved an entity: claims from before are stale until it shows up there, acknowledges, or time passes. */
export function teleportTo(scene: Scene, f: Float64Array, o: number, t: number, x: number, y: number, z: number): void {
  voidGrants(f, o);
  moveTo(scene, f, o, t, x, y, z);
}

/**
 * The ground has gone from under an entity: it is put to another place, and its client is to be told by a correction, whose
 * number is returned. Claims from before are stale as after a teleport, and no violation; grants stay.
 */
export function displaceTo(
  scene: Scene,
  f: Float64Array,
  o: number,
  t: number,
  x: number,
  y: number,
  z: number,
): number {
  moveTo(scene, f, o, t, x, y, z);
  const number = sendCorrection(f, o, t, LAYER_TELEPORT, 0, scene.rules.scoreHalfLifeMs);
  notePut(scene, f, o, t, number);
  return number;
}

function moveTo(scene: Scene, f: Float64Array, o: number, t: number, x: number, y: number, z: number): void {
  stopWalk(scene, f, o, t);
  for (let k = 0; k < 3; k++) f[o + L.TELE_FROM + k] = f[o + L.X + k];
  f[o + L.TELE_TO] = x;
  f[o + L.TELE_TO + 1] = y;
  f[o + L.TELE_TO + 2] = z;
  f[o + L.STALE_UNTIL] = t + f[o + L.RTT] + scene.rules.pendingMs;
  f[o + L.FLAGS] = f[o + L.FLAGS] | L.STALE;
  endPending(f, o, t, scene.rules.scoreHalfLifeMs);
  forgetPut(f, o);
  noteSilence(f, o, t);
  // the client's time at the new place begins now
  f[o + L.JUDGED_T] = t;
  f[o + L.OPEN] = 0;
  putAt(scene, f, o, t, x, y, z);
  beginSnapshot(f, o);
}

/** How long the line has been silent now; the dead and the rooted are by nature. */
function noteSilence(f: Float64Array, o: number, t: number): void {
  f[o + L.SILENT] = (f[o + L.FLAGS] & (L.ALIVE | L.ROOTED)) === L.ALIVE ? openAt(f, o, t) : 0;
}

/** Alive, rooted, flying; undefined leaves a state as it is. */
export function setState(
  scene: Scene,
  f: Float64Array,
  o: number,
  t: number,
  alive: boolean | undefined,
  rooted: boolean | undefined,
  flying: boolean | undefined,
): void {
  const was = f[o + L.FLAGS];
  let flags = withBit(was, L.ALIVE, alive);
  flags = withBit(flags, L.ROOTED, rooted);
  flags = withBit(flags, L.FLYING, flying);
  const changed = flags ^ was;
  if ((changed & (L.ALIVE | L.ROOTED)) !== 0) noteSilence(f, o, t);
  if ((changed & L.ALIVE) !== 0) f[o + L.ALIVE_T] = t;
  if ((changed & L.ROOTED) !== 0) f[o + L.ROOTED_T] = t;
  const held = (flags & L.ALIVE) === 0 || (flags & L.ROOTED) !== 0;
  // who may not act does not walk on; who stops flying falls from where it is
  if (held || (changed & L.FLYING) !== 0) stopWalk(scene, f, o, t);
  // its client puts it where it stands now
  if (held || (changed & L.FLYING) !== 0) forgetPut(f, o);
  // (ending the walk may have left it on a link)
  const place = L.WALKING | L.ON_LINK;
  f[o + L.FLAGS] = (flags & ~place) | (f[o + L.FLAGS] & place);
  if ((changed & L.FLYING) !== 0) putAt(scene, f, o, t, f[o + L.X], f[o + L.Y], f[o + L.Z]);
}

function withBit(flags: number, bit: number, on: boolean | undefined): number {
  if (on === undefined) return flags;
  return on ? flags | bit : flags & ~bit;
}

/** A knock-back's upward part: it counts until ground is touched some time after it. */
export function launch(f: Float64Array, o: number, t: number, upward: number): void {
  if (!(upward > 0)) return;
  f[o + L.LAUNCH] = Math.max(upward, f[o + L.LAUNCH]);
  f[o + L.LAUNCH_T] = t;
}

/**
 * The client confirms correction `n`. The wait after a teleport, which has no number, ends by 0 or by a number that was
 * never sent.
 */
export function acknowledge(scene: Scene, f: Float64Array, o: number, t: number, n: number): void {
  if (n === f[o + L.CORRECTION]) {
    endPending(f, o, t, scene.rules.scoreHalfLifeMs);
    f[o + L.ACKED] = n;
    // (a correction that put it somewhere came after every teleport before it)
    if ((f[o + L.FLAGS] & L.UNCONFIRMED) !== 0 && f[o + L.PUT_N] === n) f[o + L.FLAGS] = f[o + L.FLAGS] & ~L.STALE;
  }
  if (n === 0 || n > f[o + L.CORRECTION]) {
    f[o + L.FLAGS] = f[o + L.FLAGS] & ~L.STALE;
    confirmPut(scene, f, o, t, 0);
  } else if (n === f[o + L.CORRECTION]) confirmPut(scene, f, o, t, n);
}
