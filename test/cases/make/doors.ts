// Doors that close, links that are switched, corrections from closed ground, mud. See test/cases/README.md.
import type { Expect, MapSource } from '../../../src/log/index.ts';
import type { Vec3 } from '../../../src/types.ts';
import { type Actor, Budget, built, CLEAN, held, Log, plus, putBack } from './script.ts';

const DOOR = 5;
const MUD = 3;
/** Two rooms; the way between them, 1.2 m wide, is a door from x = 14.4 to 15.6. */
const ROOMS: MapSource = built(
  [
    [0, -1, 0, 30, 0, 30],
    [14.9, 0, 0, 15.1, 3, 14],
    [14.9, 0, 16, 15.1, 3, 30],
  ],
  { areas: [{ area: DOOR, box: [14.4, -1, 13, 15.6, 1, 17] }] },
);
const SIDES = [
  ['from-the-west', 1],
  ['from-the-east', -1],
] as const;
const at = (side: number, x: number, z = 15): Vec3 => [15 + side * x, 0, z];
const WALL = ['Wall', 'TargetNotOnNavMesh'];

/** Everything is told once per log: when the door is switched. */
function door(log: Log, t: number, open: boolean): void {
  log.add(t, 'area', { area: DOOR, open });
}

function c14(): Log {
  const log = new Log(
    'C14-a-door-closes',
    'C14: a door closes at t; who crosses it at t + 80 ms with a round trip of 200 ms is accepted, at t + 600 ms it is a wall; what opens is open at once',
    ROOMS,
  );
  door(log, 2000, false);
  door(log, 8000, true);
  for (const [name, side] of SIDES) {
    const before = (who: string, x: number, rtt = 200): Actor => {
      const p = log.enter(`${who}-${name}`, at(side, -x)).fact('rtt', { ms: rtt });
      return p.stand(40, 50, CLEAN);
    };
    before('crosses', 0.9)
      .wait(30)
      .walk(6, 50, [0.3 * side, 0, 0], CLEAN);
    before('crosses-at-once', 0.9).wait(80).go(at(side, 0.9), CLEAN).stand(20, 50, CLEAN);
    const late = before('too-late', 0.9)
      .wait(600)
      .try(at(side, 0.9), putBack(at(side, -0.9), 'Wall'));
    late.wait(50).try(at(side, 1.2), held(at(side, -0.9), ...WALL));
    late
      .wait(600)
      .stand(1, 50, 'accept')
      .walk(10, 50, [-0.3 * side, 0, 0], 'accept');
    // a line that says 10 s is believed 300 ms
    before('says-a-long-line', 0.9, 10_000)
      .wait(451)
      .try(at(side, 0.9), putBack(at(side, -0.9), 'Wall'));
    const creeps = before('creeps', 0.9).wait(1000);
    creeps.step(50, [0.3 * side, 0, 0], 'accept').step(50, [0.3 * side, 0, 0]);
    for (let i = 0; i < 10; i++) creeps.wait(50).try(at(side, -0.05 + 0.2 * i), 'refused');
    const waits = before('waits', 0.9).wait(5850).stand(3, 50, CLEAN);
    // 8000 ms: it opens now
    waits.walk(6, 50, [0.3 * side, 0, 0], CLEAN);
  }
  return log;
}

function c15(): Log {
  const log = new Log(
    'C15-a-door-closes-on-the-player',
    'C15: a door closes on a player: leaving to either side is accepted, whenever; it is never stuck, and once outside the door is shut',
    ROOMS,
  );
  door(log, 2000, false);
  for (const [name, side] of SIDES) {
    const inside = (who: string, waitMs: number): Actor => {
      const p = log.enter(`${who}-${name}`, at(side, -1.2));
      p.stand(30, 50, CLEAN).walk(4, 50, [0.3 * side, 0, 0], CLEAN);
      return p.wait(2000 - p.t + waitMs).stand(1, 50, CLEAN);
    };
    for (const waitMs of [0, 150, 1000, 20_000]) {
      const on = inside(`goes-on-after-${waitMs}`, waitMs).walk(5, 50, [0.3 * side, 0, 0], CLEAN);
      on.wait(1000).try(at(side, -1.2), putBack(at(side, 1.5), 'Wall'));
      const back = inside(`goes-back-after-${waitMs}`, waitMs).walk(5, 50, [-0.3 * side, 0, 0], CLEAN);
      back.wait(1000).try(at(side, 0.9), putBack(at(side, -1.5), 'Wall'));
    }
    // to and fro within it, in one claim out of it
    const paces = inside('paces', 500);
    for (let i = 0; i < 20; i++) paces.step(100, [(i % 2 === 0 ? 0.3 : -0.3) * side, 0, 0.02], CLEAN);
    paces.wait(500).go(at(side, 2), CLEAN);
  }
  return log;
}

