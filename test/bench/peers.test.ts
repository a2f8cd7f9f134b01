// The grid peers must be right before they may be fast: against a slow exact oracle and against the kernel.
import { describe, expect, test } from 'vitest';
import { sightLines } from '../../bench/cases/grid.ts';
import { type Cells, integerSight, plainSight } from '../../bench/peers/purejs.ts';
import { random } from '../../src/bench/random.ts';
import { packGridSight } from '../../src/kernel/gridsight.ts';
import { createKernel } from '../../src/kernel/index.ts';

function scattered(width: number, height: number, blocked: number, seed: number): Cells {
  const next = random(seed);
  const walkable = Uint8Array.from({ length: width * height }, () => (next() < blocked ? 0 : 1));
  return { width, height, walkable };
}

/**
 * Brute force in integers of 1/1024 cell: every cell of the box is asked whether the open segment passes its interior;
 * every interior grid corner that lies exactly on the segment whether both its side cells are blocked. Ends in half-open
 * cells. For segments along no grid line.
 */
function sightByHand(grid: Cells, x0: number, z0: number, x1: number, z1: number): boolean {
  const [ax, az, bx, bz] = [x0, z0, x1, z1].map((v) => Math.floor(v * 1024));
  const open = (cx: number, cz: number): boolean => grid.walkable[cz * grid.width + cx] === 1;
  const cell = (q: number): number => Math.floor(q / 1024);
  if (!open(cell(ax), cell(az)) || !open(cell(bx), cell(bz))) return false;
  const side = (px: number, pz: number): number => Math.sign((bx - ax) * (pz - az) - (bz - az) * (px - ax));
  const [loX, hiX] = [Math.min(cell(ax), cell(bx)), Math.max(cell(ax), cell(bx))];
  const [loZ, hiZ] = [Math.min(cell(az), cell(bz)), Math.max(cell(az), cell(bz))];
  for (let cz = loZ; cz <= hiZ; cz++) {
    for (let cx = loX; cx <= hiX; cx++) {
      const corners = [
        side(cx * 1024, cz * 1024),
        side(cx * 1024 + 1024, cz * 1024),
        side(cx * 1024, cz * 1024 + 1024),
        side(cx * 1024 + 1024, cz * 1024 + 1024),
      ];
      const crossed = Math.min(...corners) < 0 && Math.max(...corners) > 0;
      // The line passes the cell's interior; within the box of both ends' cells the segment does too, except beyond an end.
      if (crossed && within(cx, cz) && !open(cx, cz)) return false;
      if (cx > loX && cz > loZ && side(cx * 1024, cz * 1024) === 0) {
        const rising = (bx - ax) * (bz - az) > 0;
        const blocked = rising ? !open(cx - 1, cz) && !open(cx, cz - 1) : !open(cx - 1, cz - 1) && !open(cx, cz);
        if (blocked) return false;
      }
    }
  }
  return true;

  // Whether the segment's own range meets the cell's interior, by clipping with exact cross-multiplied parameters.
  function within(cx: number, cz: number): boolean {
    let lo = 0n;
    let hi = 1n;
    let scale = 1n;
    for (const [a, b, c] of [
      [ax, bx, cx],
      [az, bz, cz],
    ]) {
      const d = BigInt(b - a);
      if (d === 0n) continue;
      let t0 = BigInt(c * 1024 - a) * (d > 0n ? 1n : -1n);
      let t1 = BigInt(c * 1024 + 1024 - a) * (d > 0n ? 1n : -1n);
      if (t0 > t1) [t0, t1] = [t1, t0];
      const size = d > 0n ? d : -d;
      [lo, hi, t0, t1] = [lo * size, hi * size, t0 * scale, t1 * scale];
      scale *= size;
      if (t0 > lo) lo = t0;
      if (t1 < hi) hi = t1;
    }
    return lo < hi;
  }
}

const kernelSight = (grid: Cells): ((x0: number, z0: number, x1: number, z1: number) => boolean) => {
  const kernel = createKernel('twin');
  kernel.load(packGridSight(grid.walkable, grid.width, grid.height));
  return (x0, z0, x1, z1) => kernel.gridSight(x0, z0, x1, z1) === 1;
};

describe('line of sight in plain JavaScript', () => {
  test('integerSight, brute force and the kernel agree; plainSight all but never differs', () => {
    const seed = 20_26;
    let rough = 0;
    let total = 0;
    for (const [width, height, blocked] of [
      [10, 10, 0.15],
      [40, 25, 0.1],
      [64, 64, 0.3],
    ]) {
      const grid = scattered(width, height, blocked, seed + width);
      const kernel = kernelSight(grid);
      for (const short of [true, false]) {
        const { from, to } = sightLines(grid, 1500, short, seed);
        for (let i = 0; i < 1500; i++) {
          const line = [from[2 * i], from[2 * i + 1], to[2 * i], to[2 * i + 1]] as const;
          const truth = sightByHand(grid, ...line);
          const name = `seed ${seed}, ${width} x ${height}: ${line.join(' ')}`;
          expect(integerSight(grid, ...line), name).toBe(truth);
          expect(kernel(...line), name).toBe(truth);
          if (plainSight(grid, ...line) !== truth) rough++;
          total++;
        }
      }
    }
    // It works on unrounded positions: a corner passed within a thousandth of a cell may fall to the other side.
    expect(rough / total).toBeLessThan(0.002);
  });

  test('a squeeze between two blocked cells is blocked, past one it is clear, both ways', () => {
    const rows = ['.#.', '#..', '...'];
    const walkable = Uint8Array.from(rows.join(''), (c) => (c === '.' ? 1 : 0));
    const grid = { width: 3, height: 3, walkable };
    for (const sight of [plainSight, integerSight]) {
      expect(sight(grid, 0.5, 0.5, 1.5, 1.5)).toBe(false);
      expect(sight(grid, 1.5, 1.5, 0.5, 0.5)).toBe(false);
      expect(sight(grid, 1.5, 1.5, 2.5, 0.5)).toBe(true);
      expect(sight(grid, 2.5, 0.5, 1.5, 1.5)).toBe(true);
      expect(sight(grid, 0.5, 0.5, 4, 0.5)).toBe(false);
      expect(sight(grid, Number.NaN, 0.5, 2.5, 2.5)).toBe(false);
    }
  });

  test('the largest grid stays within 31 bits', () => {
    const grid = { width: 1024, height: 1024, walkable: new Uint8Array(1024 * 1024).fill(1) };
    const far = 1023 + 1023 / 1024;
    expect(integerSight(grid, 0, 0, far, far)).toBe(true);
    expect(integerSight(grid, far, 0, 0, far)).toBe(true);
    grid.walkable[512 * 1024 + 512] = 0;
    expect(integerSight(grid, 0, 0, far, far)).toBe(false);
    expect(integerSight(grid, far, far, 0, 0)).toBe(false);
  });
});
