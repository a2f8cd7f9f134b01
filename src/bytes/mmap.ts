// The navmesh of a World of Warcraft server core (TrinityCore, AzerothCore, CMaNGOS, vmangos): one .mmap with the parameters
// and a .mmtile for each square of the world. Several files make one map; their tiles are rewritten like any relative of
// MSET. Axes stay as the files have them: x, y, z of the map are y, z, x of the game. Imported by bytes/ only.
// Sources of the layouts: TrinityCore MMapDefines.h, AzerothCore MapDefines.h, vmangos MoveMapSharedDefines.h.
import { NavguardError } from '../errors.ts';
import type { NavMesh } from '../mesh/navmesh.ts';
import { badFile } from './bad.ts';
import { MAX_FILE_BYTES } from './check.ts';
import { readMset } from './import.ts';
import { detourLayout } from './layout.ts';
import { DNAV_MAGIC, DNAV_VERSION, readParams, type SetParams } from './mset.ts';
import { ByteReader } from './reader.ts';
import { type Rewritten, rewriteSet, type SourceTile } from './rewrite.ts';

/** The bytes 'PAMM' read as a little-endian number: the C constant 'MMAP'. */
export const MMAP_MAGIC = 0x4d4d4150;
/** The whole of an older .mmap: origin, tile sizes, counts. */
const PARAMS_BYTES = 28;
/** A newer .mmap: magic and version before the parameters, the count of off-mesh records behind. */
const TAGGED_BYTES = 40;
/** One record of what off-mesh connections the tiles were built with; the tiles themselves hold them. */
const OFFMESH_RECORD_BYTES = 44;
/** u32 magic, Detour version, generator version, size; u8 liquids, 3 of padding. */
const TILE_HEADER_BYTES = 20;
/** The same and 36 bytes of Recast's settings (AzerothCore). */
const LONG_TILE_HEADER_BYTES = 56;
const MOST_TILES = 65_536;

/** Whether bytes are a .mmap: bare parameters of 28 bytes, or the newer form with its magic. */
export function looksLikeMmap(bytes: Uint8Array): boolean {
  const r = new ByteReader(bytes);
  if (r.length === PARAMS_BYTES) return plausible(r, 0);
  return taggedMmap(r) && plausible(r, 8);
}

/** Whether bytes begin as a .mmtile does. */
export function looksLikeMmtile(bytes: Uint8Array): boolean {
  return bytes.byteLength >= 4 && new ByteReader(bytes).u32(0) === MMAP_MAGIC && !looksLikeMmap(bytes);
}

function taggedMmap(r: ByteReader): boolean {
  if (r.length < TAGGED_BYTES || r.u32(0) !== MMAP_MAGIC) return false;
  // The settings in a long tile header may happen to say a number of records that fits the length.
  const isTile = [TILE_HEADER_BYTES, LONG_TILE_HEADER_BYTES].some(
    (header) => r.length >= header + 4 && r.u32(header) === DNAV_MAGIC && r.u32(12) === r.length - header,
  );
  return !isTile && r.length === TAGGED_BYTES + r.u32(36) * OFFMESH_RECORD_BYTES;
}

/** A tile grid as any game has it: finite origin, positive cells, positive counts. */
function plausible(r: ByteReader, at: number): boolean {
  const origin = [0, 4, 8].every((offset) => Math.abs(r.f32(at + offset)) < 1e7);
  const cells = [12, 16].every((offset) => r.f32(at + offset) > 0 && r.f32(at + offset) < 1e6);
  return origin && cells && r.i32(at + 20) > 0 && r.i32(at + 24) > 0;
}

/**
 * Reads one map out of its files, by name: one .mmap and its .mmtile files, whatever folder the names have before them.
 * Throws `BAD_FILE` (the message names the file), `UNSUPPORTED_FORMAT`, `IMPORT_FAILED`.
 */
export async function readMmapFiles(files: ReadonlyMap<string, Uint8Array>): Promise<NavMesh> {
  const { rewritten, version } = rewriteMmap(files);
  const mesh = await rewritten.blame(() => readMset(rewritten.bytes));
  return { ...mesh, format: `MMAP, version ${version}` };
}

/** The files as one MSET file, and their generator's version. Throws `BAD_FILE`, `UNSUPPORTED_FORMAT`. */
export function rewriteMmap(files: ReadonlyMap<string, Uint8Array>): { rewritten: Rewritten; version: number } {
  const { name, bytes: head } = theMmap(files);
  const r = new ByteReader(head);
  const paramsAt = r.length === PARAMS_BYTES ? 0 : 8;
  const params = readParams(r, paramsAt);
  const tiles: SourceTile[] = [];
  let bytesRead = head.byteLength;
  let version: { of: string; is: number } | null = null;
  const mapId = idOfMap(name);
  for (const tileName of [...files.keys()].filter((key) => key !== name).sort()) {
    const bytes = files.get(tileName) as Uint8Array;
    const id = idOfTile(tileName);
    if (mapId !== null && id !== null && id !== mapId) {
      throw broken(
        `${tileName} is a tile of map ${id}, but ${name} is map ${mapId}: give the files of one map.`,
        tileName,
      );
    }
    const { tile, generator } = readTileFile(tileName, bytes);
    if (version !== null && generator !== version.is) {
      const message = `${tileName} is of generator version ${generator}, but ${version.of} of ${version.is}: extract all tiles with one tool.`;
      throw broken(message, tileName);
    }
    version ??= { of: tileName, is: generator };
    tiles.push(tile);
    bytesRead += bytes.byteLength;
  }
  checkCounts(name, params, tiles, bytesRead);
  const rewritten = rewriteSet({
    layout: detourLayout(16),
    little: true,
    params,
    keepRefs: false,
    tiles,
    bytesRead,
    headerByte: (offset) => ({ offset: Math.max(0, offset - 12 + paramsAt), file: `MMAP file ${name}` }),
  });
  return { rewritten, version: version?.is ?? 0 };
}

