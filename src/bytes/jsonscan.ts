// Reads JSON piece by piece from bytes: what is not asked for is skipped, numbers go where the caller puts them, nothing else
// is kept. So a hostile document costs its length in time and next to nothing in memory. Imported by bytes/ only.
// Grammar: RFC 8259; names longer than 64 characters and escapes in names are told apart from all known ones.
import { TextScan } from './textscan.ts';

/** Lists and objects inside each other; navmesh documents have seven. */
const MOST_DEPTH = 64;

export class JsonScan extends TextScan {
  /** Visits each member of the object here; `member` must read or skip its value. */
  object(what: string, member: (name: string) => void): void {
    this.space();
    this.need('{', `as the beginning of ${what}`);
    this.space();
    if (this.takes('}')) return;
    for (;;) {
      this.space();
      const name = this.string(`a name in ${what}`);
      this.space();
      this.need(':', `after the name "${name}"`);
      member(name);
      this.space();
      if (this.takes('}')) return;
      this.need(',', `or "}" after "${name}" of ${what}`);
    }
  }

  /** Visits each item of the list here; `item` must read or skip it. */
  list(what: string, item: (index: number) => void): void {
    this.space();
    this.need('[', `as the beginning of ${what}`);
    this.space();
    if (this.takes(']')) return;
    for (let i = 0; ; i++) {
      item(i);
      this.space();
      if (this.takes(']')) return;
      this.need(',', `or "]" in ${what}`);
    }
  }

  /** The byte that the next value begins with. */
  begins(): number {
    this.space();
    return this.peek();
  }

  jsonNumber(what: string): number {
    this.space();
    return this.number(what);
  }

  jsonWhole(what: string): number {
    this.space();
    return this.whole(what);
  }

  /** A string's text; longer ones are cut at 64 characters. Escapes stay as they are written. */
  string(what: string): string {
    this.need('"', `as the beginning of ${what}`);
    const start = this.at;
    this.#stringEnd(what);
    const bytes = this.bytes.subarray(start, Math.min(this.at - 1, start + 64));
    return new TextDecoder().decode(bytes);
  }

  /** Skips the value here, whatever it is. */
  skip(): void {
    let depth = 0;
    do {
      this.space();
      const b = this.peek();
      if (b === 0x22) {
        this.at++;
        this.#stringEnd('a string');
      } else if (b === 0x7b || b === 0x5b) {
        this.at++;
        if (++depth > MOST_DEPTH) throw this.bad(`lists within lists, ${depth} deep`, `at most ${MOST_DEPTH}`);
      } else if (b === 0x7d || b === 0x5d) {
        if (depth === 0) throw this.bad(`"${String.fromCharCode(b)}"`, 'a value');
        this.at++;
        depth--;
      } else if (b === 0x2c || b === 0x3a) {
        if (depth === 0) throw this.bad(`"${String.fromCharCode(b)}"`, 'a value');
        this.at++;
      } else this.#plain();
    } while (depth > 0);
  }

  /** true, false, null or a number. */
  #plain(): void {
    for (const word of ['true', 'false', 'null']) if (this.takes(word)) return;
    this.number('a value');
  }

  /** Past the closing quote. */
  #stringEnd(what: string): void {
    const { bytes } = this;
    for (; this.at < bytes.length; this.at++) {
      const b = bytes[this.at];
      if (b === 0x5c) this.at++;
      else if (b === 0x22) {
        this.at++;
        return;
      } else if (b === 10) break;
    }
    throw this.bad('a line or a file that ends inside a string', `the end of ${what}`);
  }
}
