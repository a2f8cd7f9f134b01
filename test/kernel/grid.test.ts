import { describe, expect, test } from 'vitest';
import { packGridSight } from '../../src/kernel/gridsight.ts';
import { createKernel, type Kernel } from '../../src/kernel/index.ts';
import { cellsTouched, sightByCells } from '../oracle/gridcells.ts';

const SEED = 20240611;

function random(seed: number): () => number {
  let s = seed >>> 0;
  return () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Grid {
  width: number;
  height: number;
  mask: Uint8Array;
  open(cx: number, cz: number): boolean;
}
function grid(width: number, height: number, fill: (x: number, z: number) => boolean): Grid {
  const mask = new Uint8Array(width * height);
  for (let z = 0; z < height; z++) for (let x = 0; x < width; x++) mask[z * width + x] = fill(x, z) ? 1 : 0;
  return {
    width,
    height,
    mask,
    open: (x, z) => x >= 0 && z >= 0 && x < width && z < height && mask[z * width + x] === 1,
  };
}
function rows(...lines: string[]): Grid {
  return grid(lines[0]!.length, lines.length, (x, z) => lines[z]![x] === '.');
}
function load(engine: 'wasm' | 'twin', g: Grid): Kernel {
  const kernel = createKernel(engine);
  kernel.load(packGridSight(g.mask, g.width, g.height));
  return kernel;
}

describe('the cells a segment touches (the oracle itself)', () => {
  test.each([
    ['one cell', [0.2, 0.2, 0.8, 0.3], '0,0'],
    ['a row', [0.5, 0.5, 3.5, 0.5], '0,0 1,0 2,0 3,0'],
    ['along a grid line: the row it opens', [0.5, 1, 2.5, 1], '0,1 1,1 2,1'],
    ['through a corner', [0.5, 0.5, 1.5, 1.5], '0,0 1,1'],
    ['through a corner, other diagonal', [1.5, 0.5, 0.5, 1.5], '1,0 0,1'],
    ['from a corner, back', [1, 1, 0.5, 0.5], '1,1 0,0'],
    ['a shallow line', [0.5, 0.5, 2.5, 1.5], '0,0 1,0 1,1 2,1'],
    ['a point', [1.5, 1.5, 1.5, 1.5], '1,1'],
  ])('%s', (_name, [a, b, c, d], expected) => {
    expect(
      cellsTouched(a!, b!, c!, d!)
        .map((p) => p.join())
        .join(' '),
    ).toBe(expected);
  });
});

describe.each(['wasm', 'twin'] as const)('grid line of sight, %s', (engine) => {
  test.each<[string, string[], [number, number, number, number], boolean]>([
    ['open', ['..', '..'], [0.1, 0.1, 1.9, 1.9], true],
    ['C9: a squeeze between two blocked cells', ['.#', '#.'], [0.5, 0.5, 1.5, 1.5], false],
    ['past one blocked cell, exactly over its corner', ['.#', '..'], [0.5, 0.5, 1.5, 1.5], true],
    ['past one blocked cell, a hair inside it', ['.#', '..'], [0.5, 0.49, 1.5, 1.49], false],
    ['a wall', ['.#.'], [0.5, 0.5, 2.5, 0.5], false],
    ['along the upper side of a wall: its grid line opens the wall', ['...', '.#.'], [0.5, 1, 2.5, 1], false],
    ['along the lower side of a wall', ['.#.', '...'], [0.5, 1, 2.5, 1], true],
    ['start in a blocked cell', ['#..'], [0.5, 0.5, 2.5, 0.5], false],
    ['end in a blocked cell', ['..#'], [0.5, 0.5, 2.5, 0.5], false],
    ['the same point', ['..'], [0.5, 0.5, 0.5, 0.5], true],
    ['negative zero', ['..'], [-0, -0, 1.5, -0], true],
    ['outside', ['..'], [0.5, 0.5, 2, 0.5], false],
    ['outside, far', ['..'], [0.5, 0.5, 1e308, 0.5], false],
    ['outside, before', ['..'], [-1e-9, 0.5, 0.5, 0.5], false],
    ['not a number', ['..'], [Number.NaN, 0.5, 0.5, 0.5], false],
    ['infinite', ['..'], [0.5, 0.5, 0.5, -Infinity], false],
  ])('%s', (_name, lines, [a, b, c, d], expected) => {
    const g = rows(...lines);
    const kernel = load(engine, g);
    expect(kernel.gridSight(a, b, c, d)).toBe(expected ? 1 : 0);
    expect(kernel.gridSight(c, d, a, b)).toBe(expected ? 1 : 0);
    expect(sightByCells(g.open, a, b, c, d)).toBe(expected);
  });

  test('equals the exact enumeration on 60,000 rays, both ways', () => {
    const next = random(SEED);
    const wrong: string[] = [];
    let clear = 0;
    let squeezes = 0;
    for (let round = 0; round < 60; round++) {
      const [width, height] = [3 + Math.floor(next() * 12), 3 + Math.floor(next() * 12)];
      const density = 0.05 + 0.35 * next();
      const g = grid(width, height, () => next() >= density);
      const kernel = load(engine, g);
      // Halves and quarters make corners and grid lines common; the fine ones test rounding.
      const steps = [1, 2, 4, 1024, 1e9][round % 5]!;
      const coordinate = (side: number): number => Math.floor(next() * side * steps) / steps;
      for (let i = 0; i < 1000; i++) {
        const a = [coordinate(width), coordinate(height)] as const;
        const b =
          i % 10 === 0
            ? ([coordinate(width), a[1]] as const)
            : i % 10 === 1
              ? ([a[0], coordinate(height)] as const)
              : ([coordinate(width), coordinate(height)] as const);
        const expected = sightByCells(g.open, ...a, ...b);
        const got = kernel.gridSight(...a, ...b) === 1;
        const back = kernel.gridSight(...b, ...a) === 1;
        if (expected) clear++;
        else if (cellsTouched(...a, ...b).every(([x, z]) => g.open(x, z))) squeezes++;
        if (got !== expected || back !== expected) wrong.push(`${round}: ${a} -> ${b}: ${expected} ${got} ${back}`);
      }
    }
    expect(wrong, `seed ${SEED}`).toEqual([]);
    // The sets must not be one-sided, or the comparison proves little.
    expect(clear).toBeGreaterThan(10_000);
    expect(clear).toBeLessThan(50_000);
    expect(squeezes).toBeGreaterThan(50);
  });

  test('stays exact on the largest grid', () => {
    // 32,768 cells in a row of height 2: a ray over the whole length meets one corner exactly in its middle.
    const width = 32768;
    const g = grid(width, 2, (x, z) => !(z === 1 && x === 16383) && !(z === 0 && x === 16384));
    const kernel = load(engine, g);
    expect(kernel.gridSight(0, 0, width - 1 / 1024, 2 - 1 / 1024)).toBe(0);
    const h = grid(width, 2, (x, z) => !(z === 1 && x <= 16383) && !(z === 0 && x > 16384));
    const other = load(engine, h);
    for (const [a, b, c, d] of [
      [0.5, 0.5, width - 0.5, 1.5],
      [0, 0.25, width - 1 / 1024, 1.75],
    ] as const) {
      expect(other.gridSight(a, b, c, d) === 1).toBe(sightByCells(h.open, a, b, c, d));
      expect(other.gridSight(c, d, a, b) === 1).toBe(sightByCells(h.open, c, d, a, b));
    }
  });

  test('batch equals single', () => {
    const next = random(SEED + 1);
    const g = grid(40, 30, () => next() > 0.1);
    const kernel = load(engine, g);
    const n = 2000;
    const from = kernel.reserve(n * 33);
    const to = from + n * 16;
    const clear = to + n * 16;
    const fill = (all: Float64Array): void => {
      for (let i = 0; i < all.length; i++) all[i] = next() * (i % 2 ? 33 : 44) - 2;
    };
    fill(kernel.f64(from, 2 * n));
    fill(kernel.f64(to, 2 * n));
    kernel.batchGridSight(n, from, to, clear);
    const [f, t, c] = [kernel.f64(from, 2 * n), kernel.f64(to, 2 * n), kernel.u8(clear, n)];
    let sum = 0;
    for (let i = 0; i < n; i++) {
      expect(c[i]).toBe(kernel.gridSight(f[2 * i]!, f[2 * i + 1]!, t[2 * i]!, t[2 * i + 1]!));
      sum += c[i]!;
    }
    expect(sum).toBeGreaterThan(100);
  });
});

describe('grid memory', () => {
  test('clearance is the Chebyshev distance to the nearest blocked cell', () => {
    const next = random(SEED + 2);
    const g = grid(25, 19, () => next() > 0.02);
    const kernel = load('twin', g);
    // Read back through the answer: a blocked cell at distance d bounds it, so compare with brute force.
    const bytes = new Uint8Array(packGridSight(g.mask, 25, 19)).subarray(320);
    for (let z = 0; z < 19; z++) {
      for (let x = 0; x < 25; x++) {
        let d = 0;
        if (g.open(x, z)) {
          d = 1;
          while (
            Array.from({ length: (2 * d + 1) ** 2 }, (_v, k) =>
              g.open(x - d + (k % (2 * d + 1)), z - d + Math.floor(k / (2 * d + 1))),
            ).every(Boolean)
          )
            d++;
        }
        expect(bytes[(z + 1) * 27 + x + 1]).toBe(d);
      }
    }
    expect(kernel.gridSight(0.5, 0.5, 0.5, 0.5)).toBe(g.open(0, 0) ? 1 : 0);
  });

  test.each([
    ['width', 0, 2, 0],
    ['width', 1.5, 2, 3],
    ['height', 2, 40000, 80000],
    ['expected 4 cells', 2, 2, 5],
  ])('refuses a wrong %s', (what, width, height, length) => {
    expect(() => packGridSight(new Uint8Array(length), width, height)).toThrow(what);
  });
});
