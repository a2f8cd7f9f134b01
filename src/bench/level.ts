// A map in the hands of everyone who is measured on it. Imported by the cases, by cli/bench.ts and by bench/.
import { importNavMesh, init, NavMeshQuery } from 'recast-navigation';
import { detectFormat } from '../bytes/index.ts';
import { NavMap } from '../map.ts';
import { type Ground, ownGround, recastGround } from './ground.ts';
import type { Pairs } from './pairs.ts';
import type { Subject } from './rounds.ts';

/** One map, loaded by navguard, its twin and recast-navigation from the same bytes. */
export interface Level {
  readonly name: string;
  /** The file. */
  readonly bytes: Uint8Array;
  readonly map: NavMap;
  /** The same map in the pure-TypeScript engine, loaded at first use. */
  readonly twin: NavMap;
  /** One query object with room for 4096 nodes, as a server keeps it; null when recast-navigation cannot load the map. */
  readonly query: NavMeshQuery | null;
  readonly ground: Ground;
  /** Metres; a step of the mesh's own precision. */
  readonly cell: number;
  /** Further libraries that hold the same map. */
  readonly others: Others;
}

/** Peers besides recast-navigation, by what they are asked; each list may be empty. */
export interface Others {
  ray(pairs: Pairs): Subject[];
  locate(pairs: Pairs): Subject[];
  corridor(pairs: Pairs): Subject[];
}

const NOBODY: Others = { ray: () => [], locate: () => [], corridor: () => [] };

/** Cell of maps without a lattice, metres. */
const DEFAULT_CELL = 0.3;

/** Loads a map for everyone. Throws what `NavMap.load` throws. */
export async function openLevel(name: string, bytes: Uint8Array, others: Others = NOBODY): Promise<Level> {
  const map = await NavMap.load(bytes);
  const { query, ground } = await walkable(bytes, map);
  const { cellSize } = map.info;
  let twin: NavMap | undefined;
  return {
    name,
    bytes,
    map,
    get twin() {
      twin ??= NavMap.fromPack(map.toPack(), { engine: 'twin' });
      return twin;
    },
    query,
    ground,
    cell: cellSize > 0 ? cellSize : DEFAULT_CELL,
    others,
  };
}

async function walkable(bytes: Uint8Array, map: NavMap): Promise<Pick<Level, 'query' | 'ground'>> {
  // recast-navigation's importer crashes or hangs on anything else.
  if (detectFormat(bytes).kind !== 'mset') return { query: null, ground: ownGround(map) };
  await init();
  const { navMesh } = importNavMesh(bytes);
  const query = new NavMeshQuery(navMesh, { maxNodes: 4096 });
  return { query, ground: recastGround(navMesh, query) };
}
