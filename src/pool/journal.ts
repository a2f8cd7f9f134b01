// What a worker has committed, so that another one can go on from there when it dies. Imported by worker.ts.
//
// There are two sides, each a snapshot of all entities after some job, and one journal of the jobs since the side that counts.
// Invariants, at every moment (a thread may die between any two instructions):
//   1. The state after job DONE is the snapshot of side ACTIVE, and then the RECORDS[ACTIVE] first jobs of the journal with
//      numbers up to DONE, done again in their order. (The guard is deterministic: time and order are part of the jobs.)
//   2. A job's results stand before DONE counts it, and nobody reads them before. The jobs after DONE are in the ring still.
// What keeps them: a job is committed by one store to DONE, after its record stands in the journal; records behind DONE do not
// count. A snapshot is written to the other side, whose count of records is put to 0 first, and counts by one store to ACTIVE:
// from then on the journal holds nothing, and is written again from its beginning; until then nothing in it has been touched.
// A job that changes all entities at once (a map) ends with a snapshot instead of a record: DONE is then at least the
// snapshot's job. So a job is done again exactly when its results were never seen, with the same results.
//
// A snapshot is taken as soon as claims in number of NOTES_PER_ROW for each row are noted, for then it costs little beside
// them; the journal takes the memory of no more.

import type { Claims } from '../rules/claims.ts';
import * as L from '../rules/ledger.ts';
import {
  ACTIVE,
  BATCH,
  DONE,
  growRest,
  J_AT,
  J_BYTES,
  J_COUNT,
  J_KIND,
  JOB_STRIDE,
  JOURNAL_BYTES,
  JOURNAL_RECORDS,
  type Notes,
  RECORD_STRIDE,
  RECORDS,
  ROW,
  S_CLOCK,
  S_JOB,
  S_MAP,
  S_PAUSE_MS,
  S_PAUSE_UNTIL,
  S_ROWS,
  type Shared,
  type Side,
} from './layout.ts';

/** Claims that are noted for each row before the next snapshot: copying a row takes as long as judging a part of one claim. */
const NOTES_PER_ROW = 32;
const NOTES_LEAST = 1024;

/** What all entities of a worker share. */
export interface Common {
  /** The guard's clock, ms. */
  clock: number;
  pauseMs: number;
  pauseUntil: number;
  /** Number of the map. */
  map: number;
  mapVersion: string | null;
  progress: string | null;
  /** Doors, obstacles and carriers: see world.ts. */
  world: Uint8Array | null;
}

/** Where the entities are that a snapshot is taken of. */
export interface Kept {
  readonly common: Common;
  /** Serial number of each row, 0 = none. */
  readonly serials: ArrayLike<number>;
  /** Rows in use. */
  readonly rows: number;
  readonly ledger: L.Ledger;
  /** Offset of the numbers of a row's entity, -1 when it is forgotten. */
  offsetOf(row: number): number;
}

/** Who takes a state in: first what all share, then each entity. */
export interface Taker {
  begin(common: Common): void;
  entity(row: number, serial: number, numbers: Float64Array): void;
  path(row: number, corners: Float64Array): void;
  /** Does a job again: a record is a job, `bytes` its arguments. */
  batch(record: Float64Array, notes: Notes): void;
  tell(record: Float64Array, bytes: Uint8Array): void;
}

export class Journal {
  readonly #shared: Shared;
  /** Number of the interval between snapshots, and in which of them each row was touched last. */
  #interval = 2;
  readonly #touched: Uint32Array;
  #records = 0;
  #claims = 0;
  #bytes = 0;

  constructor(shared: Shared, entities: number) {
    this.#shared = shared;
    this.#touched = new Uint32Array(entities);
  }

