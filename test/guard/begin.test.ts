// Click-to-move: the claim is judged, the server walks the entity in its own time, and every metre is charged.
import { describe, expect, test } from 'vitest';
import * as L from '../../src/rules/ledger.ts';
import { blockedField, bundled, field, floors, World } from './world.ts';

const FIELD = field();
type Point = readonly [number, number, number];

function clicker(rules: Record<string, unknown> = {}, speed = 6): World {
  const w = new World(FIELD, rules);
  w.guard.enter('p', { pos: [5, 0, 30], speed });
  return w;
}
function begin(w: World, to: Point, more: Record<string, unknown> = {}) {
  const from = w.pos;
  return w.guard
    .begin('p', {
      seq: ++w.seq,
      from,
      to,
      speed: 6,
      duration: (Math.hypot(to[0] - from[0], to[2] - from[2]) / 6) * 1000,
      ...more,
    })
    .copy();
}

describe('the walk', () => {
  test('is walked in server time at the claimed speed, and ends at the target', () => {
    const w = clicker();
    const v = begin(w, [17, 0, 30]);
    expect([v.verdict, v.reason, v.pos]).toEqual(['accept', 'Accept', [5, 0, 30]]);
    expect(v.straight).toBe(12);
    expect(v.length).toBeCloseTo(12, 9);
    expect(v.used).toBeCloseTo(12, 9);
    expect(v.allowed).toBeCloseTo(12.6, 9); // 2,100 ms at 6 m/s
    w.t += 1000;
    expect(w.pos[0]).toBeCloseTo(11, 9);
    expect(w.guard.positionAt('p', w.t + 500)?.[0]).toBeCloseTo(14, 9);
    w.t += 5000;
    expect(w.pos[0]).toBeCloseTo(17, 9);
  });
  test('goes round what stands in the way', () => {
    const map = blockedField(40, 40, 1, [[18, 0, 22, 30]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [10, 0, 10], speed: 6 });
    // 10,10 -> 18,30 -> 22,30 -> 30,10
    const way = 2 * Math.hypot(8, 20) + 4;
    const v = begin(w, [30, 0, 10], { duration: (way / 6) * 1000 });
    expect(v.verdict).toBe('accept');
    expect(v.length).toBeCloseTo(way, 6);
    w.t += ((Math.hypot(8, 20) + 2) / 6) * 1000;
    expect(w.pos[0]).toBeCloseTo(20, 5);
    expect(w.pos[2]).toBeCloseTo(30, 5);
    const early = new World(map);
    early.guard.enter('p', { pos: [10, 0, 10], speed: 6 });
    const short = begin(early, [30, 0, 10]); // as if the wall were not there
    expect([short.verdict, short.reason, short.bound]).toEqual(['correct', 'DurationMismatch', 'exact']);
    expect(short.used).toBeCloseTo(way, 6);
    expect(short.allowed).toBeCloseTo(20.6, 6);
    expect(early.pos).toEqual([10, 0, 10]);
  });
  test('ends `stop` short, and at the limit when the claim is faster than it', () => {
    const w = clicker();
    begin(w, [17, 0, 30], { stop: 2, duration: 1700 });
    w.t += 10_000;
    expect(w.pos[0]).toBeCloseTo(15, 9);
    const fast = clicker();
    expect(begin(fast, [17, 0, 30], { speed: 6.9 }).verdict).toBe('accept');
    fast.t += 1000;
    expect(fast.pos[0]).toBeCloseTo(11.9, 9);
    expect(begin(clicker(), [17, 0, 30], { speed: 6.91 }).reason).toBe('SpeedLimit');
  });
  test('a lowered limit slows it, a raised one does not hurry it', () => {
    const w = clicker();
    begin(w, [65, 0, 30]);
    w.t += 1000;
    w.guard.setSpeed('p', 2);
    w.t += 1000;
    expect(w.pos[0]).toBeCloseTo(11 + 2.3, 9);
    w.guard.setSpeed('p', 20);
    w.t += 1000;
    expect(w.pos[0]).toBeCloseTo(11 + 4.6, 9);
  });
  test('ends where it is when the entity dies or is rooted', () => {
    for (const state of [{ alive: false }, { rooted: true }]) {
      const w = clicker();
      begin(w, [65, 0, 30]);
      w.t += 1000;
      w.guard.state('p', state);
      w.t += 1000;
      expect(w.pos[0]).toBeCloseTo(11, 9);
    }
  });
  test('a move is judged from where the walk has come to, and ends it', () => {
    const w = clicker();
    begin(w, [65, 0, 30]);
    const v = w.move(1000, 11.3, 30);
    expect(v.verdict).toBe('accept');
    expect(v.straight).toBeCloseTo(0.3, 9);
    w.t += 1000;
    expect(w.pos[0]).toBe(11.3);
  });
  test('a refused move does not end it', () => {
    const w = clicker();
    begin(w, [65, 0, 30]);
    const v = w.move(1000, 40, 30);
    expect([v.verdict, v.reason]).toEqual(['correct', 'SpeedLimit']);
    expect(v.pos?.[0]).toBeCloseTo(11, 9);
    w.t += 1000;
    expect(w.pos[0]).toBeCloseTo(17, 9);
  });
  test('its metres are charged as they pass', () => {
    const w = clicker();
    w.t = 2000; // credit is full: 6.9 m
    begin(w, [65, 0, 30]);
    w.t += 1000; // 6 m walked, 6.9 earned: still full
    expect(w.move(0, w.pos[0] + 6.8, 30).verdict).toBe('accept');
    // now it is nearly gone; walking at 6.9 m/s earns nothing on top
    begin(w, [200, 0, 30], { speed: 6.9, duration: 1e6 });
    w.t += 3000;
    const at = w.pos[0];
    expect(w.move(0, at + 0.2, 30).reason).toBe('SpeedLimit');
    expect(w.move(0, at + 0.09, 30).accepted).toBe(true);
  });
  test('a wall is not passed on the client time that the walk explains', () => {
    // the way round the wall is about 4 m, 0.58 s: two seconds of walking beside it do not pay for it
    const map = blockedField(120, 60, 0.5, [[60, 0, 61, 45]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [29.6, 0, 8], speed: 6 });
    w.walk(40, 50, 0, 0); // credit is full
    begin(w, [29.6, 0, 20.5]);
    w.t += 2084;
    expect(w.pos[2]).toBeCloseTo(20.5, 3);
    expect(w.move(0, 30.8, 20.5).reason).toBe('Wall');
    // half a second later it may have gone round
    expect(w.move(600, 30.8, 20.5).accepted).toBe(true);
  });
});

