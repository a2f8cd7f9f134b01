// glTF models that do not hold together, or need what is not here: each is refused with a sentence, at once and in little
// memory, before the library sees a byte. And what may differ in good ones: sparse, interleaved and quantised positions.
import { describe, expect, it } from 'vitest';
import { readNavMesh } from '../../src/bytes/index.ts';
import { NavMap } from '../../src/map.ts';
import { glb } from './writers/gltf.ts';

type Json = Record<string, unknown>;

/** A square of two triangles: 4 positions of 12 bytes, 6 indices of 2. */
function square(): { json: Json; bin: Uint8Array } {
  const positions = Float32Array.of(0, 0, 0, 4, 0, 0, 4, 0, 4, 0, 0, 4);
  const indices = Uint16Array.of(0, 1, 2, 0, 2, 3);
  const bin = new Uint8Array(60);
  bin.set(new Uint8Array(positions.buffer));
  bin.set(new Uint8Array(indices.buffer), 48);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3' },
      { bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 12 },
    ],
    buffers: [{ byteLength: 60 }],
  };
  return { json, bin };
}

/** The square with something else in it. */
function changed(change: (json: Json) => void, bin?: Uint8Array): Uint8Array {
  const made = square();
  change(made.json);
  return glb(made.json, bin ?? made.bin);
}

const at = (json: Json, list: string, i: number) => (json[list] as Json[])[i];
const AGENT = { agent: { radius: 0.5, height: 2, climb: 0.4 } };

