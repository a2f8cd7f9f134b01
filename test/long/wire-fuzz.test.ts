// The decoders of navguard/wire against ten million inputs: 0 throws, and every frame read is written as the same
// bytes.
import { expect, test } from 'vitest';
import { fuzz } from '../wire/fuzz.ts';

test('any bytes are a frame or Malformed: 10,000,000 inputs', () => {
  const seed = Number(process.env.NAVGUARD_SEED ?? 0x5eed);
  const inputs = 10_000_000;
  const started = performance.now();
  const count = fuzz(seed, inputs, 500);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`wire fuzz: seed ${seed}, ${seconds} s, ${JSON.stringify(count)}`);
  expect(count.faults).toEqual([]);
  expect(count.throws).toBe(0);
  expect(count.inputs).toBeGreaterThanOrEqual(inputs);
  expect(count.frames).toBeGreaterThan(inputs / 20);
});
