// Property: however a rectangle is cut into rectangles and dealt to tiles, conforming gives the area and the connectivity
// of its fine lattice. The oracle floods the fine cells; it shares no code with the subject.
import { expect, test } from 'vitest';
import { checkConforming } from '../../src/mesh/check.ts';
import { conform } from '../../src/mesh/conform.ts';
import { between, random } from '../oracle/random.ts';
import { box, meshOf, type Ring } from './handmade.ts';

interface Rect {
  x0: number;
  z0: number;
  x1: number;
  z1: number;
}

function subdivide(next: () => number, rect: Rect, out: Rect[]): void {
  const w = rect.x1 - rect.x0;
  const h = rect.z1 - rect.z0;
  if ((w === 1 && h === 1) || next() < 0.12) {
    // Some rectangles are left out: obstacles.
    if (next() < 0.75) out.push(rect);
    return;
  }
  if (w > 1 && (h === 1 || next() < 0.5)) {
    const at = between(next, rect.x0 + 1, rect.x1 - 1);
    subdivide(next, { ...rect, x1: at }, out);
    subdivide(next, { ...rect, x0: at }, out);
  } else {
    const at = between(next, rect.z0 + 1, rect.z1 - 1);
    subdivide(next, { ...rect, z1: at }, out);
    subdivide(next, { ...rect, z0: at }, out);
  }
}

const SIZE = 16;

/** Component of every fine cell, -1 = obstacle, numbered by first cell in row order. */
function flood(rects: readonly Rect[]): Int32Array {
  const open = new Uint8Array(SIZE * SIZE);
  for (const r of rects) {
    for (let z = r.z0; z < r.z1; z++) for (let x = r.x0; x < r.x1; x++) open[z * SIZE + x] = 1;
  }
  const label = new Int32Array(SIZE * SIZE).fill(-1);
  let count = 0;
  for (let start = 0; start < open.length; start++) {
    if (open[start] === 0 || label[start] >= 0) continue;
    const stack = [start];
    label[start] = count;
    while (stack.length > 0) {
      const at = stack.pop()!;
      const x = at % SIZE;
      const near = [x > 0 ? at - 1 : -1, x < SIZE - 1 ? at + 1 : -1, at - SIZE, at + SIZE];
      for (const to of near) {
        if (to < 0 || to >= open.length || open[to] === 0 || label[to] >= 0) continue;
        label[to] = count;
        stack.push(to);
      }
    }
    count++;
  }
  return label;
}

/** Length of walls between open cells and obstacles or the outside, in cells. */
function wallLength(label: Int32Array): number {
  let walls = 0;
  for (let at = 0; at < label.length; at++) {
    if (label[at] < 0) continue;
    const x = at % SIZE;
    const near = [x > 0 ? at - 1 : -1, x < SIZE - 1 ? at + 1 : -1, at - SIZE, at + SIZE];
    for (const to of near) if (to < 0 || to >= label.length || label[to] < 0) walls++;
  }
  return walls;
}

test.each(['lattice', 'no lattice'])('random subdivisions, %s', (kind) => {
  for (let seed = 1; seed <= 60; seed++) {
    const next = random(seed);
    const rects: Rect[] = [];
    subdivide(next, { x0: 0, z0: 0, x1: SIZE, z1: SIZE }, rects);
    if (rects.length === 0) continue;
    // Each rectangle its own tile: every contact is a portal, T-junctions everywhere.
    const rings: Ring[] = rects.map((r, i) => box(r.x0, r.z0, r.x1, r.z1, i));
    const portals: [number, number][] = [];
    rects.forEach((a, i) => {
      rects.forEach((b, j) => {
        const w = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
        const h = Math.min(a.z1, b.z1) - Math.max(a.z0, b.z0);
        if (i < j && ((w === 0 && h > 0) || (h === 0 && w > 0))) portals.push([i, j]);
      });
    });
    const mesh = conform(meshOf(rings, { portals, noLattice: kind === 'no lattice' }));
    expect(checkConforming(mesh), `seed ${seed}`).toEqual([]);

    const unitsPerCell = 0.25 / mesh.unit;
    let area = 0;
    let walls = 0;
    for (let p = 0; p < mesh.source.length; p++) {
      for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) {
        const d = c + 1 === mesh.first[p + 1] ? mesh.first[p] : c + 1;
        area += mesh.x[c] * mesh.z[d] - mesh.x[d] * mesh.z[c];
        if (mesh.neighbour[c] < 0) walls += Math.abs(mesh.x[c] - mesh.x[d]) + Math.abs(mesh.z[c] - mesh.z[d]);
      }
    }
    const label = flood(rects);
    expect(area / 2 / unitsPerCell ** 2, `area, seed ${seed}`).toBe(label.filter((l) => l >= 0).length);
    expect(walls / unitsPerCell, `walls, seed ${seed}`).toBe(wallLength(label));
    // Two rectangles are connected in the result exactly when their fine cells are.
    const fine = rects.map((r) => label[r.z0 * SIZE + r.x0]);
    const got = rects.map((_, i) => mesh.component[mesh.source.indexOf(i)]);
    const wrong: string[] = [];
    for (let i = 0; i < rects.length; i++) {
      for (let j = 0; j < i; j++) if ((got[i] === got[j]) !== (fine[i] === fine[j])) wrong.push(`${i}, ${j}`);
    }
    expect(wrong, `seed ${seed}`).toEqual([]);
  }
});
