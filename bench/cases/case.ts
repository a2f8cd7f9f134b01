// What a case of the benches is: one on named maps. A leaf; imported by the cases and run.ts.
import type { Case, Prepared } from '../../src/bench/cases/case.ts';
import type { Size } from '../../src/bench/measure.ts';
import type { Row } from '../../src/bench/report.ts';
import { LEVELS, level } from '../levels.ts';

/** A case and the maps that it is asked on. */
export interface MapCase {
  readonly name: string;
  readonly maps: readonly string[];
  prepare(map: string, queries: number): Promise<Prepared>;
}

/** A case that measures in a way of its own. */
export interface OwnCase {
  readonly name: string;
  readonly maps: readonly string[];
  run(size: Size): Promise<Row>;
}

/** A case for any navmesh, on all of ours. */
export function onLevels({ name, prepare }: Case): MapCase {
  return { name, maps: LEVELS, prepare: async (map, queries) => prepare(await level(map), queries) };
}
