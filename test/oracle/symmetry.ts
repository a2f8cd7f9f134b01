// One map in other clothes: moved, turned, mirrored, its polygons cut into triangles or given corners on their edges. The
// walkable set stays the same, so lengths must. Uses only the NavMesh and ConformingMesh values.
import type { ConformingMesh } from '../../src/mesh/conforming.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';

/** Plan map (x, z) -> (a x + b z + dx, c x + d z + dz); a b c d a signed permutation, dx dz exact in float32. */
export interface Motion {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly dx: number;
  readonly dz: number;
}
export const MOTIONS: readonly (readonly [name: string, Motion])[] = [
  ['moved', { a: 1, b: 0, c: 0, d: 1, dx: 64, dz: -192 }],
  ['a quarter turn', { a: 0, b: -1, c: 1, d: 0, dx: 0, dz: 0 }],
  ['half a turn, moved', { a: -1, b: 0, c: 0, d: -1, dx: -32, dz: 16 }],
  ['mirrored', { a: -1, b: 0, c: 0, d: 1, dx: 0, dz: 0 }],
  ['mirrored in the diagonal, moved', { a: 0, b: 1, c: 1, d: 0, dx: 8, dz: 24 }],
];

/** Linear part only, for grid points. */
export function moveUnits({ a, b, c, d }: Motion, [x, z]: readonly [number, number]): [number, number] {
  return [a * x + b * z, c * x + d * z];
}

export function moveMesh(mesh: NavMesh, motion: Motion): NavMesh {
  const { a, b, c, d, dx, dz } = motion;
  const plan = (x: number, z: number): [number, number] => [a * x + b * z + dx, c * x + d * z + dz];
  const moved = (from: Float32Array): Float32Array => {
    const to = from.slice();
    for (let v = 0; v < to.length; v += 3) [to[v], to[v + 2]] = plan(from[v]!, from[v + 2]!);
    return to;
  };
  const [x, z] = plan(mesh.lattice.x, mesh.lattice.z);
  return {
    ...mesh,
    lattice: { ...mesh.lattice, x, z },
    vertices: moved(mesh.vertices),
    detailVertices: moved(mesh.detailVertices),
    tiles: mesh.tiles.map((tile) => {
      const [p, q] = [plan(tile.bounds[0], tile.bounds[2]), plan(tile.bounds[3], tile.bounds[5])];
      const low = [Math.min(p[0], q[0]), Math.min(p[1], q[1])] as const;
      const high = [Math.max(p[0], q[0]), Math.max(p[1], q[1])] as const;
      return { ...tile, bounds: [low[0], tile.bounds[1], low[1], high[0], tile.bounds[4], high[1]] as const };
    }),
  };
}

/** Heights from the corners alone: a fan over each polygon. */
export function withoutDetails(mesh: NavMesh): NavMesh {
  const n = mesh.first.length;
  return {
    ...mesh,
    detailFirstVertex: new Uint32Array(n),
    detailVertices: new Float32Array(0),
    detailFirstTriangle: new Uint32Array(n),
    detailTriangles: new Uint8Array(0),
  };
}

interface Corner {
  x: number;
  z: number;
  y: number;
  vertex: number;
  /** What lies across the edge that starts here: the edge's key, or none. */
  edge: string;
}

/** Puts rings of corners back together; edges meet by their keys, each met at most twice. */
function assembled(from: ConformingMesh, rings: readonly { corners: Corner[]; of: number }[]): ConformingMesh {
  const owners = new Map<string, number[]>();
  rings.forEach(({ corners }, p) => {
    for (const { edge } of corners) if (edge !== '') owners.set(edge, [...(owners.get(edge) ?? []), p]);
  });
  const flat = rings.flatMap(({ corners }) => corners);
  const owner = rings.flatMap(({ corners }, p) => corners.map(() => p));
  const vertices = numbers(flat.map((c) => c.vertex));
  const first = [0];
  for (const { corners } of rings) first.push(first.at(-1)! + corners.length);
  return {
    ...from,
    first: Uint32Array.from(first),
    x: Int32Array.from(flat, (c) => c.x),
    z: Int32Array.from(flat, (c) => c.z),
    y: Float32Array.from(flat, (c) => c.y),
    vertex: Uint32Array.from(vertices),
    neighbour: Int32Array.from(flat, (c, i) => owners.get(c.edge)?.find((p) => p !== owner[i]) ?? -1),
    source: Uint32Array.from(rings, ({ of }) => from.source[of]!),
    component: Uint32Array.from(numbers(rings.map(({ of }) => from.component[of]!))),
    vertexCount: new Set(vertices).size,
  };
}

