// Rounded positions: the staircase of a slow walker is not charged, and a cheat gets nothing out of that but the width of
// the string once. Seeds stand in the names; the whole run is in the long tests.
import { describe, expect, test } from 'vitest';
import { openField, playCrowd, random } from './rounding.ts';
import { World } from './world.ts';

const FIELD = openField();
/** The string: 1.5 x 5 cm. */
const STRING = 0.075;

test.each([51, 52, 53])('honest walkers, 2-120 Hz, 0.3-8 m/s, rounded to 1-5 cm: none refused (seed %i)', (seed) => {
  const { claims, refused } = playCrowd(FIELD, seed, 60_000);
  expect(refused).toEqual([]);
  expect(claims).toBeGreaterThanOrEqual(60_000);
});

describe('what a claim costs', () => {
  const costs = (rules: Record<string, unknown>, xs: number[]): number[] => {
    const w = new World(FIELD, rules);
    w.guard.enter('p', { pos: [100, 0, 100], speed: 6 });
    return xs.map((x) => w.move(50, 100 + x, 100).used as number);
  };
  test('worked out by hand: to and fro within the string is free, beyond it is not', () => {
    const got = costs({}, [0.05, 0.1, 0, -0.05, -0.1, -0.05, 0.05, 0.1, 0.4, 0.3]);
    // the point trails at 0, 0.025, 0.025, 0.025, -0.025, -0.025, -0.025, 0.025; a leg of 0.3 takes it to 0.325
    const expected = [0.05, 0.05, 0, 0, 0.05, 0, 0, 0.05, 0.3, 0];
    got.forEach((metres, i) => {
      expect(metres, `claim ${i}`).toBeCloseTo(expected[i], 9);
    });
  });
  test('no quantum: every leg in full', () => {
    const got = costs({ positionQuantum: 0 }, [0.05, 0, 0.05, 0.03]);
    [0.05, 0.05, 0.05, 0.02].forEach((metres, i) => {
      expect(got[i]).toBeCloseTo(metres, 9);
    });
  });
  test('standing on a rounding edge costs nothing, for ever, even at speed 0', () => {
    const w = new World(FIELD);
    w.guard.enter('p', { pos: [100, 0, 100], speed: 0 });
    const corners = [0, 0.05, 0, 0.05];
    for (let i = 0; i < 2000; i++) {
      expect(w.move(8, 100 + corners[i % 4], 100 + corners[(i >> 1) % 4]).verdict).toBe('accept');
    }
  });
});

test.each([61, 62, 63, 64])('from any claim to any later one: distance <= paid + two strings (seed %i)', (seed) => {
  const rand = random(seed);
  const w = new World(FIELD);
  w.guard.enter('p', { pos: [100, 0, 100], speed: 8 });
  const points: [number, number, number][] = [[100, 100, 0]];
  let paid = 0;
  let walked = 0;
  let [x, z] = [100, 100];
  for (let i = 0; i < 1500; i++) {
    // legs of every length about the string's, in every manner of turning
    const leg = STRING * 4 ** (rand() * 3 - 2);
    const angle = rand() < 0.4 ? Math.floor(rand() * 4) * (Math.PI / 2) : rand() * 2 * Math.PI;
    const v = w.move(rand() * 40, x + Math.cos(angle) * leg, z + Math.sin(angle) * leg);
    if (!v.accepted) continue;
    expect(v.used).toBeLessThanOrEqual(leg + 1e-9);
    expect(v.used).toBeGreaterThanOrEqual(0);
    paid += v.used as number;
    walked += leg;
    [x, , z] = w.pos;
    points.push([x, z, paid]);
  }
  expect(points.length).toBeGreaterThan(1000);
  let most = 0;
  for (let j = 0; j < points.length; j++) {
    for (let i = 0; i < j; i++) {
      const [ax, az, before] = points[i];
      const [bx, bz, after] = points[j];
      most = Math.max(most, Math.hypot(bx - ax, bz - az) - (after - before));
    }
  }
  expect(most).toBeLessThanOrEqual(2 * STRING + 1e-9);
  // the run is about claims that are not charged in full
  expect(paid).toBeLessThan(0.9 * walked);
  expect(most).toBeGreaterThan(STRING);
});

describe('x1.2 at 120 Hz is refused within a stated number of metres', () => {
  const FACTOR = 1.2;
  /** Burst and latency, metres; what the tolerance leaves of a metre; `hidden`: what the string hides of a metre. */
  const bound = (hidden: number): number => 6.9 / (1 - 1.15 / FACTOR - hidden);
  const legs =
    (angle: number, leg: number) =>
    (s: number): [number, number] => {
      // there and back at an angle: 180 degrees is to and fro
      const k = Math.floor(s / leg);
      const rest = s - k * leg;
      const half = (Math.PI - angle) / 2;
      const [forward, aside] = [Math.sin(half), Math.cos(half)];
      const along = (k * leg + rest) * forward;
      const across = (k % 2 === 0 ? rest : leg - rest) * aside;
      return [5 + (along % 230), 100 + across];
    };
  const circle =
    (radius: number) =>
    (s: number): [number, number] => [100 + radius * Math.cos(s / radius), 100 + radius * Math.sin(s / radius)];
  test.each<[string, number, (s: number) => [number, number]]>([
    ['a straight line', 0, (s) => [5 + s, 100]],
    ['to and fro on 8 m', (2 * STRING) / 8, legs(Math.PI, 8)],
    ['zigzag of right angles, legs of 3 m', (0.7 * STRING) / 3, legs(Math.PI / 2, 3)],
    ['a circle of 1 m', (STRING / 1) ** 2, circle(1)],
    ['a circle of 5 m', (STRING / 5) ** 2, circle(5)],
    ['a circle of 40 m', (STRING / 40) ** 2, circle(40)],
  ])('%s', (_what, hidden, path) => {
    for (const quantum of [0.05, 0.01, 0]) {
      const round = (v: number): number => (quantum > 0 ? Math.round(v / quantum) * quantum : v);
      const w = new World(FIELD);
      const [x0, z0] = path(0);
      w.guard.enter('p', { pos: [round(x0), 0, round(z0)], speed: 6 });
      let metres = 0;
      let refused = '';
      while (refused === '' && metres < 1000) {
        metres += (6 * FACTOR) / 120;
        const [x, z] = path(metres);
        const v = w.move(1000 / 120, round(x), round(z));
        if (!v.accepted) refused = v.reason;
      }
      expect(refused).toBe('SpeedLimit');
      expect(metres, `rounded to ${quantum} m`).toBeLessThanOrEqual(bound(hidden) + 2);
    }
  });
});
