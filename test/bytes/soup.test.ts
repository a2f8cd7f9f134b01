// The builder behind triangles and polygons: welding, slivers and walls, duplicates, crowded edges, T-junctions, heights,
// areas, agents; and what is refused, in which words.
import { describe, expect, it } from 'vitest';
import { type ReadOptions, readNavMesh } from '../../src/bytes/index.ts';
import { NavMap } from '../../src/map.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';

type Ring = readonly (readonly [number, number, number])[];

/** An OBJ of unshared polygons, each a material of its own name if it has one. */
function obj(rings: readonly Ring[], names: readonly string[] = []): Uint8Array {
  const lines: string[] = [];
  rings.forEach((ring, p) => {
    if (names[p] !== undefined) lines.push(`usemtl ${names[p]}`);
    for (const [x, y, z] of ring) lines.push(`v ${x} ${y} ${z}`);
    lines.push(`f ${ring.map((_, i) => i - ring.length).join(' ')}`);
  });
  return new TextEncoder().encode(lines.join('\n'));
}

/** x0, z0, x1, z1 at one height, or at one for each side in x. */
const rect = (x0: number, z0: number, x1: number, z1: number, y0 = 0, y1 = y0): Ring => [
  [x0, y0, z0],
  [x1, y1, z0],
  [x1, y1, z1],
  [x0, y0, z1],
];
const AGENT = { radius: 0.5, height: 2, climb: 0.4 };

async function parts(rings: readonly Ring[], options: ReadOptions = {}): Promise<[number, string[], NavMesh]> {
  const mesh = await readNavMesh(obj(rings), { agent: AGENT, ...options });
  const { info } = NavMap.fromMesh(mesh);
  return [info.components, info.findings.map(({ kind, count }) => `${kind} ${count}`), mesh];
}

describe('welding', () => {
  const apart = (gap: number) => [rect(0, 0, 4, 4), rect(4 + gap, 0, 8, 4)];

  it('half a millimetre is one place by default, five centimetres are not; weld decides', async () => {
    expect((await parts(apart(0))).slice(0, 2)).toEqual([1, []]);
    expect((await parts(apart(0.0005))).slice(0, 2)).toEqual([1, ['welded-vertex 2']]);
    expect((await parts(apart(0.05)))[0]).toBe(2);
    expect((await parts(apart(0.05), { weld: 0.1 })).slice(0, 2)).toEqual([1, ['welded-vertex 2']]);
    expect((await parts(apart(0.05), { weld: 0.01 }))[0]).toBe(2);
  });

  it('far from the origin f32 has larger steps, and the default weld follows', async () => {
    const far = (gap: number) => [rect(100_000, 0, 100_004, 4), rect(100_004 + gap, 0, 100_008, 4)];
    expect((await parts(far(1 / 64)))[0]).toBe(1);
    expect((await parts(far(0.25)))[0]).toBe(2);
  });

  it('corners that fall together leave no polygon behind', async () => {
    const speck: Ring = [
      [1, 0, 1],
      [1.0001, 0, 1],
      [1, 0, 1.0001],
    ];
    const [components, findings, mesh] = await parts([rect(0, 0, 4, 4), speck]);
    expect([components, mesh.first.length - 1]).toEqual([1, 1]);
    expect(findings).toContain('dropped-polygon 1');
  });
});

