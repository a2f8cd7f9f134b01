// A small file of every format that navguard reads, made on the spot by writers of our own. Each format has its row: the
// mutation sweep (test/long/format-fuzz.test.ts) and the round trips run over all of them.

import { readMsetFile } from '../../src/bytes/index.ts';
import { conform } from '../../src/mesh/conform.ts';
import { pack } from '../../src/pack/pack.ts';
import { smallMset } from './small.ts';
import { smallGround, writeTileCache } from './writers/tilecache.ts';

/** One small file. `options` are what `NavMap.load` needs for it besides the bytes. */
export interface FormatSample {
  readonly name: string;
  readonly file: () => Promise<Uint8Array> | Uint8Array;
  readonly options?: Readonly<Record<string, unknown>>;
}

export const FORMATS: readonly FormatSample[] = [
  { name: 'MSET, 32-bit', file: smallMset },
  { name: 'navpack', file: smallPack },
  { name: 'TSET tile cache', file: () => writeTileCache(smallGround()) },
  {
    name: 'TSAT tile cache, big-endian',
    file: () => writeTileCache(smallGround(), { bounds: true, bigEndian: true, level: 2 }),
  },
];

/** The small map as a packed map, tile borders unlinked: the pack is of the file's own bytes. */
async function smallPack(): Promise<Uint8Array> {
  const mesh = readMsetFile(await smallMset());
  return new Uint8Array(pack(mesh, conform(mesh)));
}
