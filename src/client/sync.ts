// The sending side of a client: numbers and throttles its moves, obeys corrections once, and remembers what it sent so that
// an answer can be compared with it. Imported by callers.
import { ahead, HALF_CIRCLE } from './numbers.ts';
import { type OptionsOf, type Settled, SYNC_OPTIONS, settle, shown } from './options.ts';
import type { Point } from './words.ts';

/** What a `MoveSync` does to the game. */
export interface MoveSyncHooks {
  /** Sends one move: the next number and where the entity stands. */
  send(seq: number, x: number, y: number, z: number): void;
  /** Puts the entity where the server has it. */
  place(x: number, y: number, z: number): void;
  /**
   * Confirms a correction to the server. Called once for each number that was obeyed, right before the first move from the new
   * place is sent. Send both the same way, in order: a guard takes no move before the confirmation, and a confirmation that
   * overtakes moves from before would have them refused once more.
   */
  acknowledge?(correction: number): void;
  /**
   * Plays the input of one sent move again, from `pos`, which it may move. Called in order for the moves that were under way
   * when the correction was made; then the entity is placed at the end of them.
   */
  replay?(seq: number, pos: Point): void;
}

/** Options of a move sync; each has a default. */
export type MoveSyncOptions = OptionsOf<typeof SYNC_OPTIONS>;

/** What became of a correction: obeyed; the one obeyed last, again; one from before it; no correction at all. */
export type Corrected = 'applied' | 'repeated' | 'stale' | 'malformed';

/** Moves out, corrections in. One for each entity that this client steers. Times are the caller's, ms. */
export class MoveSync {
  private readonly hooks: MoveSyncHooks;
  private readonly o: Settled<typeof SYNC_OPTIONS>;
  /** Sent positions, three numbers each, at number modulo `kept`. */
  private readonly ring: Float64Array;
  /** Next number; oldest number that is remembered; last correction, and whether there was one. */
  private next: number;
  private oldest: number;
  private correction: number;
  private corrected: boolean;
  /** Number that is still to be confirmed; -1 for none. */
  private owed: number;
  /** Where the server has put the entity last, without a number: x, y, z, the move before it, when. */
  private readonly put: Float64Array;
  private readonly t: Float64Array;
  private readonly at: Point;

  /** Throws RangeError for an unknown option, a value out of range, or hooks without `send` and `place`. */
  constructor(hooks: MoveSyncHooks, options: MoveSyncOptions = {}) {
    if (typeof hooks?.send !== 'function' || typeof hooks.place !== 'function') {
      throw new RangeError(`MoveSync: expected hooks with methods send and place, got ${shown(hooks)}`);
    }
    this.hooks = hooks;
    this.o = settle('MoveSync', SYNC_OPTIONS, options);
    this.ring = new Float64Array(3 * this.o.kept);
    this.t = new Float64Array(3);
    this.at = { x: 0.5, y: 0.5, z: 0.5 };
    this.next = 0;
    this.oldest = 0;
    this.correction = 0;
    this.corrected = false;
    this.owed = -1;
    this.put = new Float64Array(5);
    this.reset();
  }

  /** Number of the next move. */
  get nextSeq(): number {
    return this.next;
  }
  /** Number of the correction obeyed last; 0 when there was none. */
  get lastCorrection(): number {
    return this.correction;
  }

  /** Sends where the entity stands when that is due: it moved and `sendMs` are over, or `keepAliveMs` are. True when it was sent. */
  update(nowMs: number, pos: Readonly<Point>): boolean {
    const { t, o, ring } = this;
    const first = t[LAST] !== t[LAST];
    // a clock that was set back does not silence anyone
    if (!first && nowMs < t[DUE] && nowMs >= t[LAST]) return false;
    if (!first && this.owed < 0 && nowMs - t[LAST] < o.keepAliveMs && nowMs >= t[LAST] && !this.moved(pos))
      return false;
    // a frame that comes late does not shift the beat; after a silence it begins anew
    const late = nowMs - t[DUE];
    t[DUE] = late >= 0 && late < o.sendMs ? t[DUE] + o.sendMs : nowMs + o.sendMs;
    t[LAST] = nowMs;
    const seq = this.next;
    const k = 3 * (seq % o.kept);
    ring[k] = pos.x;
    ring[k + 1] = pos.y;
    ring[k + 2] = pos.z;
    this.next = (seq + 1) >>> 0;
    if (ahead(this.next, this.oldest) > o.kept) this.oldest = (this.next - o.kept) >>> 0;
    this.confirm();
    this.hooks.send(seq, pos.x, pos.y, pos.z);
    return true;
  }

