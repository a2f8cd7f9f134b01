// The cheat «thin wall hop». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { findHop, type Hop, tighten } from '../sites.ts';
import { AT_ONCE, FAR, hop } from './common.ts';

export const thinWall = cheat<Hop>({
  ...hop,
  name: 'thin wall hop',
  how: 'Hops through a wall where it is thinnest, by no more than it must.',
  bound: AT_ONCE,
  plan(stage, random, speed) {
    const found = findHop(stage, random, speed, 0.3, FAR);
    return found === null ? null : tighten(stage, found, speed);
  },
  *play(me, { to }) {
    for (let i = 0; i < 3; i++) {
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
      yield* me.stand(500);
    }
  },
});
