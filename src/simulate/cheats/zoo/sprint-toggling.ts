// The cheat «sprint toggling». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

export const sprintToggling = cheat({
  name: 'sprint toggling',
  how: 'Toggles a sprint all the time and runs at sprinting speed throughout, living on the grace of each lowering.',
  bound: { ms: 12_000 },
  ahead: 3.6,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    const { speed } = me.habits;
    for (let i = 0; i < 300; i++) {
      me.server({ op: 'speed', speed: i % 2 === 0 ? speed * 1.5 : speed });
      yield* me.walk(100, 1.6, 50);
    }
  },
});
