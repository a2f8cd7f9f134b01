// The exact shortest length of near pairs (at most 10 m apart): against navguard's own corridor length, and against the
// libraries' path lengths, which are longer wherever their corridor was a poor one.
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

export const SHORTEST_CASES: readonly Case[] = [
  {
    name: 'shortest.near',
    prepare(on, queries) {
      const pairs = walks(on, queries, true, 0xe0);
      const subject = batchSubject('navguard', on.map, 'shortest', pairs, null, metres);
      const twin = batchSubject('twin', on.twin, 'shortest', pairs, null, metres);
      const corridor = batchSubject('corridor', on.map, 'corridor', pairs, null, metres);
      const peers = [corridor, ...recastCorridor(on, pairs), ...on.others.corridor(pairs)];
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
        explained: ['navguard shorter'],
        note: 'corridor: navguard.corridor on the same pairs; everyone finds both end polygons itself',
      };
    },
  },
];
