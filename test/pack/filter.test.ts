// Maps without what a filter leaves out: beside the same mesh built without those polygons, beside recast-navigation's
// filtered queries, and by hand.
import { importNavMesh, init, NavMeshQuery, QueryFilter } from 'recast-navigation';
import { describe, expect, test } from 'vitest';
import { buildNavMesh } from '../../src/build/index.ts';
import { NavguardError } from '../../src/errors.ts';
import { GridMap } from '../../src/gridmap.ts';
import { NavMap } from '../../src/map.ts';
import type { MapFilter } from '../../src/mesh/filter.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { checkPack } from '../../src/pack/check.ts';
import { filterPack } from '../../src/pack/filter.ts';
import { packPolygon } from '../../src/pack/view.ts';
import { packOf } from '../kernel/ask.ts';
import { box, meshOf } from '../mesh/handmade.ts';
import { latticeMesh } from '../oracle/lattice.ts';
import { between, random } from '../oracle/random.ts';

const bytesOf = (buffer: ArrayBuffer): string => Buffer.from(buffer).toString('hex');

/** The mesh with only the polygons of `keep`: written without the subject. */
function without(mesh: NavMesh, keep: (p: number) => boolean): NavMesh {
  const now = new Map<number, number>();
  for (let p = 0; p + 1 < mesh.first.length; p++) if (keep(p)) now.set(p, now.size);
  const first = [0];
  const corners: number[] = [];
  const neighbours: number[] = [];
  for (const p of now.keys()) {
    for (let c = mesh.first[p]!; c < mesh.first[p + 1]!; c++) {
      corners.push(mesh.corners[c]!);
      const across = mesh.neighbours[c]!;
      neighbours.push(across < 0 ? across : (now.get(across) ?? -1));
    }
    first.push(corners.length);
  }
  const pick = (list: ArrayLike<number>) => [...now.keys()].map((p) => list[p]!);
  return {
    ...mesh,
    first: Uint32Array.from(first),
    corners: Uint32Array.from(corners),
    neighbours: Int32Array.from(neighbours),
    areas: Uint8Array.from(pick(mesh.areas)),
    flags: Uint16Array.from(pick(mesh.flags)),
    polyTile: Uint32Array.from(pick(mesh.polyTile)),
    detailFirstVertex: new Uint32Array(now.size + 1),
    detailFirstTriangle: new Uint32Array(now.size + 1),
  };
}

interface Walked {
  status: string;
  length: number | null;
}
const walked = (map: NavMap, a: readonly number[], b: readonly number[]): Walked => {
  const at = (p: readonly number[]) => [p[0]! / 1024, 0, p[1]! / 1024] as const;
  if (map.locate(at(a), { tolerance: 0 }) === null) return { status: 'off', length: null };
  if (map.locate(at(b), { tolerance: 0 }) === null) return { status: 'off', length: null };
  const { status, length } = map.shortest(at(a), at(b), { tolerance: 0 });
  return { status, length };
};

describe('lattices', () => {
  test('a filtered map answers as the mesh built without those polygons', () => {
    const seed = 8101;
    const next = random(seed);
    const seen: Record<string, number> = {};
    for (let round = 0; round < 60; round++) {
      const { mesh, points, bounds } = latticeMesh({ w: 6, h: 5, seed: seed + round, blocked: 0.1, merge: 8 });
      const count = mesh.areas.length;
      for (let p = 0; p < count; p++) {
        mesh.areas[p] = between(next, 0, 3);
        mesh.flags[p] = 1 << between(next, 0, 3);
      }
      const filters: [MapFilter, (p: number) => boolean][] = [
        [{ areas: [0, 2, 3] }, (p) => mesh.areas[p] !== 1],
        [{ excludeAreas: [2] }, (p) => mesh.areas[p] !== 2],
        [{ exclude: 4 }, (p) => mesh.flags[p] !== 4],
        [{ include: 0b1011, excludeAreas: [3] }, (p) => mesh.flags[p] !== 4 && mesh.areas[p] !== 3],
      ];
      const [filter, keep] = filters[round % filters.length]!;
      const packed = filterPack(packOf(mesh), filter);
      checkPack(packed);
      const map = NavMap.fromPack(packed);
      const plain = NavMap.fromMesh(without(mesh, keep));
      expect(map.info.polygons).toBe(plain.info.polygons);
      expect(map.info.components).toBe(plain.info.components);
      expect(map.info.vertices).toBe(plain.info.vertices);
      const dropped = map.info.findings.find(({ kind }) => kind === 'filtered-polygon');
      expect(dropped?.count ?? 0).toBe(count - map.info.polygons);
      for (let q = 0; q < 30; q++) {
        const point = () =>
          next() < 0.5
            ? points[between(next, 0, points.length - 1)]!
            : [between(next, bounds[0], bounds[2]), between(next, bounds[1], bounds[3])];
        const [a, b] = [point(), point()];
        const got = walked(map, a, b);
        const want = walked(plain, a, b);
        seen[want.status] = (seen[want.status] ?? 0) + 1;
        expect(got.status, `seed ${seed}, round ${round}, ${a} to ${b}`).toBe(want.status);
        if (want.length === null) expect(got.length).toBeNull();
        else expect(got.length! / (want.length || 1)).toBeCloseTo(want.length === 0 ? 0 : 1, 9);
      }
    }
    expect(seen.complete).toBeGreaterThan(300);
    expect(seen.unreachable).toBeGreaterThan(100);
    expect(seen.off).toBeGreaterThan(100);
  });

  test('what passes everything is the same map, byte for byte', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const packed = packOf(latticeMesh({ w: 7, h: 6, seed, merge: 8, height: (x, z) => (x + z) / 50 }).mesh);
      expect(bytesOf(filterPack(packed, { include: 1 }))).toBe(bytesOf(packed));
      expect(bytesOf(filterPack(packed, {}))).toBe(bytesOf(packed));
    }
  });

  test('two filters in a row are both together', () => {
    for (let seed = 31; seed <= 50; seed++) {
      const { mesh } = latticeMesh({ w: 6, h: 6, seed, merge: 6 });
      const next = random(seed);
      for (let p = 0; p < mesh.areas.length; p++) mesh.areas[p] = between(next, 0, 4);
      const map = NavMap.fromMesh(mesh);
      const twice = map.filtered({ excludeAreas: [1] }).filtered({ excludeAreas: [2] });
      const once = map.filtered({ excludeAreas: [1, 2] });
      expect(twice.info.findings.map(({ kind, count }) => [kind, count])).toEqual(
        once.info.findings.map(({ kind, count }) => [kind, count]),
      );
      const { polygons } = once.info;
      expect(twice.info.polygons).toBe(polygons);
      for (let p = 0; p < polygons; p++) {
        expect(packPolygon(twice.toPack(), p)).toEqual(packPolygon(once.toPack(), p));
      }
    }
  });
});

