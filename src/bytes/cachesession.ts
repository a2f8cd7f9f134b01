// The one place that runs recast-navigation's tile cache: layers become navmesh tiles, and obstacles come and go in them.
// It trusts its input blindly, so only layers of a checked file come here, and an instance that has thrown is thrown away.
// Imported by tilecache.ts.
import { NavguardError } from '../errors.ts';
import type { CacheFile } from './checkcache.ts';
import { TILE_HEADER_BYTES } from './mset.ts';
import type { AreaOption } from './options.ts';
import { LAYER_HEADER_BYTES, LAYER_MAGIC, LAYER_VERSION, PLAIN_AREA } from './tset.ts';
import { type SetTile, writeMset } from './writeset.ts';

type Recast = Awaited<ReturnType<typeof import('@recast-navigation/wasm')['default']>>;
type Raw<K extends 'NavMesh' | 'TileCache' | 'RecastLinearAllocator' | 'RecastFastLZCompressor'> = InstanceType<
  Recast[K]
>;

/** A box (half extents, and a yaw about y from z to x) or a cylinder (y is its base). Metres, radians. */
export type CacheShape =
  | { readonly center: readonly number[]; readonly half: readonly number[]; readonly yaw: number }
  | { readonly base: readonly number[]; readonly radius: number; readonly height: number };

/** Bytes: what an instance has from the start, and what the tiles of a file may take beyond four times the file. */
const OWN_BYTES = 64 * 1024 * 1024;
const ROOM_BYTES = 48 * 1024 * 1024;
/** The builder's own memory: a corner of a contour takes some 126 bytes, a cell of ground brings at most two. */
const BUILD_BYTES_PER_CELL = 512;
const BUILD_BYTES = 256 * 1024;
/** Tiles that one obstacle can touch; what lies in further ones is left out without a word. */
export const MAX_TOUCHED = 8;
const FREE_DATA = 1;

/** An instance that a session has left in order: starting another takes some 50 ms. */
let idle: Recast | null = null;

/** The navmesh of one tile cache inside recast-navigation, with its obstacles. */
export class CacheSession {
  readonly #file: CacheFile;
  #recast: Recast | null;
  readonly #navMesh: Raw<'NavMesh'>;
  readonly #cache: Raw<'TileCache'>;
  readonly #allocator: Raw<'RecastLinearAllocator'>;
  readonly #compressor: Raw<'RecastFastLZCompressor'>;
  readonly #limit: number;

  /**
   * Builds all tiles. `areas`: by a layer's area, what the polygons get; ground without an area (63) is also found as 0.
   * `obstacles`: how many there may be at once.
   */
  static async open(
    bytes: Uint8Array,
    file: CacheFile,
    areas: ReadonlyMap<string, AreaOption>,
    obstacles: number,
  ): Promise<CacheSession> {
    const recast = idle ?? (await startRecast());
    idle = null;
    return guarded(() => new CacheSession(recast, bytes, file, areas, obstacles));
  }

  private constructor(
    recast: Recast,
    bytes: Uint8Array,
    file: CacheFile,
    areas: ReadonlyMap<string, AreaOption>,
    obstacles: number,
  ) {
    this.#recast = recast;
    this.#file = file;
    this.#limit = OWN_BYTES + ROOM_BYTES + 4 * bytes.byteLength;
    this.#navMesh = new recast.NavMesh();
    if (!this.#navMesh.initTiled(meshParams(recast, file))) throw failed('it refuses the size of the navmesh');
    this.#allocator = new recast.RecastLinearAllocator(
      BUILD_BYTES + BUILD_BYTES_PER_CELL * file.params.width * file.params.height,
    );
    this.#compressor = new recast.RecastFastLZCompressor();
    this.#cache = new recast.TileCache();
    const process = meshProcess(recast, areas);
    if (!this.#cache.init(cacheParams(recast, file, obstacles), this.#allocator, this.#compressor, process)) {
      throw failed('it refuses the size of the cache');
    }
    const places = new Map<string, readonly [number, number]>();
    for (const { header, from, to } of file.layers) {
      const data = new recast.UnsignedCharArray();
      data.resize(LAYER_HEADER_BYTES + to - from);
      const address = data.getDataPointer() as number;
      writeLayerHeader(new DataView(recast.HEAPU8.buffer, address, LAYER_HEADER_BYTES), header);
      recast.HEAPU8.set(bytes.subarray(from, to), address + LAYER_HEADER_BYTES);
      const { status } = this.#cache.addTile(data, FREE_DATA);
      if (status >= 0x80000000 || status < 0) throw failed(`it refuses a layer at ${header.tx}, ${header.ty}`);
      places.set(`${header.tx},${header.ty}`, [header.tx, header.ty]);
    }
    for (const [x, y] of places.values()) {
      const status = this.#cache.buildNavMeshTilesAt(x, y, this.#navMesh);
      if (status >= 0x80000000 || status < 0) throw failed(`it cannot build the layers at ${x}, ${y}`);
      this.#checkRoom();
    }
  }

