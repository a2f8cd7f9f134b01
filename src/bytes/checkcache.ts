// The structural check of a tile cache (TSET, TSAT), before any foreign code sees a byte: header, directory of layers, each
// layer's header against the cache's parameters, and its grids after decompression. Imported by tilecache.ts and by tests.
import { NavguardError } from '../errors.ts';
import { checkLayer, type LayerLoad } from './cachelayer.ts';
import { MAX_FILE_BYTES, MAX_LAYERS, MAX_TILE_SLOTS, MIN_TILE_METRES } from './check.ts';
import { MAX_TILE_CELL } from './checkheader.ts';
import { MAX_IMPORT_STEPS } from './checkwork.ts';
import { decompressFastLz } from './fastlz.ts';
import { bitsFor, type SetParams } from './mset.ts';
import {
  BOUNDS_BYTES,
  CACHE_HEADER_BYTES,
  type CacheLayer,
  type CacheParams,
  LAYER_BYTES,
  LAYER_HEADER_BYTES,
  LAYER_HMIN,
  LAYER_MAGIC,
  LAYER_PREFIX_BYTES,
  LAYER_VERSION,
  type LayerHeader,
  TSAT_MAGIC,
  TSET_MAGIC,
  TSET_VERSION,
} from './tset.ts';

/** Bits of a reference that must remain for the salt. */
const MIN_SALT_BITS = 10;
/** Pairs of polygons that the builder compares when it joins them: it takes the third power of an outline's corners. */
const MAX_PAIRS = 1e10;
/** Obstacles that a cache may ask room for. */
const MAX_OBSTACLES = 65_536;

/** A checked file: nothing in it points outside the file. */
export interface CacheFile {
  readonly name: 'TSET' | 'TSAT';
  readonly bigEndian: boolean;
  readonly mesh: SetParams;
  readonly params: CacheParams;
  readonly layers: readonly CacheLayer[];
}

/**
 * Checks that `bytes` are one whole tile cache in which every count, size, grid and number is sound. Throws `BAD_FILE` at
 * the first fact that is not. Decompresses one layer at a time: memory is that of the largest layer.
 */
export function checkTileCache(bytes: Uint8Array): CacheFile {
  const r = new CacheReader(bytes);
  if (bytes.byteLength > MAX_FILE_BYTES)
    throw r.bad('file size', 0, `${bytes.byteLength} bytes`, `at most ${MAX_FILE_BYTES}`);
  if (r.i32(4) !== TSET_VERSION) throw r.bad('tile cache version', 4, r.i32(4), TSET_VERSION);
  const mesh = readMesh(r);
  const params = readCache(r);
  checkMesh(r, mesh, params);
  checkCache(r, params);
  const count = r.i32(8);
  if (count < 1 || count > Math.min(params.maxTiles, mesh.maxTiles)) {
    const most = Math.min(params.maxTiles, mesh.maxTiles);
    throw r.bad('layer count', 8, count, `1..${most} (the slots declared)`);
  }
  const climb = Math.trunc(Math.fround(params.walkableClimb / params.ch));
  const grids = new Uint8Array(3 * params.width * params.height);
  const layers: CacheLayer[] = [];
  const loads: LayerLoad[] = [];
  const slots = new Set<number>();
  const places = new Map<string, Set<number>>();
  const tileBits = bitsFor(params.maxTiles);
  let at = CACHE_HEADER_BYTES + (r.name === 'TSAT' ? BOUNDS_BYTES : 0);
  for (let n = 0; n < count; n++) {
    r.layer = n;
    if (at + LAYER_PREFIX_BYTES > r.length) {
      throw r.bad('bytes left for a layer', at, r.length - at, `at least ${LAYER_PREFIX_BYTES}`);
    }
    const slot = tileBits === 32 ? 0 : r.u32(at) & (2 ** tileBits - 1);
    if (r.u32(at) === 0 || slot >= params.maxTiles || slots.has(slot)) {
      throw r.bad('slot of the layer reference', at, slot, `a free slot below ${params.maxTiles}, and a salt`);
    }
    slots.add(slot);
    const size = r.i32(at + 4);
    const from = at + LAYER_PREFIX_BYTES;
    if (size <= LAYER_HEADER_BYTES || size > r.length - from) {
      throw r.bad('layer size in bytes', at + 4, size, `${LAYER_HEADER_BYTES + 1}..${r.length - from}`);
    }
    const header = readLayer(r, from, params);
    const key = `${header.tx},${header.ty}`;
    const here = places.get(key) ?? new Set();
    places.set(key, here);
    if (here.has(header.tlayer)) throw r.bad('layer number', from + 16, header.tlayer, `a free one at (${key})`);
    here.add(header.tlayer);
    if (here.size > MAX_LAYERS) throw r.bad(`layers at (${key})`, from + 16, here.size, `at most ${MAX_LAYERS}`);
    const to = from + size;
    const got = decompressFastLz(bytes, from + LAYER_HEADER_BYTES, to, grids);
    if (got !== grids.length) {
      throw r.bad(
        'compressed grids',
        from + LAYER_HEADER_BYTES,
        got < 0 ? 'no sound FastLZ stream' : `${got} bytes`,
        `${grids.length} bytes of FastLZ (3 a cell; DotRecast writes FastLZ in its C-compatible mode, LZ4 otherwise)`,
      );
    }
    const load = checkLayer(header, grids, climb);
    if (typeof load === 'string') throw r.badly(from + LAYER_HEADER_BYTES, load);
    layers.push({ header, from: from + LAYER_HEADER_BYTES, to });
    loads.push(load);
    at = to;
  }
  r.layer = undefined;
  if (at !== r.length) throw r.bad(`bytes after the last of ${count} layers`, at, r.length - at, 0);
  checkWork(r, layers, loads, Math.min(params.maxTiles, mesh.maxTiles));
  return { name: r.name, bigEndian: r.bigEndian, mesh, params, layers };
}

