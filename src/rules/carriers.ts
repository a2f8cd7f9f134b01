// Carriers: lifts, ships, platforms, vehicles, and entities that carry others. Where each of them was during the last second,
// how large it is, and who stands on which. Outside the ledger: there is nothing of it that a move without carriers reads.
// Imported by rules/, record/ and guard.ts.
//
// A client sees a carrier where it was up to a round trip ago, so its claims are held against the poses of that time. A pose
// is remembered for HISTORY_MS, at most SAMPLES of them: memory does not grow with what is told.
import type { Kernel } from '../kernel/kernel.ts';

import { DEFAULT_RADIUS, type Footprint, footprintOf } from './footprint.ts';
import { STRIDE } from './ledger.ts';
import { between, POSE } from './pose.ts';

/** What the server calls a carrier; 17 and "17" are the same. */
export type CarrierName = string | number;

const HISTORY_MS = 1000;
const SAMPLES = 64;
/** Numbers of a sample: time, pose. */
const SAMPLE = 1 + POSE;
/** One that is told farther than this from where it was, and faster than JUMP_SPEED, did not move there: it jumped, metres. */
const JUMP_M = 10;
/** m per ms, counted for at most a second. */
const JUMP_SPEED = 0.06;
/** A carrier that is told so often is still moving as it did, for as long again, ms. */
const STEADY_MS = 500;
/** So many names of carriers that went are remembered. */
const GONE = 64;

/** Long before every clock, ms; a number that JSON can hold. */
const NEVER = -1e12;

const DEFAULT = footprintOf(DEFAULT_RADIUS) as Footprint;

/** One carrier. */
export class Carrier {
  readonly label: CarrierName;
  /** The entity that it is, or null. */
  readonly entity: string | null;
  footprint: Footprint = DEFAULT;
  /** Its own navmesh in its coordinates, or null. */
  kernel: Kernel | null = null;
  /** Places in the ledger (slots) of who stands on it. */
  readonly riders = new Set<number>();
  readonly #samples = new Float64Array(SAMPLES * SAMPLE);
  #first = 0;
  #count = 0;
  /** What was before this time, ms, is from before its last jump. (No clock of a guard is below 0.) */
  since = 0;

  constructor(label: CarrierName, entity: string | null) {
    this.label = label;
    this.entity = entity;
  }

  get count(): number {
    return this.#count;
  }

  /** Time of the k-th remembered pose, the oldest first, ms. */
  time(k: number): number {
    return this.#samples[this.#at(k)];
  }

  /** The k-th remembered pose. */
  pose(k: number, to: Float64Array): void {
    const at = this.#at(k);
    for (let i = 0; i < POSE; i++) to[i] = this.#samples[at + 1 + i];
  }

