// A worker's share of the entities: its guard, and which row is whose. Imported by worker.ts.
import type { NavguardError } from '../errors.ts';
import { type GuardedMap, MoveGuard, type Rules } from '../guard.ts';
import { type SharedMap, sharedKernel } from '../kernel/shared.ts';
import type { Claims } from '../rules/claims.ts';
import { Q_NOW } from '../rules/hand.ts';
import { CORNER, type Ledger, STRIDE } from '../rules/ledger.ts';
import { plainBegin } from '../rules/observer.ts';
import type { PoolClaims } from './claims.ts';
import type { Common, Kept } from './journal.ts';
import { type Method, OWNER_BITS, OWNER_MASK } from './layout.ts';
import { ownMap } from './ownmap.ts';
import { isChange, World } from './world.ts';

/** A map as a worker gets it. */
export interface PostedMap {
  readonly number: number;
  /** One copy for all threads; null when each has its own. */
  readonly shared: SharedMap | null;
  /** The packed map, for a map that changes. */
  readonly pack: SharedArrayBuffer | null;
  readonly info: { readonly format: string; readonly hash: string };
  /** Where to say who was moved: how many, then PUT numbers each. */
  readonly report: Float64Array;
}

/** What a worker is in its pool. */
export interface Setting {
  /** Its number, and how many there are. */
  readonly me: number;
  readonly workers: number;
  /** Rows at most. */
  readonly entities: number;
  readonly rules: Rules;
}

/** Numbers of one entity in a map's report: handle, from x, y, z, to x, y, z. */
export const PUT = 8;

/** Claims that are judged at once. */
const CHUNK = 1024;

/** Stands for a claim that could not be read: reading it fails again. */
const UNREADABLE = plainBegin({
  get seq(): never {
    throw new Error('a field that cannot be read');
  },
});
/** Said in the place of such a claim. */
export const UNREADABLE_WORD = '\u0000unreadable';

export class Judge implements Kept {
  readonly guard: MoveGuard;
  readonly serials: Float64Array;
  rows = 0;
  readonly common: Common;
  readonly #me: number;
  readonly #workers: number;
  readonly #rules: Rules;
  readonly #used: boolean;
  /** Slot of each row in the guard, -1 = not here. */
  readonly #slots: Int32Array;
  readonly #claims: Claims;
  readonly #world = new World();
  readonly #places = new Int32Array(CHUNK);
  readonly #rowsOf = new Int32Array(CHUNK);

  constructor(setting: Setting, map: PostedMap, used: boolean, common: Common) {
    const { me, workers, entities, rules } = setting;
    this.#me = me;
    this.#workers = workers;
    this.#rules = rules;
    this.#used = used;
    this.serials = new Float64Array(entities);
    this.#slots = new Int32Array(entities).fill(-1);
    this.common = common;
    this.guard = this.#guardOn(map, used);
    this.#claims = this.guard.claims(CHUNK);
    if (common.world !== null) this.#world.recall(this.guard, common.world);
    this.guard.scene.q[Q_NOW] = common.clock;
    this.#tellCommon();
    const { terms } = this.guard.scene;
    terms.pauseMs = common.pauseMs;
    terms.pauseUntil = common.pauseUntil;
  }

  get ledger(): Ledger {
    return this.guard.scene.ledger;
  }
  offsetOf(row: number): number {
    const slot = this.#slots[row];
    return slot >= 0 ? slot * STRIDE : this.ledger.offsetOfKept(String(this.serials[row]));
  }

