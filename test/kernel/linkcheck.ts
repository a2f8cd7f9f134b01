// Exact search, corridor and reach over off-mesh links against the brute-force graph, map by map: used by the quick slice
// and by the long run.
import {
  H_TABLE,
  L_AX,
  L_AZ,
  L_END_STRIDE,
  L_POLY_A,
  LINK_STRIDE,
  MAP_BASE,
  S_CLEAR,
  S_OVER,
  S_UNDECIDED,
  S_UNREACHABLE,
  S_WALK,
  SECTION_LINKS,
} from '../../assembly/layout.ts';
import type { Kernel } from '../../src/kernel/index.ts';
import type { NavLink, NavMesh } from '../../src/mesh/navmesh.ts';
import { randomPoint } from '../oracle/ends.ts';
import { fanGraph } from '../oracle/fangraph.ts';
import { type LatticeMap, latticeMesh } from '../oracle/lattice.ts';
import { type GraphLink, gap, type LinkGraph, linkGraph, type Spot, shortestWithLinks } from '../oracle/linkgraph.ts';
import { between, random } from '../oracle/random.ts';
import { ringMesh } from '../oracle/rings.ts';
import { type Point, sees, smallTurn } from '../oracle/sight.ts';
import { packOf, place, UNIT } from './ask.ts';
import { engine, type Make } from './shortestcheck.ts';
import { askCorridor, askReach, askShortest } from './walks.ts';

export interface LinkCount {
  queries: number;
  walks: number;
  /** Walks that go over at least one link, and over more than one. */
  linked: number;
  chained: number;
  /** No walk, though both ends are in one component. */
  wrongWay: number;
  clear: number;
  worst: number;
  wrong: string[];
}

export const NO_LINKS_YET = (): LinkCount => ({
  queries: 0,
  walks: 0,
  linked: 0,
  chained: 0,
  wrongWay: 0,
  clear: 0,
  worst: 0,
  wrong: [],
});

const FLOOR_HEIGHT = 4;
/** Relative: sums of square roots in another order, and what lower bounds are lowered by. */
const CLOSE = 4e-12;

interface World {
  readonly maps: readonly LatticeMap[];
  readonly graph: LinkGraph;
  readonly kernel: Kernel;
}

export const spotPlace = (spot: Spot): readonly [number, number, number] => place(spot.at, spot.floor * FLOOR_HEIGHT);

/** An integer point strictly inside a random polygon of the map. */
export function innerPoint(map: LatticeMap, next: () => number): Point {
  for (let tries = 0; tries < 1000; tries++) {
    const ring = map.rings[between(next, 0, map.rings.length - 1)]!;
    const xs = ring.filter((_, i) => i % 2 === 0);
    const zs = ring.filter((_, i) => i % 2 === 1);
    const p = [
      between(next, Math.min(...xs), Math.max(...xs)),
      between(next, Math.min(...zs), Math.max(...zs)),
    ] as const;
    const inside = xs.every((x, i) => {
      const k = (i + 1) % xs.length;
      return smallTurn(x, zs[i]!, xs[k]!, zs[k]!, p[0], p[1]) > 0;
    });
    if (inside) return p;
  }
  throw new Error('no polygon has an inner point');
}

export function navLink(link: GraphLink): NavLink {
  const from = spotPlace(link.from);
  const to = spotPlace(link.to);
  return { from, to, radius: 0, bidirectional: link.both, area: 0, flags: 1, userId: 0, tile: 0 };
}

/** Floors over each other as one mesh, joined by links only. */
export function meshOfFloors(maps: readonly LatticeMap[], links: readonly GraphLink[]): NavMesh {
  const mesh =
    maps.length === 1
      ? maps[0]!.mesh
      : ringMesh(maps.flatMap((map, k) => map.rings.map((at) => ({ at, y: k * FLOOR_HEIGHT })))).mesh;
  return { ...mesh, links: links.map(navLink) };
}

/** A seeded world: one or two floors, 0 to 3 links; `both` forces two-way links. */
function worldFor(seed: number, make: Make, both: boolean): World {
  const next = random(seed);
  const floors = next() < 0.6 ? 1 : 2;
  const maps = Array.from({ length: floors }, (_, k) =>
    latticeMesh({
      w: 3 + Math.floor(next() * 4),
      h: 3 + Math.floor(next() * 4),
      seed: seed * 2 + k,
      blocked: 0.2 + 0.3 * next(),
      jitter: next() < 0.3 ? 0 : 1,
      scale: 4,
      ...(seed % 3 === 0 ? {} : { merge: 4 + (seed % 5) }),
    }),
  );
  const spot = (): Spot => {
    const floor = between(next, 0, floors - 1);
    return { floor, at: innerPoint(maps[floor]!, next) };
  };
  const links: GraphLink[] = [];
  for (let i = between(next, 0, 3); i > 0; i--) {
    const last = links.at(-1);
    // Now and then a chain: a link begins where another ended; or one of no length.
    const from = last && next() < 0.4 ? last.to : spot();
    const to = next() < 0.05 ? from : spot();
    links.push({ from, to, both: both || next() < 0.5 });
  }
  const kernel = make();
  kernel.load(packOf(meshOfFloors(maps, links)));
  return {
    maps,
    graph: linkGraph(
      maps.map((map) => fanGraph(map, map.points)),
      links,
    ),
    kernel,
  };
}

