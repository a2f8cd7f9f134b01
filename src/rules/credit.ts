// Credit: time becomes metres. A distance budget on the server's clock, computed from the last settled state by pure
// functions: reading it changes nothing, so a refused claim cannot. Imported by guard.ts and rules/.
//
// Between settlements the budget grows by limit x tolerance and is capped; as long as limit and cap stay the same,
// min(cap, min(cap, c + a) + b) = min(cap, c + a + b) for a, b >= 0, so it does not matter how often it was looked at.
// Every fact that changes limit or cap settles first. Lowered limits take effect later than they are told; their times
// stand in the ledger and are walked through piece by piece.

import { Q_BACK, Q_CHARGED, Q_CREDIT, Q_RATE, Q_T } from './hand.ts';
import {
  ANNOUNCED,
  BACK,
  BACK_T,
  BONUS,
  BONUS_SPENT,
  BONUS_UNTIL,
  CREDIT,
  CREDIT_T,
  FLAGS,
  GRACE,
  GRACE_T,
  LIMIT,
  LOWER,
  LOWER_COUNT,
  LOWER_MAX,
  PACE,
  PATH_DONE,
  PATH_END,
  PATH_RATE,
  PATH_T,
  PUSH,
  PUSH_MAX,
  PUSH_STRIDE,
  RTT,
  WALKING,
} from './ledger.ts';
import { changePace, pushPace, settlePace } from './pace.ts';
import { capOf, type Terms, windowMs } from './terms.ts';

export { type Terms, windowMs } from './terms.ts';

/** The credit's cap is never below this, metres: a client that rounds its positions moves a little at speed 0. */
export const CAP_MIN = 0.1;
/** The lowering allowance starts to refill this long after the last lowering, ms, and is full at GRACE_FULL_MS. */
const GRACE_REST_MS = 1000;
const GRACE_FULL_MS = 5000;

/** Walks may be taken back by a whole window once in this time, ms. */
const BACK_REFILL_MS = 20_000;

/** The speed limit in force at t, m/s. */
export function limitAt(f: Float64Array, o: number, t: number): number {
  let limit = f[o + LIMIT];
  const count = f[o + LOWER_COUNT];
  for (let k = 0; k < count && f[o + LOWER + 2 * k] <= t; k++) limit = f[o + LOWER + 2 * k + 1];
  return limit;
}

/** Budget from `from` to `to`, growing by the limit less `drain` (m/ms), capped. */
function grown(f: Float64Array, o: number, c: number, from: number, to: number, drain: number, terms: Terms): number {
  const window = windowMs(f, o, to, terms);
  const count = f[o + LOWER_COUNT];
  let limit = f[o + LIMIT];
  let at = from;
  let credit = c;
  for (let k = 0; k < count; k++) {
    const time = f[o + LOWER + 2 * k];
    if (time > to) break;
    if (time > at) {
      credit = Math.min(capOf(limit, window, terms), credit + (limit * terms.perMs - drain) * (time - at));
      at = time;
    }
    limit = f[o + LOWER + 2 * k + 1];
  }
  credit = Math.min(capOf(limit, window, terms), credit + (limit * terms.perMs - drain) * (to - at));
  return Math.max(credit, 0);
}

/** Metres of the speed limit's budget at t. */
export function limitCreditAt(f: Float64Array, o: number, t: number, terms: Terms): number {
  if ((f[o + FLAGS] & WALKING) === 0) return grown(f, o, f[o + CREDIT], f[o + CREDIT_T], t, 0, terms);
  // a path's metres are charged as they pass: growth less the walk while it lasts, plain growth after its end
  const end = Math.min(t, Math.max(f[o + CREDIT_T], pathEndTime(f, o)));
  const walked = grown(f, o, f[o + CREDIT], f[o + CREDIT_T], end, f[o + PATH_RATE], terms);
  return end < t ? grown(f, o, walked, end, t, 0, terms) : walked;
}

/** When the path's end is reached; Infinity when it is not being walked. */
export function pathEndTime(f: Float64Array, o: number): number {
  const left = f[o + PATH_END] - f[o + PATH_DONE];
  if (!(left > 0)) return f[o + PATH_T];
  return f[o + PATH_RATE] > 0 ? f[o + PATH_T] + left / f[o + PATH_RATE] : Infinity;
}

/** Metres that a push has given by time t: v0 x - decay x^2 / 2 over its life. */
function pushed(f: Float64Array, p: number, t: number): number {
  const start = f[p];
  const s = (Math.min(t, f[p + 1]) - start) / 1000;
  return s > 0 ? f[p + 2] * s - (f[p + 3] * s * s) / 2 : 0;
}

