// A hundred abrupt deaths of workers under load, of every kind and at any moment, and a hundred maps, against one plain guard:
// no claim is lost or judged twice, every entity's claims stay in order, every verdict is of exactly one map.
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { MoveGuard } from '../../src/guard.ts';
import type { NavMap } from '../../src/map.ts';
import { blockedField, bundled } from '../guard/world.ts';
import { GuardPool, type Pool } from '../pool/dist.ts';
import { Game } from '../pool/game.ts';

const SPOTS = Array.from({ length: 100 }, (_, i) => [3 + 5 * (i % 10), 0, 3 + 5 * Math.floor(i / 10)] as const);

function spotsOn(map: NavMap): [number, number, number][] {
  const { min, max } = map.info.bounds;
  const spots: [number, number, number][] = [];
  for (let i = 1; i < 400; i++) {
    const x = min[0] + ((i * 0.618034) % 1) * (max[0] - min[0]);
    const z = min[2] + ((i * 0.414214) % 1) * (max[2] - min[2]);
    const at = map.locate([x, min[1], z], { below: 100, above: 100 });
    if (at !== null) spots.push(at.point);
  }
  return spots;
}

async function started(
  map: NavMap,
  seed: number,
  options: Parameters<typeof GuardPool.create>[2],
  spots: readonly (readonly [number, number, number])[],
): Promise<Game> {
  const clock = { now: 0 };
  const now = () => clock.now;
  const pool = await GuardPool.create(map, {}, { ...options, now });
  const guard = new MoveGuard(map, {}, { now });
  return new Game(guard, pool, clock, { seed, players: 120, batch: 1000, flights: 4, spots, facts: true });
}

const fault = fileURLToPath(new URL('../pool/fault.cjs', import.meta.url));

test.each(['terrain', 'islands'])(
  '100 deaths: exceptions, heap limits, exits, terminate (%s, seed 7001)',
  async (name) => {
    Object.assign(process.env, {
      NAVGUARD_FAULT: 'throw,heap,exit',
      NAVGUARD_FAULTS: '100',
      NAVGUARD_FAULT_WITHIN: '400',
    });
    const map = await bundled(name);
    let deaths = 0;
    const options = {
      ...{ workers: 2, journal: 4096, execArgv: ['-r', fault], resourceLimits: { maxOldGenerationSizeMb: 32 } },
      onDeath: () => {
        deaths++;
      },
    };
    const game = await started(map, 7001, options, spotsOn(map));
    let round = 0;
    for (; deaths < 100 && round < 5000; round++) {
      await game.round();
      if (round % 40 === 39) void game.pool.threads()[round % 2].terminate();
    }
    Object.assign(process.env, { NAVGUARD_FAULTS: '0' });
    for (let k = 0; k < 20; k++) await game.round();
    await game.compareStates();
    await game.pool.close();
    console.log(
      `${name}: ${deaths} deaths in ${round} rounds, ${game.compared} answers compared, ${game.accepted} moves accepted`,
    );
    expect(deaths).toBeGreaterThanOrEqual(100);
  },
);

test('100 maps under load, and deaths among them (seed 7002)', async () => {
  const maps = [
    blockedField(60, 60, 1, [[30, 0, 31, 50]]),
    blockedField(60, 60, 1, []),
    blockedField(60, 60, 1, [[20, 20, 45, 45]]),
    blockedField(60, 60, 1, [[0, 30, 50, 32]]),
  ];
  const game = await started(maps[0], 7002, { workers: 2, journal: 4096 }, SPOTS);
  let pool: Pool = game.pool;
  for (let k = 1; k <= 100; k++) {
    void game.swap(maps[k % 4]);
    await game.round();
    await game.round();
    pool = game.pool;
    if (k % 10 === 5) void pool.threads()[k % 2].terminate();
  }
  await game.compareStates();
  expect(pool.map).toBe(100);
  await pool.close();
  console.log(`100 maps, ${game.compared} answers compared, ${game.accepted} moves accepted`);
});
