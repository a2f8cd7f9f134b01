// The snapshot of a room for each of its sockets: what has moved, without what is the receiver's own. Entries are encoded
// once for the room and copied for each receiver. Imported by serve/room.ts.
import {
  blankSnapshot,
  encodeSnapshot,
  SNAPSHOT_ENTRY_BYTES,
  SNAPSHOT_HEAD_BYTES,
  SNAPSHOT_MAX,
  STEPS_PER_METRE,
} from '../wire/index.ts';
import type { Entity } from './entity.ts';

/** A part of the entries, all of one receiver. */
export interface Run {
  from: number;
  to: number;
}

/** The entries of one tick. Reused: what `binary` and `text` give is not. */
export class Snapshots {
  #bytes = Buffer.alloc(SNAPSHOT_ENTRY_BYTES * 64);
  readonly #entities: Entity[] = [];
  readonly #one = blankSnapshot();
  readonly #entry = new DataView(new ArrayBuffer(SNAPSHOT_HEAD_BYTES + SNAPSHOT_ENTRY_BYTES));

  get count(): number {
    return this.#entities.length;
  }

  clear(): void {
    this.#entities.length = 0;
  }

  add(entity: Entity): void {
    const at = this.#entities.length * SNAPSHOT_ENTRY_BYTES;
    if (at + SNAPSHOT_ENTRY_BYTES > this.#bytes.length) {
      const larger = Buffer.alloc(2 * this.#bytes.length);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    this.#entities.push(entity);
    const one = this.#one;
    one.count = 1;
    one.entity[0] = entity.number;
    one.pos[0] = entity.x;
    one.pos[1] = entity.y;
    one.pos[2] = entity.z;
    // its form is the codec's business
    encodeSnapshot(this.#entry, 0, one);
    this.#bytes.set(new Uint8Array(this.#entry.buffer, SNAPSHOT_HEAD_BYTES), at);
  }

  /** The frames for a receiver, in one message; null when nothing but its own has moved. */
  binary(tick: number, own: Run): Buffer | null {
    const others = this.count - (own.to - own.from);
    if (others === 0) return null;
    const frames = Math.ceil(others / SNAPSHOT_MAX);
    const out = Buffer.allocUnsafe(frames * SNAPSHOT_HEAD_BYTES + others * SNAPSHOT_ENTRY_BYTES);
    const view = new DataView(out.buffer, out.byteOffset, out.length);
    let at = 0;
    let next = 0;
    for (let left = others; left > 0; ) {
      const n = Math.min(left, SNAPSHOT_MAX);
      const head = this.#one;
      head.tick = tick;
      head.count = 0;
      encodeSnapshot(view, at, head);
      view.setUint16(at + SNAPSHOT_HEAD_BYTES - 2, n);
      at += SNAPSHOT_HEAD_BYTES;
      left -= n;
      for (let room = n; room > 0; ) {
        if (next === own.from) next = own.to;
        const end = next < own.from ? own.from : this.count;
        const run = Math.min(room, end - next);
        at += this.#bytes.copy(out, at, next * SNAPSHOT_ENTRY_BYTES, (next + run) * SNAPSHOT_ENTRY_BYTES);
        next += run;
        room -= run;
      }
    }
    return out;
  }

  /** The same as JSON. */
  text(tick: number, own: Run): string | null {
    if (this.count === own.to - own.from) return null;
    const rounded = (metres: number): number => Math.round(metres * STEPS_PER_METRE) / STEPS_PER_METRE;
    const entities = this.#entities
      .filter((_, i) => i < own.from || i >= own.to)
      .map(({ number, x, y, z }) => [number, rounded(x), rounded(y), rounded(z)]);
    return JSON.stringify({ op: 'snapshot', tick, entities });
  }
}
