// Which of an entity's numbers are times of the guard's clock, and how they read on another machine's clock. Imported by
// moved.ts.
import * as L from '../rules/ledger.ts';
import { BUCKET_MS } from '../rules/window.ts';

/** Places of single times. */
const SINGLE: readonly number[] = [
  L.CREDIT_T,
  L.JUDGED_T,
  L.SLACK_T,
  L.BONUS_UNTIL,
  L.GROUND_T,
  L.SLICE_T,
  L.DUE_T,
  L.LAUNCH_T,
  L.GRACE_T,
  L.PEND_T,
  L.STALE_UNTIL,
  L.ALIVE_T,
  L.ROOTED_T,
  L.PATH_T,
  L.LEFT_T,
  L.PUT_T,
  L.SCORE_T,
  L.AIR_T,
  L.NODES_T,
  L.PACE_T,
  L.LOWERED_T,
  L.SINCE_T,
  L.MIDDLE_T,
  L.MISSED_T,
  L.SAID_T,
  L.BACK_T,
  L.WAS_T,
  L.LINK_T,
  L.INPUT_T,
];

const run = (from: number, count: number, stride: number): number[] =>
  Array.from({ length: count }, (_, k) => from + k * stride);

/** Every place that holds a time: ms of the guard's clock, or -Infinity. */
export const TIMES: readonly number[] = [
  ...SINGLE,
  ...run(L.LOWER, L.LOWER_MAX, 2),
  ...run(L.PUSH, L.PUSH_MAX, L.PUSH_STRIDE),
  ...run(L.PUSH + 1, L.PUSH_MAX, L.PUSH_STRIDE),
  ...run(L.GRANT + 4, L.GRANT_MAX, L.GRANT_STRIDE),
  ...run(L.RING + 2, L.RING_MAX, L.RING_STRIDE),
  ...run(L.WINDOW + 4, L.WINDOW_MAX, L.WINDOW_STRIDE),
];

/**
 * Moves all times of an entity by `ms`. Invariant: differences between times stay what they were (exactly, where the sums
 * are exact), and judging uses times only by their differences; so it goes on as if nothing had happened. The one exception
 * are the window's buckets, which begin at whole multiples of their length: they move by whole buckets, and what `evidence`
 * says of the last half minute is out by up to half of one. No verdict depends on it.
 */
export function shiftTimes(state: Float64Array, ms: number): void {
  if (ms === 0) return;
  for (const place of TIMES) state[place] += ms;
  const buckets = Math.round(ms / BUCKET_MS);
  const old = state.slice(L.WINDOW, L.WINDOW + L.WINDOW_MAX * L.WINDOW_STRIDE);
  for (let k = 0; k < L.WINDOW_MAX; k++) {
    const number = old[k * L.WINDOW_STRIDE] + buckets;
    // the numbers of six buckets need not follow each other, but none shares its place with another
    const place = (((k + buckets) % L.WINDOW_MAX) + L.WINDOW_MAX) % L.WINDOW_MAX;
    const to = L.WINDOW + place * L.WINDOW_STRIDE;
    state.set(old.subarray(k * L.WINDOW_STRIDE, (k + 1) * L.WINDOW_STRIDE), to);
    state[to] = number;
  }
}
