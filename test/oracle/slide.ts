// Sliding along walls in fractions, without any rounding: from event to event, every event looked up anew among all walls
// and triangles. Slow; shares no code and no method with the kernel (no links, no polygons, no grid).
import type { Point, SightScene, Triangle } from './sight.ts';

/** A fraction with a positive denominator. */
type Q = readonly [bigint, bigint];

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
function q(n: bigint, d: bigint): Q {
  const g = gcd(n, d < 0n ? -d : d) || 1n;
  return d < 0n ? [-n / g, -d / g] : [n / g, d / g];
}
const add = (a: Q, b: Q): Q => q(a[0] * b[1] + b[0] * a[1], a[1] * b[1]);
const mul = (a: Q, b: Q): Q => q(a[0] * b[0], a[1] * b[1]);
const sub = (a: Q, b: Q): Q => add(a, [-b[0], b[1]]);
const div = (a: Q, b: Q): Q => q(a[0] * b[1], a[1] * b[0]);
const sign = (a: Q): number => (a[0] > 0n ? 1 : a[0] < 0n ? -1 : 0);
const less = (a: Q, b: Q): boolean => a[0] * b[1] < b[0] * a[1];
const whole = (v: number): Q => [BigInt(v), 1n];
const value = (a: Q): number => {
  // Scaled division: numerators and denominators outgrow float64.
  const shift = 1n << 40n;
  return Number((a[0] * shift) / a[1]) / 2 ** 40;
};

type V = readonly [Q, Q];
const cross = (a: V, b: V): Q => sub(mul(a[0], b[1]), mul(a[1], b[0]));
const dot = (a: V, b: V): Q => add(mul(a[0], b[0]), mul(a[1], b[1]));
const minus = (a: V, b: V): V => [sub(a[0], b[0]), sub(a[1], b[1])];
const v = (x: number, z: number): V => [whole(x), whole(z)];

function corners(t: Triangle): [V, V, V] {
  return [v(t[0], t[1]), v(t[2], t[3]), v(t[4], t[5])];
}

/** Whether points just beside s in direction g are walkable. */
function free(triangles: readonly [V, V, V][], s: V, g: V): boolean {
  return triangles.some((t) =>
    t.every((a, k) => {
      const side = minus(t[(k + 1) % 3], a);
      const where = sign(cross(side, minus(s, a)));
      return where > 0 || (where === 0 && sign(cross(side, g)) >= 0);
    }),
  );
}

export interface Slid {
  /** The end, in integers' scale. */
  readonly end: readonly [number, number];
  readonly length: number;
  /** Directions taken along walls, in a row on one line counted once. */
  readonly slides: number;
  /** Why it ended. */
  readonly word: 'time' | 'stuck' | 'tie';
  /** The smallest share of its speed that a slide kept: roundings in time grow by its inverse. */
  readonly slowest: number;
  /** Points where the direction was looked up. */
  readonly events: readonly (readonly [number, number])[];
}

/** The motion d from s, both integers; s must be walkable. */
export function slideExactly(scene: SightScene, from: Point, by: Point): Slid {
  const all = scene.triangles.map(corners);
  const walls = scene.walls.map((w) => [v(w[0], w[1]), v(w[2], w[3])] as const);
  const d = v(by[0], by[1]);
  const full = Math.hypot(by[0], by[1]);
  let s = v(from[0], from[1]);
  let left: Q = [1n, 1n];
  let length = 0;
  let slides = 0;
  let slowest = 1;
  let line: V | undefined;
  const events: [number, number][] = [];
  const done = (word: Slid['word']): Slid => ({
    end: [value(s[0]), value(s[1])],
    length,
    slides,
    word,
    slowest,
    events,
  });
  for (;;) {
    events.push([value(s[0]), value(s[1])]);
    let g = d;
    // Time that the displacement g takes.
    let time: Q = [1n, 1n];
    if (!free(all, s, d)) {
      let best: V | undefined;
      let bestCos: Q = [0n, 1n];
      let tie = false;
      for (const [a, b] of walls) {
        const u = minus(b, a);
        if (sign(cross(u, minus(s, a))) !== 0 || sign(dot(minus(s, a), minus(s, b))) > 0) continue;
        for (const way of [u, minus(a, b)]) {
          const forth = dot(d, way);
          if (sign(forth) <= 0 || !free(all, s, way)) continue;
          const cos = div(mul(forth, forth), dot(way, way));
          if (!best || less(bestCos, cos)) {
            [best, bestCos, tie] = [way, cos, false];
          } else if (!less(cos, bestCos) && sign(cross(best, way)) !== 0) tie = true;
        }
      }
      if (tie) return done('tie');
      if (!best) return done('stuck');
      g = best;
      time = div(dot(g, g), dot(d, g));
      if (!line || sign(cross(line, g)) !== 0 || sign(dot(line, g)) < 0) slides++;
      line = g;
      slowest = Math.min(slowest, Math.sqrt(value(bestCos)) / full);
    }
    // The nearest point ahead where the line meets a wall.
    let next: Q | undefined;
    const take = (l: Q) => {
      if (sign(l) > 0 && (!next || less(l, next))) next = l;
    };
    for (const [a, b] of walls) {
      const ca = sign(cross(g, minus(a, s)));
      const cb = sign(cross(g, minus(b, s)));
      if (ca === 0) take(div(dot(minus(a, s), g), dot(g, g)));
      if (cb === 0) take(div(dot(minus(b, s), g), dot(g, g)));
      if (ca * cb < 0) take(div(cross(minus(a, s), minus(b, a)), cross(g, minus(b, a))));
    }
    const last = div(left, time);
    const ends = !next || !less(next, last);
    const step = ends ? last : next!;
    s = [add(s[0], mul(g[0], step)), add(s[1], mul(g[1], step))];
    length += Math.hypot(value(mul(g[0], step)), value(mul(g[1], step)));
    left = sub(left, mul(step, time));
    if (ends) return done('time');
  }
}

/** Corner points where two or more fans of triangles touch only by that point. */
export function pinches(scene: SightScene): Point[] {
  // Around a point of one fan there are no walls or two ends of walls.
  const ends = new Map<string, number>();
  for (const [ax, az, bx, bz] of scene.walls) {
    for (const key of [`${ax},${az}`, `${bx},${bz}`]) ends.set(key, (ends.get(key) ?? 0) + 1);
  }
  return [...ends].filter(([, n]) => n > 2).map(([key]) => key.split(',').map(Number) as unknown as Point);
}
