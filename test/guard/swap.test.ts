// Another map under a running guard. Onto an equal map nothing changes, bit for bit, however often; onto another one entities are
// where they were, walks go on, and who cannot stay is put to the nearest ground without a word against him.
import { describe, expect, test } from 'vitest';
import { H_TABLE, P_SOURCE, POLY_STRIDE } from '../../assembly/layout.ts';
import { type Box, buildNavMesh } from '../../src/build/index.ts';
import type { Portal } from '../../src/bytes/portals.ts';
import { type LogRecord, MoveGuard } from '../../src/guard.ts';
import { auditLog } from '../../src/log/index.ts';
import { NavMap } from '../../src/map.ts';
import * as L from '../../src/rules/ledger.ts';
import type { Verdict } from '../../src/types.ts';
import { ringMesh } from '../oracle/rings.ts';
import { rehash } from '../pack/rehash.ts';
import { type Game, newGame, play } from './game.ts';
import { random } from './rounding.ts';
import { blockedField, bundled, floors, World } from './world.ts';

type Place = [number, number, number];

/** The same map by another name: numbers that no rule reads are others, so the hash is another. */
function renamed(map: NavMap, engine: 'wasm' | 'twin' = 'wasm'): NavMap {
  const pack = map.toPack();
  const view = new DataView(pack);
  const at = view.getUint32(H_TABLE, true) + P_SOURCE;
  // (two polygons of one export polygon are one, too)
  if (map.info.polygons > 1) view.setUint32(at + POLY_STRIDE, view.getUint32(at, true), true);
  return NavMap.fromPack(rehash(pack), { engine });
}

function told(game: Game, said: unknown[]): Game {
  const say = (v: Verdict): Verdict => {
    said.push([v.verdict, v.reason, v.pos && [...v.pos], v.snapshot && [...v.snapshot], v.used, v.allowed, v.score]);
    return v;
  };
  const real = game.guard;
  const heard = {
    move: (...a: Parameters<MoveGuard['move']>) => say(real.move(...a)),
    begin: (...a: Parameters<MoveGuard['begin']>) => say(real.begin(...a)),
    input: (...a: Parameters<MoveGuard['input']>) => say(real.input(...a)),
  };
  const guard = new Proxy(real, {
    get(_, name) {
      if (name in heard) return heard[name as keyof typeof heard];
      const value = real[name as keyof MoveGuard] as unknown;
      return typeof value === 'function' ? value.bind(real) : value;
    },
  });
  return { ...game, guard };
}

const GAP: Portal = { name: 'gap', start: [19.5, 0, 5], end: [24.5, 0, 5], width: 3, costModifier: 1.5 };
const bar = (x0: number, z0: number, x1: number, z1: number) => ({
  at: [x0, z0, x1, z0, x1, z1, x0, z1].map((v) => v * 1024),
  y: 0,
});
const linked = (...portals: Portal[]): NavMap =>
  NavMap.fromMesh(ringMesh([bar(0, 0, 20, 10), bar(24, 0, 44, 10)]).mesh, { portals });

