// The pool against one plain guard that is called in the same order: every verdict, every number, all that is remembered; while
// workers die, while maps change, and when there is more to do than there is room. Seeds stand in the names.
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { NavguardError } from '../../src/errors.ts';
import { MoveGuard } from '../../src/guard.ts';
import type { NavMap } from '../../src/map.ts';
import { Reason } from '../../src/reasons.ts';
import { blockedField, bundled, floors } from '../guard/world.ts';
import { GuardPool, type Pool } from './dist.ts';
import { Game, type GameOptions } from './game.ts';

const open: Pool[] = [];
afterEach(async () => {
  for (const pool of open.splice(0)) await pool.close();
});

type Map = NavMap;
async function pooled(
  map: Parameters<typeof GuardPool.create>[0],
  options: Parameters<typeof GuardPool.create>[2],
  rules = {},
) {
  const pool = await GuardPool.create(map, rules, options);
  open.push(pool);
  return pool;
}

/** Places on a map that can be walked on: found by looking on a raster. */
function spotsOf(map: Map): [number, number, number][] {
  const { min, max } = map.info.bounds;
  const spots: [number, number, number][] = [];
  for (let i = 1; i < 12; i++) {
    for (let k = 1; k < 12; k++) {
      const x = min[0] + ((max[0] - min[0]) * i) / 12;
      const z = min[2] + ((max[2] - min[2]) * k) / 12;
      const at = map.locate([x, min[1], z], { below: 100, above: 100 });
      if (at !== null) spots.push([at.point[0], at.point[1], at.point[2]]);
    }
  }
  return spots;
}

async function play(
  map: Map,
  options: Partial<GameOptions>,
  pool: Parameters<typeof GuardPool.create>[2],
  twin = false,
) {
  const clock = { now: 0 };
  const now = () => clock.now;
  const guard = new MoveGuard(map, {}, twin ? { now, engine: 'twin' } : { now });
  const workers = await pooled(map, { ...pool, now });
  const full = { seed: 1, players: 40, batch: 300, flights: 3, spots: spotsOf(map), facts: true, ...options };
  return new Game(guard, workers, clock, full);
}

const MAPS: [string, number, 'wasm' | 'twin', number, () => Promise<Map> | Map][] = [
  ['terrain', 2, 'wasm', 11, () => bundled('terrain')],
  ['islands', 3, 'twin', 12, () => bundled('islands')],
  ['floors', 1, 'wasm', 13, () => bundled('floors')],
  [
    ...(['a grid with walls', 2, 'twin', 14] as const),
    () =>
      blockedField(60, 60, 1, [
        [10, 0, 11, 40],
        [20, 20, 21, 60],
      ]),
  ],
];

describe('equal to one plain guard', () => {
  test.each(MAPS)('%s, %d workers, engine %s (seed %d)', async (_, workers, engine, seed, load) => {
    const map = await load();
    const game = await play(map, { seed }, { workers, journal: 1024 }, engine === 'twin');
    for (let k = 0; k < 30; k++) await game.round();
    await game.compareStates();
    expect(game.accepted).toBeGreaterThan(100);
  });

  test('who left and comes back keeps its score, and rows are used again', async () => {
    const clock = { now: 0 };
    const now = () => clock.now;
    const map = blockedField(40, 40, 1, []);
    const guard = new MoveGuard(map, {}, { now });
    const pool = await pooled(map, { now, entities: 3 });
    const both = (call: (to: MoveGuard | Pool) => void) => {
      call(guard);
      call(pool);
    };
    for (let k = 0; k < 8; k++) {
      for (const id of ['a', 'b', `c${k}`]) both((to) => to.enter(id, { pos: [5, 0, 5], speed: 5 }));
      for (const id of ['a', `c${k}`]) {
        clock.now += 100;
        const expected = guard.move(id, k + 1, 30, 0, 5).copy();
        expect({ ...(await pool.move(id, k + 1, 30, 0, 5)) }).toEqual({ ...expected });
        expect(await pool.score(id)).toBe(guard.score(id));
      }
      for (const id of ['a', 'b', `c${k}`]) both((to) => to.leave(id));
      // the pool lives with three seats: who left long ago has none
      clock.now += k % 2 === 0 ? 61_000 : 60_001;
    }
    expect(guard.score('a')).toBe(null);
  });
});

