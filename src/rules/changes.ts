// What a guard makes of a map that changes: what closed a moment ago, and for whom that is still open. Imported by rules/ and
// guard.ts.
//
// A client hears of a closing half a round trip after it, and what it did until then arrives half a round trip later. So
// what closed within an entity's credited round trip + doorGraceMs counts as open for its claims; what opened counts at
// once (and ground that slows down is as fast to it for as long as it was). And whatever closed on an entity is open for it as long as it stands in it: it is never trapped, and may leave to
// either side. Outside, the door is shut for it like for everyone.
//
// Times are the guard's own: a change is as old as the guard's clock says since it saw it (its own changes at once, those
// through another guard of the same map at its next call). While something closed is young, no claim is judged as an
// ordinary move (plain.ts), and the map is looked at in every call; otherwise a call pays one comparison of revisions.
import type { Kernel } from '../kernel/kernel.ts';
import type { Closure, LiveFact } from '../live/closure.ts';
import { Q_NOW } from './hand.ts';
import { RTT, SINCE_T } from './ledger.ts';
import type { Rules } from './rules.ts';

/** The changeable part of a map, as rules use it: src/live/living.ts. */
export interface LivingMap {
  /** Grows with each change. */
  readonly revision: number;
  /** All that is closed now. */
  readonly closures: readonly Closure[];
  /** How fast the ground of each area is walked, a multiplier of at most 1. */
  readonly speeds: Readonly<Float64Array>;
  /** What the map has become, as the facts that make it of a fresh one. */
  facts(): readonly LiveFact[];
  /** What the map as it was loaded says of a link of those facts. */
  linkAsLoaded(link: string): boolean | 'forward' | 'backward';
  /** Brings a kernel that holds the map up to date. */
  sync(kernel: Kernel): void;
  /** Adds to `into` what closes a polygon; returns how many. */
  closuresAt(kernel: Kernel, polygon: number, into: Closure[]): number;
  /** For one question: as if these were not closed, and as it is again. */
  open(kernel: Kernel, closures: readonly Closure[]): void;
  shut(kernel: Kernel, closures: readonly Closure[]): void;
}

/** A map that never changes. */
export const STILL: LivingMap = {
  revision: 0,
  closures: [],
  speeds: new Float64Array(0),
  facts: () => [],
  linkAsLoaded: () => true,
  sync() {},
  closuresAt: () => 0,
  open() {},
  shut() {},
};

/** Something that closed a moment ago. */
export interface Young {
  readonly closure: Closure;
  /** When the guard saw it close, ms. */
  readonly t: number;
}

/** Ground that was slowed down a moment ago: from `was` times full speed, which the guard saw at t, ms. */
interface Slowed {
  readonly area: number;
  readonly was: number;
  readonly t: number;
}

/**
 * A fact that makes a living map what it is; `t`: when its closing was seen, `since` and `was`: when it was seen to slow down, and
 * from what, if that matters yet, ms.
 */
export type ChangeFact = LiveFact & { readonly t?: number; readonly since?: number; readonly was?: number };

/** Whether a closure is what a fact closed. */
function closes(closure: Closure, fact: LiveFact): boolean {
  if (fact.op === 'area') return closure.kind === 'area' && closure.name === fact.area;
  if (fact.op === 'block') return closure.kind === 'block' && closure.name === String(fact.obstacle);
  return closure.kind === 'link' && `#${closure.name}` === fact.link;
}

export class Changes {
  readonly living: LivingMap;
  /** The revision at which a call need not look; -1 while something closed is young. */
  calm: number;
  /** What is open for the entity at hand though it is closed; empty between claims. */
  readonly open: Closure[] = [];
  /** What closed since the last look: for walks that it cuts. */
  readonly fresh: Closure[] = [];
  /** How much is closed. */
  closed: number;
  /** Obstacles came or went at the last look that saw a change. */
  recut = false;
  #blocks: readonly Closure[] = [];
  #revision: number;
  /** The latest closings, oldest first. */
  #young: Young[] = [];
  /** How fast each area was walked at the last look. */
  readonly #speeds: Float64Array;
  #slowed: Slowed[] = [];
  readonly #graceMs: number;
  readonly #mostMs: number;

  constructor(living: LivingMap, rules: Rules) {
    this.living = living;
    this.#revision = living.revision;
    this.calm = living.revision;
    this.closed = living.closures.length;
    this.#speeds = living.speeds.slice();
    this.#graceMs = rules.doorGraceMs;
    this.#mostMs = rules.rttCreditMaxMs + rules.doorGraceMs;
  }

  /** Whether something closed is young enough for somebody. */
  get young(): boolean {
    return this.#young.length > 0;
  }

