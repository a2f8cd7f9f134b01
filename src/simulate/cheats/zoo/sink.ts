// The cheat «sinking float». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhereHigh } from '../sites.ts';
import { JUMPS } from './common.ts';

// Who sinks within 4 s is no higher on average than who jumps without pause, and gains nothing. The bound is that of 5 claims
// a second over ground that falls away: there a landing between two claims explains most of it.
export const sink = cheat({
  name: 'sinking float',
  how: 'Jumps, then sinks by a centimetre or so a claim, far slower than anything falls.',
  bound: { ms: 25_000 },
  ahead: 1.6,
  wins: 'fouls',
  control: JUMPS,
  plan: anywhereHigh,
  *play(me) {
    const begun = me.t;
    for (let round = 0; round < 4; round++) {
      me.obey();
      const from = me.t;
      for (;;) {
        yield me.after(me.beat);
        const since = me.t - from;
        if (since > 10_000) break;
        const p = me.along((me.habits.speed * me.beat) / 1000);
        const up = since < 400 ? (2.4 * since) / 400 : 2.4 - (2.4 * (since - 400)) / 9600;
        me.claimAt({ x: p.x, y: p.y + up, z: p.z }, { foul: me.t - begun > 25_000 && up > 0.8 });
      }
    }
  },
});
