// The one place that runs recast-navigation's importer. It trusts its input blindly, so only checked bytes come here, and
// an instance that has thrown is thrown away. Imported by import.ts only.
import { NavguardError } from '../errors.ts';
import type { MsetDirectory } from './mset.ts';

type Recast = Awaited<ReturnType<typeof import('@recast-navigation/wasm')['default']>>;

/** What the importer holds after an import. */
export interface ImportedTiles {
  /** Tiles in the importer's own table. */
  readonly tileCount: number;
  /** Polygons in all its tiles, off-mesh connections included. */
  readonly polyCount: number;
  /** Bytes of the tile in each slot that the directory names, in the order of the directory; null = empty slot. */
  readonly tiles: readonly (Uint8Array | null)[];
}

/** Bytes: an instance whose memory has grown beyond this is dropped after use, since WASM memory never shrinks. */
const KEEP_BYTES = 96 * 1024 * 1024;

// Ours alone: a game server's own recast-navigation objects live in another instance and are never disturbed.
let instance: Promise<Recast> | null = null;

/** Imports checked bytes and copies the tiles out; throws what `withImported` throws. */
export function importTiles(bytes: Uint8Array, set: MsetDirectory): Promise<ImportedTiles> {
  return withImported(bytes, set, (held) => ({ ...held, tiles: held.tiles.map((tile) => tile?.slice() ?? null) }));
}

/**
 * Imports checked bytes and lets `use` look at the tiles where the importer holds them: the arrays are gone when it returns,
 * and everything is destroyed. Throws `IMPORT_FAILED` when the importer throws or returns nothing, and what `use` throws.
 * The next call then starts on a fresh instance.
 */
export async function withImported<T>(
  bytes: Uint8Array,
  set: MsetDirectory,
  use: (held: ImportedTiles) => T,
): Promise<T> {
  instance ??= startRecast();
  const current = instance;
  let recast: Recast;
  try {
    recast = await current;
  } catch (error) {
    if (instance === current) instance = null;
    throw new NavguardError('IMPORT_FAILED', `recast-navigation did not start: ${String(error)}.`, { error });
  }
  try {
    const result = runImport(recast, bytes, set, use);
    if (recast.HEAPU8.byteLength > KEEP_BYTES && instance === current) instance = null;
    return result;
  } catch (error) {
    // After a throw its memory may be damaged, and a later import of a good file may never return.
    if (instance === current) instance = null;
    if (error instanceof NavguardError) throw error;
    throw new NavguardError(
      'IMPORT_FAILED',
      `recast-navigation failed on a file that passed the check: ${String(error)}.`,
      {
        error,
      },
    );
  }
}

/** Loaded when first needed: a server that reads packs only never pays for it (a megabyte of code, some 50 ms). */
async function startRecast(): Promise<Recast> {
  const { default: create } = await import('@recast-navigation/wasm');
  return create();
}

function runImport<T>(recast: Recast, bytes: Uint8Array, set: MsetDirectory, use: (held: ImportedTiles) => T): T {
  const address = recast._malloc(bytes.byteLength);
  if (address === 0) {
    throw new NavguardError(
      'IMPORT_FAILED',
      `recast-navigation has no memory for a file of ${bytes.byteLength} bytes.`,
    );
  }
  recast.HEAPU8.set(bytes, address);
  const source = new recast.NavMeshExport();
  source.dataPointer = address;
  source.size = bytes.byteLength;
  const importer = new recast.NavMeshImporter();
  // The tile cache's process argument is left out, as recast-navigation's own importNavMesh does.
  const absent = undefined as unknown as Parameters<typeof importer.importNavMesh>[1];
  const result = importer.importNavMesh(source, absent);
  recast._free(address);
  const navMesh = result.navMesh;
  if (recast.getPointer(navMesh) === 0) {
    throw new NavguardError('IMPORT_FAILED', 'recast-navigation made no navmesh of a file that passed the check.');
  }
  try {
    return use(heldTiles(recast, navMesh, set));
  } finally {
    navMesh.destroy();
    recast.destroy(navMesh);
    recast.destroy(source);
    recast.destroy(importer);
  }
}

function heldTiles(recast: Recast, navMesh: InstanceType<Recast['NavMesh']>, set: MsetDirectory): ImportedTiles {
  const bySlot = new Map<number, Uint8Array>();
  const maxTiles = navMesh.getMaxTiles();
  let tileCount = 0;
  let polyCount = 0;
  const wanted = new Set(set.tiles.map((tile) => tile.slot));
  for (let slot = 0; slot < maxTiles; slot++) {
    const tile = navMesh.getTile(slot);
    const header = tile.header;
    const address = recast.getPointer(header);
    if (address === 0) continue;
    tileCount++;
    polyCount += header.polyCount;
    if (wanted.has(slot)) bySlot.set(slot, recast.HEAPU8.subarray(address, address + tile.dataSize));
  }
  return { tileCount, polyCount, tiles: set.tiles.map((tile) => bySlot.get(tile.slot) ?? null) };
}
