// Which links of a living map may be taken now: as the export says, as the server says, and as the ground at their ends is.
// Imported by living.ts only. A link with an end on shut ground is closed, whatever else is said of it.
import * as L from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';
import type { Kernel } from '../kernel/index.ts';
import { linkNames, packLinks } from '../pack/linkview.ts';
import type { Closure, LiveFact } from './closure.ts';
import { holds, type Plan, strictlyInside } from './cut.ts';
import type { Records } from './records.ts';
import type { Room } from './spare.ts';

/** How far (units, each axis) an end is moved to stand strictly inside of a piece. */
const REACH = 8;
const LINK_WORDS: number = L.LINK_STRIDE / 4;

/** The pieces of a polygon of the pack. */
interface Pieces {
  pieces(records: Records, base: number): number[];
}

const DIRECTIONS: Readonly<Record<string, number>> = { true: 3, false: 0, forward: 1, backward: 2 };

export class LiveLinks {
  readonly count: number;
  /**
   * The ways that it has; as the server wants it, at first as the map says; as it is, the ground counted in. Bit 0: from end A
   * to B, bit 1: from B to A.
   */
  readonly #ways: Uint8Array;
  readonly #wanted: Uint8Array;
  readonly #now: Uint8Array;
  /** 1 = open all the ways it has, for one question. */
  readonly #graced: Uint8Array;
  /** The section as the pack has it, and as it is. */
  readonly #saved: Uint32Array;
  readonly #words: Uint32Array;
  readonly #floats: Float32Array;
  readonly #sectionAt: number;
  /** Per link end: the record of the pack that holds it, -1 = none; and the record that does now. */
  readonly #homes: Int32Array;
  readonly #ends: Int32Array;
  /** Links with an end on a record. */
  readonly #at = new Map<number, number[]>();
  readonly #pack: ArrayBuffer;
  #named: ((label: string | number) => readonly number[]) | undefined;
  readonly #closed = new Map<number, Closure>();

  constructor(pack: ArrayBuffer, room: Room) {
    this.#pack = pack;
    const view = new DataView(pack);
    const first = view.getUint32(L.H_TABLE + 8 * L.SECTION_LINKS, true);
    this.count = view.getUint32(L.H_LINKS, true);
    this.#ways = new Uint8Array(this.count);
    this.#wanted = new Uint8Array(this.count);
    this.#sectionAt = first + room.shift;
    this.#saved = new Uint32Array(pack, first, this.count * LINK_WORDS);
    this.#words = this.#saved.slice();
    this.#floats = new Float32Array(this.#words.buffer);
    this.#ends = new Int32Array(2 * this.count).fill(-1);
    for (let i = 0; i < this.count; i++) {
      const at = first + i * L.LINK_STRIDE;
      this.#wanted[i] = view.getUint32(at + L.L_STATE, true);
      for (let side = 0; side < 2; side++) {
        const offset = view.getUint32(at + L.L_POLY_A + 4 * side, true);
        if (offset === 0) continue;
        const p = (offset - room.polysAt) / L.POLY_STRIDE;
        this.#ends[2 * i + side] = p;
        const list = this.#at.get(p);
        if (list === undefined) this.#at.set(p, [i]);
        else list.push(i);
      }
      const linked = this.#ends[2 * i] >= 0 && this.#ends[2 * i + 1] >= 0;
      const both = (view.getUint32(at + L.L_FLAGS, true) & L.LINK_BOTH) !== 0;
      this.#ways[i] = linked ? (both ? 3 : 1) : 0;
    }
    this.#homes = this.#ends.slice();
    this.#now = this.#wanted.slice();
    this.#graced = new Uint8Array(this.count);
  }

  closures(): Iterable<Closure> {
    return this.#closed.values();
  }
  closure(link: number): Closure | undefined {
    return this.#closed.get(link);
  }

