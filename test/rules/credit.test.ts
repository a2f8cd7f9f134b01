// Credit and way-round time against numbers worked out by hand, and against a slow integral that steps through time.
import { describe, expect, test } from 'vitest';
import {
  addPause,
  addPush,
  charge,
  creditAt,
  limitAt,
  rateAt,
  setLimit,
  setRtt,
  settle,
  type Terms,
  weigh,
} from '../../src/rules/credit.ts';
import { Q_CHARGED, Q_COUNT, Q_CREDIT, Q_RATE, Q_T } from '../../src/rules/hand.ts';
import * as L from '../../src/rules/ledger.ts';
import { noteJudged, openAt, payClear, payWalk, slackAt } from '../../src/rules/wayround.ts';

const terms = (): Terms => ({
  perMs: 0.00115,
  burstMs: 1000,
  dropGraceMs: 150,
  pacePerMs: 0.00106,
  markM: 0.25,
  roundingM: 0.1,
  pauseMs: 0,
  pauseUntil: -Infinity,
});

function entity(limit: number, credit = 0): Float64Array {
  const f = new Float64Array(L.STRIDE);
  f[L.LIMIT] = limit;
  f[L.ANNOUNCED] = limit;
  f[L.CREDIT] = credit;
  f[L.GRACE] = 1;
  f[L.BONUS_UNTIL] = -Infinity;
  return f;
}

