// Names what a file looks like from its first bytes (and, for files of Detour tiles, from one equation on the first tile), so
// that it goes to its reader, or is refused with a name and an advice. Imported by bytes/index.ts; a guess, never a check.
import { detectText, GEOMETRY, GODOT, type TextKind } from './detecttext.ts';
import { looksLikeMmap, looksLikeMmtile } from './mmap.ts';
import { looksLikeUnreal5, type SetShape, setShape } from './sets.ts';

/** Kinds of files that navguard reads, and 'other' for all the rest. */
export type FileKind = SetShape['kind'] | TextKind | 'mmap' | 'mmtile' | 'tilecache' | 'navpack' | 'other';

/** What a file looks like. */
export interface Detected {
  readonly kind: FileKind;
  /** For a sentence: "a tile cache (TSET) of recast-navigation". */
  readonly name: string;
  /** What to do instead; '' for files that are maps by themselves. */
  readonly advice: string;
  /** How its tiles are laid out, for the kinds that are files of Detour tiles. */
  readonly shape?: SetShape;
}

const EXPORT_MSET = 'export the navmesh as MSET (recast-navigation exportNavMesh, RecastDemo "Save")';
const MMAP_SET =
  'a map of such a server is one .mmap and its .mmtile files: give the folder, or the path of the .mmap (NavMap.loadFiles in code)';
const UNITY = `write the triangles of NavMesh.CalculateTriangulation to a JSON or OBJ file, or ${EXPORT_MSET}`;
const TILE_CACHE = `build the navmesh from the tile cache and ${EXPORT_MSET}`;

const UNREAL =
  'export the geometry of the level (OBJ, glTF) and make a navmesh of it with navguard bake; of Unreal 4, tiles as hxhb/ue4-export-nav-data writes them are read too';

// First bytes as Latin-1 text -> name, advice. Longer prefixes stand before shorter ones.
const MAGICS: readonly (readonly [string, string, string])[] = [
  ['VAND', 'a single Detour tile without the MSET header around it', EXPORT_MSET],
  ['DNAV', 'a single Detour tile written big-endian', EXPORT_MSET],
  ['RLTD', 'a single compressed tile-cache layer of Detour', TILE_CACHE],
  ['MMAP', 'a .mmtile written big-endian', 'no server core writes them so: extract the maps again'],
  ['BNAV', 'a Blazium binary navmesh', GODOT],
  ['RSRC', 'a Godot binary resource (.res)', GODOT],
  ['RSCC', 'a compressed Godot binary resource (.res)', GODOT],
  ['\xc1\x83\x2a\x9e', 'an Unreal package (.uasset, .umap)', UNREAL],
  ['UnityFS', 'a Unity asset bundle', UNITY],
  ['%YAML', 'a Unity YAML asset', UNITY],
  ['PK\x03\x04', 'a zip archive', 'unpack it and give the navmesh inside'],
  ['\x1f\x8b', 'a gzip file', 'unpack it first'],
  ['\x28\xb5\x2f\xfd', 'a zstd file', 'unpack it first'],
  ['BZh', 'a bzip2 file', 'unpack it first'],
  ['7z\xbc\xaf\x27\x1c', 'a 7z archive', 'unpack it and give the navmesh inside'],
  ['Kaydara FBX Binary', 'an FBX model', GEOMETRY],
  ['BLENDER', 'a Blender file', GEOMETRY],
  ['solid ', 'an STL model', GEOMETRY],
  ['ply\n', 'a PLY model', GEOMETRY],
  ['ply\r', 'a PLY model', GEOMETRY],
  ['mesh\n', 'a Polyanya mesh (text)', EXPORT_MSET],
  ['mesh\r\n', 'a Polyanya mesh (text)', EXPORT_MSET],
  [
    'SQLite format 3\0',
    'an SQLite database (OpenMW keeps its navmesh in one)',
    `its tiles are not read; ${EXPORT_MSET}`,
  ],
  ['\x89PNG', 'a PNG image', EXPORT_MSET],
  ['\xff\xd8\xff', 'a JPEG image', EXPORT_MSET],
  ['\0asm', 'a WebAssembly module', EXPORT_MSET],
  ['\x7fELF', 'a program', EXPORT_MSET],
  ['<', 'an XML or HTML document', EXPORT_MSET],
  ['version https://git-lfs', 'a Git LFS pointer, not the file itself', 'run git lfs pull'],
];

