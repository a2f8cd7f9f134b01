// Obstacles that are dropped where entities walk, click and push sticks: before, while and after they do. Nobody comes
// through one once it is older than the grace, nobody is stuck in one, and nothing throws.
import { describe, expect, test } from 'vitest';
import { MoveGuard } from '../../src/guard.ts';
import { NavMap } from '../../src/map.ts';
import { ringMesh } from '../oracle/rings.ts';
import { random } from './rounding.ts';
import { bundled, World } from './world.ts';

const M = 1024;
const bar = (x0: number, z0: number, x1: number, z1: number) => ({
  at: [x0, z0, x1, z0, x1, z1, x0, z1].map((v) => v * M),
});
const strip = (engine: 'wasm' | 'twin' = 'wasm'): NavMap =>
  NavMap.fromMesh(ringMesh([0, 1, 2, 3].map((k) => bar(10 * k, 0, 10 * k + 10, 4))).mesh, { engine });
const wall = (x: number): { box: number[]; grow: false } => ({ box: [x, -1, -1, x + 1.5, 3, 5], grow: false });
const says = (v: { verdict: string; reason: string }): string => `${v.verdict} ${v.reason}`;

describe('an obstacle', () => {
  test('dropped on a walker: it may leave to either side, and then nobody comes through', () => {
    for (const side of [-1, 1]) {
      const w = new World(strip());
      w.guard.enter('p', { pos: [15, 0, 2], speed: 6 });
      w.move(1000, 15, 2);
      w.guard.block('crate', wall(14.3));
      for (let i = 0; i < 8; i++) expect(says(w.move(300, 15 + 0.1 * (i % 3), 2))).toBe('accept Accept');
      const far = side < 0 ? 13.8 : 16.2;
      expect(says(w.move(400, far, 2))).toBe('accept Accept');
      expect(w.move(400, 15, 2).accepted).toBe(false);
      expect(w.move(1000, side < 0 ? 16.2 : 13.8, 2).accepted).toBe(false);
      expect(w.pos[0]).toBe(far);
      w.guard.unblock('crate');
      w.t += 1000;
      w.guard.ack('p', 1);
      expect(says(w.move(1000, 15, 2))).toBe('accept Accept');
    }
  });
  test('dropped before a walker: open as long as it cannot have heard of it', () => {
    for (const [ms, word] of [
      [350, 'accept Accept'],
      [351, 'correct Wall'],
    ] as const) {
      const w = new World(strip());
      w.guard.enter('p', { pos: [14, 0, 2], speed: 6 });
      w.guard.rtt('p', 200);
      w.move(1000, 14, 2);
      w.guard.block('crate', wall(14.3));
      expect(says(w.move(ms, 16, 2))).toBe(word);
    }
  });
  test('told again where it stands, as often as one likes, is shut all the same', () => {
    const w = new World(strip());
    w.guard.enter('p', { pos: [14, 0, 2], speed: 6 });
    w.guard.block('gate', wall(14.3));
    for (let i = 0; i < 40; i++) {
      w.move(50, 14, 2);
      w.guard.block('gate', wall(14.3));
    }
    expect(says(w.move(40, 16, 2))).toBe('correct Wall');
  });
  test('ends the walk of a click before it; a claim refused inside leads out of it', () => {
    const w = new World(strip());
    w.guard.enter('p', { pos: [5, 0, 2], speed: 6 });
    w.move(1000, 5, 2);
    w.guard.begin('p', { seq: ++w.seq, from: [5, 0, 2], to: [35, 0, 2], speed: 6, duration: 5000 });
    w.guard.block('crate', wall(20));
    w.t += 10_000;
    expect(w.pos[0]).toBeCloseTo(20, 1);
    const p = new World(strip());
    p.guard.enter('p', { pos: [13, 0, 2], speed: 6 });
    for (let i = 0; i < 5; i++) p.move(50, 13 + 0.3 * i, 2);
    p.guard.block('crate', wall(13.5));
    p.move(2000, 14.2, 2);
    const v = p.move(50, 39, 2);
    expect(v.verdict).toBe('correct');
    expect(v.pos?.[0]).toBeCloseTo(13.5, 2);
  });
});

