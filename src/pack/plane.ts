// The plane that a detail mesh lies near, and how far it strays from it: heights are mostly judged by these four numbers.
// Imported by pack/ only: packing writes it, the check of foreign packs computes it again.

export interface Plane {
  /** Metres per unit, as stored in f32. */
  readonly slopeX: number;
  readonly slopeZ: number;
  /** Metres at the grid's origin. */
  readonly level: number;
  /** Metres: no height of the detail mesh, nor within four units of it in plan, strays farther. */
  readonly spread: number;
}

/** For heights beyond all reason: nothing is known, every answer looks the detail mesh up. */
const UNKNOWN: Plane = { slopeX: 0, slopeZ: 0, level: 0, spread: Number.POSITIVE_INFINITY };

/** Room for snapping: a height beside the triangles is that of the nearest rim, a few units away. */
const BESIDE_UNITS = 4;
/** Room for rounding in the kernels, metres. */
const ROUNDING = 1e-4;

/**
 * Least squares through the vertices x (units), y (metres), z (units), three numbers each from `from` to `to`, then centred so that the
 * largest deviations up and down are equal. A detail surface is linear between its vertices, so they bound it.
 */
export function planeOf(verts: ArrayLike<number>, from = 0, to: number = verts.length): Plane {
  const n = (to - from) / 3;
  let mx = 0;
  let my = 0;
  let mz = 0;
  for (let v = from; v < to; v += 3) {
    mx += verts[v] / n;
    my += verts[v + 1] / n;
    mz += verts[v + 2] / n;
  }
  let xx = 0;
  let xz = 0;
  let zz = 0;
  let xy = 0;
  let zy = 0;
  for (let v = from; v < to; v += 3) {
    const x = verts[v] - mx;
    const y = verts[v + 1] - my;
    const z = verts[v + 2] - mz;
    xx += x * x;
    xz += x * z;
    zz += z * z;
    xy += x * y;
    zy += z * y;
  }
  const det = xx * zz - xz * xz;
  const slopeX = det > 0 ? Math.fround((xy * zz - zy * xz) / det) : 0;
  const slopeZ = det > 0 ? Math.fround((zy * xx - xy * xz) / det) : 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let v = from; v < to; v += 3) {
    const rest = verts[v + 1] - (slopeX * verts[v] + slopeZ * verts[v + 2]);
    low = Math.min(low, rest);
    high = Math.max(high, rest);
  }
  const level = Math.fround(low + (high - low) / 2);
  const stray = Math.max(high - level, level - low);
  // Half a step of f32 more, so that storing it never makes it smaller.
  const spread = Math.fround(
    (stray + BESIDE_UNITS * (Math.abs(slopeX) + Math.abs(slopeZ)) + ROUNDING) * (1 + 2 ** -22),
  );
  return Number.isFinite(level) && Number.isFinite(slopeX) && Number.isFinite(slopeZ) && Number.isFinite(spread)
    ? { slopeX, slopeZ, level, spread }
    : UNKNOWN;
}