  /** What all entities share, as it is now. */
  refresh(): void {
    const { q, terms } = this.guard.scene;
    this.common.clock = q[Q_NOW];
    this.common.pauseMs = terms.pauseMs;
    this.common.pauseUntil = terms.pauseUntil;
    this.common.world = this.#world.bytes(this.guard, this.rows, (row) =>
      this.serials[row] === 0 ? -1 : this.offsetOf(row),
    );
  }

  // ---- taking a state in ------------------------------------------------------------------------------------------------

  take(row: number, serial: number, numbers: Float64Array): void {
    const o = this.ledger.put(String(serial), numbers);
    this.#world.seat(this.guard, row, o);
    this.#bind(row, serial);
  }
  takePath(row: number, corners: Float64Array): void {
    this.ledger.pathOf(this.offsetOf(row), corners.length / CORNER).set(corners);
  }

  // ---- jobs -----------------------------------------------------------------------------------------------------------------

  /**
   * Judges those of the first `n` claims that are this worker's, in their order; the answers stand in `posted`. A time before an
   * earlier one counts as equal to it, whosever that was. `note` is given each part with its rows.
   */
  batch(
    posted: PoolClaims,
    n: number,
    clock: number,
    note: (rows: Int32Array, claims: Claims, n: number) => void,
  ): number {
    const { entity, t, seq, pos } = posted;
    const own = this.#claims;
    const places = this.#places;
    const rowsOf = this.#rowsOf;
    const { serials } = this;
    const me = this.#me;
    const workers = this.#workers;
    let now = Math.max(clock, this.guard.scene.q[Q_NOW]);
    let count = 0;
    let all = 0;
    for (let i = 0; i < n; i++) {
      const arrival = t[i];
      if (arrival > now && arrival < Infinity) now = arrival;
      const handle = entity[i];
      const owner = handle & OWNER_MASK;
      // what is no handle at all is the first worker's to refuse
      if (owner !== me && (me !== 0 || owner < workers)) continue;
      const row = handle >> OWNER_BITS;
      const known = owner === me && row >= 0 && row < serials.length;
      rowsOf[count] = known ? row : -1;
      own.entity[count] = known ? this.#slots[row] : -1;
      own.seq[count] = seq[i];
      own.pos[3 * count] = pos[3 * i];
      own.pos[3 * count + 1] = pos[3 * i + 1];
      own.pos[3 * count + 2] = pos[3 * i + 2];
      own.t[count] = now;
      places[count++] = i;
      if (count === CHUNK) {
        this.#judge(posted, count);
        note(rowsOf, own, count);
        all += count;
        count = 0;
      }
    }
    if (count > 0) {
      this.#judge(posted, count);
      note(rowsOf, own, count);
    }
    return all + count;
  }

  /** The same again, for claims that the journal kept; what they were told, they were told. */
  again(rows: Int32Array, from: Pick<Claims, 'seq' | 'pos' | 't'>, first: number, n: number): void {
    const own = this.#claims;
    for (let done = 0; done < n; done += CHUNK) {
      const count = Math.min(CHUNK, n - done);
      const at = first + done;
      for (let i = 0; i < count; i++) own.entity[i] = rows[at + i] < 0 ? -1 : this.#slots[rows[at + i]];
      own.seq.set(from.seq.subarray(at, at + count));
      own.pos.set(from.pos.subarray(3 * at, 3 * (at + count)));
      own.t.set(from.t.subarray(at, at + count));
      this.guard.checkBatch(own, count);
    }
  }

  #judge(posted: PoolClaims, count: number): void {
    const own = this.#claims;
    this.guard.checkBatch(own, count);
    const places = this.#places;
    const { verdict, reason, bound, action, correction, used, allowed, straight, length, score, at } = posted;
    for (let k = 0; k < count; k++) {
      const i = places[k];
      verdict[i] = own.verdict[k];
      reason[i] = own.reason[k];
      bound[i] = own.bound[k];
      action[i] = own.action[k];
      correction[i] = own.correction[k];
      used[i] = own.used[k];
      allowed[i] = own.allowed[k];
      straight[i] = own.straight[k];
      length[i] = own.length[k];
      score[i] = own.score[k];
      at[3 * i] = own.at[3 * k];
      at[3 * i + 1] = own.at[3 * k + 1];
      at[3 * i + 2] = own.at[3 * k + 2];
    }
  }

  /** Tells the guard one thing at a time `clock`; returns what it says. */
  tell(method: Method, row: number, serial: number, args: unknown[], clock: number): unknown {
    const { guard, common } = this;
    const { q } = guard.scene;
    if (clock > q[Q_NOW]) q[Q_NOW] = clock;
    if (row < 0) {
      if (method === 'version') common.mapVersion = args[0] as string;
      else if (method === 'progress') common.progress = String(args[0]);
      else if (method === 'restore') this.#takeCommon(args[0] as { mapVersion?: string; progress?: string });
      if (isChange(method)) return this.#world.change(guard, method, args);
      if (method !== 'restore') return (guard[method] as (...all: unknown[]) => unknown)(...args);
      return guard.restore('', args[0] as never);
    }
    const id = String(serial);
    const all = args.map((value) => (value === UNREADABLE_WORD ? UNREADABLE : value));
    const said = (guard[method] as (...all: unknown[]) => unknown)(id, ...all);
    if (method === 'restore') this.#takeCommon(args[0] as { mapVersion?: string; progress?: string });
    if (method === 'enter' || method === 'restore' || method === 'leave') this.#bind(row, serial);
    return said;
  }

  /** Goes over to another map, and tells who could not stay where it was. */
  swap(map: PostedMap, clock: number): void {
    const { q } = this.guard.scene;
    if (clock > q[Q_NOW]) q[Q_NOW] = clock;
    // (who was here before may have died in the middle of this)
    const displaced = this.guard.swap(this.#guarded(map, this.#used));
    this.#world.forgetChanges();
    this.common.map = map.number;
    const rows = new Map<string, number>();
    if (displaced.length > 0) for (let row = 0; row < this.rows; row++) rows.set(String(this.serials[row]), row);
    displaced.forEach(({ id, from, to, correction }, i) => {
      map.report.set([((rows.get(id) as number) << OWNER_BITS) | this.#me, ...from, ...to, correction], 1 + PUT * i);
    });
    map.report[0] = displaced.length;
  }

  #guarded(map: PostedMap, used: boolean): GuardedMap {
    if (map.shared === null) return ownMap(map.pack as SharedArrayBuffer, map.info);
    return { kernel: sharedKernel(map.shared, this.#me, used), info: map.info };
  }

  #guardOn(map: PostedMap, used: boolean): MoveGuard {
    // the clock is set before each call, or stands in the claims
    return new MoveGuard(this.#guarded(map, used), this.#rules, { now: () => Number.NaN });
  }

  #takeCommon({ mapVersion, progress }: { mapVersion?: string; progress?: string }): void {
    if (mapVersion !== undefined) this.common.mapVersion = mapVersion;
    if (progress !== undefined) this.common.progress = progress;
  }

  #tellCommon(): void {
    if (this.common.mapVersion !== null) this.guard.version(this.common.mapVersion);
    if (this.common.progress !== null) this.guard.progress(this.common.progress);
  }

  #bind(row: number, serial: number): void {
    this.serials[row] = serial;
    this.rows = Math.max(this.rows, row + 1);
    this.#slots[row] = this.guard.slot(String(serial));
  }
}

/** An error as it is posted. */
export function postedError(error: NavguardError): unknown[] {
  return [1, error.code, error.message, error.detail];
}
