// Puts the ends of off-mesh links on polygons: each on a grid point strictly inside one, so that exactly one polygon of
// the sheet holds it. Imported by conform.ts.
import type { Polygons } from './assemble.ts';
import { type Bins, buildBins } from './bins.ts';
import type { LinkEnd, PlacedLink } from './conforming.ts';
import { type Findings, LONG_LINK } from './findings.ts';
import type { NavLink, NavMesh } from './navmesh.ts';
import { turn } from './ring.ts';
import { type SnappedPlan, toUnits } from './snap.ts';
import { surfaceHeight } from './surface.ts';

/** How far (units, each axis) an inner grid point is looked for around a place of the closed polygon. */
const INNER_REACH = 8;
/** So many places on the way from there to the polygon's middle, and so many polygons, are tried. */
const MOST_PLACES = 6;
const MOST_TRIED = 6;

/** Lines of a wide portal lie at most so far apart, metres, and are at most so many; between two, so many places are looked at. */
const LINE_APART = 0.5;
const MOST_LINES = 64;
const BETWEEN = 4;

/**
 * For both ends of every link: the polygon that holds it (closed, exact; of several floors the nearest in height), else
 * the nearest in plan within the link's radius, and in it the grid point strictly inside that is nearest to the end. A
 * polygon without such a point close by is passed over. Polygon -1 and a finding when there is none. A floor farther in
 * height than the agent is tall is another floor. Cost per end: the polygons in the touched cells.
 *
 * A portal with a width becomes lines side by side, from end to end of it: one per LINE_APART, and one more wherever a
 * polygon at either end would have none. Lines that find no floor are left out as long as one does.
 */
export function placeLinks(mesh: NavMesh, plan: SnappedPlan, polygons: Polygons, findings: Findings): PlacedLink[] {
  if (mesh.links.length === 0) return [];
  const ground: Ground = { mesh, plan, polygons, bins: buildBins(polygons, 1024, 1) };
  const placed: PlacedLink[] = [];
  const known = new Set<string>();
  mesh.links.forEach((link, number) => {
    const lines = placeLines(ground, link);
    const [{ from, to }] = lines;
    if (from.polygon < 0 || to.polygon < 0)
      findings.add('unlinked-link', -1, 1, from.polygon < 0 ? link.from : link.to, link.name);
    else if (lines.every((line) => line.from.polygon === line.to.polygon)) {
      findings.add('looped-link', polygons.source[from.polygon], 1, link.from, link.name);
    }
    const key = lines.flatMap((line) => [line.from, line.to].map(({ polygon, x, z }) => `${polygon} ${x} ${z}`)).join();
    if (known.has(key)) findings.add('doubled-link', -1, 1, link.from, link.name);
    known.add(key);
    const far = lines.some((line) => isFar(ground, line));
    if (far) findings.add('far-link', -1, 1, link.from, link.name);
    else if (isLinked(lines[0]) && planLength(link) > LONG_LINK) findings.add('long-link', -1, 1, link.from, link.name);
    const open = link.open ?? !far;
    lines.forEach((line, i) => {
      placed.push({ link: number, strip: i > 0, open, ...line });
    });
  });
  return placed;
}

interface Ground {
  readonly mesh: NavMesh;
  readonly plan: SnappedPlan;
  readonly polygons: Polygons;
  readonly bins: Bins;
}

type Line = Pick<PlacedLink, 'from' | 'to' | 'radius'>;

/** The lines of a link in their order across it; at least one, without a polygon when none has both ends on one. */
function placeLines(ground: Ground, link: NavLink): Line[] {
  const { from, to, width = 0 } = link;
  const length = planLength(link);
  const at = (aside: number, radius: number): Line => {
    const [sx, sz] =
      aside === 0 ? [0, 0] : [(-(to[2] - from[2]) / length) * aside, ((to[0] - from[0]) / length) * aside];
    return {
      from: placeEnd(ground, [from[0] + sx, from[1], from[2] + sz], link.radius),
      to: placeEnd(ground, [to[0] + sx, to[1], to[2] + sz], link.radius),
      radius,
    };
  };
  // what leads straight up has no side: it is as wide all round
  if (width === 0 || length < 0.001) {
    return [at(0, Math.max(link.radius, width / 2))];
  }
  const count = Math.min(Math.max(1, Math.ceil(width / LINE_APART)), MOST_LINES);
  const apart = width / count;
  const place = (i: number): number => (i + 0.5) * apart - width / 2;
  const main = Array.from({ length: count }, (_, i) => ({ aside: place(i), line: at(place(i), apart / 2) }));
  const lines = main.filter(({ line }) => isLinked(line));
  const held = new Set(lines.flatMap(({ line }) => [line.from.polygon, -1 - line.to.polygon]));
  for (let i = 0; i < count; i++) {
    for (let k = 1; k < BETWEEN; k++) {
      const aside = place(i) + (k / BETWEEN - 0.5) * apart;
      const line = at(aside, apart / 2);
      if (!isLinked(line) || (held.has(line.from.polygon) && held.has(-1 - line.to.polygon))) continue;
      held.add(line.from.polygon).add(-1 - line.to.polygon);
      lines.push({ aside, line });
    }
  }
  if (lines.length === 0) return [at(0, link.radius)];
  lines.sort((a, b) => a.aside - b.aside);
  // lines that were put on one place are one
  return lines.map(({ line }) => line).filter((line, i, all) => i === 0 || !isSameLine(line, all[i - 1]));
}

function isLinked({ from, to }: Line): boolean {
  return from.polygon >= 0 && to.polygon >= 0;
}

function isSameLine(a: Line, b: Line): boolean {
  return a.from.x === b.from.x && a.from.z === b.from.z && a.to.x === b.to.x && a.to.z === b.to.z;
}

