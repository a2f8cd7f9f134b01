// The one question in batches: can it be walked within the budget? Against the calls that answer it with
// recast-navigation: nearest polygon of the target, raycast, and a path when the ray is blocked.
import { S_CLEAR, S_WALK } from '../../../assembly/layout.ts';
import type { Batch } from '../../batch.ts';
import { compare, type Differ, sameBits } from '../compare.ts';
import { recastReach } from '../peers/recast.ts';
import { rays } from '../queries.ts';
import { SEGMENT } from '../rounds.ts';
import { batchSubject, startPolygons } from '../segments.ts';
import type { Case } from './case.ts';

// Steps of moving clients and of cheats, metres; the budget is the straight length and half of it again.
const SHORTEST = 0.3;
const LONGEST = 3;
const DETOUR = 1.5;

function reached(batch: Batch, first: number, out: Float64Array): void {
  for (let i = 0; i < SEGMENT; i++) {
    const status = batch.status[i];
    out[first + i] = status === S_CLEAR || status === S_WALK ? 1 : 0;
  }
}

const sameReach: Differ = (mine, theirs, i) =>
  mine[i] === theirs[i] ? null : mine[i] === 1 ? 'only navguard reaches' : 'only peer reaches';

export const REACH_CASES: readonly Case[] = [
  {
    name: 'reach.batch',
    prepare(on, queries) {
      const pairs = rays(on, queries, SHORTEST, LONGEST, 0x2eac);
      const known = startPolygons(on.map, pairs);
      const budgets = new Float64Array(queries);
      for (let i = 0; i < queries; i++) {
        const dx = pairs.to[3 * i] - pairs.from[3 * i];
        const dz = pairs.to[3 * i + 2] - pairs.from[3 * i + 2];
        budgets[i] = DETOUR * Math.sqrt(dx * dx + dz * dz);
      }
      const subject = batchSubject('navguard', on.map, 'reach', pairs, known, reached, budgets);
      const twin = batchSubject('twin', on.twin, 'reach', pairs, known, reached, budgets);
      const peers = recastReach(on, pairs, budgets);
      return {
        map: on.name,
        queries,
        subjects: [subject, twin, ...peers],
        agreements(n) {
          const mine = subject.answers();
          return [
            compare('twin', mine, twin.answers(), n, sameBits),
            ...peers.map((peer) => compare(peer.name, mine, peer.answers(), n, sameReach)),
          ];
        },
      };
    },
  },
];
