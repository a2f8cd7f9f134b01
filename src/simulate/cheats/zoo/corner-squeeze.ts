// The cheat «corner squeeze». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { findHop, type Hop, tighten } from '../sites.ts';
import { AT_ONCE, hop } from './common.ts';

export const cornerSqueeze = cheat<Hop>({
  ...hop,
  name: 'corner squeeze',
  how: 'Slips between two blocks that touch at a corner, in a step of a few decimetres.',
  bound: AT_ONCE,
  plan: (stage, random, speed) => {
    const found = findHop(stage, random, speed, 0.1, 0.7, 6000);
    return found === null ? null : tighten(stage, found, speed);
  },
  *play(me, { from, to }) {
    for (let i = 0; i < 10; i++) {
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
      yield me.after(me.beat);
      me.claimAt(from);
    }
  },
});
