// Input-driven movement: the client says which way it held its stick and for how long, the server walks the entity along
// the mesh. Imported by guard.ts.
//
// The speed is the server's and so is the time: the metres come out of the same credit as moves, so a client that says
// more time than passed gets no more metres than a running client could claim by `move` (the clock's tolerance is
// speedTolerance for both). Of what an input asks for beyond its credit nothing is walked; the claim is still accepted.
// Saying so is evidence, and what it is measured by is the time that inputs say, not the metres that came of it: who holds
// its stick against walls walks little, and its credit would hide for ever that its clock is too fast.
// The walk is the kernel's (assembly/surface.ts): straight, along walls, never through one, never off a ledge, over no
// link (who is on one comes off it first), and its end is on the mesh. So nothing about an input can be a violation but
// acting while dead or rooted.
import { NONE, S_CLEAR, S_FROM_OFF, S_OUT_OF_RANGE } from '../../assembly/layout.ts';
import { Reason, type ReasonCode, VerdictKind } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { flown } from './air.ts';
import { accept, answer, ignore } from './answer.ts';
import { FROM_MS } from './apart.ts';
import type { ReadInput } from './claim.ts';
import { alongLink, takeOff } from './climb.ts';
import { endPending } from './corrections.ts';
import { chargeAt, limitAt, pathEndTime, weigh } from './credit.ts';
import { idOf, openedFor } from './doors.ts';
import { isHeld, isInFlight, staleUntil, stateReason } from './gate.ts';
import {
  Q_CHARGED,
  Q_CREDIT,
  Q_FLOOR,
  Q_FROM_X,
  Q_FROM_Y,
  Q_FROM_Z,
  Q_RATE,
  Q_STRAIGHT,
  Q_T,
  Q_X,
  Q_Y,
  Q_Z,
} from './hand.ts';
import {
  ANCHOR_X,
  ANCHOR_Z,
  BONUS_UNTIL,
  FLAGS,
  FLOOR,
  FLYING,
  GROUND_T,
  GROUND_Y,
  INPUT_T,
  LINK,
  LINK_SHARE,
  OFF,
  ON_LINK,
  OPEN,
  OVER_LEDGE,
  POLYGON,
  PUSH,
  PUSH_MAX,
  PUSH_STRIDE,
  REST_X,
  REST_Z,
  RTT,
  STALE,
  STALE_UNTIL,
  WALKING,
  X,
  Y,
  Z,
} from './ledger.ts';
import { beside } from './links.ts';
import { here, placeAt, stopWalk, touchGround } from './places.ts';
import { corners } from './probe.ts';
import { refuse } from './refuse.ts';
import { planDistance, type Scene } from './scene.ts';
import { addEvidence, EVIDENCE_MAX, EVIDENCE_STATE, HELD_MOST, LAYER_SPEED, LAYER_STATE } from './suspicion.ts';
import { windowMs } from './terms.ts';
import { pullTrail } from './trail.ts';
import { payClear } from './wayround.ts';

const EXACT = 0;
const UPPER = 2;
/** Walks tried until one whose heights are charged too fits. Each is nearer by the change of slope. */
const FITS = 4;

/** What the walk at hand has come to; filled by `walk`. */
const walked = {
  x: 0,
  z: 0,
  floor: 0,
  polygon: NONE as number,
  off: 0,
  metres: 0,
  clear: true,
  restX: 0,
  restZ: 0,
  landed: false,
  /** Height and farthest share of the way of who is on a link. */
  level: 0,
  share: 0,
};

/** Judges a read input whose number is used up; q holds the time. */
export function judgeInput(scene: Scene, f: Float64Array, o: number, read: ReadInput): Verdict {
  return scene.changes.closed > 0 ? judgeByDoors(scene, f, o, read) : judgeFreeInput(scene, f, o, read);
}

function judgeByDoors(scene: Scene, f: Float64Array, o: number, read: ReadInput): Verdict {
  return openedFor(scene, f, o, () => judgeFreeInput(scene, f, o, read));
}

