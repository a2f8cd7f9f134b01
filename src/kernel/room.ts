// The end of a map's memory, said the same way by both engines. Imported by kernel/ only.
import { NavguardError } from '../errors.ts';

/** Addresses are 32-bit: no memory of a map is larger. */
export const MOST_BYTES = 2 ** 32;

/** What to throw when the memory cannot become `bytes` long. */
export function outOfMemory(bytes: number): NavguardError {
  const most = `at most ${MOST_BYTES / 2 ** 20} MiB for a map and its batches, and no more than this process can get`;
  const got = Math.ceil(bytes / 2 ** 20);
  return new NavguardError('OUT_OF_MEMORY', `Out of memory: expected ${most}, got a need of ${got} MiB.`, { bytes });
}