  /** Brings the state after the last committed job to `taker`. */
  recover(taker: Taker): void {
    const { control, sides, notes } = this.#shared;
    const active = Atomics.load(control, ACTIVE);
    const side = sides[active];
    const job = side.head[S_JOB];
    // died between the snapshot of a map and its commit
    if (((job - Atomics.load(control, DONE)) | 0) > 0) Atomics.store(control, DONE, job);
    const done = Atomics.load(control, DONE);
    readSnapshot(side, taker);
    // what the other side's snapshot holds is not known: all rows are written next time
    this.#touched.fill(this.#interval);
    const written = Atomics.load(control, RECORDS + active);
    for (; this.#records < written; this.#records++) {
      const at = this.#records * RECORD_STRIDE;
      const record = notes.records.subarray(at, at + RECORD_STRIDE);
      if (((record[JOB_STRIDE] - done) | 0) > 0) break;
      const first = record[J_AT];
      if (record[J_KIND] === BATCH) {
        this.#claims = first + record[J_COUNT];
        taker.batch(record, notes);
      } else {
        this.#bytes = first + record[J_BYTES];
        taker.tell(record, notes.bytes.slice(first, this.#bytes));
      }
    }
  }

  /** Whether a job of so many claims and bytes should be noted, with `rows` in use. If not, take a snapshot before it. */
  hasRoom(claims: number, bytes: number, rows: number): boolean {
    const most = Math.min(this.#shared.notes.seq.length, Math.max(NOTES_LEAST, NOTES_PER_ROW * rows));
    return (
      this.#records < JOURNAL_RECORDS &&
      // (an empty journal has room for any batch)
      (this.#claims === 0 || this.#claims + claims <= most) &&
      this.#bytes + bytes <= JOURNAL_BYTES
    );
  }

  /** The next snapshot writes this row. */
  touch(row: number): void {
    this.#touched[row] = this.#interval;
  }

  /** ...and all others. */
  touchAll(): void {
    this.#touched.fill(this.#interval);
  }

  /** Notes claims of the job at hand; `rows` are theirs, -1 = nobody's. */
  addClaims(rows: Int32Array, claims: Claims, n: number): void {
    const { notes } = this.#shared;
    const at = this.#claims;
    notes.entity.set(rows.subarray(0, n), at);
    notes.seq.set(claims.seq.subarray(0, n), at);
    notes.pos.set(claims.pos.subarray(0, 3 * n), 3 * at);
    notes.t.set(claims.t.subarray(0, n), at);
    this.#claims = at + n;
    for (let i = 0; i < n; i++) if (rows[i] >= 0) this.#touched[rows[i]] = this.#interval;
  }

  /** Notes and commits a BATCH whose last `count` claims were added. */
  commitBatch(job: number, jobs: Float64Array, count: number): void {
    const at = this.#note(job, jobs);
    const { records } = this.#shared.notes;
    records[at + J_AT] = this.#claims - count;
    records[at + J_COUNT] = count;
    this.#commit(job);
  }

  /** Notes and commits a TELL. */
  commitTell(job: number, jobs: Float64Array, bytes: Uint8Array): void {
    const at = this.#note(job, jobs);
    const { notes } = this.#shared;
    notes.bytes.set(bytes, this.#bytes);
    notes.records[at + J_AT] = this.#bytes;
    this.#bytes += bytes.length;
    this.#commit(job);
  }

  /** Commits a job that changed nothing. */
  commitNothing(job: number): void {
    Atomics.store(this.#shared.control, DONE, job);
  }

  /** Takes a snapshot after `job`, which commits that job. With `all`, of all rows, whether touched or not. */
  save(job: number, kept: Kept, all: boolean): void {
    const { control, sides } = this.#shared;
    const next = 1 - Atomics.load(control, ACTIVE);
    writeSnapshot(sides[next], job, kept, all ? null : this.#touched, this.#interval - 1);
    Atomics.store(control, RECORDS + next, 0);
    Atomics.store(control, ACTIVE, next);
    this.#records = 0;
    this.#claims = 0;
    this.#bytes = 0;
    this.#interval++;
    if (all) this.#touched.fill(this.#interval);
    Atomics.store(control, DONE, job);
  }

  #note(job: number, jobs: Float64Array): number {
    const { records } = this.#shared.notes;
    const at = this.#records * RECORD_STRIDE;
    records.set(jobs, at);
    records[at + JOB_STRIDE] = job;
    return at;
  }

  #commit(job: number): void {
    const { control } = this.#shared;
    this.#records++;
    Atomics.store(control, RECORDS + Atomics.load(control, ACTIVE), this.#records);
    Atomics.store(control, DONE, job);
  }
}

/** Writes the rows touched since `since`, all when `touched` is null, and what is rare: paths and words. */
function writeSnapshot(side: Side, job: number, kept: Kept, touched: Uint32Array | null, since: number): void {
  const { rows, head } = side;
  const { common, ledger, serials } = kept;
  const { f } = ledger;
  let walking = 0;
  let size = 0;
  for (let row = 0; row < kept.rows; row++) {
    const at = row * ROW;
    const o = serials[row] === 0 ? -1 : kept.offsetOf(row);
    if (o < 0) {
      rows[at] = 0;
      continue;
    }
    if ((f[o + L.FLAGS] & L.WALKING) !== 0) {
      walking++;
      size += 2 + L.CORNER * f[o + L.PATH_CORNERS];
    }
    if (touched !== null && touched[row] < since && rows[at] === serials[row]) continue;
    rows[at] = serials[row];
    for (let k = 0; k < L.STRIDE; k++) rows[at + 1 + k] = f[o + k];
  }
  writeRest(side, kept, walking, size);
  head[S_JOB] = job;
  head[S_CLOCK] = common.clock;
  head[S_PAUSE_MS] = common.pauseMs;
  head[S_PAUSE_UNTIL] = common.pauseUntil;
  head[S_MAP] = common.map;
  head[S_ROWS] = kept.rows;
}

/**
 * Words (length + 1 or 0 for none, characters), the bytes of the world (length + 1 or 0 for none, bytes in whole numbers of
 * eight), then how many paths, then each: row, numbers, corners.
 */
function writeRest(side: Side, kept: Kept, walking: number, size: number): void {
  const { ledger, serials } = kept;
  const words = [kept.common.mapVersion, kept.common.progress];
  const { world } = kept.common;
  const worldSize = world === null ? 0 : Math.ceil(world.length / 8);
  const most = words.reduce((sum, word) => sum + 1 + (word?.length ?? 0), 2) + worldSize + size;
  growRest(side.rest, 8 * most);
  const rest = new Float64Array(side.rest, 0, most);
  let at = 0;
  for (const word of words) {
    rest[at++] = word === null ? 0 : word.length + 1;
    for (let k = 0; k < (word?.length ?? 0); k++) rest[at++] = (word as string).charCodeAt(k);
  }
  rest[at++] = world === null ? 0 : world.length + 1;
  if (world !== null) new Uint8Array(side.rest, 8 * at, world.length).set(world);
  at += worldSize;
  rest[at++] = walking;
  if (walking === 0) return;
  for (let row = 0; row < kept.rows; row++) {
    const o = serials[row] === 0 ? -1 : kept.offsetOf(row);
    if (o < 0 || (ledger.f[o + L.FLAGS] & L.WALKING) === 0) continue;
    const numbers = L.CORNER * ledger.f[o + L.PATH_CORNERS];
    rest[at++] = row;
    rest[at++] = numbers;
    const path = ledger.paths[o / L.STRIDE];
    for (let k = 0; k < numbers; k++) rest[at++] = path?.[k] ?? 0;
  }
}

function readSnapshot({ head, rows, rest: bytes }: Side, taker: Taker): void {
  // a side that was never written says: no words, no paths
  const rest = new Float64Array(bytes);
  let at = 0;
  const word = (): string | null => {
    const length = rest[at++] - 1;
    if (length < 0) return null;
    let text = '';
    for (let k = 0; k < length; k++) text += String.fromCharCode(rest[at++]);
    return text;
  };
  const mapVersion = word();
  const progress = word();
  const length = rest[at++] - 1;
  const world = length < 0 ? null : new Uint8Array(bytes, 8 * at, length).slice();
  at += Math.max(0, Math.ceil(length / 8));
  taker.begin({
    ...{ clock: head[S_CLOCK], pauseMs: head[S_PAUSE_MS], pauseUntil: head[S_PAUSE_UNTIL], map: head[S_MAP] },
    ...{ mapVersion, progress, world },
  });
  for (let row = 0; row < head[S_ROWS]; row++) {
    const serial = rows[row * ROW];
    if (serial !== 0) taker.entity(row, serial, rows.subarray(row * ROW + 1, (row + 1) * ROW));
  }
  for (let paths = rest[at++]; paths > 0; paths--) {
    const row = rest[at++];
    const numbers = rest[at++];
    taker.path(row, rest.subarray(at, at + numbers));
    at += numbers;
  }
}
