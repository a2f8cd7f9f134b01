// Grid rows -> NavMesh: walkable cells merged into rectangles, joined over whatever part of a side they share. Imported by
// map.ts. A body wider than a cell is a point on a map whose blocked cells have grown.
import { NavguardError } from '../errors.ts';
import { parseRows, type Walkable } from './gridrows.ts';
import { type NavMesh, PORTAL, WALL } from './navmesh.ts';
import { unitOfCell } from './snap.ts';

export interface GridOptions {
  /** Side of a cell, metres. */
  readonly cell: number;
  /** x and z of the lower corner of row 0, column 0, metres. */
  readonly origin: readonly [number, number];
  /** Side of the body in cells; its position is its centre. 1 = a point. */
  readonly agent: number;
}

/**
 * A flat navmesh (y = 0) of a walkability grid: `.` walkable, `#` blocked, row 0 at z = origin. Throws `BAD_ARGUMENT`
 * naming row and column for other characters or ragged rows, and for sizes out of range.
 *
 * Body of n cells, n >= 2: blocked cells and the outside grow by (n - 1) / 2 cells and one unit, so that a body which
 * just touches a blocked corner is refused; n = 1 squeezes past one blocked corner but not between two (a pinch).
 */
export function gridToNavMesh(rows: readonly string[], options: GridOptions): NavMesh {
  const { cell, origin, agent } = options;
  if (!(cell >= 0.01 && cell <= 1e4)) throw bad('cell', '0.01 to 10000 m', cell);
  if (!(Math.abs(origin[0]) <= 1e7 && Math.abs(origin[1]) <= 1e7)) {
    throw bad('origin', 'x and z within 10000000 m', `${origin[0]}, ${origin[1]}`);
  }
  if (!(Number.isInteger(agent) && agent >= 1 && agent <= 1024)) throw bad('agent', '1 to 1024 cells', agent);
  const grid = parseRows(rows);
  const unit = unitOfCell(cell);
  const cellUnits = Math.round(cell / unit);
  const lines =
    agent === 1 ? plainLines(grid, cellUnits) : grownLines(grid, cellUnits, ((agent - 1) * cellUnits) / 2 + 1);
  const { owner, rectangles } = mergeRectangles(lines);
  const count = rectangles.length / 4;
  if (count === 0) throw bad('rows', 'room for the body somewhere', 'none');

  const vertices = new Float32Array(count * 12);
  const exact = (line: number, from: number) => {
    const metres = from + line * unit;
    const stored = Math.fround(metres);
    // Whole cells survive the noise of f32 far from the origin; single units do not.
    if (Math.abs(stored - metres) > (agent === 1 ? cell : unit) / 4) {
      throw bad('origin', `near enough to 0 for cells of ${cell} m`, `${origin[0]}, ${origin[1]}`);
    }
    return stored;
  };
  const neighbours = new Int32Array(count * 4).fill(WALL);
  const portals: number[] = [];
  const width = lines.x.length - 1;
  const height = lines.z.length - 1;
  for (let r = 0; r < count; r++) {
    const [i0, j0, i1, j1] = rectangles.slice(4 * r, 4 * r + 4);
    const x0 = exact(lines.x[i0], origin[0]);
    const x1 = exact(lines.x[i1], origin[0]);
    const z0 = exact(lines.z[j0], origin[1]);
    const z1 = exact(lines.z[j1], origin[1]);
    vertices.set([x0, 0, z0, x1, 0, z0, x1, 0, z1, x0, 0, z1], 12 * r);
    // Sides in the order of the corners: low z, high x, high z, low x.
    for (let side = 0; side < 4; side++) {
      const edge = 4 * r + side;
      const alongX = side % 2 === 0;
      const at = side === 0 ? j0 - 1 : side === 1 ? i1 : side === 2 ? j1 : i0 - 1;
      if (at < 0 || at >= (alongX ? height : width)) continue;
      const found = new Set<number>();
      let last = -1;
      for (let k = alongX ? i0 : j0; k < (alongX ? i1 : j1); k++) {
        const q = owner[alongX ? at * width + k : k * width + at];
        if (q < 0 || q === last) continue;
        found.add(q);
        last = q;
      }
      if (found.size === 0) continue;
      neighbours[edge] = PORTAL;
      for (const q of [...found].sort((a, b) => a - b)) portals.push(edge, q);
    }
  }
  const range = (list: Float64Array, from: number): [number, number] => [
    from + list[0] * unit,
    from + list[list.length - 1] * unit,
  ];
  const [minX, maxX] = range(lines.x, origin[0]);
  const [minZ, maxZ] = range(lines.z, origin[1]);
  return {
    format: `grid ${grid.width} x ${grid.height}`,
    tiles: [{ x: 0, y: 0, layer: 0, polyBase: 0, polyCount: count, bounds: [minX, 0, minZ, maxX, 0, maxZ] }],
    // Grown obstacles end on single units: there the lattice is the unit itself, or they would be drawn to cell corners.
    lattice: { x: origin[0], z: origin[1], cell: agent === 1 ? cell : unit },
    agent: { height: 2, radius: ((agent - 1) / 2) * cell, climb: 0 },
    vertices,
    first: Uint32Array.from({ length: count + 1 }, (_, r) => 4 * r),
    corners: Uint32Array.from({ length: 4 * count }, (_, c) => c),
    neighbours,
    portals: Uint32Array.from(portals),
    areas: new Uint8Array(count),
    flags: new Uint16Array(count).fill(1),
    polyTile: new Uint32Array(count),
    detailFirstVertex: new Uint32Array(count + 1),
    detailVertices: new Float32Array(0),
    detailFirstTriangle: new Uint32Array(count + 1),
    detailTriangles: new Uint8Array(0),
    links: [],
  };
}

