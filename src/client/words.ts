// Words and shapes of the client's validator: actions, checks, snapshots, reports. A leaf of client/, which imports nothing
// from the rest of the project.

/** What to do with a snapshot, by severity. The worst of all checks wins. */
export const SnapshotAction = {
  /** Believed; it is the new baseline. Nothing to blend. */
  accept: 0,
  /** Believed, and the new baseline, but the view is off: blend towards it. */
  smooth: 1,
  /** Not used: late, repeated, or not possible. */
  drop: 2,
  /** Not used, and told to the report feed. */
  report: 3,
} as const;
export type SnapshotActionCode = (typeof SnapshotAction)[keyof typeof SnapshotAction];
/** Names of the actions by code. */
export const SNAPSHOT_ACTIONS = ['accept', 'smooth', 'drop', 'report'] as const;

/** What decided. Codes never change. */
export const SnapshotReason = {
  /** Every check found it in order. */
  None: 0,
  /** A field is no number, or outside its range. */
  Field: 1,
  /** The tick is not newer than the baseline's. */
  TickOrder: 2,
  /** Ticks are missing, or the tick is farther ahead than time has passed. */
  TickGap: 3,
  /** Farther from the baseline than its ticks allow. */
  Displacement: 4,
  /** Away from what was predicted locally. */
  Deviation: 5,
  /** The last of enough refused snapshots that agree with each other: the new baseline. */
  Rebased: 6,
  /** From before a place that `expect` announced. */
  Stale: 7,
} as const;
export type SnapshotReasonCode = (typeof SnapshotReason)[keyof typeof SnapshotReason];
/** Names of the reasons by code. */
export const SNAPSHOT_REASONS = [
  'None',
  'Field',
  'TickOrder',
  'TickGap',
  'Displacement',
  'Deviation',
  'Rebased',
  'Stale',
] as const;
export type SnapshotReasonName = (typeof SNAPSHOT_REASONS)[number];

/** A position: metres, or whole fixed-point units when the validator is made with `fixedPoint`; y up. */
export interface Point {
  x: number;
  y: number;
  z: number;
}

/** One entity in a server's snapshot. Reuse one object for many. */
export interface Snapshot extends Readonly<Point> {
  /** The server's tick, 0..2^32-1; it wraps. */
  readonly tick: number;
  /** Further numbers, in the order of the option `fields`. */
  readonly values?: ArrayLike<number> | undefined;
}

/** One kind of finding about one entity, merged over a report's time. */
export interface SnapshotReportEntry {
  /** The label that the validator was made with. */
  readonly entity: string | number;
  readonly reason: SnapshotReasonName;
  /** Snapshots. */
  readonly count: number;
  /**
   * The worst of them: metres for `Displacement`, `Deviation` and `Rebased` (how far the baseline moved), milliseconds for
   * `TickOrder` and `TickGap`, the value for `Field`. Null when it is no finite number.
   */
  readonly worst: number | null;
  /** What would have been in order, same unit; null for `Rebased`. */
  readonly allowed: number | null;
  /** The field's name, for `Field`: of the last one. */
  readonly field: string | null;
  /** Tick of the first and of the last one; null when the tick itself was no tick. */
  readonly firstTick: number | null;
  readonly lastTick: number | null;
}

/** What is sent through a transport: plain data, fit for JSON. */
export interface SnapshotReport {
  /** First and last finding, ms of the caller's clock. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Findings in all. */
  readonly count: number;
  /** Findings that had no room in `entries`. */
  readonly overflow: number;
  readonly entries: readonly SnapshotReportEntry[];
}

/** The way out for reports: a socket, an HTTP beacon, a log. What it throws is counted, never passed on. */
export interface ReportTransport {
  send(report: SnapshotReport): void;
}
