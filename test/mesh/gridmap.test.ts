// Grid rows as a navmesh: the same area and connectivity as the cells; bodies wider than a cell against brute force.
import { describe, expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import { checkConforming } from '../../src/mesh/check.ts';
import { conform } from '../../src/mesh/conform.ts';
import type { ConformingMesh } from '../../src/mesh/conforming.ts';
import { gridToNavMesh } from '../../src/mesh/gridmap.ts';
import { checkPack } from '../../src/pack/check.ts';
import { pack } from '../../src/pack/pack.ts';
import { random } from '../oracle/random.ts';

const PLAIN = { cell: 1, origin: [0, 0] as const, agent: 1 };

function conformed(rows: readonly string[], options: Parameters<typeof gridToNavMesh>[1] = PLAIN): ConformingMesh {
  const mesh = gridToNavMesh(rows, options);
  const result = conform(mesh);
  expect(checkConforming(result)).toEqual([]);
  expect(result.findings.filter((f) => f.kind !== 'split-edge' && f.kind !== 'split-polygon')).toEqual([]);
  checkPack(pack(mesh, result));
  return result;
}

function areaInCells(mesh: ConformingMesh, cell: number): number {
  let sum = 0;
  for (let p = 0; p < mesh.source.length; p++) {
    for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) {
      const d = c + 1 === mesh.first[p + 1] ? mesh.first[p] : c + 1;
      sum += mesh.x[c] * mesh.z[d] - mesh.x[d] * mesh.z[c];
    }
  }
  return ((sum / 2) * mesh.unit ** 2) / cell ** 2;
}

/** The polygons (closed) that hold a place given in metres. */
function holders(mesh: ConformingMesh, x: number, z: number): number[] {
  const px = (x - mesh.origin.x) / mesh.unit;
  const pz = (z - mesh.origin.z) / mesh.unit;
  const found: number[] = [];
  for (let p = 0; p < mesh.source.length; p++) {
    let inside = true;
    for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) {
      const d = c + 1 === mesh.first[p + 1] ? mesh.first[p] : c + 1;
      const side = (mesh.x[d] - mesh.x[c]) * (pz - mesh.z[c]) - (mesh.z[d] - mesh.z[c]) * (px - mesh.x[c]);
      if (side < 0) inside = false;
    }
    if (inside) found.push(p);
  }
  return found;
}

function randomRows(seed: number, width: number, height: number, blocked: number): string[] {
  const next = random(seed);
  return Array.from({ length: height }, () =>
    Array.from({ length: width }, () => (next() < blocked ? '#' : '.')).join(''),
  );
}

describe('point bodies', () => {
  test.each([
    { name: 'cell 1', options: PLAIN },
    { name: 'cell 0.3 at an odd origin', options: { cell: 0.3, origin: [-12.7, 5.1] as const, agent: 1 } },
    { name: 'far away', options: { cell: 0.5, origin: [1_000_000, -2_000_000] as const, agent: 1 } },
  ])('area and connectivity are those of the cells: $name', ({ options }) => {
    for (let seed = 1; seed <= 12; seed++) {
      const rows = randomRows(seed, 19, 14, 0.35);
      const mesh = conformed(rows, options);
      expect(areaInCells(mesh, options.cell)).toBeCloseTo(rows.join('').split('.').length - 1, 9);
      // Neighbouring free cells lie in one component; diagonal ones need not.
      const at = (i: number, j: number) =>
        holders(mesh, options.origin[0] + (i + 0.5) * options.cell, options.origin[1] + (j + 0.5) * options.cell);
      for (let j = 0; j < 14; j++) {
        for (let i = 0; i < 19; i++) {
          const here = at(i, j);
          expect(here.length > 0, `seed ${seed} cell ${i}, ${j}`).toBe(rows[j][i] === '.');
          if (rows[j][i] === '.' && rows[j][i + 1] === '.') {
            expect(mesh.component[here[0]]).toBe(mesh.component[at(i + 1, j)[0]]);
          }
          if (rows[j][i] === '.' && rows[j + 1]?.[i] === '.') {
            expect(mesh.component[here[0]]).toBe(mesh.component[at(i, j + 1)[0]]);
          }
        }
      }
    }
  });

  test('between two blocked cells is a pinch: two ids, two components', () => {
    const mesh = conformed(['.#', '#.']);
    expect(mesh.componentCount).toBe(2);
    expect(mesh.vertexCount).toBe(8);
  });

  test('an open field is one rectangle', () => {
    const mesh = conformed(Array.from({ length: 50 }, () => '.'.repeat(80)));
    expect(mesh.source.length).toBe(1);
    expect(mesh.first[1]).toBe(4);
  });
});

