// Way-round time: a burst of credit must not pay for walking round a wall in 50 ms. Pure functions over the ledger;
// imported by guard.ts.
//
// `open` is client time that may be unaccounted for: a silence opens it, time that passes under the server's eyes closes
// it again, and moves use it up. So a stall keeps its time for the flush that follows, standing still while sending does
// not ripen it, and refused tries do not either.
import { Q_CHARGED, Q_RATE, Q_T } from './hand.ts';
import { JUDGED_T, OPEN, RTT, SLACK, SLACK_T } from './ledger.ts';

/** The slack bucket is full again after this, ms. */
const SLACK_REFILL_MS = 1000;

/** Client time that may be unaccounted for at t, ms: the silence until now, or what an earlier one has left. */
export function openAt(f: Float64Array, o: number, t: number): number {
  const gap = t - f[o + JUDGED_T];
  const rest = f[o + OPEN] - gap;
  return Math.max(gap, rest);
}

/** Way-round slack at t, ms. */
export function slackAt(f: Float64Array, o: number, t: number, slackMs: number): number {
  const full = slackMs + f[o + RTT];
  const slack = f[o + SLACK] + (full * (t - f[o + SLACK_T])) / SLACK_REFILL_MS;
  return Math.min(slack, full);
}

/** Notes that a claim is judged at q[Q_T], whatever becomes of it. */
export function noteJudged(f: Float64Array, o: number, q: Float64Array): void {
  const gap = q[Q_T] - f[o + JUDGED_T];
  f[o + OPEN] = Math.max(gap, f[o + OPEN] - gap);
  f[o + JUDGED_T] = q[Q_T];
}

/** An accepted straight move took this long at full speed: it comes off the open time. After `noteJudged`. */
export function payClear(f: Float64Array, o: number, metres: number, ratePerMs: number): void {
  const open = ratePerMs > 0 ? f[o + OPEN] - metres / ratePerMs : metres > 0 ? 0 : f[o + OPEN];
  f[o + OPEN] = Math.max(open, 0);
}

/** An accepted walk of q[Q_CHARGED] round something: open time pays first, slack the rest. After `noteJudged`. */
export function payWalk(f: Float64Array, o: number, q: Float64Array, slackMs: number): void {
  const metres = q[Q_CHARGED];
  const needed = q[Q_RATE] > 0 ? metres / q[Q_RATE] : metres > 0 ? Infinity : 0;
  const beyond = needed - f[o + OPEN];
  if (beyond <= 0) {
    f[o + OPEN] = -beyond;
    return;
  }
  const full = slackMs + f[o + RTT];
  const slack = Math.min(full, f[o + SLACK] + (full * (q[Q_T] - f[o + SLACK_T])) / SLACK_REFILL_MS) - beyond;
  f[o + OPEN] = 0;
  f[o + SLACK] = Math.max(slack, 0);
  f[o + SLACK_T] = q[Q_T];
}