describe('a worker that dies', () => {
  test('by terminate, again and again: nothing is lost or judged twice (seed 21)', async () => {
    const deaths: number[] = [];
    const map = await bundled('terrain');
    const game = await play(map, { seed: 21 }, { workers: 2, journal: 1024, onDeath: (worker) => deaths.push(worker) });
    for (let k = 0; k < 40; k++) {
      await game.round();
      if (k % 8 === 5) void game.pool.threads()[k % 2].terminate();
    }
    await game.compareStates();
    expect(deaths.length).toBeGreaterThanOrEqual(4);
  });

  test.each([
    ['an exception', 'throw', 31],
    ['its heap limit', 'heap', 32],
    ['process.exit', 'exit', 33],
  ])('by %s, in the middle of what it does (seed %#)', async (_, kind, seed) => {
    const fault = fileURLToPath(new URL('fault.cjs', import.meta.url));
    Object.assign(process.env, { NAVGUARD_FAULT: kind, NAVGUARD_FAULTS: '3', NAVGUARD_FAULT_WITHIN: '200' });
    const errors: unknown[] = [];
    const map = await bundled('islands');
    const game = await play(
      map,
      { seed },
      {
        ...{ workers: 2, journal: 1024, execArgv: ['-r', fault], resourceLimits: { maxOldGenerationSizeMb: 32 } },
        onDeath: (_worker, error) => errors.push(error),
      },
    );
    for (let k = 0; k < 30; k++) await game.round();
    await game.compareStates();
    expect(errors.length).toBe(3);
    for (const error of errors) {
      if (kind === 'exit') expect(error).toBe(undefined);
      else expect((error as Error).message).toMatch(kind === 'throw' ? 'a fault' : /memory/);
    }
  });

  test('always at the same job: the pool fails with one sentence', async () => {
    const fault = fileURLToPath(new URL('fault.cjs', import.meta.url));
    Object.assign(process.env, { NAVGUARD_FAULT: 'throw', NAVGUARD_FAULTS: '1000', NAVGUARD_FAULT_WITHIN: '1' });
    const pool = GuardPool.create(await bundled('islands'), {}, { workers: 1, execArgv: ['-r', fault] });
    await expect(pool).rejects.toMatchObject({ code: 'THREAD_FAILED', message: /^worker 0 died .*: a fault$/ });
  });
});

describe('another map', () => {
  test('every verdict is of one map, and everybody goes on (seed 41)', async () => {
    const wall = blockedField(60, 60, 1, [[30, 0, 31, 50]]);
    const free = blockedField(60, 60, 1, []);
    const pit = blockedField(60, 60, 1, [[20, 20, 45, 45]]);
    const game = await play(wall, { seed: 41 }, { workers: 2, journal: 1024 });
    for (let k = 0; k < 60; k++) {
      await game.round();
      if (k % 5 === 4) void game.swap([free, wall, pit][k % 3]);
      if (k % 15 === 9) void game.pool.threads()[k % 2].terminate();
    }
    await game.compareStates();
  });

  test('who stands where there is nothing now is put beside it and told', async () => {
    const floor = floors([[0, 0, 40, 40, 0]]);
    const half = floors([[0, 0, 20, 40, 0]]);
    const pool = await pooled(floor, { now: () => 0 });
    pool.enter('here', { pos: [5, 0, 5], speed: 5 });
    pool.enter('gone', { pos: [30, 0, 5], speed: 5 });
    const { moved, map } = await pool.swap(half, { mapVersion: 'half' });
    expect(map).toBe(1);
    expect(moved).toMatchObject([{ id: 'gone', from: [30, 0, 5] }]);
    expect(moved[0].to[0]).toBeCloseTo(20, 1);
    expect(await pool.positionAt('gone')).toEqual(moved[0].to);
    expect(await pool.positionAt('here')).toEqual([5, 0, 5]);
    expect((await pool.move('here', 1, 5, 0, 5, { mapVersion: 'whole' })).reason).toBe('MapVersionMismatch');
  });
});

