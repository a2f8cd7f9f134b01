// Checks 4 to 12 for a well-formed move whose number is used up: facts from the kernel, then the verdict. The hot path is
// `judgeMove` with one `reach`; everything rare is in the functions below it and in other files. Imported by guard.ts.
import {
  FLOOR_ONLY,
  NONE,
  S_CLEAR,
  S_FROM_OFF,
  S_OUT_OF_RANGE,
  S_TO_OFF,
  S_UNDECIDED,
  S_UNREACHABLE,
  S_WALK,
} from '../../assembly/layout.ts';
import { Reason, VerdictKind } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { accept, answer, answerScore, ignore } from './answer.ts';
import { FROM_MS, takeBack } from './apart.ts';
import { judgeBlocked } from './blocked.ts';
import { leastWay } from './climb.ts';
import { agePut, returnToPut } from './confirm.ts';
import { isUnheard, notePending, obey, unseenAt } from './corrections.ts';
import { chargeAt, pathEndTime, weigh } from './credit.ts';
import { enterLink } from './crosslink.ts';
import { isJoined, onGroundAsHeard, openedFor } from './doors.ts';
import {
  DOWN,
  fallByWalk,
  fallFrom,
  fallTo,
  landing,
  landOnTarget,
  ledge,
  NO_FALL,
  RIM,
  walkToLedge,
} from './falls.ts';
import { isHeld, judgeHeld } from './gate.ts';
import { leaps, redeem } from './grants.ts';
import {
  Q_BUDGET,
  Q_CHARGED,
  Q_COST,
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
  Q_TOLERANCE,
  Q_X,
  Q_Y,
  Q_Z,
} from './hand.ts';
import { judgeAir } from './judgeair.ts';
import { judgeCarried } from './judgecarried.ts';
import { BEYOND, brink, findGap, isSunk, NO_GAP } from './judgegap.ts';
import { judgeOnLink } from './judgelink.ts';
import {
  AIRBORNE,
  ANCHOR_X,
  ANCHOR_Z,
  ATTACHED,
  FLAGS,
  FLOOR,
  FLYING,
  GRANTED,
  GROUND_T,
  GROUND_Y,
  LAUNCH,
  LEDGE,
  LINK,
  LINK_SHARE,
  NODES,
  NODES_T,
  OFF,
  ON_LINK,
  OPEN,
  OVER_GAP,
  OVER_LEDGE,
  PENDING,
  PLACED_OFF,
  POLYGON,
  RTT,
  SLACK,
  SLACK_T,
  UNCONFIRMED,
  WALKING,
  X,
  Y,
  Z,
} from './ledger.ts';
import { factorOf, type Mud } from './mud.ts';
import { endWalk, GRID_ERROR, leg, noteOff, onPath, placeAt, touchGround, weighTolerance } from './places.ts';
import { acceptPlain, ROUNDING } from './plain.ts';
import { ask, DEEP, locate, NOWHERE, standing } from './probe.ts';
import { isDefiant, refuse } from './refuse.ts';
import { planDistance, type Scene, SKY } from './scene.ts';
import { capAt, MOVE_NODES, nodesAt, spendNodes } from './search.ts';
import { addEvidence, excess, LAYER_SPEED, LAYER_WALL } from './suspicion.ts';
import { pullTrail, weighTrail } from './trail.ts';
import { V_ALLOWED, V_LENGTH, V_STRAIGHT, V_USED, V_X, V_Y, V_Z } from './verdict.ts';
import { payClear, payWalk } from './wayround.ts';

/** What a length is, as BOUND_WORDS counts. */
const EXACT = 0;
const LOWER = 1;
/** Two floors differ by more than this in height, metres. */
const STOREY = 0.1;
/** What an accepted claim adds that could not be searched because the allowance was gone, and one that fell. */
const EVIDENCE_UNSEARCHED = 0.25;
const EVIDENCE_FALL = 0.05;

/** Judges the claim at hand (q: time and claimed position). Nothing of the entity changes before it is accepted. */
export function judgeMove(scene: Scene, f: Float64Array, o: number): Verdict {
  return scene.plain && acceptPlain(scene, f, o) ? scene.verdict : judgeAnyMove(scene, f, o);
}

/** The same for every move: what plain.ts does not know, and what it is held against. */
export function judgeAnyMove(scene: Scene, f: Float64Array, o: number): Verdict {
  if (scene.mud !== null && scene.changes.isSlowedUnheard(f, o, scene.q[Q_T])) return judgeBeforeMud(scene, f, o);
  return scene.changes.closed > 0 ? judgeByDoors(scene, f, o) : judgeFreeMove(scene, f, o);
}

