import { describe, expect, test } from 'vitest';
import { GRID_BAND, GRID_PLANES, GRID_WALL } from '../../assembly/layout.ts';
import { packGridSight } from '../../src/kernel/gridsight.ts';
import { cellsTouched, sightByCells, sightByCrossings } from '../oracle/gridcells.ts';
import {
  batch,
  expected,
  GRIDS,
  type Grid,
  grid,
  gridBattery,
  type Line,
  load,
  random,
  sightLines,
  type Tally,
} from './gridbattery.ts';

const SEED = 20240611;

function rows(...lines: string[]): Grid {
  return grid(lines[0]!.length, lines.length, (x, z) => lines[z]![x] === '.');
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

test('both oracles say the same on 20,000 rays', () => {
  const next = random(SEED + 5);
  const wrong: string[] = [];
  for (let round = 0; round < 20; round++) {
    const g = grid(1 + Math.floor(next() * 14), 1 + Math.floor(next() * 14), () => next() > 0.15);
    for (const line of sightLines(next, g, 1000)) {
      if (!line.every((v, i) => v >= 0 && v < (i % 2 ? g.height : g.width))) continue;
      if (sightByCrossings(g.open, ...line) !== sightByCells(g.open, ...line)) wrong.push(`${round}: ${line}`);
    }
  }
  expect(wrong, `seed ${SEED + 5}`).toEqual([]);
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
    // Four at once and the rest of a batch are prepared by different code.
    const five = Array.from({ length: 5 }, (_v, i): Line => (i % 2 ? [c, d, a, b] : [a, b, c, d]));
    expect([...batch(kernel, five)]).toEqual(Array(5).fill(expected ? 1 : 0));
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
      const lines: Line[] = [];
      const answers: number[] = [];
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
        lines.push([...a, ...b], [...b, ...a]);
        answers.push(expected ? 1 : 0, expected ? 1 : 0);
      }
      batch(kernel, lines).forEach((got, i) => {
        if (got !== answers[i]) wrong.push(`${round}: batch ${lines[i]}: ${answers[i]} ${got}`);
      });
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
    // Far-off cells and every product near its bound: 32,768 x 200 cells, both ways round.
    const next = random(SEED + 6);
    for (const turned of [false, true]) {
      const far = turned ? grid(200, width, () => next() > 1e-5) : grid(width, 200, () => next() > 1e-5);
      const lines = Array.from({ length: 400 }, (): Line => {
        const [long, short] = [(): number => width - 60 * next() ** 2 - 1 / 2048, (): number => 200 * next()];
        const [from, to] = next() < 0.5 ? [0, long()] : [long(), width * next()];
        return turned ? [short(), from, short(), to] : [from, short(), to, short()];
      });
      const answers = batch(load(engine, far), lines);
      const wanted = lines.map((line) => (expected(far, line) ? 1 : 0));
      expect([...answers]).toEqual(wanted);
      expect(wanted.includes(0) && wanted.includes(1)).toBe(true);
    }
  });

  test('equals the exact crossings on 40,000 rays over grids of all kinds, batch, single and back', () => {
    const total: Tally = { rays: 0, clear: 0, differences: [] };
    for (let round = 0; round < 40; round++) gridBattery(engine, SEED + 1000 + round, 1000, total);
    expect(total.differences.slice(0, 5)).toEqual([]);
    expect(total.clear).toBeGreaterThan(8000);
    expect(total.clear).toBeLessThan(36_000);
  });

  test('long rays on nearly open grids: whole bands in one step', () => {
    const next = random(SEED + 7);
    const wrong: string[] = [];
    let clear = 0;
    for (let round = 0; round < 12; round++) {
      const [width, height] = [300 + Math.floor(200 * next()), 300 + Math.floor(200 * next())];
      const g = grid(width, height, () => next() > 0.002);
      const lines = Array.from({ length: 1000 }, (_v, i): Line => {
        // All around: up and down, flat and steep, and most of the grid long.
        const [x, z] = [next() * width, next() * height];
        const slope = i % 3 === 0 ? 0.1 + 0.3 * next() : 1.4 * next();
        const [dx, dz] = i % 2 ? [1, slope] : [slope, 1];
        const reach = 300 * next();
        const go = (v: number, by: number, side: number): number =>
          Math.min(side - 0.001, Math.max(0, next() < 0.5 ? v + by : v - by));
        return [x, z, go(x, dx * reach, width), go(z, dz * reach, height)];
      });
      batch(load(engine, g), lines).forEach((got, i) => {
        const wanted = expected(g, lines[i]!) ? 1 : 0;
        clear += wanted;
        if (got !== wanted) wrong.push(`${round}: ${lines[i]}: ${wanted} ${got}`);
      });
    }
    expect(wrong.slice(0, 5), `seed ${SEED + 7}`).toEqual([]);
    expect(clear).toBeGreaterThan(3000);
    expect(clear).toBeLessThan(11_000);
  });

  test('rows of 30 to 34 cells and of hundreds, on grids of few rows', () => {
    const next = random(SEED + 2);
    const wrong: string[] = [];
    let clear = 0;
    for (let round = 0; round < 30; round++) {
      const g = grid(700, 1 + (round % 25), () => next() > 0.004);
      const tall = grid(g.height, g.width, (x, z) => g.open(z, x));
      const lines: Line[] = Array.from({ length: 400 }, (_v, i) => {
        const slope = i % 2 ? 29 + Math.floor(next() * 5) : 60 * next();
        const [x, z] = [next() * 700, next() * g.height];
        const dz = (next() - 0.5) * g.height;
        return [x, z, Math.min(699.9, Math.max(0, x + slope * dz)), Math.min(g.height - 0.1, Math.max(0, z + dz))];
      });
      const turned = lines.map(([a, b, c, d]): Line => [b, a, d, c]);
      const got = batch(load(engine, g), lines);
      const sideways = batch(load(engine, tall), turned);
      lines.forEach((line, i) => {
        const wanted = expected(g, line) ? 1 : 0;
        clear += wanted;
        if (got[i] !== wanted || sideways[i] !== wanted)
          wrong.push(`${round}: ${line}: ${wanted} ${got[i]} ${sideways[i]}`);
      });
    }
    expect(wrong, `seed ${SEED + 2}`).toEqual([]);
    expect(clear).toBeGreaterThan(3000);
    expect(clear).toBeLessThan(11_500);
  });

  test.each([0, 1, 2, 3, 4, 5, 63, 64, 65, 255, 256, 257, 259, 511, 512, 513, 1000])(
    'a batch of %i answers as the single call does, and writes nothing else',
    (n) => {
      const next = random(SEED + 3 + n);
      const g = GRIDS.clustered(next, 90, 70);
      const kernel = load(engine, g);
      const lines = sightLines(next, g, n);
      expect([...batch(kernel, lines)]).toEqual(lines.map((line) => kernel.gridSight(...line)));
    },
  );

  test('an answer does not depend on its place in the batch or on the others', () => {
    const next = random(SEED + 4);
    for (const make of Object.values(GRIDS)) {
      const g = make(next, 120, 100);
      const kernel = load(engine, g);
      const lines = sightLines(next, g, 700);
      const answers = batch(kernel, lines);
      const order = lines.map((_line, i) => i);
      for (let i = order.length - 1; i > 0; i--) {
        const j = Math.floor(next() * (i + 1));
        [order[i], order[j]] = [order[j], order[i]];
      }
      const shuffled = batch(
        kernel,
        order.map((i) => lines[i]),
      );
      expect([...shuffled]).toEqual(order.map((i) => answers[i]));
      // Many of one ray among others: lists of one length.
      const same = batch(
        kernel,
        Array.from({ length: 600 }, (_v, i) => lines[i % 3 === 0 ? i : 5]),
      );
      expect([...same]).toEqual(Array.from({ length: 600 }, (_v, i) => answers[i % 3 === 0 ? i : 5]));
    }
  });

  test('a grid of one cell', () => {
    for (const open of [true, false]) {
      const kernel = load(
        engine,
        grid(1, 1, () => open),
      );
      const lines: Line[] = [
        [0, 0, 0, 0],
        [0.5, 0.5, 0.1, 0.9],
        [0, 0, 1 - 2 ** -40, 1 - 2 ** -40],
        [0.5, 0.5, 1, 0.5],
        [0.5, 0.5, Number.NaN, 0.5],
      ];
      const wanted = open ? [1, 1, 1, 0, 0] : [0, 0, 0, 0, 0];
      expect([...batch(kernel, lines)]).toEqual(wanted);
      expect(lines.map((line) => kernel.gridSight(...line))).toEqual(wanted);
    }
  });
});

