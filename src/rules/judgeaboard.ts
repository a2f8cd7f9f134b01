// A client's word: "I stand on that carrier, there." Imported by guard.ts.
//
// The word buys nothing. On a carrier that exists, and that the entity stands on already, the offset is judged as a move on
// it. Else it has to have got there: a walk over the mesh to the carrier's edge, a step, and the rest on the deck, within the
// credit, at a height that a step, a jump or a fall explains, with the carrier where its client can have seen it. Entities
// that carry others are carriers by the server's word only.
import { NONE, S_CLEAR, S_UNDECIDED, S_WALK } from '../../assembly/layout.ts';
import { Reason } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { highest, lowest } from './air.ts';
import { accept, ignore } from './answer.ts';
import { judgeBlocked } from './blocked.ts';
import { board, follow, poseUnder } from './carried.ts';
import type { Carrier } from './carriers.ts';
import { obey } from './corrections.ts';
import { charge, settle, weigh, windowMs } from './credit.ts';
import { openedFor } from './doors.ts';
import { insideShare } from './footprint.ts';
import { isHeld, judgeHeld, lateMs } from './gate.ts';
import {
  Q_BUDGET,
  Q_CHARGED,
  Q_CREDIT,
  Q_FLOOR,
  Q_FROM_X,
  Q_FROM_Y,
  Q_FROM_Z,
  Q_NODES,
  Q_POLYGON,
  Q_RATE,
  Q_START_X,
  Q_START_Z,
  Q_STRAIGHT,
  Q_T,
  Q_X,
  Q_Y,
  Q_Z,
} from './hand.ts';
import { beginCarried } from './judgecarried.ts';
import { isOnDeck, judgeDeck, offsetAt } from './judgedeck.ts';
import { fromPath } from './judgemove.ts';
import {
  AIRBORNE,
  ANCHOR_X,
  ANCHOR_Z,
  ATTACHED,
  BY_WORD,
  FLAGS,
  FLYING,
  GROUND_T,
  GROUND_Y,
  LAUNCH,
  METRES,
  OFF,
  OPEN,
  POLYGON,
  RTT,
  WALKING,
  X,
  Z,
} from './ledger.ts';
import { ROUNDING } from './plain.ts';
import { POSE, toLocal, toWorld } from './pose.ts';
import { ask } from './probe.ts';
import { refuse } from './refuse.ts';
import { planDistance, type Scene } from './scene.ts';
import { capAt, spendNodes } from './search.ts';
import { movedSince, seenFrom } from './seen.ts';
import { gapOf, meshBeside } from './stepoff.ts';
import { payClear, payWalk, slackAt } from './wayround.ts';

const LOWER = 1;
const UPPER = 2;

const to = new Float64Array(3);
const pose = new Float64Array(POSE);
const world = new Float64Array(3);
const here = new Float64Array(3);
const start = new Float64Array(3);
const middle = new Float64Array(3);
const best = new Float64Array(POSE);

/** Judges the claim at hand, of an entity that says it stands on the carrier `label` at `offset` (metres on the carrier). */
export function judgeAboard(
  scene: Scene,
  f: Float64Array,
  o: number,
  label: string | number,
  offset: Float64Array,
): Verdict {
  if (scene.changes.closed === 0) return judgeWord(scene, f, o, label, offset);
  return openedFor(scene, f, o, () => judgeWord(scene, f, o, label, offset));
}

