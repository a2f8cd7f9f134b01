// The layout of a tile cache, as RecastDemo ("Temp Obstacles"), recast-navigation's exportTileCache (TSET) and
// fananchong/NavMeshScene (TSAT) write it, in either byte order. Facts only, no judgement. Imported by bytes/ only.

/** The bytes 'TEST' and 'TAST' read as little-endian numbers: the C constants 'TSET' and 'TSAT'. */
export const TSET_MAGIC = 0x54534554;
export const TSAT_MAGIC = 0x54534154;
export const TSET_VERSION = 1;
/** The bytes 'RLTD': the C constant 'DTLR'. */
export const LAYER_MAGIC = 0x44544c52;
export const LAYER_VERSION = 1;

/** magic, version, layer count, 28 bytes of navmesh parameters, 52 bytes of cache parameters. */
export const CACHE_HEADER_BYTES = 92;
/** TSAT has the bounds of the level (f32[6]) after it. */
export const BOUNDS_BYTES = 24;
/** Before each layer: u32 reference, i32 size. */
export const LAYER_PREFIX_BYTES = 8;
/** The header of a layer; heights, areas and connections follow, compressed as one block. */
export const LAYER_HEADER_BYTES = 56;

/** Area of ground that carries no area of its own (DT_TILECACHE_WALKABLE_AREA), and of what is no ground. */
export const PLAIN_AREA = 63;
export const NO_GROUND = 0;

/** How a cache was built. Metres; width and height of a tile in cells. */
export interface CacheParams {
  readonly orig: readonly [number, number, number];
  readonly cs: number;
  readonly ch: number;
  readonly width: number;
  readonly height: number;
  readonly walkableHeight: number;
  readonly walkableRadius: number;
  readonly walkableClimb: number;
  /** Cells. */
  readonly maxSimplificationError: number;
  readonly maxTiles: number;
  readonly maxObstacles: number;
}

/** The header of one compressed layer. */
export interface LayerHeader {
  readonly tx: number;
  readonly ty: number;
  readonly tlayer: number;
  readonly bmin: readonly [number, number, number];
  readonly bmax: readonly [number, number, number];
  readonly hmin: number;
  readonly hmax: number;
  readonly width: number;
  readonly height: number;
  readonly minx: number;
  readonly maxx: number;
  readonly miny: number;
  readonly maxy: number;
}

/** One layer of a checked file. */
export interface CacheLayer {
  readonly header: LayerHeader;
  /** Where its compressed grids are in the file. */
  readonly from: number;
  readonly to: number;
}

/** Offsets inside a layer's header, and which are 32-bit numbers: what a byte order turns round. */
export const LAYER_WORDS = 11;
export const LAYER_HMIN = 44; // u16, and hmax after it
export const LAYER_BYTES = 48; // u8: width, height, minx, maxx, miny, maxy
