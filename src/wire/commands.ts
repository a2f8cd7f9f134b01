// The frames of the wire: command numbers, sizes, what makes bytes no frame, and the dispatcher. A leaf of wire/: imports
// nothing, everything in wire/ may import it.
//
// Each frame begins with a u16 command; everything is big-endian; all sizes are fixed but the snapshot's, which follows from
// its count. 0x01xx goes from client to server, 0x02xx from server to client.
//
//   command  frame         bytes          says
//   0x0101   Move          39             "I am here", position as f64
//   0x0102   MoveFixed     27             the same, position in 1/1024 m
//   0x0103   MoveBegin     122            "I walk from here to there": click-to-move
//   0x0104   Ack           6              a correction, or a teleport, has been carried out
//   0x0105   Input         39             "I held my stick this way for so long"
//   0x0201   Hello         89             first frame of a server: who you are, which map, where you stand
//   0x0202   MoveAnswer    15             verdict on a claim and the authoritative plan position
//   0x0203   MoveStarted   126            an accepted MoveBegin, told to the others
//   0x0204   MoveFail      35             a refused MoveBegin, told to its sender only
//   0x0205   Correction    35             stand here, and acknowledge by number
//   0x0206   Snapshot      8 + 16 n       where n others stand, n = 0..256
//   0x0207   Left          6              an entity has gone
//
// Entities are u32 numbers here and strings in the guard. A server hands the numbers out, one for each entity of a room,
// counting from 1 (0 = none), and keeps the map both ways; the guard's id may be any string that is unique in the guard, such
// as `${room}/${number}`. A number that came in is a claim as well: look up what it names among the sender's own entities.
// Map versions and progress are u32 numbers here; the guard compares them as text: guard.version(String(number)).

/** Command numbers, the first two bytes of each frame. The numbers never change; new ones are added. */
export const Command = {
  Move: 0x0101,
  MoveFixed: 0x0102,
  MoveBegin: 0x0103,
  Ack: 0x0104,
  Input: 0x0105,
  Hello: 0x0201,
  MoveAnswer: 0x0202,
  MoveStarted: 0x0203,
  MoveFail: 0x0204,
  Correction: 0x0205,
  Snapshot: 0x0206,
  Left: 0x0207,
} as const;
export type CommandCode = (typeof Command)[keyof typeof Command];

/**
 * Why bytes are no frame; decoders return one of these in place of a length. All are below zero, so `n > 0` says that there
 * is a frame.
 */
export const Malformed = {
  /** The bytes end before the frame does, or the offset is none. */
  short: -1,
  /** No command of this table, or not the one that the decoder reads. */
  command: -2,
  /** A field holds what it may not: see the layout of each frame. */
  value: -3,
  /** A Hello of another protocol version: what follows cannot be read. */
  version: -4,
} as const;
export type MalformedCode = (typeof Malformed)[keyof typeof Malformed];

/** The protocol of this table, as a Hello says it. */
export const WIRE_VERSION = 1;
/** The most entities in one Snapshot. */
export const SNAPSHOT_MAX = 256;
/** Bytes of a Snapshot without its entries, and of each entry. */
export const SNAPSHOT_HEAD_BYTES = 8;
export const SNAPSHOT_ENTRY_BYTES = 16;
/** The longest frame from a client: a server may cut the connection of who sends a longer one. */
export const MAX_REQUEST_BYTES = 122;
/** The longest frame of all. */
export const MAX_FRAME_BYTES = SNAPSHOT_HEAD_BYTES + SNAPSHOT_ENTRY_BYTES * SNAPSHOT_MAX;

/** Bytes of the frames with one size; 0 for the Snapshot and for what is no command. */
export function fixedBytes(command: number): number {
  switch (command) {
    case Command.Move:
      return 39;
    case Command.MoveFixed:
      return 27;
    case Command.MoveBegin:
      return 122;
    case Command.Ack:
      return 6;
    case Command.Input:
      return 39;
    case Command.Hello:
      return 89;
    case Command.MoveAnswer:
      return 15;
    case Command.MoveStarted:
      return 126;
    case Command.MoveFail:
      return 35;
    case Command.Correction:
      return 35;
    case Command.Left:
      return 6;
    default:
      return 0;
  }
}

/** Whether `bytes` bytes can be read at `offset`, whatever the offset is. */
export function holds(view: DataView, offset: number, bytes: number): boolean {
  return Number.isInteger(offset) && offset >= 0 && offset + bytes <= view.byteLength;
}

/**
 * Which frame begins at `offset`: its command, or `Malformed.short` (no two bytes there) or `Malformed.command`. Looks at
 * the command only. Never throws.
 */
export function frameKind(view: DataView, offset: number): CommandCode | MalformedCode {
  if (!holds(view, offset, 2)) return Malformed.short;
  const command = view.getUint16(offset);
  return command === Command.Snapshot || fixedBytes(command) > 0 ? (command as CommandCode) : Malformed.command;
}

/**
 * Bytes of the frame that begins at `offset`, or a `Malformed` code: for streams, and to step over a frame unread. Its
 * fields may still be refused by its decoder. Never throws.
 */
export function frameLength(view: DataView, offset: number): number {
  const kind = frameKind(view, offset);
  if (kind < 0) return kind;
  let bytes = fixedBytes(kind);
  if (kind === Command.Snapshot) {
    if (!holds(view, offset, SNAPSHOT_HEAD_BYTES)) return Malformed.short;
    const count = view.getUint16(offset + 6);
    if (count > SNAPSHOT_MAX) return Malformed.value;
    bytes = SNAPSHOT_HEAD_BYTES + SNAPSHOT_ENTRY_BYTES * count;
  }
  return holds(view, offset, bytes) ? bytes : Malformed.short;
}

/** 0 when a frame of one size and this command begins at `offset` and ends within the view, else a `Malformed` code. */
export function fault(view: DataView, offset: number, command: CommandCode): number {
  if (!holds(view, offset, 2)) return Malformed.short;
  if (view.getUint16(offset) !== command) return Malformed.command;
  return holds(view, offset, fixedBytes(command)) ? 0 : Malformed.short;
}
