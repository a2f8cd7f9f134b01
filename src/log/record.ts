// Writes a move log while a server runs: events in, bytes out to any stream, in either form. Imported by servers, and by
// `navguard convert`.

import { NavguardError } from '../errors.ts';
import { FrameEncoder, fileHead } from './binary/index.ts';
import type { MoveLogEvent, MoveLogHeader } from './events.ts';
import { eventLine, headerLine } from './writer.ts';

/** Where bytes go: a Node stream (`createWriteStream(path)`, a socket), or anything with `write`. */
export interface ByteSink {
  /** Takes bytes, which are its own from then on; false when it would rather wait, as Node's streams say it. */
  write(bytes: Uint8Array): unknown;
}

/** How a log is written. */
export interface WriterOptions {
  /** `binary` (default) or `ndjson`. `navguard convert` turns one into the other without loss. */
  readonly form?: 'binary' | 'ndjson';
  /** Bytes that are gathered before they are handed over (default 256 KiB); what is gathered is lost if the server dies. */
  readonly gather?: number;
}

const GATHER_BYTES = 1 << 18;

/**
 * A move log being written: tell it what you tell the guard, in the same order. Call `flush` once a second or so, and
 * `close` at the end. After a crash the log reads up to the last flush (`--lenient`).
 */
export class MoveLogWriter {
  /** Events written so far. */
  events = 0;
  /** Bytes handed over so far. */
  bytes = 0;
  /** False once the sink would rather wait: what is written meanwhile is its to keep. */
  ready = true;
  readonly #sink: ByteSink;
  readonly #frame: FrameEncoder | null;
  readonly #gather: number;
  #text: string[] = [];
  #textLength = 0;
  #closed = false;

  /** Throws `BAD_ARGUMENT` for a wrong sink or option. The header is the log's first line, or what it says. */
  constructor(sink: ByteSink, header: Omit<MoveLogHeader, 'movelog'> | string, options: WriterOptions = {}) {
    const { form = 'binary', gather = GATHER_BYTES } = options;
    if (typeof sink?.write !== 'function') throw wrong('sink', 'an object with the method write', typeof sink);
    if (form !== 'binary' && form !== 'ndjson') throw wrong('form', '"binary" or "ndjson"', form);
    if (!(Number.isInteger(gather) && gather >= 1 && gather <= 1 << 26)) {
      throw wrong('gather', 'a whole number of 1..67108864 bytes', gather);
    }
    this.#sink = sink;
    this.#gather = gather;
    const line = typeof header === 'string' ? header : headerLine(header).slice(0, -1);
    this.#frame = form === 'binary' ? new FrameEncoder() : null;
    if (form === 'binary') this.#give(fileHead());
    this.#line(line);
    // the header is there before anything else happens
    this.flush();
  }

  /** Any event. Throws `BAD_ARGUMENT` for one that no log has. */
  event(event: MoveLogEvent): void {
    this.#open();
    if (this.#frame !== null) this.#frame.event(event);
    else this.#add(eventLine(event));
    this.#written();
  }

  /** A plain move by its numbers: nothing is allocated for it in the binary form. */
  move(t: number, id: string, seq: number, x: number, y: number, z: number): void {
    this.#open();
    if (this.#frame === null || typeof id !== 'string' || id.length > 256 || !isNumbers(t, seq, x, y, z)) {
      this.event({ t, op: 'move', id, seq, pos: [x, y, z] });
      return;
    }
    this.#frame.move(t, id, seq, x, y, z);
    this.#written();
  }

  /** An event as it stands in another log, without its end of line. It is not looked at. */
  line(line: Uint8Array): void {
    this.#open();
    this.#line(line);
    this.#written();
  }

  /** Hands over what is gathered; false when the sink would rather wait (then await its `drain` event). */
  flush(): boolean {
    if (this.#frame !== null) {
      const frame = this.#frame.take();
      if (frame !== null) this.#give(frame);
    } else if (this.#textLength > 0) {
      const text = this.#text.join('');
      this.#text = [];
      this.#textLength = 0;
      this.#give(Buffer.from(text));
    }
    return this.ready;
  }

  /** Hands over the rest. The sink is the caller's to end. */
  close(): void {
    this.flush();
    this.#closed = true;
  }

  #line(line: string | Uint8Array): void {
    if (this.#frame !== null) this.#frame.line(line);
    else this.#add(`${typeof line === 'string' ? line : Buffer.from(line).toString('utf8')}\n`);
  }

  #add(text: string): void {
    this.#text.push(text);
    this.#textLength += text.length;
  }

  #written(): void {
    this.events++;
    const size = this.#frame !== null ? this.#frame.size : this.#textLength;
    if (size >= this.#gather) this.flush();
  }

  #give(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    this.ready = this.#sink.write(bytes) !== false;
  }

  #open(): void {
    if (this.#closed) throw new NavguardError('BAD_ARGUMENT', 'the move log is closed, expected no more events');
  }
}

function isNumbers(t: unknown, seq: unknown, x: unknown, y: unknown, z: unknown): boolean {
  if (typeof t !== 'number' || t - t !== 0 || typeof seq !== 'number') return false;
  return typeof x === 'number' && typeof y === 'number' && typeof z === 'number';
}

function wrong(name: string, expected: string, got: unknown): NavguardError {
  return new NavguardError('BAD_ARGUMENT', `MoveLogWriter: ${name}: expected ${expected}, got ${String(got)}`, { got });
}
