// The cheat «lag switch». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { mix } from '../hand.ts';
import { findHop, type Hop } from '../sites.ts';
import { beyond, FAR, hop, NEAR } from './common.ts';

export const lagSwitch = cheat<Hop>({
  ...hop,
  name: 'lag switch',
  how: 'Falls silent as if its line were down, walks through a wall meanwhile, and sends all of it in one burst.',
  bound: { claims: 60 },
  plan: (stage, random, speed) => findHop(stage, random, speed, NEAR, FAR),
  *play(me, plan) {
    const { from, to } = plan;
    for (let tries = 0; tries < 3; tries++) {
      yield me.after(me.random.between(600, 1300));
      const steps = 4 + me.random.below(16);
      for (let i = 1; i <= steps; i++) {
        yield me.after(1);
        const p = mix(from, to, i / steps);
        me.claimAt(p, { foul: i === steps || beyond(me, plan, p) });
      }
      yield* me.stand(900);
    }
  },
});
