// Walks along the surface on seeded lattice maps, asked of a kernel and held against brute force: what is wrong, in words.
// Used by the quick test, the long run and the mutants, which must all make it say something.
import { CORNER_STRIDE, F_CORNERS, IN } from '../../assembly/layout.ts';
import type { Kernel } from '../../src/kernel/index.ts';
import { randomPoint } from '../oracle/ends.ts';
import { type LatticeMap, type LatticeOptions, latticeMesh } from '../oracle/lattice.ts';
import { between, random } from '../oracle/random.ts';
import { bigTurn, type Point, type SightScene, sees, smallTurn, type Turn, walkable } from '../oracle/sight.ts';
import { pinches, slideExactly } from '../oracle/slide.ts';
import { type Band, FLAT, NONE, type Place, packOf, place, UNIT } from './ask.ts';

export const SLID = 1;

export interface SurfaceAnswer {
  status: number;
  end: Place;
  polygon: number;
  length: number;
  lost: number;
  slides: number;
  normal: [number, number];
  rest: [number, number];
  off: number;
  corners: Place[];
}

/** One walk by a motion in metres, with all it says. */
export function askSurface(
  kernel: Kernel,
  from: Place,
  by: readonly [number, number],
  options: { band?: Band; hint?: number } = {},
): SurfaceAnswer {
  const { below, above, tolerance } = options.band ?? FLAT;
  kernel.input.set([...from, by[0], Number.NaN, by[1], below, above, tolerance]);
  const status = kernel.surface(options.hint ?? NONE);
  const o = kernel.output;
  const flat = kernel.f64(kernel.u32(kernel.input.byteOffset - IN + F_CORNERS, 1)[0], (o[12] * CORNER_STRIDE) / 8);
  return {
    status,
    end: [o[0], o[1], o[2]],
    polygon: o[3],
    length: o[4],
    lost: o[5],
    slides: o[6],
    normal: [o[7], o[8]],
    rest: [o[9], o[10]],
    off: o[11],
    corners: Array.from({ length: o[12] }, (_, i): Place => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]),
  };
}

/** A position of a flat map in its integers, and a motion of integers in metres. */
export const plan = (p: Place): Point => [p[0] / UNIT, p[2] / UNIT];
export const metres = (by: Point): Point => [by[0] * UNIT, by[1] * UNIT];

const RANGE = 2 ** 24;
/** Longest motion in x or z. */
const LONGEST = 2 ** 25;

/** A random motion: mostly shorter than the map, now and then far beyond it, along axes and diagonals too. */
export function randomMotion(map: LatticeMap, next: () => number): Point {
  const size = Math.max(map.bounds[2] - map.bounds[0], map.bounds[3] - map.bounds[1]);
  const reach = Math.max(2, Math.round(size * [0.02, 0.15, 0.6, 4][between(next, 0, 3)]));
  let x = between(next, -reach, reach);
  let z = between(next, -reach, reach);
  while (Math.max(Math.abs(x), Math.abs(z)) > LONGEST) [x, z] = [Math.trunc(x / 2), Math.trunc(z / 2)];
  const kind = next();
  if (kind < 0.1) return [x, 0];
  if (kind < 0.2) return [0, z];
  const short = Math.min(Math.abs(x), Math.abs(z));
  if (kind < 0.3) return [Math.sign(x) * short, Math.sign(z) * short];
  return [x, z];
}

/**
 * What is wrong with one answer, by definition: the end on the mesh, every leg clear for the brute-force oracle, no longer
 * than the motion, and straight to the target whenever that can be seen.
 */
export function faults(scene: SightScene, from: Point, by: Point, got: SurfaceAnswer, turn: Turn): string[] {
  const bad: string[] = [];
  const says = (words: string) => bad.push(`${from} by ${by}: ${words}: ${JSON.stringify(got)}`);
  if (got.status !== 0 && got.status !== 1 && got.status !== 5) says('status');
  const end = plan(got.end);
  if (!end.every(Number.isInteger)) says('the end is not on the grid');
  if (!walkable(scene, end[0], end[1], 1, turn)) says('the end is off the mesh');
  const points = got.corners.map(plan);
  if (`${points[0]}` !== `${from}` || `${points.at(-1)}` !== `${end}`) says('the legs do not join start and end');
  let length = 0;
  points.slice(1).forEach((p, i) => {
    length += Math.hypot(p[0] - points[i][0], p[1] - points[i][1]);
    if (!sees(scene, points[i], p, turn)) says(`leg ${points[i]} -> ${p} is not clear`);
  });
  const full = Math.hypot(by[0], by[1]);
  if (length > full * (1 + 1e-12)) says(`walked ${length} of ${full}`);
  if (Math.abs(got.length / UNIT - length) > 1e-12 * full) says(`length is ${length}`);
  if (Math.abs(got.lost / UNIT - (full - length)) > 1e-12 * full) says(`lost is ${full - length}`);
  const target: Point = [from[0] + by[0], from[1] + by[1]];
  const clear = sees(scene, from, target, turn);
  if (clear !== (got.status === 0)) says('clear or not');
  if (clear && `${end}` !== `${target}`) says('not at the target');
  if (clear && (got.slides > 0 || got.lost > 0)) says('clear, but slid or lost');
  return bad;
}

