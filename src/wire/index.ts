// `navguard/wire`: binary frames between server and client. Allocation-free, dependency-free, also for browsers. The table of
// frames is in commands.ts.
//
// A server: `switch (frameKind(view, 0))`, the frame's decoder, and whether the length it returns is the message's. Encoders
// write at an offset of the caller's DataView and return the frame's bytes; decoders fill a frame of the caller's and return
// its bytes, or a `Malformed` code (below zero), whatever the bytes are. Several frames may follow each other in one message.
export {
  ANSWER_BYTES,
  ANSWER_COMMAND,
  blankAnswer,
  decodeAnswer,
  encodeAnswer,
  type MoveAnswer,
  writeAnswer,
} from './answer.ts';
export {
  blankMoveBegin,
  blankMoveStarted,
  decodeMoveBegin,
  decodeMoveStarted,
  encodeMoveBegin,
  encodeMoveStarted,
  type MoveBeginBody,
  type MoveBeginRequest,
  type MoveStarted,
  WIRE_STRATEGIES,
} from './begin.ts';
export { beginClaimOf, optionsOf, type WireBeginClaim, type WireOptions } from './claims.ts';
export {
  Command,
  type CommandCode,
  frameKind,
  frameLength,
  MAX_FRAME_BYTES,
  MAX_REQUEST_BYTES,
  Malformed,
  type MalformedCode,
  SNAPSHOT_ENTRY_BYTES,
  SNAPSHOT_HEAD_BYTES,
  SNAPSHOT_MAX,
  WIRE_VERSION,
} from './commands.ts';
export {
  type Ack,
  blankAck,
  blankCorrection,
  blankMoveFail,
  type Correction,
  correctionOf,
  decodeAck,
  decodeCorrection,
  decodeMoveFail,
  encodeAck,
  encodeCorrection,
  encodeMoveFail,
  type MoveFail,
  moveFailOf,
} from './fail.ts';
export { type Said, STEPS_PER_METRE } from './fields.ts';
export {
  blankInput,
  blankMove,
  decodeInput,
  decodeMove,
  encodeInput,
  encodeMove,
  encodeMoveFixed,
  type InputRequest,
  type MoveRequest,
} from './move.ts';
export {
  blankHello,
  blankLeft,
  blankSnapshot,
  decodeHello,
  decodeLeft,
  decodeSnapshot,
  encodeHello,
  encodeLeft,
  encodeSnapshot,
  type Hello,
  hashFromHex,
  hashToHex,
  type Left,
  type Snapshot,
} from './world.ts';
