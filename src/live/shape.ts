// What an obstacle covers: a convex outline on the integer grid and a range of heights. Imported by obstacles.ts. The outline
// holds the shape grown by the radius of who walks, because a navmesh says where the middle of a body may be.
import { NavguardError } from '../errors.ts';
import { turn } from '../mesh/ring.ts';
import type { ObstacleShape } from '../types.ts';

/** Convex, counter-clockwise, units; and the heights (m) at which a floor is covered: `low` < floor < `high`. */
export interface Outline {
  readonly x: readonly number[];
  readonly z: readonly number[];
  readonly low: number;
  readonly high: number;
}

export interface Frame {
  readonly originX: number;
  readonly originZ: number;
  readonly unit: number;
  readonly radius: number;
  readonly height: number;
}

/** Corners of the outline of a round thing: at most 3.6 % of its radius too much. */
const ROUND = 12;
/** Metres: what a map of 2^25 units may hold, and no number that overflows. */
const FAR = 1e6;

/**
 * Reads a shape. A grown box has eight corners, its own cut off square to their halves; a cylinder has twelve: circumscribed.
 * Throws `BAD_ARGUMENT`.
 */
export function outlineOf(id: string | number, shape: ObstacleShape, frame: Frame): Outline {
  const fail = (expected: string, got: unknown): never => {
    throw new NavguardError(
      'BAD_ARGUMENT',
      `block ${id}: expected ${expected}, got ${JSON.stringify(got) ?? String(got)}`,
      {
        id,
      },
    );
  };
  if (typeof shape !== 'object' || shape === null) fail('{ box } or { cylinder }', shape);
  for (const name of Object.keys(shape)) {
    if (name !== 'box' && name !== 'cylinder' && name !== 'grow') fail('box, cylinder or grow', name);
  }
  const { box, cylinder, grow = true } = shape;
  if ((box === undefined) === (cylinder === undefined)) fail('box or cylinder, one of them', shape);
  const numbers = (box ?? cylinder)!;
  const good = Array.isArray(numbers) && [...numbers].every((v) => typeof v === 'number' && Math.abs(v) <= FAR);
  if (!good) fail('a list of finite numbers of metres', numbers);
  const by = typeof grow === 'number' ? grow : grow === true ? frame.radius : grow === false ? 0 : Number.NaN;
  if (!(by >= 0 && by <= FAR)) fail('grow to be true, false or metres', grow);
  if (box !== undefined) {
    const [x0, y0, z0, x1, y1, z1, yaw = 0] = box;
    const right = (box.length === 6 || box.length === 7) && x0 < x1 && y0 < y1 && z0 < z1;
    if (!right) fail('box to be [minX, minY, minZ, maxX, maxY, maxZ], or with a yaw', box);
    const ring = boxRing((x1 - x0) / 2, (z1 - z0) / 2, by + frame.unit);
    return onGrid(ring, (x0 + x1) / 2, (z0 + z1) / 2, yaw, y0, y1, frame);
  }
  const [x, y, z, radius, height] = cylinder!;
  if (!(cylinder!.length === 5 && radius > 0 && height > 0)) fail('cylinder to be [x, y, z, radius, height]', cylinder);
  const reach = (radius + by + frame.unit) / Math.cos(Math.PI / ROUND);
  const ring: [number, number][] = [];
  for (let k = 0; k < ROUND; k++) {
    const angle = (2 * Math.PI * (k + 0.5)) / ROUND;
    ring.push([reach * Math.cos(angle), reach * Math.sin(angle)]);
  }
  return onGrid(ring, x, z, 0, y, y + height, frame);
}

/** A rectangle grown by r: its sides moved out by r, and at each corner one more side at distance r. */
function boxRing(w: number, h: number, r: number): [number, number][] {
  const cut = r * (2 - Math.SQRT2);
  const [x, z] = [w + r, h + r];
  return [
    [x, cut - z],
    [x, z - cut],
    [x - cut, z],
    [cut - x, z],
    [-x, z - cut],
    [-x, cut - z],
    [cut - x, -z],
    [x - cut, -z],
  ];
}

function onGrid(
  ring: readonly (readonly [number, number])[],
  mx: number,
  mz: number,
  yaw: number,
  base: number,
  top: number,
  { originX, originZ, unit, height }: Frame,
): Outline {
  const cos = Math.cos(yaw);
  const sin = Math.sin(yaw);
  const points = ring.map(([px, pz]): [number, number] => [
    Math.round((mx + px * cos - pz * sin - originX) / unit),
    Math.round((mz + px * sin + pz * cos - originZ) / unit),
  ]);
  const { x, z } = hull(points);
  return { x, z, low: base - height, high: top };
}

/** Convex hull without corners on a line, counter-clockwise (Andrew's monotone chain); exact. */
export function hull(points: readonly (readonly [number, number])[]): { x: number[]; z: number[] } {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const ring: (readonly [number, number])[] = [];
  for (const half of [sorted, [...sorted].reverse()]) {
    const from = ring.length;
    for (const p of half) {
      while (ring.length - from >= 2) {
        const a = ring[ring.length - 2];
        const b = ring[ring.length - 1];
        if (turn(a[0], a[1], b[0], b[1], p[0], p[1]) > 0) break;
        ring.pop();
      }
      ring.push(p);
    }
    ring.pop();
  }
  return { x: ring.map((p) => p[0]), z: ring.map((p) => p[1]) };
}
