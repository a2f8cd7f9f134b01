// Three million claims of honest walkers whose clients round their positions: none is refused.
import { expect, test } from 'vitest';
import { openField, playCrowd } from '../guard/rounding.ts';

test('2-120 Hz, 0.3-8 m/s, rounded to 1-5 cm (seeds 151..180)', () => {
  const map = openField();
  let claims = 0;
  const refused: string[] = [];
  for (let seed = 151; seed <= 180; seed++) {
    const run = playCrowd(map, seed, 100_000);
    claims += run.claims;
    refused.push(...run.refused);
  }
  console.log(`${claims} claims of honest walkers with rounded positions, ${refused.length} refused`);
  expect(refused).toEqual([]);
  expect(claims).toBeGreaterThanOrEqual(3_000_000);
});
