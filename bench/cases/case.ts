// What a case is. A leaf; imported by the cases and run.ts.
import type { Agreement } from '../compare.ts';
import type { Subject } from '../rounds.ts';

/** A prepared case on one map: equal work for every subject. */
export interface Prepared {
  readonly map: string;
  /** Number of distinct queries, a multiple of SEGMENT. */
  readonly queries: number;
  /** navguard first, then its peers. */
  readonly subjects: readonly Subject[];
  /** Compares the subjects' answers to the first n queries; called after each has answered them once. */
  agreements(n: number): Agreement[];
  /** Anything the reader of the table should know. */
  readonly note?: string;
  /** Names for the faster of several peers. */
  readonly best?: Readonly<Record<string, readonly string[]>>;
}

/** A case: its name and how it is prepared on a map. */
export interface Case {
  readonly name: string;
  readonly maps: readonly string[];
  prepare(map: string, queries: number): Promise<Prepared>;
}
