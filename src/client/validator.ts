// The snapshot validator of the other end of the wire: four checks, four actions, a baseline that refused snapshots never
// touch. Imported by client/body.ts and by callers. The checks: client/fields.ts and client/checks.ts.
import { ALLOWED, AT, BASE, CANDIDATE, NEW, PLACE, PLACE_AT, SnapshotChecks, TICK, USED, X, Y, Z } from './checks.ts';
import type { ReportFeed } from './feed.ts';
import { type Bounds, FieldRanges, type SnapshotField } from './fields.ts';
import { HeldFindings } from './held.ts';
import { type OptionsOf, type Settled, SNAPSHOT_OPTIONS, settle } from './options.ts';
import {
  type Point,
  type Snapshot,
  SnapshotAction,
  type SnapshotActionCode,
  SnapshotReason,
  type SnapshotReasonCode,
} from './words.ts';

const { accept, drop, report } = SnapshotAction;
const { Deviation, Displacement, Field, Rebased, Stale } = SnapshotReason;

/** Options of a validator: `maxSpeed` must be given, everything else has a default. */
export type SnapshotOptions = OptionsOf<typeof SNAPSHOT_OPTIONS> & {
  /** Where entities can be, metres; +-32,768 m each way by default. */
  readonly bounds?: Bounds | undefined;
  /** Further numbers that snapshots carry in `values`, with their ranges. */
  readonly fields?: readonly SnapshotField[] | undefined;
};

/** Judges the server's snapshots of one entity. Times are the caller's, ms; ticks wrap at 2^32; nothing it is given makes it throw. */
export class SnapshotValidator {
  /** Believed although the one before it was elsewhere: put the entity there, do not blend. */
  leapt: boolean;
  /** Snapshots by action since the start. */
  readonly counts: Float64Array;
  /** Who this is, in reports. */
  readonly entity: string | number;
  private readonly feed: ReportFeed | null;
  private readonly ranges: FieldRanges;
  private readonly o: Settled<typeof SNAPSHOT_OPTIONS>;
  private readonly checks: SnapshotChecks;
  private readonly held: HeldFindings;
  private has: boolean;
  private expecting: boolean;
  /** A place was announced that is so near that snapshots from before it are believed, too. */
  private nearby: boolean;
  /** Refused snapshots in a row that agree, and whether one of them left the baseline's track. */
  private run: number;
  private astray: boolean;

  /** Throws RangeError for an unknown option, a missing `maxSpeed`, a value out of range, thresholds that are not in order. */
  constructor(options: SnapshotOptions, feed: ReportFeed | null = null, entity: string | number = '') {
    this.o = settle('SnapshotValidator', SNAPSHOT_OPTIONS, options, ['bounds', 'fields']);
    const { deviationSmooth, deviationDrop, deviationReport, fixedPoint } = this.o;
    if (!(deviationSmooth <= deviationDrop && deviationDrop <= deviationReport)) {
      throw new RangeError(
        `SnapshotValidator: expected deviationSmooth <= deviationDrop <= deviationReport, got ${deviationSmooth}, ${deviationDrop}, ${deviationReport}`,
      );
    }
    this.ranges = new FieldRanges(fixedPoint, options.bounds, options.fields);
    this.feed = feed;
    this.entity = entity;
    this.checks = new SnapshotChecks(this.o);
    this.held = new HeldFindings();
    this.counts = new Float64Array(4);
    this.leapt = false;
    this.has = false;
    this.expecting = false;
    this.nearby = false;
    this.run = 0;
    this.astray = false;
  }

  /** Another plan speed limit from now on, m/s: a skill, a mount. What was saved up is kept, within the new cap. Throws RangeError out of range. */
  setMaxSpeed(metresPerSecond: number): void {
    settle('setMaxSpeed', { maxSpeed: SNAPSHOT_OPTIONS.maxSpeed }, { maxSpeed: metresPerSecond });
    this.checks.limit(metresPerSecond);
  }

  /**
   * Judges one snapshot, and takes it as the new baseline when it is believed (`accept`, `smooth`). `predicted` is where this
   * client had the entity at that moment (of its own: where it stood when it sent the move that the snapshot answers); null
   * when it does not know. Returns a `SnapshotAction`; `reason`, `used`, `allowed` and `leapt` say more.
   */
  check(nowMs: number, snapshot: Snapshot, predicted: Point | null = null): SnapshotActionCode {
    if (this.held.any) this.release(nowMs);
    const { checks } = this;
    this.leapt = false;
    const bad = this.ranges.firstBad(snapshot);
    if (bad >= 0) return this.refuseField(nowMs, bad, snapshot);
    checks.load(nowMs, snapshot);
    if (this.expecting && (!this.has || checks.newer(BASE))) {
      // an announcement that nothing came of is void
      if (!this.waited()) this.expecting = false;
      else if (checks.arrived(this.has)) return this.believe(accept, true);
      else return this.done(checks.worst(accept, drop, Stale, 0, 0));
    }
    if (!this.has) return this.believe(accept, true);
    const order = checks.against(BASE);
    if (checks.late) return this.done(order);
    if (this.nearby && checks.reason === Displacement && this.waited() && checks.arrived(false)) {
      checks.clear();
      return this.believe(accept, true);
    }
    const action = checks.offPrediction(order, predicted);
    if (action < drop) return this.believe(action, false);
    if (action === report) this.held.hold(checks.s[NEW + AT], checks.reason, this.used, this.allowed, snapshot.tick);
    return this.done(this.agree(action));
  }

