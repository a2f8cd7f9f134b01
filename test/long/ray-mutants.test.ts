// Hand-made faults in the ray walk and point location, one at a time: the brute-force battery must see each of them. The
// twin is compiled from the patched sources in a folder of its own.
import { afterAll, expect, test } from 'vitest';
import type { Kernel } from '../../src/kernel/index.ts';
import { add, floorBattery, looseBattery, rayBattery, SHAPES, type Tally } from '../kernel/battery.ts';
import { type Mutant, openWorkshop } from './mutants.ts';

const SEED = 20250705;
const { compile, close } = openWorkshop();
afterAll(close);

function battery(make: () => Kernel): Tally {
  const total: Tally = { rays: 0, clear: 0, differences: [] };
  for (let round = 0; round < 4; round++) {
    for (const [, shape] of SHAPES) add(total, rayBattery(make, shape, SEED + round, 200));
    add(total, floorBattery(make, SEED + round, 300));
    add(total, looseBattery(make, SEED + round, 300));
  }
  return total;
}

test('the sources as they are pass', async () => {
  const total = battery(await compile('as is', []));
  expect(total.differences).toEqual([]);
  expect(total.rays).toBeGreaterThan(9000);
}, 120_000);

const RAY = 'assembly/ray.ts';
const RAYS = 'assembly/rays.ts';
const WAVE = 'assembly/wave.ts';
const LANES = 'src/kernel/twin/raylanes.ts';
const BAND = 'assembly/band.ts';
const LOCATE = 'assembly/locate.ts';
const SIGNS = 'src/kernel/twin/signs.ts';
const ROTATE = 'const next: u32 = w === NONE ? 0 : rotate(p, w, dx, dz);';

const BEYOND = 'const beyond: f64 = orient(px, pz, x(p, j), z(p, j), ex, ez);';
/** a * b - c * d as a float32 program computes it. */
const cross32 = (a: string, b: string, c: string, d: string) =>
  `Math.fround(Math.fround(Math.fround(${a}) * Math.fround(${b})) - Math.fround(Math.fround(${c}) * Math.fround(${d})))`;

