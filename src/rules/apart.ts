// Client and server apart: while the server walks an entity along a clicked path, its client may be elsewhere, for claims
// arrive late by as much as latency varies, and of two ways of nearly one length each side takes its own. Where an honest
// client can be meanwhile, and how the two come together again. Imported by rules/.
//
// The entity is where the server walks it. That the client says it stands elsewhere moves nothing, so believing it gives
// nothing away: such a click is walked from the server's position. Two things do move the entity, and both are paid for:
// `meet` puts it where the client is, as a move would, for the same credit and under the same way-round budget; `takeBack`
// lets a move start at a point that the walk has passed already, without charging the way back to it: the client had not
// come farther yet. That is an allowance of one window (burst and latency), full again after twenty seconds. So on any
// stretch of the entity's way: metres <= credit + what was taken back, and that is <= window x (1 + time / 20 s) of walking.
//
// Honest clients: click k is made at c_k and judged at a_k = c_k + d_k, the d within one window of each other. From one
// click to the next the client walks for c_k+1 - c_k <= a_k+1 - a_k + window: a leaky bucket of client time, full at the
// window, that every honest client's walks fit into (SAID_MS). Or it follows the server's walk, and is behind on it by
// less than that.
import { NONE, S_CLEAR, S_UNDECIDED, S_WALK } from '../../assembly/layout.ts';
import { leastWay } from './climb.ts';
import { backAt, charge, pathEndTime, rateAt, weigh } from './credit.ts';
import { stance } from './foot.ts';
import {
  Q_BACK,
  Q_CHARGED,
  Q_CREDIT,
  Q_FLOOR,
  Q_FROM_X,
  Q_FROM_Z,
  Q_NODES,
  Q_POLYGON,
  Q_RATE,
  Q_T,
  Q_X,
  Q_Y,
  Q_Z,
} from './hand.ts';
import {
  AIRBORNE,
  ANCHOR_X,
  ANCHOR_Z,
  CORNER,
  FLAGS,
  FLOOR,
  FLYING,
  OFF,
  ON_LINK,
  OPEN,
  OVER_LEDGE,
  PATH_CORNERS,
  PATH_DONE,
  PATH_END,
  PATH_RATE,
  PATH_T,
  POLYGON,
  RTT,
  SAID_METRES,
  SAID_MS,
  SAID_T,
  SAID_X,
  SAID_Y,
  SAID_Z,
  STRIDE,
  WALKING,
  WAS_METRES,
  WAS_T,
  WAS_X,
  WAS_Y,
  WAS_Z,
  X,
  Y,
  Z,
} from './ledger.ts';
import { leg, onPath, touchGround } from './places.ts';
import { ask } from './probe.ts';
import { planDistance, type Scene } from './scene.ts';
import { capAt, MOVE_NODES, spendNodes } from './search.ts';
import { windowMs } from './terms.ts';
import { nearestAlong, walkedAt } from './timeline.ts';
import { beginTrail } from './trail.ts';
import { payClear, payWalk, slackAt } from './wayround.ts';

/** Client time that may be unseen although the server walks the entity, ms; plus latency. */
export const FROM_MS = 250;
/** Who is this near to the way that the entity came is behind on it, metres. */
const ON_THE_WAY = 0.5;

/** What the last `meet` and `canBeAt` found. */
export const met = { charged: 0, clear: true, polygon: 0, x: 0, floor: 0, z: 0, off: 0, open: 0 };
export const can = { ms: 0 };

/** A walk is accepted: the one before becomes what a client may still be following. Before the new path is laid. */
export function noteWas(scene: Scene, f: Float64Array, o: number): void {
  const path = scene.ledger.paths[o / STRIDE];
  if ((f[o + FLAGS] & WALKING) === 0 || path === undefined) {
    f[o + WAS_METRES] = -1;
    return;
  }
  f[o + WAS_X] = path[0];
  f[o + WAS_Y] = path[1] + scene.middle;
  f[o + WAS_Z] = path[2];
  f[o + WAS_T] = f[o + SAID_T];
  f[o + WAS_METRES] = Math.max(f[o + PATH_END], f[o + SAID_METRES]);
}

/**
 * The new walk has begun: where its client said that it set out (`stance`), how far it says that it goes, metres, and how
 * much client time it may still have had, ms.
 */
export function noteSaid(scene: Scene, f: Float64Array, o: number, metres: number, ms: number): void {
  f[o + SAID_X] = stance.x;
  f[o + SAID_Y] = stance.floor + scene.middle;
  f[o + SAID_Z] = stance.z;
  f[o + SAID_T] = scene.q[Q_T];
  f[o + SAID_MS] = ms;
  f[o + SAID_METRES] = metres;
}

