// E: limits that change, falls, pushes, clicks. See test/cases/README.md.
import type { Vec3 } from '../../../src/types.ts';
import { Budget, built, CLEAN, deaf, FIELD, held, Log, putBack, times, WAYS } from './script.ts';

function e1(name: string, rttMs: number, fast: number): Log {
  const log = new Log(
    name,
    `E1: a buff of ${fast} m/s ends at t, RTT ${rttMs}: accepted until t + RTT + 150 ms; going on is refused once the credit of the new speed is used up, and never later`,
    FIELD,
  );
  const grace = Math.min(rttMs, 300) + 150;
  const by = fast / 20;
  for (const [way, u] of WAYS.slice(0, 2)) {
    for (const rested of [false, true]) {
      const p = log.enter(rested ? `${way}-rested` : way, [200, 0, rested ? 20 : 30], { speed: fast });
      const budget = new Budget(0, { rttMs, speed: fast });
      p.fact('rtt', { ms: rttMs });
      if (rested) p.stand(20, 100);
      p.walk(20, 50, times(u, by));
      for (let i = 19; i >= 0; i--) budget.spend(p.t - 50 * i, by);
      p.fact('speed', { speed: 6 });
      p.walk(grace / 50, 50, times(u, by));
      for (let i = grace / 50 - 1; i > 0; i--) budget.spend(p.t - 50 * i, by);
      // from here on the new limit counts, and no more than its own full credit is left
      budget.limit(p.t, 6);
      budget.spend(p.t, by);
      const most = budget.metres / (by - 0.345);
      const accepted = deaf(p, budget, Math.ceil(most) + 5, 50, times(u, by), 'SpeedLimit');
      if (accepted > most + 1 || accepted * 50 > 3400) throw new Error('later than the case says');
    }
    const good = log.enter(`${way}-slows-down`, [200, 0, 10], { speed: fast }).fact('rtt', { ms: rttMs });
    good.walk(20, 50, times(u, by)).fact('speed', { speed: 6 });
    good.walk(grace / 50, 50, times(u, by), CLEAN).walk(40, 50, times(u, 0.3), CLEAN);
  }
  return log;
}

const GRAVITY = 9.81;

function e3(): Log {
  const log = new Log(
    'E3-speed-0-in-a-fall',
    'E3: speed 0 while falling: down is accepted, 0.4 m sideways is refused, and there is no loop',
    built([
      [0, -1, 0, 30, 0, 20],
      [0, -1, 0, 10, 6, 20],
    ]),
  );
  for (const [name, aside] of [
    ['east', [0.4, 0, 0]],
    ['along', [0, 0, 0.4]],
    ['back', [-0.4, 0, 0]],
  ] as [string, Vec3][]) {
    const p = log.enter(name, [20, 6, 10], { speed: 6 });
    const y = (ms: number) => Math.max(0, 6 - (GRAVITY * (ms / 1000) ** 2) / 2);
    for (let ms = 50; ms <= 300; ms += 50) p.wait(50).go([20, y(ms), 10], CLEAN);
    p.fact('speed', { speed: 0 });
    // what is in flight may still be of the old speed
    for (let ms = 350; ms <= 500; ms += 50) p.wait(50).go([20, y(ms), 10], CLEAN);
    p.wait(50).try([20 + aside[0], y(550), 10 + aside[2]], { ...putBack(p.pos, 'SpeedLimit'), correction: 1 });
    for (let ms = 600; ms <= 1500; ms += 50) p.wait(50).go([20, y(ms), 10], 'accept');
    p.wait(1000).try([20 + aside[0], 0, 10 + aside[2]], held(p.pos, 'SpeedLimit'));
    p.wait(50).stand(1, 50, 'accept').fact('speed', { speed: 6 }).walk(5, 50, times(aside, 0.75), 'accept');
  }
  return log;
}