function readMesh(r: CacheReader): SetParams {
  return {
    orig: [r.f32(12), r.f32(16), r.f32(20)],
    tileWidth: r.f32(24),
    tileHeight: r.f32(28),
    maxTiles: r.i32(32),
    maxPolys: r.i32(36),
  };
}

function readCache(r: CacheReader): CacheParams {
  return {
    orig: [r.f32(40), r.f32(44), r.f32(48)],
    cs: r.f32(52),
    ch: r.f32(56),
    width: r.i32(60),
    height: r.i32(64),
    walkableHeight: r.f32(68),
    walkableRadius: r.f32(72),
    walkableClimb: r.f32(76),
    maxSimplificationError: r.f32(80),
    maxTiles: r.i32(84),
    maxObstacles: r.i32(88),
  };
}

function checkMesh(r: CacheReader, mesh: SetParams, params: CacheParams): void {
  mesh.orig.forEach((value, axis) => {
    r.range(`origin ${'xyz'[axis]}`, 12 + 4 * axis, value, -1e9, 1e9);
  });
  r.range('tile width', 24, mesh.tileWidth, MIN_TILE_METRES, 1e9);
  r.range('tile height', 28, mesh.tileHeight, MIN_TILE_METRES, 1e9);
  r.range('tile slots (maxTiles)', 32, mesh.maxTiles, 1, MAX_TILE_SLOTS);
  r.range('polygons a tile (maxPolys)', 36, mesh.maxPolys, 1, 2 ** 22);
  const bits = bitsFor(mesh.maxTiles) + bitsFor(mesh.maxPolys);
  if (bits > 32 - MIN_SALT_BITS) {
    throw r.bad('bits that tile slots and polygons take of a reference', 32, bits, `at most ${32 - MIN_SALT_BITS}`);
  }
  const sizes: [string, number, number, number][] = [
    ['tile width', 24, mesh.tileWidth, params.width * params.cs],
    ['tile height', 28, mesh.tileHeight, params.height * params.cs],
  ];
  for (const [what, offset, got, expected] of sizes) {
    // written so that NaN fails too
    if (!(Math.abs(got - expected) <= params.cs)) {
      throw r.bad(what, offset, `${got} m`, `${expected} m, that of the cache's tiles`);
    }
  }
}

