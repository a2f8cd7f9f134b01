// The guard on walkability grids: every rule that means something there, held against the cells themselves. What is blocked
// and what is joined is said by the oracle of test/oracle/gridcells.ts and by a flood fill; neither knows a navmesh.
import { describe, expect, test } from 'vitest';
import { GridMap } from '../../src/gridmap.ts';
import { MoveGuard } from '../../src/guard.ts';
import { Reason } from '../../src/reasons.ts';
import * as L from '../../src/rules/ledger.ts';
import type { Verdict } from '../../src/types.ts';
import { sightByCells } from '../oracle/gridcells.ts';
import { random } from './rounding.ts';
import { accepted, World } from './world.ts';

type Engine = 'wasm' | 'twin';
/** Fast enough for any hop: what remains are the walls. */
const UNBOUND = { speedTolerance: 1, burstMs: 1000, teleportDistance: 1e6, nodeCap: 4096, searchNodesPerSecond: 1e9 };

function noise(rand: () => number, width: number, height: number, blocked: number): string[] {
  return Array.from({ length: height }, () =>
    Array.from({ length: width }, () => (rand() < blocked ? '#' : '.')).join(''),
  );
}

/** Component of each cell by flood fill over sides, -1 = blocked. Cells that touch at a corner only are not joined. */
function components(rows: readonly string[], body = 1): number[][] {
  const height = rows.length - body + 1;
  const width = rows[0].length - body + 1;
  // a body of n cells stands where n x n cells are open; named by its lower corner
  const open = (x: number, z: number): boolean => {
    if (x < 0 || z < 0 || x >= width || z >= height) return false;
    for (let dz = 0; dz < body; dz++) for (let dx = 0; dx < body; dx++) if (rows[z + dz][x + dx] !== '.') return false;
    return true;
  };
  const of = Array.from({ length: height }, () => new Array<number>(width).fill(-1));
  let count = 0;
  for (let z = 0; z < height; z++) {
    for (let x = 0; x < width; x++) {
      if (of[z][x] >= 0 || !open(x, z)) continue;
      const stack = [[x, z]];
      of[z][x] = count;
      for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
        for (const [dx, dz] of [
          [1, 0],
          [-1, 0],
          [0, 1],
          [0, -1],
        ]) {
          const [nx, nz] = [at[0] + dx, at[1] + dz];
          if (!open(nx, nz) || of[nz][nx] >= 0) continue;
          of[nz][nx] = count;
          stack.push([nx, nz]);
        }
      }
      count++;
    }
  }
  return of;
}

/** A hop of an entity that was just put there, and has the metres for it. */
function hop(map: GridMap, rules: Record<string, unknown>, from: readonly number[], to: readonly number[]): Verdict {
  const w = new World(map, { ...UNBOUND, ...rules });
  w.guard.enter('p', { pos: [from[0], 0, from[1]], speed: 1e5 });
  return w.move(1000, to[0], to[1]);
}

