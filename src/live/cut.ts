// One polygon of the map and the obstacles over it -> convex pieces, each inside or outside of each obstacle. Imported by
// obstacles.ts only. Pure: the same polygon and obstacles give the same pieces, whatever was there before.
//
// What makes neighbours fit: where obstacles meet an edge is decided by the edge, the obstacle and the two polygons alone
// (`edgePoints`), so both sides put in the same corners. They are grid points on the edge, taken outwards (where there are few, an
// edge bends by less than two units), so what is closed covers the obstacle: its part of a polygon is the hull of those points
// and the obstacle's own corners inside.
import { cutRing, doubleArea, isConvex, turn } from '../mesh/ring.ts';
import { hull, type Outline } from './shape.ts';
import { NoCut, next, previous, Triangles } from './triangles.ts';

/** Corners of a polygon record. */
const MOST_CORNERS = 8;

export interface Plan {
  readonly x: ArrayLike<number>;
  readonly z: ArrayLike<number>;
}

export interface Piece {
  readonly x: number[];
  readonly z: number[];
  /** Per edge: the polygon's edge that it is a part of, -1 = an inner one. */
  readonly rim: number[];
  /** Places in the list of obstacles whose ground it is. */
  readonly inside: number[];
}

/** Whether the insides of two convex polygons meet: no side of either has the other beyond it. Exact. */
export function overlap(a: Plan, b: Plan): boolean {
  return !parted(a, b) && !parted(b, a);
}

function parted(a: Plan, b: Plan): boolean {
  const n = a.x.length;
  for (let i = 0; i < n; i++) {
    const j = i + 1 < n ? i + 1 : 0;
    let beyond = true;
    for (let k = 0; k < b.x.length && beyond; k++) {
      if (turn(a.x[i], a.z[i], a.x[j], a.z[j], b.x[k], b.z[k]) > 0) beyond = false;
    }
    if (beyond) return true;
  }
  return false;
}

/** Grid points on an edge that lie farther apart than this (units) are not good enough. */
const COARSE = 128;

/**
 * Where an obstacle meets the edge from one corner to another: the two ends, in that order, of the stretch that it covers; null
 * when it covers none. Outwards to grid points exactly on the edge; where those are too far apart, to a grid point less than two
 * units beside it, inside the polygon to the left or the one to the right. The same points from both sides of the edge: `left`
 * and `right` (null: a wall) are the polygons beside it.
 */
export function edgePoints(
  ax: number,
  az: number,
  bx: number,
  bz: number,
  outline: Outline,
  left: Plan | null,
  right: Plan | null,
): [number, number][] | null {
  if (ax > bx || (ax === bx && az > bz)) return edgePoints(bx, bz, ax, az, outline, right, left)?.reverse() ?? null;
  let enter = 0;
  let leave = 1;
  const { x, z } = outline;
  for (let i = 0; i < x.length; i++) {
    const j = i + 1 < x.length ? i + 1 : 0;
    const sp = turn(x[i], z[i], x[j], z[j], ax, az);
    const sq = turn(x[i], z[i], x[j], z[j], bx, bz);
    if (sp < 0 && sq < 0) return null;
    if (sp < 0) enter = Math.max(enter, sp / (sp - sq));
    else if (sq < 0) leave = Math.min(leave, sp / (sp - sq));
  }
  // a corner of the obstacle on the edge may come out a rounding apart
  if (enter > leave + 1e-12) return null;
  const first = Math.min(enter, leave);
  const last = Math.max(enter, leave);
  const [dx, dz] = [bx - ax, bz - az];
  const steps = gcd(Math.abs(dx), Math.abs(dz));
  const on = (step: number): [number, number] => [ax + (dx / steps) * step, az + (dz / steps) * step];
  const exact = [on(Math.floor(first * steps)), on(Math.ceil(last * steps))];
  const square = dx * dx + dz * dz;
  if (square <= steps * steps * COARSE * COARSE) return exact;
  const beside = (t: number, fallback: [number, number]): [number, number] => {
    // a unit and a half outwards, so that rounding does not take it inwards
    const cx = ax + t * dx;
    const cz = az + t * dz;
    let best: [number, number] | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 9; k++) {
      const p: [number, number] = [Math.round(cx) + (k % 3) - 1, Math.round(cz) + Math.floor(k / 3) - 1];
      const along = (p[0] - ax) * dx + (p[1] - az) * dz;
      const away = (p[0] - cx) * (p[0] - cx) + (p[1] - cz) * (p[1] - cz);
      if (away >= least || along <= 0 || along >= square) continue;
      const side = turn(ax, az, bx, bz, p[0], p[1]);
      const within = side > 0 ? left : right;
      if (side !== 0 && (within === null || !strictlyInside(within, p[0], p[1]))) continue;
      best = p;
      least = away;
    }
    return best ?? fallback;
  };
  const more = 1.5 / Math.sqrt(square);
  return [
    first - more <= 0 ? [ax, az] : beside(first - more, exact[0]),
    last + more >= 1 ? [bx, bz] : beside(last + more, exact[1]),
  ];
}

