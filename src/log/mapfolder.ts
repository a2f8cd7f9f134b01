// A map in a folder: which .mmap is meant, and which .mmtile files are its own. Imported by maps.ts only.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { idOfMap, idOfTile } from '../bytes/mmap.ts';
import { NavguardError } from '../errors.ts';
import { fileTrouble } from './reader.ts';

/** The one .mmap of a folder; null when `path` is no folder. @throws NavguardError BAD_FILE when there is none, or several */
export async function mapFolder(path: string): Promise<string | null> {
  const found = await stat(path).catch(() => null);
  if (found === null || !found.isDirectory()) return null;
  const maps = (await names(path)).filter((name) => /\.mmap$/i.test(name));
  if (maps.length === 0) {
    const expected = 'expected a navmesh export or a .navpack file, or a directory with a .mmap and its .mmtile files';
    throw new NavguardError('BAD_FILE', `${path} is a directory without a .mmap, ${expected}.`, { file: path });
  }
  if (maps.length > 1) {
    const shown = maps.length > 5 ? `${maps.slice(0, 5).join(', ')} and ${maps.length - 5} more` : maps.join(', ');
    const message = `${path} holds ${maps.length} maps (${shown}): give the path of one .mmap.`;
    throw new NavguardError('BAD_FILE', message, { file: path });
  }
  return join(path, maps[0]);
}

/** The .mmtile files beside a .mmap that are of its map; all of them when its name has no number. */
export async function tilesBeside(map: string): Promise<string[]> {
  const folder = dirname(map);
  const id = idOfMap(basename(map));
  return (await names(folder))
    .filter((name) => /\.mmtile$/i.test(name) && (id === null || idOfTile(name) === id))
    .map((name) => join(folder, name));
}

async function names(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    throw new NavguardError('BAD_FILE', `Cannot read ${folder}: ${fileTrouble(error)}.`, { file: folder });
  }
}
