// Plays one cheat against one guard, alone, and measures what it got: when it was caught, how many metres it was ahead of an
// honest player by then and in all, which forbidden claims went through. Imported by tests and by whoever judges cheats.
import type { MoveGuard } from '../../guard.ts';
import { type Claim, type Fact, isClaim, type MoveLogEvent } from '../../log/index.ts';
import { tellFact } from '../../log/judge.ts';
import type { Vec3, Verdict } from '../../types.ts';
import type { ActorClaim, ActorFact, Answer, Wire } from '../actor.ts';
import type { Random } from '../random.ts';
import type { CheatCast } from './cheat.ts';

/** What a run came to. Metres are plan metres of the authoritative position beyond limit x time; ms of the server's clock. */
export interface Played {
  /** Claims of the honest start, and how many of them were refused (must be none). */
  readonly honest: number;
  readonly honestRefused: number;
  /** Claims of the cheat. */
  readonly claims: number;
  /** Up to and with the first claim that was refused or brought `watch`; null when there was none. */
  readonly caught: {
    readonly claims: number;
    readonly ms: number;
    readonly metres: number;
    readonly by: string;
  } | null;
  /** The most metres ahead at any time, and at the end of the run. */
  readonly ahead: number;
  readonly metres: number;
  /** Metres beyond what any honest client could have had by then (tolerance and burst): above 0 is a hole. */
  readonly beyond: number;
  /** Accepted claims that must not be, in all and before it was caught. */
  readonly fouls: number;
  readonly foulsUncaught: number;
  readonly action: Verdict['action'];
  /** The highest suspicion score. */
  readonly score: number;
  /** All that happened, as a move log: a reproducer. */
  readonly events: readonly MoveLogEvent[];
}

/** Legs shorter than this are not measured one by one: a staircase of rounding is longer than the walk. Metres. */
const STRIDE = 0.5;
const ACTIONS: readonly Verdict['action'][] = ['none', 'watch', 'restrict', 'kick'];

interface Due {
  readonly t: number;
  readonly order: number;
  readonly event?: Fact | Claim;
  readonly claim?: ActorClaim;
  readonly answer?: Answer;
}

/** Plays until the actor has nothing more to do. `clock.now` is the guard's clock. */
export function playCheat(
  guard: MoveGuard,
  clock: { now: number },
  cast: CheatCast,
  random: Random,
  caughtBy: 'refusal' | 'watch' = 'refusal',
): Played {
  const { actor, line } = cast;
  const { id, hand } = actor;
  const { rules } = guard;
  const due: Due[] = [];
  const events: MoveLogEvent[] = [];
  let order = 0;
  const push = (entry: Omit<Due, 'order'>): void => {
    due.push({ ...entry, order: order++ });
  };
  let now = 0;
  const wire: Wire = {
    random,
    rttMs: line.rttMs,
    jitterMs: 0,
    move: (seq, x, y, z) => wire.send({ op: 'move', seq, pos: [x, y, z] }),
    send: (claim) => wire.sendAt(now + line.rttMs / 2, claim),
    sendAt: (t, claim) => push({ t, claim, event: { id, ...claim, t } as Claim }),
    server: (fact: ActorFact) => wire.serverAt(now, fact),
    serverAt: (t, fact) => push({ t, event: { id, ...fact, t } as Fact }),
    ack: (correction) =>
      push({ t: now + line.rttMs / 2, event: { t: now + line.rttMs / 2, op: 'ack', id, correction } }),
    authority: () => guard.positionAt(id),
  };

  const meter = new Meter();
  let honest = 0;
  let honestRefused = 0;
  let claims = 0;
  let caught: Played['caught'] = null;
  let fouls = 0;
  let foulsUncaught = 0;
  let worst = 0;
  let score = 0;
  let beyond = 0;
  for (;;) {
    const next = soonest(due);
    if (next === undefined || next.t > actor.wakeAt) {
      if (actor.wakeAt === Infinity && next === undefined) break;
      now = actor.wakeAt;
      actor.wake(now, wire);
      continue;
    }
    due.splice(due.indexOf(next), 1);
    now = next.t;
    if (next.answer !== undefined) {
      actor.hear(now, next.answer);
      continue;
    }
    const event = next.event as MoveLogEvent;
    events.push(event);
    clock.now = now;
    if (!isClaim(event)) {
      tellFact(guard, {}, event);
      meter.fact(now, event, guard.positionAt(id));
      continue;
    }
    const verdict = judge(guard, event);
    const pos = guard.positionAt(id);
    meter.claim(now, pos);
    push({ t: now + line.rttMs / 2, answer: answerOf(event, verdict) });
    if (now < hand.cheatingFrom) {
      honest++;
      if (!verdict.accepted) honestRefused++;
      meter.start(now);
      continue;
    }
    claims++;
    if (verdict.accepted && next.claim !== undefined && hand.fouls.has(next.claim)) {
      fouls++;
      if (caught === null) foulsUncaught++;
    }
    worst = Math.max(worst, ACTIONS.indexOf(verdict.action));
    score = Math.max(score, verdict.score);
    const burst = rules.burstMs + rules.rttCreditMaxMs + rules.wayRoundSlackMs;
    beyond = Math.max(beyond, meter.length - rules.speedTolerance * (meter.allowance + meter.allow(burst)));
    if (caught === null && ((!verdict.accepted && caughtBy === 'refusal') || verdict.action !== 'none')) {
      const by = verdict.accepted ? 'watch' : verdict.reason;
      caught = { claims, ms: now - hand.cheatingFrom, metres: meter.most, by };
    }
  }
  return {
    honest,
    honestRefused,
    claims,
    caught,
    ahead: meter.most,
    metres: meter.ahead,
    beyond,
    fouls,
    foulsUncaught,
    action: ACTIONS[worst],
    score,
    events,
  };
}

