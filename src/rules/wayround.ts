// Way-round time: a burst of credit must not pay for walking round a wall in 50 ms. Pure functions over the ledger;
// imported by guard.ts.
//
// `open` is client time that may be unaccounted for: a silence opens it, time that passes under the server's eyes closes
// it again, and moves use it up. So a stall keeps its time for the flush that follows, standing still while sending does
// not ripen it, and refused tries do not either.
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

/** Notes that a claim is judged at t, whatever becomes of it. */
export function noteJudged(f: Float64Array, o: number, t: number): void {
  f[o + OPEN] = openAt(f, o, t);
  f[o + JUDGED_T] = t;
}

/** An accepted straight move took this long at full speed: it comes off the open time. After `noteJudged`. */
export function payClear(f: Float64Array, o: number, metres: number, ratePerMs: number): void {
  const open = ratePerMs > 0 ? f[o + OPEN] - metres / ratePerMs : metres > 0 ? 0 : f[o + OPEN];
  f[o + OPEN] = Math.max(open, 0);
}

/** An accepted walk round something: open time pays first, slack the rest. After `noteJudged`. */
export function payWalk(
  f: Float64Array,
  o: number,
  t: number,
  metres: number,
  ratePerMs: number,
  slackMs: number,
): void {
  const needed = ratePerMs > 0 ? metres / ratePerMs : metres > 0 ? Infinity : 0;
  const beyond = needed - f[o + OPEN];
  if (beyond <= 0) {
    f[o + OPEN] = -beyond;
    return;
  }
  const slack = slackAt(f, o, t, slackMs) - beyond;
  f[o + OPEN] = 0;
  f[o + SLACK] = Math.max(slack, 0);
  f[o + SLACK_T] = t;
}
