// The move sync alone: beat, numbers, corrections in every order, replay; and the doors of all options.
import { expect, test } from 'vitest';
import {
  FEED_OPTIONS,
  MoveSync,
  ReportFeed,
  SNAPSHOT_OPTIONS,
  SnapshotBody,
  SnapshotValidator,
} from '../../src/client/index.ts';
import { seeded } from '../../src/simulate/random.ts';

const place = (x: number) => ({ x, y: 0, z: 0 });

/** Counts from `first` and wraps; 0 is no number of a correction. */
const numberOf = (first: number, i: number): number => (first + i < 2 ** 32 ? first + i : first + i - 2 ** 32 + 1);

function made(options = {}, replay?: (seq: number, pos: { x: number }) => void) {
  const sent: number[] = [];
  const placed: number[] = [];
  const acknowledged: number[] = [];
  const hooks = {
    send: (seq: number) => void sent.push(seq),
    place: (x: number) => void placed.push(x),
    acknowledge: (n: number) => void acknowledged.push(n),
  };
  return { sent, placed, acknowledged, sync: new MoveSync(replay ? { ...hooks, replay } : hooks, options) };
}

test('moves go out on the beat, standing ones now and then, numbers wrap', () => {
  const { sync, sent } = made({ firstSeq: 2 ** 32 - 2 });
  // 60 frames a second, 20 moves a second: three frames are one beat, none is lost to rounding
  for (let i = 0; i <= 600; i++) sync.update((i * 1000) / 60, place(i));
  expect(sent.length).toBeGreaterThanOrEqual(200);
  expect(sent.length).toBeLessThanOrEqual(202);
  expect(sent.slice(0, 4)).toEqual([2 ** 32 - 2, 2 ** 32 - 1, 0, 1]);
  const standing = made();
  for (let now = 0; now < 10_000; now += 16) standing.sync.update(now, place(1));
  expect(standing.sent.length).toBeGreaterThanOrEqual(9);
  expect(standing.sent.length).toBeLessThanOrEqual(11);
  // a clock that is set back silences nobody
  expect(standing.sync.update(-1e6, place(2))).toBe(true);
});

test('corrections in any order: each number at most once, never back to an older one', () => {
  for (let seed = 1; seed <= 50; seed++) {
    const random = seeded(seed);
    const { sync, placed, acknowledged } = made();
    const first = random.chance(0.5) ? 1 : 2 ** 32 - 5;
    const posts = Array.from({ length: 30 }, (_, i) => ({ n: numberOf(first, i), i, key: i + 6 * random.next() }));
    const copies = posts
      .filter(() => random.chance(0.4))
      .map((post) => ({ ...post, key: post.key + 6 * random.next() }));
    let newest = -1;
    for (const { n, i } of [...posts, ...copies].toSorted((a, b) => a.key - b.key)) {
      const want = i > newest ? 'applied' : i === newest ? 'repeated' : 'stale';
      newest = Math.max(newest, i);
      expect([seed, i, sync.correct(10 * i, n, place(i))]).toEqual([seed, i, want]);
    }
    expect(placed).toEqual(placed.toSorted((a, b) => a - b));
    sync.update(1e6, place(placed.at(-1) as number));
    expect(acknowledged).toEqual(placed.map((i) => numberOf(first, i)));
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
  }
});

test('what is no correction changes nothing; a server that counts anew is obeyed after a while', () => {
  const { sync, placed } = made();
  for (const [n, pos] of [
    [-1, place(1)],
    [0.5, place(1)],
    [Number.NaN, place(1)],
    [2 ** 32, place(1)],
    [1, place(Number.NaN)],
    [1, null],
  ] as const) {
    expect(sync.correct(0, n, pos as never)).toBe('malformed');
  }
  expect(sync.correct(0, 900, place(1))).toBe('applied');
  expect([sync.correct(4000, 1, place(2)), sync.correct(6000, 1, place(3)), sync.correct(6000, 1, place(4))]).toEqual([
    'stale',
    'applied',
    'repeated',
  ]);
  expect(placed).toEqual([1, 3]);
});

