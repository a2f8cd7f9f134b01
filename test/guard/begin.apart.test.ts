// Click-to-move when client and server are apart: late clicks, two ways of one length, moves after a click; and an
// independent referee who measures what a player gets out of clicks and moves made up at random.
import { describe, expect, test } from 'vitest';
import { CORNER } from '../../src/rules/ledger.ts';
import { nearestAlong } from '../../src/rules/timeline.ts';
import { type Random, seeded } from '../../src/simulate/random.ts';
import { blockedField, field, floors, World } from './world.ts';

type Point = readonly [number, number, number];
const SPEED = 6;
/** What the server allows, metres per ms. */
const RATE = (SPEED * 1.15) / 1000;
const RTT = 100;
/** burstMs and latency, ms. */
const WINDOW = 1000 + RTT;

function world(map: ConstructorParameters<typeof World>[0], at: Point, rules: Record<string, unknown> = {}): World {
  const w = new World(map, rules);
  w.guard.enter('p', { pos: [...at], speed: SPEED });
  w.guard.rtt('p', RTT);
  return w;
}

function click(w: World, from: Point, to: Point, more: Record<string, unknown> = {}) {
  const duration = (Math.hypot(to[0] - from[0], to[2] - from[2]) / SPEED) * 1000;
  return w.guard.begin('p', { seq: ++w.seq, from, to, speed: SPEED, duration, ...more }).copy();
}

describe('a client that is elsewhere', () => {
  test('behind on the way: the walk goes on from where the server has it, and nothing is charged', () => {
    const w = world(field(), [5, 0, 30]);
    click(w, [5, 0, 30], [65, 0, 30]);
    // the second click comes 0.9 s later than its distance says
    w.t += 1400;
    const v = click(w, [8, 0, 30], [20, 0, 50], { duration: 3900 });
    expect(v.verdict).toBe('accept');
    expect(v.pos?.[0]).toBeCloseTo(13.4, 2);
  });
  test('ahead by more than the tolerance: the entity goes there for its credit, and the walk begins there', () => {
    const w = world(field(), [5, 0, 30]);
    w.t = 3000;
    click(w, [5, 0, 30], [65, 0, 30]);
    w.t += 1000;
    // the first click came 0.9 s late: its client is at 5 + 1.9 s x 6 m/s
    const v = click(w, [16.4, 0, 30], [16.4, 0, 50], { duration: 3400 });
    expect(v.verdict).toBe('accept');
    expect(v.pos?.[0]).toBeCloseTo(16.4, 2);
    w.t += 1000;
    expect(w.pos[2]).toBeCloseTo(36, 2);
    // 5.4 m of 7.59 m are spent: 2.19 m and what 1 s at 6.9 m/s leaves over 6 m are left
    expect(w.move(0, 16.4, 36 + 3.2).reason).toBe('SpeedLimit');
    expect(w.move(0, 16.4, 36 + 3.05).accepted).toBe(true);
  });
  test('ahead without the credit: believed, and walked from where the server has it', () => {
    const w = world(field(), [5, 0, 30]);
    // credit of 250 ms' worth only, and the walk uses what comes in
    click(w, [5, 0, 30], [65, 0, 30], { speed: 6.9, duration: 8700 });
    w.t += 400;
    const v = click(w, [12, 0, 30], [12, 0, 50], { duration: 3400 });
    expect(v.verdict).toBe('accept');
    expect(v.pos?.[0]).toBeCloseTo(5 + 0.4 * 6.9, 2);
    // but it cannot have come twice as far
    const far = click(w, [25, 0, 30], [25, 0, 50], { duration: 3400 });
    expect([far.verdict, far.reason]).toEqual(['correct', 'SpeedLimit']);
  });
  test('a click after the walk is over comes from where that walk ended, not from anywhere', () => {
    const w = world(field(), [5, 0, 30]);
    click(w, [5, 0, 30], [17, 0, 30]);
    w.t += 60_000;
    expect(click(w, [40, 0, 30], [60, 0, 30]).reason).toBe('SpeedLimit');
    expect(click(w, [17, 0, 30], [60, 0, 30]).verdict).toBe('accept');
  });
  test('each side goes its own way round an obstacle', () => {
    // 10 m wide; above it the way is shorter by nothing
    const map = blockedField(60, 60, 1, [[25, 20, 35, 40]]);
    const way = 2 * Math.hypot(15, 10) + 10;
    const w = world(map, [10, 0, 30]);
    w.t = 5000;
    expect(click(w, [10, 0, 30], [50, 0, 30], { duration: (way / SPEED) * 1000 }).verdict).toBe('accept');
    w.t += ((Math.hypot(15, 10) + 5) / SPEED) * 1000;
    const [x, , z] = w.pos;
    expect(x).toBeCloseTo(30, 2);
    // the client is on the other side, 20 m away in the plan and 30 m by foot
    const other: Point = [30, 0, 60 - z];
    const v = click(w, other, [30, 0, z < 30 ? 50 : 10], { duration: 1700 });
    expect(v.verdict).toBe('accept');
    expect(v.pos?.[2]).toBeCloseTo(z, 3);
  });
  test('beside a ledge the floor at the feet counts, also for who is rounded off its rim', () => {
    const map = floors([
      [0, 0, 30, 30, 0],
      [0, 0, 10, 30, 2.4],
    ]);
    const w = world(map, [9.9, 2.4, 5]);
    w.t = 1000;
    const v = click(w, [10.01, 2.4, 5], [9.99, 2.4, 20], { duration: 2600 });
    expect([v.verdict, v.reason]).toEqual(['accept', 'Accept']);
    w.t += 1000;
    expect(w.pos[1]).toBeCloseTo(2.4, 2);
  });
  test('a start rounded through a thin wall is judged from the side that it is on', () => {
    const map = blockedField(200, 100, 0.05, [[100, 0, 101, 95]]);
    const w = world(map, [4.98, 0, 1]);
    w.t = 1000;
    expect(click(w, [5.06, 0, 1], [2, 0, 1], { duration: 520 }).verdict).toBe('accept');
    expect(w.pos[0]).toBeCloseTo(4.98, 2);
  });
});

