// The cheat «speed x1.2, x1.5, x3». Imported by simulate/cheats/index.ts.
import { type Cheat, cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

/** Credit of burst and latency lasts so long at this factor, s; and a little for what it had of it. */
function lasts(factor: number): number {
  return (1.15 * 1.3) / (factor - 1.15);
}

function faster(factor: number): Cheat {
  const seconds = lasts(factor);
  return cheat({
    name: `speed x${factor}`,
    how: `Runs at ${factor} times its speed limit, claim after claim.`,
    bound: { ms: Math.ceil(1300 * seconds + 700) },
    ahead: (factor - 1) * (1.1 * seconds + 0.5),
    wins: 'metres',
    control: NO_LIMIT,
    plan: anywhere,
    *play(me) {
      yield* me.walk(1500 * seconds + 5000, factor);
    },
  });
}

export const speed12 = faster(1.2);

export const speed15 = faster(1.5);

export const speed3 = faster(3);
