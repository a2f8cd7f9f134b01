// MSET's family: random meshes, written in every layout by writers of our own, are read back as they were; broken ones are
// refused in bytes of the file that was given.
import { describe, expect, it } from 'vitest';
import { detectFormat, equalNavMesh, readMsetFile, readNavMesh, readNavMeshFiles } from '../../src/bytes/index.ts';
import { rewriteSet } from '../../src/bytes/rewrite.ts';
import { setShape, sourceOf } from '../../src/bytes/sets.ts';
import { NavguardError } from '../../src/errors.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { flips, prefixes } from './mutants.ts';
import { type SetOptions, writeDotRecast, writeSet } from './writers/detour.ts';
import { writeMmap } from './writers/mmap.ts';
import { type PlainPoly, type PlainSet, type PlainTile, plainMesh, randomSet } from './writers/tileset.ts';

const SEED = Number(process.env.NAVGUARD_SEED ?? 90210);
/** Unreal's centimetres and axes as they are. */
const RAW = { scale: 1, axes: 'x,y,z' };

interface Family {
  readonly format: string;
  readonly kind: string;
  readonly write: (set: PlainSet) => Uint8Array;
  readonly options?: typeof RAW;
}

const set = (format: string, kind: string, options: SetOptions): Family => ({
  format,
  kind,
  write: (plain) => writeSet(plain, options),
  ...(kind === 'unreal' ? { options: RAW } : {}),
});

const FAMILY: Family[] = [
  set('MSET, 32-bit', 'mset', {}),
  set('MSET, 64-bit', 'mset64', { bits: 64 }),
  set('MSET, 64-bit', 'mset64', { bits: 64, padded: false }),
  set('MSET, 32-bit, big-endian', 'mset-swapped', { little: false }),
  set('MSET, 64-bit, big-endian', 'mset-swapped', { little: false, bits: 64 }),
  set('MSAT, 32-bit', 'msat', { head: 'msat' }),
  set('MSAT, 64-bit, big-endian', 'msat', { head: 'msat', bits: 64, little: false }),
  set('KBEngine, 32-bit', 'kbengine', { head: 'bare' }),
  set('KBEngine, 64-bit', 'kbengine', { head: 'bare', bits: 64 }),
  set('KBEngine, 32-bit, big-endian', 'kbengine', { head: 'bare', little: false }),
  set('Unreal 4, 64-bit', 'unreal', { bits: 64, tile: 'unreal' }),
  set('Unreal 4, 64-bit', 'unreal', { bits: 64, tile: 'unreal-behind' }),
  {
    format: 'DotRecast 0x8802, big-endian',
    kind: 'recast4j',
    write: (plain) => writeDotRecast(plain),
  },
  { format: 'DotRecast 0x8802', kind: 'recast4j', write: (plain) => writeDotRecast(plain, { little: true, verts: 4 }) },
  {
    format: 'DotRecast 0x8801',
    kind: 'recast4j',
    write: (plain) => writeDotRecast(plain, { little: true, version: 0x8801, tiles: 0x8807 }),
  },
  {
    format: 'DotRecast 0x8801, big-endian',
    kind: 'recast4j',
    write: (plain) => writeDotRecast(plain, { version: 0x8801, tiles: 0x8808, verts: 5 }),
  },
];

describe.each(FAMILY)('$format ($kind)', ({ format, kind, write, options }) => {
  it(`6 random meshes come back (seed ${SEED})`, async () => {
    let links = 0;
    let portals = 0;
    for (let i = 0; i < 6; i++) {
      const plain = randomSet(SEED + i);
      const bytes = write(plain);
      expect(detectFormat(bytes)).toMatchObject({ kind, advice: '' });
      const mesh = await readNavMesh(bytes, options);
      expect(equalNavMesh(mesh, plainMesh(plain, format), { ignorePortals: true }), `seed ${SEED + i}`).toBeNull();
      // What is linked across tiles is the same as from the plain form.
      expect(mesh.portals, `seed ${SEED + i}`).toEqual((await readNavMesh(writeSet(plain))).portals);
      links += mesh.links.length;
      portals += mesh.portals.length;
    }
    expect(links).toBeGreaterThan(5);
    expect(portals).toBeGreaterThan(40);
  });

  it('what is wrong is told in bytes of this file', async () => {
    const plain = twoTiles();
    const [, second] = plain.tiles;
    const withPoly = (poly: Partial<PlainPoly>) => ({ ...second, polys: [{ ...second.polys[0], ...poly }] });
    const wrong: [Partial<PlainTile>, 'Uint16' | 'Float32' | 'Uint8', number, RegExp][] = [
      [withPoly({ corners: [0, 1, 9999, 3] }), 'Uint16', 9999, /vertex of corner 2: got 9999/],
      [withPoly({ neis: [0, 7777, 0, 0] }), 'Uint16', 7777, /neighbour of edge 1: got 7776/],
      [withPoly({ triangles: [[0, 1, 222]] }), 'Uint8', 222, /vertex 2 of detail triangle 0: got 222/],
      [{ verts: [[1, Infinity, 2], ...second.verts.slice(1)] }, 'Float32', Infinity, /y of vertex 0: got Infinity/],
      [{ bmax: [-1e6, 0, 0] }, 'Float32', -1e6, /upper x bound: got -1000000/],
      [
        { connections: [{ ...second.connections[0], radius: -3 }] },
        'Float32',
        -3,
        /radius of off-mesh connection 0: got -3/,
      ],
      [{ connections: [{ ...second.connections[0], side: 66 }] }, 'Uint8', 66, /side of off-mesh connection 0: got 66/],
    ];
    for (const [edit, width, value, says] of wrong) {
      const bytes = write({ ...plain, tiles: [plain.tiles[0], { ...second, leaves: [], ...edit }] });
      const error = await readNavMesh(bytes, options).catch((thrown) => thrown);
      expect(error.message).toMatch(says);
      expect(error.message).toMatch(/^Bad .+ file: tile 1, /);
      const view = new DataView(bytes.buffer);
      const { offset } = error.detail as { offset: number };
      expect(view[`get${width}`](offset, !format.includes('big-endian')), error.message).toBe(value);
    }
  });

  it('every prefix is refused with a sentence, every byte inverted or off by one is refused or loads', async () => {
    const bytes = write(smallestSet());
    let n = 0;
    const tally = { loaded: 0, refused: 0 };
    for (const mutants of [prefixes(bytes), flips(bytes, 0xff), flips(bytes, 0x01)]) {
      for (const { name, bytes: mutant } of mutants) {
        // The import costs a hundred times our own reader: it sees a few of them.
        const loaded = await outcome(mutant, name, n++ % 41 === 0);
        if (mutant.length < bytes.length) expect(loaded, name).toBe(false);
        else if (loaded) tally.loaded++;
        else tally.refused++;
      }
    }
    expect(tally.loaded).toBeGreaterThan(20);
    expect(tally.refused).toBeGreaterThan(200);
  });
});