function checkCache(r: CacheReader, p: CacheParams): void {
  p.orig.forEach((value, axis) => {
    r.range(`origin ${'xyz'[axis]} of the cache`, 40 + 4 * axis, value, -1e9, 1e9);
  });
  r.range('cell size', 52, p.cs, 1e-4, 1e3);
  r.range('cell height', 56, p.ch, 1e-4, 1e3);
  // coordinates are bytes, and a layer of 255 cells has corners 0..255
  r.range('cells along a tile', 60, p.width, 1, 255);
  r.range('cells across a tile', 64, p.height, 1, 255);
  r.range('agent height', 68, p.walkableHeight, 0, 1e6);
  r.range('agent radius', 72, p.walkableRadius, 0, 1e6);
  r.range('agent climb', 76, p.walkableClimb, 0, 1e6);
  r.range('simplification error', 80, p.maxSimplificationError, 0, 1e4);
  r.range('layer slots (maxTiles)', 84, p.maxTiles, 1, MAX_TILE_SLOTS);
  r.range('obstacle slots (maxObstacles)', 88, p.maxObstacles, 0, MAX_OBSTACLES);
}

/** Reads a layer's header at byte `at` and checks it against the parameters of the cache. */
function readLayer(r: CacheReader, at: number, p: CacheParams): LayerHeader {
  if (r.u32(at) !== LAYER_MAGIC) throw r.bad('layer magic', at, hex(r.u32(at)), `${hex(LAYER_MAGIC)} ('DTLR')`);
  if (r.i32(at + 4) !== LAYER_VERSION) throw r.bad('layer version', at + 4, r.i32(at + 4), LAYER_VERSION);
  const h: LayerHeader = {
    tx: r.i32(at + 8),
    ty: r.i32(at + 12),
    tlayer: r.i32(at + 16),
    bmin: [r.f32(at + 20), r.f32(at + 24), r.f32(at + 28)],
    bmax: [r.f32(at + 32), r.f32(at + 36), r.f32(at + 40)],
    hmin: r.u16(at + LAYER_HMIN),
    hmax: r.u16(at + LAYER_HMIN + 2),
    width: r.u8(at + LAYER_BYTES),
    height: r.u8(at + LAYER_BYTES + 1),
    minx: r.u8(at + LAYER_BYTES + 2),
    maxx: r.u8(at + LAYER_BYTES + 3),
    miny: r.u8(at + LAYER_BYTES + 4),
    maxy: r.u8(at + LAYER_BYTES + 5),
  };
  r.range('tile x', at + 8, h.tx, -MAX_TILE_CELL, MAX_TILE_CELL);
  r.range('tile y', at + 12, h.ty, -MAX_TILE_CELL, MAX_TILE_CELL);
  r.range('layer number', at + 16, h.tlayer, 0, 255);
  if (h.width !== p.width) throw r.bad('cells along the layer', at + LAYER_BYTES, h.width, p.width);
  if (h.height !== p.height) throw r.bad('cells across the layer', at + LAYER_BYTES + 1, h.height, p.height);
  // a layer without ground has its least above its most
  r.range('least cell x', at + LAYER_BYTES + 2, h.minx, 0, h.width);
  r.range('most cell x', at + LAYER_BYTES + 3, h.maxx, 0, h.width - 1);
  r.range('least cell z', at + LAYER_BYTES + 4, h.miny, 0, h.height);
  r.range('most cell z', at + LAYER_BYTES + 5, h.maxy, 0, h.height - 1);
  if (h.hmin > h.hmax) throw r.bad('least height', at + LAYER_HMIN, h.hmin, `at most ${h.hmax}`);
  for (let axis = 0; axis < 3; axis++) {
    r.range(`lower ${'xyz'[axis]} bound`, at + 20 + 4 * axis, h.bmin[axis], -1e9, 1e9);
    r.range(`upper ${'xyz'[axis]} bound`, at + 32 + 4 * axis, h.bmax[axis], h.bmin[axis], 1e9);
  }
  const places: [string, number, number, number][] = [
    ['lower x bound', at + 20, h.bmin[0], p.orig[0] + h.tx * p.width * p.cs],
    ['lower z bound', at + 28, h.bmin[2], p.orig[2] + h.ty * p.height * p.cs],
    ['upper x bound', at + 32, h.bmax[0], h.bmin[0] + p.width * p.cs],
    ['upper z bound', at + 40, h.bmax[2], h.bmin[2] + p.height * p.cs],
  ];
  for (const [what, offset, got, expected] of places) {
    const slack = p.cs + 1e-5 * Math.abs(expected);
    if (Math.abs(got - expected) > slack) throw r.bad(what, offset, got, `${expected}, where tile ${h.tx}, ${h.ty} is`);
  }
  return h;
}

