// The public cases that need no more than one floor and walls, each by its name. Numbers: speed 6 m/s, tolerance 15 %, 20
// claims a second, so 0.345 m of budget a claim and a burst of 6.9 m (8.97 m at 300 ms of latency).
import { describe, expect, test } from 'vitest';
import { MoveGuard } from '../../src/guard.ts';
import * as L from '../../src/rules/ledger.ts';
import { accepted, blockedField, field, firstRefusal, floors, World } from './world.ts';

const FIELD = field();

function onField(rules: Record<string, unknown> = {}, speed = 6): World {
  const w = new World(FIELD, rules);
  w.guard.enter('p', { pos: [5, 0, 30], speed });
  return w;
}
/** Metres gained beyond what time at full tolerance allows are never more than the burst. */
const BURST = 6 * 1.15;

describe('A: clock, jitter, bursts', () => {
  test('A1 a burst after 0.9 s of silence', () => {
    const w = onField();
    w.t = 900;
    expect(accepted(w.walk(18, 5 / 18, 0.3, 0))).toBe(true);
    expect(w.pos[0]).toBeCloseTo(5 + 5.4, 9);
  });
  test('A3 1.8 m hops every 34 ms', () => {
    const w = onField();
    const verdicts = w.run(59, 34, [5, 30], 1.8, 0);
    const first = firstRefusal(verdicts);
    expect((first + 1) * 34).toBeLessThanOrEqual(300);
    expect(verdicts.slice(first).some((v) => v.accepted)).toBe(false);
    expect(verdicts[first].reason).toBe('SpeedLimit');
  });
  test('A4 twenty moves in one instant, every tick', () => {
    const w = onField();
    let x = 5;
    let metres = 0;
    let refused = 0;
    for (let tick = 1; tick <= 40; tick++) {
      w.t = 50 * tick;
      for (let i = 0; i < 20; i++) {
        const v = w.move(0, x + 0.3, 30);
        if (v.accepted) {
          x += 0.3;
          metres += 0.3;
        } else {
          expect(v.reason).toBe('SpeedLimit');
          refused++;
        }
      }
    }
    expect(refused).toBeGreaterThan(600);
    expect(metres).toBeLessThanOrEqual(BURST + 2 * 6.9);
  });
  test('A6 two moves in one millisecond', () => {
    const w = onField();
    w.t = 100;
    const verdicts = [w.move(0, 5.15, 30), w.move(0, 5.3, 30)];
    expect(accepted(verdicts)).toBe(true);
    for (const v of verdicts) {
      expect(v.score).toBe(0);
      expect(Number.isFinite(v.allowed)).toBe(true);
    }
  });
  test('A7 slow, then fast: unused time is not banked', () => {
    const w = onField();
    expect(accepted(w.walk(100, 50, 0.15, 0))).toBe(true);
    const start = w.pos[0];
    const verdicts = w.run(100, 50, [start, 30], 0.6, 0);
    const first = firstRefusal(verdicts);
    expect(first).toBeGreaterThan(0);
    expect(0.6 * first - 0.345 * first).toBeLessThanOrEqual(BURST);
    expect(verdicts[first].reason).toBe('SpeedLimit');
  });
  test('A10 the clock passes 2^31 and 2^32', () => {
    for (const at of [2 ** 31, 2 ** 32, 2 ** 40]) {
      const w = new World(FIELD);
      w.t = at - 1000;
      w.guard.enter('p', { pos: [5, 0, 30], speed: 6 });
      expect(accepted(w.walk(40, 50, 0.3, 0))).toBe(true);
    }
  });
  test('A9 a wall clock that steps is not asked; a guard clock that steps back stands still', () => {
    const w = onField();
    expect(accepted(w.walk(20, 50, 0.3, 0))).toBe(true);
    const before = w.pos;
    w.t -= 5000;
    expect(w.move(0, before[0] + 0.3, 30).accepted).toBe(true);
    w.t = 1100;
    expect(w.move(0, before[0] + 0.6, 30).accepted).toBe(true);
  });
  test('A12 30 m/s at 400 ms: latency is credited once', () => {
    const w = onField();
    w.guard.rtt('p', 400);
    const verdicts = w.run(40, 50, [5, 30], 1.5, 0);
    const first = firstRefusal(verdicts);
    expect(first).toBeGreaterThanOrEqual(0);
    expect(first * (1.5 - 0.345)).toBeLessThanOrEqual(6.9 * 1.3);
    expect(verdicts[first].reason).toBe('SpeedLimit');
  });
  test('A14 20 s asleep, then 40 m: put back, next to no score', () => {
    const w = onField();
    const v = w.move(20_000, 45, 30);
    expect([v.verdict, v.reason]).toEqual(['correct', 'SpeedLimit']);
    expect(v.score).toBe(0);
    expect(v.action).toBe('none');
  });
  test('A15 60 s idle, then 12 m in one move', () => {
    const w = onField();
    const v = w.move(60_000, 17, 30);
    expect([v.verdict, v.reason]).toEqual(['correct', 'SpeedLimit']);
    expect(v.allowed).toBeCloseTo(6.9, 9);
    expect(w.move(1000, 11.9, 30).accepted).toBe(true);
  });
  test('A17 boiled frog', () => {
    const w = onField();
    let x = 5;
    let excess = 0;
    for (let i = 1; i <= 1000; i++) {
      const speed = 6 + i * 0.05 * 0.06;
      x += speed * 0.05;
      if (speed > 6.9) excess += (speed - 6.9) * 0.05;
      const v = w.move(50, x, 30);
      if (!v.accepted) {
        expect(v.reason).toBe('SpeedLimit');
        expect(speed).toBeGreaterThan(6.9);
        expect(excess).toBeGreaterThan(BURST - 0.5);
        expect(excess).toBeLessThanOrEqual(BURST + 0.05);
        return;
      }
    }
    throw new Error('never refused');
  });
  test('A18 keyboard start and stop', () => {
    const w = onField();
    expect(accepted(w.walk(40, 50, 0.15, 0))).toBe(true);
    expect(accepted(w.walk(40, 50, 0.3, 0))).toBe(true);
    expect(accepted(w.walk(10, 50, 0, 0))).toBe(true);
    expect(accepted(w.walk(40, 50, -0.3, 0))).toBe(true);
  });
  test('A19 auto-run', () => {
    const w = onField();
    const verdicts = w.walk(600, 100, 0.6, 0);
    expect(accepted(verdicts)).toBe(true);
    expect(verdicts[599].action).toBe('none');
    expect(verdicts[599].score).toBe(0);
  });
});

