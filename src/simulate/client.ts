// What lies between a player's feet and the server's log: the client samples, rounds and sends; the network delays,
// bunches and repeats. TCP: nothing is lost for good, nothing overtakes. Imported by simulate/.
import type { Random } from './random.ts';

/** One player's client and line. Milliseconds, metres. */
export interface ClientProfile {
  /** Claims a second. */
  readonly hz: number;
  /** Time for a frame of the client: claims go out with the first frame after they are due. */
  readonly frameMs: number;
  readonly rttMs: number;
  /** Extra delay of a packet: 0 up to this. */
  readonly jitterMs: number;
  /** Share of packets that must be sent again; those behind wait for them. */
  readonly loss: number;
  /** Positions are rounded to this. */
  readonly quantum: number;
  /** The line stands still now and then, for at most this long together with jitter and repeats. */
  readonly burstMs: number;
  readonly stallsPerMinute: number;
}

/**
 * Anything left undefined is drawn per player: 10-30 Hz, RTT 20-300 ms, jitter up to the RTT, rounding to 1-5 cm; speed
 * 2.5-7 m/s (hoppers 3-3.5: a quick runner needs a longer wall before the way round is out of the question).
 */
export interface ClientWishes {
  /** Metres a second, honest players and the limit that cheats break. */
  readonly speed?: number | undefined;
  readonly hz?: number | undefined;
  readonly rttMs?: number | undefined;
  readonly jitterMs?: number | undefined;
  readonly loss?: number | undefined;
  readonly quantum?: number | undefined;
  readonly burstMs?: number | undefined;
  readonly stallsPerMinute?: number | undefined;
}

export function drawProfile(random: Random, wishes: ClientWishes): ClientProfile {
  const hz = wishes.hz ?? random.between(10, 30);
  const rttMs = wishes.rttMs ?? random.between(20, 300);
  const jitterMs = wishes.jitterMs ?? random.between(0, rttMs);
  const quantum = wishes.quantum ?? 0.01 * (1 + random.below(5));
  return {
    hz,
    frameMs: random.between(4, 16),
    rttMs,
    jitterMs,
    loss: wishes.loss ?? 0.01,
    quantum,
    burstMs: wishes.burstMs ?? 1000,
    stallsPerMinute: wishes.stallsPerMinute ?? 2,
  };
}

/** The client's clock of claims and its line to the server. */
export class Line {
  readonly profile: ClientProfile;
  /** When the client takes its next sample. */
  nextSampleAt: number;
  readonly #random: Random;
  #due: number;
  #lastArrival: number;
  #stallEnd = Number.NEGATIVE_INFINITY;
  #nextStall: number;

  constructor(random: Random, profile: ClientProfile, startMs: number) {
    this.#random = random;
    this.profile = profile;
    this.#due = startMs + random.next() * (1000 / profile.hz);
    this.nextSampleAt = this.#due;
    this.#lastArrival = startMs;
    this.#nextStall = startMs + this.#pause();
  }

  #pause(): number {
    const { stallsPerMinute } = this.profile;
    if (!(stallsPerMinute > 0)) return Number.POSITIVE_INFINITY;
    return (-Math.log(1 - this.#random.next()) * 60_000) / stallsPerMinute;
  }

  /** Takes the sample that is due: returns when the server will have it, and sets the next. */
  send(): number {
    const { hz, frameMs, rttMs, jitterMs, loss, burstMs } = this.profile;
    const sentAt = this.nextSampleAt;
    this.#due += 1000 / hz;
    this.nextSampleAt = Math.max(this.#due, sentAt) + this.#random.next() * frameMs;
    if (sentAt >= this.#nextStall) {
      this.#stallEnd = sentAt + this.#random.between(0.1, 0.85) * burstMs;
      this.#nextStall = this.#stallEnd + this.#pause();
    }
    let late = this.#random.next() * jitterMs;
    // A lost packet comes again after a retransmission timeout.
    if (this.#random.chance(loss)) late += Math.max(200, rttMs);
    const arrival = Math.max(sentAt + late, this.#stallEnd + this.#random.next(), this.#lastArrival);
    // Lateness within burstMs is what the rules promise to forgive: no more of it here.
    this.#lastArrival = Math.min(arrival, sentAt + burstMs);
    return this.#lastArrival + rttMs / 2;
  }

  /** When the server has everything sent so far. */
  get lastArrival(): number {
    return this.#lastArrival + this.profile.rttMs / 2;
  }

  /** A coordinate as the client sends it. */
  round(value: number): number {
    const { quantum } = this.profile;
    // The second rounding only drops the digits that a product of fractions leaves.
    return Math.round(Math.round(value / quantum) * quantum * 1e6) / 1e6;
  }
}
