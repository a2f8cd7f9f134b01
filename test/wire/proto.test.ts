// The messages of navguard.proto say what the frames say: generated anew they are the same bytes, the tables agree, every
// frame survives the way there and back, and whatever the bytes are, they are read or refused.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { create, fromBinary, type Message, toBinary } from '@bufbuild/protobuf';
import type { GenMessage } from '@bufbuild/protobuf/codegenv2';
import { describe, expect, test } from 'vitest';
import { REASON_NAMES } from '../../src/reasons.ts';
import { seeded } from '../../src/simulate/random.ts';
import { Malformed, WIRE_STRATEGIES } from '../../src/wire/index.ts';
import * as proto from '../../src/wire/proto/index.ts';
import { FRAMES } from './frames.ts';
import { randomFrame } from './randomframe.ts';

const root = resolve(import.meta.dirname, '../..');

interface Way {
  readonly frame: string;
  readonly schema: GenMessage<Message>;
  readonly message: (frame: never) => Message;
  readonly back: (message: never, out: never) => number;
}

function way<M extends Message, F>(
  frame: string,
  schema: GenMessage<M>,
  message: (frame: F) => M,
  back: (message: M, out: F) => number,
): Way {
  return { frame, schema: schema as unknown as GenMessage<Message>, message, back };
}

const WAYS: readonly Way[] = [
  way('Move', proto.MoveSchema, proto.moveMessage, proto.moveFrame),
  way('MoveFixed', proto.MoveSchema, proto.moveMessage, proto.moveFrame),
  way('MoveBegin', proto.MoveBeginSchema, proto.moveBeginMessage, proto.moveBeginFrame),
  way('Ack', proto.AckSchema, proto.ackMessage, proto.ackFrame),
  way('Input', proto.InputSchema, proto.inputMessage, proto.inputFrame),
  way('Hello', proto.HelloSchema, proto.helloMessage, proto.helloFrame),
  way('MoveAnswer', proto.MoveAnswerSchema, proto.moveAnswerMessage, proto.moveAnswerFrame),
  way('MoveStarted', proto.MoveStartedSchema, proto.moveStartedMessage, proto.moveStartedFrame),
  way('MoveFail', proto.MoveFailSchema, proto.moveFailMessage, proto.moveFailFrame),
  way('Correction', proto.CorrectionSchema, proto.correctionMessage, proto.correctionFrame),
  way('Snapshot', proto.SnapshotSchema, proto.snapshotMessage, proto.snapshotFrame),
  way('Left', proto.LeftSchema, proto.leftMessage, proto.leftFrame),
];