describe.each(['wasm', 'twin'] as const)('walls (%s)', (engine: Engine) => {
  test('"sight" is the sight of the cells, there and back (seed 401)', () => {
    const rand = random(401);
    let clear = 0;
    let blocked = 0;
    for (let round = 0; round < 8; round++) {
      const size = 12 + round;
      const rows = noise(rand, size, size, 0.15 + 0.02 * round);
      const cell = [1, 0.5, 2, 0.25][round % 4];
      const map = GridMap.from(rows, { cell, origin: [-3, 7], engine });
      const open = (x: number, z: number): boolean => rows[z]?.[x] === '.';
      const guard = new MoveGuard(map, { ...UNBOUND, wall: 'sight', edgeTolerance: 0 }, { now: () => now });
      let now = 0;
      let seq = 0;
      for (let i = 0; i < 250; i++) {
        // in the middle of cells (exact corners lie on the way), or anywhere within them
        const place = (): number =>
          Math.floor(rand() * size) + (i % 2 === 0 ? 0.5 : (2 * Math.floor(rand() * 32) + 1) / 64);
        const [ax, az, bx, bz] = [place(), place(), place(), place()];
        if (!open(Math.floor(ax), Math.floor(az)) || !open(Math.floor(bx), Math.floor(bz))) continue;
        const verdicts = [
          [ax, az, bx, bz],
          [bx, bz, ax, az],
        ].map(([fx, fz, tx, tz]) => {
          guard.enter('p', { pos: [fx * cell - 3, 0, fz * cell + 7], speed: 1e5 });
          now += 1000;
          return guard.move('p', ++seq, tx * cell - 3, 0, tz * cell + 7).copy();
        });
        const due = sightByCells(open, ax, az, bx, bz);
        for (const v of verdicts) {
          expect(v.accepted, `${rows.join('\n')}\n${ax},${az} -> ${bx},${bz}: ${v.reason}`).toBe(due);
          expect(v.reason).toBe(due ? 'Accept' : 'Wall');
        }
        if (due) clear++;
        else blocked++;
      }
    }
    expect(clear).toBeGreaterThan(200);
    expect(blocked).toBeGreaterThan(200);
  });

  test.each([1, 2, 3])('"reach" joins what the cells join, for bodies of %i cells (seed 402)', (agent) => {
    const rand = random(402 + agent);
    const seen = { Accept: 0, PathPartial: 0 };
    for (let round = 0; round < 8; round++) {
      const rows = noise(rand, 16, 14, agent === 1 ? 0.4 : 0.12);
      const of = components(rows, agent);
      const map = GridMap.from(rows, { agent, engine });
      const places = of.flatMap((row, z) => row.flatMap((c, x) => (c < 0 ? [] : [[x, z]])));
      for (let i = 0; i < 40 && places.length > 1; i++) {
        const [[ax, az], [bx, bz]] = [
          places[Math.floor(rand() * places.length)],
          places[Math.floor(rand() * places.length)],
        ];
        // positions are the body's centre
        const v = hop(map, { edgeTolerance: 0.02 }, [ax + agent / 2, az + agent / 2], [bx + agent / 2, bz + agent / 2]);
        const due = of[az][ax] === of[bz][bx] ? 'Accept' : 'PathPartial';
        expect(v.reason, `${rows.join('\n')}\n${ax},${az} -> ${bx},${bz}`).toBe(due);
        seen[due]++;
      }
    }
    expect(seen.Accept).toBeGreaterThan(50);
    expect(seen.PathPartial).toBeGreaterThan(10);
  });

  test('a squeeze between two blocked cells is refused both ways; past one it is not', () => {
    for (const [rows, ok] of [
      [['.#', '#.'], false],
      [['.#', '..'], true],
      [['..', '#.'], true],
      [['..', '..'], true],
    ] as const) {
      const map = GridMap.from([...rows], { engine });
      for (const wall of ['reach', 'sight']) {
        for (const [a, b] of [
          [0.5, 1.5],
          [1.5, 0.5],
          [0.9, 1.1],
          [1.1, 0.9],
        ]) {
          const v = hop(map, { wall, edgeTolerance: 0 }, [a, a], [b, b]);
          expect(v.accepted, `${rows} ${wall} ${a}`).toBe(ok);
          if (!ok) expect(['Wall', 'PathPartial']).toContain(v.reason);
        }
      }
    }
  });

  test('a body of two cells does not cut a blocked one, and fits where two are open', () => {
    const rows = ['......', '......', '..#...', '......', '......'];
    const map = GridMap.from(rows, { agent: 2, engine });
    // diagonally past the tile's corners: the way round takes longer
    const round = { edgeTolerance: 0.02, wayRoundSlackMs: 0 };
    const cut = new World(map, round);
    cut.guard.enter('p', { pos: [1, 0, 2], speed: 6 });
    for (const to of [
      [3, 1],
      [3, 2],
      [2.5, 2.5],
    ]) {
      expect(cut.move(100, to[0], to[1]).accepted).toBe(false);
    }
    expect(accepted([cut.move(500, 1, 1), cut.move(500, 3, 1), cut.move(500, 4, 1), cut.move(500, 4, 3)])).toBe(true);
  });
});

