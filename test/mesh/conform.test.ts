// Conforming, case by case: what is joined, split, cut, dropped, and what is said about it.
import { describe, expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import { checkConforming } from '../../src/mesh/check.ts';
import { conform } from '../../src/mesh/conform.ts';
import type { ConformingMesh } from '../../src/mesh/conforming.ts';
import type { NavLink, NavMesh } from '../../src/mesh/navmesh.ts';
import { checkPack } from '../../src/pack/check.ts';
import { pack } from '../../src/pack/pack.ts';
import { box, meshOf, type Ring } from './handmade.ts';

/** Conforms, checks the invariants and the pack. */
function conformed(mesh: NavMesh): ConformingMesh {
  const result = conform(mesh);
  expect(checkConforming(result)).toEqual([]);
  checkPack(pack(mesh, result));
  return result;
}

function found(mesh: ConformingMesh): Record<string, number> {
  return Object.fromEntries(mesh.findings.map((f) => [f.kind, f.count]));
}

/** Pairs of export polygons that share an edge, each once, sorted. */
function joined(mesh: ConformingMesh): string[] {
  const pairs = new Set<string>();
  for (let p = 0; p < mesh.source.length; p++) {
    for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) {
      const q = mesh.neighbour[c];
      if (q >= 0 && mesh.source[p] < mesh.source[q]) pairs.add(`${mesh.source[p]}-${mesh.source[q]}`);
    }
  }
  return [...pairs].sort();
}

/** Total area in square units times two. */
function area(mesh: ConformingMesh): number {
  let sum = 0;
  for (let p = 0; p < mesh.source.length; p++) {
    const a = mesh.first[p];
    const n = mesh.first[p + 1] - a;
    for (let i = 0; i < n; i++) {
      const c = a + i;
      const d = a + ((i + 1) % n);
      sum += mesh.x[c] * mesh.z[d] - mesh.x[d] * mesh.z[c];
    }
  }
  return sum;
}

const CELL = 256;

