// The cheat «hop and retry». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { findHop, type Hop } from '../sites.ts';
import { AT_ONCE, FAR, hop, NEAR } from './common.ts';

export const hopRetry = cheat<Hop>({
  ...hop,
  name: 'hop and retry',
  how: 'Tries the same wall again and again, in a hurry, after rests and after silences, until it is let through.',
  bound: AT_ONCE,
  plan: (stage, random, speed) => findHop(stage, random, speed, NEAR, FAR),
  *play(me, { from, to }) {
    for (let i = 0; i < 40; i++) {
      yield me.after(i < 20 ? 100 : me.random.between(1, 1300));
      me.claimAt(to, { foul: true });
      if (i % 7 === 6) yield* me.stand(400);
      if (i % 5 === 4) {
        yield me.after(10);
        me.claimAt(from);
      }
    }
  },
});
