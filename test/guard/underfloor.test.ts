// Under the floor: what a claim is over counts at its own point, not somewhere on the same polygon. On the hills of the
// bundled terrain one polygon spans metres of height.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NavMap } from '../../src/map.ts';
import { World } from './world.ts';

const terrain = await NavMap.load(readFileSync(join(import.meta.dirname, '../../navdata/maps/terrain.bin')));

test('who walks over a slope may not sink under it, although lower ground belongs to the same polygon', () => {
  const from = [11.88, 17.32] as const;
  const to = [16.42, 12.46] as const;
  const height = (x: number, z: number): number =>
    (terrain.locate([x, 1.5, z]) as { point: readonly number[] }).point[1];
  const w = new World(terrain);
  w.guard.enter('p', { pos: [from[0], height(...from), from[1]], speed: 3 });
  const steps = 40;
  let deepest = 0;
  let refused = 0;
  for (let i = 1; i <= steps; i++) {
    const x = from[0] + ((to[0] - from[0]) * i) / steps;
    const z = from[1] + ((to[1] - from[1]) * i) / steps;
    const depth = Math.min(1.5, 0.1 * i);
    const v = w.move(80, x, z, height(x, z) - depth);
    if (v.accepted) deepest = Math.max(deepest, depth);
    else refused++;
  }
  // below + what steps up to the climb need
  expect(deepest).toBeLessThan(0.75);
  expect(deepest).toBeGreaterThan(0.3);
  expect(refused).toBeGreaterThan(30);
});

test('a question with the floor for a hint has the answer of one without', () => {
  const { kernel } = terrain;
  const from = [16.18, 1.5, 12.71];
  const { polygon } = terrain.locate(from as [number, number, number]) as { polygon: number };
  for (const y of [0.4, 0, -0.2, -0.6, -1, -3]) {
    const to = [16.3, y, 12.58];
    const ask = (hint: number): number => {
      kernel.input.set([...from, ...to, 0.5, 2.6, 0.3, 3, 4096]);
      return kernel.reach(polygon, hint);
    };
    expect(ask(polygon), `at ${y}`).toBe(ask(0xffffffff));
  }
});
