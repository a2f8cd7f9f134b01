// The cheat «search drain». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { findHop, type Hop } from '../sites.ts';
import { FAR, hop, NEAR } from './common.ts';

export const drainedSearch = cheat<Hop>({
  ...hop,
  name: 'search drain',
  how: 'Uses up its search allowance with claims that are dear to judge, then hops through the wall unsearched.',
  bound: { claims: 101 },
  ahead: 1.6,
  control: { open: true, rules: { speedTolerance: 10, burstMs: 60_000 } },
  plan: (stage, random, speed) => findHop(stage, random, speed, NEAR, FAR),
  *play(me, { from, to }) {
    for (let i = 0; i < 100; i++) {
      yield me.after(2);
      // there and back over something that takes a search: a legal claim each, or one that is refused
      const a = me.random.between(0, 2 * Math.PI);
      const r = me.random.between(0.3, 1);
      const p = me.terrain.onGround({ x: from.x + r * Math.cos(a), y: from.y, z: from.z + r * Math.sin(a) });
      if (p !== null) me.claimAt(p);
    }
    for (let i = 0; i < 5; i++) {
      yield me.after(2);
      me.claimAt(from);
      yield me.after(2);
      me.claimAt(to, { foul: true });
    }
  },
});
