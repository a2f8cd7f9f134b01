// The cheat «under the floor». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhereHigh, LOWER, NEAR } from '../sites.ts';
import { face } from './common.ts';

export const underFloor = cheat({
  ...face,
  warm: (me) => me.walk(3000),
  name: 'under the floor',
  how: 'Walks about below the floor, where nobody sees it.',
  bound: { claims: 60 },
  control: { rules: { below: 100 } },
  plan: anywhereHigh,
  *play(me) {
    let depth = 0;
    for (let i = 0; i < 80; i++) {
      yield me.after(me.beat);
      depth = Math.min(1.5, depth + 0.1);
      const p = me.along((me.habits.speed * me.beat) / 1000);
      me.claimAt(
        { x: p.x, y: p.y - depth, z: p.z },
        { foul: depth > 1 && !me.terrain.lowerGroundNear(p, p, NEAR, LOWER) },
      );
    }
  },
});
