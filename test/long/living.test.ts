// Rays and walks on living maps beside brute force in full, within a time: counts printed.
import { expect, test } from 'vitest';
import { checkLiving, NONE_YET } from '../live/exact.ts';

const SEED = 98_000;
const BUDGET_MS = 12_000;

test('rays and exact lengths on maps with links, closed areas and obstacles: 0 differences', () => {
  const count = NONE_YET();
  const end = performance.now() + BUDGET_MS;
  for (let seed = SEED; performance.now() < end; seed++) checkLiving(seed, 20, count);
  console.log(
    `living: ${count.maps} maps from seed ${SEED}, ${count.rays} rays (${count.clear} clear), ${count.walks} walks, ` +
      `${count.unreachable} unreachable, ${count.wrong.length} wrong, worst relative error ${count.worst.toExponential(1)}`,
  );
  expect(count.wrong.slice(0, 20)).toEqual([]);
  expect(count.walks).toBeGreaterThan(300);
});
