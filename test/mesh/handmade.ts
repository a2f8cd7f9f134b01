// Small NavMesh values by hand: rings in lattice cells, neighbours found by shared corners, portals named by polygon pair.
import { type NavLink, type NavMesh, PORTAL, WALL } from '../../src/mesh/navmesh.ts';

export interface Ring {
  /** x, y, z triples in cells (y in metres). */
  corners: readonly (readonly [number, number, number])[];
  tile?: number;
}

export interface Extra {
  /**
   * Pairs of polygons that the export links: over the edges that run along the other's bounds; over all edges when none
   * does (an export that is wrong).
   */
  portals?: readonly (readonly [number, number])[];
  cell?: number;
  noLattice?: boolean;
  origin?: readonly [number, number];
  climb?: number;
  links?: readonly NavLink[];
}

/** Corners at equal places of one tile are one vertex; edges of one tile that run against each other are neighbours. */
export function meshOf(rings: readonly Ring[], extra: Extra = {}): NavMesh {
  const cell = extra.cell ?? 0.25;
  const [ox, oz] = extra.origin ?? [0, 0];
  const vertices: number[] = [];
  const known = new Map<string, number>();
  const first = [0];
  const corners: number[] = [];
  for (const ring of rings) {
    for (const [x, y, z] of ring.corners) {
      const key = `${ring.tile ?? 0}|${x},${y},${z}`;
      let v = known.get(key);
      if (v === undefined) {
        v = vertices.length / 3;
        known.set(key, v);
        vertices.push(ox + x * cell, y, oz + z * cell);
      }
      corners.push(v);
    }
    first.push(corners.length);
  }
  const edges = new Map<string, number>();
  const edgeOf = (p: number, c: number) => {
    const next = c + 1 === first[p + 1] ? first[p] : c + 1;
    return [corners[c], corners[next]];
  };
  rings.forEach((_, p) => {
    for (let c = first[p]; c < first[p + 1]; c++) edges.set(edgeOf(p, c).join(), p);
  });
  /** Whether edge c runs along ring q's bounds for more than a little. */
  const beside = (p: number, c: number, q: number) => {
    const [a, b] = edgeOf(p, c);
    const slack = 0.1;
    let long = 0;
    for (const axis of [0, 2]) {
      const from = Math.min(vertices[3 * a + axis], vertices[3 * b + axis]) / cell;
      const to = Math.max(vertices[3 * a + axis], vertices[3 * b + axis]) / cell;
      const other = rings[q].corners.map((corner) => corner[axis] + [ox, 0, oz][axis] / cell);
      const common = Math.min(to, Math.max(...other)) - Math.max(from, Math.min(...other));
      if (common < -slack) return false;
      long = Math.max(long, common);
    }
    return long > slack;
  };
  const neighbours = corners.map(() => WALL);
  const portals: [number, number][] = [];
  rings.forEach((_, p) => {
    for (let c = first[p]; c < first[p + 1]; c++) {
      const across = edges.get(edgeOf(p, c).reverse().join());
      if (across !== undefined && across !== p) {
        neighbours[c] = across;
        continue;
      }
      for (const [a, b] of extra.portals ?? []) {
        if (a !== p && b !== p) continue;
        const q = a === p ? b : a;
        const own = Array.from({ length: first[p + 1] - first[p] }, (_, i) => first[p] + i);
        if (own.some((e) => beside(p, e, q)) && !beside(p, c, q)) continue;
        neighbours[c] = PORTAL;
        portals.push([c, q]);
      }
    }
  });
  portals.sort((s, t) => s[0] - t[0] || s[1] - t[1]);
  const n = rings.length;
  const tiles = Math.max(...rings.map((ring) => ring.tile ?? 0)) + 1;
  return {
    format: 'by hand',
    tiles: Array.from({ length: tiles }, (_, x) => ({
      x,
      y: 0,
      layer: 0,
      polyBase: Math.max(
        0,
        rings.findIndex((ring) => (ring.tile ?? 0) === x),
      ),
      polyCount: rings.filter((ring) => (ring.tile ?? 0) === x).length,
      bounds: [0, 0, 0, 0, 0, 0] as const,
    })),
    lattice: { x: ox, z: oz, cell: extra.noLattice ? 0 : cell },
    agent: { height: 2, radius: 0.4, climb: extra.climb ?? 0.4 },
    vertices: Float32Array.from(vertices),
    first: Uint32Array.from(first),
    corners: Uint32Array.from(corners),
    neighbours: Int32Array.from(neighbours),
    portals: Uint32Array.from(portals.flat()),
    areas: new Uint8Array(n),
    flags: new Uint16Array(n).fill(1),
    polyTile: Uint32Array.from(rings, (ring) => ring.tile ?? 0),
    detailFirstVertex: new Uint32Array(n + 1),
    detailVertices: new Float32Array(0),
    detailFirstTriangle: new Uint32Array(n + 1),
    detailTriangles: new Uint8Array(0),
    links: extra.links ?? [],
  };
}

/** An axis-aligned rectangle, clockwise in plan like Recast's. */
export function box(x0: number, z0: number, x1: number, z1: number, tile = 0, y = 0): Ring {
  return {
    tile,
    corners: [
      [x0, y, z0],
      [x0, y, z1],
      [x1, y, z1],
      [x1, y, z0],
    ],
  };
}
