// What a server tells of its room: commands 0x0201 (Hello), 0x0206 (Snapshot) and 0x0207 (Left), big-endian. Imported by
// wire/index.ts.
//
//   Hello, 89 bytes                                          Snapshot, 8 + 16 n bytes
//   0   u16      command                                     0   u16      command
//   2   u16      protocol version, 1                         2   u32      tick
//   4   u32      the receiver's own entity                   6   u16      n, 0..256
//   8   u8       has: 1 = map version, 2 = progress          8   n times:
//   9   u32      map version, 0 when not said                    +0   u32      entity
//   13  u32      progress, 0 when not said                       +4   i32 x 3  x, y (up), z in 1/1024 m
//   17  u8 x 32  content hash of the packed map (sha-256)
//   49  f64      the server's clock, ms                      Left, 6 bytes
//   57  f64      speed of the entity, m/s                    0   u16      command
//   65  f64 x 3  where it stands: x, y (up), z in metres     2   u32      entity
//
// A Hello's numbers are finite, its speed not negative. A Hello of another protocol version is `Malformed.version`.
import {
  Command,
  fault,
  fixedBytes,
  frameKind,
  frameLength,
  Malformed,
  SNAPSHOT_MAX,
  WIRE_VERSION,
} from './commands.ts';
import {
  finitePosition,
  isFinite64,
  plainSaid,
  readSaid,
  type Said,
  STEPS_PER_METRE,
  stepsOf,
  writeSaid,
} from './fields.ts';

const HASH = 17;
const HASH_BYTES = 32;

/** The first frame of a server. */
export interface Hello extends Said {
  /** The receiver's own entity. */
  entity: number;
  /** The packed map's content hash, 32 bytes: `hashFromHex(map.info.hash, hello.mapHash)`. */
  readonly mapHash: Uint8Array;
  /** The server's clock, ms. */
  timeMs: number;
  /** m/s. */
  speed: number;
  /** Where the entity stands, metres, y up. */
  x: number;
  y: number;
  z: number;
}

/** Where others stand. Reuse one for many; `count` entries of the arrays are meant. */
export interface Snapshot {
  /** The server's tick, 0..2^32-1. */
  tick: number;
  count: number;
  readonly entity: Uint32Array;
  /** x, y (up), z in metres, three numbers for each. */
  readonly pos: Float64Array;
}

/** An entity has gone. */
export interface Left {
  entity: number;
}

export function blankHello(): Hello {
  return {
    mapVersion: -1,
    progress: -1,
    entity: 0,
    mapHash: new Uint8Array(HASH_BYTES),
    timeMs: 0,
    speed: 0,
    x: 0,
    y: 0,
    z: 0,
  };
}

/** Room for SNAPSHOT_MAX entities. */
export function blankSnapshot(): Snapshot {
  return { tick: 0, count: 0, entity: new Uint32Array(SNAPSHOT_MAX), pos: new Float64Array(3 * SNAPSHOT_MAX) };
}

export function blankLeft(): Left {
  return { entity: 0 };
}

/** Reads 64 hexadecimal digits into 32 bytes. False, and nothing is changed, when the text is anything else. */
export function hashFromHex(hex: string, out: Uint8Array): boolean {
  if (out.length !== HASH_BYTES || !/^[0-9a-fA-F]{64}$/.test(hex)) return false;
  for (let k = 0; k < HASH_BYTES; k++) out[k] = Number.parseInt(hex.slice(2 * k, 2 * k + 2), 16);
  return true;
}

/** The bytes as hexadecimal digits, as `map.info.hash` has them. */
export function hashToHex(hash: Uint8Array): string {
  let hex = '';
  for (const byte of hash) hex += byte.toString(16).padStart(2, '0');
  return hex;
}

/** Writes a Hello at `offset`, returns 89; allocates nothing. Throws RangeError when the room ends before the frame does. */
export function encodeHello(view: DataView, offset: number, hello: Readonly<Hello>): number {
  const { mapHash } = hello;
  view.setUint16(offset, Command.Hello);
  view.setUint16(offset + 2, WIRE_VERSION);
  view.setUint32(offset + 4, hello.entity);
  writeSaid(view, offset + 8, hello);
  for (let k = 0; k < HASH_BYTES; k++) view.setUint8(offset + HASH + k, mapHash[k]);
  view.setFloat64(offset + 49, hello.timeMs);
  view.setFloat64(offset + 57, hello.speed);
  view.setFloat64(offset + 65, hello.x);
  view.setFloat64(offset + 73, hello.y);
  view.setFloat64(offset + 81, hello.z);
  return fixedBytes(Command.Hello);
}

