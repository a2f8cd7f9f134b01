// The exact search where coordinates fill +-2^24, against the graph with exact orientations; and the same small lattices at
// every power of two, where lengths scale to the bit.
import { expect, test } from 'vitest';
import { createKernel } from '../../src/kernel/index.ts';
import { packOf, place } from '../kernel/ask.ts';
import { checkRange, NOTHING } from '../kernel/shortestcheck.ts';
import { askShortest } from '../kernel/walks.ts';
import { randomPoint } from '../oracle/ends.ts';
import { latticeMesh } from '../oracle/lattice.ts';
import { random } from '../oracle/random.ts';
import type { Point } from '../oracle/sight.ts';

const SEED = 120_000;
const MAPS = 400;

test('full magnitude and far corners: 8,000 queries, 0 differences', () => {
  const count = NOTHING();
  for (let seed = SEED; seed < SEED + MAPS; seed++) checkRange(seed, 20, count);
  console.log(
    `shortest at the rim of the range: ${count.queries} queries from seed ${SEED}, ${count.walks} walks with ` +
      `${count.turns} turns, ${count.wrong.length} wrong, worst relative error ${count.worst.toExponential(1)}`,
  );
  expect(count.wrong.slice(0, 20)).toEqual([]);
  expect(count.walks).toBeGreaterThan(5_000);
});

test('lengths scale to the bit with the lattice', () => {
  let asked = 0;
  const wrong: string[] = [];
  for (let seed = SEED; seed < SEED + 60; seed++) {
    const at = [0, 1, 5, 11, 18].map((power) => {
      const map = latticeMesh({ w: 6, h: 6, seed, scale: 2 ** power, ...(seed % 2 ? {} : { merge: 6 }) });
      const kernel = createKernel('wasm');
      kernel.load(packOf(map.mesh));
      return { factor: 2 ** power, map, kernel };
    });
    const next = random(seed);
    for (let i = 0; i < 25; i++) {
      const [s, e] = [randomPoint(at[0]!.map, next, 0.4, 0), randomPoint(at[0]!.map, next, 0.4, 0)];
      const answers = at.map(({ factor, kernel }) => {
        const times = ([x, z]: Point): Point => [x * factor, z * factor];
        const got = askShortest(kernel, place(times(s)), place(times(e)));
        return `${got.status} ${got.length / factor}`;
      });
      asked += answers.length;
      if (new Set(answers).size > 1) wrong.push(`seed ${seed}: ${s} -> ${e}: ${answers.join(', ')}`);
    }
  }
  console.log(`shortest, scaled: ${asked} queries from seed ${SEED}, ${wrong.length} wrong`);
  expect(wrong.slice(0, 20)).toEqual([]);
});
