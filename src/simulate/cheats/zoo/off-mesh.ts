// The cheat «inside a wall». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { type Face, findFace } from '../sites.ts';
import { AT_ONCE, face } from './common.ts';

export const offMesh = cheat<Face>({
  ...face,
  name: 'inside a wall',
  how: 'Steps into a wall and stays there, where nobody can hit it.',
  bound: AT_ONCE,
  plan: (stage, random): Face | null => findFace(stage, random, 1.3),
  *play(me, { inside }) {
    for (let i = 0; i < 20; i++) {
      yield me.after(me.beat);
      me.claimAt(inside, { foul: true });
    }
  },
});
