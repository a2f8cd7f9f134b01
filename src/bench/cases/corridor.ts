// Length of the walk that a Detour-style client finds: near (at most 10 m apart) and far.
import { S_WALK } from '../../../assembly/layout.ts';
import type { Batch } from '../../batch.ts';
import { compare, sameBits, sameLength } from '../compare.ts';
import { recastCorridor } from '../peers/recast.ts';
import { walks } from '../queries.ts';
import { SEGMENT } from '../rounds.ts';
import { batchSubject } from '../segments.ts';
import type { Case } from './case.ts';

function metres(batch: Batch, first: number, out: Float64Array): void {
  for (let i = 0; i < SEGMENT; i++) out[first + i] = batch.status[i] === S_WALK ? batch.length[i] : Number.NaN;
}

/** Far walks take thousands of branches each: nobody learns this many by heart, and more would take minutes to draw. */
const FAR = 8192;

function corridorCase(name: string, near: boolean, seed: number): Case {
  return {
    name,
    prepare(on, most) {
      const queries = near ? most : Math.min(most, FAR);
      const pairs = walks(on, queries, near, seed);
      // No polygon is told to anyone: computePath finds both ends itself, so navguard must too.
      const subject = batchSubject('navguard', on.map, 'corridor', pairs, null, metres);
      const twin = batchSubject('twin', on.twin, 'corridor', pairs, null, metres);
      const peers = [...recastCorridor(on, pairs), ...on.others.corridor(pairs)];
      return {
        map: on.name,
        queries,
        subjects: [subject, twin, ...peers],
        agreements(n) {
          const mine = subject.answers();
          return [
            compare('twin', mine, twin.answers(), n, sameBits),
            ...peers.map((peer) => compare(peer.name, mine, peer.answers(), n, sameLength)),
          ];
        },
        note: 'reachable targets only; everyone finds both end polygons itself',
      };
    },
  };
}

export const CORRIDOR_CASES: readonly Case[] = [
  corridorCase('corridor.near', true, 0xc0),
  corridorCase('corridor.far', false, 0xc1),
];