describe.each(['wasm', 'twin'] as const)('at random, %s', (engine) => {
  test('nobody comes through an obstacle that is older than the grace; nothing throws', () => {
    let inside = 0;
    for (let seed = 1; seed <= 3; seed++) {
      const rand = random(seed * 6151);
      const clock = { now: 0 };
      const map = strip(engine);
      const guard = new MoveGuard(map, {}, { now: () => clock.now });
      const who = Array.from({ length: 6 }, (_, k) => `p${k}`);
      const seq = new Map(who.map((id) => [id, 0]));
      const dir = new Map(who.map((id) => [id, 1]));
      const last = new Map<string, number>();
      for (const [k, id] of who.entries()) {
        guard.enter(id, { pos: [3 + 6 * k, 0, 2], speed: 6 });
        guard.rtt(id, 60 * k);
        last.set(id, 3 + 6 * k);
      }
      /** Where obstacles stand, and since when. */
      const there = new Map<string, { x: number; since: number }>();
      const check = (id: string): void => {
        const [x] = guard.positionAt(id) as [number, number, number];
        const from = last.get(id) as number;
        for (const [name, { x: low, since }] of there) {
          const grace = Math.min(60 * Number(id.slice(1)), 300) + 150;
          const was = from <= low ? -1 : from >= low + 1.5 ? 1 : 0;
          const is = x <= low ? -1 : x >= low + 1.5 ? 1 : 0;
          if (was === 0) inside++;
          // what its walk had passed in time is seen at the next look
          if (clock.now - since <= grace + 50) continue;
          expect([seed, clock.now, id, name, from, x, was !== 0 && is !== 0 && was !== is]).toEqual(
            expect.arrayContaining([false]),
          );
        }
        last.set(id, x);
      };
      for (let i = 0; i < 1500; i++) {
        clock.now += 12;
        if (rand() < 0.02) {
          const name = `o${Math.floor(rand() * 3)}`;
          if (rand() < 0.4) {
            guard.unblock(name);
            there.delete(name);
          } else {
            const target = last.get(who[Math.floor(rand() * 6)]) as number;
            const x = Math.min(Math.max(target + (rand() - 0.5) * 4, 1), 36);
            guard.block(name, wall(x));
            there.set(name, { x, since: clock.now });
          }
        }
        const id = who[i % 6];
        const next = (seq.get(id) as number) + 1;
        seq.set(id, next);
        const at = guard.positionAt(id) as [number, number, number];
        if (rand() < 0.05) dir.set(id, -(dir.get(id) as number));
        const what = rand();
        const z = Math.min(Math.max(at[2] + (rand() - 0.5) * 0.4, 0.1), 3.9);
        const to = Math.min(Math.max(at[0] + (dir.get(id) as number) * rand() * (what > 0.9 ? 6 : 0.6), 0.1), 39.9);
        if (what < 0.04) guard.begin(id, { seq: next, from: at, to: [rand() * 40, 0, 2], speed: 6, duration: 9000 });
        else if (what < 0.08) guard.input(id, next, [dir.get(id) as number, 0], 80);
        else guard.move(id, next, to, 0, z);
        for (const other of who) check(other);
      }
    }
    expect(inside).toBeGreaterThan(20);
  });
});

