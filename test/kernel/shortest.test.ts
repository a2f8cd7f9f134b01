// The exact search: a seeded slice of the comparison with the brute-force graph (the full count is a long run).
import { describe, expect, test } from 'vitest';
import { checkShortest, NOTHING } from './shortestcheck.ts';

const SEED = 40_000;

describe.each(['wasm', 'twin'] as const)('shortest on %s', (engine) => {
  test('equals the visibility graph with fans on random lattices', () => {
    const count = NOTHING();
    for (let seed = SEED; seed < SEED + 30; seed++) checkShortest(seed, 20, count, engine);
    expect(count.wrong, `seeds from ${SEED}`).toEqual([]);
    expect(count.queries).toBe(600);
    expect(count.walks).toBeGreaterThan(200);
    expect(count.turns).toBeGreaterThan(100);
  });
});
