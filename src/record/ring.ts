// The last events of one entity in a fixed number of bytes: two segments, each with the entity's exact state at its start.
// When the newer one is full the older one is dropped, so that a replay always has a state to begin with. Imported by
// recorder.ts and recording.ts.
//
// An event is: kind u8, serial number (varint, difference to the one before), t f64, then for a move
//   flags u8, verdict and action u8, reason u8, [seq f64], x y z f64, [score f64], [used allowed f64], [pos 3 f64],
//   [correction f64]
// and for all else its line of a move log (varint of bytes, UTF-8).

import type { Fact, MapChange, MoveClaim, MoveLogEvent } from '../log/events.ts';
import { reviveNumbers } from '../log/special.ts';
import { eventLine } from '../log/writer.ts';
import { REASON_NAMES, VERDICT_WORDS } from '../reasons.ts';
import type { ToldCarrier } from '../rules/carriage.ts';
import { type ReusedVerdict, V_ALLOWED, V_SCORE, V_USED, V_X, V_Y, V_Z } from '../rules/verdict.ts';

/** Bytes of an ordinary accepted move. */
export const MOVE_BYTES = 56;
/** An event is hardly ever longer: a segment ends this much before its bytes do. */
const SLACK_BYTES = 2048;

const KIND_MOVE = 1;
const KIND_LINE = 2;

const SEQ_IS_NEXT = 1;
const HAS_SCORE = 2;
const HAS_MEASURE = 4;
const POS_IS_CLAIM = 8;
const POS_IS_NULL = 16;
const HAS_CORRECTION = 32;

const ACTIONS = ['none', 'watch', 'restrict', 'kick'] as const;

/** What the server had said about all entities. */
export interface Common {
  pauseMs: number;
  pauseUntil: number;
  mapVersion: string | undefined;
  progress: string | undefined;
  /** What the map had become. */
  map: readonly MapChange[];
}

/** An event with its place in the order of all events of a guard. */
export interface Placed {
  serial: number;
  event: MoveLogEvent;
}

class Segment {
  bytes: Uint8Array;
  view: DataView;
  at = 0;
  count = 0;
  /** Serial number of the last event before this segment, and of its last one. */
  first = 0;
  serial = 0;
  /** Sequence number of the last move. */
  seq = Number.NaN;
  /** The entity's numbers and path at the start; without state the entity was not here. */
  readonly state: Float64Array;
  hasState = false;
  path: Float64Array | null = null;
  /** The carrier that the entity stood on at the start. */
  carried: ToldCarrier | null = null;
  t = 0;
  common: Common = { pauseMs: 0, pauseUntil: -Infinity, mapVersion: undefined, progress: undefined, map: [] };

  constructor(bytes: number, numbers: number) {
    this.bytes = new Uint8Array(bytes);
    this.view = new DataView(this.bytes.buffer);
    this.state = new Float64Array(numbers);
  }

  room(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return;
    // a server's own long name, say: rare enough to grow for
    const larger = new Uint8Array(this.at + bytes + SLACK_BYTES);
    larger.set(this.bytes);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  byte(value: number): void {
    this.bytes[this.at++] = value;
  }
  number(value: number): void {
    this.view.setFloat64(this.at, value, true);
    this.at += 8;
  }
  varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.bytes[this.at++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.at++] = rest;
  }
}

/** Events of one entity. */
export class Ring {
  id: string;
  readonly #most: number;
  readonly #bytes: number;
  readonly #numbers: number;
  #now: Segment;
  #old: Segment | null = null;
  #spare: Segment | null = null;

  /** @param events at most this many are kept, and at least half as many unless they are longer than moves */
  constructor(id: string, events: number, numbers: number) {
    this.id = id;
    this.#most = Math.ceil(events / 2);
    this.#bytes = this.#most * MOVE_BYTES + SLACK_BYTES;
    this.#numbers = numbers;
    this.#now = new Segment(this.#bytes, numbers);
  }

