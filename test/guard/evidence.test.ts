// Evidence apart from refusal: fast clocks are watched within a stated time, honest clients never, and what
// guard.evidence tells. Seeds stand in the names.
import { describe, expect, test } from 'vitest';
import { MoveGuard } from '../../src/guard.ts';
import { random } from './rounding.ts';
import { type Habits, type Line, PLAIN_LINE, play, SPEED, toAndFro, walk } from './walkers.ts';
import { field, World } from './world.ts';

const HABITS: Record<string, Habits> = {
  straight: { leg: [60, 200], pause: 0, pauseMs: 0, turn: Math.PI, arc: 0 },
  corners: { leg: [3, 25], pause: 0, pauseMs: 0, turn: Math.PI, arc: 0 },
  pausing: { leg: [5, 40], pause: 0.3, pauseMs: 3000, turn: Math.PI, arc: 0 },
  arcs: { leg: [5, 40], pause: 0.1, pauseMs: 1000, turn: 1, arc: 4 },
};

describe('a clock that is too fast, within the tolerance of every move', () => {
  test.each([
    ['straight', 1.1, 50],
    ['corners', 1.1, 70],
    ['straight', 1.08, 120],
    ['straight', 1.14, 25],
  ] as const)('%s, x%d: watched within %d s, unrefused (seeds 1 to 4)', (habits, clock, within) => {
    for (const rtt of [0, 100, 400]) {
      for (const [k, hz] of [10, 20, 30, 60].entries()) {
        const rand = random(k + 51);
        const line = { ...PLAIN_LINE, clock, rtt, jitter: rtt, hz };
        const { watchedAt, refused, evidence } = play(k + 1, {
          walk: walk(rand, HABITS[habits]),
          line,
          seconds: within + 1,
          stopAtWatch: true,
        });
        expect([rtt, hz, watchedAt <= within * 1000, refused]).toEqual([rtt, hz, true, 0]);
        expect(evidence.layers.drift).toBeGreaterThan(0.5);
      }
    }
  });
  test('x1.1 with pauses: standing does not make up for it (seeds 1 to 3)', () => {
    for (let seed = 1; seed <= 3; seed++) {
      const habits = { ...HABITS.pausing, leg: [20, 60] as const };
      const line = { ...PLAIN_LINE, clock: 1.1, rtt: 100, jitter: 50 };
      const { watchedAt } = play(seed, {
        walk: walk(random(seed + 60), habits),
        line,
        seconds: 240,
        stopAtWatch: true,
      });
      expect([seed, watchedAt < 240_000]).toEqual([seed, true]);
    }
  });
  test('x1.2 to and fro in legs that the rounding of positions hides', () => {
    for (const length of [3.5, 3, 2.5, 2]) {
      const line = { ...PLAIN_LINE, hz: 48, clock: 1.2, quantum: 0 };
      const { watchedAt } = play(1, { walk: toAndFro(length, 0.3), line, seconds: 240, stopAtWatch: true });
      expect([length, watchedAt < 200_000]).toEqual([length, true]);
    }
  });
});

/** One honest client of 2-120 Hz with every trouble at once, but none beyond what the rules promise to forgive. */
function honestLine(rand: () => number, clock: number, rtt: number, hz: number): Line {
  const jitter = Math.min(rtt, 300);
  const loss = hz < 5 ? 0 : 0.05;
  // a stall, the packet before it lost, late by all the jitter: together no more than burstMs
  const stallMs = Math.max(0, 1000 - (1000 / hz) * (loss > 0 ? 2 : 1) - jitter);
  return {
    hz,
    clock,
    rtt,
    jitter,
    loss,
    stallsPerMinute: 6,
    stallMs,
    quantum: 0.01 * (1 + Math.floor(rand() * 5)),
    down: rand() < 0.3,
    told: true,
  };
}

