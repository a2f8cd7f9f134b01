// Finds a misspelt field: one that is not known but looks like a known one that is missing. Other unknown fields are
// left alone, so that newer logs stay readable. Used for headers and facts, which are trusted and must mean what they say.
import { nearestWord } from '../nearest.ts';

/** `[written, probably meant]`, or null. */
export function misspeltField(value: object, known: readonly string[]): [string, string] | null {
  for (const name of Object.keys(value)) {
    if (known.includes(name) || name.length < 3) continue;
    const missing = known.filter((field) => !Object.hasOwn(value, field));
    const meant = nearestWord(name, missing);
    if (meant !== null) return [name, meant];
  }
  return null;
}
