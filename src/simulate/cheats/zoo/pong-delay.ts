// The cheat «pong delay». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

export const pongDelay = cheat({
  name: 'pong delay',
  how: 'Answers pings two seconds late, so that its latency seems to call for credit, and runs at twice its speed.',
  bound: { ms: 2500 },
  ahead: 1.9,
  wins: 'metres',
  control: { rules: { ...NO_LIMIT.rules, rttCreditMaxMs: 10_000 } },
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 10; i++) {
      me.server({ op: 'rtt', ms: 2000 + 400 * (i % 2) });
      yield* me.walk(1000, 2);
    }
  },
});
