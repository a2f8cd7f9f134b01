// Who sees whom, by brute force: closed-set visibility of integer points over walls and triangles. Slow, exact, and of no
// kin to the ray walk: no links, no polygons, no order. Integers up to 2^24, determinants in BigInt when asked.

export type Point = readonly [number, number];
export type Wall = readonly [number, number, number, number];
export type Triangle = readonly [number, number, number, number, number, number];

/** What the oracle reads: every wall (walkable side on the left) and walkable counter-clockwise triangles. */
export interface SightScene {
  readonly walls: readonly Wall[];
  readonly triangles: readonly Triangle[];
}

/** Sign of the turn a, b, c: 1 left, -1 right, 0 straight. */
export type Turn = (ax: number, az: number, bx: number, bz: number, cx: number, cz: number) => number;

/** Exact while coordinates stay below 2^20: products below 2^42. */
export const smallTurn: Turn = (ax, az, bx, bz, cx, cz) => Math.sign((bx - ax) * (cz - az) - (bz - az) * (cx - ax));

/** Exact for any integers. */
export const bigTurn: Turn = (ax, az, bx, bz, cx, cz) => {
  const [x, z] = [BigInt(ax), BigInt(az)];
  const det = (BigInt(bx) - x) * (BigInt(cz) - z) - (BigInt(bz) - z) * (BigInt(cx) - x);
  return det > 0n ? 1 : det < 0n ? -1 : 0;
};

/** As bigTurn for integers below 2^52, and mostly without it: float64 decides where its rounding cannot. */
export const filteredTurn: Turn = (ax, az, bx, bz, cx, cz) => {
  const one = (bx - ax) * (cz - az);
  const two = (bz - az) * (cx - ax);
  const det = one - two;
  return Math.abs(det) > (Math.abs(one) + Math.abs(two)) * 2 ** -50 ? Math.sign(det) : bigTurn(ax, az, bx, bz, cx, cz);
};

function inTriangle(t: Triangle, factor: number, px: number, pz: number, turn: Turn): boolean {
  const [ax, az, bx, bz, cx, cz] = t.map((v) => v * factor);
  return turn(ax, az, bx, bz, px, pz) >= 0 && turn(bx, bz, cx, cz, px, pz) >= 0 && turn(cx, cz, ax, az, px, pz) >= 0;
}

/** Whether the closed walkable set holds a point given in integers times `factor`. */
export function walkable(scene: SightScene, px: number, pz: number, factor: number, turn: Turn): boolean {
  return scene.triangles.some((t) => inTriangle(t, factor, px, pz, turn));
}

/**
 * Whether the closed segment S-E lies in the closed walkable set without passing through a pinch, a point where two fans
 * of triangles touch only by that point. One floor. Sides: no wall is crossed properly; then only the pieces between
 * walls' ends on the segment are in question, and the middle of a piece tells for all of it.
 */
export function sees(scene: SightScene, s: Point, e: Point, turn: Turn = smallTurn): boolean {
  const [sx, sz] = s;
  const [ex, ez] = e;
  if (!walkable(scene, sx, sz, 1, turn) || !walkable(scene, ex, ez, 1, turn)) return false;
  if (sx === ex && sz === ez) return true;
  const on = new Map<string, Point>();
  for (const [ax, az, bx, bz] of scene.walls) {
    const a = turn(sx, sz, ex, ez, ax, az);
    const b = turn(sx, sz, ex, ez, bx, bz);
    if (a * b < 0 && turn(ax, az, bx, bz, sx, sz) * turn(ax, az, bx, bz, ex, ez) < 0) return false;
    if (a === 0 && between(s, e, ax, az)) on.set(`${ax},${az}`, [ax, az]);
    if (b === 0 && between(s, e, bx, bz)) on.set(`${bx},${bz}`, [bx, bz]);
  }
  on.delete(`${sx},${sz}`);
  on.delete(`${ex},${ez}`);
  const along = (p: Point) => Math.abs(p[0] - sx) + Math.abs(p[1] - sz);
  const stops = [s, ...[...on.values()].sort((p, q) => along(p) - along(q)), e];
  for (let i = 1; i < stops.length; i++) {
    const [p, q] = [stops[i - 1], stops[i]];
    if (!walkable(scene, p[0] + q[0], p[1] + q[1], 2, turn)) return false;
  }
  for (let i = 1; i < stops.length - 1; i++) {
    if (!sameFan(scene, stops[i - 1], stops[i], stops[i + 1], turn)) return false;
  }
  return true;
}

