// The cheat «bunny hover». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhereHigh } from '../sites.ts';
import { JUMPS } from './common.ts';

export const bunnyHover = cheat({
  name: 'bunny hover',
  how: 'Hovers two metres up and touches the ground every 2.9 s, as if it jumped again and again.',
  bound: { ms: 12_000 },
  ahead: 1.6,
  wins: 'fouls',
  control: JUMPS,
  plan: anywhereHigh,
  *play(me) {
    const from = me.t;
    for (;;) {
      yield me.after(me.beat);
      const since = me.t - from;
      if (since > 18_000) return;
      const p = me.along((me.habits.speed * me.beat) / 1000);
      const phase = since % 2900;
      const up = phase < 300 ? (2.2 * phase) / 300 : phase > 2750 ? 0 : 2.2;
      me.claimAt({ x: p.x, y: p.y + up, z: p.z }, { foul: since > 12_000 && up > 2 });
    }
  },
});
