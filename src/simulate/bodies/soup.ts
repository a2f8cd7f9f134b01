// The level's triangles as a body meets them: flat coordinates and a uniform grid in the plan that says which of them are
// near. Imported by bodies/. Nothing here knows of navmeshes.

/** Triangles per query: most triangles have a box of a few cells, and a body is smaller than a cell. */
const CELL = 1;
/** Cells of the grid at most; larger levels get larger cells. */
const MAX_CELLS = 1 << 20;

/** Positions (x, y, z, metres) and three indices for each triangle. */
export interface Triangles {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

export class Soup {
  /** Nine numbers a triangle: its corners. */
  readonly corners: Float64Array;
  /** |y| of the unit normal, one a triangle: the cosine of the slope. */
  readonly flatness: Float64Array;
  readonly count: number;
  /** minX, minY, minZ, maxX, maxY, maxZ. */
  readonly bounds: readonly [number, number, number, number, number, number];
  /** Triangles that the last `gather` found, `found` of them. */
  readonly near: Int32Array;
  found = 0;
  readonly #cell: number;
  readonly #columns: number;
  readonly #rows: number;
  /** Triangles of a cell: items[starts[cell]] to items[starts[cell + 1]]. */
  readonly #starts: Int32Array;
  readonly #items: Int32Array;
  /** Least and greatest y, two numbers a triangle. */
  readonly #span: Float64Array;
  /** The gather that saw a triangle last. */
  readonly #seen: Int32Array;
  #round = 0;

  constructor({ positions, indices }: Triangles) {
    const kept: number[] = [];
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const t: number[] = [];
      for (let k = 0; k < 3; k++) {
        for (let axis = 0; axis < 3; axis++) t.push(positions[indices[i + k] * 3 + axis]);
      }
      // what has no area bounds nothing: its sides belong to its neighbours
      if (normalOf(t, 0) !== null) kept.push(...t);
    }
    this.corners = Float64Array.from(kept);
    this.count = kept.length / 9;
    this.flatness = new Float64Array(this.count);
    this.#span = new Float64Array(2 * this.count);
    const b: [number, number, number, number, number, number] = [
      Infinity,
      Infinity,
      Infinity,
      -Infinity,
      -Infinity,
      -Infinity,
    ];
    for (let i = 0; i < this.corners.length; i++) {
      const axis = i % 3;
      b[axis] = Math.min(b[axis], this.corners[i]);
      b[axis + 3] = Math.max(b[axis + 3], this.corners[i]);
    }
    this.bounds = b;
    const area = Math.max(0, b[3] - b[0]) * Math.max(0, b[5] - b[2]);
    this.#cell = Math.max(CELL, Math.sqrt(area / MAX_CELLS));
    this.#columns = Math.max(1, Math.ceil((b[3] - b[0]) / this.#cell) + 1);
    this.#rows = Math.max(1, Math.ceil((b[5] - b[2]) / this.#cell) + 1);
    const counts = new Int32Array(this.#columns * this.#rows + 1);
    for (let t = 0; t < this.count; t++) {
      this.flatness[t] = Math.abs((normalOf(this.corners, 9 * t) as readonly number[])[1]);
      this.#span[2 * t] = Math.min(this.corners[9 * t + 1], this.corners[9 * t + 4], this.corners[9 * t + 7]);
      this.#span[2 * t + 1] = Math.max(this.corners[9 * t + 1], this.corners[9 * t + 4], this.corners[9 * t + 7]);
      this.#cellsOf(t, (cell) => counts[cell + 1]++);
    }
    for (let i = 1; i < counts.length; i++) counts[i] += counts[i - 1];
    this.#starts = counts.slice();
    this.#items = new Int32Array(counts[counts.length - 1]);
    for (let t = 0; t < this.count; t++) {
      this.#cellsOf(t, (cell) => {
        this.#items[counts[cell]++] = t;
      });
    }
    this.near = new Int32Array(this.count);
    this.#seen = new Int32Array(this.count);
  }

  /** Finds the triangles whose boxes (rounded up to cells in the plan) meet a box: `near`, the first `found` of it. */
  gather(minX: number, minY: number, minZ: number, maxX: number, maxY: number, maxZ: number): number {
    const round = ++this.#round;
    const seen = this.#seen;
    const span = this.#span;
    const fromX = this.#column(minX);
    const toX = this.#column(maxX);
    const fromZ = this.#row(minZ);
    const toZ = this.#row(maxZ);
    let n = 0;
    for (let row = fromZ; row <= toZ; row++) {
      for (let column = fromX; column <= toX; column++) {
        const cell = row * this.#columns + column;
        for (let i = this.#starts[cell]; i < this.#starts[cell + 1]; i++) {
          const t = this.#items[i];
          if (seen[t] === round) continue;
          seen[t] = round;
          if (span[2 * t] <= maxY && span[2 * t + 1] >= minY) this.near[n++] = t;
        }
      }
    }
    this.found = n;
    return n;
  }

  #column(x: number): number {
    return Math.min(this.#columns - 1, Math.max(0, Math.floor((x - this.bounds[0]) / this.#cell)));
  }

  #row(z: number): number {
    return Math.min(this.#rows - 1, Math.max(0, Math.floor((z - this.bounds[2]) / this.#cell)));
  }

  #cellsOf(t: number, visit: (cell: number) => void): void {
    const c = this.corners;
    const i = 9 * t;
    const fromX = this.#column(Math.min(c[i], c[i + 3], c[i + 6]));
    const toX = this.#column(Math.max(c[i], c[i + 3], c[i + 6]));
    const fromZ = this.#row(Math.min(c[i + 2], c[i + 5], c[i + 8]));
    const toZ = this.#row(Math.max(c[i + 2], c[i + 5], c[i + 8]));
    for (let row = fromZ; row <= toZ; row++) {
      for (let column = fromX; column <= toX; column++) visit(row * this.#columns + column);
    }
  }
}

/** The unit normal of nine numbers from `at` on; null for a triangle without area. */
export function normalOf(c: ArrayLike<number>, at: number): readonly [number, number, number] | null {
  const ux = c[at + 3] - c[at];
  const uy = c[at + 4] - c[at + 1];
  const uz = c[at + 5] - c[at + 2];
  const vx = c[at + 6] - c[at];
  const vy = c[at + 7] - c[at + 1];
  const vz = c[at + 8] - c[at + 2];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = Math.sqrt(x * x + y * y + z * z);
  return length > 1e-9 ? [x / length, y / length, z / length] : null;
}
