// Reads the commonest line of a log, {"t":..,"op":"move","id":"..","seq":..,"pos":[..,..,..]} with or without a plain
// "expect", straight from bytes. Anything unusual is left to JSON.parse. Only parser.ts imports this.
//
// Invariant: a line taken here gives the same event as JSON.parse. Numbers: a decimal of at most 15 digits is an
// integer below 2^53 divided by a power of ten up to 10^22; both are exact doubles, so one division rounds correctly
// (Clinger 1990, the fast case). Everything longer goes through Number().
import type { Expect, MoveClaim } from './events.ts';

const POWERS_OF_TEN = Array.from({ length: 23 }, (_, i) => Number(`1e${i}`));
const MAX_EXACT_DIGITS = 15;

function codes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
const HEAD = codes('{"t":');
const OP_MOVE = codes(',"op":"move","id":"');
const SEQ = codes(',"seq":');
const POS = codes(',"pos":[');
const EXPECT = codes(',"expect":"');

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const CLOSE_BRACKET = 93;
const BACKSLASH = 92;
const CLOSE_BRACE = 125;
const NEWLINE = 10;
const RETURN = 13;

/** Strings seen lately, so that equal bytes give the same string object without decoding. A power of two. */
const INTERN_SLOTS = 4096;

export class FastMoveReader {
  /** Place after the line's newline, when `read` gave an event. */
  next = 0;
  #bytes: Buffer;
  #at = 0;
  #value = 0;
  #word = '';
  readonly #interned: string[] = new Array<string>(INTERN_SLOTS).fill('');

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The event of the line that begins at `start`, or null when the line is unusual or not complete. */
  read(bytes: Buffer, start: number): MoveClaim | null {
    this.#bytes = bytes;
    this.#at = start;
    if (!this.#literal(HEAD) || !this.#number()) return null;
    const t = this.#value;
    if (!this.#literal(OP_MOVE) || !this.#string()) return null;
    const id = this.#word;
    if (!this.#literal(SEQ) || !this.#number()) return null;
    const seq = this.#value;
    if (!this.#literal(POS) || !this.#number()) return null;
    const x = this.#value;
    if (bytes[this.#at++] !== COMMA || !this.#number()) return null;
    const y = this.#value;
    if (bytes[this.#at++] !== COMMA || !this.#number()) return null;
    const z = this.#value;
    if (bytes[this.#at++] !== CLOSE_BRACKET) return null;
    let expect = '';
    if (bytes[this.#at] === COMMA) {
      if (!this.#literal(EXPECT) || !this.#string()) return null;
      expect = this.#word;
    }
    if (bytes[this.#at++] !== CLOSE_BRACE) return null;
    if (bytes[this.#at] === RETURN) this.#at++;
    if (bytes[this.#at] !== NEWLINE) return null;
    this.next = this.#at + 1;
    return expect === ''
      ? { t, op: 'move', id, seq, pos: [x, y, z] }
      : { t, op: 'move', id, seq, pos: [x, y, z], expect: expect as Expect };
  }

  #literal(text: Uint8Array): boolean {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let i = 0; i < text.length; i++) if (bytes[at++] !== text[i]) return false;
    this.#at = at;
    return true;
  }

  /** A JSON number without exponent; the byte after it is not looked at. */
  #number(): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    const negative = bytes[at] === MINUS;
    if (negative) at++;
    let byte = bytes[at];
    let mantissa = 0;
    let digits = 0;
    if (byte === ZERO) {
      byte = bytes[++at];
    } else {
      if (!(byte > ZERO && byte <= NINE)) return false;
      while (byte >= ZERO && byte <= NINE) {
        mantissa = mantissa * 10 + (byte - ZERO);
        digits++;
        byte = bytes[++at];
      }
    }
    let places = 0;
    if (byte === POINT) {
      const firstPlace = ++at;
      byte = bytes[at];
      while (byte >= ZERO && byte <= NINE) {
        mantissa = mantissa * 10 + (byte - ZERO);
        if (mantissa !== 0) digits++;
        byte = bytes[++at];
      }
      places = at - firstPlace;
      if (places === 0) return false;
    }
    this.#at = at;
    if (digits <= MAX_EXACT_DIGITS && places < POWERS_OF_TEN.length) {
      const value = places === 0 ? mantissa : mantissa / POWERS_OF_TEN[places];
      // keeps the sign of a zero, as JSON.parse does
      this.#value = negative ? -value : value;
    } else {
      this.#value = Number(bytes.toString('latin1', start, at));
    }
    return true;
  }

  /** The rest of a string of plain ASCII, its closing quote included. An empty one is unusual. */
  #string(): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    let hash = 0;
    let byte = bytes[at];
    while (byte !== QUOTE) {
      if (byte < 32 || byte > 126 || byte === BACKSLASH) return false;
      hash = (Math.imul(hash, 31) + byte) | 0;
      byte = bytes[++at];
    }
    const length = at - start;
    if (length === 0) return false;
    this.#at = at + 1;
    const slot = (hash ^ (hash >>> 12)) & (INTERN_SLOTS - 1);
    const seen = this.#interned[slot];
    if (seen.length === length) {
      let i = 0;
      while (i < length && seen.charCodeAt(i) === bytes[start + i]) i++;
      if (i === length) {
        this.#word = seen;
        return true;
      }
    }
    const word = bytes.toString('latin1', start, at);
    // a hostile id must not be kept for ever
    if (length <= 64) this.#interned[slot] = word;
    this.#word = word;
    return true;
  }
}
