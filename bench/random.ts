// Seeded random numbers for the benches: the same queries on every machine. A leaf.

/** Uniform numbers in [0, 1). mulberry32 (Tommy Ettinger, public domain): 32 bits of state, period 2^32. */
export type Random = () => number;

/** A generator for `seed` (any integer). */
export function random(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let h = Math.imul(state ^ (state >>> 15), state | 1);
    h ^= h + Math.imul(h ^ (h >>> 7), h | 61);
    return ((h ^ (h >>> 14)) >>> 0) / 4294967296;
  };
}

/** Fisher-Yates, in place. */
export function shuffle(list: Int32Array | Uint32Array, next: Random): void {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    const kept = list[i];
    list[i] = list[j];
    list[j] = kept;
  }
}