function bad(field: string, expected: string, got: string | number): NavguardError {
  return new NavguardError('BAD_ARGUMENT', `grid ${field}: expected ${expected}, got ${got}`, { field, expected, got });
}

/** A grid of uneven cells between lines: coordinates in units from the grid's corner, ascending. */
interface Lines {
  readonly x: Float64Array;
  readonly z: Float64Array;
  /** 1 = walkable, rows of constant z. */
  readonly free: Uint8Array;
}

function plainLines(grid: Walkable, cellUnits: number): Lines {
  return {
    x: Float64Array.from({ length: grid.width + 1 }, (_, i) => i * cellUnits),
    z: Float64Array.from({ length: grid.height + 1 }, (_, j) => j * cellUnits),
    free: grid.free,
  };
}

/**
 * Blocked cells and the outside grown by `by` units on every side. Only the lines i * cell - by and i * cell + by matter
 * (compressed coordinates); between two of them a place is free when no cell of a small window is blocked, which a table
 * of sums answers in one step.
 */
function grownLines(grid: Walkable, cellUnits: number, by: number): Lines {
  const { width, height, free } = grid;
  const sums = new Uint32Array((width + 1) * (height + 1));
  for (let j = 0; j < height; j++) {
    let row = 0;
    for (let i = 0; i < width; i++) {
      row += 1 - free[j * width + i];
      sums[(j + 1) * (width + 1) + i + 1] = sums[j * (width + 1) + i + 1] + row;
    }
  }
  const x = axisLines(width, cellUnits, by);
  const z = axisLines(height, cellUnits, by);
  const nx = x.length - 1;
  const nz = z.length - 1;
  if (nx < 1 || nz < 1) return { x, z, free: new Uint8Array(0) };
  const across = windows(x, cellUnits, by);
  const down = windows(z, cellUnits, by);
  const out = new Uint8Array(nx * nz);
  for (let j = 0; j < nz; j++) {
    const top = down.high[j] + 1;
    const bottom = down.low[j];
    for (let i = 0; i < nx; i++) {
      const right = across.high[i] + 1;
      const left = across.low[i];
      const blocked =
        sums[top * (width + 1) + right] -
        sums[bottom * (width + 1) + right] -
        sums[top * (width + 1) + left] +
        sums[bottom * (width + 1) + left];
      if (blocked === 0) out[j * nx + i] = 1;
    }
  }
  return { x, z, free: out };
}

/** The lines of grown cells that lie where the outside has not grown to. */
function axisLines(cells: number, cellUnits: number, by: number): Float64Array {
  const lines = new Set<number>();
  for (let i = 0; i <= cells; i++) {
    for (const at of [i * cellUnits - by, i * cellUnits + by]) {
      if (at >= by && at <= cells * cellUnits - by) lines.add(at);
    }
  }
  return Float64Array.from(lines).sort();
}

/** Which cells, grown, cover the place between two lines: first and last. */
function windows(lines: Float64Array, cellUnits: number, by: number): { low: Int32Array; high: Int32Array } {
  const low = new Int32Array(lines.length - 1);
  const high = new Int32Array(lines.length - 1);
  for (let k = 0; k + 1 < lines.length; k++) {
    // Cell i covers it when i * cell - by <= lines[k] and lines[k + 1] <= (i + 1) * cell + by.
    low[k] = Math.ceil((lines[k + 1] - by) / cellUnits) - 1;
    high[k] = Math.floor((lines[k] + by) / cellUnits);
  }
  return { low, high };
}

/**
 * Greedy merging: from each free place not yet taken, in row order, as far right and then as far down as the whole width
 * stays free. Every place is looked at a few times: linear. Rectangles are line numbers x0, z0, x1, z1.
 */
function mergeRectangles(lines: Lines): { owner: Int32Array; rectangles: number[] } {
  const width = lines.x.length - 1;
  const height = lines.z.length - 1;
  const { free } = lines;
  const owner = new Int32Array(free.length).fill(-1);
  const rectangles: number[] = [];
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const at = j * width + i;
      if (free[at] === 0 || owner[at] >= 0) continue;
      const r = rectangles.length / 4;
      let right = i;
      while (right < width && free[j * width + right] === 1 && owner[j * width + right] < 0) right++;
      let down = j;
      for (let whole = true; whole; ) {
        owner.fill(r, down * width + i, down * width + right);
        down++;
        whole = down < height;
        for (let k = i; whole && k < right; k++) {
          if (free[down * width + k] === 0 || owner[down * width + k] >= 0) whole = false;
        }
      }
      rectangles.push(i, j, right, down);
      i = right - 1;
    }
  }
  return { owner, rectangles };
}
