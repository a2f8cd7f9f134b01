// Which links of a living map may be taken now: as the export says, as the server says, and as the ground at their ends is.
// Imported by living.ts only. A link with an end on shut ground is closed, whatever else is said of it.
import * as L from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';
import type { Kernel } from '../kernel/index.ts';
import { linkNames, packLinks } from '../pack/linkview.ts';
import type { Closure } from './closure.ts';
import type { Records } from './records.ts';
import type { Room } from './spare.ts';

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
  /** Per link end: the record that holds it, -1 = none. */
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
      const links = this.#at.get(list[k]);
      if (links === undefined) continue;
      for (const i of links) this.#put(records, i);
    }
  }

  #put(records: Records, i: number): void {
    const a = this.#ends[2 * i];
    const b = this.#ends[2 * i + 1];
    const ground = a >= 0 && b >= 0 && records.shut[a] === 0 && records.shut[b] === 0;
    const state = ground ? (this.#graced[i] === 1 ? this.#ways[i] : this.#wanted[i]) : 0;
    if (this.#now[i] === state) return;
    this.#now[i] = state;
    records.tell(-1 - i);
  }

  copy(kernel: Kernel, i: number): void {
    kernel.states[i] = this.#now[i];
  }
  copyAll(kernel: Kernel): void {
    kernel.states.set(this.#now);
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
