// Builds the memory of the grid line-of-sight kernel (assembly/grid.ts) from a walkability mask. Imported by grid maps.

import { gridPlaneBytes } from '../../assembly/gridray.ts';
import {
  GRID_BAND,
  GRID_HEIGHT,
  GRID_MAGIC,
  GRID_MAX_CELLS,
  GRID_MAX_SIDE,
  GRID_PLANES,
  GRID_VERSION,
  GRID_WALL,
  GRID_WIDTH,
  H_BYTES,
  H_MAGIC,
  H_VERSION,
} from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';

/**
 * What `Kernel.load` takes for a grid map: four planes of bits (layout.ts). `walkable` has width x height entries, rows of
 * constant z, 0 = blocked. Throws `BAD_ARGUMENT` for sizes that do not fit.
 */
export function packGridSight(walkable: Uint8Array, width: number, height: number): ArrayBuffer {
  for (const [name, side] of [
    ['width', width],
    ['height', height],
  ] as const) {
    if (!Number.isInteger(side) || side < 1 || side > GRID_MAX_SIDE)
      throw new NavguardError(
        'BAD_ARGUMENT',
        `grid ${name}: expected an integer of 1 to ${GRID_MAX_SIDE}, got ${side}`,
      );
  }
  const cells = width * height;
  if (cells > GRID_MAX_CELLS)
    throw new NavguardError('BAD_ARGUMENT', `grid: expected at most ${GRID_MAX_CELLS} cells, got ${cells}`);
  if (walkable.length !== cells)
    throw new NavguardError(
      'BAD_ARGUMENT',
      `grid: expected ${cells} cells for ${width} x ${height}, got ${walkable.length}`,
    );

  const plane = gridPlaneBytes(cells);
  const bytes = GRID_PLANES + 4 * plane;
  const buffer = new ArrayBuffer(bytes);
  const header = new DataView(buffer);
  header.setUint32(H_MAGIC, GRID_MAGIC, true);
  header.setUint32(H_VERSION, GRID_VERSION, true);
  header.setUint32(H_BYTES, bytes, true);
  header.setUint32(GRID_WIDTH, width, true);
  header.setUint32(GRID_HEIGHT, height, true);
  new Uint8Array(buffer, GRID_WALL, 8).fill(255);

  const blocked = (x: number, z: number): number => (walkable[z * width + x] === 0 ? 1 : 0);
  const [rows, columns, rowBands, columnBands] = [0, 1, 2, 3].map(
    (which) => new Uint8Array(buffer, GRID_PLANES + which * plane, plane),
  );
  fill(rows, rowBands, width, height, blocked);
  fill(columns, columnBands, height, width, (z, x) => blocked(x, z));
  return buffer;
}

/** Fills a plane of `lines` lines of `length` cells each, and its bands. */
function fill(
  cells: Uint8Array,
  bands: Uint8Array,
  length: number,
  lines: number,
  blocked: (along: number, line: number) => number,
): void {
  // Going down from the last line: how many lines ago each position was blocked, at most GRID_BAND.
  const ago = new Uint8Array(length).fill(GRID_BAND);
  for (let line = lines - 1; line >= 0; line--) {
    for (let along = 0; along < length; along++) {
      const bit = line * length + along;
      if (blocked(along, line) === 1) {
        cells[bit >>> 3] |= 1 << (bit & 7);
        ago[along] = 0;
      } else if (ago[along] < GRID_BAND) ago[along]++;
      if (ago[along] < GRID_BAND) bands[bit >>> 3] |= 1 << (bit & 7);
    }
  }
}