function judgeWord(scene: Scene, f: Float64Array, o: number, label: string | number, offset: Float64Array): Verdict {
  const { q, carriers } = scene;
  const t = q[Q_T];
  const attached = (f[o + FLAGS] & ATTACHED) !== 0;
  if (attached) follow(scene, f, o, t, true);
  const under = carriers.under(o);
  const same = under !== undefined && String(under.label) === String(label);
  const carrier = same ? under : carriers.get(label);
  if ((f[o + FLAGS] & WALKING) === 0) {
    q[Q_POLYGON] = f[o + POLYGON];
    q[Q_START_X] = f[o + OFF] > 0 ? f[o + ANCHOR_X] : f[o + X];
    q[Q_START_Z] = f[o + OFF] > 0 ? f[o + ANCHOR_Z] : f[o + Z];
  }
  const settled = beginCarried(scene, f, o);
  if (settled !== null) return settled;
  if ((f[o + FLAGS] & WALKING) !== 0) {
    fromPath(scene, f, o);
    q[Q_FROM_Y] = q[Q_FLOOR] + scene.rules.yOffset;
    q[Q_STRAIGHT] = planDistance(q[Q_FROM_X], q[Q_FROM_Z], q[Q_X], q[Q_Z]);
    weigh(f, o, q, scene.terms);
  }
  if (!attached && isHeld(f[o + FLAGS])) {
    const held = judgeHeld(scene, f, o);
    if (held !== null) return held;
  }
  if (carrier === undefined) {
    // it went, and the client has not heard of it yet
    const late = f[o + RTT] + lateMs(scene, f, o);
    if (t - carriers.goneAt(label) <= late) return ignore(scene, f, o, Reason.Stale, q[Q_STRAIGHT]);
    return refuse(scene, f, o, Reason.TargetNotOnNavMesh, NaN, NaN);
  }
  const away = disagreement(scene, f, o, carrier, offset);
  const room = roomFor(scene, f, o, carrier, offset, same);
  if (away > room) {
    const reason = away > scene.rules.teleportDistance ? Reason.Teleport : Reason.SpeedLimit;
    return refuse(scene, f, o, reason, away, room);
  }
  to.set(offset);
  if (!same) return judgeBoarding(scene, f, o, carrier);
  const verdict = judgeDeck(scene, f, o, carrier, to);
  // from now on it names its carrier: naming none says that it has left it
  if (verdict.accepted && (f[o + FLAGS] & ATTACHED) !== 0) f[o + FLAGS] = f[o + FLAGS] | BY_WORD;
  return verdict;
}

