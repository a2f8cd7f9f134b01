// The cheat «teleport acknowledged early». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { vec } from '../hand.ts';
import { farAway, leap } from './common.ts';

export const earlyAck = cheat({
  name: 'teleport acknowledged early',
  how: 'Acknowledges a teleport at once and claims to be where it was, to be carried back.',
  ...leap,
  ahead: Infinity,
  *play(me, _plan, lax) {
    const to = farAway(me);
    if (to === null) return;
    const { at } = me;
    if (!lax) me.server({ op: 'teleport', to: vec(to) });
    for (let i = 0; i < 10; i++) {
      yield me.after(50);
      me.server({ op: 'ack', correction: i % 3 === 0 ? 0 : 1 + i });
      me.claimAt(at, { foul: true });
    }
  },
});
