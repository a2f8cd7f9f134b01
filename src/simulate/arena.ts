// The closed loop: actors send, their lines delay, a guard judges, and what it says goes back to them half a round trip
// later. Everything comes from the seed; memory holds what is on its way and nothing else. Imported by simulate/index.ts.
import type { Fact, MoveLogEvent } from '../log/events.ts';
import { type BeginFields, type ReplayGuard, tellFact } from '../log/judge.ts';
import { Reason, VerdictKind } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import type { Actor, ActorClaim, ActorFact, Answer, Cast, Wire } from './actor.ts';
import { PacketLine } from './line.ts';
import { ACTIONS, type Found, newOutcome, type Outcome } from './outcome.ts';
import { Queue } from './queue.ts';
import { type Random, seeded } from './random.ts';

/** What the arena needs of a guard: a MoveGuard, or one that a test makes. */
export interface ArenaGuard extends ReplayGuard {
  positionAt?(id: string): [number, number, number] | null;
}

export interface ArenaOptions {
  readonly seed: number;
  /** The server reads its sockets only every so many ms (default 0: at once). */
  readonly tickMs?: number | undefined;
  /** The server itself stands still: about so often (ms between), for up to so long (ms). */
  readonly pauses?: { readonly everyMs: number; readonly ms: number } | undefined;
  /**
   * How long after a server's teleport or change of state claims may be ignored, ms: what a line may hold back (burstMs and
   * rttCreditMaxMs, the default).
   */
  readonly ignoreMs?: number | undefined;
  /** Gets everything the server saw, in its order, as a move log has it. */
  readonly tap?: ((event: MoveLogEvent) => void) | undefined;
}

const WAKE = 0;
const MOVE = 1;
const CLAIM = 2;
const FACT = 3;
const HEAR = 4;
const TOLD = 5;
const PAUSE = 6;

/** Refusals of one actor that are kept in full. */
const KEPT = 4;

interface Told {
  readonly fact: ActorFact;
  readonly pos: [number, number, number] | null;
}

export class Arena {
  readonly outcomes: Outcome[] = [];
  /** Claims judged so far. */
  judged = 0;
  readonly #guard: ArenaGuard;
  readonly #seats: Seat[] = [];
  readonly #options: ArenaOptions;
  readonly #queue = new Queue();
  readonly #random: Random;
  #now = 0;
  #pauseStart = Number.POSITIVE_INFINITY;
  #pauseEnd = Number.POSITIVE_INFINITY;

  /** @param guard is given the clock that it must ask */
  constructor(guard: (now: () => number) => ArenaGuard, options: ArenaOptions) {
    this.#options = options;
    this.#random = seeded(options.seed);
    this.#guard = guard(() => this.#now);
    if (options.pauses !== undefined) this.#planPause(0);
  }

  /** Milliseconds played. */
  get now(): number {
    return this.#now;
  }

