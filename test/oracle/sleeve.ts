// The shortest walk through one given sequence of convex polygons, by dynamic programming over the portals' ends: every
// pair of ends is joined when the straight piece between them crosses all portals in between, in order. Slow, exact in
// its decisions for integers below 2^20, and of no kin to the funnel: no deque, no turns, no order of advance.

export type Point = readonly [number, number];
/** Left and right end, seen when walking from the start to the target. */
export type Portal = readonly [Point, Point];

const turn = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** A rational number with positive denominator. */
interface Ratio {
  n: number;
  d: number;
}
const less = (p: Ratio, q: Ratio): boolean => BigInt(p.n) * BigInt(q.d) < BigInt(q.n) * BigInt(p.d);

/** Whether the straight piece u -> v meets the portals one after the other without turning back. */
function crosses(u: Point, v: Point, portals: readonly Portal[]): boolean {
  const dx = v[0] - u[0];
  const dz = v[1] - u[1];
  const along = (p: Point): number => (p[0] - u[0]) * dx + (p[1] - u[1]) * dz;
  if (dx === 0 && dz === 0) return portals.every(([l, r]) => turn(l, r, u) === 0 && within(l, r, u));
  let at: Ratio = { n: 0, d: 1 };
  const end: Ratio = { n: dx * dx + dz * dz, d: 1 };
  for (const [l, r] of portals) {
    const sl = turn(u, v, l);
    const sr = turn(u, v, r);
    if (sl < 0 || sr > 0) return false;
    let low: Ratio;
    let high: Ratio;
    if (sl === 0 && sr === 0) {
      const [a, b] = [along(l), along(r)];
      low = { n: Math.min(a, b), d: 1 };
      high = { n: Math.max(a, b), d: 1 };
    } else {
      low = { n: along(l) * -sr + along(r) * sl, d: sl - sr };
      high = low;
    }
    if (less(at, low)) at = low;
    if (less(high, at)) return false;
  }
  return !less(end, at);
}

function within(a: Point, b: Point, p: Point): boolean {
  return (p[0] - a[0]) * (p[0] - b[0]) + (p[1] - a[1]) * (p[1] - b[1]) <= 0;
}

/** Length of the shortest walk from s to e over the portals, all in the unit of the integers. */
export function sleeveLength(s: Point, e: Point, portals: readonly Portal[]): number {
  const stops: { p: Point; i: number; length: number }[] = [{ p: s, i: -1, length: 0 }];
  portals.forEach(([l, r], i) => {
    stops.push({ p: l, i, length: Infinity }, { p: r, i, length: Infinity });
  });
  stops.push({ p: e, i: portals.length, length: Infinity });
  stops.forEach((to, k) => {
    for (const from of stops.slice(0, k)) {
      if (from.i === to.i || !Number.isFinite(from.length)) continue;
      const length = from.length + Math.hypot(to.p[0] - from.p[0], to.p[1] - from.p[1]);
      if (length < to.length && crosses(from.p, to.p, portals.slice(from.i + 1, to.i))) to.length = length;
    }
  });
  return stops.at(-1)!.length;
}

/** A mesh of counter-clockwise rings, for the search below. */
export interface Surface {
  /** x, z pairs. */
  readonly rings: readonly (readonly number[])[];
  /** Per ring, per edge: the ring across it or -1. */
  readonly across: readonly (readonly number[])[];
}

/** Shortest walk over every simple sequence of polygons (at most `most`; undefined when there are more). */
export function shortestOverSequences(
  surface: Surface,
  starts: readonly number[],
  goals: readonly number[],
  s: Point,
  e: Point,
  most = 30_000,
): number | undefined {
  let best = Infinity;
  let tried = 0;
  const on = new Set<number>();
  const walk = (p: number, portals: Portal[]): boolean => {
    if (++tried > most) return false;
    if (goals.includes(p)) best = Math.min(best, sleeveLength(s, e, portals));
    on.add(p);
    const ring = surface.rings[p]!;
    const n = ring.length / 2;
    for (let i = 0; i < n; i++) {
      const q = surface.across[p]![i]!;
      if (q < 0 || on.has(q)) continue;
      const k = (i + 1) % n;
      const right: Point = [ring[2 * i]!, ring[2 * i + 1]!];
      const left: Point = [ring[2 * k]!, ring[2 * k + 1]!];
      if (!walk(q, [...portals, [left, right]])) return false;
    }
    on.delete(p);
    return true;
  };
  return starts.every((p) => walk(p, [])) ? best : undefined;
}