function judgeFreeInput(scene: Scene, f: Float64Array, o: number, read: ReadInput): Verdict {
  const { q, rules, terms } = scene;
  const t = q[Q_T];
  const moves = read.ms > 0 && (read.dirX !== 0 || read.dirZ !== 0);
  here(scene, f, o, t);
  q[Q_X] = q[Q_FROM_X];
  q[Q_Y] = (f[o + FLAGS] & WALKING) !== 0 ? q[Q_FLOOR] + rules.yOffset : f[o + Y];
  q[Q_Z] = q[Q_FROM_Z];
  q[Q_STRAIGHT] = 0;
  if (isHeld(f[o + FLAGS])) {
    const held = judgeHeldInput(scene, f, o, moves);
    if (held !== null) return held;
  }

  if ((f[o + FLAGS] & WALKING) !== 0) {
    // while it walked, the server knew where the client's time went
    const unseen = Math.max(0, t - pathEndTime(f, o)) + FROM_MS + f[o + RTT];
    if (f[o + OPEN] > unseen) f[o + OPEN] = unseen;
    stopWalk(scene, f, o, t);
  }
  weigh(f, o, q, terms);
  const credit = q[Q_CREDIT];
  const rate = q[Q_RATE];
  const size = Math.sqrt(read.dirX * read.dirX + read.dirZ * read.dirZ);
  const asked = moves ? speedAt(f, o, t) * read.ms * size : 0;
  q[Q_FROM_X] = f[o + X];
  q[Q_FROM_Y] = f[o + Y];
  q[Q_FLOOR] = f[o + FLOOR];
  q[Q_FROM_Z] = f[o + Z];
  stay(f, o);
  // held at full speed for so long, in the server's time
  const heldMs = asked > 0 ? (read.ms * Math.min(size, 1)) / (1000 * terms.perMs) : 0;
  if (asked > 0) {
    const metres = Math.min(asked, credit);
    const dirX = read.dirX / size;
    const dirZ = read.dirZ / size;
    if ((f[o + FLAGS] & FLYING) !== 0) fly(scene, f, o, dirX, dirZ, metres);
    else walkOnGround(scene, f, o, dirX, dirZ, metres, credit);
    // Seconds of walking that never were. A silence is no crime: what it may have held back counts as allowed.
    const beyond = rate > 0 ? (asked - Math.max(credit, f[o + OPEN] * rate)) / rate : 0;
    const evidence = Math.max(beyond, chargeTime(scene, f, o, heldMs)) / 1000;
    addEvidence(f, o, t, LAYER_SPEED, Math.min(evidence, EVIDENCE_MAX), rules.scoreHalfLifeMs);
  }
  commit(scene, f, o, credit, rate, heldMs);
  const straight = q[Q_STRAIGHT];
  return accept(scene, f, o, straight, walked.metres, walked.clear ? EXACT : UPPER, asked, credit);
}

/**
 * Dead, rooted, or an input from before a teleport. An input does not say where its client is, so the time tells: what
 * arrives within the round trip and dropGraceMs was held before the client knew.
 */
function judgeHeldInput(scene: Scene, f: Float64Array, o: number, moves: boolean): Verdict | null {
  const { q, rules } = scene;
  const t = q[Q_T];
  const reason: ReasonCode = stateReason(f[o + FLAGS]);
  if (reason !== Reason.Accept && moves) {
    if (isInFlight(scene, f, o, reason)) return ignore(scene, f, o, reason, NaN);
    if (reason === Reason.ActionStatus) return refuse(scene, f, o, reason, NaN, NaN);
    addEvidence(f, o, t, LAYER_STATE, EVIDENCE_STATE, rules.scoreHalfLifeMs, HELD_MOST);
    return answer(scene, f, o, VerdictKind.reject, reason, NaN, NaN, -1, NaN, NaN);
  }
  if ((f[o + FLAGS] & STALE) === 0) return null;
  const left = f[o + STALE_UNTIL] - rules.pendingMs + rules.dropGraceMs;
  if (t <= left) return ignore(scene, f, o, Reason.Stale, NaN);
  if (moves || t > staleUntil(scene, f, o)) f[o + FLAGS] = f[o + FLAGS] & ~STALE;
  return null;
}

