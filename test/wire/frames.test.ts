// Every frame: there and back by seeded randomness, cut off, with bytes behind, at offsets that are none, and where the room
// ends; and what the fields may not hold.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../src/simulate/random.ts';
import {
  blankMove,
  blankMoveBegin,
  blankSnapshot,
  Command,
  decodeMove,
  decodeSnapshot,
  encodeMoveFixed,
  encodeSnapshot,
  frameKind,
  frameLength,
  hashFromHex,
  hashToHex,
  MAX_FRAME_BYTES,
  MAX_REQUEST_BYTES,
  Malformed,
} from '../../src/wire/index.ts';
import { FRAMES } from './frames.ts';
import { randomFrame } from './randomframe.ts';

const seed = 23;

test('what is written is read: 600 of each frame', () => {
  const random = seeded(seed);
  const view = new DataView(new ArrayBuffer(MAX_FRAME_BYTES + 16));
  for (const kind of FRAMES) {
    const out = kind.blank();
    for (let i = 0; i < 600; i++) {
      const frame = randomFrame(kind.name, random);
      const offset = random.below(16);
      const bytes = kind.encode(view, offset, frame as never);
      const where = `seed ${seed}, ${kind.name} ${i}`;
      expect(bytes, where).toBe(kind.bytes(frame as never));
      expect(frameKind(view, offset), where).toBe(kind.command);
      expect(frameLength(view, offset), where).toBe(bytes);
      // into the frame of before: nothing of it may stay, but what a Snapshot does not count
      const target = kind.name === 'Snapshot' ? kind.blank() : out;
      expect(kind.decode(view, offset, target as never), where).toBe(bytes);
      // -0 is the only number that fixed point does not keep
      const fixed = kind.name === 'MoveFixed' || kind.name === 'MoveAnswer' || kind.name === 'Snapshot';
      if (fixed) expect(JSON.parse(JSON.stringify(target)), where).toEqual(JSON.parse(JSON.stringify(frame)));
      else expect(target, where).toEqual(frame);
    }
  }
});

test('cut off anywhere a frame is short; what stands behind it does not matter; nothing is changed', () => {
  const random = seeded(seed);
  for (const kind of FRAMES) {
    const bytes = new Uint8Array(MAX_FRAME_BYTES + 8);
    const length = kind.encode(new DataView(bytes.buffer), 0, randomFrame(kind.name, random) as never);
    const out = kind.blank();
    const blank = kind.blank();
    for (let cut = 0; cut < length; cut++) {
      expect([kind.name, cut, kind.decode(new DataView(bytes.buffer, 0, cut), 0, out as never)]).toEqual([
        ...[kind.name, cut, Malformed.short],
      ]);
      expect(frameLength(new DataView(bytes.buffer, 0, cut), 0)).toBe(Malformed.short);
    }
    expect(out).toEqual(blank);
    bytes.fill(0xff, length);
    expect(kind.decode(new DataView(bytes.buffer), 0, out as never)).toBe(length);
  }
});

test('a decoder refuses the command of every other frame, and commands that are none', () => {
  const random = seeded(seed);
  const view = new DataView(new ArrayBuffer(MAX_FRAME_BYTES));
  for (const kind of FRAMES) {
    for (const other of FRAMES) {
      other.encode(view, 0, randomFrame(other.name, random) as never);
      const both = kind.name.startsWith('MoveF') || kind.name === 'Move' ? ['Move', 'MoveFixed'] : [kind.name];
      const reads = kind.name === 'MoveFail' ? other.name === 'MoveFail' : both.includes(other.name);
      const got = kind.decode(view, 0, kind.blank() as never);
      expect([kind.name, other.name, got > 0, got]).toEqual([kind.name, other.name, reads, reads ? got : -2]);
    }
    for (const command of [0, 1, 0x0100, 0x0106, 0x0200, 0x0208, 0x0301, 0x0102 << 8, 0xffff]) {
      view.setUint16(0, command);
      const known = FRAMES.some((f) => f.command === (command & 0xffff));
      if (known) continue;
      expect(kind.decode(view, 0, kind.blank() as never)).toBe(Malformed.command);
      expect([frameKind(view, 0), frameLength(view, 0)]).toEqual([Malformed.command, Malformed.command]);
    }
  }
});

test('an offset that is none is short, whatever it is', () => {
  const view = new DataView(new ArrayBuffer(MAX_FRAME_BYTES));
  for (const offset of [-1, 0.5, MAX_FRAME_BYTES - 1, MAX_FRAME_BYTES, 1e9, 2 ** 53, Infinity, -Infinity, Number.NaN]) {
    for (const kind of FRAMES) expect(kind.decode(view, offset, kind.blank() as never)).toBe(Malformed.short);
    expect([frameKind(view, offset), frameLength(view, offset)]).toEqual([Malformed.short, Malformed.short]);
  }
});