/** Ground was slowed down a moment ago: as fast for this claim as its client can have known it. */
function judgeBeforeMud(scene: Scene, f: Float64Array, o: number): Verdict {
  return onGroundAsHeard(scene, f, o, () =>
    scene.changes.closed > 0 ? judgeByDoors(scene, f, o) : judgeFreeMove(scene, f, o),
  );
}

/** A function of its own: whatever closes over a caller's arguments makes each of its calls allocate. */
function judgeByDoors(scene: Scene, f: Float64Array, o: number): Verdict {
  return openedFor(scene, f, o, () => judgeFreeMove(scene, f, o));
}

function judgeFreeMove(scene: Scene, f: Float64Array, o: number): Verdict {
  const { q, rules, extent, terms, kernel } = scene;
  const flags = f[o + FLAGS] | 0;
  if ((flags & ATTACHED) !== 0) return judgeCarried(scene, f, o, judgeFreeMove);
  const off = f[o + OFF];
  if ((flags & WALKING) === 0) {
    q[Q_POLYGON] = f[o + POLYGON];
    q[Q_FROM_X] = f[o + X];
    q[Q_FROM_Y] = f[o + Y];
    q[Q_FLOOR] = f[o + FLOOR];
    q[Q_FROM_Z] = f[o + Z];
    q[Q_START_X] = off > 0 ? f[o + ANCHOR_X] : f[o + X];
    q[Q_START_Z] = off > 0 ? f[o + ANCHOR_Z] : f[o + Z];
  } else {
    fromPath(scene, f, o);
    q[Q_FROM_Y] = q[Q_FLOOR] + rules.yOffset;
  }
  // 4 and 6: dead, rooted, or not yet arrived after a teleport
  if (isHeld(flags)) {
    const held = judgeHeld(scene, f, o);
    if (held !== null) return held;
  }

  const x = q[Q_X];
  const y = q[Q_Y];
  const z = q[Q_Z];
  const level = scene.flat ? 0 : y - rules.yOffset;
  const dx = x - q[Q_FROM_X];
  const dy = scene.flat ? 0 : y - q[Q_FROM_Y];
  const dz = z - q[Q_FROM_Z];
  const straight = Math.sqrt(dx * dx + dz * dz);
  weighTolerance(scene, f, o);
  const tolerance = q[Q_TOLERANCE];
  q[Q_STRAIGHT] = straight;
  weigh(f, o, q, terms);
  const credit = q[Q_CREDIT];
  const rate = q[Q_RATE];

  // 5: a leap to where the server said
  if ((flags & GRANTED) !== 0 && leaps(f, o, q)) {
    const granted = redeem(scene, f, o);
    if (granted !== null) return granted;
  }

  // 6: from before a correction that the client is sure to acknowledge
  if ((flags & PENDING) !== 0 && isUnheard(f, o, q[Q_T], f[o + RTT] + rules.pendingMs)) {
    const allowed = Math.max(credit, unseenAt(f, o, q[Q_T]) * rate);
    notePending(f, o, LAYER_SPEED, excess(straight, allowed));
    return ignore(scene, f, o, Reason.Stale, straight);
  }
  // or back at the place where the server put it, and farther than it can walk
  if ((flags & UNCONFIRMED) !== 0 && straight > rate * f[o + OPEN]) {
    const back = returnToPut(scene, f, o);
    if (back !== null) return back;
  }

  // 7: outside the map, in constant time
  const margin = tolerance + scene.ledge + rules.jumpGap;
  if (
    x < extent.minX - margin ||
    x > extent.maxX + margin ||
    z < extent.minZ - margin ||
    z > extent.maxZ + margin ||
    level < extent.minY - SKY ||
    level > extent.maxY + SKY
  ) {
    return refuse(scene, f, o, Reason.OutOfMap, straight, credit);
  }

  // 8: the straight line alone does not fit into the credit
  weighTrail(scene, f, o);
  const cost = q[Q_COST];
  if (cost > credit + ROUNDING) {
    const distance = Math.sqrt(straight * straight + dy * dy);
    const reason = distance > rules.teleportDistance ? Reason.Teleport : Reason.SpeedLimit;
    // a straight line is a lower bound of every walk
    return refuse(scene, f, o, reason, cost, credit, straight, LOWER);
  }
  if ((flags & FLYING) !== 0) {
    touchGround(f, o, q[Q_T], level);
    return acceptPlace(scene, f, o, cost, straight, EXACT);
  }

  // 9 and 10: one question to the kernel, under the way-round budget
  const full = rules.wayRoundSlackMs + f[o + RTT];
  const slack = Math.min(full, f[o + SLACK] + (full * (q[Q_T] - f[o + SLACK_T])) / 1000);
  const byTime = (f[o + OPEN] + slack) * rate;
  const forgiven = 2 * scene.grain;
  const budget = rules.wall === 'sight' ? 0 : Math.min(byTime, credit) + forgiven;
  const perSecond = rules.searchNodesPerSecond;
  const left = Math.min(perSecond, f[o + NODES] + (perSecond * (q[Q_T] - f[o + NODES_T])) / 1000);
  const nodes = Math.max(left, Math.min(MOVE_NODES, perSecond));
  q[Q_BUDGET] = budget;
  q[Q_NODES] = nodes < rules.nodeCap ? Math.floor(nodes) : rules.nodeCap;
  if (scene.links.count > 0) {
    const walks = (flags & WALKING) !== 0;
    if (walks && leg.link >= 0) return judgeOnLink(scene, f, o, leg.link, 0);
    if (!walks && (flags & ON_LINK) !== 0) return judgeOnLink(scene, f, o, f[o + LINK], f[o + LINK_SHARE]);
  }
  if ((flags & OVER_GAP) !== 0 && isSunk(scene, f, o) && level > scene.level(f[o + Y]) + STOREY) {
    return refuse(scene, f, o, Reason.Airborne, level - scene.level(f[o + Y]), STOREY);
  }
  if ((flags & (OVER_LEDGE | WALKING)) === OVER_LEDGE) {
    const back = judgeDriftBack(scene, f, o);
    if (back !== null) return back;
  }

  const input = kernel.input;
  input[0] = q[Q_START_X];
  // in the middle of the height band over its floor: no other storey is taken for it
  input[1] = q[Q_FLOOR] + scene.middle;
  input[2] = q[Q_START_Z];
  input[3] = x;
  input[4] = level;
  input[5] = z;
  input[6] = scene.below;
  input[7] = scene.above;
  input[8] = tolerance;
  input[9] = budget;
  input[10] = q[Q_NODES];
  const polygon = q[Q_POLYGON];
  let status = kernel.reach(polygon, polygon) >>> 0;
  const out = kernel.output;
  if (out[7] > 0 && out[7] < Infinity && level - out[5] > scene.step) status = reachAtFeet(scene, f, o, status);

  let charged = cost;
  if (status !== S_CLEAR) {
    if (out[13] > 0) {
      f[o + NODES] = Math.max(left - out[13], 0);
      f[o + NODES_T] = q[Q_T];
    }
    if (status === S_UNDECIDED) return judgeUndecided(scene, f, o);
    if (judgeBlocked(status) !== Reason.Accept) {
      return judgeNoWalk(scene, f, o, status);
    }
    if (scene.links.costly > 0 && status === S_WALK) {
      const least = leastWay(scene, f, o, polygon, polygon, true);
      if (least > budget + ROUNDING) return judgeTooHigh(scene, f, o, least);
      if (least > out[1]) {
        out[1] = least;
        out[2] = LOWER;
      }
    }
    if (out[1] - forgiven > charged) charged = out[1] - forgiven;
  }

  if (scene.mud !== null) {
    charged = slowed(scene, scene.mud, charged);
    if (charged > credit + ROUNDING) return refuse(scene, f, o, Reason.SpeedLimit, charged, credit, charged, LOWER);
  }

  // 11: hovering
  const floor = out[5];
  const targetOff = out[7];
  const height = level - floor;
  const onGround = height <= scene.ground || (targetOff > 0 && height <= scene.grain);
  if (!onGround || (flags & OVER_GAP) !== 0) {
    // back from over a gap it comes in one flight: there was no ground on the way
    const refused = judgeAir(scene, f, o, (flags & OVER_GAP) === 0 ? floor : NaN);
    if (refused !== null) return refused;
  }

  // 12: accepted
  q[Q_CHARGED] = charged;
  chargeAt(f, o, q, terms);
  pullTrail(scene, f, o);
  if ((flags & WALKING) !== 0) endWalk(f, o);
  if (status === S_CLEAR) {
    const open = rate > 0 ? f[o + OPEN] - charged / rate : 0;
    f[o + OPEN] = Math.max(open, 0);
  } else payWalk(f, o, q, rules.wayRoundSlackMs);
  f[o + X] = x;
  f[o + Y] = y;
  f[o + Z] = z;
  f[o + FLOOR] = floor;
  // who has not moved from a corner of two fans may still go on into either
  f[o + POLYGON] = polygon >= FLOOR_ONLY && polygon !== NONE && dx === 0 && dz === 0 ? polygon : out[3];
  noteOff(scene, f, o, targetOff);
  if (targetOff > 0) {
    f[o + ANCHOR_X] = out[4];
    f[o + ANCHOR_Z] = out[6];
  }
  if (onGround) {
    f[o + GROUND_Y] = level;
    f[o + GROUND_T] = q[Q_T];
    if (f[o + LAUNCH] > 0 || (flags & AIRBORNE) !== 0) touchGround(f, o, q[Q_T], level);
  } else if ((flags & OVER_LEDGE) !== 0) sinkBelowLedge(scene, f, o);
  if ((flags & (PENDING | UNCONFIRMED)) !== 0) {
    obey(f, o, q[Q_T], rules.scoreHalfLifeMs);
    agePut(f, o, q[Q_T]);
  }
  const { verdict } = scene;
  verdict.verdictCode = VerdictKind.accept;
  verdict.reasonCode = Reason.Accept;
  verdict.detail = '';
  verdict.correction = 0;
  verdict.snapped = false;
  verdict.boundCode = out[2];
  const { n } = verdict;
  n[V_STRAIGHT] = straight;
  n[V_LENGTH] = status === S_CLEAR ? straight : out[1];
  n[V_USED] = charged;
  n[V_ALLOWED] = credit;
  n[V_X] = x;
  n[V_Y] = y;
  n[V_Z] = z;
  return answerScore(scene, f, o);
}

