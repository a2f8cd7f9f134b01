// Click-to-move: whether an entity may walk where its client says, and the walk that the server then makes of it. Imported
// by guard.ts.
import { NONE, S_CLEAR, S_UNDECIDED, S_UNREACHABLE, S_WALK } from '../../assembly/layout.ts';
import { Reason, type ReasonCode, VerdictKind } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { answer, ignore, reject } from './answer.ts';
import { can, canBeAt, commitMeet, FROM_MS, isBehind, meet, met, noteSaid, noteWas } from './apart.ts';
import type { ReadBegin } from './claim.ts';
import { climbOf, leastClick, overLink, takeOff, wholeLink } from './climb.ts';
import { endPending } from './corrections.ts';
import { rateAt } from './credit.ts';
import { riseOf } from './crosslink.ts';
import { cutByLatest } from './cutwalk.ts';
import { idOf, isJoined, openedFor } from './doors.ts';
import { findFoot, goal, stance } from './foot.ts';
import { isHeld, isInFlight, judgeStale, stateReason } from './gate.ts';
import { Q_FLOOR, Q_FROM_X, Q_FROM_Z, Q_POLYGON, Q_STRAIGHT, Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import {
  ANCHOR_X,
  ANCHOR_Z,
  ANNOUNCED,
  CORNER,
  CORRECTION,
  FLAGS,
  LINK,
  OFF,
  ON_LINK,
  OVER_GAP,
  PATH_DONE,
  PATH_END,
  POLYGON,
  RTT,
  STALE,
  WALKING,
  Y,
} from './ledger.ts';
import { beside } from './links.ts';
import { endBefore, type Mud, metresMore, type Split, slowDown } from './mud.ts';
import { leaveClosed } from './oldside.ts';
import { GRID_ERROR, here, leg, stopWalk } from './places.ts';
import { ask, corners } from './probe.ts';
import { leadsWithin } from './rounded.ts';
import { planDistance, type Scene } from './scene.ts';
import { capAt, spendNodes } from './search.ts';
import { noteKept, snapTo, strategyFault, strategyOf } from './strategy.ts';
import { addEvidence, EVIDENCE_FLAT, EVIDENCE_STATE, excess, HELD_MOST, LAYER_STATE, layerOf } from './suspicion.ts';
import { windowMs } from './terms.ts';
import { layPath, startWalk } from './timeline.ts';
import { V_X, V_Y, V_Z } from './verdict.ts';

/** Below this the claimed start and the known position are one, metres. */
const SAME_POINT = 0.01;
/** Rounding of speeds, m/s, and of metres. */
const ROUNDING = 1e-9;
/** The claimed start may always be this far away, metres: positions are rounded at speed 0 too. */
const FROM_MIN = 0.1;

/** Judges a read claim whose number is used up; q holds the time. */
export function judgeBegin(scene: Scene, f: Float64Array, o: number, read: ReadBegin): Verdict {
  if (scene.changes.closed === 0) return judgeClick(scene, f, o, read);
  const verdict = openedFor(scene, f, o, () => judgeClick(scene, f, o, read));
  // it may lead where something closed a moment ago: as far as that is known to be passed in time
  if (verdict.accepted) cutByLatest(scene, f, o);
  return verdict;
}

function judgeClick(scene: Scene, f: Float64Array, o: number, read: ReadBegin): Verdict {
  const { q, rules, kernel } = scene;
  const t = q[Q_T];
  const { from, to } = read;
  const flags = f[o + FLAGS];
  const walking = (flags & WALKING) !== 0;
  here(scene, f, o, t);
  const px = q[Q_FROM_X];
  const pz = q[Q_FROM_Z];
  const straight = planDistance(px, pz, to[0], to[2]);
  q[Q_X] = from[0];
  q[Q_Y] = from[1];
  q[Q_Z] = from[2];
  q[Q_STRAIGHT] = straight;

  // 4 and 6
  const strategy = strategyOf(f, o, read.strategy);
  if (strategy === 'rotation') return judgeTurn(scene, f, o);
  if (isHeld(flags)) {
    const reason = stateReason(flags);
    if (reason !== Reason.Accept) {
      if (isInFlight(scene, f, o, reason)) return ignore(scene, f, o, reason, straight);
      return refuseBegin(scene, f, o, reason, straight, NaN, NaN, NaN);
    }
  }
  if (strategy === null) {
    addEvidence(f, o, t, LAYER_STATE, EVIDENCE_STATE, rules.scoreHalfLifeMs);
    return reject(scene, o, Reason.MoveStrategy, strategyFault(read.strategy));
  }
  if ((flags & STALE) !== 0) {
    const stale = judgeStale(scene, f, o);
    if (stale !== null) return stale;
  }

  // where the client says it stands must be near to where the server knows it to be
  const off = walking ? 0 : f[o + OFF];
  // on its way over a link it walks on from one of the link's ends
  const entered = walking ? leg.link : (flags & ON_LINK) !== 0 ? f[o + LINK] : -1;
  const { links } = scene;
  const v0 = takeOff(scene, f, o);
  const pace = Math.min(read.speed / 1000, f[o + ANNOUNCED] * scene.terms.perMs);
  if (entered >= 0) leaveAt(scene, f, o, entered, px, pz, to, 1000 * pace, v0);
  let floor = (entered >= 0 ? links.y(leaving.end) : q[Q_FLOOR]) + scene.middle;
  let polygon = entered >= 0 ? links.polygon(leaving.end) : walking ? q[Q_POLYGON] : f[o + POLYGON];
  let startX = entered >= 0 ? links.x(leaving.end) : off > 0 ? f[o + ANCHOR_X] : px;
  let startZ = entered >= 0 ? links.z(leaving.end) : off > 0 ? f[o + ANCHOR_Z] : pz;
  const rest = entered >= 0 ? leaving.rest : 0;
  const tolerance = off > scene.edge ? off + GRID_ERROR : scene.edge;
  const rate = rateAt(f, o, t, scene.terms);
  const reachable = Math.max(FROM_MIN, rate * (f[o + RTT] + FROM_MS));
  const apart = planDistance(px, pz, from[0], from[2]);
  const out = kernel.output;
  const { below, above } = scene;
  const { searchNodesPerSecond: perSecond, nodeCap } = rules;
  const fromLevel = scene.level(from[1]);
  const toLevel = scene.level(to[1]);
  const fromLink = entered >= 0 && links.holds(entered, from[0], fromLevel, from[2], below, riseOf(scene));
  const same = apart <= SAME_POINT || fromLink;
  findFoot(scene, stance, from[0], fromLevel, from[2], tolerance);
  let near = same;
  let rounded = false;
  if (!same && apart <= reachable) {
    const budget = reachable + 2 * scene.grain;
    const cap = capAt(f, o, t, perSecond, nodeCap);
    ask(kernel, startX, floor, startZ, stance.x, stance.floor, stance.z, below, above, tolerance, budget, cap);
    const status = kernel.reach(polygon, stance.polygon) >>> 0;
    spendNodes(f, o, t, perSecond, out[13]);
    near = status === S_CLEAR || status === S_WALK || status === S_UNDECIDED;
    // rounded through a wall: the way up to it is free, and comes as near as claims may be off the mesh
    if (!near) rounded = isBeside(scene, startX, floor, startZ, polygon, tolerance);
    near = near || rounded;
  }
  // Farther away the two come together when the entity has the credit for it; else it goes on from where it is, provided
  // that its client can be there. Who is behind on the entity's own way catches up with it by itself.
  let saidMs = windowMs(f, o, t, scene.terms);
  const meets = !near && entered < 0 && !isBehind(scene, f, o) && meet(scene, f, o, polygon);
  if (meets) {
    startX = met.off > 0 ? met.x : from[0];
    startZ = met.off > 0 ? met.z : from[2];
    floor = met.floor + scene.middle;
    polygon = met.polygon;
  } else if (!near) {
    if (!canBeAt(scene, f, o)) {
      if (apart <= reachable) return refuseBegin(scene, f, o, Reason.Wall, straight, NaN, NaN, NaN);
      return refuseBegin(scene, f, o, Reason.SpeedLimit, straight, NaN, apart, reachable);
    }
    saidMs = can.ms;
  }

  // the target, and the shortest way there from where the client says it stands
  findFoot(scene, goal, to[0], toLevel, to[2], scene.grain);
  if (goal.polygon === NONE) {
    return refuseBegin(scene, f, o, Reason.TargetNotOnNavMesh, straight, NaN, NaN, NaN);
  }
  const agreed = same || meets;
  ask(
    kernel,
    agreed ? startX : stance.x,
    agreed ? floor : stance.floor + scene.middle,
    agreed ? startZ : stance.z,
    goal.x,
    goal.floor,
    goal.z,
    below,
    above,
    tolerance,
    Infinity,
    capAt(f, o, t, perSecond, nodeCap),
  );
  const known = kernel.shortest(agreed ? polygon : stance.polygon) >>> 0;
  spendNodes(f, o, t, perSecond, out[2]);
  // cut short it is a lower bound: it can only acquit
  const searched = out[0] < Infinity ? out[0] : 0;
  const { mud } = scene;
  const slower = mud === null ? 0 : slowerBy(scene, mud, out[3] - out[0], agreed ? polygon : stance.polygon, read.stop);
  // Between the points that were asked about: what the claimed ones are from them counts for the client. (On a link it may
  // be ahead by as much as it is apart, on a ladder by what it has climbed more.)
  const fromEnd = planDistance(from[0], from[2], agreed ? startX : stance.x, agreed ? startZ : stance.z);
  const toEnd = planDistance(to[0], to[2], goal.x, goal.z);
  const saidRest = fromLink ? restFrom(scene, from[0], fromLevel, from[2], read.speed, v0) : 0;
  const between = fromLink ? Math.min(rest, saidRest) - apart : -fromEnd;
  let shortest = Math.max(0, searched - toEnd + between);
  if (known !== S_WALK && known !== S_UNDECIDED && !rounded) {
    return refuseBegin(scene, f, o, noWay(scene, f, o, polygon), straight, NaN, NaN, NaN);
  }
  // speed and duration as metres: how far the walk is, and how far it goes in the claimed time
  let walk = Math.max(0, shortest - read.stop);
  const inTime = (read.speed * (read.durationMs + rules.durationSlackMs)) / 1000;
  const over = walk > inTime + ROUNDING && !fromLink;
  // (who clicked before it heard of the mud reckoned without)
  const unheard = slower > 0 && scene.changes.isSlowedUnheard(f, o, t);
  const lateOnMud = slower > 0 && walk + slower > inTime + ROUNDING && !fromLink && !unheard;
  let late = over ? !leadsWithin(scene, f, o, stance, goal, inTime + read.stop) : walk > inTime + ROUNDING;
  // the server's way, from where it knows the entity to be; last, because its corners are read below
  ask(
    kernel,
    startX,
    floor,
    startZ,
    goal.x,
    goal.floor,
    goal.z,
    below,
    above,
    tolerance,
    Infinity,
    capAt(f, o, t, perSecond, nodeCap),
  );
  const status = kernel.corridor(polygon) >>> 0;
  spendNodes(f, o, t, perSecond, out[2]);
  const undecided = status === S_UNDECIDED;
  const cornered = status === S_WALK ? out[1] : 0;
  const split = mud === null || cornered < 2 ? null : splitAt(scene, mud, cornered, out[3]);
  const found = split === null ? cornered : split.speeds.length + 1;
  const plan = status === S_WALK ? out[0] + rest : NaN;
  // the corners are taken before the kernel is asked anything else
  const count = entered >= 0 ? found + 1 : found;
  const laid = new Float64Array(3 * count);
  if (found > 0) laid.set(split?.corners ?? corners(kernel, found), 3 * (count - found));
  // a path over the rest of a link begins where the link does
  if (entered >= 0) laid.set([links.x(leaving.end ^ 1), links.y(leaving.end ^ 1), links.z(leaving.end ^ 1)]);
  const climb = climbOf(scene, laid.subarray(3 * (count - found)), found, read.speed, v0, null);
  const length = plan + climb;
  const inMud = split === null ? 0 : metresMore(split);
  if (status !== S_WALK && !undecided) {
    return refuseBegin(scene, f, o, noWay(scene, f, o, polygon), straight, NaN, NaN, NaN);
  }

  if (read.speed > rate * 1000 + ROUNDING) {
    return refuseBegin(scene, f, o, Reason.SpeedLimit, straight, shortest, read.speed, rate * 1000);
  }
  // every way may lead over a ladder: asked only when it tells whether the duration is too short
  if (climb > 0 && !late && !over && known === S_WALK && length - apart - read.stop > inTime) {
    const [x, y, z] = agreed ? [startX, floor, startZ] : [stance.x, stance.floor + scene.middle, stance.z];
    const cap = capAt(f, o, t, perSecond, nodeCap);
    ask(kernel, x, y, z, goal.x, goal.floor, goal.z, below, above, tolerance, Infinity, cap);
    const least = leastClick(scene, f, o, agreed ? polygon : stance.polygon, searched, read.speed, v0);
    shortest = Math.max(shortest, least - toEnd + between);
    walk = Math.max(0, shortest - read.stop);
    late = walk > inTime + ROUNDING;
  }
  // (the server's way, from where it knows the entity to be, may acquit too)
  if (late && !(length - apart - read.stop <= inTime)) {
    return refuseBegin(scene, f, o, Reason.DurationMismatch, straight, shortest, walk, inTime);
  }
  if (lateOnMud && mud !== null && !(length + inMud - (apart + read.stop) / mud.least <= inTime)) {
    return refuseBegin(scene, f, o, Reason.DurationMismatch, straight, shortest, walk + slower, inTime);
  }
  // longer than the server's way takes: a refusal only on request
  const took = (read.speed * read.durationMs) / 1000;
  const slowest = (length + inMud) * (1 + rules.durationTolerance) + (read.speed * rules.durationSlackMs) / 1000;
  if (rules.refuseSlow && took > slowest + ROUNDING) {
    return refuseBegin(scene, f, o, Reason.DurationMismatch, straight, shortest, took, slowest);
  }

  noteKept(f, o);
  // accepted: the old walk ends here, the new one begins here, in the server's time and from the server's position
  if (undecided) {
    stopWalk(scene, f, o, t);
    if (meets) commitMeet(scene, f, o);
  } else {
    noteWas(scene, f, o);
    stopWalk(scene, f, o, t);
    if (meets) commitMeet(scene, f, o);
    const path = scene.ledger.pathOf(o, count);
    const whole = layPath(path, laid, count) + climbOf(scene, laid, count, 1000 * pace, v0, path);
    if (split !== null) slowDown(path, count, count - found, split.speeds);
    const end = split === null ? Math.max(0, whole - read.stop) : endBefore(path, count, read.stop);
    startWalk(f, o, t, count, pace, end);
    if (entered >= 0) f[o + PATH_DONE] = Math.min(leaving.along, f[o + PATH_END]);
    f[o + FLAGS] = (f[o + FLAGS] & ~(ON_LINK | OVER_GAP)) | WALKING;
    noteSaid(scene, f, o, took, saidMs);
  }
  endPending(f, o, t, rules.scoreHalfLifeMs);
  if (undecided) {
    answer(scene, f, o, VerdictKind.undecided, Reason.Undecided, straight, NaN, -1, NaN, NaN);
    // it stays where it is, a hero too
    if (strategy !== undefined) snapHere(scene, f, o);
    return scene.verdict;
  }
  answer(scene, f, o, VerdictKind.accept, Reason.Accept, straight, length, 2, walk + slower, inTime);
  if (strategy === 'hero') snapTarget(scene, f, o, count, to);
  else if (strategy !== undefined) snapHere(scene, f, o);
  return scene.verdict;
}

/** Why there is no walk to `goal`, as the question in the kernel's input asked: a door, or not even with every door open. */
function noWay(scene: Scene, f: Float64Array, o: number, polygon: number): ReasonCode {
  const { kernel, changes, rules, q } = scene;
  if (changes.closed === 0 || !isJoined(kernel, polygon, goal.polygon)) return Reason.PathPartial;
  const status = changes.asIfOpen(kernel, () => kernel.shortest(polygon) >>> 0);
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, kernel.output[2]);
  return status === S_UNREACHABLE ? Reason.PathPartial : Reason.Wall;
}

