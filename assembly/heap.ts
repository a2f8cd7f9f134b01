// A binary min-heap over flat memory: entries of HEAP_STRIDE bytes, f64 key, u32 payload. Imported by the searches. The
// order is total (key, then payload), so what comes out depends on what went in, never on the order of pushes.

import { ldF64, ldU32, stF64, stU32 } from '../src/kernel/twin/memory.ts';
import { HEAP_STRIDE } from './layout.ts';

// Invariant: no entry is before its parent ((i - 1) >> 1). The caller holds the size; entry 0 is the first in order.
// Bound: one path between root and leaf, log2(size) + 1 steps. Keys must not be NaN.

/** Key of the first entry; only when the heap is not empty. */
export function heapKey(base: u32): f64 {
  return ldF64(base);
}
/** Payload of the first entry; only when the heap is not empty. */
export function heapPayload(base: u32): u32 {
  return ldU32(base + 8);
}

/** Adds an entry and returns the new size; returns `size` unchanged, and adds nothing, when `capacity` is reached. */
export function heapPush(base: u32, size: u32, capacity: u32, key: f64, payload: u32): u32 {
  if (size >= capacity) return size;
  let hole: u32 = size;
  while (hole > 0) {
    const parent: u32 = (hole - 1) >>> 1;
    const at: u32 = base + parent * HEAP_STRIDE;
    const parentKey: f64 = ldF64(at);
    const parentPayload: u32 = ldU32(at + 8);
    if (parentKey < key || (parentKey === key && parentPayload <= payload)) break;
    const to: u32 = base + hole * HEAP_STRIDE;
    stF64(to, parentKey);
    stU32(to + 8, parentPayload);
    hole = parent;
  }
  const to: u32 = base + hole * HEAP_STRIDE;
  stF64(to, key);
  stU32(to + 8, payload);
  return size + 1;
}

/** Removes the first entry and returns the new size; `size` must be at least 1. */
export function heapPop(base: u32, size: u32): u32 {
  const last: u32 = size - 1;
  const from: u32 = base + last * HEAP_STRIDE;
  const key: f64 = ldF64(from);
  const payload: u32 = ldU32(from + 8);
  let hole: u32 = 0;
  while (true) {
    let child: u32 = hole * 2 + 1;
    if (child >= last) break;
    let at: u32 = base + child * HEAP_STRIDE;
    let childKey: f64 = ldF64(at);
    let childPayload: u32 = ldU32(at + 8);
    if (child + 1 < last) {
      const otherKey: f64 = ldF64(at + HEAP_STRIDE);
      const otherPayload: u32 = ldU32(at + HEAP_STRIDE + 8);
      if (otherKey < childKey || (otherKey === childKey && otherPayload < childPayload)) {
        child = child + 1;
        at = at + HEAP_STRIDE;
        childKey = otherKey;
        childPayload = otherPayload;
      }
    }
    if (key < childKey || (key === childKey && payload <= childPayload)) break;
    const to: u32 = base + hole * HEAP_STRIDE;
    stF64(to, childKey);
    stU32(to + 8, childPayload);
    hole = child;
  }
  const to: u32 = base + hole * HEAP_STRIDE;
  stF64(to, key);
  stU32(to + 8, payload);
  return last;
}