describe('onto an equal map', () => {
  const MAPS: [string, () => Promise<NavMap>, Place][] = [
    ['maze', () => bundled('maze'), [25.7, 0.1, 9.8]],
    ['terrain', () => bundled('terrain'), [0, 0, 0]],
    ['a gap with a portal', async () => linked(GAP), [19, 0, 5]],
    [
      'a balcony',
      async () =>
        floors([
          [0, 0, 40, 40, 0],
          [10, 10, 20, 20, 1.5],
          [30, 0, 34, 40, 3],
        ]),
      [12, 1.5, 12],
    ],
  ];
  test.each(MAPS)('%s: the verdicts and states of one that was never swapped (seeds 71-72)', async (_, load, start) => {
    const map = await load();
    const others = [renamed(map), map, renamed(map, 'twin'), NavMap.fromPack(map.toPack())];
    expect(new Set([map, ...others].map(({ info }) => info.hash)).size).toBe(map.info.polygons > 1 ? 2 : 1);
    const ids = ['a', 'b', 'c', 'd'];
    for (const seed of [71, 72]) {
      const dice = random(seed);
      let swaps = 0;
      const runs = [false, true].map((swapping) => {
        const game = newGame(map, {}, {});
        const said: unknown[] = [];
        for (const id of ids) game.guard.enter(id, { pos: start, speed: 6 });
        const seen = play(told(game, said), ids, start, seed, 1500, () => {
          if (!swapping || dice() > 0.05) return;
          expect(game.guard.swap(others[swaps++ % others.length])).toEqual([]);
        });
        return { said, seen: [...seen], states: ids.map((id) => game.guard.stateOf(id)) };
      });
      for (const [k, said] of runs[0].said.entries()) expect(runs[1].said[k], `seed ${seed}, ${k}`).toEqual(said);
      expect(runs[1]).toEqual(runs[0]);
      expect(swaps).toBeGreaterThan(40);
    }
  });
});

/** An honest client that clicks here and there, also on its way, and sends where it is when it stands; what it was told. */
function wander(w: World, map: NavMap, rand: () => number, each: () => void): unknown[] {
  const said: unknown[] = [];
  const [[ax, , az], [bx, , bz]] = [map.info.bounds.min, map.info.bounds.max];
  const say = (v: Verdict) => said.push([v.verdict, v.reason, v.pos && [...v.pos], v.used, v.allowed, v.score]);
  for (let k = 0; k < 500; k++) {
    w.t += 50;
    each();
    const at = w.pos;
    said.push(at);
    const walking = (w.state[L.FLAGS] & L.WALKING) !== 0;
    if (rand() < (walking ? 0.04 : 0.5)) {
      const found = map.locate([ax + rand() * (bx - ax), at[1], az + rand() * (bz - az)], { below: 20, above: 20 });
      const { length } = found === null ? { length: null } : map.shortest(at, found.point);
      if (found === null || length === null) continue;
      const duration = (1000 * 3 * length) / 6 + 500;
      say(w.guard.begin('p', { seq: ++w.seq, from: at, to: found.point as Place, speed: 6, duration }));
    } else if (!walking) say(w.guard.move('p', ++w.seq, ...at));
  }
  return said;
}

describe('walks of clicks', () => {
  test.each<[string, () => Promise<NavMap>, Place]>([
    ['maze', () => bundled('maze'), [25.7, 0.1, 9.8]],
    ['pillars', () => bundled('pillars'), [5, 0, 5]],
    ['a gap with a portal', async () => linked(GAP), [19, 0, 5]],
  ])('on equal maps: %s (seeds 75-76)', async (_, load, start) => {
    const map = await load();
    const others = [renamed(map), map, renamed(map, 'twin')];
    for (const seed of [75, 76]) {
      let walking = 0;
      const runs = [false, true].map((swapping) => {
        const w = new World(map);
        w.guard.enter('p', { pos: start, speed: 6 });
        const dice = random(seed);
        let swaps = 0;
        const said = wander(w, map, random(seed + 10), () => {
          if (!swapping || dice() > 0.2) return;
          if ((w.state[L.FLAGS] & L.WALKING) !== 0) walking++;
          expect(w.guard.swap(others[swaps++ % others.length])).toEqual([]);
        });
        return { said, state: w.state };
      });
      expect(runs[1]).toEqual(runs[0]);
      expect(walking).toBeGreaterThan(20);
    }
  });

  test('on the same level meshed otherwise: nobody is refused or put elsewhere (seeds 77-79)', async () => {
    const boxes: Box[] = [
      [0, -1, 0, 40, 0, 30],
      [8, 0, 6, 10, 2, 24],
      [18, 0, 0, 20, 2, 13],
      [18, 0, 17, 20, 2, 30],
      [27, 0, 8, 34, 2, 12],
    ];
    const maps = await Promise.all([0, 32, 48].map(async (tile) => NavMap.load(await buildNavMesh({ boxes, tile }))));
    expect(new Set(maps.map(({ info }) => info.polygons)).size).toBe(3);
    for (const seed of [77, 78, 79]) {
      const w = new World(maps[0]);
      w.guard.enter('p', { pos: [4, 0, 15], speed: 6 });
      const dice = random(seed);
      let swaps = 0;
      let now = maps[0];
      const said = wander(w, maps[0], random(seed + 10), () => {
        expect(now.locate(w.pos, { tolerance: 0.26 })).not.toBeNull();
        if (dice() > 0.1) return;
        now = maps[++swaps % 3];
        expect(w.guard.swap(now)).toEqual([]);
      });
      const words = said.flatMap((line) => (typeof (line as unknown[])[0] === 'string' ? [(line as string[])[1]] : []));
      expect([seed, new Set(words)]).toEqual([seed, new Set(['Accept'])]);
      expect(words.length).toBeGreaterThan(10);
      expect(swaps).toBeGreaterThan(30);
      expect(w.guard.score('p')).toBe(0);
    }
  });
});

