// A navmesh from level geometry by recast-navigation's generators: one tile, many tiles, or a tile cache. Front of bake/.
import { type FloatArray, freeCompactHeightfield, init, RecastBuildContext, VerticesArray } from 'recast-navigation';
import { bitsFor, readTileHeader, type SetParams } from '../bytes/mset.ts';
import { ByteReader } from '../bytes/reader.ts';
import { type SetTile, writeMset } from '../bytes/writeset.ts';
import { NavguardError } from '../errors.ts';
import { bucketTriangles } from './buckets.ts';
import { layersOf, writeTset } from './layers.ts';
import type { Level } from './level.ts';
import { type BakeKind, type BakeSettings, checkSettings, voxels } from './settings.ts';
import { tileOf } from './tilemesh.ts';
import { explained, tooMuch } from './trouble.ts';
import { groundOf } from './voxels.ts';

export { compareMaps, type Difference, type OneSided, planArea } from './compare.ts';
export { type Level, readLevel } from './level.ts';
export { BAKE_DEFAULTS, type BakeKind, type BakeSettings, checkSettings, permissive } from './settings.ts';

/** Cells of one tile that covers the level: each takes some 50 bytes and more in Recast. */
const MOST_SOLO_CELLS = 4096 * 4096;
/** Cells along a level up to which one tile is made of it, unless told otherwise. */
const SOLO_SIDE = 1024;
/** Recast numbers a voxel's height in 13 bits. */
const MOST_RISE = 8191;
/** Tiles that a reference has room for, with 8 bits left for polygons. */
const MOST_TILE_BITS = 14;
const REFERENCE_BITS = 22;
/** Layers of a tile cache that are expected in each tile, on average. */
const LAYERS_A_TILE = 4;
/** Cells that all triangles cover together, by their plan boxes; one takes some nanoseconds. */
const MOST_COVERED = 2e10;

/** Told as tiles are done. */
export type BakeProgress = (done: number, total: number) => void;

/** One tile for small levels, many for wide ones. */
export function defaultKind(level: Level, settings: BakeSettings): BakeKind {
  const [width, height] = gridOf(level, settings.cellSize);
  return Math.max(width, height) <= SOLO_SIDE ? 'solo' : 'tiled';
}

/**
 * Bakes a level: MSET bytes (32-bit) for `solo` and `tiled`, TSET bytes for `tilecache`; the same bytes for the same input.
 * Throws `BAD_ARGUMENT` with one sentence when a setting makes no sense, when nothing is walkable or the level is too much
 * for Recast; `OUT_OF_MEMORY` when recast-navigation has none left.
 */
export async function bake(
  level: Level,
  kind: BakeKind,
  settings: BakeSettings,
  progress: BakeProgress = () => undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  checkSettings(settings, kind);
  checkSize(level, kind, settings);
  await init();
  const vertices = new VerticesArray();
  const context = new RecastBuildContext();
  try {
    vertices.copy(level.positions);
    if (kind === 'solo') return solo(context, level, vertices, settings, progress);
    return await tiles(context, level, vertices, kind, settings, progress);
  } catch (error) {
    throw explained(error);
  } finally {
    vertices.destroy();
  }
}

/** Cells of the level in plan, as Recast counts them. */
function gridOf({ min, max }: Level, cell: number): [number, number] {
  return [Math.trunc((max[0] - min[0]) / cell + 0.5), Math.trunc((max[2] - min[2]) / cell + 0.5)];
}

function checkSize(level: Level, kind: BakeKind, settings: BakeSettings): void {
  const [width, height] = gridOf(level, settings.cellSize);
  const across = `${width} x ${height} cells`;
  if (width < 1 || height < 1) {
    throw wrong(`the level has ${across} of ${settings.cellSize} m, expected one at least (--scale, --axes)`);
  }
  if (kind === 'solo' && (width * height > MOST_SOLO_CELLS || Math.max(width, height) > 65_000)) {
    throw wrong(`one tile of ${across} is too large, expected at most ${MOST_SOLO_CELLS} cells (--kind tiled)`);
  }
  const rise = (level.max[1] - level.min[1]) / settings.cellHeight;
  if (rise > MOST_RISE) {
    const least = ((level.max[1] - level.min[1]) / MOST_RISE).toPrecision(2);
    throw wrong(
      `the level is ${Math.ceil(rise)} cell heights high, expected at most ${MOST_RISE} (--cell-height ${least})`,
    );
  }
  let covered = 0;
  const { positions: p, triangles } = level;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const x = Math.max(p[a], p[b], p[c]) - Math.min(p[a], p[b], p[c]);
    const z = Math.max(p[a + 2], p[b + 2], p[c + 2]) - Math.min(p[a + 2], p[b + 2], p[c + 2]);
    covered += (x / settings.cellSize + 1) * (z / settings.cellSize + 1);
  }
  if (covered > MOST_COVERED) {
    throw wrong(
      `the triangles cover ${covered.toExponential(1)} cells together, expected at most ${MOST_COVERED.toExponential(0)} (larger cells: --cell-size)`,
    );
  }
}

function solo(
  context: RecastBuildContext,
  level: Level,
  vertices: FloatArray,
  settings: BakeSettings,
  progress: BakeProgress,
): Uint8Array<ArrayBuffer> {
  const [width, height] = gridOf(level, settings.cellSize);
  progress(0, 1);
  const all = Uint32Array.from({ length: level.areas.length }, (_, i) => i);
  const ground = groundOf(context, level, vertices, all, { width, height, min: level.min, max: level.max }, settings);
  let bytes: Uint8Array | null;
  try {
    bytes = tileOf(context, ground, settings, 0, null, level.flags);
  } finally {
    freeCompactHeightfield(ground);
  }
  if (bytes === null) throw nothingWalkable(level, settings);
  const header = readTileHeader(new ByteReader(bytes), 0);
  const params: SetParams = {
    orig: header.bmin,
    tileWidth: header.bmax[0] - header.bmin[0],
    tileHeight: header.bmax[2] - header.bmin[2],
    maxTiles: 1,
    maxPolys: header.polyCount,
  };
  progress(1, 1);
  return writeMset(params, [{ ref: 2 ** bitsFor(header.polyCount), bytes }]);
}

