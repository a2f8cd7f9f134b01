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

/** The time that falling h metres from rest takes, ms. */
export function fallMs(h: number, gravity: number, fallSpeedMax: number): number {
  const capped = (fallSpeedMax * fallSpeedMax) / (2 * gravity);
  const s = h <= capped ? Math.sqrt((2 * h) / gravity) : fallSpeedMax / gravity + (h - capped) / fallSpeedMax;
  return 1000 * s;
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

/** What AIR_DEBT loses by itself, metres of height: a flight's own error averages out, this clears what is left of it. */
const DEBT_RELIEF = 0.1;
/** See lackedMost. */
const LACK_MS = 300;
/** A claim counts for at most this long, ms: between sparse claims nobody knows how high a body was. */
const HELD_MS = 150;
/** Two heights may be wrong by this much time when it is asked whether a body touched ground between them, ms. */
export const TOUCH_ERROR_MS = 40;

/**
 * Height-time (m s) in the air that parabolas do not explain, `ms` after it was `debt`, the entity being held `rate`
 * metres higher than its flight would have it. Late and early packets of a real flight cancel out, so an honest body's
 * debt stays near zero however its packets arrive; one that hovers owes its height for as long as it stays there.
 */
export function airDebtAt(debt: number, rate: number, ms: number): number {
  const held = Math.min(ms, HELD_MS) / 1000;
  return Math.max(0, Math.max(0, debt + rate * held) - (DEBT_RELIEF * ms) / 1000);
}

/** What HOVER loses by itself, metres of height; from claims farther apart than SPARSE_MS it does not grow. */
const HOVER_RELIEF = 0.05;
const SPARSE_MS = 240;

/**
 * The same height-time for evidence: with less relief and no bound, because it is not refused. In honest jumping, whatever
 * the line does, it came to no more than 2.3 m s (5 to 120 claims a second, jumps of 2.1 m); below 5 a landing may be missed.
 */
export function hoverAt(hover: number, rate: number, ms: number): number {
  const grown = (rate * Math.min(ms, HELD_MS)) / 1000;
  const now = Math.max(0, hover + (ms <= SPARSE_MS ? grown : Math.min(grown, 0)));
  return Math.max(0, now - (HOVER_RELIEF * ms) / 1000);
}

/** From here on HOVER is evidence, m s. */
export function hoverMost(jumpHeight: number): number {
  return 1.4 * (jumpHeight + AIR_SLACK);
}

/** What LACKED loses by itself, a share of the time that passes. */
const LACK_RELIEF = 0.015;

/**
 * Time that unseen landings lacked (ms), `ms` after it was `lacked`. In honest jumping, from 4 claims a second on, none lacks
 * any; from 2 or 3, one may lack a quarter of a second. Whoever hovers low over ground that falls away is never above its
 * jumps for long, but lands again and again in less time than landing takes.
 */
export function lackedAt(lacked: number, ms: number): number {
  return Math.max(0, lacked - LACK_RELIEF * ms);
}

/** From here on LACKED is evidence, ms. */
export function lackedMost(rttMs: number): number {
  return LACK_MS + rttMs;
}

/** The most that AIR_DEBT may be: what a whole burst at the top of a jump comes to, m s. */
export function airDebtMax(jumpHeight: number, jitterMs: number): number {
  return ((jumpHeight + AIR_SLACK) * jitterMs) / 1000;
}

/** The least time between h metres over the floor and the floor with a speed of v there, ms: going up or coming down. */
export function touchMs(h: number, v: number, gravity: number): number {
  return (1000 * (v - Math.sqrt(Math.max(0, v * v - 2 * gravity * Math.max(0, h))))) / gravity;
}