export interface Tally {
  asked: number;
  slid: number;
  slides: number;
  faults: string[];
  /** Ends compared with the exact simulation: alike, and not (in words); skipped: it came through a pinch. */
  alike: number;
  skipped: number;
  far: string[];
}
export const nothing = (): Tally => ({ asked: 0, slid: 0, slides: 0, faults: [], alike: 0, skipped: 0, far: [] });

export function add(into: Tally, more: Tally): Tally {
  for (const key of ['asked', 'slid', 'slides', 'alike', 'skipped'] as const) into[key] += more[key];
  into.faults.push(...more.faults);
  into.far.push(...more.far);
  return into;
}

const RIM = 1973789;
/** Small integers, where rounding is as large as the map's parts: nothing may go through, and nothing is compared. */
export const SMALL: readonly (readonly [string, Omit<LatticeOptions, 'seed'>])[] = [
  ['triangles', { w: 6, h: 6 }],
  ['dense', { w: 7, h: 5, blocked: 0.5 }],
  ['open, merged to 6', { w: 6, h: 6, blocked: 0.12, merge: 6 }],
  ['straight lattice, merged to 8', { w: 6, h: 6, jitter: 0, blocked: 0.25, merge: 8 }],
];
/** The same coincidences far apart: rounding is small beside the walls, so ends must agree. */
export const LARGE: readonly (readonly [string, Omit<LatticeOptions, 'seed'>])[] = [
  ['triangles, large', { w: 6, h: 6, scale: 1024 }],
  ['dense, large', { w: 7, h: 5, blocked: 0.5, scale: 300 }],
  ['open, merged to 6, large', { w: 6, h: 6, blocked: 0.12, merge: 6, scale: 1024 }],
  ['straight lattice, merged to 8, large', { w: 6, h: 6, jitter: 0, blocked: 0.25, merge: 8, scale: 1024 }],
  ['rim of the range', { w: 5, h: 5, scale: RIM, offset: [RIM - RANGE, RIM - RANGE], blocked: 0.2 }],
];

/** `count` walks on one lattice map; with `compare` also against the exact simulation. */
export function slideBattery(
  make: () => Kernel,
  shape: Omit<LatticeOptions, 'seed'>,
  seed: number,
  count: number,
  compare: boolean,
): Tally {
  const map = latticeMesh({ ...shape, seed });
  const turn = Math.max(...map.bounds.map(Math.abs)) < 2 ** 20 ? smallTurn : bigTurn;
  const kernel = make();
  kernel.load(packOf(map.mesh));
  const next = random(seed);
  const tally = nothing();
  const pinched = pinches(map);
  for (let i = 0; i < count; i++) {
    const from = randomPoint(map, next, 0.3, 0);
    const by = randomMotion(map, next);
    const got = askSurface(kernel, place(from), metres(by));
    tally.asked++;
    if (got.status !== 0) tally.slid++;
    tally.slides += got.slides;
    tally.faults.push(...faults(map, from, by, got, turn).map((f) => `seed ${seed}: ${f}`));
    if (!compare) continue;
    const want = slideExactly(map, from, by);
    if (want.events.some((e) => pinched.some((p) => p[0] === e[0] && p[1] === e[1]))) {
      tally.skipped++;
      continue;
    }
    const end = plan(got.end);
    const gap = Math.hypot(end[0] - want.end[0], end[1] - want.end[1]);
    if (gap <= 2 && got.slides === want.slides) tally.alike++;
    else
      tally.far.push(
        `seed ${seed}: ${from} by ${by}: ${end} after ${got.slides} slides (${got.status}), ` +
          `expected ${want.end} after ${want.slides} (${want.word}), gap ${gap}`,
      );
  }
  return tally;
}
