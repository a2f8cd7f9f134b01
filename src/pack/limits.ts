// Limits and the one error shape of packed maps. A leaf of pack/.
import { NavguardError } from '../errors.ts';

/** Largest packed map: addresses stay positive as signed 32-bit numbers, with room for scratch behind. */
export const MOST_PACK_BYTES = 0x60000000;
/** A triangle names its vertices by one byte. */
export const MOST_DETAIL_VERTS = 256;
/** A plane triangulation of that many vertices; bounds the time of one height question. */
export const MOST_DETAIL_TRIS = 512;

export function align8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

export function fail(what: string, expected: string, got: string): never {
  throw new NavguardError('BAD_FILE', `packed map, ${what}: expected ${expected}, got ${got}`, { what, expected, got });
}

/** Exact equality of numbers; NaN equals nothing. */
export function expect(got: number, expected: number, what: string): void {
  if (got !== expected) fail(what, `${expected}`, `${got}`);
}
