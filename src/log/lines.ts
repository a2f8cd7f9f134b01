// Cuts a byte stream into lines without making strings of them. Used by the reader and by `navguard query`.
// Invariant: bytes[start..end) is what was fed and not yet taken; bytes[end] is a zero that stops any scan.

/** No line of a sane log is longer; a file without line ends must not fill the memory. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

const NEWLINE = 10;

export class LineSplitter {
  /** Fed bytes; valid from `start` to `end`. */
  bytes: Buffer = Buffer.alloc(1 << 16);
  start = 0;
  end = 0;
  /** End of the line found last (its newline), or -1. */
  #scanned = 0;

  /** Adds bytes after those not taken yet. */
  feed(chunk: Uint8Array): void {
    const rest = this.end - this.start;
    const needed = rest + chunk.length + 1;
    if (needed > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
      this.bytes.copy(grown, 0, this.start, this.end);
      this.bytes = grown;
    } else if (this.start > 0) {
      this.bytes.copyWithin(0, this.start, this.end);
    }
    this.#scanned = Math.max(0, this.#scanned - this.start);
    this.start = 0;
    this.bytes.set(chunk, rest);
    this.end = rest + chunk.length;
    this.bytes[this.end] = 0;
  }

  /** Where the next line ends (its newline), or -1 when more bytes are needed. A scan never starts over. */
  lineEnd(): number {
    const at = this.bytes.indexOf(NEWLINE, Math.max(this.start, this.#scanned));
    if (at >= 0 && at < this.end) {
      this.#scanned = at;
      return at;
    }
    this.#scanned = this.end;
    return -1;
  }

  /** Goes on behind the newline at `at`. */
  take(at: number): void {
    this.start = at + 1;
  }
}
