// Straight segments: is the way clear? Batches of short and long ones, and single calls.
import { S_BLOCKED, S_CLEAR } from '../../../assembly/layout.ts';
import type { Batch } from '../../batch.ts';
import type { NavMap } from '../../map.ts';
import { compare, sameBits, sameSight } from '../compare.ts';
import type { Pairs } from '../pairs.ts';
import { recastRay } from '../peers/recast.ts';
import { rays } from '../queries.ts';
import { SEGMENT, type Subject } from '../rounds.ts';
import { batchSubject, startPolygons } from '../segments.ts';
import type { Case } from './case.ts';

// Lengths in metres.
const SHORT = [0.5, 3] as const;
const LONG = [5, 40] as const;

function sight(batch: Batch, first: number, out: Float64Array): void {
  for (let i = 0; i < SEGMENT; i++) {
    const status = batch.status[i];
    // A start that is not on the mesh is no blocked ray: it must not agree with one.
    out[first + i] = status === S_CLEAR ? 1 : status === S_BLOCKED ? 0 : Number.NaN;
  }
}

function batchCase(name: string, [shortest, longest]: readonly [number, number], seed: number): Case {
  return {
    name,
    prepare(on, queries) {
      const pairs = rays(on, queries, shortest, longest, seed);
      const known = startPolygons(on.map, pairs);
      const subject = batchSubject('navguard', on.map, 'ray', pairs, known, sight);
      const twin = batchSubject('twin', on.twin, 'ray', pairs, known, sight);
      const peers = [...recastRay(on, pairs), ...on.others.ray(pairs)];
      return {
        map: on.name,
        queries,
        subjects: [subject, twin, ...peers],
        agreements(n) {
          const mine = subject.answers();
          return [
            compare('twin', mine, twin.answers(), n, sameBits),
            ...peers.map((peer) => compare(peer.name, mine, peer.answers(), n, sameSight)),
          ];
        },
      };
    },
  };
}

/** `map.ray` as a user types it: arrays and the start polygon in, an object out. */
function single(name: string, map: NavMap, pairs: Pairs, known: Uint32Array): Subject {
  const clear = new Uint8Array(pairs.n);
  return {
    name,
    run(segment) {
      let sum = 0;
      for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
        clear[i] = map.ray(pairs.fromTuples[i], pairs.toTuples[i], { polygon: known[i] }).clear ? 1 : 0;
        sum += clear[i];
      }
      return sum;
    },
    answers: () => clear,
  };
}

const singleCase: Case = {
  name: 'ray.single',
  prepare(on, queries) {
    const pairs = rays(on, queries, SHORT[0], SHORT[1], 0x51);
    const known = startPolygons(on.map, pairs);
    const subject = single('navguard', on.map, pairs, known);
    const twin = single('twin', on.twin, pairs, known);
    const peers = [...recastRay(on, pairs), ...on.others.ray(pairs)];
    return {
      map: on.name,
      queries,
      subjects: [subject, twin, ...peers],
      agreements(n) {
        const mine = subject.answers();
        return [
          compare('twin', mine, twin.answers(), n, sameBits),
          ...peers.map((peer) => compare(peer.name, mine, peer.answers(), n, sameSight)),
        ];
      },
      note: 'the start polygon is known to everyone',
    };
  },
};

export const RAY_CASES: readonly Case[] = [
  batchCase('ray.short', SHORT, 0x50),
  batchCase('ray.long', LONG, 0x10),
  singleCase,
];
