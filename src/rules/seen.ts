// A claim held against a carrier as its client can have seen it: at the poses of the last round trip and grace, and where it
// has gone since it was last told. Imported by rules/.
import type { Carrier } from './carriers.ts';
import { Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import { LIMIT, OPEN, RTT, SEEN_LAG } from './ledger.ts';
import { between, POSE, toLocal } from './pose.ts';
import type { Scene } from './scene.ts';

/** Where on the carrier the claim at hand is, in its coordinates, by the last `seek`; and at which pose. */
export const spot = new Float64Array(3);
export const seenPose = new Float64Array(POSE);

const one = new Float64Array(POSE);
const two = new Float64Array(POSE);
const mid = new Float64Array(POSE);
const local = new Float64Array(3);
const claim = new Float64Array(3);
/** How near it is, metres squared, and when the carrier was there, ms (NaN = it does not move). */
const best = { square: Infinity, t: Number.NaN };
/** Latency varies by so much, ms; a lasting change is taken over by so much of it with each claim. */
const LAG_ROOM = 40;
const LAG_SHARE = 1 / 16;
/** One claim tells of at most so much walking, ms. */
const WALK_MS = 250;

/** From when on poses count for claims at q[Q_T], ms. */
export function seenFrom(scene: Scene, f: Float64Array, o: number): number {
  return scene.q[Q_T] - f[o + RTT] - scene.rules.dropGraceMs;
}

/**
 * Finds the pose since `from` at which the claim at hand is nearest to the place `a` on the carrier, to `spot` and `seenPose`.
 * Nobody gains by the choice: the entity is then where it was, or that much nearer to it than it says.
 */
export function seek(scene: Scene, carrier: Carrier, from: number, a: Float64Array): void {
  const { q, flat } = scene;
  claim[0] = q[Q_X];
  claim[1] = q[Q_Y];
  claim[2] = q[Q_Z];
  best.square = Infinity;
  best.t = Number.NaN;
  const last = carrier.count - 1;
  let k = carrier.firstSince(from);
  carrier.pose(k, one);
  if (k === last) tryBetween(flat, one, one, a, 0, 0);
  for (; k < last; k++) {
    carrier.pose(k, one);
    carrier.pose(k + 1, two);
    tryBetween(flat, one, two, a, carrier.time(k), carrier.time(k + 1));
  }
  carrier.now(one);
  if (carrier.ahead(q[Q_T], two)) tryBetween(flat, one, two, a, carrier.time(last), q[Q_T]);
}

/**
 * The same, for who may be walking on it. A walk along the way of a fast carrier looks like a client that sees it a little
 * later: taken for that, its place would be wrong for as long as it goes on. So how late the client sees the carrier
 * (SEEN_LAG) is remembered; what exceeds LAG_ROOM of it is a walk, where walking explains it, and else the line. It is only
 * asked where the entity is: what it pays is from its place to that.
 */
export function seekWalking(scene: Scene, f: Float64Array, o: number, carrier: Carrier, a: Float64Array): void {
  const { q } = scene;
  const from = seenFrom(scene, f, o);
  seek(scene, carrier, from, a);
  // nothing moves
  if (best.t !== best.t) return;
  const lag = q[Q_T] - best.t;
  const known = f[o + SEEN_LAG];
  if (known < 0 || Math.abs(lag - known) <= LAG_ROOM) return;
  const t = q[Q_T] - Math.max(0, lag > known ? known + LAG_ROOM : known - LAG_ROOM);
  if (t < from) return;
  carrier.at(t, one);
  toLocal(one, claim, local);
  if (scene.flat) local[1] = claim[1];
  const dx = local[0] - a[0];
  const dz = local[2] - a[2];
  const walked = (f[o + LIMIT] * Math.min(f[o + OPEN], WALK_MS)) / 1000 + scene.string;
  if (dx * dx + dz * dz > walked * walked) return;
  best.t = t;
  spot.set(local);
  seenPose.set(one);
}

/** Parts of the way from one pose to the next that `seekOnDeck` looks at. */
const PARTS = 4;

/** Of the poses at which `isOn` has the claim at hand on the carrier, the nearest to `a`; false when there is none. */
export function seekOnDeck(
  scene: Scene,
  f: Float64Array,
  o: number,
  carrier: Carrier,
  a: Float64Array,
  isOn: (scene: Scene, carrier: Carrier, from: Float64Array, to: Float64Array) => boolean,
): boolean {
  const { q, flat } = scene;
  claim[0] = q[Q_X];
  claim[1] = q[Q_Y];
  claim[2] = q[Q_Z];
  best.square = Infinity;
  best.t = Number.NaN;
  const last = carrier.count - 1;
  for (let k = carrier.firstSince(seenFrom(scene, f, o)); k <= last; k++) {
    carrier.pose(k, one);
    if (k < last) carrier.pose(k + 1, two);
    else if (!carrier.ahead(q[Q_T], two)) two.set(one);
    const begin = carrier.time(k);
    const end = k < last ? carrier.time(k + 1) : q[Q_T];
    for (let part = 0; part <= PARTS; part++) {
      const t = begin + (part / PARTS) * (end - begin);
      between(one, two, part / PARTS, mid);
      toLocal(mid, claim, local);
      if (flat) local[1] = claim[1];
      if (isOn(scene, carrier, a, local)) note(flat, one, two, part / PARTS, a, t);
    }
  }
  return best.square < Infinity;
}

/** A claim found by `seekWalking` is accepted: how late its client sees the carrier. */
export function noteLag(f: Float64Array, o: number, t: number): void {
  if (best.t !== best.t) return;
  const lag = t - best.t;
  const known = f[o + SEEN_LAG];
  if (known < 0) f[o + SEEN_LAG] = Math.max(0, lag);
  else {
    const share = Math.abs(lag - known) > LAG_ROOM + 1 ? LAG_SHARE : LAG_SHARE / 4;
    f[o + SEEN_LAG] = Math.max(0, known + share * (lag - known));
  }
}

/** The nearest on the way from one pose to the next: the share along it by least squares, twice, for the turn depends on it. */
function tryBetween(
  flat: boolean,
  a: Float64Array,
  b: Float64Array,
  at: Float64Array,
  begin: number,
  end: number,
): void {
  const dx = b[0] - a[0];
  const dy = flat ? 0 : b[1] - a[1];
  const dz = b[2] - a[2];
  const square = dx * dx + dy * dy + dz * dz;
  let share = 0.5;
  for (let n = 0; n < 2 && square > 0; n++) {
    between(a, b, share, mid);
    const x = claim[0] - a[0] - (mid[3] * at[0] + mid[4] * at[2]);
    const y = claim[1] - a[1] - at[1];
    const z = claim[2] - a[2] - (mid[3] * at[2] - mid[4] * at[0]);
    share = Math.min(1, Math.max(0, (x * dx + (flat ? 0 : y * dy) + z * dz) / square));
  }
  note(flat, a, b, share, at, square > 0 ? begin + share * (end - begin) : Number.NaN);
  if (square === 0 && (a[3] !== b[3] || a[4] !== b[4])) {
    for (let n = 0; n <= 4; n += 1) note(flat, a, b, n / 4, at, Number.NaN);
  }
}

function note(flat: boolean, a: Float64Array, b: Float64Array, share: number, at: Float64Array, t: number): void {
  between(a, b, share, mid);
  toLocal(mid, claim, local);
  if (flat) local[1] = claim[1];
  const dx = local[0] - at[0];
  const dy = flat ? 0 : local[1] - at[1];
  const dz = local[2] - at[2];
  const square = dx * dx + dy * dy + dz * dz;
  if (!(square < best.square)) return;
  best.square = square;
  best.t = t;
  spot.set(local);
  seenPose.set(mid);
}

/**
 * How far a place on a carrier has moved with it since `from`, metres: so far apart may a client's word of where it stands be
 * from where it is.
 */
export function movedSince(carrier: Carrier, from: number, t: number, at: Float64Array): number {
  const last = carrier.count - 1;
  let metres = 0;
  for (let k = carrier.firstSince(from); k < last; k++) {
    carrier.pose(k, one);
    carrier.pose(k + 1, two);
    metres += step(at);
  }
  carrier.now(one);
  if (carrier.ahead(t, two)) metres += step(at);
  return metres;
}

/** How far a place on the carrier moves from one pose to the next, metres. */
function step(at: Float64Array): number {
  const c = two[3] - one[3];
  const s = two[4] - one[4];
  const dx = two[0] - one[0] + c * at[0] + s * at[2];
  const dy = two[1] - one[1];
  const dz = two[2] - one[2] + c * at[2] - s * at[0];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
