// Bodies against level geometry: maps built from boxes by recast-navigation's generators, with bodies that go where boxes
// let a capsule of radius 0.4 go, not where the eroded mesh does.
import { beforeAll, describe, expect, test } from 'vitest';
import { buildNavMesh } from '../../src/build/index.ts';
import { NavMap } from '../../src/map.ts';
import { World } from './world.ts';

async function level(boxes: number[][], more: Record<string, unknown> = {}): Promise<NavMap> {
  return NavMap.load(
    await buildNavMesh({
      boxes,
      cell: 0.2,
      cellHeight: 0.1,
      agent: { radius: 0.4, height: 2, climb: 0.4, slope: 45 },
      ...more,
    }),
  );
}
const GROUND = [0, -1, 0, 40, 0, 40];

describe('walls', () => {
  let wall: NavMap;
  beforeAll(async () => {
    wall = await level([GROUND, [20, 0, 5, 20.2, 3, 35]]);
  });
  test('C1 a hop across a thin wall with full credit', () => {
    const w = new World(wall);
    w.guard.enter('p', { pos: [19.4, 0, 20], speed: 6 });
    w.walk(60, 50, 0, 0);
    const v = w.move(100, 20.8, 20);
    expect(v.reason).toBe('Wall');
    expect(v.bound).toBe('exact');
    expect(v.used).toBeGreaterThan(29);
    for (let i = 0; i < 30; i++) expect(w.move(100, 20.8, 20).accepted).toBe(false);
  });
  test('C1 the same in steps into the wall', () => {
    const w = new World(wall);
    w.guard.enter('p', { pos: [19.4, 0, 20], speed: 6 });
    for (let x = 19.45; x < 20.8; x += 0.05) w.move(50, x, 20);
    // the mesh ends at 19.6, a radius before the wall: that is how far out a body may stand
    expect(w.pos[0]).toBeLessThanOrEqual(20.001);
  });
  test('F13 a body slides along the wall, outside the mesh', () => {
    const w = new World(wall);
    w.guard.enter('p', { pos: [19.58, 0, 8], speed: 6 });
    for (let z = 8.3; z < 32; z += 0.3) {
      const v = w.move(50, 19.58, z);
      expect([z, v.verdict]).toEqual([z, 'accept']);
    }
    expect(w.guard.score('p')).toBe(0);
  });
  test('F13 and round its ends, at any rate, again and again', () => {
    // the capsule's centre goes round the wall at 0.41 m: two straights of 30 m, two ends
    const r = 0.41;
    const track = (s: number): [number, number] => {
      const straight = 30;
      const end = Math.PI * r + 0.2;
      const lap = 2 * (straight + end);
      let d = s % lap;
      const along = (x: number, z: number): [number, number] => [x, z];
      if (d < straight) return along(20 - r, 5 + d);
      d -= straight;
      if (d < end) return cap(d, 20, 35, r, 1);
      d -= end;
      if (d < straight) return along(20.2 + r, 35 - d);
      return cap(d - straight, 20.2, 5, r, -1);
    };
    for (const dt of [16, 50, 100, 200]) {
      const w = new World(wall);
      w.guard.enter('p', { pos: [20 - r, 0, 5], speed: 6 });
      for (let t = dt; t < 30_000; t += dt) {
        const [x, z] = track(t * 0.006);
        const v = w.move(dt, x, z);
        expect([dt, t, v.verdict, v.reason, v.used, v.allowed]).toEqual([dt, t, 'accept', 'Accept', v.used, v.allowed]);
      }
    }
  });
  test('a round pillar is circled for a minute', async () => {
    // an octagon of triangles would do; a square pillar of 0.8 m is worse: its corners stay farther from the mesh
    const map = await level([GROUND, [20, 0, 20, 20.8, 3, 20.8]]);
    for (const dt of [50, 125]) {
      const w = new World(map);
      w.guard.enter('p', { pos: [20.4 + 0.98, 0, 20.4], speed: 6 });
      for (let t = dt; t < 60_000; t += dt) {
        const a = (t * 0.006) / 0.98;
        const v = w.move(dt, 20.4 + 0.98 * Math.cos(a), 20.4 + 0.98 * Math.sin(a));
        expect([dt, t, v.verdict, v.reason, v.used, v.allowed]).toEqual([dt, t, 'accept', 'Accept', v.used, v.allowed]);
      }
    }
  });
});

/** Round the wall's end: a quarter circle, its thickness of 0.2 m, a quarter circle. */
function cap(d: number, x: number, z: number, r: number, way: 1 | -1): [number, number] {
  const quarter = (Math.PI / 2) * r;
  if (d < quarter) return [x - way * r * Math.cos(d / r), z + way * r * Math.sin(d / r)];
  if (d < quarter + 0.2) return [x + way * (d - quarter), z + way * r];
  const a = (d - quarter - 0.2) / r;
  return [x + way * (0.2 + r * Math.sin(a)), z + way * r * Math.cos(a)];
}

