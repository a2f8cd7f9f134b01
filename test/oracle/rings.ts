// Hand-made maps for tests: counter-clockwise rings of integers with heights, joined where they share an edge. Tiles make
// portals of the edges they share in part. Uses only the NavMesh type.
import { type NavMesh, PORTAL, WALL } from '../../src/mesh/navmesh.ts';
import type { Triangle, Wall } from './sight.ts';

export interface Ring {
  /** x, z pairs in integers, counter-clockwise. */
  readonly at: readonly number[];
  /** Height of the ring, or of each corner, metres (default 0). */
  readonly y?: number | readonly number[];
  /** Rings of different tiles join by portals (default tile 0). */
  readonly tile?: number;
}

export interface RingMap {
  readonly mesh: NavMesh;
  readonly rings: readonly Ring[];
  readonly walls: readonly Wall[];
  readonly triangles: readonly Triangle[];
}

const UNIT = 1 / 1024;

interface Edge {
  poly: number;
  corner: number;
  tile: number;
  a: readonly [number, number, number];
  b: readonly [number, number, number];
}

/** A map of rings; 1 integer = 1/1024 m. Same tile: edges join when both ends agree in x, y, z. */
export function ringMesh(rings: readonly Ring[], climb = 0.5): RingMap {
  const vertices: number[] = [];
  const number = new Map<string, number>();
  const corners: number[] = [];
  const first = [0];
  const edges: Edge[] = [];
  const triangles: Triangle[] = [];
  rings.forEach((ring, poly) => {
    const n = ring.at.length / 2;
    const tile = ring.tile ?? 0;
    const corner = (k: number): [number, number, number] => {
      const i = k % n;
      const y = typeof ring.y === 'object' ? ring.y[i] : (ring.y ?? 0);
      return [ring.at[2 * i], ring.at[2 * i + 1], y];
    };
    for (let k = 0; k < n; k++) {
      const [x, z, y] = corner(k);
      const key = `${tile}:${x},${z},${y}`;
      if (!number.has(key)) {
        number.set(key, vertices.length / 3);
        vertices.push(x * UNIT, y, z * UNIT);
      }
      edges.push({ poly, corner: corners.length, tile, a: corner(k), b: corner(k + 1) });
      corners.push(number.get(key)!);
    }
    for (let k = 1; k + 1 < n; k++) {
      const [a, b, c] = [corner(0), corner(k), corner(k + 1)];
      triangles.push([a[0], a[1], b[0], b[1], c[0], c[1]]);
    }
    first.push(corners.length);
  });

  const neighbours = new Int32Array(corners.length).fill(WALL);
  const links: [number, number][] = [];
  const walls: Wall[] = [];
  for (const e of edges) {
    const whole = edges.find((o) => o.tile === e.tile && `${o.a}` === `${e.b}` && `${o.b}` === `${e.a}`);
    if (whole) {
      neighbours[e.corner] = whole.poly;
      continue;
    }
    const covered: [number, number][] = [];
    for (const o of edges) {
      if (o.tile === e.tile) continue;
      const overlap = shared(e, o);
      if (!overlap) continue;
      neighbours[e.corner] = PORTAL;
      links.push([e.corner, o.poly]);
      covered.push(overlap);
    }
    // What no partner covers is wall.
    covered.sort((p, q) => p[0] - q[0]);
    let from = 0;
    const length = along(e, e.b);
    for (const [low, high] of [...covered, [length, length]]) {
      if (low > from) walls.push(cut(e, from, low));
      from = Math.max(from, high);
    }
  }
  links.sort((p, q) => p[0] - q[0] || p[1] - q[1]);

  const tileOf = rings.map((r) => r.tile ?? 0);
  const tiles = [...new Set(tileOf)].sort((p, q) => p - q);
  if (tileOf.some((t, i) => i > 0 && t < tileOf[i - 1])) throw new Error('rings must come tile by tile');
  const n = rings.length;
  const mesh: NavMesh = {
    format: `${n} rings`,
    tiles: tiles.map((t, i) => {
      const mine = corners
        .filter((_, c) => tileOf[polyOf(first, c)] === t)
        .map((v) => vertices.slice(3 * v, 3 * v + 3));
      const [xs, ys, zs] = [0, 1, 2].map((k) => mine.map((v) => v[k]));
      return {
        x: i,
        y: 0,
        layer: 0,
        polyBase: tileOf.indexOf(t),
        polyCount: tileOf.filter((u) => u === t).length,
        bounds: [
          Math.min(...xs),
          Math.min(...ys),
          Math.min(...zs),
          Math.max(...xs),
          Math.max(...ys),
          Math.max(...zs),
        ] as const,
      };
    }),
    lattice: { x: 0, z: 0, cell: UNIT },
    agent: { height: 2, radius: 0, climb },
    vertices: Float32Array.from(vertices),
    first: Uint32Array.from(first),
    corners: Uint32Array.from(corners),
    neighbours,
    portals: Uint32Array.from(links.flat()),
    areas: new Uint8Array(n),
    flags: new Uint16Array(n).fill(1),
    polyTile: Uint32Array.from(tileOf.map((t) => tiles.indexOf(t))),
    detailFirstVertex: new Uint32Array(n + 1),
    detailVertices: new Float32Array(0),
    detailFirstTriangle: new Uint32Array(n + 1),
    detailTriangles: new Uint8Array(0),
    links: [],
  };
  return { mesh, rings, walls, triangles };
}

function polyOf(first: readonly number[], corner: number): number {
  let p = 0;
  while (first[p + 1] <= corner) p++;
  return p;
}

/** Place of a point of e's line, in integers along its longer axis from its start. */
function along(e: Edge, p: readonly number[]): number {
  const k = Math.abs(e.b[0] - e.a[0]) >= Math.abs(e.b[1] - e.a[1]) ? 0 : 1;
  return Math.abs(p[k] - e.a[k]) * Math.sign((p[k] - e.a[k]) * (e.b[k] - e.a[k]));
}

function cut(e: Edge, from: number, to: number): Wall {
  const length = along(e, e.b);
  const at = (d: number, k: number) => e.a[k] + ((e.b[k] - e.a[k]) * d) / length;
  return [at(from, 0), at(from, 1), at(to, 0), at(to, 1)];
}

/** The part of e that edge o of another tile shares with it, running the other way, as an interval along e. */
function shared(e: Edge, o: Edge): [number, number] | null {
  const turn = (p: readonly number[]) => (e.b[0] - e.a[0]) * (p[1] - e.a[1]) - (e.b[1] - e.a[1]) * (p[0] - e.a[0]);
  if (turn(o.a) !== 0 || turn(o.b) !== 0) return null;
  const low = Math.max(along(e, o.b), 0);
  const high = Math.min(along(e, o.a), along(e, e.b));
  return low < high && along(e, o.b) < along(e, o.a) && o.a[2] === e.a[2] ? [low, high] : null;
}