describe('B: numbers and sequence', () => {
  test('B1 NaN leaves the state bit-identical', () => {
    const w = onField();
    w.move(50, 5.3, 30);
    const before = w.state;
    w.t += 50;
    const v = w.guard.move('p', 2, NaN, 0, 30);
    expect([v.verdict, v.reason]).toEqual(['reject', 'Malformed']);
    expect(v.detail).toMatch(/^x: /);
    expect(v.pos).toEqual([5.3, 0, 30]);
    expect(w.state).toEqual(before);
    expect(w.guard.move('p', 2, 5.6, 0, 30).accepted).toBe(true);
  });
  test('B2 infinities and overflow', () => {
    const w = onField();
    w.t = 50;
    for (const bad of [Infinity, -Infinity]) {
      for (let k = 0; k < 3; k++) {
        const pos: [number, number, number] = [5, 0, 30];
        pos[k] = bad;
        expect(w.guard.move('p', 1, ...pos).reason).toBe('Malformed');
      }
    }
    expect(w.guard.move('p', 1, 1e308, 0, -1e308).verdict).toBe('correct');
    expect(w.guard.begin('p', { seq: 2, from: [5, 0, 30], to: [9, 0, 30], speed: NaN, duration: 900 }).reason).toBe(
      'Malformed',
    );
    expect(w.guard.begin('p', { seq: 2, from: [5, 0, 30], to: [9, 0, 30], speed: 6, duration: NaN }).reason).toBe(
      'Malformed',
    );
    expect([...w.state].some(Number.isNaN)).toBe(false);
    expect(w.guard.move('p', 3, 5.3, 0, 30).accepted).toBe(true);
  });
  test('B4 the number wraps', () => {
    const w = onField();
    w.t = 1000;
    const seqs = [0xfffffffe, 0xffffffff, 0, 1];
    for (const seq of seqs) expect(w.guard.move('p', seq, 5, 0, 30).verdict).toBe('accept');
    const v = w.guard.move('p', 0xffffffff, 5, 0, 30);
    expect([v.verdict, v.reason, v.score]).toEqual(['reject', 'Replay', 0]);
  });
  test('B6 a refused claim uses up its number', () => {
    const map = blockedField(20, 20, 1, [[10, 0, 11, 20]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [9, 0, 10], speed: 6 });
    w.t = 500;
    expect(['Wall', 'PathPartial', 'TargetNotOnNavMesh']).toContain(w.guard.move('p', 7, 10.5, 0, 10).reason);
    expect(w.guard.move('p', 7, 9.1, 0, 10).reason).toBe('Replay');
    expect(w.guard.move('p', 8, 9.1, 0, 10).reason).toBe('Accept');
  });
  test('B9 numbers that are none', () => {
    const w = onField();
    for (const seq of [-1, 1.5, 2 ** 53, 2 ** 32, '7', null, undefined, {}, NaN, 7n, Symbol('7')]) {
      const v = w.guard.move('p', seq as number, 5, 0, 30);
      expect([v.verdict, v.reason]).toEqual(['reject', 'Malformed']);
      expect(v.detail).toMatch(/^seq: /);
    }
    expect(w.guard.move('p', -0, 5, 0, 30).accepted).toBe(true);
  });
  test('a forged number far ahead does not lock the player out', () => {
    const w = onField();
    w.move(50, 5, 30);
    expect(w.guard.move('p', 2 ** 31, 5, 0, 30).reason).toBe('Replay');
    expect(w.guard.move('p', 1 + 65536 + 1, 5, 0, 30).reason).toBe('Replay');
    expect(w.guard.move('p', 2, 5, 0, 30).reason).toBe('Accept');
  });
  test('getters that throw, proxies, strange ids', () => {
    const w = onField();
    const trap = {
      get mapVersion(): string {
        throw new Error('trap');
      },
    };
    expect(w.guard.move('p', 1, 5, 0, 30, trap).reason).toBe('Malformed');
    const proxy = new Proxy(
      {},
      {
        get: () => {
          throw new Error('trap');
        },
      },
    );
    expect(w.guard.begin('p', proxy as never).reason).toBe('Malformed');
    expect(w.guard.begin('p', null as never).reason).toBe('NullMoveData');
    expect(w.guard.begin('p', { seq: 1, from: [5, 0, 30], speed: 6, duration: 1 } as never).reason).toBe('TargetPos');
    expect(w.guard.begin('p', { seq: 1, from: [5, 0, 30], to: [6, 0], speed: 6, duration: 1 }).reason).toBe(
      'Malformed',
    );
    const odd = { seq: 1, from: [5, 0, 30], to: { length: 3, 0: 1, 1: '2', 2: proxy }, speed: 6, duration: 1 };
    expect(w.guard.begin('p', odd).reason).toBe('Malformed');
    for (const id of [undefined, null, 7, {}, Symbol('p')]) {
      expect(w.guard.move(id as string, 1, 5, 0, 30).reason).toBe('Malformed');
    }
    expect(w.guard.move('p', 1, 5, 0, 30, 'x' as never).reason).toBe('Malformed');
    const stranger = w.guard.move('nobody', 1, 5, 0, 30);
    expect([stranger.verdict, stranger.reason, stranger.pos]).toEqual(['reject', 'UnknownEntity', null]);
  });
});

