// The cheat «grant through a wall». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { distance, vec } from '../hand.ts';
import { findHop, tighten } from '../sites.ts';
import { AT_ONCE, LAX, SPEED } from './common.ts';

export const grantThroughWall = cheat({
  name: 'grant through a wall',
  how: 'Is granted a place beside a wall and claims the other side, within the radius.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: LAX,
  speed: SPEED,
  plan(stage, random, speed) {
    for (let tries = 0; tries < 5; tries++) {
      const found = findHop(stage, random, speed, 1, 2.4);
      if (found === null) return null;
      const hop = tighten(stage, found, speed);
      if (distance(hop.from, hop.to) < 2) return hop;
    }
    return null;
  },
  *warm(me, { from }) {
    yield* me.goTo(from);
    yield* me.stand(1000);
  },
  *play(me, { from, to }, lax) {
    for (let i = 0; i < 4; i++) {
      me.server({ op: 'grant', grant: i, to: vec(lax ? to : from), radius: 2 });
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
      yield* me.stand(700);
    }
  },
});