/** Numbered anew by first appearance, as a conforming mesh numbers vertices and components. */
function numbers(names: readonly number[]): number[] {
  const number = new Map<number, number>();
  for (const name of names) if (!number.has(name)) number.set(name, number.size);
  return names.map((name) => number.get(name)!);
}

/** Rings with a key for each shared edge: the numbers of its two corners' vertices and polygons. */
function ringsOf(mesh: ConformingMesh): { corners: Corner[]; of: number }[] {
  return Array.from({ length: mesh.source.length }, (_, p) => {
    const [from, to] = [mesh.first[p]!, mesh.first[p + 1]!];
    return {
      of: p,
      corners: Array.from({ length: to - from }, (_, i) => {
        const c = from + i;
        const n = c + 1 === to ? from : c + 1;
        const across = mesh.neighbour[c]!;
        const polygons = [p, across].sort((u, v) => u - v);
        const ends = [mesh.vertex[c]!, mesh.vertex[n]!].sort((u, v) => u - v);
        const edge = across < 0 ? '' : `${polygons} ${ends}`;
        return { x: mesh.x[c]!, z: mesh.z[c]!, y: mesh.y[c]!, vertex: mesh.vertex[c]!, edge };
      }),
    };
  });
}

const turn = (a: Corner, b: Corner, c: Corner): number => (b.x - a.x) * (c.z - a.z) - (b.z - a.z) * (c.x - a.x);

/** Every polygon cut by a diagonal wherever that leaves two areas, in random places. */
export function cutUp(mesh: ConformingMesh, next: () => number): ConformingMesh {
  const done: { corners: Corner[]; of: number }[] = [];
  const open = ringsOf(mesh);
  for (let ring = open.pop(); ring; ring = open.pop()) {
    const { corners, of } = ring;
    const n = corners.length;
    const [i, span] = [Math.floor(next() * n), 2 + Math.floor(next() * Math.max(1, n - 3))];
    const one = Array.from({ length: span + 1 }, (_, k) => corners[(i + k) % n]!);
    const two = Array.from({ length: n - span + 1 }, (_, k) => corners[(i + span + k) % n]!);
    const flat = (part: Corner[]): boolean => part.every((c) => turn(part[0]!, part[1]!, c) === 0);
    if (n < 4 || next() < 0.2 || flat(one) || flat(two)) {
      done.push(ring);
      continue;
    }
    const edge = `cut ${done.length} ${open.length} ${next()}`;
    one[span] = { ...one[span]!, edge };
    two[n - span] = { ...two[n - span]!, edge };
    open.push({ corners: one, of }, { corners: two, of });
  }
  return assembled(mesh, done);
}

/** A corner in the middle of every second edge where the grid has a point there and both polygons have room. */
export function notched(mesh: ConformingMesh, next: () => number): ConformingMesh {
  const rings = ringsOf(mesh);
  const room = rings.map(({ corners }) => 8 - corners.length);
  const users = new Map<string, number[]>();
  rings.forEach(({ corners }, p) => {
    for (const { edge } of corners) if (edge !== '') users.set(edge, [...(users.get(edge) ?? []), p]);
  });
  const split = new Set<string>();
  for (const [edge, polygons] of users) {
    if (next() < 0.5 || polygons.length !== 2 || polygons.some((p) => room[p]! < 1)) continue;
    for (const p of polygons) room[p]!--;
    split.add(edge);
  }
  let vertex = mesh.vertexCount;
  const middle = new Map<string, number>();
  const cut = rings.map(({ corners, of }, p) => ({
    of,
    corners: corners.flatMap((c, i) => {
      const d = corners[(i + 1) % corners.length]!;
      if ((c.x + d.x) % 2 !== 0 || (c.z + d.z) % 2 !== 0) return [c];
      const at = { x: (c.x + d.x) / 2, z: (c.z + d.z) / 2, y: (c.y + d.y) / 2 };
      if (c.edge === '') {
        if (next() < 0.5 || room[p]! < 1) return [c];
        room[p]!--;
        return [c, { ...at, vertex: vertex++, edge: '' }];
      }
      if (!split.has(c.edge)) return [c];
      if (!middle.has(c.edge)) middle.set(c.edge, vertex++);
      // Halves are named by the end they touch.
      return [
        { ...c, edge: `${c.edge} ${c.vertex}` },
        { ...at, vertex: middle.get(c.edge)!, edge: `${c.edge} ${d.vertex}` },
      ];
    }),
  }));
  return assembled(mesh, cut);
}
