// Random small maps on an integer lattice where coincidences are the rule: many collinear points, pinches, T-free shared
// edges. For tests of conform, pack and the kernels; oracles read the plain integer arrays. Uses only the NavMesh type.
import { type NavMesh, WALL } from '../../src/mesh/navmesh.ts';
import { between, random } from './random.ts';

export interface LatticeOptions {
  /** Cells in x and z. */
  w: number;
  h: number;
  seed: number;
  /** Share of blocked cells, 0..1 (default 0.3). */
  blocked?: number;
  /** Lattice spacing in integers before scaling (default 3). */
  spacing?: number;
  /** Each vertex moves by up to this many integers in x and z; below spacing / 2 (default 1). */
  jitter?: number;
  /** Every integer is multiplied by this (default 1). */
  scale?: number;
  /** Each vertex moves by up to this many integers after scaling too: near misses at full magnitude (default 0). */
  fine?: number;
  /** Added after scaling. */
  offset?: readonly [number, number];
  /** Merge neighbouring pieces while the union stays convex and has at most this many corners (default: no merging). */
  merge?: number;
  /** Plan winding of the mesh's polygons; Recast's are clockwise (x to z), the default. */
  counterClockwise?: boolean;
  /** Height of a lattice vertex from its integers, metres (default 0). */
  height?: (x: number, z: number) => number;
}

export interface LatticeMap {
  readonly mesh: NavMesh;
  /** Metres per integer: exactly 1/1024. Position = integer / 1024, exact in f32 and f64. */
  readonly unit: number;
  /** Counter-clockwise rings of integer x, z pairs, one per polygon of the mesh. */
  readonly rings: readonly (readonly number[])[];
  /** Walls as ax, az, bx, bz with the walkable side on the left. */
  readonly walls: readonly (readonly [number, number, number, number])[];
  /** Walkable triangles ax, az, bx, bz, cx, cz, counter-clockwise. */
  readonly triangles: readonly (readonly [number, number, number, number, number, number])[];
  /** Integer corner points, no repeats. */
  readonly points: readonly (readonly [number, number])[];
  /** Bounds in integers: minX, minZ, maxX, maxZ. */
  readonly bounds: readonly [number, number, number, number];
}

const UNIT = 1 / 1024;

