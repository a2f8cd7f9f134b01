// Puts the ends of off-mesh links on polygons. Imported by conform.ts.
import type { Polygons } from './assemble.ts';
import { type Bins, buildBins } from './bins.ts';
import type { Findings } from './findings.ts';
import type { NavMesh } from './navmesh.ts';
import { turn } from './ring.ts';
import { type SnappedPlan, toUnits } from './snap.ts';
import { surfaceHeight } from './surface.ts';

export interface PlacedLink {
  readonly link: number;
  readonly polyFrom: number;
  readonly polyTo: number;
}

/**
 * For both ends of every link: the polygon that holds it (closed, exact; of several floors the nearest in height), else
 * the nearest in plan within the link's radius; -1 and a finding when there is none. A floor farther in height than the
 * agent is tall is another floor. Cost per end: the polygons in the touched cells.
 */
export function placeLinks(mesh: NavMesh, plan: SnappedPlan, polygons: Polygons, findings: Findings): PlacedLink[] {
  if (mesh.links.length === 0) return [];
  const bins = buildBins(polygons, 1024, 1);
  return mesh.links.map((link, number) => {
    const band = Math.max(mesh.agent.height, mesh.agent.climb, link.radius);
    const polyFrom = holder(mesh, plan, polygons, bins, link.from, link.radius, band);
    const polyTo = holder(mesh, plan, polygons, bins, link.to, link.radius, band);
    if (polyFrom < 0 || polyTo < 0) findings.add('unlinked-link', -1);
    return { link: number, polyFrom, polyTo };
  });
}

function holder(
  mesh: NavMesh,
  plan: SnappedPlan,
  polygons: Polygons,
  bins: Bins,
  position: readonly [number, number, number],
  radius: number,
  band: number,
): number {
  const { grid } = bins;
  const x = toUnits(plan.grid, position[0], plan.grid.originX);
  const z = toUnits(plan.grid, position[2], plan.grid.originZ);
  const reach = radius / plan.grid.unit;
  const i0 = Math.max(0, Math.floor((x - reach - grid.x) / grid.cell));
  const i1 = Math.min(grid.width - 1, Math.floor((x + reach - grid.x) / grid.cell));
  const j0 = Math.max(0, Math.floor((z - reach - grid.z) / grid.cell));
  const j1 = Math.min(grid.height - 1, Math.floor((z + reach - grid.z) / grid.cell));
  let best = -1;
  let bestAway = Number.POSITIVE_INFINITY;
  let bestGap = Number.POSITIVE_INFINITY;
  for (let j = j0; j <= j1; j++) {
    for (let i = i0; i <= i1; i++) {
      for (let k = bins.start[j * grid.width + i]; k < bins.start[j * grid.width + i + 1]; k++) {
        const p = bins.list[k];
        const near = nearest(polygons, p, x, z);
        if (near.away > reach || near.away > bestAway) continue;
        const gap = Math.abs(surfaceHeight(mesh, plan, polygons.source[p], near.x, near.z) - position[1]);
        if (gap > band) continue;
        if (near.away < bestAway || gap < bestGap || (gap === bestGap && p < best)) {
          best = p;
          bestAway = near.away;
          bestGap = gap;
        }
      }
    }
  }
  return best;
}

/** The polygon's point nearest to (x, z) and its distance in units: 0 when the closed polygon holds the point. */
function nearest(polygons: Polygons, p: number, x: number, z: number): { x: number; z: number; away: number } {
  const from = polygons.first[p];
  const to = polygons.first[p + 1];
  let inside = true;
  let best = { x, z, away: Number.POSITIVE_INFINITY };
  for (let c = from; c < to; c++) {
    const d = c + 1 === to ? from : c + 1;
    const ax = polygons.x[c];
    const az = polygons.z[c];
    const dx = polygons.x[d] - ax;
    const dz = polygons.z[d] - az;
    if (turn(ax, az, ax + dx, az + dz, x, z) < 0) inside = false;
    const t = Math.min(Math.max(((x - ax) * dx + (z - az) * dz) / (dx * dx + dz * dz), 0), 1);
    const px = ax + t * dx;
    const pz = az + t * dz;
    const away = Math.sqrt((px - x) * (px - x) + (pz - z) * (pz - z));
    if (away < best.away) best = { x: px, z: pz, away };
  }
  return inside ? { x, z, away: 0 } : best;
}
