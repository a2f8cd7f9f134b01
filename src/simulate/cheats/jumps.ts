// Appearing somewhere else: blinks, grants that do not cover them, words that buy nothing. Imported by
// simulate/cheats/index.ts.
import type { Point, Stage } from '../actor.ts';
import type { Random } from '../random.ts';
import { cheat, type Plan } from './cheat.ts';
import { distance, type Hand, vec } from './hand.ts';
import { anywhere, findHop, tighten } from './sites.ts';

/** The farthest that full credit goes, metres. */
function capacity(me: Hand): number {
  return me.habits.speed * 1.15 * 1.3;
}

/** A place farther off than any credit; null when the map has none. */
function farAway(me: Hand, from: Point = me.at): Point | null {
  for (let tries = 0; tries < 200; tries++) {
    const to = me.terrain.randomPoint(me.random);
    if (distance(from, to) > capacity(me) + 1.5) return to;
  }
  return null;
}

/** Somewhere on a map that is wide enough to jump across. */
function wideEnough(stage: Stage, random: Random, speed: number): Plan | null {
  for (let tries = 0; tries < 50; tries++) {
    const plan = anywhere(stage, random);
    if (plan === null) return null;
    const to = stage.terrain.randomPoint(random);
    if (distance(plan.start, to) > speed * 1.15 * 1.3 + 8) return plan;
  }
  return null;
}

const AT_ONCE = { claims: 1 };
const SPEED: readonly [number, number] = [2.5, 4];
const LAX = { lax: true };

export const blink = cheat({
  name: 'blink',
  how: 'Claims to be somewhere far off, out of the blue.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: LAX,
  speed: SPEED,
  plan: wideEnough,
  *play(me, _plan, lax) {
    for (let i = 0; i < 5; i++) {
      const to = farAway(me);
      if (to === null) return;
      if (lax) me.server({ op: 'grant', grant: i, to: vec(to) });
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
      yield* me.walk(1200);
    }
  },
});

export const fakeSkill = cheat({
  name: 'fake skill',
  how: 'Names a teleport skill in the claim that the server never granted.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: LAX,
  speed: SPEED,
  plan: wideEnough,
  *play(me, _plan, lax) {
    for (let i = 0; i < 5; i++) {
      const to = farAway(me);
      if (to === null) return;
      if (lax) me.server({ op: 'grant', grant: i, to: vec(to) });
      yield me.after(me.beat);
      me.claimAt(to, { foul: true, skill: 'blink' });
      yield* me.walk(1200);
    }
  },
});

export const grantReuse = cheat({
  name: 'grant reuse',
  how: 'Uses a grant, walks off, and claims the granted place again from afar.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: LAX,
  speed: SPEED,
  plan(stage, random, speed) {
    const plan = wideEnough(stage, random, speed);
    return plan === null ? null : { ...plan, to: plan.start };
  },
  // the first use is legal, and so is walking off
  *warm(me, plan) {
    yield* me.walk(1500);
    plan.to = farAway(me) ?? plan.start;
    me.server({ op: 'grant', grant: 1, to: vec(plan.to), ttl: 60_000 });
    yield me.after(me.beat);
    me.move(plan.to);
    me.forgetWay();
    for (let i = 0; i < 30 && distance(me.at, plan.to) < capacity(me) + 1.5; i++) yield* me.walk(1000);
  },
  *play(me, { to }, lax) {
    if (distance(me.at, to) < capacity(me) + 1.5) return;
    for (let i = 0; i < 3; i++) {
      if (lax) me.server({ op: 'grant', grant: 2, to: vec(to) });
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
    }
  },
});

export const grantRedirect = cheat({
  name: 'grant redirect',
  how: 'Is granted one place and claims another, far from it or just outside its radius.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: LAX,
  speed: SPEED,
  plan: wideEnough,
  *play(me, _plan, lax) {
    for (let i = 0; i < 4; i++) {
      const granted = farAway(me);
      if (granted === null) return;
      const other = i % 2 === 0 ? farAway(me) : nextTo(me, granted);
      if (other === null || distance(other, granted) < 1.1) continue;
      me.server({ op: 'grant', grant: i, to: vec(lax ? other : granted), radius: 1, ttl: 600 });
      yield me.after(me.beat);
      me.claimAt(other, { foul: true });
      yield* me.walk(1000);
    }
  },
});

/** A place just outside a grant's radius of 1 m and still out of reach from here; null when there is none. */
function nextTo(me: Hand, granted: Point): Point | null {
  for (let tries = 0; tries < 30; tries++) {
    const a = me.random.between(0, 2 * Math.PI);
    const r = me.random.between(1.15, 2);
    const p = me.terrain.onGround({ x: granted.x + r * Math.cos(a), y: granted.y, z: granted.z + r * Math.sin(a) });
    if (p !== null && distance(p, me.at) > capacity(me) + 1) return p;
  }
  return null;
}

export const grantThroughWall = cheat({
  name: 'grant through a wall',
  how: 'Is granted a place beside a wall and claims the other side, within the radius.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: LAX,
  speed: SPEED,
  plan(stage, random, speed) {
    for (let tries = 0; tries < 5; tries++) {
      const found = findHop(stage, random, speed, 1, 2.4);
      if (found === null) return null;
      const hop = tighten(stage, found, speed);
      if (distance(hop.from, hop.to) < 2) return hop;
    }
    return null;
  },
  *warm(me, { from }) {
    yield* me.goTo(from);
    yield* me.stand(1000);
  },
  *play(me, { from, to }, lax) {
    for (let i = 0; i < 4; i++) {
      me.server({ op: 'grant', grant: i, to: vec(lax ? to : from), radius: 2 });
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
      yield* me.stand(700);
    }
  },
});

export const neverAck = cheat({
  name: 'teleport never acknowledged',
  how: 'Is teleported by the server, does not acknowledge it, and goes on claiming where it was.',
  bound: AT_ONCE,
  ahead: Infinity,
  wins: 'fouls',
  control: LAX,
  speed: SPEED,
  plan: wideEnough,
  *play(me, _plan, lax) {
    const to = farAway(me);
    if (to === null) return;
    if (!lax) me.server({ op: 'teleport', to: vec(to) });
    const { at } = me;
    for (let i = 0; i < 40; i++) {
      yield me.after(100);
      me.claimAt(at, { foul: true });
    }
  },
});

export const earlyAck = cheat({
  name: 'teleport acknowledged early',
  how: 'Acknowledges a teleport at once and claims to be where it was, to be carried back.',
  bound: AT_ONCE,
  ahead: Infinity,
  wins: 'fouls',
  control: LAX,
  speed: SPEED,
  plan: wideEnough,
  *play(me, _plan, lax) {
    const to = farAway(me);
    if (to === null) return;
    const { at } = me;
    if (!lax) me.server({ op: 'teleport', to: vec(to) });
    for (let i = 0; i < 10; i++) {
      yield me.after(50);
      me.server({ op: 'ack', correction: i % 3 === 0 ? 0 : 1 + i });
      me.claimAt(at, { foul: true });
    }
  },
});
