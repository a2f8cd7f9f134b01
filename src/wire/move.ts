// Claims that come many times a second: commands 0x0101 (Move), 0x0102 (MoveFixed) and 0x0105 (Input), big-endian. Imported
// by wire/index.ts.
//
//   offset  type      what
//   0       u16       command
//   2       u32       sequence number
//   6       u8        has: 1 = map version, 2 = progress; other bits 0
//   7       u32       map version, 0 when not said
//   11      u32       progress of the level, 0 when not said
//   15      f64 x 3   Move: x, y (up), z in metres                                                        39 bytes
//   15      i32 x 3   MoveFixed: x, y (up), z in 1/1024 m, +-2,097 km                                     27 bytes
//   15      f64 x 3   Input: direction in x and z (0, 0 = stand), time that it was held in ms             39 bytes
//
// Not finite numbers are handed through: the guard answers them with the verdict `Malformed`, by sequence number.
import { Command, fault, fixedBytes, Malformed } from './commands.ts';
import { plainSaid, readSaid, type Said, STEPS_PER_METRE, stepsOf, writeSaid } from './fields.ts';

const SAID = 6;
const BODY = 15;

/** "I am here." Reuse one for many. */
export interface MoveRequest extends Said {
  /** 0..2^32-1. */
  seq: number;
  /** Metres, y up; may be NaN or infinite when read. */
  x: number;
  y: number;
  z: number;
}

/** "I held my stick this way." Reuse one for many. */
export interface InputRequest extends Said {
  /** 0..2^32-1. */
  seq: number;
  /** Direction in x and z: longer than 1 counts as 1; may be NaN or infinite when read, as `ms`. */
  dirX: number;
  dirZ: number;
  /** How long, ms. */
  ms: number;
}

export function blankMove(): MoveRequest {
  return { mapVersion: -1, progress: -1, seq: 0, x: 0, y: 0, z: 0 };
}

export function blankInput(): InputRequest {
  return { mapVersion: -1, progress: -1, seq: 0, dirX: 0, dirZ: 0, ms: 0 };
}

/** Writes a Move at `offset`, returns 39; allocates nothing. Throws RangeError when the room ends before the frame does. */
export function encodeMove(view: DataView, offset: number, move: Readonly<MoveRequest>): number {
  view.setUint16(offset, Command.Move);
  view.setUint32(offset + 2, move.seq);
  writeSaid(view, offset + SAID, move);
  view.setFloat64(offset + BODY, move.x);
  view.setFloat64(offset + BODY + 8, move.y);
  view.setFloat64(offset + BODY + 16, move.z);
  return fixedBytes(Command.Move);
}

/** The same in 1/1024 m: rounded to the nearest, the nearest end beyond the range, 0 for NaN. Returns 27. */
export function encodeMoveFixed(view: DataView, offset: number, move: Readonly<MoveRequest>): number {
  view.setUint16(offset, Command.MoveFixed);
  view.setUint32(offset + 2, move.seq);
  writeSaid(view, offset + SAID, move);
  view.setInt32(offset + BODY, stepsOf(move.x));
  view.setInt32(offset + BODY + 4, stepsOf(move.y));
  view.setInt32(offset + BODY + 8, stepsOf(move.z));
  return fixedBytes(Command.MoveFixed);
}

/** Reads a Move or a MoveFixed. Returns its bytes, or a `Malformed` code and `out` is as it was. Never throws. */
export function decodeMove(view: DataView, offset: number, out: MoveRequest): number {
  const wrong = fault(view, offset, Command.Move);
  if (wrong === Malformed.command) return decodeFixed(view, offset, out);
  if (wrong !== 0) return wrong;
  if (!plainSaid(view, offset + SAID)) return Malformed.value;
  out.seq = view.getUint32(offset + 2);
  readSaid(view, offset + SAID, out);
  out.x = view.getFloat64(offset + BODY);
  out.y = view.getFloat64(offset + BODY + 8);
  out.z = view.getFloat64(offset + BODY + 16);
  return fixedBytes(Command.Move);
}

function decodeFixed(view: DataView, offset: number, out: MoveRequest): number {
  const wrong = fault(view, offset, Command.MoveFixed);
  if (wrong !== 0) return wrong;
  if (!plainSaid(view, offset + SAID)) return Malformed.value;
  out.seq = view.getUint32(offset + 2);
  readSaid(view, offset + SAID, out);
  out.x = view.getInt32(offset + BODY) / STEPS_PER_METRE;
  out.y = view.getInt32(offset + BODY + 4) / STEPS_PER_METRE;
  out.z = view.getInt32(offset + BODY + 8) / STEPS_PER_METRE;
  return fixedBytes(Command.MoveFixed);
}

/** Writes an Input at `offset`, returns 39; allocates nothing. Throws RangeError when the room ends before the frame does. */
export function encodeInput(view: DataView, offset: number, input: Readonly<InputRequest>): number {
  view.setUint16(offset, Command.Input);
  view.setUint32(offset + 2, input.seq);
  writeSaid(view, offset + SAID, input);
  view.setFloat64(offset + BODY, input.dirX);
  view.setFloat64(offset + BODY + 8, input.dirZ);
  view.setFloat64(offset + BODY + 16, input.ms);
  return fixedBytes(Command.Input);
}

/** Reads an Input. Returns its bytes, or a `Malformed` code and `out` is as it was. Never throws. */
export function decodeInput(view: DataView, offset: number, out: InputRequest): number {
  const wrong = fault(view, offset, Command.Input);
  if (wrong !== 0) return wrong;
  if (!plainSaid(view, offset + SAID)) return Malformed.value;
  out.seq = view.getUint32(offset + 2);
  readSaid(view, offset + SAID, out);
  out.dirX = view.getFloat64(offset + BODY);
  out.dirZ = view.getFloat64(offset + BODY + 8);
  out.ms = view.getFloat64(offset + BODY + 16);
  return fixedBytes(Command.Input);
}