describe('refused', () => {
  it.each<[string, Uint8Array, string, string]>([
    [
      'Draco',
      changed((j) => {
        j.extensionsRequired = ['KHR_draco_mesh_compression'];
      }),
      'UNSUPPORTED_FORMAT',
      'This is a glTF model with Draco compression: export it without Draco: navmeshes are small.',
    ],
    [
      'meshopt in a primitive',
      changed((j) => {
        j.meshes = [{ primitives: [{ attributes: { POSITION: 0 }, extensions: { EXT_meshopt_compression: {} } }] }];
      }),
      'UNSUPPORTED_FORMAT',
      'with meshopt compression',
    ],
    [
      'an extension nobody knows',
      changed((j) => {
        j.extensionsRequired = ['ACME_geometry'];
      }),
      'UNSUPPORTED_FORMAT',
      'This is a glTF model that needs "ACME_geometry": export it without it.',
    ],
    [
      'a buffer in another file',
      changed((j) => {
        j.buffers = [{ byteLength: 60, uri: '../../etc/level.bin' }];
      }),
      'UNSUPPORTED_FORMAT',
      'whose buffer is another file ("../../etc/level.bin"): export it as .glb, one file with all in it.',
    ],
    [
      'glTF 1',
      changed((j) => {
        j.asset = { version: '1.0' };
      }),
      'BAD_FILE',
      'got version "1.0", expected glTF 2.0',
    ],
    [
      'two thousand million positions',
      changed((j) => {
        at(j, 'accessors', 0).count = 2 ** 31;
      }),
      'BAD_FILE',
      'got accessor 0 to byte 25769803776 of its view, expected at most 48',
    ],
    [
      'two thousand million zeros',
      changed((j) => {
        j.accessors = [
          { componentType: 5126, count: 2 ** 31, type: 'VEC3' },
          { componentType: 5125, count: 2 ** 31, type: 'SCALAR' },
        ];
      }),
      'BAD_FILE',
      'got accessor 0 without a view of bytes, expected one',
    ],
    [
      'a view past the bytes',
      changed((j) => {
        at(j, 'bufferViews', 1).byteLength = 13;
      }),
      'BAD_FILE',
      'got view 1 to byte 61, expected at most 60',
    ],
    [
      'a buffer longer than the chunk',
      changed((j) => {
        j.buffers = [{ byteLength: 61 }];
      }),
      'BAD_FILE',
      'got buffer 0 of 60 bytes, expected the 61 that it declares',
    ],
    [
      'fractions of bytes',
      changed((j) => {
        at(j, 'bufferViews', 0).byteOffset = 0.5;
      }),
      'BAD_FILE',
      'got byteOffset of view 0: 0.5, expected a whole number of at least 0',
    ],
    [
      'a stride that overlaps',
      changed((j) => {
        at(j, 'bufferViews', 0).byteStride = 4;
      }),
      'BAD_FILE',
      'got byteStride 4 of accessor 0, expected at least 12',
    ],
    [
      'an index past the positions',
      changed(() => {}, square().bin.with(48, 4)),
      'BAD_FILE',
      'got index 4 of a mesh with 4 vertices, expected 0..3',
    ],
    [
      'positions as text',
      changed((j) => {
        at(j, 'accessors', 0).type = 'VEC4';
      }),
      'BAD_FILE',
      'got accessor 0 of type VEC4, expected VEC3',
    ],
    [
      'a node below itself',
      changed((j) => {
        j.nodes = [{ mesh: 0 }, { children: [2] }, { children: [1] }];
      }),
      'BAD_FILE',
      'got nodes below themselves, expected a tree of nodes',
    ],
    [
      'a node below two nodes',
      changed((j) => {
        j.nodes = [{ children: [2] }, { children: [2] }, { mesh: 0 }];
        j.scenes = [{ nodes: [0, 1] }];
      }),
      'BAD_FILE',
      'got node 2 below two nodes, expected one parent',
    ],
    [
      'nodes a thousand deep',
      changed((j) => {
        j.nodes = Array.from({ length: 1000 }, (_, i) => (i < 999 ? { children: [i + 1] } : { mesh: 0 }));
      }),
      'BAD_FILE',
      'got nodes more than 256 deep',
    ],
    [
      'one mesh of fifty parts shown ten thousand times',
      changed((j) => {
        j.nodes = Array.from({ length: 9_999 }, () => ({ mesh: 0 }));
        j.scenes = [{ nodes: Array.from({ length: 9_999 }, (_, i) => i) }];
        j.meshes = [{ primitives: Array.from({ length: 50 }, () => ({ attributes: { POSITION: 0 }, indices: 1 })) }];
      }),
      'BAD_FILE',
      'got nodes that show meshes so often that the model outgrows the file many times',
    ],
    [
      'very many values',
      changed((j) => {
        j.extras = Array.from({ length: 600_000 }, () => 0);
      }),
      'BAD_FILE',
      'values, expected at most 500000',
    ],
    [
      'lists within lists',
      new TextEncoder().encode(`{"asset":{"version":"2.0"},"extras":${'['.repeat(400_000)}`),
      'BAD_FILE',
      'line 1: got lists within lists, 65 deep, expected at most 64',
    ],
    [
      'a matrix of words',
      changed((j) => {
        at(j, 'nodes', 0).matrix = Array.from({ length: 16 }, () => '1');
      }),
      'BAD_FILE',
      'got matrix of node 0 that is not 16 numbers, expected 16 finite numbers',
    ],
    [
      'only lines',
      changed((j) => {
        j.meshes = [{ primitives: [{ attributes: { POSITION: 0 }, mode: 1 }] }];
      }),
      'BAD_FILE',
      'got no triangles in the scene, expected a mesh of triangles',
    ],
    [
      'a sparse part past the elements',
      changed((j) => {
        at(j, 'accessors', 0).sparse = {
          count: 5,
          indices: { bufferView: 1, componentType: 5123 },
          values: { bufferView: 0 },
        };
      }),
      'BAD_FILE',
      'got 5 values in the sparse part of accessor 0, expected 1..4',
    ],
    [
      'a chunk longer than the file',
      changed(() => {})
        .with(12, 255)
        .with(13, 255),
      'BAD_FILE',
      'got a chunk of ',
    ],
    ['a length that is not the file', changed(() => {}).slice(0, -4), 'BAD_FILE', 'as the header says'],
    ['GLB version 1', changed(() => {}).with(4, 1), 'BAD_FILE', 'got GLB version 1, expected 2'],
  ])('%s', async (_name, file, code, message) => {
    const start = performance.now();
    const before = process.memoryUsage().arrayBuffers;
    await expect(readNavMesh(file)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * file.length + 2 ** 26);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe('read', () => {
  const areaOf = async (file: Uint8Array) => NavMap.fromMesh(await readNavMesh(file, AGENT)).info.area;

  it('the square itself; without a scene; with a scale in its node', async () => {
    expect(await areaOf(changed(() => {}))).toBe(16);
    const bare = changed((j) => {
      delete j.scenes;
      delete j.scene;
      delete j.nodes;
      j.nodes = [
        { mesh: 0, scale: [2, 1, 0.5] },
        { mesh: 0, translation: [100, 0, 0] },
      ];
    });
    expect(await areaOf(bare)).toBe(32);
    // Mirrored: the winding turns around, the ground does not.
    const mirrored = changed((j) => {
      at(j, 'nodes', 0).matrix = [-2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 0, 0, 1];
    });
    expect(await areaOf(mirrored)).toBe(32);
  });

  it('nodes that no scene shows are not there', async () => {
    const hidden = changed((j) => {
      j.nodes = [{ mesh: 0 }, { mesh: 0, translation: [100, 0, 0] }];
    });
    expect(await areaOf(hidden)).toBe(16);
  });

  it('interleaved positions', async () => {
    const { json, bin } = square();
    const wide = new Uint8Array(4 * 20 + 12);
    for (let i = 0; i < 4; i++) wide.set(bin.subarray(12 * i, 12 * i + 12), 20 * i + 8);
    wide.set(bin.subarray(48), 80);
    json.bufferViews = [
      { buffer: 0, byteLength: 80, byteStride: 20 },
      { buffer: 0, byteOffset: 80, byteLength: 12 },
    ];
    at(json, 'accessors', 0).byteOffset = 8;
    json.buffers = [{ byteLength: 92 }];
    expect(await areaOf(glb(json, wide))).toBe(16);
  });

  it('sparse positions: one corner farther out', async () => {
    const { json, bin } = square();
    const more = new Uint8Array(76);
    more.set(bin);
    more.set(new Uint8Array(Uint16Array.of(2).buffer), 60);
    more.set(new Uint8Array(Float32Array.of(8, 0, 4).buffer), 64);
    (json.bufferViews as Json[]).push(
      { buffer: 0, byteOffset: 60, byteLength: 2 },
      { buffer: 0, byteOffset: 64, byteLength: 12 },
    );
    at(json, 'accessors', 0).sparse = {
      count: 1,
      indices: { bufferView: 2, componentType: 5123 },
      values: { bufferView: 3 },
    };
    json.buffers = [{ byteLength: 76 }];
    expect(await areaOf(glb(json, more))).toBe(24);
  });

  it('quantised positions, scaled by the node', async () => {
    const { json, bin } = square();
    const packed = new Uint8Array(44);
    const shorts = new Int16Array(packed.buffer, 0, 16);
    [0, 0, 0, 0, 32767, 0, 0, 0, 32767, 0, 32767, 0, 0, 0, 32767, 0].forEach((n, i) => {
      shorts[i] = n;
    });
    packed.set(bin.subarray(48), 32);
    json.bufferViews = [
      { buffer: 0, byteLength: 32, byteStride: 8 },
      { buffer: 0, byteOffset: 32, byteLength: 12 },
    ];
    json.accessors = [
      { bufferView: 0, componentType: 5122, normalized: true, count: 4, type: 'VEC3' },
      { bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' },
    ];
    json.extensionsRequired = ['KHR_mesh_quantization'];
    json.buffers = [{ byteLength: 44 }];
    at(json, 'nodes', 0).scale = [4, 4, 4];
    expect(await areaOf(glb(json, packed))).toBe(16);
  });
});
