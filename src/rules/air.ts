// Air: how high and how low a body can be, given when it last stood on the ground. Pure; imported by guard.ts.
//
// The server knows when claims arrived, not when they were made: packets bunch up by as much as `jitterMs`. So a claim is
// refused only when no flight time within that uncertainty explains its height.

/** A body this near to the floor stands on it, metres. */
export const GROUND_BAND = 0.3;
/** What is forgiven of a flight's height, metres. */
export const AIR_SLACK = 0.5;

/** Falling for s seconds from rest: metres, with the speed capped. */
export function fallen(s: number, gravity: number, fallSpeedMax: number): number {
  const capAt = fallSpeedMax / gravity;
  return s <= capAt ? (gravity * s * s) / 2 : (gravity * capAt * capAt) / 2 + fallSpeedMax * (s - capAt);
}

/** Height over the take-off point after s seconds of flight: up with v0, down with gravity, the fall's speed capped. */
export function flown(s: number, v0: number, gravity: number, fallSpeedMax: number): number {
  const apex = v0 / gravity;
  if (s <= apex) return v0 * s - (gravity * s * s) / 2;
  return (v0 * v0) / (2 * gravity) - fallen(s - apex, gravity, fallSpeedMax);
}

/** The greatest height over the take-off point that a body can have, metres. */
export function highest(sinceMs: number, jitterMs: number, v0: number, gravity: number, fallSpeedMax: number): number {
  const early = Math.max(0, sinceMs - jitterMs) / 1000;
  const late = (sinceMs + jitterMs) / 1000;
  // the parabola rises to its apex and falls after it: its maximum over an interval lies at the point nearest to the apex
  const at = Math.min(Math.max(early, v0 / gravity), late);
  return flown(at, v0, gravity, fallSpeedMax) + AIR_SLACK;
}

/** The least height (negative) that a body can have fallen to, metres over the take-off point. */
export function lowest(sinceMs: number, jitterMs: number, gravity: number, fallSpeedMax: number): number {
  return -fallen((sinceMs + jitterMs) / 1000, gravity, fallSpeedMax) - AIR_SLACK;
}
