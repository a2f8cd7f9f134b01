// Input-driven movement: the server walks the entity by its own speed and its own time; whatever the client says about
// either buys nothing.
import { describe, expect, test } from 'vitest';
import { MoveGuard } from '../../src/guard.ts';
import { auditLog } from '../../src/log/index.ts';
import type { NavMap } from '../../src/map.ts';
import * as L from '../../src/rules/ledger.ts';
import type { Verdict } from '../../src/types.ts';
import { random } from './rounding.ts';
import { blockedField, field, floors, World } from './world.ts';

const FIELD = field();
type Map = ConstructorParameters<typeof MoveGuard>[0];

class Stick extends World {
  /** Lets time pass, then holds the stick for as long. */
  hold(dtMs: number, dir: readonly number[], ms = dtMs): Verdict {
    this.t += dtMs;
    return this.guard.input('p', ++this.seq, dir, ms).copy();
  }
}

function stick(map: Map = FIELD, at: readonly [number, number] = [5, 30], rules = {}, speed = 6, y = 0): Stick {
  const w = new Stick(map, rules);
  w.guard.enter('p', { pos: [at[0], y, at[1]], speed });
  return w;
}

describe('the walk', () => {
  test('goes at the server speed, in the direction held', () => {
    const w = stick();
    for (let i = 0; i < 20; i++) expect(w.hold(50, [1, 0]).verdict).toBe('accept');
    expect(w.pos[0]).toBeCloseTo(11, 2);
    expect(w.pos[2]).toBe(30);
    const v = w.hold(50, [0, -1]);
    expect([v.reason, v.reasonCode, v.bound, v.correction, v.score]).toEqual(['Accept', 0, 'exact', 0, 0]);
    expect(v.used).toBeCloseTo(0.3, 9);
    expect(v.straight).toBeCloseTo(0.3, 2);
    expect(v.length).toBeCloseTo(0.3, 2);
    expect(v.pos?.[2]).toBeCloseTo(29.7, 2);
  });
  test('a stick half held is half as fast, one longer than 1 is not faster', () => {
    const half = stick();
    for (let i = 0; i < 20; i++) half.hold(50, [0.3, 0.4]);
    expect(Math.hypot(half.pos[0] - 5, half.pos[2] - 30)).toBeCloseTo(3, 2);
    for (const dir of [
      [3, 4],
      [3e300, 4e300],
      [1.5e308, 1.5e308],
      [Number.MAX_VALUE, Number.MAX_VALUE],
      [1, 1],
    ]) {
      const w = stick();
      for (let i = 0; i < 20; i++) w.hold(50, dir);
      expect(Math.hypot(w.pos[0] - 5, w.pos[2] - 30)).toBeCloseTo(6, 2);
    }
    const least = stick();
    for (let i = 0; i < 20; i++) expect(least.hold(50, [5e-324, 0]).verdict).toBe('accept');
    expect(least.pos).toEqual([5, 0, 30]);
  });
  test('loses no speed however short the inputs are', () => {
    for (const hertz of [30, 144, 1000, 4000]) {
      const w = stick();
      const ms = 1000 / hertz;
      for (let i = 0; i < 2 * hertz; i++) w.hold(ms, [0.8, 0.6]);
      expect(Math.hypot(w.pos[0] - 5, w.pos[2] - 30), `${hertz} Hz`).toBeCloseTo(12, 2);
    }
  });
  test('0, 0 and 0 ms stand, also where a click-to-move was under way', () => {
    const w = stick();
    w.guard.begin('p', { seq: ++w.seq, from: [5, 0, 30], to: [65, 0, 30], speed: 6, duration: 10_000 });
    const v = w.hold(1000, [0, 0]);
    expect([v.verdict, v.straight, v.used]).toEqual(['accept', 0, 0]);
    expect(v.pos?.[0]).toBeCloseTo(11, 9);
    w.t += 1000;
    expect(w.pos[0]).toBeCloseTo(11, 9);
    const at = w.pos;
    expect(w.hold(1000, [1, 0], 0).verdict).toBe('accept');
    expect(w.pos).toEqual(at);
  });
  test('slides along a wall, stops in a corner, does not pass', () => {
    const map = blockedField(40, 40, 1, [[20, 0, 22, 30]]);
    const w = stick(map, [19, 10]);
    let v = w.hold(50, [1, 0]);
    for (let i = 0; i < 40; i++) v = w.hold(50, [0.6, 0.8]);
    expect(v.bound).toBe('upper');
    // pressed against the wall it keeps 0.8 of its speed along it
    expect(w.pos[0]).toBeCloseTo(20, 2);
    expect(w.pos[2]).toBeCloseTo(10 + 40 * 0.3 * 0.8, 1);
    const corner = stick(map, [19, 1]);
    for (let i = 0; i < 40; i++) corner.hold(50, [1, -1]);
    expect(corner.pos[0]).toBeCloseTo(20, 2);
    expect(corner.pos[2]).toBeCloseTo(0, 2);
    const before = corner.pos;
    v = corner.hold(50, [1, -1]);
    expect([v.verdict, v.length]).toEqual(['accept', 0]);
    expect(corner.pos).toEqual(before);
  });
  test('does not fall off a ledge, and knows its floor', () => {
    const map = floors([
      [0, 0, 10, 10, 3],
      [0, 0, 30, 10, 0],
    ]);
    const w = stick(map, [8, 5], {}, 6, 3);
    for (let i = 0; i < 40; i++) w.hold(50, [1, 0]);
    expect(w.pos[0]).toBeCloseTo(10, 2);
    expect(w.pos[1]).toBe(3);
    const below = stick(map, [8, 5]);
    for (let i = 0; i < 40; i++) below.hold(50, [1, 0]);
    expect(below.pos[0]).toBeCloseTo(20, 2);
    expect(below.pos[1]).toBe(0);
  });
  test('of who is put into the air falls as gravity has it', () => {
    const map = floors([[0, 0, 60, 10, 0]]);
    const w = stick(map, [5, 5], {}, 6, 10);
    const ys: number[] = [];
    for (let i = 0; i < 40; i++) ys.push(w.hold(50, [1, 0]).pos?.[1] ?? NaN);
    for (let i = 0; i < 28; i++) expect(ys[i]).toBeCloseTo(10 - (9.81 * (0.05 * (i + 1)) ** 2) / 2, 6);
    expect(ys[39]).toBe(0);
    expect(w.pos[0]).toBeCloseTo(17, 2);
    // and the flight it has had is over
    expect(w.move(50, 17.2, 5).verdict).toBe('accept');
  });
  test('who stands a little off the mesh comes onto it first and pays for that', () => {
    const map = blockedField(40, 40, 1, [[20, 0, 22, 40]]);
    const w = stick(map, [20.09, 10]);
    const left = w.state[L.OFF];
    expect(left).toBeCloseTo(0.09, 2);
    const v = w.hold(50, [0, 1]);
    expect(v.pos?.[0]).toBeCloseTo(20, 2);
    expect(v.pos?.[2]).toBeCloseTo(10.21, 2);
    expect(v.length).toBeCloseTo(0.3, 2);
    expect(w.state[L.OFF]).toBe(0);
    const far = stick(map, [20.9, 10], {}, 2);
    far.hold(100, [-1, 0]);
    expect(far.pos[0]).toBeCloseTo(20.7, 2);
    for (let i = 0; i < 5; i++) far.hold(100, [-1, 0]);
    expect(far.pos[0]).toBeLessThan(20);
  });
  test('flies where flying is allowed, within the map', () => {
    const map = blockedField(40, 40, 1, [[20, 0, 22, 40]]);
    const w = stick(map, [19, 10]);
    w.guard.state('p', { flying: true });
    for (let i = 0; i < 20; i++) w.hold(50, [1, 0]);
    expect(w.pos[0]).toBeCloseTo(25, 6);
    for (let i = 0; i < 100; i++) w.hold(50, [1, 0]);
    expect(w.pos[0]).toBeLessThanOrEqual(40.1);
  });
});

