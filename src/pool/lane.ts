// The main thread's end of one worker: puts jobs into its ring, takes answers out, and starts the next worker when one dies.
// Imported by pool.ts.
import { deserialize } from 'node:v8';
import { MessageChannel, type MessagePort, type ResourceLimits, SHARE_ENV, Worker } from 'node:worker_threads';
import type { PostedMap, Setting } from './judge.ts';
import {
  BLOBS,
  DONE,
  HEAD,
  J_AT,
  J_BYTES,
  J_KIND,
  J_REPLY,
  JOB_STRIDE,
  REPLIES,
  REPLY_BYTES,
  RING,
  type Shared,
  shareLane,
  TELL,
  UP,
} from './layout.ts';
import type { Mail, PostedClaims, WorkerStart } from './worker.ts';

/** How threads are started: see worker_threads. */
export interface ThreadOptions {
  readonly resourceLimits?: ResourceLimits | undefined;
  readonly execArgv?: string[] | undefined;
}

/** A job on its way: the eight numbers of layout.ts, its bytes, and who waits for it. */
export interface Job {
  readonly numbers: readonly number[];
  readonly bytes: Uint8Array | null;
  /** What it takes of the pool's bound. */
  readonly units: number;
  /** Whether an answer is wanted. */
  readonly asks: boolean;
  /** Called when it is committed, with the answer. */
  done(said: unknown[] | null): void;
}

/** What a lane tells its pool. */
export interface LaneOwner {
  readonly bell: Int32Array;
  readonly threads: ThreadOptions;
  /** All that a new worker has to know. */
  posted(lane: number): { maps: PostedMap[]; claims: PostedClaims[] };
  /** A worker died; the next one is being started. */
  died(lane: number, error: unknown): void;
  /** It died as often as it is tried, always at the same job. */
  failed(lane: number, error: unknown): void;
}

/** Judging leaves next to no garbage: more room for it would only be memory taken. */
export const LIMITS: ResourceLimits = { maxYoungGenerationSizeMb: 1 };

/** A job that kills so many workers in a row with an error is given up. */
const STRIKES = 5;