describe('bodies wider than a cell', () => {
  test.each([2, 3, 4])('agent %i: free places are those of brute force, one unit apart from touching', (agent) => {
    for (let seed = 1; seed <= 6; seed++) {
      const rows = randomRows(seed + 100 * agent, 12, 11, 0.08);
      const half = (agent - 1) / 2;
      const unit = 1 / 1024;
      // A place is free when no blocked cell or outside, grown by half and one unit, holds it in its inside.
      const free = (x: number, z: number) => {
        const by = half + unit;
        if (x < by || z < by || x > 12 - by || z > 11 - by) return false;
        return rows.every((row, j) =>
          [...row].every((c, i) => c === '.' || !(x > i - by && x < i + 1 + by && z > j - by && z < j + 1 + by)),
        );
      };
      const wrong: [number, number][] = [];
      let mesh: ConformingMesh;
      try {
        mesh = conformed(rows, { cell: 1, origin: [0, 0], agent });
      } catch (error) {
        // No room anywhere: then brute force finds none either.
        expect(String(error)).toContain('room for the body');
        for (let z = 0; z <= 11; z += 0.25) for (let x = 0; x <= 12; x += 0.25) expect(free(x, z)).toBe(false);
        continue;
      }
      for (let z = 0; z <= 11; z += 0.25) {
        for (let x = 0; x <= 12; x += 0.25) {
          if (holders(mesh, x, z).length > 0 !== free(x, z)) wrong.push([x, z]);
        }
      }
      expect(wrong, `seed ${seed}`).toEqual([]);
    }
  });

  test('a 2 x 2 body diagonally past a blocked tile: the corner place is off the map', () => {
    // Centres (1, 2) and (2, 1) are free, the middle of the move touches the tile's grown corner.
    const mesh = conformed(['.....', '.....', '..#..', '.....', '.....'], { cell: 1, origin: [0, 0], agent: 2 });
    expect(holders(mesh, 1, 2).length).toBeGreaterThan(0);
    expect(holders(mesh, 2, 1).length).toBeGreaterThan(0);
    expect(holders(mesh, 1.5, 1.5)).toEqual([]);
  });
});

describe('rows that do not hold together', () => {
  test.each([
    { rows: [], says: /at least one row/ },
    { rows: [''], says: /row 0/ },
    { rows: ['..', '...'], says: /row 1: expected 2 columns like row 0, got 3/ },
    { rows: ['..', '.x'], says: /row 1 column 1: expected '\.' or '#', got "x"/ },
    { rows: ['##', '##'], says: /room for the body/ },
  ])('$says', ({ rows, says }) => {
    expect(() => gridToNavMesh(rows, PLAIN)).toThrow(NavguardError);
    expect(() => gridToNavMesh(rows, PLAIN)).toThrow(says);
  });

  test.each([
    { options: { ...PLAIN, cell: 0 }, says: /cell: expected 0.01 to 10000 m, got 0/ },
    { options: { ...PLAIN, cell: Number.NaN }, says: /cell: expected/ },
    { options: { ...PLAIN, agent: 1.5 }, says: /agent: expected 1 to 1024 cells, got 1.5/ },
    { options: { ...PLAIN, origin: [Number.POSITIVE_INFINITY, 0] as const }, says: /origin: expected/ },
    { options: { cell: 0.3, origin: [9_000_000, 0] as const, agent: 1 }, says: /origin: expected near enough/ },
  ])('$says', ({ options, says }) => {
    expect(() => gridToNavMesh(['...', '...'], options)).toThrow(says);
  });
});