describe('C: walls', () => {
  test('C1 a hop across a 1.2 m gap with full credit', () => {
    // 30 x 30 m in 0.2 m cells; the wall's gap is 6 cells, from z 2 to 28: the way round is 15 m and more
    const map = blockedField(150, 150, 0.2, [[72, 10, 78, 150]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [14.3, 0, 15], speed: 6 });
    for (let i = 0; i < 100; i++) w.move(50, 14.3, 15);
    const v = w.move(100, 15.7, 15);
    expect([v.verdict, v.reason]).toEqual(['correct', 'Wall']);
    expect(v.straight).toBeCloseTo(1.4, 9);
    expect(v.used).toBeGreaterThan(20);
    expect(v.bound).toBe('exact');
    expect(v.pos).toEqual([14.3, 0, 15]);
  });
  test('C9 squeezing diagonally between two blocked cells', () => {
    const map = blockedField(3, 3, 1, [
      [1, 0, 2, 1],
      [0, 1, 1, 2],
    ]);
    for (const [from, to] of [
      [
        [0.5, 0.5],
        [1.5, 1.5],
      ],
      [
        [1.5, 1.5],
        [0.5, 0.5],
      ],
    ]) {
      for (const wall of ['reach', 'sight']) {
        const w = new World(map, { wall });
        w.guard.enter('p', { pos: [from[0], 0, from[1]], speed: 6 });
        expect(['Wall', 'PathPartial']).toContain(w.move(1000, to[0], to[1]).reason);
      }
    }
  });
  test('C21 a chord that clips a pillar, and one through a wall', () => {
    // pillar of 1 x 1 m; the chord passes 0.1 m inside its corner: round it is 3.0 m plus a little
    const map = blockedField(200, 100, 0.1, [
      [50, 50, 60, 60],
      [100, 10, 102, 100],
    ]);
    const w = new World(map);
    w.guard.enter('p', { pos: [4, 0, 5.1], speed: 6 });
    w.move(500, 4, 5.1);
    const round = w.move(500, 7, 5.1);
    expect(round.verdict).toBe('accept');
    expect(round.bound).toBe('exact');
    expect(round.length).toBeGreaterThan(3);
    expect(round.length).toBeLessThan(3.2);
    expect(w.walk(20, 50, 0, 0.2).every((v) => v.accepted)).toBe(true);
    w.walk(6, 500, 0.25, 0);
    expect(w.pos[0]).toBeCloseTo(8.5, 6);
    const through = w.move(500, 11.5, 9.1);
    expect([through.verdict, through.reason]).toEqual(['correct', 'Wall']);
    expect(through.used).toBeGreaterThan(14);
  });
  test('wall "sight" refuses what "reach" lets round a corner', () => {
    const map = blockedField(200, 100, 0.1, [[50, 50, 60, 60]]);
    const w = new World(map, { wall: 'sight' });
    w.guard.enter('p', { pos: [4, 0, 5.1], speed: 6 });
    w.move(500, 4, 5.1);
    expect(w.move(500, 7, 5.1).reason).toBe('Wall');
    expect(w.move(500, 4, 4.9).reason).toBe('Accept');
    expect(w.move(500, 7, 4.9).reason).toBe('Accept');
  });
  test('pressed into a wall is Wall; a point in the middle of nowhere is TargetNotOnNavMesh', () => {
    const map = blockedField(60, 20, 1, [[20, 0, 59, 20]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [19, 0, 10], speed: 6 });
    w.t = 500;
    expect(w.move(0, 20.3, 10).reason).toBe('Wall');
    const far = new World(blockedField(60, 20, 1, [[20, 0, 59, 20]]), { burstMs: 10_000 });
    far.guard.enter('p', { pos: [5, 0, 10], speed: 100 });
    expect(far.move(9000, 5, 10).accepted).toBe(true);
    expect(['TargetNotOnNavMesh', 'Wall']).toContain(far.move(9000, 55, 10).reason);
  });
  test('C4 an entity put 0.35 m outside the mesh', () => {
    const w = new World(floors([[0, 0, 40, 40, 0]]), { edgeTolerance: 0.1 });
    w.guard.enter('p', { pos: [-0.35, 0, 20], speed: 6 });
    expect(w.move(50, -0.35, 20.3).verdict).toBe('accept'); // along
    const out = w.move(50, -0.45, 20.3);
    expect(out.accepted).toBe(false); // farther out
    expect(w.move(50, -0.2, 20.3).verdict).toBe('accept'); // back
    expect(w.move(50, -0.34, 20.3).accepted).toBe(false); // not out again
    expect(w.move(50, 0.2, 20.3).verdict).toBe('accept');
    expect(w.move(50, -0.09, 20.3).verdict).toBe('accept');
  });
  test('creeping out by the grid error gains nothing', () => {
    const w = new World(floors([[0, 0, 40, 40, 0]]), { edgeTolerance: 0.1 });
    w.guard.enter('p', { pos: [-0.35, 0, 20], speed: 6 });
    for (let i = 1; i <= 100; i++) w.move(50, w.pos[0] - 0.0015, 20);
    expect(w.pos[0]).toBeGreaterThan(-0.353);
  });
});

