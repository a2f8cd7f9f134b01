// Each frame's bytes, spelled by hand from the layouts in src/wire: a change of any of them is a change of the protocol.
import { describe, expect, test } from 'vitest';
import { frameKind, frameLength } from '../../src/wire/index.ts';
import { FRAMES } from './frames.ts';

// f64, big-endian
const ZERO = '0000000000000000';
const QUARTER = '3fd0000000000000';
const HALF = '3fe0000000000000';
const ONE_AND_HALF = '3ff8000000000000';
const MINUS_TWO = 'c000000000000000';
const THREE = '4008000000000000';
const SIX = '4018000000000000';
const HUNDRED = '4059000000000000';
const THOUSAND = '408f400000000000';
const NOT_A_NUMBER = '7ff8000000000000';

const HASH = Array.from({ length: 32 }, (_, k) => k + 0xd0);
const HASH_HEX = 'd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeef';
const NONE = { mapVersion: -1, progress: -1 };

const body = {
  mapVersion: 0x0a0b0c0d,
  progress: 3,
  entity: 0x01020304,
  hasData: true,
  hasTarget: true,
  strategy: 2,
  kind: 0x0506,
  flags: 0xfffffffe,
  from: [1.5, 0.25, -2],
  to: [3, 0.5, 6],
  facing: -2,
  durationMs: 1000,
  speed: 6,
  stop: 0.5,
  chaseMs: 100,
  timestampMs: 1.5,
};
const BODY = [
  ...['01020304', '0f', '02', '0506', 'fffffffe', '0a0b0c0d', '00000003'],
  ...[ONE_AND_HALF, QUARTER, MINUS_TWO, THREE, HALF, SIX],
  ...[MINUS_TWO, THOUSAND, SIX, HALF, HUNDRED, ONE_AND_HALF],
];

const empty = {
  ...{ ...NONE, hasData: false, hasTarget: false, strategy: 0, kind: 0, flags: 0, from: [0, 0, 0], to: [0, 0, 0] },
  ...{ facing: 0, durationMs: 0, speed: 0, stop: 0, chaseMs: 0, timestampMs: 0 },
};

