// Claims of clients between the frames of navguard/wire and the messages of navguard.proto. Imported by wire/proto/index.ts.
//
// `xMessage(frame)` makes a new message. `xFrame(message, out)` fills a frame and returns 0, or `Malformed.value` and `out`
// is as it was: the frame then is what the binary decoder would have given.
import { create } from '@bufbuild/protobuf';
import type { MoveBeginRequest } from '../begin.ts';
import { Malformed, type MalformedCode } from '../commands.ts';
import type { Ack as AckFrame } from '../fail.ts';
import type { InputRequest, MoveRequest } from '../move.ts';
import {
  type Ack,
  AckSchema,
  type Input,
  InputSchema,
  type Move,
  type MoveBegin,
  MoveBeginSchema,
  MoveSchema,
} from './navguard_pb.ts';
import { dataOf, isData, isSaid, isU32, saidOf, setData, setSaid, setVec, vecOf } from './parts.ts';

export function moveMessage(frame: Readonly<MoveRequest>): Move {
  return create(MoveSchema, { seq: frame.seq, pos: vecOf(frame), ...saidOf(frame) });
}

/** A move without a position is at NaN: the guard answers it with `Malformed`. */
export function moveFrame(message: Move, out: MoveRequest): 0 | MalformedCode {
  if (!isU32(message.seq) || !isSaid(message)) return Malformed.value;
  out.seq = message.seq;
  setSaid(out, message);
  setVec(out, message.pos);
  return 0;
}

export function moveBeginMessage(frame: Readonly<MoveBeginRequest>): MoveBegin {
  const data = dataOf(frame);
  return create(MoveBeginSchema, {
    ...{ seq: frame.seq, entity: frame.entity, ...saidOf(frame) },
    ...(data === undefined ? {} : { data }),
  });
}

/** Move data without a source start at NaN: the guard answers them with `Malformed`. */
export function moveBeginFrame(message: MoveBegin, out: MoveBeginRequest): 0 | MalformedCode {
  const { seq, entity, data } = message;
  if (!isU32(seq) || !isU32(entity) || !isSaid(message) || !isData(data)) return Malformed.value;
  out.seq = seq;
  out.entity = entity;
  setSaid(out, message);
  setData(out, data);
  return 0;
}

export function ackMessage(frame: Readonly<AckFrame>): Ack {
  return create(AckSchema, { correction: frame.correction });
}

export function ackFrame(message: Ack, out: AckFrame): 0 | MalformedCode {
  if (!isU32(message.correction)) return Malformed.value;
  out.correction = message.correction;
  return 0;
}

export function inputMessage(frame: Readonly<InputRequest>): Input {
  const { seq, dirX, dirZ, ms } = frame;
  return create(InputSchema, { seq, dirX, dirZ, ms, ...saidOf(frame) });
}

export function inputFrame(message: Input, out: InputRequest): 0 | MalformedCode {
  if (!isU32(message.seq) || !isSaid(message)) return Malformed.value;
  out.seq = message.seq;
  setSaid(out, message);
  out.dirX = message.dirX;
  out.dirZ = message.dirZ;
  out.ms = message.ms;
  return 0;
}
