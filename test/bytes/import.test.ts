// Files that load: the generated one, and the nine samples when their folder is named. Each is compared, fact by fact, with
// what recast-navigation's own getters say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { equalNavMesh, importMset, readMsetFile, readNavMesh } from '../../src/bytes/index.ts';
import { type NavMesh, PORTAL, polygonCount, WALL } from '../../src/mesh/navmesh.ts';
import { seenByRecast } from '../oracle/recastgetters.ts';
import { smallMset } from './small.ts';

const SAMPLES = process.env.NAVGUARD_SAMPLES;

describe('a generated file', () => {
  let bytes: Uint8Array;
  beforeAll(async () => {
    bytes = await smallMset();
  });

  it('loads with tiles, lattice, agent and connections', async () => {
    const mesh = await readNavMesh(bytes);
    expect(mesh.format).toBe('MSET, 32-bit');
    expect(mesh.tiles.map(({ x, y, layer, polyBase, polyCount }) => [x, y, layer, polyBase, polyCount])).toEqual([
      [0, 0, 0, 0, 2],
      [1, 0, 0, 2, 3],
      [0, 1, 0, 5, 4],
      [1, 1, 0, 9, 3],
    ]);
    expect(mesh.tiles[3].bounds).toEqual([5, 0, 5, 10, 3.5, 10]);
    expect(mesh.lattice).toEqual({ x: 0, z: 0, cell: 0.25 });
    expect(mesh.agent.height).toBe(1);
    expect(mesh.agent.radius).toBe(0.25);
    expect(mesh.agent.climb).toBe(0.4);
    expect(mesh.links).toEqual([
      { from: [2, 0, 2], to: [3, 0, 4], radius: 0.5, bidirectional: true, area: 0, flags: 1, userId: 1000, tile: 0 },
      { from: [2, 0, 3], to: [7, 0, 3], radius: 0.5, bidirectional: false, area: 5, flags: 6, userId: 77, tile: 0 },
    ]);
    // Three borders are crossed, each link once from either side.
    expect(mesh.portals.length / 2).toBe(6);
  });

  it('does not change or keep the bytes it was given', async () => {
    const before = bytes.slice();
    const mesh = await readNavMesh(bytes);
    const copy = await readNavMesh(bytes);
    expect(bytes).toEqual(before);
    bytes.fill(0);
    expect(equalNavMesh(mesh, copy)).toBeNull();
    bytes.set(before);
  });

  it('loads from a view at an odd address', async () => {
    const room = new Uint8Array(bytes.length + 7);
    room.set(bytes, 3);
    const odd = await readNavMesh(room.subarray(3, 3 + bytes.length));
    expect(equalNavMesh(odd, await readNavMesh(bytes))).toBeNull();
  });

  it('loads the same with its tiles in another order, but for the order', async () => {
    const order = [2, 0, 3, 1];
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const parts: Uint8Array[] = [];
    for (let at = 40; at < bytes.length; ) {
      const end = at + 8 + view.getInt32(at + 4, true);
      parts.push(bytes.subarray(at, end));
      at = end;
    }
    const shuffled = new Uint8Array(bytes.length);
    shuffled.set(bytes.subarray(0, 40));
    let at = 40;
    for (const t of order) {
      shuffled.set(parts[t], at);
      at += parts[t].length;
    }
    const mesh = await readNavMesh(shuffled);
    const straight = await readNavMesh(bytes);
    expect(mesh.tiles.map((tile) => [tile.x, tile.y])).toEqual(
      order.map((t) => [straight.tiles[t].x, straight.tiles[t].y]),
    );
    expect(mesh.portals.length).toBe(straight.portals.length);
    await agreesWithGetters(mesh, shuffled, order);
  });
});

describe('equalNavMesh', () => {
  it('names the first difference', async () => {
    const mesh = await readNavMesh(await smallMset());
    const areas = mesh.areas.slice();
    areas[4] = 9;
    expect(equalNavMesh(mesh, { ...mesh, areas })).toBe('areas[4] is 0 in one and 9 in the other.');
    expect(equalNavMesh(mesh, { ...mesh, portals: new Uint32Array(2) })).toBe(
      'portals has 12 entries in one and 2 in the other.',
    );
    expect(equalNavMesh(mesh, { ...mesh, portals: new Uint32Array(2) }, { ignorePortals: true })).toBeNull();
    expect(equalNavMesh(mesh, { ...mesh, lattice: { ...mesh.lattice, cell: 0.3 } })).toBe(
      'lattice.cell is 0.25 in one and 0.3 in the other.',
    );
    expect(equalNavMesh(mesh, { ...mesh, links: [] })).toContain('links.0 is [object Object] in one and undefined');
  });
});

describe('stale memory', () => {
  it('a prefix of a file just imported is refused, not completed from what the importer still holds', async () => {
    const bytes = await smallMset();
    await readNavMesh(bytes);
    for (const length of [48, 100, 1000, 1384, 2000, bytes.length - 1]) {
      await expect(readNavMesh(bytes.subarray(0, length))).rejects.toMatchObject({ code: 'BAD_FILE' });
    }
    expect(polygonCount(await readNavMesh(bytes))).toBe(12);
  });
});

