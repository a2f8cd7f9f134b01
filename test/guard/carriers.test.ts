// Carriers: honest rides on lifts, ships, drivers; and what naming a carrier does not buy.
import { describe, expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import { MoveGuard } from '../../src/guard.ts';
import type { Verdict } from '../../src/types.ts';
import { accepted, field, floors, World } from './world.ts';

/** Two quays with 10 m of water between them; a cellar under the first. */
const QUAYS = () =>
  floors([
    [0, 0, 20, 40, 0],
    [30, 0, 50, 40, 0],
  ]);

function sail(
  w: World,
  id: string | number,
  x: number,
  z: number,
  y = 0,
  yaw = 0,
  size: number | number[] = [4, 1, 8],
): void {
  w.guard.carrier(id, { pos: [x, y, z], yaw, size });
}

/** Claims a place on a carrier, and where the client believes that to be. */
function say(w: World, dtMs: number, carrier: unknown, offset: unknown, pos: readonly number[]): Verdict {
  w.t += dtMs;
  return w.guard.move('p', ++w.seq, pos[0], pos[1], pos[2], { carrier, offset }).copy();
}

function onQuay(x = 19, rules: Record<string, unknown> = {}): World {
  const w = new World(QUAYS(), rules);
  sail(w, 17, 22.3, 20);
  w.guard.enter('p', { pos: [x, 0, 20], speed: 6 });
  for (let i = 0; i < 20; i++) expect(w.move(50, x, 20).accepted).toBe(true);
  return w;
}

describe('honest rides', () => {
  test('from one quay over a ferry to the other, by word', () => {
    const w = onQuay(19.5);
    // 0.8 m of water between quay and deck
    expect(say(w, 200, 17, [-1.5, 0, 0], [20.8, 0, 20]).verdict).toBe('accept');
    expect(w.pos[0]).toBeCloseTo(20.8, 9);
    for (let x = 22.3; x < 27.8; x += 0.25) {
      w.t += 50;
      sail(w, 17, x, 20);
      const offset = Math.min(1.5, -1.5 + (x - 22.3));
      expect(say(w, 0, 17, [offset, 0, 0], [x + offset, 0, 20]).verdict).toBe('accept');
    }
    expect(w.pos[0]).toBeGreaterThan(29);
    // names none: it is off
    const [x] = w.pos;
    expect(w.move(200, x + 1.2, 20).verdict).toBe('accept');
    expect(accepted(w.walk(10, 50, 0.3, 0))).toBe(true);
    expect(w.guard.score('p')).toBe(0);
    sail(w, 17, 22.3, 20);
    expect(w.pos[0]).toBeGreaterThan(30);
  });

  test.each([
    [20, false],
    [60, false],
    [300, true],
  ] as const)(
    'a ship at %d m/s that turns, told 20 times a second; its client renders 100 ms behind (says its offset: %s)',
    (v, says) => {
      const w = new World(QUAYS());
      w.guard.rtt('p', 0);
      const at = (t: number) => ({ x: 1000 + (v * t) / 1000, z: 100, yaw: t / 4000 });
      const tell = (t: number) => sail(w, 'ship', at(t).x, at(t).z, 0, at(t).yaw, [20, 6, 8]);
      tell(0);
      w.guard.enter('p', { pos: [1000, 0, 100], speed: 6 });
      w.guard.rtt('p', 100);
      w.guard.attach('p', 'ship', [0, 0, 0]);
      let local = 0;
      for (let t = 50; t < 5000; t += 50) {
        w.t = t;
        tell(t);
        if (t > 1000) local = Math.min(8, local + 0.25);
        const seen = at(Math.max(0, t - 100));
        const x = seen.x + Math.cos(seen.yaw) * local;
        const z = seen.z - Math.sin(seen.yaw) * local;
        const more = says ? { carrier: 'ship', offset: [local, 0, 0] } : undefined;
        const said = w.guard.move('p', ++w.seq, x, 0, z, more);
        expect([said.verdict, said.reason, said.used, t]).toEqual(['accept', 'Accept', said.used, t]);
      }
      expect(w.guard.score('p')).toBe(0);
      const now = at(4950);
      // as near as its clock is known
      const away = Math.hypot(
        w.pos[0] - now.x - Math.cos(now.yaw) * local,
        w.pos[2] - now.z + Math.sin(now.yaw) * local,
      );
      expect(away).toBeLessThan(0.2 + 0.1 * v);
    },
  );

  test('a lift that drops 8 m in 0.4 s, with somebody who jumps on it', () => {
    const w = new World(QUAYS());
    sail(w, 'lift', 21, 20, 8, 0, [2, 0.2, 2]);
    w.guard.enter('p', { pos: [21, 8, 20], speed: 6 });
    w.guard.attach('p', 'lift', [0, 0, 0]);
    for (let t = 0; t <= 1000; t += 50) {
      w.t = t;
      const y = Math.max(0, 8 - t / 50);
      sail(w, 'lift', 21, 20, y, 0, [2, 0.2, 2]);
      const jump = Math.max(0, 6.4 * (t / 1000) - 4.9 * (t / 1000) ** 2);
      expect(w.guard.move('p', ++w.seq, 21, y + jump, 20).verdict).toBe('accept');
    }
    // and off it, onto the quay
    expect(w.move(100, 20.2, 20).verdict).toBe('accept');
    expect(w.move(150, 19.5, 20).verdict).toBe('accept');
    expect(w.guard.score('p')).toBe(0);
  });

  test('a fall from a platform onto what is below', () => {
    const w = new World(QUAYS());
    sail(w, 'lift', 18, 20, 5, 0, [2, 0.2, 2]);
    w.guard.enter('p', { pos: [18, 5, 20], speed: 6 });
    w.guard.attach('p', 'lift', [0, 0, 0]);
    for (let i = 0; i < 10; i++) expect(w.move(50, 18, 20, 5).accepted).toBe(true);
    let y = 5;
    for (let i = 1; y > 0; i++) {
      y = Math.max(0, 5 - 4.9 * (i * 0.05) ** 2);
      expect(w.move(50, 18 - 0.3 * i, 20, y).verdict).toBe('accept');
    }
    expect(accepted(w.walk(5, 50, -0.3, 0))).toBe(true);
    expect(w.guard.stateOf('p')?.length).toBeGreaterThan(0);
  });

  test('passengers go where their driver goes, by grant, by click, and by its own ship', () => {
    const w = new World(field());
    const { guard } = w;
    guard.enter('car', { pos: [50, 0, 30], speed: 30 });
    guard.enter('p', { pos: [51, 0, 30], speed: 6 });
    expect(guard.attach('p', 'car', [1, 0, 0])).toBe(true);
    guard.begin('car', { seq: 1, from: [50, 0, 30], to: [110, 0, 30], speed: 30, duration: 2000 });
    for (let t = 100; t <= 2000; t += 100) {
      w.t = t;
      const v = guard.move('p', ++w.seq, 51 + 0.03 * t, 0, 30);
      expect([v.verdict, t]).toEqual(['accept', t]);
      expect(v.pos?.[0]).toBeCloseTo(51 + 0.03 * t, 6);
    }
    sail(w, 'ship', 300, 20);
    guard.attach('car', 'ship', [0, 0, 1]);
    expect(w.pos).toEqual([301, 0, 21]);
    guard.leave('car');
    sail(w, 'ship', 350, 20);
    expect(w.pos).toEqual([301, 0, 21]);
    expect(w.move(100, 301.3, 21).verdict).toBe('accept');
  });

  test('a carrier that goes leaves its riders where they were; from there they come back to the mesh, and no farther', () => {
    const w = onQuay(19.5);
    say(w, 200, 17, [-1.5, 0, 0], [20.8, 0, 20]);
    w.t += 500;
    sail(w, 17, 24, 20);
    const before = w.pos;
    expect(w.guard.carrier(17, null)).toBe(true);
    expect(w.guard.carrier(17, null)).toBe(false);
    expect(w.pos).toEqual(before);
    // from before it heard of it
    expect(say(w, 50, 17, [-1.5, 0, 0.3], [22.5, 0, 20.3])).toMatchObject({ verdict: 'ignore', reason: 'Stale' });
    expect(['TargetNotOnNavMesh', 'Wall']).toContain(w.move(100, 23, 20).reason);
    w.t += 2000;
    expect(w.move(100, 21.8, 20, -0.1).verdict).toBe('accept');
    expect(w.move(300, 19.9, 20, 0).verdict).toBe('accept');
    expect(say(w, 1000, 17, [0, 0, 0], [19.9, 0, 20])).toMatchObject({
      verdict: 'correct',
      reason: 'TargetNotOnNavMesh',
    });
  });

  test('its own navmesh: a rail of the ship is a wall', () => {
    const deck = floors([
      [-5, -4, 0, 4, 0],
      [0.8, -4, 5, 4, 0],
    ]);
    const w = new World(QUAYS());
    w.guard.carrier('ship', { pos: [25, 0, 20], map: deck });
    w.guard.enter('p', { pos: [25, 0, 20], speed: 6 });
    w.guard.attach('p', 'ship', [-2, 0, 0]);
    for (let i = 0; i < 20; i++) {
      w.t += 50;
      w.guard.carrier('ship', { pos: [25 + i, 0, 20] });
      expect(w.guard.move('p', ++w.seq, 25 + i - 2 + 0.05 * i, 0, 20).verdict).toBe('accept');
    }
    expect(say(w, 300, 'ship', [1.5, 0, 0], [45.5, 0, 20])).toMatchObject({ verdict: 'correct' });
    expect(say(w, 1000, 'ship', [-1, 0, 9], [43, 0, 29]).reason).toBe('TargetNotOnNavMesh');
    expect(say(w, 1000, 'ship', [-1, 0, 1], [43, 0, 21]).verdict).toBe('accept');
  });

  test('on a grid y says nothing', () => {
    const w = new World(field());
    sail(w, 1, 100, 30, 77);
    w.guard.enter('p', { pos: [98, 0, 30], speed: 6 });
    w.move(500, 98, 30);
    expect(say(w, 300, 1, [-1, -3, 0], [99, 5, 30]).verdict).toBe('accept');
    sail(w, 1, 110, 30, 12);
    expect(w.pos[0]).toBe(109);
  });
});

describe('naming a carrier buys nothing', () => {
  test('far away, unknown, malformed, or an entity: refused, whatever the claimed position', () => {
    const w = onQuay();
    sail(w, 'far', 400, 20);
    w.guard.enter('other', { pos: [18, 0, 20], speed: 6 });
    const home = w.pos;
    const cases: [unknown, unknown, readonly number[], string][] = [
      ['far', [0.3, 0, 0], [400.3, 0, 20], 'Teleport'],
      ['far', [0.3, 0, 0], home, 'Teleport'],
      ['ghost', [0, 0, 0], home, 'TargetNotOnNavMesh'],
      ['other', [0, 0, 0], [18, 0, 20], 'TargetNotOnNavMesh'],
      ['__proto__', [0, 0, 0], home, 'TargetNotOnNavMesh'],
      [17, [9, 0, 0], [31.3, 0, 20], 'TargetNotOnNavMesh'],
      [17, [0, 40, 0], [22.3, 40, 20], 'TargetNotOnNavMesh'],
      [17, undefined, home, 'Malformed'],
      [17, [Number.NaN, 0, 0], home, 'Malformed'],
      [17, [0, 0], home, 'Malformed'],
      [17, [0, Infinity, 0], home, 'Malformed'],
      [Number.NaN, [0, 0, 0], home, 'Malformed'],
      [{}, [0, 0, 0], home, 'Malformed'],
      [[17], [0, 0, 0], home, 'Malformed'],
      [true, [0, 0, 0], home, 'Malformed'],
    ];
    for (const [carrier, offset, pos, reason] of cases) {
      const v = say(w, 2000, carrier, offset, pos);
      expect([String(carrier), v.accepted, v.reason]).toEqual([String(carrier), false, reason]);
      expect(w.pos).toEqual(home);
    }
    expect(say(w, 500, null, null, home).verdict).toBe('accept');
  });

  test('boarding takes as long as the way there', () => {
    const w = onQuay(5);
    // 20 m: a burst is 6.9
    expect(say(w, 50, 17, [-1.5, 0, 0], [20.8, 0, 20]).reason).toBe('SpeedLimit');
    expect(w.pos).toEqual([5, 0, 20]);
  });

  test('a wall between: the walk round it counts', () => {
    // from the yard to the lift it is 30 m round
    const map = floors([
      [0, 0, 10, 20, 0],
      [12, 0, 20, 20, 0],
    ]);
    const w = new World(map);
    sail(w, 'lift', 15, 10, 0, 0, [2, 0.2, 2]);
    w.guard.enter('p', { pos: [9.8, 0, 10], speed: 6 });
    for (let i = 0; i < 20; i++) w.move(50, 9.8, 10);
    const v = say(w, 100, 'lift', [-0.8, 0, 0], [14.2, 0, 10]);
    expect([v.accepted, v.reason]).toEqual([false, 'PathPartial']);
  });

  test('deck to deck: only where a step leads', () => {
    const w = onQuay(19.5);
    sail(w, 'near', 26.8, 20);
    sail(w, 'off', 32.5, 20);
    say(w, 300, 17, [-1.5, 0, 0], [20.8, 0, 20]);
    for (let i = 1; i <= 12; i++) say(w, 50, 17, [-1.5 + 0.25 * i, 0, 0], [20.8 + 0.25 * i, 0, 20]);
    expect(w.pos[0]).toBeCloseTo(23.8, 9);
    // 0.5 m of water to the next, 6.2 m to the one behind it
    expect(say(w, 1000, 'off', [-1.8, 0, 0], [30.7, 0, 20]).accepted).toBe(false);
    w.t += 2000;
    const hop = say(w, 1000, 'near', [-1.5, 0, 0], [25.3, 0, 20]);
    expect([hop.verdict, hop.reason, hop.used, hop.allowed]).toEqual([
      'accept',
      'Accept',
      expect.closeTo(1.5, 6),
      expect.closeTo(6.9, 6),
    ]);
    // to and fro over the gap costs every metre
    let metres = 0;
    let [at] = w.pos;
    for (let i = 0; i < 400; i++) {
      const there = i % 2 === 0;
      const v = there ? say(w, 10, 17, [1.9, 0, 0], [24.2, 0, 20]) : say(w, 10, 'near', [-1.9, 0, 0], [24.9, 0, 20]);
      if (v.accepted && Math.abs(w.pos[0] - at) > 0.5) metres += 0.7;
      at = w.pos[0];
    }
    expect(metres).toBeLessThan(6.9 * 1.3 + 4 * 6.9);
    expect(w.guard.score('p')).toBeGreaterThan(1);
  });

  test('on deck: speed, size and height are bounded in the carrier’s frame, however fast it is', () => {
    const w = new World(QUAYS());
    sail(w, 1, 25, 20, 0, 0, [60, 10, 60]);
    w.guard.enter('p', { pos: [25, 0, 20], speed: 6 });
    w.guard.attach('p', 1, [-29, 0, 0]);
    let x = -29;
    let refused = 0;
    for (let i = 0; i < 100; i++) {
      w.t += 50;
      sail(w, 1, 25 + i, 20, 0, 0, [60, 10, 60]);
      const v = w.guard.move('p', ++w.seq, 25 + i, 0, 20, { carrier: 1, offset: [x + 0.6, 0, 0] });
      if (v.reason === 'SpeedLimit') refused++;
      if (v.accepted) x += 0.6;
    }
    // 12 m/s is not to be had by word of offset, nor of position
    expect(refused).toBeGreaterThan(0);
    expect(x + 29).toBeLessThan(6.9 * 5 + 1.8);
    const w2 = new World(QUAYS());
    sail(w2, 1, 25, 20, 0, 0, [10, 40, 10]);
    w2.guard.enter('p', { pos: [25, 0, 20], speed: 6 });
    w2.guard.attach('p', 1, [0, -20, 0]);
    let y = -20;
    for (let i = 0; i < 40; i++) if (w2.move(25, 25, 20, y + 0.5).accepted) y += 0.5;
    // a jump, and what the credit pays
    expect(y + 20).toBeLessThan(2.1 + 0.5 + 1.8 + 6.9);
  });

  test('a carrier that jumps takes along who stands on it, and nobody else', () => {
    const w = onQuay(19.5);
    const { guard } = w;
    guard.enter('rider', { pos: [22.3, 0, 20], speed: 6 });
    guard.attach('rider', 17, [0, 0, 0]);
    guard.rtt('p', 300);
    w.t += 100;
    sail(w, 17, 400, 20);
    expect(guard.positionAt('rider')).toEqual([400, 0, 20]);
    // from before the rider heard of it
    expect(guard.move('rider', 1, 22.4, 0, 20).verdict).toBe('accept');
    expect(guard.positionAt('rider')?.[0]).toBeCloseTo(400, 0);
    for (const pos of [[20.8, 0, 20], w.pos, [398.5, 0, 20], [200, 0, 20]]) {
      expect(say(w, 20, 17, [-1.5, 0, 0], pos).accepted).toBe(false);
    }
    expect(w.pos[0]).toBe(19.5);
  });

  test('a refused claim changes nothing but what refusals change', () => {
    const w = onQuay(19.5);
    say(w, 300, 17, [-1.5, 0, 0], [20.8, 0, 20]);
    // off it into the water, and onto the quay but too far in
    for (const [x, z] of [
      [20.6, 26],
      [27, 20],
      [12, 20],
    ]) {
      const before = w.state;
      const v = w.move(40, x, z);
      expect(v.accepted).toBe(false);
      expect(v.pos?.[0]).toBeCloseTo(20.8, 9);
      const after = w.state;
      const changed = [...after.keys()].filter((k) => !Object.is(before[k], after[k]));
      // sequence number and time, flags, way-round time, correction, score
      const may = new Set([6, 7, 12, 13, 24, 44, 45, 46, 47, 48, 101, 117, 118, 216]);
      for (let k = 120; k < 129; k++) may.add(k);
      expect(changed.filter((k) => !may.has(k))).toEqual([]);
      w.t += 1000;
      expect(say(w, 0, 17, [-1.5, 0, 0], [20.8, 0, 20]).verdict).toBe('accept');
    }
  });

  test('the dead and the rooted stay, on the carrier', () => {
    const w = onQuay(19.5);
    say(w, 300, 17, [-1.5, 0, 0], [20.8, 0, 20]);
    w.guard.state('p', { rooted: true });
    w.t += 1000;
    sail(w, 17, 23.3, 20);
    expect(say(w, 50, 17, [-1.5, 0, 0], [21.8, 0, 20]).verdict).toBe('accept');
    expect(say(w, 50, 17, [-1, 0, 0], [22.3, 0, 20]).reason).toBe('ActionStatus');
    expect(w.move(600, 19.5, 20).reason).toBe('ActionStatus');
    expect(w.guard.begin('p', { seq: ++w.seq, from: w.pos, to: [10, 0, 20], speed: 6, duration: 2000 }).reason).toBe(
      'MoveStrategy',
    );
    expect(w.guard.input('p', ++w.seq, [1, 0], 50).reason).toBe('MoveStrategy');
    expect(w.pos[0]).toBeCloseTo(21.8, 9);
    w.guard.teleport('p', [10, 0, 20]);
    sail(w, 17, 24, 20);
    expect(w.pos).toEqual([10, 0, 20]);
  });
});

describe('facts', () => {
  test('wrong values throw and change nothing; unknown entities are answered with false', () => {
    const w = onQuay();
    const { guard } = w;
    guard.enter('a', { pos: [1, 0, 1], speed: 6 });
    guard.enter('b', { pos: [2, 0, 1], speed: 6 });
    const bad: (() => unknown)[] = [
      () => guard.carrier('', { pos: [0, 0, 0] }),
      () => guard.carrier(1.5, { pos: [0, 0, 0] }),
      () => guard.carrier(1, { pos: [0, Number.NaN, 0] }),
      () => guard.carrier(1, { pos: [0, 0, 0], yaw: Infinity }),
      () => guard.carrier(1, { pos: [0, 0, 0], size: -1 }),
      () => guard.carrier(1, { pos: [0, 0, 0], size: [1, 2, 3, 4] }),
      () => guard.carrier(1, { pos: [0, 0, 0], size: [1, 1, 1, 0, 0, 0] }),
      () => guard.carrier(1, { pos: [0, 0, 0], past: [0, 1] }),
      () => guard.attach('p', 1, [0, 0, 0]),
      () => guard.attach('p', 'p', [0, 0, 0]),
      () => guard.attach('p', 17, [0, 0, Number.NaN]),
    ];
    for (const call of bad) expect(call).toThrow(NavguardError);
    expect(guard.attach('nobody', 17, [0, 0, 0])).toBe(false);
    expect(guard.detach('nobody')).toBe(false);
    expect(guard.detach('p')).toBe(true);
    guard.attach('a', 'b', [0, 0, 0]);
    expect(() => guard.attach('b', 'a', [0, 0, 0])).toThrow(/stands on this entity/);
    expect(guard.attach('a', 17, [0, 0, 1])).toBe(true);
    expect(guard.positionAt('a')).toEqual([22.3, 0, 21]);
    expect(guard.attach('b', 'a', [0, 0, 1])).toBe(true);
    expect(guard.positionAt('b')).toEqual([22.3, 0, 22]);
  });

  test('an export knows its carrier by name: on another guard it is on that one, or where it was', () => {
    const map = QUAYS();
    const guards = [0, 1, 2].map(() => new MoveGuard(map, {}, { now: () => 1000 }));
    guards[0].carrier(17, { pos: [22, 0, 20] });
    guards[1].carrier(17, { pos: [26, 0, 20] });
    guards[0].enter('p', { pos: [19, 0, 20], speed: 6 });
    guards[0].attach('p', 17, [1, 0, 0]);
    const bytes = guards[0].export('p') as Uint8Array;
    guards[1].import(bytes);
    guards[2].import(bytes);
    expect(guards[1].positionAt('p')).toEqual([27, 0, 20]);
    expect(guards[2].positionAt('p')).toEqual([23, 0, 20]);
    guards[1].carrier(17, { pos: [30, 0, 20] });
    expect(guards[1].positionAt('p')).toEqual([31, 0, 20]);
    const { carried } = guards[1].kept('p') as { carried?: { carrier: unknown } };
    expect(carried?.carrier).toBe(17);
  });

  test('memory does not grow with what is told', () => {
    const w = new World(field());
    for (let i = 0; i < 20_000; i++) {
      w.t += 5;
      sail(w, 'ship', 10 + (i % 300), 20);
      sail(w, `boat ${i}`, 5, 5);
      w.guard.carrier(`boat ${i}`, null);
    }
    const { carriers } = w.guard.scene;
    expect(carriers.size).toBe(1);
    expect(carriers.get('ship')?.count).toBeLessThanOrEqual(64);
    expect(carriers.get('ship')?.past().length).toBeLessThanOrEqual(1 + 64 * 6);
  });
});
