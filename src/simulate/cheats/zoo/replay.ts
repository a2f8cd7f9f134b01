// The cheat «replay». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { AT_ONCE } from './common.ts';

export const replay = cheat({
  name: 'replay',
  how: 'Sends old numbers again, with steps that would be legal under a new one.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { lax: true },
  plan: anywhere,
  *play(me, _plan, lax) {
    for (let i = 0; i < 10; i++) {
      yield me.after(me.beat);
      const back = [1, 2, 5, 20][i % 4];
      const seq = lax ? {} : { seq: (me.seq - back) >>> 0 };
      me.move(me.along((me.habits.speed * me.beat) / 1000), { foul: true, ...seq });
    }
  },
});
