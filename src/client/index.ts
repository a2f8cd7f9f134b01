// `navguard/client`: the snapshot validator and the move sync for the other end of the wire. No dependency, nothing of
// Node, no WebAssembly: for browsers and game engines.
export { type Body, SnapshotBody } from './body.ts';
export { ReportFeed, type ReportFeedOptions } from './feed.ts';
export type { Bounds, SnapshotField } from './fields.ts';
export { FEED_OPTIONS, type OptionEntry, SNAPSHOT_OPTIONS, SYNC_OPTIONS } from './options.ts';
export { type Corrected, MoveSync, type MoveSyncHooks, type MoveSyncOptions } from './sync.ts';
export { type SnapshotOptions, SnapshotValidator } from './validator.ts';
export {
  type Point,
  type ReportTransport,
  SNAPSHOT_ACTIONS,
  SNAPSHOT_REASONS,
  type Snapshot,
  SnapshotAction,
  type SnapshotActionCode,
  SnapshotReason,
  type SnapshotReasonCode,
  type SnapshotReasonName,
  type SnapshotReport,
  type SnapshotReportEntry,
} from './words.ts';
