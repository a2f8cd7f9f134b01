// The words that the public cases are told in: logs, actors, and a second opinion on credit. What a claim should come to
// is said here from the case's text and from arithmetic of its own; no guard is asked. Imported by test/cases/ only.
import type { Claim, Expect, ExpectFields, MapSource } from '../../../src/log/index.ts';
import type { Vec3 } from '../../../src/types.ts';

type Event = { t: number; op: string } & Record<string, unknown>;

/** A score of nothing. NaN is not below it. */
export const NO_SCORE = 1e-9;
/** The speed limit and the tolerance of the cases, unless they say otherwise. */
export const SPEED = 6;
export const TOLERANCE = 1.15;

/** One file: a public case, or a variation of it that needs another map or other rules. */
export class Log {
  readonly name: string;
  readonly #map: MapSource;
  readonly #comment: string;
  readonly #rules: Record<string, unknown> | undefined;
  readonly #events: Event[] = [];

  /** @param name file name without its ending; it begins with the case's id */
  constructor(name: string, comment: string, map: MapSource, rules?: Record<string, unknown>) {
    this.name = name;
    this.#comment = comment;
    this.#map = map;
    this.#rules = rules;
  }

  /** An entity enters at `t` (ms), at a position (m), with a speed limit (m/s). */
  enter(id: string, pos: Vec3, options: { t?: number; speed?: number; kind?: string } = {}): Actor {
    const { t = 0, speed = SPEED, kind } = options;
    this.add(t, 'enter', { id, pos: rounded(pos), speed, ...(kind === undefined ? {} : { kind }) });
    return new Actor(this, id, pos, t);
  }

  add(t: number, op: string, fields: Record<string, unknown>): void {
    this.#events.push({ t: round(t, 1000), op, ...fields });
  }

