// The small rules, each with numbers worked out by hand.
import { describe, expect, test } from 'vitest';
import { S_CLEAR, S_OVER, S_TO_OFF, S_UNDECIDED, S_UNREACHABLE, S_WALK } from '../../assembly/layout.ts';
import { Reason } from '../../src/reasons.ts';
import { fallen, flown, highest, lowest } from '../../src/rules/air.ts';
import { judgeBlocked } from '../../src/rules/blocked.ts';
import { endPending, isPending, notePending, sendCorrection } from '../../src/rules/corrections.ts';
import * as L from '../../src/rules/ledger.ts';
import { Ledger } from '../../src/rules/ledger.ts';
import { isNewer, isSequence } from '../../src/rules/sequence.ts';
import { actionOf, addEvidence, excess, halved, scoreAt } from '../../src/rules/suspicion.ts';
import { layPath, pathPoint, startWalk } from '../../src/rules/timeline.ts';
import { ReusedVerdict } from '../../src/rules/verdict.ts';

describe('sequence', () => {
  test.each([
    [1, 0, 0, true],
    [0, 0, 0, false],
    [0, 1, 0, false],
    [0, 0xffffffff, 0, true],
    [1, 0xfffffffe, 0, true],
    [0xffffffff, 1, 0, false],
    [65536, 0, 0, true],
    [65537, 0, 0, false],
    [65537, 0, 1, true],
    [0x7fffffff, 0, 1e12, true],
    [0x80000000, 0, 1e12, false],
  ])('%d after %d, %d ms of silence: %s', (seq, last, silence, newer) => {
    expect(isNewer(seq, last, silence, 65536)).toBe(newer);
  });
  test('what is a number', () => {
    for (const seq of [0, -0, 1, 0xffffffff]) expect(isSequence(seq)).toBe(true);
    for (const seq of [-1, 0.5, 2 ** 32, NaN, Infinity, '1', null, undefined, 1n, [], {}])
      expect(isSequence(seq)).toBe(false);
  });
});

describe('air', () => {
  test('falling', () => {
    expect(fallen(1, 9.81, 60)).toBeCloseTo(4.905, 12);
    expect(fallen(10, 10, 20)).toBeCloseTo(20 + 160, 12); // 2 s to 20 m/s, 8 s at it
  });
  test('flying', () => {
    const v0 = Math.sqrt(2 * 9.81 * 2.1);
    expect(flown(v0 / 9.81, v0, 9.81, 60)).toBeCloseTo(2.1, 12);
    expect(flown((2 * v0) / 9.81, v0, 9.81, 60)).toBeCloseTo(0, 12);
    expect(highest(0, 0, v0, 9.81, 60)).toBeCloseTo(0.5, 12);
    expect(highest(0, 1000, v0, 9.81, 60)).toBeCloseTo(2.6, 12);
    expect(highest(5000, 1000, v0, 9.81, 60)).toBeLessThan(-40);
    expect(lowest(0, 1000, 9.81, 60)).toBeCloseTo(-5.405, 12);
  });
});

test('what a blocked way means', () => {
  expect([S_WALK, S_OVER, S_UNREACHABLE, S_UNDECIDED, S_TO_OFF].map((s) => judgeBlocked(s))).toEqual([
    Reason.Accept,
    Reason.Wall,
    Reason.PathPartial,
    Reason.Undecided,
    Reason.TargetNotOnNavMesh,
  ]);
  expect(S_CLEAR).toBe(0);
});

describe('suspicion', () => {
  test('halving is 2^-x', () => {
    for (let i = 0; i <= 4000; i++) expect(Math.abs(halved(i / 100) / 2 ** (-i / 100) - 1)).toBeLessThan(1e-14);
    expect([halved(0), halved(1), halved(3), halved(64), halved(Infinity)]).toEqual([1, 0.5, 0.125, 0, 0]);
  });
  test('scores add up and halve', () => {
    const f = new Float64Array(L.STRIDE);
    addEvidence(f, 0, 0, 0, 2, 30_000);
    addEvidence(f, 0, 0, 1, 1, 30_000);
    expect(scoreAt(f, 0, 30_000, 30_000)).toBe(1.5);
    addEvidence(f, 0, 30_000, 1, 1, 30_000);
    expect([f[L.SCORES], f[L.SCORES + 1]]).toEqual([1, 1.5]);
    addEvidence(f, 0, 30_000, 1, 0, 30_000);
    addEvidence(f, 0, 30_000, 1, NaN, 30_000);
    expect(scoreAt(f, 0, 30_000, 30_000)).toBe(2.5);
  });
  test.each([
    [1, 1, 0],
    [1.5, 1, 0.5],
    [100, 1, 5],
    [1, 0, 5],
    [0, 0, 0],
    [NaN, 1, 0],
  ])('%d of %d allowed is %d', (used, allowed, evidence) => {
    expect(excess(used, allowed)).toBeCloseTo(evidence, 12);
  });
  test('actions', () => {
    expect([0, 0.99, 1, 2.99, 3, 9.99, 10].map((s) => actionOf(s, 1, 3, 10))).toEqual([0, 0, 1, 1, 2, 2, 3]);
  });
});