  /** Starts over, for an entity that was not here. */
  begin(id: string, serial: number, t: number, common: Common): void {
    this.id = id;
    this.#spare ??= this.#old;
    this.#old = null;
    this.#start(this.#now, serial, t, common);
  }

  /** Whether the newer segment is full: `roll` then, before anything else happens to the entity. */
  get full(): boolean {
    return this.#now.count >= this.#most || this.#now.at + SLACK_BYTES > this.#now.bytes.length;
  }

  /** Goes on in a new segment that begins with this state. `path` is kept. */
  roll(
    serial: number,
    t: number,
    common: Common,
    state: Float64Array,
    path: Float64Array | null,
    carried: ToldCarrier | null,
  ): void {
    const next = this.#spare ?? this.#old ?? new Segment(this.#bytes, this.#numbers);
    this.#spare = null;
    this.#old = this.#now;
    this.#now = next;
    this.#startWith(next, serial, t, common, state, path, carried);
  }

  /** Starts over with a state that came from elsewhere: what was before did not lead to it. `path` is kept. */
  restart(
    serial: number,
    t: number,
    common: Common,
    state: Float64Array,
    path: Float64Array | null,
    carried: ToldCarrier | null,
  ): void {
    this.begin(this.id, serial, t, common);
    this.#startWith(this.#now, serial, t, common, state, path, carried);
  }