/** What the move whose `reach` stands in the kernel's output costs on slow ground, metres. */
function slowed(scene: Scene, mud: Mud, charged: number): number {
  const { output: out } = scene.kernel;
  const { edge } = scene;
  const factor = factorOf(out[16], out[1]);
  if (factor === 1) return charged;
  // on a seam it may be on either side
  const deep = mud.isDeep(out[3], out[4], out[6], edge) || mud.isDeep(out[8], out[9], out[11], edge);
  return deep ? charged * factor : charged;
}

/**
 * Beside a ledge the mesh nearest in the plan may be that of the floor below, and who stands on the rim would hover over it.
 * The floor at the height of the feet comes first, when it can be walked to; else the answer is as it was (`status`).
 */
function reachAtFeet(scene: Scene, f: Float64Array, o: number, status: number): number {
  const { q, rules, kernel } = scene;
  const { input, output: out } = kernel;
  const polygon = q[Q_POLYGON];
  const middle = input[1];
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, out[13]);
  input[1] = q[Q_FLOOR];
  input[7] = scene.step;
  const other = out[5];
  const height = scene.level(q[Q_Y]) - other;
  // the ledge's own people may be as far out as the strip is wide that erosion took
  if (q[Q_FLOOR] - other > scene.step && scene.ledge > input[8]) input[8] = scene.ledge;
  const atFeet = kernel.reach(polygon, polygon) >>> 0;
  if (atFeet === S_CLEAR || (atFeet === S_WALK && (status !== S_CLEAR || height > scene.ground))) return atFeet;
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, out[13]);
  input[1] = middle;
  input[7] = scene.above;
  input[8] = q[Q_TOLERANCE];
  // the same question again: its answer stood where the other now stands
  return kernel.reach(polygon, polygon) >>> 0 === status ? status : S_UNDECIDED;
}

