// Strategies of clicks: which one an entity may use, which position the game is to keep, and the fields that decide nothing.
import { describe, expect, test } from 'vitest';
import * as L from '../../src/rules/ledger.ts';
import type { Verdict } from '../../src/types.ts';
import { blockedField, field, floors, World } from './world.ts';

const FIELD = field();

function clicker(strategies?: readonly string[], rules = {}): World {
  const w = new World(FIELD, rules);
  w.guard.enter('p', { pos: [5, 0, 30], speed: 6, ...(strategies && { strategies: strategies as never }) });
  return w;
}
function click(w: World, to: readonly number[], strategy?: unknown, more: Record<string, unknown> = {}): Verdict {
  const from = w.pos;
  const duration = (Math.hypot(to[0] - from[0], to[2] - from[2]) / 6) * 1000;
  return w.guard.begin('p', { seq: ++w.seq, from, to, speed: 6, duration, strategy, ...more }).copy();
}

describe('which strategy may be used', () => {
  test('any known one, unless the server named some', () => {
    for (const strategy of ['hero', 'monster', 'bullet', 'rotation', undefined, null]) {
      expect(click(clicker(), [6, 0, 30], strategy).verdict, String(strategy)).toBe('accept');
    }
    const w = clicker(['monster', 'rotation']);
    expect(click(w, [6, 0, 30], 'monster').verdict).toBe('accept');
    expect(click(w, [6, 0, 30], 'rotation').verdict).toBe('accept');
    expect(click(w, [6, 0, 30]).verdict).toBe('accept');
  });
  test.each(['hero', 'bullet', 'Monster', '', 'x'.repeat(1e5), 0, 7, '__proto__'])('not %.20s', (strategy) => {
    const w = clicker(['monster', 'rotation']);
    const before = w.state;
    const v = click(w, [6, 0, 30], strategy);
    expect([v.verdict, v.reason, v.correction, v.snapshot]).toEqual(['reject', 'MoveStrategy', 0, null]);
    expect(v.detail).toMatch(/^strategy: /);
    expect(v.detail.length).toBeLessThan(120);
    expect(v.pos).toEqual([5, 0, 30]);
    const after = w.state;
    for (const k of [L.X, L.Y, L.Z, L.CREDIT, L.PATH_END, L.SNAP_X, L.SNAP_Z]) expect(after[k]).toBe(before[k]);
    expect(after[L.FLAGS] & ~L.SEEN).toBe(before[L.FLAGS]);
    expect(v.score).toBeGreaterThan(0);
    expect(v.score).toBeLessThan(1);
    // the number is used up
    expect(w.guard.begin('p', { seq: w.seq, from: [5, 0, 30], to: [6, 0, 30], speed: 6, duration: 200 }).reason).toBe(
      'Replay',
    );
  });
  test('an entity that may use none does not click, one that may use one need not name it', () => {
    expect(click(clicker([]), [6, 0, 30]).reason).toBe('MoveStrategy');
    expect(click(clicker([]), [6, 0, 30], 'hero').reason).toBe('MoveStrategy');
    expect(click(clicker(['hero']), [6, 0, 30]).snapshot).toEqual([6, 0, 30]);
  });
  test('the server names known ones, or it is an error', () => {
    for (const strategies of [['heroes'], 'hero', 7, [null]]) {
      expect(() => clicker(strategies as never)).toThrow(/strategies: expected a list of hero, monster/);
    }
    // and each entry says it anew
    const w = clicker(['monster']);
    w.guard.leave('p');
    w.guard.enter('p', { pos: [5, 0, 30], speed: 6 });
    expect(click(w, [6, 0, 30], 'hero').verdict).toBe('accept');
  });
});

describe('the order of what is asked', () => {
  /** What is wrong with the claim, in the order in which it is to be found. */
  const order = ['UnknownEntity', 'MapVersionMismatch', 'ProgressMismatch', 'LiveStatus'] as const;
  const last = {
    NullMoveData: null,
    TargetPos: { from: [5, 0, 30], speed: 6, duration: 1 },
    MoveStrategy: { from: [5, 0, 30], to: [6, 0, 30], speed: 6, duration: 200, strategy: 'nobody' },
    TargetNotOnNavMesh: { from: [5, 0, 30], to: [-0.5, 0, 30], speed: 6, duration: 5000, strategy: 'hero' },
  };
  test.each(Object.entries(last))('map, level and life come before %s', (reason, claim) => {
    for (let wrong = 0; wrong <= order.length; wrong++) {
      const w = clicker();
      w.guard.version('2');
      w.guard.progress(2);
      w.guard.state('p', { alive: wrong > 3 });
      w.t = 1000;
      const extra = { mapVersion: wrong > 1 ? '2' : '1', progress: wrong > 2 ? 2 : 1 };
      const v = w.guard.begin(
        wrong > 0 ? 'p' : 'q',
        (claim === null ? claim : { seq: 1, ...claim, ...extra }) as never,
      );
      // nothing can be read from no payload
      const due = claim === null && (wrong === 1 || wrong === 2) ? 'LiveStatus' : (order[wrong] ?? reason);
      expect(v.reason, `${wrong}`).toBe(due);
      expect(v.accepted).toBe(false);
    }
  });
  test('a claim without payload or target uses up no number', () => {
    const w = clicker();
    for (const claim of [null, undefined, 7, 'x', { seq: 5, from: [5, 0, 30], speed: 6, duration: 9 }]) {
      const before = w.state;
      expect(w.guard.begin('p', claim as never).verdict).toBe('reject');
      expect(w.state).toEqual(before);
    }
  });
});