describe('more than there is room for', () => {
  test('is refused, and nothing has happened; ready waits', async () => {
    const pool = await pooled(blockedField(20, 20, 1, []), { queue: 1000, now: () => 0 });
    pool.enter('a', { pos: [5, 0, 5], speed: 5 });
    // judged: from here on only the claims wait
    expect(await pool.positionAt('a')).toEqual([5, 0, 5]);
    const [first, second] = [pool.claims(600), pool.claims(600)];
    for (const claims of [first, second]) {
      claims.entity.fill(pool.slot('a'));
      for (let i = 0; i < 600; i++) {
        claims.seq[i] = i;
        claims.pos.set([5, 0, 5], 3 * i);
      }
    }
    const asked = pool.check(first, 600);
    await expect(pool.check(second, 600)).rejects.toMatchObject({
      code: 'QUEUE_FULL',
      message: 'the queue is full: expected at most 1000 waiting, got 600 and 600 more',
    });
    expect(second.busy).toBe(false);
    let ready = false;
    const waited = pool.ready(600).then(() => {
      ready = true;
    });
    expect(ready).toBe(false);
    await asked;
    await waited;
    // the numbers 0..599 are used up, and only once
    await pool.check(second, 600);
    expect(first.reason.every((reason) => reason === Reason.Accept)).toBe(true);
    expect(second.reason.some((reason) => reason === Reason.Accept)).toBe(false);
    expect(() => {
      for (let k = 0; k < 1001; k++) pool.setSpeed('a', 5);
    }).toThrow(/^the queue is full: expected at most 1000 waiting, got 1000 and 1 more$/);
  });

  test('more facts than a ring holds wait their turn', async () => {
    const pool = await pooled(blockedField(20, 20, 1, []), { workers: 1, now: () => 0 });
    pool.enter('a', { pos: [5, 0, 5], speed: 5 });
    const verdicts: Promise<{ reason: string }>[] = [];
    for (let k = 1; k <= 3000; k++) {
      pool.setSpeed('a', 1 + (k % 7));
      verdicts.push(pool.move('a', k, 5, 0, 5));
    }
    expect(new Set((await Promise.all(verdicts)).map((verdict) => verdict.reason))).toEqual(new Set(['Accept']));
    expect(pool.waiting).toBe(0);
  });
});

describe('the end', () => {
  test('close answers all that was asked, then refuses', async () => {
    const pool = await pooled(blockedField(20, 20, 1, []), { now: () => 0 });
    pool.enter('a', { pos: [5, 0, 5], speed: 5 });
    const claims = pool.claims(1000);
    claims.entity.fill(pool.slot('a'));
    for (let i = 0; i < 1000; i++) {
      claims.seq[i] = i + 1;
      claims.pos.set([5, 0, 5], 3 * i);
    }
    const answers = [pool.check(claims, 1000), pool.score('a'), pool.move('a', 2000, 5, 0, 5)];
    const closed = pool.close();
    expect(pool.close()).toBe(closed);
    await closed;
    await Promise.all(answers);
    expect(claims.reason.every((reason) => reason === Reason.Accept)).toBe(true);
    for (const call of [
      () => pool.enter('b', { pos: [5, 0, 5], speed: 5 }),
      () => pool.leave('a'),
      () => pool.pause(5),
      () => pool.claims(5),
    ]) {
      expect(call).toThrow('the pool is closed: expected no call after close');
    }
    for (const call of [
      () => pool.check(claims, 1),
      () => pool.move('a', 1, 1, 1, 1),
      () => pool.score('a'),
      () => pool.ready(),
      () => pool.swap(blockedField(20, 20, 1, [])),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'CLOSED' });
    }
  });

  test('a worker that dies while the pool closes is replaced once more', async () => {
    const pool = await pooled(blockedField(20, 20, 1, []), { now: () => 0 });
    for (let k = 0; k < 50; k++) pool.enter(`e${k}`, { pos: [5, 0, 5], speed: 5 });
    const asked = Promise.all(Array.from({ length: 50 }, (_, k) => pool.move(`e${k}`, 1, 5, 0, 5)));
    const [worker] = pool.threads();
    const closed = pool.close();
    await worker.terminate();
    await closed;
    expect((await asked).every((verdict) => verdict.accepted)).toBe(true);
  });
});

