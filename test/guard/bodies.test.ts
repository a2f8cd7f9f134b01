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

/** Where the mesh of the stairs ends, a strip of a metre is no mesh, and then the hall's begins: bodies stand all over it. */
describe('in the strip between stairs and hall', () => {
  type Leg = readonly [dtMs: number, x: number, y: number, z: number];
  function play(map: NavMap, speed: number, legs: readonly Leg[], rules: Record<string, unknown> = {}): World {
    const w = new World(map, rules);
    const [[, x, y, z], ...rest] = legs;
    w.guard.enter('p', { pos: [x, y, z], speed });
    w.t += 1000;
    w.move(0, x, z, y);
    rest.forEach(([dt, px, py, pz], i) => {
      expect([i, w.move(dt, px, pz, py).reason]).toEqual([i, 'Accept']);
    });
    return w;
  }
  test('in the middle of it, round the corner of the upper floor', async () => {
    const legs: Leg[] = [
      [0, 20.81, 3, 5.27],
      [115, 20.23, 3, 4.91],
      [182, 19.06, 2.7, 5.02],
      [100, 18.7, 2.45, 5.1],
    ];
    expect(play(await bundled('floors'), 6, legs).state[L.FLOOR]).toBeGreaterThan(2);
  });
  test('nearer to the hall it stays on the stairs, at their height', async () => {
    const legs: Leg[] = [
      [0, 16.48, 1.18, 5.1],
      [30, 16.4, 1.16, 5.16],
      [51, 16.4, 1.14, 5.18],
      [30, 16.44, 1.18, 5.1],
      [200, 16.6, 1.25, 5.24],
    ];
    expect(play(await bundled('floors'), 5, legs).state[L.FLOOR]).toBeGreaterThan(1);
  });
  test('who went over the ledge without falling may come back as far as the strip', async () => {
    const legs: Leg[] = [
      [0, 20.01, 3, 5.34],
      [164, 19.77, 2.91, 5.58],
      [6, 19.74, 2.91, 5.52],
      [134, 19.8, 2.97, 5.19],
    ];
    expect(play(await bundled('floors'), 5, legs).state[L.FLOOR]).toBeGreaterThan(3);
  });
  test('beside the foot of the stairs, where the strip is a step deep', async () => {
    const legs: Leg[] = [
      [0, 15.42, 0.5, 4.8],
      [300, 15.42, 0.52, 5.14],
      [100, 15.42, 0.54, 5.18],
    ];
    expect(play(await bundled('floors'), 4, legs).state[L.FLOOR]).toBeGreaterThan(0.4);
  });
  test('down the ledge to where the hall ends at a wall', async () => {
    const legs: Leg[] = [
      [0, 20.85, 3, 1.65],
      [180, 20, 3, 1.05],
      [250, 19.15, 2.8, 0.55],
    ];
    expect(play(await bundled('floors'), 5, legs, WIDE).state[L.FLOOR]).toBeLessThan(0.2);
  });
  test('nobody comes up from the hall, nor stays in the air beyond the strip', async () => {
    const map = await bundled('floors');
    const w = new World(map);
    w.guard.enter('p', { pos: [17.5, 0, 5.8], speed: 4 });
    w.t += 1000;
    for (let i = 0; i < 60; i++) w.move(50, 17.5, Math.max(4.4, 5.8 - i * 0.05), Math.min(1.7, i * 0.06));
    expect(w.state[L.FLOOR]).toBeLessThan(0.2);
    const v = new World(map);
    v.guard.enter('p', { pos: [20.8, 3, 4], speed: 4 });
    v.t += 1000;
    const last = Array.from({ length: 80 }, (_, i) => v.move(50, 20.8 - i * 0.05, 5.4 + i * 0.005, 3)).at(-1);
    expect(last?.accepted).toBe(false);
    // a second after the jump that a jumper of this speed may make from the rim
    expect(v.pos[0]).toBeGreaterThan(17.8);
  });
});