/** Whether a closed convex counter-clockwise ring holds a point. */
export function ringHolds(ring: readonly number[], p: Point, turn: Turn = smallTurn): boolean {
  for (let k = 0; k < ring.length; k += 2) {
    const n = (k + 2) % ring.length;
    if (turn(ring[k], ring[k + 1], ring[n], ring[n + 1], p[0], p[1]) < 0) return false;
  }
  return true;
}

/**
 * Whether the points just beside S towards E lie in triangles that hang together around S with those of a ring that holds
 * S: where fans touch only by S, who stands in the ring is in one of them.
 */
export function startsIn(
  scene: SightScene,
  ring: readonly number[],
  s: Point,
  e: Point,
  turn: Turn = smallTurn,
): boolean {
  if (s[0] === e[0] && s[1] === e[1]) return true;
  const around = scene.triangles.filter((t) => inTriangle(t, 1, s[0], s[1], turn));
  const middle = (t: Triangle): Point => [t[0] + t[2] + t[4], t[1] + t[3] + t[5]];
  const group = around.filter((t) =>
    ringHolds(
      ring.map((v) => 3 * v),
      middle(t),
      turn,
    ),
  );
  for (let grown = true; grown; ) {
    grown = false;
    for (const t of around) {
      if (!group.includes(t) && group.some((g) => shareSideOver(g, t, s, turn))) {
        group.push(t);
        grown = true;
      }
    }
  }
  return group.some((t) => holdsBeside(t, e, s, turn));
}

/** Whether two triangles share a whole side that holds v. */
function shareSideOver(a: Triangle, b: Triangle, v: Point, turn: Turn): boolean {
  for (let i = 0; i < 6; i += 2) {
    for (let j = 0; j < 6; j += 2) {
      const [ax, az, bx, bz] = [a[i], a[i + 1], a[(i + 2) % 6], a[(i + 3) % 6]];
      if (ax !== b[(j + 2) % 6] || az !== b[(j + 3) % 6] || bx !== b[j] || bz !== b[j + 1]) continue;
      if (turn(ax, az, bx, bz, v[0], v[1]) === 0 && between([ax, az], [bx, bz], v[0], v[1])) return true;
    }
  }
  return false;
}

function between(s: Point, e: Point, px: number, pz: number): boolean {
  return (
    Math.min(s[0], e[0]) <= px && px <= Math.max(s[0], e[0]) && Math.min(s[1], e[1]) <= pz && pz <= Math.max(s[1], e[1])
  );
}

/** Whether the pieces before and after v lie in triangles that hang together around v by edges ending in v. */
function sameFan(scene: SightScene, before: Point, v: Point, after: Point, turn: Turn): boolean {
  const around = scene.triangles.filter((t) => inTriangle(t, 1, v[0], v[1], turn));

  const group = around.filter((t) => holdsBeside(t, before, v, turn));
  for (let grown = true; grown; ) {
    grown = false;
    for (const t of around) {
      if (!group.includes(t) && group.some((g) => shareRayFrom(g, t, v))) {
        group.push(t);
        grown = true;
      }
    }
  }
  return group.some((t) => holdsBeside(t, after, v, turn));
}

/** Whether triangle t, which holds v, also holds the points just beside v towards p. */
function holdsBeside(t: Triangle, p: Point, v: Point, turn: Turn): boolean {
  for (let k = 0; k < 6; k += 2) {
    const [ax, az] = [t[k], t[k + 1]];
    const [bx, bz] = [t[(k + 2) % 6], t[(k + 3) % 6]];
    // Only the sides through v can cut off its neighbourhood.
    if (turn(ax, az, bx, bz, v[0], v[1]) === 0 && turn(ax, az, bx, bz, p[0], p[1]) < 0) return false;
  }
  return true;
}

/** Whether two triangles share a whole side that ends in v, or holds v. */
function shareRayFrom(a: Triangle, b: Triangle, v: Point): boolean {
  for (let i = 0; i < 6; i += 2) {
    for (let j = 0; j < 6; j += 2) {
      const [ax, az, bx, bz] = [a[i], a[i + 1], a[(i + 2) % 6], a[(i + 3) % 6]];
      const [cx, cz, dx, dz] = [b[j], b[j + 1], b[(j + 2) % 6], b[(j + 3) % 6]];
      if (ax !== dx || az !== dz || bx !== cx || bz !== cz) continue;
      if ((ax === v[0] && az === v[1]) || (bx === v[0] && bz === v[1])) return true;
    }
  }
  return false;
}
