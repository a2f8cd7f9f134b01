// A replay by a pool: what the log says goes to the workers in the log's order, and verdicts are counted in that order when they
// come. Verdicts, states and errors are those of a replay by one guard. Imported by audit.ts, when there are workers.
//
// Order: a fact, or a claim that is no plain move, ends the batch of moves before it. Facts of all entities (pause, version,
// progress) stand at the same place for every worker: see pool/pool.ts.
import { NavguardError } from '../errors.ts';
import type { NavMap } from '../map.ts';
import { GuardPool, type PoolClaims } from '../pool/index.ts';
import type { ReasonCode, VerdictCode } from '../reasons.ts';
import { moveFault } from '../rules/claim.ts';
import { ReusedVerdict, V_ALLOWED, V_LENGTH, V_SCORE, V_STRAIGHT, V_USED, V_X, V_Y, V_Z } from '../rules/verdict.ts';
import type { Verdict } from '../types.ts';
import type { Claim, MoveLogEvent } from './events.ts';
import type { ReplayGuard } from './judge.ts';
import { badLine } from './problem.ts';
import { Replay, type ReplayClock, type ReplayOptions } from './replay.ts';
import type { Tally } from './tally.ts';

/** Claims of a batch, and how many verdicts may be waited for before the log is read on. */
const BATCH = 4096;
const MOST_OPEN = 16_384;
/** Entities of a log at most. */
const ENTITIES = 65_536;

/** Claims whose verdicts come together. */
interface Part {
  readonly claims: Claim[];
  readonly lines: number[];
  readonly times: number[];
  /** Where the verdicts of moves stand; null for one other claim, or a state that was put back. */
  readonly batch: PoolClaims | null;
  answer: Promise<Verdict | null>;
}

/** Takes what a replay tells a guard to a pool. Verdicts come later: what it returns for claims is none. */
class Desk implements ReplayGuard {
  readonly pool: GuardPool;
  readonly parts: Part[] = [];
  /** Line of the event at hand. */
  line = 0;
  open = 0;
  readonly #clock: ReplayClock;
  readonly #free: PoolClaims[] = [];
  /** Names of carriers that were told. */
  readonly #carriers = new Set<string | number>();
  #filling: { part: Part; batch: PoolClaims } | null = null;

  constructor(pool: GuardPool, clock: ReplayClock) {
    this.pool = pool;
    this.#clock = clock;
  }

