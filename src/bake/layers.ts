// The ground of one tile -> compressed layers of a tile cache, and the file of all of them (TSET). Imported by bake/index.ts.
import {
  allocHeightfieldLayerSet,
  buildHeightfieldLayers,
  buildTileCacheLayer,
  Detour,
  freeHeightfieldLayerSet,
  getHeightfieldLayerAreas,
  getHeightfieldLayerCons,
  getHeightfieldLayerHeights,
  Raw,
  type RecastBuildContext,
  type RecastCompactHeightfield,
  statusFailed,
  UnsignedCharArray,
} from 'recast-navigation';
import { bitsFor, type SetParams } from '../bytes/mset.ts';
import { CACHE_HEADER_BYTES, type CacheParams, LAYER_PREFIX_BYTES, TSET_MAGIC, TSET_VERSION } from '../bytes/tset.ts';
import { type BakeSettings, voxels } from './settings.ts';
import type { TilePlace } from './tilemesh.ts';
import { tooMuch } from './trouble.ts';

/** The layers of a tile, from below; none when nothing is walkable. */
export function layersOf(
  context: RecastBuildContext,
  ground: RecastCompactHeightfield,
  settings: BakeSettings,
  border: number,
  place: TilePlace,
): Uint8Array[] {
  const where = `tile ${place.x}, ${place.y}`;
  const set = allocHeightfieldLayerSet();
  const compressor = new Raw.Module.RecastFastLZCompressor();
  try {
    if (!buildHeightfieldLayers(context, ground, border, voxels(settings).height, set)) throw tooMuch('layers', where);
    const made: Uint8Array[] = [];
    for (let n = 0; n < set.nlayers(); n++) {
      const layer = set.layers(n);
      const header = new Raw.Module.dtTileCacheLayerHeader();
      header.magic = Detour.DT_TILECACHE_MAGIC;
      header.version = Detour.DT_TILECACHE_VERSION;
      header.tx = place.x;
      header.ty = place.y;
      header.tlayer = n;
      const [min, max] = [layer.bmin(), layer.bmax()];
      [min.x, min.y, min.z].forEach((value, axis) => {
        header.set_bmin(axis, value);
      });
      [max.x, max.y, max.z].forEach((value, axis) => {
        header.set_bmax(axis, value);
      });
      header.width = layer.width();
      header.height = layer.height();
      header.minx = layer.minx();
      header.maxx = layer.maxx();
      header.miny = layer.miny();
      header.maxy = layer.maxy();
      header.hmin = layer.hmin();
      header.hmax = layer.hmax();
      const grids = [
        getHeightfieldLayerHeights(layer),
        getHeightfieldLayerAreas(layer),
        getHeightfieldLayerCons(layer),
      ] as const;
      const data = new UnsignedCharArray();
      const status = buildTileCacheLayer(compressor, header, ...grids, data);
      Raw.Module.destroy(header);
      if (statusFailed(status)) throw tooMuch('layers', where);
      const bytes = data.toTypedArray().slice();
      // what the compressor leaves of its padding: the same level gives the same bytes
      bytes.fill(0, 54, 56);
      made.push(bytes);
      data.destroy();
    }
    return made;
  } finally {
    freeHeightfieldLayerSet(set);
    Raw.Module.destroy(compressor);
  }
}

/** The bytes of a tile cache of these layers. */
export function writeTset(mesh: SetParams, cache: CacheParams, layers: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = layers.reduce((sum, layer) => sum + LAYER_PREFIX_BYTES + layer.length, CACHE_HEADER_BYTES);
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  view.setUint32(0, TSET_MAGIC, true);
  view.setInt32(4, TSET_VERSION, true);
  view.setInt32(8, layers.length, true);
  const floats = (at: number, values: readonly number[]): void => {
    values.forEach((value, i) => {
      view.setFloat32(at + 4 * i, value, true);
    });
  };
  floats(12, [...mesh.orig, mesh.tileWidth, mesh.tileHeight]);
  view.setInt32(32, mesh.maxTiles, true);
  view.setInt32(36, mesh.maxPolys, true);
  floats(40, [...cache.orig, cache.cs, cache.ch]);
  view.setInt32(60, cache.width, true);
  view.setInt32(64, cache.height, true);
  floats(68, [cache.walkableHeight, cache.walkableRadius, cache.walkableClimb, cache.maxSimplificationError]);
  view.setInt32(84, cache.maxTiles, true);
  view.setInt32(88, cache.maxObstacles, true);
  let at = CACHE_HEADER_BYTES;
  layers.forEach((layer, n) => {
    // salt 1 above the slot
    view.setUint32(at, 2 ** bitsFor(cache.maxTiles) + n, true);
    view.setInt32(at + 4, layer.length, true);
    out.set(layer, at + LAYER_PREFIX_BYTES);
    at += LAYER_PREFIX_BYTES + layer.length;
  });
  return out;
}
