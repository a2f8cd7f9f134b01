// What the arguments of `audit` mean: which is the map, which are logs, what a directory holds. Nothing is guessed twice.
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileTrouble } from '../log/reader.ts';
import { readAtMost } from '../log/wholefile.ts';
import { UsageError } from './fail.ts';

/** A log to run. */
export interface LogInput {
  /** Path, or `-` for stdin. */
  path: string;
  /** For the progress bar; 0 = unknown. */
  bytes: number;
}

export interface AuditInputs {
  /** The map's path when one was given. */
  map: string | null;
  logs: LogInput[];
}

/**
 * `[map] <log...>`: the first of several arguments is the map unless it is a log itself: a directory, `-`, a name that
 * ends in .ndjson, .jsonl or .ngml, or a file that begins with a move log's header.
 */
export async function auditInputs(paths: readonly string[]): Promise<AuditInputs> {
  const mapFirst = paths.length > 1 && !(await looksLikeLog(paths[0]));
  const logs: LogInput[] = [];
  for (const path of mapFirst ? paths.slice(1) : paths) logs.push(...(await logsAt(path)));
  if (logs.filter((log) => log.path === '-').length > 1) throw new UsageError('"-" (stdin) can be read only once.');
  return { map: mapFirst ? paths[0] : null, logs };
}

async function looksLikeLog(path: string): Promise<boolean> {
  if (path === '-' || /\.(ndjson|jsonl|ngml)$/i.test(path)) return true;
  const found = await stat(path).catch(() => null);
  if (found === null) return false;
  if (found.isDirectory()) return true;
  const head = await beginning(path);
  return head.startsWith('NGML') || head.includes('"movelog"');
}

async function beginning(path: string): Promise<string> {
  const file = await open(path).catch(() => null);
  if (file === null) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function logsAt(path: string): Promise<LogInput[]> {
  if (path === '-') return [{ path, bytes: 0 }];
  let found: Awaited<ReturnType<typeof stat>>;
  try {
    found = await stat(path);
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${fileTrouble(error)}.`);
  }
  if (!found.isDirectory()) return [{ path, bytes: found.size }];
  const names = (await readdir(path)).filter((name) => /\.(ndjson|ngml)$/.test(name)).sort();
  if (names.length === 0)
    throw new UsageError(`${path} is a directory without *.ndjson files, expected move logs in it.`);
  const logs: LogInput[] = [];
  for (const name of names) logs.push(...(await logsAt(join(path, name))));
  return logs;
}

/** No object of rules is longer. */
const MAX_JSON_BYTES = 1 << 20;

/** A file that holds one JSON object (`--rules`). */
export async function jsonObjectFile(path: string, what: string): Promise<Record<string, unknown>> {
  let bytes: Uint8Array | null;
  try {
    bytes = await readAtMost(path, () => MAX_JSON_BYTES);
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${fileTrouble(error)}.`);
  }
  if (bytes === null) throw new UsageError(`${path} is larger than 1 MiB, expected a JSON object of ${what}.`);
  let value: unknown;
  try {
    // TextDecoder drops a byte order mark
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new UsageError(`${path} is not valid JSON, expected an object of ${what}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UsageError(
      `${path} holds ${Array.isArray(value) ? 'a list' : JSON.stringify(value)}, expected an object of ${what}.`,
    );
  }
  return value as Record<string, unknown>;
}
