// Where results go: a file that appears only when it is whole, or stdout. Used by every command that writes.
import { randomBytes } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { type FileHandle, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileTrouble } from '../log/reader.ts';
import { UsageError } from './fail.ts';

const BLOCK_BYTES = 1 << 18;

/** Temporary files that an interrupted run must not leave behind. */
const unfinished = new Set<string>();
process.on('exit', () => {
  for (const path of unfinished) {
    try {
      unlinkSync(path);
    } catch {
      // it is gone already
    }
  }
});

export interface Output {
  /** Keeps text; cheap. */
  write(text: string): void;
  /** Keeps bytes, which are not copied. */
  keep(bytes: Uint8Array): void;
  /** Hands over what is kept when it is much (or all of it); awaits a slow reader. */
  drain(all?: boolean): Promise<void>;
  /** The result is whole: a file gets its name. */
  commit(): Promise<void>;
  /** The run failed: nothing half-written stays. */
  abandon(): Promise<void>;
}

/** `-` is stdout. */
export async function openOutput(path: string): Promise<Output> {
  return path === '-' ? new StdoutOutput() : FileOutput.open(path);
}

/** Text as bytes at once: millions of short strings kept as strings would keep the garbage collector busy. */
class Blocks {
  #full: Uint8Array[] = [];
  #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #at = 0;

  add(text: string): void {
    // UTF-8 needs at most three bytes for each UTF-16 unit
    if (this.#at + 3 * text.length > this.#block.length) this.#seal(3 * text.length);
    this.#at += this.#block.write(text, this.#at);
  }

  addBytes(bytes: Uint8Array): void {
    this.#seal(0);
    this.#full.push(bytes);
  }

  /** What is full, or everything; forgotten here. */
  take(all: boolean): Uint8Array[] {
    if (all) this.#seal(0);
    const taken = this.#full;
    this.#full = [];
    return taken;
  }

  #seal(room: number): void {
    if (this.#at > 0) this.#full.push(this.#block.subarray(0, this.#at));
    this.#block = Buffer.allocUnsafe(Math.max(BLOCK_BYTES, room));
    this.#at = 0;
  }
}

class StdoutOutput implements Output {
  readonly #blocks = new Blocks();

  write(text: string): void {
    this.#blocks.add(text);
  }

  keep(bytes: Uint8Array): void {
    this.#blocks.addBytes(bytes);
  }

  async drain(all = false): Promise<void> {
    for (const block of this.#blocks.take(all)) {
      await new Promise<void>((done) => process.stdout.write(block, () => done()));
    }
  }

  commit(): Promise<void> {
    return this.drain(true);
  }

  async abandon(): Promise<void> {
    this.#blocks.take(true);
  }
}

class FileOutput implements Output {
  readonly #path: string;
  /** Where the result belongs, and the file beside it that becomes it; null for a device or a pipe. */
  readonly #whole: { readonly target: string; readonly temporary: string } | null;
  readonly #file: FileHandle;
  readonly #blocks = new Blocks();

  private constructor(
    path: string,
    whole: { readonly target: string; readonly temporary: string } | null,
    file: FileHandle,
  ) {
    this.#path = path;
    this.#whole = whole;
    this.#file = file;
  }

  static async open(path: string): Promise<FileOutput> {
    if (path === '') throw new UsageError('Cannot write "": expected a file name, or - for stdout.');
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory()) throw new UsageError(`Cannot write ${path}: it is a directory.`);
    try {
      // a device (/dev/null, /dev/stdout) or a pipe is written to, never replaced
      if (found !== null && !found.isFile()) return new FileOutput(path, null, await open(path, 'w'));
      // a link stays a link
      const target = found === null ? path : await realpath(path);
      // in the same folder, so that the rename at the end is one step on one disk
      const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(4).toString('hex')}.tmp`);
      const file = await open(temporary, 'wx');
      unfinished.add(temporary);
      return new FileOutput(path, { target, temporary }, file);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why = code === 'ENOENT' ? `there is no folder ${dirname(path)}` : fileTrouble(error);
      throw new UsageError(`Cannot write ${path}: ${why}.`);
    }
  }

  write(text: string): void {
    this.#blocks.add(text);
  }

  keep(bytes: Uint8Array): void {
    this.#blocks.addBytes(bytes);
  }

  async drain(all = false): Promise<void> {
    for (const block of this.#blocks.take(all)) await this.writeBytes(block);
  }

  async writeBytes(bytes: Uint8Array): Promise<void> {
    try {
      await this.#file.appendFile(bytes);
    } catch (error) {
      throw new UsageError(`Cannot write ${this.#path}: ${fileTrouble(error)}.`);
    }
  }

  async commit(): Promise<void> {
    await this.drain(true);
    try {
      await this.#file.close();
      if (this.#whole === null) return;
      await rename(this.#whole.temporary, this.#whole.target);
      unfinished.delete(this.#whole.temporary);
    } catch (error) {
      throw new UsageError(`Cannot write ${this.#path}: ${fileTrouble(error)}.`);
    }
  }

  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    if (this.#whole === null) return;
    await unlink(this.#whole.temporary).catch(() => undefined);
    unfinished.delete(this.#whole.temporary);
  }
}

/** Writes a whole result at once; `-` is stdout. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  if (path === '-') {
    await new Promise<void>((done) => process.stdout.write(content, () => done()));
    return;
  }
  const output = await FileOutput.open(path);
  try {
    if (typeof content === 'string') output.write(content);
    else await output.writeBytes(content);
    await output.commit();
  } catch (error) {
    await output.abandon();
    throw error;
  }
}
