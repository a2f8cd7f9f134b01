// Typed-array batches in kernel memory: many queries for one call, nothing allocated per query. Made by NavMap.batch.
import {
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
import type { Kernel } from './kernel/index.ts';

/** What `Batch.status` holds: the words of single answers as numbers. */
export const BatchStatus = {
  /** The straight segment is walkable. */
  clear: S_CLEAR,
  /** There is a walk. */
  walk: S_WALK,
  unreachable: S_UNREACHABLE,
  /** No walk within the limit. */
  over: S_OVER,
  /** The node cap was reached. */
  undecided: S_UNDECIDED,
  /** `ray` only. */
  blocked: S_BLOCKED,
  /** The start is on no polygon. */
  fromOff: S_FROM_OFF,
  /** The target is on no polygon. */
  toOff: S_TO_OFF,
  /** A coordinate is not finite or too far away. */
  outOfRange: S_OUT_OF_RANGE,
} as const;

/** Vertical band and tolerance of a batch, metres; see `QueryOptions`. */
export interface BatchBand {
  below: number;
  above: number;
  tolerance: number;
  nodeCap: number;
}

interface Views {
  buffer: ArrayBufferLike;
  from: Float64Array;
  to: Float64Array;
  polygon: Uint32Array;
  limit: Float64Array;
  status: Uint32Array;
  length: Float64Array;
  distance: Float64Array;
  point: Float64Array;
  last: Uint32Array;
  bound: Uint32Array;
}

/**
 * Up to `capacity` queries at once. Fill `from`, `to` (x, y, z in metres, three numbers each), `polygon` (a polygon that
 * holds the start, or `Batch.NONE`) and `limit` (metres), call one of the methods with the number of queries, read the
 * results. The arrays live in kernel memory: fetch them again after another batch was made of the same map.
 */
export class Batch {
  /** "No polygon known" in `polygon` and `last`. */
  static readonly NONE: number = NONE;
  readonly capacity: number;
  /** Band, tolerance and node cap of all queries of this batch; change freely between calls. */
  readonly band: BatchBand;
  readonly #kernel: Kernel;
  readonly #address: number;
  #views: Views;

  /** @internal Use `NavMap.batch`. */
  constructor(kernel: Kernel, capacity: number, band: BatchBand) {
    this.capacity = capacity;
    this.band = band;
    this.#kernel = kernel;
    this.#address = kernel.reserve(capacity * BYTES_PER_QUERY);
    this.#views = this.#make();
    this.#views.polygon.fill(NONE);
    this.#views.limit.fill(Number.POSITIVE_INFINITY);
  }

  /** Start positions; positions for `locate`. */
  get from(): Float64Array {
    return this.#fresh().from;
  }
  /** Target positions. */
  get to(): Float64Array {
    return this.#fresh().to;
  }
  /** Known start polygon per query, or `Batch.NONE`; `locate` writes the polygon it found. */
  get polygon(): Uint32Array {
    return this.#fresh().polygon;
  }
  /** Length limit or budget per query, metres; Infinity at first. */
  get limit(): Float64Array {
    return this.#fresh().limit;
  }
  /** Status code per query: one of `BatchStatus`. */
  get status(): Uint32Array {
    return this.#fresh().status;
  }
  /** Walk length per query, metres; for `ray` the fraction t. */
  get length(): Float64Array {
    return this.#fresh().length;
  }
  /** `locate`: plan distance to the mesh, metres. */
  get distance(): Float64Array {
    return this.#fresh().distance;
  }
  /** `locate`: the point on the mesh, metres. */
  get point(): Float64Array {
    return this.#fresh().point;
  }
  /** `ray`: last polygon entered; `reach`: target polygon. */
  get last(): Uint32Array {
    return this.#fresh().last;
  }
  /** `reach`: what `length` is: 0 exact, 1 lower, 2 upper. */
  get bound(): Uint32Array {
    return this.#fresh().bound;
  }

  /** Straight segments: `status` clear or blocked, `length` the fraction reached, `last` the last polygon. */
  ray(n: number): void {
    const a = this.#prepare(n);
    this.#kernel.batchRay(n, a.from, a.to, a.polygon, a.status, a.length, a.last);
  }
  /** Points on the mesh: `polygon` (or NONE), `point`, `distance`. */
  locate(n: number): void {
    const a = this.#prepare(n);
    this.#kernel.batchLocate(n, a.from, a.polygon, a.point, a.distance);
  }
  /** Lengths as a Detour-style client would report them: `status`, `length`. */
  corridor(n: number): void {
    const a = this.#prepare(n);
    this.#kernel.batchCorridor(n, a.from, a.to, a.polygon, a.limit, a.status, a.length);
  }
  /**
   * Exact shortest lengths in plan: `status`, `length`. `walk`: the length is exact. `over` (no walk within `limit`) and
   * `undecided` (the node cap of `band` was reached): it is a lower bound. `unreachable`: Infinity.
   */
  shortest(n: number): void {
    const a = this.#prepare(n);
    this.#kernel.batchShortest(n, a.from, a.to, a.polygon, a.limit, a.status, a.length);
  }
  /** The one question, with `limit` as the budget: `status`, `length`, `bound`, `last`. */
  reach(n: number): void {
    const a = this.#prepare(n);
    this.#kernel.batchReach(n, a.from, a.to, a.polygon, a.limit, a.status, a.length, a.bound, a.last);
  }
  /**
   * One step of many bodies along the surface, sliding on walls: `from` positions, `to` holds the motions (x, unused, z in
   * metres). Results: `status`, `point`, `polygon` of the end in `last`, and `length` walked.
   */
  surface(n: number): void {
    const a = this.#prepare(n);
    this.#kernel.batchSurface(n, a.from, a.to, a.polygon, a.status, a.point, a.length, a.last);
  }

  #prepare(n: number): Addresses {
    if (!(n >= 0 && n <= this.capacity && Number.isInteger(n))) {
      throw new RangeError(`batch: expected 0..${this.capacity} queries, got ${n}`);
    }
    const { input } = this.#kernel;
    input[6] = this.band.below;
    input[7] = this.band.above;
    input[8] = this.band.tolerance;
    input[10] = this.band.nodeCap;
    return this.#addresses;
  }

  get #addresses(): Addresses {
    if (!this.#known) this.#known = addresses(this.#address, this.capacity);
    return this.#known;
  }
  #known: Addresses | undefined;

  #fresh(): Views {
    if (this.#views.buffer !== this.#kernel.buffer) this.#views = this.#make();
    return this.#views;
  }

  #make(): Views {
    const k = this.#kernel;
    const n = this.capacity;
    const a = this.#addresses;
    return {
      buffer: k.buffer,
      from: k.f64(a.from, 3 * n),
      to: k.f64(a.to, 3 * n),
      point: k.f64(a.point, 3 * n),
      limit: k.f64(a.limit, n),
      length: k.f64(a.length, n),
      distance: k.f64(a.distance, n),
      polygon: k.u32(a.polygon, n),
      status: k.u32(a.status, n),
      last: k.u32(a.last, n),
      bound: k.u32(a.bound, n),
    };
  }
}

interface Addresses {
  from: number;
  to: number;
  point: number;
  limit: number;
  length: number;
  distance: number;
  polygon: number;
  status: number;
  last: number;
  bound: number;
}

const BYTES_PER_QUERY = 3 * 24 + 3 * 8 + 4 * 4;

// The eight-byte arrays first, so that every array is aligned whatever the capacity.
function addresses(base: number, n: number): Addresses {
  let at = base;
  const take = (bytes: number): number => {
    const address = at;
    at += bytes * n;
    return address;
  };
  return {
    from: take(24),
    to: take(24),
    point: take(24),
    limit: take(8),
    length: take(8),
    distance: take(8),
    polygon: take(4),
    status: take(4),
    last: take(4),
    bound: take(4),
  };
}