/** A floor of 24 x 12 m with a strip of mud across it and a hole of another area in one half. */
const LEVEL = {
  boxes: [[0, -1, 0, 24, 0, 12]],
  cell: 0.25,
  cellHeight: 0.2,
  areas: [
    { area: 5, box: [10, -1, 0, 13, 1, 12] },
    { area: 9, box: [16, -1, 3, 20, 1, 8] },
  ],
};

/** The export with flags 1 << area group: plain ground 1, area 5 2, area 9 4; told to both sides. */
async function level(tile: number) {
  await init();
  const bytes = await buildNavMesh({ ...LEVEL, tile });
  const { navMesh } = importNavMesh(bytes);
  return { bytes, navMesh };
}

describe('beside recast-navigation', () => {
  test.each([0, 32])('filtered queries of an export with areas, tile %i', async (tile) => {
    const { bytes, navMesh } = await level(tile);
    const { readNavMesh } = await import('../../src/bytes/index.ts');
    const mesh = await readNavMesh(bytes);
    const word = (area: number) => (area === 5 ? 2 : area === 9 ? 4 : 1);
    for (let p = 0; p < mesh.flags.length; p++) mesh.flags[p] = word(mesh.areas[p]!);
    for (let t = 0; t < navMesh.getMaxTiles(); t++) {
      const header = navMesh.getTile(t).header();
      if (!header) continue;
      const base = navMesh.getPolyRefBase(navMesh.getTile(t));
      for (let p = 0; p < header.polyCount(); p++) {
        const { area } = navMesh.getPolyArea(base + p);
        navMesh.setPolyFlags(base + p, word(area));
      }
    }
    const whole = NavMap.fromMesh(mesh);
    const next = random(77 + tile);
    const counts = { on: 0, off: 0, walk: 0, none: 0 };
    for (const filter of [{ include: 1 }, { exclude: 4 }, { include: 5 }, { include: 6 }, { exclude: 2 }]) {
      const map = whole.filtered(filter);
      const query = new NavMeshQuery(navMesh, { maxNodes: 2048 });
      const theirs = new QueryFilter();
      theirs.includeFlags = filter.include ?? 0xffff;
      theirs.excludeFlags = filter.exclude ?? 0;
      const nearest = (p: { x: number; y: number; z: number }) =>
        query.findNearestPoly(p, { halfExtents: { x: 0.01, y: 2, z: 0.01 }, filter: theirs });
      for (let i = 0; i < 150; i++) {
        const [a, b] = [0, 1].map(() => ({ x: 0.7 + next() * 22.6, y: 0, z: 0.7 + next() * 10.6 }));
        const [na, nb] = [nearest(a!), nearest(b!)];
        const [la, lb] = [a!, b!].map((p) => map.locate([p.x, p.y, p.z], { tolerance: 0, below: 2, above: 2 }));
        const gap = (p: typeof a, n: typeof na) => Math.hypot(n.nearestPoint.x - p!.x, n.nearestPoint.z - p!.z);
        // A step of our grid is about a millimetre: so near to an edge a point may be on it for one of the two only.
        const rim = (p: typeof a, n: typeof na) => n.nearestRef !== 0 && gap(p, n) >= 1e-5 && gap(p, n) < 2e-3;
        if (rim(a, na) || rim(b, nb)) continue;
        for (const [p, n, l] of [
          [a, na, la],
          [b, nb, lb],
        ] as const) {
          const on = n.nearestRef !== 0 && gap(p, n) < 1e-5;
          expect(on, `seed ${77 + tile}, point ${p!.x}, ${p!.z}`).toBe(l !== null);
          counts[l ? 'on' : 'off']++;
        }
        if (!la || !lb) continue;
        const path = query.findPath(na.nearestRef, nb.nearestRef, a!, b!, { filter: theirs, maxPathPolys: 512 });
        const refs = path.polys.size;
        const complete = refs > 0 && path.polys.get(refs - 1) === nb.nearestRef;
        const ours = map.shortest([a!.x, 0, a!.z], [b!.x, 0, b!.z], { below: 2, above: 2 });
        expect(ours.status).toBe(complete ? 'complete' : 'unreachable');
        counts[complete ? 'walk' : 'none']++;
      }
    }
    expect(Math.min(counts.on, counts.off, counts.walk, counts.none)).toBeGreaterThan(30);
  });
});

