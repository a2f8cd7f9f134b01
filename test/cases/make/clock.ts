// A: clock, jitter, bursts. See test/cases/README.md.

import type { MapSource } from '../../../src/log/index.ts';
import type { Vec3 } from '../../../src/types.ts';
import {
  Budget,
  built,
  CLEAN,
  deaf,
  FIELD,
  grid,
  held,
  Log,
  NO_SCORE,
  obeying,
  putBack,
  SPEED,
  TOLERANCE,
  times,
  WAYS,
} from './script.ts';

const HOP = 0.3;
const PLAIN: MapSource = built([[0, -1, 0, 100, 0, 60]], { cell: 0.5 });

function a1(name: string, map: MapSource, middle: Vec3): Log {
  const log = new Log(name, 'A1: silence of 0.9 s, then 18 moves of 0.30 m inside 5 ms: what 0.9 s allow', map);
  for (const [way, u] of WAYS) {
    const p = log.enter(way, middle);
    p.go([middle[0] + 1.7 * u[0], 0, middle[2] + 1.7 * u[2]], 'accept'); // what it entered with is spent
    p.wait(900);
    p.walk(18, 5 / 18, times(u, HOP), CLEAN);
    p.walk(20, 50, times(u, HOP), CLEAN);
  }
  const once = log.enter('one-instant', middle);
  once
    .go([middle[0] + 1.7, 0, middle[2]], 'accept')
    .wait(900)
    .walk(18, 0, [0, 0, HOP], CLEAN);
  const more = log.enter('more-than-time-allows', middle);
  more.go([middle[0] - 1.7, 0, middle[2]], 'accept').wait(900);
  deaf(more, new Budget(0, { metres: 0.025 }), 24, 5 / 18, [0, 0, HOP], 'SpeedLimit');
  return log;
}

function a3(): Log {
  const log = new Log(
    'A3-hops-of-two-metres',
    'A3: hops of 1.8 m every 34 ms for 2 s (53 m/s) under a cap of 25 m a packet: SpeedLimit within 0.3 s and staying',
    FIELD,
    { teleportDistance: 25 },
  );
  for (const [way, u] of WAYS) {
    const p = log.enter(way, [200, 0, 30]);
    p.stand(40, 50); // all the credit there can be
    const from = p.t;
    const late = (step: number) => step * 34 > 300;
    p.walk(way === 'north' || way === 'south' ? 16 : 59, 34, times(u, 1.8), (step) =>
      late(step) ? (late(step - 1) ? 'refused' : { verdict: 'refused', reason: 'SpeedLimit' }) : undefined,
    );
    if (p.t - from < 300) throw new Error('too short');
  }
  const fresh = log.enter('fresh', [5, 0, 20]);
  deaf(fresh, new Budget(0), 59, 34, [1.8, 0, 0], 'SpeedLimit');
  const meek = log.enter('obeys-corrections', [5, 0, 10]);
  obeying(meek, new Budget(0), 59, 34, [1.8, 0, 0], 'SpeedLimit');
  return log;
}

function a4(): Log {
  const log = new Log(
    'A4-twenty-moves-a-tick',
    'A4: 20 moves of 0.30 m with consecutive numbers at one server instant, each 50 ms tick: SpeedLimit once B is gone',
    FIELD,
  );
  const deafOne = log.enter('deaf', [5, 0, 30]);
  const budget = new Budget(0);
  let out = false;
  for (let tick = 1; tick <= 8; tick++) {
    deafOne.wait(50);
    for (let k = 0; k < 20; k++) {
      const before = deafOne.pos;
      if (!out && budget.spend(deafOne.t, HOP)) deafOne.step(0, [HOP, 0, 0], 'accept');
      else {
        deafOne.step(0, [HOP, 0, 0], out ? 'refused' : held(before, 'SpeedLimit'));
        out = true;
      }
    }
  }
  // comes back to the authoritative position at each tick, with B in hand at first
  const meek = log.enter('obeys-each-tick', [200, 0, 30]);
  meek.stand(25, 40);
  const own = new Budget(1000, { metres: SPEED * TOLERANCE });
  for (let tick = 1; tick <= 12; tick++) {
    meek.wait(50);
    let [x] = meek.pos;
    let left = true;
    for (let k = 0; k < 20; k++) {
      x -= HOP;
      left = left && own.spend(meek.t, HOP);
      if (left) meek.go([x, 0, 30], 'accept');
      else meek.try([x, 0, 30], held(meek.pos, 'SpeedLimit'));
    }
  }
  return log;
}

