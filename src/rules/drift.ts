// The client's clock against the server's: how many milliseconds ahead, over the time in which it could be read. Imported
// by rules/.
//
// It can be read while a client walks straight on at its full speed: from the middle of one slice's positions to the middle
// of the next, metres / limit is the client's time and the arrival times are the server's. Middles, because the jitter of
// ten positions mostly cancels; from slice to slice, because what is late in one is made up for in the next: in a row of
// slices only the first and the last lateness count. The first and the last slice of a row are left out: the client may
// have stopped or turned in them. The rest of its life is taken to run at the same rate.
import { Q_BEYOND } from './hand.ts';
import {
  AHEAD,
  AHEAD_BEYOND,
  AHEAD_OVER,
  LIMIT,
  MIDDLE_T,
  MIDDLE_X,
  MIDDLE_Z,
  NEXT_AHEAD,
  NEXT_OVER,
  RING,
  RING_COUNT,
  RING_STRIDE,
  SINCE_T,
  STRAIGHT_RUN,
} from './ledger.ts';
import type { Rules } from './rules.ts';

/** Positions off the straight line by no more than this many quanta and this share of the way. */
const STRAIGHT_QUANTA = 1.5;
const STRAIGHT_SHARE = 0.005;
/** Full speed as a share of the limit, from middle to middle. */
const SLOW = 0.8;
const FAST = 1.25;
/** A slice of fewer positions has no middle to speak of. */
const POSITIONS_MIN = 3;
/** The rate read over this long, ms, is taken to hold for as long again; over n times as long, for n times that time. */
const TRUST_MS = 5000;
/** How far readings may be beyond the tolerance before it is the clock and not the line, ms. */
const BEYOND_MS = 1200;

/**
 * A slice is over; `steady` when the limit was the same all through it. If the clock is faster than the tolerance explains,
 * q[Q_BEYOND] becomes at least the ms of it, and they are forgotten. Standing still does not make up for it: only walking
 * is read.
 */
export function noteClock(f: Float64Array, o: number, q: Float64Array, steady: boolean, rules: Rules): void {
  const count = f[o + RING_COUNT];
  if (!steady || count < POSITIONS_MIN) {
    f[o + STRAIGHT_RUN] = 0;
    return;
  }
  const first = o + RING;
  const last = first + (count - 1) * RING_STRIDE;
  const firstX = f[first];
  const firstZ = f[first + 1];
  const wayX = f[last] - firstX;
  const wayZ = f[last + 1] - firstZ;
  const way = Math.sqrt(wayX * wayX + wayZ * wayZ);
  const off = (STRAIGHT_QUANTA * rules.positionQuantum + STRAIGHT_SHARE * way) * way;
  let x = 0;
  let z = 0;
  let t = 0;
  let straight = way > 0;
  for (let r = first; r <= last; r += RING_STRIDE) {
    const keptX = f[r];
    const keptZ = f[r + 1];
    x += keptX;
    z += keptZ;
    t += f[r + 2];
    if (Math.abs((keptX - firstX) * wayZ - (keptZ - firstZ) * wayX) > off) straight = false;
  }
  x /= count;
  z /= count;
  t /= count;
  const dx = x - f[o + MIDDLE_X];
  const dz = z - f[o + MIDDLE_Z];
  const ms = t - f[o + MIDDLE_T];
  const run = f[o + STRAIGHT_RUN];
  f[o + MIDDLE_X] = x;
  f[o + MIDDLE_Z] = z;
  f[o + MIDDLE_T] = t;
  if (!straight) {
    f[o + STRAIGHT_RUN] = 0;
    return;
  }
  f[o + STRAIGHT_RUN] = 1;
  if (run === 0) return;
  // the way from middle to middle along this slice's direction
  const along = (dx * wayX + dz * wayZ) / way;
  const walked = (along * 1000) / f[o + LIMIT];
  if (Math.abs(dx * wayZ - dz * wayX) > 2 * off || !(walked >= SLOW * ms && walked <= FAST * ms)) return;
  f[o + STRAIGHT_RUN] = run + 1;
  // of rows of slices the ends are left out: this step counts when the next one has been seen
  const ahead = run >= 3 ? f[o + NEXT_AHEAD] : 0;
  const over = run >= 3 ? f[o + NEXT_OVER] : 0;
  f[o + NEXT_AHEAD] = walked - ms;
  f[o + NEXT_OVER] = ms;
  f[o + AHEAD] += ahead;
  f[o + AHEAD_OVER] += over;
  const beyond = Math.max(0, f[o + AHEAD_BEYOND] + ahead - rules.driftTolerance * over);
  f[o + AHEAD_BEYOND] = Math.min(beyond, BEYOND_MS);
  q[Q_BEYOND] = Math.max(q[Q_BEYOND], beyond - BEYOND_MS);
}

/** How far the client's clock has run ahead since the entity was first seen, ms. */
export function driftAt(f: Float64Array, o: number, t: number): number {
  const over = f[o + AHEAD_OVER];
  if (!(over > 0)) return 0;
  return f[o + AHEAD] * Math.min((t - f[o + SINCE_T]) / over, 1 + over / TRUST_MS);
}
