// The loading order of an MSET file: our check, recast-navigation's import, our reader on what it holds and on the file,
// and the two must say the same. Imported by index.ts and by tests.
import { NavguardError } from '../errors.ts';
import type { NavMesh } from '../mesh/navmesh.ts';
import { checkMset } from './check.ts';
import { equalNavMesh } from './equal.ts';
import { type ImportedTiles, importTiles, withImported } from './foreign.ts';
import { type MsetDirectory, type MsetTile, POLY_BYTES, POLY_VERTS, TILE_HEADER_BYTES, VERTEX_BYTES } from './mset.ts';
import { readTiles } from './tile.ts';

/** A tile as recast-navigation holds it after import: links rebuilt, ready for its own `addTile`. */
export interface HeapTile {
  /** The tile's reference, unsigned. */
  readonly ref: number;
  readonly bytes: Uint8Array;
}

export interface ImportedMset {
  readonly mesh: NavMesh;
  readonly tiles: readonly HeapTile[];
}

/**
 * Reads an MSET file with 32-bit references. Throws `BAD_FILE` when the bytes do not hold together, `IMPORT_FAILED` when
 * recast-navigation refuses them or holds something else afterwards than the bytes spell.
 */
export async function readMset(bytes: Uint8Array): Promise<NavMesh> {
  const set = checkMset(bytes);
  // Read where the importer holds them: a copy of all tiles would be one more of the file.
  return withImported(bytes, set, (held) => acceptImport(bytes, set, held).mesh);
}

/** The same, with a copy of the tiles as the importer holds them. */
export async function importMset(bytes: Uint8Array): Promise<ImportedMset> {
  const set = checkMset(bytes);
  return acceptImport(bytes, set, await importTiles(bytes, set));
}

/** Reads what the importer holds and compares it with what the file spells. Throws `IMPORT_FAILED` at any difference. */
export function acceptImport(bytes: Uint8Array, set: MsetDirectory, imported: ImportedTiles): ImportedMset {
  const polygons = set.tiles.reduce((sum, tile) => sum + tile.header.polyCount, 0);
  if (imported.tileCount !== set.tiles.length || imported.polyCount !== polygons) {
    throw differs(
      `${imported.tileCount} tiles with ${imported.polyCount} polygons`,
      `${set.tiles.length} tiles with ${polygons} polygons`,
    );
  }
  const tiles: HeapTile[] = [];
  for (let t = 0; t < set.tiles.length; t++) {
    const copy = imported.tiles[t];
    if (copy === null || copy.byteLength !== set.tiles[t].size || !sameHeader(copy, bytes, set.tiles[t].at)) {
      throw differs(`tile ${t} with another header`, `that at byte ${set.tiles[t].at} of the file`);
    }
    tiles.push({ ref: set.tiles[t].ref, bytes: copy });
  }
  const mesh = readHeapMesh(set, tiles);
  // The same bytes spell the same mesh; only where they differ is the meaning asked.
  if (set.tiles.every((tile, t) => sameTile(tile, tiles[t].bytes, bytes))) return { mesh, tiles };
  const difference = equalNavMesh(readFileMesh(bytes, set), mesh, { ignorePortals: true });
  if (difference !== null) {
    throw differs(`a mesh in which ${difference.replace(/\.$/, '')}`, 'the mesh that the file spells');
  }
  return { mesh, tiles };
}

/** The mesh as the file's own bytes spell it, without portals. Runs no foreign code. Throws `BAD_FILE`. */
export function readMsetFile(bytes: Uint8Array): NavMesh {
  return readFileMesh(bytes, checkMset(bytes));
}

function readFileMesh(bytes: Uint8Array, set: MsetDirectory): NavMesh {
  return readTiles(
    set,
    set.tiles.map((tile) => ({ bytes, at: tile.at })),
    { links: false },
  );
}

function readHeapMesh(set: MsetDirectory, tiles: readonly HeapTile[]): NavMesh {
  try {
    return readTiles(
      set,
      tiles.map((tile) => ({ bytes: tile.bytes, at: 0 })),
      { links: true },
    );
  } catch (error) {
    throw differs(
      `tiles that cannot be read (${error instanceof Error ? error.message : String(error)})`,
      'sound tiles',
    );
  }
}

function sameHeader(copy: Uint8Array, file: Uint8Array, at: number): boolean {
  for (let i = 0; i < TILE_HEADER_BYTES; i++) if (copy[i] !== file[at + i]) return false;
  return true;
}

/** Whether all that readTiles reads of a tile is the same in the importer's copy, byte for byte; links are its own. */
function sameTile({ at, header: h, sections: s }: MsetTile, copy: Uint8Array, file: Uint8Array): boolean {
  const same = (from: number, to: number) =>
    Buffer.compare(copy.subarray(from, to), file.subarray(at + from, at + to)) === 0;
  // The vertices of off-mesh connections follow those of the ground: the importer moves them, and nobody reads them.
  if (!same(s.verts, s.verts + (h.vertCount - 2 * h.offMeshConCount) * VERTEX_BYTES)) return false;
  if (!same(s.details, s.bv) || !same(s.offMesh, s.end)) return false;
  for (let poly = s.polys; poly < s.links; poly += POLY_BYTES) {
    for (let i = poly + POLY_VERTS; i < poly + POLY_BYTES; i++) if (copy[i] !== file[at + i]) return false;
  }
  return true;
}

function differs(got: string, expected: string): NavguardError {
  return new NavguardError(
    'IMPORT_FAILED',
    `recast-navigation imported something else: got ${got}, expected ${expected}.`,
    {
      got,
      expected,
    },
  );
}
