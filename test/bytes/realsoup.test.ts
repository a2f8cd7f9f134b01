// Real files whose triangles or polygons are the navmesh, with the counts of the samples' table (their README), and the level
// geometry beside them, which is refused. A guard walks on Unity's map.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectFormat, readNavMesh } from '../../src/bytes/index.ts';
import { MoveGuard } from '../../src/guard.ts';
import { NavMap } from '../../src/map.ts';
import { polygonCount } from '../../src/mesh/navmesh.ts';
import type { Vec3 } from '../../src/types.ts';

const SAMPLES = process.env.NAVGUARD_SAMPLES;

/** Vertices once welded, polygons, components. The islands of Godot's map are islands: no two of their edges meet. */
const SOUPS: readonly [file: string, kind: string, vertices: number, polygons: number, components: number][] = [
  ['colyseus-unity/SampleSceneNavMesh.obj', 'obj', 53, 57, 1],
  ['three-pathfinding/level.nav.obj', 'obj', 551, 552, 24],
  ['three-pathfinding/level.nav.glb', 'gltf', 551, 552, 24],
  ['godot-ld57/navmesh.tres', 'godot', 3869, 3477, 340],
];

/** A guard judges a walk in steps of a quarter metre, and the jump back from its end. Gives the number of steps. */
function walkAlong(map: NavMap, corners: readonly (readonly number[])[]): number {
  let now = 0;
  const guard = new MoveGuard(map, {}, { now: () => now });
  const [from] = corners;
  guard.enter('walker', { pos: [from[0], from[1], from[2]], speed: 5 });
  let seq = 0;
  let at = from;
  for (const corner of corners.slice(1)) {
    const start = at;
    const steps = Math.max(1, Math.ceil(Math.hypot(corner[0] - start[0], corner[2] - start[2]) / 0.25));
    for (let s = 1; s <= steps; s++) {
      at = [0, 1, 2].map((k) => start[k] + ((corner[k] - start[k]) * s) / steps);
      seq++;
      now += 60;
      const { accepted, reason } = guard.move('walker', seq, at[0], at[1], at[2]);
      expect({ accepted, reason }, `${at}`).toMatchObject({ accepted: true });
    }
  }
  // Straight back over everything that the walk went around: too far whatever the way.
  expect(guard.move('walker', seq + 1, from[0], from[1], from[2]).accepted).toBe(false);
  return seq;
}

it('a guard on unshared triangles: honest steps around a corner pass, the way across does not', async () => {
  const ell = ['v 0 0 0\nv 12 0 0\nv 12 0 2\nv 0 0 2', 'v 10 0 2\nv 12 0 2\nv 12 0 12\nv 10 0 12'];
  const file = ell.map((corners) => `${corners}\nf -4 -3 -2\nf -4 -2 -1\n`).join('');
  const map = await NavMap.load(new TextEncoder().encode(file));
  const { corners, status } = map.shortest([1, 0, 1], [11, 0, 11]);
  expect([status, map.info.components]).toEqual(['complete', 1]);
  expect(walkAlong(map, corners)).toBeGreaterThan(60);
});

if (SAMPLES !== undefined) {
  const bytesOf = (file: string) => new Uint8Array(readFileSync(join(SAMPLES, file)));

  describe('real files of triangles and polygons', () => {
    it.each(SOUPS)(
      '%s (%s): %i vertices, %i polygons, %i components',
      async (file, kind, vertices, polygons, parts) => {
        const bytes = bytesOf(file);
        expect(detectFormat(bytes)).toMatchObject({ kind, advice: '' });
        const mesh = await readNavMesh(bytes);
        expect(mesh.vertices.length / 3).toBe(vertices);
        expect(polygonCount(mesh)).toBe(polygons);
        const map = NavMap.fromMesh(mesh);
        expect(map.info.components).toBe(parts);
        expect(map.info.findings.map((finding) => finding.kind)).toEqual(kind === 'godot' ? [] : ['no-agent']);
        const again = NavMap.fromPack(map.toPack());
        expect(Buffer.from(again.toPack()).equals(Buffer.from(map.toPack()))).toBe(true);
        expect(again.info).toEqual(map.info);
      },
    );

    it('the glTF and the OBJ of one level are one map', async () => {
      const [glb, obj] = await Promise.all(
        ['glb', 'obj'].map(async (end) => NavMap.load(bytesOf(`three-pathfinding/level.nav.${end}`))),
      );
      expect(glb.info.area).toBeCloseTo(obj.info.area, 3);
      for (const end of ['min', 'max'] as const) {
        glb.info.bounds[end].forEach((value, axis) => {
          expect(value).toBeCloseTo(obj.info.bounds[end][axis], 3);
        });
      }
    });

    it.each([
      ['recast-demo/dungeon.obj', '48 % of its surface is steeper than 60 degrees'],
      ['recast-demo/nav_test.obj', '24 % of its surface is steeper than 60 degrees'],
    ])('%s is level geometry: refused with the command that bakes it', async (file, why) => {
      await expect(readNavMesh(bytesOf(file))).rejects.toMatchObject({
        code: 'UNSUPPORTED_FORMAT',
        message: expect.stringMatching(new RegExp(`level geometry, not a navmesh \\(${why}\\): .*navguard bake`)),
        detail: { kind: 'geometry' },
      });
    });

    it("a guard on Unity's map: honest steps pass, a step through a wall does not", async () => {
      const map = await NavMap.load(bytesOf('colyseus-unity/SampleSceneNavMesh.obj'), {
        read: { agent: { radius: 0.5, height: 2, climb: 0.4 } },
      });
      expect(map.info.findings).toEqual([]);
      const from: Vec3 = [1, 0.1, 1];
      const walk = map.shortest(from, [19, 0.1, 9]);
      expect(walk.status).toBe('complete');
      const straight = Math.hypot(18, 8);
      expect(walk.length as number).toBeGreaterThan(straight);
      expect(walkAlong(map, walk.corners)).toBeGreaterThan(80);
    });
  });
}
