// B: numbers and sequence. See test/cases/README.md.

import type { Vec3 } from '../../../src/types.ts';
import { CLEAN, FIELD, grid, held, Log, NO_SCORE } from './script.ts';

const START: Vec3 = [5, 0, 30];
const NOTHING = { scoreBelow: NO_SCORE, action: 'none' } as const;

/** Malformed: rejected, the position and the score as they were, the number not used up. */
function malformed(pos: Vec3) {
  return { ...held(pos, 'Malformed'), verdict: 'reject', ...NOTHING } as const;
}

function b1(): Log {
  const log = new Log(
    'B1-not-a-number',
    'B1: x = NaN: rejected, nothing changes, the next good move is accepted',
    FIELD,
  );
  const p = log.enter('p', START);
  p.step(50, [0.3, 0, 0], CLEAN);
  for (const bad of [
    [NaN, 0, 30],
    [5.6, NaN, 30],
    [5.6, 0, NaN],
    [NaN, NaN, NaN],
  ]) {
    p.wait(50);
    p.seq++;
    p.claim('move', { pos: bad }, malformed(p.pos));
    p.claim('move', { pos: [p.pos[0] + 0.3, 0, 30] }, CLEAN); // under the same number
    p.pos = [p.pos[0] + 0.3, 0, 30];
  }
  // the budget is not poisoned either
  p.wait(50).try([40, 0, 30], held(p.pos, 'SpeedLimit'));
  return log;
}

function b2(): Log {
  const log = new Log(
    'B2-infinities-and-overflow',
    'B2: +Infinity, -Infinity, 1e308 (its square overflows), duration NaN, speed NaN: each refused',
    FIELD,
  );
  const p = log.enter('moves', START);
  for (let axis = 0; axis < 3; axis++) {
    for (const bad of [Infinity, -Infinity]) {
      const pos: [number, number, number] = [5.3, 0, 30];
      pos[axis] = bad;
      p.wait(50);
      p.seq++;
      p.claim('move', { pos }, malformed(p.pos));
    }
  }
  for (const far of [
    [1e308, 0, 30],
    [-1e308, 0, 30],
    [5, 0, 1e308],
    [1e308, 0, -1e308],
    [1e200, 1e200, 1e200],
    [Number.MAX_VALUE, 0, Number.MAX_VALUE],
  ] as const) {
    p.wait(50).try(far, held(p.pos));
  }
  p.wait(50).go([5.3, 0, 30], 'accept');
  const b = log.enter('clicks', [5, 0, 20]);
  const good = { speed: 6, duration: 700 };
  for (const bad of [
    { duration: NaN },
    { speed: NaN },
    { duration: Infinity },
    { speed: Infinity },
    { duration: -1 },
    { speed: -6 },
    { stop: NaN },
    { stop: -1 },
    { to: [NaN, 0, 20] },
    { from: [5, 0, -Infinity] },
    { from: null },
  ]) {
    b.wait(50).begin([9, 0, 20], { ...good, ...bad }, malformed(b.pos));
  }
  b.wait(50).begin([1e308, 0, 20], good, held(b.pos));
  b.wait(50).begin([9, 0, 20], good, 'accept');
  return log;
}

function b4(): Log {
  const log = new Log(
    'B4-numbers-wrap',
    'B4: first number FFFFFFFE, then FFFFFFFF, 0, 1: accepted; then FFFFFFFF again: Replay, no score',
    FIELD,
  );
  const replay = (pos: Vec3) => ({ ...held(pos, 'Replay'), verdict: 'reject', ...NOTHING }) as const;
  const wrapping = log.enter('wraps', START);
  for (const seq of [0xfffffffe, 0xffffffff, 0, 1]) {
    wrapping.seq = seq - 1;
    wrapping.step(50, [0.3, 0, 0], CLEAN);
  }
  for (const seq of [0xffffffff, 0, 1, 0xfffffffe]) {
    wrapping.seq = seq - 1;
    wrapping.wait(50).try([6.5, 0, 30], replay(wrapping.pos));
  }
  wrapping.seq = 1;
  wrapping.step(50, [0.3, 0, 0], CLEAN);
  const leaps = log.enter('leaps-over-the-wrap', [5, 0, 20]);
  leaps.seq = 0xffffff00;
  leaps.step(50, [0.3, 0, 0], CLEAN);
  leaps.seq = 99;
  leaps.step(50, [0.3, 0, 0], CLEAN);
  leaps.seq = 0xffffff7f;
  leaps.wait(50).try([6, 0, 20], replay(leaps.pos));
  // a forged number far ahead must not lock the player out
  const forged = log.enter('forged', [5, 0, 10]);
  forged.step(50, [0.3, 0, 0], CLEAN);
  forged.wait(50);
  for (const seq of [2 ** 31, 2 ** 31 + 1, 1_000_000, 70_000]) {
    forged.seq = seq - 1;
    forged.try([5.6, 0, 10], replay(forged.pos));
  }
  forged.seq = 1;
  forged.step(50, [0.3, 0, 0], CLEAN);
  return log;
}

function b6(): Log {
  const log = new Log(
    'B6-a-refused-number-is-used-up',
    'B6: number 7 into a wall: Wall; number 7 again with a legal target: Replay',
    grid(40, 40, 1, [[20, 5, 21, 35]]),
  );
  for (const [name, x, over] of [
    ['from-the-west', 19.5, 21.5],
    ['from-the-east', 21.5, 19.5],
  ] as const) {
    const p = log.enter(name, [x, 0, 20]);
    p.stand(6, 200, CLEAN);
    p.wait(200).try([over, 0, 20], { ...held(p.pos, 'Wall', 'PathPartial'), verdict: 'correct' });
    p.seq = 6;
    p.try([x, 0, 20.2], { ...held(p.pos, 'Replay'), verdict: 'reject' });
    p.go([x, 0, 20.2], 'accept'); // number 8
  }
  const fast = log.enter('too-fast', [5, 0, 20]);
  fast.seq = 6;
  fast.wait(50).try([15, 0, 20], held(fast.pos, 'SpeedLimit'));
  fast.seq = 6;
  fast.try([5.1, 0, 20], held(fast.pos, 'Replay'));
  fast.go([5.1, 0, 20], 'accept');
  return log;
}

function b9(): Log {
  const log = new Log(
    'B9-numbers-that-are-none',
    'B9: seq -1, 1.5, 2^53, "7": rejected as malformed, never an exception, and no number is used up',
    FIELD,
  );
  const p = log.enter('moves', START);
  const b = log.enter('clicks', [5, 0, 20]);
  p.step(50, [0.3, 0, 0], CLEAN);
  b.wait(50);
  for (const seq of [-1, 1.5, 2 ** 53, 2 ** 32, '7', '', null, NaN, Infinity, [7], { n: 7 }, true]) {
    p.wait(50).claim('move', { seq, pos: [5.6, 0, 30] }, malformed(p.pos));
    b.wait(50).claim('begin', { seq, from: [5, 0, 20], to: [9, 0, 20], speed: 6, duration: 700 }, malformed(b.pos));
  }
  p.wait(50).go([5.6, 0, 30], CLEAN);
  b.wait(50).begin([9, 0, 20], { duration: 700 }, 'accept');
  return log;
}

export const numbers = (): Log[] => [b1(), b2(), b4(), b6(), b9()];
