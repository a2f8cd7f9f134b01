// Plays cheats of the zoo on maps, many runs each, and gathers what they came to. Imported by the tests of the zoo.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RECIPES } from '../../navdata/maps.ts';
import { GridMap } from '../../src/gridmap.ts';
import { MoveGuard } from '../../src/guard.ts';
import type { NavMap } from '../../src/map.ts';
import { NavMap as Nav } from '../../src/map.ts';
import type { Stage } from '../../src/simulate/actor.ts';
import { Cells, gridRows } from '../../src/simulate/cells.ts';
import type { Cheat, MakeOptions, Played } from '../../src/simulate/cheats/index.ts';
import { playCheat } from '../../src/simulate/cheats/index.ts';
import { Ground } from '../../src/simulate/ground.ts';
import { seeded } from '../../src/simulate/random.ts';

/** A map and its true ground. */
export interface Place {
  readonly name: string;
  readonly stage: Stage;
  readonly map: NavMap;
  /** The same ground without walls, on one floor. */
  readonly open: NavMap;
}

function openGround(map: NavMap): NavMap {
  const { min, max } = map.info.bounds;
  const cell = 4;
  const margin = 8;
  const width = Math.ceil((max[0] - min[0] + 2 * margin) / cell);
  const depth = Math.ceil((max[2] - min[2] + 2 * margin) / cell);
  const rows = Array.from({ length: depth }, () => '.'.repeat(width));
  return GridMap.from(rows, { cell, origin: [min[0] - margin, min[2] - margin] });
}

/** Open one at a time: recast-navigation keeps one imported mesh only. */
export async function meshPlace(name: string, bytes: Uint8Array): Promise<Place> {
  const map = await Nav.load(bytes);
  const terrain = await Ground.open(bytes, 1);
  return { name, stage: { map: name, terrain, tracks: [] }, map, open: openGround(map) };
}

export function gridPlace(name: string, rows: readonly string[], cell: number): Place {
  const map = GridMap.from(rows, { cell });
  const terrain = new Cells({ rows, cell, origin: [0, 0] });
  return { name, stage: { map: name, terrain, tracks: [] }, map, open: openGround(map) };
}

export function bundledPlace(name: string): Promise<Place> {
  return meshPlace(name, readFileSync(join(import.meta.dirname, '../../navdata/maps', `${name}.bin`)));
}

export const BUNDLED: readonly string[] = RECIPES.map(({ name }) => name);

/** Blocks of 2 x 2 cells that touch at their corners, in chains too long to walk round. */
export function diagonals(): string[] {
  const size = 60;
  const rows = Array.from({ length: size }, () => new Array<string>(size).fill('.'));
  for (const [u0, v0, way] of [
    [4, 4, 1],
    [20, 4, 1],
    [56, 30, -1],
  ]) {
    for (let k = 0; k < 50; k++) {
      const u = u0 + way * k;
      const v = v0 + k;
      if (u >= 0 && v >= 0 && u < size && v < size) rows[v][u] = '#';
    }
  }
  return rows.map((r) => r.join(''));
}

export const GRIDS: readonly (readonly [string, () => readonly string[], number])[] = [
  ['grid rooms', () => gridRows('rooms', 48, seeded(5)), 0.5],
  ['grid noise', () => gridRows('noise', 64, seeded(6)), 1],
  ['grid diagonals', () => diagonals(), 0.5],
  // room to run straight on
  ['grid field', () => Array.from({ length: 80 }, () => '.'.repeat(80)), 1],
];

/** One run, of the cheat or of its positive control; null when the map has no place for this cheat. */
export function run(
  place: Place,
  cheat: Cheat,
  seed: number,
  control = false,
  options: MakeOptions = {},
): Played | null {
  const random = seeded(Math.floor(seeded(seed + 1000 * place.name.length).next() * 2 ** 32));
  const { lax, open, rules = {} } = cheat.control;
  const cast = cheat.make(place.stage, 'c', random, 0, { ...options, lax: control && lax === true });
  if (cast === null) return null;
  const clock = { now: 0 };
  const map = control && open === true ? place.open : place.map;
  const guard = new MoveGuard(map, control ? rules : {}, { now: () => clock.now });
  const played = playCheat(guard, clock, cast, random, cheat.caughtBy);
  return played.claims === 0 ? null : played;
}