describe('what would stop a pool does not', () => {
  const field = () => blockedField(20, 20, 1, []);
  const entry = { pos: [5, 0, 5] as [number, number, number], speed: 5 };

  test.each([600_000, 2_000_000])('a fact of %i bytes is refused, and the pool goes on', async (bytes) => {
    const pool = await pooled(field(), { now: () => 0, workers: 1 });
    pool.enter('a', entry);
    await pool.score('a');
    const grant = 'x'.repeat(bytes);
    expect(() => pool.grant('a', [6, 0, 5], { grant })).toThrow('grant: expected at most 524288 bytes in all');
    expect(() => pool.enter('b', { ...entry, strategies: new Array(bytes).fill('hero') })).toThrow('enter: expected');
    expect(pool.slot('b')).toBe(-1);
    const told = { radius: 1, said: () => 1 };
    expect(() => pool.grant('a', [6, 0, 5], told)).toThrow('grant: expected values that can be posted to a thread');
    expect(pool.waiting).toBe(0);
    expect(await pool.score('a')).toBe(0);
  });

  test('a worker that dies for good while the pool closes: what waits is refused, and close comes to its end', async () => {
    const env = { faults: process.env.NAVGUARD_FAULTS, within: process.env.NAVGUARD_FAULT_WITHIN };
    const fault = fileURLToPath(new URL('fault.cjs', import.meta.url));
    process.env.NAVGUARD_FAULTS = '0';
    const pool = await GuardPool.create(field(), {}, { now: () => 0, workers: 1, execArgv: ['-r', fault] });
    pool.enter('a', entry);
    await pool.score('a');
    Object.assign(process.env, { NAVGUARD_FAULTS: '1000', NAVGUARD_FAULT: 'throw', NAVGUARD_FAULT_WITHIN: '1' });
    try {
      // the thread at hand saw no fault to come: the next one does, and all after it
      const [worker] = pool.threads();
      const ended = worker.terminate();
      const asked = pool.score('a');
      const closed = pool.close();
      await ended;
      await expect(asked).rejects.toMatchObject({ code: 'THREAD_FAILED' });
      await closed;
    } finally {
      process.env.NAVGUARD_FAULTS = env.faults ?? '0';
      process.env.NAVGUARD_FAULT_WITHIN = env.within ?? '';
    }
  });

  test('a change of maps that is refused leaves the number of the map', async () => {
    const pool = await pooled(field(), { now: () => 0, workers: 1, queue: 1 });
    pool.enter('a', entry);
    await pool.ready();
    await expect(pool.swap(new Uint8Array(9))).rejects.toMatchObject({ code: 'BAD_FILE' });
    await expect(pool.swap(field(), { mapVersion: '2' })).rejects.toMatchObject({ code: 'QUEUE_FULL' });
    expect([pool.map, pool.waiting]).toEqual([0, 0]);
    const claims = pool.claims(1);
    claims.entity[0] = pool.slot('a');
    await pool.check(claims, 1);
    expect(claims.map).toBe(0);
    expect(await pool.swap(field())).toEqual({ map: 1, moved: [] });
  });
});

