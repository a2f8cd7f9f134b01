// What inspect asks of a packed map beyond what loading noted: islands, floors over each other, closed interiors, units and
// axes. Computed here and not at load, so that a server pays nothing for it. Imported by report/ and cli/.
import type { MapInfo } from '../pack/view.ts';
import { floorsOf, type Overlap, overlapsOf } from './floors.ts';
import { closedInteriors, type Island, islandsOf } from './islands.ts';
import { Near } from './near.ts';
import { m2, type Noted } from './noted.ts';
import { type Place, type Plan, readPlan, rounded } from './plan.ts';
import { suspectsOf } from './suspects.ts';
import { grouped } from './table.ts';

export interface Survey {
  readonly plan: Plan;
  /** The largest first. */
  readonly islands: readonly Island[];
  readonly overlaps: readonly Overlap[];
  /** Of each polygon, 0 = lowest; no two polygons of one floor overlap in plan. */
  readonly floor: Uint8Array;
  readonly floors: number;
  readonly findings: readonly Noted[];
}

/** Places that a finding names. */
const NAMED = 8;

export function surveyOf(pack: ArrayBuffer, info: MapInfo): Survey {
  const plan = readPlan(pack);
  const near = new Near(plan);
  const islands = islandsOf(plan);
  const overlaps = overlapsOf(plan, near);
  const { floor, count: floors } = floorsOf(plan, overlaps);
  const closed = closedInteriors(plan, near, islands, overlaps);
  const findings: Noted[] = [
    ...info.findings.map((finding) => ({ ...finding, at: finding.at ?? [] })),
    ...suspectsOf(info, plan),
    ...islandFindings(islands, closed),
    ...overlapFindings(plan, overlaps, floors),
  ];
  return { plan, islands, overlaps, floor, floors, findings };
}

function islandFindings(islands: readonly Island[], closed: readonly Island[]): Noted[] {
  const found: Noted[] = [];
  const others = islands.slice(1).reverse();
  if (others.length > 0) {
    const [least] = others;
    const message =
      others.length === 1
        ? `an unreachable island of ${m2(least.area)}: no edge and no link leads there from the largest component`
        : `${grouped(others.length)} unreachable islands of ${m2(least.area)} to ${m2(others[others.length - 1].area)}, the smallest first: no edge and no link leads there from the largest component`;
    found.push({ kind: 'island', message, count: others.length, polygons: [], at: places(others) });
  }
  if (closed.length > 0) {
    const s = closed.length === 1 ? 'an island is' : `${grouped(closed.length)} islands are`;
    const message = `${s} shut in by other ground or wholly under it, and no link leads there (a guess: the inside of something solid; prune it when baking)`;
    found.push({ kind: 'closed-interior', message, count: closed.length, polygons: [], at: places(closed) });
  }
  return found;
}

function places(islands: readonly Island[]): Place[] {
  return islands.slice(0, NAMED).map((island) => island.at);
}

function overlapFindings(plan: Plan, overlaps: readonly Overlap[], floors: number): Noted[] {
  if (overlaps.length === 0) return [];
  const found: Noted[] = [];
  const note = (kind: Noted['kind'], chosen: readonly Overlap[], message: string) => {
    const first = [...chosen].sort((a, b) => a.clearance - b.clearance || a.lower - b.lower).slice(0, NAMED);
    const polygons = first.map(({ lower }) => plan.source[lower]);
    found.push({ kind, message, count: chosen.length, polygons, at: first.map(({ at }) => rounded(at)) });
  };
  const area = overlaps.reduce((sum, { size }) => sum + size, 0);
  const least = overlaps.reduce((low, { clearance }) => Math.min(low, clearance), Number.POSITIVE_INFINITY);
  note(
    'overlapping-floors',
    overlaps,
    `${grouped(overlaps.length)} pairs of polygons over each other on ${floors} floors, ${m2(area)} in all; the least clearance is ${Number(least.toFixed(2))} m`,
  );
  const { height } = plan.agent;
  const low = height > 0 ? overlaps.filter(({ clearance }) => clearance < height - 1e-3) : [];
  if (low.length > 0) {
    note(
      'low-clearance',
      low,
      `${grouped(low.length)} of these are nearer to each other than the agent is tall (${Number(height.toFixed(3))} m): a claim there may be taken for the other floor`,
    );
  }
  return found;
}
