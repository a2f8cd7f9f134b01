// A uniform grid over plan: which closed cells does each closed convex polygon touch? Exact on integers. Imported by
// links.ts, pack/ (the locate grid is this one) and the hostile-pack check, which compares.

/** Polygons as flat corner arrays. */
export interface PlanPolygons {
  readonly first: ArrayLike<number>;
  readonly x: ArrayLike<number>;
  readonly z: ArrayLike<number>;
}

export interface BinGrid {
  /** Units: lower corner of cell 0, 0; whole numbers. */
  readonly x: number;
  readonly z: number;
  /** Units, a power of two. */
  readonly cell: number;
  readonly width: number;
  readonly height: number;
}

export interface Bins {
  readonly grid: BinGrid;
  /** width * height + 1 places in `list`; cell (i, j) is number j * width + i. */
  readonly start: Uint32Array;
  /** Polygon numbers, ascending within each cell. */
  readonly list: Uint32Array;
  readonly longest: number;
}

/** Largest q with q * b <= a, for integers whose products stay below 2^53, b > 0. */
function floorDiv(a: number, b: number): number {
  let q = Math.floor(a / b);
  const rest = a - q * b;
  if (rest < 0) q--;
  else if (rest >= b) q++;
  return q;
}

/**
 * Calls `visit(row, from, to)` for each row of cells that the closed convex polygon touches, with its first and last
 * touched cell. Cells are closed: a polygon that only touches a cell's side is in it. Within one row the polygon's
 * extent in x is reached at a corner inside the row's band or where an edge crosses a side of the band: a fraction whose
 * floor is taken exactly. Stops early when visit says false. Steps: rows times corners.
 */
export function touchedCells(
  polygons: PlanPolygons,
  p: number,
  grid: BinGrid,
  visit: (row: number, from: number, to: number) => boolean,
): boolean {
  const { x, z } = polygons;
  const a0 = polygons.first[p];
  const end = polygons.first[p + 1];
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let c = a0; c < end; c++) {
    if (z[c] < low) low = z[c];
    if (z[c] > high) high = z[c];
  }
  const { cell } = grid;
  const firstRow = Math.max(0, Math.ceil((low - grid.z) / cell) - 1);
  const lastRow = Math.min(grid.height - 1, Math.floor((high - grid.z) / cell));
  for (let row = firstRow; row <= lastRow; row++) {
    const bottom = grid.z + row * cell;
    const top = bottom + cell;
    // Cells strictly left of ceil((minX - grid.x) / cell) - 1 or right of floor((maxX - grid.x) / cell) are not touched.
    let from = Number.POSITIVE_INFINITY;
    let to = Number.NEGATIVE_INFINITY;
    for (let c = a0; c < end; c++) {
      const d = c + 1 === end ? a0 : c + 1;
      if (z[c] >= bottom && z[c] <= top) {
        const at = x[c] - grid.x;
        from = Math.min(from, Math.ceil(at / cell) - 1);
        to = Math.max(to, Math.floor(at / cell));
      }
      for (let side = 0; side < 2; side++) {
        const line = side === 0 ? bottom : top;
        if (z[c] < line === z[d] < line || z[c] === line || z[d] === line) continue;
        // Crossing at x[c] + (line - z[c]) (x[d] - x[c]) / (z[d] - z[c]); whole part and remainder kept apart.
        const deep = Math.abs(z[d] - z[c]);
        const along = (x[d] - x[c]) * Math.abs(line - z[c]);
        const whole = floorDiv(along, deep);
        const exact = along - whole * deep === 0;
        const at = x[c] + whole - grid.x;
        to = Math.max(to, Math.floor(at / cell));
        from = Math.min(from, exact ? Math.ceil(at / cell) - 1 : Math.floor(at / cell));
      }
    }
    from = Math.max(0, from);
    to = Math.min(grid.width - 1, to);
    if (from <= to && !visit(row, from, to)) return false;
  }
  return true;
}

/**
 * Builds the grid: cells start at `cell` units and double until there are at most 4 per polygon + 64, and at most 8
 * entries per polygon + 64. `shift` moves the lines off the places where a map's own vertices crowd (its lattice).
 */
export function buildBins(polygons: PlanPolygons, cell: number, shift: number): Bins {
  const count = polygons.first.length - 1;
  let minX = Number.POSITIVE_INFINITY;
  let minZ = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxZ = Number.NEGATIVE_INFINITY;
  for (let c = 0; c < polygons.x.length; c++) {
    minX = Math.min(minX, polygons.x[c]);
    maxX = Math.max(maxX, polygons.x[c]);
    minZ = Math.min(minZ, polygons.z[c]);
    maxZ = Math.max(maxZ, polygons.z[c]);
  }
  for (let size = cell; ; size *= 2) {
    const x = minX - Math.min(shift, size / 2);
    const z = minZ - Math.min(shift, size / 2);
    const width = Math.floor((maxX - x) / size) + 1;
    const height = Math.floor((maxZ - z) / size) + 1;
    if (width * height > 4 * count + 64) continue;
    const grid = { x, z, cell: size, width, height };
    const bins = fillBins(polygons, grid, width * height === 1 ? Number.POSITIVE_INFINITY : 8 * count + 64);
    if (bins !== null) return bins;
  }
}

/** Fills the grid, or null when there are more entries than allowed. Steps: entries times corners. */
export function fillBins(polygons: PlanPolygons, grid: BinGrid, most: number): Bins | null {
  const count = polygons.first.length - 1;
  const cells = grid.width * grid.height;
  const start = new Uint32Array(cells + 1);
  let entries = 0;
  for (let p = 0; p < count; p++) {
    const fits = touchedCells(polygons, p, grid, (row, from, to) => {
      entries += to - from + 1;
      if (entries > most) return false;
      for (let i = from; i <= to; i++) start[row * grid.width + i + 1]++;
      return true;
    });
    if (!fits) return null;
  }
  let longest = 0;
  for (let i = 0; i < cells; i++) {
    longest = Math.max(longest, start[i + 1]);
    start[i + 1] += start[i];
  }
  const list = new Uint32Array(entries);
  const next = start.slice(0, cells);
  for (let p = 0; p < count; p++) {
    touchedCells(polygons, p, grid, (row, from, to) => {
      for (let i = from; i <= to; i++) list[next[row * grid.width + i]++] = p;
      return true;
    });
  }
  return { grid, start, list, longest };
}