async function tiles(
  context: RecastBuildContext,
  level: Level,
  vertices: FloatArray,
  kind: 'tiled' | 'tilecache',
  settings: BakeSettings,
  progress: BakeProgress,
): Promise<Uint8Array<ArrayBuffer>> {
  const { cellSize: cs, cellHeight: ch, tileSize } = settings;
  const [width, height] = gridOf(level, cs);
  const across = Math.ceil(width / tileSize);
  const along = Math.ceil(height / tileSize);
  const expected = across * along * (kind === 'tilecache' ? LAYERS_A_TILE : 1);
  if (bitsFor(expected) > MOST_TILE_BITS) {
    const larger = Math.ceil(Math.sqrt((expected * tileSize * tileSize) / 2 ** MOST_TILE_BITS) / 8) * 8;
    throw wrong(
      `${across} x ${along} tiles are more than references have room for, expected larger tiles (--tile-size ${larger}) or cells (--cell-size)`,
    );
  }
  // room for the walker's radius and the filters, so that neighbouring tiles agree on what is between them
  const border = voxels(settings).radius + 3;
  // recast-navigation reckons its tiles' corners with the cell size that it has stored in 32 bits: the same voxels as theirs
  const stored = Math.fround(cs);
  const side = tileSize * stored;
  const buckets = bucketTriangles(level, { across, along, side, border: (border + 1) * cs });
  const found: { place: { x: number; y: number }; parts: Uint8Array[] }[] = [];
  for (let y = 0; y < along; y++) {
    for (let x = 0; x < across; x++) {
      progress(y * across + x, across * along);
      // a progress bar and Ctrl-C need a turn now and then
      if (x === 0) await new Promise((next) => setImmediate(next));
      const list = buckets.of(x, y);
      if (list.length === 0) continue;
      const [left, near] = [level.min[0] + x * side, level.min[2] + y * side];
      const patch = {
        width: tileSize + 2 * border,
        height: tileSize + 2 * border,
        min: [left - border * stored, level.min[1], near - border * stored] as const,
        max: [left + side + border * stored, level.max[1], near + side + border * stored] as const,
      };
      const ground = groundOf(context, level, vertices, list, patch, settings);
      try {
        const place = { x, y };
        if (kind === 'tilecache') {
          found.push({ place, parts: layersOf(context, ground, settings, border, place) });
        } else {
          const bytes = tileOf(context, ground, settings, border, place, level.flags);
          if (bytes !== null) found.push({ place, parts: [bytes] });
        }
      } finally {
        freeCompactHeightfield(ground);
      }
    }
  }
  progress(across * along, across * along);
  const parts = found.flatMap((tile) => tile.parts);
  if (parts.length === 0) throw nothingWalkable(level, settings);
  const tileBits = Math.max(bitsFor(expected), bitsFor(parts.length));
  if (tileBits > MOST_TILE_BITS) throw tooMuch('layers');
  const polyBits = REFERENCE_BITS - tileBits;
  const mesh = { orig: level.min, tileWidth: side, tileHeight: side, maxTiles: 2 ** tileBits, maxPolys: 2 ** polyBits };
  if (kind === 'tilecache') {
    const { height: tall, climb, radius } = voxels(settings);
    const cache = {
      orig: level.min,
      cs,
      ch,
      width: tileSize,
      height: tileSize,
      walkableHeight: tall * ch,
      walkableRadius: radius * cs,
      // the builder divides it by ch and cuts: half a step keeps the whole number whole
      walkableClimb: (climb + 0.5) * ch,
      maxSimplificationError: settings.edgeError,
      maxTiles: 2 ** tileBits,
      maxObstacles: settings.maxObstacles,
    };
    return writeTset(mesh, cache, parts);
  }
  const set: SetTile[] = parts.map((bytes, slot) => {
    const { polyCount, x, y } = readTileHeader(new ByteReader(bytes), 0);
    if (polyCount > 2 ** polyBits) {
      throw wrong(
        `tile ${x}, ${y} has ${polyCount} polygons, expected at most ${2 ** polyBits} with ${parts.length} tiles (other --tile-size)`,
      );
    }
    return { ref: 2 ** REFERENCE_BITS + slot * 2 ** polyBits, bytes };
  });
  return writeMset(mesh, set);
}

function nothingWalkable({ positions: p, triangles }: Level, settings: BakeSettings): NavguardError {
  let up = 0;
  let down = 0;
  const flat = Math.cos((settings.agentSlope / 180) * Math.PI);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const slope = ny / Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (slope > flat) up++;
    else if (slope < -flat) down++;
  }
  const advice =
    up === 0 && down > 0
      ? 'they are wound the other way: --flip mirrors the level, or export it with outward normals'
      : up === 0
        ? 'another axis may be up: --axes x,z,-y'
        : 'the walker may be too large, or the scale wrong: --scale, --agent-radius, --min-region';
  return wrong(
    `nothing is walkable: ${up} of ${triangles.length / 3} triangles face up flatter than ${settings.agentSlope} degrees, ${down} face down (${advice})`,
  );
}

function wrong(trouble: string): NavguardError {
  return new NavguardError('BAD_ARGUMENT', `bake: ${trouble}.`);
}
