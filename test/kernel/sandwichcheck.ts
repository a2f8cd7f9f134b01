// Answers of one kernel that come by different ways, on any map: straight <= bound <= length <= corridor, what caps and
// limits prove, and every leg a clear ray. Used by the quick slice and the long run; no oracle here.
import type { NavMap } from '../../src/map.ts';
import type { Vec } from './gridpoints.ts';

/** Relative: the bound is rounded down by 1e-12. */
const ROUNDING = 2e-12;

const plan = (a: Vec, b: Vec): number => Math.sqrt((b[0] - a[0]) ** 2 + (b[2] - a[2]) ** 2);
export interface SandwichCount {
  queries: number;
  walks: number;
  legs: number;
  undecided: number;
  /** Walks that are at least a hundredth shorter than the corridor. */
  shorter: number;
}

export const NO_SANDWICH = (): SandwichCount => ({ queries: 0, walks: 0, legs: 0, undecided: 0, shorter: 0 });

/** What is wrong with the answers for one pair; empty when nothing is. */
export function checkSandwich(map: NavMap, from: Vec, to: Vec, total: SandwichCount): string[] {
  const wrong: string[] = [];
  const expectThat = (holds: boolean, what: string): void => {
    if (!holds) wrong.push(`${from} -> ${to}: ${what}`);
  };
  const options = { tolerance: 0 };
  const exact = map.shortest(from, to, options);
  const corridor = map.corridor(from, to, options);
  total.queries++;
  if (corridor.status === 'unreachable') {
    expectThat(exact.status === 'unreachable', `no corridor, but ${exact.status} ${exact.length}`);
    return wrong;
  }
  const upper = corridor.length!;
  if (exact.status === 'undecided') {
    total.undecided++;
    expectThat(exact.length! <= upper, `bound ${exact.length} above the corridor's ${upper}`);
    return wrong;
  }
  expectThat(exact.status === 'complete', `a corridor of ${upper}, but ${exact.status}`);
  if (exact.status !== 'complete') return wrong;
  total.walks++;
  const length = exact.length!;
  // The answer is the length less 1e-12; bounds of cut searches are rounded down as much, from sums in another order.
  const most = length * (1 + 1e-14);
  expectThat(plan(from, to) * (1 - ROUNDING) <= length, `${length} is shorter than the straight line`);
  expectThat(length <= upper, `${length} is longer than the corridor's ${upper}`);
  if (length < upper * 0.99) total.shorter++;
  const sum = exact.corners.slice(1).reduce((l, c, i) => l + plan(exact.corners[i]!, c), 0);
  expectThat(Math.abs(sum - length) <= ROUNDING * Math.max(sum, 1e-3), `the legs sum to ${sum}, not ${length}`);
  for (const nodeCap of [1, 4, 16, 64, 256]) {
    const cut = map.shortest(from, to, { ...options, nodeCap });
    expectThat(cut.length! <= most, `cap ${nodeCap}: bound ${cut.length} above ${length}`);
    expectThat(cut.status === 'undecided' || cut.length === length, `cap ${nodeCap}: ${cut.status} ${cut.length}`);
  }
  for (const limit of [length * (1 + 1e-9) + 1e-9, upper, 2 * upper + 1]) {
    const within = map.shortest(from, to, { ...options, limit });
    expectThat(within.status === 'complete' && within.length === length, `limit ${limit}: ${JSON.stringify(within)}`);
  }
  for (const share of [1 - 1e-9, 0.9, 0.5]) {
    const beyond = map.shortest(from, to, { ...options, limit: length * share });
    // Two ends in one polygon are answered before any search.
    if (beyond.status === 'complete') expectThat(exact.corners.length === 2, `limit ${share}: complete`);
    else {
      expectThat(beyond.status === 'over', `limit ${share}: ${beyond.status}`);
      expectThat(beyond.length! <= most, `limit ${share}: bound ${beyond.length} above ${length}`);
      expectThat(beyond.length! >= length * share * (1 - ROUNDING), `limit ${share}: bound ${beyond.length} under it`);
    }
  }
  for (const { corners } of [exact, corridor]) {
    corners.slice(1).forEach((c, i) => {
      total.legs++;
      const hit = map.ray(corners[i]!, c, options);
      expectThat(hit.clear, `leg ${corners[i]} -> ${c} stops at t = ${hit.t}`);
    });
  }
  return wrong;
}