test('an encoder throws where the room ends before the frame does', () => {
  const random = seeded(seed);
  for (const kind of FRAMES) {
    const frame = randomFrame(kind.name, random);
    const bytes = kind.bytes(frame as never);
    expect(() => kind.encode(new DataView(new ArrayBuffer(bytes - 1)), 0, frame as never)).toThrow(RangeError);
    expect(kind.encode(new DataView(new ArrayBuffer(bytes)), 0, frame as never)).toBe(bytes);
  }
});

test('the stated sizes are those of the largest frames', () => {
  const full = { ...blankSnapshot(), count: 256 };
  const sizes = FRAMES.map((kind) => [kind.command, kind.bytes((kind.name === 'Snapshot' ? full : {}) as never)]);
  expect(Math.max(...sizes.map(([, bytes]) => bytes))).toBe(MAX_FRAME_BYTES);
  expect(Math.max(...sizes.filter(([command]) => command < 0x0200).map(([, bytes]) => bytes))).toBe(MAX_REQUEST_BYTES);
  expect(new Set(FRAMES.map(({ command }) => command))).toEqual(new Set(Object.values(Command)));
});

describe('a field may not hold everything', () => {
  const NAN = [0x7f, 0xf8, 0, 0, 0, 0, 0, 0];
  const INFINITE = [0xff, 0xf0, 0, 0, 0, 0, 0, 0];
  const plain = { mapVersion: -1, progress: -1 };
  const said = { mapVersion: 1, progress: 1 };
  const zero = { x: 0, y: 0, z: 0 };
  const body = {
    ...{ ...said, entity: 1, hasData: true, hasTarget: true, strategy: 1, kind: 1, flags: 1 },
    ...{ from: [1, 1, 1], to: [1, 1, 1], facing: 1, durationMs: 1, speed: 1, stop: 1, chaseMs: 1, timestampMs: 1 },
  };
  const hello = { ...plain, entity: 1, mapHash: new Uint8Array(32), timeMs: 0, speed: 0, ...zero };
  const rows: readonly (readonly [string, string, object, number, readonly number[], number])[] = [
    ['unknown bits', 'Move', { seq: 1, ...plain, ...zero }, 6, [4], Malformed.value],
    ['a map version that is not announced', 'Move', { seq: 1, ...plain, ...zero }, 10, [1], Malformed.value],
    ['a progress that is not announced', 'MoveFixed', { seq: 1, ...plain, ...zero }, 11, [1], Malformed.value],
    ['a map version announced as 0', 'Move', { seq: 1, ...plain, ...zero }, 6, [1], 39],
    ['not a number', 'Move', { seq: 1, ...plain, ...zero }, 15, NAN, 39],
    ['infinite', 'Input', { seq: 1, ...plain, dirX: 0, dirZ: 0, ms: 0 }, 31, INFINITE, 39],
    ['unknown bits', 'Input', { seq: 1, ...plain, dirX: 0, dirZ: 0, ms: 0 }, 6, [0x80], Malformed.value],
    ['unknown bits', 'MoveBegin', { seq: 1, ...body }, 10, [31], Malformed.value],
    ['a target that is not announced', 'MoveBegin', { seq: 1, ...body }, 10, [11], Malformed.value],
    ['move data that are not announced', 'MoveBegin', { seq: 1, ...body }, 10, [3], Malformed.value],
    ['a target without move data', 'MoveBegin', { seq: 1, ...body }, 10, [7], Malformed.value],
    ['a target of no move data', 'MoveBegin', { ...blankMoveBegin(), seq: 1 }, 10, [4], Malformed.value],
    ['a strategy that nobody knows', 'MoveBegin', { seq: 1, ...body }, 11, [200], 122],
    ['not a number', 'MoveBegin', { seq: 1, ...body }, 114, NAN, 122],
    ['no move data', 'MoveStarted', { startMs: 1, ...body }, 14, [3], Malformed.value],
    ['a strategy that nobody knows', 'MoveStarted', { startMs: 1, ...body }, 15, [5], Malformed.value],
    ['a begin that is no time', 'MoveStarted', { startMs: 1, ...body }, 2, NAN, Malformed.value],
    ...Array.from({ length: 12 }, (_, k): readonly [string, string, object, number, readonly number[], number] => [
      `not a number in field ${k}`,
      'MoveStarted',
      { startMs: 1, ...body },
      30 + 8 * k,
      k % 2 === 0 ? NAN : INFINITE,
      Malformed.value,
    ]),
    ['another version', 'Hello', hello, 2, [0, 2], Malformed.version],
    ['a clock that is none', 'Hello', hello, 49, NAN, Malformed.value],
    ['a speed that is none', 'Hello', hello, 57, INFINITE, Malformed.value],
    ['a speed below zero', 'Hello', hello, 57, [0xbf, 0xf0], Malformed.value],
    ['not a number', 'Hello', hello, 81, NAN, Malformed.value],
    ['an unknown reason', 'MoveAnswer', { seq: 1, reason: 1, x: 0, y: 0 }, 6, [21], Malformed.value],
    ['an unknown reason', 'MoveFail', { seq: 1, entity: 1, reason: 1, ...zero }, 10, [21], Malformed.value],
    ['no reason', 'MoveFail', { seq: 1, entity: 1, reason: 1, ...zero }, 10, [0], Malformed.value],
    ['not a number', 'MoveFail', { seq: 1, entity: 1, reason: 1, ...zero }, 19, NAN, Malformed.value],
    ['an unknown reason', 'Correction', { correction: 1, seq: 1, reason: 1, ...zero }, 10, [255], Malformed.value],
    ['infinite', 'Correction', { correction: 1, seq: 1, reason: 1, ...zero }, 27, INFINITE, Malformed.value],
    ['257 entities', 'Snapshot', blankSnapshot(), 6, [1, 1], Malformed.value],
    ['one entity too many for the bytes', 'Snapshot', blankSnapshot(), 6, [0, 1], Malformed.short],
  ];
  test.each(rows)('%s: %s', (_, name, frame, at, put, code) => {
    const kind = FRAMES.find((k) => k.name === name)!;
    const view = new DataView(new ArrayBuffer(kind.bytes(frame as never)));
    kind.encode(view, 0, frame as never);
    expect(kind.decode(view, 0, kind.blank() as never)).toBeGreaterThan(0);
    for (let k = 0; k < put.length; k++) view.setUint8(at + k, put[k]);
    const out = kind.blank();
    expect(kind.decode(view, 0, out as never)).toBe(code);
    if (code < 0) expect(out).toEqual(kind.blank());
  });
});