describe('what is wrong is said in one sentence', () => {
  const grid = () => blockedField(20, 20, 1, []);
  test.each([
    ['workers: expected a whole number of 1..64, got 0', { workers: 0 }],
    ['workers: expected a whole number of 1..64, got 65', { workers: 65 }],
    ['queue: expected a whole number of 1..1073741824, got 1.5', { queue: 1.5 }],
    ['entities: expected a whole number of 1..1048576, got NaN', { entities: Number.NaN }],
    ['journal: expected a whole number of 1024..4194304, got 5', { journal: 5 }],
    ['now: expected a function, got number', { now: 5 as never }],
    ['onDeath: expected a function, got string', { onDeath: 'log' as never }],
    ['execArgv: expected a list of strings, got 5', { execArgv: 5 as never }],
    [
      'options: expected one of workers, living, queue, entities, journal, now, onDeath, resourceLimits, execArgv, got threads',
      { threads: 4 } as never,
    ],
  ])('%s', async (message, options) => {
    await expect(GuardPool.create(grid(), {}, options)).rejects.toMatchObject({ code: 'BAD_ARGUMENT', message });
  });

  test('rules, maps, facts and claims', async () => {
    await expect(GuardPool.create(grid(), { nonsense: 1 })).rejects.toMatchObject({ code: 'BAD_RULE' });
    await expect(GuardPool.create(new Uint8Array(5))).rejects.toMatchObject({ code: 'BAD_FILE' });
    await expect(GuardPool.create(5 as never)).rejects.toMatchObject({ code: 'BAD_ARGUMENT' });
    const pool = await pooled(grid().toPack(), { now: () => 0, entities: 1 });
    const guard = new MoveGuard(grid(), {}, { now: () => 0 });
    pool.enter('a', { pos: [5, 0, 5], speed: 5 });
    guard.enter('a', { pos: [5, 0, 5], speed: 5 });
    for (const call of [
      (to: MoveGuard | Pool) => to.enter('', { pos: [5, 0, 5], speed: 5 }),
      (to: MoveGuard | Pool) => to.enter('a', { pos: [5, 0] as never, speed: 5 }),
      (to: MoveGuard | Pool) => to.setSpeed('a', -1),
      (to: MoveGuard | Pool) => to.boost('a', 1, Number.NaN),
      (to: MoveGuard | Pool) => to.impulse('a', [1, 0, 0], 0),
      (to: MoveGuard | Pool) => to.grant('a', [1, 0, 0], { radius: -1 }),
      (to: MoveGuard | Pool) => to.teleport('nobody', 5 as never),
      (to: MoveGuard | Pool) => to.state('a', { alive: 1 as never }),
      (to: MoveGuard | Pool) => to.ack('a', 1.5),
      (to: MoveGuard | Pool) => to.pause(-1),
      (to: MoveGuard | Pool) => to.version(5 as never),
    ]) {
      let message = '';
      try {
        call(guard);
      } catch (error) {
        message = (error as NavguardError).message;
      }
      expect(message).not.toBe('');
      expect(() => call(pool)).toThrow(message);
    }
    expect(() => pool.enter('b', { pos: [5, 0, 5], speed: 5 })).toThrow(
      'enter: expected at most 1 entities (the option entities), got one more',
    );
    expect(() => pool.claims(0)).toThrow('claims: capacity: expected a whole number of 1..32768, got 0');
    const claims = pool.claims(5);
    await expect(pool.check(claims, 6)).rejects.toThrow('check: n: expected a whole number of 0..5, got 6');
    await expect(pool.check(guard.claims(5) as never, 1)).rejects.toThrow(
      'check: claims: expected claims of this pool',
    );
    // (a worker may be quicker than the next call: so it is said, not raced)
    claims.busy = true;
    await expect(pool.check(claims, 5)).rejects.toThrow(
      'expected claims that are answered, got claims that are being judged',
    );
    claims.busy = false;
    await pool.check(claims, 5);
    expect(pool.setSpeed('nobody', 5)).toBe(false);
    expect(await pool.positionAt('nobody')).toBe(null);
    await expect(pool.restore('a', { state: [1], layout: 'x' })).rejects.toMatchObject({ code: 'BAD_ARGUMENT' });
  });
});

test('claims that cannot be posted, or even read, are verdicts', async () => {
  const pool = await pooled(blockedField(20, 20, 1, []), { now: () => 0 });
  const guard = new MoveGuard(blockedField(20, 20, 1, []), {}, { now: () => 0 });
  for (const to of [pool, guard]) to.enter('a', { pos: [5, 0, 5], speed: 5 });
  const trap = {
    get seq(): never {
      throw new Error('no');
    },
  };
  const hostile: unknown[] = [
    null,
    5,
    'x',
    {},
    [],
    trap,
    () => 5,
    { seq: 1, to: () => 5 },
    { seq: 1n },
    { seq: Symbol('x') },
  ];
  hostile.push({ seq: 1, from: [0, 0, 0], to: 'x'.repeat(100_000), speed: 1, duration: 1 });
  hostile.push({ seq: 9, mapVersion: 'x'.repeat(1e6), from: [5, 0, 5], to: [6, 0, 5], speed: 1, duration: 1000 });
  for (const claim of hostile) {
    const expected = guard.begin('a', claim as never).copy();
    const got = await pool.begin('a', claim as never);
    expect([got.reason, got.verdict, got.pos], String(claim)).toEqual([
      expected.reason,
      expected.verdict,
      expected.pos,
    ]);
  }
  for (const x of ['1', null, undefined, {}, () => 5, Symbol('x'), 5n, Number.NaN]) {
    const expected = guard.move('a', 20, x as never, 0, 5).copy();
    expect({ ...(await pool.move('a', 20, x as never, 0, 5)) }).toEqual({ ...expected });
  }
});
