// Pace: the metres that a clock within the drift tolerance may have walked by now. A second credit, much tighter than the
// first one and for evidence only: it grows by limit x (1 + driftTolerance), holds what the burst and latency explain,
// and is charged by slices (slice.ts). Pure functions over the ledger; imported by rules/.
//
// Who is honest never empties it. What arrived between s and t was walked by the client in the time from s - w to t, w
// being how late claims may be: at most what grew from s - w to t. Pace at s is full, or has lost no growth since it was,
// so by t it holds at least that less what was walked since. What a push gives is kept apart until claims about it can
// no longer arrive, and used last: until then it is not lost to a full store. A lowered limit gives the metres of the
// time in which the client cannot know.
import { Q_BEYOND } from './hand.ts';
import {
  ANNOUNCED,
  BONUS_UNTIL,
  LIMIT,
  LOWERED_T,
  METRES,
  PACE,
  PACE_PUSH,
  PACE_T,
  RTT,
  SLICE_MIXED,
} from './ledger.ts';
import { capOf, type Terms, windowMs } from './terms.ts';

/** Below this a limit counts as this when metres become time, m/s. */
const SLOWEST = 1;
/** After a change the speeds of so many slices say nothing: claims about the time before are still on their way. */
export const MIXED_SLICES = 2;

/** What the store holds at most, metres: as much as the credit does, and what lies between two marks. */
export function paceCap(f: Float64Array, o: number, t: number, terms: Terms): number {
  return capOf(f[o + ANNOUNCED], windowMs(f, o, t, terms), terms) + terms.markM;
}

/** Brings it up to the time at times[k]: a number as an argument would be put into the heap once in a slice. */
export function settlePace(f: Float64Array, o: number, times: Float64Array, k: number, terms: Terms): void {
  const t = times[k];
  const ms = t - f[o + PACE_T];
  if (!(ms > 0)) return;
  const limit = f[o + ANNOUNCED];
  // paceCap spelt out, for the same reason
  const burst = terms.burstMs + f[o + RTT];
  const window = t <= terms.pauseUntil ? burst + terms.pauseMs : burst;
  const most = Math.max(limit * terms.perMs * window, (limit * window) / 1000 + terms.roundingM) + terms.markM;
  // metres that are not charged yet have their place already
  const cap = most + f[o + METRES];
  const pace = f[o + PACE];
  // what a higher limit had stored stays until it is used
  let now = Math.max(pace, Math.min(cap, pace + limit * terms.pacePerMs * ms));
  if (f[o + PACE_PUSH] > 0 && t > f[o + BONUS_UNTIL]) {
    now = Math.max(now, Math.min(cap, now + f[o + PACE_PUSH]));
    f[o + PACE_PUSH] = 0;
  }
  f[o + PACE] = now;
  f[o + PACE_T] = t;
}

/** A push of this many metres in all begins; after `settlePace`. */
export function pushPace(f: Float64Array, o: number, metres: number, terms: Terms): void {
  f[o + PACE_PUSH] += metres * terms.pacePerMs * 1000;
  f[o + SLICE_MIXED] = MIXED_SLICES;
}

/** The limit goes from one value to another at t; after `settlePace`. */
export function changePace(f: Float64Array, o: number, t: number, from: number, to: number, terms: Terms): void {
  if (from === to) return;
  f[o + SLICE_MIXED] = MIXED_SLICES;
  if (to > from) return;
  const unaware = Math.min(f[o + RTT] + terms.dropGraceMs, t - f[o + LOWERED_T]);
  f[o + PACE] += (from - to) * terms.pacePerMs * unaware;
  f[o + LOWERED_T] = t;
}

/** Charges the slice's metres to a settled store; what nothing explains goes to q, ms at the limit, and is forgotten. */
export function chargePace(f: Float64Array, o: number, q: Float64Array): void {
  const left = f[o + PACE] - f[o + METRES];
  q[Q_BEYOND] = 0;
  f[o + PACE] = Math.max(left, 0);
  if (left >= 0) return;
  const beyond = f[o + PACE_PUSH] + left;
  f[o + PACE_PUSH] = Math.max(beyond, 0);
  if (beyond < 0) q[Q_BEYOND] = (-beyond * 1000) / Math.max(f[o + LIMIT], SLOWEST);
}
