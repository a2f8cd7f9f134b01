// Rays and walks on living maps beside brute force: the quick slice of the long run.
import { expect, test } from 'vitest';
import { checkLiving, NONE_YET } from './exact.ts';

test('rays and lengths on maps with links, closed areas and obstacles are those of brute force', () => {
  const count = NONE_YET();
  for (let seed = 97_000; seed < 97_012; seed++) checkLiving(seed, 12, count);
  expect(count.wrong.slice(0, 5)).toEqual([]);
  expect(count.clear).toBeGreaterThan(60);
  expect(count.walks).toBeGreaterThan(150);
  expect(count.unreachable).toBeGreaterThan(5);
});
