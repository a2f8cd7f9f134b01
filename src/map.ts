// NavMap: a map ready for questions. Wires bytes -> mesh -> pack -> kernel; owns no geometry itself. Imported by guard.ts,
// log/, cli/ and the public front.
import {
  CORNER_STRIDE,
  F_CORNERS,
  IN,
  NODE_CAP,
  NONE,
  S_BLOCKED,
  S_CLEAR,
  S_FROM_OFF,
  S_OUT_OF_RANGE,
  S_OVER,
  S_TO_OFF,
  S_UNDECIDED,
  S_UNREACHABLE,
  S_WALK,
} from '../assembly/layout.ts';
import { checkDelta, checkLimit, checkOptions, checkPosition } from './asked.ts';
import { Batch } from './batch.ts';
import { type ReadOptions, readNavMesh, readNavMeshFiles } from './bytes/index.ts';
import { type Portal, readPortals, withPortals } from './bytes/portals.ts';
import { NavguardError } from './errors.ts';
import { createKernel, type Engine, type Kernel } from './kernel/index.ts';
import { Living, SPARE_PIECES } from './live/living.ts';
import { conform } from './mesh/conform.ts';
import { areaNumber, type MapFilter } from './mesh/filter.ts';
import type { NavMesh } from './mesh/navmesh.ts';
import { checkPack } from './pack/check.ts';
import { filterPack } from './pack/filter.ts';
import { type LinkView, packLinks } from './pack/linkview.ts';
import { pack } from './pack/pack.ts';
import { type MapInfo, packInfo } from './pack/view.ts';
import { BOUND_WORDS } from './reasons.ts';
import type {
  Located,
  ObstacleShape,
  PathAnswer,
  PathStatus,
  RayHit,
  ReachAnswer,
  SurfaceAnswer,
  Vec3,
} from './types.ts';

/** How a map is loaded. */
export interface MapOptions {
  /** `wasm` (default) or `twin`. */
  engine?: Engine;
  /** What of the map counts; what does not pass is not there. Without it everything counts. */
  filter?: MapFilter;
  /** How an export is to be read: scale, axes, areas, ... A packed map was read already and takes none. */
  read?: ReadOptions;
  /**
   * Portals beside those of the export: what a side file holds, as a list or as its JSON. A packed map has its portals in it.
   * The form is documented at `Portal`.
   */
  portals?: readonly Portal[] | string | Uint8Array;
  /** Portals of another agent type are left out; without it, and without one of their own, all count. */
  agentType?: string | number;
  /**
   * Room for so many pieces of polygons that obstacles cut, all together (default 1024; about 320 bytes each and per guard's
   * kernel). 0 for a map without obstacles.
   */
  pieces?: number;
}

/** What a query may forgive. All in metres. */
export interface QueryOptions {
  /** The position may lie this far under the floor (default 0.5). */
  below?: number;
  /** The position may lie this far over the floor (default 2.6). */
  above?: number;
  /** The position may lie this far outside the mesh in plan (default: 1.25 cells, or 0.1 without a lattice). */
  tolerance?: number;
  /** Largest number of search nodes (default and maximum 4096). */
  nodeCap?: number;
  /** A polygon that is known to hold the start: saves a search. A wrong one costs time, never a wrong answer. */
  polygon?: number;
}

const PATH_WORDS: Readonly<Record<number, PathStatus>> = {
  [S_WALK]: 'complete',
  [S_UNREACHABLE]: 'unreachable',
  [S_OVER]: 'over',
  [S_UNDECIDED]: 'undecided',
};
const REACH_WORDS: Readonly<Record<number, ReachAnswer['status']>> = {
  [S_CLEAR]: 'clear',
  [S_WALK]: 'walk',
  [S_UNREACHABLE]: 'unreachable',
  [S_OVER]: 'over',
  [S_UNDECIDED]: 'undecided',
  [S_FROM_OFF]: 'fromOff',
  [S_TO_OFF]: 'toOff',
  [S_OUT_OF_RANGE]: 'outOfRange',
};

const SURFACE_WORDS: Readonly<Record<number, SurfaceAnswer['status']>> = {
  [S_CLEAR]: 'clear',
  [S_WALK]: 'slid',
  [S_BLOCKED]: 'blocked',
  [S_UNDECIDED]: 'capped',
  [S_FROM_OFF]: 'fromOff',
  [S_OUT_OF_RANGE]: 'outOfRange',
};

