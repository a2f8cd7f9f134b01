// Heights of an export polygon's detail surface at a plan point in units. Imported by conform.ts (border steps, links).
// A float question about heights, never about who is inside: planimetry stays exact elsewhere.
import type { NavMesh } from './navmesh.ts';
import { type SnappedPlan, toUnits } from './snap.ts';

/**
 * Height in metres of polygon p's surface at (x, z): the detail triangle that holds the point, else the one it is least
 * outside of, clamped to its rim. Without detail triangles the fan over the corners is the surface.
 */
export function surfaceHeight(mesh: NavMesh, plan: SnappedPlan, p: number, x: number, z: number): number {
  const from = mesh.first[p];
  const count = mesh.first[p + 1] - from;
  const t0 = mesh.detailFirstTriangle[p];
  const triangles = mesh.detailFirstTriangle[p + 1] - t0;
  const at = (k: number): [number, number, number] => {
    if (k < count) {
      const v = mesh.corners[from + k];
      return [plan.x[v], mesh.vertices[3 * v + 1], plan.z[v]];
    }
    const v = 3 * (mesh.detailFirstVertex[p] + k - count);
    return [
      toUnits(plan.grid, mesh.detailVertices[v], plan.grid.originX),
      mesh.detailVertices[v + 1],
      toUnits(plan.grid, mesh.detailVertices[v + 2], plan.grid.originZ),
    ];
  };
  let least = Number.POSITIVE_INFINITY;
  let height = at(0)[1];
  const steps = triangles > 0 ? triangles : count - 2;
  for (let t = 0; t < steps; t++) {
    const i = 3 * (t0 + t);
    const [ax, ay, az] = at(triangles > 0 ? mesh.detailTriangles[i] : 0);
    const [bx, by, bz] = at(triangles > 0 ? mesh.detailTriangles[i + 1] : t + 1);
    const [cx, cy, cz] = at(triangles > 0 ? mesh.detailTriangles[i + 2] : t + 2);
    const area = (bx - ax) * (cz - az) - (bz - az) * (cx - ax);
    if (area === 0) continue;
    // Weights of the corners, negative where the point lies outside the opposite side.
    const wa = ((bx - x) * (cz - z) - (bz - z) * (cx - x)) / area;
    const wb = ((cx - x) * (az - z) - (cz - z) * (ax - x)) / area;
    const wc = ((ax - x) * (bz - z) - (az - z) * (bx - x)) / area;
    const outside = -Math.min(wa, wb, wc, 0) * Math.abs(area);
    if (outside < least) {
      least = outside;
      const ka = Math.max(wa, 0);
      const kb = Math.max(wb, 0);
      const kc = Math.max(wc, 0);
      height = (ka * ay + kb * by + kc * cy) / (ka + kb + kc);
      if (outside === 0) return height;
    }
  }
  return height;
}
