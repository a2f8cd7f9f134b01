// Three of the four checks of a snapshot, against a track: tick order and gap, displacement, deviation. Imported by
// client/validator.ts. Numbers of the hot path live in one Float64Array: nothing is allocated.
//
// Displacement is a token bucket over the server's ticks, the same as the guard's credit over its clock: it grows by v x
// tolerance a second, holds burstMs' worth at most, and is charged with every believed step. Invariant: an entity whose
// steps fit into a bucket of this rate and size on the server is never over it here, whichever of its snapshots arrive:
// the cap is applied after the charge, so what was spent and refilled between two snapshots counts in full.
import {
  CAP,
  fillLimits,
  LEAP,
  LIFT,
  LIFT_CAP,
  LIMITS,
  NEAR,
  OFF_DROP,
  OFF_REPORT,
  OFF_SMOOTH,
  OVERRUN,
  PER_MS,
  RATE,
  UNITS,
} from './limits.ts';
import { ahead, HALF_CIRCLE, wholeDistance } from './numbers.ts';
import type { Settled, SNAPSHOT_OPTIONS } from './options.ts';
import {
  type Point,
  type Snapshot,
  SnapshotAction,
  type SnapshotActionCode,
  SnapshotReason,
  type SnapshotReasonCode,
} from './words.ts';

const { accept, smooth, drop, report } = SnapshotAction;
const { None, TickOrder, TickGap, Displacement, Deviation } = SnapshotReason;

// A track: the newest believed snapshot and what it leaves to the next.
export const TICK = 0;
export const X = 1;
export const Y = 2;
export const Z = 3;
/** Units that may be moved at once. */
export const CREDIT = 4;
/** Tick time less client time since the track began, ms. */
export const LEAD = 5;
/** When it arrived, ms. */
export const AT = 6;
export const TRACK = 7;
/** The baseline; the newest of the refused snapshots that agree; the one at hand. */
export const BASE = 0;
export const CANDIDATE = TRACK;
export const NEW = 2 * TRACK;
/** An announced place (x, y, z) and when it was announced. */
export const PLACE = 3 * TRACK;
export const PLACE_AT = PLACE + 3;
/** What the worst check measured and allowed. */
export const USED = PLACE + 4;
export const ALLOWED = PLACE + 5;
const SIZE = PLACE + 6;

/** The numbers of one entity's snapshots, and the checks over them. */
export class SnapshotChecks {
  /** What decided; see `worst`. */
  reason: SnapshotReasonCode;
  /** Tracks, the announced place, and what was found. */
  readonly s: Float64Array;
  /** Limits in units of the positions: client/limits.ts. */
  readonly l: Float64Array;
  private readonly o: Settled<typeof SNAPSHOT_OPTIONS>;
  private readonly whole: boolean;

  constructor(o: Settled<typeof SNAPSHOT_OPTIONS>) {
    this.o = o;
    this.whole = o.fixedPoint !== 0;
    this.reason = None;
    this.s = new Float64Array(SIZE);
    this.l = new Float64Array(LIMITS);
    this.limit(o.maxSpeed);
    this.begin(BASE);
    this.begin(CANDIDATE);
  }

  /** Another speed limit, m/s. */
  limit(maxSpeed: number): void {
    const { l, s } = this;
    fillLimits(l, this.o, maxSpeed);
    s[BASE + CREDIT] = Math.min(s[BASE + CREDIT], l[CAP]);
    s[CANDIDATE + CREDIT] = Math.min(s[CANDIDATE + CREDIT], l[CAP]);
  }

  /** The snapshot at hand, and when it arrived; a time that is no number is that of the baseline. */
  load(nowMs: number, snapshot: Snapshot): void {
    const { s } = this;
    s[NEW + TICK] = snapshot.tick;
    s[NEW + X] = snapshot.x;
    s[NEW + Y] = snapshot.y;
    s[NEW + Z] = snapshot.z;
    s[NEW + AT] = nowMs === nowMs ? nowMs : s[BASE + AT];
    this.clear();
  }

  /** Nothing found yet. */
  clear(): void {
    this.reason = None;
    this.s[USED] = 0;
    this.s[ALLOWED] = 0;
  }

  /** A track that begins here: full credit, no lead. */
  begin(track: number): void {
    this.s[track + CREDIT] = this.l[CAP];
    this.s[track + LEAD] = 0;
  }

  take(track: number): void {
    this.s.copyWithin(track, NEW, NEW + TRACK);
  }

  /** The candidate is the new baseline. */
  rebase(): void {
    this.s.copyWithin(BASE, CANDIDATE, CANDIDATE + TRACK);
  }

  /** Whether the snapshot's tick is newer than a track's. */
  newer(track: number): boolean {
    const steps = ahead(this.s[NEW + TICK], this.s[track + TICK]);
    return steps !== 0 && steps < HALF_CIRCLE;
  }

  /** Whether it was late by no more than packets can be: then it says nothing of now. */
  get late(): boolean {
    return this.reason === TickOrder && this.s[USED] <= this.o.lateMs;
  }