function e4(): Log {
  const log = new Log(
    'E4-impulse-pays-for-its-metres',
    'E4: impulse of 14 m/s, 20 m/s^2 decay, on an entity whose credit is spent: 4.5 m in 0.5 s; without an impulse: SpeedLimit',
    FIELD,
  );
  for (const [way, u] of WAYS) {
    const spent = (id: string) => {
      const p = log.enter(`${way}-${id}`, [200, 0, 30]);
      return p.go([200 + 1.7 * u[0], 0, 30 + 1.7 * u[2]], CLEAN);
    };
    const push = { velocity: times(u, 14), decay: 20 };
    spent('steps').fact('impulse', push).walk(10, 50, times(u, 0.45), CLEAN);
    const p = spent('one-claim').fact('impulse', push);
    p.step(500, times(u, 4.5), CLEAN);
    const q = spent('and-walking').fact('impulse', push);
    q.step(500, times(u, 7.9), CLEAN); // 4.5 m by the push, 3.45 m by walking
    const r = spent('and-more').fact('impulse', push);
    r.wait(500).try([r.pos[0] + 8.2 * u[0], 0, r.pos[2] + 8.2 * u[2]], putBack(r.pos, 'SpeedLimit'));
    const s = spent('not-pushed');
    s.wait(500).try([s.pos[0] + 4.5 * u[0], 0, s.pos[2] + 4.5 * u[2]], putBack(s.pos, 'SpeedLimit'));
    deaf(spent('not-pushed-steps'), new Budget(0, { metres: 0.025 }), 10, 50, times(u, 0.45), 'SpeedLimit');
  }
  return log;
}

function e7(): Log {
  const log = new Log(
    'E7-clicking-again-and-again',
    'E7: a click 24 m away, clicked again 3 times a second while walking 6 m/s: accepted; what was walked is charged, not what was clicked',
    FIELD,
  );
  const every = 333;
  for (const [way, u] of WAYS.slice(0, 4)) {
    const [x, , z]: Vec3 = [200, 0, 30 - 28 * u[2]];
    const p = log.enter(way, [x, 0, z]);
    for (let i = 0; i < 12; i++) {
      p.pos = [x + u[0] * 0.006 * every * i, 0, z + u[2] * 0.006 * every * i];
      p.begin(
        [p.pos[0] + 24 * u[0], 0, p.pos[2] + 24 * u[2]],
        { duration: 4000 },
        {
          verdict: 'accept',
          pos: p.pos,
          within: 0.01,
          action: 'none',
        },
      );
      p.wait(every);
    }
  }
  // the same target each time
  const fixed = log.enter('fixed-target', [100, 0, 30]);
  for (let i = 0; i < 12; i++) {
    fixed.pos = [100 + 0.006 * every * i, 0, 30];
    fixed.begin([124, 0, 30], { duration: 4000 - every * i }, { verdict: 'accept', pos: fixed.pos, within: 0.01 });
    fixed.wait(every);
  }
  fixed.wait(10).go([124, 0, 30], 'accept');
  return log;
}

function e10(): Log {
  const log = new Log(
    'E10-a-crowd-joins',
    'E10: 100 entities join the view, RTT jitters between 20 and 180 ms: no violation',
    FIELD,
  );
  const rtt = (i: number) => 20 + ((i * 67) % 161);
  for (const [way, u] of WAYS.slice(0, 2)) {
    const p = log.enter(way, [200, 0, 30]);
    let arrives = 0;
    for (let i = 1; i <= 120; i++) {
      // sent every 50 ms; the way here takes half of a round trip that changes with each packet, in order
      arrives = Math.max(arrives, 50 * i + (i > 40 && i < 80 ? rtt(i) / 2 : 10));
      p.t = arrives;
      if (i % 5 === 0) p.fact('rtt', { ms: i > 40 && i < 80 ? rtt(i) : 20 });
      p.go([200 + 0.3 * i * u[0], 0, 30], CLEAN);
    }
  }
  for (let k = 0; k < 100; k++) {
    const q = log.enter(`other-${k}`, [195 + (k % 10), 0, 25 + Math.floor(k / 10)], { t: 2000 + k });
    q.fact('rtt', { ms: rtt(k) }).walk(2, 100, [0, 0, k % 2 === 0 ? 0.6 : -0.6], CLEAN);
  }
  return log;
}

export const speed = (): Log[] => [
  e1('E1-a-buff-ends', 300, 9.6),
  e1('E1-a-buff-ends-at-RTT-0', 0, 9.6),
  e1('E1-a-buff-ends-at-RTT-500', 500, 14),
  e3(),
  e4(),
  e7(),
  e10(),
];