function gcd(a: number, b: number): number {
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

/**
 * Cuts a convex polygon. `edgeLists[i]`: the obstacles that may put corners into edge i, those of the polygon across with
 * them; `beside[i]`: that polygon, null = a wall. null: nothing is to be cut, no corner to put in (only if `spare`). Throws `NoCut` when it does not come out.
 */
export function cutPolygon(
  polygon: Plan,
  obstacles: readonly Outline[],
  edgeLists: readonly (readonly Outline[])[],
  beside: readonly (Plan | null)[],
  spare: boolean,
): Piece[] | null {
  const n = polygon.x.length;
  const ringX: number[] = [];
  const ringZ: number[] = [];
  const rim: number[] = [];
  // Per obstacle: points of the rim that it covers.
  const covered = new Map<Outline, [number, number][]>();
  for (let i = 0; i < n; i++) {
    const j = i + 1 < n ? i + 1 : 0;
    const [ax, az, bx, bz] = [polygon.x[i], polygon.z[i], polygon.x[j], polygon.z[j]];
    const at: [number, number][] = [];
    for (const outline of edgeLists[i]) {
      const stretch = edgePoints(ax, az, bx, bz, outline, polygon, beside[i]);
      if (stretch === null) continue;
      at.push(...stretch);
      const list = covered.get(outline);
      if (list === undefined) covered.set(outline, stretch);
      else list.push(...stretch);
    }
    const along = ([px, pz]: readonly [number, number]): number => (px - ax) * (bx - ax) + (pz - az) * (bz - az);
    ringX.push(ax);
    ringZ.push(az);
    rim.push(i);
    let last = 0;
    for (const p of at.sort((u, v) => along(u) - along(v) || u[0] - v[0] || u[1] - v[1])) {
      if (along(p) <= last) {
        // of two beside each other one stands for both
        [p[0], p[1]] = [ringX[ringX.length - 1], ringZ[ringZ.length - 1]];
        continue;
      }
      if (p[0] === bx && p[1] === bz) continue;
      last = along(p);
      ringX.push(p[0]);
      ringZ.push(p[1]);
      rim.push(i);
    }
  }
  const hulls: Plan[] = [];
  const owner: number[] = [];
  obstacles.forEach((outline, k) => {
    const points = [...(covered.get(outline) ?? [])];
    for (let i = 0; i < outline.x.length; i++) {
      if (strictlyInside(polygon, outline.x[i], outline.z[i])) points.push([outline.x[i], outline.z[i]]);
    }
    for (let i = 0; i < n; i++) {
      if (holds(outline, polygon.x[i], polygon.z[i])) points.push([polygon.x[i], polygon.z[i]]);
    }
    const part = hull(points);
    if (part.x.length < 3) return;
    hulls.push(part);
    owner.push(k);
  });
  if (hulls.length === 0) {
    if (spare && ringX.length === n) return null;
    const straight = isConvex(ringX, ringZ, 0, ringX.length);
    if (straight && ringX.length <= MOST_CORNERS) return [{ x: ringX, z: ringZ, rim, inside: [] }];
    if (!straight) return filling(merge(new Triangles(ringX, ringZ), rim, [], []), ringX, ringZ);
    return cutRing(ringX, ringZ, MOST_CORNERS).map((places) => ({
      x: places.map((p) => ringX[p]),
      z: places.map((p) => ringZ[p]),
      rim: places.map((p, i) => (places[(i + 1) % places.length] === (p + 1) % ringX.length ? rim[p] : -1)),
      inside: [],
    }));
  }
  const mesh = new Triangles(ringX, ringZ);
  // a corner that an edge has bent over is left out: it lies less than two units from that edge
  const loops = hulls.map(({ x, z }) => Array.from(x, (v, i) => mesh.point(v, z[i])).filter((p) => p >= 0));
  for (const loop of loops) {
    for (let i = 0; i < loop.length; i++) {
      const [a, b] = [loop[i], loop[(i + 1) % loop.length]];
      // along one edge of the polygon the rim is there already, and may bend
      if (onOneEdge(rim, a, b)) continue;
      mesh.constrain(a, b);
    }
  }
  return filling(merge(mesh, rim, hulls, owner), ringX, ringZ);
}

/** The pieces, when they are what they must be. */
function filling(pieces: Piece[], ringX: number[], ringZ: number[]): Piece[] {
  let area = 0;
  for (const { x, z } of pieces) {
    if (!isConvex(x, z, 0, x.length)) throw new NoCut('a piece that is not convex');
    area += doubleArea(x, z, 0, x.length);
  }
  if (area !== doubleArea(ringX, ringZ, 0, ringX.length)) throw new NoCut('pieces that do not fill the polygon');
  return pieces;
}

/** Whether points a and b of the rim lie on one edge of the polygon, b farther along. */
function onOneEdge(rim: readonly number[], a: number, b: number): boolean {
  if (a >= rim.length || b >= rim.length) return false;
  const end = b === 0 ? rim.length : b;
  return end > a && rim[a] === rim[end - 1];
}

export function holds({ x, z }: Plan, px: number, pz: number): boolean {
  for (let i = 0; i < x.length; i++) {
    const j = i + 1 < x.length ? i + 1 : 0;
    if (turn(x[i], z[i], x[j], z[j], px, pz) < 0) return false;
  }
  return true;
}

export function strictlyInside({ x, z }: Plan, px: number, pz: number): boolean {
  for (let i = 0; i < x.length; i++) {
    const j = i + 1 < x.length ? i + 1 : 0;
    if (turn(x[i], z[i], x[j], z[j], px, pz) <= 0) return false;
  }
  return true;
}

/**
 * Joins triangles that are inside of the same obstacles while the union is convex and has few corners, the longest inner edges
 * first (Hertel and Mehlhorn 1983: any order leaves at most four times as many pieces as needed).
 */
function merge(mesh: Triangles, rim: readonly number[], hulls: readonly Plan[], owner: readonly number[]): Piece[] {
  const { corner, twin, fixed, x, z } = mesh;
  const count = corner.length;
  const labels: string[] = [];
  const insides: number[][] = [];
  for (let t = 0; t < count; t += 3) {
    const cx = x[corner[t]] + x[corner[t + 1]] + x[corner[t + 2]];
    const cz = z[corner[t]] + z[corner[t + 1]] + z[corner[t + 2]];
    const inside = owner.filter((_, k) => middleInside(hulls[k], cx, cz));
    insides.push(inside);
    labels.push(inside.join());
  }
  // Faces as rings of half-edges.
  const face = Int32Array.from({ length: count }, (_, h) => Math.floor(h / 3));
  const after = Int32Array.from({ length: count }, (_, h) => next(h));
  const before = Int32Array.from({ length: count }, (_, h) => previous(h));
  const size = new Int32Array(count / 3).fill(3);
  const inner: { h: number; length: number }[] = [];
  for (let h = 0; h < count; h++) {
    if (twin[h] <= h || fixed[h] || labels[face[h]] !== labels[face[twin[h]]]) continue;
    const [a, b] = [corner[h], corner[next(h)]];
    inner.push({ h, length: (x[b] - x[a]) ** 2 + (z[b] - z[a]) ** 2 });
  }
  inner.sort((p, q) => q.length - p.length || p.h - q.h);
  const bends = (h: number, g: number): boolean => {
    // from half-edge h on over half-edge g: to the left, or straight on
    const [a, b, c] = [corner[h], corner[g], corner[after[g]]];
    const side = mesh.side(a, b, c);
    return side > 0 || (side === 0 && (x[b] - x[a]) * (x[c] - x[b]) + (z[b] - z[a]) * (z[c] - z[b]) > 0);
  };
  const gone = new Uint8Array(count);
  for (const { h } of inner) {
    const g = twin[h];
    const [f, e] = [face[h], face[g]];
    if (f === e || size[f] + size[e] - 2 > MOST_CORNERS) continue;
    if (!bends(before[h], after[g]) || !bends(before[g], after[h])) continue;
    for (let k = after[g]; k !== g; k = after[k]) face[k] = f;
    const [ph, ng, pg, nh] = [before[h], after[g], before[g], after[h]];
    after[ph] = ng;
    before[ng] = ph;
    after[pg] = nh;
    before[nh] = pg;
    gone[h] = 1;
    gone[g] = 1;
    size[f] += size[e] - 2;
    size[e] = 0;
  }
  const pieces: Piece[] = [];
  const done = new Uint8Array(count / 3);
  for (let h = 0; h < count; h++) {
    if (gone[h] === 1 || done[face[h]] === 1) continue;
    done[face[h]] = 1;
    const piece: Piece = { x: [], z: [], rim: [], inside: insides[Math.floor(h / 3)] };
    let k = h;
    do {
      piece.x.push(x[corner[k]]);
      piece.z.push(z[corner[k]]);
      piece.rim.push(twin[k] < 0 ? rim[corner[k]] : -1);
      k = after[k];
    } while (k !== h);
    pieces.push(piece);
  }
  return pieces;
}

/** Whether a third of (cx, cz) is inside. */
function middleInside({ x, z }: Plan, cx: number, cz: number): boolean {
  for (let i = 0; i < x.length; i++) {
    const j = i + 1 < x.length ? i + 1 : 0;
    if (turn(3 * x[i], 3 * z[i], 3 * x[j], 3 * z[j], cx, cz) < 0) return false;
  }
  return true;
}