describe('grid memory', () => {
  test.each([
    [25, 19],
    [1, 1],
    [64, 1],
    [8, 40],
  ])('planes of %i x %i: cells by rows and by columns, and what a band of each holds', (width, height) => {
    const next = random(SEED + width);
    const g = grid(width, height, () => next() > 0.05);
    const bytes = new Uint8Array(packGridSight(g.mask, width, height));
    expect([...bytes.subarray(GRID_WALL, GRID_PLANES)]).toEqual(Array(8).fill(255));
    const plane = (bytes.length - GRID_PLANES) / 4;
    expect(plane % 8).toBe(0);
    expect(plane * 8).toBeGreaterThanOrEqual(width * height + 64);
    const bit = (which: number, at: number): number =>
      (bytes[GRID_PLANES + which * plane + (at >>> 3)]! >>> (at & 7)) & 1;
    const shut = (x: number, z: number): boolean => x < width && z < height && !g.open(x, z);
    const ahead = Array.from({ length: GRID_BAND }, (_v, i) => i);
    for (let z = 0; z < height; z++) {
      for (let x = 0; x < width; x++) {
        expect(bit(0, z * width + x)).toBe(shut(x, z) ? 1 : 0);
        expect(bit(1, x * height + z)).toBe(shut(x, z) ? 1 : 0);
        expect(bit(2, z * width + x)).toBe(ahead.some((i) => shut(x, z + i)) ? 1 : 0);
        expect(bit(3, x * height + z)).toBe(ahead.some((i) => shut(x + i, z)) ? 1 : 0);
      }
    }
  });

  test.each([
    ['width', 0, 2, 0],
    ['height', 3, 0, 0],
    ['width', 1.5, 2, 3],
    ['height', 2, 40000, 80000],
    ['expected 4 cells', 2, 2, 5],
  ])('refuses a wrong %s', (what, width, height, length) => {
    expect(() => packGridSight(new Uint8Array(length), width, height)).toThrow(what);
  });
});