describe('polygons that are none', () => {
  it('the same polygon again, from another corner and the other way round, is dropped', async () => {
    const ground = rect(0, 0, 4, 4);
    const again = [ground[2], ground[1], ground[0], ground[3]];
    const [components, findings, mesh] = await parts([ground, again, ground, rect(4, 0, 8, 4)]);
    expect([components, mesh.first.length - 1]).toEqual([1, 2]);
    expect(findings).toEqual(['duplicate-polygon 2']);
  });

  it('a sliver between two polygons joins them', async () => {
    // The corner (4, 0, 2) of the right side lies on the left side's edge; a triangle without area fills the seam.
    const sliver: Ring = [
      [4, 0, 0],
      [4, 0, 2],
      [4, 0, 4],
    ];
    const [components, findings] = await parts(
      [rect(0, 0, 4, 4), sliver, rect(4, 0, 8, 2), rect(4, 0, 8, 4)].slice(0, 3),
    );
    expect(components).toBe(1);
    expect(findings).toContain('dropped-polygon 1');
  });

  it('an upright polygon joins what the climb reaches, and is a wall where it is higher', async () => {
    const riser = (top: number): Ring => [
      [4, 0, 0],
      [4, 0, 4],
      [4, top, 4],
      [4, top, 0],
    ];
    // Much ground, so that the wall is no level geometry.
    const both = (top: number) => [rect(0, 0, 4, 4), riser(top), rect(4, 0, 40, 4, top), rect(-40, 0, 0, 4)];
    expect((await parts(both(0.3))).slice(0, 2)).toEqual([1, ['dropped-polygon 1']]);
    expect((await parts(both(3))).slice(0, 2)).toEqual([2, ['dropped-polygon 1']]);
    expect((await parts(both(3), { agent: { ...AGENT, climb: 3.5 } }))[0]).toBe(1);
  });
});

describe('neighbours', () => {
  it('of three polygons on one edge the two that go straight on are joined', async () => {
    const low = rect(0, 0, 4, 4);
    const flat = rect(4, 0, 8, 4);
    const ramp = rect(4, 0, 8, 4, 0, 3);
    for (const order of [
      [low, flat, ramp],
      [ramp, low, flat],
      [flat, ramp, low],
    ]) {
      const [components, findings, mesh] = await parts(order);
      expect(components).toBe(2);
      expect(findings).toEqual(['ambiguous-portal 1']);
      const across = order.map((_, p) =>
        [...mesh.neighbours.subarray(mesh.first[p], mesh.first[p + 1])].filter((n) => n >= 0),
      );
      expect(across[order.indexOf(low)]).toEqual([order.indexOf(flat)]);
      expect(across[order.indexOf(ramp)]).toEqual([]);
    }
  });

  it('floors over each other are no neighbours, whatever their edges do in plan', async () => {
    expect((await parts([rect(0, 0, 4, 4), rect(4, 0, 8, 4, 3)]))[0]).toBe(2);
    expect((await parts([rect(0, 0, 4, 4), rect(0, 0, 4, 4, 3)]))[0]).toBe(2);
    // On one side of their common edge: a fold, not a neighbour.
    expect((await parts([rect(0, 0, 4, 4), rect(1, 0, 4, 4, 3, 0)]))[0]).toBe(2);
  });

  it('a step is joined up to the climb', async () => {
    const step = (y: number) => [rect(0, 0, 4, 4), rect(4, 0, 8, 4, y)];
    expect((await parts(step(0.3)))[0]).toBe(1);
    expect((await parts(step(0.5)))[0]).toBe(2);
    expect((await parts(step(0.5), { agent: { ...AGENT, climb: 0.6 } }))[0]).toBe(1);
  });

  it('T-junctions: long edges meet several short ones, also beside the line within the weld', async () => {
    const comb = [rect(0, 0, 4, 8), rect(4, 0, 8, 3), rect(4, 3, 8, 5), rect(4, 5, 8, 8)];
    expect((await parts(comb)).slice(0, 2)).toEqual([1, ['split-edge 2']]);
    for (const gap of [0.03, -0.03]) {
      const beside = [rect(0, 0, 4, 8), rect(4 + gap, 3, 8, 5)];
      expect((await parts(beside))[0]).toBe(2);
      expect((await parts(beside, { weld: 0.01 }))[0]).toBe(2);
      const [joined, findings, mesh] = await parts(beside, { weld: 0.05 });
      expect([joined, findings]).toEqual([1, ['welded-vertex 2', 'split-edge 2']]);
      // The two corners stand on the long edge now.
      expect([...mesh.vertices].filter((x, i) => i % 3 === 0 && x === 4).length).toBe(4);
    }
  });

  it('a polygon that is not convex has an inside', async () => {
    const ell: Ring = [
      [0, 0, 0],
      [8, 0, 0],
      [8, 0, 3],
      [3, 0, 3],
      [3, 0, 8],
      [0, 0, 8],
    ];
    const map = NavMap.fromMesh((await parts([ell]))[2]);
    expect(map.info.area).toBeCloseTo(39, 5);
    expect(map.info.components).toBe(1);
    expect(map.locate([4.5, 0, 4.5], { tolerance: 0 })).toBeNull();
    expect(map.locate([1, 0, 7], { tolerance: 0 })).not.toBeNull();
  });

  it('more vertices than 65,535', async () => {
    const n = 260;
    const rings: Ring[] = [];
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) rings.push(rect(i, j, i + 1, j + 1));
    const mesh = await readNavMesh(obj(rings));
    expect(mesh.vertices.length / 3).toBe((n + 1) * (n + 1));
    expect(mesh.neighbours.filter((across) => across < 0).length).toBe(4 * n);
  });
});

