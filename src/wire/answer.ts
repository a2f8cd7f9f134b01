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
import { REASON_NAMES, Reason, type ReasonCode } from '../reasons.ts';
import type { Verdict } from '../types.ts';

/** The first two bytes of a move answer. */
export const ANSWER_COMMAND = 0x0202;
/** Bytes of a move answer. */
export const ANSWER_BYTES = 15;
/** Steps of the fixed-point positions in a metre. */
export const STEPS_PER_METRE = 1024;

/** A move answer, read. Reuse one for many. */
export interface MoveAnswer {
  seq: number;
  reason: ReasonCode;
  /** Plan position, metres: the world's x and z. */
  x: number;
  y: number;
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
 * Reads the move answer at `offset` into `answer`. False, and nothing changed, when these bytes are none: too few of them,
 * another command, or a reason code that no version has given out. Whatever the bytes are, it never throws.
 */
export function decodeAnswer(bytes: DataView, offset: number, answer: MoveAnswer): boolean {
  if (!(Number.isInteger(offset) && offset >= 0 && offset + ANSWER_BYTES <= bytes.byteLength)) return false;
  if (bytes.getUint16(offset) !== ANSWER_COMMAND) return false;
  const reason = bytes.getUint8(offset + 6);
  if (reason >= REASON_NAMES.length) return false;
  answer.seq = bytes.getUint32(offset + 2);
  answer.reason = reason as ReasonCode;
  answer.x = bytes.getInt32(offset + 7) / STEPS_PER_METRE;
  answer.y = bytes.getInt32(offset + 11) / STEPS_PER_METRE;
  return true;
}

/** Metres to steps: the nearest, within 32 bits; not a number is 0. */
function stepsOf(metres: number): number {
  const steps = Math.round(metres * STEPS_PER_METRE);
  return steps === steps ? Math.max(-0x80000000, Math.min(steps, 0x7fffffff)) : 0;
}
