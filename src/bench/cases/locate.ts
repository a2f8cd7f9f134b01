// The polygon under a position, and the point on it.
import { NONE } from '../../../assembly/layout.ts';
import type { Batch } from '../../batch.ts';
import { compare, sameBits, samePoint } from '../compare.ts';
import { recastLocate } from '../peers/recast.ts';
import { points } from '../queries.ts';
import { SEGMENT } from '../rounds.ts';
import { batchSubject } from '../segments.ts';
import type { Case } from './case.ts';

function place(batch: Batch, first: number, out: Float64Array): void {
  for (let i = 0; i < SEGMENT; i++) {
    for (let k = 0; k < 3; k++) {
      out[3 * (first + i) + k] = batch.polygon[i] === NONE ? Number.NaN : batch.point[3 * i + k];
    }
  }
}

export const LOCATE_CASES: readonly Case[] = [
  {
    name: 'locate',
    prepare(on, queries) {
      const pairs = points(on, queries, 0x10ca7e);
      const subject = batchSubject('navguard', on.map, 'locate', pairs, null, place);
      const twin = batchSubject('twin', on.twin, 'locate', pairs, null, place);
      const peers = [...recastLocate(on, pairs), ...on.others.locate(pairs)];
      return {
        map: on.name,
        queries,
        subjects: [subject, twin, ...peers],
        agreements(n) {
          const mine = subject.answers();
          return [
            compare('twin', mine, twin.answers(), 3 * n, sameBits),
            ...peers.map((peer) => compare(peer.name, mine, peer.answers(), n, samePoint(on.cell))),
          ];
        },
      };
    },
  },
];
