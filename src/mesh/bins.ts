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

/** Touched cells: polygon by polygon, row by row, one span of cells each. */
interface Spans {
  /** Numbers of the first and last cell of each span, two entries a span. */
  readonly cells: Uint32Array;
  /** Where each polygon's spans begin, one more at the end. */
  readonly first: Uint32Array;
  readonly entries: number;
}

const FAR = 0x7fffffff;

/**
 * For each polygon and each row of cells that it touches, its first and last touched cell; null as soon as there are more
 * than `most` cells in all. Cells are closed: a polygon that only touches a cell's side is in it. Within one row a convex
 * polygon's extent in x is reached at a corner inside the row's band or where an edge crosses a side of the band: a fraction
 * whose floor is taken exactly. Steps: corners, and the rows that each edge crosses.
 */
function touchedSpans({ first, x, z }: PlanPolygons, grid: BinGrid, most: number): Spans | null {
  const { cell, width, height } = grid;
  // Distances from the grid's corner are whole numbers below 2^31: a shift is an exact floor.
  const shift = 31 - Math.clz32(cell);
  const count = first.length - 1;
  // Touched cells of each row of the polygon at hand.
  const low = new Int32Array(height);
  const high = new Int32Array(height);
  const begin = new Uint32Array(count + 1);
  let cells = new Uint32Array(8 * count + 64);
  let at = 0;
  let entries = 0;
  for (let p = 0; p < count; p++) {
    const a0 = first[p];
    const end = first[p + 1];
    let near = Number.POSITIVE_INFINITY;
    let far = Number.NEGATIVE_INFINITY;
    for (let c = a0; c < end; c++) {
      if (z[c] < near) near = z[c];
      if (z[c] > far) far = z[c];
    }
    const firstRow = Math.max(0, (near - grid.z - 1) >> shift);
    const lastRow = Math.min(height - 1, (far - grid.z) >> shift);
    for (let row = firstRow; row <= lastRow; row++) {
      low[row] = FAR;
      high[row] = -FAR;
    }
    for (let c = a0; c < end; c++) {
      const d = c + 1 === end ? a0 : c + 1;
      const xc = x[c] - grid.x;
      const zc = z[c] - grid.z;
      const zd = z[d] - grid.z;
      // The corner is in the band of its row, and on a line in the one before as well.
      const left = (xc - 1) >> shift;
      const right = xc >> shift;
      const top = zc >> shift;
      for (let row = (zc - 1) >> shift; row <= top; row++) {
        if (row < firstRow || row > lastRow) continue;
        if (left < low[row]) low[row] = left;
        if (right > high[row]) high[row] = right;
      }
      // Lines strictly between the two ends. Crossing at xc + (line - zc) (xd - xc) / (zd - zc); whole part and remainder
      // are kept apart.
      const lastLine = Math.min(lastRow + 1, (Math.max(zc, zd) - 1) >> shift);
      const deep = Math.abs(zd - zc);
      const wide = x[d] - x[c];
      for (let k = Math.max(firstRow, (Math.min(zc, zd) >> shift) + 1); k <= lastLine; k++) {
        const along = wide * Math.abs(k * cell - zc);
        const whole = floorDiv(along, deep);
        const place = xc + whole;
        const to = place >> shift;
        const from = along - whole * deep === 0 ? (place - 1) >> shift : to;
        if (k > firstRow) {
          if (from < low[k - 1]) low[k - 1] = from;
          if (to > high[k - 1]) high[k - 1] = to;
        }
        if (k <= lastRow) {
          if (from < low[k]) low[k] = from;
          if (to > high[k]) high[k] = to;
        }
      }
    }
    for (let row = firstRow; row <= lastRow; row++) {
      const from = Math.max(low[row], 0);
      const to = high[row] < width ? high[row] : width - 1;
      if (from > to) continue;
      entries += to - from + 1;
      if (entries > most) return null;
      if (at === cells.length) {
        const more = new Uint32Array(2 * at);
        more.set(cells);
        cells = more;
      }
      cells[at] = row * width + from;
      cells[at + 1] = row * width + to;
      at += 2;
    }
    begin[p + 1] = at;
  }
  return { cells, first: begin, entries };
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
  const { x: xs, z: zs } = polygons;
  for (let c = 0; c < xs.length; c++) {
    if (xs[c] < minX) minX = xs[c];
    if (xs[c] > maxX) maxX = xs[c];
    if (zs[c] < minZ) minZ = zs[c];
    if (zs[c] > maxZ) maxZ = zs[c];
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

/** Fills the grid, or null when there are more entries than allowed. Steps: entries, and the corners and rows of edges. */
export function fillBins(polygons: PlanPolygons, grid: BinGrid, most: number): Bins | null {
  const spans = touchedSpans(polygons, grid, most);
  if (spans === null) return null;
  const { cells: touched, first, entries } = spans;
  const count = polygons.first.length - 1;
  const cells = grid.width * grid.height;
  const start = new Uint32Array(cells + 1);
  for (let k = 0; k < first[count]; k += 2) for (let i = touched[k]; i <= touched[k + 1]; i++) start[i + 1]++;
  let longest = 0;
  for (let i = 0; i < cells; i++) {
    if (start[i + 1] > longest) longest = start[i + 1];
    start[i + 1] += start[i];
  }
  const list = new Uint32Array(entries);
  const next = start.slice(0, cells);
  for (let p = 0; p < count; p++) {
    for (let k = first[p]; k < first[p + 1]; k += 2) {
      for (let i = touched[k]; i <= touched[k + 1]; i++) list[next[i]++] = p;
    }
  }
  return { grid, start, list, longest };
}