/** Two polygons in one tile, with a connection. */
function smallestSet(): PlainSet {
  for (let seed = 1; ; seed++) {
    const plain = randomSet(seed);
    const { polys, connections } = plain.tiles[0];
    if (plain.tiles.length === 1 && polys.length === 2 && connections.length === 1) return plain;
  }
}

/** Two tiles, the second of one polygon and one connection. */
function twoTiles(): PlainSet {
  for (let seed = 1; ; seed++) {
    const plain = randomSet(seed);
    const [, second] = plain.tiles;
    if (plain.tiles.length === 2 && second.polys.length === 1 && second.connections.length === 1) return plain;
  }
}

/** Whether bytes load: by our own check and reader, or the whole way. */
async function outcome(bytes: Uint8Array, name: string, whole: boolean): Promise<boolean> {
  try {
    const shape = setShape(bytes);
    if (whole || shape === null) await readNavMesh(bytes);
    else if (shape.kind === 'mset') readMsetFile(bytes);
    else {
      const rewritten = rewriteSet(sourceOf(bytes, shape));
      await rewritten.blame(async () => readMsetFile(rewritten.bytes));
    }
    return true;
  } catch (error) {
    if (!(error instanceof NavguardError)) throw new Error(`${name}: ${String(error)}`);
    if (!['BAD_FILE', 'UNSUPPORTED_FORMAT'].includes(error.code) || !/^[A-Z].+\.$/.test(error.message)) {
      throw new Error(`${name}: ${error.code} ${error.message}`);
    }
    return false;
  }
}

describe('Unreal 4', () => {
  it('centimetres and axes (-X, Z, -Y) become metres of (X, Z, Y), unless told otherwise', async () => {
    const plain = randomSet(SEED);
    const bytes = writeSet(plain, { bits: 64, tile: 'unreal' });
    const raw = await readNavMesh(bytes, RAW);
    const mesh = await readNavMesh(bytes);
    const point = (m: NavMesh, v: number) => [...m.vertices.subarray(3 * v, 3 * v + 3)];
    for (let v = 0; v < raw.vertices.length / 3; v++) {
      const [x, y, z] = point(raw, v);
      expect(point(mesh, v)).toEqual([x * -0.01 + 0, y * 0.01, z * -0.01 + 0].map(Math.fround));
    }
    expect(mesh.lattice.cell).toBeCloseTo(raw.lattice.cell / 100, 12);
    expect(mesh.agent.height).toBeCloseTo(raw.agent.height / 100, 12);
    const metres = await readNavMesh(bytes, { scale: 1 });
    expect(point(metres, 0)).toEqual(point(raw, 0).map((c, axis) => (axis === 1 ? c : -c + 0)));
  });
});

describe('MMAP', () => {
  it.each([
    ['plain', 6],
    ['tagged', 16],
    ['azeroth', 20],
  ] as const)(
    '%s, version %i: random meshes come back, and none of them is a map by one file',
    async (kind, version) => {
      for (let i = 0; i < 8; i++) {
        const plain = randomSet(SEED + 100 + i);
        const files = writeMmap(plain, { kind, version, map: 571 });
        const mesh = await readNavMeshFiles(files);
        // Names sort by y, then x, as the tiles were made.
        const expected = plainMesh(plain, `MMAP, version ${version}`);
        expect(equalNavMesh(mesh, expected, { ignorePortals: true })).toBeNull();
        for (const [name, bytes] of files) {
          expect(detectFormat(bytes).kind).toBe(name.endsWith('.mmap') ? 'mmap' : 'mmtile');
          await expect(readNavMesh(bytes)).rejects.toMatchObject({
            code: 'UNSUPPORTED_FORMAT',
            message: expect.stringContaining('one .mmap and its .mmtile files'),
          });
        }
      }
    },
  );
});
