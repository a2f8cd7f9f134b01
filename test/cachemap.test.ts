// A tile cache with obstacles: closed where the shape is, to about a cell; open again afterwards; never half-built.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type NavMap, TileCacheMap } from '../src/index.ts';
import { smallGround, writeTileCache } from './bytes/writers/tilecache.ts';
import { between, random } from './oracle/random.ts';

const SAMPLES = process.env.NAVGUARD_SAMPLES;

/** A hall of 3 x 3 tiles of 24 x 24 cells of 0.25 m: 18 m a side, flat at y = 0. */
function hall(): Uint8Array {
  const areas = new Array<number>(24 * 24).fill(63);
  const heights = areas.map(() => 0);
  const tiles = [0, 1, 2].flatMap((tx) => [0, 1, 2].map((ty) => ({ tx, ty, layer: 0, areas, heights, base: 0 })));
  const room = { ...smallGround(), cell: 0.25, step: 0.25, width: 24, height: 24, simplify: 0.5 };
  return writeTileCache({ ...room, tiles });
}

const onGround = (map: NavMap, x: number, z: number): boolean => map.locate([x, 0.1, z], { tolerance: 0 }) !== null;

describe('TileCacheMap', () => {
  it('a box closes its ground, and opens it again: the map is then the one from before', async () => {
    const city = await TileCacheMap.load(hall());
    const before = city.map;
    expect(before.ray([1, 0, 9], [17, 0, 9]).clear).toBe(true);
    const blocked = await city.block('crate', { box: [8, 0, 6, 10, 1, 12], grow: 0 });
    expect(city.map).toBe(blocked);
    expect(city.version).toBe(1);
    expect(city.obstacles).toEqual(['crate']);
    expect(blocked.ray([1, 0, 9], [17, 0, 9]).clear).toBe(false);
    expect(before.ray([1, 0, 9], [17, 0, 9]).clear).toBe(true);
    expect(onGround(blocked, 9, 9)).toBe(false);
    expect(blocked.reach([1, 0, 9], [17, 0, 9], 40).status).toBe('walk');
    const after = await city.unblock('crate');
    expect(after.info.hash).toBe(before.info.hash);
    expect(await city.unblock('crate')).toBe(after);
    expect(city.version).toBe(2);
    await city.close();
    await expect(city.block('crate', { box: [8, 0, 6, 10, 1, 12], grow: 0 })).rejects.toMatchObject({ code: 'CLOSED' });
    expect(onGround(city.map, 9, 9)).toBe(true);
  });

  it('seeded shapes: ground well inside is closed, ground more than two cells outside is open', async () => {
    const city = await TileCacheMap.load(hall());
    const next = random(4);
    let inside = 0;
    for (let n = 0; n < 30; n++) {
      const x = between(next, 4, 14);
      const z = between(next, 4, 14);
      const [half, side] = [0.5 + next() * 1.5, 0.5 + next() * 1.5];
      const yaw = n % 3 === 0 ? 0 : next() * 6 - 3;
      const round = n % 4 === 3;
      await city.block(
        'one',
        round
          ? { cylinder: [x, 0, z, half, 1], grow: false }
          : {
              grow: false,
              box: [x - half, 0, z - side, x + half, 1, z + side, ...(yaw === 0 ? [] : [yaw])],
            },
      );
      for (let k = 0; k < 60; k++) {
        const px = x + next() * 6 - 3;
        const pz = z + next() * 6 - 3;
        const [dx, dz] = [px - x, pz - z];
        // in the box's own axes: yaw turns x towards z
        const u = Math.cos(yaw) * dx + Math.sin(yaw) * dz;
        const v = Math.cos(yaw) * dz - Math.sin(yaw) * dx;
        const out = round ? Math.hypot(dx, dz) - half : Math.max(Math.abs(u) - half, Math.abs(v) - side);
        const where = `seed 4, shape ${n}, ${px} ${pz}: ${out} m outside`;
        if (out > 0.5) expect(onGround(city.map, px, pz), where).toBe(true);
        if (out < -0.4) {
          inside++;
          expect(onGround(city.map, px, pz), where).toBe(false);
        }
      }
    }
    expect(inside).toBeGreaterThan(100);
    await city.close();
  });

  it('agrees with the exact obstacles of NavMap.block but for two cells about the outline', async () => {
    const city = await TileCacheMap.load(hall());
    const exact = city.map;
    const next = random(21);
    let [closed, open, border] = [0, 0, 0];
    for (let n = 0; n < 24; n++) {
      const [x, z] = [4 + next() * 10, 4 + next() * 10];
      const [half, side, yaw] = [0.3 + next() * 1.2, 0.3 + next() * 1.2, n % 3 === 0 ? 0 : next() * 6 - 3];
      const round = n % 4 === 3;
      const shape = round
        ? { cylinder: [x, 0, z, half, 1] }
        : { box: [x - half, 0, z - side, x + half, 1, z + side, yaw] };
      exact.block('one', shape);
      const map = await city.block('one', shape);
      for (let k = 0; k < 200; k++) {
        const [px, pz] = [x + next() * 8 - 4, z + next() * 8 - 4];
        const [dx, dz] = [px - x, pz - z];
        const u = Math.abs(Math.cos(yaw) * dx + Math.sin(yaw) * dz) - half;
        const v = Math.abs(Math.cos(yaw) * dz - Math.sin(yaw) * dx) - side;
        // from the shape's own outline: both grow it by the file's radius of 0.6 m
        const away = round
          ? Math.hypot(dx, dz) - half
          : Math.hypot(Math.max(u, 0), Math.max(v, 0)) + Math.min(Math.max(u, v), 0);
        const [there, here] = [onGround(exact, px, pz), onGround(map, px, pz)];
        const where = `seed 21, shape ${n}, ${px} ${pz}: ${away} m from the shape`;
        if (Math.abs(away - 0.6) < 0.5) {
          border++;
          continue;
        }
        expect(here, where).toBe(there);
        if (here) open++;
        else closed++;
      }
    }
    expect(Math.min(open, closed, border)).toBeGreaterThan(200);
    await city.close();
  });

  it('pending is never seen: until a change resolves the old map answers, whole', async () => {
    const city = await TileCacheMap.load(hall());
    const before = city.map;
    // four tiles meet here: recast-navigation rebuilds them one after the other
    const change = city.block('pillar', { cylinder: [6, 0, 6, 2, 3], grow: 0 });
    let looks = 0;
    const looking = (async () => {
      while (city.map === before) {
        expect(before.ray([4, 0, 6], [8, 0, 6]).clear).toBe(true);
        expect(onGround(city.map, 6, 6)).toBe(true);
        looks++;
        await new Promise((next) => setImmediate(next));
      }
    })();
    const after = await change;
    await looking;
    expect(looks).toBeGreaterThan(0);
    for (const [x, z] of [
      [5, 5],
      [7, 5],
      [5, 7],
      [7, 7],
    ]) {
      expect(onGround(after, x, z)).toBe(false);
    }
    await city.close();
  });

  it('changes come in the order of the calls, and moving an obstacle is one change', async () => {
    const city = await TileCacheMap.load(hall());
    const maps = await Promise.all([
      city.block(7, { box: [2, 0, 2, 4, 1, 4] }),
      city.block(7, { box: [12, 0, 12, 14, 1, 14] }),
      city.unblock(7),
    ]);
    expect(onGround(maps[0], 3, 3)).toBe(false);
    expect([onGround(maps[1], 3, 3), onGround(maps[1], 13, 13)]).toEqual([true, false]);
    expect(onGround(maps[2], 13, 13)).toBe(true);
    expect(city.version).toBe(3);
    await city.close();
  });

  it('a long wall is cut into pieces, and closes ground in every tile it crosses', async () => {
    const city = await TileCacheMap.load(hall());
    const straight = await city.block('wall', { box: [1, 0, 8.5, 17, 1, 9.5], grow: false });
    for (let x = 1.5; x < 17; x += 0.5) expect(onGround(straight, x, 9), `x ${x}`).toBe(false);
    expect(onGround(straight, 0.5, 9)).toBe(true);
    // from corner to corner
    const yaw = Math.PI / 4;
    const slanted = await city.block('wall', { box: [-2, 0, 8.5, 20, 1, 9.5, yaw], grow: false });
    for (let x = 2; x < 17; x += 0.5) expect(onGround(slanted, x, x), `x ${x}`).toBe(false);
    expect(onGround(slanted, 3, 9)).toBe(true);
    expect(slanted.reach([3, 0, 9], [9, 0, 3], 60).status).toBe('walk');
    await city.close();
  });

  it('what a walker would bump into is in the way, what hangs over its head is not', async () => {
    const city = await TileCacheMap.load(hall());
    // the file's walker is 2 m tall
    expect(onGround(await city.block('beam', { box: [8, 1.5, 8, 10, 1.8, 10] }), 9, 9)).toBe(false);
    expect(onGround(await city.block('beam', { box: [8, 2.6, 8, 10, 3, 10] }), 9, 9)).toBe(true);
    await city.close();
  });

  it('scaled and mirrored maps take obstacles in their own metres', async () => {
    const city = await TileCacheMap.load(hall(), { read: { scale: 0.1, flip: true } });
    const map = await city.block('crate', { box: [-1, 0, 0.4, -0.8, 0.1, 1, 0.2] });
    expect(map.locate([-0.9, 0, 0.7], { tolerance: 0 })).toBeNull();
    expect(map.locate([-1.3, 0, 0.7], { tolerance: 0 })).not.toBeNull();
    await city.close();
  });

  it('refused: wrong shapes, shapes too wide, all ground gone; the map stays, and the next change works', async () => {
    const city = await TileCacheMap.load(hall());
    const { map } = city;
    for (const [shape, sentence] of [
      [{}, /expected \{ box/],
      [{ box: [0, 0, 0, 1, 1, 1], grow: 'much' }, /grow/],
      [{ box: [0, 0, 0, 1, 1] }, /6 or 7 numbers/],
      [{ box: [1, 0, 0, 0, 1, 1] }, /min is below its max/],
      [{ cylinder: [0, 0, 0, -1, 1] }, /radius/],
      [{ cylinder: [0, 0, Number.NaN, 1, 1] }, /numbers within/],
      [{ cylinder: [9, 0, 9, 8.5, 1] }, /touches 9 layers .* at most 8/],
    ] as const) {
      await expect(city.block('x', shape as never)).rejects.toMatchObject({
        code: 'BAD_ARGUMENT',
        message: expect.stringMatching(sentence),
      });
    }
    expect(city.map).toBe(map);
    expect(onGround(await city.block('x', { cylinder: [9, 0, 9, 1, 1] }), 9, 9)).toBe(false);
    await city.close();

    const one = await TileCacheMap.load(writeTileCache(smallGround()));
    await expect(one.block('all', { box: [-9, 0, -9, 99, 1, 99] })).rejects.toMatchObject({
      code: 'BAD_ARGUMENT',
      message: expect.stringMatching(/nothing walkable/),
    });
    expect(one.obstacles).toEqual([]);
    const { hash } = one.map.info;
    expect((await one.block('some', { cylinder: [1, 0, 3, 0.6, 1] })).info.hash).not.toBe(hash);
    expect((await one.unblock('some')).info.hash).toBe(hash);
    await one.close();
  });
});

if (SAMPLES !== undefined) {
  it('a real one: an obstacle in a passage of the dungeon, there and gone', async () => {
    const bytes = new Uint8Array(readFileSync(join(SAMPLES, 'dotrecast/dungeon_all_tiles_tilecache.bin')));
    const city = await TileCacheMap.load(bytes);
    const { hash, bounds } = city.map.info;
    const next = random(12);
    for (let n = 0; n < 12; n++) {
      const x = bounds.min[0] + next() * (bounds.max[0] - bounds.min[0]);
      const z = bounds.min[2] + next() * (bounds.max[2] - bounds.min[2]);
      await city.block(n, { cylinder: [x, bounds.min[1], z, 2, bounds.max[1] - bounds.min[1]] });
    }
    expect(city.map.info.hash).not.toBe(hash);
    for (let n = 0; n < 12; n++) await city.unblock(n);
    expect(city.map.info.hash).toBe(hash);
    await city.close();
  });
}
