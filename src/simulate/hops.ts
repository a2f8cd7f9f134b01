// Places where a hop through a wall is worth it: a short straight line, blocked, and a long walk round or none.
// Imported by simulate/.
import type { Ground, Point } from './ground.ts';
import type { Random } from './random.ts';

export interface HopSite {
  readonly from: Point;
  readonly to: Point;
}

/**
 * A step off a ledge is a legal way down, and one over a wall cannot be told from it when there is lower ground near by.
 * Metres: lower than this (less than any climb), within this (two radii and two cells of most maps, and some).
 */
const LOWER = 0.4;
const NEAR = 2.3;
/** Metres of a hop at least. */
const NEAREST = 1;

/**
 * Up to `wanted` places, found by trying at random.
 * @param farthest metres of a straight hop
 * @param walk metres: the way round must be longer by Detour's reckoning
 */
export function findHopSites(
  ground: Ground,
  random: Random,
  wanted: number,
  farthest: number,
  walk: number,
): HopSite[] {
  const sites: HopSite[] = [];
  for (let tries = 0; tries < 20_000 && sites.length < wanted; tries++) {
    const from = ground.randomPoint(random);
    const angle = random.between(0, 2 * Math.PI);
    const away = random.between(NEAREST, farthest);
    const to = ground.onGround({ x: from.x + away * Math.cos(angle), y: from.y, z: from.z + away * Math.sin(angle) });
    if (to === null) continue;
    if (ground.sight(from, to) || ground.sight(to, from)) continue;
    if (!(ground.walk(from, to) > walk) || ground.lowerGroundNear(from, to, NEAR, LOWER)) continue;
    sites.push({ from, to });
  }
  return sites;
}
