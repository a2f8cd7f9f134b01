// GuardPool: a guard on several threads, with one copy of the map. The main thread says who is where and puts jobs into
// rings; the workers judge. Imported by log/, cli/ and the front of navguard/pool.
//
// One order for all: a job is a batch of claims, one fact, claim or question, or a map; what is called first is first for
// every entity, on whatever worker it is. Facts of all entities (pause, version, progress) and maps go to all workers at that
// place in the order. The clock is one: each job carries what it was before, so verdicts and states are those of one plain
// guard that is called in the same order. What happens when a worker dies is said in journal.ts.
import { serialize } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';
import { NavguardError } from '../errors.ts';
import {
  type BeginClaim,
  type ClaimOptions,
  type Evidence,
  type GuardedMap,
  MoveGuard,
  type Rules,
  type Strategy,
} from '../guard.ts';
import { sharedKernel, shareMap } from '../kernel/shared.ts';
import { NavMap } from '../map.ts';
import { moveFault } from '../rules/claim.ts';
import { FLAGS, LEFT } from '../rules/ledger.ts';
import { plainBegin, plainDirection, plainOptions, plainValue } from '../rules/observer.ts';
import type { Vec3, Verdict } from '../types.ts';
import { claimMemory, PoolClaims } from './claims.ts';
import { type PostedMap, PUT } from './judge.ts';
import { type Job, Lane, type LaneOwner } from './lane.ts';
import {
  BATCH,
  BLOBS,
  CLOSE,
  JOURNAL_BYTES,
  MAX_ENTITIES,
  MAX_WORKERS,
  METHODS,
  type Method,
  SWAP,
  TELL,
} from './layout.ts';
import { ownMap } from './ownmap.ts';
import { LONGEST_WORD, postable } from './plain.ts';
import { type Seat, Seats } from './seats.ts';
import type { PostedClaims } from './worker.ts';

/** A map for a pool: a NavMap or GridMap, or the packed map of `toPack()`. */
export type PoolMap = (Pick<NavMap, 'toPack' | 'info'> & { living?: { revision: number } }) | ArrayBuffer | Uint8Array;

export interface PoolOptions {
  /** Threads, 1..64 (default 2). An entity stays on the one that its id says. */
  workers?: number | undefined;
  /** Claims, facts and questions that may wait (default 65,536). Beyond it calls are refused: `QUEUE_FULL`. */
  queue?: number | undefined;
  /** Entities at most, with those that left within the last 60 s (default 16,384). Memory is taken as they come. */
  entities?: number | undefined;
  /** Claims of a worker between two snapshots of its entities, 1,024..4,194,304 (default 32,768), and of one batch at most. */
  journal?: number | undefined;
  /**
   * The map may change (`area`, `link`, `block`, `unblock`): each thread has a copy of its own then, instead of one for all
   * (default false).
   */
  living?: boolean | undefined;
  /** The clock: milliseconds that never run backwards (default performance.now), as a guard's. */
  now?: (() => number) | undefined;
  /** Told when a worker died, with its number and its error if it had one; the next one is started already. */
  onDeath?: ((worker: number, error: unknown) => void) | undefined;
  /** Limits of each thread, as `worker_threads` has them. */
  resourceLimits?: ResourceLimits | undefined;
  /** Options of Node for each thread. */
  execArgv?: string[] | undefined;
}

/** Who could not stay where it was on the next map. Positions in metres, as the guard counts them. */
export interface Moved {
  readonly id: string;
  readonly from: Vec3;
  readonly to: Vec3;
  /** Number of the correction that its client is to be told. */
  readonly correction: number;
}

/** What a change of maps came to. */
export interface Swapped {
  /** How many maps there were before this one: `PoolClaims.map` of all that is judged on it. */
  readonly map: number;
  readonly moved: Moved[];
}

interface KeptMap {
  readonly posted: PostedMap;
  readonly reports: Float64Array[];
}

