// Numbers as typed, out of 32-bit floats.
import { describe, expect, it } from 'vitest';
import { cellOfQuantFactor, shortestF32 } from '../../src/bytes/lattice.ts';

describe('cellOfQuantFactor', () => {
  it('gives back every cell size of 0.01 .. 3 m in steps of a hundredth, and common odd ones', () => {
    const cells = [...Array.from({ length: 300 }, (_, i) => (i + 1) / 100), 0.125, 0.166667, 0.333, 19, 0.0625, 533.3];
    for (const cell of cells) {
      const factor = Math.fround(1 / Math.fround(cell));
      expect(cellOfQuantFactor(factor)).toBe(cell);
    }
  });

  it.each([0, -1, Number.NaN, Infinity, 1e9, 1e-9])('is 0 for a factor of %d', (factor) => {
    expect(cellOfQuantFactor(factor)).toBe(0);
  });
});

describe('shortestF32', () => {
  it.each([0.9, 0.1, 2, 0, 1.85, 16777216, 1e-5])('gives back %d', (typed) => {
    expect(shortestF32(Math.fround(typed))).toBe(typed);
  });

  it('always rounds to the same float', () => {
    for (let i = 1; i < 2000; i++) {
      const value = Math.fround(Math.sqrt(i) / 7);
      expect(Math.fround(shortestF32(value))).toBe(value);
    }
  });
});
