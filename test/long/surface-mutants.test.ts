// Hand-made faults in the walk along the surface, one at a time: the batteries of the quick test must see each of them.
import { afterAll, expect, test } from 'vitest';
import type { Kernel } from '../../src/kernel/index.ts';
import { add, LARGE, nothing, SMALL, slideBattery, type Tally } from '../kernel/slides.ts';
import { type Mutant, openWorkshop } from './mutants.ts';

const SEED = 20251209;
const ROUNDS = 6;
const { compile, close } = openWorkshop();
afterAll(close);

/** Up to the first fault. */
function battery(make: () => Kernel): Tally {
  const total = nothing();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [, shape] of SMALL) add(total, slideBattery(make, shape, SEED + round, 200, false));
    for (const [, shape] of LARGE) add(total, slideBattery(make, shape, SEED + round, 100, true));
    if (total.faults.length + total.far.length > 0) break;
  }
  return total;
}

test('the sources as they are pass', async () => {
  const total = battery(await compile('as is', []));
  expect(total.faults).toEqual([]);
  expect(total.far).toEqual([]);
  expect(total.asked).toBe(ROUNDS * (200 * SMALL.length + 100 * LARGE.length));
}, 120_000);

const SLIDE = 'assembly/slide.ts';
const SURFACE = 'assembly/surface.ts';

const MUTANTS: readonly Mutant[] = [
  ['legs are not asked', [[SLIDE, 'if (!clearTo(ox, oz)) return false;', 'clearTo(ox, oz);']]],
  ['legs may be longer than the motion', [[SLIDE, 'if (ox * ox + oz * oz > most) continue;', '']]],
  ['the way along the wall backwards', [[SLIDE, 'if (ahead < 0.0) turnRound();', 'if (ahead > 0.0) turnRound();']]],
  ['the wall farther from the motion at a corner', [[SLIDE, 'incoming = side > 0.0;', 'incoming = side < 0.0;']]],
  ['the first wall of a fan at a corner', [[SLIDE, 'if (ahead > 0.0 && behind > 0.0) {', 'if (false) {']]],
  ['any wall at a corner', [[SLIDE, 'if (ahead <= 0.0 && behind <= 0.0) return false;', '']]],
  ['equally near sides of a tip: one is taken', [[SLIDE, 'if (side === 0.0) return false;', '']]],
  [
    'both walls of a fan are the same',
    [[SLIDE, 'incoming ? (k === 0 ? count(q) : k) - 1 : k;', 'true ? (k === 0 ? count(q) : k) - 1 : k;']],
  ],
  ['time stands still on the way to the wall', [[SLIDE, 'left = left - t;', '']]],
  ['time stands still along the wall', [[SLIDE, 'left = left - time;', '']]],
  [
    'a slide as fast as the motion',
    [
      [
        SLIDE,
        '(Math.min(left, time) * ahead) / (wayX * wayX + wayZ * wayZ)',
        'left * Math.sqrt((dx * dx + dz * dz) / (wayX * wayX + wayZ * wayZ))',
      ],
    ],
  ],
  [
    'straight on past the end of the wall',
    [[SLIDE, 'if (time < left && ox * ox + oz * oz <= most) {', 'if (false) {']],
  ],
  [
    'the motion turns into the slide',
    [[SLIDE, 'left = left - time;\n', 'left = left - time;\n    dx = wayX;\n    dz = wayZ;\n']],
  ],
  ['the real point at the wall is forgotten', [[SLIDE, 'rx = rx - (atX - fromX);', 'rx = 0.0;']]],
  ['the motion runs out only at a wall', [[SLIDE, 'if (t >= left) {', 'if (t >= 1.0) {']]],
  [
    'walls on one line count one by one',
    [[SLIDE, 'if (lineX * wayZ - lineZ * wayX !== 0.0 || lineX * wayX + lineZ * wayZ <= 0.0) {', 'if (true) {']],
  ],
  ['the polygon stays behind', [[SLIDE, 'poly = rayPolygon();\n', '']]],
  [
    'motions are rounded to the nearest',
    [
      [
        SURFACE,
        'let n: f64 = Math.floor(size * ldF64(MAP_BASE + H_INV_UNIT));',
        'let n: f64 = Math.floor(size * ldF64(MAP_BASE + H_INV_UNIT)) + 1.0;',
      ],
      [SURFACE, 'else if (n * u > size) n = n - 1.0;', ''],
    ],
  ],
  [
    'only the first fan at a start',
    [[SURFACE, 'if (n === 1 || word === S_CLEAR) return word;', 'if (n > 0) return word;']],
  ],
];

test.each(MUTANTS)(
  'dies: %s',
  async (name, patches) => {
    const total = battery(await compile(name, patches));
    expect(total.faults.length + total.far.length).toBeGreaterThan(0);
  },
  120_000,
);
