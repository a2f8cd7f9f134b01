// The cheat «speed x1.1». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { findStretch } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

export const speed11 = cheat({
  name: 'speed x1.1',
  how: 'Runs 10 % too fast, within the tolerance of every single move, to and fro on open ground for a minute.',
  bound: { ms: 60_000 },
  ahead: 6.5,
  wins: 'metres',
  control: NO_LIMIT,
  // claims cut corners: in a maze they themselves are slower, and a guard loses up to two marks of its measure at a turn
  plan: (stage, random, speed) => findStretch(stage, random, Math.max(30, 8 * speed)),
  *warm(me, { from }) {
    yield* me.walk(2000);
    yield* me.goTo(from);
  },
  *play(me, { from, to }) {
    yield* me.shuttle(from, to, 65_000, 1.1);
  },
});
