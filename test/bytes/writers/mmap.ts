// Writes a set of tiles as the files of a World of Warcraft server core: one .mmap and a .mmtile a tile.
import { ByteWriter } from './bytewriter.ts';
import { detourTile, writeParams } from './detour.ts';
import type { PlainSet } from './tileset.ts';

export interface MmapOptions {
  readonly map?: number;
  /** `plain`: 28 bytes of parameters and tile headers of 20; `tagged`: a .mmap with magic; `azeroth`: tile headers of 56. */
  readonly kind?: 'plain' | 'tagged' | 'azeroth';
  readonly version?: number;
}

const MMAP = 0x4d4d4150;

export function writeMmap(set: PlainSet, options: MmapOptions = {}): Map<string, Uint8Array> {
  const { map = 0, kind = 'plain', version = 6 } = options;
  const files = new Map<string, Uint8Array>();
  const head = new ByteWriter();
  if (kind === 'tagged') head.i32(MMAP, version);
  writeParams(head, set, 4096, 2 ** 31 - 1);
  const connections = set.tiles.flatMap((tile) => tile.connections.map((con) => ({ tile, con })));
  if (kind === 'tagged') {
    head.i32(connections.length);
    for (const { tile, con } of connections) {
      head.i32(map, tile.x, tile.y).f32(...con.from, ...con.to, con.radius);
      head.u8(con.bidirectional ? 1 : 0, con.area).u16(con.flags);
    }
  }
  const id = String(map).padStart(kind === 'tagged' ? 4 : 3, '0');
  files.set(`${id}.mmap`, head.done());
  for (const tile of set.tiles) {
    const bytes = detourTile(tile, set, true, 16);
    const w = new ByteWriter();
    w.i32(MMAP, 7, version, bytes.length).u8(1, 0, 0, 0);
    if (kind === 'azeroth') w.f32(60).u8(1, 6, 4, 0).i32(2000, 80, 25).f32(0.26, 0.26, 0.26, 1.8);
    const x = String(tile.x).padStart(2, '0');
    const y = String(tile.y).padStart(2, '0');
    files.set(kind === 'tagged' ? `${id}_${y}_${x}.mmtile` : `${id}${y}${x}.mmtile`, w.bytes(bytes).done());
  }
  return files;
}
