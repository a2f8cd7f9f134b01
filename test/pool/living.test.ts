// A pool whose map changes: during random changes of doors, obstacles and carriers its verdicts are those of one guard, also
// when workers die; what the next worker is told is what holds, not what has been. Seeds stand in the names.
import { afterEach, describe, expect, test } from 'vitest';
import { buildNavMesh } from '../../src/build/index.ts';
import { MoveGuard } from '../../src/guard.ts';
import { NavMap } from '../../src/map.ts';
import { random } from '../guard/rounding.ts';
import { GuardPool, type Pool } from './dist.ts';

const open: Pool[] = [];
afterEach(async () => {
  for (const pool of open.splice(0)) await pool.close();
});

/** Three rooms in a row with two doors (areas 5 and 6), and a link over a gap. */
const load = async (): Promise<NavMap> =>
  NavMap.load(
    await buildNavMesh({
      boxes: [
        [0, -1, 0, 40, 0, 20],
        [13, 0, 0, 13.4, 3, 8],
        [13, 0, 12, 13.4, 3, 20],
        [26, 0, 0, 26.4, 3, 8],
        [26, 0, 12, 26.4, 3, 20],
        [44, -1, 0, 60, 0, 20],
      ],
      links: [{ id: 'plank', from: [39, 0, 10], to: [45, 0, 10], radius: 0.5, bidirectional: true }],
      areas: [
        { area: 5, box: [12, -1, 8, 14.5, 1, 12] },
        { area: 6, box: [25, -1, 8, 27.5, 1, 12] },
      ],
    }),
  );

const IDS = Array.from({ length: 12 }, (_, i) => `p${i}`);
type Both = Pick<MoveGuard, 'area' | 'link' | 'block' | 'unblock' | 'carrier' | 'attach' | 'detach' | 'rtt' | 'enter'>;

/** One random change, or what a server tells besides. */
function changeOf(next: () => number, t: number): (to: Both) => unknown {
  const kind = next();
  const n = next();
  const id = IDS[Math.floor(next() * IDS.length)];
  const [x, z] = [2 + 36 * next(), 1 + 18 * next()];
  if (kind < 0.3) return (to) => to.area(n < 0.5 ? 5 : 6, { open: kind < 0.15 });
  if (kind < 0.35) return (to) => to.area(n < 0.5 ? 5 : 0, { speed: kind < 0.32 ? 0.5 : 1 });
  if (kind < 0.45) return (to) => to.link('#0', kind < 0.38 ? 'forward' : kind < 0.42);
  if (kind < 0.6) return (to) => to.block(`crate ${Math.floor(4 * n)}`, { box: [x, -0.5, z, x + 1.5, 1.5, z + 1.5] });
  if (kind < 0.7) return (to) => to.unblock(`crate ${Math.floor(4 * n)}`);
  if (kind < 0.85)
    return (to) => to.carrier(1, { pos: [20 + 6 * Math.sin(t / 1000), 0, 10], yaw: t / 9000, size: [4, 1, 4] });
  if (kind < 0.87) return (to) => to.carrier(1, null);
  if (kind < 0.92) {
    return (to) => {
      try {
        return to.attach(id, 1, [n, 0, 0]);
      } catch {
        return 'refused';
      }
    };
  }
  if (kind < 0.95) return (to) => to.detach(id);
  return (to) => to.rtt(id, Math.floor(300 * n));
}

/** Plays `rounds` batches of 100 claims against both; kills a worker now and then. Returns what was accepted. */
async function play(map: NavMap, pool: Pool, clock: { now: number }, seed: number, rounds: number, kill: boolean) {
  const guard = new MoveGuard(await load(), {}, { now: () => clock.now });
  const next = random(seed);
  const seqs = new Map<string, number>(IDS.map((id) => [id, 0]));
  const pooled = pool.claims(100);
  const own = guard.claims(100);
  for (const [i, id] of IDS.entries()) {
    const entry = { pos: [2 + 3 * i, 0, 10], speed: 6 } as const;
    for (const to of [guard, pool]) to.enter(id, { ...entry, pos: [2 + 3 * i, 0, 10] });
  }
  expect(map.living.revision).toBe(0);
  let accepted = 0;
  for (let round = 0; round < rounds; round++) {
    for (let k = 0; k < 3; k++) {
      clock.now += Math.floor(60 * next());
      const change = changeOf(next, clock.now);
      expect(change(pool as unknown as Both)).toEqual(change(guard));
    }
    const id = IDS[Math.floor(next() * IDS.length)];
    const seq = (seqs.get(id) ?? 0) + 1;
    seqs.set(id, seq);
    const at = guard.positionAt(id) as number[];
    const word = { carrier: 1, offset: [next(), 0, next()] };
    const single = pool.move(id, seq, at[0], at[1], at[2], word);
    const said = guard.move(id, seq, at[0], at[1], at[2], word).copy();
    let t = clock.now;
    for (let i = 0; i < 100; i++) {
      const who = IDS[Math.floor(next() * IDS.length)];
      const seq = (seqs.get(who) ?? 0) + 1;
      seqs.set(who, seq);
      const [x, y, z] = guard.stateOf(who) as Float64Array;
      t += Math.floor(4 * next());
      const step = next() < 0.05 ? 6 : 0.5;
      const pos = [x + step * (next() - 0.5), y, z + step * (next() - 0.5)];
      own.entity[i] = guard.slot(who);
      pooled.entity[i] = pool.slot(who);
      for (const claims of [own, pooled]) {
        claims.seq[i] = seq;
        claims.t[i] = t;
        claims.pos.set(pos, 3 * i);
      }
    }
    clock.now = t;
    const answer = pool.check(pooled, 100);
    if (kill && round % 7 === 3) void pool.threads()[round % 2].terminate();
    guard.checkBatch(own, 100);
    await answer;
    expect({ ...(await single) }, `round ${round}`).toEqual({ ...said });
    for (const name of ['verdict', 'reason', 'used', 'allowed', 'length', 'score', 'at'] as const) {
      expect([...pooled[name].subarray(0, name === 'at' ? 300 : 100)], `${name}, round ${round}`).toEqual([
        ...own[name].subarray(0, name === 'at' ? 300 : 100),
      ]);
    }
    accepted += own.verdict.filter((v) => v === 0).length;
  }
  for (const id of IDS) expect(await pool.positionAt(id)).toEqual(guard.positionAt(id));
  return accepted;
}

