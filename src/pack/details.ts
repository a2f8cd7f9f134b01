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
  readonly verts: Float64Array;
  /** Four bytes per triangle. */
  readonly tris: Uint8Array;
  /** Per entry: first vertex, first triangle; one more at the end. */
  readonly firstVert: Uint32Array;
  readonly firstTri: Uint32Array;
}

/** One detail mesh per export polygon that is left, shared by its parts: its corners, then its extra vertices. */
export function detailMeshes(mesh: NavMesh, conforming: ConformingMesh, grid: PlanGrid): Details {
  const { first, corners, vertices, detailFirstVertex, detailFirstTriangle, detailTriangles } = mesh;
  const entryOf = new Int32Array(polygonCount(mesh)).fill(-1);
  const kept = new Uint32Array(conforming.source.length);
  let count = 0;
  for (const p of conforming.source) {
    if (entryOf[p] >= 0) continue;
    entryOf[p] = count;
    kept[count++] = p;
  }
  const firstVert = new Uint32Array(count + 1);
  const firstTri = new Uint32Array(count + 1);
  for (let d = 0; d < count; d++) {
    const p = kept[d];
    const size = first[p + 1] - first[p] + (detailFirstVertex[p + 1] - detailFirstVertex[p]);
    const triangles = trianglesOf(mesh, p);
    if (size > MOST_DETAIL_VERTS || triangles > MOST_DETAIL_TRIS) {
      throw new NavguardError(
        'BAD_FILE',
        `polygon ${p} detail mesh: expected at most ${MOST_DETAIL_VERTS} vertices and ${MOST_DETAIL_TRIS} triangles, got ${size} and ${triangles}`,
        { polygon: p },
      );
    }
    firstVert[d + 1] = firstVert[d] + size;
    firstTri[d + 1] = firstTri[d] + triangles;
  }
  const verts = new Float64Array(3 * firstVert[count]);
  const tris = new Uint8Array(4 * firstTri[count]);
  const sorted = new Sorted(tris);
  for (let d = 0; d < count; d++) {
    const p = kept[d];
    const base = 3 * firstVert[d];
    const size = firstVert[d + 1] - firstVert[d];
    let to = base;
    for (let c = first[p]; c < first[p + 1]; c++, to += 3) putVert(verts, to, grid, vertices, corners[c]);
    for (let v = detailFirstVertex[p]; v < detailFirstVertex[p + 1]; v++, to += 3) {
      putVert(verts, to, grid, mesh.detailVertices, v);
    }
    for (let v = base; v < to; v += 3) {
      const x = verts[v];
      const z = verts[v + 2];
      if (!(Math.abs(x) <= RANGE_UNITS && Math.abs(z) <= RANGE_UNITS && Number.isFinite(verts[v + 1]))) {
        throw new NavguardError(
          'BAD_FILE',
          `polygon ${p} detail vertex ${(v - base) / 3}: expected a place on the map, got ${x}, ${z} units at height ${verts[v + 1]}`,
          { polygon: p },
        );
      }
    }
    const t0 = detailFirstTriangle[p];
    const t1 = detailFirstTriangle[p + 1];
    sorted.begin(4 * firstTri[d]);
    for (let t = t0; t < t1; t++) {
      const a = detailTriangles[3 * t];
      const b = detailTriangles[3 * t + 1];
      const c = detailTriangles[3 * t + 2];
      if (a >= size || b >= size || c >= size) {
        throw new NavguardError(
          'BAD_FILE',
          `polygon ${p} detail triangle ${t - t0}: expected vertices below ${size}, got ${a}, ${b}, ${c}`,
          { polygon: p },
        );
      }
      sorted.add(verts, base, a, b, c);
    }
    if (t0 === t1) for (let k = 1; k <= trianglesOf(mesh, p); k++) sorted.add(verts, base, 0, k, k + 1);
  }
  return { count, entryOf, verts, tris, firstVert, firstTri };
}

/** Without triangles of its own, a polygon is the fan over its corners. */
function trianglesOf({ first, detailFirstTriangle }: NavMesh, p: number): number {
  return detailFirstTriangle[p + 1] - detailFirstTriangle[p] || Math.max(0, first[p + 1] - first[p] - 2);
}

