// A slice of the decoder fuzz (all of it: test/long/wire-fuzz.test.ts), a tenth of it held against the independent decoder.
import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';

test('any bytes are a frame or Malformed: 200,000 inputs', () => {
  const count = fuzz(0x31e5, 200_000, 10);
  expect(count.faults).toEqual([]);
  expect(count.throws).toBe(0);
  expect(count.inputs).toBeGreaterThanOrEqual(200_000);
  expect(count.compared).toBeGreaterThan(200_000);
  // every answer is given often
  expect(count.frames).toBeGreaterThan(10_000);
  expect(Object.keys(count.refused).sort()).toEqual(['command', 'short', 'value', 'version']);
  for (const n of Object.values(count.refused)) expect(n).toBeGreaterThan(200);
});