describe('moves after a click', () => {
  /** A click, then nothing for 0.9 s, then all positions of that time at once. Whether all were accepted. */
  function late(w: World): boolean {
    const [x] = w.pos;
    const all = [click(w, [x, 0, 30], [x + 60, 0, 30]).accepted];
    w.t += 1000;
    for (let ms = 100; ms <= 1000; ms += 100) all.push(w.move(0, x + (SPEED * ms) / 1000, 30).accepted);
    return all.every(Boolean);
  }
  test('that come late begin where they were made, and their metres are charged once', () => {
    const w = world(field(), [5, 0, 30]);
    w.t = 3000;
    expect(late(w)).toBe(true);
    expect(w.pos[0]).toBeCloseTo(11, 9);
    // of 7.59 m the way from the first position to the last is spent, and nothing for what was taken back
    expect(w.move(0, 11 + 2.3, 30).reason).toBe('SpeedLimit');
    expect(w.move(0, 11 + 2.1, 30).accepted).toBe(true);
  });
  test('taking a walk back is an allowance: to and fro for ever is charged', () => {
    const w = world(field(500), [5, 0, 30]);
    w.t = 30_000;
    let metres = 0;
    const start = w.t;
    for (let k = 0; k < 60; k++) {
      const [x] = w.pos;
      click(w, w.pos, [x + 60, 0, 30]);
      w.t += 1000;
      metres += w.pos[0] - x;
      const there = w.pos[0];
      w.move(0, x, 30);
      metres += Math.abs(w.pos[0] - there);
    }
    const seconds = (w.t - start) / 1000;
    expect(metres).toBeGreaterThan(RATE * 1000 * seconds * 0.8);
    expect(metres).toBeLessThan(RATE * (w.t - start + WINDOW + WINDOW * (1 + seconds / 20)) + 0.1);
  });
});