/** The packed ends stand where the graph has them, each on a polygon. */
function placedRight({ kernel, graph }: World): string {
  const table = kernel.u32(MAP_BASE + H_TABLE + 8 * SECTION_LINKS, 1)[0]!;
  for (const [i, link] of graph.links.entries()) {
    const at = MAP_BASE + table + i * LINK_STRIDE;
    for (const [side, spot] of [link.from, link.to].entries()) {
      const x = kernel.f32(at + L_AX + side * L_END_STRIDE, 1)[0]!;
      const z = kernel.f32(at + L_AZ + side * L_END_STRIDE, 1)[0]!;
      const other = graph.links[0]!.from.at;
      const first = MAP_BASE + table;
      const [x0, z0] = [kernel.f32(first + L_AX, 1)[0]!, kernel.f32(first + L_AZ, 1)[0]!];
      // Relative to the first end: the map's own origin is its business.
      if (x - x0 !== spot.at[0] - other[0] || z - z0 !== spot.at[1] - other[1]) return `link ${i} end moved`;
      if (kernel.u32(at + L_POLY_A + 4 * side, 1)[0] === 0) return `link ${i} end on no polygon`;
    }
  }
  return '';
}

/** `n` queries on one seeded world; wrong answers are described in `count`. */
export function checkLinks(seed: number, n: number, count: LinkCount, make: Make = engine('wasm'), both = false): void {
  const world = worldFor(seed, make, both);
  const moved = placedRight(world);
  if (moved) count.wrong.push(`seed ${seed}: ${moved}`);
  const next = random(seed ^ 0x11c5);
  const spot = (): Spot => {
    const { links } = world.graph;
    if (links.length > 0 && next() < 0.15) {
      const link = links[between(next, 0, links.length - 1)]!;
      return next() < 0.5 ? link.from : link.to;
    }
    const floor = between(next, 0, world.maps.length - 1);
    return { floor, at: randomPoint(world.maps[floor]!, next, 0.4, 0) };
  };
  for (let i = 0; i < n; i++) {
    const [s, e] = [spot(), spot()];
    const text = checkOne(world, s, e, count) || (both ? checkReverse(world, s, e) : '');
    if (text) count.wrong.push(`seed ${seed}: ${s.floor}:${s.at} -> ${e.floor}:${e.at}: ${text}`);
  }
}

function checkReverse({ kernel }: World, s: Spot, e: Spot): string {
  const there = askShortest(kernel, spotPlace(s), spotPlace(e));
  const back = askShortest(kernel, spotPlace(e), spotPlace(s));
  if (there.status !== back.status) return `there ${there.status}, back ${back.status}`;
  if (there.status !== S_WALK) return '';
  const error = Math.abs(there.length - back.length);
  return error > CLOSE * Math.max(there.length, UNIT) ? `there ${there.length}, back ${back.length}` : '';
}

function checkOne({ kernel, graph }: World, s: Spot, e: Spot, count: LinkCount): string {
  count.queries++;
  const truth = shortestWithLinks(graph, s, e) * UNIT;
  const [from, to] = [spotPlace(s), spotPlace(e)];
  const got = askShortest(kernel, from, to);
  const rough = askCorridor(kernel, from, to);
  const reached = askReach(kernel, from, to, { limit: Infinity });
  if (truth === Infinity) {
    if (got.status !== S_UNREACHABLE || got.length !== Infinity) return `no walk: shortest says ${got.status}`;
    if (rough.status !== S_UNREACHABLE) return `no walk: corridor says ${rough.status}`;
    if (reached.status !== S_UNREACHABLE || reached.length !== Infinity) return `no walk: reach says ${reached.status}`;
    if (got.nodes > 0) count.wrongWay++;
    // Within a limit the search may stop earlier, but never finds a walk.
    const limited = askShortest(kernel, from, to, { limit: 20 * UNIT });
    return limited.status === S_UNREACHABLE || limited.status === S_OVER ? '' : `no walk: limited ${limited.status}`;
  }
  count.walks++;
  const size = Math.max(truth, UNIT);
  if (got.status !== S_WALK) return `expected ${truth}, got status ${got.status}`;
  count.worst = Math.max(count.worst, Math.abs(got.length - truth) / size);
  if (Math.abs(got.length - truth) > CLOSE * size) return `expected ${truth}, got ${got.length}`;
  if (got.length > truth * (1 + 1e-15)) return `${got.length} is no lower bound of ${truth}`;
  if (gap(s.at, e.at) * UNIT > truth * (1 + CLOSE)) return 'shorter than straight';
  // The corners are a real walk of that length, and so are the corridor's.
  const links = legs(graph, got.corners, got.length, size);
  if (typeof links === 'string') return `shortest: ${links}`;
  if (links > 0) count.linked++;
  if (links > 1) count.chained++;
  if (rough.status !== S_WALK) return `corridor: expected a walk, got status ${rough.status}`;
  const roughLegs = legs(graph, rough.corners, rough.length, size);
  if (typeof roughLegs === 'string') return `corridor: ${roughLegs}`;
  if (rough.length < truth * (1 - CLOSE)) return `corridor ${rough.length} shorter than ${truth}`;
  // The bounded questions, on both sides of the truth.
  const above = { limit: truth * 1.0000001 + 1e-9 };
  const under = { limit: truth * 0.999 - 1e-9 };
  if (askShortest(kernel, from, to, above).status !== S_WALK) return `limit just above ${truth}: no walk`;
  const less = askShortest(kernel, from, to, under);
  const straight = s.floor === e.floor && sees(graph.floors[s.floor]!.scene, s.at, e.at);
  if (!straight && truth > 0 && less.status !== S_OVER) {
    // In one polygon the straight line is found whatever the limit.
    if (gap(s.at, e.at) * UNIT < truth * (1 - CLOSE) || less.status !== S_WALK) return `limit under: ${less.status}`;
  }
  if (less.status === S_OVER && less.length > truth) return `limit under: bound ${less.length} above ${truth}`;
  const within = askCorridor(kernel, from, to, above);
  if (within.status === S_OVER && within.proven) return 'corridor proves the impossible';
  if (within.status === S_UNREACHABLE || within.status === S_UNDECIDED) return `corridor within: ${within.status}`;
  const short = askCorridor(kernel, from, to, under);
  if (short.status === S_WALK && short.length > under.limit) return 'corridor over its limit';
  return checkReach({ kernel, straight, truth, above, under, from, to }, count) || checkCaps(kernel, from, to, truth);
}

