// 100,000 random rays a level against recast-navigation's raycast on the same mesh: every difference is put into a class
// by a test of its own, and none may be left. Prints the table. Published levels when NAVGUARD_SAMPLES is set.
import { describe, expect, test } from 'vitest';
import { BLOCKED, CLEAR, NONE } from '../kernel/ask.ts';
import { between, random } from '../oracle/random.ts';
import { LEVELS, type Level, loadLevel, standingPoints } from './levels.ts';

type Vec = [number, number, number];
const SEED = Number(process.env.NAVGUARD_SEED ?? 20250907);
const RAYS = Number(process.env.NAVGUARD_RAYS ?? 100_000);
const LONGEST = 25;
const BAND = { below: 0.5, above: 1.5 };

interface Answer {
  clear: boolean;
  /** 1 and blocked: the target's floor is another one. */
  t: number;
  last: number;
  /** Polygon whose reference recast starts from. */
  start: number;
}

function ours(level: Level, from: Vec, to: Vec): Answer | null {
  const { kernel } = level.map;
  kernel.input.set([...from, ...to, BAND.below, BAND.above, 0]);
  const status = kernel.ray(NONE);
  if (status !== CLEAR && status !== BLOCKED) return null;
  const [t, , , , , last] = kernel.output;
  const at = level.map.locate(from, { ...BAND, tolerance: 0 });
  return at && { clear: status === CLEAR, t, last, start: at.polygon };
}

const point = ([x, y, z]: Vec) => ({ x, y, z });

/** recast-navigation's t, 1 when it reached the end. */
function recastT(level: Level, polygon: number, from: Vec, to: Vec): number {
  const hit = level.query.raycast(level.ref(level.polygons[polygon].source), point(from), point(to));
  return hit.success ? Math.min(hit.t, 1) : 0;
}

/** Whether the target is out of the height band of the polygon that the ray came to, by recast-navigation's height. */
function endsOnOtherFloor(level: Level, mine: Answer, to: Vec): boolean {
  const found = level.query.closestPointOnPoly(level.ref(level.polygons[mine.last].source), point(to));
  const { x, y, z } = found.closestPoint;
  const beside = Math.hypot(x - to[0], z - to[2]);
  return found.success && beside < 1e-3 && (to[1] < y - BAND.below || to[1] > y + BAND.above);
}

/** Both ends moved by one unit of the grid, all ways. */
function neighbours(from: Vec, to: Vec, unit: number): [Vec, Vec][] {
  const out: [Vec, Vec][] = [];
  const steps = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((z) => [x * unit, z * unit]));
  const moved = ([x, y, z]: Vec, [dx, dz]: number[]): Vec => [Math.fround(x + dx), y, Math.fround(z + dz)];
  for (const a of steps) for (const b of steps) out.push([moved(from, a), moved(to, b)]);
  return out;
}

/** Whether a position is a corner of some polygon, within a unit. */
function isCorner(level: Level, [x, , z]: Vec): boolean {
  return level.polygons.some(({ corners }) =>
    corners.some((c) => Math.hypot(c[0] - x, c[2] - z) <= level.map.info.unit),
  );
}

/** Polygons of ours that hold a point within a millimetre, closed, whatever their height. */
function holders(level: Level, [x, , z]: Vec): number[] {
  return level.polygons
    .filter(({ corners }) =>
      corners.every((a, i) => {
        const b = corners[(i + 1) % corners.length];
        const length = Math.hypot(b[0] - a[0], b[2] - a[2]);
        return ((b[0] - a[0]) * (z - a[2]) - (b[2] - a[2]) * (x - a[0])) / length >= -1e-3;
      }),
    )
    .map((p) => p.id);
}

/**
 * Whether a plan point lies on a tile's side, beside the end of a portal there, by no more than Detour's rounding: it
 * keeps a portal's ends as whole 255ths of the polygon's edge.
 */
function besidePortalEnd(level: Level, x: number, z: number): boolean {
  if (level.source.tiles.length < 2) return false;
  const { unit } = level.map.info;
  for (const { corners, neighbours: across } of level.polygons) {
    for (const k of [0, 2]) {
      const line = k === 0 ? x : z;
      const onSide = level.source.tiles.some(
        ({ bounds }) => Math.abs(bounds[k] - line) <= unit || Math.abs(bounds[k + 3] - line) <= unit,
      );
      if (!onSide) continue;
      // All of this polygon's edge on the side, and the parts of it that are linked.
      const on = corners.filter((c) => Math.abs(c[k] - line) <= unit).map((c) => c[2 - k]);
      const rounding = (Math.max(...on) - Math.min(...on)) / 255;
      const ends = corners.flatMap((a, i) => {
        const b = corners[(i + 1) % corners.length];
        const linked = across[i] >= 0 && [a, b].every((c) => Math.abs(c[k] - line) <= unit);
        return linked ? [a[2 - k], b[2 - k]] : [];
      });
      if (ends.some((end) => Math.abs(end - (k === 0 ? z : x)) <= rounding)) return true;
    }
  }
  return false;
}

