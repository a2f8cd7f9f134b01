// Many claims at once: typed arrays that a caller fills and reads, so that nothing is allocated for a claim. Made by
// MoveGuard.claims.

import { Reason, VerdictKind } from '../reasons.ts';
import type { ReusedVerdict } from './verdict.ts';
import { V_ALLOWED, V_LENGTH, V_SCORE, V_STRAIGHT, V_USED, V_X, V_Y, V_Z } from './verdict.ts';

/** Bytes of one claim: 13 doubles, two words and four bytes. */
export const CLAIM_BYTES: number = 13 * 8 + 2 * 4 + 4;

/**
 * Room for up to `capacity` move claims in order of arrival. Fill the first four arrays, call `checkBatch`, read the
 * others; NaN stands for null. Codes are those of `Reason` and `VerdictKind`.
 */
export class Claims {
  readonly capacity: number;
  /** Who: `guard.slot(id)`. */
  readonly entity: Int32Array;
  /** The client's sequence numbers, as they came: whatever they are, the answer is a verdict. */
  readonly seq: Float64Array;
  /** Claimed positions: x, y, z in metres, three numbers for each claim. */
  readonly pos: Float64Array;
  /** When each claim came in, ms of the guard's clock. A time before an earlier one counts as equal to it. */
  readonly t: Float64Array;

  /** A `VerdictKind` for each claim. */
  readonly verdict: Uint8Array;
  /** A `Reason` for each claim. */
  readonly reason: Uint8Array;
  /** Metres of the rule that decided: used of allowed. */
  readonly used: Float64Array;
  readonly allowed: Float64Array;
  /** Straight plan distance from the authoritative position, metres. */
  readonly straight: Float64Array;
  /** Walk length, metres. */
  readonly length: Float64Array;
  /** How the length relates to the true one: 0 exact, 1 lower, 2 upper, -1 none. */
  readonly bound: Int8Array;
  /** Authoritative position after the claim: x, y, z in metres, three numbers for each. */
  readonly at: Float64Array;
  /** Suspicion after the claim. */
  readonly score: Float64Array;
  /** 0 none, 1 watch, 2 restrict, 3 kick. */
  readonly action: Uint8Array;
  /** Number of the correction that the verdict sends, else 0. */
  readonly correction: Uint32Array;

  /** @internal Use `MoveGuard.claims`. All arrays stand in `memory`, `CLAIM_BYTES` for each claim, which may be shared. */
  constructor(capacity: number, memory: ArrayBufferLike = new ArrayBuffer(CLAIM_BYTES * capacity)) {
    this.capacity = capacity;
    let at = 0;
    const doubles = (each: number): Float64Array => {
      const array = new Float64Array(memory, at, each * capacity);
      at += array.byteLength;
      return array;
    };
    this.seq = doubles(1);
    this.pos = doubles(3);
    this.t = doubles(1);
    this.used = doubles(1);
    this.allowed = doubles(1);
    this.straight = doubles(1);
    this.length = doubles(1);
    this.at = doubles(3);
    this.score = doubles(1);
    this.entity = new Int32Array(memory, at, capacity);
    this.correction = new Uint32Array(memory, at + 4 * capacity, capacity);
    at += 8 * capacity;
    this.verdict = new Uint8Array(memory, at, capacity);
    this.reason = new Uint8Array(memory, at + capacity, capacity);
    this.bound = new Int8Array(memory, at + 2 * capacity, capacity);
    this.action = new Uint8Array(memory, at + 3 * capacity, capacity);
  }
}

/** What the first `n` claims are told if all are ordinary moves, but for lengths and positions: as in fresh Claims. */
export function startVerdicts(claims: Claims, n: number): void {
  claims.verdict.fill(VerdictKind.accept, 0, n);
  claims.reason.fill(Reason.Accept, 0, n);
  claims.bound.fill(0, 0, n);
  claims.action.fill(0, 0, n);
  claims.correction.fill(0, 0, n);
  claims.score.fill(0, 0, n);
}

/** Copies a verdict to its claim. */
export function noteVerdict(claims: Claims, i: number, verdict: ReusedVerdict): void {
  const { n } = verdict;
  claims.verdict[i] = verdict.verdictCode;
  claims.reason[i] = verdict.reasonCode;
  claims.bound[i] = verdict.boundCode;
  claims.action[i] = verdict.actionCode;
  claims.correction[i] = verdict.correction;
  claims.used[i] = n[V_USED];
  claims.allowed[i] = n[V_ALLOWED];
  claims.straight[i] = n[V_STRAIGHT];
  claims.length[i] = n[V_LENGTH];
  claims.score[i] = n[V_SCORE];
  claims.at[3 * i] = n[V_X];
  claims.at[3 * i + 1] = n[V_Y];
  claims.at[3 * i + 2] = n[V_Z];
}
