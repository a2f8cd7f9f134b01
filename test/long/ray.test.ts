// The ray walk against brute force, many times over: the full count behind the quick slice in test/kernel/ray.test.ts.
import { expect, test } from 'vitest';
import { walkOverruns } from '../../assembly/ray.ts';
import { createKernel } from '../../src/kernel/index.ts';
import { add, floorBattery, looseBattery, rayBattery, SHAPES, type Tally } from '../kernel/battery.ts';

const SEED = Number(process.env.NAVGUARD_SEED ?? 20250604);
/** Half of the budget of the long run at most; the counts below are reached in a fraction of it. */
const DEADLINE_MS = Number(process.env.NAVGUARD_LONG_SECONDS ?? 480) * 1000 * 0.15;

test.each(['wasm', 'twin'] as const)(
  'at least 60,000 rays, both ways, 0 differences (%s)',
  (engine) => {
    const started = Date.now();
    const total: Tally = { rays: 0, clear: 0, differences: [] };
    for (let round = 0; total.rays < 60_000 || Date.now() - started < DEADLINE_MS; round++) {
      const seed = SEED + 31 * round;
      for (const [, shape] of SHAPES)
        add(
          total,
          rayBattery(() => createKernel(engine), shape, seed, 300),
        );
      add(
        total,
        floorBattery(() => createKernel(engine), seed, 300),
      );
      add(
        total,
        looseBattery(() => createKernel(engine), seed, 300),
      );
      if (total.differences.length > 20) break;
    }
    console.log(`ray (${engine}): ${total.rays} rays, ${total.clear} clear, ${total.differences.length} differences`);
    expect(total.differences).toEqual([]);
    expect(total.clear).toBeGreaterThan(20_000);
    expect(walkOverruns()).toBe(0);
  },
  600_000,
);
