// Ledges: stepping off one is a way down, a wall is not, and nothing leads back up. Floors of the helper have no walls
// between them: what separates them is missing mesh, as erosion leaves it (agent radius 0.4, climb 0.4: ledge 0.8 m).
import { describe, expect, test } from 'vitest';
import * as L from '../../src/rules/ledger.ts';
import { floors, World } from './world.ts';

/** Upper floor x 0..20, lower floor from x 20.7 on, `drop` metres below. */
function ledge(drop: number, rules: Record<string, unknown> = {}): World {
  const w = new World(
    floors([
      [0, 0, 20, 20, drop],
      [20.7, 0, 60, 20, 0],
    ]),
    rules,
  );
  w.guard.enter('p', { pos: [19, drop, 10], speed: 6 });
  w.t = 500;
  return w;
}

/** Height after s seconds of falling from `from`, not below 0. */
const fallen = (from: number, s: number): number => Math.max(0, from - (9.81 * s * s) / 2);

describe('falls: edges', () => {
  test.each([1.5, 4, 12])('walking off a ledge of %d m at a run', (drop) => {
    const w = ledge(drop);
    for (let i = 1; i <= 3; i++) expect(w.move(50, 19 + 0.3 * i, 10, drop).verdict).toBe('accept');
    let x = 19.9;
    for (let i = 1; i <= 40; i++) {
      x += 0.3;
      const y = fallen(drop, 0.05 * i);
      const v = w.move(50, x, 10, y);
      expect([i, v.verdict, v.reason, v.pos]).toEqual([i, 'accept', 'Accept', [x, y, 10]]);
    }
    expect(w.state[L.FLOOR]).toBe(0);
    expect(w.guard.score('p')).toBeLessThan(0.2);
  });
  test('in one claim, down and on', () => {
    const w = ledge(4);
    expect(w.move(1000, 23, 10, 0).verdict).toBe('accept');
    expect(w.state[L.FLOOR]).toBe(0);
  });
  test('standing on the rim, along it, and back', () => {
    const w = ledge(4);
    for (const [x, z] of [
      [19.8, 10],
      [20.2, 10],
      [20.4, 10.2],
      [20.4, 10.5],
      [20.2, 10.8],
      [19.9, 10.8],
    ]) {
      expect([x, z, w.move(100, x, z, 4).verdict]).toEqual([x, z, 'accept']);
      expect(w.state[L.FLOOR]).toBe(4);
    }
    expect(w.guard.score('p')).toBe(0);
  });
  test('from the rim down', () => {
    const w = ledge(4);
    expect(w.move(200, 20.3, 10, 4).verdict).toBe('accept');
    for (let i = 1; i <= 20; i++) {
      expect(w.move(50, 20.3 + 0.05 * i, 10, fallen(4, 0.05 * i)).verdict).toBe('accept');
    }
    expect(w.state[L.FLOOR]).toBe(0);
  });
  test('not up again', () => {
    const w = ledge(4);
    expect(w.move(1000, 21, 10, 0).verdict).toBe('accept');
    expect(w.move(500, 19.5, 10, 4).accepted).toBe(false);
    // a ledge lower than a jump is no way up either: the mesh does not have it
    const low = ledge(1.5);
    expect(low.move(1000, 21, 10, 0).verdict).toBe('accept');
    expect(low.move(500, 19.5, 10, 1.5).accepted).toBe(false);
  });
  test('a lower floor no deeper than the climb is across a wall', () => {
    const w = ledge(0.4);
    expect(['Wall', 'PathPartial']).toContain(w.move(500, 21, 10, 0).reason);
  });
  test('too far from the ledge', () => {
    const w = new World(
      floors([
        [0, 0, 20, 20, 4],
        [21.5, 0, 60, 20, 0],
      ]),
    );
    w.guard.enter('p', { pos: [19, 4, 10], speed: 6 });
    expect(w.move(1000, 22, 10, 0).accepted).toBe(false);
    expect(w.move(0, 20.75, 10, 2).accepted).toBe(false);
    expect(w.move(0, 20.75, 10, 4).accepted).toBe(false);
    expect(w.move(500, 19, 10, 4).accepted).toBe(true);
  });
  test('nobody falls 40 m in 50 ms', () => {
    const w = ledge(40);
    w.move(500, 19.8, 10, 40);
    const v = w.move(50, 21, 10, 0);
    expect([v.accepted, v.reason]).toEqual([false, 'Airborne']);
  });
  test('off: no way down', () => {
    for (const falls of ['off', 'links']) {
      const w = ledge(4, { falls });
      expect(w.move(1000, 23, 10, 0).accepted).toBe(false);
    }
  });
  test('again and again is noticed', () => {
    const w = ledge(4);
    for (let i = 0; i < 30; i++) {
      expect(w.move(1000, 21, 10, 0).accepted).toBe(true);
      w.guard.teleport('p', [19, 4, 10]);
      w.guard.ack('p', 0);
    }
    expect(w.guard.score('p')).toBeGreaterThan(0.5);
  });
});

