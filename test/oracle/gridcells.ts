// The slow, exact answers to grid line of sight. By cells: every cell of the bounding box is cut with the segment in BigInt
// fractions. By crossings, for larger grids and checked against the first: all grid lines crossed, sorted by the exact
// parameter. Neither shares code or method with assembly/gridray.ts, which goes by rows.

const ONE = 1024n;

/** Whether a/b < c/d for positive denominators. */
function less(a: bigint, b: bigint, c: bigint, d: bigint): boolean {
  return a * d < c * b;
}

interface Visit {
  cx: bigint;
  cz: bigint;
  num: bigint;
  den: bigint;
}

function floorDiv(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a % b !== 0n && a < 0n ? q - 1n : q;
}

/** The share [lo, hi] of the segment with first <= coordinate <= first + 1 cell; undefined when empty. */
function slab(from: bigint, delta: bigint, cell: bigint): [bigint, bigint, bigint, bigint] | undefined {
  const low = cell * ONE;
  const high = low + ONE;
  if (delta === 0n) return from >= low && from < high ? [0n, 1n, 1n, 1n] : undefined;
  const [a, b, d] = delta > 0n ? [low - from, high - from, delta] : [from - high, from - low, -delta];
  return [a, d, b, d];
}

/**
 * The cells that a segment between positions in cells passes through, in order: the cell of each end, and every cell
 * that holds a piece of positive length (a piece along a grid line belongs to the half-open cell).
 */
export function cellsTouched(x0: number, z0: number, x1: number, z1: number): [number, number][] {
  const [ax, az, bx, bz] = [x0, z0, x1, z1].map((v) => BigInt(Math.floor(v * 1024))) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const [dx, dz] = [bx - ax, bz - az];
  const [cax, caz, cbx, cbz] = [ax, az, bx, bz].map((q) => floorDiv(q, ONE)) as [bigint, bigint, bigint, bigint];
  const visits: Visit[] = [];
  const [left, right] = cax < cbx ? [cax, cbx] : [cbx, cax];
  const [top, bottom] = caz < cbz ? [caz, cbz] : [cbz, caz];
  for (let cz = top; cz <= bottom; cz++) {
    for (let cx = left; cx <= right; cx++) {
      if (dx === 0n && dz === 0n) continue;
      const sx = slab(ax, dx, cx);
      const sz = slab(az, dz, cz);
      if (!sx || !sz) continue;
      let [ln, ld] = [0n, 1n];
      let [hn, hd] = [1n, 1n];
      for (const [a, b, c, d] of [sx, sz]) {
        if (less(ln, ld, a, b)) [ln, ld] = [a, b];
        if (less(c, d, hn, hd)) [hn, hd] = [c, d];
      }
      if (less(ln, ld, hn, hd)) visits.push({ cx, cz, num: ln, den: ld });
    }
  }
  // A full-length axis segment has slab [0/1, 1/1] in its own axis only; pieces of one line never overlap, so the
  // start orders them.
  visits.sort((p, q) => (less(p.num, p.den, q.num, q.den) ? -1 : less(q.num, q.den, p.num, p.den) ? 1 : 0));
  const cells: [number, number][] = [];
  const push = (cx: bigint, cz: bigint): void => {
    const last = cells.at(-1);
    if (!last || last[0] !== Number(cx) || last[1] !== Number(cz)) cells.push([Number(cx), Number(cz)]);
  };
  push(cax, caz);
  for (const v of visits) push(v.cx, v.cz);
  push(cbx, cbz);
  return cells;
}

/** Line of sight by definition: every touched cell walkable, and no diagonal step between two blocked cells. */
export function sightByCells(
  open: (cx: number, cz: number) => boolean,
  x0: number,
  z0: number,
  x1: number,
  z1: number,
): boolean {
  if (!open(Math.floor(x0), Math.floor(z0)) || !open(Math.floor(x1), Math.floor(z1))) return false;
  const cells = cellsTouched(x0, z0, x1, z1);
  return cells.every(([cx, cz], i) => {
    if (!open(cx, cz)) return false;
    const before = cells[i - 1];
    if (!before || before[0] === cx || before[1] === cz) return true;
    return open(before[0], cz) || open(cx, before[1]);
  });
}

/** The same, from the grid lines crossed: `along` each axis in order, merged by parameter; equal parameters are a corner. */
export function sightByCrossings(
  open: (cx: number, cz: number) => boolean,
  x0: number,
  z0: number,
  x1: number,
  z1: number,
): boolean {
  const [ax, az, bx, bz] = [x0, z0, x1, z1].map((v) => Math.floor(v * 1024));
  let [cx, cz] = [Math.floor(x0), Math.floor(z0)];
  if (!open(cx, cz) || !open(Math.floor(x1), Math.floor(z1))) return false;
  const xs = crossings(ax, bx);
  const zs = crossings(az, bz);
  const [wx, wz] = [Math.abs(bx - ax), Math.abs(bz - az)];
  const [sx, sz] = [Math.sign(bx - ax), Math.sign(bz - az)];
  for (let i = 0, j = 0; i < xs.length || j < zs.length; ) {
    // xs[i] / wx against zs[j] / wz; products of 2^25 are exact.
    const order = i === xs.length ? 1 : j === zs.length ? -1 : xs[i] * wz - zs[j] * wx;
    if (order === 0 && !open(cx + sx, cz) && !open(cx, cz + sz)) return false;
    if (order <= 0) {
      cx += sx;
      i++;
    }
    if (order >= 0) {
      cz += sz;
      j++;
    }
    if (!open(cx, cz)) return false;
  }
  return true;
}

/** Distances from `from` to the lines between its cell and the cell of `to`, in order. */
function crossings(from: number, to: number): number[] {
  const [a, b] = [Math.floor(from / 1024), Math.floor(to / 1024)];
  const lines: number[] = [];
  for (let line = a + 1; line <= b; line++) lines.push(line * 1024 - from);
  for (let line = a; line > b; line--) lines.push(from - line * 1024);
  return lines;
}