  /**
   * A numbered correction of the server, `seq` being the move that it answers when it says so. A newer number is obeyed:
   * what was predicted before it is dropped, the entity is placed, and the next beat confirms the number and sends a move. The same and older ones change
   * nothing, in whatever order they arrive. Numbers wrap at 2^32. Number 0 says that the server has put the entity there
   * (`guard.teleport`): obeyed and confirmed with 0 each time, copies apart. Position in the unit of the game, y up.
   */
  correct(nowMs: number, correction: number, pos: Readonly<Point>, seq?: number): Corrected {
    const { t, o } = this;
    if (!(correction >>> 0 === correction && isPlace(pos))) return 'malformed';
    if (correction === 0) return this.putAt(nowMs, pos, seq);
    if (this.corrected) {
      const newer = ahead(correction, this.correction);
      // no packet is under way for so long: a server that counts anew
      const anew = nowMs - t[OBEYED] > o.lateMs;
      if (newer === 0 && !anew) return 'repeated';
      if (newer >= HALF_CIRCLE && !anew) return 'stale';
    }
    this.confirm();
    this.corrected = true;
    this.correction = correction;
    this.owed = correction;
    t[OBEYED] = nowMs;
    this.obey(pos, seq);
    return 'applied';
  }

  /**
   * The answer to one move (command 0x0202), which has no correction number: `pos` is where the server has the entity, its y
   * the caller's to know. An accepted one lets older moves be forgotten. A refusal is obeyed once: those of moves that
   * were under way when the last one was obeyed are stale.
   */
  answer(nowMs: number, seq: number, accepted: boolean, pos: Readonly<Point>): Corrected {
    if (!(seq >>> 0 === seq && ahead(seq, this.oldest) < ahead(this.next, this.oldest))) return 'stale';
    if (accepted) {
      this.oldest = seq;
      return 'repeated';
    }
    if (!isPlace(pos)) return 'malformed';
    this.t[OBEYED] = nowMs;
    this.obey(pos, seq);
    return 'applied';
  }

  /** Where the entity stood when move `seq` was sent, written into `out`. False when it is not known any more, or void since a correction. */
  sentAt(seq: number, out: Point): boolean {
    if (!(seq >>> 0 === seq && ahead(seq, this.oldest) < ahead(this.next, this.oldest))) return false;
    const k = 3 * (seq % this.o.kept);
    out.x = this.ring[k];
    out.y = this.ring[k + 1];
    out.z = this.ring[k + 2];
    return true;
  }

  /** A new entity or connection: numbers begin at `firstSeq`, corrections anew. */
  reset(): void {
    this.next = this.o.firstSeq;
    this.oldest = this.next;
    this.correction = 0;
    this.corrected = false;
    this.owed = -1;
    this.put.fill(NaN);
    this.t[LAST] = NaN;
    this.t[DUE] = NaN;
    this.t[OBEYED] = NaN;
  }

  private confirm(): void {
    const { owed } = this;
    if (owed < 0) return;
    this.owed = -1;
    if (this.hooks.acknowledge !== undefined) this.hooks.acknowledge(owed);
  }

  /** A teleport has no number of its own: the same place for the same move, within `lateMs`, is a copy. */
  private putAt(nowMs: number, pos: Readonly<Point>, seq: number | undefined): Corrected {
    const { put, o } = this;
    const before = seq ?? -1;
    if (nowMs - put[4] <= o.lateMs) {
      if (put[0] === pos.x && put[1] === pos.y && put[2] === pos.z && put[3] === before) return 'repeated';
      if (before >= 0 && put[3] >= 0 && ahead(before, put[3]) >= HALF_CIRCLE) return 'stale';
    }
    this.confirm();
    put[0] = pos.x;
    put[1] = pos.y;
    put[2] = pos.z;
    put[3] = before;
    put[4] = nowMs;
    this.owed = 0;
    // nothing that was under way is played again: it was walked elsewhere
    this.obey(pos, undefined);
    return 'applied';
  }

  private obey(pos: Readonly<Point>, seq: number | undefined): void {
    const { at, hooks } = this;
    at.x = pos.x;
    at.y = pos.y;
    at.z = pos.z;
    const known = seq !== undefined && seq >>> 0 === seq && ahead(seq, this.oldest) < ahead(this.next, this.oldest);
    const from = known ? (seq + 1) >>> 0 : this.next;
    const until = this.next;
    // what was sent before now was judged, or will be, from a place where the entity never was
    this.oldest = until;
    if (hooks.replay !== undefined) for (let s = from; s !== until; s = (s + 1) >>> 0) hooks.replay(s, at);
    hooks.place(at.x, at.y, at.z);
  }

  private moved(pos: Readonly<Point>): boolean {
    const { ring, o } = this;
    const k = 3 * (((this.next - 1) >>> 0) % o.kept);
    const dx = pos.x - ring[k];
    const dy = pos.y - ring[k + 1];
    const dz = pos.z - ring[k + 2];
    return !(dx * dx + dy * dy + dz * dz < o.minStep * o.minStep);
  }
}

// Times, ms: next beat, last move sent, last correction obeyed.
const DUE = 0;
const LAST = 1;
const OBEYED = 2;

function isPlace(pos: Readonly<Point>): boolean {
  return (
    typeof pos === 'object' && pos !== null && isFiniteNumber(pos.x) && isFiniteNumber(pos.y) && isFiniteNumber(pos.z)
  );
}
function isFiniteNumber(n: unknown): boolean {
  return typeof n === 'number' && n - n === 0;
}
