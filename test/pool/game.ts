// A seeded game that a plain guard and a pool play side by side: facts, claims one by one and in batches, several of them on
// their way at once. Every answer of the pool must be the guard's, to the bit.
import { expect } from 'vitest';
import type { GuardedMap, MoveGuard } from '../../src/guard.ts';
import { random } from '../guard/rounding.ts';
import type { Pool } from './dist.ts';

const ARRAYS = [
  ...(['verdict', 'reason', 'used', 'allowed', 'straight', 'length', 'bound', 'at', 'score'] as const),
  ...(['action', 'correction'] as const),
];
type Answers = Record<(typeof ARRAYS)[number], ArrayLike<number>>;

export interface GameOptions {
  seed: number;
  players: number;
  /** Claims of a batch at most, and batches on their way at once. */
  batch: number;
  flights: number;
  /** Where entities appear: x, y, z in metres. */
  spots: readonly (readonly [number, number, number])[];
  /** Without it no fact is told but entering. */
  facts: boolean;
}

type Rand = () => number;

/** Plays on; `compared` counts answers that were compared. */
export class Game {
  readonly guard: MoveGuard;
  readonly pool: Pool;
  compared = 0;
  accepted = 0;
  now = 0;
  readonly #options: GameOptions;
  readonly #rand: Rand;
  readonly #ids: string[];
  readonly #seq = new Map<string, number>();
  /** What is on its way, and what went wrong with it. */
  readonly #flights = new Set<Promise<void>>();
  #error: unknown;
  readonly #free: ReturnType<Pool['claims']>[] = [];
  #mapNumber = 0;
  #version: string | undefined;
  #progress: string | undefined;