/** How long after its end a push's metres may be spent, ms: as long as claims about it may take to arrive. */
function holdMs(f: Float64Array, o: number, terms: Terms): number {
  return terms.burstMs + f[o + RTT] + terms.dropGraceMs;
}

/**
 * Metres of pushes that are given back at t. Pushes are spent first, for they expire; but a walk made before its client
 * heard of a push, or slowly during it, leaves the limit's budget full, and what grows beyond its cap is lost. As much of
 * that as pushes have paid pays for the walk in their stead: in all no more than limit and pushes have given.
 */
function regained(f: Float64Array, o: number, t: number, terms: Terms): number {
  if (f[o + BONUS_SPENT] === 0 || f[o + LOWER_COUNT] > 0 || (f[o + FLAGS] & WALKING) !== 0) return 0;
  const limit = f[o + LIMIT];
  const whole = f[o + CREDIT] + limit * terms.perMs * (t - f[o + CREDIT_T]);
  const lost = whole - capOf(limit, windowMs(f, o, t, terms), terms);
  return Math.max(0, Math.min(lost, f[o + BONUS_SPENT]));
}

/** Metres left of boosts and impulses at t. Never more than the live ones have given in all. */
export function bonusAt(f: Float64Array, o: number, t: number, terms: Terms): number {
  if (t > f[o + BONUS_UNTIL]) return 0;
  const hold = holdMs(f, o, terms);
  let given = f[o + BONUS] + regained(f, o, t, terms);
  let cap = 0;
  for (let k = 0; k < PUSH_MAX; k++) {
    const p = o + PUSH + k * PUSH_STRIDE;
    if (f[p + 2] === 0) continue;
    const now = pushed(f, p, t);
    given += now - pushed(f, p, f[o + CREDIT_T]);
    if (t <= f[p + 1] + hold) cap += now;
  }
  return Math.min(given, cap);
}

/** All metres that may be spent at t. */
export function creditAt(f: Float64Array, o: number, t: number, terms: Terms): number {
  const credit = limitCreditAt(f, o, t, terms);
  return t > f[o + BONUS_UNTIL] ? credit : credit + bonusAt(f, o, t, terms);
}

/** How fast the entity may move at t, metres per ms: limit x tolerance plus pushes. */
export function rateAt(f: Float64Array, o: number, t: number, terms: Terms): number {
  const limit = f[o + LOWER_COUNT] === 0 ? f[o + LIMIT] : limitAt(f, o, t);
  let rate = limit * terms.perMs;
  if (t > f[o + BONUS_UNTIL]) return rate;
  for (let k = 0; k < PUSH_MAX; k++) {
    const p = o + PUSH + k * PUSH_STRIDE;
    if (t >= f[p] && t < f[p + 1]) rate += (f[p + 2] - (f[p + 3] * (t - f[p])) / 1000) / 1000;
  }
  return rate;
}

/**
 * Credit and rate at q[Q_T], to q: the hot path's way to ask. The common case is spelt out, so that no number passes
 * through a call; it is the same arithmetic as `limitCreditAt` and `rateAt`.
 */
export function weigh(f: Float64Array, o: number, q: Float64Array, terms: Terms): void {
  const t = q[Q_T];
  if (isPlain(f, o, q)) {
    const rate = f[o + LIMIT] * terms.perMs;
    const window = t <= terms.pauseUntil ? terms.burstMs + f[o + RTT] + terms.pauseMs : terms.burstMs + f[o + RTT];
    const credit = f[o + CREDIT] + rate * (t - f[o + CREDIT_T]);
    const cap = Math.max(rate * window, (f[o + LIMIT] * window) / 1000 + terms.roundingM);
    q[Q_CREDIT] = Math.min(credit, cap);
    q[Q_RATE] = rate;
    return;
  }
  q[Q_CREDIT] = creditAt(f, o, t, terms);
  q[Q_RATE] = rateAt(f, o, t, terms);
}

/** Nothing but the limit counts: no lowering waits, no push lives, no path is walked. */
export function isPlain(f: Float64Array, o: number, q: Float64Array): boolean {
  return f[o + LOWER_COUNT] === 0 && (f[o + FLAGS] & WALKING) === 0 && q[Q_T] > f[o + BONUS_UNTIL];
}