describe('turning', () => {
  test('moves nothing, writes nothing, ends no walk, and needs no target', () => {
    const w = clicker();
    click(w, [65, 0, 30], 'hero');
    w.t += 1000;
    const before = w.state;
    for (const more of [{}, { to: undefined, from: undefined, speed: undefined, duration: undefined }]) {
      const v = click(w, [40, 0, 10], 'rotation', { facing: 1.5, ...more });
      expect([v.verdict, v.reason, v.straight, v.snapshot]).toEqual(['accept', 'Accept', 0, null]);
      expect(v.pos?.[0]).toBeCloseTo(11, 9);
    }
    const after = w.state;
    for (let k = 0; k < L.STRIDE; k++) {
      if (![L.SEQ, L.JUDGED_T, L.OPEN].includes(k as never)) expect(after[k], `number ${k}`).toBe(before[k]);
    }
    w.t += 1000;
    expect(w.pos[0]).toBeCloseTo(17, 9);
  });
  test('what it says nevertheless must be sound', () => {
    for (const bad of [{ to: [NaN, 0, 0] }, { from: 'x' }, { speed: -1 }, { duration: Infinity }, { facing: NaN }]) {
      expect(click(clicker(), [6, 0, 30], 'rotation', bad).reason).toBe('Malformed');
    }
  });
  test('the rooted may, the dead may not', () => {
    const w = clicker();
    w.guard.state('p', { rooted: true });
    w.t = 1000;
    expect(click(w, [6, 0, 30], 'rotation').verdict).toBe('accept');
    expect(click(w, [6, 0, 30], 'hero').reason).toBe('ActionStatus');
    w.guard.state('p', { alive: false });
    expect(click(w, [6, 0, 30], 'rotation')).toMatchObject({ verdict: 'ignore', reason: 'LiveStatus' });
    w.t += 1151;
    expect(click(w, [6, 0, 30], 'rotation')).toMatchObject({ verdict: 'correct', reason: 'LiveStatus' });
  });
});

describe('fields that decide nothing', () => {
  test('are taken', () => {
    const claims = [
      { kind: 'walk', facing: 1.57, chaseDuration: 300, flags: 7, timestamp: 123456.5, progress: 3 },
      { kind: 4, facing: [0, 1], chaseDuration: 0, flags: 2 ** 32 - 1, timestamp: -5 },
      { facing: new Float32Array([0, 0, 1]), kind: null, flags: null, timestamp: null, chaseDuration: null },
    ];
    const plain = click(clicker(), [17, 0, 30], 'hero');
    for (const more of claims) expect(click(clicker(), [17, 0, 30], 'hero', more)).toEqual(plain);
  });
  test('but not when they are hostile', () => {
    const thrower = { length: 2, get 0() { throw new Error('no'); } }; // biome-ignore format: one line
    const bad: Record<string, unknown[]> = {
      kind: [NaN, {}, [], true, 7n],
      facing: [NaN, Infinity, 'north', [], [1], [1, NaN], [1, 2, 3, 4], {}, thrower, { length: 1e9 }, true],
      chaseDuration: [NaN, -1, Infinity, '5', []],
      flags: [NaN, -1, 1.5, 2 ** 32, '1', {}],
      timestamp: [NaN, Infinity, '1', {}],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        const w = clicker();
        const before = w.state;
        const v = click(w, [17, 0, 30], 'hero', { [name]: value });
        expect([name, v.verdict, v.reason]).toEqual([name, 'reject', 'Malformed']);
        expect(w.state).toEqual(before);
      }
    }
    const throws = { seq: 1, from: [5, 0, 30], to: [6, 0, 30], speed: 6, duration: 500 };
    Object.defineProperty(throws, 'timestamp', { get: () => { throw new Error('no'); } }); // biome-ignore format: one line
    expect(clicker().guard.begin('p', throws).reason).toBe('Malformed');
  });
});

