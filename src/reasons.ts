// Reason and verdict codes: stable on the wire, one table. A leaf: imports nothing.

/** Why a claim got its verdict. The numbers never change; new reasons are appended. */
export const Reason = {
  Accept: 0,
  SpeedLimit: 1,
  Wall: 2,
  Replay: 3,
  OutOfMap: 4,
  Malformed: 5,
  UnknownEntity: 6,
  MapVersionMismatch: 7,
  ProgressMismatch: 8,
  LiveStatus: 9,
  ActionStatus: 10,
  MoveStrategy: 11,
  NullMoveData: 12,
  TargetPos: 13,
  TargetNotOnNavMesh: 14,
  PathPartial: 15,
  DurationMismatch: 16,
  Teleport: 17,
  Airborne: 18,
  Stale: 19,
  Undecided: 20,
} as const;
export type ReasonCode = (typeof Reason)[keyof typeof Reason];
export type ReasonName = keyof typeof Reason;

/** Reason names by code. */
export const REASON_NAMES: readonly ReasonName[] = Object.keys(Reason) as ReasonName[];

/** What becomes of a claim. */
export const VerdictKind = {
  /** Committed. */
  accept: 0,
  /** Refused; the client is to be put back to `pos`. */
  correct: 1,
  /** Refused before geometry: malformed, unknown, replay, dead. */
  reject: 2,
  /** Stale; no score. */
  ignore: 3,
  /** A search cap was reached: accepted, but marked. */
  undecided: 4,
} as const;
export type VerdictCode = (typeof VerdictKind)[keyof typeof VerdictKind];
export type VerdictWord = keyof typeof VerdictKind;
/** Verdict words by code. */
export const VERDICT_WORDS: readonly VerdictWord[] = Object.keys(VerdictKind) as VerdictWord[];

/** How a reported length relates to the true shortest walk. */
export type Bound = 'exact' | 'lower' | 'upper';
/** Bound words by the kernel's code. */
export const BOUND_WORDS: readonly Bound[] = ['exact', 'lower', 'upper'];
