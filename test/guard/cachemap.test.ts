// An obstacle of a tile cache under running guards: before, during and after the update of its tiles no claim leads through it
// on the map that judges, and none throws.
import { expect, test } from 'vitest';
import { MoveGuard, TileCacheMap } from '../../src/index.ts';
import { smallGround, writeTileCache } from '../bytes/writers/tilecache.ts';

/** A hall of 3 x 3 tiles of 24 x 24 cells of 0.25 m: 18 m a side, flat. The file's walker has a radius of 0.6 m. */
function hall(): Uint8Array {
  const areas = new Array<number>(24 * 24).fill(63);
  const heights = areas.map(() => 0);
  const tiles = [0, 1, 2].flatMap((tx) => [0, 1, 2].map((ty) => ({ tx, ty, layer: 0, areas, heights, base: 0 })));
  const room = { ...smallGround(), cell: 0.25, step: 0.25, width: 24, height: 24, simplify: 0.5 };
  return writeTileCache({ ...room, tiles });
}

test('a crate where entities walk: who stands there is put beside it, who comes is stopped, who went goes on', async () => {
  const city = await TileCacheMap.load(hall());
  let now = 0;
  const guard = new MoveGuard(city.map, {}, { now: () => now });
  const walkers = { early: 11, under: 8.5, late: 3 };
  const at: Record<string, number> = { ...walkers };
  const seq: Record<string, number> = { early: 0, under: 0, late: 0 };
  for (const [id, x] of Object.entries(walkers)) guard.enter(id, { pos: [x, 0, 9], speed: 5 });
  const step = (id: string, dx: number): string => {
    at[id] += dx;
    return guard.move(id, ++seq[id], at[id], 0, 9).verdict;
  };
  const everyone = (): string[] => {
    now += 100;
    return [step('early', 0.2), step('under', 0), step('late', 0.2)];
  };
  for (let i = 0; i < 5; i++) expect(everyone()).toEqual(['accept', 'accept', 'accept']);

  // while recast-navigation rebuilds, the map from before judges
  const change = city.block('crate', { box: [8, 0, 7, 9.5, 1, 11] });
  expect(everyone()).toEqual(['accept', 'accept', 'accept']);
  const map = await change;
  expect(everyone()).toEqual(['accept', 'accept', 'accept']);

  const moved = guard.swap(map);
  expect(moved.map(({ id }) => id)).toEqual(['under']);
  expect(map.locate([8.5, 0, 9], { tolerance: 0 })).toBeNull();
  const [{ to: pos }] = moved;
  expect(map.locate([pos[0], pos[1], pos[2]])).not.toBeNull();

  // the crate grown by the walker's radius reaches from 7.4 to 10.1 in x, to within a cell or two and the rules' own slack
  let stopped = 0;
  for (let i = 0; i < 40; i++) {
    now += 100;
    expect(step('early', at.early > 16 ? 0 : 0.2)).toBe('accept');
    const verdict = step('late', 0.2);
    if (at.late > 8.4) {
      expect(verdict, `late at ${at.late}`).not.toBe('accept');
      stopped++;
    }
    if (at.late < 6.7) expect(verdict, `late at ${at.late}`).toBe('accept');
  }
  expect(stopped).toBeGreaterThan(10);

  // and it is gone again: the way is free
  guard.swap(await city.unblock('crate'), {});
  guard.enter('next', { pos: [6, 0, 9], speed: 5 });
  for (let i = 1; i <= 20; i++) {
    now += 100;
    expect(guard.move('next', i, 6 + 0.2 * i, 0, 9).verdict).toBe('accept');
  }
  await city.close();
});
