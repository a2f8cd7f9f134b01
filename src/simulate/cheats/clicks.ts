// Click-to-move and inputs: walks that cost less than they are. Imported by simulate/cheats/index.ts.
import type { Point } from '../actor.ts';
import { cheat } from './cheat.ts';
import { distance, type Hand } from './hand.ts';
import { anywhere, findHop } from './sites.ts';

const AT_ONCE = { claims: 1 };
const NO_LIMIT = { rules: { speedTolerance: 10, restrictAt: 1e6, watchAt: 1e6, kickAt: 1e6 } };

/** A walk of `least` to `most` m from here; metres and target. */
function walkFrom(me: Hand, least: number, most = Infinity): { to: Point; metres: number } | null {
  for (let tries = 0; tries < 300; tries++) {
    const to = me.terrain.randomPoint(me.random);
    const metres = me.terrain.walk(me.at, to);
    if (metres > least && metres < most) return { to, metres };
  }
  return null;
}

export const doubleDip = cheat({
  name: 're-click double dip',
  how: 'Clicks ahead and, before it has gone there, clicks back from the end of that walk as if it had.',
  bound: { claims: 2 },
  ahead: 0.5,
  wins: 'fouls',
  control: { rules: { speedTolerance: 10, burstMs: 60_000, rttCreditMaxMs: 10_000 }, lax: true },
  plan: anywhere,
  *play(me, _plan, lax) {
    for (let i = 0; i < 6; i++) {
      const walk = walkFrom(me, 6);
      if (walk === null) continue;
      const { at } = me;
      const duration = (1000 * walk.metres) / me.habits.speed;
      yield me.after(me.beat);
      me.click(walk.to, { duration });
      // lax: waits until it is there
      yield me.after(lax ? duration + 2000 : 30);
      me.click(at, { from: walk.to, duration, foul: lax || !isNear(me, walk.to) });
      yield me.after(lax ? duration + 2000 : 2000);
      me.obey();
      const pos = me.authority();
      if (pos !== null) me.at = { x: pos[0], y: pos[1], z: pos[2] };
      me.move(me.at);
    }
  },
});

/** Whether the server may take its word for standing at p: what the rules forgive, and a metre. */
function isNear(me: Hand, p: Point): boolean {
  const pos = me.authority();
  const { speed, rttMs } = me.habits;
  return pos === null || Math.hypot(p.x - pos[0], p.z - pos[2]) < (speed * 1.15 * (1000 + 2 * rttMs + 250)) / 1000 + 1;
}

export const sourceFraud = cheat({
  name: 'begin source fraud',
  how: 'Clicks from a place where it is not: far off, or on the other side of a wall.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { open: true, rules: { rttCreditMaxMs: 10_000, speedTolerance: 10 } },
  speed: [2.5, 4],
  plan: (stage, random, speed) => findHop(stage, random, speed, 1, 2.8),
  *warm(me, { from }) {
    yield* me.goTo(from);
    yield* me.stand(1000);
  },
  *play(me, { from, to }) {
    for (let i = 0; i < 3; i++) {
      yield me.after(me.beat);
      me.click(to, { from: to, duration: 0, foul: true });
      yield me.after(600);
      me.claimAt(from);
    }
  },
});

export const clickThrough = cheat({
  name: 'click through a wall',
  how: 'Clicks on the other side of a wall with the duration of the straight line.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { open: true },
  speed: [2.5, 4],
  plan: (stage, random, speed) => findHop(stage, random, speed, 1, 2.8),
  *warm(me, { from }) {
    yield* me.goTo(from);
    yield* me.stand(1000);
  },
  *play(me, { from, to }) {
    for (let i = 0; i < 5; i++) {
      yield me.after(me.beat);
      me.click(to, { duration: (1000 * distance(from, to)) / me.habits.speed, foul: true });
      yield me.after(600);
      me.claimAt(from);
    }
  },
});

export const fastClick = cheat({
  name: 'fast click',
  how: 'Clicks with a speed above its limit.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 4; i++) {
      const walk = walkFrom(me, 4);
      if (walk === null) return;
      const speed = me.habits.speed * 1.5;
      yield me.after(me.beat);
      me.click(walk.to, { speed, duration: (1000 * walk.metres) / speed, foul: true });
      me.server({ op: 'rtt', ms: me.habits.rttMs });
    }
  },
});

export const shortDuration = cheat({
  name: 'short duration',
  how: 'Clicks with a duration that is too short for its walk.',
  bound: AT_ONCE,
  ahead: 0.5,
  wins: 'fouls',
  control: { lax: true },
  plan: anywhere,
  *play(me, _plan, lax) {
    for (let i = 0; i < 4; i++) {
      const walk = walkFrom(me, 4);
      if (walk === null) return;
      // Detour's walk may be longer than the shortest: two thirds of the straight line never is
      const straight = distance(me.at, walk.to);
      const duration = (1000 * straight * 0.66) / me.habits.speed - 110;
      if (duration < 0) continue;
      yield me.after(me.beat);
      me.click(walk.to, { duration: lax ? (1000 * walk.metres) / me.habits.speed : duration, foul: true });
    }
  },
});

export const stopTrick = cheat({
  name: 'stop trick',
  how: 'Clicks with the longest stop distance, so that the walk is short, and then claims the target itself at once.',
  bound: { ms: 15_000 },
  ahead: 2.5,
  wins: 'metres',
  control: { rules: { speedTolerance: 10, burstMs: 60_000 } },
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 12; i++) {
      const walk = walkFrom(me, 7, 11);
      if (walk === null) return;
      const duration = (1000 * Math.max(0, walk.metres - 5)) / me.habits.speed;
      yield me.after(20);
      me.click(walk.to, { duration: duration + 1, stop: 5 });
      yield me.after(Math.min(duration, 8000));
      yield me.after(1);
      me.obey();
      me.move(walk.to);
      me.forgetWay();
    }
  },
});

export const shortClicks = cheat({
  name: 'short clicks',
  how: 'Clicks so near that the duration slack makes each walk take no time, and claims to be there at once.',
  bound: { ms: 3000 },
  ahead: 1.9,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    const step = me.habits.speed * 0.095;
    for (let i = 0; i < 200; i++) {
      yield me.after(50);
      if (me.habits.obeys) me.obey();
      const { at } = me;
      const to = me.along(step);
      me.click(to, { from: at, duration: 0 });
      me.claimAt(to);
    }
  },
});

export const inputInflation = cheat({
  name: 'input time inflation',
  how: 'Sends inputs that say they were held for twice the time that has passed.',
  bound: { ms: 7000 },
  ahead: 1.9,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 300; i++) {
      yield me.after(50);
      const pos = me.authority();
      if (pos === null) return;
      const at = { x: pos[0], y: pos[1], z: pos[2] };
      // slid off its way: a new one
      if (distance(at, me.at) > 2) me.forgetWay();
      me.at = at;
      const to = me.along((me.habits.speed * 100) / 1000);
      const metres = distance(at, to);
      if (metres === 0) continue;
      me.send({ op: 'input', seq: me.seq++, dir: [(to.x - at.x) / metres, (to.z - at.z) / metres], ms: 100 });
    }
  },
});