function d10(): Log {
  const log = new Log(
    'D10-a-correction-to-a-closed-door',
    'D10: what a correction leads to has been closed by a door: the nearest walkable point on the side that the player came from',
    ROOMS,
  );
  door(log, 3000, false);
  for (const [name, side] of SIDES) {
    for (const [depth, off] of [
      ['the-middle', 0],
      ['the-far-end', 0.4],
      ['the-near-end', -0.4],
    ] as const) {
      const p = log.enter(`${name}-in-${depth}`, at(side, off - 1.5));
      p.stand(50, 50, CLEAN).walk(5, 50, [0.3 * side, 0, 0], CLEAN);
      const edge = { verdict: 'correct', reason: 'SpeedLimit', pos: at(side, -0.6), within: 0.15 } as const;
      p.wait(1000 + 3000 - p.t).try(at(side, 14), edge as Expect);
      // the client obeys, and is outside: not through the door, but away from it
      p.pos = at(side, -0.7);
      p.wait(600).fact('ack', { correction: 1 }).stand(1, 50, 'accept');
      p.wait(300).try(at(side, 1), held(at(side, -0.7), 'Wall'));
      p.wait(600).fact('ack', { correction: 2 }).stand(1, 50, 'accept');
      p.walk(10, 50, [-0.3 * side, 0, 0], 'accept');
    }
  }
  return log;
}

/** Two platforms 3.9 m apart, and a jump from x = 9.4 to 13.6 (the first link: its number is 1). */
const JUMP: MapSource = built(
  [
    [0, -1, 0, 10, 0, 10],
    [13.1, -1, 0, 23, 0, 10],
  ],
  { links: [{ from: [9.4, 0, 5], to: [13.6, 0, 5], radius: 0.5 }] },
);
const ENDS = [
  ['there', 9.4, 13.6],
  ['back', 13.6, 9.4],
] as const;

function c17(): Log {
  const log = new Log(
    'C17-a-jump-link',
    'C17: a jump link over a gap of 4 m: end to end and in the air between is accepted; off, or against its one way, it is a wall; who is on its way when it is switched off goes on',
    JUMP,
  );
  log.add(5000, 'link', { link: 1, open: false });
  log.add(10_000, 'link', { link: 1, open: 'forward' });
  log.add(15_000, 'link', { link: 1, open: true });
  const NO_WAY = ['Wall', 'PathPartial'];
  for (const [name, from, to] of ENDS) {
    const by = to > from ? 0.3 : -0.3;
    const stands = (who: string, t: number): Actor =>
      log.enter(`${who}-${name}`, [from, 0, 5], { t }).stand(4, 250, CLEAN);
    stands('end-to-end', 0).wait(700).go([to, 0, 5], CLEAN).walk(5, 50, [by, 0, 0], CLEAN);
    const jumps = stands('in-the-air', 0);
    for (let i = 1; i <= 14; i++) jumps.wait(50).go([from + by * i, 1.2 * (1 - ((i - 7) / 7) ** 2), 5], CLEAN);
    jumps.walk(5, 50, [by, 0, 0], CLEAN);
    // switched off when it is half way over
    const midway = log.enter(`midway-${name}`, [from, 0, 5], { t: 3600 }).stand(4, 250, CLEAN);
    midway.walk(8, 50, [by, 0, 0], CLEAN).wait(1000).walk(10, 50, [by, 0, 0], CLEAN);
    const off = stands('off', 5500)
      .wait(700)
      .try([to, 0, 5], putBack([from, 0, 5], ...NO_WAY));
    off.wait(600).stand(1, 50, 'accept');
    for (let i = 1; i <= 14; i++) off.wait(50).try([from + by * i, 0, 5], i < 3 ? undefined : 'refused');
    const way = stands('forward', 10_500).wait(700);
    if (name === 'there') way.go([to, 0, 5], CLEAN).walk(5, 50, [by, 0, 0], CLEAN);
    else
      way
        .try([to, 0, 5], putBack([from, 0, 5], ...NO_WAY))
        .wait(50)
        .try([to + by, 0, 5], 'refused');
    stands('again', 15_000).wait(700).go([to, 0, 5], CLEAN).walk(5, 50, [by, 0, 0], CLEAN);
  }
  return log;
}

