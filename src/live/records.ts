// The polygon records of a map as they are now: which lead where, which are shut. Imported by src/live only. Knows nothing of
// areas, links and obstacles: it is told which records to shut and opens them again.
//
// Invariants.
// 1. `across` and `twin` are the mesh with everything open; what kernels see (P_NEI, vertex ids, wall corners, heights) follows
//    from them and `shut` alone. So the records do not depend on the order of changes, and opening restores the bytes.
// 2. A vertex id is one walkable fan, exactly: where a shut polygon parts a fan, each part has an id of its own (a pinch), and
//    a corner touches a wall exactly when its part is no full circle.
// 3. A shut polygon keeps its shape; its heights are Infinity, so no position is on it, in any kernel, without a test more.
// Cost of a refresh: the corners of the changed records, and the fans round them.
import * as L from '../../assembly/layout.ts';
import { freeRecord, INFINITE, type Room } from './spare.ts';

export const WORDS: number = L.POLY_STRIDE / 4;
const COUNT: number = L.P_COUNT / 4;
const NEI: number = L.P_NEI / 4;
const VID: number = L.P_VID / 4;
const CORNERS: number = L.P_CORNERS / 4;
const DETAIL: number = L.P_DETAIL / 4;
const YMIN: number = L.P_YMIN / 4;
const YMAX: number = L.P_YMAX / 4;
/** Entries of the log of changes that are kept: a kernel farther behind copies everything. */
const LOG = 1 << 13;

export class Records {
  readonly room: Room;
  /** The pack's own records, never written. */
  readonly pack: Uint32Array;
  /** The records as kernels see them, and the same as floats. */
  readonly words: Uint32Array;
  readonly floats: Float32Array;
  /** Per record and edge, with everything open: the record across, -1 = wall, and the same edge's number in it. */
  readonly across: Int32Array;
  readonly twin: Uint8Array;
  /** How many closures hold a record shut. */
  readonly shut: Uint16Array;
  /** The pack's record that a record is a part of: itself, or -1 while it is free. */
  readonly home: Int32Array;
  /** 1 = in pieces. */
  readonly cut: Uint8Array;
  /** Next piece of the same polygon, by record; 0 = last. */
  readonly chain: Int32Array;
  readonly #first = new Map<number, number>();
  /** What has changed: record ids, and below 0 what living.ts makes of it. Entry k stands at k % LOG. */
  readonly #log = new Int32Array(LOG);
  written = 0;
  #epoch = 0;
  readonly #noted: Uint32Array;
  #tour = 0;
  readonly #seen: Uint32Array;
  readonly #fan: number[] = [];
  /** Runs of the fan in hand: first and last place in it, lowest corner. */
  readonly #runs: number[] = [];

  constructor(pack: ArrayBuffer, room: Room) {
    this.room = room;
    const { base, total } = room;
    this.pack = new Uint32Array(pack, room.polysAt, base * WORDS);
    this.words = new Uint32Array(total * WORDS);
    this.floats = new Float32Array(this.words.buffer);
    this.across = new Int32Array(total * 8).fill(-1);
    this.twin = new Uint8Array(total * 8);
    this.shut = new Uint16Array(total);
    this.home = new Int32Array(total).fill(-1);
    this.cut = new Uint8Array(total);
    this.chain = new Int32Array(total);
    this.#noted = new Uint32Array(total);
    this.#seen = new Uint32Array(total * 8);
    this.words.set(this.pack);
    for (let p = base; p < total; p++) freeRecord(this.words, p, room);
    for (let p = 0; p < base; p++) {
      this.home[p] = p;
      this.words[p * WORDS + DETAIL] += room.shift;
      this.#openMesh(p);
    }
    this.#pair();
  }

