// Seeded random numbers for the benches: the same queries on every machine. A leaf of bench/.
import { seeded } from '../simulate/random.ts';

/** Uniform numbers in [0, 1). */
export type Random = () => number;

/** A generator for `seed` (any integer). */
export function random(seed: number): Random {
  return seeded(seed).next;
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