describe('credit', () => {
  test.each([
    // limit, credit before, ms later, expected
    [6, 0, 50, 0.345],
    [6, 0, 1000, 6.9],
    [6, 0, 5000, 6.9],
    [6, 3, 100, 3.69],
    [6, 6.5, 100, 6.9],
    [0, 0.1, 1000, 0.1],
    [0, 0, 1000, 0],
    [0.05, 0, 60_000, 0.15],
  ])('limit %d m/s, %d m, after %d ms: %d m', (limit, before, ms, expected) => {
    const f = entity(limit, before);
    expect(creditAt(f, 0, ms, terms())).toBeCloseTo(expected, 12);
    const q = new Float64Array(Q_COUNT);
    q[Q_T] = ms;
    weigh(f, 0, q, terms());
    expect(q[Q_CREDIT]).toBe(creditAt(f, 0, ms, terms()));
    expect(q[Q_RATE]).toBe(rateAt(f, 0, ms, terms()));
  });
  test('latency raises the cap, once, and gives nothing at once', () => {
    const f = entity(6, 6.9);
    setRtt(f, 0, 0, 300, terms());
    expect(creditAt(f, 0, 0, terms())).toBeCloseTo(6.9, 12);
    expect(creditAt(f, 0, 300, terms())).toBeCloseTo(8.97, 12);
    expect(creditAt(f, 0, 9000, terms())).toBeCloseTo(8.97, 12);
    settle(f, 0, 9000, terms());
    setRtt(f, 0, 9000, 0, terms());
    expect(creditAt(f, 0, 9000, terms())).toBeCloseTo(6.9, 12);
  });
  test('a raised limit counts at once, a lowered one 150 ms later', () => {
    const f = entity(6);
    setLimit(f, 0, 100, 9, terms()); // 0.69
    expect(creditAt(f, 0, 200, terms())).toBeCloseTo(0.69 + 1.035, 12);
    setLimit(f, 0, 200, 6, terms()); // 10.35 m/s until 350
    expect(limitAt(f, 0, 349)).toBe(9);
    expect(limitAt(f, 0, 350)).toBe(6);
    expect(creditAt(f, 0, 350, terms())).toBeCloseTo(1.725 + 1.5525, 12);
    expect(creditAt(f, 0, 450, terms())).toBeCloseTo(1.725 + 1.5525 + 0.69, 12);
    expect(f[L.GRACE]).toBe(0);
    // the allowance is used up: the next lowering counts at once
    setLimit(f, 0, 500, 3, terms());
    expect(limitAt(f, 0, 500)).toBe(3);
    // five seconds after a lowering it is whole again
    setLimit(f, 0, 600, 6, terms());
    setLimit(f, 0, 5500, 3, terms());
    expect(limitAt(f, 0, 5649)).toBe(6);
    expect(limitAt(f, 0, 5650)).toBe(3);
  });
  test('an overtaken lowering gives its allowance back', () => {
    const f = entity(9);
    setLimit(f, 0, 0, 6, terms());
    setLimit(f, 0, 50, 9, terms());
    expect(f[L.GRACE]).toBeCloseTo(100 / 150, 12);
    expect(f[L.LOWER_COUNT]).toBe(0);
    setLimit(f, 0, 60, 6, terms());
    expect(limitAt(f, 0, 159)).toBe(9);
    expect(limitAt(f, 0, 160)).toBe(6);
  });
  test('lowerings in a row keep their own times', () => {
    const f = entity(9);
    setRtt(f, 0, 0, 300, terms());
    setLimit(f, 0, 0, 8, terms());
    setLimit(f, 0, 100, 7, terms());
    // one allowance of 450 ms for both: the second has no time of its own left
    expect([limitAt(f, 0, 449), limitAt(f, 0, 451)]).toEqual([9, 7]);
    setLimit(f, 0, 200, 7.5, terms());
    expect([limitAt(f, 0, 449), limitAt(f, 0, 451)]).toEqual([9, 7.5]);
    setLimit(f, 0, 300, 12, terms());
    expect(limitAt(f, 0, 10_000)).toBe(12);
    expect(f[L.LOWER_COUNT]).toBe(0);
  });
  test('a lowered limit lowers the cap when it takes effect', () => {
    const f = entity(9.6, 11.04);
    setLimit(f, 0, 0, 6, terms());
    expect(creditAt(f, 0, 149, terms())).toBeCloseTo(11.04, 12);
    expect(creditAt(f, 0, 150, terms())).toBeCloseTo(6.9, 12);
  });
  test('a boost adds its metres without tolerance, and they expire', () => {
    const f = entity(6, 6.9);
    addPush(f, 0, 0, 10, 0, 500, terms());
    expect(creditAt(f, 0, 250, terms())).toBeCloseTo(6.9 + 2.5, 12);
    expect(creditAt(f, 0, 500, terms())).toBeCloseTo(6.9 + 5, 12);
    expect(creditAt(f, 0, 1650, terms())).toBeCloseTo(6.9 + 5, 12); // burst + drop grace later
    expect(creditAt(f, 0, 1651, terms())).toBeCloseTo(6.9, 12);
    expect(rateAt(f, 0, 250, terms())).toBeCloseTo(0.0169, 12);
    settle(f, 0, 500, terms());
    charge(f, 0, 6);
    expect(f[L.BONUS]).toBe(0);
    expect(f[L.CREDIT]).toBeCloseTo(5.9, 12);
  });
  test('a walk from before its client heard of a boost does not use it up: the budget that was full pays', () => {
    const f = entity(6, 6.9);
    addPush(f, 0, 0, 10, 0, 500, terms());
    settle(f, 0, 400, terms());
    charge(f, 0, 2.4);
    // pushes paid; what the full budget could not take in until now pays it back, and what it cannot from now on
    expect(f[L.BONUS]).toBeCloseTo(4 - 2.4, 12);
    expect(creditAt(f, 0, 500, terms())).toBeCloseTo(6.9 + 5 - 2.4 + 0.69, 12);
    expect(creditAt(f, 0, 1000, terms())).toBeCloseTo(6.9 + 5, 12);
    settle(f, 0, 500, terms());
    expect(f[L.BONUS_SPENT]).toBeCloseTo(2.4 - 0.69, 12);
    // never more than was given, and not beyond its time
    expect(creditAt(f, 0, 1650, terms())).toBeCloseTo(6.9 + 5, 12);
    expect(creditAt(f, 0, 1651, terms())).toBeCloseTo(6.9, 12);
  });
  test('a knock-back of 14 m/s that loses 20 m/s a second gives 4.9 m', () => {
    const f = entity(6);
    addPush(f, 0, 0, 14, 20, 700, terms());
    expect(creditAt(f, 0, 500, terms())).toBeCloseTo(3.45 + 4.5, 12);
    expect(creditAt(f, 0, 700, terms())).toBeCloseTo(4.83 + 4.9, 12);
  });
  test('metres of an ended boost expire while another goes on', () => {
    const f = entity(6, 6.9);
    addPush(f, 0, 0, 10, 0, 500, terms());
    addPush(f, 0, 0, 1, 0, 9000, terms());
    expect(creditAt(f, 0, 1650, terms())).toBeCloseTo(6.9 + 5 + 1.65, 12);
    expect(creditAt(f, 0, 1651, terms())).toBeCloseTo(6.9 + 1.651, 12);
  });
  test('five pushes at once: the one that ends first gives way', () => {
    const f = entity(6);
    for (let i = 0; i < 5; i++) addPush(f, 0, 0, 1, 0, 1000 * (i + 1), terms());
    expect(rateAt(f, 0, 1, terms())).toBeCloseTo(0.0069 + 0.004, 12);
  });
  test('a pause raises the cap for the flush of it', () => {
    const f = entity(6, 6.9);
    const t = terms();
    addPause(t, 2000, 2000, 1300);
    expect(creditAt(f, 0, 2000, t)).toBeCloseTo(20.7, 12);
    expect(creditAt(f, 0, 3300, t)).toBeCloseTo(20.7, 12);
    expect(creditAt(f, 0, 3301, t)).toBeCloseTo(6.9, 12);
  });
  test('against a slow integral (seeds 31..38)', () => {
    for (let seed = 31; seed <= 38; seed++) {
      let s = seed;
      const rand = (): number => {
        s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
        return s / 2 ** 32;
      };
      const f = entity(6);
      const t = terms();
      // the slow one: a list of limits with the times they hold from, stepped through in whole milliseconds
      const holds: [number, number][] = [[0, 6]];
      let slow = 0;
      let at = 0;
      const stepTo = (until: number): void => {
        for (; at < until; at++) {
          const limit = limitOf(holds, at);
          slow = Math.min(Math.max(0.1, limit * 1.15), slow + limit * 0.00115);
          const next = limitOf(holds, at + 1);
          slow = Math.min(slow, Math.max(0.1, next * 1.15));
        }
      };
      let time = 0;
      for (let i = 0; i < 60; i++) {
        // far enough apart for the whole allowance: lowering is always 150 ms
        time += 5200 + Math.floor(rand() * 500);
        stepTo(time);
        expect(creditAt(f, 0, time, t)).toBeCloseTo(slow, 9);
        const spent = Math.floor(slow * rand() * 100) / 100;
        settle(f, 0, time, t);
        charge(f, 0, spent);
        slow -= spent;
        const limit = 1 + Math.floor(rand() * 10);
        const before = limitOf(holds, time);
        holds.push([limit >= before ? time : time + 150, limit]);
        setLimit(f, 0, time, limit, t);
        for (const later of [40, 149, 150, 400]) {
          stepTo(time + later);
          expect(creditAt(f, 0, time + later, t)).toBeCloseTo(slow, 9);
        }
      }
    }
  });
});

