// Off-mesh links against the brute-force graph in full: at least 1,500 queries on random floors, counts printed.
import { expect, test } from 'vitest';
import { checkLinks, NO_LINKS_YET } from '../kernel/linkcheck.ts';

const SEED = 170_000;
const MAPS = 300;

test('exact lengths, corridors and verdicts over links: 3,600 queries, 0 differences', () => {
  const count = NO_LINKS_YET();
  for (let seed = SEED; seed < SEED + MAPS; seed++) checkLinks(seed, 12, count, undefined, seed % 3 === 0);
  console.log(
    `links: ${count.queries} queries from seed ${SEED}, ${count.walks} walks, ${count.linked} over links, ` +
      `${count.chained} over several, ${count.wrongWay} the wrong way, ${count.wrong.length} wrong, ` +
      `worst relative error ${count.worst.toExponential(1)}`,
  );
  expect(count.wrong.slice(0, 20)).toEqual([]);
  expect(count.linked).toBeGreaterThan(300);
  expect(count.chained).toBeGreaterThan(20);
  expect(count.wrongWay).toBeGreaterThan(20);
});