describe('heights', () => {
  test('C23 stairs of 12 steps of 0.3 m, up and down', async () => {
    // level teams bake stairs as a ramp: the generator itself drops steps as steep as these
    const map = await level([GROUND, [13.6, 0, 10, 17.2, 3.6, 14]], {
      triangles: [
        [10, 0, 10, 10, 0, 14, 13.6, 3.6, 14],
        [10, 0, 10, 13.6, 3.6, 14, 13.6, 3.6, 10],
      ],
      cell: 0.1,
      cellHeight: 0.05,
      agent: { radius: 0.4, height: 2, climb: 0.4, slope: 50 },
    });
    const w = new World(map);
    w.guard.enter('p', { pos: [8, 0, 12], speed: 6 });
    const height = (x: number): number => Math.max(0, Math.min(3.6, 0.3 * Math.ceil((x - 10) / 0.3 + 0.4)));
    for (const way of [1, -1]) {
      for (let i = 0; i < 26; i++) {
        const x = w.pos[0] + way * 0.3;
        const v = w.move(50, x, 12, height(x));
        expect([x, v.verdict, v.reason]).toEqual([x, 'accept', 'Accept']);
      }
    }
    expect(w.guard.score('p')).toBe(0);
  });
  test('standing on a step for a while is no hovering', async () => {
    const map = await level([GROUND, [10, 0, 10, 14, 0.35, 14]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [10.05, 0.35, 12], speed: 6 });
    for (let i = 0; i < 200; i++) expect(w.move(50, 10.05, 12, 0.35).verdict).toBe('accept');
  });
  test('over the edge of a platform: along its rim, down, and not through the wall of a house', async () => {
    const map = await level([GROUND, [10, 0, 10, 20, 3, 20]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [15, 3, 15], speed: 6 });
    // the body may stand with its centre over the very edge
    for (let x = 15.3; x <= 20; x += 0.3) expect([x, w.move(50, x, 15, 3).verdict]).toEqual([x, 'accept']);
    for (let z = 15.3; z <= 18; z += 0.3) expect([z, w.move(50, 19.95, z, 3).verdict]).toEqual([z, 'accept']);
    let t = 0;
    for (let x = 20.2; x < 26; x += 0.3) {
      t += 0.05;
      const y = Math.max(0, 3 - 4.905 * t * t);
      expect([x, w.move(50, x, 18, y).verdict]).toEqual([x, 'accept']);
    }
    // back up is not possible
    expect(w.move(1000, 20.5, 18, 0).accepted).toBe(true);
    expect(w.move(500, 19, 18, 3).accepted).toBe(false);
  });
  test.each([
    [0.5, 0.1],
    [0.45, 0.05],
    [0.6, 0.2],
    [0.7, 0.1],
  ])('a ledge one voxel deeper than the climb is a ledge: %d m, voxels of %d m', async (height, cellHeight) => {
    const map = await level([GROUND, [10, 0, 10, 20, height, 20]], { cellHeight });
    for (const step of [0.06, 0.3]) {
      const w = new World(map);
      w.guard.enter('p', { pos: [19.2, height, 15], speed: 6 });
      const far = (v: number): number => Number(v.toFixed(2));
      // on the rim the mesh has ended, the box has not: one may stand there, go along it, and down
      for (let x = 19.2; x <= 20; x += step)
        expect([far(x), w.move(50, x, 15, height).verdict]).toEqual([far(x), 'accept']);
      for (let i = 0; i < 10; i++) {
        const v = w.move(50, w.pos[0], 15 + 0.3 * i, height);
        expect([i, v.verdict, v.reason]).toEqual([i, 'accept', 'Accept']);
      }
      for (let i = 1; i <= 10; i++) expect([i, w.move(50, w.pos[0] + 0.3, 17.7, 0).verdict]).toEqual([i, 'accept']);
      expect(w.move(500, 19.2, 17.7, height).accepted).toBe(false);
    }
  });
  test('C20 a 30 m dash through clutter at 40 m/s', async () => {
    const clutter = Array.from({ length: 40 }, (_, i) => {
      const x = 4 + (i % 10) * 3.3;
      const z = i < 20 ? 5 + (i % 2) : 13 + (i % 3);
      return [x, 0, z, x + 0.8, 2, z + 0.8];
    });
    const map = await level([GROUND, ...clutter], { tile: 32 });
    const w = new World(map);
    w.guard.enter('p', { pos: [3, 0, 10], speed: 40 });
    w.t = 1000;
    const v = w.move(0, 33, 10);
    expect([v.verdict, v.length]).toEqual(['accept', 30]);
  });
});
