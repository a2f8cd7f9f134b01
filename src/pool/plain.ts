// What clients said, as values that can be posted: whatever it is, the verdict is the same. Imported by pool.ts.
import { isUnreadable } from '../rules/observer.ts';
import { UNREADABLE_WORD } from './judge.ts';

/** Longer words are cut: no name, version or progress is so long. */
export const LONGEST_WORD = 1024;

/** A plain copy made by rules/observer.ts, with nothing in it that cannot be posted. */
export function postable(plain: unknown): unknown {
  if (isUnreadable(plain)) return UNREADABLE_WORD;
  if (plain === null || typeof plain !== 'object') return word(plain);
  if (Array.isArray(plain)) return plain.map(word);
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(plain)) {
    fields[name] = Array.isArray(value) ? value.map(word) : typeof value === 'object' ? value : word(value);
  }
  return fields;
}

function word(value: unknown): unknown {
  // as wrong as they are, wherever they stand
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') return true;
  return typeof value === 'string' && value.length > LONGEST_WORD ? value.slice(0, LONGEST_WORD + 1) : value;
}
