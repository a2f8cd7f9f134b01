// The whole cheat zoo on every map, many runs of each: all caught within their bounds, and each wins when nothing
// stops it. Prints the table. NAVGUARD_CHEAT_RUNS sets the runs of each cheat on each map (default 5).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { buildFromObj } from '../../src/build/index.ts';
import { CHEATS } from '../../src/simulate/cheats/index.ts';
import {
  add,
  BUNDLED,
  bundledPlace,
  GRIDS,
  gridPlace,
  HEADINGS,
  meshPlace,
  newTally,
  type Place,
  row,
} from '../simulate/cheatgames.ts';

const RUNS = Number(process.env.NAVGUARD_CHEAT_RUNS ?? 5);
/** A minute of play each: fewer of them. */
const LONG_MS = 20_000;
const samples = process.env.NAVGUARD_SAMPLES;
const PUBLISHED = [
  'go-detour/mesh2.bin',
  'go-detour/solomesh-dungeon.bin',
  'go-detour/tilemesh-develer.bin',
  'dotrecast/dungeon_all_tiles_navmesh_32bit.bin',
];

type Source = [name: string, open: () => Place | Promise<Place>];
const sources: Source[] = [
  ...BUNDLED.map((name): Source => [name, () => bundledPlace(name)]),
  ...GRIDS.map(([name, rows, cell]): Source => [name, () => gridPlace(name, rows(), cell)]),
];
if (samples !== undefined) {
  for (const path of PUBLISHED) sources.push([path, () => meshPlace(path, readFileSync(join(samples, path)))]);
  for (const name of ['dungeon', 'nav_test']) {
    for (const tile of [0, 48]) {
      const path = join(samples, 'recast-demo', `${name}.obj`);
      sources.push([
        `${name}-${tile === 0 ? 'solo' : 'tiled'}`,
        async () => meshPlace(name, await buildFromObj(readFileSync(path, 'utf8'), { tile })),
      ]);
    }
  }
}

const tallies = [...CHEATS.values()].map(newTally);

test.each(sources)('%s', async (_name, open) => {
  const place = await open();
  const faults: string[] = [];
  for (const tally of tallies) {
    const before = tally.faults.length;
    const runs = (tally.cheat.bound.ms ?? 0) >= LONG_MS ? Math.ceil(RUNS / 4) : RUNS;
    for (let seed = 1; seed <= runs; seed++) {
      if (!add(tally, place, seed) && seed >= 3) break;
    }
    faults.push(...tally.faults.slice(before));
  }
  (place.stage.terrain as { destroy?: () => void }).destroy?.();
  expect(faults).toEqual([]);
});

afterAll(() => {
  console.log([HEADINGS, ...tallies.map(row)].join('\n'));
  for (const { cheat, runs, caught, harmless, controls, controlsWon } of tallies) {
    expect(runs, cheat.name).toBeGreaterThan(0);
    expect(caught + harmless, cheat.name).toBe(runs);
    expect(harmless, cheat.name).toBeLessThanOrEqual(runs / 20);
    expect(controlsWon / controls, cheat.name).toBeGreaterThanOrEqual(0.8);
  }
});
