// What somebody who watches a guard is told: every fact and every claim with its verdict, in the order the guard saw them.
// The recorder and the logger (record/) are such; guard.ts tells them.
//
// A guard without an observer pays one comparison with null for each call. With one, a claim's fields are read once, into
// a plain copy: what is judged is what is told, whatever getters a claim has.
import { NavguardError } from '../errors.ts';
import type { Fact } from '../log/events.ts';
import type { ReusedVerdict } from './verdict.ts';

/** What a move says besides its position, as plain values. */
export interface PlainOptions {
  readonly mapVersion?: unknown;
  readonly progress?: unknown;
  readonly carrier?: unknown;
  readonly offset?: unknown;
}

/**
 * Told by a guard. `o` is where the entity's numbers stand in the ledger, -1 for an entity that is not here (and for facts
 * about all). Verdicts are the reused one. What an observer calls on the guard meanwhile throws `BAD_ARGUMENT`.
 */
export interface Observer {
  /** A fact has taken effect. Facts about unknown entities change nothing and are not told. */
  fact(o: number, fact: Fact): void;
  /** A claim is about to be judged; the clock stands at its time. The claim at hand (hand.ts) may be overwritten. */
  before(o: number): void;
  /** A move has been judged at `t` ms. In batches `id` is undefined: entities are slots there. */
  move(
    o: number,
    t: number,
    id: unknown,
    seq: unknown,
    x: unknown,
    y: unknown,
    z: unknown,
    options: PlainOptions | undefined,
    verdict: ReusedVerdict,
  ): void;
  /** Another claim has been judged. `claim` is a plain copy; null when nothing was sent at all. */
  claim(
    o: number,
    t: number,
    op: 'begin' | 'input',
    id: unknown,
    claim: PlainClaim | null,
    verdict: ReusedVerdict,
  ): void;
}

/** Fields of a claim as plain values. */
export interface PlainClaim extends PlainOptions {
  readonly seq?: unknown;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly speed?: unknown;
  readonly duration?: unknown;
  readonly stop?: unknown;
  readonly strategy?: unknown;
  readonly dir?: unknown;
  readonly ms?: unknown;
}

/** Two observers as one. */
export class Both implements Observer {
  readonly #first: Observer;
  readonly #second: Observer;

  constructor(first: Observer, second: Observer) {
    this.#first = first;
    this.#second = second;
  }
  fact(...told: Parameters<Observer['fact']>): void {
    this.#first.fact(...told);
    this.#second.fact(...told);
  }
  before(o: number): void {
    this.#first.before(o);
    this.#second.before(o);
  }
  move(...told: Parameters<Observer['move']>): void {
    this.#first.move(...told);
    this.#second.move(...told);
  }
  claim(...told: Parameters<Observer['claim']>): void {
    this.#first.claim(...told);
    this.#second.claim(...told);
  }
}

const OPTIONS = ['mapVersion', 'progress', 'carrier', 'offset'] as const;
const BEGIN = [
  ...['seq', 'from', 'to', 'speed', 'duration', 'stop', 'strategy', 'progress', 'mapVersion'],
  ...['kind', 'facing', 'chaseDuration', 'flags', 'timestamp'],
];

/** Stands for a claim that cannot be read: reading it fails again, and so it is judged as such. */
const UNREADABLE: object = Object.defineProperties(
  {},
  Object.fromEntries(
    ['seq', 'mapVersion', 'length'].map((field) => [
      field,
      {
        enumerable: true,
        get(): never {
          throw new Error('a field that cannot be read');
        },
      },
    ]),
  ),
);

/** Whether `plainOptions` or `plainBegin` failed to read it. */
export function isUnreadable(plain: unknown): boolean {
  return plain === UNREADABLE;
}

/** The options of a claim, each field read once. What is no object is passed on as it is. */
export function plainOptions(options: unknown): PlainOptions | undefined {
  if (options === null || typeof options !== 'object') return options as undefined;
  return plainFields(options, OPTIONS);
}

/** A begin claim, each field read once. What is no object is passed on as it is. */
export function plainBegin(claim: unknown): PlainClaim {
  if (claim === null || typeof claim !== 'object') return claim as never;
  return plainFields(claim, BEGIN);
}

/** An input's direction, each item read once. */
export function plainDirection(dir: unknown): unknown {
  try {
    return plainValue(dir);
  } catch (error) {
    if (error instanceof NavguardError) throw error;
    return UNREADABLE;
  }
}

/** An input as a claim. */
export function inputClaim(seq: unknown, dir: unknown, ms: unknown, options: PlainOptions | undefined): PlainClaim {
  const said = { seq, dir: isUnreadable(dir) ? {} : dir, ms };
  if (options === undefined || options === null) return said;
  // no object, or one that cannot be read: malformed either way
  if (typeof options !== 'object' || isUnreadable(options)) return { ...said, mapVersion: false };
  return { ...said, ...options };
}

/** Values of a claim that come as arguments, copied once. */
export function plainValue(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    const items = value as unknown as ArrayLike<unknown>;
    // one more than any vector has: longer ones are wrong whatever the rest is
    return Array.from({ length: Math.min(Number(items.length), 4) }, (_, i) => atom(items[i]));
  }
  // whatever has two or three items counts as a vector for the guard
  const like = value as { length?: unknown; 0?: unknown; 1?: unknown; 2?: unknown };
  if (like.length === 3) return [atom(like[0]), atom(like[1]), atom(like[2])];
  return like.length === 2 ? [atom(like[0]), atom(like[1])] : {};
}

function atom(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? {} : value;
}

function plainFields(from: object, names: readonly string[]): PlainClaim {
  try {
    const plain: Record<string, unknown> = {};
    for (const name of names) {
      const value = (from as Record<string, unknown>)[name];
      if (value !== undefined) plain[name] = plainValue(value);
    }
    return plain;
  } catch (error) {
    // the caller's own mistake, a call to the guard from a getter, is not the client's
    if (error instanceof NavguardError) throw error;
    return UNREADABLE as PlainClaim;
  }
}