/**
 * By how many metres a click's effort exceeds its length at least; `more`: the kernel's bound for the shortest way from a
 * polygon (where the way begins) to `goal`. What `stop` leaves out at its end may have been slow.
 */
function slowerBy(scene: Scene, mud: Mud, more: number, polygon: number, stop: number): number {
  const { input } = scene.kernel;
  if (!(more > 0 && more < Infinity)) return 0;
  const { edge } = scene;
  const deep =
    mud.isDeep(idOf(goal.polygon), goal.x, goal.z, edge) || mud.isDeep(idOf(polygon), input[0], input[2], edge);
  return deep ? Math.max(0, more - stop * (1 / mud.least - 1)) : 0;
}

/** The corridor that the kernel found, cut where it comes onto ground of another speed. */
function splitAt(scene: Scene, mud: Mud, count: number, polygons: number): Split {
  const { links, kernel } = scene;
  const at = corners(kernel, count);
  const isLink = (leg: number): boolean => {
    const a = 3 * leg;
    return links.count > 0 && links.endOfLeg(at[a], at[a + 2], at[a + 3], at[a + 5]) >= 0;
  };
  return mud.split(count, polygons, isLink);
}

/** Whether the straight way from a point comes within the tolerance of the claimed position. */
function isBeside(scene: Scene, x: number, y: number, z: number, polygon: number, tolerance: number): boolean {
  const { kernel, q, below, above } = scene;
  ask(kernel, x, y, z, q[Q_X], scene.level(q[Q_Y]), q[Q_Z], below, above, tolerance, 0, 0);
  kernel.ray(polygon);
  const out = kernel.output;
  return out[5] !== NONE && planDistance(out[1], out[3], q[Q_X], q[Q_Z]) <= tolerance;
}