/** Judges from the point of the path that the entity has come to. */
export function fromPath(scene: Scene, f: Float64Array, o: number): void {
  const { q } = scene;
  onPath(scene, f, o, q[Q_T]);
  takeBack(scene, f, o);
  q[Q_START_X] = q[Q_FROM_X];
  q[Q_START_Z] = q[Q_FROM_Z];
  // while it walks, the server knows where the client's time went
  const unseen = Math.max(0, q[Q_T] - pathEndTime(f, o)) + FROM_MS + f[o + RTT];
  if (f[o + OPEN] > unseen) f[o + OPEN] = unseen;
}

/**
 * Commits the claim at hand to wherever `standing` finds it: for entities that floors and walls do not bind, and those
 * that could not be searched.
 */
function acceptPlace(
  scene: Scene,
  f: Float64Array,
  o: number,
  charged: number,
  length: number,
  bound: number,
): Verdict {
  const { q } = scene;
  const straight = q[Q_STRAIGHT];
  const credit = q[Q_CREDIT];
  const rate = q[Q_RATE];
  q[Q_CHARGED] = charged;
  chargeAt(f, o, q, scene.terms);
  pullTrail(scene, f, o);
  endWalk(f, o);
  payClear(f, o, charged, rate);
  placeAt(scene, f, o, q[Q_X], q[Q_Y], q[Q_Z]);
  obey(f, o, q[Q_T], scene.rules.scoreHalfLifeMs);
  agePut(f, o, q[Q_T]);
  return accept(scene, f, o, straight, length, bound, charged, credit);
}

