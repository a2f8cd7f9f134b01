// The cheat «speed x1.1». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

export const speed11 = cheat({
  name: 'speed x1.1',
  how: 'Runs 10 % too fast, within the tolerance of every single move, for a minute.',
  bound: { ms: 60_000 },
  ahead: 6.5,
  // on a map too small to run straight it looks like a clock that is a little fast
  harmless: 3.9,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    yield* me.walk(65_000, 1.1);
  },
});