/** By which end an entity on a link leaves it; metres of the link gone as seen from there, and to go. */
const leaving = { end: 0, along: 0, rest: 0 };

/** Chooses the end for a target: the far one, or where the link goes both ways the one with the shorter walk. */
function leaveAt(
  scene: Scene,
  f: Float64Array,
  o: number,
  entered: number,
  px: number,
  pz: number,
  to: Float64Array,
  v: number,
  v0: number,
): void {
  const { links, q, kernel, rules } = scene;
  const walks = (f[o + FLAGS] & WALKING) !== 0;
  links.measure(entered, px, scene.level(walks ? q[Q_FLOOR] + rules.yOffset : f[o + Y]), pz);
  const { share } = beside;
  const { below, above } = scene;
  const { searchNodesPerSecond: perSecond, nodeCap } = rules;
  const { edge } = scene;
  let best = Infinity;
  for (const end of [entered ^ 1, entered]) {
    if (end === entered && !links.isOpen(entered ^ 1)) break;
    const length = wholeLink(scene, end ^ 1, v, v0);
    const rest = (end === entered ? share : 1 - share) * length;
    const cap = capAt(f, o, q[Q_T], perSecond, nodeCap);
    const floor = links.y(end) + scene.middle;
    ask(kernel, links.x(end), floor, links.z(end), to[0], scene.level(to[1]), to[2], below, above, edge, Infinity, cap);
    const status = kernel.shortest(links.polygon(end)) >>> 0;
    const [walk, found] = kernel.output;
    const climb = status === S_WALK ? climbOf(scene, corners(kernel, found), found, v, v0, null) : 0;
    const way = status === S_WALK ? walk + climb + rest : Infinity;
    spendNodes(f, o, q[Q_T], perSecond, kernel.output[2]);
    if (end !== entered || way < best) {
      best = way;
      leaving.end = end;
      leaving.rest = rest;
      leaving.along = length - rest;
    }
  }
}

