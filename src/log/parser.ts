// Bytes of a move log in, events out, one at a time. Knows no files and no clock; reader.ts feeds it.
import { isUtf8 } from 'node:buffer';
import { NavguardError } from '../errors.ts';
import { nearestWord } from '../nearest.ts';
import { CLAIM_OPS, type Claim, FACT_OPS, type MoveLogEvent, type MoveLogHeader } from './events.ts';
import { checkFact } from './facts.ts';
import { FastMoveReader } from './fastmove.ts';
import { checkHeader } from './header.ts';
import { LineSplitter, MAX_LINE_BYTES } from './lines.ts';
import { badLine, shown } from './problem.ts';
import { reviveNumbers } from './special.ts';

const OPS: readonly string[] = [...FACT_OPS, ...CLAIM_OPS];
const FACTS: ReadonlySet<unknown> = new Set(FACT_OPS);
const CLAIMS: ReadonlySet<unknown> = new Set(CLAIM_OPS);
const BYTE_ORDER_MARK = 0xfeff;
const SPACE = 32;

/** How a log is parsed. */
export interface ParserOptions {
  /** The log's name in messages. */
  file: string;
  /** Count and skip lines that are not valid JSON or have an unknown `op`, instead of stopping. */
  lenient?: boolean | undefined;
}

/**
 * Pull parser: `feed` bytes, then call `next` until it gives null; `finish` after the last bytes, then `next` again.
 * All errors are NavguardError BAD_LOG with file and line.
 */
export class MoveLogParser {
  readonly file: string;
  /** The first line, once `next` has passed it. */
  header: MoveLogHeader | null = null;
  /** Line number (from 1) of the event that `next` gave last. */
  line = 0;
  /** Lines skipped so far (`lenient`). */
  skipped = 0;

  /** The first line as it stands, once `next` has passed it. */
  headerText = '';

  #rawStart = 0;
  #rawEnd = 0;
  readonly #lenient: boolean;
  readonly #lines = new LineSplitter();
  readonly #fast: FastMoveReader;
  #finished = false;

  constructor(options: ParserOptions) {
    this.file = options.file;
    this.#lenient = options.lenient === true;
    this.#fast = new FastMoveReader(this.#lines.bytes);
  }

  /** Adds bytes. Call only after `next` gave null. */
  feed(chunk: Uint8Array): void {
    this.#lines.feed(chunk);
    if (this.#lines.end > MAX_LINE_BYTES + chunk.length) {
      throw badLine(
        this.file,
        this.line + 1,
        `the line is longer than ${MAX_LINE_BYTES} bytes, expected a shorter one.`,
      );
    }
  }

  /** No more bytes will come: a last line without newline is a line. Throws when there was no header at all. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    if (this.#lines.end > this.#lines.start) this.#lines.feed(Buffer.from('\n'));
  }

  /** The next event, or null when more bytes are needed (or, after `finish`, at the end). The header is no event. */
  next(): MoveLogEvent | null {
    const lines = this.#lines;
    while (true) {
      if (this.header !== null) {
        const move = this.#fast.read(lines.bytes, lines.start);
        if (move !== null) {
          this.#rawStart = lines.start;
          lines.start = this.#fast.next;
          this.#rawEnd = lines.start - 1;
          this.line++;
          return move;
        }
      }
      const end = lines.lineEnd();
      if (end < 0) {
        if (this.#finished && this.header === null) {
          throw new NavguardError('BAD_LOG', `${this.file} is empty, expected a move log with a header line.`, {
            file: this.file,
          });
        }
        return null;
      }
      const start = lines.start;
      lines.take(end);
      this.#rawStart = start;
      this.#rawEnd = end;
      this.line++;
      const event = this.#line(lines.bytes, start, end);
      if (event !== null) return event;
    }
  }

  /** The line of the event that `next` gave last, its end and spaces around it left out; valid until the next call. */
  get raw(): Uint8Array {
    const { bytes } = this.#lines;
    let start = this.#rawStart;
    let end = this.#rawEnd;
    while (start < end && bytes[start] <= SPACE) start++;
    while (end > start && bytes[end - 1] <= SPACE) end--;
    return bytes.subarray(start, end);
  }

  /** The event of a line that stands elsewhere, as `next` gives it; null for the header, an empty line, or a skipped one. */
  take(bytes: Buffer, start: number, end: number): MoveLogEvent | null {
    this.line++;
    return this.#line(bytes, start, end);
  }

  /** The event of one line; null for the header, an empty line, or a skipped one. */
  #line(bytes: Buffer, start: number, end: number): MoveLogEvent | null {
    let text = bytes.toString('utf8', start, end);
    if (this.line === 1 && text.charCodeAt(0) === BYTE_ORDER_MARK) text = text.slice(1);
    if (text.trim() === '') return null;
    if (!isUtf8(bytes.subarray(start, end))) {
      return this.#unusable('the line is not valid UTF-8, expected one JSON object.', text);
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#unusable(`the line is not valid JSON, expected one object, got ${excerpt(text)}.`, text);
    }
    if (this.header === null) {
      this.header = checkHeader(value, this.file, this.line);
      this.headerText = text.trim();
      return null;
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return this.#unusable(`expected an object such as {"t":0,"op":"leave","id":"p1"}, got ${shown(value)}.`, text);
    }
    return this.#event(value as Record<string, unknown>, text);
  }

  #event(value: Record<string, unknown>, text: string): MoveLogEvent | null {
    const { op } = value;
    const fact = FACTS.has(op);
    if (!fact && !CLAIMS.has(op)) return this.#unusable(this.#unknownOp(value), text);
    reviveNumbers(value);
    if (!Number.isFinite(value.t)) {
      const got = value.t === undefined ? 'nothing' : shown(value.t);
      const message = `"${op}" needs t to be a finite number (ms on the server's clock), got ${got}.`;
      throw badLine(this.file, this.line, message, { field: 't', got: value.t });
    }
    return fact ? checkFact(value, this.file, this.line) : (value as unknown as Claim);
  }

  #unknownOp(value: Record<string, unknown>): string {
    const { op } = value;
    if (op === undefined) {
      if (Object.hasOwn(value, 'movelog')) return 'a second header, expected one log per file.';
      return `the line has no op, expected one of ${OPS.join(', ')}.`;
    }
    const near = typeof op === 'string' ? nearestWord(op, OPS) : null;
    const expected = near === null ? `one of ${OPS.join(', ')}` : `"${near}" perhaps`;
    return `unknown op ${shown(op)}, expected ${expected}.`;
  }

  /** A line that is broken or of an unknown kind: skipped when lenient. The header is never skipped. */
  #unusable(message: string, text: string): null {
    if (this.header === null) {
      const expected = '{"movelog":1,"map":{...}}';
      throw badLine(this.file, this.line, `expected the header ${expected} first, got ${excerpt(text)}.`, { expected });
    }
    if (!this.#lenient) throw badLine(this.file, this.line, message);
    this.skipped++;
    return null;
  }
}

function excerpt(text: string): string {
  const line = text.trim().replace(/[^\x20-\x7e]/g, '?');
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}
