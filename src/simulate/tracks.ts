// True walks through a level, recorded once and replayed by many: recast-navigation's crowd, and bodies steered by keys
// that slide along walls on Detour's surface. No line of navguard's own kernel takes part. Imported by stage.ts.
import type { CrowdAgent } from 'recast-navigation';
import type { Point, Track } from './actor.ts';
import type { Ground } from './ground.ts';
import type { Random } from './random.ts';

const HZ = 60;
/** Detour's walk along the surface may end this much beyond the asked point: metres. */
const SLIP = 0.003;
/** Detour's path is not always the shortest, and walks bend: a way round longer than twice the step and this is one, metres. */
const WAY_ROUND = 1;
/** From one look at a walk to the next, metres. */
const MARK = 0.3;
/** Metres a second of whoever is recorded; replays scale it. */
const PACE = 5;

export interface TrackOptions {
  readonly walkers: number;
  readonly seconds: number;
}

/** A crowd of walkers that go from place to place; each is one track. */
export function recordCrowd(ground: Ground, random: Random, { walkers, seconds }: TrackOptions): Track[] {
  const samples = Math.floor(seconds * HZ);
  const walks = Array.from({ length: walkers }, () => new CrowdWalk(ground, random, samples));
  for (let i = 0; i < samples; i++) {
    ground.crowd.update(1 / HZ);
    for (const walk of walks) walk.step(i);
  }
  for (const walk of walks) walk.leave();
  return walks.map((walk) => trackOf('crowd', honestPart(ground, walk.xyz)));
}

class CrowdWalk {
  readonly xyz: Float32Array;
  readonly #ground: Ground;
  readonly #random: Random;
  readonly #agent: CrowdAgent;
  #at: Point;
  #target: Point;
  #until = 0;

  constructor(ground: Ground, random: Random, samples: number) {
    this.#ground = ground;
    this.#random = random;
    this.xyz = new Float32Array(samples * 3);
    this.#agent = ground.addWalker(ground.randomPoint(random), PACE);
    this.#at = position(this.#agent);
    this.#target = this.#at;
  }

  step(i: number): void {
    const before = this.#at;
    let now = position(this.#agent);
    // Detour sometimes lands decimetres away from the edge of a polygon: no walker can do that
    const strayed = Math.hypot(now.x - before.x, now.z - before.z) > PACE / HZ + SLIP;
    if (strayed) {
      this.#agent.teleport(before);
      now = before;
    }
    this.#at = now;
    this.xyz[i * 3] = now.x;
    this.xyz[i * 3 + 1] = this.#ground.floorAt(now);
    this.xyz[i * 3 + 2] = now.z;
    const arrived = Math.hypot(now.x - this.#target.x, now.z - this.#target.z) < 0.5;
    if (strayed || arrived || i >= this.#until) {
      this.#target = somewhere(this.#ground, this.#random, now);
      this.#until = i + this.#random.between(5, 25) * HZ;
      this.#agent.requestMoveTarget(this.#target);
    }
  }

  leave(): void {
    this.#ground.crowd.removeAgent(this.#agent);
  }
}

/** Bodies steered by keys: straight for a while, turning, into walls and along them, standing now and then. */
export function recordSlides(ground: Ground, random: Random, { walkers, seconds }: TrackOptions): Track[] {
  const samples = Math.floor(seconds * HZ);
  return Array.from({ length: walkers }, () => {
    const xyz = new Float32Array(samples * 3);
    let at = ground.randomPoint(random);
    let on = 0;
    let heading = random.between(0, 2 * Math.PI);
    let turn = 0;
    let pace = PACE;
    let until = 0;
    for (let i = 0; i < samples; i++) {
      if (i >= until) {
        until = i + random.between(0.2, 3) * HZ;
        // eight directions of the keys, a curve of the mouse, or a stop
        if (random.chance(0.5)) heading = (random.below(8) * Math.PI) / 4;
        turn = random.chance(0.5) ? random.between(-3, 3) : 0;
        pace = random.chance(0.1) ? 0 : PACE;
      }
      heading += turn / HZ;
      const step = pace / HZ;
      const to = { x: at.x + step * Math.cos(heading), y: at.y, z: at.z + step * Math.sin(heading) };
      const next = step === 0 ? { at, on } : ground.slide(at, to, on);
      const moved = next === null ? Number.NaN : Math.hypot(next.at.x - at.x, next.at.z - at.z);
      if (next !== null && moved <= step + SLIP && Math.abs(next.at.y - at.y) < 0.6) ({ at, on } = next);
      else heading = random.between(0, 2 * Math.PI);
      xyz[i * 3] = at.x;
      xyz[i * 3 + 1] = at.y;
      xyz[i * 3 + 2] = at.z;
    }
    return trackOf('slide', honestPart(ground, xyz));
  });
}

/**
 * The walk up to where it goes through a wall. Detour's own walk along the surface sometimes does: on the very edge between
 * two polygons that are not joined it takes the one for the other, and where its ray and its path (metres round, for
 * centimetres) say that there is no way its body goes on. A place on the edge belongs to either side, so the steps looked at
 * are longer than the body's, and overlap.
 */
function honestPart(ground: Ground, xyz: Float32Array): Float32Array {
  const at = (i: number): Point => ({ x: xyz[3 * i], y: xyz[3 * i + 1], z: xyz[3 * i + 2] });
  const marks = [0];
  for (let i = 1; 3 * i < xyz.length; i++) {
    const here = at(i);
    const last = at(marks[marks.length - 1]);
    if (Math.hypot(here.x - last.x, here.z - last.z) < MARK) continue;
    for (const mark of marks) {
      const there = at(mark);
      const step = Math.hypot(here.x - there.x, here.z - there.z);
      if (ground.sight(there, here) || !(ground.walk(there, here) > 2 * step + WAY_ROUND)) continue;
      return xyz.slice(0, 3 * Math.max(2, marks[0]));
    }
    marks.push(i);
    if (marks.length > 3) marks.shift();
  }
  return xyz;
}

function trackOf(source: string, xyz: Float32Array): Track {
  return { source, hz: HZ, xyz, speed: PACE, scalable: true, reversible: true };
}

/** A place that can be walked to, if a few tries find one. */
function somewhere(ground: Ground, random: Random, from: Point): Point {
  for (let tries = 0; tries < 6; tries++) {
    const to = ground.randomPoint(random);
    if (Number.isFinite(ground.walk(from, to))) return to;
  }
  return from;
}

function position(agent: CrowdAgent): Point {
  const { raw } = agent;
  return { x: raw.get_npos(0), y: raw.get_npos(1), z: raw.get_npos(2) };
}
