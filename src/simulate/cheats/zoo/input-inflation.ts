// The cheat «input time inflation». Imported by simulate/cheats/index.ts.

import { cheat } from '../cheat.ts';
import { distance } from '../hand.ts';
import { anywhere } from '../sites.ts';
import { NO_LIMIT } from './common.ts';

export const inputInflation = cheat({
  name: 'input time inflation',
  how: 'Sends inputs that say they were held for twice the time that has passed.',
  // a burst and latency's worth of time, twice as fast as it passes; then a second of evidence
  bound: { ms: 5_000 },
  ahead: 1.9,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    let last = me.at;
    for (let i = 0; i < 300; i++) {
      yield me.after(50);
      const pos = me.authority();
      if (pos === null) return;
      const at = { x: pos[0], y: pos[1], z: pos[2] };
      // slid off its way, or stuck: a new one
      if (distance(at, me.at) > 2 || (i % 5 === 0 && distance(at, last) < 0.05)) me.forgetWay();
      if (i % 5 === 0) last = at;
      me.at = at;
      const to = me.along((me.habits.speed * 100) / 1000);
      const metres = distance(at, to);
      if (metres === 0) continue;
      me.send({ op: 'input', seq: me.seq++, dir: [(to.x - at.x) / metres, (to.z - at.z) / metres], ms: 100 });
    }
  },
});
