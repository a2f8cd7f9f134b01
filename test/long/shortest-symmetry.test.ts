// Exact lengths stay when the map is moved, turned, mirrored, cut up or given corners on its edges, and when the ends are
// swapped: on lattices and on every real map.
import { afterAll, expect, test } from 'vitest';
import { latticeFor } from '../kernel/shortestcheck.ts';
import { checkSymmetry, NO_SYMMETRY, type SymmetryCount } from '../kernel/symmetrycheck.ts';
import { REAL_MAPS } from './realmaps.ts';

const SEED = Number(process.env.NAVGUARD_SEED ?? 20251202);
const told: string[] = [];
const tell = (name: string, count: SymmetryCount) => {
  told.push(
    `${name}: ${count.compared} answers compared, ${count.walks} walks, ${count.bitwise} the same to the bit, ` +
      `${count.wrong.length} wrong, worst relative difference ${count.worst.toExponential(1)}`,
  );
};
afterAll(() => console.log(`symmetries, seed ${SEED}:\n${told.join('\n')}`));

test('lattices', () => {
  const count = NO_SYMMETRY();
  for (let seed = SEED; seed < SEED + 100; seed++) {
    checkSymmetry(latticeFor(seed, seed % 2 ? 6 : undefined).mesh, seed, 20, count);
  }
  tell('lattices', count);
  expect(count.wrong.slice(0, 10)).toEqual([]);
  expect(count.walks).toBeGreaterThan(10_000);
  expect(count.corners).toBeGreaterThan(5_000);
});

test('real maps', async () => {
  const count = NO_SYMMETRY();
  for (const [, mesh] of REAL_MAPS) checkSymmetry(await mesh(), SEED, 200, count);
  tell(`${REAL_MAPS.length} real maps`, count);
  expect(count.wrong.slice(0, 10)).toEqual([]);
  expect(count.walks).toBeGreaterThan(REAL_MAPS.length * 500);
  expect(count.corners).toBeGreaterThan(REAL_MAPS.length * 100);
});