/** Charges q[Q_CHARGED] metres at q[Q_T], after `weigh`. */
export function chargeAt(f: Float64Array, o: number, q: Float64Array, terms: Terms): void {
  const t = q[Q_T];
  const metres = q[Q_CHARGED];
  if (isPlain(f, o, q)) {
    const left = q[Q_CREDIT] - metres;
    f[o + CREDIT] = Math.max(left, 0);
    f[o + CREDIT_T] = t;
    f[o + BONUS] = 0;
    return;
  }
  settle(f, o, t, terms);
  // the client has not walked these metres of the path yet: they count as pace when it does
  if ((f[o + FLAGS] & WALKING) !== 0 && q[Q_BACK] > 0) {
    f[o + PACE] += q[Q_BACK];
    noteBack(f, o, q[Q_BACK] / f[o + PATH_RATE], t, terms);
  }
  charge(f, o, metres);
}

/** Client time, ms, by which a walk may be taken back at t: see apart.ts. */
export function backAt(f: Float64Array, o: number, t: number, terms: Terms): number {
  const full = terms.burstMs + f[o + RTT];
  return Math.max(0, full - usedBack(f, o, t, full));
}

function usedBack(f: Float64Array, o: number, t: number, full: number): number {
  return Math.max(0, f[o + BACK] - (full * (t - f[o + BACK_T])) / BACK_REFILL_MS);
}

/** So much client time was taken back at t. */
export function noteBack(f: Float64Array, o: number, ms: number, t: number, terms: Terms): void {
  f[o + BACK] = usedBack(f, o, t, terms.burstMs + f[o + RTT]) + ms;
  f[o + BACK_T] = t;
}

/** Brings credit, bonus and limit up to t. */
export function settle(f: Float64Array, o: number, t: number, terms: Terms): void {
  const credit = limitCreditAt(f, o, t, terms);
  const bonus = t > f[o + BONUS_UNTIL] ? 0 : bonusAt(f, o, t, terms);
  f[o + BONUS_SPENT] -= regained(f, o, t, terms);
  if ((f[o + FLAGS] & WALKING) !== 0) {
    const done = Math.min(f[o + PATH_DONE] + f[o + PATH_RATE] * (t - f[o + PATH_T]), f[o + PATH_END]);
    f[o + PACE] -= done - f[o + PATH_DONE];
    f[o + PATH_DONE] = done;
    f[o + PATH_T] = t;
  }
  f[o + CREDIT] = credit;
  f[o + BONUS] = bonus;
  f[o + CREDIT_T] = t;
  settlePace(f, o, f, o + CREDIT_T, terms);
  const count = f[o + LOWER_COUNT];
  if (count === 0) return;
  let passed = 0;
  while (passed < count && f[o + LOWER + 2 * passed] <= t) {
    f[o + LIMIT] = f[o + LOWER + 2 * passed + 1];
    passed++;
  }
  f.copyWithin(o + LOWER, o + LOWER + 2 * passed, o + LOWER + 2 * count);
  f.fill(0, o + LOWER + 2 * (count - passed), o + LOWER + 2 * count);
  f[o + LOWER_COUNT] = count - passed;
}

/** Charges metres to a settled ledger: pushes first (they expire), then the limit's budget; never below 0. */
export function charge(f: Float64Array, o: number, metres: number): void {
  const bonus = f[o + BONUS] - metres;
  if (bonus >= 0) {
    f[o + BONUS] = bonus;
    f[o + BONUS_SPENT] += metres;
    return;
  }
  f[o + BONUS_SPENT] += f[o + BONUS];
  f[o + BONUS] = 0;
  const credit = f[o + CREDIT] + bonus;
  f[o + CREDIT] = Math.max(credit, 0);
}

/**
 * A new limit. Higher counts at once. Lower takes effect rttC + dropGraceMs later, because claims already on their way
 * were made under the old one; that time comes out of an allowance (refilled over five seconds), so toggling buys nothing.
 */
