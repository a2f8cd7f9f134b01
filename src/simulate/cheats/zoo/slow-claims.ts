// The cheat «dt inflation». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

export const slowClaims = cheat({
  name: 'dt inflation',
  how: 'Sends a claim now and then only, after a silence that makes a leap of twice its speed look slow.',
  bound: { claims: 30 },
  ahead: 1.6,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 40; i++) yield* me.walk(905, 2, me.random.between(300, 900));
  },
});