  #startWith(
    segment: Segment,
    serial: number,
    t: number,
    common: Common,
    state: Float64Array,
    path: Float64Array | null,
    carried: ToldCarrier | null,
  ): void {
    this.#start(segment, serial, t, common);
    segment.state.set(state);
    segment.hasState = true;
    segment.path = path;
    segment.carried = carried;
  }

  #start(segment: Segment, serial: number, t: number, common: Common): void {
    segment.at = 0;
    segment.count = 0;
    segment.first = serial;
    segment.serial = serial;
    segment.seq = Number.NaN;
    segment.hasState = false;
    segment.path = null;
    segment.carried = null;
    segment.t = t;
    segment.common = { ...common };
  }

  /** A move by its numbers, whatever they are. */
  move(serial: number, t: number, seq: number, x: number, y: number, z: number, verdict: ReusedVerdict): void {
    const s = this.#now;
    s.room(MOVE_BYTES + 64);
    this.#head(s, KIND_MOVE, serial, t);
    const { n } = verdict;
    let flags = 0;
    if (seq === s.seq + 1) flags |= SEQ_IS_NEXT;
    if (n[V_SCORE] !== 0) flags |= HAS_SCORE;
    // NaN is null; both or none
    if (n[V_USED] === n[V_USED] || n[V_ALLOWED] === n[V_ALLOWED]) flags |= HAS_MEASURE;
    if (n[V_X] !== n[V_X]) flags |= POS_IS_NULL;
    else if (Object.is(n[V_X], x) && Object.is(n[V_Y], y) && Object.is(n[V_Z], z)) flags |= POS_IS_CLAIM;
    if (verdict.correction !== 0) flags |= HAS_CORRECTION;
    s.byte(flags);
    s.byte(verdict.verdictCode | (verdict.actionCode << 4));
    s.byte(verdict.reasonCode);
    if ((flags & SEQ_IS_NEXT) === 0) s.number(seq);
    s.number(x);
    s.number(y);
    s.number(z);
    if ((flags & HAS_SCORE) !== 0) s.number(n[V_SCORE]);
    if ((flags & HAS_MEASURE) !== 0) {
      s.number(n[V_USED]);
      s.number(n[V_ALLOWED]);
    }
    if ((flags & (POS_IS_NULL | POS_IS_CLAIM)) === 0) {
      s.number(n[V_X]);
      s.number(n[V_Y]);
      s.number(n[V_Z]);
    }
    if ((flags & HAS_CORRECTION) !== 0) s.number(verdict.correction);
    s.seq = seq;
  }

  /** Any event, as its line. */
  line(serial: number, event: MoveLogEvent): void {
    const line = Buffer.from(eventLine(event));
    const s = this.#now;
    s.room(line.length + 32);
    this.#head(s, KIND_LINE, serial, event.t);
    s.varint(line.length);
    s.bytes.set(line, s.at);
    s.at += line.length;
  }

  #head(s: Segment, kind: number, serial: number, t: number): void {
    s.byte(kind);
    s.varint(serial - s.serial);
    s.number(t);
    s.serial = serial;
    s.count++;
  }

  /** The state at the start and the events since, oldest first. `layout` names how states are laid out. */
  *events(layout: string): Generator<Placed> {
    const segments = this.#old === null ? [this.#now] : [this.#old, this.#now];
    const start = restoreFact(this.id, segments[0], layout);
    if (start !== null) yield { serial: segments[0].first + 0.5, event: start };
    for (const segment of segments) yield* eventsOf(segment, this.id);
  }

  /** Bytes held, paths apart. */
  get bytes(): number {
    let sum = 0;
    for (const s of [this.#now, this.#old, this.#spare]) sum += s === null ? 0 : s.bytes.length + s.state.byteLength;
    return sum;
  }
}

function restoreFact(id: string, s: Segment, layout: string): Fact | null {
  const { pauseMs, pauseUntil, mapVersion, progress, map } = s.common;
  const paused = pauseUntil !== -Infinity;
  const told = paused || mapVersion !== undefined || progress !== undefined || map.length > 0;
  if (!s.hasState && !told) return null;
  return {
    t: s.t,
    op: 'restore',
    id,
    ...(s.hasState ? { layout, state: Array.from(s.state) } : {}),
    ...(s.carried !== null ? { carried: s.carried } : {}),
    ...(s.path !== null ? { path: Array.from(s.path) } : {}),
    ...(paused ? { pause: [pauseMs, pauseUntil] as [number, number] } : {}),
    ...(mapVersion !== undefined ? { mapVersion } : {}),
    ...(progress !== undefined ? { progress } : {}),
    ...(map.length > 0 ? { map: [...map] } : {}),
  };
}

function* eventsOf(s: Segment, id: string): Generator<Placed> {
  const { bytes, view } = s;
  let at = 0;
  let serial = s.first;
  let lastSeq = Number.NaN;
  const number = (): number => {
    at += 8;
    return view.getFloat64(at - 8, true);
  };
  const varint = (): number => {
    let value = 0;
    let place = 1;
    while (bytes[at] >= 128) {
      value += (bytes[at++] - 128) * place;
      place *= 128;
    }
    return value + bytes[at++] * place;
  };
  while (at < s.at) {
    const kind = bytes[at++];
    serial += varint();
    const t = number();
    if (kind === KIND_LINE) {
      const length = varint();
      const event = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + at, length).toString('utf8'));
      at += length;
      reviveNumbers(event);
      yield { serial, event };
      continue;
    }
    const flags = bytes[at++];
    const verdictAction = bytes[at++];
    const reason = bytes[at++];
    const seq = (flags & SEQ_IS_NEXT) !== 0 ? lastSeq + 1 : number();
    lastSeq = seq;
    const claimed: [number, number, number] = [number(), number(), number()];
    const score = (flags & HAS_SCORE) !== 0 ? number() : 0;
    const measured = (flags & HAS_MEASURE) !== 0;
    const used = measured ? number() : Number.NaN;
    const allowed = measured ? number() : Number.NaN;
    let pos: [number, number, number] | null = null;
    if ((flags & POS_IS_CLAIM) !== 0) pos = [...claimed];
    else if ((flags & POS_IS_NULL) === 0) pos = [number(), number(), number()];
    const correction = (flags & HAS_CORRECTION) !== 0 ? number() : 0;
    const event: MoveClaim = {
      t,
      op: 'move',
      id,
      seq,
      pos: claimed,
      expect: {
        verdict: VERDICT_WORDS[verdictAction & 15],
        reason: REASON_NAMES[reason],
        pos,
        ...(pos === null ? {} : { within: 0 }),
        used: used === used ? used : null,
        allowed: allowed === allowed ? allowed : null,
        score,
        action: ACTIONS[verdictAction >> 4],
        correction,
      },
    };
    yield { serial, event };
  }
}
