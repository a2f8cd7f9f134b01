// The binary form of a move log: the same events in an eighth of the bytes, for recording in production. Constants, the CRC, and
// what the bytes mean. A leaf of log/binary/.
//
// File:   "NGML", version u8, three zero bytes, then frames. All little-endian.
// Frame:  "NGFR", payload bytes u32, records u32, CRC-32 u32 (of the two numbers before it and the payload), payload.
//         Each frame is read by itself: names and differences begin anew, so one that is damaged takes no other with it.
// Record: a byte whose bits 0-1 are its kind.
//   0 LINE  length varint, UTF-8 of the line without its end: the header (first of all), facts, and whatever is unusual
//   1 MOVE  {"t","op":"move","id","seq","pos"} with plain values: see below
//   2 MOVE  the same with a word as "expect"
//   3 NAME  length varint, UTF-8: names are numbered from 0 in their order
// MOVE: bits 2-3 say how t stands, bits 4-5 how seq; a second byte says how x, y, z stand, two bits each; then id's name
//       (varint), t, seq, x, y, z, and for kind 2 the word's name.
//   t:    0 difference of microseconds to the last such t (zigzag varint), 1 f64, 2 that of the move before
//   seq:  0 one more than the entity's last, 1 difference to it (zigzag varint), 2 f64
//   x y z: 0 difference of millimetres to the entity's last such number (zigzag varint), 1 f32, 2 f64, 3 the entity's last
// Invariant: a number is written short only when reading it gives the same double bit for bit; else it is an f64.
import { crc32 } from 'node:zlib';

export const FILE_MAGIC = 0x4c4d474e; // "NGML"
export const FRAME_MAGIC = 0x5246474e; // "NGFR"
export const BINARY_VERSION = 1;
export const FILE_HEAD_BYTES = 8;
export const FRAME_HEAD_BYTES = 16;

export const KIND_LINE = 0;
export const KIND_MOVE = 1;
export const KIND_MOVE_EXPECT = 2;
export const KIND_NAME = 3;

export const T_DELTA = 0;
export const T_F64 = 1;
export const T_SAME = 2;
export const SEQ_NEXT = 0;
export const SEQ_DELTA = 1;
export const SEQ_F64 = 2;
export const POS_DELTA = 0;
export const POS_F32 = 1;
export const POS_F64 = 2;
export const POS_SAME = 3;

/** Thousandths as whole numbers stay exact up to here. */
export const MOST_THOUSANDTHS = 2 ** 50;
/** What a frame remembers of an entity: seq, thousandths of x, y, z, and x, y, z. */
export const MEMORY = 7;

/** Whether bytes are the beginning of a binary log. */
export function isBinary(head: Uint8Array): boolean {
  return head.length >= 4 && head[0] === 0x4e && head[1] === 0x47 && head[2] === 0x4d && head[3] === 0x4c;
}

/** The CRC of a frame whose head stands at the beginning of `frame`. */
export function frameCrc(frame: Uint8Array): number {
  return crc32(frame.subarray(FRAME_HEAD_BYTES), crc32(frame.subarray(4, 12)));
}

/** What a file begins with. */
export function fileHead(): Uint8Array {
  const head = new Uint8Array(FILE_HEAD_BYTES);
  const view = new DataView(head.buffer);
  view.setUint32(0, FILE_MAGIC, true);
  head[4] = BINARY_VERSION;
  return head;
}