describe('D: teleports, grants, states', () => {
  test('D1 packets from before a teleport are stale', () => {
    const w = onField();
    w.guard.rtt('p', 200);
    w.move(50, 5.3, 30);
    w.guard.teleport('p', [100, 0, 30]);
    for (const x of [5.6, 5.9]) {
      const v = w.move(50, x, 30);
      expect([v.verdict, v.reason, v.score]).toEqual(['ignore', 'Stale', 0]);
      expect(v.pos).toEqual([100, 0, 30]);
    }
    expect(w.move(100, 100, 30).verdict).toBe('accept');
    // the wait is over: a claim at the old place is now a jump
    expect(w.move(50, 6, 30).reason).toBe('Teleport');
  });
  test('D1 a claim on its way to the new place is stale too', () => {
    const w = onField();
    w.guard.teleport('p', [100, 0, 30]);
    const v = w.move(50, 94, 30);
    expect([v.verdict, v.reason]).toEqual(['ignore', 'Stale']);
    expect(w.move(50, 99.2, 30).verdict).toBe('accept');
  });
  test('a teleport voids older grants, not younger ones', () => {
    const w = onField();
    w.guard.grant('p', [200, 0, 30]);
    w.guard.teleport('p', [100, 0, 30]);
    expect(w.move(50, 200, 30).verdict).toBe('ignore');
    w.guard.grant('p', [200, 0, 30]);
    expect(w.move(50, 200, 30).verdict).toBe('accept');
    expect(w.move(50, 200.1, 30).verdict).toBe('accept');
  });
  test('the wait after a teleport ends by time, and by ack', () => {
    const w = onField();
    w.guard.teleport('p', [100, 0, 30]);
    expect(w.move(501, 5, 30).reason).toBe('Teleport');
    const u = onField();
    u.guard.teleport('p', [100, 0, 30]);
    u.guard.ack('p', 0);
    expect(u.move(50, 5, 30).reason).toBe('Teleport');
  });
  test('D3, D4, D8 grants: one use, not burnt by a step, expiring', () => {
    const w = onField();
    w.guard.grant('p', [200, 0, 30]);
    expect(w.move(50, 5.1, 30).verdict).toBe('accept');
    const used = w.move(50, 200.5, 30);
    expect([used.verdict, used.pos]).toEqual(['accept', [200.5, 0, 30]]);
    expect(w.move(50, 5, 30).reason).toBe('Teleport');
    w.guard.ack('p', 1);
    const late = onField();
    late.guard.grant('p', [65, 0, 30], { ttl: 1000 });
    expect(late.move(1001, 65, 30).reason).toBe('Teleport');
    const twice = onField();
    twice.guard.grant('p', [205, 0, 30]);
    expect(twice.move(50, 205, 30).accepted).toBe(true);
    twice.guard.teleport('p', [5, 0, 30]);
    twice.guard.ack('p', 0);
    expect(twice.move(50, 205, 30).reason).toBe('Teleport');
  });
  test('D6 a skill in the packet buys nothing', () => {
    const w = onField();
    w.t = 1000;
    expect(w.guard.move('p', 1, 65, 0, 30, { skill: 'blink' }).reason).toBe('Teleport');
    const u = onField();
    u.t = 1000;
    expect(u.guard.move('p', 1, 25, 0, 30, { skill: 'blink' }).reason).toBe('SpeedLimit');
  });
  test('D7 alternating near and far claims', () => {
    const w = onField();
    let x = 5;
    for (let i = 1; i <= 10; i++) {
      const near = i % 2 === 1;
      const v = w.move(10, near ? x + 0.05 : 100, 30);
      if (near) x += 0.05;
      expect(v.accepted).toBe(near);
      expect(v.pos).toEqual([x, 0, 30]);
    }
  });
  test('D17 map version', () => {
    const w = onField();
    w.guard.version('v2');
    w.t = 50;
    const before = w.state;
    const v = w.guard.move('p', 1, 5.3, 0, 30, { mapVersion: 'v1' });
    expect([v.verdict, v.reason]).toEqual(['reject', 'MapVersionMismatch']);
    expect(changes(before, w.state)).toEqual([L.SEQ, L.FLAGS, L.JUDGED_T, L.OPEN]);
    expect(w.guard.move('p', 1, 5.3, 0, 30, { mapVersion: 'v2' }).reason).toBe('Replay');
    expect(w.guard.move('p', 2, 5.3, 0, 30, { mapVersion: 'v2' }).reason).toBe('Accept');
  });
  test('D18, F16 dead and rooted', () => {
    for (const [state, reason] of [
      [{ alive: false }, 'LiveStatus'],
      [{ rooted: true }, 'ActionStatus'],
    ] as const) {
      const w = onField();
      w.walk(3, 50, 0.3, 0);
      const [x] = w.pos;
      w.guard.state('p', state);
      const flight = w.move(80, x + 0.3, 30);
      expect([flight.verdict, flight.reason, flight.score]).toEqual(['ignore', reason, 0]);
      expect(w.move(50, x, 30).verdict).toBe('accept');
      const later = w.move(1000, x + 0.3, 30);
      expect(later.reason).toBe(reason);
      expect(later.accepted).toBe(false);
      expect(later.pos).toEqual([x, 0, 30]);
      expect(w.move(50, x, 30).verdict).toBe('accept');
      w.guard.state('p', { alive: true, rooted: false });
      expect(w.move(50, x + 0.3, 30).verdict).toBe('accept');
    }
  });
  test('D20 a correction carries the authoritative position and a number', () => {
    const w = onField();
    w.move(50, 5.3, 30);
    const v = w.move(50, 30, 31);
    expect(v.pos).toEqual([5.3, 0, 30]);
    expect(v.correction).toBe(1);
    w.guard.ack('p', 1);
    expect(w.move(50, 30, 31).correction).toBe(2);
  });
});

