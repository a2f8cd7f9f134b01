// The cheat «wall hop». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { findHop, type Hop } from '../sites.ts';
import { AT_ONCE, FAR, hop, NEAR } from './common.ts';

export const wallHop = cheat<Hop>({
  ...hop,
  name: 'wall hop',
  how: 'Claims the other side of a wall, a short way off, where walking round would take far too long.',
  bound: AT_ONCE,
  plan: (stage, random, speed) => findHop(stage, random, speed, NEAR, FAR),
  *play(me, { to }) {
    for (let i = 0; i < 3; i++) {
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
      yield* me.stand(500);
    }
  },
});
