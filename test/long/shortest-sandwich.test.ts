// The sandwich of exact lengths on every real map: counts printed.
import { afterAll, expect, test } from 'vitest';
import { NavMap } from '../../src/map.ts';
import { gridPoints } from '../kernel/gridpoints.ts';
import { checkSandwich, NO_SANDWICH } from '../kernel/sandwichcheck.ts';
import { random } from '../oracle/random.ts';
import { REAL_MAPS } from './realmaps.ts';

const SEED = Number(process.env.NAVGUARD_SEED ?? 20251201);
const QUERIES = 2_500;
const total = NO_SANDWICH();
afterAll(() => console.log(`sandwich on ${REAL_MAPS.length} maps, seed ${SEED}: ${JSON.stringify(total)}`));

test.each(REAL_MAPS)('%s', async (_name, mesh) => {
  const map = NavMap.fromMesh(await mesh());
  const stand = gridPoints(map, random(SEED));
  const wrong: string[] = [];
  for (let i = 0; i < QUERIES; i++) wrong.push(...checkSandwich(map, stand().at, stand().at, total));
  expect(wrong.slice(0, 10), `seed ${SEED}, ${wrong.length} wrong`).toEqual([]);
});