  /** The map may have changed, or time may have passed, until q[Q_NOW]. What closed is in `fresh` afterwards. */
  look(kernel: Kernel, q: Float64Array): void {
    const { living } = this;
    const now = q[Q_NOW];
    this.fresh.length = 0;
    if (living.revision !== this.#revision) {
      living.sync(kernel);
      for (const closure of living.closures) if (closure.revision > this.#revision) this.fresh.push(closure);
      const young = this.#young.filter(({ closure }) => living.closures.includes(closure));
      this.#young = young.concat(this.fresh.map((closure) => ({ closure, t: now })));
      this.#revision = living.revision;
      this.closed = living.closures.length;
      const blocks = living.closures.filter(({ kind }) => kind === 'block');
      this.recut = blocks.length !== this.#blocks.length || blocks.some((block, i) => block !== this.#blocks[i]);
      this.#blocks = blocks;
      this.#slow(now);
    }
    while (this.#young.length > 0 && now - this.#young[0].t > this.#mostMs) this.#young.shift();
    this.calm = this.#young.length > 0 ? -1 : this.#revision;
  }

  /** Notes what was slowed down since the last look. */
  #slow(now: number): void {
    const { speeds } = this.living;
    this.#slowed = this.#slowed.filter(({ area, was, t }) => now - t <= this.#mostMs && speeds[area] < was);
    speeds.forEach((speed, area) => {
      const before = this.#speeds[area];
      this.#speeds[area] = speed;
      if (!(speed < before)) return;
      // slowed down twice: the first speed counts on
      const was = this.#slowed.find((other) => other.area === area)?.was ?? before;
      this.#slowed = this.#slowed.filter((other) => other.area !== area);
      this.#slowed.push({ area, was: Math.max(was, before), t: now });
    });
  }

  /** Whether an entity cannot have heard at t of ground that was slowed down; who came later found it so. */
  isSlowedUnheard(f: Float64Array, o: number, t: number): boolean {
    const most = this.graceOf(f, o);
    for (let k = 0; k < this.#slowed.length; k++) {
      const since = this.#slowed[k].t;
      if (t - since <= most && since > f[o + SINCE_T]) return true;
    }
    return false;
  }

  /** How fast each area is walked as far as an entity can have heard of it at t: a new array. */
  speedsHeard(f: Float64Array, o: number, t: number): Float64Array {
    const speeds = this.living.speeds.slice();
    const most = this.graceOf(f, o);
    for (const slowed of this.#slowed) {
      if (t - slowed.t <= most && slowed.t > f[o + SINCE_T])
        speeds[slowed.area] = Math.max(speeds[slowed.area], slowed.was);
    }
    return speeds;
  }

  /** The map's revision that the guard has seen. */
  get revision(): number {
    return this.#revision;
  }

  /** Whether some ground is slow. */
  get slow(): boolean {
    return this.living.speeds.some((speed) => speed < 1);
  }

  /** What closed a moment ago, and when the guard saw it, ms; oldest first. */
  get latest(): readonly Young[] {
    return this.#young;
  }

  /** What the map has become, with the time at which what closed a moment ago was seen to close, ms. */
  facts(): ChangeFact[] {
    return this.living.facts().map((fact) => {
      const young = this.#young.find(({ closure }) => closes(closure, fact));
      const slowed = fact.op === 'area' ? this.#slowed.find(({ area }) => area === fact.area) : undefined;
      return {
        ...fact,
        ...(young === undefined ? {} : { t: young.t }),
        ...(slowed === undefined ? {} : { since: slowed.t, was: slowed.was }),
      };
    });
  }

  /** What facts made of the map closed when they say, not now; those that say nothing, long ago. */
  backdate(facts: readonly ChangeFact[]): void {
    const told = this.#young.map((young): Young | null => {
      const fact = facts.find((other) => closes(young.closure, other));
      if (fact === undefined) return young;
      return fact.t === undefined ? null : { closure: young.closure, t: fact.t };
    });
    this.#young = told.filter((young) => young !== null).sort((a, b) => a.t - b.t);
    this.#slowed = [];
    for (const fact of facts) {
      if (fact.op !== 'area' || fact.since === undefined || fact.was === undefined) continue;
      this.#slowed.push({ area: fact.area, was: fact.was, t: fact.since });
    }
    this.calm = this.#young.length > 0 ? -1 : this.#revision;
  }

  /** So long after its closing something is open for an entity, ms. */
  graceOf(f: Float64Array, o: number): number {
    return f[o + RTT] + this.#graceMs;
  }

  /** Collects in `open` what an entity cannot have heard of at t. */
  openLately(f: Float64Array, o: number, t: number): void {
    const { open } = this;
    open.length = 0;
    const most = this.graceOf(f, o);
    for (const { closure, t: since } of this.#young) if (t - since <= most) open.push(closure);
  }

  /** Asks with everything open, or everything but `shut`; in the kernel nothing is different afterwards. */
  asIfOpen<T>(kernel: Kernel, ask: () => T, shut?: Closure): T {
    const rest = this.living.closures.filter((closure) => closure !== shut && !this.open.includes(closure));
    const also = shut !== undefined && this.open.includes(shut) ? [shut] : [];
    this.living.open(kernel, rest);
    this.living.shut(kernel, also);
    try {
      return ask();
    } finally {
      this.living.open(kernel, also);
      this.living.shut(kernel, rest);
    }
  }
}