describe('the order and the codes', () => {
  const rows = Array.from({ length: 40 }, (_, z) => (z === 0 ? '.'.repeat(80) : `${'.'.repeat(20)}#${'.'.repeat(59)}`));
  const map = GridMap.from(rows);
  const walker = (rules = {}): World => {
    const w = new World(map, rules);
    w.guard.enter('p', { pos: [19.5, 0, 30.5], speed: 6 });
    w.move(100, 19.5, 30.5);
    return w;
  };
  test('accept 0, speed 1, wall 2, replay 3, out of the map 4, never in another order', () => {
    const w = walker();
    w.t += 1000;
    const say = (seq: number, x: number, z: number) => w.guard.move('p', seq, x, 0, z);
    expect(say(1, 500, 30.5).reasonCode).toBe(3); // old, out, fast and behind the wall
    expect(say(2, 500, 30.5).reasonCode).toBe(4); // out, fast and behind the wall
    expect(say(3, 60.5, 30.5).reasonCode).toBe(1); // fast and behind the wall
    expect(say(4, 21.5, 30.5).reasonCode).toBe(2); // behind the wall
    expect(say(5, 19.5, 31.5).reasonCode).toBe(0);
    expect([Reason.Accept, Reason.SpeedLimit, Reason.Wall, Reason.Replay, Reason.OutOfMap]).toEqual([0, 1, 2, 3, 4]);
  });
  test('a refused move never changes where and when the entity was', () => {
    const w = walker();
    const before = w.state;
    for (const [x, z] of [
      [21.5, 30.5],
      [60, 30],
      [-1e9, 4],
      [1e300, -1e300],
      [NaN, 3],
      [20.5, 30.5],
    ]) {
      w.t += 10;
      expect(w.move(0, x, z).accepted).toBe(false);
      expect(w.pos).toEqual([19.5, 0, 30.5]);
    }
    const after = w.state;
    for (const k of [L.X, L.Y, L.Z, L.POLYGON, L.CREDIT, L.CREDIT_T, L.GROUND_T]) expect(after[k]).toBe(before[k]);
  });
  test('two packets in one millisecond are not infinitely fast; a clock that stands still pays nothing', () => {
    const w = walker();
    w.t += 100;
    expect(accepted([w.move(0, 19.2, 30.5), w.move(0, 18.9, 30.5)])).toBe(true);
    let metres = 0;
    for (let i = 0; i < 100; i++) {
      const [x] = w.pos;
      if (w.move(0, x - 0.3, 30.5).accepted) metres += 0.3;
    }
    // a quarter of a second from entering, and the 200 ms that passed, less 0.6 m
    expect(metres).toBeLessThan(6.9 * 0.45 - 0.6 + 1e-9);
  });
  test('over time no faster than the limit and its tolerance, to the edge of it', () => {
    for (const [speed, fine] of [
      [6, true],
      [6.85, true],
      [7, false],
      [9, false],
    ] as const) {
      const w = new World(GridMap.from(['.'.repeat(400), '.'.repeat(400)]));
      w.guard.enter('p', { pos: [0.5, 0, 1], speed: 6 });
      const verdicts = w.run(700, 50, [0.5, 1], speed * 0.05, 0);
      expect(accepted(verdicts), `${speed} m/s`).toBe(fine);
      if (!fine) expect(verdicts.find((v) => !v.accepted)?.reason).toBe('SpeedLimit');
    }
  });
  test('a forged huge number locks nobody out, numbers wrap', () => {
    const w = walker();
    w.t += 50;
    expect(w.guard.move('p', 0x7fff0000, 19.5, 0, 30.6).reason).toBe('Replay');
    expect(w.guard.move('p', 2, 19.5, 0, 30.6).reason).toBe('Accept');
    const wrap = new World(map);
    wrap.guard.enter('p', { pos: [5.5, 0, 5.5], speed: 6 });
    const at = (seq: number, x: number) => {
      wrap.t += 50;
      return wrap.guard.move('p', seq, x, 0, 5.5).reason;
    };
    expect([at(0xfffffffe, 5.6), at(0xffffffff, 5.7), at(0, 5.8), at(1, 5.9), at(0xffffffff, 6)]).toEqual([
      ...['Accept', 'Accept', 'Accept', 'Accept', 'Replay'],
    ]);
  });
  test('y says nothing, as long as it is a number', () => {
    const w = walker();
    let x = 19.5;
    for (const y of [1e6, -1e6, 0, 2.7, -40, 1e300]) {
      x -= 0.2;
      expect(w.move(50, x, 30.5, y).verdict).toBe('accept');
      expect(w.pos[1]).toBe(y);
    }
    expect(w.move(50, x, 30.5, NaN).reason).toBe('Malformed');
  });
  test('corrections carry where it is, count, and are one at a time', () => {
    const w = walker();
    const v = w.move(100, 21.5, 30.5);
    expect([v.verdict, v.correction, v.pos]).toEqual(['correct', 1, [19.5, 0, 30.5]]);
    expect(w.move(100, 21.6, 30.5)).toMatchObject({ verdict: 'ignore', correction: 0, pos: [19.5, 0, 30.5] });
    expect(w.guard.ack('p', 1)).toBe(true);
    expect(w.move(100, 21.6, 30.5)).toMatchObject({ verdict: 'correct', correction: 2 });
    // the line was silent: the acknowledgement, of a client that does acknowledge, may be behind this claim
    expect(w.move(600, 21.6, 30.5)).toMatchObject({ verdict: 'ignore', reason: 'Stale', correction: 0 });
    expect(w.guard.ack('p', 2)).toBe(true);
    expect(w.move(50, 21.6, 30.5)).toMatchObject({ verdict: 'correct', correction: 3 });
    expect(w.guard.ack('p', 3)).toBe(true);
    expect(w.move(50, 19.5, 30.6).verdict).toBe('accept');
  });
  test('a grant and a teleport put it behind the wall, once', () => {
    const w = walker();
    w.guard.grant('p', [25.5, 0, 30.5]);
    expect(w.move(50, 25.5, 30.5).verdict).toBe('accept');
    w.guard.teleport('p', [19.5, 0, 30.5]);
    expect(w.move(10, 25.6, 30.5)).toMatchObject({ verdict: 'ignore', reason: 'Stale' });
    expect(w.move(10, 19.5, 30.5).verdict).toBe('accept');
    expect(w.move(2000, 25.5, 30.5).accepted).toBe(false);
  });
  test('clicks go round the wall, in server time, and inputs along it', () => {
    const w = walker();
    const way = Math.hypot(0.5, 29.5) + 1 + Math.hypot(0.5, 29.5);
    const click = (to: readonly number[], duration: number) =>
      w.guard.begin('p', { seq: ++w.seq, from: w.pos, to, speed: 6, duration }).copy();
    expect(click([21.5, 0, 30.5], 333).reason).toBe('DurationMismatch');
    expect(click([20.5, 0, 30.5], 333).reason).toBe('TargetNotOnNavMesh');
    expect(click([500, 0, 30.5], 1e6).reason).toBe('TargetNotOnNavMesh');
    const v = click([21.5, 0, 30.5], (way / 6) * 1000);
    expect(v.verdict).toBe('accept');
    expect(v.length).toBeCloseTo(way, 2);
    w.t += (way / 12) * 1000;
    expect(w.pos[0]).toBeCloseTo(20.5, 2);
    expect(w.pos[2]).toBeCloseTo(1, 2);
    w.t += 60_000;
    expect(w.pos[0]).toBeCloseTo(21.5, 2);
    for (let i = 0; i < 40; i++) {
      w.t += 50;
      expect(w.guard.input('p', ++w.seq, [-0.8, 0.6], 50).verdict).toBe('accept');
    }
    expect(w.pos[0]).toBeCloseTo(21, 2);
    expect(w.pos[2]).toBeGreaterThan(36.5);
  });
});

