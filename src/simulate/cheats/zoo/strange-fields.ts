// The cheat «NaN and friends». Imported by simulate/cheats/index.ts.
import { cheat } from '../cheat.ts';
import { vec } from '../hand.ts';
import { anywhere, isFlat } from '../sites.ts';
import { AT_ONCE } from './common.ts';

/** Numbers and other things that are no coordinate. */
const STRANGE: readonly unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  '7',
  null,
  undefined,
  {},
  [],
  true,
  10n,
  Symbol.iterator,
  () => 1,
];

/** What is no sequence number either. */
const NO_NUMBERS: readonly unknown[] = [...STRANGE, -1, 1.5, 2 ** 32, 2 ** 53, -0.5];

export const strangeFields = cheat({
  name: 'NaN and friends',
  how: 'Fills the fields of claims with what is no number, or none that can be meant.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { lax: true },
  plan: anywhere,
  *play(me, _plan, lax) {
    const good = vec(me.at);
    const flat = isFlat(me.stage, me.at);
    const to = vec(me.somewhere());
    const click = { from: good, to, speed: me.habits.speed, duration: 60_000 };
    for (const odd of NO_NUMBERS) {
      yield me.after(10);
      me.send({ op: 'move', seq: lax ? me.seq++ : odd, pos: good }, true);
      me.send({ op: 'begin', ...click, seq: lax ? me.seq++ : odd }, true);
      if (!lax) me.send({ op: 'input', seq: odd, dir: [0, 0], ms: 1 }, true);
    }
    for (const odd of [...STRANGE, 1e308, -1e308, 1e16]) {
      const value = lax ? good[0] : odd;
      for (let k = 0; k < 3; k++) {
        // a height is nothing to a grid, but a number it must be
        if (flat && k === 1 && Number.isFinite(odd)) continue;
        yield me.after(10);
        const bad = lax ? good : good.map((n, i) => (i === k ? value : n));
        me.send({ op: 'move', seq: me.seq++, pos: bad }, true);
        // nor is the height that it clicks from: where it stands is known
        if (k !== 1 || !Number.isFinite(odd)) me.send({ op: 'begin', ...click, from: bad, seq: me.seq++ }, true);
        me.send({ op: 'begin', ...click, to: lax ? to : to.map((n, i) => (i === k ? value : n)), seq: me.seq++ }, true);
      }
      if (lax) continue;
      // a huge speed is too fast, a huge duration only slow; no stop at all is none
      me.send({ op: 'begin', ...click, speed: odd, seq: me.seq++ }, true);
      if (!(typeof odd === 'number' && odd > 0 && odd < Infinity)) {
        me.send({ op: 'begin', ...click, duration: odd, seq: me.seq++ }, true);
      }
      if (odd !== null && odd !== undefined) me.send({ op: 'begin', ...click, stop: odd, seq: me.seq++ }, true);
    }
  },
});