  /** The text of the file: events in the order of their times; those of one time in the order they were told. */
  text(): string {
    const rules = this.#rules === undefined ? {} : { rules: this.#rules };
    const header = { movelog: 1, map: this.#map, ...rules, comment: this.#comment };
    const events = [...this.#events].sort((a, b) => a.t - b.t);
    return `${[header, ...events].map((line) => JSON.stringify(line, special)).join('\n')}\n`;
  }
}

/** A client: its own clock, its own idea of where it is, its own numbers. */
export class Actor {
  readonly id: string;
  readonly log: Log;
  t: number;
  seq = 0;
  pos: Vec3;

  constructor(log: Log, id: string, pos: Vec3, t: number) {
    this.log = log;
    this.id = id;
    this.pos = pos;
    this.t = t;
  }

  wait(ms: number): this {
    this.t += ms;
    return this;
  }

  /** Something that the server does to, or knows of, this entity now. */
  fact(op: string, fields: Record<string, unknown> = {}): this {
    this.log.add(this.t, op, { id: this.id, ...fields });
    return this;
  }

  /** A claim with whatever fields, under the number at hand. */
  claim(op: Claim['op'], fields: Record<string, unknown>, expect?: Expect): this {
    this.log.add(this.t, op, { id: this.id, seq: this.seq, ...fields, ...(expect === undefined ? {} : { expect }) });
    return this;
  }

  /** Claims a position under the next number. Where the client believes to be does not change. */
  try(pos: Vec3, expect?: Expect, more: Record<string, unknown> = {}): this {
    this.seq++;
    return this.claim('move', { pos: rounded(pos), ...more }, expect);
  }

  /** Goes somewhere at once, and says so. */
  go(pos: Vec3, expect?: Expect, more: Record<string, unknown> = {}): this {
    this.pos = pos;
    return this.try(pos, expect, more);
  }

  /** Time passes, then a step. */
  step(ms: number, [dx, dy, dz]: Vec3, expect?: Expect): this {
    const [x, y, z] = this.pos;
    return this.wait(ms).go([x + dx, y + dy, z + dz], expect);
  }

  /** Equal steps; `expect` may depend on the step, counted from 1. Whether a walk was clean is said of its last step. */
  walk(steps: number, ms: number, by: Vec3, expect: Expect | ((step: number) => Expect | undefined) = 'accept'): this {
    for (let i = 1; i <= steps; i++) {
      const clean = expect === CLEAN && i < steps ? 'accept' : expect;
      this.step(ms, by, typeof clean === 'function' ? clean(i) : clean);
    }
    return this;
  }

  /** Sends without moving. */
  stand(times: number, ms: number, expect: Expect = 'accept'): this {
    return this.walk(times, ms, [0, 0, 0], expect);
  }

  /** Click-to-move under the next number. */
  begin(to: Vec3, fields: Record<string, unknown>, expect?: Expect): this {
    this.seq++;
    const all = { from: rounded(this.pos), to: rounded(to), speed: SPEED, ...fields };
    return this.claim('begin', all, expect);
  }
}

/**
 * The distance budget, told a second time: metres that time has allowed and that are not yet spent, capped. The cases'
 * own arithmetic: B = speed x tolerance x (1 s + min(RTT, 300 ms)); 250 ms of it to begin with.
 */
export class Budget {
  metres: number;
  #t: number;
  #rate: number;
  readonly #windowMs: number;

  constructor(t: number, options: { speed?: number; rttMs?: number; metres?: number } = {}) {
    const { speed = SPEED, rttMs = 0 } = options;
    this.#rate = (speed * TOLERANCE) / 1000;
    this.#windowMs = 1000 + Math.min(rttMs, 300);
    this.metres = options.metres ?? this.#rate * 250;
    this.#t = t;
  }

  /** What is left at `t`. */
  at(t: number): number {
    this.metres = Math.min(this.#rate * this.#windowMs, this.metres + this.#rate * (t - this.#t));
    this.#t = t;
    return this.metres;
  }

  /** Another speed limit from `t` on. */
  limit(t: number, speed: number): void {
    this.at(t);
    this.#rate = (speed * TOLERANCE) / 1000;
    this.at(t);
  }

  /** Spends metres at `t` if they are there. Too close to call is a fault of the case. */
  spend(t: number, metres: number): boolean {
    const left = this.at(t) - metres;
    if (Math.abs(left) < 0.0005) throw new Error(`too close to call at ${t} ms: ${left} m`);
    if (left < 0) return false;
    this.metres = left;
    return true;
  }
}

/** Refused with one of these reasons, the authoritative position unchanged. */
export function held(pos: Vec3, ...reason: string[]): ExpectFields {
  return { verdict: 'refused', ...(reason.length === 0 ? {} : { reason }), pos: rounded(pos) } as ExpectFields;
}

/** Put back: a correction goes out that carries the authoritative position. */
export function putBack(pos: Vec3, ...reason: string[]): ExpectFields {
  return { verdict: 'correct', reason, pos: rounded(pos) } as ExpectFields;
}

/** Accepted, and nothing is held against the player. */
export const CLEAN: ExpectFields = { verdict: 'accept', scoreBelow: NO_SCORE, action: 'none' };

/** Equal steps, or steps that depend on their number, counted from 1. */
export type Steps = Vec3 | ((step: number) => Vec3);

/**
 * A client that ignores corrections: each step from where it believes to be. Accepted until the budget is gone, refused
 * from then on: the first time with one of `reasons`, where it was last accepted. Returns how many were accepted.
 */
export function deaf(actor: Actor, budget: Budget, steps: number, ms: number, by: Steps, ...reasons: string[]): number {
  let accepted = 0;
  let authority = actor.pos;
  for (let i = 1; i <= steps; i++) {
    const step = typeof by === 'function' ? by(i) : by;
    actor.wait(ms);
    const to = plus(actor.pos, step);
    if (accepted === i - 1 && budget.spend(actor.t, Math.hypot(step[0], step[2]))) {
      authority = to;
      accepted = i;
      actor.go(to, 'accept');
    } else actor.go(to, accepted === i - 1 ? held(authority, ...reasons) : 'refused');
  }
  if (accepted === steps) throw new Error(`${actor.id} was never refused`);
  return accepted;
}

/**
 * A cheat that obeys corrections at once: each step is taken from where the server last accepted it. Returns how many
 * were accepted.
 */
export function obeying(
  actor: Actor,
  budget: Budget,
  steps: number,
  ms: number,
  by: Vec3,
  ...reasons: string[]
): number {
  let accepted = 0;
  for (let i = 0; i < steps; i++) {
    actor.wait(ms);
    const to = plus(actor.pos, by);
    if (budget.spend(actor.t, Math.hypot(by[0], by[2]))) {
      actor.go(to, 'accept');
      accepted++;
    } else actor.try(to, held(actor.pos, ...reasons));
  }
  return accepted;
}

/** An open field: x from 0 to 400 m, z from 0 to 60 m. */
export const FIELD: MapSource = { grid: Array.from({ length: 6 }, () => '.'.repeat(40)), cell: 10 };

/** A grid with blocked rectangles [x0, z0, x1, z1) in cells. */
export function grid(width: number, depth: number, cell: number, blocks: readonly number[][], agent = 1): MapSource {
  const rows = Array.from({ length: depth }, (_, z) =>
    Array.from({ length: width }, (_, x) =>
      blocks.some(([x0, z0, x1, z1]) => x >= x0 && x < x1 && z >= z0 && z < z1) ? '#' : '.',
    ).join(''),
  );
  return { grid: rows, cell, ...(agent === 1 ? {} : { agent }) };
}

/** Solid boxes, built with the cases' agent: radius 0.4, height 2, climb 0.4, cells of 0.2 m. */
export function built(boxes: readonly number[][], more: Record<string, unknown> = {}): MapSource {
  return { build: { boxes: boxes as never, ...more } };
}

/** The four ways along the axes, and a slanted one, as unit vectors. */
export const WAYS: readonly (readonly [string, Vec3])[] = [
  ['east', [1, 0, 0]],
  ['west', [-1, 0, 0]],
  ['south', [0, 0, 1]],
  ['north', [0, 0, -1]],
  ['slanted', [0.6, 0, -0.8]],
];

export function times([x, y, z]: Vec3, factor: number): Vec3 {
  return [x * factor, y * factor, z * factor];
}

export function plus([x, y, z]: Vec3, [dx, dy, dz]: Vec3): Vec3 {
  return [x + dx, y + dy, z + dz];
}

function round(n: number, per: number): number {
  return Number.isFinite(n) && Math.abs(n) < 1e9 ? Math.round(n * per) / per : n;
}

function rounded([x, y, z]: Vec3): [number, number, number] {
  return [round(x, 1e4), round(y, 1e4), round(z, 1e4)];
}

/** JSON has no NaN and no infinities: the log's words for them. */
function special(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