describe('areas and agents', () => {
  it('names of materials mean what the option says; a name that the file has not is a finding', async () => {
    const file = obj([rect(0, 0, 4, 4), rect(4, 0, 8, 4)], ['grass', 'water']);
    const mesh = await readNavMesh(file, { areas: { water: { area: 2, flags: 4 }, lava: { area: 3 } }, agent: AGENT });
    expect([[...mesh.areas], [...mesh.flags]]).toEqual([
      [0, 2],
      [1, 4],
    ]);
    expect(mesh.findings).toEqual([
      {
        kind: 'unknown-area',
        message: 'areas names "lava", which the file does not have (it has "grass", "water")',
        count: 1,
        polygons: [],
      },
    ]);
  });

  it('an area over 63 must be mapped', async () => {
    const file = new TextEncoder().encode('{"vertices":[0,0,0,4,0,0,0,0,4],"indices":[0,1,2],"areas":[100]}');
    await expect(readNavMesh(file)).rejects.toMatchObject({
      code: 'BAD_FILE',
      message:
        'triangulation (JSON): polygon 0: got area 100, expected 0..63; say what it is with areas: { 100: { area: 1 } }.',
    });
    expect((await readNavMesh(file, { areas: { 100: { area: 4 } } })).areas).toEqual(Uint8Array.of(4));
  });

  it('nobody named: sizes are taken, and the finding says which', async () => {
    const mesh = await readNavMesh(obj([rect(0, 0, 4, 4)]));
    expect(mesh.findings?.[0].message).toBe(
      'the file names no agent: radius 0.5, height 2 and climb 0.4 m are taken (give agent)',
    );
  });
});

describe('level geometry', () => {
  /** Six sides. */
  const box = (x: number, y: number, z: number, dx: number, dy: number, dz: number): Ring[] => {
    const at = (i: number): [number, number, number] => [
      x + (i & 1) * dx,
      y + ((i >> 1) & 1) * dy,
      z + ((i >> 2) & 1) * dz,
    ];
    const sides = [
      [0, 1, 3, 2],
      [4, 6, 7, 5],
      [0, 4, 5, 1],
      [2, 3, 7, 6],
      [0, 2, 6, 4],
      [1, 5, 7, 3],
    ];
    return sides.map((side) => side.map(at));
  };

  it.each<[string, Ring[], ReadOptions, string]>([
    [
      'boxes',
      [...box(0, 0, 0, 2, 2, 2), ...box(4, 0, 0, 2, 2, 2)],
      {},
      '67 % of its surface is steeper than 60 degrees',
    ],
    ['a slab', box(0, -0.2, 0, 100, 0.2, 100), {}, 'it is a closed body with an underside as large as its top'],
    ['a floor read with z up', [rect(0, 0, 9, 9)], { axes: 'x,z,-y' }, '100 % of its surface is steeper'],
  ])('%s', async (_name, rings, options, why) => {
    await expect(readNavMesh(obj(rings), options)).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      message: expect.stringMatching(
        new RegExp(`^This OBJ is level geometry, not a navmesh \\(${why}.*navguard bake <file>`),
      ),
    });
  });

  it('floors, ramps of 45 degrees and mixed winding are a navmesh', async () => {
    const ramp = rect(4, 0, 8, 4, 0, 4);
    expect((await parts([rect(0, 0, 4, 4), [...ramp].reverse(), rect(8, 0, 12, 4, 4)]))[0]).toBe(1);
  });
});