/**
 * Whether an honest client can be at the claimed point: on a walk from where it last said that it set out, or from where
 * the server last let it set out (or the time before, if it has not heard of the last), in the time since. Then `can.ms`
 * is the client time that it may still have, ms.
 */
export function canBeAt(scene: Scene, f: Float64Array, o: number): boolean {
  const { q, terms } = scene;
  if ((f[o + FLAGS] & WALKING) === 0) return false;
  const path = scene.ledger.paths[o / STRIDE];
  if (path === undefined) return false;
  const t = q[Q_T];
  const rate = Math.max(rateAt(f, o, t, terms), f[o + PATH_RATE]);
  const window = windowMs(f, o, t, terms);
  const gap = t - f[o + SAID_T];
  const ms = f[o + SAID_MS] + gap;
  const own = Math.min(rate * ms, f[o + SAID_METRES] + rate * FROM_MS);
  const walk = walkTo(scene, f, o, f[o + SAID_X], f[o + SAID_Y], f[o + SAID_Z], own);
  if (walk < Infinity) {
    can.ms = Math.min(window, rate > 0 ? Math.max(0, ms - walk / rate) : ms);
    return true;
  }
  can.ms = window;
  const most = Math.max(f[o + PATH_END], f[o + SAID_METRES]);
  const now = Math.min(rate * (gap + window), most + rate * window);
  if (walkTo(scene, f, o, path[0], path[1] + scene.middle, path[2], now) < Infinity) return true;
  // the answer to the last click is heard by then
  if (f[o + WAS_METRES] < 0 || gap > window + f[o + RTT]) return false;
  const before = Math.min(rate * (t - f[o + WAS_T] + window), f[o + WAS_METRES] + rate * window);
  return walkTo(scene, f, o, f[o + WAS_X], f[o + WAS_Y], f[o + WAS_Z], before) < Infinity;
}

/** Metres of a walk from a point to the claimed position, within a budget: Infinity when there is none, 0 when undecided. */
function walkTo(scene: Scene, f: Float64Array, o: number, x: number, y: number, z: number, budget: number): number {
  const { q, kernel, rules, below, above } = scene;
  if (planDistance(x, z, q[Q_X], q[Q_Z]) > budget + 2 * scene.grain) return Infinity;
  const cap = capAt(f, o, q[Q_T], rules.searchNodesPerSecond, rules.nodeCap);
  const limit = budget + 2 * scene.grain;
  ask(kernel, x, y, z, stance.x, stance.floor, stance.z, below, above, scene.edge, limit, cap);
  const status = kernel.reach(NONE, stance.polygon) >>> 0;
  const out = kernel.output;
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, out[13]);
  if (status === S_CLEAR) return out[0];
  if (status === S_WALK) return out[1];
  return status === S_UNDECIDED ? 0 : Infinity;
}

/** Whether the claimed position lies on the way that the entity came on its present walk. q holds where it is. */
export function isBehind(scene: Scene, f: Float64Array, o: number): boolean {
  const { q } = scene;
  if ((f[o + FLAGS] & WALKING) === 0) return false;
  const path = scene.ledger.paths[o / STRIDE];
  if (path === undefined) return false;
  const walked = walkedAt(f, o, q[Q_T]);
  const count = f[o + PATH_CORNERS];
  const along = nearestAlong(path, count, 0, walked, q[Q_X], q[Q_Z]);
  let i = count - 1;
  while (i > 0 && path[i * CORNER + 3] > along) i--;
  const a = i * CORNER;
  const b = i + 1 < count ? a + CORNER : a;
  const length = path[b + 3] - path[a + 3];
  const share = length > 0 ? (along - path[a + 3]) / length : 0;
  const x = path[a] + share * (path[b] - path[a]);
  const z = path[a + 2] + share * (path[b + 2] - path[a + 2]);
  return planDistance(x, z, q[Q_X], q[Q_Z]) <= ON_THE_WAY;
}

/**
 * Whether the entity could move to the claimed position right now, on the ground all the way, as a move would: within its
 * credit and the way-round budget. Nothing is committed; `met` says how. q holds where it is from (x, floor, z).
 */