describe('the position that the game keeps', () => {
  test('hero the target, monster and bullet where it sets out, the turning and the nameless none', () => {
    const snapshots = ['hero', 'monster', 'bullet', 'rotation', undefined].map((strategy) => {
      const w = clicker();
      click(w, [9, 0, 30]);
      w.t += 500; // it has come to x = 8
      const v = click(w, [8, 0, 25], strategy, { stop: 1 });
      expect(v.verdict).toBe('accept');
      return v.snapshot;
    });
    expect(snapshots[0]).toEqual([8, 0, 25]);
    expect(snapshots[1]?.[0]).toBeCloseTo(8, 9);
    expect(snapshots[1]?.[2]).toBe(30);
    expect(snapshots[2]).toEqual(snapshots[1]);
    expect(snapshots.slice(3)).toEqual([null, null]);
  });
  test('is the server one: never the claimed start, and on the mesh', () => {
    const w = clicker();
    expect(click(w, [9, 0, 30], 'monster', { from: [5.5, 0, 30] }).snapshot).toBeNull();
    const map = floors([[0, 0, 30, 10, 1]]);
    const off = new World(map, { yOffset: 0.9 });
    off.guard.enter('p', { pos: [5, 1.9, 5], speed: 6 });
    const v = click(off, [9, 2.9, 10.08], 'hero');
    expect(v.verdict).toBe('accept');
    expect(v.snapshot?.[0]).toBeCloseTo(9, 2);
    expect(v.snapshot?.[1]).toBeCloseTo(1.9, 9);
    expect(v.snapshot?.[2]).toBeCloseTo(10, 2);
    expect(v.snapshot?.[2]).toBeLessThanOrEqual(10);
  });
  test('a refused click writes nothing, nor does any other claim', () => {
    const map = blockedField(60, 60, 1, [[20, 0, 22, 60]]);
    const w = new World(map);
    w.guard.enter('p', { pos: [5, 0, 30], speed: 6 });
    expect(click(w, [30, 0, 30], 'hero')).toMatchObject({ reason: 'PathPartial', snapshot: null });
    expect(click(w, [15, 0, 30], 'hero').snapshot).toEqual([15, 0, 30]);
    expect(w.move(100, w.pos[0] + 0.1, 30)).toMatchObject({ verdict: 'accept', snapshot: null });
    click(w, [15, 0, 33], 'hero');
    expect(w.guard.move('p', -1, 0, 0, 0).snapshot).toBeNull();
    click(w, [15, 0, 36], 'hero');
    expect(w.guard.move('nobody', 1, 0, 0, 0).snapshot).toBeNull();
    click(w, [15, 0, 39], 'hero');
    expect(w.guard.input('p', ++w.seq, [1, 0], 10).snapshot).toBeNull();
  });
  test('within snapshotThreshold of what it keeps, in x and in z, it is not written', () => {
    for (const [dx, dz, written] of [
      [0.09, 0.09, false],
      [0.11, 0, true],
      [0, -0.11, true],
      [0.1, 0.2, true],
      [-0.09, -0.09, false],
    ] as const) {
      const w = clicker();
      expect(click(w, [5.0625 + dx, 0, 30 + dz], 'monster').snapshot).toBeNull();
      const v = click(w, [5 + dx, 0, 30 + dz], 'hero');
      expect(v.snapshot !== null, `${dx}, ${dz}`).toBe(written);
    }
    const always = clicker(undefined, { snapshotThreshold: 0 });
    expect(click(always, [5.01, 0, 30], 'hero').snapshot).toEqual([5.01, 0, 30]);
    const rarely = clicker(undefined, { snapshotThreshold: 3 });
    expect(click(rarely, [7.5, 0, 30], 'hero').snapshot).toBeNull();
    expect(click(rarely, [8.5, 0, 30], 'hero').snapshot).toEqual([8.5, 0, 30]);
  });
  test('small steps add up to a write', () => {
    const w = clicker();
    const written: number[] = [];
    for (let i = 1; i <= 40; i++) {
      w.t += 50;
      const v = click(w, [5 + 0.04 * i, 0, 30], 'hero');
      if (v.snapshot !== null) written.push(v.snapshot[0]);
    }
    expect(written.length).toBeGreaterThan(10);
    expect(written.length).toBeLessThan(20);
    for (let i = 1; i < written.length; i++) expect(written[i] - written[i - 1]).toBeGreaterThan(0.1);
  });
  test('the same target again is not written twice, but it is after a move came between', () => {
    const w = clicker();
    expect(click(w, [17, 0, 30], 'hero').snapshot).toEqual([17, 0, 30]);
    w.t += 500;
    expect(click(w, [17, 0, 30], 'hero').snapshot).toBeNull();
    w.t += 500;
    w.move(0, w.pos[0] + 0.1, 30);
    expect(click(w, [17, 0, 30], 'hero').snapshot).toEqual([17, 0, 30]);
    w.t += 100;
    w.guard.teleport('p', [50, 0, 30]);
    w.guard.ack('p', 0);
    expect(click(w, [50.05, 0, 30], 'hero').snapshot).toBeNull();
  });
  test('is in copies and JSON, and one array is reused', () => {
    const w = clicker();
    const claim = { seq: ++w.seq, from: [5, 0, 30], to: [9, 0, 30], speed: 6, duration: 667, strategy: 'hero' };
    const v = w.guard.begin('p', claim);
    expect(v.snapshot).toBe(v.snapshot);
    const kept = v.copy();
    expect(JSON.parse(JSON.stringify(v)).snapshot).toEqual([9, 0, 30]);
    w.t += 100;
    click(w, [5.6, 0, 20], 'hero');
    expect(kept.snapshot).toEqual([9, 0, 30]);
    expect(w.guard.begin('p', null as never).snapshot).toBeNull();
    expect(JSON.parse(JSON.stringify(w.guard.begin('p', null as never))).snapshot).toBeNull();
  });
});
