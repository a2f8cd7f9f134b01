// What one client may use up: token buckets for frames and bytes, and counts by address. Pure arithmetic on the server's
// clock. A leaf of serve/.

/** What becomes of something that costs tokens. */
export type Allowance = 'yes' | 'drop' | 'close';

/**
 * A token bucket (Turner 1986): `rate` tokens a second, at most `depth`. What comes on an empty bucket is dropped and is
 * still paid for; who owes a whole depth does not listen, and is closed. Invariant: -depth <= level <= depth.
 */
export class Bucket {
  readonly #perMs: number;
  readonly #depth: number;
  #level: number;
  #at: number;

  constructor(perSecond: number, depth: number, nowMs: number) {
    this.#perMs = perSecond / 1000;
    this.#depth = depth;
    this.#level = depth;
    this.#at = nowMs;
  }

  take(cost: number, nowMs: number): Allowance {
    const grown = this.#level + Math.max(0, nowMs - this.#at) * this.#perMs;
    this.#at = nowMs;
    const level = Math.min(this.#depth, grown) - cost;
    this.#level = Math.max(-this.#depth, level);
    if (level >= 0) return 'yes';
    return level > -this.#depth ? 'drop' : 'close';
  }

  /** Whether it is as full as it gets: it then says nothing that a new one would not say. */
  isFull(nowMs: number): boolean {
    return this.#level + (nowMs - this.#at) * this.#perMs >= this.#depth;
  }
}

/** Addresses remembered beyond those with open sockets, at most: full buckets are forgotten first. */
const MOST_ADDRESSES = 65_536;

interface Seat {
  open: number;
  readonly joins: Bucket;
}

/** How many sockets each address has open, and how fast it opens them. */
export class Addresses {
  readonly #perAddress: number;
  readonly #joinsPerSecond: number;
  readonly #seats = new Map<string, Seat>();

  constructor(perAddress: number, joinsPerSecond: number) {
    this.#perAddress = perAddress;
    this.#joinsPerSecond = joinsPerSecond;
  }

  get size(): number {
    return this.#seats.size;
  }

  /** Takes a place for a socket of this address; false when it has too many, or comes too often. */
  enter(address: string, nowMs: number): boolean {
    let seat = this.#seats.get(address);
    if (seat === undefined) {
      if (this.#seats.size >= MOST_ADDRESSES) this.sweep(nowMs);
      if (this.#seats.size >= MOST_ADDRESSES) return false;
      // all that an address may have open may come at once
      seat = { open: 0, joins: new Bucket(this.#joinsPerSecond, this.#perAddress, nowMs) };
      this.#seats.set(address, seat);
    }
    if (seat.joins.take(1, nowMs) !== 'yes' || seat.open >= this.#perAddress) return false;
    seat.open++;
    return true;
  }

  leave(address: string): void {
    const seat = this.#seats.get(address);
    if (seat !== undefined) seat.open--;
  }

  /** Forgets addresses that a newcomer could not be told from. Called once in a while. */
  sweep(nowMs: number): void {
    for (const [address, { open, joins }] of this.#seats) {
      if (open === 0 && joins.isFull(nowMs)) this.#seats.delete(address);
    }
  }
}
