// Reads text formats byte by byte: lines, words, numbers. Knows the line it stands on, so every refusal names it. No regular
// expression sees the file, nothing is decoded but the words that are asked for. Imported by bytes/ only.
import { NavguardError } from '../errors.ts';

const NEWLINE = 10;
const RETURN = 13;
const BACKSLASH = 92;

/** Longest number or word that is looked at; real ones have 24 characters. */
const MOST_WORD = 64;
/** Names of groups and materials. */
export const MOST_NAME = 256;

export class TextScan {
  readonly bytes: Uint8Array;
  at = 0;
  line = 1;
  readonly #format: string;

  constructor(bytes: Uint8Array, format: string) {
    this.bytes = bytes;
    this.#format = format;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.at = 3;
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  /** The byte here, -1 at the end. */
  peek(): number {
    return this.at < this.bytes.length ? this.bytes[this.at] : -1;
  }

  /** The refusal, with the line. */
  bad(got: string, expected: string): NavguardError {
    const message = oneLine(`Bad ${this.#format}: line ${this.line}: got ${got}, expected ${expected}.`);
    return new NavguardError('BAD_FILE', message, { line: this.line, got, expected });
  }

  /** Skips blanks inside a line; a backslash before the line's end continues it on the next. */
  blanks(): void {
    for (;;) {
      const b = this.peek();
      if (b === BACKSLASH) {
        let end = this.at + 1;
        if (this.bytes[end] === RETURN) end++;
        if (this.bytes[end] !== NEWLINE) return;
        this.at = end + 1;
        this.line++;
      } else if (isBlank(b)) this.at++;
      else return;
    }
  }

  /** Whether the line has nothing more (a comment counts as nothing when `comment` begins it). */
  lineEnds(comment = -1): boolean {
    this.blanks();
    const b = this.peek();
    return b === -1 || b === NEWLINE || b === comment;
  }

  /** To the start of the next line, past the lines that a backslash continues; a comment (`comment` stands here) has none. */
  nextLine(comment = -1): void {
    const { bytes } = this;
    const plain = comment >= 0 && this.peek() === comment;
    while (this.at < bytes.length) {
      const b = bytes[this.at++];
      if (b !== NEWLINE) continue;
      this.line++;
      const before = bytes[this.at - 2] === RETURN ? bytes[this.at - 3] : bytes[this.at - 2];
      if (plain || before !== BACKSLASH) return;
    }
  }

  /** Skips white space, line ends too. */
  space(): void {
    for (;;) {
      const b = this.peek();
      if (b === NEWLINE) this.line++;
      else if (!isBlank(b)) return;
      this.at++;
    }
  }

  /** The next word of this line, '' at its end. A word longer than the longest real one is cut and left for the caller. */
  word(): string {
    this.blanks();
    const start = this.at;
    const { bytes } = this;
    while (this.at < bytes.length && !isBlank(bytes[this.at]) && bytes[this.at] !== NEWLINE) this.at++;
    return text(bytes, start, Math.min(this.at, start + MOST_NAME));
  }

  /** The rest of the line as text, cut at the longest name, without blanks at its ends. */
  rest(): string {
    this.blanks();
    const start = this.at;
    while (this.at < this.bytes.length && this.bytes[this.at] !== NEWLINE) this.at++;
    return text(this.bytes, start, Math.min(this.at, start + MOST_NAME)).trim();
  }

  /** A finite number: digits, point, exponent, sign. Ends where the number ends. */
  number(what: string): number {
    this.blanks();
    const start = this.at;
    const { bytes } = this;
    const most = Math.min(bytes.length, start + MOST_WORD);
    while (this.at < most && isNumeric(bytes[this.at])) this.at++;
    const value = this.at === start ? Number.NaN : decimal(bytes, start, this.at);
    if (Number.isFinite(value)) return value;
    this.at = start;
    throw this.bad(this.#here(), `${what}, a finite number such as -1.5`);
  }

  /** A whole number without a point. */
  whole(what: string): number {
    const start = this.at;
    const value = this.number(what);
    if (Number.isSafeInteger(value)) return value;
    this.at = start;
    throw this.bad(this.#here(), `${what}, a whole number`);
  }

  /** Takes `word` if it stands here. */
  takes(word: string): boolean {
    for (let i = 0; i < word.length; i++) if (this.bytes[this.at + i] !== word.charCodeAt(i)) return false;
    this.at += word.length;
    return true;
  }

  /** Takes `word`, or refuses. */
  need(word: string, where: string): void {
    if (!this.takes(word)) throw this.bad(this.#here(), `"${word}" ${where}`);
  }

  #here(): string {
    if (this.done) return 'the end of the file';
    let end = this.at;
    while (end < this.bytes.length && end < this.at + 24 && this.bytes[end] !== NEWLINE) end++;
    return JSON.stringify(text(this.bytes, this.at, end).trimEnd());
  }
}

/** Text of a file inside a sentence: what would break the line is a question mark. */
export function oneLine(text: string): string {
  let plain = '';
  for (const letter of text) {
    const code = letter.charCodeAt(0);
    plain += code < 32 || (code >= 127 && code < 160) || code === 0x2028 || code === 0x2029 ? '?' : letter;
  }
  return plain;
}

/** Blanks inside a line; a return belongs to the line's end. */
function isBlank(b: number): boolean {
  return b === 32 || b === 9 || b === RETURN || b === 11 || b === 12;
}

/** 0-9 + - . e E; letters of other numbers ("inf", "nan", "0x") end it. */
function isNumeric(b: number): boolean {
  return (b >= 48 && b <= 57) || b === 43 || b === 45 || b === 46 || b === 69 || b === 101;
}

/**
 * The number that the bytes spell, NaN when they spell none. Up to 15 digits and 22 places are exact by one division
 * (Clinger, "How to read floating point numbers accurately", 1990): whole number and power of ten are both exact in f64.
 */
function decimal(bytes: Uint8Array, from: number, to: number): number {
  let at = bytes[from] === 45 ? from + 1 : from;
  const start = at;
  let whole = 0;
  let point = -1;
  for (; at < to; at++) {
    const digit = bytes[at] - 48;
    if (digit >= 0 && digit <= 9) whole = whole * 10 + digit;
    else if (bytes[at] === 46 && point < 0) point = at;
    else break;
  }
  const digits = at - start - (point < 0 ? 0 : 1);
  if (at < to || digits < 1 || digits > 15) return Number(text(bytes, from, to));
  const value = point < 0 ? whole : whole / POWERS[at - point - 1];
  return start > from ? -value : value;
}

const POWERS = Array.from({ length: 16 }, (_, i) => Number(`1e${i}`));

/** Bytes as text: names may be UTF-8. */
function text(bytes: Uint8Array, from: number, to: number): string {
  let plain = '';
  for (let i = from; i < to; i++) {
    if (bytes[i] > 127) return new TextDecoder().decode(bytes.subarray(from, to));
    plain += String.fromCharCode(bytes[i]);
  }
  return plain;
}
