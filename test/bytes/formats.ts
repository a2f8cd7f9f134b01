// A small file of every format that navguard reads, made on the spot by writers of our own. Each format has its row: the
// mutation sweep (test/long/format-fuzz.test.ts) and the round trips run over all of them.

import { readMsetFile } from '../../src/bytes/index.ts';
import { conform } from '../../src/mesh/conform.ts';
import { pack } from '../../src/pack/pack.ts';
import { random } from '../oracle/random.ts';
import { smallMset } from './small.ts';
import { writeDotRecast, writeSet } from './writers/detour.ts';
import { writeGltf } from './writers/gltf.ts';
import { writeMmap } from './writers/mmap.ts';
import { writeNavcat } from './writers/navcat.ts';
import { writeObj } from './writers/obj.ts';
import { type PolyGround, polyGround } from './writers/polyground.ts';
import { smallGround, writeTileCache } from './writers/tilecache.ts';
import { type PlainSet, randomSet } from './writers/tileset.ts';
import { writeTres } from './writers/tres.ts';
import { writeTriangulation } from './writers/triangulation.ts';

/** One small file. `options` are what `NavMap.load` needs for it besides the bytes. */
export interface FormatSample {
  readonly name: string;
  readonly file: () => Promise<Uint8Array> | Uint8Array;
  readonly options?: Readonly<Record<string, unknown>>;
  /** The file is one of several that make a map: its name among them, and the others. */
  readonly beside?: { readonly name: string; readonly files: () => ReadonlyMap<string, Uint8Array> };
}

export const FORMATS: readonly FormatSample[] = [
  { name: 'MSET, 32-bit', file: smallMset },
  { name: 'navpack', file: smallPack },
  { name: 'TSET tile cache', file: () => writeTileCache(smallGround()) },
  {
    name: 'TSAT tile cache, big-endian',
    file: () => writeTileCache(smallGround(), { bounds: true, bigEndian: true, level: 2 }),
  },
  { name: 'MSET, 64-bit', file: () => writeSet(small(), { bits: 64 }) },
  { name: 'MSET, 64-bit, not padded, big-endian', file: () => writeSet(small(), SWAPPED) },
  { name: 'MSAT', file: () => writeSet(small(), { head: 'msat' }) },
  { name: 'KBEngine', file: () => writeSet(small(), { head: 'bare' }) },
  { name: 'DotRecast 0x8801', file: () => writeDotRecast(small(), { version: 0x8801, tiles: 0x8807, little: true }) },
  { name: 'DotRecast 0x8802', file: () => writeDotRecast(small()) },
  { name: 'Unreal 4', file: () => writeSet(small(), { bits: 64, tile: 'unreal' }) },
  { name: 'Unreal 4, counts behind', file: () => writeSet(small(), { bits: 64, tile: 'unreal-behind' }) },
  mmapPart('.mmap', 'plain'),
  mmapPart('.mmtile', 'plain'),
  mmapPart('.mmap', 'tagged'),
  mmapPart('.mmtile', 'azeroth'),
  { name: 'OBJ', file: () => writeObj(ground(), { odd: true }) },
  { name: 'OBJ, shared vertices', file: () => writeObj(ground(), { shared: true, negative: true }) },
  { name: 'glTF, binary', file: () => writeGltf(ground(), { nodes: true, indices: 'u16' }) },
  { name: 'glTF, text', file: () => writeGltf(ground(), { text: true, mode: 'strip', indices: 'none' }) },
  { name: 'triangulation, JSON', file: () => writeTriangulation(ground(), { shared: true }) },
  { name: 'triangulation, polygons', file: () => writeTriangulation(ground(), { polygons: true, wrapped: true }) },
  { name: 'Godot .tres', file: () => writeTres(ground(), { typed: true, agent: [0.4, 2, 0.3] }) },
  { name: 'navcat, JSON', file: () => writeNavcat(ground(), { connections: [FERRY] }) },
];

/** A few triangles in one storey. */
function ground(): PolyGround {
  return polyGround(random(21), { cells: 3, storeys: 1, triangles: true });
}

const FERRY = { start: [0, 0, 0], end: [4, 0, 4], radius: 0.5, direction: 1 } as const;

const SWAPPED = { bits: 64, padded: false, little: false } as const;

/** Two tiles with a border between them, detail vertices and connections. */
function small(): PlainSet {
  for (let seed = 1; ; seed++) {
    const set = randomSet(seed);
    const polys = set.tiles.flatMap((tile) => tile.polys);
    const connections = set.tiles.flatMap((tile) => tile.connections);
    if (set.tiles.length === 2 && polys.length < 12 && polys.length > 6 && connections.length > 2) return set;
  }
}

function mmapPart(end: '.mmap' | '.mmtile', kind: 'plain' | 'tagged' | 'azeroth'): FormatSample {
  const files = () => writeMmap(small(), { kind });
  const name = [...files().keys()].filter((key) => key.endsWith(end))[0];
  return { name: `${end}, ${kind}`, file: () => files().get(name) as Uint8Array, beside: { name, files } };
}

/** The small map as a packed map, tile borders unlinked: the pack is of the file's own bytes. */
async function smallPack(): Promise<Uint8Array> {
  const mesh = readMsetFile(await smallMset());
  return new Uint8Array(pack(mesh, conform(mesh)));
}
