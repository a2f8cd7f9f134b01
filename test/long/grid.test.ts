// Grid line of sight against the exact crossings, many times over: the full count behind test/kernel/grid.test.ts.
import { expect, test } from 'vitest';
import { gridBattery, type Tally } from '../kernel/gridbattery.ts';

const SEED = Number(process.env.NAVGUARD_SEED ?? 20240613);
/** A tenth of the budget of the long run for each engine; the count is reached in a fraction of it. */
const DEADLINE_MS = Number(process.env.NAVGUARD_LONG_SECONDS ?? 480) * 100;

test.each(['wasm', 'twin'] as const)(
  'at least 500,000 rays, both ways, batch, single and oracle: 0 differences (%s)',
  (engine) => {
    const started = Date.now();
    const total: Tally = { rays: 0, clear: 0, differences: [] };
    for (let round = 0; total.rays < 500_000 || Date.now() - started < DEADLINE_MS; round++) {
      gridBattery(engine, SEED + round, 1500 + (round % 300), total);
      if (total.differences.length > 20) break;
    }
    console.log(`grid (${engine}): ${total.rays} rays, ${total.clear} clear, ${total.differences.length} differences`);
    expect(total.differences).toEqual([]);
    expect(total.clear).toBeGreaterThan(100_000);
    expect(total.clear).toBeLessThan(0.9 * total.rays);
  },
  600_000,
);