/** The one .mmap among the files. */
function theMmap(files: ReadonlyMap<string, Uint8Array>): { name: string; bytes: Uint8Array } {
  const found = [...files].filter(([, bytes]) => looksLikeMmap(bytes));
  if (found.length === 0) {
    const names = [...files.keys()].slice(0, 3).join(', ') || 'nothing';
    const message = `There is no .mmap with the parameters of the map among the ${files.size} files (${names}): give it with its .mmtile files.`;
    throw broken(message);
  }
  if (found.length > 1) {
    const names = found.map(([name]) => name).sort();
    const shown = names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ');
    throw broken(`There are ${names.length} maps (${shown}): give one .mmap and its .mmtile files.`, names[0]);
  }
  return { name: found[0][0], bytes: found[0][1] };
}

function readTileFile(name: string, bytes: Uint8Array): { tile: SourceTile; generator: number } {
  const file = `MMAP file ${name}`;
  const r = new ByteReader(bytes);
  if (r.length < TILE_HEADER_BYTES) {
    const expected = `at least the ${TILE_HEADER_BYTES} of a header`;
    throw badFile({ offset: 0 }, 'file size', `${r.length} bytes`, expected, file);
  }
  const magic = r.u32(0);
  if (magic !== MMAP_MAGIC) throw badFile({ offset: 0 }, 'magic', hex(magic), `${hex(MMAP_MAGIC)} ('MMAP')`, file);
  const dtVersion = r.i32(4);
  if (dtVersion !== DNAV_VERSION) throw badFile({ offset: 4 }, 'Detour version', dtVersion, DNAV_VERSION, file);
  const size = r.u32(12);
  const header = r.length - size;
  if (header !== TILE_HEADER_BYTES && header !== LONG_TILE_HEADER_BYTES) {
    const expected = `${r.length - TILE_HEADER_BYTES} or ${r.length - LONG_TILE_HEADER_BYTES}, what follows a header of ${TILE_HEADER_BYTES} or ${LONG_TILE_HEADER_BYTES}`;
    throw badFile({ offset: 12 }, 'tile size in bytes', size, expected, file);
  }
  if (r.length >= header + 4 && r.u32(header) !== DNAV_MAGIC) {
    throw badFile({ offset: header }, 'tile magic', hex(r.u32(header)), `${hex(DNAV_MAGIC)} ('DNAV')`, file);
  }
  return { tile: { bytes, at: header, size, ref: 0, refAt: 0, sizeAt: 12, file }, generator: r.u32(8) };
}

function checkCounts(name: string, params: SetParams, tiles: readonly SourceTile[], bytesRead: number): void {
  if (tiles.length === 0) throw broken(`${name} has no .mmtile files beside it: give them with it.`, name);
  const most = Math.min(MOST_TILES, params.maxTiles);
  if (tiles.length > most) {
    throw broken(`${name} declares ${params.maxTiles} tiles, but ${tiles.length} .mmtile files were given.`, name);
  }
  if (bytesRead > MAX_FILE_BYTES) {
    throw broken(`The files of ${name} have ${bytesRead} bytes, expected at most ${MAX_FILE_BYTES}.`, name);
  }
  // Two files with one tile would be told by numbers; by names it is plain.
  const taken = new Map<string, string>();
  for (const { bytes, at, file } of tiles) {
    const r = new ByteReader(bytes);
    if (r.length < at + 20) continue;
    const position = `(${r.i32(at + 8)}, ${r.i32(at + 12)}) layer ${r.i32(at + 16)}`;
    const own = file.slice('MMAP file '.length);
    const earlier = taken.get(position);
    if (earlier !== undefined) {
      throw broken(`${own} and ${earlier} both hold the tile at ${position}: give one of them.`, own);
    }
    taken.set(position, own);
  }
}

/** The map number in a name such as 000.mmap or 0571.mmap; null when it has none. */
export function idOfMap(name: string): number | null {
  const found = /(?:^|[\\/])(\d{1,6})\.mmap$/i.exec(name);
  return found === null ? null : Number(found[1]);
}

/** The map number in a name such as 0003248.mmtile, 00003248.mmtile or 2175_32_48.mmtile; null when it has none. */
export function idOfTile(name: string): number | null {
  const found = /(?:^|[\\/])(\d{1,6})(?:\d\d\d\d|_\d\d?_\d\d?)\.mmtile$/i.exec(name);
  return found === null ? null : Number(found[1]);
}

function broken(message: string, file?: string): NavguardError {
  return new NavguardError('BAD_FILE', message, file === undefined ? {} : { file });
}

function hex(n: number): string {
  return `0x${n.toString(16).padStart(8, '0')}`;
}
