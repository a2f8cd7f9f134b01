// The last half minute: metres and large legs by buckets of five seconds. Pure functions over the ledger; imported by
// rules/.
import { Q_T } from './hand.ts';
import { CORRECTION, METRES, SLICE_JUMPS, SLICE_T, WINDOW, WINDOW_MAX, WINDOW_STRIDE } from './ledger.ts';

/** A bucket's time, ms. */
export const BUCKET_MS = 5000;

/** The slice that ends at q[Q_T] adds to the bucket of its end. */
export function noteWindow(f: Float64Array, o: number, q: Float64Array): void {
  const t = q[Q_T];
  const number = Math.floor(t / BUCKET_MS);
  // a remainder of whole 32-bit numbers is far cheaper, and the same; other clocks exist too
  const low = number | 0;
  const place = low === number && low >= 0 ? low % WINDOW_MAX : ((number % WINDOW_MAX) + WINDOW_MAX) % WINDOW_MAX;
  const b = o + WINDOW + place * WINDOW_STRIDE;
  if (f[b] !== number) {
    f[b] = number;
    f[b + 1] = 0;
    f[b + 2] = 0;
    f[b + 3] = f[o + CORRECTION];
    f[b + 4] = f[o + SLICE_T];
  }
  f[b + 1] += f[o + METRES];
  f[b + 2] += f[o + SLICE_JUMPS];
}

/** What the window knows at t. */
export interface Window {
  /** Average speed, m/s, over the time covered: 25 to 30 s, or since the entity came. */
  readonly averageSpeed: number;
  /** Large legs accepted, and corrections sent. */
  readonly jumps: number;
}

/** The buckets at t, and the slice that is not over. */
export function windowAt(f: Float64Array, o: number, t: number): Window {
  const number = Math.floor(t / BUCKET_MS);
  let from = f[o + SLICE_T];
  let walked = f[o + METRES];
  let leaps = f[o + SLICE_JUMPS];
  let corrected = f[o + CORRECTION];
  for (let k = 0; k < WINDOW_MAX; k++) {
    const b = o + WINDOW + k * WINDOW_STRIDE;
    if (!(f[b] > number - WINDOW_MAX && f[b] <= number)) continue;
    walked += f[b + 1];
    leaps += f[b + 2];
    corrected = Math.min(corrected, f[b + 3]);
    from = Math.min(from, f[b + 4]);
  }
  // what lies farther back was spent standing
  from = Math.max(from, t - WINDOW_MAX * BUCKET_MS);
  const averageSpeed = t > from ? (walked * 1000) / (t - from) : 0;
  return { averageSpeed, jumps: leaps + f[o + CORRECTION] - corrected };
}