/** A floor of 40 x 20 m, with or without a wall of 2 m across it at x = 20. */
const OPEN = () => floors([[0, 0, 40, 20, 0]]);
const WALLED = () => blockedFloor([[19, 0, 21, 20]]);
const DOOR = () =>
  blockedFloor([
    [19, 0, 21, 9],
    [19, 11, 21, 20],
  ]);
/** The same floor in rectangles, joined, round what is left out. */
function blockedFloor(walls: readonly (readonly number[])[]): NavMap {
  const xs = [...new Set([0, 40, ...walls.flatMap(([a, , b]) => [a, b])])].sort((a, b) => a - b);
  const zs = [...new Set([0, 20, ...walls.flatMap(([, a, , b]) => [a, b])])].sort((a, b) => a - b);
  const rings = [];
  for (let i = 0; i + 1 < xs.length; i++) {
    for (let j = 0; j + 1 < zs.length; j++) {
      const inside = walls.some(([a, b, c, d]) => xs[i] >= a && xs[i + 1] <= c && zs[j] >= b && zs[j + 1] <= d);
      if (!inside) rings.push(bar(xs[i], zs[j], xs[i + 1], zs[j + 1]));
    }
  }
  return NavMap.fromMesh(ringMesh(rings).mesh);
}

describe('onto another map', () => {
  test('who stands where a wall is now is put beside it, told by a correction, and nothing is held against him', () => {
    const w = new World(OPEN());
    w.guard.enter('p', { pos: [18.5, 0, 5], speed: 6 });
    w.guard.rtt('p', 200);
    w.guard.grant('p', [30, 0, 5], { grant: 'later' });
    for (let k = 1; k <= 5; k++) expect(w.move(50, 18.5 + 0.3 * k, 5).verdict).toBe('accept');
    const before = w.state;
    const displaced = w.guard.swap(WALLED(), { mapVersion: 'walled' });
    expect(displaced).toMatchObject([{ id: 'p', from: [20, 0, 5], correction: 1 }]);
    const [{ to, correction }] = displaced;
    expect(Math.min(Math.abs(to[0] - 19), Math.abs(to[0] - 21))).toBeLessThan(0.01);
    expect(w.pos).toEqual(to);
    for (const kept of [L.CREDIT, L.LIMIT, L.RTT, L.SEQ, L.GRANT_COUNT, L.SCORE_SUM]) {
      expect([kept, w.state[kept]]).toEqual([kept, before[kept]]);
    }
    // what it sent before it heard of it
    for (let k = 1; k <= 3; k++) {
      const v = w.move(50, 20 + 0.3 * k, 5);
      expect([v.verdict, v.reason, v.score, v.pos]).toEqual(['ignore', 'Stale', 0, to]);
    }
    w.guard.ack('p', correction);
    const away = Math.sign(to[0] - 20) * 0.3;
    for (let k = 1; k <= 20; k++) expect(w.move(50, to[0] + away * k, 5).verdict).toBe('accept');
    expect(w.guard.score('p')).toBe(0);
    expect(w.guard.move('p', ++w.seq, 1, 0, 1, { mapVersion: 'open' }).reason).toBe('MapVersionMismatch');
    // the grant is still there
    w.t += 400;
    expect(w.guard.move('p', ++w.seq, 30, 0, 5, { mapVersion: 'walled' }).reason).toBe('Accept');
  });

  test('without a word from the client it is judged from there once the time is over', () => {
    const w = new World(OPEN());
    w.guard.enter('p', { pos: [20, 0, 5], speed: 6 });
    const [{ to }] = w.guard.swap(WALLED());
    const away = Math.sign(to[0] - 20) * 0.3;
    expect(w.move(50, 20.1, 5).verdict).toBe('ignore');
    expect(w.move(50, to[0] + away, 5).verdict).toBe('accept');
    const stuck = new World(OPEN());
    stuck.guard.enter('p', { pos: [20, 0, 5], speed: 6 });
    stuck.guard.swap(WALLED());
    stuck.t += 2000;
    expect(stuck.move(50, 20, 5)).toMatchObject({ verdict: 'correct', correction: 2, pos: to });
  });

  test('there and back: who was not in the way has the state of one that was never swapped', () => {
    const [open, walled] = [OPEN(), WALLED()];
    const one = new World(open);
    const other = new World(open);
    for (const w of [one, other]) {
      w.guard.enter('p', { pos: [3, 0, 3], speed: 6 });
      w.guard.rtt('p', 120);
    }
    const rand = random(33);
    for (let k = 0; k < 200; k++) {
      const [x, z] = [3 + 10 * rand(), 3 + 10 * rand()];
      const dt = 20 + 100 * rand();
      const [a, b] = [one, other].map((w) => ({ ...w.move(dt, ...stepTo(w, x, z, 0.02 * dt)), copy: null }));
      expect(b).toEqual(a);
      if (k % 7 === 3) other.guard.swap(walled);
      if (k % 7 === 5) other.guard.swap(open);
    }
    const names = new Set([L.POLYGON, L.ANCHOR_X, L.ANCHOR_Z]);
    one.state.forEach((n, k) => {
      if (!names.has(k)) expect([k, other.state[k]]).toEqual([k, n]);
    });
  });

  test('a new wall is a wall from then on, and one that is gone is none', () => {
    const w = new World(OPEN());
    w.guard.enter('p', { pos: [17, 0, 5], speed: 6 });
    w.t += 1000;
    w.guard.swap(WALLED());
    expect(['Wall', 'PathPartial']).toContain(w.move(50, 22, 5).reason);
    w.guard.ack('p', 1);
    w.guard.swap(OPEN());
    expect(w.move(500, 22, 5).reason).toBe('Accept');
  });

  describe('a walk of a click', () => {
    const begun = (map: NavMap, to: Place, stop = 0): World => {
      const w = new World(map);
      w.guard.enter('p', { pos: [5, 0, 5], speed: 6 });
      const duration = (1000 * (Math.hypot(to[0] - 5, to[2] - 5) - stop)) / 6;
      expect(w.guard.begin('p', { seq: ++w.seq, from: [5, 0, 5], to, speed: 6, duration, stop }).reason).toBe('Accept');
      return w;
    };
    test('goes on along the same way where that is free', () => {
      const w = begun(OPEN(), [35, 0, 15]);
      w.t += 500;
      const before = w.pos;
      w.guard.swap(DOOR());
      expect(w.pos).toEqual(before);
      w.t += 60_000;
      expect(w.pos).toEqual([35, 0, 15]);
    });
    test('goes round what is in its way now', () => {
      const w = begun(OPEN(), [35, 0, 5], 2);
      w.t += 1000;
      const [x, , z] = w.pos;
      expect([x, z]).toEqual([11, 5]);
      expect(w.guard.swap(DOOR())).toEqual([]);
      expect(w.pos).toEqual([11, 0, 5]);
      const t0 = w.t;
      const door = DOOR();
      for (let ms = 0; ms < 8000; ms += 50) {
        w.t = t0 + ms;
        const [px, py, pz] = w.pos;
        expect(door.locate([px, py, pz], { tolerance: 0.01 }), `${px} ${pz}`).not.toBeNull();
      }
      expect(w.pos[0]).toBeGreaterThan(32.9);
      expect(w.pos[0]).toBeLessThan(33.2);
    });
    test('ends where it is when no way is left, and the client may click again from there', () => {
      const w = begun(OPEN(), [35, 0, 5]);
      w.t += 1000;
      const displaced = w.guard.swap(WALLED());
      expect(displaced).toEqual([]);
      w.t += 5000;
      expect(w.pos).toEqual([11, 0, 5]);
      const again = { seq: ++w.seq, from: w.pos, to: [5, 0, 15] as Place, speed: 6, duration: 2000 };
      expect(w.guard.begin('p', again).reason).toBe('Accept');
    });
    test('ends where the walker is put', () => {
      const w = begun(OPEN(), [35, 0, 5]);
      w.t += 2500;
      const [{ from, to }] = w.guard.swap(WALLED());
      expect(from).toEqual([20, 0, 5]);
      w.t += 5000;
      expect(w.pos).toEqual(to);
    });
    test('over a portal goes on while there is one', () => {
      for (const [map, goesOn] of [
        [linked({ ...GAP, width: 0 }, { name: 'far', start: [2, 0, 2], end: [42, 0, 2] }), true],
        [linked(), false],
        [linked({ ...GAP, width: 0, open: false }), false],
      ] as const) {
        const w = new World(linked({ ...GAP, width: 0 }));
        w.guard.enter('p', { pos: [15, 0, 5], speed: 6 });
        const click = { seq: ++w.seq, from: w.pos, to: [30, 0, 5] as Place, speed: 6, duration: 3000 };
        expect(w.guard.begin('p', click).reason).toBe('Accept');
        w.t += 200;
        w.guard.swap(map);
        w.t += 10_000;
        if (goesOn) expect(w.pos[0]).toBeCloseTo(30, 3);
        else expect(w.pos[0]).toBeCloseTo(16.2, 3);
      }
    });
  });

  test('who is on a portal goes on over it, by another number too; without it he falls', () => {
    const over = (): World => {
      const w = new World(linked({ ...GAP, width: 0 }));
      w.guard.enter('p', { pos: [19.5, 0, 5], speed: 6 });
      w.t += 800;
      expect(w.move(50, 21.5, 5).reason).toBe('Accept');
      expect(w.state[L.FLAGS] & L.ON_LINK).not.toBe(0);
      return w;
    };
    const onward = over();
    onward.guard.swap(linked({ start: [2, 0, 2], end: [40, 0, 2] }, { ...GAP, width: 0 }));
    expect(onward.state[L.LINK]).toBe(2);
    for (const x of [22, 22.5, 23, 23.5, 24, 24.5, 25]) expect(onward.move(200, x, 5).reason).toBe('Accept');
    const fallen = over();
    fallen.guard.swap(linked());
    expect(fallen.state[L.FLAGS] & L.ON_LINK).toBe(0);
    expect(fallen.move(200, 22.5, 5).accepted).toBe(false);
  });

  test('onto a map that lives: who stands in what is shut there may leave it, others may not enter (seed 55)', () => {
    const rand = random(55);
    const lived = OPEN();
    lived.block('crate', { box: [18, 0, 3, 22, 2, 8] });
    for (let round = 0; round < 40; round++) {
      const w = new World(OPEN());
      const inside: Place = [18.5 + 3 * rand(), 0, 3.5 + 4 * rand()];
      w.guard.enter('p', { pos: inside, speed: 6 });
      w.guard.enter('out', { pos: [17, 0, 5], speed: 6 });
      w.t += 1000;
      const displaced = w.guard.swap(lived);
      for (const { correction } of displaced) w.guard.ack('p', correction);
      w.t += 1000;
      expect(w.guard.move('out', 1, 20, 0, 5).accepted, `${inside}`).toBe(false);
      // straight out by the nearest side
      const [x, , z] = w.pos;
      const side = x < 20 ? -1 : 1;
      for (let k = 1; k <= 16; k++) {
        expect([inside, k, w.move(50, x + side * 0.3 * k, z).verdict]).toEqual([inside, k, 'accept']);
      }
      expect(w.guard.score('p')).toBe(0);
      // and with the crate gone it is open ground again
      w.guard.swap(OPEN());
      w.t += 2000;
      expect(w.guard.move('out', 2, 20, 0, 5).accepted).toBe(true);
    }
  });

  test('floors are told apart by height', () => {
    const before = floors([
      [0, 0, 20, 20, 0],
      [0, 0, 20, 20, 4],
    ]);
    const after = floors([
      [0, 0, 10, 20, 4],
      [0, 0, 20, 20, 0],
    ]);
    const w = new World(before);
    w.guard.enter('p', { pos: [5, 4, 5], speed: 6 });
    w.guard.enter('low', { pos: [5, 0, 5], speed: 6 });
    w.guard.enter('edge', { pos: [15, 4, 5], speed: 6 });
    expect(w.guard.swap(after)).toEqual([]);
    expect(w.pos).toEqual([5, 4, 5]);
    expect(w.guard.positionAt('low')).toEqual([5, 0, 5]);
    expect([w.state[L.FLOOR], w.state[L.OFF], w.state[L.POLYGON]]).toEqual([4, 0, 0]);
    expect(w.guard.stateOf('low')?.[L.POLYGON]).toBe(1);
    // the floor is gone from under him: he falls, from now on
    for (let k = 1; k <= 18; k++) {
      w.t += 50;
      const y = Math.max(0, 4 - (9.81 * (k / 20) ** 2) / 2);
      expect([k, w.guard.move('edge', k, 15, y, 5).reason]).toEqual([k, 'Accept']);
    }
    expect(w.guard.score('edge')).toBe(0);
    // and who is under the ground now is put on it
    const risen = w.guard.swap(floors([[0, 0, 20, 20, 2]]));
    expect(risen.map(({ id, to }) => [id, to])).toEqual(
      [
        ['p', [5, 2, 5]],
        ['low', [5, 2, 5]],
        ['edge', [15, 2, 5]],
      ].slice(1),
    );
  });

  test('thousands on random maps, there and back: each is on the ground or was off it before (seed 12)', () => {
    const rand = random(12);
    const field = () =>
      blockedField(
        60,
        60,
        1,
        Array.from({ length: 40 }, () => {
          const [x, z] = [1 + Math.floor(rand() * 50), 1 + Math.floor(rand() * 50)];
          return [x, z, x + 1 + Math.floor(rand() * 6), z + 1 + Math.floor(rand() * 6)];
        }),
      );
    let t = 0;
    const guard = new MoveGuard(field(), {}, { now: () => t });
    const ids = Array.from({ length: 800 }, (_, k) => `e${k}`);
    for (const id of ids) guard.enter(id, { pos: [60 * rand(), 0, 60 * rand()], speed: 6 });
    let put = 0;
    for (let round = 0; round < 8; round++) {
      t += 1000;
      const map = field();
      const off = new Set(ids.filter((id) => (guard.stateOf(id)?.[L.OFF] ?? 0) > 0.1));
      const displaced = guard.swap(map);
      put += displaced.length;
      for (const id of ids) {
        const at = guard.positionAt(id) as Place;
        if (!off.has(id)) expect(map.locate(at, { tolerance: 0.11 }), `${id} ${round}`).not.toBeNull();
        expect(guard.score(id)).toBe(0);
      }
      for (const { id, to } of displaced) expect(guard.positionAt(id)).toEqual(to);
    }
    expect(put).toBeGreaterThan(200);
  });
});