/** The same by inputs; against a wall none of them comes to many metres, and all the same the time is too much. */
function a4b(): Log {
  const log = new Log(
    'A4-inputs-of-twice-the-time',
    'A4: inputs held for 100 ms, each 50 ms tick, into a wall and in the open: watched within four seconds; clocks 4 % fast are not',
    grid(400, 60, 1, [[20, 0, 21, 60]]),
  );
  const hold = (name: string, pos: Vec3, dir: readonly number[], ms: number, each: number): void => {
    const p = log.enter(name, pos);
    for (let t = 50; t <= 5000; t += 50) {
      p.wait(50);
      for (let k = 0; k < each; k++) {
        p.seq++;
        const twice = ms * each * Math.hypot(...dir) > 60;
        // what it entered with, a quarter of a second, is used up; then each tick is 37 ms beyond
        const most = t < 300 ? { scoreBelow: NO_SCORE } : t > 4000 ? { scoreAbove: 1 } : {};
        p.claim('input', { dir, ms }, { verdict: 'accept', ...(twice ? most : { scoreBelow: NO_SCORE }) });
      }
    }
  };
  hold('twice-into-a-wall', [19.5, 0, 20.5], [1, 0], 100, 1);
  hold('twice-along-a-wall', [19.5, 0, 5.5], [1, 0.1], 50, 2);
  hold('twice-in-the-open', [40, 0, 30], [1, 0], 50, 2);
  hold('half-held-twice', [40, 0, 40], [0.5, 0], 100, 1);
  hold('honest-into-a-wall', [19.5, 0, 30.5], [1, 0], 52, 1);
  hold('honest-in-the-open', [40, 0, 35], [0.8, 0.1], 52, 1);
  // 0.9 s of inputs in one burst
  const flush = log.enter('flush-into-a-wall', [19.5, 0, 40.5]);
  for (let round = 0; round < 10; round++) {
    flush.wait(900);
    for (let k = 0; k < 18; k++) {
      flush.seq++;
      flush.claim('input', { dir: [1, 0], ms: 52 }, { verdict: 'accept', scoreBelow: NO_SCORE });
    }
  }
  return log;
}

function a6(): Log {
  const log = new Log(
    'A6-two-moves-in-a-millisecond',
    'A6: two moves of 0.15 m in one server millisecond, duration 0: no infinite speed and no NaN in the score',
    FIELD,
  );
  for (const [way, u] of WAYS) {
    const p = log.enter(way, [200, 0, 30]);
    p.wait(100).walk(2, 0, times(u, 0.15), CLEAN);
    p.wait(50).walk(2, 0, times(u, 0.15), CLEAN);
    p.wait(50).walk(3, 0, [0, 0, 0], CLEAN);
  }
  const clicks = log.enter('clicks', [50, 0, 30], { t: 100 });
  for (let i = 0; i < 3; i++) clicks.begin([50.15, 0, 30], { duration: 0 }, CLEAN);
  return log;
}

function a7(name: string, ms: number): Log {
  const log = new Log(
    name,
    `A7: 3 m/s for 5 s, then 12 m/s for 5 s, every ${ms} ms: SpeedLimit after at most B extra metres; unused time beyond B is not banked`,
    FIELD,
  );
  for (const side of [1, -1]) {
    const p = log.enter(side === 1 ? 'east' : 'west', [200, 0, 30]);
    p.walk(5000 / ms, ms, [side * 0.003 * ms, 0, 0]);
    deaf(p, new Budget(5000, { metres: SPEED * TOLERANCE }), 5000 / ms, ms, [side * 0.012 * ms, 0, 0], 'SpeedLimit');
  }
  return log;
}

