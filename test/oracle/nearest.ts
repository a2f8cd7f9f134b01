// Point location by brute force over every polygon: which rings hold a point, how high they are, how far they lie.
import type { Ring } from './rings.ts';
import { bigTurn, type Point } from './sight.ts';

function corners(ring: Ring): Point[] {
  const out: Point[] = [];
  for (let k = 0; k < ring.at.length; k += 2) out.push([ring.at[k], ring.at[k + 1]]);
  return out;
}

/** Whether the closed ring (counter-clockwise, convex) holds an integer point. */
export function ringHolds(ring: Ring, p: Point): boolean {
  const c = corners(ring);
  return c.every((a, i) => {
    const b = c[(i + 1) % c.length];
    return bigTurn(a[0], a[1], b[0], b[1], p[0], p[1]) >= 0;
  });
}

/** Height of a flat ring or of a triangle's plane (by its gradient) at a plan point, metres. */
export function ringHeight(ring: Ring, p: Point): number {
  if (typeof ring.y !== 'object') return ring.y ?? 0;
  if (ring.y.length !== 3) throw new Error('only triangles have one plane');
  const [a, b, c] = corners(ring);
  const [ya, yb, yc] = ring.y;
  const [ux, uz, uy] = [b[0] - a[0], b[1] - a[1], yb - ya];
  const [vx, vz, vy] = [c[0] - a[0], c[1] - a[1], yc - ya];
  const det = ux * vz - uz * vx;
  const gx = (uy * vz - vy * uz) / det;
  const gz = (ux * vy - vx * uy) / det;
  return ya + gx * (p[0] - a[0]) + gz * (p[1] - a[1]);
}

/** Plan distance of a real point (integers' scale) to the closed ring; 0 inside. */
export function ringDistance(ring: Ring, px: number, pz: number): number {
  const c = corners(ring);
  const crossings = c.map((a, i) => {
    const b = c[(i + 1) % c.length];
    return (b[0] - a[0]) * (pz - a[1]) - (b[1] - a[1]) * (px - a[0]);
  });
  if (crossings.every((d) => d >= 0)) return 0;
  return Math.min(...c.map((a, i) => segmentDistance(a, c[(i + 1) % c.length], px, pz)));
}

function segmentDistance(a: Point, b: Point, px: number, pz: number): number {
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  const [tx, tz] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
  const along = (px - a[0]) * tx + (pz - a[1]) * tz;
  if (along <= 0) return Math.hypot(px - a[0], pz - a[1]);
  if (along >= length) return Math.hypot(px - b[0], pz - b[1]);
  return Math.abs((px - a[0]) * tz - (pz - a[1]) * tx);
}
