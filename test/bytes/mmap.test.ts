// The files of a World of Warcraft server core: every way in which a list of files is not one map has its sentence.
import { describe, expect, it } from 'vitest';
import { readNavMeshFiles } from '../../src/bytes/index.ts';
import { idOfMap, idOfTile, looksLikeMmap, looksLikeMmtile } from '../../src/bytes/mmap.ts';
import { NavguardError } from '../../src/errors.ts';
import { polygonCount } from '../../src/mesh/navmesh.ts';
import { flips, prefixes } from './mutants.ts';
import { writeMmap } from './writers/mmap.ts';
import { type PlainSet, randomSet } from './writers/tileset.ts';

/** Two tiles or more. */
const world = (): PlainSet => {
  for (let seed = 300; ; seed++) {
    const set = randomSet(seed);
    if (set.tiles.length === 2) return set;
  }
};

type Files = Map<string, Uint8Array>;
const tilesOf = (files: Files) => [...files.keys()].filter((name) => name.endsWith('.mmtile'));
const change = (files: Files, name: string, edit: (view: DataView) => void) => {
  const bytes = (files.get(name) as Uint8Array).slice();
  edit(new DataView(bytes.buffer));
  files.set(name, bytes);
};

const rows: [name: string, edit: (files: Files) => void, says: RegExp][] = [
  [
    'no .mmap',
    (files) => files.delete('571.mmap'),
    /^There is no \.mmap with the parameters of the map among the 2 files \(571\d{4}\.mmtile, 571\d{4}\.mmtile\): give it with its \.mmtile files\.$/,
  ],
  [
    'two .mmap',
    (files) => files.set('000.mmap', files.get('571.mmap') as Uint8Array),
    /^There are 2 maps \(000\.mmap, 571\.mmap\): give one \.mmap and its \.mmtile files\.$/,
  ],
  [
    'no tiles',
    (files) => {
      for (const name of tilesOf(files)) files.delete(name);
    },
    /^571\.mmap has no \.mmtile files beside it: give them with it\.$/,
  ],
  [
    'a tile of another map',
    (files) => files.set('0000000.mmtile', files.get(tilesOf(files)[0]) as Uint8Array),
    /^0000000\.mmtile is a tile of map 0, but 571\.mmap is map 571: give the files of one map\.$/,
  ],
  [
    'a tile twice',
    (files) => files.set('5719999.mmtile', files.get(tilesOf(files)[0]) as Uint8Array),
    /^5719999\.mmtile and 5710000\.mmtile both hold the tile at \(0, 0\) layer 0: give one of them\.$/,
  ],
  [
    'another generator',
    (files) => change(files, tilesOf(files)[1], (view) => view.setInt32(8, 4, true)),
    /^571\d{4}\.mmtile is of generator version 4, but 5710000\.mmtile of 6: extract all tiles with one tool\.$/,
  ],
  [
    'another Detour',
    (files) => change(files, tilesOf(files)[0], (view) => view.setInt32(4, 5, true)),
    /^Bad MMAP file 5710000\.mmtile: byte 4: Detour version: got 5, expected 7\.$/,
  ],
  [
    'another magic',
    (files) => change(files, tilesOf(files)[0], (view) => view.setInt32(0, 5, true)),
    /^Bad MMAP file 5710000\.mmtile: byte 0: magic: got 0x00000005, expected 0x4d4d4150 \('MMAP'\)\.$/,
  ],
  [
    'a tile cut short',
    (files) => files.set('5710000.mmtile', (files.get('5710000.mmtile') as Uint8Array).slice(0, 300)),
    /^Bad MMAP file 5710000\.mmtile: byte 12: tile size in bytes: got \d+, expected 280 or 244, what follows a header of 20 or 56\.$/,
  ],
  [
    'fewer slots than tiles',
    (files) => change(files, '571.mmap', (view) => view.setInt32(20, 1, true)),
    /^571\.mmap declares 1 tiles, but 2 \.mmtile files were given\.$/,
  ],
  [
    'a polygon that leads nowhere, in bytes of its own file',
    (files) =>
      change(files, '5710000.mmtile', (view) => view.setUint8(20 + 100 + 12 * view.getInt32(20 + 28, true) + 30, 9)),
    /^Bad MMAP file 5710000\.mmtile: tile 0, polygon 0, byte \d+: corners: got 9, expected 3\.\.6\.$/,
  ],
];

describe('a list of files that is not one map', () => {
  it.each(rows)('%s', async (_name, edit, says) => {
    const files = writeMmap(world(), { map: 571 });
    edit(files);
    const error = await readNavMeshFiles(files).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(NavguardError);
    expect(error.code).toBe('BAD_FILE');
    expect(error.message).toMatch(says);
  });

  it('folders before the names, and names without numbers, do not matter', async () => {
    const files = writeMmap(world(), { map: 571 });
    const moved = new Map(
      [...files].map(([name, bytes], i) => [name.endsWith('p') ? 'the.mmap' : `a/b/${i}.mmtile`, bytes]),
    );
    expect((await readNavMeshFiles(moved)).tiles.length).toBe(2);
  });

  it('a tile whose settings look like a count of records is a tile', () => {
    // The header of 56 bytes has 25 tiles an edge where a .mmap counts its records of 44 bytes.
    for (let seed = 1, found = 0; found < 1; seed++) {
      for (const [name, bytes] of writeMmap(randomSet(seed), { kind: 'azeroth' })) {
        if (!name.endsWith('.mmtile')) continue;
        const fitting = new Uint8Array(40 + 44 * 25);
        if (bytes.length > fitting.length) continue;
        fitting.set(bytes);
        new DataView(fitting.buffer).setInt32(12, fitting.length - 56, true);
        expect(looksLikeMmap(fitting)).toBe(false);
        expect(looksLikeMmtile(fitting)).toBe(true);
        found++;
      }
    }
  });

  it('numbers in names', () => {
    expect(['000.mmap', 'x/0571.MMAP', 'map.mmap', '571'].map(idOfMap)).toEqual([0, 571, null, null]);
    const tiles = ['0003248.mmtile', '05713248.mmtile', 'mmaps/2175_32_48.mmtile', '3248.mmtile', 'a.mmtile'];
    expect(tiles.map(idOfTile)).toEqual([0, 571, 2175, null, null]);
  });

  it('every third prefix and every seventh byte inverted, of either file: a sentence, or a mesh', async () => {
    const files = writeMmap(randomSet(4), { map: 1 });
    let loaded = 0;
    let refused = 0;
    for (const name of [...files.keys()].slice(0, 2)) {
      const bytes = files.get(name) as Uint8Array;
      let i = 0;
      for (const mutant of [...prefixes(bytes), ...flips(bytes, 0xff)]) {
        if (i++ % 5 !== 0) continue;
        try {
          expect(polygonCount(await readNavMeshFiles(new Map([...files, [name, mutant.bytes]])))).toBeGreaterThan(0);
          loaded++;
        } catch (error) {
          if (!(error instanceof NavguardError)) throw new Error(`${name}, ${mutant.name}: ${String(error)}`);
          expect(['BAD_FILE', 'UNSUPPORTED_FORMAT'], `${name}, ${mutant.name}: ${error.message}`).toContain(error.code);
          expect(error.message).toMatch(/^[A-Z0-9].+\.$/);
          refused++;
        }
      }
    }
    expect(loaded).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(50);
  });
});
