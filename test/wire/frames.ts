// All frames side by side for the tests: how each is made blank, written and read, and how many bytes it has.
import * as wire from '../../src/wire/index.ts';

/** One frame, its types forgotten. */
export interface FrameKind {
  readonly name: string;
  readonly command: number;
  /** Bytes; for the Snapshot those of the frame at hand. */
  bytes(frame: never): number;
  blank(): object;
  encode(view: DataView, offset: number, frame: never): number;
  decode(view: DataView, offset: number, out: never): number;
}

function kind<T extends object>(
  name: string,
  command: number,
  bytes: number | ((frame: T) => number),
  blank: () => T,
  encode: (view: DataView, offset: number, frame: T) => number,
  decode: (view: DataView, offset: number, out: T) => number,
): FrameKind {
  return { name, command, bytes: typeof bytes === 'number' ? () => bytes : bytes, blank, encode, decode };
}

function encodeAnswer(view: DataView, offset: number, { seq, reason, x, y }: wire.MoveAnswer): number {
  return wire.writeAnswer(view, offset, seq, reason, x, y);
}

export const FRAMES: readonly FrameKind[] = [
  kind('Move', 0x0101, 39, wire.blankMove, wire.encodeMove, wire.decodeMove),
  kind('MoveFixed', 0x0102, 27, wire.blankMove, wire.encodeMoveFixed, wire.decodeMove),
  kind('MoveBegin', 0x0103, 122, wire.blankMoveBegin, wire.encodeMoveBegin, wire.decodeMoveBegin),
  kind('Ack', 0x0104, 6, wire.blankAck, wire.encodeAck, wire.decodeAck),
  kind('Input', 0x0105, 39, wire.blankInput, wire.encodeInput, wire.decodeInput),
  kind('Hello', 0x0201, 89, wire.blankHello, wire.encodeHello, wire.decodeHello),
  kind('MoveAnswer', 0x0202, 15, wire.blankAnswer, encodeAnswer, wire.decodeAnswer),
  kind('MoveStarted', 0x0203, 126, wire.blankMoveStarted, wire.encodeMoveStarted, wire.decodeMoveStarted),
  kind('MoveFail', 0x0204, 35, wire.blankMoveFail, wire.encodeMoveFail, wire.decodeMoveFail),
  kind('Correction', 0x0205, 35, wire.blankCorrection, wire.encodeCorrection, wire.decodeCorrection),
  kind('Snapshot', 0x0206, (s) => 8 + 16 * s.count, wire.blankSnapshot, wire.encodeSnapshot, wire.decodeSnapshot),
  kind('Left', 0x0207, 6, wire.blankLeft, wire.encodeLeft, wire.decodeLeft),
];
