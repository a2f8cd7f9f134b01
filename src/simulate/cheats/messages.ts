// Messages that are wrong in themselves, and playing with corrections. Imported by simulate/cheats/index.ts.
import { cheat } from './cheat.ts';
import { distance, type Hand, vec } from './hand.ts';
import { anywhere, findHop, isFlat } from './sites.ts';

const AT_ONCE = { claims: 1 };

export const replay = cheat({
  name: 'replay',
  how: 'Sends old numbers again, with steps that would be legal under a new one.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { lax: true },
  plan: anywhere,
  *play(me, _plan, lax) {
    for (let i = 0; i < 10; i++) {
      yield me.after(me.beat);
      const back = [1, 2, 5, 20][i % 4];
      const seq = lax ? {} : { seq: (me.seq - back) >>> 0 };
      me.move(me.along((me.habits.speed * me.beat) / 1000), { foul: true, ...seq });
    }
  },
});

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
        me.send({ op: 'begin', ...click, from: bad, seq: me.seq++ }, true);
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

/** A little beyond what full credit allows, m. */
function tooFar(me: Hand): number {
  return me.habits.speed * 1.15 * 1.3 + 0.5;
}

export const setbackPingPong = cheat({
  name: 'setback ping-pong',
  how: 'Sends the refused place again and again while its correction is under way, between claims of where it is.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { open: true },
  speed: [2.5, 4],
  plan: (stage, random, speed) => findHop(stage, random, speed, 1, 2.8),
  *warm(me, { from }) {
    yield* me.goTo(from);
    yield* me.stand(2000);
  },
  *play(me, { from, to }) {
    for (let i = 0; i < 60; i++) {
      yield me.after(10);
      me.claimAt(to, { foul: true });
      yield me.after(5);
      if (i % 3 === 0) me.claimAt(from);
      if (i % 11 === 5) me.server({ op: 'ack', correction: 1 + (i % 3) });
    }
  },
});

export const pendingAmnesty = cheat({
  name: 'pending amnesty',
  how: 'Gets a small refusal, and while that correction is pending probes with large ones that nobody seems to count.',
  // the grossest probe must have been scored when the wait is over, not only the first one refused
  bound: { claims: 200, ms: 6000 },
  ahead: 1.9,
  wins: 'fouls',
  control: { open: true, rules: { speedTolerance: 10, burstMs: 60_000 } },
  speed: [2.5, 4],
  caughtBy: 'watch',
  plan: (stage, random) => anywhere(stage, random),
  *play(me) {
    for (let round = 0; round < 3; round++) {
      // a straight way ahead until it is too long
      const { at } = me;
      let to = at;
      for (let k = 0; k < 40; k++) {
        const p = me.terrain.randomPoint(me.random);
        if (distance(p, at) > distance(to, at)) to = p;
      }
      const share = Math.min(1, tooFar(me) / distance(at, to));
      yield me.after(me.beat);
      me.claimAt({ x: at.x + (to.x - at.x) * share, y: at.y, z: at.z + (to.z - at.z) * share });
      for (let i = 0; i < 10; i++) {
        yield me.after(20);
        me.claimAt(to, { foul: true });
      }
      yield* me.stand(1200);
    }
  },
});
