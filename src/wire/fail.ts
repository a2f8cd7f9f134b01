// What a server answers when it refuses: commands 0x0204 (MoveFail), 0x0205 (Correction), and the client's 0x0104 (Ack),
// big-endian. Imported by wire/index.ts.
//
//   MoveFail, 35 bytes                        Correction, 35 bytes
//   0   u16      command                      0   u16      command
//   2   u32      sequence number of the claim 2   u32      number of the correction; 0 = put there by the server (teleport)
//   6   u32      entity                       6   u32      sequence number of the claim that was refused; 0 = none
//   10  u8       reason, not 0                10  u8       reason; 0 = none
//   11  f64 x 3  authoritative position       11  f64 x 3  authoritative position
//
//   Ack, 6 bytes:  0 u16 command, 2 u32 number of the correction; 0 acknowledges a teleport
//
// Positions are x, y (up), z in metres, as exact as the guard keeps them; not finite is malformed: a client never stands there.
// A refused MoveBegin is answered by a MoveFail, to its sender only; a refused Move by a Correction; a claim that was ignored
// or rejected (stale, replayed, malformed) by a MoveAnswer.
import { Reason, type ReasonCode } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { Command, type CommandCode, fault, fixedBytes, Malformed } from './commands.ts';
import { finitePosition, knownReason } from './fields.ts';

/** A refused click-to-move. Reuse one for many. */
export interface MoveFail {
  /** Of the claim. */
  seq: number;
  /** The wire's number of the entity. */
  entity: number;
  reason: ReasonCode;
  /** Where the entity stands, metres, y up. */
  x: number;
  y: number;
  z: number;
}

/** "Stand here." Reuse one for many. */
export interface Correction {
  /** Counts from 1 for each entity; 0 = the server has put the entity there. To be acknowledged. */
  correction: number;
  /** Of the claim that was refused. */
  seq: number;
  reason: ReasonCode;
  /** Where the entity stands, metres, y up. */
  x: number;
  y: number;
  z: number;
}

/** "I stand there." Reuse one for many. */
export interface Ack {
  correction: number;
}

export function blankMoveFail(): MoveFail {
  return { seq: 0, entity: 0, reason: Reason.Malformed, x: 0, y: 0, z: 0 };
}

export function blankCorrection(): Correction {
  return { correction: 0, seq: 0, reason: Reason.Accept, x: 0, y: 0, z: 0 };
}

export function blankAck(): Ack {
  return { correction: 0 };
}

/** Fills `out` from the verdict on a refused MoveBegin and returns it; an unknown entity stands at 0, 0, 0. */
export function moveFailOf(out: MoveFail, entity: number, seq: number, verdict: Verdict): MoveFail {
  out.entity = entity;
  out.seq = seq;
  out.reason = verdict.reasonCode;
  setPosition(out, verdict);
  return out;
}

/** Fills `out` from a verdict that corrects (`verdict.correction` is its number) and returns it. */
export function correctionOf(out: Correction, seq: number, verdict: Verdict): Correction {
  out.correction = verdict.correction;
  out.seq = seq;
  out.reason = verdict.reasonCode;
  setPosition(out, verdict);
  return out;
}

function setPosition(out: MoveFail | Correction, { pos }: Verdict): void {
  out.x = pos === null ? 0 : pos[0];
  out.y = pos === null ? 0 : pos[1];
  out.z = pos === null ? 0 : pos[2];
}

/** Writes a MoveFail at `offset`, returns 35; allocates nothing. Throws RangeError when the room ends before the frame. */
export function encodeMoveFail(view: DataView, offset: number, fail: Readonly<MoveFail>): number {
  return write(view, offset, Command.MoveFail, fail.seq, fail.entity, fail);
}

/** Writes a Correction at `offset`, returns 35; allocates nothing. Throws RangeError when the room ends before the frame. */
export function encodeCorrection(view: DataView, offset: number, correction: Readonly<Correction>): number {
  return write(view, offset, Command.Correction, correction.correction, correction.seq, correction);
}

function write(
  view: DataView,
  offset: number,
  command: CommandCode,
  first: number,
  second: number,
  frame: Readonly<MoveFail | Correction>,
): number {
  view.setUint16(offset, command);
  view.setUint32(offset + 2, first);
  view.setUint32(offset + 6, second);
  view.setUint8(offset + 10, frame.reason);
  view.setFloat64(offset + 11, frame.x);
  view.setFloat64(offset + 19, frame.y);
  view.setFloat64(offset + 27, frame.z);
  return fixedBytes(command);
}

/** Reads a MoveFail. Returns its bytes, or a `Malformed` code and `out` is as it was. Never throws. */
export function decodeMoveFail(view: DataView, offset: number, out: MoveFail): number {
  const wrong = fault(view, offset, Command.MoveFail);
  if (wrong !== 0) return wrong;
  if (view.getUint8(offset + 10) === Reason.Accept) return Malformed.value;
  if (!knownReason(view, offset + 10) || !finitePosition(view, offset + 11)) return Malformed.value;
  out.seq = view.getUint32(offset + 2);
  out.entity = view.getUint32(offset + 6);
  read(view, offset, out);
  return fixedBytes(Command.MoveFail);
}

/** Reads a Correction. Returns its bytes, or a `Malformed` code and `out` is as it was. Never throws. */
export function decodeCorrection(view: DataView, offset: number, out: Correction): number {
  const wrong = fault(view, offset, Command.Correction);
  if (wrong !== 0) return wrong;
  if (!knownReason(view, offset + 10) || !finitePosition(view, offset + 11)) return Malformed.value;
  out.correction = view.getUint32(offset + 2);
  out.seq = view.getUint32(offset + 6);
  read(view, offset, out);
  return fixedBytes(Command.Correction);
}

function read(view: DataView, offset: number, out: MoveFail | Correction): void {
  out.reason = view.getUint8(offset + 10) as ReasonCode;
  out.x = view.getFloat64(offset + 11);
  out.y = view.getFloat64(offset + 19);
  out.z = view.getFloat64(offset + 27);
}

/** Writes an Ack at `offset`, returns 6; allocates nothing. Throws RangeError when the room ends before the frame does. */
export function encodeAck(view: DataView, offset: number, ack: Readonly<Ack>): number {
  view.setUint16(offset, Command.Ack);
  view.setUint32(offset + 2, ack.correction);
  return fixedBytes(Command.Ack);
}

/** Reads an Ack. Returns its bytes, or a `Malformed` code and `out` is as it was. Never throws. */
export function decodeAck(view: DataView, offset: number, out: Ack): number {
  const wrong = fault(view, offset, Command.Ack);
  if (wrong !== 0) return wrong;
  out.correction = view.getUint32(offset + 2);
  return fixedBytes(Command.Ack);
}