function planLength({ from, to }: NavLink): number {
  return Math.hypot(to[0] - from[0], to[2] - from[2]);
}

/** Whether a line leads between tiles that do not touch: Detour links no such connection. */
function isFar({ mesh, polygons }: Ground, { from, to }: Line): boolean {
  if (from.polygon < 0 || to.polygon < 0) return false;
  const tile = (p: number) => mesh.tiles[mesh.polyTile[polygons.source[p]]];
  const [a, b] = [tile(from.polygon), tile(to.polygon)];
  return Math.abs(a.x - b.x) > 1 || Math.abs(a.y - b.y) > 1;
}

/** The closed polygon's point nearest to a link's end, and its distance in units. */
interface Candidate {
  readonly p: number;
  readonly x: number;
  readonly z: number;
  readonly away: number;
}

function placeEnd(ground: Ground, position: readonly [number, number, number], radius: number): LinkEnd {
  const { mesh, plan, polygons, bins } = ground;
  const { grid } = bins;
  const band = Math.max(mesh.agent.height, mesh.agent.climb, radius);
  const x = toUnits(plan.grid, position[0], plan.grid.originX);
  const z = toUnits(plan.grid, position[2], plan.grid.originZ);
  const reach = radius / plan.grid.unit;
  const i0 = Math.max(0, Math.floor((x - reach - grid.x) / grid.cell));
  const i1 = Math.min(grid.width - 1, Math.floor((x + reach - grid.x) / grid.cell));
  const j0 = Math.max(0, Math.floor((z - reach - grid.z) / grid.cell));
  const j1 = Math.min(grid.height - 1, Math.floor((z + reach - grid.z) / grid.cell));
  const candidates = new Map<number, Candidate>();
  for (let j = j0; j <= j1; j++) {
    for (let i = i0; i <= i1; i++) {
      for (let k = bins.start[j * grid.width + i]; k < bins.start[j * grid.width + i + 1]; k++) {
        const p = bins.list[k];
        if (candidates.has(p)) continue;
        const near = nearest(polygons, p, x, z);
        if (near.away <= reach) candidates.set(p, { p, ...near });
      }
    }
  }
  const order = [...candidates.values()].sort((a, b) => a.away - b.away || a.p - b.p);
  const heightOf = (p: number, at: Inner) => surfaceHeight(mesh, plan, polygons.source[p], at.x, at.z);
  let tried = 0;
  for (let from = 0; from < order.length && tried < MOST_TRIED; ) {
    // Equally far: floors over each other, or polygons around an end on a border. The nearest in height first.
    let to = from;
    while (to < order.length && order[to].away === order[from].away) to++;
    const level = order
      .slice(from, to)
      .map((c) => ({ c, gap: Math.abs(heightOf(c.p, c) - position[1]) }))
      .filter(({ gap }) => gap <= band)
      .sort((a, b) => a.gap - b.gap || a.c.p - b.c.p);
    for (const { c } of level) {
      if (tried++ >= MOST_TRIED) break;
      const inner = innerPoint(polygons, c, reach, x, z);
      if (inner !== null) return { polygon: c.p, x: inner.x, y: heightOf(c.p, inner), z: inner.z };
    }
    from = to;
  }
  return { polygon: -1, x, y: position[1], z };
}

/**
 * The grid point strictly inside a polygon that is nearest to (x, z), looked for around the polygon's nearest point and,
 * where a sharp corner leaves no room there, on the way to its middle as far as the link reaches.
 */
function innerPoint(polygons: Polygons, near: Candidate, reach: number, x: number, z: number): Inner | null {
  if (strictlyInside(polygons, near.p, x, z)) return { x, z };
  const from = polygons.first[near.p];
  const to = polygons.first[near.p + 1];
  let middleX = 0;
  let middleZ = 0;
  for (let c = from; c < to; c++) {
    middleX += polygons.x[c] / (to - from);
    middleZ += polygons.z[c] / (to - from);
  }
  const whole = Math.hypot(middleX - near.x, middleZ - near.z);
  const most = Math.min(whole, Math.max(reach, INNER_REACH));
  for (let i = 0, step = 0; i < MOST_PLACES && step <= most; i++) {
    const t = step === 0 ? 0 : step / whole;
    const cx = Math.round(near.x + t * (middleX - near.x));
    const cz = Math.round(near.z + t * (middleZ - near.z));
    const inner = innerAround(polygons, near.p, cx, cz, x, z);
    if (inner !== null) return inner;
    step = step === 0 ? INNER_REACH : 2 * step;
  }
  return null;
}

interface Inner {
  readonly x: number;
  readonly z: number;
}

function innerAround(polygons: Polygons, p: number, cx: number, cz: number, x: number, z: number): Inner | null {
  let best: Inner | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (let dz = -INNER_REACH; dz <= INNER_REACH; dz++) {
    for (let dx = -INNER_REACH; dx <= INNER_REACH; dx++) {
      const away = (cx + dx - x) * (cx + dx - x) + (cz + dz - z) * (cz + dz - z);
      if (away >= least || !strictlyInside(polygons, p, cx + dx, cz + dz)) continue;
      least = away;
      best = { x: cx + dx, z: cz + dz };
    }
  }
  return best;
}

/** Exact: no other polygon of the sheet holds the point. */
function strictlyInside(polygons: Polygons, p: number, x: number, z: number): boolean {
  const from = polygons.first[p];
  const to = polygons.first[p + 1];
  for (let c = from; c < to; c++) {
    const d = c + 1 === to ? from : c + 1;
    if (turn(polygons.x[c], polygons.z[c], polygons.x[d], polygons.z[d], x, z) <= 0) return false;
  }
  return true;
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
