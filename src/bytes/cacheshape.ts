// Obstacles of a tile cache: from the map's metres and axes to the file's, and how many layers one touches.
// Imported by livecache.ts.
import { NavguardError } from '../errors.ts';
import type { ObstacleShape } from '../types.ts';
import { type CacheShape, MAX_TOUCHED } from './cachesession.ts';
import type { CacheFile } from './checkcache.ts';
import { keepsHeights, type Reading } from './options.ts';

const MOST_METRES = 1e6;
const MOST_PIECES = 64;

/** Checks a shape. Throws `BAD_ARGUMENT`. */
export function checkShape(shape: ObstacleShape): void {
  const { box, cylinder, grow = true } = typeof shape === 'object' && shape !== null ? shape : {};
  if ((box === undefined) === (cylinder === undefined)) {
    throw refuse('{ box: [minX, minY, minZ, maxX, maxY, maxZ, yaw?] } or { cylinder: [x, y, z, radius, height] }');
  }
  if (typeof grow !== 'boolean' && !(typeof grow === 'number' && grow >= 0 && grow <= MOST_METRES)) {
    throw refuse('grow to be true, false or metres');
  }
  const numbers = (box ?? cylinder) as readonly unknown[];
  const counts = box === undefined ? [5] : [6, 7];
  if (!Array.isArray(numbers) || !counts.includes(numbers.length)) {
    throw refuse(box === undefined ? 'a cylinder of 5 numbers' : 'a box of 6 or 7 numbers');
  }
  for (const n of numbers as readonly number[]) {
    if (!(typeof n === 'number' && Math.abs(n) <= MOST_METRES)) throw refuse(`numbers within ${MOST_METRES}`);
  }
  if (box?.slice(0, 3).some((low, axis) => !(low < box[axis + 3]))) throw refuse('a box whose min is below its max');
  if (cylinder !== undefined && !(cylinder[3] > 0 && cylinder[4] > 0)) throw refuse('a radius and a height over 0');
}

/**
 * The shape in the file's metres and axes, reaching down by a walker's height: Recast asks whether ground lies inside the
 * shape, and a beam over the floor is in the way of whoever walks there.
 */
export function shapeInFile(shape: ObstacleShape, file: CacheFile, reading: Reading): CacheShape {
  if (!keepsHeights(reading)) throw refuse('a tile cache whose y is up');
  const { scale, axes } = reading;
  const [x, , z] = axes;
  const toFile = (v: readonly number[]): number[] => {
    const out = [0, v[1] / scale, 0];
    out[x.from] = (v[0] * x.sign) / scale;
    out[z.from] = (v[2] * z.sign) / scale;
    return out;
  };
  const { walkableHeight, walkableRadius } = file.params;
  const { box, cylinder, grow = true } = shape;
  // a navmesh says where the middle of a body may be
  const by = typeof grow === 'number' ? grow / scale : grow ? walkableRadius : 0;
  if (cylinder !== undefined) {
    const [px, py, pz] = toFile(cylinder);
    return {
      base: [px, py - walkableHeight, pz],
      radius: cylinder[3] / scale + by,
      height: cylinder[4] / scale + walkableHeight,
    };
  }
  const b = box as readonly number[];
  const center = toFile([(b[0] + b[3]) / 2, (b[1] + b[4]) / 2, (b[2] + b[5]) / 2]);
  const half = [(b[3] - b[0]) / 2 / scale + by, (b[4] - b[1]) / 2 / scale, (b[5] - b[2]) / 2 / scale + by];
  const swapped = x.from === 2;
  // Recast turns from z to x; a mirror turns the sense round, and swapping x and z is one too
  const turned = -x.sign * z.sign * (swapped ? -1 : 1);
  return {
    center: [center[0], center[1] - walkableHeight / 2, center[2]],
    half: [half[swapped ? 2 : 0], half[1] + walkableHeight / 2, half[swapped ? 0 : 2]],
    // + 0 turns -0 into 0
    yaw: turned * (b[6] ?? 0) + 0,
  };
}

/**
 * The shape in pieces that each touch no more layers than recast-navigation rebuilds for one obstacle: what lies in further
 * ones it would leave open without a word. Throws `BAD_ARGUMENT` for a shape that takes more than 64 pieces, and for a
 * cylinder that takes more than one. Pieces overlap by the half cell that Recast adds around a box.
 */
export function piecesOf(shape: CacheShape, file: CacheFile): CacheShape[] {
  const done: CacheShape[] = [];
  const rest = [shape];
  for (let piece = rest.pop(); piece !== undefined; piece = rest.pop()) {
    const touched = layersTouched(piece, file);
    if (touched <= MAX_TOUCHED) {
      done.push(piece);
      continue;
    }
    if (!('half' in piece) || done.length + rest.length + 2 > MOST_PIECES) {
      throw new NavguardError(
        'BAD_ARGUMENT',
        `block: the obstacle touches ${touched} layers of the tile cache in one piece, expected at most ${MAX_TOUCHED} (as many as recast-navigation rebuilds for one): make smaller ones of it.`,
        { touched, expected: MAX_TOUCHED },
      );
    }
    rest.push(...halves(piece));
  }
  return done;
}

type Box = Extract<CacheShape, { half: readonly number[] }>;

/** Cut across its longer side. */
function halves({ center, half, yaw }: Box): [Box, Box] {
  const along = half[0] >= half[2] ? 0 : 2;
  const step = half[along] / 2;
  const [dx, dz] = along === 0 ? [Math.cos(yaw), -Math.sin(yaw)] : [Math.sin(yaw), Math.cos(yaw)];
  const smaller = half.map((h, axis) => (axis === along ? step : h));
  const at = (side: 1 | -1): Box => ({
    center: [center[0] + side * step * dx, center[1], center[2] + side * step * dz],
    half: smaller,
    yaw,
  });
  return [at(-1), at(1)];
}

/** How many layers recast-navigation finds for a shape. Source: dtTileCache::queryTiles, the same bounds. */
function layersTouched(shape: CacheShape, file: CacheFile): number {
  const { cs } = file.params;
  const middle = 'half' in shape ? shape.center : shape.base;
  const reach = 'half' in shape ? 1.42 * Math.max(shape.half[0], shape.half[2]) : shape.radius;
  const low = 'half' in shape ? middle[1] - shape.half[1] : middle[1];
  const high = 'half' in shape ? middle[1] + shape.half[1] : middle[1] + shape.height;
  let touched = 0;
  for (const { header: h } of file.layers) {
    const apart =
      middle[0] + reach < h.bmin[0] + h.minx * cs ||
      middle[0] - reach > h.bmin[0] + (h.maxx + 1) * cs ||
      middle[2] + reach < h.bmin[2] + h.miny * cs ||
      middle[2] - reach > h.bmin[2] + (h.maxy + 1) * cs ||
      high < h.bmin[1] ||
      low > h.bmax[1];
    if (!apart) touched++;
  }
  return touched;
}

function refuse(expected: string): NavguardError {
  return new NavguardError('BAD_ARGUMENT', `block: expected ${expected}`, { expected });
}
