// Click-to-move on the wire: commands 0x0103 (MoveBegin, a claim) and 0x0203 (MoveStarted, the broadcast of an accepted one
// to the others), big-endian. Imported by wire/index.ts.
//
//   MoveBegin, 122 bytes             MoveStarted, 126 bytes
//   0   u16    command               0   u16   command
//   2   u32    sequence number       2   f64   when the walk begins, ms of the server's clock
//   6   body                         10  body
//
//   body    type      what
//   +0      u32       entity that moves
//   +4      u8        has: 1 = map version, 2 = progress, 4 = target, 8 = move data; other bits 0
//   +5      u8        strategy: 0 = not said, 1 = hero, 2 = monster, 3 = bullet, 4 = rotation
//   +6      u16       kind of move, the game's own
//   +8      u32       flags, the game's own
//   +12     u32       map version
//   +16     u32       progress of the level
//   +20     f64 x 3   source: x, y (up), z in metres
//   +44     f64 x 3   target: x, y (up), z in metres
//   +68     f64       facing, radians
//   +76     f64       duration, ms
//   +84     f64       speed, m/s
//   +92     f64       stop distance, metres
//   +100    f64       chase duration, ms
//   +108    f64       timestamp: the client's clock, ms
//
// What `has` does not announce is 0; without move data that is everything after `has` but map version and progress, and there
// is no target. A claim's numbers may be NaN or infinite and its strategy any byte: the guard gives the verdict. A broadcast
// always has move data, finite numbers and a known strategy.
import { Command, type CommandCode, fault, fixedBytes, Malformed } from './commands.ts';
import {
  HAS_MAP_VERSION,
  HAS_PROGRESS,
  isFinite64,
  isZero,
  plainNumbers,
  readNumbers,
  type Said,
  setZero,
} from './fields.ts';

const HAS_TARGET = 4;
const HAS_DATA = 8;

/** Strategies by the wire's number; 0 = not said. */
export const WIRE_STRATEGIES: readonly (string | undefined)[] = [undefined, 'hero', 'monster', 'bullet', 'rotation'];

const CLAIM_BODY = 6;
const STARTED_BODY = 10;
const TARGET = 44;
const NUMBERS = 20;
const END = 116;

/** What a click-to-move says. */
export interface MoveBeginBody extends Said {
  /** The wire's number of the entity. */
  entity: number;
  /** The frame carries move data; without it the guard's reason is `NullMoveData`. */
  hasData: boolean;
  /** It names a target; without one the guard's reason is `TargetPos` (but for who only turns). */
  hasTarget: boolean;
  /** Index of WIRE_STRATEGIES; 0..255. */
  strategy: number;
  /** 0..65535. */
  kind: number;
  /** 0..2^32-1. */
  flags: number;
  /** Source: x, y (up), z in metres. */
  readonly from: Float64Array;
  /** Target, metres; 0, 0, 0 without one. */
  readonly to: Float64Array;
  /** Radians. */
  facing: number;
  durationMs: number;
  /** m/s. */
  speed: number;
  /** Metres before the target. */
  stop: number;
  chaseMs: number;
  /** The client's clock, ms. */
  timestampMs: number;
}

/** A claim. Reuse one for many. */
export interface MoveBeginRequest extends MoveBeginBody {
  /** 0..2^32-1. */
  seq: number;
}

/** The broadcast of an accepted claim. Reuse one for many. */
export interface MoveStarted extends MoveBeginBody {
  /** When the walk begins, ms of the server's clock. */
  startMs: number;
}

function blankBody(): MoveBeginBody {
  return {
    mapVersion: -1,
    progress: -1,
    entity: 0,
    hasData: false,
    hasTarget: false,
    strategy: 0,
    kind: 0,
    flags: 0,
    from: new Float64Array(3),
    to: new Float64Array(3),
    facing: 0,
    durationMs: 0,
    speed: 0,
    stop: 0,
    chaseMs: 0,
    timestampMs: 0,
  };
}

export function blankMoveBegin(): MoveBeginRequest {
  return { ...blankBody(), seq: 0 };
}

export function blankMoveStarted(): MoveStarted {
  return { ...blankBody(), startMs: 0 };
}

/** Writes a MoveBegin at `offset`, returns 122; allocates nothing. Throws RangeError when the room ends before the frame. */
export function encodeMoveBegin(view: DataView, offset: number, begin: Readonly<MoveBeginRequest>): number {
  view.setUint16(offset, Command.MoveBegin);
  view.setUint32(offset + 2, begin.seq);
  writeBody(view, offset + CLAIM_BODY, begin);
  return fixedBytes(Command.MoveBegin);
}

/** Reads a MoveBegin. Returns its bytes, or a `Malformed` code and `out` is as it was. Never throws. */
export function decodeMoveBegin(view: DataView, offset: number, out: MoveBeginRequest): number {
  const wrong = bodyFault(view, offset, Command.MoveBegin, CLAIM_BODY);
  if (wrong !== 0) return wrong;
  out.seq = view.getUint32(offset + 2);
  readBody(view, offset + CLAIM_BODY, out);
  return fixedBytes(Command.MoveBegin);
}

