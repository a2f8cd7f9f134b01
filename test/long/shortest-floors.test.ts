// The exact search on floors over each other, in full: more than 8,000 walks, counts printed.
import { expect, test } from 'vitest';
import { createKernel } from '../../src/kernel/index.ts';
import { checkTower, NO_TOWERS } from '../kernel/towercheck.ts';

const SEED = 300_000;
const MAPS = 600;

test('exact lengths on floors over each other: 12,000 queries, 0 differences', () => {
  const count = NO_TOWERS();
  for (let seed = SEED; seed < SEED + MAPS; seed++) checkTower(() => createKernel('wasm'), seed, 20, count);
  console.log(
    `shortest on floors: ${count.queries} queries from seed ${SEED}, ${count.walks} walks, ${count.climbs} between storeys, ` +
      `${count.wrong.length} wrong, worst relative error ${count.worst.toExponential(1)}`,
  );
  expect(count.wrong.slice(0, 20)).toEqual([]);
  expect(count.walks).toBeGreaterThan(8_000);
  expect(count.climbs).toBeGreaterThan(3_000);
});
