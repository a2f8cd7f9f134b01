// The cheat zoo in a slice: each cheat on a few maps, caught within its bound; and each cheat wins when nothing stops it.
// test/long/cheats.test.ts plays them on every map.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GridMap } from '../../src/gridmap.ts';
import { MoveGuard } from '../../src/guard.ts';
import { CHEATS } from '../../src/simulate/cheats/index.ts';
import { add, bundledPlace, GRIDS, gridPlace, newTally, type Place } from './cheatgames.ts';

const cheats = [...CHEATS.values()];

test('every cheat has a name of its own, a sentence and a bound', () => {
  expect(cheats.length).toBeGreaterThanOrEqual(40);
  expect(new Set(cheats.map((c) => c.how)).size).toBe(cheats.length);
  for (const { name, how, bound } of cheats) {
    expect(how, name).toMatch(/^[A-Z].*\.$/);
    expect(Object.keys(bound).length, name).toBeGreaterThan(0);
  }
});

const played = new Map(cheats.map((cheat) => [cheat.name, newTally(cheat)]));
const places: [string, () => Place | Promise<Place>][] = [
  ['thin-walls', () => bundledPlace('thin-walls')],
  ['floors', () => bundledPlace('floors')],
  ['open grid', () => gridPlace('open grid', Array(80).fill('.'.repeat(80)), 1)],
  ...GRIDS.filter(([name]) => name !== 'grid noise').map(([name, rows, cell]): [string, () => Place] => [
    name,
    () => gridPlace(name, rows(), cell),
  ]),
];

describe.each(places)('%s', (_name, open) => {
  let place: Place;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => (place.stage.terrain as { destroy?: () => void }).destroy?.());

  test.each(cheats.map((cheat) => [cheat.name, cheat] as const))('%s', (name, cheat) => {
    const tally = newTally(cheat);
    const all = played.get(name) as ReturnType<typeof newTally>;
    // a minute of play each: fewer of them
    const seeds = (cheat.bound.ms ?? 0) >= 20_000 ? 1 : 2;
    for (let seed = 1; seed <= seeds; seed++) {
      if (!add(tally, place, seed)) break;
    }
    expect(tally.faults).toEqual([]);
    all.runs += tally.runs;
    all.caught += tally.caught;
    all.controls += tally.controls;
    all.controlsWon += tally.controlsWon;
  });
});

test.each(cheats.map((cheat) => [cheat.name, cheat] as const))(
  '%s was caught, and wins when nothing stops it',
  (name) => {
    const tally = played.get(name) as ReturnType<typeof newTally>;
    expect(tally.caught).toBeGreaterThan(0);
    expect(tally.controls).toBeGreaterThan(0);
    expect(tally.controlsWon / tally.controls).toBeGreaterThanOrEqual(0.5);
  },
);

test('forged numbers lock nobody: the next honest claim is accepted', () => {
  let now = 0;
  const guard = new MoveGuard(GridMap.from(['..........']), {}, { now: () => now });
  guard.enter('p', { pos: [1, 0, 0.5], speed: 6 });
  let x = 1;
  for (let seq = 1; seq < 20; seq++) {
    now += 100;
    const before = guard.stateOf('p');
    for (const jump of [0x7fffffff, 0x80000000, 0x7000_0000, 100_000]) {
      if (seq > 1) expect(guard.move('p', (seq + jump) >>> 0, 9, 0, 0.5).reason).toBe('Replay');
    }
    if (seq > 1) expect(guard.stateOf('p')).toEqual(before);
    x += 0.3;
    expect(guard.move('p', seq, x, 0, 0.5).accepted).toBe(true);
  }
});