describe('time', () => {
  test('more of it claimed than passed gives no more metres than the credit', () => {
    for (const factor of [1.3, 2, 10, 1e6]) {
      const w = stick();
      let last = w.hold(50, [1, 0], 50 * factor);
      for (let i = 1; i < 400; i++) last = w.hold(50, [1, 0], 50 * factor);
      // 20 s at 6.9 m/s and what it came in with
      const most = 138 + 6.9 * 0.25;
      expect(w.pos[0] - 5).toBeLessThanOrEqual(most + 1e-9);
      expect(w.pos[0] - 5).toBeGreaterThan(most - 1.8);
      expect(last.verdict).toBe('accept');
      expect(last.used).toBeGreaterThan(last.allowed as number);
      expect(['watch', 'restrict', 'kick']).toContain(last.action);
    }
  });
  test('whoever holds its stick into a wall says no more of it than passed either', () => {
    const wall = blockedField(120, 60, 0.5, [[60, 0, 61, 60]]);
    for (const [factor, within] of [
      [1.3, 16],
      [2, 4],
      [10, 1],
    ]) {
      const w = stick(wall, [29.9, 8]);
      let watched = Infinity;
      for (let i = 1; i <= 400 && watched === Infinity; i++) {
        if (w.hold(50, [1, 0.05], 50 * factor).action !== 'none') watched = w.t / 1000;
      }
      expect([factor, watched < within]).toEqual([factor, true]);
    }
    // leaving and entering again brings no fresh time
    const w = stick(wall, [29.9, 8]);
    for (let i = 0; i < 30; i++) w.hold(50, [1, 0], 100);
    const { score } = w.hold(50, [1, 0], 100);
    w.guard.leave('p');
    w.guard.enter('p', { pos: [29.9, 0, 8], speed: 6 });
    expect(w.hold(50, [1, 0], 100).score).toBeGreaterThan(score);
  });
  test('an honest clock into a wall scores nothing, whatever the line does (seeds 11 to 16)', () => {
    const wall = blockedField(120, 60, 0.5, [[60, 0, 61, 60]]);
    for (let seed = 11; seed <= 16; seed++) {
      const rand = random(seed);
      const rtt = [0, 100, 300][seed % 3];
      const w = stick(wall, [29.9, 8]);
      w.guard.rtt('p', rtt);
      let stallUntil = 0;
      for (let i = 1; i <= 1500; i++) {
        const made = (i * 33) / 1.04;
        if (rand() < 0.01) stallUntil = made + 1000 * rand();
        const ms = [33, 33 + 0.5 * rand(), 33][i % 3];
        const arrival = Math.max(w.t, made + (rtt * (1 + rand())) / 2, stallUntil);
        const v = w.hold(arrival - w.t, [1, i % 100 < 50 ? 0.2 : -0.2], ms);
        expect([seed, i, v.score]).toEqual([seed, i, 0]);
      }
    }
  });
  test('one input is a second at most, and a silence pays at most the burst', () => {
    const w = stick();
    w.hold(60_000, [1, 0], 60_000);
    expect(w.pos[0]).toBeCloseTo(11, 2);
    w.hold(0, [1, 0], 1000);
    expect(w.pos[0]).toBeCloseTo(11.9, 2);
    expect(w.hold(0, [1, 0], 1000).length).toBeLessThan(0.01);
  });
  test('honest clocks up to 15 % fast, jitter and bunches lose nothing and score nothing', () => {
    const rand = random(5);
    const w = stick();
    let sent = 0;
    // packets of 33 ms that arrive in bunches of up to 400 ms
    for (let i = 0; i < 300; i++) {
      const bunch = 1 + Math.floor(rand() * 12);
      for (let k = 0; k < bunch; k++) {
        const v = w.hold(k === 0 ? 33 * bunch : 0, [1, 0], 34.5);
        sent += 34.5;
        expect(v.verdict).toBe('accept');
        expect(v.score).toBe(0);
      }
      if (w.pos[0] > 300) w.guard.teleport('p', [5, 0, 30]);
      if (w.pos[0] === 5) {
        w.guard.ack('p', 0);
        sent = 0;
      }
      expect(w.pos[0] - 5).toBeCloseTo((sent / 1000) * 6, 1);
    }
  });
  test('a stall longer than the burst loses metres and no more than that', () => {
    const w = stick();
    for (let i = 0; i < 20; i++) w.hold(50, [1, 0]);
    let last = w.hold(3000, [1, 0], 50);
    for (let i = 0; i < 59; i++) last = w.hold(0, [1, 0], 50);
    expect([last.verdict, last.score]).toEqual(['accept', 0]);
    expect(w.pos[0]).toBeCloseTo(11 + 6.9, 1);
  });
  test('the limit counts as the server says: lowered after the grace, raised and boosted at once', () => {
    const w = stick();
    w.t = 1000;
    w.guard.setSpeed('p', 2);
    for (let i = 0; i < 23; i++) w.hold(50, [1, 0]);
    // 150 ms at 6 m/s, a second at 2
    expect(w.pos[0]).toBeGreaterThan(5 + 0.6 + 2);
    expect(w.pos[0]).toBeLessThan(5 + 0.9 + 2.1);
    const x = w.pos[0];
    w.guard.setSpeed('p', 10);
    for (let i = 0; i < 20; i++) w.hold(50, [1, 0]);
    expect(w.pos[0] - x).toBeCloseTo(10, 1);
    const b = w.pos[0];
    w.guard.boost('p', 5, 500);
    for (let i = 0; i < 20; i++) w.hold(50, [1, 0]);
    expect(w.pos[0] - b).toBeGreaterThan(12);
    expect(w.pos[0] - b).toBeLessThan(12.6);
  });
  test('inputs and moves pay out of one credit', () => {
    const w = stick();
    w.hold(2000, [1, 0], 1000);
    const x = w.pos[0];
    expect(w.move(0, x + 0.95, 30).reason).toBe('SpeedLimit');
    expect(w.move(0, x + 0.85, 30).verdict).toBe('accept');
    expect(w.hold(0, [1, 0], 1000).length).toBeLessThan(0.06);
    // turn about: a second of each gives no second twice
    const both = stick();
    let metres = 0;
    for (let i = 0; i < 200; i++) {
      const before = both.pos[0];
      both.hold(50, [1, 0], 1000);
      both.move(0, both.pos[0] + 0.3, 30);
      metres += both.pos[0] - before;
      if (both.pos[0] > 350) break;
    }
    expect(metres).toBeLessThanOrEqual(69 + 6.9 * 0.25 + 0.05);
  });
  test('a wall is not passed by a move on the time that inputs have used', () => {
    const map = blockedField(120, 60, 0.5, [[60, 0, 61, 45]]);
    const w = stick(map, [29.6, 8]);
    w.walk(40, 50, 0, 0);
    for (let i = 0; i < 4; i++) w.hold(521, [0, 1]);
    expect(w.pos[2]).toBeCloseTo(20.5, 1);
    expect(w.move(0, 30.8, 20.5).reason).toBe('Wall');
    // half a second later it may have gone round
    expect(w.move(600, 30.8, 20.5).accepted).toBe(true);
  });
});

