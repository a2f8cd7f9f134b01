// The cheat «pending amnesty». Imported by simulate/cheats/index.ts.

import { cheat } from '../cheat.ts';
import { distance, type Hand } from '../hand.ts';
import { anywhere } from '../sites.ts';

/** A little beyond what full credit allows, m. */
function tooFar(me: Hand): number {
  return me.habits.speed * 1.15 * 1.3 + 0.5;
}

export const pendingAmnesty = cheat({
  name: 'pending amnesty',
  how: 'Gets a small refusal, and while that correction is pending probes with large ones that nobody seems to count.',
  // the grossest probe must have been scored when the wait is over, not only the first one refused
  bound: { claims: 200, ms: 6000 },
  ahead: 1.9,
  wins: 'fouls',
  control: { open: true, rules: { speedTolerance: 10, burstMs: 60_000 } },
  speed: [2.5, 4],
  caughtBy: 'watch',
  plan: (stage, random) => anywhere(stage, random),
  *play(me) {
    for (let round = 0; round < 3; round++) {
      // a straight way ahead until it is too long
      const { at } = me;
      let to = at;
      for (let k = 0; k < 40; k++) {
        const p = me.terrain.randomPoint(me.random);
        if (distance(p, at) > distance(to, at)) to = p;
      }
      const share = Math.min(1, tooFar(me) / distance(at, to));
      yield me.after(me.beat);
      me.claimAt({ x: at.x + (to.x - at.x) * share, y: at.y, z: at.z + (to.z - at.z) * share });
      for (let i = 0; i < 10; i++) {
        yield me.after(20);
        me.claimAt(to, { foul: true });
      }
      yield* me.stand(1200);
    }
  },
});
