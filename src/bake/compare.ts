// What two bakes of one level differ in: places that only one of them has. Imported by bake/index.ts.
import type { NavMap } from '../map.ts';
import { type NavMesh, polygonCount } from '../mesh/navmesh.ts';
import type { Vec3 } from '../types.ts';

/** Ground that one map has and the other has not. */
export interface OneSided {
  /** Connected patches. */
  readonly places: number;
  /** Square metres in plan. */
  readonly area: number;
  /** The largest patches, largest first: a point of each, and its area. */
  readonly largest: readonly { readonly at: Vec3; readonly area: number }[];
}

export interface Difference {
  readonly onlyA: OneSided;
  readonly onlyB: OneSided;
}

/** One map, as its file spells it and ready for questions. */
export interface Baked {
  readonly mesh: NavMesh;
  readonly map: NavMap;
}

/** Metres by which a polygon's plane may miss the ground it stands for. */
const PLANE_ERROR = 4;
/** Samples of one map's ground: beyond it they lie farther apart. */
const MOST_SAMPLES = 400_000;
const SHOWN = 5;

/**
 * Looks for the ground of each map in the other, on a lattice of `cell` metres (wider when that gives more than 400,000
 * samples). Ground is the same where both have it within `rise` metres of height.
 */
export function compareMaps(a: Baked, b: Baked, cell: number, rise: number): Difference {
  const widest = Math.max(planArea(a.mesh), planArea(b.mesh));
  const step = Math.max(cell, Math.sqrt(widest / MOST_SAMPLES));
  return {
    onlyA: missing(a, b.map, step, rise),
    onlyB: missing(b, a.map, step, rise),
  };
}

/** Plan area of all polygons, square metres. */
export function planArea(mesh: NavMesh): number {
  let sum = 0;
  for (let p = 0; p < polygonCount(mesh); p++) sum += Math.abs(polygonArea(mesh, p));
  return sum;
}

function polygonArea({ vertices: v, first, corners }: NavMesh, p: number): number {
  let twice = 0;
  for (let c = first[p], last = first[p + 1] - 1; c < first[p + 1]; last = c++) {
    const [i, j] = [3 * corners[last], 3 * corners[c]];
    twice += v[i] * v[j + 2] - v[j] * v[i + 2];
  }
  return twice / 2;
}

/** Samples of a mesh that another map has no ground for, joined into patches. */
function missing({ mesh, map }: Baked, other: NavMap, step: number, rise: number): OneSided {
  const samples: Vec3[] = [];
  const cells = new Map<string, number[]>();
  for (let p = 0; p < polygonCount(mesh); p++) {
    for (const plane of samplesOf(mesh, p, step)) {
      // a large polygon's plane cuts through hills: the map knows the ground's own height
      const point = map.locate(plane, { below: PLANE_ERROR, above: PLANE_ERROR, tolerance: 0 })?.point ?? plane;
      if (other.locate(point, { below: rise, above: rise, tolerance: step / 2 }) !== null) continue;
      const key = `${Math.floor(point[0] / step)},${Math.floor(point[2] / step)}`;
      const here = cells.get(key);
      if (here === undefined) cells.set(key, [samples.length]);
      else here.push(samples.length);
      samples.push(point);
    }
  }
  const seen = new Uint8Array(samples.length);
  const patches: { at: Vec3; area: number }[] = [];
  for (let start = 0; start < samples.length; start++) {
    if (seen[start]) continue;
    seen[start] = 1;
    const patch = [start];
    for (let k = 0; k < patch.length; k++) {
      const [x, y, z] = samples[patch[k]];
      const [cx, cz] = [Math.floor(x / step), Math.floor(z / step)];
      for (let dx = -1; dx <= 1; dx++) {
        for (let dz = -1; dz <= 1; dz++) {
          for (const n of cells.get(`${cx + dx},${cz + dz}`) ?? []) {
            if (seen[n] || Math.abs(samples[n][1] - y) > rise) continue;
            seen[n] = 1;
            patch.push(n);
          }
        }
      }
    }
    // the sample nearest to the middle stands for the patch: a ring's own middle may be no part of it
    const mean = [0, 2].map((axis) => patch.reduce((sum, n) => sum + samples[n][axis], 0) / patch.length);
    const away = (n: number): number => (samples[n][0] - mean[0]) ** 2 + (samples[n][2] - mean[1]) ** 2;
    const at = patch.reduce((best, n) => (away(n) < away(best) ? n : best), patch[0]);
    patches.push({ at: samples[at], area: patch.length * step * step });
  }
  patches.sort((p, q) => q.area - p.area || p.at[0] - q.at[0] || p.at[2] - q.at[2]);
  return {
    places: patches.length,
    area: patches.reduce((sum, patch) => sum + patch.area, 0),
    largest: patches.slice(0, SHOWN),
  };
}

/** Lattice points inside a polygon, with the height of its corner fan. */
function* samplesOf(mesh: NavMesh, p: number, step: number): Generator<[number, number, number]> {
  const { vertices: v, first, corners } = mesh;
  for (let c = first[p] + 1; c + 1 < first[p + 1]; c++) {
    const [i, j, k] = [3 * corners[first[p]], 3 * corners[c], 3 * corners[c + 1]];
    const area = (v[j] - v[i]) * (v[k + 2] - v[i + 2]) - (v[j + 2] - v[i + 2]) * (v[k] - v[i]);
    if (area === 0) continue;
    const lowX = Math.floor(Math.min(v[i], v[j], v[k]) / step);
    const highX = Math.ceil(Math.max(v[i], v[j], v[k]) / step);
    const lowZ = Math.floor(Math.min(v[i + 2], v[j + 2], v[k + 2]) / step);
    const highZ = Math.ceil(Math.max(v[i + 2], v[j + 2], v[k + 2]) / step);
    for (let gx = lowX; gx <= highX; gx++) {
      for (let gz = lowZ; gz <= highZ; gz++) {
        const [x, z] = [(gx + 0.5) * step, (gz + 0.5) * step];
        const s = ((x - v[i]) * (v[k + 2] - v[i + 2]) - (z - v[i + 2]) * (v[k] - v[i])) / area;
        const t = ((v[j] - v[i]) * (z - v[i + 2]) - (v[j + 2] - v[i + 2]) * (x - v[i])) / area;
        // one side closed, the other open: a point on the edge of two triangles counts once, as often as not
        if (s < 0 || t < 0 || s + t >= 1) continue;
        yield [x, v[i + 1] + s * (v[j + 1] - v[i + 1]) + t * (v[k + 1] - v[i + 1]), z];
      }
    }
  }
}