  /** Sets what the server says of the links that a label means; false when it said so before. */
  set(records: Records, label: string | number, open: boolean | 'forward' | 'backward', revision: number): boolean {
    const links = this.#find(label);
    const said = typeof open === 'boolean' || open === 'forward' || open === 'backward';
    if (!said) {
      const message = `link: expected true, false, "forward" or "backward", got ${String(open)}`;
      throw new NavguardError('BAD_ARGUMENT', message, { link: label });
    }
    let changed = false;
    for (const i of links) {
      const wanted = this.#ways[i] & DIRECTIONS[String(open)];
      if (wanted === this.#wanted[i]) continue;
      changed = true;
      const closing = (this.#wanted[i] & ~wanted) !== 0;
      this.#wanted[i] = wanted;
      if (wanted === this.#ways[i]) this.#closed.delete(i);
      else if (closing || !this.#closed.has(i)) {
        this.#closed.set(i, { key: `link ${label}`, kind: 'link', name: i, revision });
      }
      this.#put(records, i);
    }
    return changed;
  }

  /** What the server says of links that the map says otherwise. */
  *facts(): Generator<LiveFact> {
    for (let i = 0; i < this.count; i++) {
      const wanted = this.#wanted[i];
      if (wanted === this.#saved[i * LINK_WORDS + L.L_STATE / 4]) continue;
      yield { op: 'link', link: `#${i}`, open: this.#said(i, wanted) };
    }
  }

  /** What the map as it was loaded says of a link. */
  asLoaded(i: number): boolean | 'forward' | 'backward' {
    return this.#said(i, this.#saved[i * LINK_WORDS + L.L_STATE / 4]);
  }

  /** How the server says that a link lets through `wanted`. */
  #said(i: number, wanted: number): boolean | 'forward' | 'backward' {
    return wanted === this.#ways[i] ? true : wanted === 0 ? false : wanted === 1 ? 'forward' : 'backward';
  }

  /** For one question: a closed link open all the ways it has, and as it is again. */
  toggle(records: Records, i: number, open: boolean): void {
    this.#graced[i] = open ? 1 : 0;
    this.#put(records, i);
  }

  /** The ground of the listed records has changed. */
  settle(records: Records, list: ArrayLike<number>): void {
    if (list.length >= this.count) {
      for (let i = 0; i < this.count; i++) this.#put(records, i);
      return;
    }
    for (let k = 0; k < list.length; k++) {
      const links = this.#at.get(records.home[list[k]]);
      if (links === undefined) continue;
      for (const i of links) this.#put(records, i);
    }
  }

  #put(records: Records, i: number, moved = false): void {
    const a = this.#ends[2 * i];
    const b = this.#ends[2 * i + 1];
    const ground = a >= 0 && b >= 0 && records.shut[a] === 0 && records.shut[b] === 0;
    const state = ground ? (this.#graced[i] === 1 ? this.#ways[i] : this.#wanted[i]) : 0;
    if (this.#now[i] === state && !moved) return;
    this.#now[i] = state;
    records.tell(-1 - i);
  }

  copy(kernel: Kernel, i: number): void {
    kernel.states[i] = this.#now[i];
    if (!this.#moved) return;
    const at = i * LINK_WORDS;
    kernel.u32(L.MAP_BASE + this.#sectionAt + 4 * at, LINK_WORDS).set(this.#words.subarray(at, at + LINK_WORDS));
  }
  copyAll(kernel: Kernel): void {
    kernel.states.set(this.#now);
    if (this.#moved) kernel.u32(L.MAP_BASE + this.#sectionAt, this.count * LINK_WORDS).set(this.#words);
  }

  // ---- ends on polygons that were cut -----------------------------------------------------------------------------------

  /** Some end has stood on a piece. */
  #moved = false;

  /**
   * The listed polygons of the pack were cut anew, or are whole again: their ends stand on pieces, strictly inside, moved by a few
   * units where a cut goes through them. An end for which there is no such place leads nowhere.
   */
  rehome(records: Records, bases: readonly number[], obstacles: Pieces): void {
    for (const p of bases) {
      const links = this.#at.get(p);
      if (links === undefined) continue;
      const leaving = new Map<number, number[]>();
      for (const i of new Set(links)) {
        for (const side of [0, 1]) {
          const e = 2 * i + side;
          if (this.#homes[e] !== p) continue;
          this.#place(records, e, records.cut[p] === 1 ? obstacles.pieces(records, p) : null);
          const at = this.#ends[e];
          if (
            at < 0 ||
            records.cut[p] === 0 ||
            (side === 1 && (this.#saved[i * LINK_WORDS + L.L_FLAGS / 4] & L.LINK_BOTH) === 0)
          )
            continue;
          const list = leaving.get(at);
          if (list === undefined) leaving.set(at, [e]);
          else list.push(e);
        }
      }
      for (const [at, ends] of leaving)
        this.#chain(
          records,
          at,
          ends.sort((a, b) => a - b),
        );
      for (const i of links) this.#put(records, i, true);
    }
  }

  #place(records: Records, e: number, pieces: readonly number[] | null): void {
    const at = (e >>> 1) * LINK_WORDS;
    const side = e & 1;
    const x = at + (L.L_AX + side * L.L_END_STRIDE) / 4;
    for (const word of [x, x + 2, at + L.L_POLY_A / 4 + side, at + L.L_NEXT_A / 4 + side])
      this.#words[word] = this.#saved[word];
    this.#ends[e] = this.#homes[e];
    if (pieces === null) return;
    this.#moved = true;
    const there = inner(records, pieces, this.#floats[x], this.#floats[x + 2]);
    this.#ends[e] = there === null ? -1 : there.piece;
    this.#words[at + L.L_POLY_A / 4 + side] = there === null ? 0 : records.offset(there.piece);
    this.#words[at + L.L_NEXT_A / 4 + side] = 0;
    if (there === null) return;
    this.#floats[x] = there.x;
    this.#floats[x + 2] = there.z;
  }

  /** The ends that leave from a piece, in turn. */
  #chain(records: Records, p: number, ends: readonly number[]): void {
    records.leave(p, ends[0] + 1);
    ends.forEach((e, k) => {
      const following = k + 1 < ends.length ? ends[k + 1] + 1 : 0;
      this.#words[(e >>> 1) * LINK_WORDS + L.L_NEXT_A / 4 + (e & 1)] = following;
    });
  }

  #find(label: string | number): readonly number[] {
    this.#named ??= linkNames(packLinks(this.#pack));
    const links = this.#named(label);
    if (links.length > 0) return links;
    throw new NavguardError(
      'BAD_ARGUMENT',
      `link: expected the name of one of the map's ${this.count} links, its user id or "#" and its number, got ${JSON.stringify(label)}`,
      { link: label },
    );
  }
}

/**
 * The piece in which an end stands and the grid point strictly inside it, the nearest: on open ground rather than on an
 * obstacle's. Bound: 289 places a piece that holds the end.
 */
function inner(
  records: Records,
  pieces: readonly number[],
  x: number,
  z: number,
): { piece: number; x: number; z: number } | null {
  let best: { piece: number; x: number; z: number } | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    const plan = records.plan(piece);
    if (!holds(plan, x, z)) continue;
    const shut = records.shut[piece] > 0 ? 1e6 : 0;
    const found = innerOf(plan, x, z);
    if (found === null || shut + found.away >= least) continue;
    least = shut + found.away;
    best = { piece, x: found.x, z: found.z };
  }
  return best;
}

function innerOf(plan: Plan, x: number, z: number): { x: number; z: number; away: number } | null {
  let best: { x: number; z: number; away: number } | null = null;
  for (let dz = -REACH; dz <= REACH; dz++) {
    for (let dx = -REACH; dx <= REACH; dx++) {
      const away = dx * dx + dz * dz;
      if ((best !== null && away >= best.away) || !strictlyInside(plan, x + dx, z + dz)) continue;
      best = { x: x + dx, z: z + dz, away };
    }
  }
  return best;
}
