// The cheat «burst banking». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

export const burstBanking = cheat({
  name: 'burst banking',
  how: 'Stands still for ten seconds, still sending, and spends the time it saved in one dash.',
  bound: { ms: 800 },
  ahead: 1.6,
  wins: 'metres',
  control: { rules: { ...NO_LIMIT.rules, burstMs: 60_000 } },
  plan: anywhere,
  *warm(me) {
    yield* me.walk(2000);
    yield* me.stand(10_000);
  },
  *play(me) {
    for (let i = 0; i < 3; i++) {
      yield* me.walk(1500, 4);
      yield* me.stand(10_000);
    }
  },
});