/** A field that is mud from x = 15 on. */
const FIELD: MapSource = built([[0, -1, 0, 60, 0, 30]], { areas: [{ area: MUD, box: [15, -1, -1, 61, 1, 31] }] });

function e6(): Log {
  const log = new Log(
    'E6-mud-at-half-speed',
    'E6: a click of 3 m whose last 1.5 m lie in mud takes 0.75 s: 0.5 s are refused; 30 m into mud at full speed by moves are refused once the credit is gone; on the seam nothing is slowed',
    FIELD,
  );
  log.add(0, 'area', { area: MUD, speed: 0.5 });
  const from: Vec3 = [13.5, 0, 15];
  const into: Vec3 = [16.5, 0, 15];
  const click = (who: string, duration: number, expect: Expect, start = from, to = into): Actor =>
    log.enter(who, start).stand(4, 250, CLEAN).begin(to, { duration }, expect);
  click('in-time', 750, CLEAN).wait(750).go(into, CLEAN).stand(10, 50, CLEAN);
  click('too-fast', 500, putBack(from, 'DurationMismatch'));
  click('out-of-it', 750, CLEAN, into, from).wait(750).go(from, CLEAN);
  click('out-of-it-too-fast', 500, putBack(into, 'DurationMismatch'), into, from);
  click('deep-in-it', 1000, CLEAN, [30, 0, 15], [33, 0, 15]);
  click('deep-in-it-too-fast', 500, putBack([30, 0, 15], 'DurationMismatch'), [30, 0, 15], [33, 0, 15]);
  click('over-plain-ground', 500, CLEAN, [5, 0, 15], [8, 0, 15]);

  // at full speed into it: each metre counts twice once it is deeper than the edge tolerance
  for (const [z, steps] of [
    [5, 30],
    [8, 0],
  ] as const) {
    const budget = new Budget(0);
    const p = log.enter(`runs-${z}`, [15 - 0.3 * steps, 0, z]);
    for (let i = 0; i < steps; i++) {
      p.step(50, [0.3, 0, 0], CLEAN);
      budget.spend(p.t, 0.3);
    }
    let refused = false;
    for (let i = 1; i <= 100; i++) {
      const to = plus(p.pos, [0.3, 0, 0]);
      p.wait(50);
      if (refused) p.go(to, 'refused');
      else if (budget.spend(p.t, i === 1 ? 0.3 : 0.6)) p.go(to, 'accept');
      else {
        refused = true;
        p.try(to, putBack(p.pos, 'SpeedLimit'));
        p.pos = to;
      }
    }
    if (!refused) throw new Error('was never refused');
  }
  const slow = log.enter('half-speed', [14.4, 0, 12]).walk(2, 50, [0.3, 0, 0], CLEAN);
  slow.walk(200, 50, [0.15, 0, 0], CLEAN);
  // along the seam, on either side of it, at full speed
  for (const x of [14.9, 15, 15.2, 15.35]) {
    log.enter(`seam-${x}`, [x, 0, 5]).stand(4, 250, CLEAN).walk(60, 50, [0, 0, 0.3], CLEAN);
  }
  const out = log.enter('seam-to-and-fro', [14.8, 0, 20]).stand(4, 250, CLEAN);
  for (let i = 0; i < 60; i++) out.step(50, [i % 2 === 0 ? 0.3 : -0.3, 0, 0], CLEAN);
  return log;
}

export function doors(): Log[] {
  return [c14(), c15(), c17(), d10(), e6()];
}
