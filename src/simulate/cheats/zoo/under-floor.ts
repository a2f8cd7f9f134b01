// The cheat «under the floor». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhereHigh, LOWER, NEAR } from '../sites.ts';
import { face } from './common.ts';

/** A floor may be drawn a climb and a voxel higher than the mesh (RecastDemo: 0.9 + 0.2); rounding. Metres. */
const DRAWN = 1.25;

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
        { foul: depth > DRAWN && !me.terrain.lowerGroundNear(p, p, NEAR, LOWER) },
      );
    }
  },
});
