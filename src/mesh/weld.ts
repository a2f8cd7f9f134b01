// Meshes without a lattice: border vertices of two tiles that should be one place are a unit or two apart. Imported by
// conform.ts. The only place where plan positions move by a tolerance; everything after is exact.
import type { Findings } from './findings.ts';
import { type NavMesh, PORTAL, polygonCount } from './navmesh.ts';
import { placeAt } from './places.ts';
import type { SnappedPlan } from './snap.ts';
import { UnionFind } from './unionfind.ts';

/** How far apart two copies of one place may lie, units. */
export const WELD_UNITS = 2;

/** Moves the vertices of linked border edges that lie within the tolerance of each other to one place. */
export function weldBorders(mesh: NavMesh, plan: SnappedPlan, findings: Findings): void {
  const { portals, corners, first } = mesh;
  if (portals.length === 0) return;
  const polygonOf = new Uint32Array(corners.length);
  for (let p = 0; p < polygonCount(mesh); p++) polygonOf.fill(p, first[p], first[p + 1]);
  const sets = new UnionFind(plan.x.length);
  const borderVertices = new Map<number, number[]>();
  const borderOf = (p: number): number[] => {
    let list = borderVertices.get(p);
    if (list === undefined) {
      list = [];
      for (let c = first[p]; c < first[p + 1]; c++) {
        if (mesh.neighbours[c] !== PORTAL) continue;
        const next = c + 1 === first[p + 1] ? first[p] : c + 1;
        for (const v of [corners[c], corners[next]]) if (!list.includes(v)) list.push(v);
      }
      borderVertices.set(p, list);
    }
    return list;
  };
  for (let i = 0; i < portals.length; i += 2) {
    const c = portals[i];
    const p = polygonOf[c];
    const next = c + 1 === first[p + 1] ? first[p] : c + 1;
    for (const v of [corners[c], corners[next]]) {
      for (const w of borderOf(portals[i + 1])) {
        const apart = Math.max(Math.abs(plan.x[v] - plan.x[w]), Math.abs(plan.z[v] - plan.z[w]));
        if (apart > 0 && apart <= WELD_UNITS) sets.union(v, w);
      }
    }
  }
  for (let v = 0; v < plan.x.length; v++) {
    const root = sets.find(v);
    if (plan.x[v] === plan.x[root] && plan.z[v] === plan.z[root]) continue;
    plan.x[v] = plan.x[root];
    plan.z[v] = plan.z[root];
    findings.add('welded-vertex', -1, 1, placeAt(plan.grid, plan.x[v], mesh.vertices[3 * v + 1], plan.z[v]));
  }
}