describe('verdicts', () => {
  test('whatever comes is a verdict: hostile fields are malformed and use up no number', () => {
    const w = stick();
    const thrower = new Proxy([1, 0], {
      get() {
        throw new Error('no');
      },
    });
    const before = w.state;
    const bad: [unknown, unknown, unknown][] = [
      ...[NaN, Infinity, -Infinity, -1, '50', null, undefined, {}, 7n].map((ms) => [1, [1, 0], ms] as never),
      ...[null, undefined, 7, 'ab', [], [1], [1, 0, 0], [NaN, 0], [0, Infinity], ['1', 0], [1n, 0], {}, thrower].map(
        (dir) => [1, dir, 50] as never,
      ),
      ...[-1, 1.5, 2 ** 53, '7', null, undefined, NaN].map((seq) => [seq, [1, 0], 50] as never),
    ];
    w.t = 500;
    for (const [seq, dir, ms] of bad) {
      const v = w.guard.input('p', seq as number, dir as number[], ms as number);
      expect([v.verdict, v.reason]).toEqual(['reject', 'Malformed']);
      expect(v.detail).toMatch(/^(seq|dir|ms): /);
      expect(v.pos).toEqual([5, 0, 30]);
    }
    expect(w.state).toEqual(before);
    expect(w.guard.input(7 as never, 1, [1, 0], 50).reason).toBe('Malformed');
    expect(w.guard.input('q', 1, [1, 0], 50)).toMatchObject({ verdict: 'reject', reason: 'UnknownEntity', pos: null });
    expect(w.guard.input('p', 1, new Float32Array([1, 0]), 50).verdict).toBe('accept');
    expect(w.guard.input('p', 1, [1, 0], 50).reason).toBe('Replay');
  });
  test('numbers are shared with moves and clicks; map and level are compared', () => {
    const w = stick();
    w.guard.version('v2');
    w.guard.progress(3);
    w.t = 100;
    expect(w.guard.move('p', 9, 5.1, 0, 30).verdict).toBe('accept');
    expect(w.guard.input('p', 9, [1, 0], 50).reason).toBe('Replay');
    expect(w.guard.input('p', 10, [1, 0], 50, { mapVersion: 'v1' }).reason).toBe('MapVersionMismatch');
    expect(w.guard.input('p', 11, [1, 0], 50, { progress: 2 }).reason).toBe('ProgressMismatch');
    expect(w.guard.input('p', 12, [1, 0], 50, { mapVersion: 'v2', progress: 3 }).verdict).toBe('accept');
    expect(w.guard.input('p', 13, [1, 0], 50, 7 as never).reason).toBe('Malformed');
  });
  test('the dead and the rooted do not walk, and may hold still', () => {
    for (const [state, reason, word] of [
      [{ alive: false }, 'LiveStatus', 'reject'],
      [{ rooted: true }, 'ActionStatus', 'correct'],
    ] as const) {
      const w = stick();
      w.guard.state('p', state);
      expect(w.hold(80, [1, 0])).toMatchObject({ verdict: 'ignore', reason });
      const before = w.state;
      expect(w.hold(1000, [0, 0]).verdict).toBe('accept');
      expect(w.hold(50, [1, 0])).toMatchObject({ verdict: word, reason, pos: [5, 0, 30] });
      expect(w.state[L.X]).toBe(before[L.X]);
      w.guard.state('p', { alive: true, rooted: false });
      expect(w.hold(50, [1, 0]).verdict).toBe('accept');
      expect(w.pos[0]).toBeCloseTo(5.3, 2);
    }
  });
  test('inputs from before a teleport are stale: until the client can have known, or says that it does', () => {
    const w = stick();
    w.guard.rtt('p', 200);
    w.hold(50, [1, 0]);
    w.guard.teleport('p', [50, 0, 10]);
    for (let i = 0; i < 7; i++) {
      expect(w.hold(50, [1, 0])).toMatchObject({ verdict: 'ignore', reason: 'Stale', score: 0, pos: [50, 0, 10] });
    }
    expect(w.hold(50, [1, 0]).verdict).toBe('accept');
    expect(w.pos[0]).toBeCloseTo(50.3, 2);
    // it is there: its moves count as well
    expect(w.move(50, w.pos[0] + 0.3, 10).verdict).toBe('accept');
    w.guard.teleport('p', [80, 0, 10]);
    w.t += 10;
    w.guard.ack('p', 0);
    expect(w.hold(10, [1, 0]).verdict).toBe('accept');
  });
  test('an accepted input obeys a pending correction', () => {
    const w = stick();
    expect(w.move(100, 25, 30).verdict).toBe('correct');
    expect(w.state[L.FLAGS] & L.PENDING).not.toBe(0);
    expect(w.hold(50, [1, 0]).verdict).toBe('accept');
    expect(w.state[L.FLAGS] & L.PENDING).toBe(0);
    expect(w.pos[0]).toBeCloseTo(5.3, 2);
  });
  test('on a grid y stays what it was', () => {
    const w = stick(FIELD, [5, 30], {}, 6, 7);
    expect(w.hold(50, [1, 0]).pos?.[1]).toBe(7);
    expect(w.pos[1]).toBe(7);
  });
});

