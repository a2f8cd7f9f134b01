// Which worker has which entity, and in which row. Imported by pool.ts.
import { KEEP_MS } from '../rules/ledger.ts';
import { OWNER_BITS } from './layout.ts';

/** One entity's place. */
export interface Seat {
  readonly id: string;
  readonly owner: number;
  readonly row: number;
  /** Its name for the worker: a number that no other entity ever has. */
  readonly serial: number;
  /** Stands for it in claims. */
  readonly handle: number;
  /** When it left, ms; NaN while it is here. */
  left: number;
}

export class Seats {
  readonly #workers: number;
  readonly #most: number;
  readonly #seats = new Map<string, Seat>();
  readonly #free: number[][];
  readonly #rows: number[];
  /** Who left, in order of leaving, and when. */
  #gone: { seat: Seat; left: number }[] = [];
  #serial = 0;

  constructor(workers: number, most: number) {
    this.#workers = workers;
    this.#most = most;
    this.#free = Array.from({ length: workers }, () => []);
    this.#rows = new Array<number>(workers).fill(0);
  }

  get size(): number {
    return this.#seats.size;
  }
  get full(): boolean {
    return this.#seats.size >= this.#most;
  }

  /** The seat of an entity that is here. */
  present(id: unknown): Seat | undefined {
    const seat = this.#seats.get(id as string);
    return seat === undefined || seat.left === seat.left ? undefined : seat;
  }
  has(id: string): boolean {
    return this.#seats.has(id);
  }

  /** The seat of one that enters: the same as before, or a new one. There must be room. */
  take(id: string): Seat {
    let seat = this.#seats.get(id);
    if (seat === undefined) {
      const owner = ownerOf(id, this.#workers);
      const row = this.#free[owner].pop() ?? this.#rows[owner]++;
      seat = { id, owner, row, serial: ++this.#serial, handle: (row << OWNER_BITS) | owner, left: NaN };
      this.#seats.set(id, seat);
    }
    seat.left = NaN;
    return seat;
  }

  leave(seat: Seat, t: number): void {
    seat.left = t;
    this.#gone.push({ seat, left: t });
  }

  /** Forgets who left more than KEEP_MS ago, as the ledgers do: their rows are taken again. */
  sweep(t: number): void {
    let done = 0;
    for (; done < this.#gone.length; done++) {
      const { seat, left } = this.#gone[done];
      // came back, or left again since
      if (seat.left !== left) continue;
      if (t - left <= KEEP_MS) break;
      this.#seats.delete(seat.id);
      this.#free[seat.owner].push(seat.row);
    }
    if (done > 0) this.#gone = this.#gone.slice(done);
  }

  /** How many a worker has, and everybody's id by handle. */
  count(owner: number): number {
    return this.#rows[owner] - this.#free[owner].length;
  }
  ids(): Map<number, string> {
    return new Map(Array.from(this.#seats.values(), (seat) => [seat.handle, seat.id]));
  }
}

/** The worker of an id: FNV-1a over its characters. */
export function ownerOf(id: string, workers: number): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193) >>> 0;
  return ((hash ^ (hash >>> 15)) >>> 0) % workers;
}
