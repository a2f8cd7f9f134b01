// Seeded randomness for tests: a failing run is repeated from the seed it prints. Imports nothing.

/** A generator of numbers in [0, 1) from a 32-bit seed (xorshift32 after a Weyl-style scramble). */
export function random(seed: number): () => number {
  let s = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ 0x5bd1e995) >>> 0;
  if (s === 0) s = 0x6d2b79f5;
  return () => {
    s ^= s << 13;
    s >>>= 0;
    s ^= s >>> 17;
    s ^= s << 5;
    s >>>= 0;
    return s / 4294967296;
  };
}

/** An integer in [low, high], both included. */
export function between(next: () => number, low: number, high: number): number {
  return low + Math.floor(next() * (high - low + 1));
}
