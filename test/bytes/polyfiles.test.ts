// Files of triangles and polygons: written by writers of our own and read again they are the same polygons, areas and parts;
// scaled, turned, mirrored, rotated and reversed they are the same map; prefixes and changed bytes are refused or read (the long
// sweep over all formats is test/long/format-fuzz.test.ts).
import { describe, expect, it } from 'vitest';
import { type ReadOptions, readNavMesh } from '../../src/bytes/index.ts';
import { NavguardError } from '../../src/errors.ts';
import { conform } from '../../src/mesh/conform.ts';
import { type NavMesh, polygonCount } from '../../src/mesh/navmesh.ts';
import { random } from '../oracle/random.ts';
import { writeGltf } from './writers/gltf.ts';
import { writeNavcat } from './writers/navcat.ts';
import { writeObj } from './writers/obj.ts';
import { type PolyGround, polyGround } from './writers/polyground.ts';
import { writeTres } from './writers/tres.ts';
import { writeTriangulation } from './writers/triangulation.ts';

interface Written {
  readonly name: string;
  readonly write: (ground: PolyGround) => Uint8Array;
  readonly triangles?: boolean;
  /** How the file names area n; null = not at all. */
  readonly area: ((n: number) => string) | null;
  /** Polygons come out in the order in which they were written. */
  readonly unordered?: boolean;
  readonly format: string;
}

const material = (n: number) => `area${n}`;
const number = (n: number) => String(n);
const WRITERS: readonly Written[] = [
  { name: 'OBJ', write: (g) => writeObj(g), area: material, format: 'OBJ' },
  { name: 'OBJ, shared', write: (g) => writeObj(g, { shared: true, crlf: true }), area: material, format: 'OBJ' },
  { name: 'OBJ, odd', write: (g) => writeObj(g, { odd: true, negative: true }), area: material, format: 'OBJ' },
  { name: 'OBJ, odd CRLF', write: (g) => writeObj(g, { odd: true, crlf: true }), area: material, format: 'OBJ' },
  ...(['none', 'u16', 'u32'] as const).flatMap((indices): Written[] =>
    [false, true].map((text) => ({
      name: `glTF ${indices} ${text ? 'text' : 'binary'}`,
      write: (g) => writeGltf(g, { indices, text, nodes: text }),
      triangles: true,
      area: material,
      unordered: true,
      format: text ? 'glTF' : 'glTF, binary',
    })),
  ),
  ...(['strip', 'fan'] as const).map(
    (mode): Written => ({
      name: `glTF ${mode}`,
      write: (g) => writeGltf(g, { mode, indices: 'u8' }),
      triangles: true,
      area: material,
      unordered: true,
      format: 'glTF, binary',
    }),
  ),
  ...(['objects', 'lists', 'flat'] as const).map(
    (vertices): Written => ({
      name: `triangulation, ${vertices}`,
      write: (g) => writeTriangulation(g, { vertices, shared: vertices === 'lists' }),
      triangles: true,
      area: number,
      format: 'triangulation (JSON)',
    }),
  ),
  {
    name: 'triangulation, polygons inside another object',
    write: (g) => writeTriangulation(g, { polygons: true, wrapped: true, shared: true }),
    area: number,
    format: 'triangulation (JSON)',
  },
  { name: 'Godot 4', write: (g) => writeTres(g), area: null, format: 'Godot NavigationMesh' },
  { name: 'Godot 4, typed', write: (g) => writeTres(g, { typed: true }), area: null, format: 'Godot NavigationMesh' },
  { name: 'Godot 3', write: (g) => writeTres(g, { godot3: true }), area: null, format: 'Godot NavigationMesh' },
  { name: 'navcat', write: (g) => writeNavcat(g), area: number, unordered: true, format: 'navcat (JSON)' },
  {
    name: 'navcat, no lattice',
    write: (g) => writeNavcat(g, { tiles: 1, cellSize: 0 }),
    area: number,
    format: 'navcat (JSON)',
  },
];

const key = (ring: readonly (readonly number[])[]) => {
  const corners = ring.map((corner) => corner.map((n) => (Math.round(n * 4096) / 4096 + 0).toString()).join(' '));
  const least = corners.indexOf([...corners].sort()[0]);
  const turned = [...corners.slice(least), ...corners.slice(0, least)];
  const back = [turned[0], ...turned.slice(1).reverse()];
  return [turned.join(', '), back.join(', ')].sort()[0];
};

