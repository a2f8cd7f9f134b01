// navguard's batches cut into segments: one batch of typed arrays per segment, filled before any timing. Imported by the
// cases, for the WASM engine and for its twin alike.
import type { Batch } from '../batch.ts';
import type { NavMap } from '../map.ts';
import type { Pairs } from './pairs.ts';
import { SEGMENT, type Subject } from './rounds.ts';

/** What a batch is asked. */
export type Question = 'ray' | 'locate' | 'corridor' | 'shortest' | 'reach';

const PER_QUERY = { ray: 1, locate: 3, corridor: 1, shortest: 1, reach: 1 } as const;

/**
 * A subject that asks `question` of `map`, one batch call per segment.
 * @param known start polygons as the caller of a real server has them (from the last move), or null: find them
 * @param budgets limits in metres; without them there is none
 * @param read turns a batch's results into answers: gets the batch, its first query's number and where to write
 */
export function batchSubject(
  name: string,
  map: NavMap,
  question: Question,
  pairs: Pairs,
  known: Uint32Array | null,
  read: (batch: Batch, first: number, out: Float64Array) => void,
  budgets?: Float64Array,
): Subject {
  const segments = pairs.n / SEGMENT;
  const batches = Array.from({ length: segments }, () => map.batch(SEGMENT));
  batches.forEach((batch, s) => {
    const [first, end] = [s * SEGMENT, (s + 1) * SEGMENT];
    batch.from.set(pairs.from.subarray(3 * first, 3 * end));
    batch.to.set(pairs.to.subarray(3 * first, 3 * end));
    if (known) batch.polygon.set(known.subarray(first, end));
    if (budgets) batch.limit.set(budgets.subarray(first, end));
  });
  return {
    name,
    run(segment) {
      const batch = batches[segment];
      batch[question](SEGMENT);
      return batch.length[SEGMENT - 1] + batch.distance[SEGMENT - 1];
    },
    answers() {
      const out = new Float64Array(PER_QUERY[question] * pairs.n);
      batches.forEach((batch, s) => {
        read(batch, s * SEGMENT, out);
      });
      return out;
    },
  };
}

/** The polygon that holds each start, as `NavMap.locate` finds it. */
export function startPolygons(map: NavMap, pairs: Pairs): Uint32Array {
  const known = new Uint32Array(pairs.n);
  const batch = map.batch(SEGMENT);
  for (let first = 0; first < pairs.n; first += SEGMENT) {
    batch.from.set(pairs.from.subarray(3 * first, 3 * (first + SEGMENT)));
    batch.locate(SEGMENT);
    known.set(batch.polygon, first);
  }
  return known;
}
