// Seeded randomness: the same seed plays the same game. A leaf of simulate/.

/** A stream of random numbers. */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** In [low, high). */
  between(low: number, high: number): number;
  /** A whole number in [0, n). */
  below(n: number): number;
  /** True with probability p. */
  chance(p: number): boolean;
}

/** Source: Tommy Ettinger's mulberry32; 2^32 states, one multiply chain per number. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (low, high) => low + (high - low) * next(),
    below: (n) => Math.floor(next() * n),
    chance: (p) => next() < p,
  };
}
