// Real exports and maps generated from real level geometry: nothing is lost between the export and the packed map.
// The samples' tests are registered when NAVGUARD_SAMPLES names their folder; then a missing file is a failure.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildFromObj, buildNavMesh } from '../../src/build/index.ts';
import { readNavMesh } from '../../src/bytes/index.ts';
import { checkConforming } from '../../src/mesh/check.ts';
import { conform } from '../../src/mesh/conform.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { checkPack } from '../../src/pack/check.ts';
import { pack } from '../../src/pack/pack.ts';
import { packInfo } from '../../src/pack/view.ts';

const samples = process.env.NAVGUARD_SAMPLES;

const FILES: [string, number, number][] = [
  ['go-detour/mesh2.bin', 18, 151],
  ['go-detour/offmeshcons.bin', 4, 120],
  ['go-detour/solomesh-dungeon.bin', 1, 100],
  ['go-detour/solomesh-develer.bin', 1, 23],
  ['go-detour/solomesh-twisted.bin', 1, 28],
  ['go-detour/solomesh-stair2.bin', 1, 2],
  ['go-detour/tilemesh-develer.bin', 13, 39],
  ['go-detour/tilemesh-stair3.bin', 6, 13],
  ['dotrecast/dungeon_all_tiles_navmesh_32bit.bin', 41, 143],
];

/** Plan area of the export's polygons, square metres, straight from its floats. */
function exportArea(mesh: NavMesh): number {
  let sum = 0;
  for (let p = 0; p + 1 < mesh.first.length; p++) {
    const a = mesh.first[p];
    const n = mesh.first[p + 1] - a;
    let twice = 0;
    for (let i = 0; i < n; i++) {
      const v = 3 * mesh.corners[a + i];
      const w = 3 * mesh.corners[a + ((i + 1) % n)];
      twice += mesh.vertices[v] * mesh.vertices[w + 2] - mesh.vertices[v + 2] * mesh.vertices[w];
    }
    sum += Math.abs(twice) / 2;
  }
  return sum;
}

/** Conforms and packs; every neighbour and every tile link of the export must be an adjacency of the result. */
function check(mesh: NavMesh, bytes: number): void {
  const result = conform(mesh);
  expect(checkConforming(result)).toEqual([]);
  expect(result.findings.filter((f) => f.kind !== 'split-edge' && f.kind !== 'split-polygon')).toEqual([]);
  const adjacent = new Set<string>();
  for (let p = 0; p < result.source.length; p++) {
    for (let c = result.first[p]; c < result.first[p + 1]; c++) {
      if (result.neighbour[c] >= 0) adjacent.add(`${result.source[p]},${result.source[result.neighbour[c]]}`);
    }
  }
  const missing: string[] = [];
  let p = 0;
  const polygonOf = mesh.corners.map((_, c) => {
    while (c >= mesh.first[p + 1]) p++;
    return p;
  });
  mesh.neighbours.forEach((q, c) => {
    if (q >= 0 && !adjacent.has(`${polygonOf[c]},${q}`)) missing.push(`${polygonOf[c]},${q}`);
  });
  for (let i = 0; i < mesh.portals.length; i += 2) {
    const pair = `${polygonOf[mesh.portals[i]]},${mesh.portals[i + 1]}`;
    if (!adjacent.has(pair)) missing.push(pair);
  }
  expect(missing).toEqual([]);

  const buffer = pack(mesh, result);
  checkPack(buffer);
  const info = packInfo(buffer);
  expect(info.area).toBeGreaterThan(exportArea(mesh) * (1 - 1e-5));
  expect(info.area).toBeLessThan(exportArea(mesh) * (1 + 1e-5));
  expect(info.sourcePolygons).toBe(mesh.first.length - 1);
  // A packed map is small: at most three times its export.
  expect(buffer.byteLength).toBeLessThan(3 * bytes);
}

describe('a ledge on a tile border, climb 0.4, built by recast-navigation (recastnavigation#793)', () => {
  test.each([
    { ledge: 0.3, components: 1 },
    { ledge: 0.5, components: 2 },
    { ledge: 0.7, components: 2 },
  ])('$ledge m: $components components, solo and tiled', async ({ ledge, components }) => {
    for (const tile of [0, 50]) {
      const spec = {
        boxes: [
          [0, -1, 0, 10, 0, 10],
          [10, -1, 0, 20, ledge, 10],
        ],
        cell: 0.2,
        tile,
        agent: { radius: 0 },
      };
      const mesh = await readNavMesh(await buildNavMesh(spec));
      const result = conform(mesh);
      expect(checkConforming(result)).toEqual([]);
      expect(result.componentCount, `tile ${tile}`).toBe(components);
      // Detour links up to twice the climb: the portal is there and is cut.
      const cut = result.findings.find((f) => f.kind === 'cut-portal')?.count ?? 0;
      expect(cut).toBe(tile === 50 && components === 2 ? 1 : 0);
      expect(mesh.portals.length / 2).toBe(tile === 50 ? 2 : 0);
    }
  });
});

test.each([
  { cell: 0.2, tile: 33 },
  { cell: 0.3, tile: 32 },
])(
  'a level at 1,000,000 m, $tile x $cell m tiles: the links that Detour loses there are found',
  async ({ cell, tile }) => {
    const level = (away: number) => {
      const put = (x0: number, y0: number, z0: number, x1: number, y1: number, z1: number) => [
        x0 + away,
        y0,
        z0 - away,
        x1 + away,
        y1,
        z1 - away,
      ];
      const boxes = [put(0, -1, 0, 40, 0, 40), put(10, -1, 10, 14, 2, 14), put(20, -1, 5, 21, 2, 30)];
      return buildNavMesh({ boxes, cell, tile });
    };
    const near = conform(await readNavMesh(await level(0)));
    const mesh = await readNavMesh(await level(1_000_000));
    const far = conform(mesh);
    expect(checkConforming(far)).toEqual([]);
    expect(near.findings).toEqual([]);
    expect(far.findings.map((f) => f.kind)).toEqual(['recovered-portal']);
    expect(far.componentCount).toBe(near.componentCount);
    checkPack(pack(mesh, far));
  },
  20_000,
);

if (samples !== undefined && samples !== '') {
  describe('exports', () => {
    test.each(FILES)('%s: %i tiles, %i polygons', async (name, tiles, polygons) => {
      const bytes = readFileSync(join(samples, name));
      const mesh = await readNavMesh(bytes);
      expect(mesh.tiles.length).toBe(tiles);
      expect(mesh.first.length - 1).toBe(polygons);
      check(mesh, bytes.length);
    });
  });

  describe('maps generated from level geometry', () => {
    for (const level of ['dungeon', 'nav_test']) {
      const text = readFileSync(join(samples, `recast-demo/${level}.obj`), 'utf8');
      test.each([
        { tile: 0, cell: 0.3 },
        { tile: 16, cell: 0.3 },
        { tile: 32, cell: 0.3 },
        { tile: 48, cell: 0.15 },
        { tile: 37, cell: 0.37 },
      ])(`${level}, tiles of $tile cells of $cell m`, async (config) => {
        const bytes = await buildFromObj(text, config);
        check(await readNavMesh(bytes), bytes.length);
      });
    }
  });
}
