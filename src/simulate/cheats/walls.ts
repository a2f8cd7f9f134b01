// Passing walls: at once, in little steps, again and again, in a burst, between two corners, from floor to floor. Imported
// by simulate/cheats/index.ts.
import { cheat, type Plan } from './cheat.ts';
import { distance, type Hand, mix, type Script } from './hand.ts';
import { anywhereHigh, type Face, findFace, findHop, findStoreys, type Hop, type Storeys, tighten } from './sites.ts';

const AT_ONCE = { claims: 1 };
const OPEN = { open: true };
/** The slow: a quick runner needs a longer wall before the way round is out of the question. */
const SPEED: readonly [number, number] = [2.5, 4];
/** Metres of a hop: within the credit of the slowest. */
const NEAR = 1;
const FAR = 2.8;

/** Comes near, strolls for a while, and stands at the wall. */
function* comeTo(me: Hand, plan: Plan & { readonly from: Hop['from'] }): Script {
  for (let i = 0; i < 2; i++) {
    yield* me.goTo(plan.from);
    yield* me.stand(me.random.between(200, 1500));
    if (i === 0) yield* me.goTo(plan.start);
  }
}

const hop = { speed: SPEED, wins: 'fouls', control: OPEN, warm: comeTo, ahead: 0.5 } as const;

export const wallHop = cheat<Hop>({
  ...hop,
  name: 'wall hop',
  how: 'Claims the other side of a wall, a short way off, where walking round would take far too long.',
  bound: AT_ONCE,
  plan: (stage, random, speed) => findHop(stage, random, speed, NEAR, FAR),
  *play(me, { to }) {
    for (let i = 0; i < 3; i++) {
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
      yield* me.stand(500);
    }
  },
});

export const thinWall = cheat<Hop>({
  ...hop,
  name: 'thin wall hop',
  how: 'Hops through a wall where it is thinnest, by no more than it must.',
  bound: AT_ONCE,
  plan(stage, random, speed) {
    const found = findHop(stage, random, speed, 0.3, FAR);
    return found === null ? null : tighten(stage, found, speed);
  },
  *play(me, { to }) {
    for (let i = 0; i < 3; i++) {
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
      yield* me.stand(500);
    }
  },
});

export const hopRetry = cheat<Hop>({
  ...hop,
  name: 'hop and retry',
  how: 'Tries the same wall again and again, in a hurry, after rests and after silences, until it is let through.',
  bound: AT_ONCE,
  plan: (stage, random, speed) => findHop(stage, random, speed, NEAR, FAR),
  *play(me, { from, to }) {
    for (let i = 0; i < 40; i++) {
      yield me.after(i < 20 ? 100 : me.random.between(1, 1300));
      me.claimAt(to, { foul: true });
      if (i % 7 === 6) yield* me.stand(400);
      if (i % 5 === 4) {
        yield me.after(10);
        me.claimAt(from);
      }
    }
  },
});

export const wallCreep = cheat<Hop>({
  ...hop,
  name: 'wall creep',
  how: 'Creeps through a wall in steps of a few centimetres, and from where it was put back again.',
  bound: { claims: 140 },
  plan: (stage, random, speed) => findHop(stage, random, speed, NEAR, FAR),
  *play(me, { from, to }) {
    const step = me.random.between(0.02, 0.08);
    const whole = distance(from, to);
    for (let tries = 0; tries < 2; tries++) {
      for (let gone = step; gone < whole + step; gone += step) {
        const p = mix(from, to, Math.min(1, gone / whole));
        yield me.after(25);
        me.claimAt(p, { foul: beyond(me, { from, to, start: from }, p) });
      }
      yield* me.stand(700);
    }
  },
});

/** Whether a point of the line from `from` to `to` lies beyond the wall. */
function beyond(me: Hand, { from, to }: Hop, p: Hop['from']): boolean {
  const floor = me.terrain.onGround(p);
  return floor !== null && !me.terrain.sight(from, floor) && me.terrain.sight(floor, to);
}

