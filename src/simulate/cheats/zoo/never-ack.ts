// The cheat «teleport never acknowledged». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { vec } from '../hand.ts';
import { farAway, leap } from './common.ts';

export const neverAck = cheat({
  name: 'teleport never acknowledged',
  how: 'Is teleported by the server, does not acknowledge it, and goes on claiming where it was.',
  ...leap,
  ahead: Infinity,
  *play(me, _plan, lax) {
    const to = farAway(me);
    if (to === null) return;
    if (!lax) me.server({ op: 'teleport', to: vec(to) });
    const { at } = me;
    for (let i = 0; i < 40; i++) {
      yield me.after(100);
      me.claimAt(at, { foul: true });
    }
  },
});