/** Reads a Hello. Returns its bytes, or a `Malformed` code and `out` is as it was. Never throws. */
export function decodeHello(view: DataView, offset: number, out: Hello): number {
  const wrong = fault(view, offset, Command.Hello);
  if (wrong !== 0) return wrong;
  if (view.getUint16(offset + 2) !== WIRE_VERSION) return Malformed.version;
  if (!plainSaid(view, offset + 8)) return Malformed.value;
  const timeMs = view.getFloat64(offset + 49);
  const speed = view.getFloat64(offset + 57);
  if (!isFinite64(timeMs) || !isFinite64(speed) || speed < 0) return Malformed.value;
  if (!finitePosition(view, offset + 65)) return Malformed.value;
  const { mapHash } = out;
  out.entity = view.getUint32(offset + 4);
  readSaid(view, offset + 8, out);
  for (let k = 0; k < HASH_BYTES; k++) mapHash[k] = view.getUint8(offset + HASH + k);
  out.timeMs = timeMs;
  out.speed = speed;
  out.x = view.getFloat64(offset + 65);
  out.y = view.getFloat64(offset + 73);
  out.z = view.getFloat64(offset + 81);
  return fixedBytes(Command.Hello);
}

/**
 * Writes a Snapshot of the first `count` entities at `offset` and returns its bytes; allocates nothing. Positions are rounded
 * to 1/1024 m (see `stepsOf`). Throws RangeError when the room ends before the frame does, or `count` is not 0..256.
 */
export function encodeSnapshot(view: DataView, offset: number, snapshot: Readonly<Snapshot>): number {
  const { count, entity, pos } = snapshot;
  if (!(Number.isInteger(count) && count >= 0 && count <= SNAPSHOT_MAX)) {
    throw new RangeError(`encodeSnapshot: count: expected a whole number of 0..${SNAPSHOT_MAX}, got ${count}`);
  }
  view.setUint16(offset, Command.Snapshot);
  view.setUint32(offset + 2, snapshot.tick);
  view.setUint16(offset + 6, count);
  let at = offset + 8;
  for (let i = 0; i < count; i++) {
    view.setUint32(at, entity[i]);
    view.setInt32(at + 4, stepsOf(pos[3 * i]));
    view.setInt32(at + 8, stepsOf(pos[3 * i + 1]));
    view.setInt32(at + 12, stepsOf(pos[3 * i + 2]));
    at += 16;
  }
  return at - offset;
}

/**
 * Reads a Snapshot. Returns its bytes, or a `Malformed` code and `out` is as it was (`value` also when it holds more entities
 * than `out` has room for). Never throws.
 */
export function decodeSnapshot(view: DataView, offset: number, out: Snapshot): number {
  const kind = frameKind(view, offset);
  if (kind !== Command.Snapshot) return kind === Malformed.short ? Malformed.short : Malformed.command;
  const bytes = frameLength(view, offset);
  if (bytes < 0) return bytes;
  const count = view.getUint16(offset + 6);
  const { entity, pos } = out;
  if (count > entity.length || 3 * count > pos.length) return Malformed.value;
  out.tick = view.getUint32(offset + 2);
  out.count = count;
  let at = offset + 8;
  for (let i = 0; i < count; i++) {
    entity[i] = view.getUint32(at);
    pos[3 * i] = view.getInt32(at + 4) / STEPS_PER_METRE;
    pos[3 * i + 1] = view.getInt32(at + 8) / STEPS_PER_METRE;
    pos[3 * i + 2] = view.getInt32(at + 12) / STEPS_PER_METRE;
    at += 16;
  }
  return bytes;
}

/** Writes a Left at `offset`, returns 6; allocates nothing. Throws RangeError when the room ends before the frame does. */
export function encodeLeft(view: DataView, offset: number, left: Readonly<Left>): number {
  view.setUint16(offset, Command.Left);
  view.setUint32(offset + 2, left.entity);
  return fixedBytes(Command.Left);
}

/** Reads a Left. Returns its bytes, or a `Malformed` code and `out` is as it was. Never throws. */
export function decodeLeft(view: DataView, offset: number, out: Left): number {
  const wrong = fault(view, offset, Command.Left);
  if (wrong !== 0) return wrong;
  out.entity = view.getUint32(offset + 2);
  return fixedBytes(Command.Left);
}