  readonly enter: ReplayGuard['enter'] = (id, entry) => this.#inOrder().enter(id, entry);
  readonly leave: ReplayGuard['leave'] = (id) => this.#inOrder().leave(id);
  readonly setSpeed: ReplayGuard['setSpeed'] = (id, speed) => this.#inOrder().setSpeed(id, speed);
  readonly rtt: ReplayGuard['rtt'] = (id, ms) => this.#inOrder().rtt(id, ms);
  readonly grant: NonNullable<ReplayGuard['grant']> = (id, to, options) => this.#inOrder().grant(id, to, options);
  readonly teleport: NonNullable<ReplayGuard['teleport']> = (id, to) => this.#inOrder().teleport(id, to);
  readonly impulse: NonNullable<ReplayGuard['impulse']> = (id, velocity, decay) =>
    this.#inOrder().impulse(id, velocity, decay);
  readonly boost: NonNullable<ReplayGuard['boost']> = (id, speed, ms) => this.#inOrder().boost(id, speed, ms);
  readonly pause: NonNullable<ReplayGuard['pause']> = (ms) => this.#inOrder().pause(ms);
  readonly state: NonNullable<ReplayGuard['state']> = (id, flags) => this.#inOrder().state(id, flags);
  readonly version: NonNullable<ReplayGuard['version']> = (mapVersion) => this.#inOrder().version(mapVersion);
  readonly progress: NonNullable<ReplayGuard['progress']> = (progress) => this.#inOrder().progress(progress);
  readonly ack: NonNullable<ReplayGuard['ack']> = (id, correction) => this.#inOrder().ack(id, correction);
  readonly carrier: NonNullable<ReplayGuard['carrier']> = (carrier, placed, goneAt) =>
    this.#noted(carrier).carrier(carrier, placed, goneAt);
  readonly attach: NonNullable<ReplayGuard['attach']> = (id, carrier, offset) => {
    if (typeof carrier === 'string' && this.pool.slot(carrier) >= 0 && !this.#carriers.has(carrier)) {
      const expected = 'no entity that carries another (judge this log without --workers)';
      throw new NavguardError('BAD_ARGUMENT', `attach: carrier: expected ${expected}, got "${carrier}"`, { carrier });
    }
    return this.#inOrder().attach(id, carrier, offset);
  };
  readonly detach: NonNullable<ReplayGuard['detach']> = (id) => this.#inOrder().detach(id);
  readonly area: NonNullable<ReplayGuard['area']> = (n, change) => this.#inOrder().area(n, change);
  readonly link: NonNullable<ReplayGuard['link']> = (link, open) => this.#inOrder().link(link, open);
  readonly block: NonNullable<ReplayGuard['block']> = (id, shape) => this.#inOrder().block(id, shape as never);
  readonly unblock: NonNullable<ReplayGuard['unblock']> = (id) => this.#inOrder().unblock(id);
  readonly restore: NonNullable<ReplayGuard['restore']> = (id, kept) => {
    const part = this.#single(
      this.#inOrder()
        .restore(id, kept as never)
        .then(() => null),
    );
    part.lines.push(this.line);
  };

  move: ReplayGuard['move'] = (id, seq, x, y, z, extras) => {
    const handle = extras === undefined && moveFault(id, seq, x, y, z) === '' ? this.pool.slot(id) : -1;
    if (handle < 0) {
      this.#single(this.#inOrder().move(id, seq, x, y, z, extras));
      return LATER;
    }
    const { part, batch } = this.#room();
    const i = part.claims.length;
    batch.entity[i] = handle;
    batch.seq[i] = seq;
    batch.t[i] = this.#clock.now;
    batch.pos[3 * i] = x;
    batch.pos[3 * i + 1] = y;
    batch.pos[3 * i + 2] = z;
    return LATER;
  };
  begin: NonNullable<ReplayGuard['begin']> = (id, claim) => {
    this.#single(this.#inOrder().begin(id, claim));
    return LATER;
  };
  input: NonNullable<ReplayGuard['input']> = (id, seq, dir, ms, extras) => {
    this.#single(this.#inOrder().input(id, seq, dir, ms, extras as never));
    return LATER;
  };

  /** The claim at hand, whose verdict comes with the last part. */
  note(claim: Claim, line: number, t: number): void {
    const part = this.parts[this.parts.length - 1];
    part.claims.push(claim);
    part.lines.push(line);
    part.times.push(t);
    this.open++;
    if (part.claims.length === BATCH) this.send();
  }

  /** Sends the batch that is being filled. */
  send(): void {
    const filling = this.#filling;
    if (filling === null) return;
    this.#filling = null;
    filling.part.answer = this.pool.check(filling.batch, filling.part.claims.length).then(() => null);
    quiet(filling.part.answer);
  }

  done(part: Part): void {
    this.open -= part.claims.length;
    if (part.batch !== null) this.#free.push(part.batch);
  }

  #room(): { part: Part; batch: PoolClaims } {
    if (this.#filling === null) {
      const batch = this.#free.pop() ?? this.pool.claims(BATCH);
      const part: Part = { claims: [], lines: [], times: [], batch, answer: Promise.resolve(null) };
      this.parts.push(part);
      this.#filling = { part, batch };
    }
    return this.#filling;
  }

  #single(answer: Promise<Verdict | null>): Part {
    quiet(answer);
    const part: Part = { claims: [], lines: [], times: [], batch: null, answer };
    this.parts.push(part);
    return part;
  }

  /** A carrier is told: from now on entities may stand on it. */
  #noted(carrier: string | number): GuardPool {
    this.#carriers.add(carrier);
    return this.#inOrder();
  }

  /** What comes now comes after the moves so far. */
  #inOrder(): GuardPool {
    this.send();
    return this.pool;
  }
}