function soonest(due: readonly Due[]): Due | undefined {
  let best: Due | undefined;
  for (const d of due) if (best === undefined || d.t < best.t || (d.t === best.t && d.order < best.order)) best = d;
  return best;
}

/** Metres of the authoritative position against metres that the limit allows. */
class Meter {
  #t = 0;
  #limit = 0;
  #from: Vec3 | null = null;
  #to: Vec3 | null = null;
  #length = 0;
  /** What limit x time has allowed since the start, metres. */
  allowance = 0;
  /** The most metres ahead so far. */
  most = 0;

  /** Counts from here. */
  start(t: number): void {
    this.#t = t;
    this.#from = this.#to;
    this.#length = 0;
    this.allowance = 0;
    this.most = 0;
  }

  get length(): number {
    return this.#length + planDistance(this.#from, this.#to);
  }

  get ahead(): number {
    return this.length - this.allowance;
  }

  /** Metres in so many ms. */
  allow(ms: number): number {
    return (this.#limit * ms) / 1000;
  }

  fact(t: number, fact: Fact, pos: Vec3 | null): void {
    this.#pass(t);
    if (fact.op === 'enter' || fact.op === 'speed') this.#limit = fact.speed;
    if (fact.op !== 'enter' && fact.op !== 'teleport') return;
    // the server moved it: nothing gained
    this.#length = this.length;
    this.#from = pos;
    this.#to = pos;
  }

  claim(t: number, pos: Vec3 | null): void {
    this.#pass(t);
    this.#to = pos;
    const leg = planDistance(this.#from, pos);
    if (leg >= STRIDE) {
      this.#length += leg;
      this.#from = pos;
    }
    this.most = Math.max(this.most, this.ahead);
  }

  #pass(t: number): void {
    this.allowance += this.allow(t - this.#t);
    this.#t = t;
  }
}

function planDistance(a: Vec3 | null, b: Vec3 | null): number {
  return a === null || b === null ? 0 : Math.hypot(b[0] - a[0], b[2] - a[2]);
}

/** Asks the guard about a claim, whatever it holds. */
function judge(guard: MoveGuard, claim: Claim): Verdict {
  const { t: _, op, id, ...fields } = claim as unknown as Record<string, never>;
  if (op === 'move') {
    const { seq, pos, ...extras } = fields as Record<string, never>;
    const [x, y, z] = Array.isArray(pos) && (pos as unknown[]).length === 3 ? pos : [pos, pos, pos];
    return Object.keys(extras).length === 0 ? guard.move(id, seq, x, y, z) : guard.move(id, seq, x, y, z, extras);
  }
  if (op === 'begin') return guard.begin(id, fields as never);
  const { seq, dir, ms } = fields as Record<string, never>;
  return guard.input(id, seq, dir, ms);
}

function answerOf(claim: Claim, v: Verdict): Answer {
  const { verdict, reason, pos, correction, action, score } = v.copy();
  return { op: claim.op, seq: claim.seq, verdict, reason, pos, correction, action, score };
}