describe('whatever is held', () => {
  test.each([71, 72, 73])('the entity stays on the mesh, on foot, within its credit (seed %i)', (seed) => {
    const rand = random(seed);
    const map: NavMap =
      seed === 72
        ? floors([
            [0, 0, 30, 30, 0],
            [5, 5, 20, 20, 4],
          ])
        : blockedField(60, 60, 0.5, [
            [10, 0, 12, 40],
            [20, 10, 21, 60],
            [30, 20, 50, 22],
            [30, 30, 31, 31],
          ]);
    const engine = seed === 73 ? 'twin' : 'wasm';
    const w = stick(map, [1.5, 1.5]);
    const twin = new MoveGuard(map, {}, { engine, now: () => w.t });
    twin.enter('p', { pos: [1.5, 0, 1.5], speed: 6 });
    let angle = 0;
    let far = 0;
    for (let i = 0; i < 3000; i++) {
      const dt = rand() < 0.02 ? rand() * 3000 : rand() * 60;
      if (rand() < 0.1) angle = rand() * 6.283;
      const size = rand() < 0.2 ? rand() * 1e9 : rand() * 2;
      const dir = rand() < 0.05 ? [0, 0] : [Math.cos(angle) * size, Math.sin(angle) * size];
      const ms = rand() < 0.1 ? rand() * 1e6 : dt * (rand() < 0.3 ? 3 : 1);
      const before = w.pos;
      const [polygon, credit] = [w.state[L.POLYGON], w.state[L.CREDIT]];
      const v = w.hold(dt, dir, ms);
      const same = twin.input('p', w.seq, dir, ms).copy();
      expect(same).toEqual(v);
      expect(v.verdict).toBe('accept');
      const pos = w.pos;
      const at = map.locate(pos);
      expect(at?.distance, `step ${i}`).toBe(0);
      const way = map.shortest(before, pos, { polygon });
      expect(way.status).toBe('complete');
      expect(way.length).toBeLessThanOrEqual((v.length as number) + 1e-6);
      const grown = Math.min(credit + 0.0069 * dt, 6.9);
      expect(v.length).toBeLessThanOrEqual(grown + 1e-9);
      expect(w.state[L.CREDIT]).toBeCloseTo(Math.max(0, grown - (v.length as number)), 9);
      far = Math.max(far, pos[0]);
    }
    expect(far).toBeGreaterThan(6);
    expect(twin.stateOf('p')).toEqual(w.state);
  });
});

