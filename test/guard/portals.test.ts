// Portals in the guard: a crossing takes what the portal says, never less than its plan length; a wide portal is crossed
// anywhere along its width, aslant too; outside of it the gap is a gap.
import { describe, expect, test } from 'vitest';
import type { Portal } from '../../src/bytes/portals.ts';
import { NavMap } from '../../src/map.ts';
import type { Verdict } from '../../src/types.ts';
import { ringMesh } from '../oracle/rings.ts';
import { random } from './rounding.ts';
import { accepted, World } from './world.ts';

type Place = readonly [number, number, number];
const M = 1024;
const bar = (x0: number, z0: number, x1: number, z1: number) => ({
  at: [x0, z0, x1, z0, x1, z1, x0, z1].map((v) => v * M),
  y: 0,
});
/** Two islands, a gap of 4 m between x = 20 and x = 24. */
const mapOf = (...portals: Portal[]): NavMap =>
  NavMap.fromMesh(ringMesh([bar(0, 0, 20, 10), bar(24, 0, 44, 10)]).mesh, { portals });
const GAP = { name: 'gap', start: [19.5, 0, 5], end: [24.5, 0, 5] } as const;

function walker(map: NavMap, at: Place): World {
  const w = new World(map);
  w.guard.enter('p', { pos: at, speed: 6 });
  w.move(1000, at[0], at[2], at[1]);
  return w;
}
/** Goes in a straight line at some speed; the verdicts. */
function go(w: World, to: readonly [number, number], speed: number, dtMs = 50): Verdict[] {
  const [x, , z] = w.pos;
  const steps = Math.max(1, Math.ceil(Math.hypot(to[0] - x, to[1] - z) / ((speed * dtMs) / 1000)));
  return Array.from({ length: steps }, (_, i) =>
    w.move(dtMs, x + ((to[0] - x) * (i + 1)) / steps, z + ((to[1] - z) * (i + 1)) / steps),
  );
}
const reasons = (verdicts: readonly Verdict[]): string[] => [
  ...new Set(verdicts.map((v) => `${v.verdict} ${v.reason}`)),
];

describe('what a crossing takes', () => {
  const CASES: [string, Partial<Portal>, number][] = [
    ['twice as long', { costModifier: 2 }, 3],
    ['half as long again', { costModifier: 1.5 }, 4],
    ['five times as long', { costModifier: 5 }, 1.2],
    ['two seconds', { seconds: 2 }, 2.5],
    ['at 2 m/s', { speed: 2 }, 2],
  ];
  test.each(CASES)('%s: at that pace nobody is refused, at any rate, there and back', (_, cost, pace) => {
    for (const dtMs of [8, 20, 50, 120]) {
      const w = walker(mapOf({ ...GAP, ...cost }), [15, 0, 5]);
      for (let round = 0; round < 3; round++) {
        expect(reasons(go(w, [19.5, 5], 6, dtMs))).toEqual(['accept Accept']);
        expect(reasons(go(w, [24.5, 5], pace, dtMs))).toEqual(['accept Accept']);
        expect(reasons(go(w, [30, 5], 6, dtMs))).toEqual(['accept Accept']);
        expect(reasons(go(w, [24.5, 5], 6, dtMs))).toEqual(['accept Accept']);
        expect(reasons(go(w, [19.5, 5], pace, dtMs))).toEqual(['accept Accept']);
        expect(reasons(go(w, [15, 5], 6, dtMs))).toEqual(['accept Accept']);
      }
      expect(w.guard.score('p')).toBeLessThan(0.01);
    }
  });
  test.each(CASES)('%s: who runs over it again and again is refused and gains nothing', (_, cost, pace) => {
    const w = walker(mapOf({ ...GAP, ...cost }), [19.5, 0, 5]);
    const began = w.t;
    let refused = 0;
    for (let crossed = 0; crossed < 6; crossed++) {
      const to = crossed % 2 === 0 ? 24.5 : 19.5;
      // from where it is put back to it runs on, again and again
      for (let tries = 0; Math.abs(w.pos[0] - to) > 0.01; tries++) {
        expect(tries).toBeLessThan(200);
        for (const v of go(w, [to, 5], 6.8)) {
          if (v.accepted) continue;
          refused++;
          w.t += 50;
          break;
        }
      }
    }
    // 5 m each at the pace with the tolerance of speeds, and what was saved up once
    expect(w.t - began).toBeGreaterThan((6 * 5000) / (1.15 * pace) - 1500);
    expect(refused).toBeGreaterThan(0);
    expect(w.guard.score('p')).toBeGreaterThan(0.05);
  });
  test('in one claim, by a click, and with a cost below 1', () => {
    const hop = (cost: Partial<Portal>, waitMs: number) =>
      walker(mapOf({ ...GAP, ...cost }), [19.5, 0, 5]).move(waitMs, 24.5, 5);
    expect(hop({}, 800).reason).toBe('Accept');
    expect(hop({ costModifier: 0.1 }, 800).reason).toBe('Accept');
    expect(hop({ costModifier: -1 }, 800).reason).toBe('Accept');
    // never faster than one moves
    const short = walker(mapOf({ ...GAP, seconds: 0.01 }), [19.5, 0, 5]).move(800, 24.5, 5);
    expect(short.accepted).toBe(true);
    expect(short.used).toBeCloseTo(5, 9);
    expect(hop({ seconds: 3 }, 900).reason).toBe('Wall');
    expect(hop({ costModifier: 3 }, 900).reason).toBe('Wall');

    const click = (cost: Partial<Portal>, duration: number) => {
      const w = walker(mapOf({ ...GAP, ...cost }), [17, 0, 5]);
      const v = w.guard.begin('p', { seq: ++w.seq, from: [17, 0, 5], to: [27, 0, 5], speed: 6, duration });
      return { reason: v.reason, w };
    };
    expect(click({}, 1700).reason).toBe('Accept');
    expect(click({ seconds: 3 }, 1700).reason).toBe('DurationMismatch');
    const { reason, w } = click({ seconds: 3 }, 3900);
    expect(reason).toBe('Accept');
    // 2.5 m, then 3 s over 5 m, then 2.5 m
    expect(w.guard.positionAt('p', w.t + 417 + 1500)?.[0]).toBeCloseTo(22, 1);
    expect(w.guard.positionAt('p', w.t + 3834)?.[0]).toBeCloseTo(27, 1);
  });
});

