// The cheat «stop trick». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { walkFrom } from './common.ts';

export const stopTrick = cheat({
  name: 'stop trick',
  how: 'Clicks with the longest stop distance, so that the walk is short, and then claims the target itself at once.',
  bound: { ms: 15_000 },
  ahead: 2.5,
  wins: 'metres',
  control: { rules: { speedTolerance: 10, burstMs: 60_000 } },
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 12; i++) {
      const walk = walkFrom(me, 7, 11);
      if (walk === null) return;
      const duration = (1000 * Math.max(0, walk.metres - 5)) / me.habits.speed;
      yield me.after(20);
      me.click(walk.to, { duration: duration + 1, stop: 5 });
      yield me.after(Math.min(duration, 8000));
      yield me.after(1);
      me.obey();
      me.move(walk.to);
      me.forgetWay();
    }
  },
});
