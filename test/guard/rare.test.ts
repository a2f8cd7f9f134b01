// The rare ways of a verdict: search caps, shadow rules, metrics, wrong facts, engines.
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import { MoveGuard } from '../../src/guard.ts';
import { REASON_NAMES, VERDICT_WORDS } from '../../src/reasons.ts';
import * as L from '../../src/rules/ledger.ts';
import { blockedField, field, floors, World } from './world.ts';

const FIELD = field();
/** A wall from z 0 to 50 at x 10..10.2. */
const WALL = blockedField(100, 300, 0.2, [[50, 0, 51, 250]]);

describe('search caps', () => {
  test('the node cap makes Undecided: accepted, marked, charged', () => {
    const w = new World(WALL, { nodeCap: 1 });
    // near the wall's end: a search of one node can neither find the way round nor prove that there is none
    w.guard.enter('p', { pos: [9.9, 0, 49], speed: 6 });
    w.t = 1000;
    const v = w.move(0, 10.3, 49);
    expect([v.verdict, v.reason, v.accepted, v.length, v.bound]).toEqual(['undecided', 'Undecided', true, null, null]);
    expect(v.pos).toEqual([10.3, 0, 49]);
    expect(w.state[L.CREDIT]).toBeCloseTo(6.9 - 0.4, 9);
  });
  test('who was refused does not get through on a used-up allowance', () => {
    const w = new World(WALL, { searchNodesPerSecond: 60 });
    w.guard.enter('p', { pos: [9.9, 0, 10], speed: 6 });
    w.t = 1000;
    for (let i = 0; i < 400; i++) {
      const v = w.move(5, 10.3, 10);
      expect([i, v.accepted]).toEqual([i, false]);
    }
    expect(w.guard.score('p')).toBeGreaterThanOrEqual(1);
  });
  test('nor where the search could prove nothing', () => {
    const w = new World(WALL, { searchNodesPerSecond: 1 });
    w.guard.enter('p', { pos: [9.9, 0, 49], speed: 6 });
    w.t = 1000;
    expect(w.move(0, 9.9, 20).reason).toBe('SpeedLimit');
    const v = w.move(50, 10.3, 49);
    expect([v.verdict, v.reason]).toEqual(['ignore', 'Undecided']);
    expect(w.pos).toEqual([9.9, 0, 49]);
    // who obeys is believed again, but not for nothing
    expect(w.move(50, 9.9, 49).verdict).toBe('accept');
    const before = w.guard.score('p') ?? 0;
    expect(w.move(50, 10.3, 49).verdict).toBe('undecided');
    expect(w.guard.score('p')).toBeGreaterThan(before + 0.2);
  });
  test('an allowance spent on clicks opens no wall', () => {
    // behind the wall's end a shelf from x 10 to 16: the way round looks short until it is searched
    const w = new World(
      blockedField(100, 300, 0.2, [
        [50, 0, 51, 250],
        [50, 249, 80, 250],
      ]),
      { searchNodesPerSecond: 300 },
    );
    w.guard.enter('p', { pos: [9.9, 0, 49.5], speed: 6 });
    w.walk(60, 50, 0, 0);
    let clicks = 0;
    let word = 'accept';
    for (; word === 'accept' && clicks < 1000; clicks++) {
      const claim = { seq: ++w.seq, from: w.guard.positionAt('p'), to: [10.3, 0, 49.5], speed: 1e-6, duration: 1e12 };
      word = w.guard.begin('p', claim).verdict;
    }
    expect([word, w.state[L.NODES]]).toEqual(['undecided', 0]);
    const before = w.state;
    expect(w.move(0, 10.3, 49.5).reason).toBe('Wall');
    expect([w.pos, w.state[L.CREDIT]]).toEqual([[9.9, 0, 49.5], before[L.CREDIT]]);
  });
  test('searches cost an allowance that time gives back', () => {
    const w = new World(WALL);
    w.guard.enter('p', { pos: [9.9, 0, 10], speed: 6 });
    w.t = 1000;
    w.move(0, 10.3, 10);
    const left = w.state[L.NODES];
    expect(left).toBeLessThan(20_000);
    w.move(50, 9.9, 10);
    w.t += 1000;
    w.move(0, 10.3, 10);
    expect(w.state[L.NODES]).toBeGreaterThanOrEqual(left);
  });
});

