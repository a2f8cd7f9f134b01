// Honest walks for players of a load: from each place where a server puts newcomers along the map's own shortest ways and
// back again, for ever. Made once; players only look up where they are. Imported by bench/serve/ and the server's tests.
import type { NavMap } from '../../src/map.ts';
import { spawnPoints } from '../../src/serve/index.ts';
import type { Vec3 } from '../../src/types.ts';

/** Between two points of a route, ms. */
const STEP_MS = 50;

/** A walk to and fro. */
export class Route {
  readonly #xyz: Float64Array;
  readonly #n: number;

  constructor(points: readonly Vec3[]) {
    this.#xyz = Float64Array.from(points.flat());
    this.#n = points.length;
  }

  /** Where a player is that has walked for so long: written to `out`. */
  at(walkedMs: number, out: { x: number; y: number; z: number }): void {
    const xyz = this.#xyz;
    const last = this.#n - 1;
    const s = Math.max(0, walkedMs / STEP_MS) % (2 * last);
    const place = s <= last ? s : 2 * last - s;
    const i = Math.min(last - 1, Math.floor(place));
    const f = place - i;
    out.x = xyz[3 * i] + (xyz[3 * i + 3] - xyz[3 * i]) * f;
    out.y = xyz[3 * i + 1] + (xyz[3 * i + 4] - xyz[3 * i + 1]) * f;
    out.z = xyz[3 * i + 2] + (xyz[3 * i + 5] - xyz[3 * i + 2]) * f;
  }
}

/** A route from each of a server's places, by `keyOf` the place. At nine tenths of the speed. */
export function routesOf(map: NavMap, speed: number): Map<string, Route> {
  const places = spawnPoints(map);
  const step = (0.9 * speed * STEP_MS) / 1000;
  const routes = new Map<string, Route>();
  places.forEach((from, i) => {
    const points: Vec3[] = [from];
    let at = from;
    for (let k = 1; k < places.length && points.length < 400; k++) {
      const { status, corners } = map.shortest(at, places[(i + 7 * k) % places.length]);
      if (status !== 'complete' || corners.length < 2) continue;
      for (const corner of corners.slice(1)) walk(map, points, corner, step);
      at = points[points.length - 1];
    }
    routes.set(keyOf(from), new Route(points));
  });
  return routes;
}

/** Names a place. */
export function keyOf([x, y, z]: Vec3): string {
  return `${x} ${y} ${z}`;
}

function walk(map: NavMap, points: Vec3[], to: Vec3, step: number): void {
  for (;;) {
    const [x, y, z] = points[points.length - 1];
    const left = Math.hypot(to[0] - x, to[2] - z);
    if (left < step) return;
    const f = step / left;
    const next: Vec3 = [x + (to[0] - x) * f, y + (to[1] - y) * f, z + (to[2] - z) * f];
    const ground = map.locate(next, { below: 2, above: 2 });
    points.push(ground === null ? next : [next[0], ground.point[1], next[2]]);
  }
}