  /** Order and gap of ticks, and displacement, against a track. Writes reason, used, allowed, and what the new track would be. */
  against(track: number): SnapshotActionCode {
    const { s, l, o } = this;
    const steps = ahead(s[NEW + TICK], s[track + TICK]);
    if (steps === 0 || steps >= HALF_CIRCLE) {
      const behindMs = steps === 0 ? 0 : (2 ** 32 - steps) * o.tickMs;
      return this.worst(accept, behindMs > o.lateMs ? report : drop, TickOrder, behindMs, o.lateMs);
    }
    let action: SnapshotActionCode = accept;
    const passed = s[NEW + AT] - s[track + AT];
    const lead = s[track + LEAD] + steps * o.tickMs - (passed > 0 ? passed * (1 + o.driftTolerance) : 0);
    s[NEW + LEAD] = lead;
    const missing = (steps - 1) * o.tickMs;
    if (lead > o.leadMs) action = this.worst(action, report, TickGap, lead, o.leadMs);
    else if (missing > o.gapSmoothMs) action = this.worst(action, smooth, TickGap, missing, o.gapSmoothMs);

    const dx = s[NEW + X] - s[track + X];
    const dz = s[NEW + Z] - s[track + Z];
    const grown = l[RATE] * steps;
    const allowed = s[track + CREDIT] + (this.whole ? Math.ceil(grown) : grown);
    // written out: a number that is passed on, or returned, may be put into the heap
    const moved = this.whole ? wholeDistance(dx, dz) : Math.sqrt(dx * dx + dz * dz);
    s[NEW + CREDIT] = Math.min(l[CAP], allowed - moved);
    if (moved > allowed) action = this.overrun(action, moved, allowed);
    const lifted = Math.abs(s[NEW + Y] - s[track + Y]);
    const rise = l[LIFT] * steps;
    const liftable = l[LIFT_CAP] + (this.whole ? Math.ceil(rise) : rise);
    if (lifted > liftable) action = this.overrun(action, lifted, liftable);
    return action;
  }

  private overrun(action: SnapshotActionCode, moved: number, allowed: number): SnapshotActionCode {
    const { l } = this;
    const found = moved <= allowed + l[OVERRUN] ? smooth : moved > l[LEAP] ? report : drop;
    return this.worst(action, found, Displacement, moved / l[UNITS], allowed / l[UNITS]);
  }

  /** Distance from the prediction, plan or height, whichever is more. */
  offPrediction(action: SnapshotActionCode, predicted: Point | null): SnapshotActionCode {
    if (predicted === null || predicted === undefined) return action;
    const { s, l } = this;
    const dx = s[NEW + X] - predicted.x;
    const dy = Math.abs(s[NEW + Y] - predicted.y);
    const dz = s[NEW + Z] - predicted.z;
    const plan = this.whole ? wholeDistance(Math.round(dx), Math.round(dz)) : Math.sqrt(dx * dx + dz * dz);
    const off = Math.max(plan, dy);
    // what this client does not know says nothing against the server
    if (!(dx - dx === 0 && dy - dy === 0 && dz - dz === 0) || off <= l[OFF_SMOOTH]) return action;
    const found = off <= l[OFF_DROP] ? smooth : off <= l[OFF_REPORT] ? drop : report;
    return this.worst(action, found, Deviation, off / l[UNITS], l[OFF_SMOOTH] / l[UNITS]);
  }

  /** The worse of two; of equals the first, whose reason and numbers stay. */
  worst(
    action: SnapshotActionCode,
    found: SnapshotActionCode,
    reason: SnapshotReasonCode,
    used: number,
    allowed: number,
  ): SnapshotActionCode {
    if (found <= action) return action;
    this.reason = reason;
    this.s[USED] = used;
    this.s[ALLOWED] = allowed;
    return found;
  }

  /** Whether the baseline may step there at once. */
  within(pos: Readonly<Point>): boolean {
    const { s, l } = this;
    const moved = this.plan(pos.x - s[BASE + X], pos.z - s[BASE + Z]);
    return moved <= l[CAP] && Math.abs(pos.y - s[BASE + Y]) <= l[LIFT_CAP];
  }

  /** Whether the snapshot lies where the announced place can have been left for since, and nearer to it than to the baseline. */
  arrived(based: boolean): boolean {
    const { s, l } = this;
    const since = s[NEW + AT] - s[PLACE_AT];
    const moved = this.plan(s[NEW + X] - s[PLACE], s[NEW + Z] - s[PLACE + 2]);
    const walked = l[NEAR] + l[CAP] + (since > 0 ? since * l[PER_MS] : 0);
    const lifted = Math.abs(s[NEW + Y] - s[PLACE + 1]);
    if (!(moved <= walked && lifted <= l[NEAR] + l[LIFT_CAP])) return false;
    return !based || moved <= this.plan(s[NEW + X] - s[BASE + X], s[NEW + Z] - s[BASE + Z]);
  }

  /** Plan distance from a track to the snapshot, metres: for reports. */
  metres(track: number): number {
    const { s, l } = this;
    const dx = s[NEW + X] - s[track + X];
    const dz = s[NEW + Z] - s[track + Z];
    return Math.sqrt(dx * dx + dz * dz) / l[UNITS];
  }

  private plan(dx: number, dz: number): number {
    return this.whole ? wholeDistance(dx, dz) : Math.sqrt(dx * dx + dz * dz);
  }
}
