// The cheat «short duration». Imported by simulate/cheats/index.ts.

import { cheat } from '../cheat.ts';
import { distance } from '../hand.ts';
import { anywhere } from '../sites.ts';
import { AT_ONCE, walkFrom } from './common.ts';

export const shortDuration = cheat({
  name: 'short duration',
  how: 'Clicks with a duration that is too short for its walk.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { lax: true },
  plan: anywhere,
  *play(me, _plan, lax) {
    for (let i = 0; i < 4; i++) {
      const walk = walkFrom(me, 4);
      if (walk === null) return;
      // Detour's walk may be longer than the shortest: two thirds of the straight line never is
      const straight = distance(me.at, walk.to);
      const duration = (1000 * straight * 0.66) / me.habits.speed - 110;
      if (duration < 0) continue;
      yield me.after(me.beat);
      me.click(walk.to, { duration: lax ? (1000 * walk.metres) / me.habits.speed : duration, foul: true });
    }
  },
});
