// The cheat «split hops». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

export const splitHops = cheat({
  name: 'split hops',
  how: 'Cuts a long jump into hops 34 ms apart, each far below what a single claim may be.',
  bound: { ms: 400, claims: 12 },
  ahead: 1.6,
  wins: 'metres',
  control: { rules: { ...NO_LIMIT.rules, burstMs: 60_000 } },
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 5; i++) {
      yield* me.walk(1000, 9, 34);
      yield* me.walk(1000);
    }
  },
});
