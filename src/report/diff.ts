// Two versions of a map compared: ground gained and lost as exact plan areas (what one has beyond the other is cut out as
// polygons, nothing is sampled), ground of another area, components that split or merged, links. Imported by report/ and
// cli/. Ground is the same ground when it lies at the same place and, within the climb, at the same height.
import { UnionFind } from '../mesh/unionfind.ts';
import type { MapInfo } from '../pack/view.ts';
import { beyond, common, type Ring, ringArea, ringLength, ringMiddle, ringOf } from './clip.ts';
import { Near } from './near.ts';
import { heightAt, type Place, type Plan, type PlanLink, readPlan, rounded } from './plan.ts';

/** Ground in one piece that only one version has. */
export interface Change {
  /** m2. */
  readonly area: number;
  /** On its largest part. */
  readonly at: Place;
  readonly parts: readonly Ring[];
}

export interface LinkChange {
  readonly what: 'added' | 'removed' | 'changed';
  readonly link: PlanLink;
}

export interface Regrouped {
  /** Components of the other version and the area that they have in common with this one, m2, the largest first. */
  readonly into: readonly { readonly component: number; readonly area: number }[];
  readonly component: number;
  /** m2. */
  readonly area: number;
  readonly at: Place;
}

export interface MapDiff {
  readonly plans: readonly [Plan, Plan];
  /** Connected pieces, the largest first. */
  readonly gained: readonly Change[];
  readonly lost: readonly Change[];
  /** m2. */
  readonly gainedArea: number;
  readonly lostArea: number;
  /** Ground whose area number or flags changed, m2, and the largest such pieces. */
  readonly remarkedArea: number;
  readonly remarked: readonly { readonly area: number; readonly at: Place }[];
  /** Components of the old version that became several, and of the new one that were several. */
  readonly split: readonly Regrouped[];
  readonly merged: readonly Regrouped[];
  readonly links: readonly LinkChange[];
  /** The agent's sizes differ. */
  readonly agent: boolean;
  readonly same: boolean;
}

/** Parts thinner than this (area over half their rim, metres) are rounding between two grids. */
const THINNEST = 0.002;
/** m2 that two components must have in common to count as one becoming the other. */
const LEAST_COMMON = 0.05;
/** Metres: ground this near in height is the same ground where no climb is known. */
const USUAL_CLIMB = 0.4;
/** Metres: a link's ends this near are the same ends. */
const SAME_PLACE = 0.05;

interface Ground {
  readonly plan: Plan;
  readonly near: Near;
}

export function diffMaps(
  old: { readonly pack: ArrayBuffer; readonly info: MapInfo },
  now: { readonly pack: ArrayBuffer; readonly info: MapInfo },
): MapDiff {
  const [a, b] = [old, now].map(({ pack }): Ground => {
    const plan = readPlan(pack);
    return { plan, near: new Near(plan) };
  });
  const climb = Math.max(a.plan.agent.climb || USUAL_CLIMB, b.plan.agent.climb || USUAL_CLIMB);
  const shared = new Map<number, number>();
  const marks: { area: number; at: Place }[] = [];
  const gained = rests(b, a, climb, (p, q, area, at) => {
    const key = a.plan.component[q] * b.plan.components + b.plan.component[p];
    shared.set(key, (shared.get(key) ?? 0) + area);
    if (a.plan.area[q] !== b.plan.area[p] || a.plan.flags[q] !== b.plan.flags[p]) marks.push({ area, at });
  });
  const lost = rests(a, b, climb, () => undefined);
  const sum = (list: readonly { readonly area: number }[]) => list.reduce((all, { area }) => all + area, 0);
  const links = linkChanges(a.plan.links, b.plan.links);
  const { agent } = a.plan;
  const other = b.plan.agent;
  const sizes = agent.height !== other.height || agent.radius !== other.radius || agent.climb !== other.climb;
  const split = regrouped(a.plan, shared, (key) => [Math.floor(key / b.plan.components), key % b.plan.components]);
  const merged = regrouped(b.plan, shared, (key) => [key % b.plan.components, Math.floor(key / b.plan.components)]);
  marks.sort((one, two) => two.area - one.area);
  const clean = gained.length + lost.length + marks.length + split.length + merged.length + links.length === 0;
  return {
    plans: [a.plan, b.plan],
    gained,
    lost,
    gainedArea: sum(gained),
    lostArea: sum(lost),
    remarkedArea: sum(marks),
    remarked: marks.slice(0, 8).map(({ area, at }) => ({ area, at: rounded(at) })),
    split,
    merged,
    links,
    agent: sizes,
    same: old.info.hash === now.info.hash || (clean && !sizes),
  };
}