test('fixed point rounds to the nearest step, the nearest end beyond the range, and NaN to 0', () => {
  const view = new DataView(new ArrayBuffer(27));
  const out = blankMove();
  for (const [metres, read] of [
    [0.3, 307 / 1024],
    [-0.3, -307 / 1024],
    [1 / 2048, 1 / 1024],
    [3e6, (2 ** 31 - 1) / 1024],
    [-Infinity, -(2 ** 21)],
    [Number.NaN, 0],
  ]) {
    encodeMoveFixed(view, 0, { ...blankMove(), x: metres, y: metres, z: metres });
    expect(decodeMove(view, 0, out)).toBe(27);
    expect([out.x, out.y, out.z]).toEqual([read, read, read]);
  }
});

test('a snapshot holds 256 entities, no more and no fewer than none; a smaller room refuses it whole', () => {
  const view = new DataView(new ArrayBuffer(MAX_FRAME_BYTES));
  const snapshot = blankSnapshot();
  for (const count of [-1, 257, 0.5, Number.NaN]) {
    expect(() => encodeSnapshot(view, 0, { ...snapshot, count })).toThrow(
      `encodeSnapshot: count: expected a whole number of 0..256, got ${count}`,
    );
  }
  expect(encodeSnapshot(view, 0, { ...snapshot, count: 256 })).toBe(4104);
  expect(decodeSnapshot(view, 0, snapshot)).toBe(4104);
  const small = { tick: -1, count: -1, entity: new Uint32Array(255), pos: new Float64Array(768) };
  expect(decodeSnapshot(view, 0, small)).toBe(Malformed.value);
  const low = { tick: -1, count: -1, entity: new Uint32Array(256), pos: new Float64Array(767) };
  expect(decodeSnapshot(view, 0, low)).toBe(Malformed.value);
  expect([small.count, low.count]).toEqual([-1, -1]);
});

test('map hashes to hexadecimal digits and back', () => {
  const hex = Array.from({ length: 32 }, (_, k) => (7 * k + 3).toString(16).padStart(2, '0')).join('');
  const out = new Uint8Array(32);
  expect(hashFromHex(hex, out)).toBe(true);
  expect(hashToHex(out)).toBe(hex);
  for (const bad of ['', hex.slice(1), `${hex}0`, `g${hex.slice(1)}`]) expect(hashFromHex(bad, out)).toBe(false);
  expect(hashFromHex(hex, new Uint8Array(31))).toBe(false);
  expect(hashToHex(out)).toBe(hex);
});

test('wire runs where Node does not: it imports its own files, the leaves, and Protocol Buffers behind their own entry', () => {
  const folder = resolve(import.meta.dirname, '../../src/wire');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const proto = file.startsWith('proto');
    for (const [, from] of readFileSync(resolve(folder, file), 'utf8').matchAll(/ from ['"]([^'"]+)['"]/g)) {
      const own = resolve(folder, proto ? 'proto' : '.', from).startsWith(`${folder}/`) && from.startsWith('.');
      const leaf = /^(\.\.\/)+(reasons|types)\.ts$/.test(from);
      const peer = proto && from.startsWith('@bufbuild/protobuf');
      expect([file, from, own || leaf || peer]).toEqual([file, from, true]);
    }
  }
});
