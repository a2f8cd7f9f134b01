// navguard/log: move logs, replay, summaries. Re-exports only.
export { Audit, type AuditOptions, auditLog } from './audit.ts';
export {
  type BeginClaim,
  type BuildSource,
  CLAIM_OPS,
  type Claim,
  type ClaimOp,
  type Expect,
  type ExpectFields,
  type ExpectWord,
  FACT_OPS,
  type Fact,
  type FactOp,
  type FileSource,
  type GridSource,
  type HashSource,
  type InputClaim,
  isClaim,
  type Label,
  type MapSource,
  MOVE_LOG_VERSION,
  type MoveClaim,
  type MoveLogEvent,
  type MoveLogHeader,
} from './events.ts';
export { compileExpect, type JudgedVerdict, type Matcher } from './expect.ts';
export type { BeginFields, MoveExtras, ReplayGuard, ReplayMap } from './judge.ts';
export { type LogMapOptions, loadMapFile, mapOfHeader } from './maps.ts';
export { MoveLogParser, type ParserOptions } from './parser.ts';
export { MoveLog, type OpenOptions } from './reader.ts';
export { type ByteSink, MoveLogWriter, type WriterOptions } from './record.ts';
export { Replay, type ReplayClock, type ReplayOptions } from './replay.ts';
export { type AuditSummary, type EntitySummary, type Mismatch, Tally } from './tally.ts';
export { type FirstRefused, type Margin, type SweepRow, type Trial, Tuning } from './tune.ts';
export { eventLine, headerLine, verdictLine } from './writer.ts';
