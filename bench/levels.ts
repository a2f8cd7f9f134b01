// The maps of the benches: generated here, or levels of RecastDemo. Those of one tile are built for navcat too. Imported by
// run.ts and the cases.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NavMesh } from 'navcat';
import { generateSoloNavMesh } from 'navcat/blocks';
import { largeMap } from '../navdata/large.ts';
import { type Level, openLevel } from '../src/bench/level.ts';
import { type BuildSpec, buildFromObj, buildNavMesh, readObj } from '../src/build/index.ts';
import { type TriangleSoup, trianglesOf } from '../src/build/solids.ts';
import { checkSpec } from '../src/build/spec.ts';
import { navcatPeers } from './peers/navcat.ts';
import { yard } from './yard.ts';

/** Cell of every map here, metres. */
const CELL = 0.3;

interface Source {
  readonly bytes: () => Promise<Uint8Array>;
  /** Geometry for navcat, or null. */
  readonly soup: (() => TriangleSoup) | null;
}

/** Polygons of the map `terrain`. */
const TERRAIN = 8400;

const SAMPLES = process.env.NAVGUARD_SAMPLES;

function fromSpec(spec: () => BuildSpec): Source {
  const soup = () => {
    const checked = checkSpec(spec());
    return trianglesOf(checked, checked.agent.height - checked.cellHeight);
  };
  return { bytes: () => buildNavMesh(spec()), soup };
}

function fromObj(file: string): Source {
  const text = (): string => {
    const path = join(SAMPLES ?? '', 'recast-demo', file);
    if (!existsSync(path)) throw new Error(`${path}: expected the level geometry that NAVGUARD_SAMPLES promises`);
    return readFileSync(path, 'utf8');
  };
  return { bytes: () => buildFromObj(text()), soup: () => readObj(text()) };
}

/** Rolling ground with obstacles, in tiles. */
function terrain(polygons: number): Source {
  return { bytes: () => largeMap(polygons), soup: null };
}

const SOURCES: Readonly<Record<string, Source>> = {
  yard: fromSpec(yard),
  // Only with NAVGUARD_SAMPLES: the levels of RecastDemo.
  ...(SAMPLES ? { nav_test: fromObj('nav_test.obj'), dungeon: fromObj('dungeon.obj') } : {}),
  terrain: terrain(TERRAIN),
};

/** Names of the maps, small to large. */
export const LEVELS: readonly string[] = Object.keys(SOURCES);

const loaded = new Map<string, Promise<Level>>();

/** A map by name, built once per run. Throws for an unknown name. */
export function level(name: string): Promise<Level> {
  const source = SOURCES[name];
  if (!source) throw new Error(`map: expected one of ${LEVELS.join(', ')}, got "${name}"`);
  return remember(name, source);
}

/** Open ground with at least so many polygons. */
export function openGround(polygons: number): Promise<Level> {
  return polygons === TERRAIN ? level('terrain') : remember(`terrain-${polygons}`, terrain(polygons));
}

function remember(name: string, source: Source): Promise<Level> {
  const known = loaded.get(name);
  if (known) return known;
  const made = load(name, source);
  loaded.set(name, made);
  return made;
}

async function load(name: string, source: Source): Promise<Level> {
  const bytes = await source.bytes();
  return source.soup ? openLevel(name, bytes, navcatPeers(navcatMesh(source.soup()), CELL)) : openLevel(name, bytes);
}

/** navcat's generator with the sizes that the export was built with. */
function navcatMesh(soup: TriangleSoup): NavMesh {
  const cellSize = CELL;
  const cellHeight = 0.2;
  return generateSoloNavMesh(soup, {
    cellSize,
    cellHeight,
    walkableRadiusWorld: 0.6,
    walkableRadiusVoxels: 2,
    walkableHeightWorld: 2,
    walkableHeightVoxels: 10,
    walkableClimbWorld: 0.9,
    walkableClimbVoxels: 4,
    walkableSlopeAngleDegrees: 45,
    borderSize: 0,
    minRegionArea: 64,
    mergeRegionArea: 400,
    maxSimplificationError: 1.3,
    maxEdgeLength: 12 / cellSize,
    maxVerticesPerPoly: 6,
    detailSampleDistance: 6 * cellSize,
    detailSampleMaxError: 1 * cellHeight,
  }).navMesh;
}