/** A navmesh loaded, made conforming and packed: answers point, ray and path questions exactly. */
export class NavMap {
  /** What was loaded: format, counts, bounds, hash, findings. */
  readonly info: MapInfo;
  /** @internal The engine that holds this map. */
  readonly kernel: Kernel;
  /** @internal What of this map changes: guards follow it. */
  readonly living: Living;
  readonly #pack: ArrayBuffer;
  readonly #pieces: number;
  #slow = false;
  #links: readonly LinkView[] | undefined;

  /** @internal Use `load`, `fromPack` or `fromMesh`. */
  constructor(checkedPack: ArrayBuffer, options: MapOptions = {}, defaultTolerance?: number) {
    this.#pack = checkedPack;
    const info = packInfo(checkedPack);
    this.info = defaultTolerance === undefined ? info : { ...info, defaultTolerance };
    this.kernel = createKernel(options.engine);
    this.#pieces = piecesOf(options);
    this.living = new Living(checkedPack, this.#pieces);
    this.living.load(this.kernel);
  }

  /**
   * Loads a navmesh export of any format that navguard reads, or a packed map. The bytes are checked before anything else
   * sees them.
   * Throws `UNSUPPORTED_FORMAT`, `BAD_FILE` or `IMPORT_FAILED` with one sentence.
   */
  static async load(bytes: Uint8Array | ArrayBuffer, options: MapOptions = {}): Promise<NavMap> {
    const own = ownBytes('load', bytes);
    const view = new Uint8Array(own);
    if (view.length >= 4 && view[0] === 0x4e && view[1] === 0x47 && view[2] === 0x50 && view[3] === 0x4b) {
      if (options.read !== undefined && Object.keys(options.read).length > 0) {
        throw new NavguardError(
          'BAD_ARGUMENT',
          'load: a packed map was read already: give the options of reading where it is packed.',
        );
      }
      return NavMap.fromPack(own, options);
    }
    return NavMap.fromMesh(await readNavMesh(view, options.read), options);
  }

  /**
   * Loads one map that is several files, by name: a .mmap and its .mmtile files (TrinityCore, AzerothCore, CMaNGOS,
   * vmangos). Its x, y, z are y, z, x of such a server, unless `read.axes` says otherwise. Throws as `load` does.
   */
  static async loadFiles(
    files: ReadonlyMap<string, Uint8Array | ArrayBuffer>,
    options: MapOptions = {},
  ): Promise<NavMap> {
    const own = new Map([...files].map(([name, bytes]) => [name, new Uint8Array(ownBytes('loadFiles', bytes))]));
    return NavMap.fromMesh(await readNavMeshFiles(own, options.read), options);
  }

  /** A map from `toPack()` or the bytes of a `.navpack` file: checked like any export, no second parse. Throws `BAD_FILE`. */
  static fromPack(bytes: ArrayBuffer | Uint8Array, options: MapOptions = {}): NavMap {
    if (options.portals !== undefined) {
      const message =
        'fromPack: portals: a packed map has its portals in it, give them when the export is loaded or packed';
      throw new NavguardError('BAD_ARGUMENT', message);
    }
    const buffer = ownBytes('fromPack', bytes);
    checkPack(buffer);
    return new NavMap(passing(buffer, options), options);
  }

  /** A map from an already read mesh. Throws `BAD_FILE` when it cannot be made conforming. */
  static fromMesh(mesh: NavMesh, options: MapOptions = {}): NavMap {
    const { portals, agentType } = options;
    const whole = portals === undefined ? mesh : withPortals(mesh, readPortals(portals), agentType);
    return new NavMap(passing(pack(whole, conform(whole)), options), options);
  }

  /** Off-mesh links and portals by their number; what `open` says is as loaded. */
  get links(): readonly LinkView[] {
    this.#links ??= packLinks(this.#pack);
    return this.#links;
  }

  /** A copy of the packed map: write it to disk as `.navpack`, or give it to `fromPack`. */
  toPack(): ArrayBuffer {
    return this.#pack.slice(0);
  }

  /**
   * The part of this map that passes, as a map of its own with the same kind of engine: polygons that do not pass are walls
   * to the rest, links that lose an end or do not pass themselves are closed. Polygon ids are the new map's; area speeds stay. The finding
   * `filtered-polygon` says how many were left out. Queries cost what they always cost. Throws `BAD_ARGUMENT` for a wrong
   * filter, or when nothing passes.
   */
  filtered(filter: MapFilter): NavMap {
    const map = new NavMap(
      filterPack(this.#pack, filter),
      { engine: this.kernel.engine, pieces: this.#pieces },
      this.info.defaultTolerance,
    );
    this.living.speeds.forEach((multiplier, area) => {
      if (multiplier < 1) map.setAreaSpeed(area, multiplier);
    });
    return map;
  }

  /**
   * Ground of an area (0..63) is walked at `multiplier` (over 0, at most 1) times full speed: mud 0.5, plain ground 1. From
   * then on `reach` and `shortest` answer with `effort` too; lengths stay plan lengths, and guards charge it. Throws
   * `BAD_ARGUMENT`. Multipliers over 1 are refused: a shortest walk would then be no bound of the fastest one.
   */
  setAreaSpeed(area: number, multiplier: number): void {
    areaNumber('setAreaSpeed', area);
    if (!(multiplier > 0 && multiplier <= 1)) {
      throw new NavguardError(
        'BAD_ARGUMENT',
        `setAreaSpeed: expected a multiplier over 0 and at most 1 (ground that speeds walkers up is not supported), got ${multiplier}`,
        { area, got: multiplier },
      );
    }
    this.area(area, { speed: multiplier });
  }

  // ---- what changes while the map is in use ---------------------------------------------------------------------------
  // A change holds from the next question on: of this map, its batches and its guards. toPack, info and polygon ids stay.

  /**
   * Opens or closes the ground of an area (0..63): a door. Nobody stands on closed ground, and no way leads over it. `speed`: as
   * `setAreaSpeed`. What is not named stays. A door of a few polygons takes microseconds. Throws `BAD_ARGUMENT`.
   */
  area(n: number, change: { open?: boolean; speed?: number }): void {
    this.living.area(n, change);
    this.#slow = this.living.speeds.some((m) => m < 1);
    this.living.sync(this.kernel);
  }

  /**
   * Opens an off-mesh link, closes it, or lets it be taken in one direction only. `link`: its name, the export's user id, or '#'
   * and its place in the export. No link is opened in a direction in which the export has it closed. Throws `BAD_ARGUMENT`.
   */
  link(link: string | number, open: boolean | 'forward' | 'backward'): void {
    this.living.link(link, open);
    this.living.sync(this.kernel);
  }

  /**
   * Puts an obstacle on the map: nobody stands on the ground under it any more, nor within the radius of who walks around it (a
   * navmesh says where the middle of a body may be; `grow` says otherwise). `box`: minX, minY, minZ, maxX, maxY, maxZ, and a turn
   * about the y axis through its middle (radians, from x to z) if any; `cylinder`: x, y, z of the base, radius, height. All in metres.
   * Floors above it, and as far below it as the agent is tall, are left alone. An obstacle that is there under this id is moved.
   * The outline never cuts into what it stands for: twelve corners round a cylinder, eight round a grown box, and where it meets an
   * edge of a polygon the next grid point outwards on that edge (128 units away at most, 0.1 m), or one less than two units beside it. Throws `BAD_ARGUMENT`, or `OUT_OF_MEMORY` when the polygons would fall into
   * more pieces than the map has room for (`pieces` of `MapOptions`); then nothing has changed.
   */
  block(id: string | number, shape: ObstacleShape): void {
    this.living.block(id, shape);
    this.living.sync(this.kernel);
  }

  /** Takes an obstacle away: the ground is what it was. False when there is none of this id. */
  unblock(id: string | number): boolean {
    const there = this.living.unblock(id);
    this.living.sync(this.kernel);
    return there;
  }

  /** @internal A further engine with the same map, for guards that want their own. */
  createKernel(engine: Engine): Kernel {
    const kernel = createKernel(engine);
    this.living.load(kernel);
    return kernel;
  }

  /** The polygon under a position (nearest floor within the band, nearest polygon within the tolerance), or null. */
  locate(pos: Vec3, options: QueryOptions = {}): Located | null {
    checkPosition('locate', 'pos', pos);
    checkOptions('locate', options);
    const { input, output } = this.kernel;
    input[0] = pos[0];
    input[1] = pos[1];
    input[2] = pos[2];
    input[3] = options.below ?? DEFAULT_BELOW;
    input[4] = options.above ?? DEFAULT_ABOVE;
    input[5] = options.tolerance ?? this.info.defaultTolerance;
    const polygon = this.kernel.locate();
    if (polygon === NONE) return null;
    return {
      polygon,
      point: [output[0], output[1], output[2]],
      distance: output[3],
      component: output[4],
    };
  }

  /** Whether the straight segment is walkable, and where it stops. Both ends on the mesh; floors are told apart. */
  ray(from: Vec3, to: Vec3, options: QueryOptions = {}): RayHit {
    checkOptions('ray', options);
    this.#ask('ray', from, to, options, Number.POSITIVE_INFINITY);
    const status = this.kernel.ray(options.polygon ?? NONE);
    const { output } = this.kernel;
    if (status === S_FROM_OFF || status === S_OUT_OF_RANGE) {
      return { clear: false, t: 0, point: [from[0], from[1], from[2]], edgeDistance: planDistance(from, to) };
    }
    return {
      clear: status === S_CLEAR,
      t: output[0],
      point: [output[1], output[2], output[3]],
      edgeDistance: output[4],
    };
  }

  /** The path that a Detour-style client finds: corridor by edge midpoints, then string pulling. An upper bound. */
  corridor(from: Vec3, to: Vec3, options: QueryOptions & { limit?: number } = {}): PathAnswer {
    checkOptions('corridor', options, true);
    this.#ask('corridor', from, to, options, options.limit ?? Number.POSITIVE_INFINITY);
    const status = this.kernel.corridor(options.polygon ?? NONE);
    const { output } = this.kernel;
    if (status !== S_WALK) return { status: PATH_WORDS[status] ?? 'unreachable', length: null, corners: [] };
    return { status: 'complete', length: output[0], corners: this.#corners(output[1]) };
  }

  /**
   * The exact shortest walk in plan. With `limit`, `over` is a proof that no walk is that short; `length` is then a lower
   * bound, as it is for `undecided` (the node cap was reached). An off-mesh link counts
   * its plan length; its two ends are corners.
   */
  shortest(from: Vec3, to: Vec3, options: QueryOptions & { limit?: number } = {}): PathAnswer {
    checkOptions('shortest', options, true);
    this.#ask('shortest', from, to, options, options.limit ?? Number.POSITIVE_INFINITY);
    const status = this.kernel.shortest(options.polygon ?? NONE);
    const { output } = this.kernel;
    const effort = this.#slow && Number.isFinite(output[3]) ? { effort: output[3] } : {};
    const length = Number.isFinite(output[0]) ? output[0] : null;
    if (status === S_WALK) return { status: 'complete', length, corners: this.#corners(output[1]), ...effort };
    return { status: PATH_WORDS[status] ?? 'unreachable', length, corners: [], ...effort };
  }

  /** Can it be walked within `budget` metres, and how far is it? */
  reach(from: Vec3, to: Vec3, budget: number, options: QueryOptions = {}): ReachAnswer {
    checkLimit('reach', 'budget', budget);
    checkOptions('reach', options);
    this.#ask('reach', from, to, options, budget);
    const status = this.kernel.reach(options.polygon ?? NONE, NONE);
    const { output } = this.kernel;
    const measured = status === S_CLEAR || status === S_WALK || status === S_OVER;
    return {
      status: REACH_WORDS[status] ?? 'undecided',
      length: measured && Number.isFinite(output[1]) ? output[1] : null,
      bound: measured && Number.isFinite(output[1]) ? (BOUND_WORDS[output[2]] ?? null) : null,
      ...(this.#slow && measured && Number.isFinite(output[16]) ? { effort: output[16] } : {}),
    };
  }

  /**
   * Walks from `from` by `delta` (x and z in metres) as a body pushed along the surface does: straight until a wall, along
   * the wall with what of the motion points along it, and straight again where the wall ends. Never passes a wall, never
   * changes floor except on foot, and the end is on the mesh: give `point` and `polygon` to the next call and it starts
   * exactly there. A motion gives the same end, up to a few steps of the grid, when it is cut into pieces.
   */
  surface(
    from: Vec3,
    delta: readonly [number, number],
    options: Omit<QueryOptions, 'polygon'> & { polygon?: number | null } = {},
  ): SurfaceAnswer {
    checkDelta('surface', delta);
    checkOptions('surface', options);
    this.#ask('surface', from, [delta[0], 0, delta[1]], options, Number.POSITIVE_INFINITY);
    const word = this.kernel.surface(options.polygon ?? NONE);
    const o = this.kernel.output;
    const status = SURFACE_WORDS[word] ?? 'outOfRange';
    const nowhere = status === 'fromOff' || status === 'outOfRange';
    return {
      status,
      point: nowhere ? [from[0], from[1], from[2]] : [o[0], o[1], o[2]],
      polygon: nowhere ? null : o[3],
      length: o[4],
      lost: o[5],
      slides: o[6],
      normal: o[7] === 0 && o[8] === 0 ? null : [o[7], o[8]],
      rest: [o[9], o[10]],
    };
  }

  /**
   * Typed arrays in kernel memory for up to `capacity` queries at once. Make it once and use it again and again: its memory
   * lives as long as the map. Throws `BAD_ARGUMENT`, and `OUT_OF_MEMORY` when there is no room; the map stays as it was.
   */
  batch(capacity: number, options: QueryOptions = {}): Batch {
    if (!(Number.isInteger(capacity) && capacity >= 1 && capacity <= 1 << 22)) {
      throw new NavguardError('BAD_ARGUMENT', `batch: expected a capacity of 1..${1 << 22}, got ${capacity}`);
    }
    checkOptions('batch', options);
    return new Batch(this.kernel, capacity, {
      below: options.below ?? DEFAULT_BELOW,
      above: options.above ?? DEFAULT_ABOVE,
      tolerance: options.tolerance ?? this.info.defaultTolerance,
      nodeCap: options.nodeCap ?? NODE_CAP,
    });
  }

  #ask(method: string, from: Vec3, to: Vec3, options: Omit<QueryOptions, 'polygon'>, limit: number): void {
    checkPosition(method, 'from', from);
    checkPosition(method, 'to', to);
    const { input } = this.kernel;
    input[0] = from[0];
    input[1] = from[1];
    input[2] = from[2];
    input[3] = to[0];
    input[4] = to[1];
    input[5] = to[2];
    input[6] = options.below ?? DEFAULT_BELOW;
    input[7] = options.above ?? DEFAULT_ABOVE;
    input[8] = options.tolerance ?? this.info.defaultTolerance;
    input[9] = limit;
    input[10] = options.nodeCap ?? NODE_CAP;
  }

  #corners(count: number): [number, number, number][] {
    const k = this.kernel;
    const frame = k.input.byteOffset - IN;
    const address = k.u32(frame + F_CORNERS, 1)[0];
    const flat = k.f64(address, (count * CORNER_STRIDE) / 8);
    const corners: [number, number, number][] = [];
    for (let i = 0; i < count; i++) corners.push([flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]);
    return corners;
  }
}

/**
 * A copy of whatever holds bytes, of this realm or another: what is checked is what is kept, whatever the caller does with
 * theirs meanwhile. (`slice` would not do: a Buffer's shares memory.) BAD_ARGUMENT for anything else.
 */
function ownBytes(method: string, bytes: unknown): ArrayBuffer {
  if (ArrayBuffer.isView(bytes)) {
    return new Uint8Array(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)).buffer;
  }
  const kind = Object.prototype.toString.call(bytes).slice(8, -1);
  if (kind === 'ArrayBuffer' || kind === 'SharedArrayBuffer') {
    return new Uint8Array(new Uint8Array(bytes as ArrayBuffer)).buffer;
  }
  const expected = 'a Uint8Array, Buffer or ArrayBuffer';
  throw new NavguardError('BAD_ARGUMENT', `${method}: expected the bytes of a map (${expected}), got ${kind}`, {
    expected,
    got: kind,
  });
}

/** Pieces of cut polygons at most: 13 MB. */
const MOST_PIECES = 65536;

/** Band of the rules `below` and `above`, metres. */
export const DEFAULT_BELOW = 0.5;
export const DEFAULT_ABOVE = 2.6;

function piecesOf({ pieces = SPARE_PIECES }: MapOptions): number {
  if (Number.isInteger(pieces) && pieces >= 0 && pieces <= MOST_PIECES) return pieces;
  throw new NavguardError('BAD_ARGUMENT', `pieces: expected a whole number of 0..${MOST_PIECES}, got ${pieces}`);
}

function passing(packed: ArrayBuffer, { filter }: MapOptions): ArrayBuffer {
  return filter === undefined ? packed : filterPack(packed, filter);
}

function planDistance(a: Vec3, b: Vec3): number {
  const dx = b[0] - a[0];
  const dz = b[2] - a[2];
  return Math.sqrt(dx * dx + dz * dz);
}