describe('refusals', () => {
  test('leave everything as it is but number, time, score and the count of corrections', () => {
    const w = clicker();
    begin(w, [65, 0, 30]);
    w.t += 500;
    const may = new Set([L.SEQ, L.JUDGED_T, L.OPEN, L.SCORE_SUM, L.SCORE_T, L.CORRECTION, L.NODES, L.NODES_T]);
    for (let k = 0; k < L.LAYERS; k++) may.add(L.SCORES + k);
    const tries: [string, Record<string, unknown>, Point][] = [
      ['SpeedLimit', { speed: 9 }, [30, 0, 30]],
      ['SpeedLimit', { from: [20, 0, 30] }, [30, 0, 30]],
      ['DurationMismatch', { duration: 10 }, [30, 0, 30]],
      ['DurationMismatch', { speed: 0 }, [30, 0, 30]],
      ['TargetNotOnNavMesh', {}, [30, 0, -5]],
    ];
    for (const [reason, more, to] of tries) {
      const before = w.state;
      const v = begin(w, to, more);
      expect([v.verdict, v.reason]).toEqual(['correct', reason]);
      expect(v.pos?.[0]).toBeCloseTo(8, 9);
      const after = w.state;
      for (let k = 0; k < after.length; k++) {
        if (!may.has(k)) expect([reason, k, after[k]]).toEqual([reason, k, before[k]]);
      }
    }
    w.t += 500;
    expect(w.pos[0]).toBeCloseTo(11, 9);
  });
  test('C6 no way: PathPartial', () => {
    const w = new World(
      floors([
        [-20, -10, 5, 10, 0],
        [8, -10, 20, 10, 3],
      ]),
    );
    w.guard.enter('p', { pos: [-10, 0, 0], speed: 6 });
    expect(begin(w, [10, 3, 0], { duration: 4000 }).reason).toBe('PathPartial');
    expect(begin(w, [10, 30, 0], { duration: 4000 }).reason).toBe('TargetNotOnNavMesh');
  });
  test('a start behind a wall is Wall', () => {
    const map = blockedField(60, 60, 0.2, [[30, 0, 31, 55]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [5.8, 0, 4], speed: 6 });
    expect(begin(w, [9, 0, 4], { from: [6.4, 0, 4], duration: 2000 }).reason).toBe('Wall');
  });
  test('slow is refused only on request', () => {
    expect(begin(clicker(), [17, 0, 30], { duration: 9000 }).verdict).toBe('accept');
    const strict = clicker({ refuseSlow: true });
    expect(begin(strict, [17, 0, 30], { duration: 9000 }).reason).toBe('DurationMismatch');
    expect(begin(strict, [17, 0, 30], { duration: 2250 }).verdict).toBe('accept');
  });
  test('map version and progress', () => {
    const w = clicker();
    w.guard.version('7');
    w.guard.progress(3);
    expect(begin(w, [17, 0, 30], { mapVersion: '6' }).reason).toBe('MapVersionMismatch');
    expect(begin(w, [17, 0, 30], { progress: 2 }).reason).toBe('ProgressMismatch');
    expect(begin(w, [17, 0, 30], { mapVersion: '7', progress: 3 }).verdict).toBe('accept');
  });
  test('a client ahead by its latency may click again', () => {
    const w = clicker();
    w.guard.rtt('p', 200);
    begin(w, [65, 0, 30]);
    w.t += 1000;
    // it is 0.2 s ahead of the server's walk
    expect(begin(w, [12.2, 0, 50], { from: [12.2, 0, 30], duration: 3400 }).verdict).toBe('accept');
    // but the walk goes on from where the server knows it to be
    expect(w.pos[0]).toBeCloseTo(11, 3);
  });
});

test('whoever walks by clicks is on a floor all the way, also where a leg grazes the foot of a ramp', async () => {
  const w = new World(await bundled('floors'));
  w.guard.enter('p', { pos: [20.25, 3.1, 2.6], speed: 6 });
  const astray: Point[] = [];
  for (let i = 0; i < 3000; i++) {
    // down the ramp, which falls by 0.63 m a metre and ends at 14.8, to points on a raster of 5 cm
    const from: Point = [20.25, 3.1, 1.6 + 0.05 * (i % 40)];
    const to: Point = [5 + 0.1 * Math.floor(i / 40), 0.1, 2];
    w.guard.teleport('p', [...from]);
    w.guard.ack('p', 0);
    w.seq++;
    const click = { seq: w.seq, from: [...from], to: [...to], speed: 6, duration: 60_000 } as never;
    expect(w.guard.begin('p', click).verdict).toBe('accept');
    for (const ms of [870, 20, 20]) {
      w.t += ms;
      const [x, y] = w.pos;
      if (Math.abs(y - Math.max(0.1, 0.1 + 0.63 * (x - 14.8))) > 0.4) astray.push(w.pos);
    }
  }
  expect(astray).toEqual([]);
});
