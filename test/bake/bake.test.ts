// Bakes: the same navmesh as recast-navigation's own generators make, walkable where the level says, in all three kinds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  BAKE_DEFAULTS,
  type BakeKind,
  type BakeSettings,
  bake,
  compareMaps,
  defaultKind,
  permissive,
  planArea,
  readLevel,
} from '../../src/bake/index.ts';
import { buildFromObj } from '../../src/build/index.ts';
import { equalNavMesh, readNavMesh } from '../../src/bytes/index.ts';
import type { ReadOptions } from '../../src/bytes/options.ts';
import { NavMap } from '../../src/map.ts';
import { polygonCount } from '../../src/mesh/navmesh.ts';
import { box, glbOf, objOf, type Solid, yard } from './levels.ts';

const SAMPLES = process.env.NAVGUARD_SAMPLES;
const KINDS: readonly BakeKind[] = ['solo', 'tiled', 'tilecache'];
const FINE: BakeSettings = {
  ...BAKE_DEFAULTS,
  cellSize: 0.1,
  cellHeight: 0.1,
  agentRadius: 0.4,
  agentClimb: 0.9,
  edgeError: 1,
};

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const levelOf = (solids: readonly Solid[], options?: ReadOptions) => readLevel(bytesOf(objOf(solids)), options);

async function baked(solids: readonly Solid[], kind: BakeKind, settings: BakeSettings, options?: ReadOptions) {
  const bytes = await bake(await levelOf(solids, options), kind, settings);
  const mesh = await readNavMesh(bytes);
  return { bytes, mesh, map: NavMap.fromMesh(mesh) };
}

const on = (map: NavMap, x: number, y: number, z: number): boolean =>
  map.locate([x, y, z], { below: 0.6, above: 0.6, tolerance: 0 }) !== null;

describe.each(KINDS)('the yard, %s', (kind) => {
  it('is walkable where the level says', async () => {
    const { map } = await baked(yard(), kind, FINE);
    expect(map.info.format).toMatch(kind === 'tilecache' ? /^TSET tile cache/ : /^MSET/);
    for (const [x, z] of [
      [1, 1],
      [10, 10],
      [22, 22],
      [12, 20],
    ]) {
      expect(on(map, x, 0, z), `${x}, ${z}`).toBe(true);
    }
    // beside the wall, nearer than the radius; farther
    expect([on(map, 11.3, 0, 2), on(map, 10.9, 0, 2)]).toEqual([false, true]);
    // through the gap, not through the wall
    expect(map.ray([10, 0, 6], [14, 0, 6]).clear).toBe(true);
    expect(map.ray([10, 0, 3], [14, 0, 3]).clear).toBe(false);
    expect(map.reach([10, 0, 3], [14, 0, 3], 20).status).toBe('walk');
    // the step is too high and the ramp too steep: tops are islands
    expect(on(map, 5, 1, 5)).toBe(true);
    expect(map.reach([1, 0, 1], [5, 1, 5], 50).status).toBe('unreachable');
    expect(on(map, 17, 1.1, 4)).toBe(false);
    expect(map.reach([15, 0, 4], [21, 2.2, 4], 50).status).toBe('unreachable');
  });

  it('permissive: nearer to walls, up the step and the ramp', async () => {
    const wide = permissive(FINE);
    expect(wide).toMatchObject({ agentClimb: 1, agentSlope: 50, agentHeight: 1.9, agentRadius: 0.2, minRegion: 0 });
    const { map } = await baked(yard(), kind, wide);
    expect([on(map, 11.45, 0, 2), on(map, 11.2, 0, 2)]).toEqual([false, true]);
    expect(map.reach([1, 0, 1], [5, 1, 5], 50).status).toBe('clear');
    expect(map.reach([15, 0, 4], [21, 2.2, 4], 50).status).toBe('clear');
  });

  it('the same input gives the same bytes; GLB and OBJ of one level give one map', async () => {
    const first = await bake(await levelOf(yard()), kind, FINE);
    expect(await bake(await levelOf(yard()), kind, FINE)).toEqual(first);
    const moved = await readNavMesh(await bake(await readLevel(glbOf(yard())), kind, FINE));
    const { mesh, map } = await baked(yard(), kind, FINE);
    // the nodes' arithmetic leaves a last bit here and there
    expect(polygonCount(moved)).toBe(polygonCount(mesh));
    const { onlyA, onlyB } = compareMaps({ mesh, map }, { mesh: moved, map: NavMap.fromMesh(moved) }, 0.1, 0.5);
    expect([onlyA.area, onlyB.area]).toEqual([0, 0]);
  });

  it('areas by material: flags and areas of ground, and no ground', async () => {
    const options = { areas: { Water: { area: 2, flags: 4 }, Step: { flags: 0 }, Ramp: { flags: 0 } } };
    const { map, mesh } = await baked(yard(), kind, FINE, options);
    expect(on(map, 5, 1, 5)).toBe(false);
    const located = map.locate([12, 0, 20]);
    expect(located).not.toBeNull();
    expect([...new Set(mesh.areas)].sort()).toEqual([0, 2]);
    // a tile cache keeps areas only: who reads it gives the flags
    if (kind !== 'tilecache') {
      expect(mesh.areas.every((area, p) => mesh.flags[p] === (area === 2 ? 4 : 1))).toBe(true);
    }
    expect(map.reach([4, 0, 20], [20, 0, 20], 30).status).not.toBe('unreachable');
  });

  it('a mirrored level has mirrored ground', async () => {
    const { map } = await baked(yard(), kind, FINE, { flip: true });
    expect([on(map, -1, 0, 1), on(map, 1, 0, 1)]).toEqual([true, false]);
    expect(map.ray([-10, 0, 6], [-14, 0, 6]).clear).toBe(true);
    expect(map.ray([-10, 0, 3], [-14, 0, 3]).clear).toBe(false);
  });
});

