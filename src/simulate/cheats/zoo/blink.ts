// The cheat «blink». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { vec } from '../hand.ts';
import { AT_ONCE, farAway, LAX, SPEED, wideEnough } from './common.ts';

export const blink = cheat({
  name: 'blink',
  how: 'Claims to be somewhere far off, out of the blue.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: LAX,
  speed: SPEED,
  plan: wideEnough,
  *play(me, _plan, lax) {
    for (let i = 0; i < 5; i++) {
      const to = farAway(me);
      if (to === null) return;
      if (lax) me.server({ op: 'grant', grant: i, to: vec(to) });
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
      yield* me.walk(1200);
    }
  },
});
