// The cheat «leave/enter churn». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

export const churn = cheat({
  name: 'leave/enter churn',
  how: 'Runs at three times its speed, and leaves and enters again after each refusal to get fresh credit.',
  bound: { ms: 1600 },
  ahead: 1.7,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 60; i++) {
      const before = me.refusals;
      for (let k = 0; k < 20 && me.refusals === before; k++) yield* me.walk(me.beat + 1e-6, 3);
      const pos = me.refusal?.pos ?? null;
      if (pos === null) continue;
      me.obey();
      yield me.after(1);
      me.server({ op: 'leave' });
      me.server({ op: 'enter', pos: [...pos], speed: me.habits.speed });
    }
  },
});