const ROWS: readonly (readonly [string, string, object, readonly string[]])[] = [
  [
    'Move',
    'a move that says everything',
    { seq: 0x01020304, mapVersion: 0x0a0b0c0d, progress: 0xffffffff, x: 1.5, y: 0.25, z: -2 },
    ['0101', '01020304', '03', '0a0b0c0d', 'ffffffff', ONE_AND_HALF, QUARTER, MINUS_TWO],
  ],
  [
    'Move',
    'a move that says nothing of map and progress, not a number in y',
    { seq: 0xffffffff, ...NONE, x: 0, y: Number.NaN, z: 6 },
    ['0101', 'ffffffff', '00', '00000000', '00000000', ZERO, NOT_A_NUMBER, SIX],
  ],
  [
    'MoveFixed',
    'map version 0 is said; 1.5 m, 0.25 m, -2 m',
    { seq: 5, mapVersion: 0, progress: -1, x: 1.5, y: 0.25, z: -2 },
    ['0102', '00000005', '01', '00000000', '00000000', '00000600', '00000100', 'fffff800'],
  ],
  ['MoveBegin', 'every field', { seq: 7, ...body }, ['0103', '00000007', ...BODY]],
  [
    'MoveBegin',
    'no move data',
    { seq: 7, ...empty, entity: 9 },
    ['0103', '00000007', '00000009', '00', '00', '0000', '00000000', '00000000', '00000000', ...Array(12).fill(ZERO)],
  ],
  [
    'MoveBegin',
    'no target: who only turns',
    { seq: 1, ...empty, hasData: true, strategy: 4, progress: 2, entity: 9, facing: 1.5, from: [3, 0, 3] },
    [
      ...['0103', '00000001', '00000009', '0a', '04', '0000', '00000000', '00000000', '00000002'],
      ...[THREE, ZERO, THREE, ZERO, ZERO, ZERO, ONE_AND_HALF, ZERO, ZERO, ZERO, ZERO, ZERO],
    ],
  ],
  ['Ack', 'a correction', { correction: 0x01020304 }, ['0104', '01020304']],
  [
    'Input',
    'stick to the left',
    { seq: 2, ...NONE, progress: 1, dirX: -2, dirZ: 0.5, ms: 100 },
    ['0105', '00000002', '02', '00000000', '00000001', MINUS_TWO, HALF, HUNDRED],
  ],
  [
    'Hello',
    'of a server with a map version',
    { mapVersion: 4, progress: -1, entity: 0x01020304, mapHash: HASH, timeMs: 1000, speed: 6, x: 1.5, y: 0.5, z: -2 },
    ['0201', '0001', '01020304', '01', '00000004', '00000000', HASH_HEX, THOUSAND, SIX, ONE_AND_HALF, HALF, MINUS_TWO],
  ],
  [
    'MoveAnswer',
    'refused by a wall',
    { seq: 0x01020304, reason: 2, x: 1.5, y: -2 },
    ['0202', '01020304', '02', '00000600', 'fffff800'],
  ],
  ['MoveStarted', 'every field', { startMs: 1000, ...body }, ['0203', THOUSAND, ...BODY]],
  [
    'MoveFail',
    'target not on the navmesh',
    { seq: 7, entity: 0x01020304, reason: 14, x: 1.5, y: 0.25, z: -2 },
    ['0204', '00000007', '01020304', '0e', ONE_AND_HALF, QUARTER, MINUS_TWO],
  ],
  [
    'Correction',
    'too fast',
    { correction: 3, seq: 0xfffffffe, reason: 1, x: 1.5, y: 0.25, z: -2 },
    ['0205', '00000003', 'fffffffe', '01', ONE_AND_HALF, QUARTER, MINUS_TWO],
  ],
  ['Snapshot', 'of an empty room', { tick: 0x01020304, count: 0, entity: [], pos: [] }, ['0206', '01020304', '0000']],
  [
    'Snapshot',
    'of two',
    { tick: 1, count: 2, entity: [0x01020304, 5], pos: [1.5, 0.25, -2, 1024, 0, -1 / 1024] },
    [
      ...['0206', '00000001', '0002'],
      ...['01020304', '00000600', '00000100', 'fffff800'],
      ...['00000005', '00100000', '00000000', 'ffffffff'],
    ],
  ],
  ['Left', 'an entity', { entity: 0x01020304 }, ['0207', '01020304']],
];

/** The frame with its typed arrays as lists, as far as they are meant. */
function shown(frame: object): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  const count = 'pos' in frame ? (frame as unknown as { count: number }).count : Number.POSITIVE_INFINITY;
  for (const [key, value] of Object.entries(frame)) {
    if (key === 'entity' && typeof value === 'object') plain[key] = [...value].slice(0, count);
    else if (key === 'pos') plain[key] = [...value].slice(0, 3 * count);
    else plain[key] = ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value;
  }
  return plain;
}

describe('bytes of', () => {
  test.each(ROWS)('%s: %s', (name, _, frame, parts) => {
    const kind = FRAMES.find((k) => k.name === name)!;
    const expected = [...Buffer.from(parts.join(''), 'hex')];
    expect(expected.length).toBe(kind.bytes(frame as never));
    for (const offset of [0, 3]) {
      const bytes = new Uint8Array(expected.length + 8).fill(0xee);
      const view = new DataView(bytes.buffer, 1, expected.length + 6);
      expect(kind.encode(view, offset, frame as never)).toBe(expected.length);
      const inside = bytes.subarray(1 + offset, 1 + offset + expected.length);
      expect([...inside]).toEqual(expected);
      inside.fill(0xee);
      expect(bytes.every((b) => b === 0xee)).toBe(true);
      inside.set(expected);
      const out = kind.blank();
      expect(kind.decode(view, offset, out as never)).toBe(expected.length);
      expect(shown(out)).toEqual(frame);
      expect([frameKind(view, offset), frameLength(view, offset)]).toEqual([kind.command, expected.length]);
    }
  });

  test('every frame has a row', () => {
    expect(new Set(ROWS.map(([name]) => name))).toEqual(new Set(FRAMES.map(({ name }) => name)));
  });
});