/**
 * An input says that it was held for `ms` of the server's time, the tolerance taken off. The time that inputs may say is a
 * bucket as the metres of the credit are: it fills with the time that passes and holds one window; kept as one number, the
 * server's time that has been used up (the generic cell rate algorithm). Returns the ms that it does not hold; they are
 * forgotten. A silence may have held back inputs: the time of it counts as well.
 */
function chargeTime(scene: Scene, f: Float64Array, o: number, ms: number): number {
  const t = scene.q[Q_T];
  const used = Math.max(f[o + INPUT_T], t - windowMs(f, o, t, scene.terms)) + ms;
  f[o + INPUT_T] = Math.min(used, t);
  return Math.min(used - t, ms - f[o + OPEN]);
}

/** The speed at t as the server has it, metres per ms: the limit and boosts; knock-backs are not steered. */
function speedAt(f: Float64Array, o: number, t: number): number {
  let speed = limitAt(f, o, t);
  if (t > f[o + BONUS_UNTIL]) return speed / 1000;
  for (let k = 0; k < PUSH_MAX; k++) {
    const p = o + PUSH + k * PUSH_STRIDE;
    if (f[p + 3] === 0 && t >= f[p] && t < f[p + 1]) speed += f[p + 2];
  }
  return speed / 1000;
}

function stay(f: Float64Array, o: number): void {
  walked.x = f[o + X];
  walked.z = f[o + Z];
  walked.floor = f[o + FLOOR];
  walked.polygon = f[o + POLYGON];
  walked.off = f[o + OFF];
  walked.metres = 0;
  walked.landed = false;
  walked.clear = true;
  walked.restX = f[o + REST_X];
  walked.restZ = f[o + REST_Z];
  walked.level = NaN;
  walked.share = f[o + LINK_SHARE];
}

/** Who flies is bound by nothing but the map's bounds. */
function fly(scene: Scene, f: Float64Array, o: number, dirX: number, dirZ: number, metres: number): void {
  const { extent, edge } = scene;
  const x = f[o + X] + dirX * metres;
  const z = f[o + Z] + dirZ * metres;
  // who was put outside may stay there
  walked.x = clamped(x, Math.min(extent.minX - edge, f[o + X]), Math.max(extent.maxX + edge, f[o + X]));
  walked.z = clamped(z, Math.min(extent.minZ - edge, f[o + Z]), Math.max(extent.maxZ + edge, f[o + Z]));
  walked.metres = planDistance(f[o + X], f[o + Z], walked.x, walked.z);
}

function clamped(n: number, min: number, max: number): number {
  return Math.min(Math.max(n, min), max);
}

/** Walks at the speed of the ground that it starts on: on slow ground fewer metres for the same credit. */
function walkOnGround(
  scene: Scene,
  f: Float64Array,
  o: number,
  dirX: number,
  dirZ: number,
  metres: number,
  credit: number,
): void {
  const { mud } = scene;
  const on = f[o + POLYGON] !== NONE && f[o + OFF] === 0 && (f[o + FLAGS] & ON_LINK) === 0;
  const slow = mud !== null && on && mud.isDeep(idOf(f[o + POLYGON]), f[o + X], f[o + Z], scene.edge);
  const speed = slow ? mud.of(idOf(f[o + POLYGON])) : 1;
  walk(scene, f, o, dirX, dirZ, metres * speed, credit * speed);
  walked.metres /= speed;
}

