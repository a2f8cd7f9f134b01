// Honest walkers whose clients round their positions, and the game they play against the guard: for the tests of
// rounding, short and long.
import type { GridMap } from '../../src/gridmap.ts';
import { MoveGuard } from '../../src/guard.ts';
import { field } from './world.ts';

/** Metres: the open field's side, and how near to its edge walkers go. */
const SIDE = 240;
const MARGIN = 4;

export function openField(): GridMap {
  return field(SIDE, SIDE);
}

/** mulberry32: seeded, uniform in [0, 1). */
export function random(seed: number): () => number {
  let s = seed;
  return () => {
    s = (s + 0x6d2b79f5) | 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Rounded {
  readonly speed: number;
  readonly hz: number;
  readonly quantum: number;
}

/** Logarithmically even between two numbers. */
const between = (rand: () => number, low: number, high: number): number => low * (high / low) ** rand();

/** 2-120 Hz, 0.3-8 m/s, 1-5 cm; half of them where the staircase is longest: a step below 0.8 quanta. */
export function drawWalker(rand: () => number): Rounded {
  for (;;) {
    const one = {
      speed: between(rand, 0.3, 8),
      hz: between(rand, 2, 120),
      quantum: 0.01 * (1 + Math.floor(rand() * 5)),
    };
    if (rand() < 0.2 || one.speed / one.hz < 0.8 * one.quantum) return one;
  }
}

/**
 * Plays one honest client for `claims` claims: it walks straight lines, bends and circles at its full speed, stands and
 * trembles, turns about; its clock runs up to 4 % off; it rounds to the nearest or downwards; packets are late by up to
 * the round trip, never overtake, and the line stands still now and then. Returns what was refused, in words.
 */
export function playHonest(map: GridMap, seed: number, walker: Rounded, claims: number): string[] {
  const rand = random(seed);
  const { speed, hz, quantum } = walker;
  const clock = 1 + (rand() - 0.5) * 0.08;
  const rtt = between(rand, 20, 300);
  const jitter = rand() * rtt;
  const down = rand() < 0.3;
  const round = (v: number): number =>
    Math.round((down ? Math.floor(v / quantum) : Math.round(v / quantum)) * quantum * 1e6) / 1e6;
  let x = MARGIN + 20 + rand() * (SIDE - 2 * MARGIN - 40);
  let z = MARGIN + 20 + rand() * (SIDE - 2 * MARGIN - 40);
  let heading = 0;
  let bend = 0;
  let left = 0;
  let tremble = 0;
  let stands = false;
  let now = 1000;
  const guard = new MoveGuard(map, {}, { now: () => now });
  guard.enter('p', { pos: [round(x), 0, round(z)], speed });
  guard.rtt('p', rtt);

  const step = 1 / hz;
  let t = 1000;
  let arrival = t;
  let stallEnd = 0;
  const refusals: string[] = [];
  for (let seq = 1; seq <= claims; seq++) {
    left -= step;
    if (left <= 0) {
      left = 0.2 + rand() * 8;
      const kind = rand();
      // along an axis, nearly along it, a lattice direction, or anywhere
      if (kind < 0.15) heading = (Math.floor(rand() * 4) * Math.PI) / 2;
      else if (kind < 0.3) heading = (Math.floor(rand() * 4) * Math.PI) / 2 + (rand() - 0.5) * 0.1;
      else if (kind < 0.45) heading = Math.atan2(Math.floor(rand() * 9) - 4, Math.floor(rand() * 9) - 4);
      else if (kind < 0.6) heading += Math.PI;
      else heading = rand() * 2 * Math.PI;
      bend = rand() < 0.3 ? (rand() - 0.5) * 4 : 0;
      tremble = rand() < 0.2 ? 0.002 : 0;
      stands = rand() < 0.1;
    }
    if (!stands) {
      heading += bend * step;
      const metres = speed * step;
      x += Math.cos(heading) * metres;
      z += Math.sin(heading) * metres;
      if (x < MARGIN || x > SIDE - MARGIN || z < MARGIN || z > SIDE - MARGIN) {
        x -= Math.cos(heading) * metres;
        z -= Math.sin(heading) * metres;
        heading = Math.atan2(SIDE / 2 - z, SIDE / 2 - x);
      }
    }
    t += (step * 1000) / clock;
    if (rand() < 0.3 / hz) stallEnd = t + rand() * 900;
    // a silence of burstMs is what the rules forgive: at few claims a second it leaves less for lateness
    arrival = Math.min(Math.max(arrival, t + rand() * jitter, stallEnd), t + 1000 - 1050 * step);
    now = arrival + rtt / 2;
    const verdict = guard.move('p', seq, round(x + (rand() - 0.5) * tremble), 0, round(z + (rand() - 0.5) * tremble));
    if (!verdict.accepted) {
      refusals.push(
        `${verdict.reason} ${verdict.used} of ${verdict.allowed} m at claim ${seq}; seed ${seed}, ${JSON.stringify(walker)}`,
      );
      guard.leave('p');
      return refusals;
    }
  }
  return refusals;
}

/** Many walkers; returns how many claims were judged and what was refused. */
export function playCrowd(map: GridMap, seed: number, claims: number): { claims: number; refused: string[] } {
  const rand = random(seed);
  const refused: string[] = [];
  let done = 0;
  for (let k = 0; done < claims; k++) {
    const walker = drawWalker(rand);
    // a minute and a half, at most 6,000 claims
    const n = Math.min(6000, Math.ceil(90 * walker.hz));
    refused.push(...playHonest(map, seed * 1000 + k, walker, n));
    done += n;
  }
  return { claims: done, refused };
}