describe('honest clients', () => {
  test.each(Object.keys(HABITS))('%s: never watched, no drift held against them (seeds 1 to 30)', (name) => {
    let seed = 0;
    for (const clock of [1, 1.04]) {
      for (const rtt of [20, 100, 400]) {
        for (const hz of [2, 5, 12, 30, 120]) {
          seed++;
          const rand = random(seed);
          const line = honestLine(rand, clock, rtt, hz);
          const seconds = hz > 60 ? 90 : 240;
          const { worst, refused, evidence } = play(seed, { walk: walk(rand, HABITS[name]), line, seconds });
          expect([seed, line, refused, worst < 0.5, evidence.layers.drift]).toEqual([seed, line, 0, true, 0]);
        }
      }
    }
  });

  /** What happens every ten seconds, when the client knows of it, and how fast it is then. */
  const LIFE = {
    'a boost': [(g: MoveGuard) => g.boost('p', 5, 2500), 2500, SPEED + 5],
    'a slow spell': [(g: MoveGuard) => g.setSpeed('p', 2), 3000, 2],
    'a sprint': [(g: MoveGuard) => g.setSpeed('p', 9), 3000, 9],
  } as const;
  test.each(Object.keys(LIFE) as (keyof typeof LIFE)[])('%s every ten seconds (seeds 1 to 12)', (name) => {
    const [begin, ms, fast] = LIFE[name];
    let seed = 0;
    for (const clock of [1, 1.04]) {
      for (const rtt of [0, 100, 250]) {
        for (const hz of [10, 40]) {
          seed++;
          const rand = random(seed + 200);
          // the news takes half a round trip, and so do the claims made in its light
          const speed = (t: number): number => {
            const s = (t / clock - rtt / 2) % 10_000;
            return s >= 5000 && s < 5000 + ms ? fast : SPEED;
          };
          let done = 0;
          let over = 0;
          const events = (guard: MoveGuard, t: number): void => {
            if (Math.floor((t + 5000) / 10_000) > done) {
              done++;
              begin(guard);
            }
            if (name !== 'a boost' && Math.floor((t + 5000 - ms) / 10_000) > over) {
              over++;
              guard.setSpeed('p', SPEED);
            }
          };
          const line = { ...honestLine(rand, clock, rtt, hz), stallMs: 300, loss: 0.01, jitter: rtt / 2 };
          const outcome = play(seed, { walk: walk(rand, HABITS.straight, speed), line, seconds: 200, events });
          expect([seed, line, outcome.refused, outcome.evidence.layers.drift, outcome.worst < 0.5]).toEqual([
            seed,
            line,
            0,
            0,
            true,
          ]);
        }
      }
    }
  });

  test.each([
    [1.04, 24],
    [0.97, -18],
    [1, 0],
  ])('clock x%d: drift after ten minutes is %d s within 0.5 s (seeds 1 to 6)', (clock, truth) => {
    let seed = 0;
    for (const rtt of [20, 100]) {
      for (const hz of [10, 20, 60]) {
        seed++;
        const line = { ...PLAIN_LINE, clock, rtt, jitter: rtt / 2, hz, loss: 0.01 };
        const { evidence } = play(seed, { walk: walk(random(seed + 5), HABITS.straight), line, seconds: 600 });
        expect([seed, Math.abs(evidence.driftSeconds - truth) < 0.5]).toEqual([seed, true]);
        expect(evidence.driftOver).toBeGreaterThan(300);
        expect(Math.abs(evidence.averageSpeed - SPEED * clock)).toBeLessThan(0.2);
      }
    }
  });
});

