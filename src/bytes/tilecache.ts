// Tile caches (TSET, TSAT): our check, recast-navigation's builder, and what it built read like any MSET file.
// Imported by index.ts, by cachemap.ts and by tests.
import { NavguardError } from '../errors.ts';
import type { NavMesh } from '../mesh/navmesh.ts';
import { adaptMesh } from './adapt.ts';
import { CacheSession } from './cachesession.ts';
import { type CacheFile, checkTileCache } from './checkcache.ts';
import { readMset } from './import.ts';
import type { Reading } from './options.ts';

/**
 * Reads a tile cache without obstacles (a file holds none). Its layers say areas and no flags: ground gets flags 1 and its
 * layer's area (63, Recast's "no area set", becomes 0), or what `reading.areas` says for the layer's area.
 * Throws `BAD_FILE` when the bytes do not hold together, or recast-navigation makes no sound navmesh of them.
 */
export async function readTileCache(bytes: Uint8Array, reading: Reading): Promise<NavMesh> {
  const file = checkTileCache(bytes);
  const session = await CacheSession.open(bytes, file, reading.areas, 1);
  let mset: Uint8Array | null;
  try {
    mset = session.mset();
  } catch (error) {
    session.abandon();
    throw error;
  }
  session.close();
  return readBuilt(mset, file, reading);
}

/** The mesh of what was built, checked like any file. */
export async function readBuilt(mset: Uint8Array | null, file: CacheFile, reading: Reading): Promise<NavMesh> {
  if (mset === null) throw new NavguardError('BAD_FILE', 'Bad tile cache: got no ground in any layer, expected some.');
  let mesh: NavMesh;
  try {
    mesh = await readMset(mset);
  } catch (error) {
    if (!(error instanceof NavguardError) || error.code !== 'BAD_FILE') throw error;
    throw new NavguardError(
      'BAD_FILE',
      `Bad tile cache: the navmesh that its layers make does not hold together: ${error.message.replace(/^Bad MSET file: /, '')}`,
      error.detail,
    );
  }
  const order = file.bigEndian ? ', big-endian' : '';
  const format = `${file.name} tile cache, ${file.layers.length} layers${order}`;
  // areas have been given where the polygons were made
  return adaptMesh({ ...mesh, format }, { ...reading, areas: new Map() });
}
