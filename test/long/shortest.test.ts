// The exact search against the brute-force graph in full: at least 8,000 queries on random lattices, counts printed.
import { expect, test } from 'vitest';
import { checkShortest, NOTHING } from '../kernel/shortestcheck.ts';

const SEED = 90_000;
const MAPS = 500;

test('exact lengths on lattices: 10,000 queries, 0 differences', () => {
  const count = NOTHING();
  for (let seed = SEED; seed < SEED + MAPS; seed++) checkShortest(seed, 20, count);
  console.log(
    `shortest: ${count.queries} queries from seed ${SEED}, ${count.walks} walks with ${count.turns} turns, ` +
      `${count.wrong.length} wrong, worst relative error ${count.worst.toExponential(1)}`,
  );
  expect(count.wrong.slice(0, 20)).toEqual([]);
  expect(count.walks).toBeGreaterThan(5_000);
});