/** Metres to go on the link that is left at `leaving.end`, from a place on it. */
function restFrom(scene: Scene, x: number, level: number, z: number, v: number, v0: number): number {
  const { links } = scene;
  if (!links.isCostly(leaving.end)) return Infinity;
  links.measure(leaving.end, x, level, z);
  return beside.share * overLink(scene, leaving.end ^ 1, 1, v, v0);
}

/** Turning on the spot: nothing of the entity changes, a walk goes on. The rooted may turn, the dead may not. */
function judgeTurn(scene: Scene, f: Float64Array, o: number): Verdict {
  const reason = stateReason(f[o + FLAGS]);
  if (reason === Reason.LiveStatus) {
    if (isInFlight(scene, f, o, reason)) return ignore(scene, f, o, reason, NaN);
    return refuseBegin(scene, f, o, reason, NaN, NaN, NaN, NaN);
  }
  return answer(scene, f, o, VerdictKind.accept, Reason.Accept, 0, NaN, -1, NaN, NaN);
}

/** Keep where the verdict says that the entity is. */
function snapHere(scene: Scene, f: Float64Array, o: number): void {
  const { n } = scene.verdict;
  snapTo(scene, f, o, n[V_X], n[V_Y], n[V_Z]);
}

/** Keep the path's end: the target as it was claimed where that is on the mesh, else the mesh point that stands for it. */
function snapTarget(scene: Scene, f: Float64Array, o: number, count: number, to: Float64Array): void {
  const path = scene.ledger.pathOf(o, count);
  const last = (count - 1) * CORNER;
  const on = planDistance(path[last], path[last + 2], to[0], to[2]) <= GRID_ERROR;
  const x = on ? to[0] : path[last];
  const z = on ? to[2] : path[last + 2];
  snapTo(scene, f, o, x, scene.flat ? to[1] : path[last + 1] + scene.rules.yOffset, z);
}

/** A refused begin leaves everything as it is; the correction carries where the entity is, and nothing is pending. */
function refuseBegin(
  scene: Scene,
  f: Float64Array,
  o: number,
  reason: ReasonCode,
  straight: number,
  length: number,
  used: number,
  allowed: number,
): Verdict {
  const held = reason === Reason.LiveStatus || reason === Reason.ActionStatus;
  const evidence = held ? EVIDENCE_STATE : used === used ? excess(used, allowed) : EVIDENCE_FLAT;
  const most = held ? HELD_MOST : Infinity;
  addEvidence(f, o, scene.q[Q_T], layerOf(reason), evidence, scene.rules.scoreHalfLifeMs, most);
  leaveClosed(scene, f, o, scene.q[Q_T]);
  f[o + CORRECTION] += 1;
  const bound = length === length ? 0 : -1;
  answer(scene, f, o, VerdictKind.correct, reason, straight, length, bound, used, allowed);
  scene.verdict.correction = f[o + CORRECTION];
  return scene.verdict;
}
