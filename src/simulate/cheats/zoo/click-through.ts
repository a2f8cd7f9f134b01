// The cheat «click through a wall». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { distance } from '../hand.ts';
import { findClearHop } from '../sites.ts';
import { AT_ONCE } from './common.ts';

export const clickThrough = cheat({
  name: 'click through a wall',
  how: 'Clicks on the other side of a wall with the duration of the straight line.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { open: true },
  speed: [2.5, 4],
  plan: (stage, random, speed) => findClearHop(stage, random, speed, 1, 2.8),
  *warm(me, { from }) {
    yield* me.goTo(from);
    yield* me.stand(1000);
  },
  *play(me, { from, to }) {
    for (let i = 0; i < 5; i++) {
      yield me.after(me.beat);
      me.click(to, { duration: (1000 * distance(from, to)) / me.habits.speed, foul: true });
      yield me.after(600);
      me.claimAt(from);
    }
  },
});
