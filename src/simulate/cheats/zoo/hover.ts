// The cheat «hover». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { aloft, stayUp } from './common.ts';

export const hover = cheat({
  name: 'hover',
  how: 'Jumps and does not come down.',
  // at 5 claims a second, over ground that falls away; else half of it
  bound: { ms: 10_000 },
  ...aloft,
  play: (me) =>
    stayUp(
      me,
      14_000,
      (since) => Math.min(2, since / 200),
      (since) => since > 10_000,
    ),
});