describe('batches', () => {
  test.each([
    [1, 'reach'],
    [1, 'sight'],
    [2, 'reach'],
    [3, 'sight'],
  ] as const)('give the verdicts of one by one: bodies of %i, wall %s (seed 403)', (agent, wall) => {
    const rand = random(403 + agent);
    const map = GridMap.from(noise(rand, 60, 60, agent === 1 ? 0.2 : 0.02), { agent });
    const clock = { t: 0 };
    const one = new MoveGuard(map, { wall }, { now: () => clock.t });
    const many = new MoveGuard(map, { wall }, { now: () => clock.t });
    const ids = ['a', 'b', 'c', 'd'];
    const at = ids.map(() => [rand() * 60, rand() * 60]);
    ids.forEach((id, i) => {
      for (const g of [one, many]) g.enter(id, { pos: [at[i][0], 0, at[i][1]], speed: 5 });
    });
    const claims = many.claims(64);
    const reasons = new Set<string>();
    let seq = 0;
    for (let round = 0; round < 60; round++) {
      const singles: Verdict[] = [];
      for (let i = 0; i < 64; i++) {
        clock.t += rand() * 20;
        const who = Math.floor(rand() * ids.length);
        const far = rand() < 0.05 ? 30 : rand() < 0.3 ? 1.5 : 0.3;
        const to = [at[who][0] + (rand() - 0.5) * far, at[who][1] + (rand() - 0.5) * far];
        claims.entity[i] = many.slot(ids[who]);
        claims.seq[i] = rand() < 0.02 ? 3 : ++seq;
        claims.t[i] = clock.t;
        claims.pos.set([to[0], 0, to[1]], 3 * i);
        const v = one.move(ids[who], claims.seq[i], to[0], 0, to[1]).copy();
        singles.push(v);
        reasons.add(v.reason);
        if (v.pos !== null) at[who] = [v.pos[0], v.pos[2]];
      }
      many.checkBatch(claims, 64);
      singles.forEach((v, i) => {
        expect([claims.verdict[i], claims.reason[i]], `round ${round}, ${i}`).toEqual([v.verdictCode, v.reasonCode]);
      });
      for (const id of ids) expect(many.stateOf(id)).toEqual(one.stateOf(id));
    }
    for (const reason of ['Accept', 'SpeedLimit', 'Wall', 'Replay']) expect(reasons).toContain(reason);
  });
});