  /** The navmesh as it stands, as MSET bytes; null when nothing is walkable. */
  mset(): Uint8Array<ArrayBuffer> | null {
    const recast = this.#alive();
    return guarded(() => {
      const found: SetTile[] = [];
      const slots = this.#navMesh.getMaxTiles();
      for (let slot = 0; slot < slots; slot++) {
        const tile = this.#navMesh.getTile(slot);
        const address = recast.getPointer(tile.header);
        if (address === 0) continue;
        const { dataSize } = tile;
        if (dataSize < TILE_HEADER_BYTES || address + dataSize > recast.HEAPU8.byteLength) {
          throw failed(`it says that a tile has ${dataSize} bytes`);
        }
        const bytes = recast.HEAPU8.subarray(address, address + dataSize);
        found.push({ ref: this.#navMesh.getTileRef(tile) >>> 0, bytes });
      }
      return found.length === 0 ? null : writeMset(this.#file.mesh, found);
    });
  }

  /** Puts an obstacle in and rebuilds what it touches. Returns its number for `remove`. */
  add(shape: CacheShape): number {
    const recast = this.#alive();
    return guarded(() => {
      const vector = (v: readonly number[]): InstanceType<Recast['Vec3']> => {
        const made = new recast.Vec3();
        made.x = v[0];
        made.y = v[1];
        made.z = v[2];
        return made;
      };
      const result =
        'half' in shape
          ? this.#cache.addBoxObstacle(vector(shape.center), vector(shape.half), shape.yaw)
          : this.#cache.addCylinderObstacle(vector(shape.base), shape.radius, shape.height);
      if (result.status >= 0x80000000 || result.status < 0) {
        throw new NavguardError('BAD_ARGUMENT', 'The tile cache has no room for another obstacle.');
      }
      this.#settle();
      return result.ref as unknown as number;
    });
  }

  /** Takes an obstacle out again and rebuilds what it touched. */
  remove(ref: number): void {
    this.#alive();
    guarded(() => {
      this.#cache.removeObstacle(ref as never);
      this.#settle();
    });
  }

  /** Gives everything back; the instance is kept for the next session when it is small. */
  close(): void {
    const recast = this.#recast;
    this.#recast = null;
    if (recast === null) return;
    guarded(() => {
      this.#cache.destroy();
      this.#navMesh.destroy();
      for (const object of [this.#cache, this.#navMesh, this.#allocator, this.#compressor]) recast.destroy(object);
    });
    if (recast.HEAPU8.byteLength <= OWN_BYTES + ROOM_BYTES) idle = recast;
  }

  /** Drops the instance after a failure: its memory may be damaged. */
  abandon(): void {
    this.#recast = null;
  }

  #alive(): Recast {
    if (this.#recast === null) throw new NavguardError('CLOSED', 'This tile cache was closed.');
    return this.#recast;
  }

  #settle(): void {
    // each update rebuilds one tile, and an obstacle touches at most MAX_TOUCHED
    for (let i = 0; i <= MAX_TOUCHED + 1; i++) {
      const result = this.#cache.update(this.#navMesh);
      if (result.status >= 0x80000000 || result.status < 0)
        throw failed('it could not rebuild the tiles of an obstacle');
      this.#checkRoom();
      if (result.upToDate) return;
    }
    throw failed('it did not come to rest after an obstacle');
  }

  #checkRoom(): void {
    const size = this.#recast?.HEAPU8.byteLength ?? 0;
    if (size > this.#limit) {
      throw new NavguardError(
        'BAD_FILE',
        `Bad tile cache: its tiles take more than ${this.#limit} bytes of memory, expected at most four times the file and 48 MiB.`,
      );
    }
  }
}

/**
 * Turns what the foreign code throws (a trap, mostly) into one of our errors. All that came to it are the layers of a file
 * and obstacles that were checked, so it is the file that it cannot take.
 */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NavguardError) throw error;
    throw failed(String(error));
  }
}

