// The cheat «fake skill». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { leap, leapFar } from './common.ts';

export const fakeSkill = cheat({
  name: 'fake skill',
  how: 'Names a teleport skill in the claim that the server never granted.',
  ...leap,
  ahead: 0.5,
  play: (me, _plan, lax) => leapFar(me, lax, { skill: 'blink' }),
});
