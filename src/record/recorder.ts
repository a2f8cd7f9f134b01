// Keeps the last events of every entity of a guard, for appeals: an observer with one ring per place in the ledger, so its
// memory is bounded by the most entities that were ever here at once. Made by guard.ts.
import { NavguardError } from '../errors.ts';
import type { Claim, Expect, Fact } from '../log/events.ts';
import { type ToldCarrier, toldCarrier } from '../rules/carriage.ts';
import type { Carrier } from '../rules/carriers.ts';
import { Q_NOW } from '../rules/hand.ts';
import { CORNER, FLAGS, PATH_CORNERS, STRIDE, WALKING } from '../rules/ledger.ts';
import { isUnreadable, type Observer, type PlainClaim, type PlainOptions } from '../rules/observer.ts';
import type { Scene } from '../rules/scene.ts';
import type { ReusedVerdict } from '../rules/verdict.ts';
import { type Common, type Placed, Ring } from './ring.ts';

/** What a guard records. */
export interface RecordOptions {
  /** Events kept per entity, at most (16..65536); at least half as many are there once so many happened. Default 512. */
  readonly events?: number;
  /** The map's file name, for the header of recordings. Without it they name the map by its hash only. */
  readonly map?: string;
}

const LEAST_EVENTS = 16;
const MOST_EVENTS = 65_536;
/** A client's own words are cut to this many characters: what they say beyond decides nothing. */
const MOST_WORDS = 64;

/** Checks the options of a recorder; throws `BAD_ARGUMENT`. */
export function recordOptions(options: unknown): Required<Pick<RecordOptions, 'events'>> & RecordOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw wrong('record', 'an object such as { events: 512 }', options);
  }
  for (const name of Object.keys(options)) {
    if (name !== 'events' && name !== 'map') throw wrong('record', 'only "events" and "map" in it', name);
  }
  const { events = 512, map } = options as RecordOptions;
  if (!(Number.isInteger(events) && events >= LEAST_EVENTS && events <= MOST_EVENTS)) {
    throw wrong('record.events', `a whole number of ${LEAST_EVENTS}..${MOST_EVENTS}`, events);
  }
  if (map === undefined) return { events };
  if (typeof map !== 'string' || map === '') throw wrong('record.map', 'a file name', map);
  return { events, map };
}

function wrong(name: string, expected: string, got: unknown): NavguardError {
  const shown = typeof got === 'string' ? JSON.stringify(got) : String(got);
  return new NavguardError('BAD_ARGUMENT', `${name}: expected ${expected}, got ${shown}`, { got, expected });
}

/** Facts that change the map. */
const CHANGES: ReadonlySet<string> = new Set(['area', 'link', 'block', 'unblock']);

export class Recorder implements Observer {
  /** Claims of unknown entities: they change nothing and are not kept. */
  strays = 0;
  #scene: Scene;
  readonly #events: number;
  /** By place in the ledger. */
  readonly #rings: (Ring | undefined)[] = [];
  /** Which ring is an entity's. */
  readonly #slots = new Map<string, number>();
  readonly #common: Common = { pauseMs: 0, pauseUntil: -Infinity, mapVersion: undefined, progress: undefined, map: [] };
  /** What the entity of the claim at hand stood on before it. */
  #under: Carrier | undefined;
  /** Number of the latest event of the guard. */
  #serial = 0;

  constructor(scene: Scene, events: number) {
    this.#scene = scene;
    this.#events = events;
    this.#common.map = scene.changes.facts();
  }

