// What a bake is told: Recast's settings in the units of people, their defaults (RecastDemo's), and the permissive preset.
// Imported by bake/ and cli/.
import { NavguardError } from '../errors.ts';

export type BakeKind = 'solo' | 'tiled' | 'tilecache';
export type Partition = 'watershed' | 'monotone' | 'layers';

/** Metres and degrees; tile, region sides, simplification error and detail distance in cells. */
export interface BakeSettings {
  readonly cellSize: number;
  readonly cellHeight: number;
  readonly agentRadius: number;
  readonly agentHeight: number;
  readonly agentClimb: number;
  readonly agentSlope: number;
  /** Cells along a tile's side. */
  readonly tileSize: number;
  /** Metres after which a wall's edge is cut; 0 = never. */
  readonly maxEdge: number;
  /** Cells by which a polygon's edge may leave the voxels' outline. */
  readonly edgeError: number;
  /** Side, in cells, of the smallest square of ground that is kept by itself. */
  readonly minRegion: number;
  /** Side, in cells, up to which regions are joined to their neighbours. */
  readonly mergeRegion: number;
  readonly polyVertices: number;
  /** Cells between samples of the height; below 0.9 the polygons' own corners are all. */
  readonly detailDistance: number;
  /** Cell heights by which the height may be wrong. */
  readonly detailError: number;
  readonly partition: Partition;
  /** Obstacles that a tile cache has room for. */
  readonly maxObstacles: number;
}

export const BAKE_DEFAULTS: BakeSettings = {
  cellSize: 0.3,
  cellHeight: 0.2,
  agentRadius: 0.6,
  agentHeight: 2,
  agentClimb: 0.9,
  agentSlope: 45,
  tileSize: 48,
  maxEdge: 12,
  edgeError: 1.3,
  minRegion: 8,
  mergeRegion: 20,
  polyVertices: 6,
  detailDistance: 6,
  detailError: 1,
  partition: 'watershed',
  maxObstacles: 128,
};

type NumberName = Exclude<keyof BakeSettings, 'partition'>;

/** Least and most, and whether only whole numbers make sense. */
const RANGES: Readonly<Record<NumberName, readonly [least: number, most: number, whole: boolean]>> = {
  cellSize: [0.01, 100, false],
  cellHeight: [0.01, 100, false],
  agentRadius: [0, 100, false],
  agentHeight: [0.1, 1000, false],
  agentClimb: [0, 1000, false],
  agentSlope: [0, 89, false],
  tileSize: [16, 1024, true],
  maxEdge: [0, 1e4, false],
  edgeError: [0, 10, false],
  minRegion: [0, 1000, false],
  mergeRegion: [0, 1000, false],
  polyVertices: [3, 6, true],
  detailDistance: [0, 1000, false],
  detailError: [0, 1000, false],
  maxObstacles: [0, 65_536, true],
};

/** A tile cache keeps coordinates inside a tile in bytes, and heights beside them. */
const MOST_CACHE_TILE = 128;

/** The name of a setting on the command line. */
function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Throws `BAD_ARGUMENT` for a value that makes no sense. */
export function checkSettings(settings: BakeSettings, kind: BakeKind): void {
  for (const [name, [least, most, whole]] of Object.entries(RANGES)) {
    const value = settings[name as NumberName];
    if (value >= least && value <= most && (!whole || Number.isInteger(value))) continue;
    throw wrong(name, `${whole ? 'a whole number of ' : ''}${least}..${most}`, value);
  }
  if (!['watershed', 'monotone', 'layers'].includes(settings.partition)) {
    throw wrong('partition', 'watershed, monotone or layers', settings.partition);
  }
  if (kind === 'tilecache' && settings.tileSize > MOST_CACHE_TILE) {
    throw wrong('tileSize', `at most ${MOST_CACHE_TILE} for a tile cache`, settings.tileSize);
  }
  const { radius, height, climb } = voxels(settings);
  // Recast keeps these in bytes and 13 bits
  if (radius > 254) throw wrong('agentRadius', `at most 254 cells of ${settings.cellSize} m`, settings.agentRadius);
  if (climb > 8000) throw wrong('agentClimb', 'at most 8000 cell heights', settings.agentClimb);
  if (height > 8000) throw wrong('agentHeight', 'at most 8000 cell heights', settings.agentHeight);
}

/** Sizes of the walker in whole voxels; a hair of slack so that 0.9 / 0.3 is three and not four. */
export function voxels(s: BakeSettings): { height: number; climb: number; radius: number } {
  return {
    height: Math.max(3, Math.ceil(s.agentHeight / s.cellHeight - 1e-6)),
    climb: Math.floor(s.agentClimb / s.cellHeight + 1e-6),
    radius: Math.ceil(s.agentRadius / s.cellSize - 1e-6),
  };
}

/**
 * The preset for validators. A validator's ground must hold every place where an honest player can be: a mesh that is too
 * small makes shortest walks too long and convicts players at corners, one that is a little too large gives a cheat a hand's
 * breadth. So the radius shrinks by a cell and the error of the outline, climb and slope grow by a notch (a voxel, five
 * degrees), the head room shrinks by a voxel, and small patches (the top of a crate) are kept.
 */
export function permissive(s: BakeSettings): BakeSettings {
  const { height, climb } = voxels(s);
  return {
    ...s,
    agentRadius: clean(Math.max(0, Math.floor(s.agentRadius / s.cellSize - 1 - s.edgeError + 1e-6)) * s.cellSize),
    agentHeight: clean(Math.max(3, height - 1) * s.cellHeight),
    agentClimb: clean((climb + 1) * s.cellHeight),
    agentSlope: Math.min(89, s.agentSlope + 5),
    minRegion: 0,
  };
}

/** 1.9, not 1.9000000000000001. */
function clean(metres: number): number {
  return Number(metres.toPrecision(9));
}

function wrong(name: string, expected: string, got: unknown): NavguardError {
  return new NavguardError('BAD_ARGUMENT', `bake: ${flagOf(name)}: got ${String(got)}, expected ${expected}.`, {
    name,
    expected,
    got,
  });
}