  /** The latest pose. */
  now(to: Float64Array): void {
    this.pose(this.#count - 1, to);
  }

  /** It is at a pose at time t, which is no earlier than the last one. */
  tell(t: number, pose: Float64Array): void {
    const s = this.#samples;
    if (this.#count > 0) {
      const last = this.#at(this.#count - 1);
      const dx = pose[0] - s[last + 1];
      const dy = pose[1] - s[last + 2];
      const dz = pose[2] - s[last + 3];
      const far = Math.max(JUMP_M, JUMP_SPEED * Math.min(t - s[last], 1000));
      if (dx * dx + dy * dy + dz * dz > far * far) this.since = t;
      if (s[last] === t) this.#count--;
    }
    // the pose that was in force a second ago still counts
    while (this.#count > 1 && this.time(1) < t - HISTORY_MS) this.#drop();
    if (this.#count === SAMPLES) this.#drop();
    this.#count++;
    const at = this.#at(this.#count - 1);
    s[at] = t;
    for (let i = 0; i < POSE; i++) s[at + 1 + i] = pose[i];
  }

  /** The first pose that was in force at `from` or later. */
  firstSince(from: number): number {
    let k = this.#count - 1;
    while (k > 0 && this.time(k) > from) k--;
    return k;
  }

  /** Where it will have come to at t if it goes on as it did, for at most as long as it was told last: false when it stands. */
  ahead(t: number, to: Float64Array): boolean {
    if (this.#count < 2) return false;
    const last = this.time(this.#count - 1);
    const before = this.time(this.#count - 2);
    const ms = last - before;
    if (!(t > last && ms > 0 && ms <= STEADY_MS) || this.since > before) return false;
    this.pose(this.#count - 2, earlier);
    this.now(latest);
    for (let i = 0; i < 3; i++) earlier[i] = 2 * latest[i] - earlier[i];
    earlier[3] = latest[3];
    earlier[4] = latest[4];
    between(latest, earlier, Math.min(1, (t - last) / ms), to);
    return true;
  }

  /** The pose at t: on the way from one remembered pose to the next, or ahead of the last. */
  at(t: number, to: Float64Array): void {
    const k = this.firstSince(t);
    if (k === this.#count - 1) {
      if (!this.ahead(t, to)) this.now(to);
      return;
    }
    this.pose(k, earlier);
    this.pose(k + 1, latest);
    const begin = this.time(k);
    between(earlier, latest, Math.min(1, Math.max(0, (t - begin) / (this.time(k + 1) - begin))), to);
  }

  /** All that is remembered: the time of the last jump, then time and pose of each sample. */
  past(): number[] {
    const numbers = [this.since];
    for (let k = 0; k < this.#count; k++) {
      const at = this.#at(k);
      for (let i = 0; i < SAMPLE; i++) numbers.push(this.#samples[at + i]);
    }
    return numbers;
  }

  /** Takes over what `past` gave; false, and nothing has happened, when it is no such thing. */
  recall(past: readonly number[]): boolean {
    const count = (past.length - 1) / SAMPLE;
    if (!(Number.isInteger(count) && count >= 1 && count <= SAMPLES)) return false;
    if (!past.every((n) => Number.isFinite(n))) return false;
    for (let k = 1; k < count; k++) if (!(past[1 + k * SAMPLE] > past[1 + (k - 1) * SAMPLE])) return false;
    this.#first = 0;
    this.#count = count;
    this.since = past[0];
    for (let i = 1; i < past.length; i++) this.#samples[i - 1] = past[i];
    return true;
  }

  #at(k: number): number {
    return ((this.#first + k) % SAMPLES) * SAMPLE;
  }

  #drop(): void {
    this.#first = (this.#first + 1) % SAMPLES;
    this.#count--;
  }
}

const earlier = new Float64Array(POSE);
const latest = new Float64Array(POSE);

/** All carriers of a guard, and who stands on them. */
export class Carriers {
  readonly #known = new Map<string, Carrier>();
  /** What an entity stands on, by its place in the ledger (slot). */
  readonly #of: (Carrier | undefined)[] = [];
  /** Entities as carriers that a replay was told of, by their riders' names. */
  readonly #riders = new Map<string, Carrier>();
  /** When carriers went, the latest last, ms. */
  readonly #gone = new Map<string, number>();

  /** The carrier of a name, 17 and "17" being the same; undefined when there is none. Entities are none by name. */
  get(label: unknown): Carrier | undefined {
    return typeof label === 'string' || typeof label === 'number' ? this.#known.get(String(label)) : undefined;
  }

  /** The same, made when there is none. */
  add(label: CarrierName): Carrier {
    const key = String(label);
    let carrier = this.#known.get(key);
    if (carrier === undefined) {
      carrier = new Carrier(label, null);
      this.#known.set(key, carrier);
      this.#gone.delete(key);
    }
    return carrier;
  }

  /** A carrier went at t, and nobody stands on it. */
  remove(label: CarrierName, t: number): void {
    const key = String(label);
    this.#known.delete(key);
    this.#gone.delete(key);
    this.#gone.set(key, t);
    if (this.#gone.size > GONE) this.#gone.delete(this.#gone.keys().next().value as string);
  }

  /** When the carrier of a name went, ms; NEVER when it never was here. */
  goneAt(label: unknown): number {
    return this.#gone.get(String(label)) ?? NEVER;
  }

  /** What the entity at a place in the ledger stands on. */
  under(o: number): Carrier | undefined {
    return this.#of[o / STRIDE];
  }

  /** An entity stands on a carrier, and on no other. */
  board(o: number, carrier: Carrier): void {
    this.drop(o);
    carrier.riders.add(o / STRIDE);
    this.#of[o / STRIDE] = carrier;
  }

  /** An entity stands on no carrier. */
  drop(o: number): void {
    const slot = o / STRIDE;
    const carrier = this.#of[slot];
    if (carrier === undefined) return;
    carrier.riders.delete(slot);
    this.#of[slot] = undefined;
  }

  /**
   * An entity as the carrier of one rider, in a replay that does not know that entity: what the rider stands on by that name,
   * else what it will.
   */
  ofRider(o: number, rider: string, label: CarrierName): Carrier {
    const under = o < 0 ? undefined : this.under(o);
    if (under?.label === label) return under;
    let carrier = this.#riders.get(rider);
    if (carrier?.label !== label) {
      carrier = new Carrier(label, null);
      this.#riders.set(rider, carrier);
    }
    return carrier as Carrier;
  }

  /** The carrier that was told for a rider before it stood on it; it is nobody else's. */
  takeRiders(rider: string, label: CarrierName): Carrier | undefined {
    const carrier = this.#riders.get(rider);
    this.#riders.delete(rider);
    return carrier?.label === label ? carrier : undefined;
  }

  /** Who stands on an entity: places in the ledger. */
  ridersOf(entity: string): number[] {
    const riders: number[] = [];
    this.#of.forEach((carrier, slot) => {
      if (carrier?.entity === entity) riders.push(slot * STRIDE);
    });
    return riders;
  }

  /** Carriers that went, and when, ms. */
  gone(): IterableIterator<[string, number]> {
    return this.#gone.entries();
  }

  get size(): number {
    return this.#known.size;
  }

  all(): IterableIterator<Carrier> {
    return this.#known.values();
  }
}
