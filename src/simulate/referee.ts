// Says which claims of a cheat no guard with the default rules may let pass. It knows the rules' promise (credit,
// tolerance, way-round time), not the guard's code. Imported by simulate/.
import type { Ground, Point } from './ground.ts';

/** Defaults of the rules: speedTolerance, burstMs, rttCreditMaxMs, wayRoundSlackMs; 250 ms' worth of credit at the start. */
const TOLERANCE = 1.15;
const BURST_MS = 1000;
const RTT_CREDIT_MAX_MS = 300;
const SLACK_MS = 250;
const START_MS = 250;
/** Metres: more than edge forgiveness and rounding together. */
const MARGIN = 1;

/** Legs up to this may be the staircase of rounding (two strings of positionQuantum 5 cm): they convict nobody. Metres. */
const STAIR = 0.15;

/** Credit may be a little more than the ledger's (sums, the mesh's grid): share and metres. */
const EASE = 1.02;
const EASE_METRES = 0.05;

/** A claim that may have been accepted, and the most credit that a guard may have left after it. */
interface Stand {
  readonly at: Point;
  readonly time: number;
  readonly credit: number;
}

/**
 * The most generous ledger there can be. A guard may refuse any claim it likes (it also charges ways round corners), and
 * the cheat then stands where it was and saves. So every claim since the last honest one is kept as a place where the player
 * may stand, with the most credit it can have there:
 *
 *     credit(j) = max over i < j of min(capacity, credit(i) + rate (t(j) - t(i))) - cost(i, j), if that is not negative
 *
 * where the cost is the distance, and nothing for a leg that may be a stair of rounding.
 *
 * A claim that has no such i must be refused, whatever happened before: each guard's own history is one path through these.
 */
export class Referee {
  /** Metres a millisecond that earn credit. */
  readonly #rate: number;
  #rttMs = 0;
  readonly #stands: Stand[];
  #time: number;

  constructor(speed: number, at: Point, time: number) {
    this.#rate = (speed * TOLERANCE) / 1000;
    this.#time = time;
    this.#stands = [{ at, time, credit: this.#rate * START_MS }];
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

  /** An honest claim: every guard accepts it, so the player stands here and nowhere else. */
  accept(time: number, to: Point): void {
    const { at, time: then, credit } = this.#stands[this.#stands.length - 1];
    this.#time = Math.max(time, this.#time);
    const purse = Math.min(this.capacity, credit + this.#rate * (this.#time - then));
    this.#stands.length = 0;
    this.#stands.push({
      at: to,
      time: this.#time,
      credit: Math.max(0, purse - costOf(Math.hypot(to.x - at.x, to.z - at.z))),
    });
  }

  /**
   * Whether the claim must be refused.
   * @param ground given: also through walls. Detour's walk may be too long, so only twice the farthest one convicts.
   */
  mustRefuse(time: number, to: Point, ground: Ground | null): boolean {
    this.#time = Math.max(time, this.#time);
    const full = this.capacity;
    let most = Number.NEGATIVE_INFINITY;
    for (let i = this.#stands.length - 1; i >= 0; i--) {
      const { at, time: then, credit } = this.#stands[i];
      const straight = Math.hypot(to.x - at.x, to.z - at.z);
      const purse = Math.min(full, credit + this.#rate * (this.#time - then));
      const cost = costOf(straight);
      if (cost > purse * EASE + EASE_METRES) continue;
      if (Math.max(0, purse - cost) <= most) continue;
      if (ground !== null && ground.walk(at, to) > 2 * this.farthestWalk) continue;
      most = Math.max(0, purse - cost);
    }
    if (most === Number.NEGATIVE_INFINITY) return true;
    // Standing still: the later stand has all that the earlier one had.
    const last = this.#stands[this.#stands.length - 1].at;
    if (last.x === to.x && last.z === to.z && last.y === to.y) this.#stands.pop();
    this.#stands.push({ at: to, time: this.#time, credit: most });
    return false;
  }
}

function costOf(leg: number): number {
  return leg > STAIR ? leg : 0;
}
