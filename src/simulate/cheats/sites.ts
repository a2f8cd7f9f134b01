// Places where cheating pays: walls, storeys, corners. Found by trying at random on the true ground, never by asking the
// kernel. Imported by simulate/cheats/.
import type { Point, Stage } from '../actor.ts';
import type { Random } from '../random.ts';
import type { Plan } from './cheat.ts';
import { distance, mix } from './hand.ts';

/** Anywhere from where there is somewhere to go. */
export function anywhere(stage: Stage, random: Random): Plan | null {
  const { terrain } = stage;
  for (let tries = 0; tries < 200; tries++) {
    const start = terrain.randomPoint(random);
    for (let k = 0; k < 5; k++) {
      const walk = terrain.walk(start, terrain.randomPoint(random));
      if (walk > 8 && walk < Infinity) return { start };
    }
  }
  return null;
}

/** A straight way, free in both directions. */
export interface Stretch extends Plan {
  readonly from: Point;
  readonly to: Point;
}

/** The longest straight way found, of `least` metres and more; null when there is none. */
export function findStretch(stage: Stage, random: Random, least: number, tries = 2000): Stretch | null {
  const { terrain } = stage;
  let best: Stretch | null = null;
  let longest = least;
  let found = 0;
  for (let i = 0; i < tries && found < 10; i++) {
    const from = terrain.randomPoint(random);
    const to = terrain.randomPoint(random);
    const length = distance(from, to);
    if (length < longest || !terrain.sight(from, to) || !terrain.sight(to, from)) continue;
    best = { start: from, from, to };
    longest = length;
    found++;
  }
  return best;
}

/** Whether heights mean nothing here. */
export function isFlat({ terrain }: Stage, p: Point): boolean {
  return terrain.onGround({ x: p.x, y: p.y + 1000, z: p.z }) !== null;
}

/** Anywhere on a map with heights. */
export function anywhereHigh(stage: Stage, random: Random): Plan | null {
  const plan = anywhere(stage, random);
  return plan === null || isFlat(stage, plan.start) ? null : plan;
}

/** A wall between two places, and where to come from. */
export interface Hop extends Plan {
  readonly from: Point;
  readonly to: Point;
}

/** A step off a ledge is a legal way down and cannot be told from a hop near lower ground: see hops.ts. Metres. */
export const LOWER = 0.4;
export const NEAR = 2.3;

/**
 * More than any credit of the default rules lets a player walk in one go, metres: burst, latency twice, slack; twice that,
 * for the true ground's walk may be longer than the shortest.
 */
export function farRound(speed: number): number {
  return 2 * (1.15 * speed * 1.85 + 1);
}

/** Hops between `near` and `far` metres (straight) over a wall whose way round is out of reach; null after `tries`. */
export function findHop(
  stage: Stage,
  random: Random,
  speed: number,
  near: number,
  far: number,
  tries = 3000,
): Hop | null {
  const { terrain } = stage;
  const least = farRound(speed);
  for (let i = 0; i < tries; i++) {
    const from = terrain.randomPoint(random);
    const angle = random.between(0, 2 * Math.PI);
    const away = random.between(near, far);
    const to = terrain.onGround({ x: from.x + away * Math.cos(angle), y: from.y, z: from.z + away * Math.sin(angle) });
    if (to === null || terrain.sight(from, to) || terrain.sight(to, from)) continue;
    if (!(terrain.walk(from, to) > least) || terrain.lowerGroundNear(from, to, NEAR, LOWER)) continue;
    return { start: approach(stage, random, from), from, to };
  }
  return null;
}

/** A few metres off, with free sight; else the very place. */
export function approach(stage: Stage, random: Random, to: Point): Point {
  const { terrain } = stage;
  for (let tries = 0; tries < 20; tries++) {
    const angle = random.between(0, 2 * Math.PI);
    const away = random.between(1, 5);
    const from = terrain.onGround({ x: to.x + away * Math.cos(angle), y: to.y, z: to.z + away * Math.sin(angle) });
    if (from !== null && terrain.sight(from, to)) return from;
  }
  return to;
}

/**
 * The shortest part of a hop that still is one, 0.3 m at least: both ends moved to the wall. Positions are rounded, so the far
 * end stays 0.1 m off: right at a corner it may become a point of the near side.
 */
export function tighten(stage: Stage, hop: Hop, speed: number): Hop {
  const { terrain } = stage;
  const least = farRound(speed);
  let { from, to } = hop;
  const step = 0.05 / distance(from, to);
  for (let share = step; share < 1; share += step) {
    const p = terrain.onGround(mix(hop.from, hop.to, share));
    if (p === null || !terrain.sight(hop.from, p)) break;
    from = p;
  }
  for (let share = step; share < 1; share += step) {
    const p = terrain.onGround(mix(hop.to, hop.from, share));
    if (p === null || distance(from, p) < 0.3) break;
    if (!terrain.sight(hop.to, p) || !(terrain.walk(from, p) > least)) break;
    const clear = terrain.onGround(mix(hop.to, hop.from, Math.max(0, share - 2 * step)));
    if (clear !== null) to = clear;
  }
  return distance(from, to) < 0.3 ? hop : { start: hop.start, from, to };
}