/** A list that is taken from at the front. */
class Fifo<T> {
  #items: (T | undefined)[] = [];
  #first = 0;
  get length(): number {
    return this.#items.length - this.#first;
  }
  push(item: T): void {
    this.#items.push(item);
  }
  first(): T | undefined {
    return this.#items[this.#first];
  }
  shift(): T | undefined {
    const item = this.#items[this.#first];
    this.#items[this.#first++] = undefined;
    if (this.#first === this.#items.length || this.#first > 4096) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }
}

/** A job in the ring, and what it takes there. */
interface Pushed {
  readonly job: Job;
  /** Bytes of the ring that are free again when it is done. */
  readonly bytes: number;
  readonly reply: number;
}

export class Lane {
  readonly number: number;
  worker: Worker;
  readonly #owner: LaneOwner;
  readonly #setting: Setting;
  readonly #journal: number;
  readonly shared: Shared;
  #port: MessagePort;
  readonly #pushed = new Fifo<Pushed>();
  /** Jobs for which there is no room yet. */
  readonly #waiting = new Fifo<Job>();
  #seen = 0;
  #at = 0;
  #used = 0;
  #replies = 0;
  #replyAt = 0;
  #closing = false;
  #failed = false;
  #strikes = 0;
  #struckAt = 0;
  #error: unknown;
  readonly #closed: Promise<void>;
  #close: () => void = () => undefined;

  constructor(owner: LaneOwner, setting: Setting, journal: number) {
    this.number = setting.me;
    this.#owner = owner;
    this.#setting = setting;
    this.#journal = journal;
    this.shared = shareLane(setting.entities, journal);
    this.#closed = new Promise((resolve) => {
      this.#close = resolve;
    });
    [this.worker, this.#port] = this.#start(false);
  }

  /** Whether its worker has begun to work. */
  get up(): boolean {
    return Atomics.load(this.shared.control, UP) === 1;
  }
  /** Jobs that are not committed. */
  get open(): number {
    return this.#pushed.length + this.#waiting.length;
  }

  post(letter: Mail): void {
    this.#port.postMessage(letter);
  }

  push(job: Job): void {
    if (this.#waiting.length > 0 || !this.#put(job)) this.#waiting.push(job);
  }

  /** Takes the answers of what is committed, in its order, and puts in what waited. */
  collect(): void {
    const done = Atomics.load(this.shared.control, DONE);
    while (this.#seen !== done) {
      this.#seen = (this.#seen + 1) | 0;
      const { job, bytes, reply } = this.#pushed.shift() as Pushed;
      this.#used -= bytes;
      if (this.#used === 0) this.#at = 0;
      const said = reply < 0 ? null : this.#reply(reply);
      job.done(said);
    }
    for (let job = this.#waiting.first(); job !== undefined && this.#put(job); job = this.#waiting.first()) {
      this.#waiting.shift();
    }
  }

  /** No more jobs: resolves when the worker has ended. The last job was CLOSE. */
  close(): Promise<void> {
    this.#closing = true;
    return this.#closed;
  }

  /** Ends the worker wherever it is, and starts no other. */
  async stop(): Promise<void> {
    this.#failed = true;
    await this.worker.terminate();
    for (let pushed = this.#pushed.shift(); pushed !== undefined; pushed = this.#pushed.shift()) pushed.job.done(null);
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) job.done(null);
    // a close that was under way has come to its end, too
    this.#close();
  }

  /** Puts a job into the ring; false when there is no room. */
  #put(job: Job): boolean {
    const { control, jobs, blobs } = this.shared;
    if (this.#pushed.length === RING || (job.asks && this.#replies === REPLIES)) return false;
    const size = job.bytes?.length ?? 0;
    // one piece: what is left before the end of the ring is skipped
    const skipped = this.#at + size > BLOBS ? BLOBS - this.#at : 0;
    if (this.#used + skipped + size > BLOBS) return false;
    const number = (Atomics.load(control, HEAD) + 1) | 0;
    const slot = (number & (RING - 1)) * JOB_STRIDE;
    jobs.set(job.numbers, slot);
    let reply = -1;
    if (jobs[slot + J_KIND] === TELL) {
      const at = skipped > 0 ? 0 : this.#at;
      if (job.bytes !== null) blobs.set(job.bytes, at);
      this.#at = at + size;
      this.#used += skipped + size;
      if (job.asks) {
        reply = this.#replyAt;
        this.#replyAt = (this.#replyAt + 1) % REPLIES;
        this.#replies++;
      }
      jobs[slot + J_AT] = at;
      jobs[slot + J_BYTES] = size;
      jobs[slot + J_REPLY] = reply;
    }
    this.#pushed.push({ job, bytes: skipped + size, reply });
    Atomics.store(control, HEAD, number);
    Atomics.notify(control, HEAD);
    return true;
  }

  #reply(slot: number): unknown[] {
    const { replies } = this.shared;
    const at = slot * REPLY_BYTES;
    const length = new DataView(replies.buffer).getUint32(at, true);
    // from the beginning again: memory that was never written takes no room
    if (--this.#replies === 0) this.#replyAt = 0;
    return deserialize(replies.slice(at + 4, at + 4 + length)) as unknown[];
  }

  #start(again: boolean): [Worker, MessagePort] {
    const { port1, port2 } = new MessageChannel();
    const { maps, claims } = this.#owner.posted(this.number);
    const { bell, threads } = this.#owner;
    const start: WorkerStart = {
      ...{ setting: this.#setting, shared: this.shared, bell, mail: port2, maps, claims, again },
      journal: this.#journal,
    };
    const worker = new Worker(new URL('./worker.cjs', import.meta.url), {
      workerData: start,
      transferList: [port2],
      env: SHARE_ENV,
      trackUnmanagedFds: false,
      name: `navguard pool ${this.number}`,
      ...(threads.execArgv === undefined ? {} : { execArgv: threads.execArgv }),
      resourceLimits: { ...LIMITS, ...threads.resourceLimits },
    });
    this.#error = undefined;
    worker.on('error', (error) => {
      this.#error = error;
    });
    worker.on('exit', () => this.#ended());
    return [worker, port1];
  }

  #ended(): void {
    this.#port.close();
    if (this.#failed) return;
    const done = Atomics.load(this.shared.control, DONE);
    if (this.#closing && this.#waiting.length === 0 && done === Atomics.load(this.shared.control, HEAD)) {
      this.#close();
      return;
    }
    // a thread that is ended from outside is nobody's fault
    if (this.#error !== undefined) {
      this.#strikes = this.#struckAt === done ? this.#strikes + 1 : 1;
      this.#struckAt = done;
    }
    if (this.#strikes >= STRIKES) {
      this.#failed = true;
      this.#owner.failed(this.number, this.#error);
      return;
    }
    this.#owner.died(this.number, this.#error);
    Atomics.store(this.shared.control, UP, 0);
    [this.worker, this.#port] = this.#start(true);
  }
}
