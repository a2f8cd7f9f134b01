// The cheat «wall creep». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { distance, mix } from '../hand.ts';
import { findHop, type Hop } from '../sites.ts';
import { beyond, FAR, hop, NEAR } from './common.ts';

export const wallCreep = cheat<Hop>({
  ...hop,
  name: 'wall creep',
  how: 'Creeps through a wall in steps of a few centimetres, and from where it was put back again.',
  bound: { claims: 140 },
  plan: (stage, random, speed) => findHop(stage, random, speed, NEAR, FAR),
  *play(me, { from, to }) {
    const step = me.random.between(0.02, 0.08);
    const whole = distance(from, to);
    for (let tries = 0; tries < 2; tries++) {
      for (let gone = step; gone < whole + step; gone += step) {
        const p = mix(from, to, Math.min(1, gone / whole));
        yield me.after(25);
        me.claimAt(p, { foul: beyond(me, { from, to, start: from }, p) });
      }
      yield* me.stand(700);
    }
  },
});