describe('tile borders', () => {
  test('one long edge against three short ones: split where they meet, all joined', () => {
    const mesh = conformed(
      meshOf([box(0, 0, 10, 30), box(10, 0, 20, 10, 1), box(10, 10, 20, 21, 1), box(10, 21, 20, 30, 1)], {
        portals: [
          [0, 1],
          [0, 2],
          [0, 3],
        ],
      }),
    );
    expect(joined(mesh)).toEqual(['0-1', '0-2', '0-3', '1-2', '2-3']);
    expect(found(mesh)).toEqual({ 'split-edge': 2 });
    expect(mesh.componentCount).toBe(1);
    expect(mesh.first[1]).toBe(6);
  });

  test('edges that overlap in part only: the rest stays a wall', () => {
    const mesh = conformed(meshOf([box(0, 0, 10, 10), box(10, 4, 20, 17, 1)], { portals: [[0, 1]] }));
    expect(joined(mesh)).toEqual(['0-1']);
    expect(found(mesh)).toEqual({ 'split-edge': 2 });
    const walls = [...mesh.neighbour].filter((q) => q < 0).length;
    expect(walls).toBe(3 + 1 + 3 + 1);
  });

  test('a link listed on one side only counts from both', () => {
    const both = meshOf([box(0, 0, 10, 10), box(10, 0, 20, 10, 1)], { portals: [[0, 1]] });
    const oneSided = { ...both, portals: both.portals.filter((_, i) => both.portals[i - (i % 2)] < 4) };
    expect(oneSided.portals.length).toBeLessThan(both.portals.length);
    expect(joined(conformed(oneSided))).toEqual(['0-1']);
  });

  test('four tiles at one corner: one vertex id, no diagonal neighbours', () => {
    const mesh = conformed(
      meshOf([box(0, 0, 10, 10), box(10, 0, 20, 10, 1), box(0, 10, 10, 20, 2), box(10, 10, 20, 20, 3)], {
        portals: [
          [0, 1],
          [0, 2],
          [1, 3],
          [2, 3],
          [0, 3],
        ],
      }),
    );
    expect(joined(mesh)).toEqual(['0-1', '0-2', '1-3', '2-3']);
    expect(mesh.vertexCount).toBe(9);
  });

  test('four tiles at one corner, T-junctions on every border', () => {
    const mesh = conformed(
      meshOf(
        [
          box(0, 0, 10, 10),
          box(10, 0, 20, 4, 1),
          box(10, 4, 20, 10, 1),
          box(0, 10, 7, 20, 2),
          box(7, 10, 10, 20, 2),
          box(10, 10, 20, 20, 3),
        ],
        {
          portals: [
            [0, 1],
            [0, 2],
            [0, 3],
            [0, 4],
            [2, 5],
            [4, 5],
          ],
        },
      ),
    );
    expect(joined(mesh)).toEqual(['0-1', '0-2', '0-3', '0-4', '1-2', '2-5', '3-4', '4-5']);
    const middle = new Set<number>();
    for (let c = 0; c < mesh.x.length; c++) if (mesh.x[c] === 0 && mesh.z[c] === 0) middle.add(mesh.vertex[c]);
    expect(middle.size).toBe(1);
  });

  test('a link between polygons that do not touch is reported and nothing is joined', () => {
    const mesh = conformed(meshOf([box(0, 0, 10, 10), box(12, 0, 20, 10, 1)], { portals: [[0, 1]] }));
    expect(joined(mesh)).toEqual([]);
    expect(mesh.componentCount).toBe(2);
    expect(found(mesh)).toEqual({ 'unlinked-portal': 8 });
  });

  test.each([
    { step: 0.3, walkable: true },
    { step: 0.4, walkable: true },
    { step: 0.5, walkable: false },
    { step: 0.7, walkable: false },
  ])('ledge of $step m with climb 0.4: walkable $walkable', ({ step, walkable }) => {
    const mesh = conformed(meshOf([box(0, 0, 10, 10), box(10, 0, 20, 10, 1, step)], { portals: [[0, 1]] }));
    expect(joined(mesh)).toEqual(walkable ? ['0-1'] : []);
    expect(found(mesh)['cut-portal']).toBe(walkable ? undefined : 1);
  });

  test.each([
    [-2, 2],
    [-3, 1],
    [0.5, -3],
  ])('a border that crosses the other side (%d m to %d m) is not a step', (from, to) => {
    const slope: Ring = {
      tile: 1,
      corners: [
        [10, from, 0],
        [10, to, 10],
        [20, to, 10],
        [20, from, 0],
      ],
    };
    const mesh = conformed(meshOf([box(0, 0, 10, 10), slope], { portals: [[0, 1]] }));
    expect(joined(mesh)).toEqual(['0-1']);
  });

  test('chords higher than the climb over terrain that the detail meshes follow: not cut', () => {
    // The border edge of tile 0 runs straight over a hill; tile 1 has a corner on the hill. Details agree.
    const hill: Ring = {
      tile: 1,
      corners: [
        [10, 3, 8],
        [10, 3, 12],
        [20, 3, 12],
        [20, 3, 8],
      ],
    };
    const flat = meshOf([box(0, 0, 10, 20), hill], { portals: [[0, 1]] });
    expect(joined(conformed(flat))).toEqual([]);
    const x = 10 * 0.25;
    const mesh: NavMesh = {
      ...flat,
      // Corners of polygon 0: (0,0) (0,20) (10,20) (10,0); extra vertices on the border at z = 8 and z = 12, 3 m up.
      detailFirstVertex: Uint32Array.from([0, 2, 2]),
      detailVertices: Float32Array.from([x, 3, 3, x, 3, 2]),
      detailFirstTriangle: Uint32Array.from([0, 4, 4]),
      detailTriangles: Uint8Array.from([0, 1, 4, 1, 2, 4, 0, 4, 5, 0, 5, 3]),
    };
    expect(joined(conformed(mesh))).toEqual(['0-1']);
  });

  test('two partners for one edge: the nearest in height', () => {
    const mesh = conformed(
      meshOf([box(0, 0, 10, 10), box(10, 0, 20, 10, 1, 0.3), box(10, 0, 20, 10, 1, -0.1)], {
        portals: [
          [0, 1],
          [0, 2],
        ],
      }),
    );
    expect(joined(mesh)).toEqual(['0-2']);
    expect(found(mesh)['ambiguous-portal']).toBe(1);
  });

  test('no lattice, borders apart by a unit or two: welded, still convex', () => {
    const u = 1 / 256 / 4;
    const right: Ring = {
      tile: 1,
      corners: [
        [10 + u * 8, 0, 0],
        [10 - u * 8, 0, 5],
        [20, 0, 5],
        [20, 0, 0],
      ],
    };
    const below: Ring = {
      tile: 1,
      corners: [
        [10 - u * 8, 0, 5],
        [10 + u * 4, 0, 10 - u * 4],
        [20, 0, 10],
        [20, 0, 5],
      ],
    };
    const mesh = conformed(
      meshOf([box(0, 0, 10, 10), right, below], {
        noLattice: true,
        portals: [
          [0, 1],
          [0, 2],
        ],
      }),
    );
    expect(joined(mesh)).toEqual(['0-1', '0-2', '1-2']);
    expect(found(mesh)['welded-vertex']).toBeGreaterThan(0);
    expect(mesh.componentCount).toBe(1);
  });
});

