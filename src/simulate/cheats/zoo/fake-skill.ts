// The cheat «fake skill». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { vec } from '../hand.ts';
import { AT_ONCE, farAway, LAX, SPEED, wideEnough } from './common.ts';

export const fakeSkill = cheat({
  name: 'fake skill',
  how: 'Names a teleport skill in the claim that the server never granted.',
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
      me.claimAt(to, { foul: true, skill: 'blink' });
      yield* me.walk(1200);
    }
  },
});
