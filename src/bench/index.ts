// The front of bench/: what can be measured on any navmesh, with peers that are installed with navguard.
import type { Case } from './cases/case.ts';
import { CORRIDOR_CASES } from './cases/corridor.ts';
import { GUARD_CASES } from './cases/guard.ts';
import { LOCATE_CASES } from './cases/locate.ts';
import { RAY_CASES } from './cases/ray.ts';
import { REACH_CASES } from './cases/reach.ts';
import { SHORTEST_CASES } from './cases/shortest.ts';

export type { Case, Prepared } from './cases/case.ts';
export { type Level, openLevel } from './level.ts';
export { FULL, measure, QUICK, type Size } from './measure.ts';
export { UnsuitedMap } from './queries.ts';
export { header, machine, type Row, rowLines, sizeLines, sizeOf } from './report.ts';
export { sunk } from './rounds.ts';

/** Every case that any navmesh can be asked, in the order of the table. */
export const CASES: readonly Case[] = [
  ...RAY_CASES,
  ...LOCATE_CASES,
  ...CORRIDOR_CASES,
  ...SHORTEST_CASES,
  ...REACH_CASES,
  ...GUARD_CASES,
];