test('a log of inputs runs, and gives the same verdicts again', async () => {
  const lines = [
    '{"movelog":1,"map":{"grid":["....................","....................","##########.........."]}}',
    '{"t":0,"op":"enter","id":"p","pos":[1.5,0,1],"speed":6}',
    ...Array.from({ length: 20 }, (_, i) =>
      JSON.stringify({ t: 50 * (i + 1), op: 'input', id: 'p', seq: i, dir: [0.6, 0.8], ms: 50, expect: 'accept' }),
    ),
    '{"t":1050,"op":"input","id":"p","seq":20,"dir":[0,0],"ms":50,"expect":{"verdict":"accept","pos":[5.1,0,2],"within":0.02}}',
    '{"t":1060,"op":"input","id":"p","seq":20,"dir":[0,0],"ms":50,"expect":"Replay"}',
    '{"t":1070,"op":"input","id":"p","seq":21,"dir":["NaN",0],"ms":50,"expect":"Malformed"}',
    '{"t":1080,"op":"input","id":"q","seq":1,"dir":[0,1],"ms":50,"expect":{"reason":"UnknownEntity","pos":null}}',
  ];
  const run = async () => {
    const verdicts: Verdict[] = [];
    async function* bytes() {
      yield Buffer.from(lines.join('\n'));
    }
    const summary = await auditLog(bytes(), { name: 'inputs', onVerdict: (_, __, v) => void verdicts.push(v.copy()) });
    return { summary, verdicts };
  };
  const first = await run();
  expect(first.summary.mismatches).toEqual([]);
  expect(first.summary.claims).toBe(24);
  expect(first.summary.accepted).toBe(21);
  expect((await run()).verdicts).toEqual(first.verdicts);
});
