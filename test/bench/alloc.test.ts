// In the steady state judging a move leaves nothing on the heap, one at a time or in batches.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { measureAlloc } from '../../bench/alloc.ts';

const CHILD = resolve(import.meta.dirname, '../../dist/bench/allocchild.js');

test('guard.move, guard.checkBatch and batch.reach: less than half a byte per move', () => {
  expect(existsSync(CHILD), 'dist/ is missing: npm run build').toBe(true);
  // fewer moves would count what one function compiled late leaves
  const { moves, collections, bytesPerOp } = measureAlloc(CHILD, 1_000_000);
  expect(moves).toBe(1_000_000);
  // a collection meanwhile would hide what it collected
  expect(collections).toBe(0);
  expect(Object.keys(bytesPerOp)).toEqual(['guard.move', 'guard.checkBatch', 'batch.reach']);
  // one boxed number in 32 moves is half a byte; the rest is the heap's own book-keeping
  for (const [path, bytes] of Object.entries(bytesPerOp))
    expect([path, bytes < 0.5, bytes]).toEqual([path, true, bytes]);
}, 120_000);