/** A search cap was reached and the bound is still inside: accepted, and marked. */
function judgeUndecided(scene: Scene, f: Float64Array, o: number): Verdict {
  const { q, rules } = scene;
  const starved = q[Q_NODES] < rules.nodeCap;
  if (rules.wall === 'sight') return refuse(scene, f, o, Reason.Wall, NaN, NaN);
  // who has just been refused may not use up the search allowance to get through unsearched
  if (starved && isDefiant(f, o)) return refuse(scene, f, o, Reason.Undecided, NaN, NaN);
  landOnTarget(scene);
  const refused = acceptLanding(scene, f, o);
  if (refused !== null) return refused;
  // an honest player does not use up the search allowance
  if (starved) addEvidence(f, o, q[Q_T], LAYER_WALL, EVIDENCE_UNSEARCHED, rules.scoreHalfLifeMs);
  const straight = q[Q_STRAIGHT];
  return answer(scene, f, o, VerdictKind.undecided, Reason.Undecided, straight, NaN, -1, q[Q_COST], q[Q_CREDIT]);
}

/**
 * Commits the claim at hand, the entity belonging to `landing`; null when done, a refusal when no flight explains its
 * height (who lands must have had the time to fall).
 */
function acceptLanding(scene: Scene, f: Float64Array, o: number): Verdict | null {
  const { q } = scene;
  const level = scene.level(q[Q_Y]);
  const off = f[o + OFF];
  const onGround = level - landing.floor <= scene.ground;
  const sinks = level < f[o + GROUND_Y];
  const overGap = (f[o + FLAGS] & OVER_GAP) !== 0;
  if (!onGround || sinks || overGap) {
    const refused = judgeAir(scene, f, o, overGap ? NaN : landing.floor);
    if (refused !== null) return refused;
  }
  const over = f[o + FLAGS] & OVER_LEDGE;
  acceptPlace(scene, f, o, q[Q_COST], NaN, -1);
  f[o + POLYGON] = landing.polygon;
  f[o + FLOOR] = landing.floor;
  f[o + OFF] = landing.off > scene.edge && landing.off > off && off > scene.edge ? off : landing.off;
  if (landing.off === 0) f[o + FLAGS] = f[o + FLAGS] & ~PLACED_OFF;
  f[o + ANCHOR_X] = landing.x;
  f[o + ANCHOR_Z] = landing.z;
  if (onGround) touchGround(f, o, q[Q_T], level);
  else if (over !== 0) {
    f[o + FLAGS] = f[o + FLAGS] | OVER_LEDGE;
    sinkBelowLedge(scene, f, o);
  }
  return null;
}

/** Whose feet are below the ledge does not come back onto it. */
function sinkBelowLedge(scene: Scene, f: Float64Array, o: number): void {
  if (scene.level(f[o + Y]) < f[o + LEDGE + 1] - scene.below) f[o + FLAGS] = f[o + FLAGS] & ~OVER_LEDGE;
}

/**
 * Who stepped off a ledge and is not below it yet belongs to the floor below, but may drift back: the claim is on the
 * floor above, a walk from the ledge away, within one flight. Null when it is not there.
 */
function judgeDriftBack(scene: Scene, f: Float64Array, o: number): Verdict | null {
  const { q, rules, kernel } = scene;
  const level = scene.level(q[Q_Y]);
  const x = f[o + LEDGE];
  const y = f[o + LEDGE + 1];
  const z = f[o + LEDGE + 2];
  if (level < y - scene.below) return null;
  // the way out along the ledge is paid already
  const budget = q[Q_BUDGET] + planDistance(x, z, q[Q_FROM_X], q[Q_FROM_Z]);
  const cap = capAt(f, o, q[Q_T], rules.searchNodesPerSecond, rules.nodeCap);
  const { middle, edge } = scene;
  ask(kernel, x, y + middle, z, q[Q_X], level, q[Q_Z], scene.below, scene.above, edge, budget, cap);
  const status = kernel.reach(f[o + LEDGE + 3], NONE) >>> 0;
  const out = kernel.output;
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, out[13]);
  if (status !== S_CLEAR && status !== S_WALK) return null;
  landOnTarget(scene);
  // one flight only: landing below and jumping up again does not lead here
  const refused = judgeAir(scene, f, o, NaN);
  if (refused !== null) return refused;
  return acceptLanding(scene, f, o) ?? scene.verdict;
}

