// NavMesh -> conforming mesh: exact integers, every shared edge shared whole, one vertex id per walkable fan. Imported by
// map.ts and tools; imports mesh/ only. What it changes is listed in the findings.
//
// Order: snap (and weld, without a lattice) -> convex pieces -> facing edges -> T-junctions split, steps cut -> at most 8
// corners -> ids, links, components. Steps are near-linear; stacked edges of a hostile mesh end in an error.

import { NavguardError } from '../errors.ts';
import { assemblePolygons, fanIds, numbered } from './assemble.ts';
import type { ConformingMesh, PlacedLink } from './conforming.ts';
import type { Pieces } from './edges.ts';
import { Findings } from './findings.ts';
import { placeLinks } from './links.ts';
import { facingEdges } from './meet.ts';
import { type NavMesh, PORTAL, polygonCount, WALL } from './navmesh.ts';
import { cutPieces } from './pieces.ts';
import { edgePlace, placeAt } from './places.ts';
import { recoverBorders } from './recover.ts';
import { joinSeams, type Seams } from './seams.ts';
import { type SnappedPlan, snapVertices } from './snap.ts';
import { UnionFind } from './unionfind.ts';
import { WELD_UNITS, weldBorders } from './weld.ts';

/**
 * Makes a mesh conforming. Throws `BAD_FILE` when the map is empty, wider than 2^25 units or has edges stacked beyond
 * what a walkable map can hold.
 */
export function conform(mesh: NavMesh): ConformingMesh {
  const findings = new Findings();
  const plan = snapVertices(mesh);
  if (plan.offLattice > 0) findings.add('off-lattice', -1, plan.offLattice);
  for (const v of plan.strays) {
    findings.add('off-lattice', -1, 0, placeAt(plan.grid, plan.x[v], mesh.vertices[3 * v + 1], plan.z[v]));
  }
  const tolerance = plan.grid.cellUnits === 0 || plan.offLattice > 0 ? WELD_UNITS : 0;
  if (tolerance > 0) weldBorders(mesh, plan, findings);

  const { pieces, meetings, gone } = cutPieces(mesh, plan, findings);
  const matches = facingEdges(pieces, meetings, tolerance);
  if (tolerance === 0) recoverBorders(mesh, pieces, matches);
  const seams = joinSeams(mesh, plan, pieces, matches, tolerance, findings);
  reportUnlinked(mesh, plan, pieces, seams, gone, findings);

  const polygons = assemblePolygons(plan.grid, pieces, seams, findings);
  if (polygons.source.length === 0) {
    throw new NavguardError('BAD_FILE', 'navmesh: expected at least one polygon with an area, got none', {
      polygons: polygonCount(mesh),
    });
  }
  const { vertex, count: vertexCount } = fanIds(polygons);
  const links = placeLinks(mesh, plan, polygons, findings);
  const { twin, polygonOf } = polygons;
  const neighbour = new Int32Array(polygons.x.length);
  for (let c = 0; c < neighbour.length; c++) neighbour[c] = twin[c] < 0 ? -1 : polygonOf[twin[c]];
  const { component, count: componentCount } = componentsOf(polygons.first, neighbour, links);
  return {
    unit: plan.grid.unit,
    origin: { x: plan.grid.originX, z: plan.grid.originZ },
    first: polygons.first,
    x: polygons.x,
    z: polygons.z,
    y: polygons.y,
    vertex,
    neighbour,
    source: polygons.source,
    component,
    componentCount,
    vertexCount,
    links,
    findings: [...(mesh.findings ?? []), ...findings.list()],
  };
}

/** Components of edges and links, numbered by their first polygon. Linear: each is flooded once. */
function componentsOf(
  first: Uint32Array,
  neighbour: Int32Array,
  links: readonly PlacedLink[],
): { component: Uint32Array; count: number } {
  const polygons = first.length - 1;
  if (links.length > 0) {
    const sets = new UnionFind(polygons);
    for (let p = 0; p < polygons; p++) {
      for (let c = first[p]; c < first[p + 1]; c++) if (neighbour[c] > p) sets.union(p, neighbour[c]);
    }
    for (const { from, to } of links) if (from.polygon >= 0 && to.polygon >= 0) sets.union(from.polygon, to.polygon);
    const { vertex, count } = numbered(sets, polygons);
    return { component: vertex, count };
  }
  const NONE = 0xffffffff;
  const component = new Uint32Array(polygons).fill(NONE);
  const open = new Uint32Array(polygons);
  let count = 0;
  for (let seed = 0; seed < polygons; seed++) {
    if (component[seed] !== NONE) continue;
    component[seed] = count;
    open[0] = seed;
    for (let left = 1; left > 0; ) {
      const p = open[--left];
      for (let c = first[p]; c < first[p + 1]; c++) {
        const q = neighbour[c];
        if (q < 0 || component[q] !== NONE) continue;
        component[q] = count;
        open[left++] = q;
      }
    }
    count++;
  }
  return { component, count };
}

/** Edges that the export links and that met nobody. */
function reportUnlinked(
  mesh: NavMesh,
  plan: SnappedPlan,
  pieces: Pieces,
  seams: Seams,
  gone: Uint8Array,
  findings: Findings,
): void {
  const linked = new Uint8Array(mesh.corners.length);
  for (let i = 0; i < mesh.portals.length; i += 2) linked[mesh.portals[i]] = 1;
  const { first, twin } = seams;
  for (let e = 0; e < pieces.x.length; e++) {
    const corner = pieces.corner[e];
    if (corner < 0 || mesh.neighbours[corner] === WALL) continue;
    let met = false;
    for (let h = first[e]; h < first[e + 1]; h++) if (twin[h] >= 0) met = true;
    if (met) continue;
    const across = mesh.neighbours[corner];
    const source = pieces.source[pieces.piece[e]];
    if (across === PORTAL) {
      if (linked[corner] === 1 && !seams.cut.has(e)) {
        findings.add('unlinked-portal', source, 1, edgePlace(plan.grid, pieces, e));
      }
    } else if (across >= 0 && gone[across] === 0) {
      findings.add('broken-neighbour', source, 1, edgePlace(plan.grid, pieces, e));
    }
  }
}
