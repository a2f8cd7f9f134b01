// Components as people see them: islands with an area and a place, and those that are probably the inside of something
// solid. Imported by report/ only.
import type { Overlap } from './floors.ts';
import type { Box, Near } from './near.ts';
import { heightAt, middleOf, type Place, type Plan, rounded } from './plan.ts';

/** A component: polygons that edges and links connect. */
export interface Island {
  readonly component: number;
  readonly polygons: number;
  /** Plan area, m2. */
  readonly area: number;
  /** On its largest polygon. */
  readonly at: Place;
}

/** All components, the largest first. */
export function islandsOf(plan: Plan): Island[] {
  const polygons = new Uint32Array(plan.components);
  const area = new Float64Array(plan.components);
  const largest = new Int32Array(plan.components).fill(-1);
  for (let p = 0; p < plan.count; p++) {
    const k = plan.component[p];
    polygons[k]++;
    area[k] += plan.size[p];
    if (largest[k] < 0 || plan.size[p] > plan.size[largest[k]]) largest[k] = p;
  }
  return Array.from(area, (size, k) => ({
    component: k,
    polygons: polygons[k],
    area: size,
    at: rounded(middleOf(plan, largest[k])),
  })).sort((a, b) => b.area - a.area || a.component - b.component);
}

/** Directions that are looked into. */
const SIDES = 16;
/** Islands that are looked at: more of them are a broken export, not closed rooms. */
const MOST_LOOKED_AT = 200;
/** Metres of solid thing between two grounds, beside what the agent's radius keeps off on both sides. */
const THICKEST = 3;
/** Metres: without an agent's height. */
const USUAL_HEIGHT = 2;
/** Share of an island that lies under other ground. */
const COVERED = 0.9;

/**
 * Heuristic: islands but the largest that no link reaches and that are either shut in (in each of 16 directions the same
 * other component begins at about their height within a wall's thickness) or covered (nine tenths lie under other
 * components). That is what a generator leaves inside crates and under roofs: ground where nobody can be.
 */
export function closedInteriors(
  plan: Plan,
  near: Near,
  islands: readonly Island[],
  overlaps: readonly Overlap[],
): Island[] {
  const covered = new Float64Array(plan.components);
  for (const { lower, upper, size } of overlaps) {
    if (plan.component[lower] !== plan.component[upper]) covered[plan.component[lower]] += size;
  }
  const linked = new Uint8Array(plan.components);
  for (const { a, b } of plan.links) for (const p of [a, b]) if (p >= 0) linked[plan.component[p]] = 1;
  const bounds = boundsOf(plan, near);
  return islands
    .slice(1, 1 + MOST_LOOKED_AT)
    .filter(
      (island) =>
        linked[island.component] === 0 &&
        (covered[island.component] >= COVERED * island.area || isShutIn(plan, near, island, bounds[island.component])),
    );
}

function boundsOf(plan: Plan, near: Near): Box[] {
  const bounds: Box[] = new Array(plan.components);
  for (let p = 0; p < plan.count; p++) {
    const k = plan.component[p];
    const [minX, minZ, maxX, maxZ] = near.boxes[p];
    const b = bounds[k] ?? near.boxes[p];
    bounds[k] = [Math.min(b[0], minX), Math.min(b[1], minZ), Math.max(b[2], maxX), Math.max(b[3], maxZ)];
  }
  return bounds;
}

function isShutIn(plan: Plan, near: Near, island: Island, bounds: Box): boolean {
  const [x, y, z] = island.at;
  const band = plan.agent.height || USUAL_HEIGHT;
  const wall = 2 * plan.agent.radius + THICKEST;
  const far = Math.hypot(bounds[2] - bounds[0], bounds[3] - bounds[1]) + wall;
  let around = -1;
  for (let side = 0; side < SIDES; side++) {
    const angle = (2 * Math.PI * side) / SIDES;
    const [dx, dz] = [Math.cos(angle), Math.sin(angle)];
    const [ex, ez] = [x + far * dx, z + far * dz];
    let exit = 0;
    const others: { p: number; t: number }[] = [];
    near.visit([Math.min(x, ex), Math.min(z, ez), Math.max(x, ex), Math.max(z, ez)], (p) => {
      const span = crossing(plan, p, x, z, dx, dz);
      if (span === null) return;
      if (plan.component[p] === island.component) exit = Math.max(exit, span[1]);
      else others.push({ p, t: span[0] });
    });
    let first = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const { p, t } of others) {
      if (t < exit - 1e-6 || t >= least) continue;
      if (Math.abs(heightAt(plan, p, x + t * dx, z + t * dz) - y) > band) continue;
      first = p;
      least = t;
    }
    if (first < 0 || least - exit > wall) return false;
    if (around >= 0 && plan.component[first] !== around) return false;
    around = plan.component[first];
  }
  return true;
}

/** Where a ray enters and leaves a polygon, or null. */
function crossing(
  { first, x, z }: Plan,
  p: number,
  px: number,
  pz: number,
  dx: number,
  dz: number,
): readonly [number, number] | null {
  let from = 0;
  let to = Number.POSITIVE_INFINITY;
  for (let c = first[p]; c < first[p + 1]; c++) {
    const d = c + 1 === first[p + 1] ? first[p] : c + 1;
    const [ex, ez] = [x[d] - x[c], z[d] - z[c]];
    // Left of the edge is inside.
    const side = ex * (pz - z[c]) - ez * (px - x[c]);
    const rate = ex * dz - ez * dx;
    if (rate === 0) {
      if (side < 0) return null;
    } else if (rate > 0) from = Math.max(from, -side / rate);
    else to = Math.min(to, -side / rate);
  }
  return from < to ? [from, to] : null;
}