/**
 * What `here` has beyond `there`, in pieces that hang together; `meet` is told of everything that both have. Each polygon is
 * cut by all that overlap it at its height, one after the other: the parts left have no area in common with any of them.
 */
function rests(
  here: Ground,
  there: Ground,
  climb: number,
  meet: (p: number, q: number, area: number, at: Place) => void,
): Change[] {
  const { plan } = here;
  const left: (Ring[] | undefined)[] = new Array(plan.count);
  for (let p = 0; p < plan.count; p++) {
    const ring = ringOf(plan, p);
    let parts: Ring[] = [ring];
    there.near.visit(here.near.boxes[p], (q) => {
      const other = ringOf(there.plan, q);
      const both = common(ring, other);
      if (both.length === 0 || isThin(both)) return;
      const [x, z] = ringMiddle(both);
      const y = heightAt(plan, p, x, z);
      if (Math.abs(heightAt(there.plan, q, x, z) - y) > climb) return;
      meet(p, q, ringArea(both), [x, y, z]);
      parts = parts.flatMap((part) => beyond(part, other));
    });
    parts = parts.filter((part) => !isThin(part));
    if (parts.length > 0) left[p] = parts;
  }
  return pieces(plan, left);
}

function isThin(ring: Ring): boolean {
  return ringArea(ring) < (THINNEST * ringLength(ring)) / 2;
}

/** Parts of neighbouring polygons are one change. */
function pieces(plan: Plan, left: readonly (Ring[] | undefined)[]): Change[] {
  const sets = new UnionFind(plan.count);
  for (let p = 0; p < plan.count; p++) {
    if (left[p] === undefined) continue;
    for (let c = plan.first[p]; c < plan.first[p + 1]; c++) {
      const q = plan.neighbour[c];
      if (q >= 0 && left[q] !== undefined) sets.union(p, q);
    }
  }
  const changes = new Map<number, { area: number; largest: number; at: Place; parts: Ring[] }>();
  left.forEach((parts, p) => {
    if (parts === undefined) return;
    const root = sets.find(p);
    const change = changes.get(root) ?? { area: 0, largest: 0, at: [0, 0, 0], parts: [] };
    changes.set(root, change);
    for (const part of parts) {
      const area = ringArea(part);
      change.area += area;
      change.parts.push(part);
      if (area <= change.largest) continue;
      change.largest = area;
      const [x, z] = ringMiddle(part);
      change.at = rounded([x, heightAt(plan, p, x, z), z]);
    }
  });
  return [...changes.values()].map(({ area, at, parts }) => ({ area, at, parts })).sort((a, b) => b.area - a.area);
}

/** Components that share ground with several of the other version. */
function regrouped(
  plan: Plan,
  shared: ReadonlyMap<number, number>,
  ends: (key: number) => readonly [number, number],
): Regrouped[] {
  const into = new Map<number, { component: number; area: number }[]>();
  for (const [key, area] of shared) {
    if (area < LEAST_COMMON) continue;
    const [own, other] = ends(key);
    const list = into.get(own);
    if (list === undefined) into.set(own, [{ component: other, area }]);
    else list.push({ component: other, area });
  }
  const found: Regrouped[] = [];
  for (const [component, list] of into) {
    if (list.length < 2) continue;
    let area = 0;
    let largest = -1;
    for (let p = 0; p < plan.count; p++) {
      if (plan.component[p] !== component) continue;
      area += plan.size[p];
      if (largest < 0 || plan.size[p] > plan.size[largest]) largest = p;
    }
    const [x, z] = ringMiddle(ringOf(plan, largest));
    const at = rounded([x, heightAt(plan, largest, x, z), z]);
    found.push({ component, area, at, into: list.sort((a, b) => b.area - a.area) });
  }
  return found.sort((a, b) => b.area - a.area);
}

/** Links are the same when both ends are at the same places; a changed one differs in what it does. */
function linkChanges(old: readonly PlanLink[], now: readonly PlanLink[]): LinkChange[] {
  const key = ({ from, to }: PlanLink) => [...from, ...to].map((v) => Math.round(v / SAME_PLACE)).join();
  const known = new Map<string, PlanLink[]>();
  for (const link of old) known.set(key(link), [...(known.get(key(link)) ?? []), link]);
  const changes: LinkChange[] = [];
  for (const link of now) {
    const before = known.get(key(link))?.shift();
    if (before === undefined) changes.push({ what: 'added', link });
    else if (
      before.both !== link.both ||
      before.area !== link.area ||
      before.flags !== link.flags ||
      before.a < 0 !== link.a < 0 ||
      before.b < 0 !== link.b < 0
    ) {
      changes.push({ what: 'changed', link });
    }
  }
  for (const list of known.values()) for (const link of list) changes.push({ what: 'removed', link });
  return changes;
}
