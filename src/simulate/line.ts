// The way of packets from a client to the server: delay, jitter, loss, repeats, overtaking, stalls. Imported by arena.ts.
import type { LineModel } from './actor.ts';
import type { Random } from './random.ts';

/** A lost packet comes again after a retransmission timeout of at least this, ms. */
const RESEND_MS = 200;
/** The default of burstMs. */
const LATE_MS = 1000;
/** What else of a claim's lateness there may be besides stall and jitter: its client's interval and frame, ms. */
const REST_MS = 100;

/** One client's line. */
export class PacketLine {
  readonly model: LineModel;
  /** Stalls so far that together with jitter may be beyond burstMs: one correction each is fair. */
  stalls = 0;
  readonly #random: Random;
  readonly #cap: number;
  #lastArrival = Number.NEGATIVE_INFINITY;
  #stallEnd = Number.NEGATIVE_INFINITY;
  #nextStall: number;

  constructor(model: LineModel, random: Random, startMs: number) {
    this.model = model;
    this.#random = random;
    this.#cap = model.lateMs ?? LATE_MS;
    this.#nextStall = startMs + this.#pause();
  }

  /** When the server has what is sent now; NaN when it never has. Times of calls never decrease. */
  arrival(sentAt: number): number {
    const { rttMs, jitterMs, loss, transport, stallMs } = this.model;
    const random = this.#random;
    if (sentAt >= this.#nextStall) {
      const stall = random.between(0.1, 0.9) * stallMs;
      this.#stallEnd = sentAt + stall;
      this.#nextStall = this.#stallEnd + this.#pause();
      if (stall + jitterMs + REST_MS > LATE_MS) this.stalls++;
    }
    let arrival = sentAt + random.next() * jitterMs;
    const lost = random.next() < loss;
    if (transport === 'unordered') {
      if (lost) return Number.NaN;
      // what was held up comes out in a bunch, in any order
      if (arrival < this.#stallEnd) arrival = this.#stallEnd + random.next() * 5;
      return Math.min(arrival, sentAt + this.#cap) + rttMs / 2;
    }
    if (lost) arrival += Math.max(RESEND_MS, rttMs);
    if (arrival < this.#stallEnd) arrival = this.#stallEnd + random.next();
    if (arrival < this.#lastArrival) arrival = this.#lastArrival;
    this.#lastArrival = Math.min(arrival, sentAt + this.#cap);
    return this.#lastArrival + rttMs / 2;
  }

  #pause(): number {
    const { stallsPerMinute } = this.model;
    if (!(stallsPerMinute > 0)) return Number.POSITIVE_INFINITY;
    return (-Math.log(1 - this.#random.next()) * 60_000) / stallsPerMinute;
  }
}
