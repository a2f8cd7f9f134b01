// Navmeshes that navcat itself makes, written with JSON.stringify as its documentation says: read here they have its polygons,
// areas and parts, and its heights.
import {
  createFindNearestPolyResult,
  DEFAULT_QUERY_FILTER,
  findNearestPoly,
  getNodeByRef,
  getPolyHeight,
  type NavMesh as NavcatMesh,
} from 'navcat';
import { generateSoloNavMesh, generateTiledNavMesh } from 'navcat/blocks';
import { describe, expect, it } from 'vitest';
import { readNavMesh } from '../../src/bytes/index.ts';
import { NavMap } from '../../src/map.ts';
import { polygonCount } from '../../src/mesh/navmesh.ts';
import { random } from '../oracle/random.ts';

/** Hills of quads with walls between them, 24 m across. */
function hills(): { positions: number[]; indices: number[] } {
  const n = 24;
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) {
      const wall = (i === 8 && j > 6) || (j === 16 && i > 10 && i < 22);
      positions.push(i, wall ? 4 : 0.8 * Math.sin(i / 4) * Math.cos(j / 5), j);
    }
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const a = i * (n + 1) + j;
      indices.push(a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1);
    }
  }
  return { positions, indices };
}

const OPTIONS = {
  cellSize: 0.25,
  cellHeight: 0.1,
  walkableRadiusWorld: 0.5,
  walkableRadiusVoxels: 2,
  walkableHeightWorld: 2,
  walkableHeightVoxels: 20,
  walkableClimbWorld: 0.4,
  walkableClimbVoxels: 4,
  walkableSlopeAngleDegrees: 45,
  minRegionArea: 16,
  mergeRegionArea: 400,
  maxSimplificationError: 1.3,
  maxEdgeLength: 48,
  maxVerticesPerPoly: 6,
  detailSampleDistance: 1.5,
  detailSampleMaxError: 0.1,
};

/** Parts of a navcat mesh by its own links. */
function parts(mesh: NavcatMesh): number {
  const nodes = mesh.nodes.filter((node) => node.allocated);
  const rootOf = new Map(nodes.map((node) => [node.index, node.index]));
  const find = (n: number): number => (rootOf.get(n) === n ? n : find(rootOf.get(n) as number));
  for (const link of mesh.links) {
    if (link.allocated) rootOf.set(find(link.fromNodeIndex), find(link.toNodeIndex));
  }
  return new Set(nodes.map((node) => find(node.index))).size;
}

describe("navcat's own meshes", () => {
  const solo = generateSoloNavMesh(hills(), { ...OPTIONS, borderSize: 0 }).navMesh;
  const tiled = generateTiledNavMesh(hills(), {
    ...OPTIONS,
    borderSize: 5,
    tileSizeVoxels: 32,
    tileSizeWorld: 8,
  }).navMesh;

  it.each([
    ['one tile', solo, 1],
    ['nine tiles', tiled, 9],
  ])('%s: polygons, parts, heights', async (_name, theirs, tiles) => {
    expect(Object.keys(theirs.tiles).length).toBe(tiles);
    const mesh = await readNavMesh(new TextEncoder().encode(JSON.stringify(theirs)));
    const polygons = Object.values(theirs.tiles).reduce((sum, tile) => sum + tile.polys.length, 0);
    expect(polygonCount(mesh)).toBe(polygons);
    expect(polygons).toBeGreaterThan(10);
    expect(mesh.agent).toEqual({ radius: 0.5, height: 2, climb: 0.4 });
    expect(mesh.detailTriangles.length / 3).toBeGreaterThan(polygons);
    const map = NavMap.fromMesh(mesh);
    expect(map.info.components).toBe(parts(theirs));
    const next = random(8);
    const near = createFindNearestPolyResult();
    let asked = 0;
    let off = 0;
    for (let i = 0; i < 400; i++) {
      const at: [number, number, number] = [0.5 + 23 * next(), 0, 0.5 + 23 * next()];
      findNearestPoly(near, theirs, at, [0.01, 3, 0.01], DEFAULT_QUERY_FILTER);
      const ours = map.locate(at, { below: 3, above: 3, tolerance: 0 });
      const [x, y, z] = near.position;
      const over = near.success && Math.hypot(x - at[0], z - at[2]) < 1e-6;
      if (over !== (ours !== null)) {
        off++;
        continue;
      }
      if (ours === null) continue;
      asked++;
      const { tileId, polyIndex } = getNodeByRef(theirs, near.nodeRef);
      const height = { success: false, height: 0 };
      getPolyHeight(height, theirs.tiles[tileId], theirs.tiles[tileId].polys[polyIndex], polyIndex, at);
      expect(Math.abs(ours.point[1] - y), `${at}: ${height.height}`).toBeLessThan(0.02);
    }
    expect(asked).toBeGreaterThan(200);
    // At the very edge the two may decide otherwise: navcat's edges are floats, ours stand on the grid.
    expect(off).toBeLessThan(4);
  });
});