export function setLimit(f: Float64Array, o: number, t: number, limit: number, terms: Terms): void {
  settle(f, o, t, terms);
  changePace(f, o, t, f[o + ANNOUNCED], limit, terms);
  f[o + ANNOUNCED] = limit;
  const allowance = f[o + RTT] + terms.dropGraceMs;
  let count = f[o + LOWER_COUNT];
  const last = o + LOWER + 2 * (count - 1);
  const reservedUntil = count > 0 ? f[last] : t;
  // lowerings to less than the new limit are overtaken by it
  while (count > 0 && f[o + LOWER + 2 * (count - 1) + 1] <= limit) count--;
  const overtaken = count < f[o + LOWER_COUNT];
  if (limit >= f[o + LIMIT]) {
    // here nothing is left waiting: give back what was reserved
    if (overtaken && allowance > 0) f[o + GRACE] = Math.min(1, f[o + GRACE] + (reservedUntil - t) / allowance);
    setLowerings(f, o, 0);
    f[o + LIMIT] = limit;
    return;
  }
  if (overtaken) {
    // the first overtaken one keeps its time, with the new limit
    const keeps = f[o + LOWER + 2 * count];
    if (allowance > 0) f[o + GRACE] = Math.min(1, f[o + GRACE] + (reservedUntil - keeps) / allowance);
    f[o + LOWER + 2 * count + 1] = limit;
    setLowerings(f, o, count + 1);
    return;
  }
  const refilled = (t - f[o + GRACE_T] - GRACE_REST_MS) / (GRACE_FULL_MS - GRACE_REST_MS);
  if (refilled > 0) f[o + GRACE] = Math.min(1, f[o + GRACE] + refilled);
  f[o + GRACE_T] = t;
  const wanted = t + allowance - reservedUntil;
  const taken = Math.max(0, Math.min(wanted, f[o + GRACE] * allowance));
  if (allowance > 0) f[o + GRACE] = Math.max(0, f[o + GRACE] - taken / allowance);
  const effective = reservedUntil + taken;
  if (effective <= t) {
    f[o + LIMIT] = limit;
    f[o + CREDIT] = Math.min(f[o + CREDIT], capOf(limit, windowMs(f, o, t, terms), terms));
    return;
  }
  // no time of its own, or no room: the last lowering goes straight to the new limit (and waits for it, if later)
  if (count > 0 && (effective === reservedUntil || count === LOWER_MAX)) count--;
  f[o + LOWER + 2 * count] = effective;
  f[o + LOWER + 2 * count + 1] = limit;
  setLowerings(f, o, count + 1);
}

function setLowerings(f: Float64Array, o: number, count: number): void {
  f.fill(0, o + LOWER + 2 * count, o + LOWER + 2 * LOWER_MAX);
  f[o + LOWER_COUNT] = count;
}

/** A new round-trip time, ms, already bounded. Only the cap grows: latency is credited once, by the burst it explains. */
export function setRtt(f: Float64Array, o: number, t: number, rttMs: number, terms: Terms): void {
  settle(f, o, t, terms);
  f[o + RTT] = rttMs;
  f[o + CREDIT] = limitCreditAt(f, o, t, terms);
}

/** Adds a push: a boost (decay 0) or a knock-back that decays. It must end. */
export function addPush(
  f: Float64Array,
  o: number,
  t: number,
  speed: number,
  decay: number,
  ms: number,
  terms: Terms,
): void {
  settle(f, o, t, terms);
  if (!(speed > 0 && ms > 0)) return;
  if (t > f[o + BONUS_UNTIL]) f[o + BONUS_SPENT] = 0;
  // the place of a dead push, else of the one that ends first
  let place = o + PUSH;
  for (let k = 0; k < PUSH_MAX; k++) {
    const p = o + PUSH + k * PUSH_STRIDE;
    if (f[p + 2] === 0) {
      place = p;
      break;
    }
    if (f[p + 1] < f[place + 1]) place = p;
  }
  f[place] = t;
  f[place + 1] = t + ms;
  f[place + 2] = speed;
  f[place + 3] = decay;
  f[o + BONUS] = bonusAfterEviction(f, o, t, terms);
  pushPace(f, o, pushed(f, place, t + ms), terms);
  f[o + BONUS_UNTIL] = Math.max(f[o + BONUS_UNTIL], t + ms + holdMs(f, o, terms));
}

/** Metres of the pushes still held, at most what they have given. */
function bonusAfterEviction(f: Float64Array, o: number, t: number, terms: Terms): number {
  const hold = holdMs(f, o, terms);
  let cap = 0;
  for (let k = 0; k < PUSH_MAX; k++) {
    const p = o + PUSH + k * PUSH_STRIDE;
    if (f[p + 2] !== 0 && t <= f[p + 1] + hold) cap += pushed(f, p, t);
  }
  return Math.min(f[o + BONUS], cap);
}

/** A pause of the whole server, told when it is over: what piled up meanwhile arrives now. */
export function addPause(terms: Terms, t: number, ms: number, holdForMs: number): void {
  const still = t <= terms.pauseUntil ? terms.pauseMs : 0;
  terms.pauseMs = Math.min(PAUSE_MAX_MS, still + ms);
  terms.pauseUntil = t + holdForMs;
}
/** A server that stands still for longer has lost its players. */
const PAUSE_MAX_MS = 60_000;
