// Straight segments: is the way clear? Batches of short and long ones, and single calls.
import { S_BLOCKED, S_CLEAR } from '../../assembly/layout.ts';
import type { Batch } from '../../src/batch.ts';
import { compare, sameBits, sameSight } from '../compare.ts';
import { LEVELS, level } from '../levels.ts';
import { navcatRay } from '../peers/navcat.ts';
import { recastRay } from '../peers/recast.ts';
import { type Pairs, rays } from '../queries.ts';
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
    maps: LEVELS,
    async prepare(map, queries) {
      const on = await level(map);
      const pairs = rays(on, queries, shortest, longest, seed);
      const known = startPolygons(on.map, pairs);
      const subject = batchSubject('navguard', on.map, 'ray', pairs, known, sight);
      const twin = batchSubject('twin', on.twin, 'ray', pairs, known, sight);
      const peers = [recastRay(on, pairs), ...navcatRay(on, pairs)];
      return {
        map,
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

/** `map.ray` as a user types it: arrays in, an object out, the start polygon unknown. */
function single(
  name: string,
  map: { ray: (a: Pairs['fromTuples'][0], b: Pairs['toTuples'][0]) => { clear: boolean } },
  pairs: Pairs,
): Subject {
  const clear = new Uint8Array(pairs.n);
  return {
    name,
    run(segment) {
      let sum = 0;
      for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
        clear[i] = map.ray(pairs.fromTuples[i], pairs.toTuples[i]).clear ? 1 : 0;
        sum += clear[i];
      }
      return sum;
    },
    answers: () => clear,
  };
}

const singleCase: Case = {
  name: 'ray.single',
  maps: LEVELS,
  async prepare(map, queries) {
    const on = await level(map);
    const pairs = rays(on, queries, SHORT[0], SHORT[1], 0x51);
    const subject = single('navguard', on.map, pairs);
    const twin = single('twin', on.twin, pairs);
    const peers = [recastRay(on, pairs), ...navcatRay(on, pairs)];
    return {
      map,
      queries,
      subjects: [subject, twin, ...peers],
      agreements(n) {
        const mine = subject.answers();
        return [
          compare('twin', mine, twin.answers(), n, sameBits),
          ...peers.map((peer) => compare(peer.name, mine, peer.answers(), n, sameSight)),
        ];
      },
      note: 'navguard finds the start polygon itself; the peers are given it',
    };
  },
};

export const RAY_CASES: readonly Case[] = [
  batchCase('ray.short', SHORT, 0x50),
  batchCase('ray.long', LONG, 0x10),
  singleCase,
];