/** Linking compares all border edges of neighbouring tiles: a small hostile file could keep it busy for hours. */
function checkWork(
  r: CacheReader,
  layers: readonly CacheLayer[],
  loads: readonly LayerLoad[],
  slotCount: number,
): void {
  const cells = new Map<string, number[]>();
  layers.forEach(({ header }, n) => {
    const key = `${header.tx},${header.ty}`;
    const here = cells.get(key);
    if (here === undefined) cells.set(key, [n]);
    else here.push(n);
  });
  let pairs = 0;
  layers.forEach(({ header }, n) => {
    const { corners } = loads[n];
    // an outline has at most four times the tile's sides, or the builder gives up
    pairs += corners * Math.min(corners, 4 * (header.width + header.height)) ** 2;
  });
  if (pairs > MAX_PAIRS) {
    throw r.bad('steps to join the polygons of all layers', 8, pairs, `at most ${MAX_PAIRS} (smaller tiles)`);
  }
  // hash buckets hold four tiles on average; a chain cannot be longer than there are layers
  let steps = layers.length * Math.min(layers.length, slotCount) * 2;
  layers.forEach(({ header }, n) => {
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const other of cells.get(`${header.tx + dx},${header.ty + dy}`) ?? []) {
          steps += (loads[n].portals + 1) * loads[other].sides;
        }
      }
    }
  });
  if (steps > 4 * MAX_IMPORT_STEPS) {
    throw r.bad('steps to link all layers', 8, steps, `at most ${4 * MAX_IMPORT_STEPS}`);
  }
}

/** Reads numbers in the byte order that the magic tells, and makes the sentence of a refusal. */
class CacheReader {
  readonly length: number;
  readonly name: 'TSET' | 'TSAT';
  readonly bigEndian: boolean;
  /** The layer that is being read, for the sentence. */
  layer: number | undefined = undefined;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.length = bytes.byteLength;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.name = 'TSET';
    this.bigEndian = false;
    if (this.length < CACHE_HEADER_BYTES) {
      throw this.bad('file size', 0, `${this.length} bytes`, `at least the ${CACHE_HEADER_BYTES} of a header`);
    }
    const magic = this.#view.getUint32(0, true);
    const turned = this.#view.getUint32(0, false);
    if (magic !== TSET_MAGIC && magic !== TSAT_MAGIC && turned !== TSET_MAGIC && turned !== TSAT_MAGIC) {
      throw this.bad('magic', 0, hex(magic), `${hex(TSET_MAGIC)} ('TSET')`);
    }
    this.bigEndian = turned === TSET_MAGIC || turned === TSAT_MAGIC;
    if (magic === TSAT_MAGIC || turned === TSAT_MAGIC) this.name = 'TSAT';
  }

  u8(at: number): number {
    return this.#view.getUint8(at);
  }

  u16(at: number): number {
    return this.#view.getUint16(at, !this.bigEndian);
  }

  u32(at: number): number {
    return this.#view.getUint32(at, !this.bigEndian);
  }

  i32(at: number): number {
    return this.#view.getInt32(at, !this.bigEndian);
  }

  f32(at: number): number {
    return this.#view.getFloat32(at, !this.bigEndian);
  }

  range(what: string, offset: number, value: number, least: number, most: number): void {
    // written so that NaN fails too
    if (!(value >= least && value <= most)) throw this.bad(what, offset, value, `${least}..${most}`);
  }

  bad(what: string, offset: number, got: number | string, expected: number | string): NavguardError {
    return this.badly(offset, `${what}: got ${got}, expected ${expected}`, { what, got, expected });
  }

  badly(offset: number, trouble: string, detail: Readonly<Record<string, unknown>> = {}): NavguardError {
    const where = this.layer === undefined ? '' : `layer ${this.layer}, `;
    return new NavguardError('BAD_FILE', `Bad tile cache: ${where}byte ${offset}: ${trouble}.`, {
      ...(this.layer === undefined ? {} : { layer: this.layer }),
      offset,
      ...detail,
    });
  }
}

function hex(n: number): string {
  return `0x${n.toString(16).padStart(8, '0')}`;
}
