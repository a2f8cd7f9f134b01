// What the arguments of commands mean: which is the map and how it is read, which are logs, what a directory holds. Nothing
// is guessed twice.
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import type { AgentOption, ReadOptions } from '../bytes/index.ts';
import { NavguardError } from '../errors.ts';
import { type LogMapOptions, loadMapFile, portalsFile } from '../log/maps.ts';
import { fileTrouble } from '../log/reader.ts';
import { readAtMost } from '../log/wholefile.ts';
import type { NavMap } from '../map.ts';
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

/** The flags of `readFlags` as commander gives them. */
export interface ReadFlags {
  scale?: string;
  axes?: string;
  flip?: true;
  weld?: string;
  areas?: string;
  agent?: string;
  portals?: string;
  agentType?: string;
}

/** Adds the flags that say how a map file is to be read: one set for every command that takes a map. */
export function readFlags(command: Command): Command {
  const flags: readonly [string, string][] = [
    ['--scale <metres>', 'metres per unit of the file (centimetres: 0.01)'],
    ['--axes <axes>', "which of the file's axes become x, y (up), z: x,z,-y for a file with z up"],
    ['--flip', 'negate x: a file of the other handedness'],
    ['--weld <metres>', 'join corners of triangles that are this near'],
    ['--areas <file>', 'JSON object: {"water": {"area": 2, "flags": 4}, "3": {"area": 5}}'],
    ['--agent <sizes>', 'radius,height,climb in metres, where the file has none'],
    [
      '--portals <file>',
      'portals beside the export, JSON: [{"name": "j1", "start": [x, y, z], "end": [x, y, z]}]; and width, radius, ' +
        'bidirectional, costModifier, seconds or speed, area, flags, open, agentType',
    ],
    ['--agent-type <type>', 'leave out portals of another agentType'],
  ];
  for (const [flag, words] of flags) command.addOption(new Option(flag, words).helpGroup('Reading a map file:'));
  return command;
}

/** For the end of --help: which flags which engine needs. */
export const READ_HELP = `
Map files, told by their content: MSET, MSAT, KBEngine, DotRecast and Unreal 4 Detour meshes; TSET and TSAT tile caches;
a folder or .mmap with its .mmtile files; OBJ, glTF/GLB, Unity's triangulation as JSON, Godot .tres, navcat JSON; .navpack.
  Unity, positions as Unity has them    no flags
  Unity, exporter negated x (glTF, OBJ) --flip
  Unreal, centimetres and z up          --scale 0.01 --axes x,z,y (its dtNavMesh: no flags)
  Blender, z up                         --axes x,z,-y
  Godot, three.js, Babylon              no flags`;

/** A map and what lies beside it, as `loadMapFile` takes it. */
export async function mapOptions(flags: ReadFlags): Promise<LogMapOptions> {
  const { portals, agentType } = flags;
  return {
    read: await readOptions(flags),
    ...(portals === undefined ? {} : { portals: await usable(() => portalsFile(portals)) }),
    ...(agentType === undefined ? {} : { agentType }),
  };
}

const READ_FLAG_NAMES = ['scale', 'axes', 'flip', 'weld', 'areas', 'agent', 'portals', 'agentType'] as const;

/**
 * The map that logs are to run on; undefined when none is named: each log's header then says which, and how it is read.
 * Flags that would not be heeded are an error.
 */
export async function mapForLogs(path: string | null, flags: ReadFlags): Promise<NavMap | undefined> {
  if (path !== null) return loadMapFile(path, await mapOptions(flags));
  const idle = READ_FLAG_NAMES.find((name) => flags[name] !== undefined);
  if (idle === undefined) return undefined;
  const flag = idle === 'agentType' ? '--agent-type' : `--${idle}`;
  throw new UsageError(
    `${flag}: expected a map before the logs (the maps that logs name are read as their headers say).`,
  );
}

/** Bad input is bad usage here. */
async function usable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NavguardError) throw new UsageError(error.message);
    throw error;
  }
}

/** What the flags say; the values themselves are checked where they are used. */
export async function readOptions(flags: ReadFlags): Promise<ReadOptions> {
  return {
    ...(flags.scale === undefined ? {} : { scale: metres('--scale', flags.scale) }),
    ...(flags.axes === undefined ? {} : { axes: flags.axes }),
    ...(flags.flip === undefined ? {} : { flip: true }),
    ...(flags.weld === undefined ? {} : { weld: metres('--weld', flags.weld) }),
    ...(flags.areas === undefined
      ? {}
      : { areas: (await jsonObjectFile(flags.areas, 'areas')) as ReadOptions['areas'] & {} }),
    ...(flags.agent === undefined ? {} : { agent: agentOf(flags.agent) }),
  };
}

function agentOf(text: string): AgentOption {
  const sizes = text.split(',');
  if (sizes.length !== 3) throw new UsageError(`--agent: expected radius,height,climb in metres, got "${text}".`);
  const [radius, height, climb] = sizes.map((size) => metres('--agent', size));
  return { radius, height, climb };
}

function metres(flag: string, text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`${flag}: expected a number of metres, got "${text}".`);
}
