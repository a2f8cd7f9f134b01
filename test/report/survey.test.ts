// Faults planted in small maps, each found by its name, as often as it is there and where it is.
import { expect, test } from 'vitest';
import { NavMap } from '../../src/map.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { inspectJson, inspectText } from '../../src/report/inspect.ts';
import type { Noted } from '../../src/report/noted.ts';
import { type Survey, surveyOf } from '../../src/report/survey.ts';
import { box, meshOf, type Ring } from '../mesh/handmade.ts';
import { between, random } from '../oracle/random.ts';

function survey(mesh: NavMesh): Survey {
  const map = NavMap.fromMesh(mesh);
  return surveyOf(map.toPack(), map.info);
}

function finding({ findings }: Survey, kind: Noted['kind']): Noted | undefined {
  return findings.find((one) => one.kind === kind);
}

const metre = { cell: 1 };

test('a sound map has no findings', () => {
  const found = survey(meshOf([box(0, 0, 10, 10), box(10, 0, 20, 10)], metre));
  expect(found.findings).toEqual([]);
  expect(found.islands).toEqual([{ component: 0, polygons: 2, area: 200, at: found.islands[0].at }]);
  expect(found.floors).toBe(1);
});

test('islands: the largest is the map, the rest by size with a place on each', () => {
  const found = survey(meshOf([box(0, 0, 10, 10), box(30, 0, 32, 1), box(50, 20, 54, 25)], metre));
  expect(found.islands.map(({ area, polygons, at }) => [area, polygons, at])).toEqual([
    [100, 1, [5, 0, 5]],
    [20, 1, [52, 0, 22.5]],
    [2, 1, [31, 0, 0.5]],
  ]);
  const island = finding(found, 'island');
  expect(island).toMatchObject({
    count: 2,
    at: [
      [31, 0, 0.5],
      [52, 0, 22.5],
    ],
  });
  expect(island?.message).toContain('2 m2 to 20 m2');
  expect(finding(found, 'closed-interior')).toBeUndefined();
});

/** Eight boxes around a hole of 4 x 4 m at (10, 10). */
const RING: readonly Ring[] = [
  [0, 0, 10, 10],
  [10, 0, 14, 10],
  [14, 0, 24, 10],
  [0, 10, 10, 14],
  [14, 10, 24, 14],
  [0, 14, 10, 24],
  [10, 14, 14, 24],
  [14, 14, 24, 24],
].map(([x0, z0, x1, z1]) => box(x0, z0, x1, z1));

test('closed interiors: shut in by one component at their height, or under it; open and far ones are not', () => {
  const inside = survey(meshOf([...RING, box(11, 11, 13, 13)], metre));
  expect(finding(inside, 'closed-interior')).toMatchObject({ count: 1, at: [[12, 0, 12]] });
  // the same hole without one of its sides
  const open = RING.filter((_, i) => i !== 4);
  expect(finding(survey(meshOf([...open, box(11, 11, 13, 13)], metre)), 'closed-interior')).toBeUndefined();
  // on a platform high over the hole
  const high = survey(meshOf([...RING, box(11, 11, 13, 13, 0, 9)], metre));
  expect(finding(high, 'closed-interior')).toBeUndefined();
  // a cellar wholly under the floor
  const cellar = survey(meshOf([...RING, box(2, 2, 6, 6, 0, -5)], metre));
  expect(finding(cellar, 'closed-interior')).toMatchObject({ count: 1, at: [[4, -5, 4]] });
  // with a link it is a room
  const link = { radius: 0.5, bidirectional: true, area: 0, flags: 1, userId: 1, tile: 0 };
  const linked = meshOf([...RING, box(11, 11, 13, 13)], {
    ...metre,
    links: [{ ...link, from: [5, 0, 5], to: [12, 0, 12] }],
  });
  expect(finding(survey(linked), 'closed-interior')).toBeUndefined();
});

test('overlapping floors: how many, how much, the least clearance and where', () => {
  const found = survey(meshOf([box(0, 0, 10, 10), box(6, 4, 16, 8, 0, 3), box(40, 0, 50, 10, 0, 1)], metre));
  expect(found.overlaps.map(({ lower, upper, size, clearance }) => [lower, upper, size, clearance])).toEqual([
    [0, 1, 16, 3],
  ]);
  expect(Array.from(found.floor)).toEqual([0, 1, 0]);
  const overlap = finding(found, 'overlapping-floors');
  expect(overlap).toMatchObject({ count: 1, polygons: [0] });
  expect(overlap?.message).toContain('least clearance is 3 m');
  const [[x, y, z]] = overlap?.at ?? [];
  expect([x >= 6 && x <= 10, y, z >= 4 && z <= 8]).toEqual([true, 0, true]);
  expect(finding(found, 'low-clearance')).toBeUndefined();
  const low = survey(meshOf([box(0, 0, 10, 10), box(6, 4, 16, 8, 0, 1.5)], metre));
  expect(finding(low, 'low-clearance')).toMatchObject({ count: 1 });
});