/** A jittered lattice of w x h cells, some blocked, each free cell cut into two triangles, optionally merged. */
export function latticeMesh(options: LatticeOptions): LatticeMap {
  const { w, h, seed } = options;
  const blocked = options.blocked ?? 0.3;
  const spacing = options.spacing ?? 3;
  const jitter = options.jitter ?? 1;
  const scale = options.scale ?? 1;
  const fine = options.fine ?? 0;
  const [offX, offZ] = options.offset ?? [0, 0];
  const next = random(seed);
  // No draw where nothing is moved: seeds keep their maps.
  const nudge = (): number => (fine === 0 ? 0 : between(next, -fine, fine));
  const vx: number[] = [];
  const vz: number[] = [];
  for (let j = 0; j <= h; j++) {
    for (let i = 0; i <= w; i++) {
      vx.push((i * spacing + between(next, -jitter, jitter)) * scale + offX + nudge());
      vz.push((j * spacing + between(next, -jitter, jitter)) * scale + offZ + nudge());
    }
  }
  const turn = (a: number, b: number, c: number) =>
    (vx[b] - vx[a]) * (vz[c] - vz[a]) - (vz[b] - vz[a]) * (vx[c] - vx[a]);

  // Counter-clockwise rings of vertex numbers.
  const rings: (number[] | null)[] = [];
  for (let j = 0; j < h; j++) {
    for (let i = 0; i < w; i++) {
      if (next() < blocked) continue;
      const a = j * (w + 1) + i;
      const b = a + 1;
      const c = b + w + 1;
      const d = a + w + 1;
      const halves: [number[], number[]][] = [
        [
          [a, b, c],
          [a, c, d],
        ],
        [
          [b, c, d],
          [b, d, a],
        ],
      ];
      if (next() < 0.5) halves.reverse();
      const good = halves.find((pair) => pair.every(([p, q, r]) => turn(p, q, r) > 0));
      // A cell too bent to be cut is left blocked.
      if (good) rings.push(...good);
    }
  }
  const triangles = rings.map((ring) => {
    const [a, b, c] = ring!;
    return [vx[a], vz[a], vx[b], vz[b], vx[c], vz[c]] as const;
  });
  if (options.merge !== undefined) mergeRings(rings, options.merge, turn, next);
  const kept = rings.filter((ring) => ring !== null);

  const owner = new Map<string, number>();
  kept.forEach((ring, p) => {
    ring.forEach((a, k) => {
      owner.set(`${a},${ring[(k + 1) % ring.length]}`, p);
    });
  });
  const walls: [number, number, number, number][] = [];
  for (const ring of kept) {
    ring.forEach((a, k) => {
      const b = ring[(k + 1) % ring.length];
      if (!owner.has(`${b},${a}`)) walls.push([vx[a], vz[a], vx[b], vz[b]]);
    });
  }

  const first = [0];
  const corners: number[] = [];
  const neighbours: number[] = [];
  for (const ring of kept) {
    const order = options.counterClockwise ? ring : [...ring].reverse();
    order.forEach((a, k) => {
      const b = order[(k + 1) % order.length];
      const across = options.counterClockwise ? owner.get(`${b},${a}`) : owner.get(`${a},${b}`);
      corners.push(a);
      neighbours.push(across ?? WALL);
    });
    first.push(corners.length);
  }
  const height = options.height ?? (() => 0);
  const vertices = new Float32Array(vx.length * 3);
  for (let v = 0; v < vx.length; v++) {
    vertices[3 * v] = vx[v] * UNIT;
    vertices[3 * v + 1] = height(vx[v], vz[v]);
    vertices[3 * v + 2] = vz[v] * UNIT;
  }
  const used = [...new Set(corners)];
  const xs = used.map((v) => vx[v]);
  const zs = used.map((v) => vz[v]);
  const bounds = [Math.min(...xs), Math.min(...zs), Math.max(...xs), Math.max(...zs)] as const;
  const ys = used.map((v) => vertices[3 * v + 1]);
  const n = kept.length;
  const mesh: NavMesh = {
    format: `lattice ${w} x ${h}, seed ${seed}`,
    tiles: [
      {
        x: 0,
        y: 0,
        layer: 0,
        polyBase: 0,
        polyCount: n,
        bounds: [
          bounds[0] * UNIT,
          Math.min(...ys),
          bounds[1] * UNIT,
          bounds[2] * UNIT,
          Math.max(...ys),
          bounds[3] * UNIT,
        ],
      },
    ],
    // The cell is one integer: every vertex is a cell corner, so conforming keeps the integers as they are.
    lattice: { x: 0, z: 0, cell: UNIT },
    agent: { height: 2, radius: 0, climb: 0.5 },
    vertices,
    first: Uint32Array.from(first),
    corners: Uint32Array.from(corners),
    neighbours: Int32Array.from(neighbours),
    portals: new Uint32Array(0),
    areas: new Uint8Array(n),
    flags: new Uint16Array(n).fill(1),
    polyTile: new Uint32Array(n),
    detailFirstVertex: new Uint32Array(n + 1),
    detailVertices: new Float32Array(0),
    detailFirstTriangle: new Uint32Array(n + 1),
    detailTriangles: new Uint8Array(0),
    links: [],
  };
  return {
    mesh,
    unit: UNIT,
    rings: kept.map((ring) => ring.flatMap((v) => [vx[v], vz[v]])),
    walls,
    triangles,
    points: used.map((v) => [vx[v], vz[v]] as const),
    bounds,
  };
}

/** Merges rings over shared edges in random order; a merged ring keeps its collinear corners. */
function mergeRings(
  rings: (number[] | null)[],
  most: number,
  turn: (a: number, b: number, c: number) => number,
  next: () => number,
): void {
  for (let round = 0; round < 3; round++) {
    const at = new Map<string, number>();
    rings.forEach((ring, p) => {
      ring?.forEach((a, k) => {
        at.set(`${a},${ring[(k + 1) % ring.length]}`, p);
      });
    });
    for (const [edge, p] of at) {
      if (next() < 0.3) continue;
      const [a, b] = edge.split(',').map(Number);
      const q = at.get(`${b},${a}`);
      const one = rings[p];
      const two = q === undefined ? null : rings[q];
      if (q === undefined || q === p || !one || !two) continue;
      const i = one.indexOf(a);
      const j = two.indexOf(b);
      if (i < 0 || j < 0 || one[(i + 1) % one.length] !== b || two[(j + 1) % two.length] !== a) continue;
      // One from b round to a, then two from a round to b without the ends.
      const ring: number[] = [];
      for (let k = 0; k < one.length; k++) ring.push(one[(i + 1 + k) % one.length]);
      for (let k = 2; k < two.length; k++) ring.push(two[(j + k) % two.length]);
      if (ring.length > most || new Set(ring).size !== ring.length) continue;
      const convex = ring.every((v, k) => turn(v, ring[(k + 1) % ring.length], ring[(k + 2) % ring.length]) >= 0);
      if (!convex) continue;
      rings[p] = ring;
      rings[q] = null;
    }
  }
}
