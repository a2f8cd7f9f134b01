// The cheat «boiled frog». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

export const boiledFrog = cheat({
  name: 'boiled frog',
  how: 'Speeds up by one percent a second, so that no two moves differ by much.',
  bound: { ms: 42_000 },
  ahead: 6,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    yield* me.walk(45_000, (ms) => 1 + ms / 100_000);
  },
});
