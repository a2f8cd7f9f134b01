// Boxes as triangles: closed, outward, and no room inside them.
import { describe, expect, it } from 'vitest';
import { generate } from '../../src/build/generate.ts';
import { buildNavMesh } from '../../src/build/index.ts';
import { trianglesOf } from '../../src/build/solids.ts';
import { type Box, checkSpec } from '../../src/build/spec.ts';
import { readNavMesh } from '../../src/bytes/index.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { random } from '../oracle/random.ts';

describe('trianglesOf', () => {
  const box: Box = [1, 2, 3, 5, 3.5, 10];
  const soup = trianglesOf({ boxes: [box], triangles: [] }, 100);

  it('closes a box: every edge is met once from the other side', () => {
    const edges = new Map<string, number>();
    for (let t = 0; t < soup.indices.length; t += 3) {
      for (let k = 0; k < 3; k++) {
        const [a, b] = [soup.indices[t + k], soup.indices[t + ((k + 1) % 3)]];
        const key = a < b ? `${a} ${b}` : `${b} ${a}`;
        edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
      }
    }
    expect(soup.indices.length).toBe(36);
    expect(edges.size).toBe(18);
    expect([...edges.values()].every((n) => n === 0)).toBe(true);
  });

  it('turns every face outwards: the signed volume is the volume', () => {
    let six = 0;
    const p = (i: number): [number, number, number] => [
      soup.positions[i * 3],
      soup.positions[i * 3 + 1],
      soup.positions[i * 3 + 2],
    ];
    for (let t = 0; t < soup.indices.length; t += 3) {
      const [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = [0, 1, 2].map((k) => p(soup.indices[t + k]));
      six += ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx);
    }
    expect(six / 6).toBeCloseTo(4 * 1.5 * 7, 9);
  });

  it('puts shelves no farther apart than asked, all facing down', () => {
    const shelved = trianglesOf({ boxes: [[0, 0, 0, 1, 10, 1]], triangles: [] }, 1.9);
    const heights = new Set<number>();
    for (let i = 36; i < shelved.indices.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => shelved.indices[i + k] * 3);
      const q = shelved.positions;
      heights.add(q[a + 1]);
      expect((q[b + 2] - q[a + 2]) * (q[c] - q[a]) - (q[b] - q[a]) * (q[c + 2] - q[a + 2])).toBeLessThan(0);
    }
    const all = [0, ...[...heights].sort((a, b) => a - b), 10];
    for (let i = 1; i < all.length; i++) expect(all[i] - all[i - 1]).toBeLessThanOrEqual(1.9 + 1e-9);
  });
});

/** Corners and centres of polygons that lie inside a box: nobody can stand there. */
function inside(mesh: NavMesh, boxes: readonly Box[]): string[] {
  const found: string[] = [];
  for (let p = 0; p + 1 < mesh.first.length; p++) {
    const points: [number, number, number][] = [];
    const centre: [number, number, number] = [0, 0, 0];
    const n = mesh.first[p + 1] - mesh.first[p];
    for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) {
      const v = mesh.corners[c] * 3;
      const point: [number, number, number] = [mesh.vertices[v], mesh.vertices[v + 1], mesh.vertices[v + 2]];
      points.push(point);
      for (let k = 0; k < 3; k++) centre[k] += point[k] / n;
    }
    for (const [x, y, z] of [...points, centre]) {
      for (const b of boxes) {
        // The top is ground, and a voxel below it may be as well.
        if (x > b[0] && x < b[3] && z > b[2] && z < b[5] && y > b[1] - 0.01 && y < b[4] - 0.6) {
          found.push(`polygon ${p} at ${x}, ${y}, ${z} in box ${b.join(' ')}`);
        }
      }
    }
  }
  return found;
}

describe('solid boxes', () => {
  it('keep no room inside, however boxes overlap', async () => {
    const seed = 20260101;
    const next = random(seed);
    for (let round = 0; round < 40; round++) {
      const boxes: Box[] = [[0, -1, 0, 24, 0, 24]];
      for (let i = 0; i < 10; i++) {
        const [x, y, z] = [next() * 20, next() * 4 - 1, next() * 20];
        boxes.push([x, y, z, x + 1 + next() * 8, y + 0.5 + next() * 9, z + 1 + next() * 8]);
      }
      const mesh = await readNavMesh(await buildNavMesh({ boxes, tile: round % 2 === 0 ? 0 : 32 }));
      expect(inside(mesh, boxes), `seed ${seed}, round ${round}`).toEqual([]);
    }
  });

  it('would keep one if they were surfaces: the check above can fail', async () => {
    const boxes: Box[] = [
      [0, -1, 0, 20, 0, 20],
      [5, -0.5, 5, 12, 4, 12],
    ];
    const spec = checkSpec({ boxes });
    const hollow = await readNavMesh(await generate(trianglesOf(spec, 1000), spec));
    expect(inside(hollow, boxes).length).toBeGreaterThan(0);
    expect(inside(await readNavMesh(await buildNavMesh({ boxes })), boxes)).toEqual([]);
  });
});
