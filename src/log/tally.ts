// Counts verdicts while a log runs: by verdict, by reason, by entity. Adding is the hot path; the summary is made once.
import { REASON_NAMES, type ReasonName, VERDICT_WORDS, type VerdictWord } from '../reasons.ts';
import type { Verdict } from '../types.ts';

/** One entity of one log. */
export interface EntitySummary {
  id: string;
  /** Which log, when there are several. */
  log: string;
  claims: number;
  accepted: number;
  refused: number;
  undecided: number;
  /** Suspicion after its last claim. */
  score: number;
  action: Verdict['action'];
  byReason: Partial<Record<ReasonName, number>>;
}

/** A claim whose `expect` did not hold. */
export interface Mismatch {
  file: string;
  line: number;
  t: number;
  id: unknown;
  seq: unknown;
  expected: unknown;
  got: {
    verdict: VerdictWord;
    reason: ReasonName;
    pos: readonly number[] | null;
    used: number | null;
    allowed: number | null;
    score: number;
    action: Verdict['action'];
    correction: number;
  };
}

/** What a run came to. `accepted` does not count `undecided`; the three sum up to `claims`. */
export interface AuditSummary {
  claims: number;
  accepted: number;
  refused: number;
  undecided: number;
  byVerdict: Partial<Record<VerdictWord, number>>;
  byReason: Partial<Record<ReasonName, number>>;
  /** Worst first: by refusals, then by score. */
  byEntity: EntitySummary[];
  /** Claims that carried `expect` and were compared. */
  expected: number;
  /** The first `MAX_MISMATCHES`; `mismatchCount` counts all. */
  mismatches: Mismatch[];
  mismatchCount: number;
  hints: string[];
  /** Facts read. */
  facts: number;
  /** Lines skipped (`lenient`). */
  skipped: number;
  logs: string[];
  /** Reading and judging, wall clock; 0 when nothing was timed. */
  claimsPerSecond: number;
}

/** Mismatches kept in full. */
export const MAX_MISMATCHES = 1000;

const ACCEPT = VERDICT_WORDS.indexOf('accept');
const UNDECIDED = VERDICT_WORDS.indexOf('undecided');

/** Running counts of one entity. */
export interface EntityTally {
  id: string;
  log: string;
  verdicts: Uint32Array;
  reasons: Uint32Array;
  score: number;
  action: Verdict['action'];
}

/** Counts of one run: `begin` each log, `add` each verdict, `summary` at the end. */
export class Tally {
  expected = 0;
  facts = 0;
  skipped = 0;
  readonly mismatches: Mismatch[] = [];
  mismatchCount = 0;
  readonly hints = new Set<string>();
  readonly logs: string[] = [];
  /** Of the log that runs now. */
  entities = new Map<unknown, EntityTally>();
  readonly #earlier: EntityTally[] = [];
  #nanoseconds = 0;

  /** Starts a log: the same id in another log is another entity. */
  begin(log: string): void {
    this.#earlier.push(...this.entities.values());
    this.entities = new Map();
    this.logs.push(log);
  }

  /** Counts one verdict. `id` is whatever the claim said. */
  add(id: unknown, verdict: Verdict): void {
    // an object is a new key each time: such ids share one row
    const key = typeof id === 'object' && id !== null ? NO_ID : id;
    let entity = this.entities.get(key);
    if (entity === undefined) {
      entity = {
        id: typeof id === 'string' ? id : `(${key === NO_ID ? 'not a string' : (JSON.stringify(id) ?? 'no id')})`,
        log: this.logs.at(-1) ?? '',
        verdicts: new Uint32Array(VERDICT_WORDS.length),
        reasons: new Uint32Array(REASON_NAMES.length),
        score: 0,
        action: 'none',
      };
      this.entities.set(key, entity);
    }
    entity.verdicts[verdict.verdictCode]++;
    entity.reasons[verdict.reasonCode]++;
    entity.score = verdict.score;
    entity.action = verdict.action;
  }

  addMismatch(mismatch: Mismatch): void {
    this.mismatchCount++;
    if (this.mismatches.length < MAX_MISMATCHES) this.mismatches.push(mismatch);
  }

  addTime(nanoseconds: bigint): void {
    this.#nanoseconds += Number(nanoseconds);
  }

  summary(): AuditSummary {
    const entities = [...this.#earlier, ...this.entities.values()];
    const verdicts = new Array<number>(VERDICT_WORDS.length).fill(0);
    const reasons = new Array<number>(REASON_NAMES.length).fill(0);
    for (const entity of entities) {
      entity.verdicts.forEach((count, code) => {
        verdicts[code] += count;
      });
      entity.reasons.forEach((count, code) => {
        reasons[code] += count;
      });
    }
    const claims = verdicts.reduce((sum, count) => sum + count, 0);
    const seconds = this.#nanoseconds / 1e9;
    return {
      claims,
      accepted: verdicts[ACCEPT],
      refused: claims - verdicts[ACCEPT] - verdicts[UNDECIDED],
      undecided: verdicts[UNDECIDED],
      byVerdict: named(verdicts, VERDICT_WORDS),
      byReason: named(reasons, REASON_NAMES),
      byEntity: entities.map(entitySummary).sort(worstFirst),
      expected: this.expected,
      mismatches: this.mismatches,
      mismatchCount: this.mismatchCount,
      hints: [...this.hints],
      facts: this.facts,
      skipped: this.skipped,
      logs: this.logs,
      claimsPerSecond: seconds > 0 ? Math.round(claims / seconds) : 0,
    };
  }
}

const NO_ID = Symbol('an id that is no string');

function named<Name extends string>(counts: ArrayLike<number>, names: readonly Name[]): Partial<Record<Name, number>> {
  const result: Partial<Record<Name, number>> = {};
  for (let code = 0; code < names.length; code++) if (counts[code] > 0) result[names[code]] = counts[code];
  return result;
}

function entitySummary(entity: EntityTally): EntitySummary {
  const claims = entity.verdicts.reduce((sum, count) => sum + count, 0);
  const accepted = entity.verdicts[ACCEPT];
  const undecided = entity.verdicts[UNDECIDED];
  return {
    id: entity.id,
    log: entity.log,
    claims,
    accepted,
    refused: claims - accepted - undecided,
    undecided,
    score: entity.score,
    action: entity.action,
    byReason: named(entity.reasons, REASON_NAMES),
  };
}

function worstFirst(a: EntitySummary, b: EntitySummary): number {
  return b.refused - a.refused || b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