test('number 0 puts the entity there each time, copies apart, and is confirmed with 0', () => {
  const { sync, placed, acknowledged } = made();
  const told = [
    sync.correct(0, 7, place(1), 1),
    sync.correct(100, 0, place(300), 4),
    sync.correct(150, 0, place(300), 4),
    sync.correct(200, 0, place(50), 9),
    sync.correct(250, 0, place(300), 4),
    sync.correct(300, 7, place(1), 1),
    sync.correct(400, 8, place(2), 12),
    sync.correct(9000, 0, place(50), 9),
  ];
  sync.update(9100, place(50));
  expect(told).toEqual(['applied', 'applied', 'repeated', 'applied', 'stale', 'repeated', 'applied', 'applied']);
  expect([placed, acknowledged]).toEqual([
    [1, 300, 50, 2, 50],
    [7, 0, 0, 8, 0],
  ]);
});

test('a correction voids what was predicted before it and plays the moves again that were under way', () => {
  const replayed: number[] = [];
  const { sync, placed, sent } = made({ kept: 8 }, (seq, pos) => {
    replayed.push(seq);
    pos.x += 10;
  });
  for (let i = 0; i < 20; i++) sync.update(50 * i, place(i));
  const out = place(0);
  expect([
    sync.sentAt(12, out),
    sync.sentAt(13, out),
    out.x,
    sync.sentAt(20, out),
    out.x,
    sync.sentAt(21, out),
  ]).toEqual([false, true, 12, true, 19, false]);
  expect(sync.correct(1000, 1, place(100), 17)).toBe('applied');
  expect([replayed, placed]).toEqual([[18, 19, 20], [130]]);
  expect([sync.sentAt(20, out), sync.nextSeq]).toEqual([false, 21]);
  sync.update(1050, place(130));
  expect([sent.at(-1), sync.sentAt(21, out), out.x]).toEqual([21, true, 130]);
  // an answered move that is not known any more: nothing is played again
  expect([sync.correct(1100, 2, place(7), 3), placed.at(-1)]).toEqual(['applied', 7]);
});

test('unknown options and values out of range are errors that say what is known', () => {
  expect(() => new SnapshotValidator({ maxSpeed: 6, maxSped: 1 } as never)).toThrow(
    /no option "maxSped"; it has maxSpeed/,
  );
  expect(() => new SnapshotValidator({} as never)).toThrow(
    /maxSpeed to be a number of 0\.\.1000000 m\/s, got undefined/,
  );
  expect(() => new SnapshotValidator({ maxSpeed: 6, toString: 1 } as never)).toThrow(/no option "toString"/);
  expect(() => new SnapshotValidator({ maxSpeed: 6, fixedPoint: 0.5 })).toThrow(/fixedPoint to be a whole number/);
  expect(() => new SnapshotValidator({ maxSpeed: 6, deviationDrop: 99 })).toThrow(/deviationSmooth <= deviationDrop/);
  expect(() => new SnapshotValidator({ maxSpeed: 6, bounds: [0, 0, 0, 1, 1] as never })).toThrow(/bounds/);
  expect(() => new SnapshotValidator({ maxSpeed: 6, fields: [{ name: 'yaw', min: 1, max: 0 }] })).toThrow(/yaw/);
  expect(() => new ReportFeed({ send: () => undefined }, { windowMS: 1 } as never)).toThrow(/no option "windowMS"/);
  expect(() => new ReportFeed({} as never)).toThrow(/method send/);
  expect(() => new MoveSync({ send: () => undefined } as never)).toThrow(/send and place/);
  expect(() => new MoveSync({ send: () => undefined, place: () => undefined }, { kept: 1 })).toThrow(/kept/);
  expect(() => new SnapshotBody(new SnapshotValidator({ maxSpeed: 6 }), {} as never)).toThrow(/read and shift/);
  for (const { unit, what, fallback, min, max } of [
    ...Object.values(SNAPSHOT_OPTIONS),
    ...Object.values(FEED_OPTIONS),
  ]) {
    expect([typeof unit, what.length > 10, fallback === undefined || (fallback >= min && fallback <= max)]).toEqual([
      'string',
      true,
      true,
    ]);
  }
});
