// Events to frames of a binary log; see form.ts. Moves are written without making objects. Imported by log/ and record/.
import type { MoveLogEvent } from '../events.ts';
import { eventLine } from '../writer.ts';
import * as F from './form.ts';

/** A move's bytes at most, its names apart. */
const MOST_MOVE_BYTES = 64;

export class FrameEncoder {
  /** Records of the frame so far. */
  count = 0;
  #bytes = Buffer.allocUnsafe(1 << 16);
  #view = viewOf(this.#bytes);
  #at = F.FRAME_HEAD_BYTES;
  readonly #names = new Map<string, number>();
  #memory = new Float64Array(64 * F.MEMORY);
  #t = Number.NaN;
  #micros = 0;
  readonly #xyz = new Float64Array(3);

  /** Bytes of the frame so far. */
  get size(): number {
    return this.#at;
  }

  /** Any event: a plain move by its numbers, all else as its line. Throws what `eventLine` throws. */
  event(event: MoveLogEvent): void {
    if (isPlainMove(event)) {
      const [x, y, z] = event.pos;
      this.move(event.t, event.id, event.seq, x, y, z, event.expect);
    } else {
      const line = eventLine(event);
      this.line(line.slice(0, -1));
    }
  }

  /** A line of a log without its end. */
  line(line: string | Uint8Array): void {
    const bytes = typeof line === 'string' ? Buffer.from(line) : line;
    this.#room(bytes.length + 16);
    this.#bytes[this.#at++] = F.KIND_LINE;
    this.#text(bytes);
    this.count++;
  }

  /** A move; any numbers, id and word not empty or long. */
  move(t: number, id: string, seq: number, x: number, y: number, z: number, expect?: string): void {
    const name = this.#name(id);
    const word = expect === undefined ? -1 : this.#name(expect);
    this.#room(MOST_MOVE_BYTES);
    const m = name * F.MEMORY;
    const memory = this.#memory;
    const head = this.#at;
    this.#at += 2;
    this.#varint(name);
    const tMode = this.#time(t);
    const seqMode = this.#sequence(m, seq);
    const xyz = this.#xyz;
    xyz[0] = x;
    xyz[1] = y;
    xyz[2] = z;
    let posModes = 0;
    for (let k = 0; k < 3; k++) posModes |= this.#coordinate(m + 1 + k, m + 4 + k, xyz[k]) << (2 * k);
    memory[m] = seq;
    if (word >= 0) this.#varint(word);
    this.#bytes[head] = (word >= 0 ? F.KIND_MOVE_EXPECT : F.KIND_MOVE) | (tMode << 2) | (seqMode << 4);
    this.#bytes[head + 1] = posModes;
    this.count++;
  }

  /** The frame as bytes of their own; the next one begins. Null when there is nothing in it. */
  take(): Uint8Array | null {
    if (this.count === 0) return null;
    const view = this.#view;
    view.setUint32(0, F.FRAME_MAGIC, true);
    view.setUint32(4, this.#at - F.FRAME_HEAD_BYTES, true);
    view.setUint32(8, this.count, true);
    view.setUint32(12, F.frameCrc(this.#bytes.subarray(0, this.#at)), true);
    const frame = new Uint8Array(this.#bytes.subarray(0, this.#at));
    this.#at = F.FRAME_HEAD_BYTES;
    this.count = 0;
    this.#names.clear();
    this.#t = Number.NaN;
    this.#micros = 0;
    return frame;
  }

  #time(t: number): number {
    if (t === this.#t && t !== 0) return F.T_SAME;
    this.#t = t;
    const micros = thousandths(t);
    if (micros !== micros) {
      this.#number(t);
      return F.T_F64;
    }
    this.#zigzag(micros - this.#micros);
    this.#micros = micros;
    return F.T_DELTA;
  }

  #sequence(m: number, seq: number): number {
    const last = this.#memory[m];
    if (seq === last + 1 && seq !== 0) return F.SEQ_NEXT;
    const known = last - last === 0 && seq >>> 0 === seq && last >>> 0 === last && !Object.is(seq, -0);
    if (known) {
      this.#zigzag(seq - last);
      return F.SEQ_DELTA;
    }
    this.#number(seq);
    return F.SEQ_F64;
  }

  #coordinate(thousandthsAt: number, valueAt: number, value: number): number {
    const memory = this.#memory;
    if (Object.is(memory[valueAt], value)) return F.POS_SAME;
    memory[valueAt] = value;
    const q = thousandths(value);
    if (q === q) {
      this.#zigzag(q - memory[thousandthsAt]);
      memory[thousandthsAt] = q;
      return F.POS_DELTA;
    }
    if (Math.fround(value) === value) {
      this.#view.setFloat32(this.#at, value, true);
      this.#at += 4;
      return F.POS_F32;
    }
    this.#number(value);
    return F.POS_F64;
  }

  #name(text: string): number {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const bytes = Buffer.from(text);
    this.#room(bytes.length + 16);
    this.#bytes[this.#at++] = F.KIND_NAME;
    this.#text(bytes);
    this.count++;
    const name = this.#names.size;
    this.#names.set(text, name);
    const m = name * F.MEMORY;
    if (m + F.MEMORY > this.#memory.length) {
      const larger = new Float64Array(2 * this.#memory.length);
      larger.set(this.#memory);
      this.#memory = larger;
    }
    this.#memory.fill(0, m, m + F.MEMORY);
    return name;
  }

  #text(bytes: Uint8Array): void {
    this.#varint(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  #number(value: number): void {
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  #zigzag(value: number): void {
    this.#varint(value >= 0 ? 2 * value : -2 * value - 1);
  }

  #varint(value: number): void {
    const bytes = this.#bytes;
    let rest = value;
    while (rest >= 128) {
      bytes[this.#at++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    bytes[this.#at++] = rest;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * (this.#at + bytes));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The number of thousandths that gives the very same double when divided again, or NaN. */
function thousandths(value: number): number {
  const q = Math.round(value * 1000);
  if (q / 1000 === value && q < F.MOST_THOUSANDTHS && q > -F.MOST_THOUSANDTHS && !Object.is(value, -0)) return q;
  return Number.NaN;
}

export interface PlainMove {
  t: number;
  id: string;
  seq: number;
  pos: [number, number, number];
  expect: string | undefined;
}

const PLAIN = ['t', 'op', 'id', 'seq', 'pos'];
const PLAIN_EXPECT = [...PLAIN, 'expect'];
/** A name is kept for a frame; a longer one is a hostile one. */
const MOST_NAME = 256;

/** A move of the commonest form, fields in their order. */
export function isPlainMove(event: object): event is PlainMove {
  const { op, id, seq, pos, expect, t } = event as Record<string, unknown>;
  if (op !== 'move' || typeof t !== 'number' || t - t !== 0 || typeof seq !== 'number') return false;
  if (!isName(id) || (expect !== undefined && !isName(expect))) return false;
  if (!Array.isArray(pos) || pos.length !== 3) return false;
  for (let k = 0; k < 3; k++) if (typeof pos[k] !== 'number') return false;
  let k = 0;
  const fields = expect === undefined ? PLAIN : PLAIN_EXPECT;
  for (const field in event) if (field !== fields[k++]) return false;
  return k === fields.length;
}

function isName(value: unknown): boolean {
  // half of a surrogate pair has no UTF-8
  return typeof value === 'string' && value.length <= MOST_NAME && (value as unknown as WellFormed).isWellFormed();
}

/** Of ES2024, in every Node that this runs on. */
interface WellFormed {
  isWellFormed(): boolean;
}