interface Question {
  readonly kernel: Kernel;
  readonly straight: boolean;
  readonly truth: number;
  readonly above: { limit: number };
  readonly under: { limit: number };
  readonly from: readonly [number, number, number];
  readonly to: readonly [number, number, number];
}

function checkReach({ kernel, straight, truth, above, under, from, to }: Question, count: LinkCount): string {
  const yes = askReach(kernel, from, to, above);
  if (straight) {
    count.clear++;
    return yes.status === S_CLEAR ? '' : `reach: straight, got ${yes.status}`;
  }
  if (yes.status !== S_WALK || yes.bound !== 0) return `reach within: ${yes.status}, bound ${yes.bound}`;
  if (Math.abs(yes.length - truth) > CLOSE * Math.max(truth, UNIT)) return `reach: ${yes.length}, not ${truth}`;
  const no = askReach(kernel, from, to, under);
  if (truth > 0 && (no.status !== S_OVER || no.bound !== 1)) return `reach under: ${no.status}, bound ${no.bound}`;
  return no.length > truth ? `reach under: ${no.length} above ${truth}` : '';
}

/** A search cut short still gives a lower bound, and no false proof. */
function checkCaps(kernel: Kernel, from: Question['from'], to: Question['to'], truth: number): string {
  for (const cap of [1, 3, 8, 20]) {
    const cut = askShortest(kernel, from, to, { cap });
    if (cut.length > truth * (1 + 1e-15)) return `cap ${cap}: bound ${cut.length} above ${truth}`;
    if (cut.status !== S_WALK && cut.status !== S_UNDECIDED) return `cap ${cap}: status ${cut.status}`;
    const status = askReach(kernel, from, to, { cap, limit: Infinity }).status;
    if (status !== S_WALK && status !== S_CLEAR && status !== S_UNDECIDED) return `cap ${cap}: reach ${status}`;
  }
  return '';
}

/** Every leg is in sight on one floor or is a link; the number of links, or what is wrong. */
function legs(
  graph: LinkGraph,
  corners: readonly (readonly [number, number, number])[],
  length: number,
  size: number,
): number | string {
  let sum = 0;
  let links = 0;
  const spots = corners.map(([x, y, z]): Spot => {
    return { floor: Math.round(y / FLOOR_HEIGHT), at: [Math.round(x / UNIT), Math.round(z / UNIT)] };
  });
  const same = (a: Spot, b: Spot) => a.floor === b.floor && a.at[0] === b.at[0] && a.at[1] === b.at[1];
  for (let k = 1; k < spots.length; k++) {
    const [a, b] = [spots[k - 1]!, spots[k]!];
    sum += gap(a.at, b.at) * UNIT;
    if (a.floor === b.floor && sees(graph.floors[a.floor]!.scene, a.at, b.at)) continue;
    const over = graph.links.some(
      ({ from, to, both }) => (same(from, a) && same(to, b)) || (both && same(from, b) && same(to, a)),
    );
    if (!over) return `leg ${a.floor}:${a.at} -> ${b.floor}:${b.at} is blocked and no link`;
    links++;
  }
  if (spots.length < 2) return `${spots.length} corners`;
  return Math.abs(sum - length) > CLOSE * size ? `corners sum to ${sum}, not ${length}` : links;
}