/** Everything a player did: time, position, and metres of its way so far. */
class Referee {
  readonly t: number[] = [];
  readonly at: (readonly [number, number])[] = [];
  readonly metres: number[] = [];

  see(t: number, [x, , z]: Point): void {
    const last = this.at.at(-1);
    this.metres.push((this.metres.at(-1) ?? 0) + (last === undefined ? 0 : Math.hypot(x - last[0], z - last[1])));
    this.t.push(t);
    this.at.push([x, z]);
  }

  /** The most by which any stretch of the way is longer than the rate allows in its time, metres. */
  worstWay(rate: number): number {
    let worst = 0;
    let least = Infinity;
    for (let i = 0; i < this.t.length; i++) {
      const now = this.metres[i] - rate * this.t[i];
      worst = Math.max(worst, now - Math.min(least, now));
      least = Math.min(least, now);
    }
    return worst;
  }

  /** The same for the shortest walk between any two of its positions. */
  worstWalk(rate: number, walk: (a: readonly [number, number], b: readonly [number, number]) => number): number {
    let worst = 0;
    for (let j = 0; j < this.t.length; j++) {
      for (let i = 0; i < j; i++) {
        worst = Math.max(worst, walk(this.at[i], this.at[j]) - rate * (this.t[j] - this.t[i]));
      }
    }
    return worst;
  }
}

/** A wall from z = 0 to 50 at x = 30 to 31, in a field of 60 x 60. */
const WALLED = blockedField(60, 60, 1, [[30, 0, 31, 50]]);
function walkRound(a: readonly [number, number], b: readonly [number, number]): number {
  // bodies are pressed into walls by up to 0.1 m
  const side = ([x, z]: readonly [number, number]): [number, number] => {
    if (z >= 50 || x <= 30 || x >= 31) return [x, z];
    return [x < 30.5 ? 30 : 31, z];
  };
  const [l, r] = a[0] <= b[0] ? [side(a), side(b)] : [side(b), side(a)];
  const straight = Math.hypot(r[0] - l[0], r[1] - l[1]);
  if (r[0] <= 30 || l[0] >= 31) return straight;
  const clear = (x: number): boolean => l[1] + ((r[1] - l[1]) * (x - l[0])) / (r[0] - l[0]) >= 50;
  if (clear(Math.max(l[0], 30)) && clear(Math.min(r[0], 31))) return straight;
  const first = l[0] < 30 ? Math.hypot(30 - l[0], 50 - l[1]) : 0;
  const last = r[0] > 31 ? Math.hypot(r[0] - 31, r[1] - 50) : 0;
  return first + last;
}

/** One of the things that a cheat may say about where it is. */
function lie(random: Random, w: World, marks: readonly Point[]): Point {
  const [x, , z] = w.pos;
  const far = random.between(0, random.chance(0.5) ? 3 : 12);
  const angle = random.between(0, 2 * Math.PI);
  const options: Point[] = [
    w.pos,
    [x + far * Math.cos(angle), 0, z + far * Math.sin(angle)],
    marks[random.below(marks.length)],
    [60 - x, 0, z],
    [x < 30 ? 31.2 : 29.8, 0, z],
  ];
  return options[random.below(options.length)];
}

function cheat(seed: number, map: typeof WALLED, moves: boolean): Referee {
  const random = seeded(seed);
  const w = world(map, [29, 0, 10 + 30 * random.next()]);
  const referee = new Referee();
  const marks: Point[] = [w.pos];
  if (random.chance(0.5)) w.t = 5000;
  referee.see(w.t, w.pos);
  for (let k = 0; k < 250; k++) {
    const wait = random.chance(0.3) ? 0 : random.chance(0.7) ? random.between(1, 400) : random.between(400, 3000);
    for (let left = wait; left > 0; left -= 50) {
      w.t += Math.min(50, left);
      referee.see(w.t, w.pos);
    }
    const from = lie(random, w, marks);
    if (moves && random.chance(0.5)) w.guard.move('p', ++w.seq, from[0], 0, from[2]);
    else {
      const to: Point = random.chance(0.3)
        ? marks[random.below(marks.length)]
        : [random.between(1, 59), 0, random.between(1, 59)];
      const way = walkRound([from[0], from[2]], [to[0], to[2]]);
      const speed = random.chance(0.8) ? random.between(5, 6.9) : random.between(0, 20);
      const stop = random.chance(0.3) ? random.between(0, 5) : 0;
      const duration = random.chance(0.8) ? (way / speed) * 1000 : random.between(0, 60_000);
      w.guard.begin('p', { seq: ++w.seq, from, to, speed, duration, stop });
    }
    referee.see(w.t, w.pos);
    if (random.chance(0.3)) marks.push(w.pos);
  }
  return referee;
}