/** The same for who is over the strip between the ledge and the floor below, too far from that one. */
function driftsOntoRim(scene: Scene, f: Float64Array, o: number): boolean {
  const { q } = scene;
  if ((f[o + FLAGS] & (OVER_LEDGE | WALKING)) !== OVER_LEDGE) return false;
  const x = f[o + LEDGE];
  const y = f[o + LEDGE + 1];
  const z = f[o + LEDGE + 2];
  const level = scene.level(q[Q_Y]);
  if (level < y - scene.below) return false;
  const budget = q[Q_BUDGET] + planDistance(x, z, q[Q_FROM_X], q[Q_FROM_Z]);
  const above = Math.max(0, level - y) + scene.ground;
  return walkToLedge(scene, f, o, x, y, z, f[o + LEDGE + 3], budget, above) && fallFrom(scene) === RIM;
}

/** No walk fits, or an end is off the mesh: a fall, or which reason, and with what numbers. */
function judgeNoWalk(scene: Scene, f: Float64Array, o: number, status: number): Verdict {
  const { q, rules, kernel } = scene;
  const out = kernel.output;
  const straight = q[Q_STRAIGHT];
  const budget = q[Q_BUDGET];
  if (status === S_OUT_OF_RANGE) return refuse(scene, f, o, Reason.OutOfMap, straight, q[Q_CREDIT]);
  if (status === S_FROM_OFF) return judgeFromNowhere(scene, f, o);
  // (asked now, for what stands in the output goes)
  const joined = status === S_UNREACHABLE && scene.changes.closed > 0 && isJoined(kernel, out[8], out[3]);
  // off the mesh of its own floor, or beside a floor that it passes on its way down
  if (out[7] > 0 && isOverOwnFloor(scene)) {
    landOnTarget(scene);
    return acceptLanding(scene, f, o) ?? scene.verdict;
  }
  if (out[7] < Infinity && isBesideOwnFloor(scene)) return acceptLanding(scene, f, o) ?? scene.verdict;
  // before a fall: who is on its way over a link has not left its floor
  const crossing = enterLink(scene, f, o);
  if (crossing !== null) return crossing;
  // before a fall: of who jumps over a gap with a floor deep in it; after it: of who falls into one without
  const fallen = judgeGap(scene, f, o, false) ?? judgeFall(scene, f, o) ?? judgeGap(scene, f, o, true);
  if (fallen !== null) return fallen;
  if (status === S_TO_OFF) return refuseOffMesh(scene, f, o);
  if (rules.wall === 'sight') return refuse(scene, f, o, Reason.Wall, NaN, NaN);
  const reason = judgeBlocked(status, joined && leadsWhenOpen(scene, f, o));
  if (reason === Reason.PathPartial) return refuse(scene, f, o, reason, NaN, NaN);
  // Within the budget there is none: how long is the way round? For the report and the score only, so it lives on what
  // judging is sure not to need.
  const perSecond = rules.searchNodesPerSecond;
  const spare = Math.min(rules.nodeCap, Math.floor(nodesAt(f, o, q[Q_T], perSecond) - perSecond / 2));
  if (spare <= 0) return refuse(scene, f, o, Reason.Wall, NaN, budget);
  askFromHere(scene, q[Q_X], scene.level(q[Q_Y]), q[Q_Z], Infinity, spare);
  const walk = kernel.shortest(q[Q_POLYGON]) >>> 0;
  const length = out[0];
  spendNodes(f, o, q[Q_T], perSecond, out[2]);
  if (walk === S_WALK) return refuse(scene, f, o, Reason.Wall, length, budget, length, EXACT);
  if (!(length < Infinity)) return refuse(scene, f, o, Reason.Wall, NaN, budget);
  // cut short: at least this long
  return refuse(scene, f, o, Reason.Wall, Math.max(length, budget), budget, Math.max(length, budget), LOWER);
}

/** Whether with every door open there may be a walk to the claim at hand. */
function leadsWhenOpen(scene: Scene, f: Float64Array, o: number): boolean {
  const { q, kernel, changes, rules } = scene;
  const cap = capAt(f, o, q[Q_T], rules.searchNodesPerSecond, rules.nodeCap);
  askFromHere(scene, q[Q_X], scene.level(q[Q_Y]), q[Q_Z], Infinity, cap);
  const status = changes.asIfOpen(kernel, () => kernel.shortest(q[Q_POLYGON]) >>> 0);
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, kernel.output[2]);
  return status !== S_UNREACHABLE;
}

/** Whether the floor goes on at an edge when every door is open: it is a wall then, no ledge. */
function isDoorstep(scene: Scene, edge: typeof ledge): boolean {
  return scene.changes.closed > 0 && goesOnWhenOpen(scene, edge);
}

