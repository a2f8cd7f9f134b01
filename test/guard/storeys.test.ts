// Floors nearer to each other than a body's height band is wide: an entity stays on its own, on edges and after walks too.
import { beforeAll, describe, expect, test } from 'vitest';
import { buildNavMesh } from '../../src/build/index.ts';
import { NavMap } from '../../src/map.ts';
import * as L from '../../src/rules/ledger.ts';
import { World } from './world.ts';

describe.each([
  [1, 1.2],
  [1.2, 1.5],
])('agents of %d m under a floor at %d m', (height, top) => {
  let map: NavMap;
  beforeAll(async () => {
    map = await NavMap.load(
      await buildNavMesh({
        cell: 0.1,
        cellHeight: 0.05,
        agent: { height, radius: 0.2, climb: 0.3 },
        boxes: [
          [0, -1, 0, 10, 0, 10],
          [0, top - 0.1, 0, 10, top, 10],
          [4.9, 0, 0, 5.1, top - 0.1, 10],
        ],
      }),
    );
  });
  test('after a walk the floor above is not reached', () => {
    const w = new World(map);
    w.guard.enter('p', { pos: [4, 0.05, 5], speed: 6 });
    w.t = 1000;
    const begun = w.guard.begin('p', { seq: ++w.seq, from: [4, 0.05, 5], to: [4.3, 0.05, 5], speed: 6, duration: 200 });
    expect(begun.verdict).toBe('accept');
    expect(w.move(500, 6, 5, top).accepted).toBe(false);
    expect(w.move(500, 6, 5, 0.05).accepted).toBe(false);
    expect(w.state[L.FLOOR]).toBeLessThan(0.5);
    expect(w.move(500, 4.2, 5, 0.05).verdict).toBe('accept');
  });
  test('from the edge of a polygon the floor above is not reached', () => {
    const at = map.locate([4.9, 0.05, 5], { tolerance: 1 })?.point as [number, number, number];
    const w = new World(map);
    w.guard.enter('p', { pos: at, speed: 6 });
    expect(w.move(1000, at[0], at[2], at[1]).verdict).toBe('accept');
    expect(w.move(500, 6, 5, top).accepted).toBe(false);
    expect(w.move(500, 6, 5, 0.05).accepted).toBe(false);
    expect(w.state[L.FLOOR]).toBeLessThan(0.5);
  });
  test('nor the floor below from the one above', () => {
    const w = new World(map);
    w.guard.enter('p', { pos: [4, top, 5], speed: 6 });
    w.t = 1000;
    expect(
      w.guard.begin('p', { seq: ++w.seq, from: [4, top, 5], to: [4.6, top, 5], speed: 6, duration: 200 }).verdict,
    ).toBe('accept');
    expect(w.move(500, 4.2, 5, top - 1).accepted).toBe(false);
    expect(w.move(500, 4.2, 5, top).verdict).toBe('accept');
    expect(w.state[L.FLOOR]).toBeGreaterThan(1);
  });
});
