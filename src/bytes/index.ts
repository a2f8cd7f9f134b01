// The front of bytes/: any bytes in, a NavMesh or one clear error out.
import { NavguardError } from '../errors.ts';
import type { NavMesh } from '../mesh/navmesh.ts';
import { adaptMesh } from './adapt.ts';
import { type Detected, detectFormat } from './detect.ts';
import { readGltfNavMesh } from './gltf.ts';
import { readGodotNavMesh } from './godot.ts';
import { readMmapFiles } from './mmap.ts';
import { readNavcat } from './navcat.ts';
import { readObjNavMesh } from './obj.ts';
import { checkReadOptions, type Reading, type ReadOptions } from './options.ts';
import { readSet, type SetShape } from './sets.ts';
import { readTileCache } from './tilecache.ts';
import { readTriangulation } from './unityjson.ts';

export { type Detected, detectFormat } from './detect.ts';
export { equalNavMesh } from './equal.ts';
export { type HeapTile, type ImportedMset, importMset, readMsetFile } from './import.ts';
export type { AgentOption, AreaOption, ReadOptions } from './options.ts';

/** Reads bytes of its kind, in the file's own units and axes or already in the map's. */
type Reader = (bytes: Uint8Array, found: Detected, options: ReadOptions) => Promise<NavMesh>;

const READERS: { readonly [kind in Detected['kind']]?: Reader } = {
  mset: detourSet,
  mset64: detourSet,
  msat: detourSet,
  kbengine: detourSet,
  'mset-swapped': detourSet,
  recast4j: detourSet,
  tilecache: (bytes, _found, options) => readTileCache(bytes, checkReadOptions(options)),
  unreal: (bytes, found, options) => detourSet(bytes, found, { ...UNREAL_READING, ...given(options) }),
  obj: soup(readObjNavMesh),
  gltf: soup(readGltfNavMesh),
  godot: soup(readGodotNavMesh),
  triangulation: soup(readTriangulation),
  navcat: soup(readNavcat),
};

/** Unreal's recast coordinates (-X, Z, -Y) in centimetres become (X, Z, Y) in metres, unless told otherwise. */
const UNREAL_READING: ReadOptions = { scale: 0.01, axes: '-x,y,-z' };

/**
 * Reads a navmesh export of any format that navguard knows, by its content. The bytes are not kept and not changed.
 *
 * Throws `UNSUPPORTED_FORMAT` for anything else (the message names it and says what to do), `BAD_FILE` for a file that does
 * not hold together, `IMPORT_FAILED` when recast-navigation disagrees with the file, `BAD_ARGUMENT` for a wrong option.
 */
export async function readNavMesh(bytes: Uint8Array, options: ReadOptions = {}): Promise<NavMesh> {
  checkReadOptions(options);
  const found = detectFormat(bytes);
  const reader = READERS[found.kind];
  if (reader !== undefined) return reader(bytes, found, options);
  const detail = { kind: found.kind, name: found.name };
  if (found.kind === 'navpack') {
    const message = 'This is a navguard pack, not an export: load it with NavMap.fromPack.';
    throw new NavguardError('UNSUPPORTED_FORMAT', message, detail);
  }
  throw new NavguardError('UNSUPPORTED_FORMAT', `This looks like ${found.name}: ${found.advice}.`, detail);
}

/**
 * Reads one map that is several files, by name (any folder before it): a .mmap and its .mmtile files, as TrinityCore,
 * AzerothCore, CMaNGOS and vmangos keep them. One file alone is read as `readNavMesh` does. Throws what that throws.
 */
export async function readNavMeshFiles(
  files: ReadonlyMap<string, Uint8Array>,
  options: ReadOptions = {},
): Promise<NavMesh> {
  const reading = checkReadOptions(options);
  const [only] = files.values();
  if (files.size === 1 && READERS[detectFormat(only).kind] !== undefined) return readNavMesh(only, options);
  return adaptMesh(await readMmapFiles(files), reading);
}

async function detourSet(bytes: Uint8Array, { shape }: Detected, options: ReadOptions): Promise<NavMesh> {
  // A shape comes with every kind that leads here.
  return adaptMesh(await readSet(bytes, shape as SetShape), checkReadOptions(options));
}

/** Readers of triangles and polygons take the options themselves: which way is up decides what their neighbours are. */
function soup(read: (bytes: Uint8Array, reading: Reading) => NavMesh | Promise<NavMesh>): Reader {
  return async (bytes, _found, options) => read(bytes, checkReadOptions(options));
}

function given(options: ReadOptions): ReadOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
