// Inline maps: the same bytes each time, areas, links, tiles, and a sentence for every wrong spec.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Raw } from 'recast-navigation';
import { describe, expect, it } from 'vitest';
import { buildFromObj, buildNavMesh, readObj } from '../../src/build/index.ts';
import { readNavMesh } from '../../src/bytes/index.ts';
import { NavguardError } from '../../src/errors.ts';
import { polygonCount } from '../../src/mesh/navmesh.ts';

const HALL = {
  boxes: [
    [0, -1, 0, 20, 0, 20],
    [8, -0.5, 8, 12, 3, 12],
  ],
};

describe('buildNavMesh', () => {
  it('gives the same bytes for the same spec, solo and tiled', async () => {
    for (const spec of [HALL, { ...HALL, tile: 32 }, { ...HALL, areas: [{ area: 5, box: [1, -1, 1, 4, 1, 9] }] }]) {
      expect(await buildNavMesh(spec)).toEqual(await buildNavMesh(spec));
    }
  });

  it('keeps the sizes that were asked for', async () => {
    const spec = { ...HALL, cell: 0.25, cellHeight: 0.1, agent: { radius: 0.5, height: 1.8, climb: 0.3, slope: 40 } };
    const mesh = await readNavMesh(await buildNavMesh(spec));
    expect(mesh.agent.radius).toBeCloseTo(0.5, 6);
    expect(mesh.agent.height).toBeCloseTo(1.8, 6);
    // 0.3 / 0.1 is 2.9999999999999996: three voxels all the same.
    expect(mesh.agent.climb).toBeCloseTo(0.3, 6);
    expect(mesh.lattice.cell).toBeCloseTo(0.25, 6);
  });

  it('cuts tiles', async () => {
    const mesh = await readNavMesh(await buildNavMesh({ ...HALL, tile: 25 }));
    expect(mesh.tiles.length).toBe(16);
  });

  it('marks areas along their box, solo and tiled, and leaves them walkable', async () => {
    for (const tile of [0, 32]) {
      const mesh = await readNavMesh(
        await buildNavMesh({ ...HALL, tile, areas: [{ area: 5, box: [0, -1, 0, 6, 1, 20] }] }),
      );
      const marked = { area: 0, plain: 0 };
      for (let p = 0; p < polygonCount(mesh); p++) {
        let [low, high] = [Infinity, -Infinity];
        for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) {
          low = Math.min(low, mesh.vertices[mesh.corners[c] * 3]);
          high = Math.max(high, mesh.vertices[mesh.corners[c] * 3]);
        }
        expect(mesh.flags[p]).not.toBe(0);
        if (mesh.areas[p] === 5) marked.area++;
        else marked.plain++;
        if (mesh.areas[p] === 5) expect(high).toBeLessThan(6.5);
        else expect(low).toBeGreaterThan(5.5);
      }
      expect(marked.area).toBeGreaterThan(0);
      expect(marked.plain).toBeGreaterThan(0);
    }
  });

  it('changes nothing by an area that holds no ground: the steps run again are the generators own', async () => {
    const far = { areas: [{ area: 3, box: [500, 500, 500, 501, 501, 501] }] };
    for (const tile of [0, 32]) {
      expect(await buildNavMesh({ ...HALL, tile, ...far })).toEqual(await buildNavMesh({ ...HALL, tile }));
    }
  });

  it('exports links with their ends, radius and direction', async () => {
    const links = [
      { id: 'roof', from: [7, 0, 10], to: [10, 3, 10], radius: 0.6, bidirectional: false },
      { from: [3, 0, 3], to: [16, 0, 16] },
    ];
    for (const tile of [0, 48]) {
      const mesh = await readNavMesh(await buildNavMesh({ ...HALL, tile, links }));
      const found = [...mesh.links].sort((a, b) => a.userId - b.userId);
      expect(found.map((l) => [l.userId, l.bidirectional])).toEqual([
        [1, false],
        [2, true],
      ]);
      expect(found[0].to.map(Math.round)).toEqual([10, 3, 10]);
      expect(found[0].radius).toBeCloseTo(0.6, 6);
    }
  });

  it('gives its memory back', async () => {
    const spec = { ...HALL, tile: 24, areas: [{ area: 5, box: [1, -1, 1, 4, 1, 9] }] };
    await buildNavMesh(spec);
    const heap = (): number => (Raw.Module as unknown as { HEAPU8: Uint8Array }).HEAPU8.length;
    for (let i = 0; i < 20; i++) await buildNavMesh(spec);
    const before = heap();
    for (let i = 0; i < 50; i++) await buildNavMesh(spec);
    expect(heap()).toBe(before);
  });

  const wrong: [name: string, spec: unknown, says: RegExp][] = [
    ['null', null, /map\.build is null, expected an object/],
    ['a list', [], /map\.build is \[\], expected an object/],
    ['nothing', {}, /no geometry: got 0 boxes and 0 triangles/],
    ['a box of five', { boxes: [[0, 0, 0, 1, 1]] }, /boxes\[0\] is \[0,0,0,1,1\], expected 6 numbers/],
    ['an inside-out box', { boxes: [[0, 0, 0, 1, -1, 1]] }, /boxes\[0\] y is 0 to -1, expected its minimum below/],
    ['a flat box', { boxes: [[0, 0, 0, 1, 0, 1]] }, /boxes\[0\] y is 0 to 0/],
    ['NaN', { boxes: [[0, 0, 0, 1, Number.NaN, 1]] }, /boxes\[0\] is NaN, expected finite/],
    ['infinity', { triangles: [[0, 0, 0, 1, 0, 0, 0, 0, Number.POSITIVE_INFINITY]] }, /triangles\[0\] is Infinity/],
    ['text', { boxes: [[0, 0, 0, 1, '1', 1]] }, /boxes\[0\] is 1, expected finite numbers/],
    ['boxes not in a list', { boxes: 3 }, /boxes is 3, expected a list/],
    ['an unknown field', { boxs: [] }, /"boxs", expected one of boxes, triangles/],
    ['a map of 1,000 km', { boxes: [[0, 0, 0, 1e6, 1, 1e6]] }, /5000000 x 5000000 cells .* set "tile"/],
    ['the same in tiles', { boxes: [[0, 0, 0, 1e6, 1, 1e6]], tile: 2000 }, /at most 64000000 cells/],
    ['a tower of 10 km', { boxes: [[0, 0, 0, 9, 1e4, 9]] }, /height of the map is 100000 cells/],
    ['tiny tiles', { ...HALL, tile: 3 }, /tile is 3, expected 0 \(one tile\) or/],
    [
      'too many tiles',
      { boxes: [[0, 0, 0, 400, 1, 400]], tile: 8 },
      /tiles is 62500 of 8 cells, expected at most 16384/,
    ],
    ['no cell', { ...HALL, cell: 0 }, /cell is 0, expected 0\.001 to 1000 m/],
    ['a vertical slope', { ...HALL, agent: { slope: 90 } }, /agent\.slope is 90/],
    ['an agent of text', { ...HALL, agent: { radius: 'wide' } }, /agent\.radius is wide/],
    ['an unknown agent field', { ...HALL, agent: { width: 1 } }, /"width", expected one of radius/],
    [
      'area 0',
      { ...HALL, areas: [{ area: 0, box: [0, 0, 0, 1, 1, 1] }] },
      /areas\[0\]\.area is 0, expected .* 1 to 62/,
    ],
    [
      'a link to nowhere',
      { ...HALL, links: [{ id: 'a', from: [0, 0, 0] }] },
      /links\[0\]\.to is undefined, expected 3/,
    ],
    ['ground upside down', { triangles: [[0, 0, 0, 9, 0, 0, 0, 0, 9]] }, /0 of 1 triangles face up/],
    ['ground too small', { boxes: [[0, 0, 0, 0.3, 0.1, 0.3]] }, /nothing is walkable: 2 of 12 triangles face up/],
    ['the same in tiles', { boxes: [[0, 0, 0, 0.3, 0.1, 0.3]], tile: 8 }, /nothing is walkable/],
  ];
  it.each(wrong)('refuses %s with a sentence', async (_name, spec, says) => {
    const error = await buildNavMesh(spec).then(
      () => null,
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(NavguardError);
    expect((error as NavguardError).code).toBe('BAD_ARGUMENT');
    expect((error as NavguardError).message).toMatch(says);
  });
});