export class GuardPool {
  /** The whole rule set in force. */
  readonly rules: Rules;
  readonly workers: number;
  /** Claims, facts and questions that may wait. */
  readonly queue: number;
  /** Whether the map may change. */
  readonly living: boolean;
  readonly #journal: number;
  readonly #entities: number;
  readonly #seats: Seats;
  readonly #lanes: Lane[] = [];
  readonly #bell = new Int32Array(new SharedArrayBuffer(4));
  readonly #now: () => number;
  readonly #claims: PostedClaims[] = [];
  #maps: KeptMap[] = [];
  #mapNumber = 0;
  /** It holds nobody: says what a fact may be, and answers for who is not here. */
  #doorman: MoveGuard;
  /** What replays told riders to be on: entities, as carriers of that rider's own. */
  readonly #riders = new Map<string, string | number>();
  #clock = 0;
  #units = 0;
  #listening = false;
  #failure: NavguardError | undefined;
  #closed: Promise<void> | undefined;
  readonly #roomWanted: { units: number; resolve: () => void; reject: (error: unknown) => void }[] = [];

  /**
   * Starts the threads; resolves when they work. Throws `BAD_RULE`, `BAD_ARGUMENT`, `BAD_FILE` for bytes that are no packed
   * map, `OUT_OF_MEMORY`, and `THREAD_FAILED` when they do not start.
   */
  static async create(
    map: PoolMap,
    rules: Partial<Rules> | Readonly<Record<string, unknown>> = {},
    options: PoolOptions = {},
  ): Promise<GuardPool> {
    const pool = new GuardPool(map, rules, options);
    while (!pool.#lanes.every((lane) => lane.up)) {
      if (pool.#failure !== undefined) throw pool.#failure;
      await rung(pool.#bell, () => !pool.#lanes.every((lane) => lane.up) && pool.#failure === undefined);
    }
    return pool;
  }

  private constructor(map: PoolMap, rules: Partial<Rules> | Readonly<Record<string, unknown>>, options: PoolOptions) {
    checkNames(options);
    this.workers = whole('workers', options.workers ?? 2, 1, MAX_WORKERS);
    this.queue = whole('queue', options.queue ?? 65_536, 1, 2 ** 30);
    this.#entities = whole('entities', options.entities ?? 16_384, 1, MAX_ENTITIES);
    this.#journal = whole('journal', options.journal ?? 32_768, 1024, 2 ** 22);
    if (options.now !== undefined && typeof options.now !== 'function') {
      throw wrong('now', 'a function', typeof options.now);
    }
    if (options.onDeath !== undefined && typeof options.onDeath !== 'function') {
      throw wrong('onDeath', 'a function', typeof options.onDeath);
    }
    if (options.execArgv !== undefined && !isTexts(options.execArgv)) {
      throw wrong('execArgv', 'a list of strings', String(options.execArgv));
    }
    if (options.living !== undefined && typeof options.living !== 'boolean') {
      throw wrong('living', 'true or false', options.living);
    }
    this.living = options.living ?? false;
    this.#now = options.now ?? (() => performance.now());
    this.#seats = new Seats(this.workers, this.#entities);
    this.#doorman = this.#addMap(map, rules, 0);
    this.rules = this.#doorman.rules;
    const owner: LaneOwner = {
      bell: this.#bell,
      threads: { resourceLimits: options.resourceLimits, execArgv: options.execArgv },
      posted: (lane) => ({
        maps: this.#maps.map(({ posted, reports }) => ({ ...posted, report: reports[lane] })),
        claims: this.#claims,
      }),
      died: (lane, error) => options.onDeath?.(lane, error),
      failed: (lane, error) => this.#fail(lane, error),
    };
    const { workers, rules: resolved } = this;
    for (let me = 0; me < workers; me++) {
      this.#lanes.push(new Lane(owner, { me, workers, entities: this.#entities, rules: resolved }, this.#journal));
    }
  }

  /** How many claims, facts and questions are not answered yet. */
  get waiting(): number {
    return this.#units;
  }
  /** How many maps there were before the one that is judged on from now on. */
  get map(): number {
    return this.#mapNumber;
  }

  /**
   * Resolves when so many more claims, facts and questions may be called. What is called at once is not refused then. Throws
   * `BAD_ARGUMENT` for more than `queue`.
   */
  ready(units = 1): Promise<void> {
    if (!(Number.isInteger(units) && units >= 1 && units <= this.queue)) {
      return Promise.reject(wrong('ready: units', `a whole number of 1..${this.queue}`, units));
    }
    const refused = this.#refusal();
    if (refused !== undefined) return Promise.reject(refused);
    if (this.#roomWanted.length === 0 && this.#units + units <= this.queue) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#roomWanted.push({ units, resolve, reject });
    });
  }

  // ---- facts: as those of MoveGuard, with the same checks. Besides, `QUEUE_FULL` and `CLOSED` are thrown. --------------------

  /** See `MoveGuard.enter`. Throws `BAD_ARGUMENT` beyond `entities`. */
  enter(
    id: string,
    entry: { pos: Vec3; speed: number; kind?: string; strategies?: readonly Strategy[]; player?: string },
  ): void {
    const t = this.#tick();
    const known = typeof id === 'string' && id !== '';
    this.#doorman.enter(known ? 'anyone' : id, entry);
    this.#doorman.leave('anyone');
    this.#seats.sweep(t);
    if (this.#seats.full && !this.#seats.has(id)) {
      throw wrong('enter', `at most ${this.#entities} entities (the option entities)`, 'one more');
    }
    const { pos, speed, strategies } = entry;
    this.#mustHaveRoom(1);
    const said = { pos: [...pos], speed, ...(strategies === undefined ? {} : { strategies: [...strategies] }) };
    // before it is given a seat
    const bytes = bytesOf('enter', [said]);
    this.#tell('enter', this.#seats.take(id), bytes);
  }

  /** See `MoveGuard.leave`; so are the others to `progress`. */
  leave(id: string): boolean {
    const t = this.#tick();
    const seat = this.#seats.present(id);
    if (seat === undefined) return false;
    this.#mustHaveRoom(1);
    this.#seats.leave(seat, t);
    this.#riders.delete(id);
    this.#tell('leave', seat, bytesOf('leave', []));
    return true;
  }
  setSpeed(id: string, speed: number): boolean {
    return this.#fact('setSpeed', id, [speed]);
  }
  boost(id: string, speed: number, ms: number): boolean {
    return this.#fact('boost', id, [speed, ms]);
  }
  impulse(id: string, velocity: Vec3, decay: number): boolean {
    return this.#fact('impulse', id, [velocity, decay]);
  }
  grant(id: string, to: Vec3, options: { grant?: string | number; radius?: number; ttl?: number } = {}): boolean {
    return this.#fact('grant', id, [to, { ...options }]);
  }
  teleport(id: string, to: Vec3): boolean {
    return this.#fact('teleport', id, [to]);
  }
  rtt(id: string, ms: number): boolean {
    return this.#fact('rtt', id, [ms]);
  }
  ack(id: string, correction: number): boolean {
    return this.#fact('ack', id, [correction]);
  }
  state(id: string, state: { alive?: boolean; rooted?: boolean; flying?: boolean }): boolean {
    return this.#fact('state', id, [{ ...state }]);
  }
  pause(ms: number): void {
    this.#factOfAll('pause', [ms]);
  }
  version(mapVersion: string): void {
    this.#factOfAll('version', [mapVersion]);
  }
  progress(progress: string | number): void {
    this.#factOfAll('progress', [progress]);
  }

  // ---- doors, obstacles and carriers: every worker sees the change at this place in the order of all calls ------------------

  /** See `MoveGuard.area`; so are `link`, `block` and `unblock`. The pool must be `living`. Throws `BAD_ARGUMENT`. */
  area(area: number, change: { open?: boolean; speed?: number }): void {
    this.#change('area', [area, change]);
  }
  link(link: string | number, open: boolean | 'forward' | 'backward'): void {
    this.#change('link', [link, open]);
  }
  block(obstacle: string | number, shape: Parameters<MoveGuard['block']>[1]): void {
    this.#change('block', [obstacle, shape]);
  }
  unblock(obstacle: string | number): boolean {
    return this.#change('unblock', [obstacle]) === true;
  }

  /** See `MoveGuard.carrier`, without `map`: carriers have a size only. */
  carrier(
    carrier: string | number,
    placed: Omit<NonNullable<Parameters<MoveGuard['carrier']>[1]>, 'map'> | null,
    goneAt?: number,
  ): boolean {
    this.#tick();
    this.#mustHaveRoom(1);
    if (placed !== null && (placed as { map?: unknown } | undefined)?.map !== undefined) {
      throw wrong('carrier: map', 'none in a pool: give its size', 'a map');
    }
    let told = placed;
    if (placed?.rider !== undefined) {
      // in a replay: for its worker the rider has another name
      const seat = this.#seats.present(placed.rider);
      if (seat === undefined) return false;
      this.#riders.set(placed.rider, carrier);
      told = { ...placed, rider: String(seat.serial) };
    }
    const args = told === null ? [carrier, null, goneAt] : [carrier, { ...told }];
    const said = this.#doorman.carrier(carrier, placed, goneAt);
    this.#toAll(this.#told('carrier', -1, 0), bytesOf('carrier', args), 1, () => undefined);
    return said;
  }

  /**
   * See `MoveGuard.attach`. Entities are no carriers in a pool, for they may live on other threads: tell where a driver is by
   * `carrier`, under any name, and attach its passengers to that.
   */
  attach(id: string, carrier: string | number, offset: Vec3): boolean {
    if (this.#doorman.scene.carriers.get(carrier) === undefined && this.#riders.get(id) !== carrier) {
      throw wrong('attach: carrier', 'one that pool.carrier has told (entities are none in a pool)', carrier);
    }
    return this.#fact('attach', id, [carrier, offset]);
  }
  detach(id: string): boolean {
    return this.#fact('detach', id, []);
  }

  #change(method: 'area' | 'link' | 'block' | 'unblock', args: unknown[]): unknown {
    this.#tick();
    if (!this.living) {
      throw wrong(
        method,
        'a pool whose map may change: GuardPool.create(map, rules, { living: true })',
        'one that may not',
      );
    }
    this.#mustHaveRoom(1);
    const bytes = bytesOf(method, args);
    const said = (this.#doorman[method] as (...all: unknown[]) => unknown)(...args);
    this.#toAll(this.#told(method, -1, 0), bytes, 1, () => undefined);
    return said;
  }

  /** See `MoveGuard.restore`; the promise rejects with what that throws. */
  async restore(id: string, kept: Parameters<MoveGuard['restore']>[1]): Promise<void> {
    this.#tick();
    this.#mustHaveRoom(1);
    const { state, ...common } = kept;
    const { path: _, layout: __, carried: ___, ...words } = common;
    const bytes = bytesOf('restore', [state === undefined ? words : kept]);
    let seat: Seat | undefined;
    if (state !== undefined) {
      if (this.#seats.full && !this.#seats.has(id)) {
        throw wrong('restore', `at most ${this.#entities} entities (the option entities)`, 'one more');
      }
      seat = this.#seats.take(id);
      if ((state[FLAGS] & LEFT) !== 0) this.#seats.leave(seat, this.#clock);
    }
    await this.#ask('restore', seat ?? null, bytes, words);
  }

  // ---- claims -------------------------------------------------------------------------------------------------------------------

  /** The number that stands for a present entity in claims, until it leaves; -1 when unknown. */
  slot(id: string): number {
    return this.#seats.present(id)?.handle ?? -1;
  }

  /**
   * Shared memory for up to `capacity` claims, at most `journal` and `queue`. Make it once and use it again and again: its memory
   * lives as long as the pool. Throws `BAD_ARGUMENT`, `OUT_OF_MEMORY`.
   */
  claims(capacity: number): PoolClaims {
    this.#mustBeOpen();
    whole('claims: capacity', capacity, 1, Math.min(this.#journal, this.queue));
    let memory: SharedArrayBuffer;
    try {
      memory = claimMemory(capacity);
    } catch {
      throw new NavguardError('OUT_OF_MEMORY', `claims: no memory for ${capacity} claims`, { capacity });
    }
    const posted = { number: this.#claims.length, memory };
    this.#claims.push(posted);
    for (const lane of this.#lanes) lane.post({ claims: posted });
    return new PoolClaims(memory, posted.number);
  }

  /**
   * Judges the first `n` claims: as `checkBatch` of a plain guard would, at this place in the order of all calls. Resolves when
   * all are answered. Rejects with `BAD_ARGUMENT`, with `QUEUE_FULL` when `n` more may not wait (nothing has happened then:
   * `await pool.ready(n)`), `CLOSED` or `THREAD_FAILED`.
   */
  check(claims: PoolClaims, n: number): Promise<void> {
    const refused = this.#refusal() ?? this.#checkFault(claims, n);
    if (refused !== undefined) return Promise.reject(refused);
    if (n === 0) return Promise.resolve();
    const before = this.#clock;
    const { t } = claims;
    let clock = before;
    for (let i = 0; i < n; i++) if (t[i] > clock && t[i] < Infinity) clock = t[i];
    this.#clock = clock;
    claims.busy = true;
    claims.map = this.#mapNumber;
    return new Promise((resolve, reject) => {
      this.#toAll([BATCH, before, claims.number, n, 0, 0, 0, -1], null, n, () => {
        claims.busy = false;
        if (this.#failure === undefined) resolve();
        else reject(this.#failure);
      });
    });
  }

  /** One move: see `MoveGuard.move`. The verdict is the caller's own. For many moves use `check`. */
  async move(id: string, seq: number, x: number, y: number, z: number, options?: ClaimOptions): Promise<Verdict> {
    this.#tick();
    const plain = options === undefined ? undefined : plainOptions(options);
    const seat = this.#seats.present(id);
    if (seat === undefined) return this.#doorman.move(id, seq, x, y, z, plain).copy();
    const fault = moveFault(id, seq, x, y, z);
    const said = fault === '' ? [seq, x, y, z] : [0, NaN, NaN, NaN];
    if (options !== undefined) said.push(postable(plain) as never);
    return this.#verdict('move', seat, said, fault);
  }

  /** A click: see `MoveGuard.begin`. */
  async begin(id: string, claim: BeginClaim): Promise<Verdict> {
    this.#tick();
    const plain = plainBegin(claim);
    const seat = this.#seats.present(id);
    if (seat === undefined) return this.#doorman.begin(id, plain as never).copy();
    return this.#verdict('begin', seat, [postable(plain)], '');
  }

  /** A stick held: see `MoveGuard.input`. */
  async input(
    id: string,
    seq: number,
    dir: ArrayLike<number>,
    ms: number,
    options?: Pick<ClaimOptions, 'mapVersion' | 'progress'>,
  ): Promise<Verdict> {
    this.#tick();
    const plain = options === undefined ? undefined : plainOptions(options);
    const held = plainDirection(dir);
    const seat = this.#seats.present(id);
    if (seat === undefined) return this.#doorman.input(id, seq, held as number[], ms, plain).copy();
    const said = [postable(plainValue(seq)), postable(held), postable(plainValue(ms))];
    if (options !== undefined) said.push(postable(plain));
    return this.#verdict('input', seat, said, '');
  }

  // ---- questions: answered at their place in the order of all calls -------------------------------------------------------------

  /** See `MoveGuard.positionAt`, `score` and `evidence`; null when unknown. */
  positionAt(id: string, t?: number): Promise<[number, number, number] | null> {
    return this.#question('positionAt', id, t === undefined ? [] : [t]);
  }
  score(id: string): Promise<number | null> {
    return this.#question('score', id, []);
  }
  evidence(id: string): Promise<Evidence | null> {
    return this.#question('evidence', id, []);
  }

  // ---- the map, and the end --------------------------------------------------------------------------------------------------------

  /**
   * Judges on another map from this place in the order of all calls on: what was called before is judged on the old map, what is
   * called after on the new one (`PoolClaims.map` says which). Entities are kept: see `MoveGuard.swap`; who could not stay is in the
   * answer, and is to be told. `mapVersion`: as by `version`, at the same place.
   */
  async swap(map: PoolMap, options: { mapVersion?: string } = {}): Promise<Swapped> {
    this.#tick();
    const { mapVersion } = options;
    this.#mustHaveRoom(mapVersion === undefined ? 1 : 2);
    if (mapVersion !== undefined) this.#checkWords('version', mapVersion);
    const number = this.#mapNumber + 1;
    this.#doorman = this.#addMap(map, this.rules, number);
    // a map that is none has changed nothing
    this.#mapNumber = number;
    const { posted, reports } = this.#maps[this.#maps.length - 1];
    this.#lanes.forEach((lane, i) => {
      lane.post({ map: { ...posted, report: reports[i] } });
    });
    const ids = this.#seats.ids();
    return new Promise((resolve, reject) => {
      this.#toAll([SWAP, this.#clock, number, 0, 0, 0, 0, -1], null, 1, () => {
        this.#maps = this.#maps.filter((kept) => kept.posted.number >= number);
        if (this.#failure === undefined) resolve({ map: number, moved: movedOf(reports, ids) });
        else reject(this.#failure);
      });
      if (mapVersion !== undefined) this.version(mapVersion);
    });
  }

  /** Ends the threads when all that was called is answered. Calls after it throw `CLOSED`; a second `close` waits for the first. */
  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    for (const { reject } of this.#roomWanted.splice(0)) reject(closedError());
    if (this.#failure !== undefined) return;
    const ends = this.#lanes.map((lane) => lane.close());
    this.#toAll([CLOSE, this.#clock, 0, 0, 0, 0, 0, -1], null, 0, () => undefined);
    await Promise.all(ends);
  }

  /** @internal The thread of each worker, for tests that end one. */
  threads(): import('node:worker_threads').Worker[] {
    return this.#lanes.map((lane) => lane.worker);
  }

  // ---- within ------------------------------------------------------------------------------------------------------------------------

  /** The clock now: it never steps back. */
  #tick(): number {
    this.#mustBeOpen();
    const now = this.#now();
    if (now > this.#clock && now < Infinity) this.#clock = now;
    return this.#clock;
  }

  #fact(
    method: 'setSpeed' | 'boost' | 'impulse' | 'grant' | 'teleport' | 'rtt' | 'ack' | 'state' | 'attach' | 'detach',
    id: string,
    args: unknown[],
  ): boolean {
    this.#tick();
    (this.#doorman[method] as (...all: unknown[]) => boolean)(id, ...args);
    const seat = this.#seats.present(id);
    if (seat === undefined) return false;
    this.#mustHaveRoom(1);
    this.#tell(method, seat, bytesOf(method, args));
    return true;
  }

  #factOfAll(method: 'pause' | 'version' | 'progress', args: unknown[]): void {
    this.#tick();
    this.#checkWords(method, args[0]);
    this.#mustHaveRoom(1);
    this.#toAll(this.#told(method, -1, 0), bytesOf(method, args), 1, () => undefined);
  }

  #checkWords(method: 'pause' | 'version' | 'progress', word: unknown): void {
    (this.#doorman[method] as (word: unknown) => void)(word);
    if (typeof word === 'string' && word.length > LONGEST_WORD) {
      throw wrong(method, `at most ${LONGEST_WORD} characters`, word.length);
    }
  }

  #told(method: Method, row: number, serial: number): number[] {
    return [TELL, this.#clock, METHODS.indexOf(method), row, serial, 0, 0, -1];
  }

  #tell(method: Method, seat: Seat, bytes: Uint8Array): void {
    const numbers = this.#told(method, seat.row, seat.serial);
    this.#push(seat.owner, { numbers, bytes, units: 1, asks: false, done: () => this.#free(1) });
  }

  /** Asks the worker of a seat, or all of them, and answers with what the guard said. */
  #ask(method: Method, seat: Seat | null, bytes: Uint8Array, words?: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const done = (said: unknown[] | null): void => {
        this.#free(1);
        if (said === null) reject(this.#failure);
        else if (said[0] === 0) resolve(said[1]);
        else reject(new NavguardError(said[1] as never, said[2] as string, said[3] as never));
      };
      const owner = seat?.owner ?? 0;
      const numbers = this.#told(method, seat?.row ?? -1, seat?.serial ?? 0);
      this.#push(owner, { numbers, bytes, units: 1, asks: true, done });
      // what it says of all entities is said to the other workers too
      if (words === undefined) return;
      const common = bytesOf('restore', [words]);
      this.#lanes.forEach((_, lane) => {
        if (lane === owner) return;
        const job = { numbers: this.#told(method, -1, 0), bytes: common, units: 1, asks: false };
        this.#push(lane, { ...job, done: () => this.#free(1) });
      });
    });
  }

  async #verdict(method: Method, seat: Seat, args: unknown[], fault: string): Promise<Verdict> {
    this.#mustHaveRoom(1);
    const fields = (await this.#ask(method, seat, bytesOf(method, args))) as Omit<Verdict, 'copy'>;
    return verdictOf(fault === '' ? fields : { ...fields, detail: fault });
  }

  async #question<T>(method: Method, id: string, args: unknown[]): Promise<T | null> {
    this.#tick();
    const seat = this.#seats.present(id);
    if (seat === undefined) return null;
    this.#mustHaveRoom(1);
    return (await this.#ask(method, seat, bytesOf(method, args))) as T;
  }

  /** Puts a job into all rings; `done` is called once, when all workers have done it. */
  #toAll(numbers: number[], bytes: Uint8Array | null, units: number, done: () => void): void {
    let left = this.#lanes.length;
    const one = (): void => {
      if (--left > 0) return;
      this.#free(units);
      done();
    };
    this.#units += units;
    for (const lane of this.#lanes) lane.push({ numbers, bytes, units: 0, asks: false, done: one });
    this.#listen();
  }

  #push(lane: number, job: Job): void {
    this.#units += job.units;
    this.#lanes[lane].push(job);
    this.#listen();
  }

  #free(units: number): void {
    this.#units -= units;
    while (this.#roomWanted.length > 0 && this.#units + this.#roomWanted[0].units <= this.queue) {
      this.#roomWanted.shift()?.resolve();
    }
  }

  /** Collects answers as long as any are open. */
  async #listen(): Promise<void> {
    if (this.#listening) return;
    this.#listening = true;
    while (this.#lanes.some((lane) => lane.open > 0)) {
      const seen = Atomics.load(this.#bell, 0);
      for (const lane of this.#lanes) lane.collect();
      if (this.#lanes.some((lane) => lane.open > 0))
        await rung(this.#bell, () => Atomics.load(this.#bell, 0) === seen, seen);
    }
    this.#listening = false;
  }

  #fail(lane: number, error: unknown): void {
    if (this.#failure !== undefined) return;
    const what = error instanceof Error ? error.message : String(error);
    this.#failure = new NavguardError('THREAD_FAILED', `worker ${lane} died again and again at the same job: ${what}`, {
      worker: lane,
      error,
    });
    for (const other of this.#lanes) void other.stop();
    for (const { reject } of this.#roomWanted.splice(0)) reject(this.#failure);
    Atomics.add(this.#bell, 0, 1);
    Atomics.notify(this.#bell, 0);
  }

  #refusal(): NavguardError | undefined {
    return this.#closed !== undefined ? closedError() : this.#failure;
  }
  #mustBeOpen(): void {
    const refused = this.#refusal();
    if (refused !== undefined) throw refused;
  }
  #mustHaveRoom(units: number): void {
    if (this.#units + units > this.queue) throw this.#fullError(units);
  }
  #fullError(units: number): NavguardError {
    const message = `the queue is full: expected at most ${this.queue} waiting, got ${this.#units} and ${units} more`;
    return new NavguardError('QUEUE_FULL', message, { queue: this.queue, waiting: this.#units, got: units });
  }

  #checkFault(claims: PoolClaims, n: number): NavguardError | undefined {
    if (!(claims instanceof PoolClaims && this.#claims[claims.number]?.memory === claims.seq.buffer)) {
      return wrong('check: claims', 'claims of this pool (pool.claims)', typeof claims);
    }
    if (!(Number.isInteger(n) && n >= 0 && n <= claims.capacity)) {
      return wrong('check: n', `a whole number of 0..${claims.capacity}`, n);
    }
    if (claims.busy) return wrong('check: claims', 'claims that are answered', 'claims that are being judged');
    return this.#units + n > this.queue ? this.#fullError(n) : undefined;
  }

  /** Puts a map into a memory of its own and makes the guard that stands at the door. */
  #addMap(map: PoolMap, rules: Partial<Rules> | Readonly<Record<string, unknown>>, number: number): MoveGuard {
    const { pack, info } = packOf(map);
    const { format, hash } = info;
    const about = { number, info: { format, hash }, report: new Float64Array(0) };
    let posted: PostedMap;
    let doors: GuardedMap;
    if (this.living) {
      const bytes = new SharedArrayBuffer(pack.byteLength);
      new Uint8Array(bytes).set(new Uint8Array(pack));
      posted = { ...about, shared: null, pack: bytes };
      doors = ownMap(pack, about.info);
    } else {
      const shared = shareMap(pack, this.workers + 1);
      posted = { ...about, shared, pack: null };
      doors = { kernel: sharedKernel(shared, this.workers, false), info: about.info };
    }
    const doorman = number === 0 ? new MoveGuard(doors, rules, { now: () => this.#clock }) : this.#doorman;
    // (on the way to another map the carriers stay)
    if (number > 0) doorman.swap(doors);
    const reports = Array.from({ length: this.workers }, (_, lane) => reportFor(this.#seats.count(lane)));
    this.#maps.push({ posted, reports });
    return doorman;
  }
}

/** Arguments as they are posted. What a ring, or a journal, could never hold would stop everything behind it. */
function bytesOf(method: Method, args: unknown[]): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = serialize(args);
  } catch (error) {
    throw wrong(method, 'values that can be posted to a thread', (error as Error).message);
  }
  const most = Math.min(BLOBS, JOURNAL_BYTES);
  if (bytes.length > most) throw wrong(method, `at most ${most} bytes in all`, bytes.length);
  return bytes;
}

function reportFor(entities: number): Float64Array {
  return new Float64Array(new SharedArrayBuffer(8 * (1 + PUT * entities)));
}

function movedOf(reports: readonly Float64Array[], ids: ReadonlyMap<number, string>): Moved[] {
  const moved: Moved[] = [];
  for (const report of reports) {
    for (let i = 0; i < report[0]; i++) {
      const [handle, a, b, c, d, e, f, correction] = report.subarray(1 + PUT * i, 1 + PUT * (i + 1));
      moved.push({ id: ids.get(handle) ?? '', from: [a, b, c], to: [d, e, f], correction });
    }
  }
  return moved;
}

function packOf(map: PoolMap): { pack: ArrayBuffer; info: { format: string; hash: string } } {
  const changed = (map as { living?: { revision: number } }).living?.revision ?? 0;
  if (changed > 0) {
    throw wrong(
      'map',
      'a map as it was loaded (tell its changes to the pool: area, link, block)',
      'one that was changed',
    );
  }
  if (typeof (map as NavMap)?.toPack === 'function')
    return { pack: (map as NavMap).toPack(), info: (map as NavMap).info };
  const loaded = NavMap.fromPack(map as ArrayBuffer);
  return { pack: loaded.toPack(), info: loaded.info };
}

function verdictOf(fields: Omit<Verdict, 'copy'>): Verdict {
  return Object.defineProperty({ ...fields }, 'copy', { value: () => verdictOf(fields) }) as unknown as Verdict;
}

/** Resolves when the bell rings, unless it has rung since `seen`. (ES2023 has no types for waitAsync; Node has it since 16.) */
async function rung(bell: Int32Array, still: () => boolean, seen = Atomics.load(bell, 0)): Promise<void> {
  if (!still()) return;
  const { waitAsync } = Atomics as unknown as {
    waitAsync(on: Int32Array, at: number, value: number): { async: boolean; value: Promise<string> | string };
  };
  await waitAsync(bell, 0, seen).value;
}

function closedError(): NavguardError {
  return new NavguardError('CLOSED', 'the pool is closed: expected no call after close');
}

function wrong(what: string, expected: string, got: unknown): NavguardError {
  const shown = typeof got === 'string' ? got : String(got);
  return new NavguardError('BAD_ARGUMENT', `${what}: expected ${expected}, got ${shown}`, { got, expected });
}

function whole(name: string, value: unknown, least: number, most: number): number {
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
  throw wrong(name, `a whole number of ${least}..${most}`, value);
}

const OPTIONS: Readonly<Record<keyof PoolOptions, true>> = {
  workers: true,
  living: true,
  queue: true,
  entities: true,
  journal: true,
  now: true,
  onDeath: true,
  resourceLimits: true,
  execArgv: true,
};

/** A name that was typed wrong would be an option that nobody set. */
function checkNames(options: PoolOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(OPTIONS, name)) throw wrong('options', `one of ${Object.keys(OPTIONS).join(', ')}`, name);
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}
