// The cheat «short clicks». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

export const shortClicks = cheat({
  name: 'short clicks',
  how: 'Clicks so near that the duration slack makes each walk take no time, and claims to be there at once.',
  bound: { ms: 3000 },
  ahead: 1.9,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    const step = me.habits.speed * 0.095;
    for (let i = 0; i < 200; i++) {
      yield me.after(50);
      if (me.habits.obeys) me.obey();
      const { at } = me;
      const to = me.along(step);
      me.click(to, { from: at, duration: 0 });
      me.claimAt(to);
    }
  },
});