  constructor(guard: MoveGuard, pool: Pool, clock: { now: number }, options: GameOptions) {
    this.guard = guard;
    this.pool = pool;
    this.#options = options;
    this.#rand = random(options.seed);
    this.#ids = Array.from({ length: options.players }, (_, i) => `p${i}`);
    for (let i = 0; i < options.flights; i++) this.#free.push(pool.claims(options.batch));
    this.#clock = clock;
    for (const id of this.#ids) this.#enter(id);
  }
  readonly #clock: { now: number };

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#rand() * list.length)];
  }
  #tick(ms: number): void {
    this.now += ms;
    this.#clock.now = this.now;
  }
  #spot(): [number, number, number] {
    const [x, y, z] = this.#pick(this.#options.spots);
    return [x, y, z];
  }
  #enter(id: string): void {
    const entry = { pos: this.#spot(), speed: 3 + Math.floor(this.#rand() * 5) };
    this.guard.enter(id, entry);
    this.pool.enter(id, entry);
  }
  /** A place near where the guard has the entity; now and then far away. */
  #near(id: string, metres: number): [number, number, number] {
    // (without a look at the clock: the pool does not look at it either)
    const at = this.guard.stateOf(id) ?? this.#spot();
    const far = this.#rand() < 0.05 ? 20 : 1;
    const move = (): number => (this.#rand() * 2 - 1) * metres * far;
    return [at[0] + move(), at[1] + (this.#rand() < 0.05 ? this.#rand() : 0), at[2] + move()];
  }
  #next(id: string): number {
    const seq = (this.#seq.get(id) ?? 0) + (this.#rand() < 0.03 ? 0 : 1);
    this.#seq.set(id, seq);
    return seq;
  }

  /** Some facts, some claims one by one, then a batch. Resolves when there is room for the next. */
  async round(): Promise<void> {
    if (this.#options.facts) for (let k = 0; k < 6; k++) this.#fact();
    for (let k = 0; k < 4; k++) this.#claim();
    await this.#batch();
  }

  /** All answers are in and compared. */
  async settle(): Promise<void> {
    await Promise.all(this.#flights);
    if (this.#error !== undefined) throw this.#error;
  }

  /** What is remembered of everybody is the same. */
  async compareStates(): Promise<void> {
    await this.settle();
    for (const id of this.#ids) {
      expect(await this.pool.positionAt(id), id).toEqual(this.guard.positionAt(id));
      expect(await this.pool.score(id), id).toBe(this.guard.score(id));
      expect(await this.pool.evidence(id), id).toEqual(this.guard.evidence(id));
    }
  }

  /** Both go over to another map. */
  swap(map: GuardedMap & { toPack(): ArrayBuffer }): Promise<void> {
    const moved = this.guard.swap(map);
    const number = ++this.#mapNumber;
    const byId = (a: unknown, b: unknown): number => ((a as { id: string }).id < (b as { id: string }).id ? -1 : 1);
    const swapped = this.pool.swap(map as never).then((got) => {
      expect(got.map).toBe(number);
      expect([...got.moved].sort(byId)).toEqual(moved.sort(byId));
    });
    this.#fly(swapped);
    return swapped;
  }

  #fact(): void {
    this.#tick(Math.floor(this.#rand() * 5));
    const id = this.#pick(this.#ids);
    const at = this.#near(id, 2);
    const kind = Math.floor(this.#rand() * 14);
    const n = this.#rand();
    const both = (call: (to: MoveGuard | Pool) => unknown): void => {
      expect(call(this.pool), `fact ${kind} of ${id}`).toEqual(call(this.guard));
    };
    if (kind === 0) both((to) => to.leave(id));
    else if (kind === 1) this.#enter(id);
    else if (kind === 2) both((to) => to.setSpeed(id, 2 + Math.floor(n * 6)));
    else if (kind === 3) both((to) => to.boost(id, 4, 500));
    else if (kind === 4) both((to) => to.impulse(id, [3, n > 0.5 ? 4 : 0, 1], 8));
    else if (kind === 5) both((to) => to.grant(id, at, { grant: 'blink', radius: 2 }));
    else if (kind === 6) both((to) => to.teleport(id, at));
    else if (kind === 7) both((to) => to.rtt(id, Math.floor(n * 300)));
    else if (kind === 8) both((to) => to.ack(id, Math.floor(n * 3)));
    else if (kind === 9) both((to) => to.state(id, n < 0.8 ? { alive: true, rooted: false } : { rooted: true }));
    else if (kind === 10) both((to) => to.state(id, { flying: n < 0.2 }));
    else if (kind === 11) both((to) => to.pause(Math.floor(n * 200)));
    else if (kind === 12 && n < 0.3) {
      this.#version = `v${Math.floor(n * 10)}`;
      both((to) => to.version(this.#version as string));
    } else if (kind === 13 && n < 0.3) {
      this.#progress = String(Math.floor(n * 10));
      both((to) => to.progress(this.#progress as string));
    }
  }

  #claim(): void {
    this.#tick(Math.floor(this.#rand() * 20));
    const id = this.#rand() < 0.03 ? 'nobody' : this.#pick(this.#ids);
    const seq = this.#next(id);
    const kind = this.#rand();
    const at = this.#near(id, 1);
    const odd = this.#rand() < 0.1;
    const options = odd ? { mapVersion: 'v1', progress: 2 } : undefined;
    let judge: (to: MoveGuard | Pool) => unknown;
    if (kind < 0.4) {
      const x = this.#rand() < 0.03 ? (this.#pick(['1', null, Number.NaN, {}]) as number) : at[0];
      judge = (to) => to.move(id, seq, x, at[1], at[2], options);
    } else if (kind < 0.8) {
      const from = this.guard.positionAt(id) ?? [0, 0, 0];
      const to3 = this.#near(id, 8);
      const length = Math.hypot(to3[0] - from[0], to3[2] - from[2]);
      const speed = 3;
      const claim = { seq, from, to: odd ? 'there' : to3, speed, duration: (1000 * length) / speed };
      judge = (to) => to.begin(id, claim);
    } else judge = (to) => to.input(id, seq, [this.#rand() < 0.5 ? 1 : -1, 0], 50, options);
    // the direction is drawn once
    const drawn = kind < 0.8 ? judge : this.#input(id, seq, options);
    const asked = drawn(this.pool) as Promise<{ toJSON?(): unknown }>;
    const verdict = drawn(this.guard) as { copy(): object };
    const expected = { ...verdict.copy() };
    this.#fly(
      asked.then((got) => {
        this.compared++;
        expect({ ...got }, `${id} ${seq}`).toEqual(expected);
      }),
    );
  }
  #input(id: string, seq: number, options: object | undefined): (to: MoveGuard | Pool) => unknown {
    const dir = [this.#rand() * 2 - 1, this.#rand() * 2 - 1];
    return (to) => to.input(id, seq, dir, 50, options);
  }

  async #batch(): Promise<void> {
    const { batch } = this.#options;
    const n = 1 + Math.floor(this.#rand() * batch);
    const own = this.guard.claims(batch);
    let claims = this.#free.pop();
    while (claims === undefined) {
      await Promise.race(this.#flights);
      if (this.#error !== undefined) throw this.#error;
      claims = this.#free.pop();
    }
    for (let i = 0; i < n; i++) {
      const id = this.#pick(this.#ids);
      const odd = this.#rand() < 0.01;
      this.#tick(this.#rand() < 0.3 ? 3 : 0);
      const t = this.#rand() < 0.01 ? this.#pick([Number.NaN, Infinity, -5]) : this.now;
      const at = this.#near(id, 0.4);
      const handle = odd ? this.#pick([-1, 1e6, -(2 ** 31), 2 ** 30 + 63]) : null;
      own.entity[i] = handle ?? this.guard.slot(id);
      claims.entity[i] = handle ?? this.pool.slot(id);
      for (const to of [own, claims]) {
        to.pos.set(at, 3 * i);
        to.t[i] = t;
      }
      const seq = this.#rand() < 0.005 ? this.#pick([Number.NaN, 1.5, -1]) : this.#next(id);
      own.seq[i] = seq;
      claims.seq[i] = seq;
    }
    const answered = claims;
    const map = this.#mapNumber;
    const asked = this.pool.check(answered, n);
    this.guard.checkBatch(own, n);
    this.#fly(
      asked.then(() => {
        this.#compare(answered, own, n);
        expect(answered.map).toBe(map);
        this.#free.push(answered);
      }),
    );
  }

  #compare(got: Answers, expected: Answers, n: number): void {
    this.compared += n;
    for (let i = 0; i < n; i++) if (expected.verdict[i] === 0) this.accepted++;
    for (const name of ARRAYS) {
      const each = name === 'at' ? 3 : 1;
      for (let k = 0; k < each * n; k++) {
        if (Object.is(got[name][k], expected[name][k])) continue;
        const seed = `seed ${this.#options.seed}, after ${this.compared} answers`;
        throw new Error(`${seed}: ${name}[${k}] of ${n}: expected ${expected[name][k]}, got ${got[name][k]}`);
      }
    }
  }

  #fly(flight: Promise<void>): void {
    const landed: Promise<void> = flight
      .catch((error: unknown) => {
        this.#error ??= error;
      })
      .then(() => {
        this.#flights.delete(landed);
      });
    this.#flights.add(landed);
  }
}
