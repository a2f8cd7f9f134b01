// GridMap: a walkability grid as a map. A navmesh of merged rectangles answers everything that NavMap answers; the DDA
// kernel answers line of sight. Imported by guard.ts, log/, cli/ and the public front.
import { checkPosition } from './asked.ts';
import { NavguardError } from './errors.ts';
import { packGridSight } from './kernel/gridsight.ts';
import { createKernel, type Engine, type Kernel } from './kernel/index.ts';
import { type MapOptions, NavMap } from './map.ts';
import { conform } from './mesh/conform.ts';
import { gridToNavMesh } from './mesh/gridmap.ts';
import { pack } from './pack/pack.ts';
import type { Vec3 } from './types.ts';

/** How rows of text become a map. */
export interface GridOptions extends Pick<MapOptions, 'engine'> {
  /** Metres per cell (default 1). */
  cell?: number;
  /** World x and z (metres) of the lower corner of the first character of the first row (default 0, 0). */
  origin?: readonly [number, number];
  /** The body's size in cells (default 1 = a point). Positions are the body's centre. */
  agent?: number;
}

/** Typed arrays in kernel memory for many sight lines at once. Positions in cells from the grid's lower corner. */
export interface SightBatch {
  readonly capacity: number;
  /** x, z of each start, in cells. */
  readonly from: Float64Array;
  /** x, z of each target, in cells. */
  readonly to: Float64Array;
  /** 1 = clear, 0 = blocked. */
  readonly clear: Uint8Array;
  /** Answers the first n sight lines. */
  run(n: number): void;
}

/** A walkability grid: `.` walkable, `#` blocked, row 0 at the lowest z. y is ignored (the floor is at 0). */
export class GridMap extends NavMap {
  /** Cells in x and z. */
  readonly width: number;
  readonly height: number;
  readonly cell: number;
  readonly origin: readonly [number, number];
  readonly agent: number;
  readonly #walkable: Uint8Array;
  readonly #engine: Engine;
  #sight: Kernel | undefined;

  private constructor(checkedPack: ArrayBuffer, rows: readonly string[], options: Required<GridOptions>) {
    // The cells of a grid say nothing of how exact its edges are.
    super(checkedPack, options, 0.1);
    this.width = rows[0].length;
    this.height = rows.length;
    this.cell = options.cell;
    this.origin = options.origin;
    this.agent = options.agent;
    this.#engine = options.engine;
    this.#walkable = new Uint8Array(this.width * this.height);
    for (let z = 0; z < this.height; z++) {
      for (let x = 0; x < this.width; x++) this.#walkable[z * this.width + x] = rows[z][x] === '.' ? 1 : 0;
    }
  }

  /** Builds the map. Throws `BAD_FILE` for ragged rows or other characters, naming row and column. */
  static from(rows: readonly string[], options: GridOptions = {}): GridMap {
    const full = {
      cell: options.cell ?? 1,
      origin: options.origin ?? ([0, 0] as const),
      agent: options.agent ?? 1,
      engine: options.engine ?? ('wasm' as const),
    };
    const mesh = gridToNavMesh(rows, full);
    return new GridMap(pack(mesh, conform(mesh)), rows, full);
  }

  /**
   * Plain line of sight (metres): both cells walkable, no blocked cell in between, the same in both directions. Squeezing
   * diagonally between two blocked cells is blocked; past one blocked cell it is clear. Outside the grid: false, at once.
   * For bodies larger than a cell this is the exact ray on the grid's mesh.
   */
  sight(from: Vec3, to: Vec3): boolean {
    checkPosition('sight', 'from', from);
    checkPosition('sight', 'to', to);
    if (this.agent > 1) return this.ray([from[0], 0, from[2]], [to[0], 0, to[2]], { tolerance: 0 }).clear;
    const [ox, oz] = this.origin;
    const c = this.cell;
    return this.#kernel().gridSight((from[0] - ox) / c, (from[2] - oz) / c, (to[0] - ox) / c, (to[2] - oz) / c) === 1;
  }

  /** Room for up to `capacity` sight lines at once (bodies of one cell). */
  sightBatch(capacity: number): SightBatch {
    if (!(Number.isInteger(capacity) && capacity >= 1 && capacity <= 1 << 22)) {
      throw new NavguardError('BAD_ARGUMENT', `sightBatch: expected a capacity of 1..${1 << 22}, got ${capacity}`);
    }
    if (this.agent > 1) throw new NavguardError('BAD_ARGUMENT', 'sightBatch: expected agent 1, got a larger body');
    // An instance of its own: its memory never grows again, so the views stay valid.
    const kernel = createKernel(this.#engine);
    kernel.load(packGridSight(this.#walkable, this.width, this.height));
    const address = kernel.reserve(capacity * 33);
    const from = kernel.f64(address, 2 * capacity);
    const to = kernel.f64(address + 16 * capacity, 2 * capacity);
    const clear = kernel.u8(address + 32 * capacity, capacity);
    return {
      capacity,
      from,
      to,
      clear,
      run(n) {
        if (!(n >= 0 && n <= capacity && Number.isInteger(n))) {
          throw new RangeError(`sightBatch: expected 0..${capacity} sight lines, got ${n}`);
        }
        kernel.batchGridSight(n, from.byteOffset, to.byteOffset, clear.byteOffset);
      },
    };
  }

  #kernel(): Kernel {
    if (!this.#sight) {
      this.#sight = createKernel(this.#engine);
      this.#sight.load(packGridSight(this.#walkable, this.width, this.height));
    }
    return this.#sight;
  }
}