describe('snapping', () => {
  test('one corner with two f32 values in two tiles, 5,076 m out', () => {
    // recastnavigation#735: 5076.35156 against 5076.35205.
    const mesh = meshOf([box(16900, 0, 16921, 10), box(16921, 0, 16930, 10, 1)], { cell: 0.3, portals: [[0, 1]] });
    const bent = Float32Array.from(mesh.vertices);
    for (let v = 0; v < bent.length; v += 3) {
      if (mesh.vertices[v] === Math.fround(16921 * 0.3) && v >= 12) bent[v] += 0.0005;
    }
    expect(bent).not.toEqual(mesh.vertices);
    const result = conformed({ ...mesh, vertices: bent });
    expect(joined(result)).toEqual(['0-1']);
    expect(found(result)).toEqual({});
  });

  test('a level at 1,000,000 m keeps its shape', () => {
    const rings = [box(0, 0, 10, 10), box(10, 0, 20, 3, 1), box(10, 3, 20, 10, 1)];
    const portals = [
      [0, 1],
      [0, 2],
    ] as const;
    const near = conformed(meshOf(rings, { cell: 0.3, portals }));
    const far = conformed(meshOf(rings, { cell: 0.3, portals, origin: [1_000_000, -1_000_000] }));
    expect(joined(far)).toEqual(['0-1', '0-2', '1-2']);
    expect(found(far)).toEqual(found(near));
    expect(area(far)).toBe(area(near));
    expect(far.origin.x).toBeCloseTo(1_000_003, 6);
  });

  test('vertices off the lattice are kept on the unit grid and reported', () => {
    const mesh = conformed(meshOf([box(0, 0, 10.5, 10)]));
    expect(found(mesh)).toEqual({ 'off-lattice': 2 });
    expect(area(mesh)).toBe(2 * 10.5 * 10 * CELL * CELL);
  });

  test.each([
    { name: 'wider than the range', rings: [box(0, 0, 200_000, 10)], says: /expected at most \d+ m across/ },
    { name: 'no polygon', rings: [], says: /expected at least one polygon/ },
    { name: 'no area', rings: [box(0, 0, 0, 10)], says: /expected at least one polygon with an area/ },
    { name: 'not finite', rings: [box(0, 0, Number.NaN, 10)], says: /expected finite coordinates/ },
  ])('$name is an error that says what was expected', ({ rings, says }) => {
    expect(() => conform(meshOf(rings))).toThrow(NavguardError);
    expect(() => conform(meshOf(rings))).toThrow(says);
  });
});

