// The cheat «forged sequence». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { anywhere } from '../sites.ts';
import { AT_ONCE } from './common.ts';

export const forgedSequence = cheat({
  name: 'forged sequence',
  how: 'Jumps ahead with the sequence number, to burn numbers or to lock its entity.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { rules: { maxSeqGap: 2 ** 31 - 1 } },
  plan: anywhere,
  *play(me) {
    for (const jump of [0x7fffffff, 0x7ffffffe, 0x70000000, 1e8, 200_000]) {
      yield me.after(me.beat);
      me.move(me.along((me.habits.speed * me.beat) / 1000), { foul: true, seq: (me.seq + jump) >>> 0 });
    }
  },
});
