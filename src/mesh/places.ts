// Where a finding is: places of polygons, edges and points in metres, rounded to the millimetre. Imported by the other
// files of mesh/.

import { nextEdge, type Pieces } from './edges.ts';
import type { Place } from './findings.ts';
import type { NavMesh } from './navmesh.ts';
import type { PlanGrid } from './snap.ts';

/** A place of the grid; y is metres already. */
export function placeAt(grid: PlanGrid, x: number, y: number, z: number): Place {
  return [metres(grid.originX + x * grid.unit), metres(y), metres(grid.originZ + z * grid.unit)];
}

/** The mean of an export polygon's corners. */
export function polygonPlace({ first, corners, vertices }: NavMesh, p: number): Place {
  const at: [number, number, number] = [0, 0, 0];
  const count = first[p + 1] - first[p];
  for (let c = first[p]; c < first[p + 1]; c++) {
    for (let axis = 0; axis < 3; axis++) at[axis] += vertices[3 * corners[c] + axis] / count;
  }
  return [metres(at[0]), metres(at[1]), metres(at[2])];
}

/** The mean of a piece's corners. */
export function piecePlace(grid: PlanGrid, { first, x, y, z }: Pieces, k: number): Place {
  const count = first[k + 1] - first[k];
  const mean = (of: Int32Array | Float64Array) => {
    let sum = 0;
    for (let e = first[k]; e < first[k + 1]; e++) sum += of[e] / count;
    return sum;
  };
  return placeAt(grid, mean(x), mean(y), mean(z));
}

/** The middle of an edge. */
export function edgePlace(grid: PlanGrid, pieces: Pieces, e: number): Place {
  const end = nextEdge(pieces, e);
  const { x, y, z } = pieces;
  return placeAt(grid, (x[e] + x[end]) / 2, (y[e] + y[end]) / 2, (z[e] + z[end]) / 2);
}

/** The middle of what two facing edges share. */
export function borderPlace(grid: PlanGrid, pieces: Pieces, e: number, f: number): Place {
  const { x, y, z } = pieces;
  const end = nextEdge(pieces, e);
  const dx = x[end] - x[e];
  const dz = z[end] - z[e];
  const along = (i: number) =>
    Math.min(Math.max(((x[i] - x[e]) * dx + (z[i] - z[e]) * dz) / (dx * dx + dz * dz), 0), 1);
  const t = (along(f) + along(nextEdge(pieces, f))) / 2;
  return placeAt(grid, x[e] + t * dx, y[e] + t * (y[end] - y[e]), z[e] + t * dz);
}

function metres(value: number): number {
  // + 0 turns -0 into 0.
  return Number(value.toFixed(3)) + 0;
}