/** Two floors one over the other. */
export interface Storeys extends Plan {
  readonly at: Point;
  readonly other: Point;
}

/** Storeys are at least this far apart, metres: more than any jump. */
const STOREY = 2.75;

/** A place with another floor over or under it, no ledge near, and a long walk between; null when none is found. */
export function findStoreys(stage: Stage, random: Random, speed: number, tries = 4000): Storeys | null {
  const { terrain } = stage;
  const least = farRound(speed);
  for (let i = 0; i < tries; i++) {
    const at = terrain.randomPoint(random);
    for (let k = -16; k <= 16; k++) {
      if (Math.abs(k) < 5) continue;
      const other = terrain.onGround({ x: at.x, y: at.y + k * 0.5, z: at.z });
      if (other === null || Math.abs(other.y - at.y) < STOREY) continue;
      if (!(terrain.walk(at, other) > least)) continue;
      const [upper] = at.y > other.y ? [at] : [other];
      if (!isInland(stage, upper, NEAR)) continue;
      return { start: approach(stage, random, at), at, other };
    }
  }
  return null;
}

/** Whether there is ground all round a place. */
function isInland(stage: Stage, p: Point, radius: number): boolean {
  for (let k = 0; k < 12; k++) {
    const a = (k * Math.PI) / 6;
    const q = { x: p.x + radius * Math.cos(a), y: p.y, z: p.z + radius * Math.sin(a) };
    if (!stage.terrain.sight(p, q)) return false;
  }
  return true;
}

/** A wall to press into: a place on the ground and a point well inside the wall beside it. */
export interface Face extends Plan {
  readonly from: Point;
  readonly inside: Point;
}

/** A place near a wall with no ground for `deep` metres beyond its edge, in any floor; null when none is found. */
export function findFace(stage: Stage, random: Random, deep: number, tries = 3000): Face | null {
  const { terrain } = stage;
  for (let i = 0; i < tries; i++) {
    const p = terrain.randomPoint(random);
    const angle = random.between(0, 2 * Math.PI);
    const dx = Math.cos(angle);
    const dz = Math.sin(angle);
    let edge: Point | null = p;
    let out = 0;
    for (; out < 4; out += 0.05) {
      const q = terrain.onGround({ x: p.x + dx * out, y: edge.y, z: p.z + dz * out });
      if (q === null) break;
      edge = q;
    }
    if (out === 0 || out >= 4 || !terrain.sight(p, edge)) continue;
    const inside = { x: p.x + dx * (out + deep), y: edge.y, z: p.z + dz * (out + deep) };
    if (groundNear(stage, inside, deep * 0.8) || terrain.lowerGroundNear(edge, inside, NEAR, LOWER)) continue;
    return { start: approach(stage, random, edge), from: edge, inside };
  }
  return null;
}

/** Whether there is ground within `radius` of a point, near its height. */
function groundNear(stage: Stage, p: Point, radius: number): boolean {
  for (let r = 0; r <= radius; r += 0.1) {
    const n = Math.max(1, Math.ceil(r * 40));
    for (let k = 0; k < n; k++) {
      const a = (2 * Math.PI * k) / n;
      for (const dy of [-1, 0, 1]) {
        if (stage.terrain.onGround({ x: p.x + r * Math.cos(a), y: p.y + dy, z: p.z + r * Math.sin(a) }) !== null)
          return true;
      }
    }
  }
  return false;
}

/**
 * A hop whose ends are not so near to the wall that rounding could have put them through it: half a metre to all sides is
 * this side's ground or none. Null when none is found.
 */
export function findClearHop(stage: Stage, random: Random, speed: number, near: number, far: number): Hop | null {
  for (let tries = 0; tries < 8; tries++) {
    const hop = findHop(stage, random, speed, near, far);
    if (hop === null) return null;
    if (hasRoom(stage, hop.from) && hasRoom(stage, hop.to)) return hop;
  }
  return null;
}

function hasRoom({ terrain }: Stage, p: Point): boolean {
  for (let k = 0; k < 8; k++) {
    const a = (k * Math.PI) / 4;
    const q = terrain.onGround({ x: p.x + 0.5 * Math.cos(a), y: p.y, z: p.z + 0.5 * Math.sin(a) });
    if (q !== null && !terrain.sight(p, q)) return false;
  }
  return true;
}
