// Numbers the searches: a table entry stamped with another number counts as empty, so no search clears anything. Imported
// by the searches.
import { ldU32, stU32 } from '../src/kernel/twin/memory.ts';
import { frame } from './frame.ts';
import {
  F_GENERATION,
  F_ROOTS,
  F_VISIT,
  H_LINKS,
  H_POLYGONS,
  H_VERTICES,
  MAP_BASE,
  NONE,
  ROOT_STRIDE,
} from './layout.ts';

/**
 * The number of a new search, 1 .. 2^32 - 2. When the numbers are used up (once in 4 billion searches) every stamp is
 * cleared, because an old one could pass for a new one. Bound: one pass over both tables then, else constant.
 */
export function nextGeneration(): u32 {
  const f: u32 = frame();
  let generation: u32 = (ldU32(f + F_GENERATION) + 1) >>> 0;
  if (generation === NONE) {
    const visit: u32 = ldU32(f + F_VISIT);
    const polygons: u32 = ldU32(MAP_BASE + H_POLYGONS);
    for (let i: u32 = 0; i < polygons; i++) stU32(visit + (i << 3), 0);
    const roots: u32 = ldU32(f + F_ROOTS);
    const count: u32 = ldU32(MAP_BASE + H_VERTICES) + 2 * ldU32(MAP_BASE + H_LINKS);
    for (let i: u32 = 0; i < count; i++) stU32(roots + i * ROOT_STRIDE, 0);
    generation = 1;
  }
  stU32(f + F_GENERATION, generation);
  return generation;
}
