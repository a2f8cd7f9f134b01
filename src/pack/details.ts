// Detail meshes of a packed map: one per export polygon that is left, shared by its parts. Imported by pack.ts.
import * as L from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';
import type { ConformingMesh } from '../mesh/conforming.ts';
import { type NavMesh, polygonCount } from '../mesh/navmesh.ts';
import { turn } from '../mesh/ring.ts';
import { type PlanGrid, RANGE_UNITS, toUnits } from '../mesh/snap.ts';
import { MOST_DETAIL_TRIS, MOST_DETAIL_VERTS } from './limits.ts';
import { planeOf } from './plane.ts';

export interface Details {
  readonly count: number;
  /** Entry of each export polygon, -1 = nothing is left of it. */
  readonly entryOf: Int32Array;
  /** x (units), y (metres), z (units) of each vertex. */
  readonly verts: number[];
  /** Four bytes per triangle. */
  readonly tris: number[];
  /** Per entry: first vertex, first triangle; one more at the end. */
  readonly firstVert: number[];
  readonly firstTri: number[];
}

/** One detail mesh per export polygon that is left, shared by its parts: its corners, then its extra vertices. */
export function detailMeshes(mesh: NavMesh, conforming: ConformingMesh, grid: PlanGrid): Details {
  const entryOf = new Int32Array(polygonCount(mesh)).fill(-1);
  const verts: number[] = [];
  const tris: number[] = [];
  const firstVert = [0];
  const firstTri = [0];
  let count = 0;
  for (const p of conforming.source) {
    if (entryOf[p] >= 0) continue;
    entryOf[p] = count++;
    const base = verts.length;
    for (let c = mesh.first[p]; c < mesh.first[p + 1]; c++) addVert(verts, grid, mesh.vertices, mesh.corners[c]);
    for (let v = mesh.detailFirstVertex[p]; v < mesh.detailFirstVertex[p + 1]; v++) {
      addVert(verts, grid, mesh.detailVertices, v);
    }
    const corners = mesh.first[p + 1] - mesh.first[p];
    const size = (verts.length - base) / 3;
    const triangles = mesh.detailFirstTriangle[p + 1] - mesh.detailFirstTriangle[p] || corners - 2;
    if (size > MOST_DETAIL_VERTS || triangles > MOST_DETAIL_TRIS) {
      throw new NavguardError(
        'BAD_FILE',
        `polygon ${p} detail mesh: expected at most ${MOST_DETAIL_VERTS} vertices and ${MOST_DETAIL_TRIS} triangles, got ${size} and ${triangles}`,
        { polygon: p },
      );
    }
    for (let v = base; v < verts.length; v += 3) {
      if (
        !(Math.abs(verts[v]) <= RANGE_UNITS && Math.abs(verts[v + 2]) <= RANGE_UNITS && Number.isFinite(verts[v + 1]))
      ) {
        throw new NavguardError(
          'BAD_FILE',
          `polygon ${p} detail vertex ${(v - base) / 3}: expected a place on the map, got ${verts[v]}, ${verts[v + 2]} units at height ${verts[v + 1]}`,
          { polygon: p },
        );
      }
    }
    const mine: { area: number; at: [number, number, number] }[] = [];
    const add = (a: number, b: number, c: number) => {
      const [i, j, k] = [base + 3 * a, base + 3 * b, base + 3 * c];
      const area = turn(verts[i], verts[i + 2], verts[j], verts[j + 2], verts[k], verts[k + 2]);
      mine.push({ area: Math.abs(area), at: [a, area >= 0 ? b : c, area >= 0 ? c : b] });
    };
    const t0 = mesh.detailFirstTriangle[p];
    const t1 = mesh.detailFirstTriangle[p + 1];
    for (let t = t0; t < t1; t++) {
      const [a, b, c] = mesh.detailTriangles.subarray(3 * t, 3 * t + 3);
      if (a >= size || b >= size || c >= size) {
        throw new NavguardError(
          'BAD_FILE',
          `polygon ${p} detail triangle ${t - t0}: expected vertices below ${size}, got ${a}, ${b}, ${c}`,
          { polygon: p },
        );
      }
      add(a, b, c);
    }
    if (t0 === t1) for (let k = 1; k + 1 < corners; k++) add(0, k, k + 1);
    // The largest first: a point is most likely in it, and the search for its triangle soon over.
    mine.sort((one, two) => two.area - one.area);
    for (const { at } of mine) tris.push(...at, 0);
    firstVert.push(verts.length / 3);
    firstTri.push(tris.length / 4);
  }
  return { count, entryOf, verts, tris, firstVert, firstTri };
}

function addVert(verts: number[], grid: PlanGrid, from: Float32Array, v: number): void {
  verts.push(toUnits(grid, from[3 * v], grid.originX), from[3 * v + 1], toUnits(grid, from[3 * v + 2], grid.originZ));
}

/** Lowest and highest vertex of each detail mesh. */
export interface Heights {
  /** Per detail entry. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Writes index, vertices and triangles. */
export function writeDetails(
  view: DataView,
  details: Details,
  detailsAt: number,
  vertsAt: number,
  trisAt: number,
): Heights {
  const low = new Float64Array(details.count).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(details.count).fill(Number.NEGATIVE_INFINITY);
  for (let d = 0; d < details.count; d++) {
    const v0 = details.firstVert[d];
    const v1 = details.firstVert[d + 1];
    const t0 = details.firstTri[d];
    const entry = detailsAt + d * L.DETAIL_STRIDE;
    view.setUint32(entry + L.D_VERTS, vertsAt + v0 * L.DETAIL_VERT_STRIDE, true);
    view.setUint32(entry + L.D_TRIS, trisAt + t0 * L.DETAIL_TRI_STRIDE, true);
    view.setUint32(entry + L.D_VERT_COUNT, v1 - v0, true);
    view.setUint32(entry + L.D_TRI_COUNT, details.firstTri[d + 1] - t0, true);
    const plane = planeOf(details.verts.slice(3 * v0, 3 * v1));
    view.setFloat32(entry + L.D_SLOPE_X, plane.slopeX, true);
    view.setFloat32(entry + L.D_SLOPE_Z, plane.slopeZ, true);
    view.setFloat32(entry + L.D_LEVEL, plane.level, true);
    view.setFloat32(entry + L.D_SPREAD, plane.spread, true);
    for (let v = v0; v < v1; v++) {
      low[d] = Math.min(low[d], details.verts[3 * v + 1]);
      high[d] = Math.max(high[d], details.verts[3 * v + 1]);
    }
  }
  for (let i = 0; i < details.verts.length; i++) view.setFloat32(vertsAt + 4 * i, details.verts[i], true);
  new Uint8Array(view.buffer).set(details.tris, trisAt);
  return { low, high };
}
