// Names what a file looks like from its first bytes (and, for MSET, from one equation on its first tile), so that a file we
// cannot read is refused with a name and an advice. Imported by bytes/index.ts; a guess, never a check.
import { DNAV_MAGIC, readTileHeader, SET_HEADER_BYTES, tileSections } from './mset.ts';
import { ByteReader } from './reader.ts';

/** What a file looks like. `kind` is 'mset' and 'navpack' for the two that navguard reads. */
export interface Detected {
  readonly kind: 'mset' | 'navpack' | 'other';
  /** For a sentence: "a tile cache (TSET) of recast-navigation". */
  readonly name: string;
  /** What to do instead; '' for the readable kinds. */
  readonly advice: string;
}

const EXPORT_MSET =
  'export the navmesh as MSET with 32-bit references (recast-navigation exportNavMesh, RecastDemo "Save")';
const LATER = `this release reads MSET with 32-bit references only; ${EXPORT_MSET}, or wait for a later release`;
const TILE_CACHE = `build the navmesh from the tile cache and ${EXPORT_MSET}`;
const GEOMETRY = `build a navmesh from it with recast-navigation and ${EXPORT_MSET}`;

// First bytes as Latin-1 text -> name, advice. Longer prefixes stand before shorter ones.
const MAGICS: readonly (readonly [string, string, string])[] = [
  ['TSET', 'a tile cache (TSET) written big-endian', TILE_CACHE],
  ['TEST', 'a tile cache (TSET) of Recast', TILE_CACHE],
  ['TASM', 'an MSAT file (MSET with bounds, fananchong/NavMeshScene)', LATER],
  ['TAST', 'a TSAT tile cache (fananchong/NavMeshScene)', TILE_CACHE],
  ['MSET', 'an MSET file written big-endian', `write it little-endian (DotRecast: C-compatible mode); ${EXPORT_MSET}`],
  ['VAND', 'a single Detour tile without the MSET header around it', EXPORT_MSET],
  ['DNAV', 'a single Detour tile written big-endian', EXPORT_MSET],
  ['RLTD', 'a single compressed tile-cache layer of Detour', TILE_CACHE],
  ['PAMM', 'a .mmtile of a World of Warcraft server core (MMAP, 64-bit references)', LATER],
  ['MMAP', 'a .mmtile written big-endian', LATER],
  ['BNAV', 'a Blazium binary navmesh', LATER],
  ['glTF', 'a binary glTF (.glb) model', `${GEOMETRY}; triangles that are a navmesh are read in a later release`],
  ['[gd_resource', 'a Godot text resource (.tres)', LATER],
  ['[gd_scene', 'a Godot scene (.tscn)', 'save its NavigationMesh and convert it: this release reads MSET only'],
  ['RSRC', 'a Godot binary resource (.res)', 'save it as .tres, and convert it: this release reads MSET only'],
  [
    'RSCC',
    'a compressed Godot binary resource (.res)',
    'save it as .tres, and convert it: this release reads MSET only',
  ],
  ['\xc1\x83\x2a\x9e', 'an Unreal package (.uasset, .umap)', LATER],
  ['UnityFS', 'a Unity asset bundle', LATER],
  ['%YAML', 'a Unity YAML asset', LATER],
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
  ['SQLite format 3\0', 'an SQLite database (OpenMW keeps its navmesh in one)', LATER],
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
  if (head.startsWith('TESM')) return detectMset(bytes);
  if (head.startsWith('MSET') || head.startsWith('TSET') || head.startsWith('TEST')) {
    const version = setVersion(bytes);
    if (version >= 0x8800) {
      const cache = !head.startsWith('MSET');
      return other(
        `a ${cache ? 'tile cache' : 'navmesh set'} in DotRecast's own layout (${hex(version)})`,
        compatible(),
      );
    }
  }
  for (const [magic, name, advice] of MAGICS) if (head.startsWith(magic)) return other(name, advice);
  return detectWithoutMagic(bytes);
}

