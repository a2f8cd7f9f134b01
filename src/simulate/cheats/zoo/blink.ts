// The cheat «blink». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { leap, leapFar } from './common.ts';

export const blink = cheat({
  name: 'blink',
  how: 'Claims to be somewhere far off, out of the blue.',
  ...leap,
  ahead: 0.5,
  play: (me, _plan, lax) => leapFar(me, lax, {}),
});