describe('E: speed', () => {
  test('E1 a buff ends: in flight is fine, going on is not', () => {
    const w = new World(FIELD);
    w.guard.enter('p', { pos: [5, 0, 30], speed: 9.6 });
    w.guard.rtt('p', 300);
    expect(accepted(w.walk(60, 50, 0.48, 0))).toBe(true);
    w.guard.setSpeed('p', 6);
    expect(accepted(w.walk(9, 50, 0.48, 0))).toBe(true);
    const verdicts = w.run(80, 50, [w.pos[0], 30], 0.48, 0);
    const first = firstRefusal(verdicts);
    expect(verdicts[first].reason).toBe('SpeedLimit');
    expect(first * 50).toBeLessThanOrEqual(3400);
    expect(first * 50).toBeGreaterThan(2500);
  });
  test('E3 speed 0 in the air: down is fine, aside is not', () => {
    const w = new World(floors([[0, 0, 40, 40, 0]]));
    w.guard.enter('p', { pos: [20, 2, 20], speed: 6 });
    w.t = 500;
    w.guard.setSpeed('p', 0);
    expect(w.move(200, 20, 20, 1.6).verdict).toBe('accept');
    const aside = w.move(50, 20.4, 20, 1.3);
    expect(aside.reason).toBe('SpeedLimit');
    expect(w.move(100, 20, 20, 0.6).verdict).toBe('accept');
    expect(w.move(100, 20, 20, 0).verdict).toBe('accept');
  });
  test('E4 a knock-back pays for its metres', () => {
    for (const pushed of [true, false]) {
      const w = onField();
      // spend the credit: walk at 6.9 m/s with the first 1.725 m gone at once
      w.move(0, 5 + 1.725, 30);
      if (pushed) w.guard.impulse('p', [14, 0, 0], 20);
      const verdicts = w.run(10, 50, [w.pos[0], 30], 0.45, 0);
      expect(accepted(verdicts)).toBe(pushed);
    }
  });
  test('a boost adds its metres and no more', () => {
    const w = onField();
    w.move(0, 5 + 1.725, 30);
    w.guard.boost('p', 10, 1000); // 6.9 + 10 m/s for a second
    expect(accepted(w.walk(20, 50, 0.84, 0))).toBe(true);
    const verdicts = w.run(40, 50, [w.pos[0], 30], 0.84, 0);
    // 20 x (0.845 - 0.84) = 0.1 m left, then 0.345 a claim
    expect(firstRefusal(verdicts)).toBe(0);
  });
  test('E7 re-clicking charges what was walked', () => {
    const w = onField();
    let refused = 0;
    for (let i = 0; i < 12; i++) {
      w.t += 333;
      const [x, y, z] = w.pos;
      const v = w.guard.begin('p', { seq: ++w.seq, from: [x, y, z], to: [x + 24, 0, z], speed: 6, duration: 4000 });
      if (!v.accepted) refused++;
    }
    expect(refused).toBe(0);
    expect(w.pos[0]).toBeCloseTo(5 + 11 * 0.333 * 6, 1);
  });
});

