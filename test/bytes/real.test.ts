// Every real file of the samples' table (their README) gives what the table says: tiles and polygons, or the refusal. And
// each map that loads comes back the same from its own pack.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectFormat, equalNavMesh, readNavMesh } from '../../src/bytes/index.ts';
import { NavMap } from '../../src/map.ts';
import { polygonCount } from '../../src/mesh/navmesh.ts';

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

/** Files that are no map to navguard, and what is said of them. */
const REFUSED: readonly [file: string, says: string][] = [
  ['polyanya/arena.mesh', 'This looks like a Polyanya mesh (text)'],
  ['polyanya/arena-merged.mesh', 'This looks like a Polyanya mesh (text)'],
];

/** Files with tests of their own formats: only that this table forgets none. */
const ELSEWHERE = ['colyseus-unity', 'three-pathfinding', 'godot-ld57', 'recast-demo', 'LICENSES', 'README.md'];
const CACHES = ['dotrecast/dungeon_all_tiles_tilecache.bin', 'navmeshscene/nav_test.obj.tilecache.bin'];

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
      const map = NavMap.fromMesh(mesh);
      const again = NavMap.fromPack(map.toPack());
      expect(new Uint8Array(again.toPack())).toEqual(new Uint8Array(map.toPack()));
      expect(again.info).toEqual(map.info);
    });

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
        message: expect.stringContaining(says),
      });
    });

    it('the table forgets no file', () => {
      const known = new Set([...DETOUR.map(([file]) => file), ...REFUSED.map(([file]) => file), ...CACHES]);
      const found = readdirSync(SAMPLES, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(SAMPLES, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
        .filter((file) => !ELSEWHERE.some((folder) => file.startsWith(folder)));
      expect(found.filter((file) => !known.has(file))).toEqual([]);
      expect(found.length).toBe(known.size);
    });
  });
}
