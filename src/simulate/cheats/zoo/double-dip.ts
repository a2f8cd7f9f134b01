// The cheat «re-click double dip». Imported by simulate/cheats/index.ts.

import { cheat } from '../cheat.ts';
import { distance } from '../hand.ts';
import { anywhere } from '../sites.ts';
import { capacity, walkFrom } from './common.ts';

export const doubleDip = cheat({
  name: 're-click double dip',
  how: 'Clicks ahead and, before it has gone there, clicks back from the end of that walk as if it had.',
  bound: { claims: 20, ms: 20_000 },
  ahead: 1.9,
  // what counts is how far it gets: a start may be believed as long as the credit pays for it
  wins: 'fouls',
  control: { lax: true },
  plan: anywhere,
  *play(me, _plan, lax) {
    for (let i = 0; i < 8; i++) {
      const walk = walkFrom(me, 6);
      if (walk === null || distance(me.at, walk.to) < capacity(me) + 1) continue;
      const { at } = me;
      const duration = (1000 * walk.metres) / me.habits.speed;
      for (let k = 0; k < 3; k++) {
        yield me.after(lax ? duration + 1000 : 30);
        me.click(walk.to, { from: at, duration });
        // the control waits until it is there
        yield me.after(lax ? duration + 1000 : 30);
        me.click(at, { from: walk.to, duration, foul: lax });
      }
      yield me.after(300 + me.habits.rttMs);
      me.obey();
      const pos = me.authority();
      if (pos !== null) me.at = { x: pos[0], y: pos[1], z: pos[2] };
    }
  },
});