const MUTANTS: readonly Mutant[] = [
  [
    'waves: a target on the exit edge is beyond it',
    [
      [WAVE, '(beyond < 0.0 ? 1 : 0) & (next', '(beyond <= 0.0 ? 1 : 0) & (next'],
      [RAYS, 'const there: u32 = beyond >= 0.0 ? 1 : 0;', 'const there: u32 = beyond > 0.0 ? 1 : 0;'],
    ],
  ],
  ['waves: the target floor is not checked', [[RAYS, 'open = open + (there & (1 - floor));', '']]],
  ['waves: a hint may lie ahead of the start', [[RAYS, 'if (behind < 0.0 || ahead', 'if (ahead']]],
  ['waves: a hint need not be of the floor', [[RAYS, ' || !nearHeights(p, y, below, above)) {', ') {']]],
  [
    'waves: one of several start polygons is enough',
    [[RAYS, 'below, above, 0.0, NONE, list) !== 1)', 'below, above, 0.0, NONE, list) === 0)']],
  ],
  [
    'waves: the step cap is short',
    [
      [RAYS, 'round <= cap; round++) going', 'round <= 1; round++) going'],
      [RAYS, 'stU32(ldU32(live + (k << 2)) + W_EDGE, NONE);', 'stU32(ldU32(live + (k << 2)) + W_EDGE, 0);'],
    ],
  ],
  [
    'waves: on the line counts as left of it',
    [[LANES, 'return ((m | (m >>> 8)) & 0xff) === 0xff ? m & 0xff : DOUBTFUL;', 'return m & 0xff;']],
  ],
  ['alone: a target on the exit edge is beyond it', [[RAYS, 'if (beyond >= 0.0) {', 'if (beyond > 0.0) {']]],
  ['alone: the target floor is not checked', [[RAYS, 'if (!inBand(h, ey, below, above)) return NONE;', '']]],
  ['alone: a start may lie behind the hint', [[RAYS, 'if (!(behind >= 0.0 && side', 'if (!(side']]],
  [
    'alone: on the line counts as left of it',
    [
      [RAYS, 'if (right === DOUBTFUL || exit === 0) return NONE;', 'if (exit === 0) return NONE;'],
      [LANES, 'return ((m | (m >>> 8)) & 0xff) === 0xff ? m & 0xff : DOUBTFUL;', 'return m & 0xff;'],
    ],
  ],
  ['a target on the exit edge is beyond it', [[RAY, 'if (beyond >= 0.0) {', 'if (beyond > 0.0) {']]],
  ['no rotation at vertices', [[RAY, ROTATE, 'const next: u32 = 0;']]],
  ['rotation one way only', [[RAY, 'const next: u32 = neighbour(q, k);', 'const next: u32 = 0;']]],
  ['rotation the other way only', [[RAY, 'const next: u32 = neighbour(q, edge);', 'const next: u32 = 0;']]],
  [
    'cones open on the right',
    [
      [
        RAY,
        'if (dx * (z(p, j) - wz) - dz * (x(p, j) - wx) > 0.0) return false;',
        'if (dx * (z(p, j) - wz) - dz * (x(p, j) - wx) >= 0.0) return false;',
      ],
    ],
  ],
  [
    'cones open on the left',
    [
      [
        RAY,
        'return dx * (z(p, k) - wz) - dz * (x(p, k) - wx) >= 0.0;',
        'return dx * (z(p, k) - wz) - dz * (x(p, k) - wx) > 0.0;',
      ],
    ],
  ],
  ['the first corner on the line instead of the farthest', [[RAY, 'if (dot > ahead) {', 'if (w === NONE) {']]],
  [
    'a target on the exit vertex is beyond it',
    [[RAY, 'if (ahead >= whole) return true;', 'if (ahead > whole) return true;']],
  ],
  [
    'float32 determinants',
    [
      [
        SIGNS,
        'const side: f64 = dx * ldF32(zs + (i << 2)) - dz * ldF32(xs + (i << 2)) - c;',
        `const side: f64 = Math.fround(${cross32('dx', 'ldF32(zs + (i << 2))', 'dz', 'ldF32(xs + (i << 2))')} - Math.fround(c));`,
      ],
    ],
  ],
  [
    'float32 ray parameters are compared',
    [
      [
        RAY,
        BEYOND,
        `const along: f64 = ${cross32('x(p, j) - px', 'sz - pz', 'z(p, j) - pz', 'sx - px')};
        const across: f64 = ${cross32('x(p, j) - px', 'dz', 'z(p, j) - pz', 'dx')};
        const beyond: f64 = 1.0 - Math.min(Math.fround(along / -across), 2.0) <= 0.0 ? 0.0 : -1.0;`,
      ],
    ],
  ],
  [
    'only the first start polygon is tried',
    [[RAY, 'for (let i: u32 = 0; i < n; i++) {\n    if (walk(', 'for (let i: u32 = 0; i < 1; i++) {\n    if (walk(']],
  ],
  [
    'determinants below two units count as zero',
    [
      [SIGNS, 'if (side < 0.0) mask', 'if (side < -2.0) mask'],
      [SIGNS, 'else if (side > 0.0)', 'else if (side > 2.0)'],
    ],
  ],
  ['on the line counts as left of it', [[SIGNS, 'else if (side > 0.0)', 'else']]],
  ['the edge from lane 7 to lane 0 is forgotten', [[RAY, '((left >>> 1) | (left << 7))', '(left >>> 1)']]],
  ['padded lanes are neutral zeros', [[SIGNS, '0xff & (0xff << n)', '0']]],
  [
    'the target floor is not checked',
    [[RAY, 'const floor: u32 = floorOf(lastPoly, ex, ez, ey, below, above);', 'const floor: u32 = lastPoly;']],
  ],
  [
    'a pinch is passed, by any polygon that has the corner',
    [
      [RAY, ' neighbour, unit,', ' neighbour, polyAt, unit,'],
      [
        RAY,
        ROTATE,
        `let next: u32 = w === NONE ? 0 : rotate(p, w, dx, dz);
        for (let id: u32 = 0; next === 0 && w !== NONE && id < ldU32(MAP_BASE + H_POLYGONS); id++) {
          const q: u32 = polyAt(id);
          for (let k: u32 = 0; k < count(q); k++) {
            if (x(q, k) === x(p, w) && z(q, k) === z(p, w) && coneHolds(q, k, dx, dz)) next = q;
          }
        }`,
      ],
    ],
  ],
  [
    'walls are passed at vertices',
    [
      [RAY, 'if (next === 0) {\n      wall1 = q;', 'if (false) {\n      wall1 = q;'],
      [RAY, 'if (next === p) return 0;', 'if (next === p || next === 0) return q;'],
    ],
  ],
  ['polygons hold no point of their rim', [[SIGNS, 'if (side === 0.0) where = 1;', 'if (side === 0.0) return 0;']]],
  [
    'the band is open above',
    [
      [BAND, 'return h - below <= y && y <= h + above;', 'return h - below <= y && y < h + above;'],
      [BAND, '(y <= yMin(p) + above ? 1 : 0)', '(y < yMin(p) + above ? 1 : 0)'],
      [BAND, '(y <= h - spread + above ? 1 : 0)', '(y < h - spread + above ? 1 : 0)'],
    ],
  ],
  [
    'the band is open below',
    [
      [BAND, 'return h - below <= y && y <= h + above;', 'return h - below < y && y <= h + above;'],
      [BAND, '(yMax(p) - below <= y ? 1 : 0)', '(yMax(p) - below < y ? 1 : 0)'],
      [BAND, '(h + spread - below <= y ? 1 : 0)', '(h + spread - below < y ? 1 : 0)'],
    ],
  ],
  [
    'a start at a corner of two fans is in both',
    [
      [
        LOCATE,
        'if (where === OUTSIDE || (where !== INSIDE && id !== hint)) return 0;',
        'if (where !== INSIDE) return 0;',
      ],
    ],
  ],
  [
    'a floor says which side of a corner is meant',
    [
      [
        LOCATE,
        'if (where === OUTSIDE || (where !== INSIDE && id !== hint)) return 0;',
        'if (where === OUTSIDE) return 0;',
      ],
    ],
  ],
  [
    'the last of a cell list is skipped',
    [[LOCATE, 'e < end; e += 4) {\n    const p: u32', 'e < end - 4; e += 4) {\n    const p: u32']],
  ],
];

test.each(MUTANTS)(
  'dies: %s',
  async (name, patches) => {
    const total = battery(await compile(name, patches));
    expect(total.differences.length).toBeGreaterThan(0);
  },
  120_000,
);
