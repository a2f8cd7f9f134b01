// How long the importer would work on a file: it searches lists and compares all border edges of neighbouring tiles, so
// a small hostile file can keep it busy for hours. Estimated here from counts alone. Imported by check.ts only.
import { badFile } from './bad.ts';
import type { TileLoad } from './checktile.ts';
import type { MsetDirectory } from './mset.ts';

/** Elementary steps (a comparison, a list hop), about a nanosecond each; a map of a million polygons needs some 10^8. */
export const MAX_IMPORT_STEPS = 4e9;
/** The importer looks at this many polygons at most around one end of an off-mesh connection. */
const NEAR_POLYGONS = 128;
// Neighbour offsets of Detour's sides 0..7, counter-clockwise from +x.
const DX = [1, 1, 0, -1, -1, -1, 0, 1];
const DY = [0, 1, 1, 1, 0, -1, -1, -1];

/** Throws `BAD_FILE` when importing a file would take more than `MAX_IMPORT_STEPS`. */
export function checkImportWork(set: MsetDirectory, loads: readonly TileLoad[]): void {
  const steps = importSteps(set, loads);
  if (steps > MAX_IMPORT_STEPS) {
    throw badFile({ offset: 8 }, 'steps to link all tiles', Math.round(steps), `at most ${MAX_IMPORT_STEPS}`);
  }
}

/** An upper estimate of the importer's steps. */
export function importSteps(set: MsetDirectory, loads: readonly TileLoad[]): number {
  const { tiles, params } = set;
  const cells = new Map<string, number[]>();
  const buckets = new Map<number, number>();
  const mask = lookupMask(params.maxTiles);
  const used = new Set<number>();
  let firstFree = 0;
  let steps = 0;
  for (let t = 0; t < tiles.length; t++) {
    const { x, y } = tiles[t].header;
    const key = `${x},${y}`;
    const here = cells.get(key);
    if (here === undefined) cells.set(key, [t]);
    else here.push(t);
    const bucket = tileHash(x, y) & mask;
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
    // The free list begins at the lowest free slot and is searched from there.
    while (used.has(firstFree)) firstFree++;
    steps += Math.max(1, tiles[t].slot - firstFree);
    used.add(tiles[t].slot);
  }
  for (let t = 0; t < tiles.length; t++) {
    const { x, y, bvNodeCount } = tiles[t].header;
    const load = loads[t];
    const borders = load.borders[0] + load.borders[1] + load.borders[2] + load.borders[3];
    steps += 3 * (buckets.get(tileHash(x, y) & mask) ?? 0) + load.edges + bvNodeCount;
    // Both ends of each connection are looked for in the tile itself.
    const outer = load.outerConnections.reduce((sum, n) => sum + n, 0);
    steps += (2 * load.innerConnections + outer) * nearestSteps(set, loads, t);
    for (const u of cells.get(`${x},${y}`) ?? []) {
      if (u === t) continue;
      steps += borders * loads[u].edges + load.innerConnections * nearestSteps(set, loads, u);
    }
    for (let side = 0; side < 8; side++) {
      const nx = x + DX[side];
      const ny = y + DY[side];
      steps += buckets.get(tileHash(nx, ny) & mask) ?? 0;
      for (const u of cells.get(`${nx},${ny}`) ?? []) {
        if ((side & 1) === 0) steps += load.borders[side >> 1] * loads[u].edges;
        steps += loads[u].edges + load.outerConnections[side] * nearestSteps(set, loads, u);
      }
    }
  }
  return steps;
}

/** Steps to find the polygon nearest to a point in tile t. */
function nearestSteps(set: MsetDirectory, loads: readonly TileLoad[], t: number): number {
  const { bvNodeCount, polyCount } = set.tiles[t].header;
  return (bvNodeCount || 6 * polyCount) + Math.min(polyCount, NEAR_POLYGONS) * loads[t].detailTriangles * 3;
}

/** Detour keeps one hash bucket for about four slots. */
function lookupMask(maxTiles: number): number {
  const quarter = Math.floor(maxTiles / 4);
  return quarter === 0 ? 0 : 2 ** (32 - Math.clz32(quarter - 1)) - 1;
}

/** The importer's hash of a tile position: tiles that collide in it are searched one after the other. */
function tileHash(x: number, y: number): number {
  return (Math.imul(0x8da6b343, x) + Math.imul(0xd8163841, y)) | 0;
}