  /**
   * The server has said that the entity now stands at `pos`, by a way that can be trusted: spawn, respawn, teleport, and each
   * correction that was obeyed: a server takes back what it let pass while one was under way. With its
   * tick that is the new baseline at once; without, the first snapshot near there will be, and others are `Stale` until then,
   * for `expectMs` at most (a place within one step of the baseline may be stepped to, nothing is `Stale`). Held findings are explained by it and forgotten. False, and nothing changed, for a position or
   * tick out of range.
   */
  expect(nowMs: number, pos: Readonly<Point>, tick?: number): boolean {
    if (typeof pos !== 'object' || pos === null) return false;
    const announced = { tick: tick ?? 0, x: pos.x, y: pos.y, z: pos.z };
    if (this.ranges.firstBadPlace(announced) >= 0) return false;
    const { checks } = this;
    this.held.forget();
    this.run = 0;
    this.expecting = false;
    this.nearby = false;
    if (tick !== undefined) {
      checks.load(nowMs, announced);
      checks.begin(NEW);
      checks.take(BASE);
      this.has = true;
    } else {
      const { s } = checks;
      s[PLACE] = pos.x;
      s[PLACE + 1] = pos.y;
      s[PLACE + 2] = pos.z;
      s[PLACE_AT] = nowMs;
      // as near as it may step anyway, snapshots from before and after look alike
      this.nearby = this.has && checks.within(pos);
      this.expecting = !this.nearby;
    }
    return true;
  }

  /** Hands over findings that waited long enough, and lets the feed send. Call it once a frame, or once a second. */
  flush(nowMs: number): void {
    if (this.held.any) this.release(nowMs);
    if (this.feed !== null) this.feed.flush(nowMs);
  }

  /** Forgets everything but its options: another entity, another server. */
  reset(): void {
    this.has = false;
    this.expecting = false;
    this.nearby = false;
    this.run = 0;
    this.held.forget();
  }

  /** What decided the last snapshot. */
  get reason(): SnapshotReasonCode {
    return this.checks.reason;
  }
  /** Whether there is a baseline. */
  get based(): boolean {
    return this.has;
  }
  /** Tick and position of the baseline: the last snapshot that was believed. */
  get tick(): number {
    return this.checks.s[BASE + TICK];
  }
  get x(): number {
    return this.checks.s[BASE + X];
  }
  get y(): number {
    return this.checks.s[BASE + Y];
  }
  get z(): number {
    return this.checks.s[BASE + Z];
  }
  /** What the deciding check measured: metres, or ms for ticks, or the field's value. 0 when nothing was amiss. */
  get used(): number {
    return this.checks.s[USED];
  }
  /** What it would have let pass, same unit. */
  get allowed(): number {
    return this.checks.s[ALLOWED];
  }

  /** Whether an announced place may still be waited for. */
  private waited(): boolean {
    const { s } = this.checks;
    return s[NEW + AT] - s[PLACE_AT] <= this.o.expectMs;
  }

  /** The snapshot is the new baseline; `fresh`: whatever was before. */
  private believe(action: SnapshotActionCode, fresh: boolean): SnapshotActionCode {
    const { checks } = this;
    if (fresh) checks.begin(NEW);
    checks.take(BASE);
    this.leapt = fresh;
    this.has = true;
    this.expecting = false;
    if (fresh) this.nearby = false;
    this.run = 0;
    return this.done(action);
  }

  /** A refused snapshot: does it agree with the refused ones before it? Enough of them are believed. */
  private agree(action: SnapshotActionCode): SnapshotActionCode {
    const { checks, feed } = this;
    const { s, reason } = checks;
    const used = s[USED];
    const allowed = s[ALLOWED];
    let fits = false;
    let late = false;
    if (this.run > 0) {
      fits = checks.against(CANDIDATE) < drop;
      // late is neither for nor against: that is how networks are
      late = checks.late;
      checks.reason = reason;
      s[USED] = used;
      s[ALLOWED] = allowed;
    }
    if (late) return action;
    if (!fits) checks.begin(NEW);
    this.run = fits ? this.run + 1 : 1;
    this.astray = (fits && this.astray) || reason !== Deviation;
    checks.take(CANDIDATE);
    if (this.run < this.o.rebaseAfter) return action;
    this.held.forget();
    // a server that only differs from this client's prediction walked on as it should
    if (feed !== null && this.astray) {
      const moved = checks.metres(BASE);
      feed.add(s[NEW + AT], this.entity, Rebased, this.run, moved, NaN, null, s[BASE + TICK], s[NEW + TICK]);
    }
    checks.rebase();
    this.run = 0;
    this.leapt = true;
    checks.reason = Rebased;
    return accept;
  }

  private done(action: SnapshotActionCode): SnapshotActionCode {
    this.counts[action]++;
    return action;
  }

  private refuseField(nowMs: number, bad: number, snapshot: Snapshot): SnapshotActionCode {
    const { ranges, feed, checks } = this;
    const { s } = checks;
    checks.reason = Field;
    s[USED] = ranges.badValue;
    s[ALLOWED] = ranges.limit(bad);
    if (feed !== null) {
      const tick = bad === 0 ? NaN : snapshot.tick;
      feed.add(nowMs, this.entity, Field, 1, s[USED], s[ALLOWED], ranges.name(bad), tick, tick);
    }
    return this.done(report);
  }

  private release(nowMs: number): void {
    this.held.release(nowMs, this.o.holdMs, this.feed, this.entity);
  }
}