function classify(level: Level, from: Vec, to: Vec, mine: Answer, theirs: number): string {
  const { unit } = level.map.info;
  if (!mine.clear && mine.t === 1 && endsOnOtherFloor(level, mine, to))
    return 'ours blocked: the target is on another floor (recast ignores y)';
  const length = Math.hypot(to[0] - from[0], to[2] - from[2]);
  const word = mine.clear ? 'ours clear' : 'ours blocked';
  if (holders(level, from).some((p) => p !== mine.start && recastT(level, p, from, to) >= 1 === mine.clear)) {
    return `${word}: the start is on an edge or vertex, recast agrees from another polygon that holds it`;
  }
  if (mine.clear && (1 - theirs) * length <= 2 * unit)
    return `${word}: recast stops less than two units before the target`;
  if (mine.clear && isCorner(level, from))
    return `${word}: the start is on a corner, recast loses it from all its polygons`;
  const moved = neighbours(from, to, unit);
  const flips = moved.some(([a, b]) => ours(level, a, b)?.clear === !mine.clear);
  const theirsFlips = moved.some(([a, b]) => recastT(level, mine.start, a, b) >= 1 === mine.clear);
  const within = `within one unit (${(unit * 1000).toFixed(2)} mm)`;
  if (flips) return `${word}: grazes a corner of the walls ${within}: positions are quantised`;
  if (theirsFlips) return `${word}: recast's own answer changes ${within}: float comparison at an edge or vertex`;
  const stop = mine.clear ? theirs : mine.t;
  if (besidePortalEnd(level, from[0] + stop * (to[0] - from[0]), from[2] + stop * (to[2] - from[2]))) {
    return `${word}: beside the end of a tile portal, which recast keeps in 1/255 of its edge`;
  }
  return `${word}: UNEXPLAINED`;
}

describe.each(LEVELS)('%s', (...row) => {
  test(`${RAYS} rays: every difference is explained`, async () => {
    const level = await loadLevel(row);
    const next = random(SEED);
    const stand = standingPoints(level, next);
    const corner = (): Vec => {
      const { corners } = level.polygons[between(next, 0, level.polygons.length - 1)];
      return corners[between(next, 0, corners.length - 1)].map(Math.fround) as Vec;
    };
    const end = () => (next() < 0.1 ? corner() : stand());
    const table = new Map<string, number>();
    const unexplained: string[] = [];
    let [agreeClear, agreeBlocked] = [0, 0];
    for (let i = 0; i < RAYS; i++) {
      const from = end();
      let to = end();
      for (let tries = 0; tries < 30 && Math.hypot(to[0] - from[0], to[2] - from[2]) > LONGEST; tries++) to = end();
      const mine = ours(level, from, to);
      // A corner may stand higher or lower than its polygons' details: such a start is on no floor.
      if (!mine) {
        i--;
        continue;
      }
      const theirs = recastT(level, mine.start, from, to);
      if (theirs >= 1 === mine.clear) {
        if (mine.clear) agreeClear++;
        else agreeBlocked++;
        continue;
      }
      const name = classify(level, from, to, mine, theirs);
      table.set(name, (table.get(name) ?? 0) + 1);
      if (name.includes('UNEXPLAINED')) unexplained.push(`${from} -> ${to}: ours t ${mine.t}, recast t ${theirs}`);
    }
    const rows = [...table].sort((a, b) => b[1] - a[1]).map(([name, n]) => `${String(n).padStart(7)}  ${name}`);
    console.log(
      [
        `${level.name}, seed ${SEED}, ${RAYS} rays:`,
        `${String(agreeClear).padStart(7)}  both clear`,
        `${String(agreeBlocked).padStart(7)}  both blocked`,
        ...rows,
      ].join('\n'),
    );
    expect(unexplained.slice(0, 10)).toEqual([]);
    expect(agreeClear).toBeGreaterThan(RAYS / 20);
  }, 600_000);
});
