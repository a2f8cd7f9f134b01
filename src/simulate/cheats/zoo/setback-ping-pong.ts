// The cheat «setback ping-pong». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { findHop } from '../sites.ts';
import { AT_ONCE } from './common.ts';

export const setbackPingPong = cheat({
  name: 'setback ping-pong',
  how: 'Sends the refused place again and again while its correction is under way, between claims of where it is.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { open: true },
  speed: [2.5, 4],
  plan: (stage, random, speed) => findHop(stage, random, speed, 1, 2.8),
  *warm(me, { from }) {
    yield* me.goTo(from);
    yield* me.stand(2000);
  },
  *play(me, { from, to }) {
    for (let i = 0; i < 60; i++) {
      yield me.after(10);
      me.claimAt(to, { foul: true });
      yield me.after(5);
      if (i % 3 === 0) me.claimAt(from);
      if (i % 11 === 5) me.server({ op: 'ack', correction: 1 + (i % 3) });
    }
  },
});
