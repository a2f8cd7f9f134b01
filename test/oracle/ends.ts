// Random rays on lattice maps: ends on vertices, on edges, inside triangles, a few outside; whole lines of coincidences.
import type { LatticeMap } from './lattice.ts';
import { between } from './random.ts';
import type { Point, Triangle } from './sight.ts';

/** An integer point: `onVertex` of them corners, the rest in a random triangle, `outside` anywhere in the bounds. */
export function randomPoint(map: LatticeMap, next: () => number, onVertex = 0.3, outside = 0.05): Point {
  const r = next();
  if (r < onVertex) return map.points[between(next, 0, map.points.length - 1)];
  if (r > 1 - outside) {
    return [between(next, map.bounds[0], map.bounds[2]), between(next, map.bounds[1], map.bounds[3])];
  }
  const t = map.triangles[between(next, 0, map.triangles.length - 1)];
  for (let tries = 0; tries < 40; tries++) {
    const p = [
      between(next, Math.min(t[0], t[2], t[4]), Math.max(t[0], t[2], t[4])),
      between(next, Math.min(t[1], t[3], t[5]), Math.max(t[1], t[3], t[5])),
    ] as const;
    if (holds(t, p)) return p;
  }
  return [t[0], t[1]];
}

function holds(t: Triangle, [px, pz]: Point): boolean {
  for (let k = 0; k < 6; k += 2) {
    const [ax, az, bx, bz] = [t[k], t[k + 1], t[(k + 2) % 6], t[(k + 3) % 6]];
    if (BigInt(bx - ax) * BigInt(pz - az) < BigInt(bz - az) * BigInt(px - ax)) return false;
  }
  return true;
}

export interface Ends {
  readonly from: Point[];
  readonly to: Point[];
}

function within(map: LatticeMap, p: Point, otherwise: Point): Point {
  const [x0, z0, x1, z1] = map.bounds;
  return p[0] >= x0 && p[0] <= x1 && p[1] >= z0 && p[1] <= z1 ? p : otherwise;
}

/**
 * `n` rays, ends drawn by randomPoint; a tenth aim beyond a corner, exactly over it, a tenth a unit beside one, a tenth
 * are within half a unit of an edge.
 */
export function randomEnds(map: LatticeMap, next: () => number, n: number): Ends {
  const from: Point[] = [];
  const to: Point[] = [];
  for (let i = 0; i < n; i++) {
    const s = randomPoint(map, next);
    let e = randomPoint(map, next);
    if (next() < 0.1) {
      const v = map.points[between(next, 0, map.points.length - 1)];
      const far = [2 * v[0] - s[0], 2 * v[1] - s[1]] as const;
      e = within(map, far, e);
    }
    if (next() < 0.1) {
      // A unit beside a corner: near misses.
      const v = map.points[between(next, 0, map.points.length - 1)];
      e = within(map, [v[0] + between(next, -1, 1), v[1] + between(next, -1, 1)], e);
    }
    if (next() < 0.1) {
      // The integer point nearest to some point of an edge: on it, or off it by a fraction.
      const t = map.triangles[between(next, 0, map.triangles.length - 1)];
      const f = next();
      e = [Math.round(t[0] + f * (t[2] - t[0])), Math.round(t[1] + f * (t[3] - t[1]))];
    }
    from.push(s);
    to.push(e);
  }
  return { from, to };
}
