// The cheat «begin source fraud». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { findClearHop } from '../sites.ts';
import { AT_ONCE } from './common.ts';

export const sourceFraud = cheat({
  name: 'begin source fraud',
  how: 'Clicks from a place where it is not: far off, or on the other side of a wall.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { open: true, rules: { rttCreditMaxMs: 10_000, speedTolerance: 10 } },
  speed: [2.5, 4],
  plan: (stage, random, speed) => findClearHop(stage, random, speed, 1, 2.8),
  *warm(me, { from }) {
    yield* me.goTo(from);
    yield* me.stand(1000);
  },
  *play(me, { from, to }) {
    for (let i = 0; i < 3; i++) {
      yield me.after(me.beat);
      me.click(to, { from: to, duration: 0, foul: true });
      yield me.after(600);
      me.claimAt(from);
    }
  },
});
