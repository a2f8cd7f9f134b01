// The cheat «grant reuse». Imported by simulate/cheats/index.ts.

import { cheat } from '../cheat.ts';
import { distance, vec } from '../hand.ts';
import { AT_ONCE, capacity, farAway, LAX, SPEED, wideEnough } from './common.ts';

export const grantReuse = cheat({
  name: 'grant reuse',
  how: 'Uses a grant, walks off, and claims the granted place again from afar.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: LAX,
  speed: SPEED,
  plan(stage, random, speed) {
    const plan = wideEnough(stage, random, speed);
    return plan === null ? null : { ...plan, to: plan.start };
  },
  // the first use is legal, and so is walking off
  *warm(me, plan) {
    yield* me.walk(1500);
    plan.to = farAway(me) ?? plan.start;
    me.server({ op: 'grant', grant: 1, to: vec(plan.to), ttl: 60_000 });
    yield me.after(me.beat);
    me.move(plan.to);
    me.forgetWay();
    for (let i = 0; i < 30 && distance(me.at, plan.to) < capacity(me) + 1.5; i++) yield* me.walk(1000);
  },
  *play(me, { to }, lax) {
    if (distance(me.at, to) < capacity(me) + 1.5) return;
    for (let i = 0; i < 3; i++) {
      if (lax) me.server({ op: 'grant', grant: 2, to: vec(to) });
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
    }
  },
});