describe('polygons', () => {
  test('both windings give the same mesh; a mixture is reported', () => {
    const rings = [box(0, 0, 10, 10), box(10, 0, 20, 10)];
    const turned = rings.map((ring) => ({ ...ring, corners: [...ring.corners].reverse() }));
    const a = conformed(meshOf(rings));
    const b = conformed(meshOf(turned));
    expect(area(a)).toBe(area(b));
    expect(joined(b)).toEqual(['0-1']);
    expect(found(b)).toEqual({});
    const mixed = meshOf([...rings, box(0, 10, 10, 20)]);
    mixed.corners.subarray(8, 12).reverse();
    mixed.neighbours.set([-1, -1, -1, -1], 8);
    mixed.neighbours.set([-1, -1, 1, -1], 0);
    expect(found(conformed(mixed))['reversed-winding']).toBe(1);
  });

  test('a strip of no area between two polygons: dropped, both sides joined', () => {
    const strip: Ring = {
      corners: [
        [10, 0, 0],
        [10, 0, 6],
        [10, 0, 10],
      ],
    };
    // The strip's long side faces polygon 0, its two short ones face 1 and 2.
    const mesh = meshOf([
      box(0, 0, 10, 10),
      strip,
      box(10, 0, 20, 6),
      {
        corners: [
          [10, 0, 6],
          [10, 0, 10],
          [20, 0, 10],
          [20, 0, 6],
        ],
      },
    ]);
    // By hand: the rings do not run against each other where the strip is flat.
    const link = (p: number, a: readonly [number, number], b: readonly [number, number], q: number) => {
      for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) {
        const next = c + 1 === mesh.first[p + 1] ? mesh.first[p] : c + 1;
        const at = (k: number) => [mesh.vertices[3 * mesh.corners[k]] * 4, mesh.vertices[3 * mesh.corners[k] + 2] * 4];
        const ends = [at(c), at(next)].map(String);
        if (ends.includes(String(a)) && ends.includes(String(b))) mesh.neighbours[c] = q;
      }
    };
    link(0, [10, 0], [10, 10], 1);
    link(1, [10, 0], [10, 10], 0);
    link(1, [10, 0], [10, 6], 2);
    link(1, [10, 6], [10, 10], 3);
    link(2, [10, 0], [10, 6], 1);
    link(3, [10, 6], [10, 10], 1);
    const result = conformed(mesh);
    expect(joined(result)).toEqual(['0-2', '0-3', '2-3']);
    expect(found(result)).toEqual({ 'dropped-polygon': 1, 'split-edge': 1 });
  });

  test('strips of no area on both sides of a tile border: dropped, the tiles joined', () => {
    const mesh = meshOf(
      [
        box(0, 0, 10, 10),
        {
          corners: [
            [10, 0, 10],
            [10, 0, 0],
            [10, 0, 5],
          ],
        },
        {
          tile: 1,
          corners: [
            [10, 0, 0],
            [10, 0, 10],
            [10, 0, 4],
          ],
        },
        box(10, 0, 20, 10, 1),
      ],
      { portals: [[1, 2]] },
    );
    mesh.neighbours[2] = 1;
    mesh.neighbours[4] = 0;
    mesh.neighbours[7] = 3;
    mesh.neighbours[10] = 2;
    const result = conformed(mesh);
    expect(joined(result)).toEqual(['0-3']);
    expect(found(result)['dropped-polygon']).toBe(2);
  });

  test('not convex: cut into triangles that stay one walkable piece', () => {
    const arrow: Ring = {
      corners: [
        [0, 0, 0],
        [0, 0, 10],
        [5, 0, 4],
        [10, 0, 10],
        [10, 0, 0],
      ],
    };
    const mesh = conformed(meshOf([arrow, box(10, 0, 20, 10)]));
    expect(found(mesh)).toEqual({ 'triangulated-polygon': 1 });
    expect(mesh.componentCount).toBe(1);
    expect(area(mesh)).toBe(2 * CELL * CELL * (100 - 30 + 100));
    expect(joined(mesh)).toEqual(['0-1']);
  });

  test('a spike and a bow-tie end in parts with an area, or in none, never in a bad polygon', () => {
    const spike: Ring = {
      corners: [
        [0, 0, 0],
        [0, 0, 10],
        [10, 0, 10],
        [20, 0, 10],
        [10, 0, 10],
        [10, 0, 0],
      ],
    };
    const result = conformed(meshOf([spike]));
    expect(area(result)).toBe(2 * CELL * CELL * 100);
    const bowTie: Ring = {
      corners: [
        [0, 0, 0],
        [10, 0, 10],
        [10, 0, 0],
        [0, 0, 10],
      ],
    };
    const tied = conformed(meshOf([bowTie, box(20, 0, 30, 10)]));
    // Its two halves hold 25 cells each; whatever is kept of them is kept whole.
    expect([100, 125, 150].map((cells) => 2 * CELL * CELL * cells)).toContain(area(tied));
  });

  test('corners that fall together are one', () => {
    const mesh = conformed(
      meshOf([
        {
          corners: [
            [0, 0, 0],
            [0, 0, 10],
            [0.001, 0, 10],
            [10, 0, 10],
            [10, 0, 0],
          ],
        },
      ]),
    );
    expect(mesh.x.length).toBe(4);
  });

  test('more than 8 corners: cut into convex parts that share whole edges', () => {
    const small = Array.from({ length: 30 }, (_, i) => box(10, i, 12, i + 1, 1));
    const mesh = conformed(
      meshOf([box(0, 0, 10, 30), ...small], { portals: small.map((_, i) => [0, i + 1] as const) }),
    );
    expect(found(mesh)).toEqual({ 'split-edge': 29, 'split-polygon': 1 });
    expect(mesh.componentCount).toBe(1);
    expect(area(mesh)).toBe(2 * CELL * CELL * (300 + 60));
    const parts = [...mesh.source].filter((p) => p === 0).length;
    expect(parts).toBeLessThanOrEqual(9);
    expect(joined(mesh).filter((pair) => pair.startsWith('0-')).length).toBe(30);
  });

  test('neighbours that do not share the edge are unlinked and reported', () => {
    const mesh = meshOf([box(0, 0, 10, 10), box(10, 0, 20, 10), box(30, 0, 40, 10)]);
    mesh.neighbours.set([2, 2, 2, 2], 0);
    const result = conformed(mesh);
    expect(joined(result)).toEqual([]);
    expect(found(result)['broken-neighbour']).toBe(5);
  });
});