/** A replay whose verdicts come later: after each `step`, `flow`; at the end, `finish`. */
export class PooledReplay extends Replay {
  readonly #desk: Desk;
  readonly #file: string;
  readonly #verdict = new ReusedVerdict();

  /** Starts a pool for one log. Throws what `GuardPool.create` throws. */
  static async open(
    map: NavMap,
    rules: Readonly<Record<string, unknown>>,
    workers: number,
    clock: ReplayClock,
    tally: Tally,
    options: ReplayOptions,
  ): Promise<PooledReplay> {
    const pool = await GuardPool.create(map, rules, {
      workers,
      entities: ENTITIES,
      living: true,
      now: () => clock.now,
    });
    return new PooledReplay(new Desk(pool, clock), clock, tally, options);
  }

  private constructor(desk: Desk, clock: ReplayClock, tally: Tally, options: ReplayOptions) {
    super(desk, {}, clock, tally, options);
    this.#desk = desk;
    this.#file = options.file;
  }

  override step(event: MoveLogEvent, line: number): void {
    this.#desk.line = line;
    super.step(event, line);
  }

  protected override judged(claim: Claim, _: Verdict, line: number): void {
    this.#desk.note(claim, line, this.lastMs);
  }

  /** Whether so much is open that verdicts are to be taken before the log is read on. */
  get pressing(): boolean {
    return this.#desk.open >= MOST_OPEN || this.#desk.pool.waiting >= MOST_OPEN;
  }

  /** Takes verdicts until no more than half of what may be is open. */
  async flow(): Promise<void> {
    const { pool } = this.#desk;
    this.#desk.send();
    await this.#take(MOST_OPEN / 2);
    await pool.ready(pool.queue - MOST_OPEN / 2);
  }

  /** Takes all verdicts. */
  async finish(): Promise<void> {
    this.#desk.send();
    await this.#take(0);
  }

  close(): Promise<void> {
    return this.#desk.pool.close();
  }

  async #take(left: number): Promise<void> {
    const { parts } = this.#desk;
    let taken = 0;
    try {
      for (; taken < parts.length && (left === 0 || this.#desk.open > left); taken++) {
        const part = parts[taken];
        const verdict = await this.#answer(part);
        for (let i = 0; i < part.claims.length; i++) {
          const said = part.batch === null ? (verdict as Verdict) : read(this.#verdict, part.batch, i);
          super.judged(part.claims[i], said, part.lines[i], part.times[i]);
        }
        this.#desk.done(part);
      }
    } finally {
      parts.splice(0, taken);
    }
  }

  async #answer(part: Part): Promise<Verdict | null> {
    try {
      return await part.answer;
    } catch (error) {
      if (!(error instanceof NavguardError) || part.claims.length > 0) throw error;
      throw badLine(this.#file, part.lines[0], `"restore": ${error.message}`, error.detail);
    }
  }
}

/** Stands for a verdict that is not there yet; nobody reads it. */
const LATER = null as unknown as Verdict;

/** It is awaited later: until then its failure is not unhandled. */
function quiet(promise: Promise<unknown>): void {
  promise.catch(() => undefined);
}

function read(verdict: ReusedVerdict, claims: PoolClaims, i: number): Verdict {
  const { n } = verdict;
  verdict.verdictCode = claims.verdict[i] as VerdictCode;
  verdict.reasonCode = claims.reason[i] as ReasonCode;
  verdict.boundCode = claims.bound[i];
  verdict.actionCode = claims.action[i];
  verdict.correction = claims.correction[i];
  n[V_USED] = claims.used[i];
  n[V_ALLOWED] = claims.allowed[i];
  n[V_STRAIGHT] = claims.straight[i];
  n[V_LENGTH] = claims.length[i];
  n[V_SCORE] = claims.score[i];
  n[V_X] = claims.at[3 * i];
  n[V_Y] = claims.at[3 * i + 1];
  n[V_Z] = claims.at[3 * i + 2];
  return verdict;
}
