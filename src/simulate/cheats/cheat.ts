// What a cheat of the zoo is, and the actor that plays one: honest for a while, then the script. Imported by
// simulate/cheats/.
import type { Actor, ActorFact, Answer, Cast, CheatEntry, Point, Stage, Wire } from '../actor.ts';
import type { Random } from '../random.ts';
import { type Habits, Hand, type Script } from './hand.ts';

/** The place and the aim that a run of a cheat has on a map. */
export interface Plan {
  /** Where it enters. */
  readonly start: Point;
}

/** How to show that the cheat works when nothing stops it: it must win then. */
export interface Control {
  /** Rules without the one that stops it. */
  readonly rules?: Readonly<Record<string, unknown>>;
  /** Judged on open ground: no walls, one floor. */
  readonly open?: boolean;
  /** The server plays along: see `Hand.lax`. */
  readonly lax?: boolean;
}

export interface CheatSpec<P extends Plan> {
  readonly name: string;
  /** How it works, in one sentence. */
  readonly how: string;
  /** By when it must be caught: see CheatEntry. */
  readonly bound: CheatEntry['bound'];
  /** Metres ahead of an honest player when it is caught, at most: so many seconds of its speed limit. */
  readonly ahead: number;
  /** Who is never so many seconds of its speed limit ahead gains nothing: bends hide a little speed (default 0.5). */
  readonly harmless?: number;
  /** What it wins: metres beyond its speed, or claims accepted that must not be. */
  readonly wins: 'metres' | 'fouls';
  readonly control: Control;
  /** What counts as caught: a refusal or `watch` (default), or `watch` only. */
  readonly caughtBy?: 'watch';
  /** Range of speed limits, m/s (default 2.5-7). Whoever hops walls is slow: the way round must be out of reach. */
  readonly speed?: readonly [number, number];
  /** A place for it on this map, or null. */
  plan(stage: Stage, random: Random, speed: number): P | null;
  /** What it does before it cheats (default: walks about for 2-4 s). */
  warm?(me: Hand, plan: P): Script;
  /** What it does then. */
  play(me: Hand, plan: P, lax: boolean): Script;
}

/** A cheat as the zoo lists it. */
export interface Cheat extends CheatEntry {
  /** Seconds of its speed limit that it may be ahead when it is caught. */
  readonly ahead: number;
  /** Seconds of its speed limit: who is never so far ahead has gained nothing. */
  readonly harmless: number;
  readonly wins: 'metres' | 'fouls';
  readonly control: Control;
  readonly caughtBy: 'refusal' | 'watch';
  make(stage: Stage, id: string, random: Random, startMs: number, options?: MakeOptions): CheatCast | null;
}

export interface MakeOptions extends Partial<Habits> {
  /** Plays the positive control. */
  readonly lax?: boolean;
}

export interface CheatCast extends Cast {
  readonly actor: CheatActor;
}

/** Makes a cheat of its words and its script. */
export function cheat<P extends Plan>(spec: CheatSpec<P>): Cheat {
  const { name, how, bound, ahead, wins, control } = spec;
  return {
    name,
    how,
    bound,
    ahead,
    harmless: spec.harmless ?? 0.5,
    wins,
    control,
    caughtBy: spec.caughtBy ?? 'refusal',
    make(stage, id, random, startMs, { lax = false, ...wishes } = {}) {
      const [slow, fast] = spec.speed ?? [2.5, 7];
      const habits: Habits = {
        speed: Math.round(random.between(slow, fast) * 10) / 10,
        hz: [5, 10, 20, 30, 60, 120][random.below(6)],
        quantum: 0.01 * (1 + random.below(5)),
        rttMs: Math.round(random.between(10, 400)),
        obeys: random.chance(0.5),
        ...wishes,
      };
      const plan = spec.plan(stage, random, habits.speed);
      if (plan === null) return null;
      const hand = new Hand(stage, random, habits, plan.start, startMs + habits.rttMs);
      const actor = new CheatActor(id, name, hand, script(spec, hand, plan, lax), startMs);
      const line = {
        rttMs: habits.rttMs,
        jitterMs: 0,
        transport: 'ordered' as const,
        loss: 0,
        stallMs: 0,
        stallsPerMinute: 0,
      };
      return { actor, line };
    },
  };
}

function* script<P extends Plan>(spec: CheatSpec<P>, hand: Hand, plan: P, lax: boolean): Script {
  if (spec.warm) yield* spec.warm(hand, plan);
  else yield* hand.walk(hand.random.between(2000, 4000));
  hand.begin();
  yield* spec.play(hand, plan, lax);
}

export class CheatActor implements Actor {
  readonly id: string;
  readonly kind: string;
  readonly model: string;
  readonly listens = 'refusals';
  readonly hand: Hand;
  wakeAt: number;
  cheatingSince = Infinity;
  readonly #script: Script;
  #entered = false;

  constructor(id: string, kind: string, hand: Hand, script: Script, startMs: number) {
    this.id = id;
    this.kind = kind;
    this.hand = hand;
    this.model = `${hand.habits.hz} Hz`;
    this.#script = script;
    this.wakeAt = startMs;
  }

  wake(_t: number, wire: Wire): void {
    const { hand } = this;
    hand.wire = wire;
    if (!this.#entered) {
      this.#entered = true;
      const { x, y, z } = hand.at;
      wire.server({ op: 'enter', pos: [x, y, z], speed: hand.habits.speed });
      wire.server({ op: 'rtt', ms: hand.habits.rttMs });
    }
    // resumed half a round trip before the arrival that it yielded; acts, and yields the next
    const up = hand.habits.rttMs / 2;
    let next: number;
    do {
      const { done, value } = this.#script.next();
      next = done === true ? Infinity : value - up;
    } while (next <= this.wakeAt);
    if (hand.cheatingFrom < Infinity) this.cheatingSince = hand.cheatingFrom - up;
    hand.wire = undefined;
    this.wakeAt = next;
  }

  hear(_t: number, answer: Answer): void {
    this.hand.hear(answer);
  }

  told(_t: number, _fact: ActorFact): void {}
}
