// Builds the memory of the grid line-of-sight kernel (assembly/grid.ts) from a walkability mask. Imported by grid maps.
import {
  GRID_CELLS,
  GRID_HEIGHT,
  GRID_MAGIC,
  GRID_MAX_CELLS,
  GRID_MAX_CLEARANCE,
  GRID_MAX_SIDE,
  GRID_VERSION,
  GRID_WIDTH,
  H_BYTES,
  H_MAGIC,
  H_VERSION,
} from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';

/**
 * What `Kernel.load` takes for a grid map. `walkable` has width x height entries, rows of constant z, 0 = blocked.
 * Each walkable cell also stores its clearance: the Chebyshev distance to the nearest blocked cell (outside counts as
 * blocked) minus one. Throws `BAD_ARGUMENT` for sizes that do not fit.
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
  const row = width + 2;
  const cells = row * (height + 2);
  if (cells > GRID_MAX_CELLS)
    throw new NavguardError(
      'BAD_ARGUMENT',
      `grid: expected at most ${GRID_MAX_CELLS} cells with their ring, got ${cells}`,
    );
  if (walkable.length !== width * height)
    throw new NavguardError(
      'BAD_ARGUMENT',
      `grid: expected ${width * height} cells for ${width} x ${height}, got ${walkable.length}`,
    );

  const bytes = Math.ceil((GRID_CELLS + cells) / 8) * 8;
  const buffer = new ArrayBuffer(bytes);
  const header = new DataView(buffer);
  header.setUint32(H_MAGIC, GRID_MAGIC, true);
  header.setUint32(H_VERSION, GRID_VERSION, true);
  header.setUint32(H_BYTES, bytes, true);
  header.setUint32(GRID_WIDTH, width, true);
  header.setUint32(GRID_HEIGHT, height, true);

  // Chebyshev distance to the nearest blocked cell in two passes over the eight neighbours (Rosenfeld & Pfaltz 1968:
  // exact for this metric). The ring is distance 0, so no pass needs a bounds check.
  const at = new Uint8Array(buffer, GRID_CELLS, cells);
  const top = GRID_MAX_CLEARANCE + 1;
  for (let z = 0; z < height; z++) {
    for (let x = 0; x < width; x++) {
      if (walkable[z * width + x] === 0) continue;
      const c = (z + 1) * row + x + 1;
      at[c] = Math.min(top, 1 + Math.min(at[c - 1]!, at[c - row - 1]!, at[c - row]!, at[c - row + 1]!));
    }
  }
  for (let z = height - 1; z >= 0; z--) {
    for (let x = width - 1; x >= 0; x--) {
      const c = (z + 1) * row + x + 1;
      if (at[c] === 0) continue;
      at[c] = Math.min(at[c]!, 1 + Math.min(at[c + 1]!, at[c + row + 1]!, at[c + row]!, at[c + row - 1]!));
    }
  }
  return buffer;
}