/** Each polygon as a text: its corners from the smallest on, and its area. */
function polygonTexts(mesh: NavMesh): string[] {
  return Array.from({ length: polygonCount(mesh) }, (_, p) => {
    const ring = [...mesh.corners.subarray(mesh.first[p], mesh.first[p + 1])].map((v) => [
      ...mesh.vertices.subarray(3 * v, 3 * v + 3),
    ]);
    return `${mesh.areas[p]}: ${key(ring)}`;
  });
}

/** Square metres by area. */
function sizes(mesh: NavMesh): Map<number, number> {
  const found = new Map<number, number>();
  for (let p = 0; p < polygonCount(mesh); p++) {
    let sum = 0;
    for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) {
      const a = 3 * mesh.corners[c];
      const b = 3 * mesh.corners[c + 1 === mesh.first[p + 1] ? mesh.first[p] : c + 1];
      sum += mesh.vertices[a] * mesh.vertices[b + 2] - mesh.vertices[a + 2] * mesh.vertices[b];
    }
    found.set(mesh.areas[p], (found.get(mesh.areas[p]) ?? 0) + Math.abs(sum) / 2);
  }
  return found;
}

describe('written and read again', () => {
  it.each(WRITERS)('$name: the same polygons, areas and parts (seeds 1..8)', async (format) => {
    for (let seed = 1; seed <= 8; seed++) {
      const next = random(seed);
      const ground = polyGround(next, {
        cells: 2 + (seed % 6),
        storeys: 1 + (seed % 2),
        ...(format.triangles ? { triangles: true } : {}),
      });
      const file = format.write(ground);
      // Names of materials mean what the option says; numbers of areas mean themselves.
      const named = format.area === material;
      const areas = Object.fromEntries([0, 1, 2].map((n) => [`area${n}`, { area: n, flags: 1 << n }]));
      const mesh = await readNavMesh(file, named ? { areas } : {});
      expect(mesh.format).toBe(format.format);
      const area = (p: number) => (format.area === null ? 0 : ground.areas[p]);
      const texts = ground.rings.map((ring, p) => `${area(p)}: ${key(ring)}`);
      const got = polygonTexts(mesh);
      if (format.unordered) expect([...got].sort(), `seed ${seed}`).toEqual([...texts].sort());
      else expect(got, `seed ${seed}`).toEqual(texts);
      mesh.flags.forEach((flags, p) => {
        expect(flags).toBe(named ? 1 << mesh.areas[p] : 1);
      });
      const { componentCount, findings } = conform(mesh);
      expect(componentCount, `seed ${seed}`).toBe(ground.components);
      if (format.area !== null) expect([...sizes(mesh)].sort()).toEqual([...ground.size].sort());
      const unexpected = findings.filter((f) => !['no-agent', 'split-edge', 'unknown-area'].includes(f.kind));
      expect(unexpected).toEqual([]);
    }
  });

  it('navcat: agent, flags, lattice and connections', async () => {
    const ground = polyGround(random(3), { cells: 4, storeys: 1 });
    const [first] = ground.rings;
    const connections = [{ start: [...first[0]], end: [...first[1]], radius: 0.5, direction: 1 as const }];
    const mesh = await readNavMesh(writeNavcat(ground, { flags: 9, connections }), { areas: { 5: { area: 7 } } });
    expect(mesh.agent).toEqual({ radius: 0.4, height: 1.8, climb: 0.3 });
    expect(mesh.lattice).toEqual({ x: 0, z: 0, cell: 0.125 });
    expect(new Set(mesh.flags)).toEqual(new Set([9]));
    expect(mesh.links).toEqual([
      { from: first[0], to: first[1], radius: 0.5, bidirectional: true, area: 7, flags: 1, userId: 0, tile: 0 },
    ]);
    expect(mesh.findings ?? []).toEqual([]);
  });

  it("Godot: the file's agent, the engine's for what it leaves out, nobody's for Godot 3", async () => {
    const ground = polyGround(random(4), { cells: 3, storeys: 1 });
    const agentOf = async (style: Parameters<typeof writeTres>[1]) =>
      (await readNavMesh(writeTres(ground, style))).agent;
    expect(await agentOf({})).toEqual({ radius: 0.5, height: 1.5, climb: 0.25 });
    expect(await agentOf({ agent: [0.25, 2, 0.5], typed: true })).toEqual({ radius: 0.25, height: 2, climb: 0.5 });
    const old = await readNavMesh(writeTres(ground, { godot3: true }));
    expect(old.findings?.map((finding) => finding.kind)).toEqual(['no-agent']);
    expect(await agentOf({ godot3: true, agent: [0.6, 2, 0.9] })).toEqual({ radius: 0.6, height: 2, climb: 0.9 });
  });
});