test('navguard_pb.ts is what buf makes of navguard.proto', () => {
  const folder = mkdtempSync(join(tmpdir(), 'navguard-proto-'));
  try {
    const run = spawnSync(process.execPath, [join(root, 'scripts/proto.mjs'), folder], { encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([0, '']);
    const made = readFileSync(join(folder, 'navguard_pb.ts'), 'utf8');
    expect(made).toBe(readFileSync(join(root, 'src/wire/proto/navguard_pb.ts'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('tables', () => {
  /** `TARGET_NOT_ON_NAV_MESH` for TargetNotOnNavMesh. */
  const upper = (word: string): string => word.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

  test('reasons have the codes of the guard', () => {
    const values = proto.ReasonSchema.values.map(({ name, number }) => [name, number]);
    expect(values).toEqual(REASON_NAMES.map((word, code) => [`REASON_${upper(word)}`, code]));
  });

  test('strategies have the numbers of the frames', () => {
    const values = proto.StrategySchema.values.map(({ name, number }) => [name, number]);
    const words = WIRE_STRATEGIES.map((word) => word ?? 'unspecified');
    expect(values).toEqual(words.map((word, code) => [`STRATEGY_${word.toUpperCase()}`, code]));
  });

  test('every frame is a message, with a field for each of its fields', () => {
    for (const { frame, schema } of WAYS) {
      const fields = new Set(schema.fields.map((field) => field.localName));
      const data = proto.MoveDataSchema.fields.map((field) => field.localName);
      if (fields.has('data')) for (const field of data) fields.add(field);
      // how a frame spells what is absent or of variable length in a message
      for (const field of ['hasData', 'hasTarget', 'count']) fields.add(field);
      if (fields.has('pos')) for (const axis of ['x', 'y', 'z']) fields.add(axis);
      const blank = FRAMES.find(({ name }) => name === frame)?.blank() ?? {};
      for (const field of Object.keys(blank)) expect([frame, field, fields.has(field)]).toEqual([frame, field, true]);
    }
    const told = [proto.ClientFrameSchema, proto.ServerFrameSchema].flatMap((s) => s.fields.map((f) => f.message));
    expect(new Set(WAYS.map(({ schema }) => schema.typeName))).toEqual(new Set(told.map((m) => m?.typeName)));
    expect(WAYS.map(({ frame }) => frame)).toEqual(FRAMES.map(({ name }) => name));
  });
});

test('frame -> bytes -> frame -> message -> bytes -> message -> frame: nothing is lost', () => {
  const seed = 11;
  const random = seeded(seed);
  const view = new DataView(new ArrayBuffer(5000));
  const again = new DataView(new ArrayBuffer(5000));
  for (let i = 0; i < 2400; i++) {
    const { frame, schema, message, back } = WAYS[i % WAYS.length];
    const kind = FRAMES[i % WAYS.length];
    // claims may hold NaN
    const written = kind.encode(view, 0, randomFrame(kind.name, random) as never);
    const there = kind.blank();
    expect(kind.decode(view, 0, there as never), `seed ${seed}, ${i}, ${frame}`).toBe(written);
    const told = fromBinary(schema, toBinary(schema, message(there as never)));
    const out = kind.blank();
    expect(back(told as never, out as never), `seed ${seed}, ${i}, ${frame}`).toBe(0);
    expect(out, `seed ${seed}, ${i}, ${frame}`).toEqual(there);
    expect(kind.encode(again, 0, out as never)).toBe(written);
    for (let k = 0; k < written; k++) if (again.getUint8(k) !== view.getUint8(k)) expect([frame, i, k]).toEqual([]);
  }
});

describe('messages that say what a frame may not', () => {
  const { MoveSchema, MoveBeginSchema, HelloSchema, MoveFailSchema, CorrectionSchema, SnapshotSchema } = proto;
  const pos = { x: 1, y: 2, z: 3 };
  /** A number that an enum of the schema does not have. */
  const unknown = (code: number): never => code as never;
  const hello = { version: 1, mapHash: new Uint8Array(32), pos };
  const vec = (x: number): { x: number; y: number; z: number } => ({ x, y: 0, z: 0 });
  const rows: readonly (readonly [string, string, Message, number])[] = [
    ['a sequence number beyond 32 bits', 'Move', create(MoveSchema, { seq: 2 ** 32 }), Malformed.value],
    ['half a progress', 'Move', create(MoveSchema, { progress: 0.5 }), Malformed.value],
    ['a kind beyond 16 bits', 'MoveBegin', create(MoveBeginSchema, { data: { kind: 65536 } }), Malformed.value],
    [
      'a strategy beyond 8 bits',
      'MoveBegin',
      create(MoveBeginSchema, { data: { strategy: unknown(256) } }),
      Malformed.value,
    ],
    ['a negative strategy', 'MoveBegin', create(MoveBeginSchema, { data: { strategy: unknown(-1) } }), Malformed.value],
    ['another version', 'Hello', create(HelloSchema, { ...hello, version: 2 }), Malformed.version],
    ['31 bytes of hash', 'Hello', create(HelloSchema, { ...hello, mapHash: new Uint8Array(31) }), Malformed.value],
    ['a speed below zero', 'Hello', create(HelloSchema, { ...hello, speed: -1 }), Malformed.value],
    ['no position', 'Hello', create(HelloSchema, { version: 1, mapHash: new Uint8Array(32) }), Malformed.value],
    ['no move data', 'MoveStarted', create(proto.MoveStartedSchema, {}), Malformed.value],
    ['no source', 'MoveStarted', create(proto.MoveStartedSchema, { data: {} }), Malformed.value],
    [
      'a target that is no number',
      'MoveStarted',
      create(proto.MoveStartedSchema, { data: { from: pos, to: vec(Number.NaN) } }),
      Malformed.value,
    ],
    [
      'an endless walk',
      'MoveStarted',
      create(proto.MoveStartedSchema, { data: { from: pos, durationMs: Infinity } }),
      Malformed.value,
    ],
    [
      'an unknown strategy',
      'MoveStarted',
      create(proto.MoveStartedSchema, { data: { from: pos, strategy: unknown(5) } }),
      Malformed.value,
    ],
    ['a failure that is none', 'MoveFail', create(MoveFailSchema, { reason: 0, pos }), Malformed.value],
    ['an unknown reason', 'MoveFail', create(MoveFailSchema, { reason: unknown(21), pos }), Malformed.value],
    ['not a number', 'Correction', create(CorrectionSchema, { pos: vec(Number.NaN) }), Malformed.value],
    ['two and a half entities', 'Snapshot', create(SnapshotSchema, { entity: [1], pos: [1, 2] }), Malformed.value],
    [
      'too many entities',
      'Snapshot',
      create(SnapshotSchema, { entity: Array(257).fill(1), pos: Array(771).fill(1) }),
      Malformed.value,
    ],
  ];
  test.each(rows)('%s (%s)', (_, name, message, code) => {
    const { back } = WAYS.find(({ frame }) => frame === name)!;
    const out = FRAMES.find((kind) => kind.name === name)!.blank();
    const before = structuredClone(out);
    expect(back(message as never, out as never)).toBe(code);
    expect(out).toEqual(before);
  });

  test('what is missing in a claim is not a number in the frame: the guard judges it', () => {
    const move = FRAMES[0].blank();
    expect(proto.moveFrame(create(MoveSchema, { seq: 4 }), move as never)).toBe(0);
    expect(move).toMatchObject({ seq: 4, x: Number.NaN, y: Number.NaN, z: Number.NaN, mapVersion: -1 });
    const begin = FRAMES[2].blank();
    expect(proto.moveBeginFrame(create(MoveBeginSchema, { data: {} }), begin as never)).toBe(0);
    expect(begin).toMatchObject({ hasData: true, hasTarget: false, from: new Float64Array(3).fill(Number.NaN) });
  });
});

test('any bytes are a message or Malformed', () => {
  const seed = 5;
  const random = seeded(seed);
  const move = toBinary(
    proto.ClientFrameSchema,
    create(proto.ClientFrameSchema, {
      frame: { case: 'move', value: create(proto.MoveSchema, { seq: 3, pos: { x: 1, y: 2, z: 3 } }) },
    }),
  );
  const read = proto.readClientFrame(move);
  expect(typeof read === 'object' && read.frame.case === 'move' && read.frame.value.seq).toBe(3);
  expect(proto.readClientFrame(new Uint8Array(0))).toBe(Malformed.command);
  const count = { read: 0, refused: 0 };
  for (let i = 0; i < 20_000; i++) {
    const mutated = random.chance(0.5);
    const bytes = mutated ? move.slice() : new Uint8Array(random.below(64));
    if (mutated) for (let k = random.below(3); k >= 0; k--) bytes[random.below(bytes.length)] = random.below(256);
    else for (let k = 0; k < bytes.length; k++) bytes[k] = random.below(256);
    for (const answer of [proto.readClientFrame(bytes), proto.readServerFrame(bytes)]) {
      if (typeof answer === 'number') {
        expect(answer).toBeLessThan(0);
        count.refused++;
        continue;
      }
      count.read++;
      const entry = WAYS.find(({ schema }) => schema.typeName === answer.frame.value?.$typeName)!;
      const kind = FRAMES.find(({ name }) => name === entry.frame)!;
      expect(entry.back(answer.frame.value as never, kind.blank() as never)).toBeLessThanOrEqual(0);
    }
  }
  expect(count.read).toBeGreaterThan(1000);
  expect(count.refused).toBeGreaterThan(1000);
});
