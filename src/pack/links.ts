// The link section of a packed map: records, and per polygon the chain of ends that links leave from. Imported by pack.ts;
// the chains also by checklinks.ts, which compares.
import * as L from '../../assembly/layout.ts';
import { NavguardError } from '../errors.ts';
import type { ConformingMesh } from '../mesh/conforming.ts';
import type { NavMesh } from '../mesh/navmesh.ts';
import { type PlanGrid, RANGE_UNITS } from '../mesh/snap.ts';
import { fail } from './limits.ts';

/** What a side file says of some links beside what their records hold: `count` of them from `first` on. */
export interface LinkNote {
  readonly first: number;
  readonly count: number;
  readonly name?: string;
  readonly width?: number;
  readonly agentType?: string;
  readonly autoUpdate?: boolean;
}

/** What decides the chains: polygons of A and B (-1 = none) and whether the link goes both ways. */
export interface ChainLink {
  readonly a: number;
  readonly b: number;
  readonly both: boolean;
}

/** Bits of L_STATE that may be set: the ways that a link has. */
export function stateOf(link: ChainLink): number {
  if (link.a < 0 || link.b < 0) return 0;
  return link.both ? 3 : 1;
}

/**
 * Chains of link ends, ascending: `head[p]` and `next[e]` are 1 + an end, 0 = none. Throws `BAD_FILE` when more links leave
 * from one polygon than a search may be asked to look at.
 */
export function linkChains(
  polygons: number,
  links: readonly ChainLink[],
): { readonly head: Map<number, number>; readonly next: Uint32Array } {
  const head = new Map<number, number>();
  const size = new Map<number, number>();
  const next = new Uint32Array(2 * links.length);
  if (links.length > L.MAX_LINKS) fail('links', `at most ${L.MAX_LINKS}`, `${links.length}`);
  for (let e = 2 * links.length - 1; e >= 0; e--) {
    const link = links[e >>> 1];
    if (((stateOf(link) >>> (e & 1)) & 1) === 0) continue;
    const p = (e & 1) === 0 ? link.a : link.b;
    if (p >= polygons) fail(`link ${e >>> 1} polygon`, `below ${polygons}`, `${p}`);
    const count = (size.get(p) ?? 0) + 1;
    if (count > L.MAX_POLY_LINKS) fail(`polygon ${p} links`, `at most ${L.MAX_POLY_LINKS} leaving`, `${count}`);
    size.set(p, count);
    next[e] = head.get(p) ?? 0;
    head.set(p, e + 1);
  }
  return { head, next };
}

/** L_COST of a multiplier. */
function costWord(cost = 1): number {
  return cost > 1 ? cost : 0;
}

/** What records of links do not hold, for the INFO section; nothing when no link says more. */
export function linkNotes(mesh: NavMesh, conforming: ConformingMesh): { links?: LinkNote[] } {
  const notes: LinkNote[] = [];
  conforming.links.forEach(({ link, strip }, i) => {
    const { name, width, agentType, autoUpdate } = mesh.links[link];
    if (strip) {
      const last = notes[notes.length - 1];
      if (last !== undefined && last.first + last.count === i)
        notes[notes.length - 1] = { ...last, count: last.count + 1 };
      return;
    }
    if (name === undefined && agentType === undefined && autoUpdate === undefined && !width) return;
    notes.push({
      first: i,
      count: 1,
      ...(name === undefined ? {} : { name }),
      ...(width ? { width } : {}),
      ...(agentType === undefined ? {} : { agentType }),
      ...(autoUpdate === undefined ? {} : { autoUpdate }),
    });
  });
  return notes.length === 0 ? {} : { links: notes };
}

/** Writes the link records at `linksAt`, and the chains' heads into the polygon records at `polysAt`. */
export function writeLinks(
  view: DataView,
  mesh: NavMesh,
  conforming: ConformingMesh,
  grid: PlanGrid,
  polysAt: number,
  linksAt: number,
): void {
  const ends = conforming.links.map(({ link, from, to }): ChainLink => {
    return { a: from.polygon, b: to.polygon, both: mesh.links[link].bidirectional };
  });
  const { head, next } = linkChains(conforming.source.length, ends);
  const record = (p: number) => (p < 0 ? 0 : polysAt + p * L.POLY_STRIDE);
  conforming.links.forEach(({ link, from, to, radius, strip, open }, i) => {
    const at = linksAt + i * L.LINK_STRIDE;
    const source = mesh.links[link];
    [from, to].forEach((end, side) => {
      checkRange(grid, end.x, source[side === 0 ? 'from' : 'to'][0], link);
      checkRange(grid, end.z, source[side === 0 ? 'from' : 'to'][2], link);
      const place = at + side * L.L_END_STRIDE;
      view.setFloat32(place + L.L_AX, end.x, true);
      view.setFloat32(place + L.L_AY, end.y, true);
      view.setFloat32(place + L.L_AZ, end.z, true);
      view.setUint32(at + L.L_POLY_A + 4 * side, record(end.polygon), true);
      view.setUint32(at + L.L_NEXT_A + 4 * side, next[2 * i + side], true);
    });
    view.setFloat32(at + L.L_RADIUS, radius, true);
    const bits = (source.bidirectional ? L.LINK_BOTH : 0) + (strip ? L.LINK_STRIP : 0);
    view.setUint32(at + L.L_FLAGS, bits + source.flags * 2 ** L.LINK_FLAGS_SHIFT, true);
    view.setUint32(at + L.L_AREA, source.area, true);
    view.setUint32(at + L.L_USER, source.userId >>> 0, true);
    view.setUint32(at + L.L_STATE, open ? stateOf(ends[i]) : 0, true);
    view.setFloat32(at + L.L_COST, source.seconds !== undefined ? -source.seconds : costWord(source.cost), true);
  });
  for (const [p, end] of head) {
    const at = record(p) + L.P_CORNERS;
    view.setUint32(at, view.getUint32(at, true) + end * 2 ** L.CORNER_BITS, true);
  }
}

/** A link's end may lie off the mesh, but not off the range. */
function checkRange(grid: PlanGrid, units: number, metres: number, link: number): void {
  if (Math.abs(units) <= RANGE_UNITS) return;
  throw new NavguardError(
    'BAD_FILE',
    `off-mesh link ${link}: expected coordinates within ${Math.round(RANGE_UNITS * grid.unit)} m of the map's middle, got ${metres}`,
    { link },
  );
}
