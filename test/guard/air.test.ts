// Bodies in the air: who hovers is found out, who jumps is not, however packets arrive; and jumping off a balcony and back.
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { NavMap } from '../../src/map.ts';
import * as L from '../../src/rules/ledger.ts';
import { random } from '../oracle/random.ts';
import { floors, World } from './world.ts';

const G = 9.81;
const V0 = Math.sqrt(2 * G * 2.1);

let storeys: NavMap;
beforeAll(async () => {
  storeys = await NavMap.load(await readFile(new URL('../../navdata/maps/floors.bin', import.meta.url)));
});

/** A body that repeats: one claim `low` m over the floor, then `up` m for `ms`. When it is refused first, and how often. */
function hover(up: number, ms: number, hz: number, untilMs: number, rtt = 0): { first: number; refused: number } {
  const w = new World(storeys);
  w.guard.enter('p', { pos: [10, 0.1, 15], speed: 6 });
  w.guard.rtt('p', rtt);
  w.move(1000, 10, 15, 0.38);
  const start = w.t;
  let phase = 0;
  let first = Infinity;
  let refused = 0;
  while (w.t - start < untilMs) {
    phase += 1000 / hz;
    const low = phase >= ms;
    if (low) phase = 0;
    const v = w.move(1000 / hz, 10, 15, low ? 0.38 : 0.1 + up);
    if (v.accepted) continue;
    first = Math.min(first, w.t - start);
    refused++;
  }
  return { first, refused };
}

describe('hovering', () => {
  test.each([
    [2.5, 1500, 10],
    [2.5, 1500, 30],
    [2.5, 1000, 10],
    [2, 1800, 10],
    [2, 1800, 30],
  ])('%d m for %d ms between single claims on the ground at %d Hz is refused within 20 s', (up, ms, hz) => {
    for (const rtt of [0, 100, 300]) {
      const { first, refused } = hover(up, ms, hz, 60_000, rtt);
      expect([rtt, first < 20_000]).toEqual([rtt, true]);
      expect([rtt, refused > 10]).toEqual([rtt, true]);
    }
  });
  test('at one height, whichever, without ever landing: 1 m to 2.5 m', () => {
    for (const up of [1, 1.6, 2.1, 2.5])
      for (const hz of [10, 30, 120]) {
        const { first } = hover(up, Infinity, hz, 20_000);
        expect([up, hz, first < 15_000]).toEqual([up, hz, true]);
      }
  });
});

/** A body that jumps again and again on level ground, as a server sees it. */
function jumper(
  seed: number,
  hz: number,
  rtt: number,
  stalls: boolean,
  seconds: number,
): { refused: unknown[]; debt: number } {
  const rnd = random(seed);
  const w = new World(storeys);
  w.guard.enter('p', { pos: [10, 0.1, 15], speed: 6 });
  w.guard.rtt('p', rtt);
  const refused: unknown[] = [];
  let debt = 0;
  let arrival = 1000;
  let stallUntil = 0;
  // one mistake is one, although this body does not heed corrections
  let lastRefused = -Infinity;
  let jump = 1.1;
  let pause = 0.02;
  for (let i = 0; i < seconds * hz; i++) {
    const made = 1000 + (i * 1000) / hz;
    const s = made / 1000 - jump;
    let y = 0;
    if (s >= (2 * V0) / G) {
      // on the ground again: the next jump at once, or after a while
      jump += (2 * V0) / G + pause;
      pause = rnd() < 0.8 ? 0 : rnd();
    }
    const now = made / 1000 - jump;
    if (now > 0) y = Math.max(0, V0 * now - (G * now * now) / 2);
    if (stalls && made > stallUntil && rnd() < 1 / (6 * hz)) stallUntil = made + 900 * rnd();
    const delay = (rtt * (1 + rnd())) / 2;
    arrival = Math.max(arrival, made + delay, stallUntil);
    w.t = arrival;
    const v = w.move(0, 10 + 0.01 * (i % 2), 15, 0.1 + y);
    if (!v.accepted && made - lastRefused > 2000) refused.push([i, made, arrival, y, v.reason, v.used, v.allowed]);
    if (!v.accepted) lastRefused = made;
    debt = Math.max(debt, w.state[L.AIR_DEBT]);
  }
  return { refused, debt };
}

describe('jumping without a pause is no hovering', () => {
  for (const hz of [2, 3, 5, 10, 20, 30, 60, 120]) {
    test(`${hz} Hz, round trips of 0 to 400 ms, stalls of up to 0.9 s (seeds 1 to 4)`, () => {
      for (const rtt of [0, 50, 150, 400])
        for (let seed = 1; seed <= 4; seed++)
          for (const stalls of [false, true]) {
            const { refused } = jumper(seed, hz, rtt, stalls, Math.min(120, 4000 / hz));
            // few claims and a stall: which landing was missed is a guess, now and then a wrong one
            const most = stalls && hz < 10 ? 1 : 0;
            expect([hz, rtt, seed, stalls, refused.slice(most)]).toEqual([hz, rtt, seed, stalls, []]);
          }
    });
  }
});

describe('off a balcony and back', () => {
  test('an air-strafe out over the lower floor and back onto the balcony', () => {
    const w = new World(storeys);
    w.guard.enter('p', { pos: [4.4, 3.1, 8], speed: 6 });
    w.move(1000, 4.5, 8, 3.1);
    for (const [x, y] of [
      [5, 3.6],
      [5.5, 3.9],
      [5, 4],
      [4.5, 3.8],
      [4.3, 3.3],
      [4.2, 3.1],
    ]) {
      const v = w.move(100, x, 8, y);
      expect([x, v.verdict, v.reason]).toEqual([x, 'accept', 'Accept']);
    }
    expect(w.state[L.FLOOR]).toBeGreaterThan(2.5);
  });
  test('out there is not on the ground: who stays up is refused, and does not come back later', () => {
    const w = new World(storeys);
    w.guard.enter('p', { pos: [4.4, 3.1, 8], speed: 6 });
    w.move(1000, 4.5, 8, 3.1);
    expect(w.move(200, 5.5, 8, 3.4).accepted).toBe(true);
    let last = 0;
    for (let i = 0; i < 60; i++) if (w.move(100, 5.5, 8, 3.1).accepted) last = i;
    expect(last).toBeLessThan(25);
    expect(w.move(600, 4.5, 8, 3.1).accepted).toBe(false);
  });
  test('whose feet were below the balcony does not come back', () => {
    const w = new World(storeys);
    w.guard.enter('p', { pos: [4.4, 3.1, 8], speed: 6 });
    w.move(1000, 4.5, 8, 3.1);
    expect(w.move(100, 5.1, 8, 3.1).accepted).toBe(true);
    expect(w.move(400, 5.5, 8, 2.4).accepted).toBe(true);
    expect(w.move(100, 5.1, 8, 3).accepted).toBe(true);
    expect(w.move(100, 4.5, 8, 3.1).accepted).toBe(false);
  });
});

test('a grant redeemed in the air: the jump is counted from the floor', () => {
  const w = new World(floors([[0, 0, 200, 40, 0]]));
  w.guard.enter('p', { pos: [20, 0, 20], speed: 6 });
  w.guard.grant('p', [120, 0, 20], { radius: 2 });
  expect(w.move(500, 120, 20, 2.5).verdict).toBe('accept');
  expect(w.state[L.GROUND_Y]).toBe(0);
  expect(w.move(500, 120, 20, 4).accepted).toBe(false);
});
