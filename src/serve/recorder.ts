// Records what a server's guard is told and asked, as move logs in files of bounded size: each is whole, with a header, and
// gives the live verdicts when it is audited. Imported by serve/judge.ts and server.ts.
//
// A file that is not the first begins in the middle of play. An entity's state depends on nothing but its own events and the
// server's pauses, so its `restore` fact is written just before its first event in a file (judge.ts), not all at once: no tick
// pays for all entities. When the disk does not keep up, the file at hand is ended and what follows is not recorded until the
// disk has caught up; then a new file begins. So memory is bounded, and what is recorded is always exact.
import { createWriteStream, readdirSync, rmSync, statSync, type WriteStream } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { NavguardError } from '../errors.ts';
import type { MoveLogEvent, MoveLogHeader } from '../log/events.ts';
import { MoveLogWriter } from '../log/record.ts';

/** What is recorded where. */
export interface ServeRecordOptions {
  /** `moves.ngml` (binary) or `moves.ndjson`: files are moves-000001.ngml and so on. */
  readonly file: string;
  /** A new file begins when one has so many bytes (default 64 MiB). */
  readonly maxBytes?: number;
  /** So many files are kept, the oldest go first (default 8). */
  readonly files?: number;
  /** Each claim carries its live verdict as `expect`: `navguard audit --check` then compares (default false). */
  readonly expect?: boolean;
}

/** Bytes that may wait for the disk. */
const MOST_WAITING = 1 << 25;

export class LogFiles {
  /** Number of the file that is being written; 0 = none now. Judge compares it to know what a file has not seen. */
  serial = 0;
  /** Events written, files begun, times the disk was too slow, and failures of the disk. */
  events = 0;
  begun = 0;
  gaps = 0;
  readonly #folder: string;
  readonly #stem: string;
  readonly #ext: string;
  readonly #maxBytes: number;
  readonly #files: number;
  readonly #header: Omit<MoveLogHeader, 'movelog'>;
  readonly #kept: number[] = [];
  #latest: number;
  #stream: WriteStream | null = null;
  #writer: MoveLogWriter | null = null;
  readonly #open = new Set<WriteStream>();
  /** The first failure of the disk. */
  failure: Error | null = null;

  /** Throws `BAD_ARGUMENT` for a folder that is none or a name without a form. */
  constructor(options: ServeRecordOptions, header: Omit<MoveLogHeader, 'movelog'>) {
    const { file, maxBytes = 1 << 26, files = 8 } = options;
    this.#folder = dirname(file);
    this.#ext = extname(file);
    this.#stem = basename(file, this.#ext);
    this.#maxBytes = maxBytes;
    this.#files = files;
    this.#header = header;
    if (this.#ext !== '.ngml' && this.#ext !== '.ndjson') {
      throw new NavguardError('BAD_ARGUMENT', `record: ${file}: expected a name that ends in .ngml or .ndjson.`);
    }
    if (!(maxBytes >= 4096 && files >= 1)) {
      throw new NavguardError('BAD_ARGUMENT', 'record: expected at least 4096 bytes a file and at least one file.');
    }
    if (statSync(this.#folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw new NavguardError('BAD_ARGUMENT', `record: there is no folder ${this.#folder}.`);
    }
    // what an earlier run left counts as old
    for (const name of readdirSync(this.#folder)) {
      const digits =
        name.startsWith(`${this.#stem}-`) && name.endsWith(this.#ext)
          ? name.slice(this.#stem.length + 1, -this.#ext.length)
          : '';
      if (/^\d{6,}$/.test(digits)) this.#kept.push(Number(digits));
    }
    this.#kept.sort((a, b) => a - b);
    this.#latest = this.#kept.at(-1) ?? 0;
    this.#begin();
  }

  /** Bytes that wait for the disk. */
  get waiting(): number {
    let bytes = 0;
    for (const stream of this.#open) bytes += stream.writableLength;
    return bytes;
  }

  /** Names of the files there are, oldest first. */
  get names(): string[] {
    return this.#kept.map((n) => this.#name(n));
  }

  /** Ends a full file and begins the next. To be called before an event, never between a fact and what it belongs to. */
  turn(): void {
    if (this.serial === 0) {
      if (this.failure === null && this.waiting === 0) this.#begin();
      return;
    }
    if (this.waiting > MOST_WAITING) {
      this.gaps++;
      this.#end();
    } else if (this.#writer !== null && this.#writer.bytes >= this.#maxBytes) {
      this.#end();
      if (this.failure === null) this.#begin();
    }
  }

  event(event: MoveLogEvent): void {
    if (this.#writer === null) return;
    this.events++;
    this.#writer.event(event);
  }

  move(t: number, id: string, seq: number, x: number, y: number, z: number): void {
    if (this.#writer === null) return;
    this.events++;
    this.#writer.move(t, id, seq, x, y, z);
  }

  flush(): void {
    this.#writer?.flush();
  }

  /** Everything is on its way to the disk when this is done. */
  async close(): Promise<void> {
    this.#end();
    await Promise.all([...this.#open].map((stream) => new Promise<void>((done) => stream.once('close', () => done()))));
  }

  #name(n: number): string {
    return join(this.#folder, `${this.#stem}-${String(n).padStart(6, '0')}${this.#ext}`);
  }

  #begin(): void {
    const n = ++this.#latest;
    const stream = createWriteStream(this.#name(n), { flags: 'wx' });
    this.#open.add(stream);
    stream.once('close', () => this.#open.delete(stream));
    stream.on('error', (error) => {
      this.failure ??= error;
      if (this.#stream === stream) this.#end();
    });
    this.#stream = stream;
    this.serial = n;
    this.begun++;
    this.#kept.push(n);
    while (this.#kept.length > this.#files) rmSync(this.#name(this.#kept.shift() as number), { force: true });
    const form = this.#ext === '.ngml' ? 'binary' : 'ndjson';
    this.#writer = new MoveLogWriter(stream, this.#header, { form, gather: Math.min(1 << 16, this.#maxBytes >> 3) });
  }

  #end(): void {
    this.#writer?.close();
    this.#writer = null;
    this.#stream?.end();
    this.#stream = null;
    this.serial = 0;
  }
}
