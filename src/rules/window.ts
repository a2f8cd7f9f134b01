// The last half minute: metres and large legs by buckets of five seconds. Pure functions over the ledger; imported by
// rules/.
import { CORRECTION, SLICE_T, WINDOW, WINDOW_MAX, WINDOW_STRIDE } from './ledger.ts';

/** A bucket's time, ms. */
const BUCKET_MS = 5000;

/** A slice of so many ms that ended at t adds to the bucket of its end. */
export function noteWindow(f: Float64Array, o: number, t: number, ms: number, metres: number, jumps: number): void {
  const number = Math.floor(t / BUCKET_MS);
  const b = o + WINDOW + (((number % WINDOW_MAX) + WINDOW_MAX) % WINDOW_MAX) * WINDOW_STRIDE;
  if (f[b] !== number) {
    f[b] = number;
    f[b + 1] = 0;
    f[b + 2] = 0;
    f[b + 3] = f[o + CORRECTION];
    f[b + 4] = t - ms;
  }
  f[b + 1] += metres;
  f[b + 2] += jumps;
}

/** What the window knows at t. */
export interface Window {
  /** Average speed, m/s, over the time covered: 25 to 30 s, or since the entity came. */
  readonly averageSpeed: number;
  /** Large legs accepted, and corrections sent. */
  readonly jumps: number;
}

/** The buckets at t, and what has been walked since the last slice, metres. */
export function windowAt(f: Float64Array, o: number, t: number, metres: number, jumps: number): Window {
  const number = Math.floor(t / BUCKET_MS);
  let from = f[o + SLICE_T];
  let walked = metres;
  let leaps = jumps;
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
