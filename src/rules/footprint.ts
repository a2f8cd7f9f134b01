// The deck of a carrier in its own coordinates: a box, or a circle with a height. Pure; a leaf of rules/.

/** A carrier whose size was never told reaches this far from its position, metres. */
export const DEFAULT_RADIUS = 3;

/** Bounds in the carrier's coordinates, metres; with a radius the plan is the circle about its position, else the box. */
export interface Footprint {
  readonly minX: number;
  readonly minY: number;
  readonly minZ: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly maxZ: number;
  readonly radius: number;
}

/**
 * The footprint of a told size, metres: a radius; extents [x, z] or [x, y, z] about the position; or
 * [minX, minY, minZ, maxX, maxY, maxZ] from it. Null when it is none of these.
 */
export function footprintOf(size: unknown): Footprint | null {
  if (typeof size === 'number') return size >= 0 && size < Infinity ? around(size, size, size, size) : null;
  if (!Array.isArray(size) || !size.every((n) => Number.isFinite(n))) return null;
  const n = size as number[];
  if (n.length === 6) {
    if (n[0] > n[3] || n[1] > n[4] || n[2] > n[5]) return null;
    return { minX: n[0], minY: n[1], minZ: n[2], maxX: n[3], maxY: n[4], maxZ: n[5], radius: 0 };
  }
  if (n.some((extent) => extent < 0)) return null;
  if (n.length === 3) return around(n[0] / 2, n[1] / 2, n[2] / 2, 0);
  return n.length === 2 ? around(n[0] / 2, Math.max(n[0], n[1]) / 2, n[1] / 2, 0) : null;
}

function around(x: number, y: number, z: number, radius: number): Footprint {
  return { minX: -x, minY: -y, minZ: -z, maxX: x, maxY: y, maxZ: z, radius };
}

/** A footprint as a size that `footprintOf` takes. */
export function sizeOf(f: Footprint): number | number[] {
  return f.radius > 0 ? f.radius : [f.minX, f.minY, f.minZ, f.maxX, f.maxY, f.maxZ];
}

/** How far outside in the plan a place is, metres; 0 inside. */
export function outside(f: Footprint, x: number, z: number): number {
  if (f.radius > 0) return Math.max(0, Math.sqrt(x * x + z * z) - f.radius);
  const dx = Math.max(f.minX - x, 0, x - f.maxX);
  const dz = Math.max(f.minZ - z, 0, z - f.maxZ);
  return Math.sqrt(dx * dx + dz * dz);
}

/** The share (0..1) of the straight line from a place inside that lies inside; 0 from outside. */
export function insideShare(f: Footprint, ax: number, az: number, bx: number, bz: number): number {
  if (outside(f, ax, az) > 0) return 0;
  const dx = bx - ax;
  const dz = bz - az;
  if (f.radius > 0) {
    const square = dx * dx + dz * dz;
    if (square === 0) return 1;
    const along = ax * dx + az * dz;
    const root = along * along - square * (ax * ax + az * az - f.radius * f.radius);
    return Math.min(1, Math.max(0, (Math.sqrt(Math.max(0, root)) - along) / square));
  }
  let share = 1;
  if (dx > 0) share = Math.min(share, (f.maxX - ax) / dx);
  else if (dx < 0) share = Math.min(share, (f.minX - ax) / dx);
  if (dz > 0) share = Math.min(share, (f.maxZ - az) / dz);
  else if (dz < 0) share = Math.min(share, (f.minZ - az) / dz);
  return Math.max(0, share);
}
