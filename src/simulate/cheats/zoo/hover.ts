// The cheat «hover». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhereHigh } from '../sites.ts';
import { JUMPS } from './common.ts';

export const hover = cheat({
  name: 'hover',
  how: 'Jumps and does not come down.',
  // at 5 claims a second, over ground that falls away; else half of it
  bound: { ms: 10_000 },
  ahead: 1.6,
  wins: 'fouls',
  control: JUMPS,
  plan: anywhereHigh,
  *play(me) {
    const from = me.t;
    for (;;) {
      yield me.after(me.beat);
      const since = me.t - from;
      if (since > 14_000) return;
      const p = me.along((me.habits.speed * me.beat) / 1000);
      const up = Math.min(2, since / 200);
      me.claimAt({ x: p.x, y: p.y + up, z: p.z }, { foul: since > 10_000 });
    }
  },
});