/** Says what `bytes` look like. Reads a few hundred bytes, throws nothing, allocates next to nothing. */
export function detectFormat(bytes: Uint8Array): Detected {
  if (bytes.byteLength === 0) return other('an empty file', 'check the export or the path');
  const head = latin1(bytes, 0, 64);
  if (head.startsWith('NGPK')) return { kind: 'navpack', name: 'a navguard pack', advice: '' };
  const shape = setShape(bytes);
  if (shape !== null && looksLikeUnreal5(bytes, shape))
    return other('a navmesh of Unreal 5 (its own tile layout)', UNREAL);
  if (shape !== null) return { kind: shape.kind, name: shape.name, advice: '', shape };
  if (looksLikeMmap(bytes)) {
    return { kind: 'mmap', name: 'the parameters of a World of Warcraft map (.mmap)', advice: MMAP_SET };
  }
  if (looksLikeMmtile(bytes)) {
    return { kind: 'mmtile', name: 'one tile of a World of Warcraft map (.mmtile)', advice: MMAP_SET };
  }
  if ((head.startsWith('TEST') || head.startsWith('TSET')) && setVersion(bytes) >= 0x8800) {
    return other(`a tile cache in DotRecast's own layout (0x${setVersion(bytes).toString(16)})`, TILE_CACHE);
  }
  // RecastDemo and recast-navigation write TSET, fananchong/NavMeshScene TSAT; little-endian they read backwards
  if (/^(TEST|TSET|TAST|TSAT)/.test(head)) {
    const name = /^T(ES|SE)T/.test(head)
      ? 'a tile cache (TSET) of Recast'
      : 'a TSAT tile cache (fananchong/NavMeshScene)';
    return { kind: 'tilecache', name, advice: '' };
  }
  if (head.startsWith('glTF')) return { kind: 'gltf', name: 'a binary glTF (.glb) model', advice: '' };
  for (const [magic, name, advice] of MAGICS) if (head.startsWith(magic)) return other(name, advice);
  return detectWithoutMagic(bytes);
}

function detectWithoutMagic(bytes: Uint8Array): Detected {
  let same = true;
  for (let i = 1; i < bytes.byteLength && same; i++) same = bytes[i] === bytes[0];
  if (same) return other(`${bytes.byteLength} bytes that are all ${bytes[0]}`, 'check the export');
  const text = textStart(bytes);
  if (text !== null) return detectText(text);
  const first = [...bytes.subarray(0, 4)].map((b) => b.toString(16).padStart(2, '0')).join(' ');
  return other(`none of the formats we know (it begins with ${first})`, EXPORT_MSET);
}

/** The first 4 KiB as text, or null when they hold control bytes. */
function textStart(bytes: Uint8Array): string | null {
  let start = 0;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3;
  const end = Math.min(bytes.byteLength, start + 4096);
  for (let i = start; i < end; i++) {
    const b = bytes[i];
    if (b === 127 || (b < 32 && b !== 9 && b !== 10 && b !== 13)) return null;
  }
  return latin1(bytes, start, end);
}

/** The set version, of whichever byte order is the smaller number. */
function setVersion(bytes: Uint8Array): number {
  if (bytes.byteLength < 8) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Math.min(view.getUint32(4, true), view.getUint32(4, false));
}

function other(name: string, advice: string): Detected {
  return { kind: 'other', name, advice };
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.byteLength)));
}
