// The one verdict object that a guard reuses: numbers in a typed array (no allocation), words by getter. Written by
// guard.ts, read by everyone.
import {
  BOUND_WORDS,
  type Bound,
  REASON_NAMES,
  Reason,
  type ReasonCode,
  type ReasonName,
  VERDICT_WORDS,
  type VerdictCode,
  VerdictKind,
  type VerdictWord,
} from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { ACTION_WORDS } from './suspicion.ts';

/** Places in `n`; NaN stands for null. */
export const V_STRAIGHT = 0;
export const V_LENGTH = 1;
export const V_USED = 2;
export const V_ALLOWED = 3;
export const V_SCORE = 4;
export const V_X = 5;
export const V_Y = 6;
export const V_Z = 7;

/** Node's name for what `console.log` shows of an object. */
const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom');

function orNull(n: number): number | null {
  return n === n ? n : null;
}

/** Valid until the guard's next call; `copy()` keeps it. */
export class ReusedVerdict implements Verdict {
  /** @internal Straight, length, used, allowed, score, x, y, z. */
  readonly n = new Float64Array(8);
  verdictCode: VerdictCode = VerdictKind.reject;
  reasonCode: ReasonCode = Reason.UnknownEntity;
  detail = '';
  correction = 0;
  /** @internal 0..2 = BOUND_WORDS, -1 = none. */
  boundCode = -1;
  /** @internal 0..3 = none, watch, restrict, kick. */
  actionCode = 0;
  /** @internal Whether `snap` (x, y, z) is to be written. */
  snapped = false;
  readonly snap = new Float64Array(3);
  readonly #pos: [number, number, number] = [0.5, 0.5, 0.5];
  readonly #snapshot: [number, number, number] = [0.5, 0.5, 0.5];

  get accepted(): boolean {
    return this.verdictCode === VerdictKind.accept || this.verdictCode === VerdictKind.undecided;
  }
  get verdict(): VerdictWord {
    return VERDICT_WORDS[this.verdictCode];
  }
  get reason(): ReasonName {
    return REASON_NAMES[this.reasonCode];
  }
  get bound(): Bound | null {
    return this.boundCode < 0 ? null : BOUND_WORDS[this.boundCode];
  }
  get action(): Verdict['action'] {
    return ACTION_WORDS[this.actionCode];
  }
  get straight(): number | null {
    return orNull(this.n[V_STRAIGHT]);
  }
  get length(): number | null {
    return orNull(this.n[V_LENGTH]);
  }
  get used(): number | null {
    return orNull(this.n[V_USED]);
  }
  get allowed(): number | null {
    return orNull(this.n[V_ALLOWED]);
  }
  get score(): number {
    return this.n[V_SCORE];
  }
  /** One array, refilled at each reading. */
  get pos(): readonly [number, number, number] | null {
    const x = this.n[V_X];
    if (x !== x) return null;
    this.#pos[0] = x;
    this.#pos[1] = this.n[V_Y];
    this.#pos[2] = this.n[V_Z];
    return this.#pos;
  }

  /** One array, refilled at each reading. */
  get snapshot(): readonly [number, number, number] | null {
    if (!this.snapped) return null;
    for (let k = 0; k < 3; k++) this.#snapshot[k] = this.snap[k];
    return this.#snapshot;
  }

  /** A verdict of its own that later calls do not change. */
  copy(): Verdict {
    const { pos, snapshot } = this;
    return kept({
      verdict: this.verdict,
      verdictCode: this.verdictCode,
      accepted: this.accepted,
      reason: this.reason,
      reasonCode: this.reasonCode,
      detail: this.detail,
      pos: pos === null ? null : [pos[0], pos[1], pos[2]],
      straight: this.straight,
      length: this.length,
      bound: this.bound,
      used: this.used,
      allowed: this.allowed,
      score: this.score,
      action: this.action,
      correction: this.correction,
      snapshot: snapshot === null ? null : [snapshot[0], snapshot[1], snapshot[2]],
    });
  }

  /** The public fields, as `JSON.stringify` writes them. */
  toJSON(): Omit<Verdict, 'copy'> {
    const { copy: _, ...fields } = this.copy();
    return fields;
  }

  /** @internal `console.log` shows the fields, not how they are kept. */
  [INSPECT](): Omit<Verdict, 'copy'> {
    return this.toJSON();
  }
}

function kept(fields: Omit<Verdict, 'copy'>): Verdict {
  // not enumerable, so that two kept verdicts compare by their fields
  return Object.defineProperty({ ...fields }, 'copy', { value: () => kept(fields) }) as unknown as Verdict;
}