  /** Events that are on their way. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** The actor takes part from its `wakeAt` on. */
  add({ actor, line }: Cast): Outcome {
    const outcome = newOutcome(actor.id, actor.kind, actor.model);
    const random = seeded(Math.floor(this.#random.next() * 2 ** 32));
    const start = Math.max(actor.wakeAt, this.#now);
    const packets = new PacketLine(line, random, start);
    const seat = new Seat(this, this.#seats.length, actor, packets, random, outcome);
    this.#seats.push(seat);
    this.outcomes.push(outcome);
    this.#schedule(seat);
    return outcome;
  }

  /** Plays on until a time, or until so many claims are judged. */
  run(untilMs: number, claims = Number.POSITIVE_INFINITY): void {
    const queue = this.#queue;
    while (queue.nextTime <= untilMs && this.judged < claims) {
      const slot = queue.take();
      const t = queue.time[slot];
      this.#now = t;
      const seat = this.#seats[queue.owner[slot]];
      switch (queue.kind[slot]) {
        case WAKE:
          if (seat.actor.wakeAt !== t || seat.plannedAt !== t) break;
          seat.plannedAt = Number.NaN;
          seat.actor.wake(t, seat);
          this.#schedule(seat);
          break;
        case MOVE:
          this.#judgeMove(seat, queue.sent[slot], queue.seq[slot], queue.x[slot], queue.y[slot], queue.z[slot]);
          break;
        case CLAIM:
          this.#judgeClaim(seat, queue.sent[slot], queue.what[slot] as ActorClaim);
          break;
        case FACT:
          this.#tell(seat, queue.what[slot] as ActorFact);
          break;
        case HEAR:
          seat.actor.hear(t, queue.what[slot] as Answer, seat);
          this.#schedule(seat);
          break;
        case TOLD: {
          const { fact, pos } = queue.what[slot] as Told;
          seat.actor.told?.(t, fact, pos, seat);
          this.#schedule(seat);
          break;
        }
        case PAUSE: {
          const ms = queue.x[slot];
          this.#tellAll({ op: 'pause', ms });
          this.#planPause(t);
          break;
        }
      }
    }
  }

  /** When the server sees what reaches it at t: not while it stands still, and with its next tick. */
  received(t: number): number {
    const seen = t >= this.#pauseStart && t < this.#pauseEnd ? this.#pauseEnd : t;
    const { tickMs } = this.#options;
    return tickMs === undefined || tickMs <= 0 ? hundredths(seen) : hundredths(Math.ceil(seen / tickMs) * tickMs);
  }

  /** @internal */
  arrive(seat: Seat, at: number): number {
    const slot = this.#queue.put(this.received(Math.max(at, this.#now)), MOVE, seat.index);
    this.#queue.sent[slot] = this.#now;
    return slot;
  }

  /** @internal */
  fill(slot: number, seq: number, x: number, y: number, z: number): void {
    const queue = this.#queue;
    queue.seq[slot] = seq;
    queue.x[slot] = x;
    queue.y[slot] = y;
    queue.z[slot] = z;
  }

  /** @internal */
  arriveClaim(seat: Seat, at: number, claim: ActorClaim): void {
    const slot = this.arrive(seat, at);
    this.#queue.kind[slot] = CLAIM;
    this.#queue.what[slot] = claim;
  }

  /** @internal */
  fact(seat: Seat, at: number, fact: ActorFact): void {
    const stands = this.#now >= this.#pauseStart && this.#now < this.#pauseEnd;
    if (at <= this.#now && !stands) {
      this.#tell(seat, fact);
      return;
    }
    const t = Math.max(at, this.#now);
    const slot = this.#queue.put(t >= this.#pauseStart && t < this.#pauseEnd ? this.#pauseEnd : t, FACT, seat.index);
    this.#queue.what[slot] = fact;
  }

  /** @internal */
  authority(seat: Seat): readonly [number, number, number] | null {
    return this.#guard.positionAt?.(seat.id) ?? null;
  }

  #schedule(seat: Seat): void {
    const { wakeAt } = seat.actor;
    if (seat.plannedAt === wakeAt || !(wakeAt < Number.POSITIVE_INFINITY)) return;
    if (!(wakeAt >= this.#now)) throw new Error(`${seat.id} asks to be woken at ${wakeAt}, it is ${this.#now}`);
    seat.plannedAt = wakeAt;
    this.#queue.put(wakeAt, WAKE, seat.index);
  }

  #planPause(t: number): void {
    const { everyMs, ms } = this.#options.pauses ?? { everyMs: 0, ms: 0 };
    this.#pauseStart = hundredths(t + everyMs * this.#random.between(0.5, 1.5));
    this.#pauseEnd = hundredths(this.#pauseStart + ms * this.#random.between(0.2, 1));
    // Put in now, so that it comes before everything that waits for its end. What was sent earlier and arrives within is
    // seen at its time: it reached the server's memory before the stop was planned.
    const slot = this.#queue.put(this.#pauseEnd, PAUSE, 0);
    this.#queue.x[slot] = this.#pauseEnd - this.#pauseStart;
  }

  #tell(seat: Seat, fact: ActorFact): void {
    const pos = seat.entered ? (this.#guard.positionAt?.(seat.id) ?? null) : null;
    const event = { t: this.#now, ...fact, id: seat.id } as unknown as Fact;
    if (!tellFact(this.#guard, {}, event)) throw new Error(`this guard cannot be told "${fact.op}"`);
    this.#options.tap?.(event);
    const { op } = fact;
    if (op === 'enter') seat.entered = true;
    else if (op === 'leave') seat.entered = false;
    const { rttMs } = seat.line.model;
    if (op === 'teleport' || op === 'state') {
      seat.knowsAt = this.#now + rttMs / 2;
      seat.ignoreUntil = this.#now + (this.#options.ignoreMs ?? 1300);
    }
    if (seat.actor.told === undefined || op === 'rtt' || op === 'ack') return;
    const slot = this.#queue.put(this.#now + rttMs / 2, TOLD, seat.index);
    this.#queue.what[slot] = { fact, pos } satisfies Told;
  }

  #tellAll(fact: { op: 'pause'; ms: number }): void {
    const event = { t: this.#now, ...fact };
    tellFact(this.#guard, {}, event);
    this.#options.tap?.(event);
  }

  #judgeMove(seat: Seat, sent: number, seq: number, x: number, y: number, z: number): void {
    const verdict = this.#guard.move(seat.id, seq, x, y, z);
    this.judged++;
    const { tap } = this.#options;
    const { outcome } = seat;
    // the ordinary claim of an honest player, in a few steps
    if (verdict.verdictCode === VerdictKind.accept && sent < seat.actor.cheatingSince) {
      outcome.claims++;
      if (verdict.score > 0) noteScore(outcome, verdict, this.#now);
      if (tap !== undefined) tap({ t: this.#now, op: 'move', id: seat.id, seq, pos: [x, y, z], expect: 'accept' });
      if (seat.actor.listens === 'all') this.#answer(seat, 'move', seq, verdict);
      return;
    }
    const excuse = this.#book(seat, sent, seq, verdict);
    if (tap !== undefined) {
      const event: MoveLogEvent = { t: this.#now, op: 'move', id: seat.id, seq, pos: [x, y, z] };
      if (sent < seat.actor.cheatingSince) event.expect = excuse ? 'refused' : 'accept';
      tap(event);
    }
    if (seat.actor.listens !== 'none') this.#answer(seat, 'move', seq, verdict);
  }

  #judgeClaim(seat: Seat, sent: number, claim: ActorClaim): void {
    const guard = this.#guard;
    const named = { id: seat.id, ...claim } as ActorClaim & { id: unknown };
    let verdict: Verdict;
    if (named.op === 'move') {
      const { pos, mapVersion, carrier, offset, skill } = named;
      const [x, y, z] = (Array.isArray(pos) ? pos : [undefined, undefined, undefined]) as number[];
      const extras: Record<string, unknown> = {};
      if (mapVersion !== undefined) extras.mapVersion = mapVersion;
      if (carrier !== undefined) extras.carrier = carrier;
      if (offset !== undefined) extras.offset = offset;
      if (skill !== undefined) extras.skill = skill;
      const more = Object.keys(extras).length > 0;
      verdict = guard.move(named.id as string, named.seq as number, x, y, z, ...(more ? [extras] : []));
    } else if (named.op === 'begin') {
      if (guard.begin === undefined) throw new Error('this guard judges no begin');
      const { op: _op, id: _id, expect: _expect, ...fields } = named;
      verdict = guard.begin(named.id as string, fields as unknown as BeginFields);
    } else {
      if (guard.input === undefined) throw new Error('this guard judges no input');
      const { seq, dir, ms } = named;
      verdict = guard.input(named.id as string, seq as number, dir as number[], ms as number);
    }
    this.judged++;
    const honest = sent < seat.actor.cheatingSince;
    const excuse = this.#book(seat, sent, named.seq, verdict);
    const { tap } = this.#options;
    if (tap !== undefined) {
      const event = { t: this.#now, ...named } as MoveLogEvent & { expect?: unknown };
      if (honest) event.expect ??= excuse ? 'refused' : 'accept';
      tap(event as MoveLogEvent);
    }
    const { listens } = seat.actor;
    if (listens === 'all' || (listens === 'refusals' && !verdict.accepted)) {
      this.#answer(seat, named.op, named.seq, verdict);
    }
  }

  /** Counts a verdict; true when it refuses and nobody is to blame. */
  #book(seat: Seat, sent: number, seq: unknown, verdict: Verdict): boolean {
    const { outcome, actor } = seat;
    noteScore(outcome, verdict, this.#now);
    outcome.stalls = seat.line.stalls;
    if (sent >= actor.cheatingSince) {
      this.#bookCheat(seat, verdict);
      return false;
    }
    outcome.claims++;
    if (verdict.accepted) {
      if (verdict.verdictCode === VerdictKind.undecided) outcome.undecided++;
      return false;
    }
    if (verdict.reasonCode === Reason.Replay && seat.line.model.transport === 'unordered') {
      outcome.late++;
      return true;
    }
    if (verdict.reasonCode === Reason.UnknownEntity && !seat.entered) {
      outcome.late++;
      return true;
    }
    if (verdict.verdictCode === VerdictKind.ignore && (sent < seat.knowsAt || this.#now <= seat.ignoreUntil)) {
      outcome.ignored++;
      return true;
    }
    outcome.refusals++;
    outcome.refused[verdict.reason] = (outcome.refused[verdict.reason] ?? 0) + 1;
    if (outcome.first.length < KEPT) {
      const { reason, used, allowed } = verdict;
      outcome.first.push({ t: this.#now, seq, verdict: verdict.verdict, reason, used, allowed });
    }
    if (verdict.verdictCode === VerdictKind.correct) {
      outcome.corrections++;
      seat.knowsAt = this.#now + seat.line.model.rttMs / 2;
    }
    return false;
  }

  #bookCheat(seat: Seat, verdict: Verdict): void {
    const { outcome } = seat;
    if (outcome.cheatedAt === Number.POSITIVE_INFINITY) outcome.cheatedAt = seat.actor.cheatingSince;
    outcome.cheatClaims++;
    const { pos } = verdict;
    if (pos !== null) {
      if (seat.lastX === seat.lastX) outcome.cheatMetres += Math.hypot(pos[0] - seat.lastX, pos[2] - seat.lastZ);
      seat.lastX = pos[0];
      seat.lastZ = pos[2];
    }
    if (!verdict.accepted) {
      outcome.cheatRefusals++;
      outcome.firstRefusal ??= found(outcome, verdict, this.#now);
    }
    if (verdict.action !== 'none') outcome.firstWatch ??= found(outcome, verdict, this.#now);
  }

  #answer(seat: Seat, op: Answer['op'], seq: unknown, verdict: Verdict): void {
    const { pos, reason, correction, action, score } = verdict;
    const answer: Answer = {
      op,
      seq,
      verdict: verdict.verdict,
      reason,
      pos: pos === null ? null : [pos[0], pos[1], pos[2]],
      correction,
      action,
      score,
    };
    const slot = this.#queue.put(this.#now + seat.line.model.rttMs / 2, HEAR, seat.index);
    this.#queue.what[slot] = answer;
  }
}

/** One actor's place in the arena: its side of the wire. */
class Seat implements Wire {
  readonly id: string;
  readonly index: number;
  readonly actor: Actor;
  readonly line: PacketLine;
  readonly random: Random;
  readonly outcome: Outcome;
  readonly rttMs: number;
  readonly jitterMs: number;
  plannedAt = Number.NaN;
  entered = false;
  /** Claims sent before this were sent in ignorance of what the server did or said last, ms. */
  knowsAt = Number.NEGATIVE_INFINITY;
  ignoreUntil = Number.NEGATIVE_INFINITY;
  lastX = Number.NaN;
  lastZ = Number.NaN;
  readonly #arena: Arena;

  constructor(arena: Arena, index: number, actor: Actor, line: PacketLine, random: Random, outcome: Outcome) {
    this.#arena = arena;
    this.index = index;
    this.actor = actor;
    this.id = actor.id;
    this.line = line;
    this.random = random;
    this.outcome = outcome;
    this.rttMs = line.model.rttMs;
    this.jitterMs = line.model.jitterMs;
  }

  move(seq: number, x: number, y: number, z: number): void {
    const at = this.line.arrival(this.#arena.now);
    if (at !== at) return;
    this.#arena.fill(this.#arena.arrive(this, at), seq, x, y, z);
  }

  send(claim: ActorClaim): void {
    const at = this.line.arrival(this.#arena.now);
    if (at === at) this.#arena.arriveClaim(this, at, claim);
  }

  sendAt(arrivalMs: number, claim: ActorClaim): void {
    this.#arena.arriveClaim(this, arrivalMs, claim);
  }

  ack(correction: number): void {
    const at = this.line.arrival(this.#arena.now);
    const again = this.#arena.now + 1.5 * this.rttMs + this.jitterMs;
    this.#arena.fact(this, this.#arena.received(at === at ? at : again), { op: 'ack', correction });
  }

  server(fact: ActorFact): void {
    this.#arena.fact(this, this.#arena.now, fact);
  }

  serverAt(t: number, fact: ActorFact): void {
    this.#arena.fact(this, t, fact);
  }

  authority(): readonly [number, number, number] | null {
    return this.#arena.authority(this);
  }
}

function noteScore(outcome: Outcome, verdict: Verdict, t: number): void {
  if (!(verdict.score > outcome.worstScore)) return;
  outcome.worstScore = verdict.score;
  outcome.worstAt = t;
  outcome.worstAction = Math.max(outcome.worstAction, ACTIONS.indexOf(verdict.action));
}

function found(outcome: Outcome, verdict: Verdict, t: number): Found {
  const { cheatClaims, cheatMetres, cheatedAt } = outcome;
  const reason = verdict.accepted ? null : verdict.reason;
  return { reason, ms: t - cheatedAt, claims: cheatClaims, metres: cheatMetres };
}

/** Times to 0.01 ms, upwards: rounding must not put a claim before what it follows. */
function hundredths(t: number): number {
  return Math.ceil(t * 100) / 100;
}