test('corrections: one pending, the grossest scored once', () => {
  const f = new Float64Array(L.STRIDE);
  expect(sendCorrection(f, 0, 0, 0, 0.5, 30_000)).toBe(1);
  expect(isPending(f, 0, 500, 500)).toBe(true);
  expect(isPending(f, 0, 501, 500)).toBe(false);
  for (const evidence of [0.2, 3, 1]) notePending(f, 0, 1, evidence);
  expect(scoreAt(f, 0, 0, 30_000)).toBe(0.5);
  endPending(f, 0, 0, 30_000);
  expect(scoreAt(f, 0, 0, 30_000)).toBe(3);
  endPending(f, 0, 0, 30_000);
  expect(scoreAt(f, 0, 0, 30_000)).toBe(3);
  expect(sendCorrection(f, 0, 0, 0, 0, 30_000)).toBe(2);
});

test('a path and its points', () => {
  const path = new Float64Array(4 * L.CORNER);
  const corners = Float64Array.of(0, 0, 0, 3, 1, 4, 3, 1, 4, 3, 2, 10);
  expect(layPath(path, corners, 4)).toBe(11);
  const f = new Float64Array(L.STRIDE);
  startWalk(f, 0, 1000, 4, 0.001, 10);
  const out = new Float64Array(3);
  const at = (t: number): number[] => {
    pathPoint(f, 0, path, t, out);
    return [...out];
  };
  expect(at(1000)).toEqual([0, 0, 0]);
  expect(at(3500)).toEqual([1.5, 0.5, 2]);
  expect(at(6000)).toEqual([3, 1, 4]);
  expect(at(9000)).toEqual([3, 1.5, 7]);
  expect(at(1e9)).toEqual([3, 1 + 5 / 6, 9]);
});

describe('the ledger', () => {
  test('grows and keeps', () => {
    const ledger = new Ledger(1);
    for (let i = 0; i < 100; i++) {
      const o = ledger.add(`e${i}`);
      ledger.f[o + L.X] = i;
    }
    for (let i = 0; i < 100; i++) expect(ledger.f[ledger.offsetOf(`e${i}`) + L.X]).toBe(i);
    expect(ledger.offsetOf('e100')).toBe(-1);
  });
  test('forgets after a minute, and gives places back', () => {
    const ledger = new Ledger(1);
    const o = ledger.add('a');
    ledger.leave('a', o, 0);
    expect([ledger.offsetOf('a'), ledger.offsetOfKept('a')]).toEqual([-1, o]);
    ledger.sweep(L.KEEP_MS);
    expect(ledger.offsetOfKept('a')).toBe(o);
    ledger.sweep(L.KEEP_MS + 1);
    expect(ledger.offsetOfKept('a')).toBe(-1);
    expect(ledger.add('b')).toBe(o);
    expect(ledger.f.slice(o, o + L.STRIDE).every((n) => n === 0)).toBe(true);
  });
  test('who came back and left again is kept from the second leaving', () => {
    const ledger = new Ledger(1);
    const o = ledger.add('a');
    ledger.leave('a', o, 0);
    ledger.f[o + L.FLAGS] = L.ALIVE;
    ledger.leave('a', o, 50_000);
    ledger.sweep(70_000);
    expect(ledger.offsetOfKept('a')).toBe(o);
    ledger.sweep(110_001);
    expect(ledger.offsetOfKept('a')).toBe(-1);
  });
});

test('a kept verdict does not change, and prints as plain fields', () => {
  const v = new ReusedVerdict();
  v.n.set([1, NaN, 2, 3, 0.5, 7, 8, 9]);
  const kept = v.copy();
  v.n.fill(NaN);
  expect(kept.pos).toEqual([7, 8, 9]);
  expect([kept.straight, kept.length, kept.used, kept.allowed]).toEqual([1, null, 2, 3]);
  expect(v.pos).toBeNull();
  expect(JSON.parse(JSON.stringify(kept)).score).toBe(0.5);
  expect(Object.keys(JSON.parse(JSON.stringify(v)))).toContain('correction');
  expect(kept.copy()).toEqual(kept);
});
