// The validator's thresholds in units of the positions: places in one Float64Array, filled when the speed limit changes.
// Fixed-point limits are whole numbers, rounded up: in favour of the server. Imported by client/validator.ts.
import type { Settled, SNAPSHOT_OPTIONS } from './options.ts';

/** Growth of credit in one tick. */
export const RATE = 0;
/** Credit that can be held. */
export const CAP = 1;
/** Height in one tick, and at once. */
export const LIFT = 2;
export const LIFT_CAP = 3;
export const OVERRUN = 4;
/** A teleport's distance. */
export const LEAP = 5;
/** Radius of an announced place. */
export const NEAR = 6;
export const OFF_SMOOTH = 7;
export const OFF_DROP = 8;
export const OFF_REPORT = 9;
/** Units in a metre. */
export const UNITS = 10;
/** Growth of credit in one millisecond. */
export const PER_MS = 11;
export const LIMITS = 12;

/** The guard holds so much at any speed: positions are rounded. Metres. */
const LEAST_CAP = 0.1;

/** Fills `l` for a plan speed limit in m/s. */
export function fillLimits(l: Float64Array, o: Settled<typeof SNAPSHOT_OPTIONS>, maxSpeed: number): void {
  const whole = o.fixedPoint !== 0;
  const units = whole ? o.fixedPoint : 1;
  const perMs = (maxSpeed * o.speedTolerance * units) / 1000;
  const lift = (o.maxVerticalSpeed * units) / 1000;
  const up = (distance: number): number => (whole ? Math.ceil(distance) : distance);
  l[RATE] = perMs * o.tickMs;
  l[CAP] = up(Math.max(perMs * o.burstMs, LEAST_CAP * units));
  l[LIFT] = lift * o.tickMs;
  l[LIFT_CAP] = up(Math.max(lift * o.burstMs, LEAST_CAP * units));
  l[OVERRUN] = up(o.overrun * units);
  l[LEAP] = up(o.teleportDistance * units);
  l[NEAR] = up(o.expectRadius * units);
  l[OFF_SMOOTH] = up(o.deviationSmooth * units);
  l[OFF_DROP] = up(o.deviationDrop * units);
  l[OFF_REPORT] = up(o.deviationReport * units);
  l[UNITS] = units;
  l[PER_MS] = perMs;
}