describe('way-round time', () => {
  // the way round the wall's end (10, 50) from 9.9 to 10.3 at z 47.3 is 5.5 m: 0.8 s, less the forgiveness of 0.2 m
  const rules = { burstMs: 5000 };
  const beside = (): World => {
    const w = new World(WALL, rules);
    w.guard.enter('p', { pos: [9.9, 0, 47.3], speed: 6 });
    w.walk(120, 50, 0, 0); // credit is full: 34.5 m
    return w;
  };
  test('a stall pays for it', () => {
    const w = beside();
    expect(w.move(1000, 10.3, 47.3).verdict).toBe('accept');
  });
  test('credit alone does not', () => {
    expect(beside().move(50, 10.3, 47.3).reason).toBe('Wall');
  });
  test('nor does a stall that straight moves have used up', () => {
    const w = beside();
    // 1000 ms of silence, 2 x 2 m walked in it: 420 ms and 250 ms of slack are left, 4.6 m
    expect(w.move(1000, 9.9, 45.3).verdict).toBe('accept');
    expect(w.move(0, 9.9, 47.3).verdict).toBe('accept');
    expect(w.move(0, 10.3, 47.3).reason).toBe('Wall');
  });
  test('nor does one before a teleport', () => {
    const w = beside();
    expect(w.move(2000, 9.9, 47.3).verdict).toBe('accept');
    w.guard.teleport('p', [9.9, 0, 47.2]);
    w.guard.ack('p', 0);
    expect(w.move(0, 10.3, 47.3).reason).toBe('Wall');
  });
});

describe('shadow', () => {
  test('is judged and scored, not refused', () => {
    const w = new World(FIELD, { shadow: ['SpeedLimit', 'Wall'] });
    w.guard.enter('p', { pos: [5, 0, 30], speed: 6 });
    const v = w.move(100, 25, 30);
    expect([v.verdict, v.reason, v.pos, v.correction]).toEqual(['accept', 'SpeedLimit', [25, 0, 30], 0]);
    expect(v.score).toBeGreaterThan(1);
    expect(w.state[L.CREDIT]).toBe(0);
    expect(w.move(100, 95, 30).reason).toBe('Teleport');
    const u = new World(WALL, { shadow: ['Wall'] });
    u.guard.enter('p', { pos: [9.9, 0, 10], speed: 6 });
    expect(u.move(1000, 10.3, 10).reason).toBe('Wall');
    expect(u.pos).toEqual([10.3, 0, 10]);
    expect(u.move(50, 10.6, 10).reason).toBe('Accept');
  });
});

test('speedMetric: surface charges the slope too', () => {
  for (const [speedMetric, reason] of [
    ['plan', 'Accept'],
    ['surface', 'SpeedLimit'],
  ]) {
    const w = new World(floors([[0, 0, 40, 40, 0]]), { speedMetric });
    w.guard.enter('p', { pos: [20, 0, 20], speed: 6 });
    // 1.5 m aside, 1 m up: 1.8 m; 1.725 m of credit
    expect(w.move(0, 21.5, 20, 1).reason).toBe(reason);
  }
});

test('corrections: pending, given up after a while, acknowledged by obeying', () => {
  const w = new World(FIELD);
  w.guard.enter('p', { pos: [5, 0, 30], speed: 6 });
  w.t = 1000;
  const numbers = [0, 100, 300, 100, 1, 499, 2].map((dt) => w.move(dt, 40, 30).correction);
  // sent at 1000 and pending until 1500; again at 1501 until 2001; again at 2002 (2000 + 2)
  expect(numbers).toEqual([1, 0, 0, 0, 2, 0, 3]);
  expect(w.move(10, 5.1, 30).accepted).toBe(true);
  expect(w.state[L.FLAGS] & L.PENDING).toBe(0);
  expect(w.move(10, 40, 30).correction).toBe(4);
  w.guard.ack('p', 3);
  expect(w.move(10, 40, 30).correction).toBe(0);
  w.guard.ack('p', 4);
  expect(w.move(10, 40, 30).correction).toBe(5);
});

