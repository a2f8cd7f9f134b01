// Every real file of the samples' table (their README) gives what the table says: tiles and polygons, or the refusal. And
// each map that loads comes back the same from its own pack.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectFormat, equalNavMesh, readNavMesh } from '../../src/bytes/index.ts';
import { NavMap } from '../../src/map.ts';
import { type NavMesh, polygonCount } from '../../src/mesh/navmesh.ts';
import { smallMset } from './small.ts';

const SAMPLES = process.env.NAVGUARD_SAMPLES;

/** Tiles, and polygons with off-mesh connections, as the table counts them. */
const DETOUR: readonly [file: string, kind: string, tiles: number, polygons: number, connections: number][] = [
  ['go-detour/mesh2.bin', 'mset', 18, 151, 0],
  ['go-detour/offmeshcons.bin', 'mset', 4, 121, 1],
  ['go-detour/solomesh-dungeon.bin', 'mset', 1, 100, 0],
  ['go-detour/solomesh-develer.bin', 'mset', 1, 23, 0],
  ['go-detour/solomesh-twisted.bin', 'mset', 1, 28, 0],
  ['go-detour/solomesh-stair2.bin', 'mset', 1, 2, 0],
  ['go-detour/tilemesh-develer.bin', 'mset', 13, 39, 0],
  ['go-detour/tilemesh-stair3.bin', 'mset', 6, 13, 0],
  ['dotrecast/dungeon_all_tiles_navmesh_32bit.bin', 'mset', 41, 143, 0],
  ['dotrecast/dungeon_all_tiles_navmesh.bin', 'mset64', 41, 143, 0],
  ['navmeshscene/nav_test.obj.tile.bin', 'msat', 66, 271, 0],
  ['noahgameframe/srv_demo.navmesh', 'kbengine', 1, 26, 0],
];

/** Tile caches: layers with ground, polygons that they make. */
const CACHES: readonly [file: string, format: string, tiles: number, polygons: number][] = [
  ['dotrecast/dungeon_all_tiles_tilecache.bin', 'TSET tile cache, 30 layers', 30, 127],
  ['navmeshscene/nav_test.obj.tilecache.bin', 'TSAT tile cache, 106 layers', 106, 297],
];

/** Triangles and polygons: corners that are left when equal ones are joined, polygons, components. */
const SOUPS: readonly [file: string, kind: string, vertices: number, polygons: number, components: number][] = [
  ['colyseus-unity/SampleSceneNavMesh.obj', 'obj', 53, 57, 1],
  ['three-pathfinding/level.nav.glb', 'gltf', 551, 552, 24],
  ['three-pathfinding/level.nav.obj', 'obj', 551, 552, 24],
  ['godot-ld57/navmesh.tres', 'godot', 3869, 3477, 340],
];

/** Files that are no map to navguard, and what is said of them. */
const REFUSED: readonly [file: string, says: RegExp][] = [
  ['polyanya/arena.mesh', /^This looks like a Polyanya mesh \(text\): /],
  ['polyanya/arena-merged.mesh', /^This looks like a Polyanya mesh \(text\): /],
  ['recast-demo/dungeon.obj', /^This OBJ is level geometry, not a navmesh .+navguard bake /],
  ['recast-demo/nav_test.obj', /^This OBJ is level geometry, not a navmesh .+navguard bake /],
];

it('a small map packed and read back is the same, without any sample', async () => {
  packedAndBack(await readNavMesh(await smallMset()));
});

if (SAMPLES !== undefined) {
  const bytesOf = (file: string) => new Uint8Array(readFileSync(join(SAMPLES, file)));

  describe('real files', () => {
    it.each(DETOUR)('%s (%s): %i tiles, %i polygons, %i connections', async (file, kind, tiles, polygons, links) => {
      const bytes = bytesOf(file);
      expect(detectFormat(bytes)).toMatchObject({ kind, advice: '' });
      const mesh = await readNavMesh(bytes);
      expect(mesh.tiles.length).toBe(tiles);
      expect(polygonCount(mesh) + mesh.links.length).toBe(polygons);
      expect(mesh.links.length).toBe(links);
      packedAndBack(mesh);
    });

    it.each(CACHES)('%s: %s, %i tiles, %i polygons', async (file, format, tiles, polygons) => {
      const mesh = await readNavMesh(bytesOf(file));
      expect(mesh.format).toBe(format);
      expect(mesh.tiles.length).toBe(tiles);
      expect(polygonCount(mesh)).toBe(polygons);
      packedAndBack(mesh);
    });

    it.each(SOUPS)(
      '%s (%s): %i vertices, %i polygons, %i components',
      async (file, kind, vertices, polygons, components) => {
        const bytes = bytesOf(file);
        expect(detectFormat(bytes).kind).toBe(kind);
        const mesh = await readNavMesh(bytes);
        expect(mesh.vertices.length / 3).toBe(vertices);
        expect(polygonCount(mesh)).toBe(polygons);
        expect(packedAndBack(mesh).info.components).toBe(components);
      },
    );

    it('64-bit and 32-bit references give one mesh, its links across tiles too', async () => {
      const wide = await readNavMesh(bytesOf('dotrecast/dungeon_all_tiles_navmesh.bin'));
      const narrow = await readNavMesh(bytesOf('dotrecast/dungeon_all_tiles_navmesh_32bit.bin'));
      expect(wide.format).toBe('MSET, 64-bit');
      expect(equalNavMesh({ ...wide, format: narrow.format }, narrow)).toBeNull();
      expect(wide.portals.length).toBeGreaterThan(100);
    });

    it.each(REFUSED)('%s is refused', async (file, says) => {
      await expect(readNavMesh(bytesOf(file))).rejects.toMatchObject({
        code: 'UNSUPPORTED_FORMAT',
        message: expect.stringMatching(says),
      });
    });

    it('the table forgets no file', () => {
      const known = new Set<string>([...DETOUR, ...CACHES, ...SOUPS, ...REFUSED].map(([file]) => file));
      const found = readdirSync(SAMPLES, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(SAMPLES, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
        .filter((file) => file !== 'README.md' && !file.startsWith('LICENSES/'));
      expect(found.filter((file) => !known.has(file))).toEqual([]);
      expect(found.length).toBe(known.size);
    });
  });
}

/** The map comes back the same from its own pack. */
function packedAndBack(mesh: NavMesh): NavMap {
  const map = NavMap.fromMesh(mesh);
  const again = NavMap.fromPack(map.toPack());
  expect(Buffer.from(again.toPack()).equals(Buffer.from(map.toPack()))).toBe(true);
  expect(again.info).toEqual(map.info);
  return again;
}
