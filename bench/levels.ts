// The maps of the benches, each loaded three times from the same bytes or geometry: navguard, recast-navigation and,
// for maps of one tile, navcat. Imported by the cases.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NavMesh as NavcatMesh } from 'navcat';
import { generateSoloNavMesh } from 'navcat/blocks';
import { getNavMeshPositionsAndIndices, importNavMesh, init, type NavMesh, NavMeshQuery } from 'recast-navigation';
import { largeMap } from '../navdata/large.ts';
import { type BuildSpec, buildFromObj, buildNavMesh, readObj } from '../src/build/index.ts';
import { type TriangleSoup, trianglesOf } from '../src/build/solids.ts';
import { checkSpec } from '../src/build/spec.ts';
import { NavMap } from '../src/map.ts';
import { yard } from './yard.ts';

/** One map in the hands of everyone. */
export interface Level {
  readonly name: string;
  /** The export that navguard and recast-navigation load. */
  readonly bytes: Uint8Array;
  readonly map: NavMap;
  readonly twin: NavMap;
  readonly recast: NavMesh;
  /** One query object with room for 4096 nodes, as a server keeps it. */
  readonly query: NavMeshQuery;
  /** navcat's own mesh of the same geometry; null for tiled maps, where its generator makes one tile. */
  readonly navcat: NavcatMesh | null;
  /** Ground as triangles: flat x, y, z and three indices each. Queries are drawn from it. */
  readonly ground: { readonly positions: readonly number[]; readonly indices: readonly number[] };
  /** Metres. */
  readonly cell: number;
}

interface Source {
  readonly cell: number;
  readonly bytes: () => Promise<Uint8Array>;
  /** Geometry for navcat, or null. */
  readonly soup: (() => TriangleSoup) | null;
}

/** Polygons of the open ground in the growth case; the last is the map `terrain`. */
export const GROWTH = [150, 1500, 8400] as const;

const SAMPLES = process.env.NAVGUARD_SAMPLES;

function fromSpec(spec: () => BuildSpec): Source {
  const soup = () => {
    const checked = checkSpec(spec());
    return trianglesOf(checked, checked.agent.height - checked.cellHeight);
  };
  return { cell: 0.3, bytes: () => buildNavMesh(spec()), soup };
}

function fromObj(file: string): Source {
  const text = (): string => {
    const path = join(SAMPLES ?? '', 'recast-demo', file);
    if (!existsSync(path)) throw new Error(`${path}: expected the level geometry that NAVGUARD_SAMPLES promises`);
    return readFileSync(path, 'utf8');
  };
  return { cell: 0.3, bytes: () => buildFromObj(text()), soup: () => readObj(text()) };
}

/** Rolling ground with obstacles, in tiles. */
function terrain(polygons: number): Source {
  return { cell: 0.3, bytes: () => largeMap(polygons), soup: null };
}

const SOURCES: Readonly<Record<string, Source>> = {
  yard: fromSpec(yard),
  // Only with NAVGUARD_SAMPLES: the levels of RecastDemo.
  ...(SAMPLES ? { nav_test: fromObj('nav_test.obj'), dungeon: fromObj('dungeon.obj') } : {}),
  terrain: terrain(GROWTH[2]),
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

/** Open ground of a given size, for the growth case. */
export function openGround(polygons: number): Promise<Level> {
  return polygons === GROWTH[2] ? level('terrain') : remember(`terrain-${polygons}`, terrain(polygons));
}

function remember(name: string, source: Source): Promise<Level> {
  const known = loaded.get(name);
  if (known) return known;
  const made = load(name, source);
  loaded.set(name, made);
  return made;
}

async function load(name: string, source: Source): Promise<Level> {
  await init();
  const bytes = await source.bytes();
  const map = await NavMap.load(bytes);
  const twin = NavMap.fromPack(map.toPack(), { engine: 'twin' });
  const { navMesh } = importNavMesh(bytes);
  const [positions, indices] = getNavMeshPositionsAndIndices(navMesh);
  return {
    name,
    bytes,
    map,
    twin,
    recast: navMesh,
    query: new NavMeshQuery(navMesh, { maxNodes: 4096 }),
    navcat: source.soup ? navcatMesh(source.soup()) : null,
    ground: { positions, indices },
    cell: source.cell,
  };
}

/** navcat's generator with the sizes that the export was built with. */
function navcatMesh(soup: TriangleSoup): NavcatMesh {
  const cellSize = 0.3;
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