describe('vertex ids and floors', () => {
  test('a pinch has two ids', () => {
    const mesh = conformed(meshOf([box(0, 0, 10, 10), box(10, 10, 20, 20)]));
    expect(mesh.vertexCount).toBe(8);
    expect(mesh.componentCount).toBe(2);
  });

  test('a pinch inside one component has two ids as well', () => {
    // Boxes 0 and 1 touch at (1, 1) and are joined the long way round.
    const ring = [
      box(0, 0, 1, 1),
      box(1, 1, 2, 2),
      box(2, 1, 3, 2),
      box(2, 0, 3, 1),
      box(2, -1, 3, 0),
      box(1, -1, 2, 0),
      box(0, -1, 1, 0),
    ];
    const round = conformed(meshOf(ring));
    expect(round.componentCount).toBe(1);
    const ids = new Set<number>();
    for (let c = 0; c < round.x.length; c++) {
      const x = round.origin.x / 0.25 + round.x[c] / CELL;
      const z = round.origin.z / 0.25 + round.z[c] / CELL;
      if (x === 1 && z === 1) ids.add(round.vertex[c]);
    }
    expect(ids.size).toBe(2);
  });

  test('two floors over each other share no id and no edge', () => {
    const mesh = conformed(
      meshOf([box(0, 0, 10, 10), box(10, 0, 20, 10), box(0, 0, 10, 10, 0, 3), box(10, 0, 20, 10, 0, 3)]),
    );
    expect(joined(mesh)).toEqual(['0-1', '2-3']);
    expect(mesh.vertexCount).toBe(12);
    expect([...mesh.component]).toEqual([0, 0, 1, 1]);
  });
});