describe('air', () => {
  test('C7 a jump under a floor stays on the floor below', () => {
    const w = new World(
      floors([
        [0, 0, 40, 40, 0],
        [10, 10, 30, 30, 3],
      ]),
    );
    w.guard.enter('p', { pos: [20, 0, 20], speed: 6 });
    w.t = 500;
    for (const y of [0.9, 1.7, 2.1, 2.5, 2.1, 1.7, 0.9, 0]) {
      const v = w.move(80, 20, 20, y);
      expect([y, v.verdict]).toEqual([y, 'accept']);
      expect(w.state[L.FLOOR]).toBe(0);
    }
  });
  test('another floor is not reached by height', () => {
    const w = new World(
      floors([
        [0, 0, 40, 40, 0],
        [10, 10, 30, 30, 3],
      ]),
    );
    w.guard.enter('p', { pos: [20, 0, 20], speed: 6 });
    const v = w.move(500, 20.5, 20, 3);
    expect(v.accepted).toBe(false);
    expect(w.state[L.FLOOR]).toBe(0);
  });
  test('flying lifts floors and walls, not speed and bounds', () => {
    const w = new World(floors([[0, 0, 40, 40, 0]]));
    w.guard.enter('p', { pos: [20, 0, 20], speed: 6 });
    w.guard.state('p', { flying: true });
    for (let i = 1; i <= 100; i++) expect(w.move(50, 20, 20, 0.4 * i).verdict).toBe('accept');
    expect(w.move(50, 39, 20, 40).reason).toBe('SpeedLimit');
    w.guard.state('p', { flying: false });
    // from 40 m it takes 2.9 s to fall
    let y = 40;
    for (let i = 1; i <= 60 && y > 0; i++) {
      y = fallen(40, 0.05 * i);
      expect([i, w.move(50, 20, 20, y).verdict]).toEqual([i, 'accept']);
    }
    expect(w.state[L.FLOOR]).toBe(0);
  });
  test('a knock-back upwards', () => {
    for (const up of [8, 0]) {
      const w = new World(floors([[0, 0, 40, 40, 0]]));
      w.guard.enter('p', { pos: [20, 0, 20], speed: 6 });
      w.t = 500;
      w.guard.impulse('p', [0, up, 0], 10);
      const v0 = 8 + Math.sqrt(2 * 9.81 * 2.1);
      const heights = Array.from({ length: 60 }, (_, i) => Math.max(0, v0 * 0.05 * i - 4.905 * (0.05 * i) ** 2));
      const refused = heights.filter((y) => !w.move(50, 20, 20, y).accepted).length;
      if (up > 0) expect(refused).toBe(0);
      else expect(refused).toBeGreaterThan(5);
    }
  });
  test('yOffset: the pelvis is 0.9 m above the feet', () => {
    const w = new World(floors([[0, 0, 40, 40, 0]]), { yOffset: 0.9 });
    w.guard.enter('p', { pos: [20, 0.9, 20], speed: 6 });
    for (let i = 1; i <= 100; i++) expect(w.move(50, 20 + 0.1 * (i % 3), 20, 0.9).verdict).toBe('accept');
    expect(w.pos[1]).toBe(0.9);
  });
  test('put into the void: nearer or down is fine, farther off is not', () => {
    const w = new World(floors([[0, 0, 40, 40, 0]]));
    w.guard.enter('p', { pos: [-6, 0, 20], speed: 6 });
    expect(w.move(100, -5.5, 20).verdict).toBe('accept');
    expect(w.move(100, -5.9, 20).accepted).toBe(false);
    expect(w.move(100, -5, 20).verdict).toBe('accept');
    expect(w.move(900, 0.5, 20).verdict).toBe('accept');
  });
});
