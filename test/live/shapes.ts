// Obstacles by plain geometry, for tests: shares nothing with the subject. Metres.
import type { ObstacleShape } from '../../src/types.ts';
import { between } from '../oracle/random.ts';

/** A random obstacle whose base stands at y. */
export function randomShape(next: () => number, x: number, y: number, z: number): ObstacleShape {
  const r = 0.15 + next() * 1.4;
  if (next() < 0.4) return { cylinder: [x, y, z, r, 0.5 + next()] };
  const w = 0.1 + next() * 1.2;
  const box = [x - r, y, z - w, x + r, y + 0.5 + next(), z + w];
  // often square to the map, as crates are
  if (next() < 0.5) return { box };
  return { box: [...box, between(next, 0, 3) * 0.5 + next()] };
}

/** Plan distance between a segment and the shape itself, not grown: 0 when they meet. */
export function shapeDistance(
  shape: ObstacleShape,
  a: readonly [number, number],
  b: readonly [number, number],
): number {
  if (shape.cylinder !== undefined) {
    const [x, , z, r] = shape.cylinder as [number, number, number, number];
    return Math.max(0, toSegment(x, z, a, b) - r);
  }
  const [x0, , z0, x1, , z1, yaw = 0] = shape.box as [number, number, number, number, number, number, number?];
  const [mx, mz, w, h] = [(x0 + x1) / 2, (z0 + z1) / 2, (x1 - x0) / 2, (z1 - z0) / 2];
  const turned = ([px, pz]: readonly [number, number]): [number, number] => {
    const [dx, dz] = [px - mx, pz - mz];
    return [dx * Math.cos(yaw) + dz * Math.sin(yaw), dz * Math.cos(yaw) - dx * Math.sin(yaw)];
  };
  const [s, e] = [turned(a), turned(b)];
  // the part of the segment inside both slabs
  let [from, to] = [0, 1];
  for (const [p, q, half] of [
    [s[0], e[0], w],
    [s[1], e[1], h],
  ] as const) {
    const d = q - p;
    if (d === 0) {
      if (Math.abs(p) > half) to = -1;
      continue;
    }
    from = Math.max(from, Math.min((-half - p) / d, (half - p) / d));
    to = Math.min(to, Math.max((-half - p) / d, (half - p) / d));
  }
  if (from <= to) return 0;
  const toBox = ([px, pz]: readonly [number, number]): number =>
    Math.hypot(Math.max(0, Math.abs(px) - w), Math.max(0, Math.abs(pz) - h));
  let least = Math.min(toBox(s), toBox(e));
  for (const [cx, cz] of [
    [w, h],
    [w, -h],
    [-w, h],
    [-w, -h],
  ] as const)
    least = Math.min(least, toSegment(cx, cz, s, e));
  return least;
}

function toSegment(x: number, z: number, a: readonly [number, number], b: readonly [number, number]): number {
  const [dx, dz] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dz * dz;
  const t = square === 0 ? 0 : Math.min(1, Math.max(0, ((x - a[0]) * dx + (z - a[1]) * dz) / square));
  return Math.hypot(a[0] + t * dx - x, a[1] + t * dz - z);
}
