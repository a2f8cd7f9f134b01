// Line of sight on a walkability grid in plain JavaScript, twice: the walk as the paper writes it, and the fastest exact
// one that we know how to write. The better of the two is the peer of the grid cases. Imported by cases/grid.ts.
//
// Both follow the same rules as navguard: both ends walkable; a corner touched exactly is blocked only when both side
// cells are. Neither checks bounds per step: a monotone walk stays in the rectangle of its two cells.

/** A grid: width x height cells, rows of constant z, 1 = walkable. */
export interface Cells {
  readonly width: number;
  readonly height: number;
  readonly walkable: Uint8Array;
}

/** Amanatides & Woo 1987 in floating point: advance along the axis whose next grid line comes first. Cells. */
export function plainSight(grid: Cells, x0: number, z0: number, x1: number, z1: number): boolean {
  const { width, height, walkable } = grid;
  if (!(x0 >= 0 && x0 < width && z0 >= 0 && z0 < height)) return false;
  if (!(x1 >= 0 && x1 < width && z1 >= 0 && z1 < height)) return false;
  let x = Math.floor(x0);
  let z = Math.floor(z0);
  const endX = Math.floor(x1);
  const endZ = Math.floor(z1);
  if (walkable[z * width + x] === 0 || walkable[endZ * width + endX] === 0) return false;
  const dx = x1 - x0;
  const dz = z1 - z0;
  const stepX = dx < 0 ? -1 : 1;
  const stepZ = dz < 0 ? -1 : 1;
  const deltaX = Math.abs(1 / dx);
  const deltaZ = Math.abs(1 / dz);
  let maxX = dx === 0 ? Infinity : (dx < 0 ? x0 - x : x + 1 - x0) * deltaX;
  let maxZ = dz === 0 ? Infinity : (dz < 0 ? z0 - z : z + 1 - z0) * deltaZ;
  while (x !== endX || z !== endZ) {
    // Rounding may offer a line beyond the end's cell: the axis that has arrived steps no more.
    const goX = z === endZ || (x !== endX && maxX <= maxZ);
    const goZ = x === endX || (z !== endZ && maxZ <= maxX);
    if (goX && goZ) {
      if (walkable[z * width + x + stepX] === 0 && walkable[(z + stepZ) * width + x] === 0) return false;
    }
    if (goX) {
      x += stepX;
      maxX += deltaX;
    }
    if (goZ) {
      z += stepZ;
      maxZ += deltaZ;
    }
    if (walkable[z * width + x] === 0) return false;
  }
  return true;
}

/** Largest side that integerSight can take: products of 1/1024 cells stay within 31 bits. */
export const INTEGER_SIDE = 1024;

/**
 * The same walk on positions taken down to 1/1024 cell, in 32-bit integers: one comparison of cross-multiplied distances
 * decides a step, one addition updates it, the number of steps is known up front. |order| <= 2^30 between steps.
 */
export function integerSight(grid: Cells, x0: number, z0: number, x1: number, z1: number): boolean {
  const { width, height, walkable } = grid;
  if (!(x0 >= 0 && x0 < width && z0 >= 0 && z0 < height)) return false;
  if (!(x1 >= 0 && x1 < width && z1 >= 0 && z1 < height)) return false;
  const qx0 = (x0 * 1024) | 0;
  const qz0 = (z0 * 1024) | 0;
  const qx1 = (x1 * 1024) | 0;
  const qz1 = (z1 * 1024) | 0;
  const cx0 = qx0 >> 10;
  const cz0 = qz0 >> 10;
  const cx1 = qx1 >> 10;
  const cz1 = qz1 >> 10;
  let cell = (Math.imul(cz0, width) + cx0) | 0;
  if (walkable[cell] === 0 || walkable[(Math.imul(cz1, width) + cx1) | 0] === 0) return false;

  let stepX = 1;
  let dx = (qx1 - qx0) | 0;
  let steps = (cx1 - cx0) | 0;
  let ex = (((cx0 + 1) << 10) - qx0) | 0;
  if (dx < 0) {
    stepX = -1;
    dx = -dx | 0;
    steps = -steps | 0;
    ex = (qx0 - (cx0 << 10)) | 0;
  }
  let stepZ = width | 0;
  let dz = (qz1 - qz0) | 0;
  let stepsZ = (cz1 - cz0) | 0;
  let ez = (((cz0 + 1) << 10) - qz0) | 0;
  if (dz < 0) {
    stepZ = -width | 0;
    dz = -dz | 0;
    stepsZ = -stepsZ | 0;
    ez = (qz0 - (cz0 << 10)) | 0;
  }
  let order = (Math.imul(ex, dz) - Math.imul(ez, dx)) | 0;
  const orderX = dz << 10;
  const orderZ = dx << 10;
  while (steps !== 0 && stepsZ !== 0) {
    if (order < 0) {
      cell = (cell + stepX) | 0;
      order = (order + orderX) | 0;
      steps = (steps - 1) | 0;
    } else if (order > 0) {
      cell = (cell + stepZ) | 0;
      order = (order - orderZ) | 0;
      stepsZ = (stepsZ - 1) | 0;
    } else {
      if (walkable[cell + stepX] === 0 && walkable[cell + stepZ] === 0) return false;
      cell = (cell + stepX + stepZ) | 0;
      order = (order + orderX - orderZ) | 0;
      steps = (steps - 1) | 0;
      stepsZ = (stepsZ - 1) | 0;
    }
    if (walkable[cell] === 0) return false;
  }
  for (; steps !== 0; steps = (steps - 1) | 0) {
    cell = (cell + stepX) | 0;
    if (walkable[cell] === 0) return false;
  }
  for (; stepsZ !== 0; stepsZ = (stepsZ - 1) | 0) {
    cell = (cell + stepZ) | 0;
    if (walkable[cell] === 0) return false;
  }
  return true;
}
