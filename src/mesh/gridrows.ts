// Text rows of a walkability grid -> a mask. Imported by gridmap.ts and by whoever needs the mask itself.
import { NavguardError } from '../errors.ts';

export interface Walkable {
  readonly width: number;
  readonly height: number;
  /** 1 = walkable; rows of constant z, row 0 first. */
  readonly free: Uint8Array;
}

/** Largest grid: its tables stay within a few hundred megabytes. */
export const MOST_GRID_CELLS = 2 ** 25;

/** `.` walkable, `#` blocked. Throws `BAD_ARGUMENT` naming row and column (from 0), got and expected. */
export function parseRows(rows: readonly string[]): Walkable {
  const height = rows.length;
  if (height < 1) throw new NavguardError('BAD_ARGUMENT', 'grid: expected at least one row, got none');
  const width = typeof rows[0] === 'string' ? rows[0].length : 0;
  if (width < 1) {
    throw new NavguardError(
      'BAD_ARGUMENT',
      `grid row 0: expected a text of '.' and '#', got ${JSON.stringify(rows[0])}`,
    );
  }
  if (width * height > MOST_GRID_CELLS) {
    throw new NavguardError(
      'BAD_ARGUMENT',
      `grid: expected at most ${MOST_GRID_CELLS} cells, got ${width} x ${height} = ${width * height}`,
    );
  }
  const free = new Uint8Array(width * height);
  for (let j = 0; j < height; j++) {
    const row = rows[j];
    if (typeof row !== 'string' || row.length !== width) {
      throw new NavguardError(
        'BAD_ARGUMENT',
        `grid row ${j}: expected ${width} columns like row 0, got ${typeof row === 'string' ? row.length : JSON.stringify(row)}`,
        { row: j },
      );
    }
    for (let i = 0; i < width; i++) {
      const c = row.charCodeAt(i);
      if (c === 46) free[j * width + i] = 1;
      else if (c !== 35) {
        throw new NavguardError(
          'BAD_ARGUMENT',
          `grid row ${j} column ${i}: expected '.' or '#', got ${JSON.stringify(row[i])}`,
          { row: j, column: i },
        );
      }
    }
  }
  return { width, height, free };
}
