// The structural check of one decompressed layer of a tile cache: what recast-navigation's layer builder takes for granted
// about its grids. Imported by checkcache.ts only.
import { type LayerHeader, NO_GROUND } from './tset.ts';

/** Bytes in the builder's list of a region's neighbours: it writes past the end without asking. */
const MAX_NEIGHBOURS = 16;
const MAX_REGIONS = 255;
/** The builder numbers edges in 16 bits; a cell of ground brings at most two corners, and a corner at most two edges. */
export const MAX_GROUND_CELLS = 16_384;
const NONE = 255;

/** What the grids of a layer hold, for the estimate of the work. */
export interface LayerLoad {
  /** Cell sides that lead to another layer or tile. */
  readonly portals: number;
  /** Cell sides at which ground of one kind ends: an upper bound of the edges of its polygons. */
  readonly sides: number;
  /** Corners of the outlines of its ground, at most. */
  readonly corners: number;
}

// -x, +z, +x, -z, in the order of the bits of a connection.
const DX = [-1, 0, 1, 0];
const DY = [0, 1, 0, -1];

/**
 * Checks heights, areas and connections (one after the other in `grids`, a byte a cell). `climb` is in height units.
 * Returns the load, or a sentence's end ("area of cell (3, 4): got 64, expected 0..63") for the first thing that is wrong.
 */
export function checkLayer(header: LayerHeader, grids: Uint8Array, climb: number): LayerLoad | string {
  const { width, height } = header;
  const cells = width * height;
  const areas = grids.subarray(cells, 2 * cells);
  const cons = grids.subarray(2 * cells, 3 * cells);
  let ground = 0;
  let portals = 0;
  let sides = 0;
  let convex = 0;
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const area = areas[i];
      if (area === NO_GROUND) continue;
      if (area > 63) return `area of cell (${x}, ${y}): got ${area}, expected 0..63`;
      if (++ground > MAX_GROUND_CELLS) {
        return `cells of ground: got more than ${MAX_GROUND_CELLS}, expected a tile of at most 128 x 128 cells`;
      }
      let solid = 0;
      for (let dir = 0; dir < 4; dir++) {
        if (cons[i] & (16 << dir)) portals++;
        if ((cons[i] & (1 << dir)) === 0) {
          sides++;
          solid |= 1 << dir;
          continue;
        }
        const nx = x + DX[dir];
        const ny = y + DY[dir];
        if (nx < 0 || ny < 0 || nx >= width || ny >= height) {
          return `connection ${dir} of cell (${x}, ${y}): got one that leaves the layer, expected a cell of it`;
        }
        const n = nx + ny * width;
        if (areas[n] !== area || Math.abs(grids[n] - grids[i]) > climb) solid |= 1 << dir;
        if (areas[n] === NO_GROUND) continue;
        if ((cons[n] & (1 << ((dir + 2) & 3))) === 0) {
          return `connection ${dir} of cell (${x}, ${y}): got one way, expected both`;
        }
        if (areas[n] !== area) sides++;
      }
      // where two sides next to each other end the ground; an outline has at most as many corners that turn the other way
      for (let dir = 0; dir < 4; dir++) if (solid & (1 << dir) && solid & (1 << ((dir + 1) & 3))) convex++;
    }
  }
  const trouble = checkRegions(header, grids, climb);
  return trouble ?? { portals, sides, corners: 2 * convex };
}

/**
 * The builder's first step, done beforehand: monotone regions as it makes them, and how often each changes neighbour while
 * it looks for them. Source: dtBuildTileCacheRegions of DetourTileCacheBuilder.cpp, the same scan in the same order.
 */
function checkRegions({ width, height }: LayerHeader, grids: Uint8Array, climb: number): string | null {
  const cells = width * height;
  const heights = grids.subarray(0, cells);
  const areas = grids.subarray(cells, 2 * cells);
  const joined = (a: number, b: number): boolean => areas[a] === areas[b] && Math.abs(heights[a] - heights[b]) <= climb;
  const regions = new Uint8Array(cells).fill(NONE);
  const samples = new Uint16Array(width);
  const below = new Uint8Array(width);
  const ids = new Uint8Array(width);
  const previous = new Uint32Array(256);
  let count = 0;
  for (let y = 0; y < height; y++) {
    previous.fill(0);
    let sweeps = 0;
    for (let x = 0; x < width; x++) {
      const i = x + y * width;
      if (areas[i] === NO_GROUND) continue;
      let sweep = NONE;
      if (x > 0 && joined(i, i - 1)) sweep = regions[i - 1];
      if (sweep === NONE) {
        sweep = sweeps++;
        below[sweep] = NONE;
        samples[sweep] = 0;
      }
      if (y > 0 && joined(i, i - width) && regions[i - width] !== NONE) {
        const neighbour = regions[i - width];
        if (samples[sweep] === 0) below[sweep] = neighbour;
        if (below[sweep] === neighbour) {
          samples[sweep]++;
          previous[neighbour]++;
        } else {
          below[sweep] = NONE;
        }
      }
      regions[i] = sweep;
    }
    for (let s = 0; s < sweeps; s++) {
      if (below[s] !== NONE && previous[below[s]] === samples[s]) ids[s] = below[s];
      else if (count === MAX_REGIONS) return `regions: got more than ${MAX_REGIONS}, expected a less broken layer`;
      else ids[s] = count++;
    }
    for (let x = 0; x < width; x++) {
      const i = x + y * width;
      if (regions[i] !== NONE) regions[i] = ids[regions[i]];
    }
  }
  const last = new Int16Array(256).fill(-1);
  const changes = new Uint16Array(256);
  const note = (region: number, neighbour: number): boolean => {
    if (last[region] === neighbour) return true;
    last[region] = neighbour;
    return ++changes[region] <= MAX_NEIGHBOURS;
  };
  for (let i = width; i < cells; i++) {
    const a = regions[i];
    const b = regions[i - width];
    if (a === NONE || b === NONE || a === b || !joined(i, i - width)) continue;
    if (!note(a, b) || !note(b, a)) {
      return `neighbours of a region: got more than the ${MAX_NEIGHBOURS} that recast-navigation has room for, expected a less broken layer (smaller tiles)`;
    }
  }
  return null;
}