/** What many runs of one cheat came to. */
export interface Tally {
  readonly cheat: Cheat;
  runs: number;
  caught: number;
  /** Not caught, and never half a second ahead of an honest player: a wall or a bend was in its way. */
  harmless: number;
  honest: number;
  /** Until caught: claims, ms, seconds of its speed limit ahead of an honest player. */
  readonly claims: number[];
  readonly ms: number[];
  readonly ahead: number[];
  readonly by: Record<string, number>;
  controls: number;
  controlsWon: number;
  /** What must not have been, in words. */
  readonly faults: string[];
}

export function newTally(cheat: Cheat): Tally {
  return {
    cheat,
    runs: 0,
    caught: 0,
    harmless: 0,
    honest: 0,
    claims: [],
    ms: [],
    ahead: [],
    by: {},
    controls: 0,
    controlsWon: 0,
    faults: [],
  };
}

/** Metres: what is measured from stride to stride may be this much more. */
const MEASURE = 0.6;

/** Plays a seed, and its control, and adds them up. False when the map has no place for this cheat. */
export function add(tally: Tally, place: Place, seed: number, options: MakeOptions = {}): boolean {
  const { cheat, faults } = tally;
  const played = run(place, cheat, seed, false, options);
  if (played === null) return false;
  const { bound } = cheat;
  const who = `${cheat.name} on ${place.name}, seed ${seed}`;
  const { speed } = played.events[0] as { speed: number };
  tally.runs++;
  tally.honest += played.honest;
  if (played.honestRefused > 0) faults.push(`${who}: ${played.honestRefused} honest claims refused`);
  // what a single claim can win must never be let through, however often it is tried; a hover starts anew on the ground
  const fouls = bound.claims === 1 ? played.fouls : played.foulsUncaught;
  if (fouls > 0) faults.push(`${who}: ${fouls} accepted that must not be`);
  if (played.beyond > 0 && !cheat.name.startsWith('grant')) faults.push(`${who}: ${played.beyond} m beyond any credit`);
  const { caught } = played;
  if (caught !== null) {
    tally.caught++;
    tally.claims.push(caught.claims);
    tally.ms.push(caught.ms);
    tally.ahead.push(caught.metres / speed);
    tally.by[caught.by] = (tally.by[caught.by] ?? 0) + 1;
    const late =
      caught.claims > (bound.claims ?? Infinity) ||
      caught.ms > (bound.ms ?? Infinity) ||
      caught.metres > cheat.ahead * speed + MEASURE;
    if (late) {
      const ahead = (caught.metres / speed).toFixed(2);
      faults.push(`${who}: caught late, ${caught.claims} claims, ${caught.ms.toFixed(0)} ms, ${ahead} s ahead`);
    }
  } else if (cheat.wins === 'metres' && played.ahead < cheat.harmless * speed) tally.harmless++;
  else faults.push(`${who}: got away, ${(played.ahead / speed).toFixed(2)} s ahead`);

  const free = run(place, cheat, seed, true, options);
  if (free === null) return true;
  tally.controls++;
  const won = cheat.wins === 'fouls' ? free.fouls > 0 : free.caught === null && free.ahead > 0.6 * cheat.ahead * speed;
  if (won) tally.controlsWon++;
  return true;
}

/** "median / most" of figures. */
function spread(figures: readonly number[], digits: number): string {
  if (figures.length === 0) return '-';
  const sorted = [...figures].sort((a, b) => a - b);
  return `${sorted[sorted.length >> 1].toFixed(digits)} / ${sorted[sorted.length - 1].toFixed(digits)}`;
}

/** One row of a table for people. */
export function row(t: Tally): string {
  const { bound, ahead, name } = t.cheat;
  const limits = [
    bound.claims === undefined ? '' : `${bound.claims} claims`,
    bound.ms === undefined ? '' : `${bound.ms / 1000} s`,
    `${ahead.toFixed(1)} s ahead`,
  ];
  return [
    name,
    t.runs,
    `${t.caught} (${t.harmless} harmless)`,
    spread(t.claims, 0),
    spread(
      t.ms.map((ms) => ms / 1000),
      1,
    ),
    spread(t.ahead, 2),
    limits.filter((l) => l !== '').join(', '),
    `${t.controlsWon} of ${t.controls}`,
    Object.entries(t.by)
      .map(([by, n]) => `${by} ${n}`)
      .join(', '),
  ].join(' | ');
}

export const HEADINGS = 'cheat | runs | caught | claims median / most | s | s ahead | bound | controls won | by';
