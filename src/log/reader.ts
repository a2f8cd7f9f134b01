// Opens move logs: a file, or any stream of bytes. Feeds the parser in large chunks.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { NavguardError } from '../errors.ts';
import { BinaryLogParser, isBinary } from './binary/index.ts';
import type { MoveLogEvent, MoveLogHeader } from './events.ts';
import { MoveLogParser, type ParserOptions } from './parser.ts';

/** Bytes read at once. */
const CHUNK_BYTES = 1 << 20;

/** How a log is opened. */
export interface OpenOptions {
  /** The log's name in messages (default: the path, or "log"). */
  name?: string | undefined;
  /** Count and skip lines that are not valid JSON or have an unknown `op`, instead of stopping. */
  lenient?: boolean | undefined;
}

/**
 * A move log being read: the header is known, events come in order. For speed they are pulled, chunk by chunk:
 *
 *     do { for (let e = log.next(); e !== null; e = log.next()) use(e, log.line); } while (await log.more());
 */
export class MoveLog {
  readonly header: MoveLogHeader;
  readonly name: string;
  /** The log is in the binary form. */
  readonly binary: boolean;
  readonly #parser: MoveLogParser | BinaryLogParser;
  readonly #chunks: AsyncIterator<Uint8Array>;
  /** The first event, read along with the header. */
  #pending: MoveLogEvent | null;
  #bytesRead: number;
  #done: boolean;

  private constructor(
    parser: MoveLogParser | BinaryLogParser,
    chunks: AsyncIterator<Uint8Array>,
    header: MoveLogHeader,
    pending: MoveLogEvent | null,
    bytesRead: number,
    done: boolean,
  ) {
    this.#parser = parser;
    this.binary = parser instanceof BinaryLogParser;
    this.#chunks = chunks;
    this.header = header;
    this.name = parser.file;
    this.#pending = pending;
    this.#bytesRead = bytesRead;
    this.#done = done;
  }

  /**
   * Reads up to the header.
   * @throws NavguardError BAD_LOG: no such file, a directory, an empty file, no header.
   */
  static async open(source: string | AsyncIterable<Uint8Array>, options: OpenOptions = {}): Promise<MoveLog> {
    const name = options.name ?? (typeof source === 'string' ? source : 'log');
    const chunks = (typeof source === 'string' ? await fileChunks(source, name) : source)[Symbol.asyncIterator]();
    const { parser, first } = await parserFor(chunks, { file: name, lenient: options.lenient });
    let pending: MoveLogEvent | null = null;
    let bytesRead = first.length;
    let done = false;
    if (bytesRead > 0) {
      parser.feed(first);
      pending = parser.next();
    }
    while (parser.header === null || pending === null) {
      const { value, done: ended } = await chunks.next();
      if (ended === true) {
        parser.finish();
        pending = parser.next();
        done = true;
        break;
      }
      bytesRead += value.length;
      parser.feed(value);
      pending = parser.next();
    }
    return new MoveLog(parser, chunks, parser.header!, pending, bytesRead, done);
  }

  /** Line number (from 1) of the event given last. */
  get line(): number {
    return this.#parser.line;
  }
  /** Lines skipped so far (`lenient`). */
  get skipped(): number {
    return this.#parser.skipped;
  }
  /** The header as it stands in the log. */
  get headerText(): string {
    return this.#parser.headerText;
  }
  /** The line of the event given last, without its end; null when it does not stand as a line. Valid until the next call. */
  get raw(): Uint8Array | null {
    return this.#pending === null ? this.#parser.raw : null;
  }
  get bytesRead(): number {
    return this.#bytesRead;
  }

  /** The next event of what has been read, or null. */
  next(): MoveLogEvent | null {
    if (this.#pending !== null) {
      const event = this.#pending;
      this.#pending = null;
      return event;
    }
    return this.#parser.next();
  }

  /** Reads on. False at the end of the log. */
  async more(): Promise<boolean> {
    if (this.#done) return false;
    const { value, done } = await this.#chunks.next();
    if (done === true) {
      this.#done = true;
      this.#parser.finish();
    } else {
      this.#bytesRead += value.length;
      this.#parser.feed(value);
    }
    return true;
  }

  /** Gives the file back before the end. */
  async close(): Promise<void> {
    this.#done = true;
    await this.#chunks.return?.();
  }

  /** All events, for convenience; pulling is several times faster. */
  async *[Symbol.asyncIterator](): AsyncGenerator<MoveLogEvent, void, undefined> {
    try {
      do {
        for (let event = this.next(); event !== null; event = this.next()) yield event;
      } while (await this.more());
    } finally {
      await this.close();
    }
  }
}

/** The form of a log is told by its first bytes, whatever its name is. */
async function parserFor(
  chunks: AsyncIterator<Uint8Array>,
  options: ParserOptions,
): Promise<{ parser: MoveLogParser | BinaryLogParser; first: Uint8Array }> {
  let first: Uint8Array = new Uint8Array(0);
  while (first.length < 4) {
    const { value, done } = await chunks.next();
    if (done === true) break;
    first = first.length === 0 ? value : Buffer.concat([first, value]);
  }
  return { parser: isBinary(first) ? new BinaryLogParser(options) : new MoveLogParser(options), first };
}

async function fileChunks(path: string, name: string): Promise<AsyncIterable<Uint8Array>> {
  try {
    if ((await stat(path)).isDirectory()) {
      throw new NavguardError('BAD_LOG', `${name} is a directory, expected a move log.`, { file: name });
    }
  } catch (error) {
    if (error instanceof NavguardError) throw error;
    throw new NavguardError('BAD_LOG', `Cannot read ${name}: ${fileTrouble(error)}.`, { file: name });
  }
  return createReadStream(path, { highWaterMark: CHUNK_BYTES });
}

/** What the operating system said about a file, in words. */
export function fileTrouble(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  if (code === 'EISDIR') return 'it is a directory';
  if (code === 'ENOSPC') return 'there is no room left';
  if (code === 'ENOTDIR') return 'a part of the path is not a directory';
  return message;
}