/** Walks along the surface; who stands off the mesh comes onto it first, and pays for that as well. */
function walk(
  scene: Scene,
  f: Float64Array,
  o: number,
  dirX: number,
  dirZ: number,
  metres: number,
  credit: number,
): void {
  if (f[o + POLYGON] === NONE) return;
  let x = f[o + X];
  let z = f[o + Z];
  let left = metres;
  if ((f[o + FLAGS] & ON_LINK) !== 0) {
    const cost = leaveLink(scene, f, o, left);
    if (!walked.landed) return;
    x = walked.x;
    z = walked.z;
    left -= cost;
  } else if (f[o + OFF] > 0) {
    const gap = planDistance(x, z, f[o + ANCHOR_X], f[o + ANCHOR_Z]);
    if (gap > left) {
      const share = left / gap;
      walked.x = x + share * (f[o + ANCHOR_X] - x);
      walked.z = z + share * (f[o + ANCHOR_Z] - z);
      walked.off = Math.min(f[o + OFF], gap - left);
      walked.metres = left;
      return;
    }
    x = f[o + ANCHOR_X];
    z = f[o + ANCHOR_Z];
    left -= gap;
  }
  const came = metres - left;
  const { polygon, floor } = walked;
  // no mesh is longer: a motion beyond is cut there, so that the kernel can count it
  const { minX, maxX, minZ, maxZ } = scene.extent;
  const longest = Math.min(credit - came, maxX - minX + (maxZ - minZ));
  let dx = dirX * left + walked.restX;
  let dz = dirZ * left + walked.restZ;
  for (let tries = 1; ; tries++) {
    const size = Math.sqrt(dx * dx + dz * dz);
    if (size > longest) {
      dx *= longest / size;
      dz *= longest / size;
    }
    const status = slideFrom(scene, polygon, x, floor, z, dx, dz);
    if (status === S_FROM_OFF || status === S_OUT_OF_RANGE) return;
    const out = scene.kernel.output;
    walked.x = out[0];
    walked.floor = out[1];
    walked.z = out[2];
    walked.polygon = out[3];
    walked.off = 0;
    walked.landed = true;
    walked.clear = status === S_CLEAR && came === 0;
    walked.restX = status === S_CLEAR ? out[9] : 0;
    walked.restZ = status === S_CLEAR ? out[10] : 0;
    const length = scene.surface ? surfaceLength(scene, out[12]) : out[4];
    walked.metres = came + length;
    if (!scene.surface || length <= longest || tries === FITS) return;
    dx *= longest / length;
    dz *= longest / length;
  }
}

/**
 * An entity on its way over a link comes off it before it walks: by the end that it entered, or where the link is not gone
 * back over by the other. It goes along the link, and pays what a move along it pays. Returns the metres; `walked` is where
 * they lead to, and `landed` when that is the end.
 */
function leaveLink(scene: Scene, f: Float64Array, o: number, left: number): number {
  const { q, links } = scene;
  const entered = f[o + LINK];
  links.measure(entered, f[o + X], scene.level(f[o + Y]), f[o + Z]);
  const { share } = beside;
  const end = links.isOpen(entered ^ 1) || !links.isOpen(entered) ? entered : entered ^ 1;
  const to = end === entered ? 0 : 1;
  const plan = planDistance(f[o + X], f[o + Z], links.x(end), links.z(end));
  const way = alongLink(scene, entered, share, to, 1000 * q[Q_RATE], takeOff(scene, f, o));
  const cost = Math.max(plan, way);
  const part = cost > left ? left / cost : 1;
  walked.metres = cost * part;
  if (part < 1) {
    const level = scene.level(f[o + Y]);
    walked.x += part * (links.x(end) - walked.x);
    walked.z += part * (links.z(end) - walked.z);
    walked.level = level + part * (links.y(end) - level);
    walked.share = Math.max(f[o + LINK_SHARE], share + part * (to - share));
    return walked.metres;
  }
  walked.x = links.x(end);
  walked.z = links.z(end);
  walked.floor = links.y(end);
  walked.level = walked.floor;
  walked.polygon = links.polygon(end);
  walked.landed = true;
  return cost;
}