test('wrong facts are errors with got and expected; unknown entities are false', () => {
  const { guard } = new World(FIELD);
  const wrong: (() => unknown)[] = [
    () => guard.enter('', { pos: [0, 0, 0], speed: 6 }),
    () => guard.enter('p', { pos: [0, 0] as never, speed: 6 }),
    () => guard.enter('p', { pos: [0, 0, NaN], speed: 6 }),
    () => guard.enter('p', { pos: [0, 0, 0], speed: -1 }),
    () => guard.enter('p', undefined as never),
    () => guard.setSpeed('p', Infinity),
    () => guard.rtt('p', NaN),
    () => guard.boost('p', 1, -1),
    () => guard.impulse('p', [1, 0, 0], 0),
    () => guard.grant('p', [0, 0, 0], { radius: -1 }),
    () => guard.teleport('p', 'there' as never),
    () => guard.state('p', { alive: 1 as never }),
    () => guard.pause(-1),
    () => guard.version(2 as never),
    () => guard.progress({} as never),
    () => guard.ack('p', NaN),
    () => new MoveGuard(FIELD, {}, { now: 5 as never }),
  ];
  for (const [i, call] of wrong.entries()) {
    let error: unknown;
    try {
      call();
    } catch (caught) {
      error = caught;
    }
    expect([i, error instanceof NavguardError]).toEqual([i, true]);
    expect((error as NavguardError).code).toBe('BAD_ARGUMENT');
    expect((error as NavguardError).message).toMatch(/expected .*, got /);
  }
  expect(guard.setSpeed('p', 1)).toBe(false);
  expect([guard.leave('p'), guard.rtt('p', 1), guard.ack('p', 1), guard.teleport('p', [0, 0, 0])]).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect([guard.positionAt('p'), guard.score('p'), guard.stateOf('p')]).toEqual([null, null, null]);
});

test('both engines, one story, the same verdicts bit for bit', () => {
  const told = (['wasm', 'twin'] as const).map((engine) => {
    let now = 0;
    const guard = new MoveGuard(WALL, {}, { engine, now: () => now });
    guard.enter('p', { pos: [9.5, 0, 48], speed: 6 });
    const verdicts: string[] = [];
    let s = 77;
    for (let i = 1; i <= 500; i++) {
      s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
      now += (s >>> 8) % 120;
      const at = guard.positionAt('p') as [number, number, number];
      const x = at[0] + ((s >>> 4) % 1000) / 900 - 0.55;
      const z = at[2] + ((s >>> 14) % 1000) / 900 - 0.55;
      if (i % 50 === 0) {
        verdicts.push(
          JSON.stringify(guard.begin('p', { seq: i, from: at, to: [x + 2, 0, z], speed: 5, duration: 9000 })),
        );
      } else verdicts.push(JSON.stringify(guard.move('p', i, x, 0, z)));
    }
    return verdicts;
  });
  expect(told[0]).toEqual(told[1]);
  expect(new Set(told[0].map((v) => JSON.parse(v).reason)).size).toBeGreaterThan(3);
});

test('the codes on the wire', () => {
  expect(REASON_NAMES.slice(0, 5)).toEqual(['Accept', 'SpeedLimit', 'Wall', 'Replay', 'OutOfMap']);
  expect(VERDICT_WORDS).toEqual(['accept', 'correct', 'reject', 'ignore', 'undecided']);
});

test('a verdict is reused; a copy is not', () => {
  const w = new World(FIELD);
  w.guard.enter('p', { pos: [5, 0, 30], speed: 6 });
  w.t = 100;
  const a = w.guard.move('p', 1, 5.1, 0, 30);
  const kept = a.copy();
  const b = w.guard.move('p', 2, 300, 0, 30);
  expect(b).toBe(a);
  expect([a.reason, kept.reason]).toEqual(['Teleport', 'Accept']);
  expect(kept.pos).toEqual([5.1, 0, 30]);
});

test('a verdict is shown and written as its public fields', () => {
  const w = new World(FIELD);
  w.guard.enter('p', { pos: [5, 0, 30], speed: 6 });
  w.t = 100;
  const verdict = w.guard.move('p', 1, 5.1, 0, 30);
  const fields = { ...verdict.copy() };
  expect(Object.keys(fields)).toEqual([
    ...['verdict', 'verdictCode', 'accepted', 'reason', 'reasonCode', 'detail', 'pos', 'straight', 'length', 'bound'],
    ...['used', 'allowed', 'score', 'action', 'correction', 'snapshot'],
  ]);
  expect(JSON.parse(JSON.stringify(verdict))).toEqual(fields);
  expect(JSON.parse(JSON.stringify(verdict.copy()))).toEqual(fields);
  expect(inspect(verdict)).toBe(inspect(fields));
  expect(inspect(verdict)).toContain("reason: 'Accept'");
});