export function meet(scene: Scene, f: Float64Array, o: number, polygon: number): boolean {
  const { q, rules, kernel } = scene;
  const t = q[Q_T];
  const walks = (f[o + FLAGS] & WALKING) !== 0;
  if ((f[o + FLAGS] & FLYING) !== 0) return false;
  if (!walks && ((f[o + FLAGS] & (AIRBORNE | OVER_LEDGE | ON_LINK)) !== 0 || f[o + OFF] > 0)) return false;
  weigh(f, o, q, scene.terms);
  const rate = q[Q_RATE];
  const straight = planDistance(q[Q_FROM_X], q[Q_FROM_Z], q[Q_X], q[Q_Z]);
  const level = scene.level(q[Q_Y]);
  const rise = scene.surface ? level - q[Q_FLOOR] : 0;
  const cost = rise === 0 ? straight : Math.sqrt(straight * straight + rise * rise);
  if (cost > q[Q_CREDIT]) return false;
  const unseen = walks ? Math.max(0, t - pathEndTime(f, o)) + FROM_MS + f[o + RTT] : Infinity;
  met.open = Math.min(f[o + OPEN], unseen);
  const forgiven = 2 * scene.grain;
  const byTime = (met.open + slackAt(f, o, t, rules.wayRoundSlackMs)) * rate;
  const budget = rules.wall === 'sight' ? 0 : Math.min(byTime, q[Q_CREDIT]) + forgiven;
  q[Q_NODES] = Math.min(MOVE_NODES, capAt(f, o, t, rules.searchNodesPerSecond, rules.nodeCap));
  const { below, above, edge } = scene;
  const from = q[Q_FLOOR] + scene.middle;
  const { x, floor, z } = stance;
  ask(kernel, q[Q_FROM_X], from, q[Q_FROM_Z], x, floor, z, below, above, edge, budget, q[Q_NODES]);
  const status = kernel.reach(polygon, stance.polygon) >>> 0;
  const out = kernel.output;
  spendNodes(f, o, t, rules.searchNodesPerSecond, out[13]);
  if (status !== S_CLEAR && status !== S_WALK) return false;
  if (level - out[5] > scene.ground) return false;
  const walk = status === S_WALK ? leastWay(scene, f, o, polygon, stance.polygon, false) : out[1];
  if (status === S_WALK && walk > budget) return false;
  met.clear = status === S_CLEAR;
  met.charged = Math.max(cost, status === S_WALK ? walk - forgiven : 0);
  met.polygon = out[3];
  met.x = out[4];
  met.floor = out[5];
  met.z = out[6];
  met.off = planDistance(x, z, q[Q_X], q[Q_Z]);
  return met.charged <= q[Q_CREDIT];
}

/** Moves the entity, which walks no more and is settled, to where `meet` found it could. */
export function commitMeet(scene: Scene, f: Float64Array, o: number): void {
  const { q, rules } = scene;
  charge(f, o, met.charged);
  f[o + OPEN] = met.open;
  q[Q_CHARGED] = met.charged;
  if (met.clear) payClear(f, o, met.charged, q[Q_RATE]);
  else payWalk(f, o, q, rules.wayRoundSlackMs);
  f[o + X] = q[Q_X];
  f[o + Y] = q[Q_Y];
  f[o + Z] = q[Q_Z];
  f[o + FLOOR] = met.floor;
  f[o + POLYGON] = met.polygon;
  f[o + OFF] = met.off;
  f[o + ANCHOR_X] = met.x;
  f[o + ANCHOR_Z] = met.z;
  beginTrail(f, o, f[o + X], f[o + Y], f[o + Z]);
  touchGround(f, o, q[Q_T], scene.level(f[o + Y]));
}

/**
 * A move claims a position, and the walk has already passed the point of its path nearest to that: q gets this point as
 * where the entity is from, and in Q_BACK how many metres the walk is taken back. After `onPath`; commits nothing.
 */
export function takeBack(scene: Scene, f: Float64Array, o: number): void {
  const { q } = scene;
  q[Q_BACK] = 0;
  const path = scene.ledger.paths[o / STRIDE];
  if (path === undefined || leg.link >= 0 || !(f[o + PATH_RATE] > 0)) return;
  const t = q[Q_T];
  const walked = walkedAt(f, o, t);
  const most = f[o + PATH_RATE] * backAt(f, o, t, scene.terms);
  const least = Math.max(0, walked - most);
  const along = nearestAlong(path, f[o + PATH_CORNERS], least, walked, q[Q_X], q[Q_Z]);
  if (!(along < walked)) return;
  const x = q[Q_FROM_X];
  const floor = q[Q_FLOOR];
  const z = q[Q_FROM_Z];
  const polygon = q[Q_POLYGON];
  onPath(scene, f, o, f[o + PATH_T] + (along - f[o + PATH_DONE]) / f[o + PATH_RATE]);
  if (leg.link < 0) {
    q[Q_BACK] = walked - along;
    return;
  }
  // links are not taken back
  leg.link = -1;
  q[Q_FROM_X] = x;
  q[Q_FLOOR] = floor;
  q[Q_FROM_Z] = z;
  q[Q_POLYGON] = polygon;
}
