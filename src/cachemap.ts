// TileCacheMap: a map that is a Recast tile cache, with obstacles that come and go as they do in recast-navigation's games:
// rounded to cells, contoured again, tile by tile. Imported by the public front.
import { LiveCache } from './bytes/livecache.ts';
import { type MapOptions, NavMap } from './map.ts';
import type { ObstacleShape } from './types.ts';

/**
 * Obstacles through recast-navigation's own TileCache: what the validator holds is then, to the polygon, what a game has
 * that moves its agents on the same tile cache. Each change makes a new `NavMap`; the old one answers whole until the new
 * one is there, and afterwards for who still holds it: nothing half-built is ever seen. `NavMap.block` cuts obstacles out
 * exactly and at once, in microseconds: take that when the game does not use the tile cache itself.
 */
export class TileCacheMap {
  readonly #cache: LiveCache;
  readonly #options: MapOptions;
  #map: NavMap;
  #version = 0;
  /** Changes follow each other in the order of the calls. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(cache: LiveCache, options: MapOptions, map: NavMap) {
    this.#cache = cache;
    this.#options = options;
    this.#map = map;
  }

  /**
   * Loads a tile cache (TSET, TSAT). Options are those of `NavMap.load`. Throws `BAD_FILE` with one sentence when the bytes
   * are none or do not hold together.
   */
  static async load(bytes: Uint8Array | ArrayBuffer, options: MapOptions = {}): Promise<TileCacheMap> {
    const view = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
    // a copy: what was checked is what is kept, whatever the caller does with theirs (a Buffer's slice would share memory)
    const cache = new LiveCache(new Uint8Array(view), options.read);
    return new TileCacheMap(cache, options, NavMap.fromMesh(await cache.mesh(), options));
  }

  /** The map with every change that is done. */
  get map(): NavMap {
    return this.#map;
  }

  /** Grows by one with each change that is done. */
  get version(): number {
    return this.#version;
  }

  /** Names of the obstacles that stand. */
  get obstacles(): readonly (string | number)[] {
    return this.#cache.ids;
  }

  /**
   * Puts an obstacle into the map, or moves the one of this name: the shapes of `NavMap.block`, grown like there by the agent's
   * radius of the file, closed to within about a cell where `NavMap.block` closes it. Resolves with the new map. Rejects with
   * `BAD_ARGUMENT` for a wrong shape, for one too wide (a box is cut into 64 pieces at most, of 8 layers each: recast-navigation
   * rebuilds no more for one; a cylinder is not cut), or when nothing walkable would be left; the map is then as it was.
   */
  block(id: string | number, shape: ObstacleShape): Promise<NavMap> {
    return this.#next(async () => this.#take(await this.#cache.block(id, shape)));
  }

  /** Takes an obstacle out again. Resolves with the new map, or with the present one when none has this name. */
  unblock(id: string | number): Promise<NavMap> {
    return this.#next(async () => {
      const mesh = await this.#cache.unblock(id);
      return mesh === null ? this.#map : this.#take(mesh);
    });
  }

  /** Gives recast-navigation's memory back. `map` stays usable; changes are refused from then on (`CLOSED`). */
  close(): Promise<void> {
    return this.#next(async () => this.#cache.close());
  }

  #take(mesh: Parameters<typeof NavMap.fromMesh>[0]): NavMap {
    this.#map = NavMap.fromMesh(mesh, this.#options);
    this.#version++;
    return this.#map;
  }

  #next<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#last.then(change);
    this.#last = done.catch(() => undefined);
    return done;
  }
}