function a10(): Log {
  const log = new Log(
    'A10-clock-past-32-bits',
    'A10: the clock passes 2^31 and 2^32 ms between two moves of 0.3 m',
    FIELD,
  );
  for (const [name, at] of [
    ['2^31', 2 ** 31],
    ['2^32', 2 ** 32],
    ['2^33', 2 ** 33],
  ] as const) {
    const p = log.enter(name, [200, 0, 30], { t: at - 525 });
    p.walk(20, 50, [HOP, 0, 0], CLEAN);
    const q = log.enter(`${name}-exactly`, [200, 0, 20], { t: at - 500 });
    q.walk(20, 50, [0, 0, HOP], CLEAN);
    const cheat = log.enter(`${name}-cheat`, [200, 0, 10], { t: at - 85 });
    deaf(cheat, new Budget(at - 85), 10, 34, [1.8, 0, 0], 'SpeedLimit');
  }
  return log;
}

function a12(): Log {
  const log = new Log(
    'A12-latency-credited-once',
    'A12: RTT constant 400 ms, steps of 1.5 m at 20 Hz (30 m/s); RTT credited per packet would let them through',
    FIELD,
  );
  const rtt = { rttMs: 400 };
  const p = log.enter('deaf', [5, 0, 30]);
  p.fact('rtt', { ms: 400 });
  deaf(p, new Budget(0, rtt), 40, 50, [1.5, 0, 0], 'SpeedLimit');
  const rested = log.enter('rested', [390, 0, 30]);
  rested.fact('rtt', { ms: 400 }).stand(40, 50);
  deaf(rested, new Budget(2000, { ...rtt, metres: 6.9 * 1.3 }), 40, 50, [-1.5, 0, 0], 'SpeedLimit');
  const meek = log.enter('obeys-corrections', [5, 0, 20]);
  meek.fact('rtt', { ms: 400 });
  obeying(meek, new Budget(0, rtt), 40, 50, [1.5, 0, 0], 'SpeedLimit');
  // measured anew for each packet, a little different each time
  const told = log.enter('told-each-packet', [5, 0, 10]);
  const budget = new Budget(0, rtt);
  for (let i = 0; i < 40; i++)
    obeying(told.fact('rtt', { ms: 400 + (i % 3) }), budget, 1, 50, [1.5, 0, 0], 'SpeedLimit');
  return log;
}

function a14(): Log {
  const log = new Log(
    'A14-twenty-seconds-asleep',
    'A14: 20 s asleep, then one move of 40 m over walkable ground: put back, score near zero, never a ban',
    FIELD,
  );
  for (const [way, dx] of [
    ['east', 40],
    ['west', -40],
  ] as const) {
    const p = log.enter(way, [200, 0, 30]);
    p.walk(10, 50, [0, 0, HOP]);
    const [x, , z] = p.pos;
    const calm = { scoreBelow: 0.01, action: 'none' } as const;
    p.wait(20_000).try([x + dx, 0, z], { ...putBack(p.pos, 'SpeedLimit'), ...calm, correction: 1 });
    // what was on its way before the correction arrived, then the client is back where the server has it
    for (const k of [1, 2, 3]) p.wait(50).try([x + dx + k * HOP, 0, z], { ...held(p.pos), ...calm });
    p.walk(20, 50, [HOP, 0, 0], { verdict: 'accept', ...calm });
  }
  const far = log.enter('60-m', [200, 0, 20]);
  far.stand(10, 50).wait(20_000);
  far.try([260, 0, 20], {
    verdict: 'refused',
    reason: ['SpeedLimit', 'Teleport'],
    pos: [200, 0, 20],
    scoreBelow: 0.01,
    action: 'none',
  });
  // ten times what 20 s allow is no sleeper
  const liar = log.enter('20-s-at-60-m-s', [5, 0, 10], { speed: 1 });
  liar.stand(10, 50).wait(20_000);
  liar.try([245, 0, 10], { verdict: 'refused', pos: [5, 0, 10], scoreAbove: 1 });
  return log;
}

