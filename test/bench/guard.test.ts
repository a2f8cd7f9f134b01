// The recorded walkers are honest, the hand-written guard works, and both guards judge the same moves.
import type { NavMeshQuery } from 'recast-navigation';
import { beforeAll, describe, expect, test } from 'vitest';
import { level } from '../../bench/levels.ts';
import { guardSubject } from '../../src/bench/cases/guard.ts';
import type { Level } from '../../src/bench/level.ts';
import { HandWrittenGuard } from '../../src/bench/peers/handwritten.ts';
import { rays, walks } from '../../src/bench/queries.ts';
import { answerAll, SEGMENT } from '../../src/bench/rounds.ts';
import { Endless, type Recording, record, SPEED } from '../../src/bench/walkers.ts';

const ENTITIES = 32;
const N = 2 * SEGMENT;
let yard: Level;
let moves: Recording;
let query: NavMeshQuery;
beforeAll(async () => {
  yard = await level('yard');
  if (!yard.query) throw new Error('expected recast-navigation to load the yard');
  query = yard.query;
  moves = record(yard, N, ENTITIES, 5);
});

describe('recorded walkers', () => {
  test('nobody is faster than allowed, in the recording and when it is played on and on', () => {
    const endless = new Endless(moves);
    const last = new Map(moves.entities.map(({ id, start }) => [id, { t: 0, x: start[0], z: start[2] }]));
    let before = 0;
    for (let i = 0; i < 3 * N; i++) {
      const k = endless.at(i);
      const t = endless.time(i);
      expect(t).toBeGreaterThanOrEqual(before);
      before = t;
      const { id } = moves.entities[moves.entity[k]];
      const was = last.get(id);
      if (!was) throw new Error(id);
      const [x, z] = [moves.pos[3 * k], moves.pos[3 * k + 2]];
      const distance = Math.sqrt((x - was.x) ** 2 + (z - was.z) ** 2);
      expect(distance).toBeLessThanOrEqual((SPEED * 1.15 * (t - was.t)) / 1000 + 1e-9);
      last.set(id, { t, x, z });
    }
  });

  test('the same seed gives the same moves', () => {
    expect(record(yard, N, ENTITIES, 5).pos).toEqual(moves.pos);
    expect(record(yard, N, ENTITIES, 6).pos).not.toEqual(moves.pos);
  });

  test('both guards accept them; both engines judge alike', () => {
    const navguard = guardSubject('navguard', yard.map, moves);
    const twin = guardSubject('twin', yard.twin, moves);
    answerAll(navguard, N / SEGMENT);
    answerAll(twin, N / SEGMENT);
    expect(Array.from(twin.answers())).toEqual(Array.from(navguard.answers()));
    expect(Array.from(navguard.answers()).filter((a) => a === 1)).toHaveLength(N);

    const guard = new HandWrittenGuard(query);
    for (const { id, start } of moves.entities) guard.enter(id, { x: start[0], y: start[1], z: start[2] }, SPEED, 0);
    let accepted = 0;
    for (let i = 0; i < N; i++) {
      const { id } = moves.entities[moves.entity[i]];
      if (guard.move(id, moves.pos[3 * i], moves.pos[3 * i + 1], moves.pos[3 * i + 2], moves.time[i])) accepted++;
    }
    // It knows no tolerance at corners: a few refusals are its own.
    expect(accepted / N).toBeGreaterThan(0.99);
  });
});

describe('the hand-written guard', () => {
  test('refuses speed, walls, empty space and strangers, and forgets nothing it should keep', () => {
    const guard = new HandWrittenGuard(query);
    // A gate of the wall at z = 20 is at x 9..12; at x = 5 the wall is whole.
    guard.enter('a', { x: 5, y: 0, z: 18.5 }, 6, 0);
    expect(guard.move('b', 5, 0, 18.5, 100)).toBe(false);
    expect(guard.move('a', 5, 0, 17, 100)).toBe(false);
    expect(guard.move('a', 5, 0, 21.5, 500)).toBe(false);
    expect(guard.move('a', 5, 40, 18.4, 500)).toBe(false);
    expect(guard.move('a', 5, 0, 18.4, 500)).toBe(true);
    // 3 m in half a second fits; the time of the refused moves was not lost, that of the accepted one is used up.
    expect(guard.move('a', 5, 0, 15.4, 501)).toBe(false);
    expect(guard.move('a', 5, 0, 15.4, 1000)).toBe(true);
  });
});

describe('query sets', () => {
  test('rays start on the ground and have the lengths asked for', () => {
    const pairs = rays(yard, SEGMENT, 0.5, 3, 9);
    for (let i = 0; i < SEGMENT; i++) {
      const length = Math.sqrt(
        (pairs.to[3 * i] - pairs.from[3 * i]) ** 2 + (pairs.to[3 * i + 2] - pairs.from[3 * i + 2]) ** 2,
      );
      expect(length).toBeGreaterThanOrEqual(0.5 - 1e-9);
      expect(length).toBeLessThanOrEqual(3 + 1e-9);
      expect(yard.map.locate(pairs.fromTuples[i])).not.toBeNull();
    }
    expect(new Set(pairs.from).size).toBeGreaterThan(1.9 * SEGMENT);
  });

  test('every walk asked for exists, near ones within 10 m', () => {
    const pairs = walks(yard, SEGMENT, true, 9);
    for (let i = 0; i < SEGMENT; i++) {
      const { status, length } = yard.map.corridor(pairs.fromTuples[i], pairs.toTuples[i]);
      expect(status).toBe('complete');
      expect(length).toBeGreaterThan(0);
      const [dx, dz] = [pairs.to[3 * i] - pairs.from[3 * i], pairs.to[3 * i + 2] - pairs.from[3 * i + 2]];
      expect(Math.sqrt(dx * dx + dz * dz)).toBeLessThanOrEqual(10 + 1e-9);
    }
  });
});