describe('settings', () => {
  it('each partition covers the yard', async () => {
    const areas: number[] = [];
    for (const partition of ['watershed', 'monotone', 'layers'] as const) {
      const { mesh } = await baked(yard(), 'solo', { ...FINE, partition });
      areas.push(planArea(mesh));
    }
    for (const area of areas) expect(Math.abs(area - areas[0])).toBeLessThan(5);
  });

  it('small regions go, long edges are cut, polygons have no more corners than allowed', async () => {
    const solids = [box('Floor', [0, -1, 0], [30, 0, 30]), box('Crate', [10, 0, 10], [11.4, 2, 11.4])];
    const kept = await baked(solids, 'solo', { ...FINE, minRegion: 2 });
    const gone = await baked(solids, 'solo', { ...FINE, minRegion: 12 });
    expect([on(kept.map, 10.7, 2, 10.7), on(gone.map, 10.7, 2, 10.7)]).toEqual([true, false]);
    const whole = await baked(solids, 'solo', { ...FINE, maxEdge: 0 });
    const cut = await baked(solids, 'solo', { ...FINE, maxEdge: 2 });
    expect(cut.mesh.vertices.length).toBeGreaterThan(2 * whole.mesh.vertices.length);
    const { first } = (await baked(solids, 'solo', { ...FINE, polyVertices: 3 })).mesh;
    for (let p = 0; p + 1 < first.length; p++) expect(first[p + 1] - first[p]).toBe(3);
  });

  it('a small level is one tile, a wide one many', async () => {
    expect(defaultKind(await levelOf(yard()), FINE)).toBe('solo');
    expect(defaultKind(await levelOf([box('Floor', [0, -1, 0], [103, 0, 9])]), FINE)).toBe('tiled');
  });
});

describe('compareMaps', () => {
  it('finds the places that one map has more, with their size', async () => {
    const floor = box('Floor', [0, -1, 0], [20, 0, 20]);
    const a = await baked([floor], 'solo', FINE);
    const b = await baked([floor, box('Pillar', [8, 0, 8], [10, 3, 10])], 'solo', FINE);
    const { onlyA, onlyB } = compareMaps(a, b, 0.1, 1);
    // the pillar with the radius around it, and its own top
    expect(onlyA.places).toBe(1);
    expect(onlyA.area).toBeGreaterThan(2.8 * 2.8 - 1.2);
    expect(onlyA.area).toBeLessThan(3 * 3 + 0.3);
    expect(Math.abs(onlyA.largest[0].at[0] - 9)).toBeLessThan(0.4);
    expect(onlyB.places).toBe(1);
    expect(onlyB.largest[0].at[1]).toBeGreaterThan(2.8);
    expect(compareMaps(a, a, 0.1, 1)).toMatchObject({ onlyA: { places: 0, area: 0 }, onlyB: { places: 0, area: 0 } });
  });
});

