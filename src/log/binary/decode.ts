// Bytes of a binary log in, events out, one at a time; see form.ts. Any bytes give events or one sentence with an offset.

import { NavguardError } from '../../errors.ts';
import type { Expect, MoveClaim, MoveLogEvent, MoveLogHeader } from '../events.ts';
import { MAX_LINE_BYTES } from '../lines.ts';
import { MoveLogParser, type ParserOptions } from '../parser.ts';
import { badLine } from '../problem.ts';
import * as F from './form.ts';

/** No frame is longer: one line of the longest, and then some. */
const MAX_FRAME_BYTES = MAX_LINE_BYTES + (1 << 20);

/** A record that ends beyond its frame, or says what nothing says. */
class Damage extends Error {}

/** Pull parser with the interface of `MoveLogParser`; lines are counted as in the NDJSON form of the same log. */
export class BinaryLogParser {
  readonly file: string;
  readonly #lenient: boolean;
  readonly #lines: MoveLogParser;
  /** Fed and not yet taken: #bytes[#start..#end). #offset is where #start lies in the file. */
  #bytes = Buffer.alloc(1 << 16);
  #view = new DataView(this.#bytes.buffer);
  #start = 0;
  #end = 0;
  #offset = 0;
  #opened = false;
  #finished = false;
  #ended = false;
  #lost = 0;
  /** The frame at hand: next record, its end, records left; #left < 0 between frames. */
  #at = 0;
  #frameEnd = 0;
  #left = -1;
  #whole = true;
  readonly #names: string[] = [];
  #memory = new Float64Array(64 * F.MEMORY);
  #t = Number.NaN;
  #micros = 0;
  #raw: Uint8Array | null = null;

  constructor(options: ParserOptions) {
    this.file = options.file;
    this.#lenient = options.lenient === true;
    this.#lines = new MoveLogParser(options);
  }

  get header(): MoveLogHeader | null {
    return this.#lines.header;
  }
  get headerText(): string {
    return this.#lines.headerText;
  }
  get line(): number {
    return this.#lines.line;
  }
  /** Lines and frames skipped so far (`lenient`). */
  get skipped(): number {
    return this.#lines.skipped + this.#lost;
  }
  /** The line of the event that `next` gave last, when it stands as a line; valid until the next call. */
  get raw(): Uint8Array | null {
    return this.#raw;
  }

