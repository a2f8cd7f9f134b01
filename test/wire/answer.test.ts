// The move answer: the exact bytes, the way there and back, and bytes that are none.
import { expect, test } from 'vitest';
import { REASON_NAMES, Reason, type ReasonCode } from '../../src/reasons.ts';
import { seeded } from '../../src/simulate/random.ts';
import { ANSWER_BYTES, decodeAnswer, Malformed, type MoveAnswer, writeAnswer } from '../../src/wire/index.ts';

function blank(): MoveAnswer {
  return { seq: -1, reason: Reason.Accept, x: -1, y: -1 };
}

test('the bytes are those of the layout, big-endian', () => {
  const bytes = new Uint8Array(20).fill(0xee);
  expect(writeAnswer(new DataView(bytes.buffer), 2, 0x01020304, Reason.Wall, 1.5, -2)).toBe(ANSWER_BYTES);
  expect([...bytes]).toEqual([
    ...[0xee, 0xee],
    ...[0x02, 0x02],
    ...[1, 2, 3, 4],
    ...[2],
    ...[0, 0, 0x06, 0x00],
    ...[0xff, 0xff, 0xf8, 0x00],
    ...[0xee, 0xee, 0xee],
  ]);
});

test('what is written is read: every sequence number, reason and position in range', () => {
  const seed = 7;
  const random = seeded(seed);
  const view = new DataView(new ArrayBuffer(64));
  const answer = blank();
  for (let i = 0; i < 20_000; i++) {
    const seq = random.below(2 ** 32);
    const reason = random.below(REASON_NAMES.length) as ReasonCode;
    const scale = 10 ** random.between(-3, 6);
    const x = random.between(-scale, scale);
    const y = random.between(-scale, scale);
    const at = random.below(64 - ANSWER_BYTES);
    writeAnswer(view, at, seq, reason, x, y);
    expect(decodeAnswer(view, at, answer), `seed ${seed}, ${i}`).toBe(ANSWER_BYTES);
    expect(answer.seq).toBe(seq);
    expect(answer.reason).toBe(reason);
    expect(Math.abs(answer.x - x)).toBeLessThanOrEqual(0.5 / 1024);
    expect(Math.abs(answer.y - y)).toBeLessThanOrEqual(0.5 / 1024);
  }
});

test('positions out of range are sent as the nearest end, not a number as 0', () => {
  const view = new DataView(new ArrayBuffer(ANSWER_BYTES));
  const answer = blank();
  for (const [x, sent] of [
    [1e300, 0x7fffffff / 1024],
    [Infinity, 0x7fffffff / 1024],
    [-1e300, -(2 ** 31) / 1024],
    [-Infinity, -(2 ** 31) / 1024],
    [NaN, 0],
  ] as const) {
    writeAnswer(view, 0, 4294967295, Reason.Accept, x, x);
    expect(decodeAnswer(view, 0, answer)).toBe(ANSWER_BYTES);
    expect(answer).toEqual({ seq: 4294967295, reason: Reason.Accept, x: sent, y: sent });
  }
});

test('bytes that are no move answer are refused and change nothing', () => {
  const view = new DataView(new ArrayBuffer(ANSWER_BYTES + 4));
  writeAnswer(view, 0, 5, Reason.Replay, 1, 1);
  const answer = blank();
  for (const offset of [-1, 0.5, 5, 1e9, Number.NaN]) expect(decodeAnswer(view, offset, answer)).toBeLessThan(0);
  for (let length = 0; length < ANSWER_BYTES; length++) {
    expect(decodeAnswer(new DataView(view.buffer, 0, length), 0, answer)).toBe(Malformed.short);
  }
  view.setUint8(6, REASON_NAMES.length);
  expect(decodeAnswer(view, 0, answer)).toBe(Malformed.value);
  view.setUint8(6, 0);
  view.setUint16(0, 0x0203);
  expect(decodeAnswer(view, 0, answer)).toBe(Malformed.command);
  expect(answer).toEqual(blank());
});
