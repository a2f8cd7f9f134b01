// The map that a log runs on: a file beside it, geometry in its header, or a grid in its header.
import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { MAX_FILE_BYTES } from '../bytes/check.ts';
import { detectFormat, type ReadOptions, readNavMesh } from '../bytes/index.ts';
import { type Portal, readPortals } from '../bytes/portals.ts';
import { NavguardError } from '../errors.ts';
import { GridMap } from '../gridmap.ts';
import type { Engine } from '../kernel/index.ts';
import { NavMap } from '../map.ts';
import { MOST_PACK_BYTES } from '../pack/limits.ts';
import type { BuildSource, GridSource, HashSource, MapSource, MoveLogHeader } from './events.ts';
import { mapFolder, tilesBeside } from './mapfolder.ts';
import { badLine } from './problem.ts';
import { fileTrouble } from './reader.ts';
import { readAtMost } from './wholefile.ts';

const MAX_PORTALS_BYTES = 64 * 2 ** 20;

/** How a map is loaded. */
export interface LogMapOptions {
  engine?: Engine | undefined;
  /** How a map file is to be read; the maps that a log's header names are read as they are. */
  read?: ReadOptions | undefined;
  /** Portals of a side file, and whose count: see MapOptions. */
  portals?: readonly Portal[] | undefined;
  agentType?: string | number | undefined;
}

/**
 * Loads a map file: any supported export, a packed map, or a map that is several files (`readMapFiles`).
 * @throws NavguardError with the file's name: no such file, a directory without a map, empty, or not a map.
 */
export async function loadMapFile(path: string, options: LogMapOptions = {}): Promise<NavMap> {
  const files = await readMapFiles(path);
  const [only] = files.values();
  const mapOptions = {
    ...engineOf(options),
    ...(options.read === undefined ? {} : { read: options.read }),
    ...(options.portals === undefined ? {} : { portals: options.portals }),
    ...(options.agentType === undefined ? {} : { agentType: options.agentType }),
  };
  try {
    return await (files.size === 1 ? NavMap.load(only, mapOptions) : NavMap.loadFiles(files, mapOptions));
  } catch (error) {
    if (error instanceof NavguardError) {
      throw new NavguardError(error.code, `${path}: ${error.message}`, { file: path, ...error.detail });
    }
    throw error;
  }
}

/**
 * The portals of a side file.
 * @throws NavguardError BAD_FILE or BAD_ARGUMENT with the file's name
 */
export async function portalsFile(path: string): Promise<readonly Portal[]> {
  let bytes: Uint8Array | null;
  try {
    bytes = await readAtMost(path, () => MAX_PORTALS_BYTES);
  } catch (error) {
    throw new NavguardError('BAD_FILE', `Cannot read ${path}: ${fileTrouble(error)}.`, { file: path });
  }
  if (bytes === null) {
    throw new NavguardError('BAD_FILE', `${path} is larger than 64 MiB, expected a list of portals.`, { file: path });
  }
  try {
    return readPortals(bytes);
  } catch (error) {
    if (!(error instanceof NavguardError)) throw error;
    throw new NavguardError(error.code, `${path}: ${error.message}`, { file: path, ...error.detail });
  }
}

/**
 * The files of a map, by path: one export or packed map; or, for a folder or a .mmap, the .mmap and its .mmtile files.
 * The errors of `loadMapFile`.
 */
export async function readMapFiles(path: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const first = (await mapFolder(path)) ?? path;
  const bytes = await readMapBytes(first);
  const files = new Map([[first, bytes]]);
  if (detectFormat(bytes).kind !== 'mmap') return files;
  let left = MAX_FILE_BYTES;
  for (const tile of await tilesBeside(first)) {
    const more = await readMapBytes(tile);
    left -= more.byteLength;
    if (left < 0) {
      const message = `The tiles of ${first} have more than ${MAX_FILE_BYTES / 2 ** 20} MiB.`;
      throw new NavguardError('BAD_FILE', message, { file: first, expected: MAX_FILE_BYTES });
    }
    files.set(tile, more);
  }
  return files;
}

