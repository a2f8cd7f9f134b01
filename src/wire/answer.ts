// The move answer on the wire: command 0x0202, 15 bytes, big-endian. Imported by wire/index.ts.
//
//   offset  type  what
//   0       u16   command, 0x0202
//   2       u32   sequence number of the claim that is answered
//   6       u8    reason code (`Reason`; 0 = accepted)
//   7       i32   x of the authoritative position, in 1/1024 m
//   11      i32   y: the second coordinate of the plan, the world's z, in 1/1024 m
//
// 1/1024 m is exact in binary: positions on a map's 1/1024 m grid survive the way there and back to the bit, others are
// rounded to the nearest step (at most 0.49 mm away). The range is +-2,097 km; beyond it the nearest end is sent.
import { Reason, type ReasonCode } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { Command, fault, Malformed } from './commands.ts';
import { knownReason, STEPS_PER_METRE, stepsOf } from './fields.ts';

/** The first two bytes of a move answer. */
export const ANSWER_COMMAND = Command.MoveAnswer;
/** Bytes of a move answer. */
export const ANSWER_BYTES = 15;

/** A move answer, read. Reuse one for many. */
export interface MoveAnswer {
  seq: number;
  reason: ReasonCode;
  /** Plan position, metres: the world's x and z. */
  x: number;
  y: number;
}

export function blankAnswer(): MoveAnswer {
  return { seq: 0, reason: Reason.Accept, x: 0, y: 0 };
}

/**
 * Writes a move answer at `offset` and returns how many bytes it took (always 15); allocates nothing. An unknown entity has
 * no position: 0, 0 is sent with reason `UnknownEntity`. Throws RangeError when the room ends before the frame does.
 * @param seq 0..2^32-1; the claim's own
 */
export function encodeAnswer(out: DataView, offset: number, seq: number, verdict: Verdict): number {
  const { pos } = verdict;
  // a shadowed or undecided claim is accepted, whatever it is marked with
  const reason = verdict.accepted ? Reason.Accept : verdict.reasonCode;
  return writeAnswer(out, offset, seq, reason, pos === null ? 0 : pos[0], pos === null ? 0 : pos[2]);
}

/** The same from numbers: `x` and `y` are plan metres (the world's x and z). */
export function writeAnswer(
  out: DataView,
  offset: number,
  seq: number,
  reason: ReasonCode,
  x: number,
  y: number,
): number {
  out.setUint16(offset, ANSWER_COMMAND);
  out.setUint32(offset + 2, seq);
  out.setUint8(offset + 6, reason);
  out.setInt32(offset + 7, stepsOf(x));
  out.setInt32(offset + 11, stepsOf(y));
  return ANSWER_BYTES;
}

/**
 * Reads the move answer at `offset` into `answer`. Returns its bytes (15), or a `Malformed` code and nothing is changed: too
 * few bytes, another command, or a reason code that no version has given out. Whatever the bytes are, it never throws.
 */
export function decodeAnswer(bytes: DataView, offset: number, answer: MoveAnswer): number {
  const wrong = fault(bytes, offset, ANSWER_COMMAND);
  if (wrong !== 0) return wrong;
  if (!knownReason(bytes, offset + 6)) return Malformed.value;
  answer.seq = bytes.getUint32(offset + 2);
  answer.reason = bytes.getUint8(offset + 6) as ReasonCode;
  answer.x = bytes.getInt32(offset + 7) / STEPS_PER_METRE;
  answer.y = bytes.getInt32(offset + 11) / STEPS_PER_METRE;
  return ANSWER_BYTES;
}
