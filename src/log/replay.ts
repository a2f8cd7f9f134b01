// Events into a guard, verdicts out. The clock is the log's: the same map, rules and log give the same verdicts.
import { NavguardError } from '../errors.ts';
import type { Verdict } from '../types.ts';
import type { BeginClaim, Claim, InputClaim, MoveClaim, MoveLogEvent } from './events.ts';
import { compileExpect } from './expect.ts';
import { PositionSample } from './hints.ts';
import { type BeginFields, defined, type ReplayGuard, type ReplayMap, tellFact } from './judge.ts';
import { badLine } from './problem.ts';
import type { Tally } from './tally.ts';

/** The clock that a guard is given: milliseconds of the event that is being replayed, never negative. */
export interface ReplayClock {
  now: number;
}

/** How a log is replayed. */
export interface ReplayOptions {
  /** The log's name in messages and mismatches. */
  file: string;
  /** Compare verdicts with `expect`. */
  check?: boolean | undefined;
  /** Called with each verdict; it is reused, `copy()` to keep. */
  onVerdict?: ((t: number, claim: Claim, verdict: Verdict, line: number) => void) | undefined;
}

const NOWHERE: readonly unknown[] = [Number.NaN, Number.NaN, Number.NaN];

/** Feeds one log's events to one guard. */
export class Replay {
  readonly sample = new PositionSample();
  /** Time of the first and of the latest event, ms. */
  firstMs = Number.NaN;
  lastMs = Number.NaN;
  /** Lines whose t was smaller than before. */
  backwards = 0;
  /** Entities that were told a fact without having entered before, and the line of the first. */
  readonly strangers = new Map<string, number>();
  readonly #entered = new Set<string>();
  #shiftMs = 0;
  readonly #guard: ReplayGuard;
  readonly #map: ReplayMap;
  readonly #clock: ReplayClock;
  readonly #tally: Tally;
  readonly #options: ReplayOptions;

  constructor(guard: ReplayGuard, map: ReplayMap, clock: ReplayClock, tally: Tally, options: ReplayOptions) {
    this.#guard = guard;
    this.#map = map;
    this.#clock = clock;
    this.#tally = tally;
    this.#options = options;
  }

  /** Judges one event. Throws NavguardError BAD_LOG with file and line for a fact that the guard refuses. */
  step(event: MoveLogEvent, line: number): void {
    if (Number.isNaN(this.firstMs)) {
      this.firstMs = event.t;
      this.lastMs = event.t;
      // a guard's clock begins at 0: a log that begins earlier is moved there as a whole
      this.#shiftMs = Math.max(0, -event.t);
    }
    // the log's order is the order the server saw; a clock that steps back stands still
    if (event.t >= this.lastMs) this.lastMs = event.t;
    else this.backwards++;
    this.#clock.now = this.lastMs + this.#shiftMs;
    switch (event.op) {
      case 'move':
        this.judged(event, this.#move(event), line);
        return;
      case 'begin':
        this.judged(event, this.#begin(event, line), line);
        return;
      case 'input':
        this.judged(event, this.#input(event, line), line);
        return;
      default:
        this.#tally.facts++;
        if (event.op === 'enter' || event.op === 'restore') this.#entered.add(event.id);
        else if ('id' in event && !this.#entered.has(event.id) && !this.strangers.has(event.id)) {
          this.strangers.set(event.id, line);
        }
        try {
          if (!tellFact(this.#guard, this.#map, event)) throw this.#unsupported(event.op, line);
        } catch (error) {
          if (!(error instanceof NavguardError) || error.code === 'BAD_LOG') throw error;
          throw badLine(this.#options.file, line, `"${event.op}": ${error.message}`, error.detail);
        }
    }
  }

  /** Counts and compares a verdict. A replay whose verdicts come later calls it then, with the time of the claim. */
  protected judged(claim: Claim, verdict: Verdict, line: number, t = this.lastMs): void {
    this.#tally.add(claim.id, verdict);
    if (claim.expect !== undefined && this.#options.check === true) this.#compare(claim, verdict, line, t);
    this.#options.onVerdict?.(t, claim, verdict, line);
  }

  #compare(claim: Claim, verdict: Verdict, line: number, t: number): void {
    let matches: (verdict: Verdict) => boolean;
    try {
      matches = compileExpect(claim.expect);
    } catch (error) {
      throw badLine(this.#options.file, line, `expect: ${(error as Error).message}.`);
    }
    this.#tally.expected++;
    if (matches(verdict)) return;
    this.#tally.addMismatch({
      file: this.#options.file,
      line,
      t,
      id: claim.id ?? null,
      seq: claim.seq ?? null,
      expected: claim.expect,
      got: {
        verdict: verdict.verdict,
        reason: verdict.reason,
        pos: verdict.pos === null ? null : [...verdict.pos],
        used: verdict.used,
        allowed: verdict.allowed,
        score: verdict.score,
        action: verdict.action,
        correction: verdict.correction,
      },
    });
  }

  #move(claim: MoveClaim): Verdict {
    const given = claim.pos;
    const pos = Array.isArray(given) && given.length === 3 ? given : given === undefined ? MISSING : NOWHERE;
    this.sample.add(pos[0], pos[1], pos[2]);
    const { mapVersion, carrier, offset, skill, progress } = claim;
    const id = claim.id as string;
    const seq = claim.seq as number;
    const x = pos[0] as number;
    const y = pos[1] as number;
    const z = pos[2] as number;
    if (
      mapVersion === undefined &&
      carrier === undefined &&
      offset === undefined &&
      skill === undefined &&
      progress === undefined
    ) {
      return this.#guard.move(id, seq, x, y, z);
    }
    return this.#guard.move(id, seq, x, y, z, defined({ mapVersion, carrier, offset, skill, progress }));
  }

  #begin(claim: BeginClaim, line: number): Verdict {
    const guard = this.#guard;
    if (guard.begin === undefined) throw this.#unsupported('begin', line);
    const { seq, from, to, speed, duration, stop, strategy, progress, mapVersion } = claim;
    const { kind, facing, chaseDuration, flags, timestamp } = claim;
    if (Array.isArray(to)) this.sample.add(to[0], to[1], to[2]);
    const fields = defined({
      ...{ seq, from, to, speed, duration, stop, strategy, progress, mapVersion },
      ...{ kind, facing, chaseDuration, flags, timestamp },
    });
    // a line without any field is what remains of a claim without payload
    const payload = Object.keys(fields).length === 0 ? null : fields;
    return guard.begin(claim.id as string, payload as unknown as BeginFields);
  }

  #input(claim: InputClaim, line: number): Verdict {
    const guard = this.#guard;
    if (guard.input === undefined) throw this.#unsupported('input', line);
    const { mapVersion, progress } = claim;
    const id = claim.id as string;
    const seq = claim.seq as number;
    const dir = claim.dir as number[];
    const ms = claim.ms as number;
    if (mapVersion === undefined && progress === undefined) return guard.input(id, seq, dir, ms);
    return guard.input(id, seq, dir, ms, defined({ mapVersion, progress }));
  }

  #unsupported(op: string, line: number): NavguardError {
    return badLine(this.#options.file, line, `"${op}" is a known event, but this version does not support it yet.`, {
      op,
    });
  }
}

const MISSING: readonly unknown[] = [undefined, undefined, undefined];
