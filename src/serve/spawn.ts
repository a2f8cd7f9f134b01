// Where newcomers stand: points on the largest connected part of a map, spread over it, the same for the same map.
// Imported by serve/server.ts and by the load tool.
import { NavguardError } from '../errors.ts';
import type { NavMap } from '../map.ts';
import type { Vec3 } from '../types.ts';

/** Steps of the R2 sequence (Roberts 2018): points spread evenly however many are taken. */
const STEP_X = 0.7548776662466927;
const STEP_Z = 0.5698402909980532;
const TRIES = 4096;

/** At most `count` points, at least one. Throws `BAD_FILE` for a map that has no ground at all where it was looked for. */
export function spawnPoints(map: NavMap, count = 64): Vec3[] {
  const { min, max } = map.info.bounds;
  const middle = (min[1] + max[1]) / 2;
  const height = max[1] - min[1] + 1;
  const found = new Map<number, Vec3[]>();
  for (let i = 1; i <= TRIES; i++) {
    const x = min[0] + ((i * STEP_X) % 1) * (max[0] - min[0]);
    const z = min[2] + ((i * STEP_Z) % 1) * (max[2] - min[2]);
    const at = map.locate([x, middle, z], { below: height, above: height });
    if (at === null || at.distance > 0) continue;
    const points = found.get(at.component) ?? [];
    points.push(at.point);
    found.set(at.component, points);
    if (points.length >= 4 * count) break;
  }
  let best: Vec3[] = [];
  for (const points of found.values()) if (points.length > best.length) best = points;
  if (best.length === 0) {
    throw new NavguardError('BAD_FILE', 'found no ground to put newcomers on, expected a place (spawn) to be given.');
  }
  return best.slice(0, count);
}
