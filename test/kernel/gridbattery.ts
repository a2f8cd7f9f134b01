// Random grids and sight lines for the grid kernel, and the comparison of batch, single and oracle on them. Imported by the
// grid tests, quick and long.
import { packGridSight } from '../../src/kernel/gridsight.ts';
import { createKernel, type Engine, type Kernel } from '../../src/kernel/index.ts';
import { sightByCrossings } from '../oracle/gridcells.ts';

export type Random = () => number;

export function random(seed: number): Random {
  let s = seed >>> 0;
  return () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Grid {
  readonly width: number;
  readonly height: number;
  readonly mask: Uint8Array;
  open(cx: number, cz: number): boolean;
}

export function grid(width: number, height: number, fill: (x: number, z: number) => boolean): Grid {
  const mask = new Uint8Array(width * height);
  for (let z = 0; z < height; z++) for (let x = 0; x < width; x++) mask[z * width + x] = fill(x, z) ? 1 : 0;
  return {
    width,
    height,
    mask,
    open: (x, z) => x >= 0 && z >= 0 && x < width && z < height && mask[z * width + x] === 1,
  };
}

export function load(engine: Engine, g: Grid): Kernel {
  const kernel = createKernel(engine);
  kernel.load(packGridSight(g.mask, g.width, g.height));
  return kernel;
}

/** x0, z0, x1, z1 in cells. */
export type Line = readonly [number, number, number, number];

/** The batch's answers; the bytes around them must stay as they are. */
export function batch(kernel: Kernel, lines: readonly Line[]): Uint8Array {
  const n = lines.length;
  const from = kernel.reserve(n * 33 + 16);
  const to = from + n * 16;
  const around = kernel.u8(to + n * 16, n + 16).fill(7);
  const [f, t] = [kernel.f64(from, 2 * n), kernel.f64(to, 2 * n)];
  lines.forEach(([a, b, c, d], i) => {
    f.set([a, b], 2 * i);
    t.set([c, d], 2 * i);
  });
  kernel.batchGridSight(n, from, to, to + n * 16 + 8);
  if (around.slice(0, 8).some((v) => v !== 7) || around.slice(n + 8).some((v) => v !== 7))
    throw new Error(`a batch of ${n} wrote beyond its answers`);
  return around.slice(8, n + 8);
}

/** Kinds of grids by what they do to a walk: nothing, early ends, long free stretches, gaps between long walls. */
export const GRIDS: Readonly<Record<string, (next: Random, width: number, height: number) => Grid>> = {
  open: (_next, width, height) => grid(width, height, () => true),
  scattered: (next, width, height) => {
    const density = 0.02 + 0.2 * next();
    return grid(width, height, () => next() >= density);
  },
  clustered: (next, width, height) => {
    const g = grid(width, height, () => true);
    for (let k = Math.ceil((width * height) / 900); k > 0; k--) {
      const [x0, z0] = [Math.floor(next() * width), Math.floor(next() * height)];
      const [w, h] = [1 + Math.floor(next() * 12), 1 + Math.floor(next() * 12)];
      for (let z = z0; z < Math.min(height, z0 + h); z++)
        for (let x = x0; x < Math.min(width, x0 + w); x++) g.mask[z * width + x] = 0;
    }
    return g;
  },
  walls: (next, width, height) => {
    const [every, gap, upright] = [5 + Math.floor(next() * 20), 0.2 + 0.6 * next(), next() < 0.5];
    return grid(width, height, (x, z) => ((upright ? x : z) + 1) % every !== 0 || next() < gap);
  },
};

/** Fractions of a cell that coordinates are multiples of: lines and corners, then coarse to fine, then anything. */
const FRACTIONS = [1, 2, 8, 1024, 2 ** 30];

/** Sight lines of every kind that the walk tells apart; about one in twenty has an end that is no position. */
export function sightLines(next: Random, g: Grid, n: number): Line[] {
  const steps = FRACTIONS[Math.floor(next() * FRACTIONS.length)];
  const snap = (v: number): number => Math.floor(v * steps) / steps;
  const place = (): [number, number] => [snap(next() * g.width), snap(next() * g.height)];
  return Array.from({ length: n }, (): Line => {
    const a = place();
    const kind = Math.floor(next() * 20);
    if (kind === 0) {
      const odd = [-0, Number.NaN, Infinity, -Infinity, -1e-12, -1, g.width, g.height, 1e300, 2 ** 32, 5e-324];
      const b = [...a, ...place()];
      b[Math.floor(next() * 4)] = odd[Math.floor(next() * odd.length)];
      return b as unknown as Line;
    }
    // Near, along a row, along a column, shallow, the same point, anywhere.
    if (kind < 6) return [...a, snap(a[0] - 10 + 20 * next()), snap(a[1] - 10 + 20 * next())];
    if (kind === 6) return [...a, place()[0], a[1]];
    if (kind === 7) return [...a, a[0], place()[1]];
    if (kind === 8) return [...a, place()[0], snap(a[1] - 2 + 4 * next())];
    if (kind === 9) return [...a, snap(a[0] - 2 + 4 * next()), place()[1]];
    if (kind === 10) return [...a, ...a];
    return [...a, ...place()];
  });
}

/** The definition; positions out of the grid or not finite see nothing. */
export function expected(g: Grid, [a, b, c, d]: Line): boolean {
  const inside = (x: number, z: number): boolean => x >= 0 && x < g.width && z >= 0 && z < g.height;
  return inside(a, b) && inside(c, d) && sightByCrossings(g.open, a, b, c, d);
}

export interface Tally {
  rays: number;
  clear: number;
  differences: string[];
}

/** One grid, n sight lines: batch, batch the other way, single and oracle must say the same. */
export function gridBattery(engine: Engine, seed: number, n: number, tally: Tally): void {
  const next = random(seed);
  const names = Object.keys(GRIDS);
  const name = names[Math.floor(next() * names.length)];
  // Sides from 1 to about 300, small ones often.
  const side = (): number => Math.max(1, Math.floor(2 ** (8.2 * next())));
  const g = GRIDS[name](next, side(), side());
  const kernel = load(engine, g);
  const lines = sightLines(next, g, n);
  const there = batch(kernel, lines);
  const back = batch(
    kernel,
    lines.map(([a, b, c, d]): Line => [c, d, a, b]),
  );
  lines.forEach((line, i) => {
    const wanted = expected(g, line) ? 1 : 0;
    const single = kernel.gridSight(...line);
    tally.rays++;
    tally.clear += wanted;
    if (there[i] !== wanted || back[i] !== wanted || single !== wanted)
      tally.differences.push(
        `seed ${seed}, ${name} ${g.width} x ${g.height}, ${line}: ${wanted}, batch ${there[i]}, back ${back[i]}, single ${single}`,
      );
  });
}