function goesOnWhenOpen(scene: Scene, edge: typeof ledge): boolean {
  const { changes, kernel, q, below, above, middle } = scene;
  changes.asIfOpen(kernel, () => {
    const { x, y, z } = edge;
    ask(kernel, x, y + middle, z, q[Q_X], scene.level(q[Q_Y]), q[Q_Z], below, above, GRID_ERROR, 0, 0);
    kernel.ray(edge.polygon);
  });
  const out = kernel.output;
  return out[5] !== NONE && planDistance(edge.x, edge.z, out[1], out[3]) > GRID_ERROR;
}

/** The claim at hand as a jump over a gap in the mesh, or null: see judgegap.ts. */
function judgeGap(scene: Scene, f: Float64Array, o: number, sunk: boolean): Verdict | null {
  const gap = findGap(scene, f, o, sunk);
  if (gap === NO_GAP || isDoorstep(scene, brink)) return null;
  // one flight only: there is no ground on the way
  const refused = judgeAir(scene, f, o, NaN);
  if (refused !== null) return refused;
  if (gap === BEYOND) return acceptLanding(scene, f, o) ?? scene.verdict;
  acceptPlace(scene, f, o, scene.q[Q_COST], NaN, -1);
  f[o + POLYGON] = brink.polygon;
  f[o + FLOOR] = brink.y;
  f[o + OFF] = brink.off;
  f[o + ANCHOR_X] = brink.x;
  f[o + ANCHOR_Z] = brink.z;
  f[o + FLAGS] = (f[o + FLAGS] & ~PLACED_OFF) | OVER_GAP;
  return scene.verdict;
}

/** The claim at hand as a step off a ledge, or onto its rim; null when it is none. */
function judgeFall(scene: Scene, f: Float64Array, o: number): Verdict | null {
  const { q, rules } = scene;
  const open = f[o + OPEN];
  let fall = fallTo(scene, f, o);
  const straightOn = fall !== NO_FALL;
  if (!straightOn && driftsOntoRim(scene, f, o)) {
    // one flight only, as for whoever drifts back onto the mesh
    const refused = judgeAir(scene, f, o, NaN);
    if (refused !== null) return refused;
    fall = RIM;
  } else if (!straightOn && rules.wall === 'reach') {
    fall = fallByWalk(scene, f, o, 2 * scene.grain);
  }
  if (fall === NO_FALL || isDoorstep(scene, ledge)) return null;
  const refused = acceptLanding(scene, f, o);
  if (refused !== null) return refused;
  if (!straightOn) {
    f[o + OPEN] = open;
    payWalk(f, o, q, rules.wayRoundSlackMs);
  }
  // Every step farther out on the rim is asked of the ledge anew, from its edge; what is there already may stay.
  if (fall === RIM) f[o + OFF] = landing.off;
  else if (scene.level(q[Q_Y]) - landing.floor > scene.ground && (f[o + FLAGS] & OVER_LEDGE) === 0) {
    f[o + FLAGS] = f[o + FLAGS] | OVER_LEDGE;
    f[o + LEDGE] = ledge.x;
    f[o + LEDGE + 1] = ledge.y;
    f[o + LEDGE + 2] = ledge.z;
    f[o + LEDGE + 3] = ledge.polygon;
    sinkBelowLedge(scene, f, o);
  }
  // legal, but odd when it happens again and again
  if (fall === DOWN) addEvidence(f, o, q[Q_T], LAYER_WALL, EVIDENCE_FALL, rules.scoreHalfLifeMs);
  return answerScore(scene, f, o);
}

/**
 * A walk fits into the budget by its plan length only: over a ladder it takes `least` metres. It may be a step onto the
 * ladder yet, or a fall.
 */
function judgeTooHigh(scene: Scene, f: Float64Array, o: number, least: number): Verdict {
  const other = enterLink(scene, f, o) ?? judgeFall(scene, f, o);
  return other ?? refuse(scene, f, o, Reason.Wall, least, scene.q[Q_BUDGET], least, LOWER);
}

/**
 * Whether the target, in the air above the floor that the entity belongs to, lies over it and can be walked to below:
 * it is in the air, falling or jumping. The kernel's answer stands in its output.
 */
function isOverOwnFloor(scene: Scene): boolean {
  const { q, kernel } = scene;
  if (!(scene.level(q[Q_Y]) > q[Q_FLOOR] + scene.ground)) return false;
  askFromHere(scene, q[Q_X], q[Q_FLOOR] + scene.middle, q[Q_Z], q[Q_BUDGET], q[Q_NODES]);
  const polygon = q[Q_POLYGON];
  const status = kernel.reach(polygon, polygon) >>> 0;
  return status === S_CLEAR || status === S_WALK;
}

