// A check allocates nothing: millions of them on the built client, in a process of their own whose collector rests.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const program = (url: string): string => `
import { SnapshotValidator } from ${JSON.stringify(url)};
const results = [];
for (const fixedPoint of [0, 1024]) {
  const v = new SnapshotValidator({ maxSpeed: 6, fixedPoint });
  const snapshot = { tick: 0, x: 0.5, y: 0, z: fixedPoint ? 1 : 0.5 };
  const predicted = { x: 0.5, y: 0, z: fixedPoint ? 1 : 0.5 };
  const x = Float64Array.from({ length: 1024 }, (_, i) => (fixedPoint ? 1024 : 1.25) * Math.abs((i % 64) - 32) / 16);
  let tick = 0;
  const run = (n) => {
    for (let i = 0; i < n; i++) {
      tick = (tick + 1) >>> 0;
      snapshot.tick = tick;
      snapshot.x = predicted.x = x[tick & 1023];
      v.check(tick * 50, snapshot, predicted);
    }
  };
  run(5e5);
  // the least of some rounds: when the optimiser is done is its own affair
  let least = Infinity;
  for (let round = 0; round < 6; round++) {
    gc();
    const before = process.memoryUsage().heapUsed;
    run(2.5e5);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / 2.5e5);
  }
  results.push([least, v.counts[0]]);
}
console.log(JSON.stringify(results));
`;

test('a check allocates nothing', () => {
  const url = pathToFileURL(join(import.meta.dirname, '../../dist/src/client/index.js')).href;
  const flags = ['--expose-gc', '--max-semi-space-size=128', '--min-semi-space-size=128', '--input-type=module'];
  const output = execFileSync(process.execPath, [...flags, '-e', program(url)], { encoding: 'utf8' });
  for (const [bytes, believed] of JSON.parse(output) as [number, number][]) {
    expect(believed).toBe(2e6);
    // one boxed number would be 12 bytes or more; what is left is the compiler's own
    expect(bytes).toBeLessThan(4);
  }
});
