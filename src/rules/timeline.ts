// Click-to-move: the walk along an accepted path, in server time. Pure functions over the ledger; imported by guard.ts.
import { CORNER, PATH_CORNERS, PATH_DONE, PATH_END, PATH_RATE, PATH_T } from './ledger.ts';

/** Of the unit vector along a leg: less is no rounding. */
const STRETCHED = 0.999;

/** Metres walked along the path at t. */
export function walkedAt(f: Float64Array, o: number, t: number): number {
  const walked = f[o + PATH_DONE] + f[o + PATH_RATE] * (t - f[o + PATH_T]);
  return Math.min(walked, f[o + PATH_END]);
}

/**
 * Copies corners (x, y, z in metres, three numbers each) into a path with the plan distance from its start at each, and
 * returns the whole length.
 */
export function layPath(path: Float64Array, corners: Float64Array, count: number): number {
  let length = 0;
  for (let i = 0; i < count; i++) {
    const x = corners[3 * i];
    const z = corners[3 * i + 2];
    if (i > 0) {
      const dx = x - path[(i - 1) * CORNER];
      const dz = z - path[(i - 1) * CORNER + 2];
      length += Math.sqrt(dx * dx + dz * dz);
    }
    path[i * CORNER] = x;
    path[i * CORNER + 1] = corners[3 * i + 1];
    path[i * CORNER + 2] = z;
    path[i * CORNER + 3] = length;
  }
  return length;
}

/** Starts the walk: `rate` metres per ms, ending after `end` metres. */
export function startWalk(f: Float64Array, o: number, t: number, corners: number, rate: number, end: number): void {
  f[o + PATH_T] = t;
  f[o + PATH_DONE] = 0;
  f[o + PATH_RATE] = rate;
  f[o + PATH_END] = end;
  f[o + PATH_CORNERS] = corners;
}

/**
 * The point of the path at t, to out[0..2]; y lies on the straight line between corners. Returns the number of the
 * corner that the leg starts at.
 */
export function pathPoint(f: Float64Array, o: number, path: Float64Array, t: number, out: Float64Array): number {
  const walked = walkedAt(f, o, t);
  const last = f[o + PATH_CORNERS] - 1;
  // the last corner that is not beyond the walked distance
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (path[middle * CORNER + 3] <= walked) low = middle;
    else high = middle - 1;
  }
  const a = low * CORNER;
  const b = low < last ? a + CORNER : a;
  const leg = path[b + 3] - path[a + 3];
  const share = leg > 0 ? (walked - path[a + 3]) / leg : 0;
  for (let k = 0; k < 3; k++) out[k] = share > 0 ? path[a + k] + share * (path[b + k] - path[a + k]) : path[a + k];
  return low;
}

/**
 * How far along the path the point nearest in the plan to (x, z) is, of those from `least` to `most` metres; of several the
 * farthest along.
 */
export function nearestAlong(
  path: Float64Array,
  corners: number,
  least: number,
  most: number,
  x: number,
  z: number,
): number {
  let best = Infinity;
  let along = most;
  for (let i = corners - 2; i >= 0; i--) {
    const a = i * CORNER;
    const b = a + CORNER;
    const start = path[a + 3];
    const leg = path[b + 3] - start;
    if (path[b + 3] < least) break;
    if (!(leg > 0) || start > most) continue;
    // (a leg over a ladder is longer than in the plan: climb.ts)
    const ux = (path[b] - path[a]) / leg;
    const uz = (path[b + 2] - path[a + 2]) / leg;
    const square = ux * ux + uz * uz;
    const inPlan = ux * (x - path[a]) + uz * (z - path[a + 2]);
    const foot = square < STRETCHED ? (square > 0 ? inPlan / square : leg) : inPlan;
    const s = Math.max(least - start, 0, Math.min(foot, leg, most - start));
    const dx = path[a] + s * ux - x;
    const dz = path[a + 2] + s * uz - z;
    const distance = dx * dx + dz * dz;
    if (distance < best) {
      best = distance;
      along = start + s;
    }
  }
  return along;
}
