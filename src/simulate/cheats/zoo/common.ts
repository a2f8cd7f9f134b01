// What several cheats share: bounds, controls, where to come from. Imported by zoo/.
import type { Point, Stage } from '../../actor.ts';
import type { Random } from '../../random.ts';
import type { Plan } from '../cheat.ts';
import { distance, type Hand, type MoveWords, type Script, vec } from '../hand.ts';
import { anywhere, anywhereHigh, type Hop } from '../sites.ts';

/** Nothing is too fast any more. */
export const NO_LIMIT = { rules: { speedTolerance: 10, restrictAt: 1e6, watchAt: 1e6, kickAt: 1e6 } };

/** The farthest that full credit goes, metres. */
export function capacity(me: Hand): number {
  return me.habits.speed * 1.15 * 1.3;
}

/** A place farther off than any credit; null when the map has none. */
export function farAway(me: Hand, from: Point = me.at): Point | null {
  for (let tries = 0; tries < 200; tries++) {
    const to = me.terrain.randomPoint(me.random);
    if (distance(from, to) > capacity(me) + 1.5) return to;
  }
  return null;
}

/** Somewhere on a map that is wide enough to jump across. */
export function wideEnough(stage: Stage, random: Random, speed: number): Plan | null {
  for (let tries = 0; tries < 50; tries++) {
    const plan = anywhere(stage, random);
    if (plan === null) return null;
    const to = stage.terrain.randomPoint(random);
    if (distance(plan.start, to) > speed * 1.15 * 1.3 + 8) return plan;
  }
  return null;
}

/** The first claim must be the last. */
export const AT_ONCE = { claims: 1 };

/** The slow: a quick runner needs a longer wall before the way round is out of the question. m/s. */
export const SPEED: readonly [number, number] = [2.5, 4];

/** The server plays along. */
export const LAX = { lax: true };

/** What all cheats have that claim to be somewhere far off. */
export const leap = { bound: AT_ONCE, wins: 'fouls', control: LAX, speed: SPEED, plan: wideEnough } as const;

/** Five leaps out of the blue, each with these words; granted when the server plays along. */
export function* leapFar(me: Hand, lax: boolean, words: MoveWords): Script {
  for (let i = 0; i < 5; i++) {
    const to = farAway(me);
    if (to === null) return;
    if (lax) me.server({ op: 'grant', grant: i, to: vec(to) });
    yield me.after(me.beat);
    me.claimAt(to, { foul: true, ...words });
    yield* me.walk(1200);
  }
}

/** Without walls. */
export const OPEN = { open: true };

/** Metres of a hop: within the credit of the slowest. */
export const NEAR = 1;

export const FAR = 2.8;

/** Comes near, strolls for a while, and stands at the wall. */
export function* comeTo(me: Hand, plan: Plan & { readonly from: Hop['from'] }): Script {
  for (let i = 0; i < 2; i++) {
    yield* me.goTo(plan.from);
    yield* me.stand(me.random.between(200, 1500));
    if (i === 0) yield* me.goTo(plan.start);
  }
}

/** What all cheats at a wall have. */
export const hop = { speed: SPEED, wins: 'fouls', control: OPEN, warm: comeTo, ahead: 0.5 } as const;

/** Whether a point of the line from `from` to `to` lies beyond the wall. */
export function beyond(me: Hand, { from, to }: Hop, p: Hop['from']): boolean {
  const floor = me.terrain.onGround(p);
  return floor !== null && !me.terrain.sight(from, floor) && me.terrain.sight(floor, to);
}

/** What all cheats out of the level have. */
export const face = { speed: SPEED, wins: 'fouls', control: OPEN, ahead: 0.7, warm: comeTo } as const;

/** Jumps as high as they like. */
export const JUMPS = { rules: { jumpHeight: 1000 } };

/** What all cheats have that stay up. */
export const aloft = { ahead: 1.6, wins: 'fouls', control: JUMPS, plan: anywhereHigh } as const;

/** Walks on for so long, ms, at a height over the ground that its time says, metres; `foul` says when nobody can be there. */
export function* stayUp(
  me: Hand,
  forMs: number,
  rise: (since: number) => number,
  foul: (since: number, up: number) => boolean,
): Script {
  const from = me.t;
  for (;;) {
    yield me.after(me.beat);
    const since = me.t - from;
    if (since > forMs) return;
    const p = me.along((me.habits.speed * me.beat) / 1000);
    const up = rise(since);
    me.claimAt({ x: p.x, y: p.y + up, z: p.z }, { foul: foul(since, up) });
  }
}

/** A place on the ground within so many metres; on a wide map nothing else would find one. */
function nearby(me: Hand, most: number): Point | null {
  const angle = me.random.between(0, 2 * Math.PI);
  const away = me.random.between(0, most);
  const { x, y, z } = me.at;
  return me.terrain.onGround({ x: x + away * Math.cos(angle), y, z: z + away * Math.sin(angle) });
}

/** A walk of `least` to `most` m from here; metres and target. */
export function walkFrom(me: Hand, least: number, most = Infinity): { to: Point; metres: number } | null {
  for (let tries = 0; tries < 300; tries++) {
    const to = most < Infinity && tries % 2 === 0 ? nearby(me, most) : me.terrain.randomPoint(me.random);
    if (to === null) continue;
    const metres = me.terrain.walk(me.at, to);
    if (metres > least && metres < most) return { to, metres };
  }
  return null;
}