describe('refused with one sentence', () => {
  it.each<[string, string, ReadOptions, Partial<BakeSettings>, BakeKind, RegExp]>([
    ['not a number', 'v 0 0 nan\nv 1 0 0\nv 0 0 1\nf 1 2 3\n', {}, {}, 'solo', /OBJ/],
    ['far away', 'v 0 0 1e30\nv 1 0 0\nv 0 0 1\nf 1 3 2\n', {}, {}, 'solo', /at most 1000000 m/],
    ['no faces', 'v 0 0 0\nv 1 0 0\n', {}, {}, 'solo', /no faces/],
    ['a dot', 'v 0 0 0\nv 0.01 0 0\nv 0 0 0.01\nf 1 3 2\n', {}, {}, 'solo', /0 x 0 cells/],
    ['upside down', 'v 0 0 0\nv 9 0 0\nv 0 0 9\nf 1 2 3\n', {}, {}, 'solo', /nothing is walkable.*--flip/],
    ['a wall', 'v 0 0 0\nv 9 0 0\nv 9 9 0.2\nf 1 2 3\n', {}, {}, 'tiled', /nothing is walkable|0 cells/],
    ['too high', objOf([box('a', [0, 0, 0], [9, 9000, 9])]), {}, {}, 'solo', /cell heights high.*--cell-height/],
    ['too wide', objOf([box('a', [0, 0, 0], [9e4, 1, 9e4])]), {}, {}, 'solo', /--kind tiled/],
    [
      'too many tiles',
      objOf([box('a', [0, 0, 0], [9e3, 1, 9e3])]),
      {},
      {},
      'tiled',
      /larger tiles \(--tile-size \d+\)/,
    ],
    ['cell 0', objOf(yard()), {}, { cellSize: 0 }, 'solo', /--cell-size: got 0, expected 0.01/],
    [
      'wide cache tiles',
      objOf(yard()),
      {},
      { tileSize: 256 },
      'tilecache',
      /--tile-size: got 256, expected at most 128/,
    ],
    ['no such material', objOf(yard()), { areas: { Lava: {} } }, {}, 'solo', /named Lava.*Floor, Water/],
    ['area 63', objOf(yard()), { areas: { Water: { area: 63 } } }, {}, 'solo', /got area 63, expected 0..61/],
    ['no model', '[{"a": 1}]', {}, {}, 'solo', /expected level geometry/],
  ])('%s', async (_name, text, options, settings, kind, sentence) => {
    const work = readLevel(bytesOf(text), options).then((level) =>
      bake(level, kind, { ...BAKE_DEFAULTS, ...settings }),
    );
    const error = await work.catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'NavguardError', message: expect.stringMatching(sentence) });
    expect((error as Error).message).toMatch(/^[A-Za-z].*\.$/s);
  });
});

if (SAMPLES !== undefined) {
  describe.each(['dungeon.obj', 'nav_test.obj'])('%s', (file) => {
    const bytes = new Uint8Array(readFileSync(join(SAMPLES, 'recast-demo', file)));

    it('solo and tiled are what recast-navigation itself makes', async () => {
      const level = await readLevel(bytes);
      const text = new TextDecoder().decode(bytes);
      for (const kind of ['solo', 'tiled'] as const) {
        const config = { tile: kind === 'solo' ? 0 : 48, agent: { radius: 0.6, height: 2, climb: 0.9, slope: 45 } };
        const theirs = await readNavMesh(await buildFromObj(text, config));
        const ours = await readNavMesh(await bake(level, kind, BAKE_DEFAULTS));
        expect(equalNavMesh(ours, theirs), kind).toBeNull();
      }
    });
  });

  it("the dungeon's tile cache is the one that another project made of it", async () => {
    const level = await readLevel(new Uint8Array(readFileSync(join(SAMPLES, 'recast-demo/dungeon.obj'))));
    const ours = await readNavMesh(await bake(level, 'tilecache', BAKE_DEFAULTS));
    const file = readFileSync(join(SAMPLES, 'dotrecast/dungeon_all_tiles_tilecache.bin'));
    const theirs = await readNavMesh(new Uint8Array(file));
    // their origin of a tile was computed in 32 bits, ours in 64: at a rounding one voxel may fall to the other side
    expect(ours.vertices.length).toBe(theirs.vertices.length);
    const moved = new Set<number>();
    for (let i = 0; i < ours.vertices.length; i++) {
      const away = Math.abs(ours.vertices[i] - theirs.vertices[i]);
      expect(away).toBeLessThan(BAKE_DEFAULTS.cellSize + 0.0005);
      if (away > 0.0005) moved.add(Math.floor(i / 3));
    }
    expect(moved.size).toBeLessThan(2);
    for (const field of ['first', 'corners', 'neighbours', 'portals', 'areas', 'flags', 'polyTile'] as const) {
      expect(ours[field], field).toEqual(theirs[field]);
    }
  });
}
