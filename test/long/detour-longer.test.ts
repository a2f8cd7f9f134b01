// How much longer than the exact walk recast-navigation's own paths are: the reason to judge by the exact one. Prints a table
// in markdown; asserts that none of recast-navigation's paths is shorter, or says why it is no walk.
import { afterAll, expect, test } from 'vitest';
import { gridPoints, type Vec } from '../kernel/gridpoints.ts';
import { random } from '../oracle/random.ts';
import { LEVELS, type Level, loadLevel, standingPoints } from './levels.ts';

const SEED = Number(process.env.NAVGUARD_SEED ?? 20251204);
const ROUTES = 3_000;
/** Further routes from corners, edges and small polygons, that are not in the table. */
const ODD = 1_000;
const NEAR = 10;
/** Shorter routes say nothing in percent. */
const SHORTEST = 0.5;

const plan = (path: readonly { x: number; z: number }[]): number =>
  path.slice(1).reduce((l, c, i) => l + Math.hypot(c.x - path[i]!.x, c.z - path[i]!.z), 0);
const point = ([x, y, z]: Vec) => ({ x, y, z });

interface Sample {
  ratio: number;
  theirs: number;
  exact: number;
  path: readonly Vec[];
}

/**
 * recast-navigation's path from one standing point to another, and the exact length between the path's own ends: both
 * walk from and to the same places, whatever it snapped them to. Null when there is no path or it stops short.
 */
function compare(level: Level, from: Vec, to: Vec): Sample | null {
  const { success, path } = level.query.computePath(point(from), point(to));
  const [first, last] = [path[0], path.at(-1)];
  if (!success || !first || !last) return null;
  if (Math.hypot(last.x - to[0], last.z - to[2]) > 0.05 || Math.abs(last.y - to[1]) > 1) return null;
  const exact = level.map.shortest([first.x, from[1], first.z], [last.x, to[1], last.z]);
  const theirs = plan(path);
  if (exact.status !== 'complete') throw new Error(`${from} -> ${to}: a path of ${theirs} m where we see no walk`);
  if (exact.length! < SHORTEST) return null;
  return {
    ratio: theirs / exact.length!,
    theirs,
    exact: exact.length!,
    path: path.map(({ x, y, z }): Vec => [x, y, z]),
  };
}

const UNEXPLAINED = 'UNEXPLAINED';

/** A path of recast-navigation may be shorter than the exact one only where it is no walk, or by its portals' rounding. */
function whyShorter(level: Level, { path, theirs, exact }: Sample): string {
  const { unit } = level.map.info;
  const { tiles } = level.source;
  const side = Math.max(...tiles.flatMap(({ bounds }) => [bounds[3] - bounds[0], bounds[5] - bounds[2]]));
  // Portal ends are kept as whole 255ths of a polygon's edge on the tile's side: half of one off, and a corner that is off
  // by d shortens what comes before and after it by d each.
  const onBorder = path
    .slice(1, -1)
    .filter((c) =>
      tiles.some(({ bounds }) =>
        [0, 2].some((k) => Math.abs(bounds[k]! - c[k]!) <= unit || Math.abs(bounds[k + 3]! - c[k]!) <= unit),
      ),
    ).length;
  if (tiles.length > 1 && exact - theirs <= (onBorder * side) / 255 + 2 * unit) {
    return 'corners on tile borders, which recast keeps in 1/255 of an edge';
  }
  // A straight leg that it refuses itself when asked for a ray, from every polygon that holds the leg's start.
  for (let i = 1; i < path.length; i++) {
    const [from, to] = [path[i - 1]!, path[i]!];
    const holders = level.polygons.filter(({ corners }) =>
      corners.some((c) => Math.hypot(c[0] - from[0], c[2] - from[2]) <= unit && Math.abs(c[1] - from[1]) < 1),
    );
    const blocked = holders.every(({ source }) => {
      const hit = level.query.raycast(level.ref(source), point(from), point(to));
      return hit.success && hit.t < 1;
    });
    if (holders.length > 0 && blocked && !level.map.ray(from, to).clear) {
      return "a leg from a corner runs through a wall: recast's own ray refuses it from each polygon there";
    }
  }
  return UNEXPLAINED;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const rows: string[] = [];
const notes: string[] = [];
afterAll(() => {
  const head = ['| map | routes | > 1 % longer | > 5 % | > 15 % | p99 | worst |', '|---|--:|--:|--:|--:|--:|--:|'];
  console.log([`recast-navigation's path against the exact one, seed ${SEED}`, ...head, ...rows, ...notes].join('\n'));
});

const CASES = LEVELS.flatMap((row) =>
  [Infinity, NEAR].map(
    (within) => [row[0], within === NEAR ? `within ${NEAR} m` : 'any two points', row, within] as const,
  ),
);

function routes(level: Level, stand: () => Vec, within: number, most: number): Sample[] {
  const samples: Sample[] = [];
  for (let tries = 0; samples.length < most && tries < 60 * most; tries++) {
    const from = stand();
    let to = stand();
    const apart = () => Math.hypot(to[0] - from[0], to[2] - from[2]);
    for (let i = 0; i < 200 && apart() > within; i++) to = stand();
    const sample = apart() > within ? null : compare(level, from, to);
    if (sample) samples.push(sample);
  }
  return samples;
}

test.each(CASES)('%s, %s: never shorter', async (name, words, row, within) => {
  const level = await loadLevel(row);
  const next = random(SEED);
  const samples = routes(level, standingPoints(level, next), within, ROUTES);
  const odd = gridPoints(level.map, next);
  const all = [...samples, ...routes(level, () => odd().at, within, ODD)];
  samples.sort((a, b) => a.ratio - b.ratio);
  const share = (over: number): string => percent(samples.filter((s) => s.ratio > over).length / samples.length);
  const at = (q: number): string => percent(samples[Math.ceil(q * samples.length) - 1]!.ratio - 1);
  rows.push(
    `| ${name}, ${words} | ${samples.length} | ${share(1.01)} | ${share(1.05)} | ${share(1.15)} | ${at(0.99)} | ${at(1)} |`,
  );
  const causes = new Map<string, number>();
  const unexplained: Sample[] = [];
  for (const sample of all) {
    // Ends are rounded to the grid, by half a unit in x and in z each; corners lie on it but for float32.
    if (sample.theirs >= sample.exact - 2 * level.map.info.unit) continue;
    const cause = whyShorter(level, sample);
    causes.set(cause, (causes.get(cause) ?? 0) + 1);
    if (cause === UNEXPLAINED) unexplained.push(sample);
  }
  for (const [cause, n] of causes) notes.push(`${name}, ${words}: ${n} of ${all.length} shorter: ${cause}`);
  expect(unexplained.slice(0, 5), `${unexplained.length} of ${all.length}`).toEqual([]);
  expect(samples.length).toBeGreaterThanOrEqual(1_500);
});
