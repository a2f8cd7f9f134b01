// What the main thread and one worker share: control words, the ring of jobs, and the two sides of what the worker has
// committed. Constants and views only. Imported by pool/.
import { STRIDE } from '../rules/ledger.ts';

// ---- handles: who is whose ---------------------------------------------------------------------------------------------
/** Low bits of an entity's handle: its worker. The rest is its row there. */
export const OWNER_BITS = 6;
export const OWNER_MASK = (1 << OWNER_BITS) - 1;
export const MAX_WORKERS = 1 << OWNER_BITS;
export const MAX_ENTITIES = 1 << 20;

// ---- control words, Int32; job numbers count on a circle of 2^32 -----------------------------------------------------
/** The last job that was put into the ring. Written by the main thread; the worker waits here. */
export const HEAD = 0;
/** The last job that is committed: its results and its effects stand. Written by the worker, once for each job. */
export const DONE = 1;
/** The side (0, 1) whose snapshot and journal count. */
export const ACTIVE = 2;
/** Records in the journal of side 0, of side 1. */
export const RECORDS = 3;
/** 1 when the worker has recovered and works. */
export const UP = 5;
const CONTROL_WORDS = 16;

// ---- jobs: JOB_STRIDE numbers each ---------------------------------------------------------------------------------------
export const RING = 2048;
export const JOB_STRIDE = 8;
export const J_KIND = 0;
/** The pool's clock before the job, ms. */
export const J_CLOCK = 1;
/** BATCH: number of the claims. TELL: method. SWAP: number of the map. */
export const J_WHAT = 2;
/** BATCH: how many. TELL: row of the entity, -1 = all. */
export const J_COUNT = 3;
/** TELL: serial number of the entity. */
export const J_SERIAL = 4;
/** TELL: where its arguments stand in the ring of bytes, and how long they are. */
export const J_AT = 5;
export const J_BYTES = 6;
/** TELL: where the answer goes, -1 = none is wanted. */
export const J_REPLY = 7;

/** Claims of many. */
export const BATCH = 1;
/** One fact, one claim or one question. */
export const TELL = 2;
/** The next map. */
export const SWAP = 3;
export const CLOSE = 4;

/** What TELL tells: methods of the guard. */
export const METHODS = [
  ...(['enter', 'leave', 'setSpeed', 'boost', 'impulse', 'grant', 'teleport', 'rtt', 'ack', 'state'] as const),
  ...(['pause', 'version', 'progress', 'restore', 'move', 'begin', 'input'] as const),
  ...(['positionAt', 'score', 'evidence'] as const),
  ...(['area', 'link', 'block', 'unblock', 'carrier', 'attach', 'detach'] as const),
] as const;
export type Method = (typeof METHODS)[number];

/** Bytes for the arguments of waiting jobs. */
export const BLOBS = 1 << 20;
/** Answers that may be waited for at once, bytes of each. */
export const REPLIES = 256;
export const REPLY_BYTES = 2048;

// ---- a side: the snapshot of a worker's entities after a job; the journal of the jobs since ----------------------------------
/** A row: serial number (0 = none), then the entity's numbers in the ledger. */
export const ROW = STRIDE + 1;
export const S_JOB = 0;
/** The guard's clock, ms. */
export const S_CLOCK = 1;
export const S_PAUSE_MS = 2;
export const S_PAUSE_UNTIL = 3;
export const S_MAP = 4;
/** Rows in use: 0 .. S_ROWS - 1. */
export const S_ROWS = 5;
const HEAD_NUMBERS = 8;

/** Records of the journal: a job (J_AT: where its claims or bytes stand in the journal), and its number in front. */
export const RECORD_STRIDE = JOB_STRIDE + 1;
export const JOURNAL_RECORDS = 4096;
export const JOURNAL_BYTES = 1 << 19;

/** The snapshot of one side. */
export interface Side {
  readonly head: Float64Array;
  readonly rows: Float64Array;
  /** Paths and words: grows. */
  readonly rest: SharedArrayBuffer;
}

/** The journal of the side that counts: what is behind the other's snapshot is never asked for. */
export interface Notes {
  readonly records: Float64Array;
  /** Claims: rows, sequence numbers, positions, times as they counted. */
  readonly entity: Int32Array;
  readonly seq: Float64Array;
  readonly pos: Float64Array;
  readonly t: Float64Array;
  readonly bytes: Uint8Array;
}

/** All that a worker shares with the main thread but the map and the claims. */
export interface Shared {
  readonly control: Int32Array;
  readonly jobs: Float64Array;
  readonly blobs: Uint8Array;
  readonly replies: Uint8Array;
  readonly sides: readonly [Side, Side];
  readonly notes: Notes;
}

/** Rest areas hold the paths of walking entities: this much at most, bytes. Only what is used is ever taken. */
const REST_MOST = 2 ** 31;

/** Fresh memory for one worker. Pages are taken from the system when they are first written, not before. */
export function shareLane(entities: number, journal: number): Shared {
  return {
    control: new Int32Array(new SharedArrayBuffer(4 * CONTROL_WORDS)),
    jobs: doubles(RING * JOB_STRIDE),
    blobs: new Uint8Array(new SharedArrayBuffer(BLOBS)),
    replies: new Uint8Array(new SharedArrayBuffer(REPLIES * REPLY_BYTES)),
    sides: [side(entities), side(entities)],
    notes: notes(journal),
  };
}

function side(entities: number): Side {
  return { head: doubles(HEAD_NUMBERS), rows: doubles(entities * ROW), rest: growable(REST_MOST) };
}

function notes(journal: number): Notes {
  return {
    records: doubles(JOURNAL_RECORDS * RECORD_STRIDE),
    entity: new Int32Array(new SharedArrayBuffer(4 * journal)),
    seq: doubles(journal),
    pos: doubles(3 * journal),
    t: doubles(journal),
    bytes: new Uint8Array(new SharedArrayBuffer(JOURNAL_BYTES)),
  };
}

function doubles(count: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8 * count));
}

/** (The types of ES2023 do not know them yet; Node has had them since 20.) */
function growable(most: number): SharedArrayBuffer {
  const Growable = SharedArrayBuffer as new (bytes: number, options: { maxByteLength: number }) => SharedArrayBuffer;
  return new Growable(4096, { maxByteLength: most });
}

/** Makes a rest area at least so long. */
export function growRest(rest: SharedArrayBuffer, bytes: number): void {
  if (rest.byteLength >= bytes) return;
  const most = Math.min(REST_MOST, Math.max(bytes, 2 * rest.byteLength));
  (rest as SharedArrayBuffer & { grow(bytes: number): void }).grow(most);
}
