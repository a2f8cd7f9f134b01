// The exact search on buildings with floors over each other against all sequences of polygons: used by the quick slice,
// the long run and the mutants.
import { S_OVER, S_UNREACHABLE, S_WALK } from '../../assembly/layout.ts';
import type { Kernel } from '../../src/kernel/index.ts';
import { random } from '../oracle/random.ts';
import { shortestBySequences } from '../oracle/sequences.ts';
import { BAND, hairpin, lattices, spiral, type Tower, type TowerPoint } from '../oracle/towers.ts';
import { packOf, place, UNIT } from './ask.ts';
import type { Make } from './shortestcheck.ts';
import { askShortest } from './walks.ts';

export interface TowerCount {
  queries: number;
  walks: number;
  /** Walks between different storeys over or under each other. */
  climbs: number;
  worst: number;
  wrong: string[];
}

export const NO_TOWERS = (): TowerCount => ({ queries: 0, walks: 0, climbs: 0, worst: 0, wrong: [] });

/** `n` queries on the building of this seed; every fourth is a spiral. */
export function checkTower(make: Make, seed: number, n: number, count: TowerCount): void {
  const map = seed % 4 === 0 ? spiral(seed) : lattices(seed);
  const kernel = make();
  kernel.load(packOf(map.mesh));
  const next = random(seed ^ 0x70e3);
  for (let i = 0; i < n; i++) checkPair(kernel, map, map.pick(next), map.pick(next), `seed ${seed}`, count);
}

/** The two ways round a hairpin, there and back: the lower bound of its first edge needs the mirrored target. */
export function checkHairpin(make: Make, count: TowerCount): void {
  const map = hairpin();
  const kernel = make();
  kernel.load(packOf(map.mesh));
  checkPair(kernel, map, map.from, map.to, 'hairpin', count);
  checkPair(kernel, map, map.to, map.from, 'hairpin back', count);
}

function checkPair(kernel: Kernel, map: Tower, s: TowerPoint, e: TowerPoint, name: string, count: TowerCount): void {
  const length = shortestBySequences(map.surface, s.rings, e.rings, s.plan, e.plan);
  // More sequences than the oracle cares to look at: never happened yet, and counts as wrong.
  const truth = length === undefined ? Number.NaN : length * UNIT;
  const got = askShortest(kernel, place(s.plan, s.y), place(e.plan, e.y), {
    band: { below: BAND, above: BAND, tolerance: 0 },
  });
  const what = `${name}: ${s.plan} at ${s.y} -> ${e.plan} at ${e.y}: expected ${truth}, got ${got.status} ${got.length}`;
  count.queries++;
  if (truth === Infinity) {
    const none = got.status === S_UNREACHABLE || (got.status === S_OVER && got.length === Infinity);
    if (!none) count.wrong.push(what);
    return;
  }
  count.walks++;
  if (Math.abs(s.y - e.y) > 2) count.climbs++;
  const error = Math.abs(got.length - truth) / Math.max(truth, UNIT);
  if (got.status !== S_WALK || !(error <= 4e-12) || got.length > truth * (1 + 1e-15)) count.wrong.push(what);
  else count.worst = Math.max(count.worst, error);
}
