// Where bodies stand that slide along the level's own walls: found by moving capsules against triangles, each here as the
// few claims that it comes down to.
import { describe, expect, test } from 'vitest';
import { RECIPES } from '../../navdata/maps.ts';
import { buildNavMesh } from '../../src/build/index.ts';
import { NavMap } from '../../src/map.ts';
import * as L from '../../src/rules/ledger.ts';
import { demoLevel } from '../simulate/bodyplay.ts';
import { World } from './world.ts';

/** Contours that are simplified, walls that lean. */
const WIDE = { edgeTolerance: 'wide' };

async function bundled(name: string): Promise<NavMap> {
  return NavMap.load(await buildNavMesh(RECIPES.find((r) => r.name === name)?.spec));
}

/** From the nearest mesh point to a place, and some time there. */
function stand(map: NavMap, x: number, y: number, z: number, rules: Record<string, unknown> = {}): World {
  const w = new World(map, rules);
  const near = map.locate([x, y, z], { tolerance: 2, below: 1 });
  if (near === null) throw new Error('no mesh there');
  w.guard.enter('p', { pos: [near.point[0], y, near.point[2]], speed: 6 });
  w.t += 1000;
  for (let i = 0; i < 30; i++) expect([i, w.move(100, x, z, y).reason]).toEqual([i, 'Accept']);
  expect(w.guard.score('p')).toBe(0);
  return w;
}

describe('pressed against walls', () => {
  test('in the corner of two walls: a cell on either axis', async () => {
    // both walls at a radius, 0.4 m; the mesh begins a voxel later
    const w = stand(await bundled('maze'), 3.6, 0, 15.6);
    expect(w.state[L.OFF]).toBeGreaterThan(0.28);
  });
  test('on voxels that do not divide the radius, at the border of a tiled map', async () => {
    const w = stand(await bundled('terrain'), 23.38, -0.84, 6.21, WIDE);
    expect(w.state[L.OFF]).toBeGreaterThan(0.7);
  });
  test('nobody comes out of a thin wall on its other side', async () => {
    const map = await bundled('thin-walls');
    const w = new World(map);
    w.guard.enter('p', { pos: [3.4, 0, 12], speed: 6 });
    w.t += 1000;
    for (let x = 3.4; x < 5; x += 0.05) w.move(50, x, 12);
    // the wall is 10 cm thick, about x = 4
    expect(w.pos[0]).toBeLessThan(4.1);
  });
});

test('on the rim of the stairs, nearer in the plan to the mesh of the hall below', async () => {
  const w = new World(await bundled('floors'));
  w.guard.enter('p', { pos: [17.25, 1.5, 4.4], speed: 4 });
  w.t += 1000;
  for (let i = 1; i <= 7; i++) w.move(100, 17.25, 4.4 + i * 0.1, 1.49);
  for (let i = 0; i < 40; i++) expect([i, w.move(100, 17.25, 5.1, 1.49).reason]).toEqual([i, 'Accept']);
  expect(w.state[L.FLOOR]).toBeGreaterThan(1);
});

const samples = process.env.NAVGUARD_SAMPLES;
if (samples !== undefined) {
  describe('on a level of steps up to 0.9 m', () => {
    test('before a step the mesh is half a metre over the feet', async () => {
      const { bytes } = await demoLevel(samples, 'dungeon');
      const w = stand(await NavMap.load(bytes), 22.9, 9.998, -54.166);
      expect(w.state[L.FLOOR]).toBeGreaterThan(10.5);
    });
    test('between leaning walls, three cells outside the mesh', async () => {
      const { bytes } = await demoLevel(samples, 'dungeon');
      const w = stand(await NavMap.load(bytes), 14.69, 10, -47.46, WIDE);
      expect(w.state[L.OFF]).toBeGreaterThan(0.85);
    });
  });
}
