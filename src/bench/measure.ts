// One case on one map: everyone answers, the answers are compared, then everyone is timed. Imported by cli/bench.ts and
// bench/run.ts.
import type { Prepared } from './cases/case.ts';
import { makeRow, type Row } from './report.ts';
import { answerAll, type Effort, interleave, SEGMENT } from './rounds.ts';

/** How much to ask and to measure. */
export interface Size extends Effort {
  /** Distinct queries of a case. */
  readonly queries: number;
  /** Longest time that a subject may take to answer for the comparison; beyond it fewer answers are compared. */
  readonly answerMs: number;
}

/** Worth quoting. A branch predictor learns a thousand queries by heart: hence so many distinct ones. */
export const FULL: Size = { queries: 65_536, rounds: 15, sampleMs: 12, answerMs: 2500 };
/** Enough to see that it works, too little to quote. */
export const QUICK: Size = { queries: 8_192, rounds: 5, sampleMs: 4, answerMs: 300 };

/** Below this share of equal answers the bench itself is suspect. */
const SUSPECT = 0.9;

export interface Measured {
  readonly row: Row;
  /** What does not look right, one sentence each. */
  readonly suspicions: readonly string[];
}

/** Compares, then times. */
export function measure(name: string, prepared: Prepared, size: Size): Measured {
  const { map, subjects, explained = [] } = prepared;
  const segments = prepared.queries / SEGMENT;
  const answered = subjects.map((subject) => answerAll(subject, segments, size.answerMs));
  const compared = Math.min(...answered) * SEGMENT;
  const agreements = prepared.agreements(compared);
  // Stateful subjects tell of the answers just given.
  const { note } = prepared;
  const timings = interleave(subjects, segments, size);
  const suspicions: string[] = [];
  for (const { peer, share, differences } of agreements) {
    const known = explained.reduce((sum, kind) => sum + (differences[kind] ?? 0), 0) / compared;
    const least = peer === 'twin' ? 1 : SUSPECT;
    if (share + known < least) suspicions.push(`${name} on ${map}: ${peer} agrees on ${share}, expected ${least}`);
  }
  const row = makeRow(name, map, prepared.queries, timings, agreements, compared, prepared.best, note);
  return { row, suspicions };
}