  feed(chunk: Uint8Array): void {
    const rest = this.#end - this.#start;
    if (rest + chunk.length > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(rest + chunk.length, 2 * this.#bytes.length));
      this.#bytes.copy(grown, 0, this.#start, this.#end);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer, grown.byteOffset, grown.byteLength);
    } else if (this.#start > 0) {
      this.#bytes.copyWithin(0, this.#start, this.#end);
    }
    this.#start = 0;
    this.#bytes.set(chunk, rest);
    this.#end = rest + chunk.length;
  }

  finish(): void {
    this.#finished = true;
  }

  next(): MoveLogEvent | null {
    while (!this.#ended) {
      if (this.#left < 0) {
        if (!this.#open()) return null;
        continue;
      }
      if (this.#left === 0) {
        this.#close();
        continue;
      }
      let event: MoveLogEvent | null;
      const record = this.#at;
      try {
        event = this.#record();
        this.#left--;
      } catch (error) {
        if (!(error instanceof Damage)) throw error;
        this.#damaged(this.#offset + record - this.#start, error.message);
        continue;
      }
      if (event !== null) return event;
    }
    return null;
  }

  /** Looks for the next frame; false when more bytes are needed, or there are none. */
  #open(): boolean {
    if (!this.#opened && !this.#readHead()) return false;
    const have = this.#end - this.#start;
    if (have < F.FRAME_HEAD_BYTES) return this.#wait(have > 0 ? F.FRAME_HEAD_BYTES - have : 0);
    if (this.#view.getUint32(this.#start, true) !== F.FRAME_MAGIC) return this.#stop('expected a frame ("NGFR")');
    const bytes = this.#view.getUint32(this.#start + 4, true);
    if (bytes > MAX_FRAME_BYTES) {
      return this.#stop(`expected a frame of at most ${MAX_FRAME_BYTES} bytes, got one of ${bytes}`);
    }
    const whole = F.FRAME_HEAD_BYTES + bytes;
    if (have < whole) return this.#wait(whole - have);
    const frame = this.#bytes.subarray(this.#start, this.#start + whole);
    this.#frameEnd = this.#start + whole;
    const sum = this.#view.getUint32(this.#start + 12, true);
    if (F.frameCrc(frame) !== sum) {
      this.#damaged(this.#offset, 'the frame does not have the checksum that it names');
      return true;
    }
    this.#begin(true);
    return true;
  }

  #begin(whole: boolean): void {
    this.#at = this.#start + F.FRAME_HEAD_BYTES;
    this.#left = this.#view.getUint32(this.#start + 8, true);
    this.#whole = whole;
    this.#names.length = 0;
    this.#t = Number.NaN;
    this.#micros = 0;
  }

  #readHead(): boolean {
    if (this.#end - this.#start < F.FILE_HEAD_BYTES) return this.#wait(F.FILE_HEAD_BYTES - (this.#end - this.#start));
    const version = this.#bytes[this.#start + 4];
    if (version !== F.BINARY_VERSION) {
      throw this.#error(4, `binary move log version ${version} is not supported, expected ${F.BINARY_VERSION}`);
    }
    this.#skip(F.FILE_HEAD_BYTES);
    this.#opened = true;
    return true;
  }

  /** More bytes are needed; at the end of the file there are none. */
  #wait(missing: number): boolean {
    if (!this.#finished) return false;
    if (missing === 0) {
      this.#ended = true;
      this.#needHeader();
      return false;
    }
    const end = this.#offset + this.#end - this.#start;
    const sentence = `the log is cut off here, in a frame that lacks ${missing} bytes; the frames before it end with line ${this.line}`;
    if (!this.#lenient) throw this.#error(end, `${sentence} (--lenient reads what is there)`);
    if (this.#end - this.#start <= F.FRAME_HEAD_BYTES || !this.#opened) {
      this.#lost++;
      this.#ended = true;
      this.#needHeader();
      return false;
    }
    // its records up to the last whole one; there is no checksum to hold them against
    this.#frameEnd = this.#end;
    this.#begin(false);
    return true;
  }

  #needHeader(): void {
    if (this.header !== null) return;
    throw new NavguardError('BAD_LOG', `${this.file} holds no header, expected one as the first record.`, {
      file: this.file,
    });
  }

  #stop(message: string): boolean {
    if (!this.#lenient || this.header === null) throw this.#error(this.#offset, message);
    this.#lost++;
    this.#ended = true;
    return false;
  }

  /** A frame that is not what it says: skipped when lenient, from the damage on. */
  #damaged(offset: number, message: string): void {
    if (this.#whole && (!this.#lenient || this.header === null)) throw this.#error(offset, message);
    this.#lost++;
    if (!this.#whole) {
      this.#ended = true;
      this.#needHeader();
    }
    this.#leave();
  }

  #close(): void {
    if (this.#whole && this.#at !== this.#frameEnd) {
      this.#damaged(this.#offset + this.#at - this.#start, `the frame has ${this.#frameEnd - this.#at} bytes too many`);
      return;
    }
    this.#leave();
  }

  #leave(): void {
    this.#skip(this.#frameEnd - this.#start);
    this.#left = -1;
  }

