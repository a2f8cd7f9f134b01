// The check must refuse nothing that a real exporter writes: seeded levels through recast-navigation's own generators.
import { exportNavMesh, init } from 'recast-navigation';
import { generateSoloNavMesh, generateTiledNavMesh } from 'recast-navigation/generators';
import { beforeAll, describe, expect, it } from 'vitest';
import { importMset, readMsetFile } from '../../src/bytes/index.ts';
import { polygonCount } from '../../src/mesh/navmesh.ts';
import { between, random } from '../oracle/random.ts';

const SEED = Number(process.env.NAVGUARD_SEED ?? 4711);

/** A floor with boxes on it, some of them walkable on top; the level may lie far from the origin. */
function level(seed: number): { positions: number[]; indices: number[] } {
  const next = random(seed);
  const positions: number[] = [];
  const indices: number[] = [];
  const far = seed % 4 === 0 ? between(next, -40, 40) * 1000 : 0;
  const quad = (a: number[], b: number[], c: number[], d: number[]) => {
    const base = positions.length / 3;
    for (const point of [a, b, c, d]) positions.push(point[0] + far, point[1], point[2] - far);
    indices.push(base, base + 1, base + 2, base, base + 2, base + 3);
  };
  const box = (x: number, y: number, z: number, w: number, h: number, d: number) => {
    quad([x, y + h, z], [x, y + h, z + d], [x + w, y + h, z + d], [x + w, y + h, z]);
    quad([x, y, z], [x + w, y, z], [x + w, y + h, z], [x, y + h, z]);
    quad([x, y, z + d], [x, y + h, z + d], [x + w, y + h, z + d], [x + w, y, z + d]);
    quad([x, y, z], [x, y + h, z], [x, y + h, z + d], [x, y, z + d]);
    quad([x + w, y, z], [x + w, y, z + d], [x + w, y + h, z + d], [x + w, y + h, z]);
  };
  const side = between(next, 15, 40);
  box(0, -1, 0, side, 1, side);
  const boxes = between(next, 3, 20);
  for (let i = 0; i < boxes; i++) {
    const floor = next() < 0.2 ? 3 : 0;
    box(next() * side, floor, next() * side, 0.5 + next() * 6, 0.2 + next() * 3, 0.5 + next() * 6);
  }
  return { positions, indices };
}

/** The export of level `seed`, or null when the generator finds nowhere to walk. */
function exported(seed: number): Uint8Array | null {
  const next = random(seed + 1);
  const { positions, indices } = level(seed);
  const cs = [0.15, 0.2, 0.25, 0.3, 1 / 3][between(next, 0, 4)];
  const config = {
    cs,
    ch: 0.1 + 0.1 * next(),
    walkableHeight: between(next, 5, 15),
    walkableClimb: between(next, 2, 8),
    walkableRadius: between(next, 0, 4),
    maxVertsPerPoly: between(next, 3, 6),
    detailSampleDist: between(next, 1, 8),
    buildBvTree: next() < 0.8,
  };
  const tiled = next() < 0.6;
  const result = tiled
    ? generateTiledNavMesh(positions, indices, { ...config, tileSize: between(next, 16, 64) })
    : generateSoloNavMesh(positions, indices, config);
  if (!result.success) return null;
  const bytes = exportNavMesh(result.navMesh);
  result.navMesh.destroy();
  return bytes;
}

describe('generated levels load', () => {
  beforeAll(async () => {
    await init();
  });

  it(`40 of them (seed ${SEED})`, async () => {
    let polygons = 0;
    let portals = 0;
    let loaded = 0;
    for (let i = 0; i < 40; i++) {
      const bytes = exported(SEED + 10 * i + (i % 7));
      if (bytes === null) continue;
      const { mesh } = await importMset(bytes).catch((error: Error) => {
        throw new Error(`level ${SEED + 10 * i + (i % 7)}: ${error.message}`);
      });
      loaded++;
      polygons += polygonCount(mesh);
      portals += mesh.portals.length / 2;
      expect(polygonCount(readMsetFile(bytes))).toBe(polygonCount(mesh));
    }
    expect(loaded).toBeGreaterThan(30);
    expect(polygons).toBeGreaterThan(1000);
    expect(portals).toBeGreaterThan(100);
  });
});