describe('a referee who knows nothing of the rules', () => {
  const SEEDS = Array.from({ length: 30 }, (_, i) => 9000 + i);
  test('clicks alone: on any stretch of the way, metres <= speed x (time + window)', () => {
    let walked = 0;
    for (const seed of SEEDS) {
      const referee = cheat(seed, WALLED, false);
      expect([seed, Math.max(0, referee.worstWay(RATE) - RATE * WINDOW - 0.2)]).toEqual([seed, 0]);
      walked += referee.metres.at(-1) ?? 0;
    }
    expect(walked).toBeGreaterThan(20 * SEEDS.length);
  });
  test('clicks alone: nor through walls', () => {
    for (const seed of SEEDS) {
      const referee = cheat(seed, WALLED, false);
      expect([seed, Math.max(0, referee.worstWalk(RATE, walkRound) - RATE * WINDOW - 0.5)]).toEqual([seed, 0]);
    }
  });
  test('clicks and moves: what is taken back once comes on top, not more', () => {
    for (const seed of SEEDS) {
      const referee = cheat(seed, WALLED, true);
      const seconds = (referee.t.at(-1) as number) / 1000;
      const back = RATE * WINDOW * (1 + seconds / 20);
      expect([seed, Math.max(0, referee.worstWay(RATE) - RATE * WINDOW - back - 1)]).toEqual([seed, 0]);
      const net = referee.worstWalk(RATE * 1.06, walkRound);
      expect([seed, Math.max(0, net - 2 * RATE * WINDOW - 0.5)]).toEqual([seed, 0]);
    }
  });
});

test('the nearest point of a stretch of a path, against trying every millimetre', () => {
  const random = seeded(77);
  for (let k = 0; k < 200; k++) {
    const corners = 2 + random.below(5);
    const path = new Float64Array(corners * CORNER);
    let length = 0;
    for (let i = 0; i < corners; i++) {
      const a = i * CORNER;
      const again = i > 0 && random.chance(0.1);
      path[a] = again ? path[a - CORNER] : random.between(0, 3);
      path[a + 2] = again ? path[a - CORNER + 2] : random.between(0, 3);
      if (i > 0) length += Math.hypot(path[a] - path[a - CORNER], path[a + 2] - path[a - CORNER + 2]);
      path[a + 3] = length;
    }
    const least = random.between(0, length);
    const most = random.between(least, length);
    const [x, z] = [random.between(-1, 4), random.between(-1, 4)];
    const at = (s: number): number => {
      let i = 0;
      while (i < corners - 2 && path[(i + 1) * CORNER + 3] < s) i++;
      const a = i * CORNER;
      const leg = path[a + CORNER + 3] - path[a + 3];
      const share = leg > 0 ? (s - path[a + 3]) / leg : 0;
      const px = path[a] + share * (path[a + CORNER] - path[a]);
      const pz = path[a + 2] + share * (path[a + CORNER + 2] - path[a + 2]);
      return Math.hypot(px - x, pz - z);
    };
    let best = Infinity;
    for (let s = least; s <= most; s += 0.001) best = Math.min(best, at(s));
    const along = nearestAlong(path, corners, least, most, x, z);
    expect(along).toBeGreaterThanOrEqual(least);
    expect(along).toBeLessThanOrEqual(most);
    expect(at(along)).toBeLessThanOrEqual(best + 1e-9);
  }
});