describe('readObj', () => {
  it('reads faces of any size, slashes and negative indices', () => {
    const soup = readObj('v 0 0 0\nv 0 0 1\nv 1 0 1\n# no\nvn 0 1 0\nv 1 0 0\nf 1/1/1 2//1 3 4\nf -4 -3 -2\n');
    expect(soup.positions).toEqual([0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0]);
    expect(soup.indices).toEqual([0, 1, 2, 0, 2, 3, 0, 1, 2]);
  });
  it.each([
    ['v 0 0\n', /line 1: got "v 0 0"/],
    ['v 0 0 0\nf 1 2 3\n', /line 2: .* of the 1 vertices so far/],
    ['v 0 0 0\n', /no faces/],
  ])('refuses %j', (text, says) => {
    expect(() => readObj(text)).toThrow(says);
  });
});

const samples = process.env.NAVGUARD_SAMPLES;
if (samples !== undefined) {
  describe('level geometry of RecastDemo', () => {
    it.each([
      ['dungeon.obj', 0],
      ['dungeon.obj', 48],
      ['nav_test.obj', 0],
      ['nav_test.obj', 48],
    ])('%s in tiles of %d cells', async (name, tile) => {
      const bytes = await buildFromObj(readFileSync(join(samples, 'recast-demo', name), 'utf8'), { tile });
      const mesh = await readNavMesh(bytes);
      expect(polygonCount(mesh)).toBeGreaterThan(90);
      expect(mesh.tiles.length > 1).toBe(tile > 0);
    });
  });
}