function putVert(verts: Float64Array, to: number, grid: PlanGrid, from: Float32Array, v: number): void {
  verts[to] = toUnits(grid, from[3 * v], grid.originX);
  verts[to + 1] = from[3 * v + 1];
  verts[to + 2] = toUnits(grid, from[3 * v + 2], grid.originZ);
}

/**
 * The triangles of one detail mesh, counter-clockwise, the largest in plan first (equal ones in the export's order): a point
 * is most likely in the first, and the search for its triangle soon over. Sorted as they come: there are few, and never
 * more than 512.
 */
class Sorted {
  readonly #tris: Uint8Array;
  readonly #areas = new Float64Array(MOST_DETAIL_TRIS);
  #at = 0;
  #count = 0;

  constructor(tris: Uint8Array) {
    this.#tris = tris;
  }

  begin(at: number): void {
    this.#at = at;
    this.#count = 0;
  }

  add(verts: Float64Array, base: number, a: number, b: number, c: number): void {
    const i = base + 3 * a;
    const j = base + 3 * b;
    const k = base + 3 * c;
    const signed = turn(verts[i], verts[i + 2], verts[j], verts[j + 2], verts[k], verts[k + 2]);
    const area = Math.abs(signed);
    const areas = this.#areas;
    const tris = this.#tris;
    let place = this.#count++;
    for (; place > 0 && areas[place - 1] < area; place--) {
      areas[place] = areas[place - 1];
      const to = this.#at + 4 * place;
      tris[to] = tris[to - 4];
      tris[to + 1] = tris[to - 3];
      tris[to + 2] = tris[to - 2];
    }
    areas[place] = area;
    const to = this.#at + 4 * place;
    tris[to] = a;
    tris[to + 1] = signed >= 0 ? b : c;
    tris[to + 2] = signed >= 0 ? c : b;
  }
}

/** Lowest and highest vertex of each detail mesh. */
export interface Heights {
  /** Per detail entry. */
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Writes index, vertices and triangles. */
export function writeDetails(
  buffer: ArrayBuffer,
  details: Details,
  detailsAt: number,
  vertsAt: number,
  trisAt: number,
): Heights {
  const f = new Float32Array(buffer);
  const u = new Uint32Array(buffer);
  const { count, verts, firstVert, firstTri } = details;
  const low = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const high = new Float64Array(count).fill(Number.NEGATIVE_INFINITY);
  for (let d = 0, at = detailsAt >>> 2; d < count; d++, at += L.DETAIL_STRIDE >>> 2) {
    const v0 = firstVert[d];
    const v1 = firstVert[d + 1];
    u[at + (L.D_VERTS >>> 2)] = vertsAt + v0 * L.DETAIL_VERT_STRIDE;
    u[at + (L.D_TRIS >>> 2)] = trisAt + firstTri[d] * L.DETAIL_TRI_STRIDE;
    u[at + (L.D_VERT_COUNT >>> 2)] = v1 - v0;
    u[at + (L.D_TRI_COUNT >>> 2)] = firstTri[d + 1] - firstTri[d];
    const plane = planeOf(verts, 3 * v0, 3 * v1);
    f[at + (L.D_SLOPE_X >>> 2)] = plane.slopeX;
    f[at + (L.D_SLOPE_Z >>> 2)] = plane.slopeZ;
    f[at + (L.D_LEVEL >>> 2)] = plane.level;
    f[at + (L.D_SPREAD >>> 2)] = plane.spread;
    let bottom = Number.POSITIVE_INFINITY;
    let top = Number.NEGATIVE_INFINITY;
    for (let v = 3 * v0 + 1; v < 3 * v1; v += 3) {
      bottom = Math.min(bottom, verts[v]);
      top = Math.max(top, verts[v]);
    }
    low[d] = bottom;
    high[d] = top;
  }
  f.set(verts, vertsAt >>> 2);
  new Uint8Array(buffer).set(details.tris, trisAt);
  return { low, high };
}