describe('the same map in other coordinates', () => {
  const cases: [ReadOptions, (p: readonly number[]) => [number, number, number]][] = [
    [{ scale: 0.01 }, ([x, y, z]) => [100 * x, 100 * y, 100 * z]],
    [{ axes: 'x,z,-y' }, ([x, y, z]) => [x, -z, y]],
    [{ axes: 'xzy', scale: 0.01 }, ([x, y, z]) => [100 * x, 100 * z, 100 * y]],
    [{ flip: true }, ([x, y, z]) => [-x, y, z]],
    [{ flip: true, axes: 'z,y,x' }, ([x, y, z]) => [z, y, -x]],
  ];
  it.each(cases)('%j: read back to the same polygons (seeds 1..6)', async (options, moved) => {
    for (let seed = 1; seed <= 6; seed++) {
      const ground = polyGround(random(seed), { cells: 5, storeys: 2 });
      const plain = await readNavMesh(writeObj(ground, { shared: true }));
      const there = { ...ground, rings: ground.rings.map((ring) => ring.map(moved)) };
      const back = await readNavMesh(writeObj(there, { shared: true }), options);
      expect(polygonTexts(back)).toEqual(polygonTexts(plain));
      expect(conform(back).componentCount).toBe(ground.components);
    }
  });

  it('rotated corners, reversed winding, shuffled polygons: the same areas and parts (seeds 1..20)', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const next = random(seed);
      const ground = polyGround(next, { cells: 6, storeys: 2 });
      const mixed = ground.rings.map((ring, p) => ({ ring: [...ring], area: ground.areas[p], at: next() }));
      for (const { ring } of mixed) if (seed % 3 === 0 || (seed % 3 === 1 && next() < 0.5)) ring.reverse();
      mixed.sort((a, b) => a.at - b.at);
      const other = { ...ground, rings: mixed.map(({ ring }) => ring), areas: mixed.map(({ area }) => area) };
      const mesh = await readNavMesh(writeTriangulation(other, { polygons: true }));
      const found = sizes(mesh);
      for (const [area, size] of ground.size) expect(found.get(area)).toBeCloseTo(size, 4);
      expect(conform(mesh).componentCount, `seed ${seed}`).toBe(ground.components);
    }
  });
});

describe('damaged files', () => {
  it.each(WRITERS)('$name: prefixes and changed bytes are refused with a sentence, or read', async (format) => {
    const ground = polyGround(random(9), { cells: 2, storeys: 1, triangles: true });
    const file = format.write(ground);
    const next = random(10);
    const changed = function* () {
      for (let n = 0; n < file.length; n += 1 + Math.floor(file.length / 40)) yield file.slice(0, n);
      for (let n = 0; n < file.length; n += 1 + Math.floor(file.length / 90)) {
        const copy = file.slice();
        copy[n] ^= 1 << Math.floor(next() * 8);
        yield copy;
      }
    };
    let refused = 0;
    let read = 0;
    for (const bytes of changed()) {
      try {
        conform(await readNavMesh(bytes));
        read++;
      } catch (error) {
        expect(error).toBeInstanceOf(NavguardError);
        const { code, message } = error as NavguardError;
        expect(['BAD_FILE', 'UNSUPPORTED_FORMAT']).toContain(code);
        expect(message).toMatch(/^[A-Z]?.{10,400}$/s);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(25);
    expect(read).toBeGreaterThan(2);
  });
});

describe('names that every object has are names like others', () => {
  it.each([
    ['triangulation', '{"constructor":[1],"__proto__":[2],"vertices":[0,0,0,1,0,0,0,0,1],"indices":[0,1,2]}'],
    [
      'Godot',
      '[gd_resource type="NavigationMesh" format=3]\n[resource]\nconstructor = 3\nvertices = PackedVector3Array(0, 0, 0, 1, 0, 0, 0, 0, 1)\npolygons = [PackedInt32Array(0, 1, 2)]\ntoString = 1\n',
    ],
    ['OBJ', 'v 0 0 0\nv 1 0 0\nv 0 0 1\nusemtl constructor\ng __proto__\nf 1 2 3\n'],
  ])('%s', async (_name, text) => {
    const mesh = await readNavMesh(new TextEncoder().encode(text), { areas: { toString: { area: 4 } } });
    expect([polygonCount(mesh), ...mesh.areas]).toEqual([1, 0]);
  });
});
