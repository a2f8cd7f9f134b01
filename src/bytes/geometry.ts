// Tells level geometry (a model to walk on) from a navmesh (the walkable surface itself). Imported by soup.ts only.
//
// Measured on real files, share of surface steeper than 60 degrees: navmeshes 0 % (Unity), 0 % (Godot), 1.8 %
// (three-pathfinding); models 24 % (nav_test.obj) and 48 % (dungeon.obj). A slab or a box with a large top is not steep: it
// is a closed body, with as much underside as top and no open edge, which no walkable surface has.
import { NavguardError } from '../errors.ts';
import { Chains, hash3 } from './chains.ts';

/** Share of the surface that may be steeper than 60 degrees. */
const MOST_STEEP = 0.1;
/** cos 60 degrees. */
const STEEP_COSINE = 0.5;
/** A closed body: less than this share of its edges is open, and between this and its rest of plan area faces down. */
const MOST_OPEN = 0.02;
const LEAST_UNDERSIDE = 0.25;

/** What the surface of polygons looks like; areas in square metres. */
export interface SurfaceShares {
  area: number;
  steep: number;
  /** Plan area by the winding of its polygons. */
  left: number;
  right: number;
}

/** Newell's normal: half its length is the area, its y share the slope. Any polygon, any winding. */
export function addSurface(shares: SurfaceShares, positions: Float32Array, ring: ArrayLike<number>): void {
  let nx = 0;
  let ny = 0;
  let nz = 0;
  for (let i = 0; i < ring.length; i++) {
    const a = 3 * ring[i];
    const b = 3 * ring[i + 1 === ring.length ? 0 : i + 1];
    nx += (positions[a + 1] - positions[b + 1]) * (positions[a + 2] + positions[b + 2]);
    ny += (positions[a + 2] - positions[b + 2]) * (positions[a] + positions[b]);
    nz += (positions[a] - positions[b]) * (positions[a + 1] + positions[b + 1]);
  }
  const area = Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
  shares.area += area;
  if (Math.abs(ny) / 2 < STEEP_COSINE * area) shares.steep += area;
  if (ny > 0) shares.left += ny / 2;
  else shares.right -= ny / 2;
}

/** The share of edges that one polygon only has, all polygons of a file counted. `ends` are those of the polygons. */
export function shareOfOpenEdges(ends: Uint32Array, corners: Uint32Array, vertexOf: Uint32Array): number {
  const chains = new Chains(corners.length);
  const uses = new Uint32Array(corners.length);
  const edge = new Float64Array(2 * corners.length);
  let edges = 0;
  for (let p = 0, start = 0; p < ends.length; start = ends[p++]) {
    for (let c = start; c < ends[p]; c++) {
      const v = vertexOf[corners[c]];
      const w = vertexOf[corners[c + 1 === ends[p] ? start : c + 1]];
      if (v === w) continue;
      const low = Math.min(v, w);
      const high = Math.max(v, w);
      const hash = hash3(low, high, 0);
      let at = chains.first(hash);
      while (at >= 0 && !(edge[2 * at] === low && edge[2 * at + 1] === high)) at = chains.after(at);
      if (at < 0) {
        at = edges++;
        edge[2 * at] = low;
        edge[2 * at + 1] = high;
        chains.add(at, hash);
      }
      uses[at]++;
    }
  }
  let open = 0;
  for (let i = 0; i < edges; i++) if (uses[i] === 1) open++;
  return edges === 0 ? 0 : open / edges;
}

/**
 * Throws `UNSUPPORTED_FORMAT` for level geometry, with the command that bakes it. `openShare` says which share of all edges
 * belongs to one polygon only; it is asked for where much of the surface faces down.
 */
export function refuseGeometry(format: string, shares: SurfaceShares, openShare: () => number): void {
  const { area, steep, left, right } = shares;
  const share = area === 0 ? 0 : steep / area;
  const underside = Math.min(left, right) / Math.max(left + right, Number.MIN_VALUE);
  const closed = underside >= LEAST_UNDERSIDE && openShare() <= MOST_OPEN;
  if (share <= MOST_STEEP && !closed) return;
  const why =
    share > MOST_STEEP
      ? `${Math.round(100 * share)} % of its surface is steeper than 60 degrees`
      : 'it is a closed body with an underside as large as its top';
  throw new NavguardError(
    'UNSUPPORTED_FORMAT',
    `This ${format} is level geometry, not a navmesh (${why}): make a navmesh of it with "navguard bake <file> -o map.bin"; if its up axis is not y, give axes (--axes x,z,-y).`,
    { kind: 'geometry', name: 'level geometry', steepShare: share, closed },
  );
}