describe('what is wrong is said with its line', () => {
  const triangle = 'v 0 0 0\nv 4 0 0\nv 0 0 4\n';
  it.each([
    ['v 0 0 0\nv 0,5 0 0\n', 'line 2: got a decimal comma, expected points (export with an invariant culture)'],
    ['v 1 2\n', 'line 1: got "", expected z, a finite number such as -1.5'],
    ['v 1 nan 2\n', 'line 1: got "nan 2", expected y, a finite number'],
    ['v 1 1e999 2\n', 'line 1: got "1e999 2", expected y, a finite number'],
    [
      `${triangle}f 1 2 4\n`,
      'line 4: got vertex 4, expected a number of one of the 3 vertices so far, 1..3 or negative',
    ],
    [`${triangle}f 1 2 -4\n`, 'line 4: got vertex -4, expected'],
    [`${triangle}f 1 2 0\n`, 'line 4: got vertex 0, expected'],
    [`${triangle}f 1 2\n`, 'line 4: got a face of 2 corners, expected three or more'],
    [`${triangle}f 1 2 1.5\n`, 'line 4: got "1.5", expected a vertex number, a whole number'],
    [`${triangle}f 1 2 x\n`, 'line 4: got "x", expected a vertex number, a finite number'],
    [`${triangle}# nothing\n`, 'line 5: got no faces in the whole file, expected at least one line "f 1 2 3"'],
    ['v 0 0 0\nv 1e30 0 0\nv 0 0 4\nf 1 2 3\n', 'vertex 1: got x = 1e+30 m, expected a finite number of at most'],
    ['v 0 0 0\nv 4 0 0\nv 8 0 0\nf 1 2 1\n', 'got no polygon with an area, expected a navmesh'],
  ])('%j', async (text, message) => {
    await expect(readNavMesh(new TextEncoder().encode(text))).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['{"vertices":[0,0,0,4,0,0,0,0,4]}', 'got no "indices" in the document, expected vertices and indices'],
    ['{"vertices":[0,0,0,4,0,0,0,0],"indices":[0,1,1]}', 'got 8 numbers for vertices, expected three for each vertex'],
    [
      '{"vertices":[0,0,0,4,0,0,0,0,4],\n"indices":[0,1,3]}',
      'line 2: got index 3 in polygon 0, expected 0..2 (the vertices)',
    ],
    ['{"vertices":[0,0,0,4,0,0,0,0,4],"indices":[0,1]}', 'got 2 indices, expected a multiple of three'],
    [
      '{"vertices":[0,0,0,4,0,0,0,0,4],"indices":[0,1,2],"areas":[1,2]}',
      'got 2 areas, expected 1, one for each triangle',
    ],
    ['{"vertices":[{"x":1,"y":2}],"indices":[]}', 'got vertex 0 without x, y or z, expected all three'],
    ['{"vertices":[[1,2]],"indices":[]}', 'got vertex 0 of 2 numbers, expected x, y and z'],
    ['{"vertices":[1,2,[3]],"indices":[]}', 'got vertex 2 as a list, expected a number, as the items before it'],
    ['{"vertices":[0,0,0,4,0,0,0,0,4],"indices":[0,1,2]} {}', 'got more after the end of the document'],
    [`{"vertices":[0,0,0],"x":${'['.repeat(100)}`, 'got lists within lists, 65 deep, expected at most 64'],
    ['{"vertices":[0,0,0,4,0,0,0,0,4],"indices":[0,1,2],"note":"', 'a line or a file that ends inside a string'],
  ])('%j', async (text, message) => {
    await expect(readNavMesh(new TextEncoder().encode(text))).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringContaining(message),
    });
  });

  it('polygons with very many corners', async () => {
    const circle = (n: number): Ring =>
      Array.from({ length: n }, (_, i) => [
        9 * Math.cos((i * 2 * Math.PI) / n),
        0,
        9 * Math.sin((i * 2 * Math.PI) / n),
      ]);
    expect((await parts([circle(200)]))[0]).toBe(1);
    await expect(parts([circle(300)])).rejects.toThrow('polygon 0: got 300 corners, expected at most 256');
  });
});
