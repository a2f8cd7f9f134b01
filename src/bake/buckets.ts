// Which triangles reach into which tile: counted first, then listed, so that memory is known before it is taken.
// Imported by bake/index.ts.
import { NavguardError } from '../errors.ts';
import type { Level } from './level.ts';

/** Tiles of a level in plan; each takes in a border of its neighbours. */
export interface TileGrid {
  readonly across: number;
  readonly along: number;
  /** Metres. */
  readonly side: number;
  readonly border: number;
}

/** Entries of all lists: a triangle is listed for each tile that its plan box touches. */
const MOST_ENTRIES = 2 ** 26;

export interface Buckets {
  /** Triangles of tile (x, y), in the level's order. */
  of(x: number, y: number): Uint32Array;
}

export function bucketTriangles(level: Level, grid: TileGrid): Buckets {
  const { across, along } = grid;
  const first = new Uint32Array(across * along + 1);
  let entries = 0;
  eachTile(level, grid, (_, tile) => {
    first[tile + 1]++;
    if (++entries > MOST_ENTRIES) {
      throw new NavguardError(
        'BAD_ARGUMENT',
        `bake: the triangles are so large that they reach into more than ${MOST_ENTRIES} tiles together, expected larger tiles (--tile-size).`,
      );
    }
  });
  for (let i = 0; i < across * along; i++) first[i + 1] += first[i];
  const list = new Uint32Array(entries);
  const next = first.slice();
  eachTile(level, grid, (triangle, tile) => {
    list[next[tile]++] = triangle;
  });
  return { of: (x, y) => list.subarray(first[y * across + x], first[y * across + x + 1]) };
}

function eachTile(level: Level, grid: TileGrid, visit: (triangle: number, tile: number) => void): void {
  const { positions, triangles, min } = level;
  const { across, along, side, border } = grid;
  const cell = (value: number, origin: number, count: number): number =>
    Math.min(count - 1, Math.max(0, Math.floor((value - origin) / side)));
  for (let t = 0; 3 * t < triangles.length; t++) {
    const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]];
    const lowX = Math.min(positions[a], positions[b], positions[c]) - border;
    const highX = Math.max(positions[a], positions[b], positions[c]) + border;
    const lowZ = Math.min(positions[a + 2], positions[b + 2], positions[c + 2]) - border;
    const highZ = Math.max(positions[a + 2], positions[b + 2], positions[c + 2]) + border;
    for (let y = cell(lowZ, min[2], along); y <= cell(highZ, min[2], along); y++) {
      for (let x = cell(lowX, min[0], across); x <= cell(highX, min[0], across); x++) visit(t, y * across + x);
    }
  }
}