  #skip(bytes: number): void {
    this.#start += bytes;
    this.#offset += bytes;
  }

  #error(offset: number, message: string): NavguardError {
    return new NavguardError('BAD_LOG', `${this.file}, byte ${offset}: ${message}.`, { file: this.file, offset });
  }

  #record(): MoveLogEvent | null {
    const head = this.#byte();
    const kind = head & 3;
    if (kind === F.KIND_LINE || kind === F.KIND_NAME) {
      if (head !== kind) throw new Damage(`expected a record, got ${head}`);
      const length = this.#varint();
      const from = this.#need(length);
      if (kind === F.KIND_LINE) {
        this.#raw = this.#bytes.subarray(from, from + length);
        return this.#lines.take(this.#bytes, from, from + length);
      }
      this.#names.push(this.#bytes.toString('utf8', from, from + length));
      const m = (this.#names.length - 1) * F.MEMORY;
      if (m + F.MEMORY > this.#memory.length) {
        const larger = new Float64Array(2 * this.#memory.length);
        larger.set(this.#memory);
        this.#memory = larger;
      }
      this.#memory.fill(0, m, m + F.MEMORY);
      return null;
    }
    if (this.header === null) throw badLine(this.file, 1, 'expected the header first, got a move.');
    return this.#move(head, kind);
  }

  #move(head: number, kind: number): MoveClaim {
    const modes = this.#byte();
    if (head > 63 || modes > 63) throw new Damage(`expected a move, got ${head} and ${modes}`);
    const name = this.#nameIndex();
    const m = name * F.MEMORY;
    const t = this.#time((head >> 2) & 3);
    const seq = this.#sequence(m, (head >> 4) & 3);
    const x = this.#coordinate(m + 1, m + 4, modes & 3);
    const y = this.#coordinate(m + 2, m + 5, (modes >> 2) & 3);
    const z = this.#coordinate(m + 3, m + 6, modes >> 4);
    const id = this.#names[name];
    this.#raw = null;
    if (kind === F.KIND_MOVE) {
      this.#lines.line++;
      return { t, op: 'move', id, seq, pos: [x, y, z] };
    }
    const expect = this.#names[this.#nameIndex()] as Expect;
    this.#lines.line++;
    return { t, op: 'move', id, seq, pos: [x, y, z], expect };
  }

  #nameIndex(): number {
    const name = this.#varint();
    if (name >= this.#names.length) throw new Damage(`name ${name} of ${this.#names.length} names`);
    return name;
  }

  #time(mode: number): number {
    if (mode === F.T_DELTA) {
      this.#micros += this.#zigzag();
      this.#t = this.#micros / 1000;
    } else if (mode === F.T_F64) this.#t = this.#f64();
    else if (mode !== F.T_SAME) throw new Damage('a time of no known kind');
    if (!Number.isFinite(this.#t)) throw new Damage('a time that is not finite');
    return this.#t;
  }

  #sequence(m: number, mode: number): number {
    const memory = this.#memory;
    if (mode === F.SEQ_NEXT) memory[m] += 1;
    else if (mode === F.SEQ_DELTA) memory[m] += this.#zigzag();
    else if (mode === F.SEQ_F64) memory[m] = this.#f64();
    else throw new Damage('a sequence number of no known kind');
    return memory[m];
  }

  #coordinate(thousandthsAt: number, valueAt: number, mode: number): number {
    const memory = this.#memory;
    if (mode === F.POS_DELTA) {
      memory[thousandthsAt] += this.#zigzag();
      memory[valueAt] = memory[thousandthsAt] / 1000;
    } else if (mode === F.POS_F32) {
      memory[valueAt] = this.#view.getFloat32(this.#need(4), true);
    } else if (mode === F.POS_F64) memory[valueAt] = this.#f64();
    return memory[valueAt];
  }

  #need(bytes: number): number {
    const at = this.#at;
    if (bytes > this.#frameEnd - at) throw new Damage('a record that ends beyond its frame');
    this.#at = at + bytes;
    return at;
  }

  #byte(): number {
    return this.#bytes[this.#need(1)];
  }

  #f64(): number {
    return this.#view.getFloat64(this.#need(8), true);
  }

  #zigzag(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  #varint(): number {
    let value = 0;
    let place = 1;
    let byte = this.#byte();
    while (byte >= 128) {
      value += (byte - 128) * place;
      place *= 128;
      if (place > 2 ** 49) throw new Damage('a number that never ends');
      byte = this.#byte();
    }
    return value + byte * place;
  }
}
