// A worker of a pool: takes jobs out of its ring, one after the other, until it is told to close. It waits without an event
// loop, so it answers to nothing but the ring. Imports neither loaders of maps nor recast-navigation. scripts/build.mjs makes
// one file of it and all that it imports, worker.cjs, which lane.ts starts: a thread that loads module after module takes
// 6 MB more, for good.
import { deserialize, serialize } from 'node:v8';
import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { NavguardError } from '../errors.ts';
import { PoolClaims } from './claims.ts';
import { type Common, Journal, type Taker } from './journal.ts';
import { Judge, type PostedMap, postedError, type Setting } from './judge.ts';
import {
  BATCH,
  CLOSE,
  DONE,
  HEAD,
  J_AT,
  J_BYTES,
  J_CLOCK,
  J_COUNT,
  J_KIND,
  J_REPLY,
  J_SERIAL,
  J_WHAT,
  JOB_STRIDE,
  METHODS,
  type Method,
  REPLY_BYTES,
  RING,
  type Shared,
  SWAP,
  TELL,
  UP,
} from './layout.ts';
import { isChange } from './world.ts';

/** What a worker begins with. */
export interface WorkerStart {
  readonly setting: Setting;
  readonly shared: Shared;
  /** Rung when there is news for the main thread. */
  readonly bell: Int32Array;
  /** Maps and memory for claims that come later, each before the first job that needs it. */
  readonly mail: MessagePort;
  /** Those that are there. */
  readonly maps: readonly PostedMap[];
  readonly claims: readonly PostedClaims[];
  /** Another worker was here before, and is gone. */
  readonly again: boolean;
  /** Claims that a journal holds. */
  readonly journal: number;
}

export interface PostedClaims {
  readonly number: number;
  readonly memory: SharedArrayBuffer;
}

/** What comes in the mail. */
export interface Mail {
  readonly map?: PostedMap;
  readonly claims?: PostedClaims;
}

const start = workerData as WorkerStart;
const { shared, bell, mail } = start;
const { control, jobs, blobs, replies } = shared;
const maps = new Map(start.maps.map((map) => [map.number, map]));
const claims = new Map(start.claims.map(({ number, memory }) => [number, new PoolClaims(memory, number)]));

/** Opens letters until one brings what is looked for: it was posted before the job that needs it. */
function fetched<T>(from: Map<number, T>, number: number): T {
  for (;;) {
    const known = from.get(number);
    if (known !== undefined) return known;
    const letter = receiveMessageOnPort(mail) as { message: Mail } | undefined;
    if (letter === undefined) throw new Error(`pool: no letter with number ${number}`);
    const { map, claims: posted } = letter.message;
    if (map !== undefined) maps.set(map.number, map);
    if (posted !== undefined) claims.set(posted.number, new PoolClaims(posted.memory, posted.number));
  }
}

const journal = new Journal(shared, start.setting.entities);
let judge: Judge | undefined;

const taker: Taker = {
  begin(common: Common) {
    judge = new Judge(start.setting, fetched(maps, common.map), start.again, common);
  },
  entity: (row, serial, numbers) => judge?.take(row, serial, numbers),
  path: (row, corners) => judge?.takePath(row, corners),
  batch: (record, notes) => judge?.again(notes.entity, notes, record[J_AT], record[J_COUNT]),
  tell: (record, bytes) => tell(judge as Judge, record, bytes),
};

/** The answer as it is posted: [0, value] or [1, what went wrong]. Only the guard's own errors are answers. */
function tell(to: Judge, job: Float64Array, bytes: Uint8Array): unknown[] {
  const method = METHODS[job[J_WHAT]];
  const args = bytes.length === 0 ? [] : (deserialize(bytes) as unknown[]);
  try {
    const said = to.tell(method, job[J_COUNT], job[J_SERIAL], args, job[J_CLOCK]);
    return [0, method === 'move' || method === 'begin' || method === 'input' ? plain(said) : said];
  } catch (error) {
    if (error instanceof NavguardError) return postedError(error);
    throw error;
  }
}

function plain(verdict: unknown): unknown {
  return (verdict as { toJSON(): unknown }).toJSON();
}

function reply(slot: number, said: unknown[]): void {
  const bytes = serialize(said);
  const at = slot * REPLY_BYTES;
  if (bytes.length + 4 > REPLY_BYTES) throw new Error(`pool: an answer of ${bytes.length} bytes`);
  new DataView(replies.buffer).setUint32(at, bytes.length, true);
  replies.set(bytes, at + 4);
}

function ring(): void {
  Atomics.add(bell, 0, 1);
  Atomics.notify(bell, 0);
}

function work(own: Judge): void {
  for (;;) {
    const done = Atomics.load(control, DONE);
    const head = Atomics.load(control, HEAD);
    if (done === head) {
      Atomics.wait(control, HEAD, head);
      continue;
    }
    const number = (done + 1) | 0;
    const slot = number & (RING - 1);
    const job = jobs.subarray(slot * JOB_STRIDE, (slot + 1) * JOB_STRIDE);
    const kind = job[J_KIND];
    const size = job[J_COUNT];
    const length = kind === TELL ? job[J_BYTES] : 0;
    if (!journal.hasRoom(kind === BATCH ? size : 0, length, own.rows)) save(own, done, false);
    if (kind === BATCH) {
      const note = journal.addClaims.bind(journal);
      const count = own.batch(fetched(claims, job[J_WHAT]), size, job[J_CLOCK], note);
      journal.commitBatch(number, job, count);
    } else if (kind === TELL) {
      // a copy: what comes next may overwrite the ring of bytes
      const bytes = blobs.slice(job[J_AT], job[J_AT] + length);
      const said = tell(own, job, bytes);
      if (size >= 0) journal.touch(size);
      // doors may end anybody's walk, carriers may be gone from under anybody
      else if (shakesAll(METHODS[job[J_WHAT]])) journal.touchAll();
      if (job[J_REPLY] >= 0) reply(job[J_REPLY], said);
      journal.commitTell(number, job, bytes);
    } else if (kind === SWAP) {
      own.swap(fetched(maps, job[J_WHAT]), job[J_CLOCK]);
      for (const old of maps.keys()) if (old < own.common.map) maps.delete(old);
      save(own, number, true);
    } else journal.commitNothing(number);
    if (kind !== TELL || job[J_REPLY] >= 0 || number === Atomics.load(control, HEAD)) ring();
    if (kind === CLOSE) return;
  }
}

function shakesAll(method: Method): boolean {
  return method === 'carrier' || isChange(method);
}

function save(own: Judge, job: number, all: boolean): void {
  own.refresh();
  journal.save(job, own, all);
}

journal.recover(taker);
Atomics.store(control, UP, 1);
ring();
work(judge as unknown as Judge);
