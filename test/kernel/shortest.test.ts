// The exact search: a seeded slice of the comparisons with brute force (the full counts are long runs).
import { describe, expect, test } from 'vitest';
import { checkRange, checkShortest, engine, NOTHING } from './shortestcheck.ts';
import { checkHairpin, checkTower, NO_TOWERS } from './towercheck.ts';

const SEED = 40_000;

describe.each(['wasm', 'twin'] as const)('shortest on %s', (name) => {
  test('equals the visibility graph with fans on random lattices', () => {
    const count = NOTHING();
    for (let seed = SEED; seed < SEED + 30; seed++) checkShortest(seed, 20, count, engine(name));
    expect(count.wrong, `seeds from ${SEED}`).toEqual([]);
    expect(count.queries).toBe(600);
    expect(count.walks).toBeGreaterThan(200);
    expect(count.turns).toBeGreaterThan(100);
  });

  test('equals it where coordinates fill +-2^24', () => {
    const count = NOTHING();
    for (let seed = SEED; seed < SEED + 12; seed++) checkRange(seed, 20, count, engine(name));
    expect(count.wrong, `seeds from ${SEED}`).toEqual([]);
    expect(count.walks).toBeGreaterThan(150);
  });

  test('equals the best of all sequences of polygons on floors over each other', () => {
    const count = NO_TOWERS();
    checkHairpin(engine(name), count);
    for (let seed = SEED; seed < SEED + 40; seed++) checkTower(engine(name), seed, 20, count);
    expect(count.wrong, `seeds from ${SEED}`).toEqual([]);
    expect(count.walks).toBeGreaterThan(400);
    expect(count.climbs).toBeGreaterThan(100);
  });
});