/**
 * Between two floors the nearest in the plan may be the one that it is not on, and rounding may put a claim nearer to what
 * lies across a thin wall or a corner. Whether its own floor is nearer in height, or as near in the plan but for rounding,
 * and the straight way on it comes as near to the target as claims may be off the mesh; if so, `landing` says where. It
 * still belongs to its own side: nobody gets through a wall by this.
 */
function isBesideOwnFloor(scene: Scene): boolean {
  const { q, kernel } = scene;
  const level = scene.level(q[Q_Y]);
  const out = kernel.output;
  const other = Math.abs(level - out[5]);
  const away = out[7];
  askFromHere(scene, q[Q_X], level, q[Q_Z], 0, 0);
  kernel.ray(q[Q_POLYGON]);
  if (out[5] === NONE || out[0] >= 1) return false;
  const off = planDistance(out[1], out[3], q[Q_X], q[Q_Z]);
  const lower = Math.abs(level - out[2]) + STOREY < other;
  // through a wall both are as high: there the nearer one counts, and nobody comes farther than the middle of the wall
  if (!(lower && away > 0) && off > away + scene.rules.positionQuantum) return false;
  if (off > q[Q_TOLERANCE] || level < out[2] - scene.below || level > out[2] + scene.above) return false;
  landing.polygon = out[5];
  landing.x = out[1];
  landing.floor = out[2];
  landing.z = out[3];
  landing.off = off;
  return true;
}

/** Arguments for a question from where the entity stands. */
function askFromHere(scene: Scene, x: number, level: number, z: number, limit: number, cap: number): void {
  const { q } = scene;
  const floor = q[Q_FLOOR] + scene.middle;
  ask(
    scene.kernel,
    q[Q_START_X],
    floor,
    q[Q_START_Z],
    x,
    level,
    z,
    scene.below,
    scene.above,
    q[Q_TOLERANCE],
    limit,
    cap,
  );
}

/** The target is on no polygon: in the air over one, pressed into a wall, or nowhere. */
function refuseOffMesh(scene: Scene, f: Float64Array, o: number): Verdict {
  const { q, rules, kernel } = scene;
  const out = kernel.output;
  const x = q[Q_X];
  const z = q[Q_Z];
  const level = scene.level(q[Q_Y]);
  const tolerance = q[Q_TOLERANCE];
  if (locate(kernel, x, level, z, scene.below, DEEP, tolerance) !== NONE) {
    return refuse(scene, f, o, Reason.Airborne, level - out[1], scene.above);
  }
  const near = Math.min(NOWHERE, q[Q_STRAIGHT] + tolerance + 1);
  if (locate(kernel, x, level, z, scene.below, scene.above, near) === NONE) {
    return refuse(scene, f, o, Reason.TargetNotOnNavMesh, NaN, NaN);
  }
  const beside = out[3];
  askFromHere(
    scene,
    out[0],
    out[1],
    out[2],
    q[Q_BUDGET],
    capAt(f, o, q[Q_T], rules.searchNodesPerSecond, rules.nodeCap),
  );
  const walk = kernel.reach(q[Q_POLYGON], NONE) >>> 0;
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, out[13]);
  const reason = walk === S_CLEAR || walk === S_WALK ? Reason.Wall : Reason.TargetNotOnNavMesh;
  return refuse(scene, f, o, reason, beside, tolerance);
}

/**
 * The server put the entity where no mesh is near (or a flight ended there). Coming onto the mesh is free of walls; else
 * it may come nearer or sink, never go farther off.
 */
function judgeFromNowhere(scene: Scene, f: Float64Array, o: number): Verdict {
  const { q, kernel } = scene;
  const level = scene.level(q[Q_Y]);
  const polygon = standing(kernel, q[Q_X], level, q[Q_Z], scene.below, scene.above);
  const off = polygon === NONE ? NOWHERE : kernel.output[3];
  if (off > f[o + OFF] + GRID_ERROR && off > scene.edge) {
    return refuse(scene, f, o, Reason.TargetNotOnNavMesh, off, f[o + OFF]);
  }
  const refused = judgeAir(scene, f, o, NaN);
  if (refused !== null) return refused;
  acceptPlace(scene, f, o, q[Q_COST], NaN, -1);
  if (level - f[o + FLOOR] <= scene.ground) touchGround(f, o, q[Q_T], level);
  return scene.verdict;
}