function stepTo(w: World, x: number, z: number, most: number): [number, number] {
  const [px, , pz] = w.pos;
  const far = Math.hypot(x - px, z - pz);
  const share = far > most ? most / far : 1;
  return [px + (x - px) * share, pz + (z - pz) * share];
}

describe('what is written of it', () => {
  test('recordings begin anew and name the new map; verdict records name the map that judged', async () => {
    const records: LogRecord[] = [];
    const logger = { info: (r: LogRecord) => records.push(r), warn: (r: LogRecord) => records.push(r) };
    const [open, door] = [OPEN(), DOOR()];
    let t = 0;
    const guard = new MoveGuard(
      open,
      {},
      { now: () => t, record: { map: 'open.bin' }, log: { logger, accepted: true } },
    );
    guard.enter('p', { pos: [5, 0, 5], speed: 6, player: 'Ann' });
    const click = { seq: 1, from: [5, 0, 5] as Place, to: [35, 0, 5] as Place, speed: 6, duration: 5000 };
    expect(guard.begin('p', click).reason).toBe('Accept');
    t = 1000;
    guard.swap(door, { mapVersion: 'door', file: 'door.bin' });
    const walked = guard.positionAt('p') as Place;
    for (let seq = 2; seq < 9; seq++) {
      t += 50;
      guard.move('p', seq, walked[0] + 0.3 * (seq - 1), 0, 5, { mapVersion: 'door' });
    }
    guard.move('p', 9, 1, 0, 1, { mapVersion: 'open' });
    expect(records.map(({ map }) => map)).toEqual([open.info.hash, ...Array(8).fill(door.info.hash)]);
    expect(records.every(({ player }) => player === 'Ann')).toBe(true);
    expect(records.at(-1)).toMatchObject({
      reason: 'MapVersionMismatch',
      mapVersion: { server: 'door', claim: 'open' },
    });
    const recording = guard.record('p');
    expect(recording.header.map).toEqual({ file: 'door.bin', hash: door.info.hash });
    expect(recording.events[0].op).toBe('restore');
    const text = (async function* () {
      yield Buffer.from(recording.text());
    })();
    const summary = await auditLog(text, { name: 'appeal', map: door });
    expect([summary.mismatchCount, summary.expected]).toEqual([0, 8]);
  });

  test('an export of before the swap is of another map', () => {
    const guard = new MoveGuard(OPEN(), {}, { now: () => 0 });
    guard.enter('p', { pos: [5, 0, 5], speed: 6 });
    const bytes = guard.export('p') as Uint8Array;
    guard.leave('p');
    guard.swap(DOOR());
    expect(() => guard.import(bytes)).toThrow(/import: map: expected this guard's/);
  });

  test('wrong arguments change nothing; several maps and versions at once know nothing of each other', () => {
    const [a, b] = [OPEN(), WALLED()];
    const guards = [a, b, a].map((map) => new MoveGuard(map, {}, { now: () => 1000 }));
    for (const guard of guards) guard.enter('p', { pos: [18.5, 0, 5], speed: 6 });
    expect(() => guards[0].swap(null as never)).toThrow(/swap: map: expected a NavMap or GridMap/);
    expect(() => guards[0].swap(b, { mapVersion: 2 as never })).toThrow(/swap: mapVersion: expected a string/);
    expect(() => guards[0].swap(b, { file: 2 as never })).toThrow(/swap: file: expected a string/);
    const hop = (guard: MoveGuard, seq: number) => guard.move('p', seq, 19.9, 0, 5).accepted;
    expect(guards.map((guard) => hop(guard, 1))).toEqual([true, false, true]);
    guards[2].swap(b);
    expect(guards.map((guard) => hop(guard, 2))).toEqual([true, false, false]);
  });
});