describe('F: exploits, and honest players', () => {
  test('F1 0.2 m beyond what time allows, 100 times a second', () => {
    const w = onField();
    const verdicts = w.run(200, 10, [5, 30], 0.069 + 0.2, 0);
    expect(firstRefusal(verdicts)).toBeGreaterThanOrEqual(0);
    expect(firstRefusal(verdicts) * 0.2).toBeLessThanOrEqual(BURST);
  });
  test('F2 forward and back by clicks: every metre is charged', () => {
    const w = onField();
    let metres = 0;
    let [lastX] = w.pos;
    for (let i = 0; i < 100; i++) {
      w.t += 100;
      const [x] = w.pos;
      metres += Math.abs(x - lastX);
      lastX = x;
      const far = i % 2 === 0;
      w.guard.begin('p', {
        seq: ++w.seq,
        from: [far ? 5 : 15, 0, 30],
        to: [far ? 15 : 5, 0, 30],
        speed: 6.9,
        duration: 1450,
      });
    }
    expect(metres / 10).toBeLessThanOrEqual(6.9 + 1e-9);
  });
  test('F3 stop and duration gain nothing', () => {
    const w = onField();
    expect(
      w.guard.begin('p', { seq: 1, from: [5, 0, 30], to: [25, 0, 30], speed: 6, duration: 1, stop: 20 }).reason,
    ).toBe('Malformed');
    expect(
      w.guard.begin('p', { seq: 2, from: [5, 0, 30], to: [25, 0, 30], speed: 6, duration: 1, stop: 5 }).reason,
    ).toBe('DurationMismatch');
    w.seq = 2;
    let metres = 0;
    for (let i = 0; i < 50; i++) {
      const [x] = w.pos;
      const v = w.guard.begin('p', { seq: ++w.seq, from: [x, 0, 30], to: [x + 0.6, 0, 30], speed: 6.9, duration: 1 });
      expect(v.accepted).toBe(true); // 0.6 m take 87 ms, within the slack of durations
      w.t += 50;
      metres += w.pos[0] - x;
    }
    expect(metres / 2.5).toBeLessThanOrEqual(6.9 + 1e-9);
  });
  test('F4 a huge round-trip time buys no more than 450 ms', () => {
    const w = new World(FIELD);
    w.guard.enter('p', { pos: [5, 0, 30], speed: 14 });
    w.guard.rtt('p', 10_000);
    w.walk(20, 50, 0.7, 0);
    w.guard.setSpeed('p', 6);
    const verdicts = w.run(100, 50, [w.pos[0], 30], 0.7, 0);
    // after 450 ms the credit is at most 8.97 m and shrinks by 14 - 6.9 m/s
    expect(firstRefusal(verdicts) * 50).toBeGreaterThanOrEqual(450);
    expect(firstRefusal(verdicts) * 50).toBeLessThanOrEqual(450 + 8970 / 7.1 + 50);
  });
  test('F5 toggling a sprint buys nothing', () => {
    for (const rtt of [0, 300]) {
      const w = onField();
      w.guard.rtt('p', rtt);
      let x = 5;
      let refusedAt = 0;
      for (let i = 1; i <= 200 && refusedAt === 0; i++) {
        w.t += 50;
        w.guard.setSpeed('p', i % 2 === 1 ? 9 : 6);
        x += 0.45;
        if (!w.move(0, x, 30).accepted) refusedAt = w.t;
      }
      expect(refusedAt).toBeGreaterThan(0);
      expect(refusedAt).toBeLessThan(10_000);
    }
  });
  test('F6 refused tries do not ripen', () => {
    // a wall whose way round is about 12 m: two seconds
    const map = blockedField(100, 100, 0.2, [[50, 0, 52, 80]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [9.8, 0, 10], speed: 6 });
    w.walk(20, 50, 0, 0);
    for (let i = 0; i < 30; i++) {
      const v = w.move(100, 10.6, 10);
      expect(v.accepted).toBe(false);
      expect(v.reason).toBe('Wall');
    }
  });
  test('F7 a short way round, back and forth every packet', () => {
    // the way round the wall's end is about 2.5 m: 2.3 m after forgiveness, 333 ms; a packet brings 50 ms
    const map = blockedField(100, 100, 0.2, [[50, 0, 51, 50]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [9.9, 0, 8.9], speed: 6 });
    w.walk(40, 50, 0, 0);
    let crossings = 0;
    for (let i = 0; i < 40; i++) {
      const side = w.pos[0] < 10 ? 10.3 : 9.9;
      if (w.move(50, side, 8.9).accepted) crossings++;
    }
    expect(crossings).toBeLessThanOrEqual(2);
  });
  test('F8 leaving and entering again', () => {
    const w = onField();
    let metres = 0;
    let at = 5;
    let score = 0;
    for (let i = 0; i < 50; i++) {
      w.t += 10;
      w.guard.enter('p', { pos: [at, 0, 30], speed: 6 });
      if (w.move(0, at + 1.5, 30).accepted) {
        at += 1.5;
        metres += 1.5;
      } else expect(w.move(0, at + 30, 30).accepted).toBe(false);
      w.guard.leave('p');
      expect(w.guard.score('p')).toBeNull();
    }
    w.guard.enter('p', { pos: [at, 0, 30], speed: 6 });
    score = w.guard.score('p') ?? 0;
    expect(metres).toBeLessThanOrEqual(1.725 + 0.5 * 6.9 + 1e-9);
    expect(score).toBeGreaterThan(1);
    w.guard.leave('p');
    w.t += 60_001;
    w.guard.enter('p', { pos: [at, 0, 30], speed: 6 });
    expect(w.guard.score('p')).toBe(0);
  });
  test('F9 a grant beside a wall is not a grant behind it', () => {
    const map = blockedField(100, 100, 0.2, [[50, 0, 51, 90]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [2, 0, 10], speed: 6 });
    w.guard.grant('p', [9.5, 0, 10]);
    w.t = 50;
    expect(w.move(0, 10.4, 10).accepted).toBe(false);
    expect(w.move(0, 9.7, 10).accepted).toBe(true);
  });
  test('F10 hovering between touches of the ground', () => {
    const w = new World(floors([[0, 0, 40, 40, 0]]));
    w.guard.enter('p', { pos: [20, 0, 20], speed: 6 });
    const reasons = new Set<string>();
    for (let round = 0; round < 3; round++) {
      w.move(50, 20, 20, 0);
      for (let i = 0; i < 57; i++) {
        const v = w.move(50, 20, 20, Math.min(2.2, 0.3 * (i + 1)));
        if (!v.accepted) reasons.add(v.reason);
      }
    }
    expect([...reasons]).toEqual(['Airborne']);
  });
  test('an honest jump is fine at any rate and with a stall in it', () => {
    for (const dt of [8, 50, 200]) {
      const w = new World(floors([[0, 0, 40, 40, 0]]));
      w.guard.enter('p', { pos: [2, 0, 20], speed: 6 });
      const v0 = Math.sqrt(2 * 9.81 * 2.1);
      for (let jump = 0; jump < 3; jump++) {
        const start = w.t;
        for (let s = 0; s <= 1350; s += dt) {
          const y = Math.max(0, v0 * (s / 1000) - 4.905 * (s / 1000) ** 2);
          w.t = start + Math.floor(s / 500) * 500 + 499; // arrives in flushes of half a second
          expect(w.move(0, w.pos[0] + 0.006 * dt, 20, y).verdict).toBe('accept');
        }
        w.move(500, w.pos[0], 20, 0);
      }
    }
  });
  test('F11 the grossest probe while a correction is pending is scored', () => {
    const w = onField();
    w.walk(20, 50, 0.3, 0);
    const [x] = w.pos;
    const allowed = w.move(50, x, 30).allowed ?? 0;
    expect(w.move(0, x + allowed * 1.1, 30).score).toBeCloseTo(0.1, 2);
    for (let i = 1; i <= 10; i++) {
      const v = w.move(1, x + allowed * (i === 5 ? 4 : 2), 30);
      expect([v.verdict, v.correction]).toEqual(['ignore', 0]);
      expect(v.score).toBeLessThan(0.11);
    }
    w.guard.ack('p', 1);
    // the run is scored as its grossest: 4 times what was allowed (a little more had been earned by then)
    const score = w.guard.score('p') ?? 0;
    expect(score).toBeGreaterThan(2.9);
    expect(score).toBeLessThan(3.01);
  });
  test('F12 a stall, a lost packet, and a corner', () => {
    const map = blockedField(200, 200, 0.1, [[50, 0, 150, 100]]);
    const w = new World(map);
    // walks along z below the block's far edge, round its corner at (15, 10)
    w.guard.enter('p', { pos: [16, 0, 8.8], speed: 6 });
    w.move(200, 15.2, 8.8);
    const v = w.move(700, 13.9, 10.2);
    expect(v.verdict).toBe('accept');
  });
  test('F14 numbers by frame, ten minutes idle', () => {
    const w = onField();
    w.move(50, 5.3, 30);
    w.t += 600_000;
    expect(w.guard.move('p', 1 + 144 * 600, 5.6, 0, 30).verdict).toBe('accept');
  });
  test('F15 reordered packets', () => {
    const w = onField();
    w.t = 200;
    const answers = [1, 3, 2, 4].map((seq) => w.guard.move('p', seq, 5 + 0.3 * seq, 0, 30).copy());
    expect(answers.map((v) => v.reason)).toEqual(['Accept', 'Accept', 'Replay', 'Accept']);
    expect(answers[2].score).toBe(0);
  });
  test('F17 a 2 s stall at a run, then the flush', () => {
    const w = onField();
    w.walk(20, 50, 0.3, 0);
    const from = w.pos[0];
    w.t += 2000;
    const verdicts = w.run(40, 0.1, [from, 30], 0.3, 0);
    expect(verdicts.filter((v) => v.correction > 0).length).toBeLessThanOrEqual(1);
    w.guard.ack('p', 1);
    expect(w.guard.score('p')).toBeLessThan(0.1);
    expect(accepted(w.walk(40, 50, 0.3, 0))).toBe(true);
  });
  test('a pause of the server raises the cap for what piled up, once', () => {
    const w = onField();
    w.walk(40, 50, 0.3, 0);
    w.t += 3000;
    w.guard.pause(3000);
    expect(accepted(w.walk(60, 0, 0.3, 0))).toBe(true);
    w.t += 1400;
    const u = w.move(4000, w.pos[0] + 12, 30);
    expect(u.reason).toBe('SpeedLimit');
  });
});

/** Which numbers of a state changed. */
function changes(before: Float64Array, after: Float64Array): number[] {
  const changed: number[] = [];
  for (let i = 0; i < before.length; i++) if (!Object.is(before[i], after[i])) changed.push(i);
  return changed;
}

test('the real clock is monotonic and needs no option', () => {
  const guard = new MoveGuard(FIELD);
  guard.enter('p', { pos: [5, 0, 30], speed: 6 });
  expect(guard.move('p', 1, 5.1, 0, 30).verdict).toBe('accept');
});
