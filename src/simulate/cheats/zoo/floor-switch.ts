// The cheat «floor switch». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { findStoreys, type Storeys } from '../sites.ts';
import { comeTo, hop } from './common.ts';

export const floorSwitch = cheat<Storeys>({
  ...hop,
  name: 'floor switch',
  how: 'Claims the storey above or below without going anywhere, at once or as if by a lift.',
  bound: { claims: 160 },
  plan: findStoreys,
  warm(me, { start, at }) {
    return comeTo(me, { start, from: at });
  },
  *play(me, { at, other }) {
    for (let i = 0; i < 3; i++) {
      yield me.after(me.beat);
      me.claimAt(other, { foul: true });
      yield* me.stand(600);
    }
    const steps = Math.ceil(Math.abs(other.y - at.y) / 0.1);
    for (let i = 1; i <= steps; i++) {
      yield me.after(me.beat);
      const y = at.y + ((other.y - at.y) * i) / steps;
      me.claimAt({ x: at.x, y, z: at.z }, { foul: i === steps });
    }
  },
});