  #openMesh(p: number): void {
    const at = p * WORDS;
    for (let i = 0; i < 8; i++) {
      const offset = this.pack[at + NEI + i];
      this.across[p * 8 + i] = offset === 0 ? -1 : (offset - this.room.polysAt) / L.POLY_STRIDE;
    }
  }

  /** Looks up every edge of the pack in the record across. Two polygons may share two edges, so places decide. */
  #pair(): void {
    const { words, across, twin, room } = this;
    for (let p = 0; p < room.base; p++) {
      const at = p * WORDS;
      const n = words[at + COUNT] & 0xff;
      for (let i = 0; i < n; i++) {
        const q = across[p * 8 + i];
        // each edge once
        if (q < p) continue;
        const to = q * WORDS;
        const m = words[to + COUNT] & 0xff;
        const j = i + 1 < n ? i + 1 : 0;
        for (let k = 0; k < m; k++) {
          // the floats' bits: units are integers, and -0 is none of them
          if (across[q * 8 + k] !== p || words[to + k] !== words[at + j] || words[to + 8 + k] !== words[at + 8 + j])
            continue;
          twin[p * 8 + i] = k;
          twin[q * 8 + k] = i;
          break;
        }
      }
    }
  }

  // ---- pieces -----------------------------------------------------------------------------------------------------------

  /** The first piece of a polygon that was cut, else 0. */
  first(p: number): number {
    return this.cut[p] === 1 ? this.#first.get(p)! : 0;
  }

  /** A record's shape in plan. */
  plan(p: number): { x: Float32Array; z: Float32Array } {
    const at = p * WORDS;
    const n = this.count(p);
    return { x: this.floats.subarray(at, at + n), z: this.floats.subarray(at + 8, at + 8 + n) };
  }

  /** The first link end that leaves from a record, counted from 1; 0 = none. */
  leave(p: number, end: number): void {
    const at = p * WORDS + CORNERS;
    this.words[at] = ((this.words[at] & 0xff) | (end << L.CORNER_BITS)) >>> 0;
    this.note(p);
  }

  /** What kernels have for the chain: the next piece's offset, 0 = last. */
  next(p: number): number {
    return this.chain[p] === 0 ? 0 : this.offset(this.chain[p]);
  }

  /** Joins edge i of p with edge k of q, with everything open. */
  join(p: number, i: number, q: number, k: number): void {
    this.across[p * 8 + i] = q;
    this.twin[p * 8 + i] = k;
    this.across[q * 8 + k] = p;
    this.twin[q * 8 + k] = i;
  }

  /** A spare record becomes a piece of polygon `base`: its shape; where it leads, `join` and `refresh` say. */
  write(p: number, base: number, x: readonly number[], z: readonly number[], y: readonly number[]): void {
    const at = p * WORDS;
    const from = base * WORDS;
    const n = x.length;
    this.home[p] = base;
    this.across.fill(-1, p * 8, p * 8 + 8);
    this.words.fill(0, at, at + WORDS);
    for (let i = 0; i < 8; i++) {
      const c = i < n ? i : 0;
      this.floats[at + i] = x[c];
      this.floats[at + 8 + i] = z[c];
      this.floats[at + L.P_Y / 4 + i] = y[c];
    }
    this.words[at + COUNT] = ((this.pack[from + COUNT] & 0xffffff00) | n) >>> 0;
    this.words[at + L.P_COMPONENT / 4] = this.pack[from + L.P_COMPONENT / 4];
    this.words[at + L.P_ID / 4] = p;
    this.words[at + L.P_SOURCE / 4] = this.pack[from + L.P_SOURCE / 4];
    this.note(p);
  }

  /** Polygon p is in pieces now: it holds nobody and leads to them. */
  split(p: number, pieces: readonly number[]): void {
    const at = p * WORDS;
    this.cut[p] = 1;
    this.#first.set(p, pieces[0]);
    for (let k = 0; k < pieces.length; k++) this.chain[pieces[k]] = k + 1 < pieces.length ? pieces[k + 1] : 0;
    this.across.fill(-1, p * 8, p * 8 + 8);
    this.words.fill(0, at + NEI, at + NEI + 8);
    this.words[at + NEI] = this.offset(pieces[0]);
    this.#heights(p, true);
    this.note(p);
  }

  /** Polygon p is whole again, as the pack has it; where it leads, `join` and `refresh` say. */
  restore(p: number): void {
    const at = p * WORDS;
    this.cut[p] = 0;
    this.#first.delete(p);
    this.across.fill(-1, p * 8, p * 8 + 8);
    this.words.set(this.pack.subarray(at, at + WORDS), at);
    this.words[at + DETAIL] += this.room.shift;
    this.note(p);
  }

  /** Gives a piece's record back. */
  release(p: number): void {
    this.home[p] = -1;
    this.shut[p] = 0;
    this.chain[p] = 0;
    this.across.fill(-1, p * 8, p * 8 + 8);
    freeRecord(this.words, p, this.room);
    this.note(p);
  }

  count(p: number): number {
    return this.words[p * WORDS + COUNT] & 0xff;
  }
  area(p: number): number {
    return (this.words[p * WORDS + COUNT] >>> 8) & 0xff;
  }
  offset(p: number): number {
    return this.room.polysAt + p * L.POLY_STRIDE;
  }

  // ---- the log ------------------------------------------------------------------------------------------------------

  /** A new change begins: what it touches is noted once. */
  begin(): void {
    this.#epoch++;
  }
  note(p: number): void {
    if (this.#noted[p] === this.#epoch) return;
    this.#noted[p] = this.#epoch;
    this.tell(p);
  }
  tell(entry: number): void {
    this.#log[this.written++ % LOG] = entry;
  }
  /** Entry k, for `oldest` <= k < `written`. */
  entry(k: number): number {
    return this.#log[k % LOG];
  }
  get oldest(): number {
    return this.written - LOG;
  }

  #set(p: number, word: number, value: number): void {
    const at = p * WORDS + word;
    if (this.words[at] === value) return;
    this.words[at] = value;
    this.note(p);
  }

  // ---- what follows from across, twin and shut ------------------------------------------------------------------------

  /** Makes heights, neighbours, vertex ids and wall corners of the listed records, and of what they touch, what they are now. */
  refresh(list: ArrayLike<number>, from = 0, to: number = list.length): void {
    const { across, twin, shut, cut } = this;
    for (let k = from; k < to; k++) {
      const p = list[k];
      if (cut[p] === 1) continue;
      const closed = shut[p] > 0;
      this.#heights(p, closed);
      const n = this.count(p);
      for (let i = 0; i < n; i++) {
        const q = across[p * 8 + i];
        if (q < 0) {
          this.#set(p, NEI + i, 0);
          continue;
        }
        const open = !closed && shut[q] === 0;
        this.#set(p, NEI + i, open ? this.offset(q) : 0);
        this.#set(q, NEI + twin[p * 8 + i], open ? this.offset(p) : 0);
      }
    }
    this.#tour++;
    for (let k = from; k < to; k++) {
      const p = list[k];
      if (cut[p] === 1) continue;
      const n = this.count(p);
      for (let i = 0; i < n; i++) if (this.#seen[p * 8 + i] !== this.#tour) this.#settleFan(p, i);
    }
  }

  #heights(p: number, closed: boolean): void {
    if (closed) {
      this.#set(p, YMIN, INFINITE);
      this.#set(p, YMAX, INFINITE);
      this.#set(p, DETAIL, this.room.nowhere);
      return;
    }
    const at = this.home[p] * WORDS;
    this.#set(p, YMIN, this.pack[at + YMIN]);
    this.#set(p, YMAX, this.pack[at + YMAX]);
    this.#set(p, DETAIL, this.pack[at + DETAIL] + this.room.shift);
  }

  /** Ids and wall bits of the fan with everything open round corner i of p. */
  #settleFan(p: number, i: number): void {
    const fan = this.#fan;
    const circle = this.#gather(p, i);
    const n = fan.length;
    const { shut } = this;
    // Where to begin: a circle is broken at a shut polygon when there is one.
    let start = 0;
    let whole = circle;
    if (circle) {
      for (let k = 0; k < n; k++) {
        if (shut[fan[k] >>> 3] > 0) {
          start = k;
          whole = false;
          break;
        }
      }
    }
    const runs = this.#runs;
    runs.length = 0;
    for (let k = 0; k < n; ) {
      if (shut[fan[(start + k) % n] >>> 3] > 0) {
        this.#corner(fan[(start + k) % n], -1, false);
        k++;
        continue;
      }
      const first = k;
      let pieces = false;
      let lowest = 0x7fffffff;
      for (; k < n && shut[fan[(start + k) % n] >>> 3] === 0; k++) {
        const c = fan[(start + k) % n];
        const piece = c >>> 3 >= this.room.base;
        // a run with a piece is named by its lowest piece
        if (piece && !pieces) {
          pieces = true;
          lowest = c;
        } else if (piece === pieces && c < lowest) lowest = c;
      }
      runs.push(first, k, pieces ? this.room.pieces + lowest - this.room.base * 8 : -1 - lowest);
    }
    for (let r = 0; r < runs.length; r += 3) {
      let id = runs[r + 2];
      if (id < 0) {
        // runs of the pack's own polygons share its id of the fan and its further ones, by their lowest corners
        let rank = 0;
        for (let s = 0; s < runs.length; s += 3) if (runs[s + 2] < 0 && runs[s + 2] > id) rank++;
        const c = -1 - id;
        const own = this.pack[(c >>> 3) * WORDS + VID + (c & 7)];
        id = rank === 0 ? own : this.room.extra[own] + rank - 1;
      }
      for (let k = runs[r]; k < runs[r + 1]; k++) this.#corner(fan[(start + k) % n], id, !whole);
    }
  }

  /** Writes the id and wall bit of a corner; id -1: of a shut polygon, where nobody asks. */
  #corner(c: number, id: number, wall: boolean): void {
    const p = c >>> 3;
    const i = c & 7;
    this.#seen[c] = this.#tour;
    const own =
      id >= 0 ? id : p < this.room.base ? this.pack[p * WORDS + VID + i] : this.room.pieces + c - this.room.base * 8;
    this.#set(p, VID + i, own);
    if (i === 0) {
      // lanes past the count repeat corner 0
      for (let k = this.count(p); k < 8; k++) this.#set(p, VID + k, own);
    }
    const word = this.words[p * WORDS + CORNERS];
    const bit = 1 << i;
    this.#set(p, CORNERS, (wall || id < 0 ? word | bit : word & ~bit) >>> 0);
  }

  /**
   * Corners (record * 8 + corner) of the fan with everything open, in turn; true when it is a full circle. A circle begins
   * anywhere, a chain at its wall. Bound: twice the fan.
   */
  #gather(p: number, i: number): boolean {
    const { across, twin } = this;
    const fan = this.#fan;
    // clockwise to the wall: the edge that ends at the corner
    let q = p;
    let k = i;
    for (;;) {
      const edge = (k === 0 ? this.count(q) : k) - 1;
      const next = across[q * 8 + edge];
      if (next < 0) break;
      k = twin[q * 8 + edge];
      q = next;
      if (q === p && k === i) break;
    }
    fan.length = 0;
    const first = q * 8 + k;
    for (;;) {
      fan.push(q * 8 + k);
      const next = across[q * 8 + k];
      if (next < 0) return false;
      const t = twin[q * 8 + k] + 1;
      k = t < this.count(next) ? t : 0;
      q = next;
      if (q * 8 + k === first) return true;
    }
  }
}
