// A navmesh of tiles in plain objects, as Detour means it: what the writers of MSET's family write and what must be read
// back. And random ones. Shares no code with the readers.
import type { NavMesh } from '../../../src/mesh/navmesh.ts';
import { between, random } from '../../oracle/random.ts';

export type Point = readonly [number, number, number];

export interface PlainPoly {
  /** Vertex numbers of the tile, 3..6. */
  readonly corners: readonly number[];
  /** Across each edge: 0 a wall, n + 1 the polygon n, 0x8000 | side a border. */
  readonly neis: readonly number[];
  readonly area: number;
  readonly flags: number;
  /** Extra vertices of the detail mesh, and its triangles: below the corner count a corner, else an extra vertex. */
  readonly extra: readonly Point[];
  readonly triangles: readonly (readonly [number, number, number])[];
}

export interface PlainConnection {
  readonly from: Point;
  readonly to: Point;
  readonly radius: number;
  readonly bidirectional: boolean;
  /** 0..7 towards a neighbour, null inside the tile. */
  readonly side: number | null;
  readonly userId: number;
  readonly area: number;
  readonly flags: number;
}

export interface PlainTile {
  readonly x: number;
  readonly y: number;
  readonly layer: number;
  readonly bmin: Point;
  readonly bmax: Point;
  readonly verts: readonly Point[];
  readonly polys: readonly PlainPoly[];
  readonly connections: readonly PlainConnection[];
  /** Leaves of a BV tree: polygon numbers; none = no tree. */
  readonly leaves: readonly number[];
}

export interface PlainSet {
  readonly orig: Point;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly cell: number;
  readonly agent: { readonly height: number; readonly radius: number; readonly climb: number };
  readonly tiles: readonly PlainTile[];
}

/**
 * A random set: a grid of tiles, each cut into a grid of quads with cells of 32-bit-exact size; some quads are triangles
 * or left out; heights, areas, flags, detail vertices and off-mesh connections at random.
 */
export function randomSet(seed: number): PlainSet {
  const next = random(seed);
  const cell = [0.25, 0.5, 0.125][between(next, 0, 2)];
  const side = between(next, 1, 4);
  const step = cell * between(next, 2, 8);
  const width = side * step;
  const [columns, rows] = [between(next, 1, 4), between(next, 1, 3)];
  const orig: Point = [between(next, -64, 64) * cell, between(next, -5, 5), between(next, -64, 64) * cell];
  const heights = new Map<string, number>();
  const height = (i: number, k: number) => {
    const key = `${i},${k}`;
    const known = heights.get(key) ?? between(next, 0, 6) / 8;
    heights.set(key, known);
    return known;
  };
  const present = new Map<string, boolean>();
  const isThere = (i: number, k: number) => {
    if (i < 0 || k < 0 || i >= columns * side || k >= rows * side) return false;
    const key = `${i},${k}`;
    // The first quad of each tile is always there: a tile without polygons is a case of its own.
    const known = present.get(key) ?? ((i % side === 0 && k % side === 0) || next() < 0.8);
    present.set(key, known);
    return known;
  };
  const at = (i: number, k: number): Point => [orig[0] + i * step, orig[1] + height(i, k), orig[2] + k * step];
  const tiles: PlainTile[] = [];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const verts: Point[] = [];
      const numbers = new Map<string, number>();
      const vertex = (i: number, k: number) => {
        const key = `${i},${k}`;
        let v = numbers.get(key);
        if (v === undefined) {
          v = verts.length;
          numbers.set(key, v);
          verts.push(at(i, k));
        }
        return v;
      };
      const quads: [number, number][] = [];
      for (let k = y * side; k < (y + 1) * side; k++) {
        for (let i = x * side; i < (x + 1) * side; i++) if (isThere(i, k)) quads.push([i, k]);
      }
      const numberOf = (i: number, k: number) => quads.findIndex(([a, b]) => a === i && b === k) + 1;
      const nei = (i: number, k: number, border: number) => {
        const inside = Math.floor(i / side) === x && Math.floor(k / side) === y && i >= 0 && k >= 0;
        if (inside) return numberOf(i, k);
        return isThere(i, k) ? 0x8000 | border : 0;
      };
      const polys = quads.map(([i, k]): PlainPoly => {
        const corners = [vertex(i, k), vertex(i, k + 1), vertex(i + 1, k + 1), vertex(i + 1, k)];
        const extra: Point[] =
          next() < 0.4 ? [[orig[0] + (i + 0.5) * step, orig[1] + 0.5, orig[2] + (k + 0.5) * step]] : [];
        const triangles: [number, number, number][] =
          extra.length === 0
            ? [
                [0, 1, 2],
                [0, 2, 3],
              ]
            : [
                [0, 1, 4],
                [1, 2, 4],
                [2, 3, 4],
                [3, 0, 4],
              ];
        // Sides of Detour: 0 = +x, 2 = +z, 4 = -x, 6 = -z.
        const neis = [nei(i - 1, k, 4), nei(i, k + 1, 2), nei(i + 1, k, 0), nei(i, k - 1, 6)];
        return { corners, neis, area: between(next, 0, 63), flags: between(next, 0, 0xffff), extra, triangles };
      });
      const connections: PlainConnection[] = [];
      for (let n = between(next, 0, 2); n > 0; n--) {
        const place = (): Point => {
          const [i, k] = quads[between(next, 0, quads.length - 1)];
          return [orig[0] + (i + 0.5) * step, orig[1] + 0.25, orig[2] + (k + 0.5) * step];
        };
        connections.push({
          from: place(),
          to: place(),
          radius: [0.25, 0.5, 0.6][between(next, 0, 2)],
          bidirectional: next() < 0.5,
          side: next() < 0.3 ? between(next, 0, 7) : null,
          userId: Math.floor(next() * 2 ** 32),
          area: between(next, 0, 63),
          flags: between(next, 0, 0xffff),
        });
      }
      tiles.push({
        x,
        y,
        layer: 0,
        bmin: [orig[0] + x * width, orig[1] - 1, orig[2] + y * width],
        bmax: [orig[0] + (x + 1) * width, orig[1] + 2, orig[2] + (y + 1) * width],
        verts,
        polys,
        connections,
        leaves: next() < 0.7 ? polys.map((_, p) => p) : [],
      });
    }
  }
  const agent = {
    height: between(next, 10, 25) / 10,
    radius: between(next, 0, 9) / 10,
    climb: between(next, 1, 9) / 10,
  };
  return { orig, tileWidth: width, tileHeight: width, cell, agent, tiles };
}