function a15(): Log {
  const log = new Log(
    'A15-idling-is-not-banked',
    'A15: stands 60 s, then 12 m in one move: idling refills to B only',
    FIELD,
  );
  const sends = log.enter('sends', [200, 0, 30]);
  sends.stand(60, 1000);
  sends.wait(50).try([212, 0, 30], putBack(sends.pos, 'SpeedLimit'));
  const silent = log.enter('silent', [200, 0, 20]);
  silent.wait(60_000).try([188, 0, 20], putBack(silent.pos, 'SpeedLimit'));
  const within = log.enter('within-B', [200, 0, 10]);
  within.stand(1, 50).wait(60_000).go([206.8, 0, 10], CLEAN);
  within.wait(50).try([207.3, 0, 10], putBack(within.pos, 'SpeedLimit'));
  const latency = log.enter('within-B-at-300-ms', [300, 0, 10]);
  latency.fact('rtt', { ms: 900 }).stand(1, 50).wait(60_000).try([309, 0, 10], putBack(latency.pos, 'SpeedLimit'));
  latency.wait(2000).go([308.9, 0, 10], 'accept');
  return log;
}

function a17(name: string, ms: number, rate: number, seconds: number): Log {
  const log = new Log(
    name,
    `A17: boiled frog, ${rate} % a second from 6.0 m/s, every ${ms} ms: SpeedLimit at most B metres of excess after it passes 6.9 m/s`,
    FIELD,
  );
  const p = log.enter('frog', [5, 0, 30]);
  const step = (i: number) => 0.006 * ms * (1 + ((rate / 100) * i * ms) / 1000);
  const accepted = deaf(p, new Budget(0), (seconds * 1000) / ms, ms, (i) => [step(i), 0, 0]);
  let excess = 0;
  for (let i = 1; i <= accepted; i++) excess += Math.max(0, step(i) - 0.0069 * ms);
  if (!(excess > 0 && excess <= SPEED * TOLERANCE)) throw new Error(`${excess} m of excess`);
  return log;
}

function a18(): Log {
  const log = new Log(
    'A18-keyboard-start',
    'A18: cruise at 3 m/s, 0 to 6 m/s within one packet, stop in one packet, turn on the spot: accepted',
    FIELD,
  );
  for (const ms of [16, 50, 100]) {
    for (const [way, u] of WAYS) {
      const p = log.enter(`${way}-${ms}`, [200, 0, 30]);
      p.walk(Math.ceil(800 / ms), ms, times(u, 0.003 * ms));
      p.walk(Math.ceil(800 / ms), ms, times(u, 0.006 * ms));
      p.stand(2, ms);
      p.walk(5, ms, times(u, -0.006 * ms));
      p.stand(2, ms);
      p.walk(5, ms, times(u, 0.006 * ms)).stand(1, ms, CLEAN);
    }
  }
  return log;
}

function a19(): Log {
  const log = new Log(
    'A19-auto-run',
    'A19: auto-run, perfectly straight, exactly 100 ms apart, for 60 s: no action',
    FIELD,
  );
  const p = log.enter('east', [5, 0, 30]);
  const calm = { verdict: 'accept', action: 'none', scoreBelow: 1 } as const;
  p.walk(600, 100, [0.6, 0, 0], (step) => (step % 20 === 0 ? calm : 'accept'));
  return log;
}

export const clock = (): Log[] => [
  a1('A1-flush-after-silence', FIELD, [200, 0, 30]),
  a1('A1-flush-after-silence-on-a-mesh', PLAIN, [50, 0.1, 30]),
  a3(),
  a4(),
  a4b(),
  a6(),
  a7('A7-slow-then-fast', 50),
  a7('A7-slow-then-fast-at-10-Hz', 100),
  a10(),
  a12(),
  a14(),
  a15(),
  a17('A17-boiled-frog', 50, 1, 35),
  a17('A17-boiled-frog-two-percent', 100, 2, 22),
  a18(),
  a19(),
];
