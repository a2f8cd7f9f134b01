// What other files are called, and that each is refused with its name and an advice.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectFormat, readNavMesh } from '../../src/bytes/index.ts';
import { random } from '../oracle/random.ts';
import { smallMset } from './small.ts';

const SAMPLES = process.env.NAVGUARD_SAMPLES;

const text = (s: string) => new TextEncoder().encode(s);
const raw = (...numbers: number[]) => Uint8Array.from(numbers);
const words = (...numbers: number[]) => new Uint8Array(Uint32Array.from(numbers).buffer);
const pad = (head: Uint8Array, length: number) => {
  const out = new Uint8Array(length);
  out.set(head);
  out[length - 1] = 200;
  return out;
};
const TESM = 0x4d534554;
const params = () => new Uint8Array(new Float32Array([-800, -20, -800, 533.25, 533.25, 0, 0]).buffer);

const made: [string, Uint8Array][] = [
  ['an empty file', raw()],
  ["a tile cache in DotRecast's own layout (0x8801)", raw(0x54, 0x45, 0x53, 0x54, 0x01, 0x88, 0, 0)],
  ['a single Detour tile without the MSET header around it', text('VAND\x07\0\0\0')],
  ['a single compressed tile-cache layer of Detour', text('RLTD\x01\0\0\0')],
  ['one tile of a World of Warcraft map (.mmtile)', text('PAMM\x07\0\0\0')],
  [
    'the parameters of a World of Warcraft map (.mmap)',
    (() => {
      const bytes = params();
      new Uint32Array(bytes.buffer).set([4096, 2 ** 20], 5);
      return bytes;
    })(),
  ],
  [
    'a navmesh of Unreal 5 (its own tile layout)',
    (() => {
      const bytes = new Uint8Array(400);
      // set header, u64 reference, size, padding, then u16 version and layer
      bytes.set(words(TESM, 1, 1, 0, 0, 0, 0x447a0000, 0x447a0000, 64, 2048, 1, 1, 300, 0, 7));
      return bytes;
    })(),
  ],
  ['an Unreal package (.uasset, .umap)', raw(0xc1, 0x83, 0x2a, 0x9e, 1)],
  ['a Unity asset bundle', text('UnityFS\0')],
  ['a JSON document', text('[1,2,3]')],
  ['a navguard move log', text('{"op":"map","file":"a.bin"}\n{"op":"spawn"}')],
  ['a RecastDemo geometry set (.gset)', text('f nav_test.obj\ns 0.3 0.2\n')],
  ['a JSON document', text('{"name":"level","version":3}')],
  ['a Godot scene (.tscn)', text('[gd_scene load_steps=2]')],
  ['a Godot ArrayMesh, level geometry and not a navmesh', text('[gd_resource type="ArrayMesh" format=3]\n')],
  ['a Godot NavigationPolygon (2-D)', text('[gd_resource type="NavigationPolygon" format=3]\n')],
  ['a Godot resource of another kind (PackedScene)', text('[gd_resource type="PackedScene" format=3]\n')],
  ['an FBX model', text('Kaydara FBX Binary  \0')],
  ['an FBX model (text)', text('; FBX 7.3.0 project file\n')],
  ['a Godot binary resource (.res)', text('RSRC\0\0\0\0')],
  ['a zip archive', text('PK\x03\x04....')],
  ['a gzip file', raw(0x1f, 0x8b, 8, 0)],
  ['an SQLite database (OpenMW keeps its navmesh in one)', text('SQLite format 3\0')],
  ['a Polyanya mesh (text)', text('mesh\n2\n112 55\n')],
  ['an XML or HTML document', text('<!doctype html><html>')],
  ['a Git LFS pointer, not the file itself', text('version https://git-lfs.github.com/spec/v1\noid sha256:1')],
  ['a PNG image', raw(0x89, 0x50, 0x4e, 0x47)],
  ['a Blazium binary navmesh', text('BNAV\x01')],
  ['a text file', text('hello, world')],
  ['a file of white space', text(' \n\t \n')],
  ['100 bytes that are all 0', new Uint8Array(100)],
  ['none of the formats we know (it begins with 03 ff 00 07)', raw(3, 255, 0, 7, 9)],
];