// File, tiles, polygons of recast-navigation (connections included), connections.
const samples: [string, number, number, number][] = [
  ['go-detour/mesh2.bin', 18, 151, 0],
  ['go-detour/offmeshcons.bin', 4, 121, 1],
  ['go-detour/solomesh-dungeon.bin', 1, 100, 0],
  ['go-detour/solomesh-develer.bin', 1, 23, 0],
  ['go-detour/solomesh-twisted.bin', 1, 28, 0],
  ['go-detour/solomesh-stair2.bin', 1, 2, 0],
  ['go-detour/tilemesh-develer.bin', 13, 39, 0],
  ['go-detour/tilemesh-stair3.bin', 6, 13, 0],
  ['dotrecast/dungeon_all_tiles_navmesh_32bit.bin', 41, 143, 0],
];
const generated: [string, number, number, number] = ['generated', 4, 14, 2];

describe('file, heap and getters agree', () => {
  it.each(SAMPLES === undefined ? [generated] : [generated, ...samples])(
    '%s: %i tiles, %i polygons, %i connections',
    async (name, tiles, polygons, connections) => {
      const bytes = name === 'generated' ? await smallMset() : new Uint8Array(readFileSync(join(SAMPLES ?? '', name)));
      const { mesh, tiles: heap } = await importMset(bytes);
      expect(mesh.tiles.length).toBe(tiles);
      expect(polygonCount(mesh) + mesh.links.length).toBe(polygons);
      expect(mesh.links.length).toBe(connections);
      expect(heap.length).toBe(tiles);
      expect(equalNavMesh(readMsetFile(bytes), mesh, { ignorePortals: true })).toBeNull();
      expect(mesh.lattice.cell).toBe(name === 'generated' ? 0.25 : 0.3);
      await agreesWithGetters(mesh, bytes);
      portalsAreMutual(mesh);
    },
  );
});

/** `order`: the slot of each tile of the mesh, when it is not its number. */
async function agreesWithGetters(mesh: NavMesh, bytes: Uint8Array, order?: number[]): Promise<void> {
  const seen = await seenByRecast(bytes);
  const slots = order ?? mesh.tiles.map((_, t) => t);
  expect(seen.tiles).toBe(mesh.tiles.length);
  expect(seen.total).toBe(polygonCount(mesh) + mesh.links.length);
  const at = (array: ArrayLike<number>, v: number) => [array[3 * v], array[3 * v + 1], array[3 * v + 2]];
  for (let p = 0; p < polygonCount(mesh); p++) {
    const tile = mesh.polyTile[p];
    const inTile = p - mesh.tiles[tile].polyBase;
    const theirs = seen.polygons.filter((polygon) => polygon.tile === slots[tile])[inTile];
    const corners: number[][] = [];
    const neis = [];
    const links: { edge: number; slot: number; polygon: number }[] = [];
    for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) {
      corners.push(at(mesh.vertices, mesh.corners[c]));
      const n = mesh.neighbours[c];
      // The side of a border is not kept: compare what is.
      neis.push(n === WALL ? 0 : n === PORTAL ? 0x8000 : n - mesh.tiles[tile].polyBase + 1);
      for (let i = 0; i < mesh.portals.length; i += 2) {
        if (mesh.portals[i] !== c) continue;
        const other = mesh.polyTile[mesh.portals[i + 1]];
        links.push({
          edge: c - mesh.first[p],
          slot: slots[other],
          polygon: mesh.portals[i + 1] - mesh.tiles[other].polyBase,
        });
      }
    }
    expect(corners).toEqual(theirs.corners);
    expect(neis).toEqual(theirs.neis.map((n) => (n & 0x8000 ? 0x8000 : n)));
    expect(mesh.areas[p]).toBe(theirs.area);
    expect(mesh.flags[p]).toBe(theirs.flags);
    const byEdge = (a: (typeof links)[0], b: (typeof links)[0]) =>
      a.edge - b.edge || a.slot - b.slot || a.polygon - b.polygon;
    expect(links.sort(byEdge)).toEqual([...theirs.links].sort(byEdge));
    const triangles = [];
    for (let k = mesh.detailFirstTriangle[p]; k < mesh.detailFirstTriangle[p + 1]; k++) {
      triangles.push(
        [0, 1, 2].map((c) => {
          const v = mesh.detailTriangles[3 * k + c];
          return v < corners.length
            ? corners[v]
            : at(mesh.detailVertices, mesh.detailFirstVertex[p] + v - corners.length);
        }),
      );
    }
    expect(triangles).toEqual(theirs.triangles);
  }
  expect(
    mesh.links.map((link) => [...link.from, ...link.to, Math.fround(link.radius), +link.bidirectional, link.userId]),
  ).toEqual(seen.connections.map((con) => [...con.pos, con.radius, con.flags & 1, con.userId]));
}

/** Detour links both ways; a one-way link would mean that it ran out of link records. */
function portalsAreMutual(mesh: NavMesh): void {
  const polyOfCorner = new Uint32Array(mesh.corners.length);
  for (let p = 0; p < polygonCount(mesh); p++) polyOfCorner.fill(p, mesh.first[p], mesh.first[p + 1]);
  const pairs = new Set<string>();
  for (let i = 0; i < mesh.portals.length; i += 2) pairs.add(`${polyOfCorner[mesh.portals[i]]}>${mesh.portals[i + 1]}`);
  for (const pair of pairs) expect(pairs).toContain(pair.split('>').reverse().join('>'));
}