  /** The guard has another map since t: what is kept begins there, with the state of each entity. */
  goOn(scene: Scene, t: number): void {
    this.#scene = scene;
    this.#common.map = scene.changes.facts();
    this.#rings.forEach((ring, slot) => {
      ring?.restart(this.#serial, t, this.#common, ...this.#stateAt(slot * STRIDE, ring.id));
    });
  }

  fact(o: number, fact: Fact): void {
    this.#serial++;
    if (o < 0 || fact.op === 'restore') this.#noteCommon(fact);
    if (o >= 0) {
      const ring = this.#ringOf(o, fact);
      if (ring === null) return;
      if (fact.op !== 'restore') ring.line(this.#serial, fact);
      // what a restored entity begins with is its state, and what the restoring said of all
      if (fact.op === 'restore' && fact.state !== undefined) {
        ring.restart(this.#serial, fact.t, this.#common, ...this.#stateAt(o, ring.id));
      } else this.#rollIfFull(ring, o, fact.t);
      return;
    }
    if (fact.op === 'restore') return;
    // a carrier concerns those who stand on it; who gets on by its client's word is told then
    if (fact.op === 'carrier') {
      for (const slot of this.#scene.carriers.get(fact.carrier)?.riders ?? []) {
        const ring = this.#rings[slot];
        if (ring === undefined) continue;
        ring.line(this.#serial, fact);
        this.#rollIfFull(ring, slot * STRIDE, fact.t);
      }
      return;
    }
    // facts about all entities stand in each ring
    this.#rings.forEach((ring, slot) => {
      if (ring === undefined) return;
      ring.line(this.#serial, fact);
      this.#rollIfFull(ring, slot * STRIDE, fact.t);
    });
  }

  before(o: number): void {
    this.#under = o < 0 ? undefined : this.#scene.carriers.under(o);
  }

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
  ): void {
    const ring = this.#claimRing(o);
    if (ring === undefined) return;
    if (
      options === undefined &&
      typeof seq === 'number' &&
      typeof x === 'number' &&
      typeof y === 'number' &&
      typeof z === 'number'
    ) {
      ring.move(this.#serial, t, seq, x, y, z, verdict);
    } else {
      const said = optionFields(options, this.#common);
      // the carrier that it names, and does not stand on, as it was then
      const named = this.#scene.carriers.get(said.carrier);
      if (named !== undefined && named !== this.#under) {
        ring.line(this.#serial++, { t, op: 'carrier', ...toldCarrier(this.#scene, named, ring.id) });
      } else if (named === undefined && isName(said.carrier)) {
        const goneAt = this.#scene.carriers.goneAt(said.carrier);
        ring.line(this.#serial++, { t, op: 'carrier', carrier: said.carrier, pos: null, past: [goneAt] });
      }
      const claim = { t, op: 'move' as const, id: idOf(id, ring), seq: word(seq), pos: [word(x), word(y), word(z)] };
      ring.line(this.#serial, { ...claim, ...said, expect: expectOf(verdict) });
    }
    this.#rollIfFull(ring, o, t);
  }

  claim(
    o: number,
    t: number,
    op: 'begin' | 'input',
    id: unknown,
    claim: PlainClaim | null,
    verdict: ReusedVerdict,
  ): void {
    const ring = this.#claimRing(o);
    if (ring === undefined) return;
    const fields: Record<string, unknown> = {};
    // no claim at all is a line without fields; one that cannot be read has at least a wrong one
    if (typeof claim === 'object' && claim !== null) {
      fields.seq = null;
      if (!isUnreadable(claim)) {
        for (const [name, value] of Object.entries(claim)) fields[name] = said(name, value, this.#common);
      }
    }
    ring.line(this.#serial, { t, op, id: idOf(id, ring), ...fields, expect: expectOf(verdict) } as Claim);
    this.#rollIfFull(ring, o, t);
  }

  /** A claim is the next event: the ring it goes to, or none for an entity that is unknown. */
  #claimRing(o: number): Ring | undefined {
    this.#serial++;
    const ring = o < 0 ? undefined : this.#rings[o / STRIDE];
    if (ring === undefined) this.strays++;
    return ring;
  }

  /** Everything kept of an entity, or of all, in the guard's order; empty when there is nothing. */
  events(id: string | undefined, layout: string): Placed[] {
    const all: Placed[] = [];
    for (const ring of this.#rings) {
      if (ring !== undefined && (id === undefined || ring.id === id)) all.push(...ring.events(layout));
    }
    all.sort((a, b) => a.serial - b.serial);
    // facts about all entities stand in each ring
    return all.filter(({ serial, event }, i) => i === 0 || serial !== all[i - 1].serial || event.op === 'restore');
  }

  /** Bytes held for all entities, paths apart. */
  get bytes(): number {
    return this.#rings.reduce((sum, ring) => sum + (ring?.bytes ?? 0), 0);
  }

  #ringOf(o: number, fact: Fact): Ring | null {
    const slot = o / STRIDE;
    const known = this.#rings[slot];
    if ((fact.op !== 'enter' && fact.op !== 'restore') || known?.id === fact.id) return known ?? null;
    const ring = known ?? new Ring(fact.id, this.#events, STRIDE);
    if (known !== undefined && this.#slots.get(known.id) === slot) this.#slots.delete(known.id);
    // what it did before its ledger was forgotten is forgotten too
    const earlier = this.#slots.get(fact.id);
    if (earlier !== undefined) this.#rings[earlier] = undefined;
    this.#slots.set(fact.id, slot);
    ring.begin(fact.id, this.#serial - 1, fact.t, this.#common);
    this.#rings[slot] = ring;
    return ring;
  }

  #noteCommon(fact: Fact): void {
    const { terms, q } = this.#scene;
    if (fact.op === 'version') this.#common.mapVersion = fact.mapVersion;
    if (fact.op === 'progress') this.#common.progress = String(fact.progress);
    if (CHANGES.has(fact.op) || (fact.op === 'restore' && fact.map !== undefined)) {
      this.#common.map = this.#scene.changes.facts();
    }
    if (fact.op === 'restore') {
      this.#common.mapVersion = fact.mapVersion ?? this.#common.mapVersion;
      this.#common.progress = fact.progress ?? this.#common.progress;
    }
    // a pause that is over says nothing any more
    const over = terms.pauseUntil < q[Q_NOW];
    this.#common.pauseMs = over ? 0 : terms.pauseMs;
    this.#common.pauseUntil = over ? -Infinity : terms.pauseUntil;
  }

  #rollIfFull(ring: Ring, o: number, t: number): void {
    if (ring.full) this.#roll(ring, o, t);
  }

  #roll(ring: Ring, o: number, t: number): void {
    ring.roll(this.#serial, t, this.#common, ...this.#stateAt(o, ring.id));
  }

  /** An entity's numbers, and its path when it walks. */
  #stateAt(o: number, id: string): [Float64Array, Float64Array | null, ToldCarrier | null] {
    const { ledger, carriers } = this.#scene;
    const { f } = ledger;
    let path: Float64Array | null = null;
    if ((f[o + FLAGS] & WALKING) !== 0) {
      path = ledger.paths[o / STRIDE]?.slice(0, f[o + PATH_CORNERS] * CORNER) ?? null;
    }
    const under = carriers.under(o);
    return [f.subarray(o, o + STRIDE), path, under === undefined ? null : toldCarrier(this.#scene, under, id)];
  }
}

/** What a log can name a carrier by. */
function isName(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || Number.isSafeInteger(value);
}

/** A claim's id as JSON holds it: one that is no string stays none. */
function idOf(id: unknown, ring: Ring): unknown {
  return id === undefined ? ring.id : typeof id === 'string' ? id : null;
}

/** A client's value as a log holds it: a number, a short string, or something that is as wrong as it was. */
function word(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined) return value;
  if (typeof value === 'string') return value.slice(0, MOST_WORDS);
  return Array.isArray(value) ? value.map(word) : {};
}

/** Names and versions: a number that JSON cannot hold would turn into a word there. */
const LABELS: ReadonlySet<string> = new Set(['mapVersion', 'progress', 'strategy', 'kind']);

function said(name: string, value: unknown, common: Common): unknown {
  if (typeof value === 'number' && !Number.isFinite(value) && LABELS.has(name)) return false;
  if (typeof value !== 'string' || value.length <= MOST_WORDS) return word(value);
  const server = name === 'mapVersion' ? common.mapVersion : name === 'progress' ? common.progress : undefined;
  if (value === server) return value;
  const cut = `${value.slice(0, MOST_WORDS)}...`;
  // whatever it is, it is not what the server said
  return cut === server ? `${cut}.` : cut;
}

function optionFields(options: unknown, common: Common): PlainOptions {
  if (options === undefined || options === null) return {};
  // no object, or one that cannot be read: malformed either way
  if (typeof options !== 'object' || isUnreadable(options)) return { mapVersion: false };
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) fields[name] = said(name, value, common);
  return fields;
}

/** What a replay must give: all that a verdict says of state, and the measure that decided, exactly. */
function expectOf(verdict: ReusedVerdict): Expect {
  const { pos } = verdict;
  return {
    verdict: verdict.verdict,
    reason: verdict.reason,
    pos: pos === null ? null : [...pos],
    ...(pos === null ? {} : { within: 0 }),
    used: verdict.used,
    allowed: verdict.allowed,
    score: verdict.score,
    action: verdict.action,
    correction: verdict.correction,
  };
}