describe('off-mesh links', () => {
  const link = (from: [number, number, number], to: [number, number, number], radius = 0.5): NavLink => ({
    from,
    to,
    radius,
    bidirectional: false,
    area: 0,
    flags: 1,
    userId: 7,
    tile: 0,
  });
  const islands = [box(0, 0, 10, 10), box(30, 0, 40, 10), box(0, 0, 10, 10, 0, 4)];

  /** Polygons of both ends, and the places in metres. */
  const placed = (mesh: ConformingMesh) => ({
    polygons: mesh.links.flatMap(({ from, to }) => [from.polygon, to.polygon]),
    places: mesh.links.flatMap(({ from, to }) =>
      [from, to].map(({ x, y, z }) => [mesh.origin.x + x * mesh.unit, y, mesh.origin.z + z * mesh.unit]),
    ),
  });

  test('ends inside polygons stay where they are, on the floor; nearest floor, one component', () => {
    const mesh = conformed(meshOf(islands, { links: [link([1, 0.1, 1], [8, 0.2, 1])] }));
    expect(placed(mesh)).toEqual({
      polygons: [0, 1],
      places: [
        [1, 0, 1],
        [8, 0, 1],
      ],
    });
    expect([...mesh.component]).toEqual([0, 0, 1]);
    const upper = conformed(meshOf(islands, { links: [link([1, 3.9, 1], [8, 0.2, 1])] }));
    expect(placed(upper).polygons).toEqual([2, 1]);
    expect(placed(upper).places[0]).toEqual([1, 4, 1]);
  });

  test('floors nearer than the agent is tall: still the nearest in height, also by the surface between corners', () => {
    const floors = [box(0, 0, 10, 10), box(30, 0, 40, 10), box(0, 0, 10, 10, 0, 1.5)];
    const at = (y: number) => conformed(meshOf(floors, { links: [link([1, y, 1], [8, 0, 1])] })).links[0].from.polygon;
    expect([0, 0.7, 0.8, 1.6].map(at)).toEqual([0, 0, 2, 2]);
  });

  test('an end beside the mesh within the radius is put a unit inside the nearest polygon, farther out it is reported', () => {
    const near = conformed(meshOf(islands, { links: [link([2.9, 0, 1], [7.1, 0, 1])] }));
    expect(placed(near).polygons).toEqual([0, 1]);
    expect(placed(near).places[0]).toEqual([2.5 - near.unit, 0, 1]);
    const far = conformed(meshOf(islands, { links: [link([3.2, 0, 1], [7.1, 0, 1])] }));
    expect(placed(far).polygons).toEqual([-1, 1]);
    expect(found(far)).toEqual({ 'unlinked-link': 1 });
    expect(far.componentCount).toBe(3);
  });

  test('an end on a shared edge or corner is put strictly inside one polygon', () => {
    const two = [box(0, 0, 10, 10), box(10, 0, 20, 10), box(10, 10, 20, 20), box(30, 0, 40, 10)];
    const mesh = conformed(
      meshOf(two, { links: [link([2.5, 0, 2.5], [8, 0, 1], 0), link([2.5, 0, 1], [8, 0, 1], 0)] }),
    );
    expect(found(mesh)).toEqual({});
    for (const { from, to } of mesh.links) {
      for (const end of [from, to]) {
        const holders = Array.from(mesh.source, (_, p) => p).filter((p) => {
          const [a, b] = [mesh.first[p], mesh.first[p + 1]];
          return Array.from({ length: b - a }, (_, k) => a + k).every((c) => {
            const d = c + 1 === b ? a : c + 1;
            const [dx, dz] = [mesh.x[d] - mesh.x[c], mesh.z[d] - mesh.z[c]];
            return dx * (end.z - mesh.z[c]) - dz * (end.x - mesh.x[c]) >= 0;
          });
        });
        expect(holders).toEqual([end.polygon]);
      }
    }
  });

  test('a polygon without an inner grid point is passed over, then reported', () => {
    // Cells of one unit: a sliver one unit wide holds no grid point strictly inside.
    const sliver = [box(0, 0, 1, 400), box(2, 0, 400, 400)];
    const wide = conformed(meshOf(sliver, { cell: 1 / 1024, links: [link([0.0005, 0, 0.1], [0.2, 0, 0.2], 0.01)] }));
    expect(placed(wide).polygons).toEqual([1, 1]);
    const narrow = conformed(
      meshOf(sliver, { cell: 1 / 1024, links: [link([0.0005, 0, 0.1], [0.2, 0, 0.2], 0.0005)] }),
    );
    expect(placed(narrow).polygons).toEqual([-1, 1]);
    expect(found(narrow)).toEqual({ 'unlinked-link': 1 });
  });
});

describe('hostile meshes end quickly', () => {
  test('thousands of edges stacked on one line: an error or an answer, not a hang', () => {
    const many = 1000;
    const rings: Ring[] = [];
    for (let i = 0; i < many; i++) rings.push(box(0, 0, 10, 10 + i), box(10, 0, 20, 10 + i, 1));
    // All linked with all through one flat polygon: everything that met it may meet everything.
    const flat: Ring = {
      tile: 2,
      corners: [
        [10, 0, 0],
        [10, 0, 5],
        [10, 0, 9],
      ],
    };
    const mesh = meshOf([...rings, flat], { portals: rings.map((_, i) => [rings.length, i] as const) });
    const start = performance.now();
    expect(() => conform(mesh)).toThrow(/stacked on one line/);
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
