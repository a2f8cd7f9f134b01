// The guard and the log side by side: what the guard is told and asked goes into the log in the same order, with the same
// time, so that an audit of the log gives the live verdicts. Everything of serve/ that touches the guard goes through here.
import { type BeginClaim, type GuardedMap, type LogOptions, MoveGuard, type Rules } from '../guard.ts';
import { kernelHash } from '../kernel/index.ts';
import type { Claim, ExpectFields, Fact, MoveLogHeader } from '../log/events.ts';
import { tellFact } from '../log/judge.ts';
import type { Verdict } from '../types.ts';
import { VERSION } from '../version.ts';
import type { WireBeginClaim, WireOptions } from '../wire/index.ts';
import { LogFiles, type ServeRecordOptions } from './recorder.ts';

/** Told of each verdict, as it is reached. The verdict is the reused one. */
export type VerdictListener = (t: number, claim: Claim, verdict: Verdict) => void;

export interface JudgeOptions {
  readonly rules?: Partial<Rules> | Readonly<Record<string, unknown>>;
  readonly record?: ServeRecordOptions | undefined;
  /** How the log's header names the map. */
  readonly header?: Pick<MoveLogHeader, 'map' | 'comment'>;
  readonly log?: LogOptions | undefined;
  readonly onVerdict?: VerdictListener | undefined;
}

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** A fact about one entity; its name and time are filled in. */
export type EntityFact = Without<Extract<Fact, { id: string }>, 't' | 'id'>;

/** An entity for the guard and the log. */
export interface Judged {
  readonly id: string;
  /** The log file that knows its state. */
  knownIn: number;
}

export class Judge {
  readonly guard: MoveGuard;
  readonly log: LogFiles | null;
  readonly #expect: boolean;
  readonly #onVerdict: VerdictListener | undefined;
  /** The server's monotonic clock as of the event at hand, ms. */
  #t = 0;

  constructor(map: GuardedMap, options: JudgeOptions) {
    const { rules = {}, record, header = {}, log, onVerdict } = options;
    this.guard = new MoveGuard(map, rules, { now: () => this.#t, ...(log === undefined ? {} : { log }) });
    this.#onVerdict = onVerdict;
    this.#expect = record?.expect === true;
    const known = { rules: { ...this.guard.rules }, kernel: kernelHash(), navguard: VERSION };
    this.log = record === undefined ? null : new LogFiles(record, { ...header, ...known });
  }

  /** Tells what the server knows of an entity: any fact of a move log that has an id. */
  tell(who: Judged, fact: EntityFact, t: number): void {
    const told = { ...fact, t, id: who.id } as Fact;
    if (told.op === 'enter') {
      this.#at(t);
      this.log?.turn();
      // one that was here a moment ago keeps its score: the file must know it
      if (this.log !== null) this.#introduce(who);
    } else this.#begin(who, t);
    // a wrong fact throws here, and is in no log
    tellFact(this.guard, {}, told);
    this.log?.event(told);
  }

  /** The server itself stood still for so long until now. */
  pause(t: number, ms: number): void {
    this.#at(t);
    this.log?.turn();
    this.guard.pause(ms);
    this.log?.event({ t, op: 'pause', ms });
  }

  move(who: Judged, t: number, seq: number, x: number, y: number, z: number, said?: WireOptions): Verdict {
    this.#begin(who, t);
    const verdict = this.guard.move(who.id, seq, x, y, z, said);
    // the log's short form, unless more is to be said
    if (said === undefined && !this.#expect && this.#onVerdict === undefined) this.log?.move(t, who.id, seq, x, y, z);
    else this.#note({ t, op: 'move', id: who.id, seq, pos: [x, y, z], ...said }, verdict);
    return verdict;
  }

  /** A click; null = one that came without its data. */
  begin(who: Judged, t: number, claim: WireBeginClaim | null): Verdict {
    this.#begin(who, t);
    const verdict = this.guard.begin(who.id, claim as BeginClaim);
    this.#note({ t, op: 'begin', id: who.id, ...claim }, verdict);
    return verdict;
  }

  input(who: Judged, t: number, seq: number, dir: readonly number[], ms: number, said?: WireOptions): Verdict {
    this.#begin(who, t);
    const verdict = this.guard.input(who.id, seq, dir, ms, said);
    this.#note({ t, op: 'input', id: who.id, seq, dir, ms, ...said }, verdict);
    return verdict;
  }

  /** Where an entity stands at `t`; null when unknown. Nothing changes by it. */
  positionAt(id: string, t: number): [number, number, number] | null {
    return this.guard.positionAt(id, t);
  }

  #note(claim: Claim, verdict: Verdict): void {
    this.#onVerdict?.(claim.t, claim, verdict);
    this.log?.event(this.#expect ? { ...claim, expect: expectOf(verdict) } : claim);
  }

  #at(t: number): void {
    if (t > this.#t) this.#t = t;
  }

  #begin(who: Judged, t: number): void {
    this.#at(t);
    if (this.log === null) return;
    this.log.turn();
    if (who.knownIn !== this.log.serial) this.#introduce(who);
  }

  /** Writes what is remembered of an entity, unless this file knows it. */
  #introduce(who: Judged): void {
    const log = this.log as LogFiles;
    if (log.serial === 0) return;
    who.knownIn = log.serial;
    const kept = this.guard.kept(who.id);
    if (kept !== null) log.event({ t: this.#t, op: 'restore', id: who.id, ...kept });
  }
}

/** The whole of a verdict, exactly. */
function expectOf(verdict: Verdict): ExpectFields {
  const { pos, used, allowed, score, action, correction } = verdict;
  return {
    verdict: verdict.verdict,
    reason: verdict.reason,
    pos: pos === null ? null : [...pos],
    ...(pos === null ? {} : { within: 0 }),
    used,
    allowed,
    score,
    action,
    correction,
  };
}