/** The bytes of one map file; the errors of `loadMapFile`. */
export async function readMapBytes(path: string): Promise<Uint8Array> {
  const expected = 'expected a navmesh export or a .navpack file';
  let limit = MAX_FILE_BYTES;
  let bytes: Uint8Array | null;
  try {
    if ((await stat(path)).isDirectory()) {
      throw new NavguardError('BAD_FILE', `${path} is a directory, ${expected}.`, { file: path });
    }
    bytes = await readAtMost(path, (head) => {
      if (Buffer.from(head.subarray(0, 4)).toString('latin1') === 'NGPK') limit = MOST_PACK_BYTES;
      return limit;
    });
  } catch (error) {
    if (error instanceof NavguardError) throw error;
    throw new NavguardError('BAD_FILE', `Cannot read ${path}: ${fileTrouble(error)}.`, { file: path });
  }
  if (bytes === null) {
    const message = `${path} is larger than ${limit / 2 ** 20} MiB, expected a navmesh export or a .navpack file.`;
    throw new NavguardError('BAD_FILE', message, { file: path, expected: limit });
  }
  if (bytes.length === 0) throw new NavguardError('BAD_FILE', `${path} is empty, ${expected}.`, { file: path });
  return bytes;
}

/**
 * The map that a log's header names; `file` is relative to the log.
 * @param log the log's path (or a name, for a stream: then relative to the working directory)
 * @throws NavguardError BAD_LOG when the header names none, one that cannot be loaded, or another than the file holds
 */
export async function mapOfHeader(header: MoveLogHeader, log: string, options: LogMapOptions = {}): Promise<NavMap> {
  const source = header.map;
  if (source === undefined) {
    throw badLine(log, 1, 'the header names no map and none was given, expected "map" in one of the two places.');
  }
  if ('file' in source) {
    const map = await atHeader(log, async () => {
      const { portals } = source;
      const own = typeof portals === 'string' ? await portalsFile(beside(log, portals)) : portals;
      return loadMapFile(beside(log, source.file), {
        ...engineOf(options),
        read: source.read,
        ...(own === undefined ? {} : { portals: own }),
      });
    });
    if (source.hash !== undefined && source.hash.toLowerCase() !== map.info.hash.toLowerCase()) {
      const message = `the log was recorded on a map with hash ${source.hash}, but ${source.file} has ${map.info.hash}.`;
      throw badLine(log, 1, message, { got: map.info.hash, expected: source.hash });
    }
    return map;
  }
  if (isHashOnly(source)) {
    const message = `the header names the map only by its hash ${source.hash}, expected the map itself to be given.`;
    throw badLine(log, 1, message, { expected: source.hash });
  }
  return atHeader(log, () => mapFromHeader(source, options));
}

/** Whatever is wrong with a header's map is wrong with the log's first line. */
async function atHeader(log: string, load: () => Promise<NavMap>): Promise<NavMap> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof NavguardError) throw badLine(log, 1, error.message, error.detail);
    throw error;
  }
}

function beside(log: string, file: string): string {
  return isAbsolute(file) ? file : join(dirname(log), file);
}

function isHashOnly(source: MapSource): source is HashSource {
  return !('file' in source || 'build' in source || 'grid' in source);
}

async function mapFromHeader(source: BuildSource | GridSource, options: LogMapOptions): Promise<NavMap> {
  if ('grid' in source) {
    const { grid, cell, origin, agent } = source;
    return GridMap.from(grid, {
      ...engineOf(options),
      ...(cell === undefined ? {} : { cell }),
      ...(origin === undefined ? {} : { origin }),
      ...(agent === undefined ? {} : { agent }),
    });
  }
  // recast-navigation's generators are loaded only for logs that bring their own geometry
  const { buildNavMesh } = await import('../build/index.ts');
  const mesh = await readNavMesh(await buildNavMesh(source.build));
  const named = source.build.links ?? [];
  // the export keeps a link's place in the list, counted from 1, as its user id
  const links = mesh.links.map((link) => {
    const id = named[link.userId - 1]?.id ?? undefined;
    return id === undefined ? link : { ...link, name: String(id) };
  });
  return NavMap.fromMesh({ ...mesh, links }, { ...engineOf(options), ...portalsOf(source) });
}

function portalsOf({ portals }: BuildSource): { portals?: readonly Portal[] } {
  return portals === undefined ? {} : { portals };
}

function engineOf(options: LogMapOptions): { engine?: Engine } {
  return options.engine === undefined ? {} : { engine: options.engine };
}