test('overlaps and floors of random stacks, against rectangles', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const next = random(seed);
    const rings = Array.from({ length: 12 }, (_, i) => {
      const [x, z] = [between(next, 0, 20), between(next, 0, 20)];
      return box(x, z, x + between(next, 1, 9), z + between(next, 1, 9), i, between(next, 0, 4) * 3);
    });
    const found = survey(meshOf(rings, metre));
    const wanted: string[] = [];
    const overlap = new Set<string>();
    rings.forEach(({ corners: a }, p) => {
      rings.forEach(({ corners: b }, q) => {
        if (q <= p) return;
        const wide = Math.min(a[2][0], b[2][0]) - Math.max(a[0][0], b[0][0]);
        const deep = Math.min(a[2][2], b[2][2]) - Math.max(a[0][2], b[0][2]);
        if (wide <= 0 || deep <= 0) return;
        overlap.add(`${p},${q}`);
        wanted.push(`${p},${q}: ${wide * deep} m2, ${Math.abs(a[0][1] - b[0][1])} m`);
      });
    });
    const got = found.overlaps.map(({ lower, upper, size, clearance }) => {
      const [p, q] = [lower, upper].sort((one, two) => one - two);
      return `${p},${q}: ${Number(size.toFixed(9))} m2, ${Number(clearance.toFixed(9))} m`;
    });
    expect(got.sort(), `seed ${seed}`).toEqual(wanted.sort());
    for (const pair of overlap) {
      const [p, q] = pair.split(',').map(Number);
      expect(found.floor[p], `seed ${seed}, ${pair}`).not.toBe(found.floor[q]);
    }
    expect(Math.max(...found.floor) + 1, `seed ${seed}`).toBe(found.floors);
  }
});

test('units and axes that look wrong are named with the option that helps', () => {
  const mesh = meshOf([box(0, 0, 10, 10), box(10, 0, 20, 10)], metre);
  const scaled = (by: number, agent: number): NavMesh => ({
    ...mesh,
    vertices: mesh.vertices.map((v) => v * by),
    lattice: { ...mesh.lattice, cell: mesh.lattice.cell * by },
    agent: { height: agent, radius: 0.4 * (agent / 2), climb: 0.4 },
  });
  expect(finding(survey(scaled(100, 200)), 'suspicious-scale')?.message).toContain('--scale 0.01');
  expect(finding(survey(scaled(100, 2)), 'suspicious-scale')).toBeUndefined();
  expect(finding(survey(scaled(600, 0)), 'suspicious-scale')?.message).toContain('--scale 0.01');
  expect(finding(survey(scaled(0.01, 0.02)), 'suspicious-scale')?.message).toContain('--scale 100');
  // a slope of 70 degrees
  const steep: Ring = {
    corners: [
      [0, 0, 0],
      [0, 0, 10],
      [4, 11, 10],
      [4, 11, 0],
    ],
  };
  expect(finding(survey(meshOf([steep], metre)), 'suspicious-axes')?.message).toContain('--axes x,z,-y');
  expect(finding(survey(meshOf([steep, box(10, 0, 30, 20)], metre)), 'suspicious-axes')).toBeUndefined();
  // walls of a file whose floor stands upright
  const wall: Ring = {
    corners: [
      [40, 0, 0],
      [40, 0, 4],
      [40, 4, 4],
      [40, 4, 0],
    ],
  };
  const walls = survey(meshOf([box(0, 0, 1, 1), wall, wall, wall], metre));
  expect(finding(walls, 'dropped-polygon')).toMatchObject({
    count: 3,
    at: [
      [40, 2, 2],
      [40, 2, 2],
      [40, 2, 2],
    ],
  });
  expect(finding(walls, 'suspicious-axes')?.message).toContain('3 of 4 polygons stand upright');
});

test('text and JSON say the same, with places', () => {
  const map = NavMap.fromMesh(meshOf([box(0, 0, 10, 10), box(30, 0, 32, 1)], metre));
  const found = surveyOf(map.toPack(), map.info);
  const text = inspectText('a.bin', map.info, found);
  expect(text).toContain('  1  island (1): an unreachable island of 2 m2');
  expect(text).toContain('     at (31, 0, 0.5)\n');
  expect(text).toContain('Components by area\n');
  const json = inspectJson('a.bin', map.info, found);
  expect(json.findings).toEqual(found.findings);
  expect(json.islands).toEqual(found.islands);
  expect(json.floors).toBe(1);
});