test('on a bundled map: thousands of changes under walkers, clicks and sticks, and not a throw', async () => {
  const map = await bundled('pillars');
  const rand = random(4711);
  const clock = { now: 0 };
  const guard = new MoveGuard(map, {}, { now: () => clock.now });
  const { min, max } = map.info.bounds;
  const spot = (): [number, number, number] => [
    min[0] + rand() * (max[0] - min[0]),
    0,
    min[2] + rand() * (max[2] - min[2]),
  ];
  for (let k = 0; k < 8; k++) guard.enter(`p${k}`, { pos: spot(), speed: 6 });
  let accepted = 0;
  for (let i = 0; i < 3000; i++) {
    clock.now += 17;
    const id = `p${i % 8}`;
    const at = guard.positionAt(id) as [number, number, number];
    if (rand() < 0.1) {
      const turned = rand() < 0.5 ? [rand() * 3] : [];
      const [x, , z] = rand() < 0.5 ? at : spot();
      const name = Math.floor(rand() * 6);
      const kind = rand();
      if (kind < 0.5) guard.block(name, { box: [x - 1, -1, z - 0.5, x + 1, 2, z + 0.5, ...turned] });
      else if (kind < 0.75) guard.block(name, { cylinder: [x, -0.5, z, 0.2 + rand(), 2] });
      else guard.unblock(name);
    }
    const what = rand();
    if (what < 0.1) guard.begin(id, { seq: i, from: at, to: spot(), speed: 6, duration: 60_000 });
    else if (what < 0.2) guard.input(id, i, [rand() - 0.5, rand() - 0.5], 100);
    else if (guard.move(id, i, at[0] + (rand() - 0.5) * 0.6, at[1], at[2] + (rand() - 0.5) * 0.6).accepted) accepted++;
  }
  expect(accepted).toBeGreaterThan(1500);
});

describe('ground that slows down under a runner', () => {
  const T = 5000;
  /** Runs to and fro at full speed, and as slowly as it must from when it hears of the mud on: what is refused. */
  function refused(rtt: number, share: number, hears: boolean): string[] {
    const w = new World(strip());
    w.guard.enter('p', { pos: [5, 0, 2], speed: 6 });
    w.guard.rtt('p', rtt);
    const words: string[] = [];
    let [x, way] = [5, 1];
    for (let t = 50; t < 9000; t += 50) {
      const arrives = t + rtt / 2;
      if (arrives - 50 < T && arrives >= T) w.guard.area(0, { speed: share });
      const speed = hears && t >= T + rtt / 2 ? 6.2 * share : 6.2;
      x += way * speed * 0.05;
      if (x > 35 || x < 5) way = -way;
      const v = w.move(50, x, 2);
      if (!v.accepted) words.push(`${t} ${says(v)}`);
    }
    return words;
  }
  test('who has not heard of it yet is not held to it, however slow it is', () => {
    for (const rtt of [0, 100, 300]) for (const share of [0.5, 0.2, 0.1]) expect(refused(rtt, share, true)).toEqual([]);
  });
  test('who goes on as fast is refused', () => {
    for (const share of [0.5, 0.2]) expect(refused(300, share, false).length).toBeGreaterThan(20);
  });
  test('who comes into the game afterwards finds it as it is', () => {
    const w = new World(strip());
    w.guard.area(0, { speed: 0.1 });
    w.guard.enter('p', { pos: [5, 0, 2], speed: 6 });
    expect(says(w.move(100, 6, 2))).toBe('correct SpeedLimit');
  });
  test('a click reckoned without it is taken until it is heard of, and walked as slowly as the ground is', () => {
    for (const [ms, word] of [
      [350, 'accept Accept'],
      [351, 'correct DurationMismatch'],
    ] as const) {
      const w = new World(strip());
      w.guard.enter('p', { pos: [5, 0, 2], speed: 6 });
      w.guard.rtt('p', 200);
      w.move(1000, 5, 2);
      w.guard.area(0, { speed: 0.5 });
      w.t += ms;
      const click = { seq: ++w.seq, from: [5, 0, 2] as const, to: [17, 0, 2] as const, speed: 6, duration: 2000 };
      expect(says(w.guard.begin('p', click))).toBe(word);
      w.t += 2000;
      if (word === 'accept Accept') expect(w.pos[0]).toBeCloseTo(11, 1);
    }
  });
});