function slideFrom(scene: Scene, polygon: number, x: number, floor: number, z: number, dx: number, dz: number): number {
  const { kernel } = scene;
  const { input } = kernel;
  input[0] = x;
  input[1] = floor + scene.middle;
  input[2] = z;
  input[3] = dx;
  input[4] = 0;
  input[5] = dz;
  input[6] = scene.below;
  input[7] = scene.above;
  input[8] = scene.edge;
  return kernel.surface(polygon) >>> 0;
}

/** Length of the legs just walked with their heights, metres. */
function surfaceLength(scene: Scene, count: number): number {
  const at = corners(scene.kernel, count);
  let length = 0;
  for (let i = 3; i < 3 * count; i += 3) {
    const dx = at[i] - at[i - 3];
    const dy = at[i + 1] - at[i - 2];
    const dz = at[i + 2] - at[i - 1];
    length += Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
  return length;
}

/** The entity is where `walked` says; its metres are charged. */
function commit(scene: Scene, f: Float64Array, o: number, credit: number, rate: number, heldMs: number): void {
  const { q, rules, terms } = scene;
  const t = q[Q_T];
  const flying = (f[o + FLAGS] & FLYING) !== 0;
  const level = flying ? scene.level(f[o + Y]) : fallen(scene, f, o);
  q[Q_X] = walked.x;
  q[Q_Z] = walked.z;
  q[Q_Y] = scene.flat ? f[o + Y] : level + rules.yOffset;
  q[Q_STRAIGHT] = planDistance(f[o + X], f[o + Z], walked.x, walked.z);
  q[Q_CHARGED] = Math.min(walked.metres, credit);
  chargeAt(f, o, q, terms);
  pullTrail(scene, f, o);
  // where walls left it no metres, the time is gone all the same
  payClear(f, o, Math.max(walked.metres, heldMs * rate), rate);
  endPending(f, o, t, rules.scoreHalfLifeMs);
  f[o + REST_X] = walked.restX;
  f[o + REST_Z] = walked.restZ;
  if (flying) {
    placeAt(scene, f, o, walked.x, f[o + Y], walked.z);
    touchGround(f, o, t, level);
    return;
  }
  if (walked.landed) f[o + FLAGS] = f[o + FLAGS] & ~ON_LINK;
  else if ((f[o + FLAGS] & ON_LINK) !== 0) f[o + LINK_SHARE] = walked.share;
  const moved = walked.x !== f[o + X] || walked.z !== f[o + Z];
  f[o + X] = walked.x;
  f[o + Z] = walked.z;
  f[o + Y] = q[Q_Y];
  f[o + FLOOR] = walked.floor;
  f[o + POLYGON] = walked.polygon;
  f[o + OFF] = walked.off;
  if (walked.off === 0 && (f[o + FLAGS] & ON_LINK) === 0) {
    f[o + ANCHOR_X] = walked.x;
    f[o + ANCHOR_Z] = walked.z;
  }
  if (moved) f[o + FLAGS] = f[o + FLAGS] & ~OVER_LEDGE;
  if (scene.flat || level - walked.floor <= scene.ground) touchGround(f, o, t, level);
}

/**
 * Height of the feet after the walk: on the floor, or for who is in the air what gravity leaves since the last ground
 * contact. An input does not jump.
 */
function fallen(scene: Scene, f: Float64Array, o: number): number {
  const { q, rules } = scene;
  const level = scene.level(f[o + Y]);
  if (scene.flat) return level;
  if ((f[o + FLAGS] & ON_LINK) !== 0) {
    if (walked.landed) return walked.floor;
    return walked.level === walked.level ? walked.level : level;
  }
  const over = level - f[o + FLOOR];
  if (over > scene.ground) {
    const drop = flown((q[Q_T] - f[o + GROUND_T]) / 1000, 0, rules.gravity, rules.fallSpeedMax);
    return Math.max(walked.floor, Math.min(level, f[o + GROUND_Y] + drop));
  }
  // who stands stays at the height that it has
  return walked.metres === 0 && walked.floor === f[o + FLOOR] ? level : walked.floor;
}
