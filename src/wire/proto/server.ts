// What a server tells, between the frames of navguard/wire and the messages of navguard.proto. Imported by
// wire/proto/index.ts.
//
// `xMessage(frame)` makes a new message. `xFrame(message, out)` fills a frame and returns 0, or a `Malformed` code and `out`
// is as it was, by the rules of the binary decoders: a client never gets a position that is no number.
import { create } from '@bufbuild/protobuf';
import { Reason } from '../../reasons.ts';
import type { MoveAnswer as AnswerFrame } from '../answer.ts';
import type { MoveStarted as StartedFrame } from '../begin.ts';
import { Malformed, type MalformedCode, WIRE_VERSION } from '../commands.ts';
import type { Correction as CorrectionFrame, MoveFail as FailFrame } from '../fail.ts';
import { isFinite64, STEPS_PER_METRE, stepsOf } from '../fields.ts';
import type { Hello as HelloFrame, Left as LeftFrame, Snapshot as SnapshotFrame } from '../world.ts';
import {
  type Correction,
  CorrectionSchema,
  type Hello,
  HelloSchema,
  type Left,
  LeftSchema,
  type MoveAnswer,
  MoveAnswerSchema,
  type MoveFail,
  MoveFailSchema,
  type MoveStarted,
  MoveStartedSchema,
  type Snapshot,
  SnapshotSchema,
} from './navguard_pb.ts';
import {
  dataOf,
  isFiniteVec,
  isI32,
  isReason,
  isSaid,
  isStarted,
  isU32,
  saidOf,
  setData,
  setSaid,
  setVec,
  vecOf,
} from './parts.ts';

export function helloMessage(frame: Readonly<HelloFrame>): Hello {
  const { entity, timeMs, speed } = frame;
  const mapHash = Uint8Array.from(frame.mapHash);
  const version = WIRE_VERSION;
  return create(HelloSchema, { version, entity, mapHash, timeMs, speed, pos: vecOf(frame), ...saidOf(frame) });
}

export function helloFrame(message: Hello, out: HelloFrame): 0 | MalformedCode {
  const { version, entity, mapHash, timeMs, speed, pos } = message;
  if (version !== WIRE_VERSION) return Malformed.version;
  if (!isU32(entity) || !isSaid(message) || mapHash.length !== out.mapHash.length) return Malformed.value;
  if (!isFinite64(timeMs) || !isFinite64(speed) || speed < 0 || !isFiniteVec(pos)) return Malformed.value;
  out.entity = entity;
  setSaid(out, message);
  out.mapHash.set(mapHash);
  out.timeMs = timeMs;
  out.speed = speed;
  setVec(out, pos);
  return 0;
}

export function moveAnswerMessage(frame: Readonly<AnswerFrame>): MoveAnswer {
  const { seq, reason, x, y } = frame;
  return create(MoveAnswerSchema, { seq, reason, x: stepsOf(x), y: stepsOf(y) });
}

export function moveAnswerFrame(message: MoveAnswer, out: AnswerFrame): 0 | MalformedCode {
  const { seq, reason, x, y } = message;
  if (!isU32(seq) || !isReason(reason) || !isI32(x) || !isI32(y)) return Malformed.value;
  out.seq = seq;
  out.reason = reason;
  out.x = x / STEPS_PER_METRE;
  out.y = y / STEPS_PER_METRE;
  return 0;
}

export function moveStartedMessage(frame: Readonly<StartedFrame>): MoveStarted {
  const data = dataOf(frame);
  return create(MoveStartedSchema, {
    ...{ startMs: frame.startMs, entity: frame.entity, ...saidOf(frame) },
    ...(data === undefined ? {} : { data }),
  });
}

export function moveStartedFrame(message: MoveStarted, out: StartedFrame): 0 | MalformedCode {
  const { startMs, entity, data } = message;
  if (!isFinite64(startMs) || !isU32(entity) || !isSaid(message) || !isStarted(data)) return Malformed.value;
  out.startMs = startMs;
  out.entity = entity;
  setSaid(out, message);
  setData(out, data);
  return 0;
}

export function moveFailMessage(frame: Readonly<FailFrame>): MoveFail {
  const { seq, entity, reason } = frame;
  return create(MoveFailSchema, { seq, entity, reason, pos: vecOf(frame) });
}

export function moveFailFrame(message: MoveFail, out: FailFrame): 0 | MalformedCode {
  const { seq, entity, reason, pos } = message;
  if (!isU32(seq) || !isU32(entity) || !isReason(reason)) return Malformed.value;
  if (reason === Reason.Accept || !isFiniteVec(pos)) return Malformed.value;
  out.seq = seq;
  out.entity = entity;
  out.reason = reason;
  setVec(out, pos);
  return 0;
}

export function correctionMessage(frame: Readonly<CorrectionFrame>): Correction {
  const { correction, seq, reason } = frame;
  return create(CorrectionSchema, { correction, seq, reason, pos: vecOf(frame) });
}

export function correctionFrame(message: Correction, out: CorrectionFrame): 0 | MalformedCode {
  const { correction, seq, reason, pos } = message;
  if (!isU32(correction) || !isU32(seq) || !isReason(reason) || !isFiniteVec(pos)) return Malformed.value;
  out.correction = correction;
  out.seq = seq;
  out.reason = reason;
  setVec(out, pos);
  return 0;
}

export function snapshotMessage(frame: Readonly<SnapshotFrame>): Snapshot {
  const { tick, count } = frame;
  const entity = Array.from({ length: count }, (_, i) => frame.entity[i]);
  const pos = Array.from({ length: 3 * count }, (_, i) => stepsOf(frame.pos[i]));
  return create(SnapshotSchema, { tick, entity, pos });
}

/** `Malformed.value` also when it holds more entities than `out` has room for. */
export function snapshotFrame(message: Snapshot, out: SnapshotFrame): 0 | MalformedCode {
  const { tick, entity, pos } = message;
  const count = entity.length;
  if (!isU32(tick) || pos.length !== 3 * count) return Malformed.value;
  if (count > out.entity.length || pos.length > out.pos.length) return Malformed.value;
  if (!entity.every(isU32) || !pos.every(isI32)) return Malformed.value;
  out.tick = tick;
  out.count = count;
  for (let i = 0; i < count; i++) out.entity[i] = entity[i];
  for (let i = 0; i < pos.length; i++) out.pos[i] = pos[i] / STEPS_PER_METRE;
  return 0;
}

export function leftMessage(frame: Readonly<LeftFrame>): Left {
  return create(LeftSchema, { entity: frame.entity });
}

export function leftFrame(message: Left, out: LeftFrame): 0 | MalformedCode {
  if (!isU32(message.entity)) return Malformed.value;
  out.entity = message.entity;
  return 0;
}
