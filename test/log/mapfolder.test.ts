// A map in a folder: loaded by the folder or by its .mmap, and a sentence when the folder holds none or several.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadMapFile } from '../../src/log/maps.ts';
import { NavMap } from '../../src/map.ts';
import { writeMmap } from '../bytes/writers/mmap.ts';
import { randomSet } from '../bytes/writers/tileset.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'navguard-mmaps-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function put(files: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> {
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes);
  return files;
}

test('a folder with one map, by the folder and by its .mmap', async () => {
  const files = put(writeMmap(randomSet(12), { map: 1 }));
  const expected = await NavMap.loadFiles(files);
  expect(expected.info.format).toBe('MMAP, version 6');
  for (const path of [folder, join(folder, '001.mmap')]) {
    const map = await loadMapFile(path);
    expect(map.info.hash).toBe(expected.info.hash);
    expect(map.info.tiles).toBe(files.size - 1);
  }
});

test('several maps: the sentence names them, and each is loaded by its .mmap', async () => {
  put(writeMmap(randomSet(12), { map: 0 }));
  const other = put(writeMmap(randomSet(13), { map: 571, kind: 'tagged', version: 16 }));
  await expect(loadMapFile(folder)).rejects.toMatchObject({
    code: 'BAD_FILE',
    message: `${folder} holds 2 maps (000.mmap, 0571.mmap): give the path of one .mmap.`,
  });
  const map = await loadMapFile(join(folder, '0571.mmap'), { read: { axes: 'z,y,x' } });
  expect(map.info.tiles).toBe(other.size - 1);
  expect(map.info.format).toBe('MMAP, version 16');
});

test('a .mmap without tiles, a folder without a .mmap', async () => {
  await expect(loadMapFile(folder)).rejects.toThrow(
    `${folder} is a directory without a .mmap, expected a navmesh export or a .navpack file, or a directory with a .mmap and its .mmtile files.`,
  );
  put(new Map([...writeMmap(randomSet(12))].slice(0, 1)));
  await expect(loadMapFile(folder)).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' });
});