/** The mesh that a set spells, without portals. */
export function plainMesh(set: PlainSet, format: string): NavMesh {
  const vertices: number[] = [];
  const [first, corners, neighbours, areas, flags, polyTile]: number[][] = [[0], [], [], [], [], []];
  const [detailFirstVertex, detailVertices, detailFirstTriangle, detailTriangles]: number[][] = [[0], [], [0], []];
  const links: NavMesh['links'][number][] = [];
  const tiles: NavMesh['tiles'][number][] = [];
  set.tiles.forEach((tile, t) => {
    const polyBase = areas.length;
    const vertBase = vertices.length / 3;
    const bounds = [...tile.bmin, ...tile.bmax].map(Math.fround) as unknown as NavMesh['tiles'][number]['bounds'];
    tiles.push({ x: tile.x, y: tile.y, layer: tile.layer, polyBase, polyCount: tile.polys.length, bounds });
    vertices.push(...tile.verts.flat());
    for (const poly of tile.polys) {
      corners.push(...poly.corners.map((v) => vertBase + v));
      neighbours.push(...poly.neis.map((n) => (n === 0 ? -1 : n & 0x8000 ? -2 : polyBase + n - 1)));
      first.push(corners.length);
      areas.push(poly.area);
      flags.push(poly.flags);
      polyTile.push(t);
      detailVertices.push(...poly.extra.flat());
      detailFirstVertex.push(detailVertices.length / 3);
      detailTriangles.push(...poly.triangles.flat());
      detailFirstTriangle.push(detailTriangles.length / 3);
    }
    for (const { side: _, from, to, ...link } of tile.connections) {
      links.push({ ...link, from: rounded(from), to: rounded(to), tile: t });
    }
  });
  return {
    format,
    tiles,
    lattice: { x: Math.fround(set.orig[0]), z: Math.fround(set.orig[2]), cell: set.cell },
    agent: set.agent,
    vertices: Float32Array.from(vertices),
    first: Uint32Array.from(first),
    corners: Uint32Array.from(corners),
    neighbours: Int32Array.from(neighbours),
    portals: new Uint32Array(0),
    areas: Uint8Array.from(areas),
    flags: Uint16Array.from(flags),
    polyTile: Uint32Array.from(polyTile),
    detailFirstVertex: Uint32Array.from(detailFirstVertex),
    detailVertices: Float32Array.from(detailVertices),
    detailFirstTriangle: Uint32Array.from(detailFirstTriangle),
    detailTriangles: Uint8Array.from(detailTriangles),
    links,
  };
}

function rounded(point: Point): Point {
  return [Math.fround(point[0]), Math.fround(point[1]), Math.fround(point[2])];
}