describe('a wide portal', () => {
  const WIDE: Portal = { ...GAP, width: 6 };
  test('anywhere along its width, aslant, swaying: nobody is refused (seed 61)', () => {
    const rand = random(61);
    for (let round = 0; round < 60; round++) {
      const dtMs = [16, 33, 50, 100][round % 4];
      const z0 = 2.2 + rand() * 5.6;
      const z1 = 2.2 + rand() * 5.6;
      const w = walker(mapOf(WIDE), [15, 0, z0]);
      const words = [
        ...go(w, [20, z0], 6, dtMs),
        ...go(w, [22, (z0 + z1) / 2], 6, dtMs),
        ...go(w, [24, z1], 6, dtMs),
        ...go(w, [28, z1], 6, dtMs),
        ...go(w, [24, z1], 6, dtMs),
        ...go(w, [20, z0], 6, dtMs),
        ...go(w, [15, z0], 6, dtMs),
      ];
      expect([round, z0, z1, reasons(words)]).toEqual([round, z0, z1, ['accept Accept']]);
      expect(w.guard.score('p')).toBeLessThan(0.01);
    }
  });
  test('outside of it, and from point to point beside the line, the gap is a gap', () => {
    for (const [portal, z] of [
      [WIDE, 9],
      [WIDE, 1],
      [GAP, 7],
    ] as const) {
      const w = walker(mapOf(portal), [19.5, 0, z]);
      expect(accepted(go(w, [24.5, z], 6))).toBe(false);
      expect(w.pos[0]).toBeLessThan(21);
    }
  });
  test('one way: back over any of its links is refused', () => {
    const map = mapOf({ ...WIDE, bidirectional: false });
    const there = walker(map, [19.5, 0, 3]);
    expect(reasons(go(there, [25, 3], 6))).toEqual(['accept Accept']);
    for (const z of [2.3, 4, 5, 7.7]) {
      const back = walker(map, [24.5, 0, z]);
      go(back, [19, z], 6);
      expect(back.pos[0]).toBeGreaterThan(23);
    }
  });
  test('closed at the start it is a gap', () => {
    const w = walker(mapOf({ ...WIDE, open: false }), [19.5, 0, 5]);
    go(w, [24.5, 5], 6);
    expect(w.pos[0]).toBeLessThan(21);
  });
});
