// Levels whose geometry other projects published, built with recast-navigation, solo and in tiles: the kernel's map and
// recast-navigation's own mesh of the same bytes side by side.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importNavMesh, init, NavMeshQuery, type NavMesh as RecastMesh } from 'recast-navigation';
import { type Box, type BuildSpec, buildFromObj, buildNavMesh } from '../../src/build/index.ts';
import { readNavMesh } from '../../src/bytes/index.ts';
import { NavMap } from '../../src/map.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { type PolygonView, packPolygon } from '../../src/pack/view.ts';

export interface Level {
  readonly name: string;
  readonly map: NavMap;
  readonly source: NavMesh;
  readonly polygons: readonly PolygonView[];
  readonly recast: RecastMesh;
  readonly query: NavMeshQuery;
  /** recast-navigation's reference of an export polygon. */
  ref(source: number): number;
}

const SAMPLES = process.env.NAVGUARD_SAMPLES;

/** Pillars, stairs to an upper floor, ground under it. */
const HOUSE: BuildSpec = {
  boxes: [
    [0, -1, 0, 40, 0, 40],
    ...[6, 13, 20].flatMap((x) => [7, 15, 29].map((z): Box => [x, -0.5, z, x + 1.7, 3, z + 2.3])),
    ...Array.from({ length: 10 }, (_, i): Box => [28 + 0.5 * i, 0, 10, 28.5 + 0.5 * i, 0.3 * (i + 1), 13]),
    [33, 2.7, 4, 39, 3, 30],
  ],
};

const obj = (file: string, tile: number) => () => buildFromObj(readFileSync(join(SAMPLES!, file), 'utf8'), { tile });

/** Name, and the export's bytes. The published levels are there when NAVGUARD_SAMPLES is set. */
export const LEVELS: readonly (readonly [name: string, bytes: () => Promise<Uint8Array>])[] = [
  ['house, solo', () => buildNavMesh(HOUSE)],
  ['house, tiled', () => buildNavMesh({ ...HOUSE, tile: 32 })],
  ...(SAMPLES === undefined
    ? []
    : ([
        ['dungeon, solo', obj('recast-demo/dungeon.obj', 0)],
        ['dungeon, tiled', obj('recast-demo/dungeon.obj', 48)],
        ['nav_test, solo', obj('recast-demo/nav_test.obj', 0)],
        ['nav_test, tiled', obj('recast-demo/nav_test.obj', 48)],
      ] as const)),
];

export async function loadLevel([name, make]: (typeof LEVELS)[number]): Promise<Level> {
  await init();
  const bytes = await make();
  const source = await readNavMesh(bytes);
  const map = NavMap.fromMesh(source);
  const pack = map.toPack();
  const { navMesh: recast } = importNavMesh(bytes);
  const refs = new Map<number, number>();
  const owner = (p: number) => source.tiles.findIndex((t) => p >= t.polyBase && p < t.polyBase + t.polyCount);
  return {
    name,
    map,
    source,
    polygons: Array.from({ length: map.info.polygons }, (_, id) => packPolygon(pack, id)),
    recast,
    query: new NavMeshQuery(recast, { maxNodes: 4096 }),
    ref(p) {
      const t = source.tiles[owner(p)];
      const key = t.polyBase;
      if (!refs.has(key)) refs.set(key, recast.getPolyRefBase(recast.getTileAt(t.x, t.y, t.layer)!));
      return refs.get(key)! + (p - t.polyBase);
    },
  };
}

/** Random standing points of a level: area-weighted, heights of the floor, coordinates exact in float32. */
export function standingPoints(level: Level, next: () => number): () => [number, number, number] {
  const fans = level.polygons.flatMap(({ corners }) =>
    corners.slice(2).map((c, i) => [corners[0], corners[i + 1], c] as const),
  );
  const sums: number[] = [];
  let total = 0;
  for (const [a, b, c] of fans) {
    total += (b[0] - a[0]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[0] - a[0]);
    sums.push(total);
  }
  return () => {
    for (;;) {
      const r = next() * total;
      const [a, b, c] = fans[sums.findIndex((s) => s >= r)];
      let [u, v] = [next(), next()];
      if (u + v > 1) [u, v] = [1 - u, 1 - v];
      const x = Math.fround(a[0] + u * (b[0] - a[0]) + v * (c[0] - a[0]));
      const z = Math.fround(a[2] + u * (b[2] - a[2]) + v * (c[2] - a[2]));
      const y = a[1] + u * (b[1] - a[1]) + v * (c[1] - a[1]);
      const at = level.map.locate([x, y, z], { below: 1, above: 1, tolerance: 0 });
      if (at) return [x, Math.fround(at.point[1]), z];
    }
  };
}
