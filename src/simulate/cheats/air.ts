// Staying up. Imported by simulate/cheats/index.ts.
import { cheat } from './cheat.ts';
import { anywhereHigh } from './sites.ts';

const JUMPS = { rules: { jumpHeight: 1000, above: 100 } };

export const hover = cheat({
  name: 'hover',
  how: 'Jumps and does not come down.',
  bound: { ms: 4500 },
  ahead: 1.6,
  wins: 'fouls',
  control: JUMPS,
  plan: anywhereHigh,
  *play(me) {
    const from = me.t;
    for (;;) {
      yield me.after(me.beat);
      const since = me.t - from;
      if (since > 8000) return;
      const p = me.along((me.habits.speed * me.beat) / 1000);
      const up = Math.min(2, since / 200);
      me.claimAt({ x: p.x, y: p.y + up, z: p.z }, { foul: since > 4500 });
    }
  },
});

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

export const sink = cheat({
  name: 'sinking float',
  how: 'Jumps, then sinks by a few centimetres a claim, falling far slower than anything falls.',
  bound: { ms: 60_000 },
  ahead: 1.6,
  wins: 'fouls',
  control: JUMPS,
  plan: anywhereHigh,
  *play(me) {
    for (let round = 0; round < 15; round++) {
      const from = me.t;
      for (;;) {
        yield me.after(me.beat);
        const since = me.t - from;
        if (since > 4000) break;
        const p = me.along((me.habits.speed * me.beat) / 1000);
        const up = since < 400 ? (2.4 * since) / 400 : Math.max(0, 2.4 * (1 - (since - 400) / 3600));
        me.claimAt({ x: p.x, y: p.y + up, z: p.z }, { foul: round === 14 && up > 1 });
      }
    }
  },
});