/** Writes a MoveStarted at `offset`, returns 126; allocates nothing. Throws RangeError when the room ends before the frame. */
export function encodeMoveStarted(view: DataView, offset: number, started: Readonly<MoveStarted>): number {
  view.setUint16(offset, Command.MoveStarted);
  view.setFloat64(offset + 2, started.startMs);
  writeBody(view, offset + STARTED_BODY, started);
  return fixedBytes(Command.MoveStarted);
}

/** Reads a MoveStarted. Returns its bytes, or a `Malformed` code and `out` is as it was. Never throws. */
export function decodeMoveStarted(view: DataView, offset: number, out: MoveStarted): number {
  const wrong = bodyFault(view, offset, Command.MoveStarted, STARTED_BODY);
  if (wrong !== 0) return wrong;
  const body = offset + STARTED_BODY;
  if ((view.getUint8(body + 4) & HAS_DATA) === 0) return Malformed.value;
  if (view.getUint8(body + 5) >= WIRE_STRATEGIES.length) return Malformed.value;
  if (!isFinite64(view.getFloat64(offset + 2))) return Malformed.value;
  for (let k = body + NUMBERS; k < body + END; k += 8) if (!isFinite64(view.getFloat64(k))) return Malformed.value;
  out.startMs = view.getFloat64(offset + 2);
  readBody(view, body, out);
  return fixedBytes(Command.MoveStarted);
}

function writeBody(view: DataView, at: number, body: Readonly<MoveBeginBody>): void {
  const { mapVersion, progress, hasData, from, to } = body;
  const hasTarget = hasData && body.hasTarget;
  const said = (mapVersion >= 0 ? HAS_MAP_VERSION : 0) | (progress >= 0 ? HAS_PROGRESS : 0);
  view.setUint32(at, body.entity);
  view.setUint8(at + 4, said | (hasTarget ? HAS_TARGET : 0) | (hasData ? HAS_DATA : 0));
  view.setUint32(at + 12, Math.max(mapVersion, 0));
  view.setUint32(at + 16, Math.max(progress, 0));
  if (!hasData) {
    setZero(view, at + 5, at + 12);
    setZero(view, at + NUMBERS, at + END);
    return;
  }
  view.setUint8(at + 5, body.strategy);
  view.setUint16(at + 6, body.kind);
  view.setUint32(at + 8, body.flags);
  for (let k = 0; k < 3; k++) view.setFloat64(at + NUMBERS + 8 * k, from[k]);
  // two branches: of a choice between a number and 0 V8 makes a boxed one
  if (hasTarget) for (let k = 0; k < 3; k++) view.setFloat64(at + TARGET + 8 * k, to[k]);
  else setZero(view, at + TARGET, at + TARGET + 24);
  view.setFloat64(at + 68, body.facing);
  view.setFloat64(at + 76, body.durationMs);
  view.setFloat64(at + 84, body.speed);
  view.setFloat64(at + 92, body.stop);
  view.setFloat64(at + 100, body.chaseMs);
  view.setFloat64(at + 108, body.timestampMs);
}

/** 0 when the frame is there and has one spelling only, else a `Malformed` code. */
function bodyFault(view: DataView, offset: number, command: CommandCode, body: number): number {
  const wrong = fault(view, offset, command);
  if (wrong !== 0) return wrong;
  const at = offset + body;
  const has = view.getUint8(at + 4);
  if (has > (HAS_MAP_VERSION | HAS_PROGRESS | HAS_TARGET | HAS_DATA)) return Malformed.value;
  if (!plainNumbers(view, has, at + 12)) return Malformed.value;
  if ((has & HAS_DATA) === 0) {
    if ((has & HAS_TARGET) !== 0) return Malformed.value;
    if (!isZero(view, at + 5, at + 12) || !isZero(view, at + NUMBERS, at + END)) return Malformed.value;
  } else if ((has & HAS_TARGET) === 0 && !isZero(view, at + TARGET, at + TARGET + 24)) return Malformed.value;
  return 0;
}

function readBody(view: DataView, at: number, out: MoveBeginBody): void {
  const has = view.getUint8(at + 4);
  const { from, to } = out;
  out.entity = view.getUint32(at);
  out.hasTarget = (has & HAS_TARGET) !== 0;
  out.hasData = (has & HAS_DATA) !== 0;
  out.strategy = view.getUint8(at + 5);
  out.kind = view.getUint16(at + 6);
  out.flags = view.getUint32(at + 8);
  readNumbers(view, has, at + 12, out);
  for (let k = 0; k < 3; k++) from[k] = view.getFloat64(at + NUMBERS + 8 * k);
  for (let k = 0; k < 3; k++) to[k] = view.getFloat64(at + TARGET + 8 * k);
  out.facing = view.getFloat64(at + 68);
  out.durationMs = view.getFloat64(at + 76);
  out.speed = view.getFloat64(at + 84);
  out.stop = view.getFloat64(at + 92);
  out.chaseMs = view.getFloat64(at + 100);
  out.timestampMs = view.getFloat64(at + 108);
}
