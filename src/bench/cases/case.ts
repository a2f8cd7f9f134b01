// What a case is. A leaf; imported by the cases and measure.ts.
import type { Agreement } from '../compare.ts';
import type { Level } from '../level.ts';
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
  /** Differences that lie in what is asked: no reason to suspect the bench. */
  readonly explained?: readonly string[];
  /** Anything the reader of the table should know. */
  readonly note?: string;
  /** Names for the faster of several peers. */
  readonly best?: Readonly<Record<string, readonly string[]>>;
}

/** A case that any navmesh can be asked. Throws `UnsuitedMap` for one that cannot. */
export interface Case {
  readonly name: string;
  prepare(on: Level, queries: number): Prepared;
}