function limitOf(holds: readonly [number, number][], at: number): number {
  let limit = 0;
  for (const [from, value] of holds) if (from <= at) limit = value;
  return limit;
}

/** The claim at hand: time, and what its walk is charged at which rate. */
function at(t: number, charged = 0, rate = 0): Float64Array {
  const q = new Float64Array(Q_COUNT);
  q[Q_T] = t;
  q[Q_CHARGED] = charged;
  q[Q_RATE] = rate;
  return q;
}

describe('way-round time', () => {
  test('a silence opens it, time closes it, moves use it up', () => {
    const f = entity(6);
    noteJudged(f, 0, at(1000));
    expect(f[L.OPEN]).toBe(1000);
    noteJudged(f, 0, at(1000));
    expect(f[L.OPEN]).toBe(1000);
    payClear(f, 0, 0.69, 0.0069);
    expect(f[L.OPEN]).toBeCloseTo(900, 9);
    noteJudged(f, 0, at(1050));
    expect(f[L.OPEN]).toBeCloseTo(850, 9);
    expect(openAt(f, 0, 2000)).toBeCloseTo(950, 9);
    for (let t = 1100; t <= 3000; t += 50) noteJudged(f, 0, at(t));
    expect(f[L.OPEN]).toBe(50);
  });
  test('a walk takes open time first, slack next; slack is whole again after a second', () => {
    const f = entity(6);
    f[L.SLACK] = 250;
    noteJudged(f, 0, at(100));
    payWalk(f, 0, at(100, 0.0069 * 300, 0.0069), 250);
    expect(f[L.OPEN]).toBe(0);
    expect(f[L.SLACK]).toBeCloseTo(50, 9);
    expect(slackAt(f, 0, 500, 250)).toBeCloseTo(150, 9);
    expect(slackAt(f, 0, 5000, 250)).toBe(250);
    f[L.RTT] = 300;
    expect(slackAt(f, 0, 5000, 250)).toBe(550);
  });
  test('speed 0 makes no numbers that are none', () => {
    const f = entity(0);
    noteJudged(f, 0, at(100));
    payClear(f, 0, 0, 0);
    expect(f[L.OPEN]).toBe(100);
    payWalk(f, 0, at(100, 0, 0), 250);
    expect(f[L.OPEN]).toBe(100);
    payWalk(f, 0, at(100, 0.05, 0), 250);
    expect([f[L.OPEN], f[L.SLACK]]).toEqual([0, 0]);
  });
});
