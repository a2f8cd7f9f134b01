// The cheat «fast click». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { AT_ONCE, NO_LIMIT, walkFrom } from './common.ts';

export const fastClick = cheat({
  name: 'fast click',
  how: 'Clicks with a speed above its limit.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 4; i++) {
      const walk = walkFrom(me, 4);
      if (walk === null) return;
      const speed = me.habits.speed * 1.5;
      yield me.after(me.beat);
      me.click(walk.to, { speed, duration: (1000 * walk.metres) / speed, foul: true });
      me.server({ op: 'rtt', ms: me.habits.rttMs });
    }
  },
});
