// Standing points of any map, exactly on its grid of units, degenerate ones among them. For tests that move maps about.
import { H_ORIGIN_X, H_ORIGIN_Z, H_UNIT, MAP_BASE } from '../../assembly/layout.ts';
import type { NavMap } from '../../src/map.ts';
import { packPolygon } from '../../src/pack/view.ts';

export type Vec = [number, number, number];

/** Origin and unit of a map's grid. */
export function gridOf(map: NavMap): { x: number; z: number; unit: number } {
  const [x, z, unit] = [H_ORIGIN_X, H_ORIGIN_Z, H_UNIT].map((at) => map.kernel.f64(MAP_BASE + at, 1)[0]!);
  return { x: x!, z: z!, unit: unit! };
}

export interface Standing {
  readonly at: Vec;
  /** The same in units of the map's grid: exact integers. */
  readonly units: readonly [number, number];
}

/** Random standing points on grid points: in polygons (half of them chosen by area), on corners and on edges. */
export function gridPoints(map: NavMap, next: () => number): () => Standing {
  const grid = gridOf(map);
  const pack = map.toPack();
  const polygons = Array.from({ length: map.info.polygons }, (_, id) => packPolygon(pack, id).corners);
  const sums: number[] = [];
  let total = 0;
  for (const corners of polygons) {
    const [a] = corners;
    corners.slice(2).forEach((c, i) => {
      const b = corners[i + 1]!;
      total += Math.abs((b[0] - a![0]) * (c[2] - a![2]) - (b[2] - a![2]) * (c[0] - a![0]));
    });
    sums.push(total);
  }
  return () => {
    for (;;) {
      const area = next() * total;
      const corners = polygons[next() < 0.5 ? sums.findIndex((s) => s >= area) : Math.floor(next() * polygons.length)]!;
      const kind = next();
      const weights = corners.map(() => (kind < 0.2 ? 0 : next()));
      const first = Math.floor(next() * corners.length);
      if (kind < 0.1) weights[first] = 1;
      else if (kind < 0.2) {
        weights[first] = 0.5;
        weights[(first + 1) % corners.length] = 0.5;
      }
      const sum = weights.reduce((a, b) => a + b);
      const mean = [0, 1, 2].map((k) => corners.reduce((v, c, i) => v + (c[k]! * weights[i]!) / sum, 0));
      const units = [Math.round((mean[0]! - grid.x) / grid.unit), Math.round((mean[2]! - grid.z) / grid.unit)] as const;
      const [x, z] = [grid.x + units[0] * grid.unit, grid.z + units[1] * grid.unit];
      const on = map.locate([x, mean[1]!, z], { below: 1, above: 1, tolerance: 0 });
      if (on) return { at: [x, on.point[1], z], units };
    }
  };
}