/** From the claimed position to the place on the carrier that it names, metres. */
function disagreement(scene: Scene, _f: Float64Array, _o: number, carrier: Carrier, offset: Float64Array): number {
  const { q } = scene;
  poseUnder(scene, carrier, q[Q_T], false, pose);
  toWorld(pose, offset, world);
  const dx = world[0] - q[Q_X];
  const dy = scene.flat ? 0 : world[1] - q[Q_Y];
  const dz = world[2] - q[Q_Z];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** How far apart the two may be, metres: what the carrier has moved while the claim was on its way, and a body's rounding. */
function roomFor(
  scene: Scene,
  f: Float64Array,
  o: number,
  carrier: Carrier,
  offset: Float64Array,
  same: boolean,
): number {
  const since = seenFrom(scene, f, o);
  const moved = movedSince(carrier, same ? since : Math.max(since, carrier.since), scene.q[Q_T], offset);
  return moved + scene.edge + scene.ground;
}

/** The claim at hand as a way onto a carrier that the entity does not stand on; `to` is the place on it. */
function judgeBoarding(scene: Scene, f: Float64Array, o: number, carrier: Carrier): Verdict {
  const { q, rules } = scene;
  const t = q[Q_T];
  const credit = q[Q_CREDIT];
  here[0] = q[Q_FROM_X];
  here[1] = q[Q_FROM_Y];
  here[2] = q[Q_FROM_Z];
  // where the client saw the carrier when it stepped on: what it told since, never before a jump
  nearestPose(scene, f, o, carrier);
  toWorld(best, to, world);
  const straight = planDistance(here[0], here[2], world[0], world[2]);
  q[Q_STRAIGHT] = straight;
  toLocal(best, here, start);
  if (!isOnDeck(scene, carrier, to, to) || !isInside(scene, carrier)) {
    return refuse(scene, f, o, Reason.TargetNotOnNavMesh, NaN, NaN);
  }
  if (straight > credit + ROUNDING) {
    const reason = straight > rules.teleportDistance ? Reason.Teleport : Reason.SpeedLimit;
    return refuse(scene, f, o, reason, straight, credit, straight, LOWER);
  }
  const fault = heightFault(scene, f, o);
  if (fault !== 0) return refuse(scene, f, o, Reason.Airborne, Math.abs(fault), scene.above);

  const walk = wayTo(scene, f, o, carrier);
  if (way.reason !== Reason.Accept) return refuse(scene, f, o, way.reason, walk, walk === walk ? q[Q_BUDGET] : NaN);
  const length = Math.max(straight, walk - 2 * scene.grain);
  if (length > credit + ROUNDING) return refuse(scene, f, o, Reason.SpeedLimit, length, credit);
  settle(f, o, t, scene.terms);
  charge(f, o, length);
  q[Q_CHARGED] = length;
  if (length > straight + ROUNDING) payWalk(f, o, q, rules.wayRoundSlackMs);
  else payClear(f, o, length, q[Q_RATE]);
  f[o + METRES] += length;
  board(scene, f, o, t, carrier, to[0], to[1], to[2], true);
  obey(f, o, t, rules.scoreHalfLifeMs);
  return accept(scene, f, o, straight, length, UPPER, length, credit);
}

/** Whether `to` is on the carrier but for nothing: nobody gets on outside of it. */
function isInside(scene: Scene, carrier: Carrier): boolean {
  middle.fill(0);
  middle[0] = (carrier.footprint.minX + carrier.footprint.maxX) / 2;
  middle[1] = (carrier.footprint.minY + carrier.footprint.maxY) / 2 + scene.rules.yOffset;
  middle[2] = (carrier.footprint.minZ + carrier.footprint.maxZ) / 2;
  return isOnDeck(scene, carrier, middle, to);
}

/** Of the poses that the client can have seen, that which puts `to` nearest to where the entity stands, to `best`. */
function nearestPose(scene: Scene, f: Float64Array, o: number, carrier: Carrier): void {
  let least = Infinity;
  for (let k = carrier.firstSince(Math.max(seenFrom(scene, f, o), carrier.since)); k < carrier.count; k++) {
    carrier.pose(k, pose);
    toWorld(pose, to, world);
    const dx = world[0] - here[0];
    const dy = scene.flat ? 0 : world[1] - here[1];
    const dz = world[2] - here[2];
    const square = dx * dx + dy * dy + dz * dz;
    if (!(square < least)) continue;
    least = square;
    best.set(pose);
  }
}

/** Metres by which `to` is higher or lower than a step, a jump or a fall from the last ground leads to; 0 when it is not. */
function heightFault(scene: Scene, f: Float64Array, o: number): number {
  const { q, rules } = scene;
  if (scene.flat || (f[o + FLAGS] & FLYING) !== 0) return 0;
  const t = q[Q_T];
  // on a carrier the last ground is told in its coordinates
  const level = scene.level(world[1]);
  const carried = (f[o + FLAGS] & ATTACHED) !== 0;
  const ground = carried ? scene.level(q[Q_FROM_Y]) : f[o + GROUND_Y];
  const ms = t - f[o + GROUND_T];
  const jitter = windowMs(f, o, t, scene.terms);
  const v0 = scene.jumpSpeed + f[o + LAUNCH];
  const height = level - ground;
  // who is not in the air may jump now
  const flies = (f[o + FLAGS] & AIRBORNE) !== 0;
  const up = highest(flies ? ms : 0, jitter, v0, rules.gravity, rules.fallSpeedMax);
  const down = lowest(ms, jitter, rules.gravity, rules.fallSpeedMax);
  return height > up ? height - up : height < down ? height - down : 0;
}

const way: { reason: Verdict['reasonCode'] } = { reason: Reason.Accept };

/** Metres of the way to `to`, by the mesh to the carrier's edge (NaN = unknown); `way.reason` says what is wrong with it. */
function wayTo(scene: Scene, f: Float64Array, o: number, carrier: Carrier): number {
  const { q, rules, kernel } = scene;
  const gap = gapOf(scene, carrier);
  const straight = q[Q_STRAIGHT];
  way.reason = Reason.Accept;
  // where the straight way comes onto the deck, and the metres behind it
  const share = insideShare(carrier.footprint, to[0], to[2], start[0], start[2]);
  middle[0] = to[0] + share * (start[0] - to[0]);
  middle[1] = to[1];
  middle[2] = to[2] + share * (start[2] - to[2]);
  const onDeck = planDistance(middle[0], middle[2], to[0], to[2]);
  toWorld(best, middle, middle);
  if ((f[o + FLAGS] & FLYING) !== 0) return straight;
  let fromX = q[Q_START_X];
  let fromZ = q[Q_START_Z];
  let fromY = q[Q_FLOOR] + scene.middle;
  let polygon = q[Q_POLYGON];
  let before = 0;
  const under = scene.carriers.under(o);
  if (under !== undefined || polygon === NONE) {
    // off another carrier, at its edge; or off nothing
    if (under !== undefined) before = leaveAt(scene, f, o, under);
    else start.set(here);
    if (planDistance(start[0], start[2], middle[0], middle[2]) <= gap) return straight;
    polygon = meshBeside(scene, start[0], scene.level(start[1]), start[2], gap);
    if (polygon === NONE) {
      way.reason = Reason.TargetNotOnNavMesh;
      return NaN;
    }
    [fromX, fromY, fromZ] = [kernel.output[0], kernel.output[1] + scene.middle, kernel.output[2]];
  }
  const ms = f[o + OPEN] + slackAt(f, o, q[Q_T], rules.wayRoundSlackMs);
  q[Q_BUDGET] = Math.min(ms * q[Q_RATE], q[Q_CREDIT]) + 2 * scene.grain;
  q[Q_NODES] = capAt(f, o, q[Q_T], rules.searchNodesPerSecond, rules.nodeCap);
  const left = q[Q_BUDGET] - before - onDeck;
  // the mesh beside the edge: at the deck's height, else within a jump of the floor that it comes from
  const level = scene.level(middle[1]);
  let target = meshBeside(scene, middle[0], level, middle[2], gap);
  if (target === NONE) target = meshBeside(scene, middle[0], fromY, middle[2], gap);
  if (target === NONE) {
    way.reason = Reason.Wall;
    return NaN;
  }
  const [x, y, z] = [kernel.output[0], kernel.output[1] + scene.middle, kernel.output[2]];
  const { below, above, edge } = scene;
  ask(kernel, fromX, fromY, fromZ, x, y, z, below, above, edge, Math.max(0, left), q[Q_NODES]);
  const status = kernel.reach(polygon, NONE) >>> 0;
  const out = kernel.output;
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, out[13]);
  if (status === S_CLEAR) return straight;
  if (status === S_WALK) return before + out[1] + onDeck;
  way.reason = status === S_UNDECIDED ? Reason.Undecided : judgeBlocked(status);
  return NaN;
}

/** Where the straight way to the claim leaves the carrier that the entity stands on, to `start`; returns the metres to there. */
function leaveAt(scene: Scene, f: Float64Array, o: number, under: Carrier): number {
  poseUnder(scene, under, scene.q[Q_T], false, pose);
  offsetAt(f, o, start);
  const [x, y, z] = start;
  toLocal(pose, world, start);
  const share = insideShare(under.footprint, x, z, start[0], start[2]);
  const metres = share * planDistance(x, z, start[0], start[2]);
  start[0] = x + share * (start[0] - x);
  start[1] = y;
  start[2] = z + share * (start[2] - z);
  toWorld(pose, start, start);
  return metres;
}
