// Says which claims of a cheat no guard with the default rules may let pass, by a ledger that errs on the cheat's side.
// It knows the rules' promise (credit, tolerance, way-round time), not the guard's code. Imported by simulate/.
import type { Ground, Point } from './ground.ts';

/** Defaults of the rules: speedTolerance, burstMs, rttCreditMaxMs, wayRoundSlackMs; 250 ms' worth of credit at the start. */
const TOLERANCE = 1.15;
const BURST_MS = 1000;
const RTT_CREDIT_MAX_MS = 300;
const SLACK_MS = 250;
const START_MS = 250;
/** Metres: more than edge forgiveness and rounding together. */
const MARGIN = 1;

export class Referee {
  /** Metres a millisecond that earn credit. */
  readonly #rate: number;
  #rttMs = 0;
  #at: Point;
  #credit: number;
  #time: number;

  constructor(speed: number, at: Point, time: number) {
    this.#rate = (speed * TOLERANCE) / 1000;
    this.#at = at;
    this.#time = time;
    this.#credit = this.#rate * START_MS;
  }

  /** The server has told the round-trip time. */
  rtt(ms: number): void {
    this.#rttMs = Math.min(ms, RTT_CREDIT_MAX_MS);
  }

  /** The most metres that can be claimed in one moment. */
  get capacity(): number {
    return this.#rate * (BURST_MS + this.#rttMs);
  }

  /** A walk longer than this cannot be had by any saving, whatever the round-trip time: metres. */
  get farthestWalk(): number {
    return this.#rate * (BURST_MS + SLACK_MS + 2 * RTT_CREDIT_MAX_MS) + MARGIN;
  }

  /**
   * Whether the claim must be refused. Otherwise it is booked as accepted.
   * @param ground given: also through walls. Detour's walk may be too long, so only twice the farthest one convicts.
   */
  mustRefuse(time: number, to: Point, ground: Ground | null): boolean {
    this.#credit = Math.min(this.capacity, this.#credit + this.#rate * Math.max(0, time - this.#time));
    this.#time = Math.max(time, this.#time);
    const straight = Math.hypot(to.x - this.#at.x, to.z - this.#at.z);
    if (straight > this.#credit * 1.02 + 0.05) return true;
    if (ground !== null && ground.walk(this.#at, to) > 2 * this.farthestWalk) return true;
    this.#credit = Math.max(0, this.#credit - straight);
    this.#at = to;
    return false;
  }
}