describe('what evidence tells', () => {
  const world = (rules: Record<string, unknown> = {}): World => {
    const w = new World(field(), rules);
    w.guard.enter('p', { pos: [5, 0, 30], speed: 6 });
    return w;
  };
  test('null for the unknown, nothing against the new', () => {
    const w = world();
    expect(w.guard.evidence('q')).toBeNull();
    expect(w.guard.evidence('p')).toEqual({
      score: 0,
      action: 'none',
      layers: {
        speed: 0,
        wall: 0,
        teleport: 0,
        air: 0,
        state: 0,
        acceleration: 0,
        continuity: 0,
        behaviour: 0,
        drift: 0,
      },
      averageSpeed: 0,
      limit: 6,
      jumps: 0,
      driftSeconds: 0,
      driftOver: 0,
    });
  });
  test('a refusal speaks to its layer; the layers add up to the score and fade', () => {
    const w = world({ scoreHalfLifeMs: 10_000 });
    w.move(1000, 100, 30);
    w.t += 2000;
    w.move(0, 5, 30.2);
    w.guard.state('p', { alive: false });
    w.t += 5000;
    w.move(0, 9, 30);
    const e = w.guard.evidence('p');
    if (e === null) throw new Error('no evidence');
    expect(e.layers.teleport).toBeGreaterThan(2);
    expect(e.layers.state).toBe(0.25);
    expect(Object.values(e.layers).reduce((a, b) => a + b)).toBeCloseTo(e.score, 9);
    expect(e.score).toBe(w.guard.score('p'));
    expect(e.jumps).toBe(1);
    w.t += 10_000;
    expect(w.guard.evidence('p')?.layers.state).toBeCloseTo(0.125, 9);
  });
  test('average speed and jumps of the last half minute; leaving and coming back keeps them', () => {
    const w = world();
    w.walk(200, 100, 0.5, 0);
    const e = w.guard.evidence('p');
    expect(e?.averageSpeed).toBeCloseTo(5, 1);
    expect(e?.jumps).toBe(0);
    // blinks paid by the burst's credit
    for (let k = 0; k < 4; k++) {
      w.walk(30, 100, 0, 0);
      w.walk(1, 10, 5.5, 0);
    }
    const jumps = w.guard.evidence('p');
    expect(jumps?.jumps).toBe(4);
    expect(jumps?.layers.continuity).toBeGreaterThan(0.2);
    expect(jumps?.action).toBe('none');
    const before = w.guard.evidence('p');
    const { pos } = w;
    w.guard.leave('p');
    w.guard.enter('p', { pos, speed: 6 });
    expect(w.guard.evidence('p')).toEqual(before);
    w.walk(15, 100, 0, 0);
    w.t += 40_000;
    w.walk(3, 100, 0, 0);
    expect(w.guard.evidence('p')?.jumps).toBe(0);
  });
  test('faster from second to second beyond the limit is scored; a keyboard start and any pace below it are not', () => {
    const start = world();
    start.walk(20, 50, 0, 0);
    start.walk(60, 50, 0.3, 0);
    start.walk(20, 50, 0, 0);
    start.walk(60, 50, 0.3, 0);
    expect(start.guard.evidence('p')?.score).toBe(0);
    const slow = world();
    for (let k = 0; k < 20; k++) slow.walk(20, 50, 0.1 + 0.01 * k, 0);
    expect(slow.guard.evidence('p')?.score).toBe(0);
    const frog = world();
    for (let k = 0; k < 14; k++) frog.walk(20, 50, 0.3 * (1 + 0.01 * k), 0);
    expect(frog.guard.evidence('p')?.layers.acceleration).toBeGreaterThan(0.1);
    expect(frog.guard.evidence('p')?.layers.speed).toBe(0);
  });
  test('regular and straight: nothing for two minutes, then a little, never much', () => {
    const w = world();
    const leg = (steps: number, dx: number): void => void w.walk(steps, 100, dx, 0);
    leg(600, 0.6);
    expect(w.guard.evidence('p')?.score).toBe(0);
    for (let k = 0; k < 20; k++) leg(600, k % 2 === 0 ? -0.6 : 0.6);
    const e = w.guard.evidence('p');
    expect(e?.layers.behaviour).toBeGreaterThan(0.1);
    expect(e?.layers.behaviour).toBeLessThanOrEqual(0.2);
    expect(e?.action).toBe('none');
  });
  test('a rule in the shadow judges and scores, and does not refuse; the leap is not scored twice', () => {
    const w = world({ shadow: ['SpeedLimit', 'Teleport'] });
    w.walk(10, 100, 0.5, 0);
    const v = w.move(100, 40, 30);
    expect([v.verdict, v.reason, v.accepted]).toEqual(['accept', 'SpeedLimit', true]);
    expect(w.pos[0]).toBe(40);
    w.walk(40, 100, 0.5, 0);
    const e = w.guard.evidence('p');
    expect(e?.layers.speed).toBeGreaterThan(2);
    expect(e?.layers.drift).toBe(0);
    expect(e?.action).not.toBe('none');
  });
  test('in batches as in single moves, to the bit', () => {
    let now = 0;
    const map = field();
    const [a, b] = [0, 1].map(() => new MoveGuard(map, {}, { now: () => now }));
    for (const g of [a, b]) g.enter('p', { pos: [5, 0, 30], speed: 6 });
    const claims = b.claims(1);
    const scores = new Set<number>();
    for (let i = 1; i <= 1000; i++) {
      now = i * 50;
      const x = 5 + 0.33 * i;
      const v = a.move('p', i, x, 0, 30);
      claims.entity[0] = b.slot('p');
      claims.seq[0] = i;
      claims.pos.set([x, 0, 30]);
      claims.t[0] = now;
      b.checkBatch(claims, 1);
      expect([claims.verdict[0], claims.score[0], claims.action[0]]).toEqual([
        v.verdictCode,
        v.score,
        ['none', 'watch', 'restrict', 'kick'].indexOf(v.action),
      ]);
      scores.add(v.score);
    }
    expect(scores.size).toBeGreaterThan(5);
    expect(a.stateOf('p')).toEqual(b.stateOf('p'));
  });
});