function failed(why: string): NavguardError {
  return new NavguardError('BAD_FILE', `Bad tile cache: recast-navigation makes no navmesh of it: ${why}.`);
}

/** Loaded when first needed: most maps are no tile caches. */
async function startRecast(): Promise<Recast> {
  const { default: create } = await import('@recast-navigation/wasm');
  return create();
}

function meshParams(recast: Recast, { mesh }: CacheFile): InstanceType<Recast['dtNavMeshParams']> {
  const params = new recast.dtNavMeshParams();
  for (let axis = 0; axis < 3; axis++) params.set_orig(axis, mesh.orig[axis]);
  params.tileWidth = mesh.tileWidth;
  params.tileHeight = mesh.tileHeight;
  params.maxTiles = mesh.maxTiles;
  params.maxPolys = mesh.maxPolys;
  return params;
}

function cacheParams(
  recast: Recast,
  { params: p }: CacheFile,
  obstacles: number,
): InstanceType<Recast['dtTileCacheParams']> {
  const params = new recast.dtTileCacheParams();
  for (let axis = 0; axis < 3; axis++) params.set_orig(axis, p.orig[axis]);
  params.cs = p.cs;
  params.ch = p.ch;
  params.width = p.width;
  params.height = p.height;
  params.walkableHeight = p.walkableHeight;
  params.walkableRadius = p.walkableRadius;
  params.walkableClimb = p.walkableClimb;
  params.maxSimplificationError = p.maxSimplificationError;
  params.maxTiles = p.maxTiles;
  params.maxObstacles = obstacles;
  return params;
}

/** A layer says which area its ground is; what that means in polygons nobody has stored. */
function meshProcess(
  recast: Recast,
  options: ReadonlyMap<string, AreaOption>,
): InstanceType<Recast['TileCacheMeshProcess']> {
  const process = new recast.TileCacheMeshProcess();
  process.process = (paramsAt: number, areasAt: number, flagsAt: number): void => {
    const params = recast.wrapPointer(paramsAt, recast.dtNavMeshCreateParams);
    const areas = recast.wrapPointer(areasAt, recast.UnsignedCharArray);
    const flags = recast.wrapPointer(flagsAt, recast.UnsignedShortArray);
    const count = params.polyCount;
    for (let i = 0; i < count; i++) {
      const area = areas.get(i);
      const option = options.get(String(area)) ?? (area === PLAIN_AREA ? options.get('0') : undefined);
      areas.set(i, option?.area ?? (area === PLAIN_AREA ? 0 : area));
      flags.set(i, option?.flags ?? 1);
    }
  };
  return process;
}

function writeLayerHeader(view: DataView, h: CacheFile['layers'][number]['header']): void {
  view.setUint32(0, LAYER_MAGIC, true);
  [LAYER_VERSION, h.tx, h.ty, h.tlayer].forEach((n, i) => {
    view.setInt32(4 + 4 * i, n, true);
  });
  [...h.bmin, ...h.bmax].forEach((n, i) => {
    view.setFloat32(20 + 4 * i, n, true);
  });
  view.setUint16(44, h.hmin, true);
  view.setUint16(46, h.hmax, true);
  [h.width, h.height, h.minx, h.maxx, h.miny, h.maxy].forEach((n, i) => {
    view.setUint8(48 + i, n);
  });
  view.setUint16(54, 0);
}
