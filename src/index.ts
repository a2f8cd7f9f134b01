// navguard: the public API on one screen. Re-exports only.
export { Batch, type BatchBand, BatchStatus } from './batch.ts';
export type { Portal } from './bytes/portals.ts';
export { TileCacheMap } from './cachemap.ts';
export { type ErrorCode, NavguardError } from './errors.ts';
export { GridMap, type GridOptions, type SightBatch } from './gridmap.ts';
export {
  type Displaced,
  type Evidence,
  type GuardOptions,
  type LayerName,
  type LogFailures,
  type Logger,
  type LogOptions,
  type LogRecord,
  MoveGuard,
  type Recording,
  type RecordOptions,
  type Strategy,
} from './guard.ts';
export type { Engine } from './kernel/index.ts';
export { type MapOptions, NavMap, type QueryOptions } from './map.ts';
export type { MapFilter } from './mesh/filter.ts';
export type { LinkView } from './pack/linkview.ts';
export type { MapInfo } from './pack/view.ts';
export { type Bound, Reason, type ReasonCode, type ReasonName, VerdictKind, type VerdictWord } from './reasons.ts';
export type { Located, PathAnswer, PathStatus, RayHit, ReachAnswer, SurfaceAnswer, Vec3, Verdict } from './types.ts';
