// The cheat «grant redirect». Imported by simulate/cheats/index.ts.
import type { Point } from '../../actor.ts';
import { cheat } from '../cheat.ts';
import { distance, type Hand, vec } from '../hand.ts';
import { capacity, farAway, leap } from './common.ts';

/** A place just outside a grant's radius of 1 m and still out of reach from here; null when there is none. */
function nextTo(me: Hand, granted: Point): Point | null {
  for (let tries = 0; tries < 30; tries++) {
    const a = me.random.between(0, 2 * Math.PI);
    const r = me.random.between(1.15, 2);
    const p = me.terrain.onGround({ x: granted.x + r * Math.cos(a), y: granted.y, z: granted.z + r * Math.sin(a) });
    if (p !== null && distance(p, me.at) > capacity(me) + 1) return p;
  }
  return null;
}

export const grantRedirect = cheat({
  name: 'grant redirect',
  how: 'Is granted one place and claims another, far from it or just outside its radius.',
  ...leap,
  ahead: 0.5,
  *play(me, _plan, lax) {
    for (let i = 0; i < 4; i++) {
      const granted = farAway(me);
      if (granted === null) return;
      const other = i % 2 === 0 ? farAway(me) : nextTo(me, granted);
      if (other === null || distance(other, granted) < 1.1) continue;
      me.server({ op: 'grant', grant: i, to: vec(lax ? other : granted), radius: 1, ttl: 600 });
      yield me.after(me.beat);
      me.claimAt(other, { foul: true });
      yield* me.walk(1000);
    }
  },
});