function detectMset(bytes: Uint8Array): Detected {
  const r = new ByteReader(bytes);
  const plain: Detected = { kind: 'mset', name: 'an MSET navmesh with 32-bit references', advice: '' };
  if (setVersion(bytes) >= 0x8800) {
    return other(`a navmesh set in DotRecast's own layout (${hex(setVersion(bytes))})`, compatible());
  }
  // In a 64-bit build a tile is preceded by u64 reference, i32 size, 4 bytes of padding, and its links take 16 bytes. The
  // sum of the sections tells it for certain; a file too short or too odd for the test is left to the check.
  for (const [header, size] of [
    [SET_HEADER_BYTES + 16, SET_HEADER_BYTES + 8],
    [SET_HEADER_BYTES + 8, SET_HEADER_BYTES + 4],
  ]) {
    if (bytes.byteLength < header + 100 || r.u32(header) !== DNAV_MAGIC) continue;
    const tile = readTileHeader(r, header);
    const declared = r.i32(size);
    if (tileSections(tile).end === declared && header === SET_HEADER_BYTES + 8) return plain;
    if (tileSections(tile, 16).end === declared) {
      return other(
        'an MSET navmesh with 64-bit references',
        `${EXPORT_MSET}; a build with DT_POLYREF64 writes the other`,
      );
    }
  }
  return plain;
}

function detectWithoutMagic(bytes: Uint8Array): Detected {
  const r = new ByteReader(bytes);
  if (bytes.byteLength >= 48 && r.i32(0) === 1 && r.u32(44) === DNAV_MAGIC) {
    return other('a KBEngine-style navmesh (MSET without the magic)', LATER);
  }
  if (bytes.byteLength === 28 && looksLikeParams(r)) {
    return other(
      'bare navmesh parameters (28 bytes, as in a .mmap)',
      'give the tiles too: this release reads MSET only',
    );
  }
  let same = true;
  for (let i = 1; i < bytes.byteLength && same; i++) same = bytes[i] === bytes[0];
  if (same) return other(`${bytes.byteLength} bytes that are all ${bytes[0]}`, 'check the export');
  const text = textStart(bytes);
  if (text !== null) return detectText(text);
  const first = [...bytes.subarray(0, 4)].map((b) => b.toString(16).padStart(2, '0')).join(' ');
  return other(`none of the formats we know (it begins with ${first})`, EXPORT_MSET);
}

function detectText(text: string): Detected {
  if (/^\s*\{/.test(text)) {
    if (/"asset"\s*:/.test(text) && /"(version|generator)"\s*:/.test(text)) {
      return other('a glTF model (JSON)', `${GEOMETRY}; triangles that are a navmesh are read in a later release`);
    }
    if (/^[^\n]*"(op|navguard)"\s*:/.test(text.trimStart())) {
      return other('a navguard move log', 'run navguard audit on it; a map is expected here');
    }
    return other('a JSON document', LATER);
  }
  if (/^\s*\[/.test(text)) return other('a JSON document', LATER);
  if (/^(mtllib|usemtl|o|g|v|vn|vt)\s/m.test(text) && /^v\s+-?[\d.]/m.test(text)) {
    return other('a Wavefront OBJ model', `${GEOMETRY}; triangles that are a navmesh are read in a later release`);
  }
  if (/^f\s+\S+\.obj/m.test(text)) return other('a RecastDemo geometry set (.gset)', GEOMETRY);
  if (text.trim() === '') return other('a file of white space', 'check the export');
  return other('a text file', EXPORT_MSET);
}

/** A tile grid as any game has it: finite origin, positive cells, positive counts. */
function looksLikeParams(r: ByteReader): boolean {
  const origin = [0, 4, 8].every((at) => Math.abs(r.f32(at)) < 1e7);
  const cells = [12, 16].every((at) => r.f32(at) > 0 && r.f32(at) < 1e6);
  return origin && cells && r.i32(20) > 0 && r.i32(24) > 0;
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

function compatible(): string {
  return 'write it in C-compatible mode with 32-bit references: this release reads MSET version 1 only';
}

function other(name: string, advice: string): Detected {
  return { kind: 'other', name, advice };
}

function hex(n: number): string {
  return `0x${n.toString(16)}`;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, Math.min(to, bytes.byteLength)));
}
