// The cheat «sinking float». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhereHigh } from '../sites.ts';
import { JUMPS } from './common.ts';

export const sink = cheat({
  name: 'sinking float',
  how: 'Jumps, then sinks by a centimetre or so a claim, far slower than anything falls, and drops at the end.',
  bound: { ms: 60_000 },
  ahead: 1.6,
  wins: 'fouls',
  control: JUMPS,
  plan: anywhereHigh,
  *play(me) {
    for (let round = 0; round < 10; round++) {
      const from = me.t;
      for (;;) {
        yield me.after(me.beat);
        const since = me.t - from;
        if (since > 6000) break;
        const p = me.along((me.habits.speed * me.beat) / 1000);
        const high = 2.4 - (1.2 * Math.max(0, since - 400)) / 5000;
        const up = since < 400 ? (2.4 * since) / 400 : since > 5400 ? Math.max(0, 1.2 - (since - 5400) / 200) : high;
        me.claimAt({ x: p.x, y: p.y + up, z: p.z }, { foul: round === 9 && up > 1.2 });
      }
    }
  },
});
