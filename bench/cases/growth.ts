// How the cost of a move grows with the map: guard.move on the same kind of open ground, from 150 to 100,000 polygons.
import { accepts, ENTITIES, guardSubject } from '../../src/bench/cases/guard.ts';
import { QUICK } from '../../src/bench/measure.ts';
import type { Subject } from '../../src/bench/rounds.ts';
import { record } from '../../src/bench/walkers.ts';
import { openGround } from '../levels.ts';
import type { MapCase } from './case.ts';

/** Polygons. The subject has the smallest map, so a ratio is the growth of the time. */
export const GROWTH = [150, 1500, 8400, 100_000] as const;

export const GROWTH_CASE: MapCase = {
  name: 'growth',
  maps: ['terrain'],
  async prepare(map, queries) {
    // The largest takes half a minute to build.
    const sizes = queries > QUICK.queries ? GROWTH : GROWTH.slice(0, -1);
    const subjects: Subject[] = [];
    for (const polygons of sizes) {
      const on = await openGround(polygons);
      const name = subjects.length === 0 ? 'navguard' : `${polygons} polygons`;
      subjects.push(guardSubject(name, on.map, record(on, queries, ENTITIES, 0x960)));
    }
    return {
      map,
      queries,
      subjects,
      agreements: () => [],
      get note() {
        return `guard.move; the subject's map has ${sizes[0]} polygons, a ratio is the growth; ${subjects.map(accepts).join(', ')}`;
      },
    };
  },
};
