// How a bake fails: one sentence that says what to change. Imported by bake/ only.
import { NavguardError } from '../errors.ts';

/** Recast has no memory, or no numbers, for what it was asked. */
export function tooMuch(what: string, where = ''): NavguardError {
  return new NavguardError(
    'BAD_ARGUMENT',
    `bake: Recast cannot hold the ${what}${where === '' ? '' : ` of ${where}`}, expected less at once: --kind tiled, smaller tiles (--tile-size) or larger cells (--cell-size).`,
    { what },
  );
}

/** What recast-navigation throws is a trap: it has run out of memory, mostly. */
export function explained(error: unknown): unknown {
  if (error instanceof NavguardError) return error;
  if (error instanceof WebAssembly.RuntimeError || /abort|memory|Array buffer/i.test(String(error))) {
    return new NavguardError(
      'OUT_OF_MEMORY',
      `bake: recast-navigation ran out of memory (${String(error).split('\n')[0].slice(0, 120)}), expected less at once: --kind tiled, smaller tiles (--tile-size) or larger cells (--cell-size).`,
    );
  }
  return error;
}
