// Every leg of a corridor path is a clear ray: the ray may never refuse what the path search offers. On levels built by
// recast-navigation; the published ones when NAVGUARD_SAMPLES is set.
import { describe, expect, test } from 'vitest';
import { random } from '../oracle/random.ts';
import { LEVELS, loadLevel, standingPoints } from './levels.ts';

const SEED = Number(process.env.NAVGUARD_SEED ?? 20250806);
const PATHS = 10_000;

describe.each(LEVELS)('%s', (...row) => {
  test('all legs of 10,000 corridor paths are clear', async () => {
    const level = await loadLevel(row);
    const stand = standingPoints(level, random(SEED));
    let paths = 0;
    let legs = 0;
    const blocked: string[] = [];
    while (paths < PATHS) {
      const from = stand();
      const to = stand();
      const path = level.map.corridor(from, to);
      if (path.status === 'unreachable') continue;
      expect(path.status, `seed ${SEED}: ${from} -> ${to}`).toBe('complete');
      paths++;
      for (let i = 1; i < path.corners.length; i++) {
        legs++;
        const hit = level.map.ray(path.corners[i - 1], path.corners[i], { tolerance: 0 });
        if (!hit.clear) blocked.push(`${path.corners[i - 1]} -> ${path.corners[i]} stops at t = ${hit.t}`);
      }
    }
    console.log(`${level.name}: ${paths} paths, ${legs} legs, ${blocked.length} blocked`);
    expect(blocked.slice(0, 10), `seed ${SEED}`).toEqual([]);
    expect(legs).toBeGreaterThan(PATHS);
  }, 600_000);
});
