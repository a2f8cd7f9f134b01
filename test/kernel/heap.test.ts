// The flat heap against sorting: any order of pushes and pops, equal keys, and the capacity.
import { beforeAll, expect, test } from 'vitest';
import { heapKey, heapPayload, heapPop, heapPush } from '../../assembly/heap.ts';
import { bindMemory } from '../../src/kernel/twin/memory.ts';
import { between, random } from '../oracle/random.ts';

const SEED = 20251109;
const BASE = 1024;
beforeAll(() => bindMemory(new ArrayBuffer(65536)));

test('pops come in order of key, then payload, whatever the order of pushes', () => {
  const next = random(SEED);
  for (let round = 0; round < 300; round++) {
    let size = 0;
    const held: [number, number][] = [];
    for (let step = 0; step < 200; step++) {
      if (size === 0 || next() < 0.6) {
        const entry: [number, number] = [between(next, 0, 12) / 4, between(next, 0, 2 ** 32 - 1)];
        size = heapPush(BASE, size, 512, entry[0], entry[1]);
        held.push(entry);
        held.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      } else {
        expect([heapKey(BASE), heapPayload(BASE)], `seed ${SEED}, round ${round}`).toEqual(held.shift());
        size = heapPop(BASE, size);
      }
      expect(size).toBe(held.length);
    }
  }
});

test('a full heap takes nothing more, and keeps what it has', () => {
  let size = 0;
  for (const key of [5, 3, 4]) size = heapPush(BASE, size, 3, key, key);
  expect(heapPush(BASE, size, 3, 1, 1)).toBe(3);
  const out: number[] = [];
  for (; size > 0; size = heapPop(BASE, size)) out.push(heapKey(BASE));
  expect(out).toEqual([3, 4, 5]);
});
