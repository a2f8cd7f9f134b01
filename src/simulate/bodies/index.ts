// Bodies moved against the level's triangles, recorded as true walks: what a navmesh does not bound. Front of bodies/.
import type { Terrain, Track } from '../actor.ts';
import type { Random } from '../random.ts';
import { Capsule } from './capsule.ts';
import type { Footing } from './footing.ts';
import type { Level } from './levels.ts';
import { newPilotCounts, Pilot, type PilotCounts } from './pilot.ts';

export { type BodySize, Capsule } from './capsule.ts';
export { Footing } from './footing.ts';
export { bodySize, type Level, levelOfSpec, levelOfTriangles } from './levels.ts';
export { newPilotCounts, Pilot, type PilotCounts } from './pilot.ts';
export { Soup, type Triangles } from './soup.ts';

/** Samples a second. */
export const BODY_HZ = 60;
/** A walk that ends sooner is thrown away, s. */
const SHORT = 2;

export interface BodyTrackOptions {
  readonly walkers: number;
  /** Seconds of each walker; a body that must be put back ends its track and begins another. */
  readonly seconds: number;
}

/**
 * Bodies that walk, slide, hop and fall through a level: a track for every stretch without being put back. The same seed
 * gives the same tracks.
 * @param terrain the navmesh of the level as recast-navigation has it: where to go
 * @param counts what became of them is added here
 */
export function recordBodies(
  level: Level,
  terrain: Terrain,
  footing: Footing,
  random: Random,
  { walkers, seconds }: BodyTrackOptions,
  counts: PilotCounts = newPilotCounts(),
): Track[] {
  const tracks: Track[] = [];
  const samples = Math.floor(seconds * BODY_HZ);
  for (let walker = 0; walker < walkers; walker++) {
    let left = samples;
    while (left > SHORT * BODY_HZ) {
      const body = new Capsule(level.soup, level.size);
      const speed = random.between(2.5, 7);
      const pilot = new Pilot(body, level.cell, terrain, footing, random, speed, counts);
      if (!pilot.spawn()) return tracks;
      const xyz = new Float32Array(left * 3);
      let n = 0;
      for (; n < left; n++) {
        if (!pilot.step(1 / BODY_HZ)) {
          counts.putBack++;
          break;
        }
        xyz[n * 3] = body.x;
        xyz[n * 3 + 1] = body.y;
        xyz[n * 3 + 2] = body.z;
      }
      left -= Math.max(n, 1);
      if (n < SHORT * BODY_HZ) continue;
      const exact = n === samples ? xyz : xyz.slice(0, n * 3);
      tracks.push({ source: 'body', hz: BODY_HZ, xyz: exact, speed, scalable: false, reversible: false });
    }
  }
  return tracks;
}