describe('a living pool', () => {
  test.each([
    [1, false],
    [2, true],
    [3, true],
  ])('is one guard, with 2 workers, during changes (seed %d, workers die: %s)', async (seed, kill) => {
    const map = await load();
    const clock = { now: 0 };
    const deaths: number[] = [];
    const pool = await GuardPool.create(
      map,
      {},
      {
        ...{ workers: 2, living: true, journal: 1024, now: () => clock.now },
        onDeath: (worker) => deaths.push(worker),
      },
    );
    open.push(pool);
    const accepted = await play(map, pool, clock, seed, 30, kill);
    expect(accepted).toBeGreaterThan(250);
    expect(accepted).toBeLessThan(2950);
    if (kill) expect(deaths.length).toBeGreaterThan(1);
  });

  test('what is called twice is told once, wrong changes throw and change nothing, and a static pool says what to do', async () => {
    const map = await load();
    const still = await GuardPool.create(map, {}, { workers: 1 });
    open.push(still);
    expect(() => still.area(5, { open: false })).toThrow(/living: true/);
    expect(() => still.block('a', { box: [0, 0, 0, 1, 1, 1] })).toThrow(/living: true/);
    const pool = await GuardPool.create(map, {}, { workers: 2, living: true });
    open.push(pool);
    expect(() => pool.area(99, { open: false })).toThrow(/area/);
    expect(() => pool.link('no such link', false)).toThrow(/link/);
    expect(() => pool.attach('p', 'no such ship', [0, 0, 0])).toThrow(/pool.carrier/);
    expect(pool.unblock('nothing')).toBe(false);
    pool.enter('p', { pos: [12, 0, 10], speed: 6 });
    pool.area(5, { open: false });
    pool.area(5, { open: true });
    expect((await pool.move('p', 1, 12.3, 0, 10)).verdict).toBe('accept');
    map.area(5, { open: false });
    await expect(GuardPool.create(map, {}, { living: true })).rejects.toThrow(/as it was loaded/);
  });

  test('after 10,000 changes a worker that dies is replaced, and what it is told is short', async () => {
    const map = await load();
    const clock = { now: 0 };
    const pool = await GuardPool.create(map, {}, { workers: 1, living: true, journal: 1024, now: () => clock.now });
    open.push(pool);
    pool.enter('p', { pos: [10, 0, 10], speed: 6 });
    const memory: number[] = [];
    for (let i = 0; i < 10_000; i++) {
      clock.now += 10;
      if (i % 4 === 0) pool.area(5, { open: i % 8 === 0 });
      else if (i % 4 === 1) pool.block('crate', { box: [5 + (i % 3), -0.5, 5, 6 + (i % 3), 1, 6] });
      else if (i % 4 === 2) pool.carrier('ship', { pos: [i % 50, 0, 40] });
      else pool.unblock('crate');
      if (i % 1000 === 999) {
        await pool.score('p');
        memory.push(process.memoryUsage().rss);
      }
    }
    pool.area(5, { open: false });
    clock.now += 2000;
    await pool.threads()[0].terminate();
    expect((await pool.move('p', 1, 10.3, 0, 10)).verdict).toBe('accept');
    clock.now += 2000;
    // shut for the next worker too
    expect((await pool.move('p', 2, 16, 0, 10)).accepted).toBe(false);
    expect(memory[9] - memory[2]).toBeLessThan(64 * 2 ** 20);
  });
});
