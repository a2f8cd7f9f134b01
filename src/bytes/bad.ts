// The one way in which bytes/ refuses a broken file: place, fact, got, expected, in one sentence.
// Imported by bytes/ only.
import { NavguardError } from '../errors.ts';

/** Where in the file a fact was read. */
export interface Place {
  /** Tile number in file order. */
  readonly tile?: number;
  /** Polygon number inside the tile. */
  readonly polygon?: number;
  /** Byte offset in the file. */
  readonly offset: number;
}

/** Builds the `BAD_FILE` error; `what` names the fact ("vertex of corner 2"), `file` the kind of file. */
export function badFile(
  place: Place,
  what: string,
  got: number | string,
  expected: number | string,
  file = 'MSET file',
): NavguardError {
  const where =
    (place.tile === undefined ? '' : `tile ${place.tile}, `) +
    (place.polygon === undefined ? '' : `polygon ${place.polygon}, `);
  return new NavguardError(
    'BAD_FILE',
    `Bad ${file}: ${where}byte ${place.offset}: ${what}: got ${got}, expected ${expected}.`,
    { ...place, what, got, expected },
  );
}