describe('by hand', () => {
  const three = meshOf([box(0, 0, 10, 10), box(10, 0, 20, 10), box(20, 0, 30, 10)], {
    links: [
      { from: [1, 0, 1], to: [7, 0, 1], radius: 0.5, bidirectional: true, area: 7, flags: 8, userId: 1, tile: 0 },
      { from: [1, 0, 2], to: [4, 0, 2], radius: 0.5, bidirectional: false, area: 0, flags: 1, userId: 2, tile: 0 },
    ],
  });
  three.areas.set([0, 6, 0]);

  test('links keep their number, lose ends that are gone, and pass the filter themselves', () => {
    const map = NavMap.fromMesh(three);
    expect(map.reach([1, 0, 1.5], [7, 0, 1.5], 20).status).toBe('clear');
    const split = map.filtered({ excludeAreas: [6] });
    expect(split.info.links).toBe(2);
    expect(split.reach([1, 0, 1.5], [7, 0, 1.5], 20).status).toBe('walk');
    expect(split.info.findings.map(({ kind, count }) => [kind, count])).toEqual([
      ['filtered-polygon', 1],
      ['filtered-link', 1],
    ]);
    const closed = map.filtered({ excludeAreas: [6, 7] });
    expect(closed.reach([1, 0, 1.5], [7, 0, 1.5], 20).status).toBe('unreachable');
    expect(closed.info.components).toBe(2);
    expect(map.filtered({ exclude: 8, excludeAreas: [6] }).reach([1, 0, 1.5], [7, 0, 1.5], 20).status).toBe(
      'unreachable',
    );
    checkPack(split.toPack());
    checkPack(closed.toPack());
  });

  test('load and fromPack take the filter, the engine and the tolerance stay', async () => {
    const packed = NavMap.fromMesh(three).toPack();
    const filter = { areas: [0] };
    const maps = [
      NavMap.fromPack(packed, { filter, engine: 'twin' }),
      await NavMap.load(packed, { filter, engine: 'twin' }),
      NavMap.fromMesh(three, { filter, engine: 'twin' }),
      NavMap.fromMesh(three, { engine: 'twin' }).filtered(filter),
    ];
    for (const map of maps) {
      expect(map.kernel.engine).toBe('twin');
      expect(map.info.hash).toBe(maps[0]!.info.hash);
      expect(map.info.polygons).toBe(2);
    }
    const grid = GridMap.from(['....', '....']).filtered({ include: 1 });
    expect(grid.info.defaultTolerance).toBe(0.1);
  });

  test('a filter that passes nothing, or says nonsense, is refused in one sentence', () => {
    const bare = NavMap.fromMesh({ ...three, flags: new Uint16Array(3) });
    const refused = (filter: unknown) => {
      try {
        bare.filtered(filter as MapFilter);
      } catch (e) {
        return e instanceof NavguardError && e.code === 'BAD_ARGUMENT' ? e.message : String(e);
      }
      return 'nothing thrown';
    };
    expect(refused({ include: 0xffff })).toMatch(/at least one polygon to pass, got none of 3 \(all flags .* are 0/);
    expect(refused({ areas: [] })).toMatch(/got none of 3/);
    expect(refused({ include: 65536 })).toMatch(/filter include: expected flags of 0..65535, got 65536/);
    expect(refused({ exclude: 1.5 })).toMatch(/filter exclude: .* got 1.5/);
    expect(refused({ areas: [64] })).toMatch(/expected an area of 0..63, got 64/);
    expect(refused({ areas: 3 })).toMatch(/filter areas: expected a list of areas, got 3/);
    expect(refused({ areas: [1], excludeAreas: [2] })).toMatch(/expected areas or excludeAreas, got "both"/);
    expect(refused({ incluide: 1 })).toMatch(/got "incluide"/);
    expect(refused(null)).toMatch(/expected an object, got null/);
    expect(bare.filtered({ areas: [0] }).info.polygons).toBe(2);
  });
});
