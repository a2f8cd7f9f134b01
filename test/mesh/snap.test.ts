// Units and origins: the unit is a cell over a power of two near 1 mm, f32 noise does not bend borders, the range is kept.
import { expect, test } from 'vitest';
import { planGrid, snapVertices, toUnits, unitOfCell } from '../../src/mesh/snap.ts';
import { between, random } from '../oracle/random.ts';
import { box, meshOf } from './handmade.ts';

test.each([
  [0.1, 7],
  [0.2, 8],
  [0.25, 8],
  [0.3, 8],
  [0.36, 8],
  [0.5, 9],
  [1, 10],
  [0.0007, 0],
])('cell %d m is 2^%i units', (cell, k) => {
  expect(unitOfCell(cell)).toBe(cell / 2 ** k);
});

test('the origin is a whole number of cells from the lattice and near the middle', () => {
  const mesh = meshOf([box(100, -300, 141, -280)], { cell: 0.3, origin: [7.77, -3.21] });
  const grid = planGrid(mesh);
  for (const [origin, from] of [
    [grid.originX, 7.77],
    [grid.originZ, -3.21],
  ]) {
    const cells = (origin - from) / 0.3;
    expect(Math.abs(cells - Math.round(cells))).toBeLessThan(1e-9);
  }
  expect(Math.abs(grid.originX - (7.77 + 120.5 * 0.3))).toBeLessThanOrEqual(0.15 + 1e-9);
  expect(grid.cellUnits).toBe(256);
});

test('f32 copies of lattice corners land on whole cells, at any distance the format can hold', () => {
  const next = random(11);
  for (const away of [0, 5000, 100_000, 1_000_000]) {
    for (const cell of [0.15, 0.2, 0.3, 0.37]) {
      const mesh = meshOf([box(0, 0, 64, 64)], { cell, origin: [away, -away] });
      const grid = planGrid(mesh);
      for (let i = 0; i < 200; i++) {
        const n = between(next, 0, 64);
        // One f32 step off, as two tiles' copies are.
        const exact = Math.fround(away + n * cell);
        const step = 2 ** (Math.floor(Math.log2(Math.max(exact, 1))) - 23);
        // Where a step is a large part of the cell, two steps apart could be either corner.
        const off = 1.5 * step < cell / 2 ? between(next, -1, 1) : 0;
        const copy = Math.fround(exact + off * step);
        const units = toUnits(grid, copy, grid.originX);
        const expected = Math.round((away + n * cell - grid.originX) / cell) * grid.cellUnits;
        expect(units, `${away} + ${n} x ${cell}`).toBe(expected);
      }
    }
  }
});

test('without a lattice the unit is 1/1024 m and nothing is off it', () => {
  const plan = snapVertices(meshOf([box(0.1, 0.2, 10.3, 10.4)], { noLattice: true }));
  expect(plan.grid.unit).toBe(1 / 1024);
  expect(plan.offLattice).toBe(0);
  expect(plan.x[0] / 1024 + plan.grid.originX).toBeCloseTo(0.025, 3);
});
