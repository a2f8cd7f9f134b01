// A small MSET file made on the spot: four tiles, a step, a bump for detail heights, one off-mesh connection inside a tile
// and one into a neighbour. So the tests of bytes/ run without any sample.
import { exportNavMesh, init } from 'recast-navigation';
import { generateTiledNavMesh } from 'recast-navigation/generators';

/** A grid of quads, 0..side metres, with heights: triangles as recast-navigation takes them. */
function terrain(side: number, step: number, height: (x: number, z: number) => number): [number[], number[]] {
  const n = side / step;
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i <= n; i++) {
    for (let j = 0; j <= n; j++) positions.push(i * step, height(i * step, j * step), j * step);
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const a = i * (n + 1) + j;
      indices.push(a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1);
    }
  }
  return [positions, indices];
}

/** The bytes of the small map. */
export async function smallMset(): Promise<Uint8Array> {
  await init();
  // A wall of two metres splits the square; a hill rises in one corner.
  const [positions, indices] = terrain(10, 1, (x, z) => {
    if (x === 4 && z < 8) return 2.5;
    return x >= 7 && z >= 7 ? 0.25 * (x - 6) : 0;
  });
  const cs = 0.25;
  const result = generateTiledNavMesh(positions, indices, {
    cs,
    ch: 0.1,
    tileSize: 20,
    walkableRadius: 1,
    walkableHeight: 10,
    walkableClimb: 4,
    detailSampleDist: 4,
    detailSampleMaxError: 0.5,
    offMeshConnections: [
      { startPosition: { x: 2, y: 0, z: 2 }, endPosition: { x: 3, y: 0, z: 4 }, radius: 0.5, bidirectional: true },
      {
        startPosition: { x: 2, y: 0, z: 3 },
        endPosition: { x: 7, y: 0, z: 3 },
        radius: 0.5,
        bidirectional: false,
        area: 5,
        flags: 6,
        userId: 77,
      },
    ],
  });
  if (!result.success) throw new Error(`the small map was not built: ${result.error}`);
  const bytes = exportNavMesh(result.navMesh);
  result.navMesh.destroy();
  return bytes;
}
