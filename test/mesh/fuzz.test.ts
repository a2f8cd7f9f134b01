// Property: any mesh that a structural check could let through, however wrong its geometry and its neighbours, ends as a
// conforming mesh whose pack passes the hostile check, or as one clear error.
import { expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import { checkConforming } from '../../src/mesh/check.ts';
import { conform } from '../../src/mesh/conform.ts';
import { type NavMesh, PORTAL, WALL } from '../../src/mesh/navmesh.ts';
import { checkPack } from '../../src/pack/check.ts';
import { pack } from '../../src/pack/pack.ts';
import { between, random } from '../oracle/random.ts';

/** Random rings on a tiny lattice: flat, bent, crossing and overlapping ones are common. */
function wildMesh(seed: number): NavMesh {
  const next = random(seed);
  const size = between(next, 2, 6);
  const polygons = between(next, 1, 14);
  const fine = next() < 0.3 ? 1 / 300 : 1;
  const vertices: number[] = [];
  const count = between(next, 3, 30);
  for (let v = 0; v < count; v++) {
    vertices.push(
      between(next, 0, size * 8) * (1 / 8) * fine,
      between(next, -2, 2) * 0.3,
      between(next, 0, size) * fine,
    );
  }
  const first = [0];
  const corners: number[] = [];
  for (let p = 0; p < polygons; p++) {
    const n = between(next, 3, next() < 0.1 ? 12 : 6);
    for (let i = 0; i < n; i++) corners.push(between(next, 0, count - 1));
    first.push(corners.length);
  }
  const neighbours: number[] = [];
  const portals: number[] = [];
  for (let c = 0; c < corners.length; c++) {
    const kind = next();
    if (kind < 0.2) neighbours.push(WALL);
    else if (kind < 0.6) neighbours.push(between(next, 0, polygons - 1));
    else {
      neighbours.push(PORTAL);
      const links = new Set<number>();
      for (let i = between(next, 0, 4); i > 0; i--) links.add(between(next, 0, polygons - 1));
      for (const q of [...links].sort((a, b) => a - b)) portals.push(c, q);
    }
  }
  return {
    format: `wild ${seed}`,
    tiles: [{ x: 0, y: 0, layer: 0, polyBase: 0, polyCount: polygons, bounds: [0, 0, 0, 0, 0, 0] }],
    lattice: { x: 0, z: 0, cell: next() < 0.5 ? 0 : [1, 0.3, 1 / 1024][between(next, 0, 2)] },
    agent: { height: 2, radius: 0.5, climb: 0.4 },
    vertices: Float32Array.from(vertices),
    first: Uint32Array.from(first),
    corners: Uint32Array.from(corners),
    neighbours: Int32Array.from(neighbours),
    portals: Uint32Array.from(portals),
    areas: new Uint8Array(polygons),
    flags: new Uint16Array(polygons),
    polyTile: new Uint32Array(polygons),
    detailFirstVertex: new Uint32Array(polygons + 1),
    detailVertices: new Float32Array(0),
    detailFirstTriangle: new Uint32Array(polygons + 1),
    detailTriangles: new Uint8Array(0),
    links: [
      {
        from: [next() * size, 0, next() * size],
        to: [next() * size, 0, next() * size],
        radius: next(),
        bidirectional: true,
        area: 0,
        flags: 0,
        userId: 0,
        tile: 0,
      },
    ],
  };
}

test('2,000 wild meshes', () => {
  let errors = 0;
  const kinds = new Set<string>();
  for (let seed = 1; seed <= 2000; seed++) {
    const mesh = wildMesh(seed);
    let result: ReturnType<typeof conform>;
    try {
      result = conform(mesh);
    } catch (error) {
      expect(error, `seed ${seed}: ${(error as Error).stack}`).toBeInstanceOf(NavguardError);
      errors++;
      continue;
    }
    expect(checkConforming(result), `seed ${seed}`).toEqual([]);
    for (const finding of result.findings) kinds.add(finding.kind);
    checkPack(pack(mesh, result));
    // The same mesh gives the same result.
    if (seed % 50 === 0) expect(conform(mesh)).toEqual(result);
  }
  // Only meshes without any area may fail, and the generator reaches every kind of trouble.
  expect(errors).toBeLessThan(200);
  expect([...kinds].sort()).toEqual(
    [
      'ambiguous-portal',
      'broken-neighbour',
      'cut-portal',
      'dropped-polygon',
      'looped-link',
      'off-lattice',
      'reversed-winding',
      'split-edge',
      'triangulated-polygon',
      'unlinked-link',
      'unlinked-portal',
      'welded-vertex',
    ].sort(),
  );
});
