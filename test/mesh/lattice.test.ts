// Random lattices: conforming keeps their integers, area and connectivity; ids are one per fan.
import { expect, test } from 'vitest';
import { checkConforming } from '../../src/mesh/check.ts';
import { conform } from '../../src/mesh/conform.ts';
import { checkPack } from '../../src/pack/check.ts';
import { pack } from '../../src/pack/pack.ts';
import { packInfo, packPolygon } from '../../src/pack/view.ts';
import { latticeMesh } from '../oracle/lattice.ts';

/** Twice the area of a ring of x, z pairs, by the shoelace sum in BigInt. */
function shoelace(ring: readonly number[]): bigint {
  let sum = 0n;
  for (let i = 0; i < ring.length; i += 2) {
    const j = (i + 2) % ring.length;
    sum += BigInt(ring[i]) * BigInt(ring[j + 1]) - BigInt(ring[j]) * BigInt(ring[i + 1]);
  }
  return sum;
}

/** Components of rings that share an edge, by repeated flooding over an edge table. */
function componentsOf(rings: readonly (readonly number[])[]): number[] {
  const owner = new Map<string, number>();
  const edges = rings.map((ring) => {
    const list: [string, string][] = [];
    for (let i = 0; i < ring.length; i += 2) {
      const j = (i + 2) % ring.length;
      list.push([
        `${ring[i]},${ring[i + 1]},${ring[j]},${ring[j + 1]}`,
        `${ring[j]},${ring[j + 1]},${ring[i]},${ring[i + 1]}`,
      ]);
    }
    return list;
  });
  edges.forEach((list, p) => {
    for (const [edge] of list) owner.set(edge, p);
  });
  const label = rings.map(() => -1);
  let next = 0;
  for (let p = 0; p < rings.length; p++) {
    if (label[p] >= 0) continue;
    const open = [p];
    label[p] = next;
    while (open.length > 0) {
      for (const [, back] of edges[open.pop()!]) {
        const q = owner.get(back);
        if (q !== undefined && label[q] < 0) {
          label[q] = next;
          open.push(q);
        }
      }
    }
    next++;
  }
  return label;
}

const cases = [
  { name: 'triangles', options: {} },
  { name: 'merged up to 6 corners', options: { merge: 6 } },
  { name: 'merged up to 12 corners', options: { merge: 12, jitter: 0 } },
  { name: 'counter-clockwise export', options: { merge: 8, counterClockwise: true } },
  { name: 'at the edge of the range', options: { scale: 600_000, merge: 6 } },
];

test.each(cases)('$name: integers, area, components and pack survive', ({ options }) => {
  for (let seed = 1; seed <= 40; seed++) {
    const map = latticeMesh({ w: 7, h: 6, seed, ...options });
    const mesh = conform(map.mesh);
    expect(checkConforming(mesh), `seed ${seed}`).toEqual([]);
    expect(mesh.findings.filter((f) => f.kind !== 'split-polygon')).toEqual([]);
    expect(mesh.unit).toBe(map.unit);
    let area = 0n;
    const bySource = new Map<number, number>();
    for (let p = 0; p < mesh.source.length; p++) {
      const ring: number[] = [];
      for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) {
        ring.push(mesh.x[c] + mesh.origin.x * 1024, mesh.z[c] + mesh.origin.z * 1024);
      }
      area += shoelace(ring);
      bySource.set(mesh.source[p], mesh.component[p]);
    }
    expect(area, `seed ${seed}`).toBe(map.rings.reduce((sum, ring) => sum + shoelace(ring), 0n));
    expect(map.rings.map((_, p) => bySource.get(p))).toEqual(componentsOf(map.rings));

    const buffer = pack(map.mesh, mesh);
    checkPack(buffer);
    const info = packInfo(buffer);
    expect(info.polygons).toBe(mesh.source.length);
    expect(info.vertices).toBe(mesh.vertexCount);
    for (let p = 0; p < info.polygons; p++) {
      const polygon = packPolygon(buffer, p);
      expect(polygon.neighbours).toEqual(Array.from(mesh.neighbour.subarray(mesh.first[p], mesh.first[p + 1])));
      expect(polygon.corners.map(([x]) => x)).toEqual(
        Array.from(mesh.x.subarray(mesh.first[p], mesh.first[p + 1]), (x) => mesh.origin.x + x * mesh.unit),
      );
    }
  }
});
