// The plane of a detail mesh bounds its heights, whatever the vertices; nonsense heights make it say nothing.
import { expect, test } from 'vitest';
import { planeOf } from '../../src/pack/plane.ts';
import { between, random } from '../oracle/random.ts';

const SEED = 20251008;

test('no vertex strays farther than the spread', () => {
  const next = random(SEED);
  for (let round = 0; round < 2000; round++) {
    const n = between(next, 3, 40);
    const far = next() < 0.5 ? 0 : 2 ** 24 - 5000;
    const tall = 10 ** between(next, -2, 5);
    const verts = Array.from({ length: n }, () => [
      far + between(next, -5000, 5000),
      Math.fround((next() - 0.5) * tall),
      -far + between(next, -5000, 5000),
    ]).flat();
    const { slopeX, slopeZ, level, spread } = planeOf(verts);
    for (const v of [slopeX, slopeZ, level, spread]) expect(Object.is(Math.fround(v), v)).toBe(true);
    for (let v = 0; v < verts.length; v += 3) {
      const stray = Math.abs(verts[v + 1] - (level + slopeX * verts[v] + slopeZ * verts[v + 2]));
      expect(stray, `seed ${SEED}, round ${round}`).toBeLessThanOrEqual(spread);
    }
  }
});

test('a plane has next to no spread, a flat one no slope', () => {
  const sloped = planeOf([0, 0, 0, 1024, 1, 0, 1024, 3, 1024, 0, 2, 1024]);
  expect([sloped.slopeX * 1024, sloped.slopeZ * 1024, sloped.level]).toEqual([1, 2, 0]);
  expect(sloped.spread).toBeLessThan(0.02);
  const flat = planeOf([0, 7, 0, 10, 7, 0, 10, 7, 10]);
  expect([flat.slopeX, flat.slopeZ, flat.level]).toEqual([0, 0, 7]);
  expect(flat.spread).toBeLessThan(0.001);
});

test('heights beyond float32 sums: nothing is known', () => {
  for (const y of [3e38, Number.NaN]) {
    const { spread } = planeOf([0, y, 0, 1, -y, 0, 1, y, 1]);
    expect(spread).toBe(Number.POSITIVE_INFINITY);
  }
});