describe('files are named', () => {
  it.each(made)('%s', async (name, bytes) => {
    expect(detectFormat(bytes).name).toBe(name);
    await expect(readNavMesh(bytes)).rejects.toMatchObject({
      code: 'UNSUPPORTED_FORMAT',
      message: expect.stringMatching(/^This looks like .+: .+\.$/),
    });
  });

  it('a navguard pack, with the way to load it', async () => {
    const bytes = pad(text('NGPK'), 400);
    expect(detectFormat(bytes).kind).toBe('navpack');
    await expect(readNavMesh(bytes)).rejects.toThrow('load it with NavMap.fromPack');
  });

  it.each<[string, string, Uint8Array]>([
    ['mset-swapped', 'an MSET navmesh with 32-bit references, big-endian', text('MSET\0\0\0\x01\0\0\0\x12')],
    ['recast4j', "a navmesh set in DotRecast's own layout (0x8801)", words(TESM, 0x8801, 1)],
    [
      'recast4j',
      "a navmesh set in DotRecast's own layout (0x8802), big-endian",
      raw(0x4d, 0x53, 0x45, 0x54, 0, 0, 0x88, 0x02),
    ],
    ['msat', 'an MSAT file (MSET with bounds, fananchong/NavMeshScene)', text('TASM\x01\0\0\0')],
  ])('the first bytes of a %s file are enough to say that it is cut short', async (kind, name, bytes) => {
    expect(detectFormat(bytes)).toMatchObject({ kind, name });
    await expect(readNavMesh(bytes)).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringMatching(
        /^Bad .+ file: byte 0: file size: got \d+ bytes, expected at least the \d+ of a header\.$/,
      ),
    });
  });

  it.each<[string, string, string]>([
    ['gltf', 'a binary glTF (.glb) model', 'glTF\x02\0\0\0'],
    ['gltf', 'a glTF model (JSON)', '{\n  "asset": { "version": "2.0" }, "meshes": [] }'],
    ['gltf', 'a glTF model (JSON)', '{"accessors":[],"bufferViews":[]}'],
    ['triangulation', 'a triangulation (JSON)', '{"vertices":[0,1],"indices":[]}'],
    ['triangulation', 'a triangulation (JSON)', '{"navmesh":{"Areas":[0],"Indices" : [0,1,2]}}'],
    ['navcat', 'a navcat navmesh (JSON)', '{"origin":[0,0,0],"tileWidth":8,"tileHeight":8,"tiles":{}}'],
    ['obj', 'a Wavefront OBJ model', '# made by hand\nv 0 0 0\nv 1 0 0\nv 0 0 1\n'],
    ['obj', 'a Wavefront OBJ model', '\ufeffo level\r\nv -1.5 0 0\r\n'],
    ['godot', 'a Godot NavigationMesh (.tres)', '[gd_resource type="NavigationMesh" format=3]'],
  ])('%s: %s, from its beginning; cut there it is refused with what is missing', async (kind, name, beginning) => {
    expect(detectFormat(text(beginning))).toEqual({ kind, name, advice: '' });
    await expect(readNavMesh(text(beginning))).rejects.toMatchObject({
      code: 'BAD_FILE',
      message: expect.stringMatching(/^Bad .+: (line \d+: )?got .+, expected .+\.$/),
    });
  });

  it('KBEngine-style: the same file without its magic', async () => {
    const bytes = (await smallMset()).slice(4);
    expect(detectFormat(bytes).name).toBe('a KBEngine-style navmesh (MSET without the magic)');
  });

  it('64-bit references, by the sum of the sections with links of 16 bytes', async () => {
    const bytes = widened(await smallMset());
    expect(detectFormat(bytes)).toMatchObject({ kind: 'mset64', name: 'an MSET navmesh with 64-bit references' });
    // A byte more in the declared size: still 64 bits by where the tile stands, and the reader says what does not add up.
    new DataView(bytes.buffer).setInt32(48, new DataView(bytes.buffer).getInt32(48, true) - 4, true);
    expect(detectFormat(bytes).kind).toBe('mset64');
    await expect(readNavMesh(bytes)).rejects.toMatchObject({ code: 'BAD_FILE' });
  });

  it('anything at all: never throws, always a name (seed 11)', () => {
    const next = random(11);
    for (let i = 0; i < 3000; i++) {
      const bytes = Uint8Array.from({ length: Math.floor(next() * 200) }, () => Math.floor(next() * 256));
      const magic = made[Math.floor(next() * made.length)][1];
      if (i % 2) bytes.set(magic.subarray(0, Math.min(8, magic.length, bytes.length)));
      expect(detectFormat(bytes).name.length).toBeGreaterThan(5);
    }
  });
});

/** The same map as a build with 64-bit references writes it; only what the detection looks at is right. */
function widened(file: Uint8Array): Uint8Array {
  const view = new DataView(file.buffer);
  const size = view.getInt32(44, true) + 4 * view.getInt32(48 + 32, true);
  const out = new Uint8Array(56 + size);
  out.set(file.subarray(0, 40));
  out.set(file.subarray(48, 48 + 100), 56);
  new DataView(out.buffer).setInt32(48, size, true);
  return out;
}

if (SAMPLES !== undefined) {
  const samples: [string, string][] = [['polyanya/arena.mesh', 'a Polyanya mesh (text)']];
  describe('real files are named', () => {
    it.each(samples)('%s: %s', async (file, name) => {
      const bytes = new Uint8Array(readFileSync(join(SAMPLES, file)));
      await expect(readNavMesh(bytes)).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT', detail: { name } });
    });
  });
}
