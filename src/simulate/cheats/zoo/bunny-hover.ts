// The cheat «bunny hover». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { aloft, stayUp } from './common.ts';

export const bunnyHover = cheat({
  name: 'bunny hover',
  how: 'Hovers two metres up and touches the ground every 2.9 s, as if it jumped again and again.',
  bound: { ms: 12_000 },
  ...aloft,
  play: (me) =>
    stayUp(
      me,
      18_000,
      (since) => {
        const phase = since % 2900;
        return phase < 300 ? (2.2 * phase) / 300 : phase > 2750 ? 0 : 2.2;
      },
      (since, up) => since > 12_000 && up > 2,
    ),
});
