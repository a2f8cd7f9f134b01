// Hovering that is not refused is evidence: whoever goes on is watched within a stated time, whoever jumps again and again
// is not, however its packets arrive. Seeds stand in the names.
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { NavMap } from '../../src/map.ts';
import { hoverMost } from '../../src/rules/air.ts';
import * as L from '../../src/rules/ledger.ts';
import { random } from '../oracle/random.ts';
import { World } from './world.ts';

const G = 9.81;

let storeys: NavMap;
beforeAll(async () => {
  storeys = await NavMap.load(await readFile(new URL('../../navdata/maps/floors.bin', import.meta.url)));
});

/** One claim on the floor, then `up` metres over it for `ms`, again and again: when it is watched, ms. */
function hover(up: number, ms: number, hz: number, untilMs: number): number {
  const w = new World(storeys);
  w.guard.enter('p', { pos: [10, 0.1, 15], speed: 6 });
  w.move(1000, 10, 15, 0.38);
  const start = w.t;
  let phase = 0;
  while (w.t - start < untilMs) {
    phase += 1000 / hz;
    const low = phase >= ms;
    if (low) phase = 0;
    if (w.move(1000 / hz, 10, 15, low ? 0.38 : 0.1 + up).action !== 'none') return w.t - start;
  }
  return Infinity;
}

describe('who hovers is watched', () => {
  test.each([
    [1.5, 1900, 5, 45],
    [1.5, 1900, 10, 25],
    [1.5, 1900, 60, 20],
    [1.5, 1700, 30, 45],
    [1.8, 1600, 5, 45],
    [2.1, 1000, 10, 45],
    [2.1, 1000, 60, 30],
    [1, Infinity, 5, 60],
  ])('%d m for %d ms between single claims on the floor, at %d Hz: within %d s', (up, ms, hz, within) => {
    expect(hover(up, ms, hz, 120_000)).toBeLessThan(within * 1000);
  });
});

describe('who jumps without a pause is not', () => {
  test.each([2, 3, 4, 5, 6, 8, 10, 20, 60, 120])('%d Hz (seeds 1 to 3)', (hz) => {
    for (const jumpHeight of [2.1, 1])
      for (const rtt of [0, 150, 400])
        for (let seed = 1; seed <= 3; seed++)
          for (const stalls of [false, true]) {
            const rand = random(seed);
            const v0 = Math.sqrt(2 * G * jumpHeight);
            const w = new World(storeys, { jumpHeight });
            w.guard.enter('p', { pos: [10, 0.1, 15], speed: 6 });
            w.guard.rtt('p', rtt);
            let arrival = 1000;
            let stallUntil = 0;
            let jump = 1.1;
            let worst = 0;
            for (let i = 0; i < Math.min(100 * hz, 3000); i++) {
              const made = 1000 + (i * 1000) / hz;
              if (made / 1000 - jump >= (2 * v0) / G) jump += (2 * v0) / G + (rand() < 0.9 ? 0 : rand() * 0.3);
              const s = made / 1000 - jump;
              const y = s > 0 ? Math.max(0, v0 * s - (G * s * s) / 2) : 0;
              if (stalls && made > stallUntil && rand() < 1 / (6 * hz)) stallUntil = made + 600 * rand();
              arrival = Math.max(arrival, made + (rtt * (1 + rand())) / 2, stallUntil);
              w.t = arrival;
              w.move(0, 10 + 0.01 * (i % 2), 15, 0.1 + y);
              worst = Math.max(worst, w.state[L.HOVER]);
            }
            expect([hz, jumpHeight, rtt, seed, stalls, worst < 0.75 * hoverMost(jumpHeight)]).toEqual([
              hz,
              jumpHeight,
              rtt,
              seed,
              stalls,
              true,
            ]);
          }
  });
  // claims before and after a landing that came closer together than they were made: it went unnoticed, and was missed later
  test.each([3.7, 4, 4.7, 6])('nor refused, at a rate of %d Hz that sees few landings (seeds 1 to 6)', (hz) => {
    for (let seed = 1; seed <= 6; seed++) {
      const rand = random(seed);
      const v0 = Math.sqrt(2 * G * 2.1);
      const w = new World(storeys);
      w.guard.enter('p', { pos: [10, 0.1, 15], speed: 6 });
      w.guard.rtt('p', 150);
      let jump = 1.1;
      let pause = 0.02;
      for (let i = 0; i < 250 * hz; i++) {
        const made = 1000 + (i * 1000) / hz;
        if (made / 1000 - jump >= (2 * v0) / G) {
          jump += (2 * v0) / G + pause;
          pause = rand() < 0.9 ? 0 : rand() * 0.3;
        }
        const s = made / 1000 - jump;
        const y = s > 0 ? Math.max(0, v0 * s - (G * s * s) / 2) : 0;
        w.t = Math.max(w.t, made + 75 * (1 + rand()));
        const v = w.move(0, 10 + 0.01 * (i % 2), 15, 0.1 + y);
        expect([seed, i, v.reason]).toEqual([seed, i, 'Accept']);
      }
    }
  });
  test('a long fall is none either', async () => {
    const w = new World(storeys, { falls: 'edges' });
    w.guard.enter('p', { pos: [4.4, 3.1, 8], speed: 6 });
    for (let k = 0; k < 40; k++) {
      w.move(100, 4.5, 8, 3.1);
      for (const [x, y] of [
        [5.2, 3],
        [5.8, 2.3],
        [6.2, 0.9],
        [6.5, 0.1],
      ])
        w.move(150, x, 8, y);
      w.guard.teleport('p', [4.4, 3.1, 8]);
      w.guard.ack('p', 0);
    }
    expect(w.state[L.HOVER]).toBeLessThan(0.5);
    expect(w.guard.evidence('p')?.layers.air).toBe(0);
  });
});