describe.each(['wasm', 'twin'] as const)('a corner between two blocked cells (%s)', (engine: Engine) => {
  const map = GridMap.from(['..##', '..##', '##..', '##..'], { cell: 1, engine });
  const world = (rules: Record<string, unknown> = {}) => new World(map, { ...UNBOUND, ...rules });
  const enter = (w: World, x: number, z: number) => w.guard.enter('p', { pos: [x, 0, z], speed: 1e5 });

  test('a start on a corner is not in the cells across it: no squeezing through in two claims', () => {
    const w = world();
    enter(w, 1.5, 1.5);
    expect(w.move(1000, 2, 2).accepted).toBe(true);
    for (const p of [2.05, 2.3, 3]) expect(w.move(1000, p, p).reason, `${p}`).toBe('PathPartial');
    // what rounding may do to a position is no crossing: it still belongs to its own side
    expect(w.move(1000, 2.02, 2.02).accepted).toBe(true);
    for (const p of [2.05, 2.3, 3]) expect(w.move(1000, p, p).reason, `${p}`).toBe('PathPartial');
    expect(w.move(1000, 1.9, 1.9).accepted).toBe(true);
    expect(w.move(1000, 2, 2).accepted).toBe(true);
    // standing there and coming back changes nothing
    expect(w.move(1000, 2, 2).accepted).toBe(true);
    expect(w.move(1000, 2.3, 2.3).reason).toBe('PathPartial');
    expect(w.move(1000, 1.5, 1.5).accepted).toBe(true);
  });

  test('nor in a batch, nor from beside it, nor by clicks and inputs', () => {
    const w = world();
    enter(w, 1.5, 1.5);
    expect(w.move(1000, 2, 2).accepted).toBe(true);
    const claims = w.guard.claims(1);
    claims.entity[0] = w.guard.slot('p');
    claims.seq[0] = 10;
    claims.pos.set([2.3, 0, 2.3]);
    claims.t[0] = 9000;
    w.guard.checkBatch(claims, 1);
    expect(claims.reason[0]).toBe(Reason.PathPartial);
    expect(w.guard.begin('p', { seq: 11, from: [2, 0, 2], to: [2.5, 0, 2.5], speed: 5, duration: 1000 }).accepted).toBe(
      false,
    );
    const slid = w.guard.input('p', 12, [1, 0, 1], 200);
    expect(slid.pos![0]).toBeLessThanOrEqual(2);
    expect(slid.pos![2]).toBeLessThanOrEqual(2);
  });

  test('whom the server puts on the corner may go either way, and stand there first', () => {
    for (const [x, z] of [
      [1.5, 1.5],
      [2.5, 2.5],
    ]) {
      const w = world();
      enter(w, 2, 2);
      for (let k = 0; k < 3; k++) expect(w.move(1000, 2, 2).accepted).toBe(true);
      expect(w.move(1000, x, z).accepted).toBe(true);
      expect(w.move(1000, 4 - x, 4 - z).reason).toBe('PathPartial');
    }
  });

  test('a walk that ends on the corner ends on its side of it', () => {
    const w = world();
    enter(w, 0.5, 0.5);
    expect(w.guard.begin('p', { seq: 1, from: [0.5, 0, 0.5], to: [2, 0, 2], speed: 5, duration: 500 }).accepted).toBe(
      true,
    );
    w.seq = 1;
    expect(w.move(3000, 2, 2).accepted).toBe(true);
    expect(w.move(1000, 2.4, 2.4).reason).toBe('PathPartial');
    expect(w.move(1000, 1.6, 1.6).accepted).toBe(true);
  });
});