export const lagSwitch = cheat<Hop>({
  ...hop,
  name: 'lag switch',
  how: 'Falls silent as if its line were down, walks through a wall meanwhile, and sends all of it in one burst.',
  bound: { claims: 60 },
  plan: (stage, random, speed) => findHop(stage, random, speed, NEAR, FAR),
  *play(me, plan) {
    const { from, to } = plan;
    for (let tries = 0; tries < 3; tries++) {
      yield me.after(me.random.between(600, 1300));
      const steps = 4 + me.random.below(16);
      for (let i = 1; i <= steps; i++) {
        yield me.after(1);
        const p = mix(from, to, i / steps);
        me.claimAt(p, { foul: i === steps || beyond(me, plan, p) });
      }
      yield* me.stand(900);
    }
  },
});

export const cornerSqueeze = cheat<Hop>({
  ...hop,
  name: 'corner squeeze',
  how: 'Slips between two blocks that touch at a corner, in a step of a few decimetres.',
  bound: AT_ONCE,
  plan: (stage, random, speed) => {
    const found = findHop(stage, random, speed, 0.1, 0.7, 6000);
    return found === null ? null : tighten(stage, found, speed);
  },
  *play(me, { from, to }) {
    for (let i = 0; i < 10; i++) {
      yield me.after(me.beat);
      me.claimAt(to, { foul: true });
      yield me.after(me.beat);
      me.claimAt(from);
    }
  },
});

export const drainedSearch = cheat<Hop>({
  ...hop,
  name: 'search drain',
  how: 'Uses up its search allowance with claims that are dear to judge, then hops through the wall unsearched.',
  bound: { claims: 151 },
  ahead: 1.6,
  control: { open: true, rules: { speedTolerance: 10, burstMs: 60_000 } },
  plan: (stage, random, speed) => findHop(stage, random, speed, NEAR, FAR),
  *play(me, { from, to }) {
    for (let i = 0; i < 150; i++) {
      yield me.after(2);
      // there and back over something that takes a search: a legal claim each, or one that is refused
      const a = me.random.between(0, 2 * Math.PI);
      const r = me.random.between(0.3, 2);
      const p = me.terrain.onGround({ x: from.x + r * Math.cos(a), y: from.y, z: from.z + r * Math.sin(a) });
      if (p !== null) me.claimAt(p);
    }
    for (let i = 0; i < 5; i++) {
      yield me.after(2);
      me.claimAt(from);
      yield me.after(2);
      me.claimAt(to, { foul: true });
    }
  },
});

export const floorSwitch = cheat<Storeys>({
  ...hop,
  name: 'floor switch',
  how: 'Claims the storey above or below without going anywhere, at once or as if by a lift.',
  bound: { claims: 160 },
  plan: findStoreys,
  warm(me, { start, at }) {
    return comeTo(me, { start, from: at });
  },
  *play(me, { at, other }) {
    for (let i = 0; i < 3; i++) {
      yield me.after(me.beat);
      me.claimAt(other, { foul: true });
      yield* me.stand(600);
    }
    const steps = Math.ceil(Math.abs(other.y - at.y) / 0.1);
    for (let i = 1; i <= steps; i++) {
      yield me.after(me.beat);
      const y = at.y + ((other.y - at.y) * i) / steps;
      me.claimAt({ x: at.x, y, z: at.z }, { foul: i === steps });
    }
  },
});

const face = { speed: SPEED, wins: 'fouls', control: OPEN, ahead: 0.7, warm: comeTo } as const;

export const offMesh = cheat<Face>({
  ...face,
  name: 'inside a wall',
  how: 'Steps into a wall and stays there, where nobody can hit it.',
  bound: AT_ONCE,
  plan: (stage, random): Face | null => findFace(stage, random, 0.8),
  *play(me, { inside }) {
    for (let i = 0; i < 20; i++) {
      yield me.after(me.beat);
      me.claimAt(inside, { foul: true });
    }
  },
});

export const underFloor = cheat({
  ...face,
  warm: (me) => me.walk(3000),
  name: 'under the floor',
  how: 'Walks about below the floor, where nobody sees it.',
  bound: { claims: 60 },
  control: { rules: { below: 100 } },
  plan: anywhereHigh,
  *play(me) {
    let depth = 0;
    for (let i = 0; i < 80; i++) {
      yield me.after(me.beat);
      depth = Math.min(1.5, depth + 0.1);
      const p = me.along((me.habits.speed * me.beat) / 1000);
      me.claimAt({ x: p.x, y: p.y - depth, z: p.z }, { foul: depth > 1 });
    }
  },
});
