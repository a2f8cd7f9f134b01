// An entity changes machine: random games that are split at random events over guards with other engines and other clocks
// give the verdicts of one guard that saw all, bit for bit. Seeds stand in the names.
import { describe, expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import { type GuardOptions, type LogRecord, MoveGuard } from '../../src/guard.ts';
import type { NavMap } from '../../src/map.ts';
import { MOST_MOVED_BYTES } from '../../src/record/moved.ts';
import { shiftTimes, TIMES } from '../../src/record/times.ts';
import * as L from '../../src/rules/ledger.ts';
import type { Vec3, Verdict } from '../../src/types.ts';
import { type Game, play } from './game.ts';
import { random } from './rounding.ts';
import { blockedField, bundled, floors } from './world.ts';

type Place = [number, number, number];

/** The same clock on machines that were started at other times: `shift` is what this one's reads more, ms. */
interface House {
  readonly guard: MoveGuard;
  readonly shift: number;
}

/** A game over one or more guards, of which one has the entities; moved at the events of `moves`, told of every verdict. */
class Street {
  /** Ticks of 1/1024 ms: sums of times are exact, on every machine. */
  t: number;
  here = 0;
  moves = 0;
  bytes = 0;
  readonly said: unknown[] = [];
  readonly houses: readonly House[];
  readonly ids: readonly string[];

  constructor(
    map: NavMap,
    rules: Record<string, unknown>,
    ids: readonly string[],
    from: number,
    plans: readonly { shift: number; options: Omit<GuardOptions, 'now'> }[],
  ) {
    this.t = from;
    this.ids = ids;
    this.houses = plans.map(({ shift, options }) => ({
      shift,
      guard: new MoveGuard(map, rules, { ...options, now: () => this.t + shift }),
    }));
  }

  get house(): House {
    return this.houses[this.here];
  }

  /** All entities, those that left too, go to another guard. */
  move(to: number): void {
    const blobs = this.ids.map((id) => this.house.guard.export(id));
    for (const id of this.ids) this.house.guard.leave(id);
    this.here = to;
    for (const [k, blob] of blobs.entries()) {
      if (blob === null) continue;
      this.bytes = Math.max(this.bytes, blob.length);
      expect(this.house.guard.import(blob)).toBe(this.ids[k]);
      this.moves++;
    }
  }

  all(tell: (guard: MoveGuard) => void): void {
    for (const { guard } of this.houses) tell(guard);
  }

  #say(v: Verdict): Verdict {
    // (details are words: who is recorded reads "array" where others read "object")
    const { verdict, reason, used, allowed, straight, length, bound, score, action, correction } = v;
    const pos = v.pos === null ? null : [...v.pos];
    const snapshot = v.snapshot === null ? null : [...v.snapshot];
    this.said.push([verdict, reason, pos, snapshot, used, allowed, straight, length, bound, score, action, correction]);
    return v;
  }

  game(): Game {
    const street = this;
    const told = {
      // one that left long ago is forgotten at the next coming or going, and there are more of those with many machines
      stateOf: (id: string) => (street.house.guard.slot(id) < 0 ? null : street.house.guard.stateOf(id)),
      move: (...a: Parameters<MoveGuard['move']>) => street.#say(street.house.guard.move(...a)),
      begin: (...a: Parameters<MoveGuard['begin']>) => street.#say(street.house.guard.begin(...a)),
      input: (...a: Parameters<MoveGuard['input']>) => street.#say(street.house.guard.input(...a)),
      checkBatch(claims: ReturnType<MoveGuard['claims']>, n: number): void {
        const { guard, shift } = street.house;
        // no machine's clock lags behind its guard: here they are the same
        for (let i = 0; i < n; i++) if (claims.t[i] > street.t) street.t = claims.t[i];
        for (let i = 0; i < n; i++) claims.t[i] += shift;
        guard.checkBatch(claims, n);
        for (let i = 0; i < n; i++) street.said.push([claims.verdict[i], claims.reason[i], claims.used[i]]);
      },
      // what the server says of all goes to every machine
      pause: (ms: number) => street.all((guard) => guard.pause(ms)),
      version: (v: string) => street.all((guard) => guard.version(v)),
      progress: (p: string) => street.all((guard) => guard.progress(p)),
    };
    const guard = new Proxy(this.houses[0].guard, {
      get(_, name) {
        if (name in told) return told[name as keyof typeof told];
        const value = street.house.guard[name as keyof MoveGuard] as unknown;
        return typeof value === 'function' ? value.bind(street.house.guard) : value;
      },
    });
    return {
      guard,
      now: () => this.t,
      set: (value) => {
        this.t = Math.max(this.t, Math.round(value * 1024) / 1024);
      },
    };
  }
}

/** What a claim got: all of it, or the same words and numbers as near as f64 times on far clocks allow. */
function expectSaid(got: unknown, expected: unknown, exactly: boolean, what: string): void {
  if (exactly) {
    expect(got, what).toEqual(expected);
    return;
  }
  const flat = (said: unknown): unknown[] => (said as unknown[]).flat();
  const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
  const words = (said: unknown): unknown[] => flat(said).map((value) => (isNumber(value) ? 'number' : value));
  expect(words(got), what).toEqual(words(expected));
  const other = flat(got);
  flat(expected).forEach((value, k) => {
    if (isNumber(value)) expect(Math.abs((other[k] as number) - value), what).toBeLessThanOrEqual(1e-6);
  });
}

const isBucket = (k: number): boolean =>
  k >= L.WINDOW && k < L.WINDOW + L.WINDOW_MAX * L.WINDOW_STRIDE && (k - L.WINDOW) % L.WINDOW_STRIDE === 0;

/** What is remembered of an entity on two machines is the same but for their clocks. */
function expectSame(one: Float64Array | null, other: Float64Array | null, shift: number, what: string): void {
  expect(other === null, what).toBe(one === null);
  if (one === null || other === null) return;
  const moved = one.slice();
  shiftTimes(moved, shift);
  const times = new Set(TIMES);
  for (let k = 0; k < moved.length; k++) {
    // a time that was never set, or cleared, says nothing, and so does the number of a bucket
    if ((times.has(k) || isBucket(k)) && one[k] === 0) continue;
    if (!Object.is(moved[k], other[k])) throw new Error(`${what}: number ${k}: ${moved[k]} here, ${other[k]} there`);
  }
}

const MAPS: [string, () => Promise<NavMap>, Place | null][] = [
  ['maze', () => bundled('maze'), [25.7, 0.1, 9.8]],
  ['pillars', () => bundled('pillars'), null],
  ['islands', () => bundled('islands'), null],
  ['terrain', () => bundled('terrain'), [0, 0, 0]],
  ['floors', () => bundled('floors'), null],
  [
    'a grid with walls',
    async () =>
      blockedField(60, 60, 1, [
        [10, 0, 11, 40],
        [20, 20, 21, 60],
      ]),
    [5.5, 0, 5.5],
  ],
];

function somewhere(map: NavMap): Place {
  const [[ax, ay, az], [bx, , bz]] = [map.info.bounds.min, map.info.bounds.max];
  const rand = random(5);
  for (let k = 0; k < 5000; k++) {
    const at = map.locate([ax + rand() * (bx - ax), ay + 0.5, az + rand() * (bz - az)]);
    if (at !== null && at.distance === 0) return at.point as Place;
  }
  throw new Error('no ground found');
}

describe('an entity that changes machine', () => {
  test.each(MAPS)(
    'is judged as if it had stayed, on other clocks and engines: %s (seeds 91-93)',
    async (_, load, at) => {
      const map = await load();
      const start = at ?? somewhere(map);
      const ids = ['a', 'b', 'c', 'd'];
      const from = 34_000_000;
      const walks = { moved: 0, longest: 0 };
      for (const [seed, shift, other] of [
        [91, 0, 0],
        // hours apart, with times of as many digits
        [92, 30_000_000, 60_000],
        // a machine that was started a moment ago: times that are computed, such as the end of a walk, are rounded
        // elsewhere there, so numbers agree to the nanometre and words to the letter
        [93, -33_999_000.0625, 777.5],
      ] as const) {
        const plans = [
          { shift: 0, options: {} },
          { shift, options: { engine: 'twin' as const } },
          { shift: other, options: { record: { events: 16 } } },
        ];
        const one = new Street(map, {}, ids, from, [{ shift: 0, options: {} }]);
        const many = new Street(map, {}, ids, from, plans);
        const dice = random(seed);
        const results = [one, many].map((street) => {
          for (const id of ids) street.house.guard.enter(id, { pos: start, speed: 6 });
          return play(street.game(), ids, start, seed, 2500, () => {
            if (street === many && dice() < 0.02) many.move((many.here + 1) % plans.length);
          });
        });
        expect(many.said.length).toBeGreaterThan(1500);
        for (const [k, said] of one.said.entries())
          expectSaid(many.said[k], said, seed !== 93, `seed ${seed}, claim ${k}`);
        expect([...results[1]]).toEqual([...results[0]]);
        for (const id of ids) {
          const states = [one, many].map((street) => street.game().guard.stateOf(id));
          if (seed !== 93) expectSame(states[0], states[1], many.house.shift, `seed ${seed}, ${id}`);
          const [a, b] = [one, many].map((street) => street.house.guard.evidence(id));
          if (seed !== 93) expect(b).toEqual(a);
          else expect(b?.score ?? -1).toBeCloseTo(a?.score ?? -1, 6);
        }
        walks.moved += many.moves;
        walks.longest = Math.max(walks.longest, many.bytes);
        for (const word of ['accept Accept', 'correct SpeedLimit', 'Replay']) {
          expect([...results[0].keys()].join(), `seed ${seed}`).toContain(word);
        }
      }
      expect(walks.moved).toBeGreaterThan(300);
      expect(walks.longest).toBeLessThan(MOST_MOVED_BYTES);
    },
  );

  test('takes every time with it: whatever looks like the clock stands in the table (seed 94)', async () => {
    // far from all that is no time: positions, numbers of claims, milliseconds
    const from = 2 ** 40;
    const seen = new Set<number>();
    const look = (guard: MoveGuard, id: string): void =>
      guard.stateOf(id)?.forEach((n, k) => {
        if (Math.abs(n - from) < 2 ** 30) seen.add(k);
      });
    for (const [, load, at] of MAPS) {
      const map = await load();
      const start = at ?? somewhere(map);
      const ids = ['a', 'b', 'c'];
      const street = new Street(map, {}, ids, from, [{ shift: 0, options: {} }]);
      for (const id of ids) street.house.guard.enter(id, { pos: start, speed: 6 });
      play(street.game(), ids, start, 94, 4000, (round) => {
        if (round % 10 !== 0) return;
        // four of each at once are rare by themselves
        const { guard } = street.house;
        if (round % 200 === 100) for (const x of [1, 2, 3, 4]) guard.grant('b', [x, 900, 0]);
        if (round % 200 === 50) for (const x of [1, 2, 3, 4]) guard.boost('c', x, 500);
        for (const id of ids) {
          look(street.house.guard, id);
        }
      });
    }
    // a walk at ten claims a second, and a lower limit
    let t = from;
    const guard = new MoveGuard(floors([[0, 0, 80, 40, 0]]), {}, { now: () => t });
    guard.enter('a', { pos: [5, 0, 5], speed: 9 });
    guard.rtt('a', 300);
    for (let k = 1; k < 60; k++) {
      t += 100;
      expect(guard.move('a', k, 5 + 0.5 * k, 0, 5).accepted).toBe(true);
      look(guard, 'a');
    }
    guard.setSpeed('a', 8);
    look(guard, 'a');
    // one click after the other
    for (const seq of [61, 62]) {
      const from = guard.positionAt('a') as Place;
      expect(guard.begin('a', { seq, from, to: [50, 0, 20 + seq / 10], speed: 6, duration: 9000 }).accepted).toBe(true);
      t += 300;
    }
    look(guard, 'a');
    expect([...seen].filter((k) => !TIMES.includes(k))).toEqual([]);
    // and the table has nothing that never is one (links are not crossed here; limits hardly ever wait two at a time)
    const rare = [L.LINK_T, L.LOWER + 2, L.LOWER + 4, L.LOWER + 6];
    expect(TIMES.filter((k) => !seen.has(k) && !rare.includes(k))).toEqual([]);
  });

  test('counts the time that its way took, once the server says it', async () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    let t = 1000;
    const a = new MoveGuard(map, {}, { now: () => t });
    const b = new MoveGuard(map, {}, { now: () => t + 50 });
    a.enter('p', { pos: [5, 0, 5], speed: 6 });
    t += 2000;
    a.move('p', 1, 11, 0, 5);
    const blob = a.export('p') as Uint8Array;
    // its credit is spent; 500 ms on the way are 3.45 m of it
    b.import(blob, { transitMs: 500 });
    expect(b.move('p', 2, 14, 0, 5).verdict).toBe('accept');
    const late = new MoveGuard(map, {}, { now: () => t });
    late.import(blob);
    expect(late.move('p', 2, 14, 0, 5).reason).toBe('SpeedLimit');
  });

  test('buys nothing by leaving one and entering the other', () => {
    const map = floors([[0, 0, 80, 40, 0]]);
    let t = 1000;
    const [a, b] = [0, 1].map(() => new MoveGuard(map, {}, { now: () => t }));
    a.enter('p', { pos: [5, 0, 5], speed: 6 });
    for (let k = 1; k < 30; k++) {
      t += 50;
      a.move('p', k, 5 + k, 0, 5);
    }
    a.leave('p');
    b.import(a.export('p') as Uint8Array);
    expect(b.score('p')).toBeNull();
    // what it would have at home
    for (const guard of [a, b]) guard.enter('p', { pos: [5, 0, 5], speed: 6 });
    expect(b.score('p')).toBeGreaterThan(1);
    expect(b.stateOf('p')).toEqual(a.stateOf('p'));
  });

  test('is known by name to the log of the other', () => {
    const map = floors([[0, 0, 40, 40, 0]]);
    const records: LogRecord[] = [];
    const logger = { info: () => undefined, warn: (record: LogRecord) => void records.push(record) };
    const [a, b] = [0, 1].map(() => new MoveGuard(map, {}, { log: { logger }, record: {} }));
    a.enter('p', { pos: [5, 0, 5], speed: 6, player: 'Ann \ud800' });
    b.import(a.export('p') as Uint8Array);
    b.move('p', 1, 39, 0, 39);
    expect(records.map(({ player, reason }) => [player, reason])).toEqual([['Ann \ud800', 'SpeedLimit']]);
    // an appeal begins with the state that came
    expect(b.record('p').events.map(({ op }) => op)).toEqual(['restore', 'move']);
  });
});

describe('bytes that are no export of such a guard', () => {
  const map = floors([[0, 0, 40, 40, 0]]);
  const guardOf = (rules = {}, on: NavMap = map) => new MoveGuard(on, rules, { now: () => 5000 });
  const blobOf = (guard = guardOf(), entry = {}): Uint8Array => {
    guard.enter('p', { pos: [5, 0, 5], speed: 6, ...entry });
    return guard.export('p') as Uint8Array;
  };
  const refused = (data: unknown, guard = guardOf()): string => {
    const before = guard.stateOf('p');
    try {
      guard.import(data as Uint8Array);
    } catch (error) {
      if (!(error instanceof NavguardError)) throw error;
      expect(error.code).toBe('BAD_ARGUMENT');
      expect(guard.stateOf('p')).toEqual(before);
      expect(error.message).toMatch(/^import: .+: expected .+, got .+$/);
      return error.message;
    }
    throw new Error('it was taken');
  };

  test.each<[string, () => string, RegExp]>([
    ['a string', () => refused('x'), /data: expected the bytes/],
    ['nothing', () => refused(new Uint8Array(0)), /at least 32 bytes, got 0/],
    ['another format', () => refused(new Uint8Array(400)), /magic: expected 0x4e45474e, got 0x00000000/],
    ['the end is missing', () => refused(blobOf().subarray(0, -8)), /bytes: expected \d+, as it says itself, got \d+/],
    ['bytes after the end', () => refused(new Uint8Array([...blobOf(), 0])), /as it says itself/],
    ['other rules', () => refused(blobOf(guardOf({ speedTolerance: 1.2 }))), /rules: expected this guard's/],
    ['another map', () => refused(blobOf(guardOf({}, floors([[0, 0, 41, 40, 0]])))), /map: expected this guard's/],
    [
      'an entity that is present',
      () => {
        const guard = guardOf();
        const blob = blobOf(guard);
        return refused(blob, guard);
      },
      /id: expected an entity that is not present, got "p"/,
    ],
  ])('%s', (_, run, sentence) => {
    expect(run()).toMatch(sentence);
  });

  test('any flipped bit is found, every cut too', () => {
    const blob = blobOf();
    const guard = guardOf();
    for (let at = 0; at < blob.length; at++) {
      const bytes = blob.slice();
      bytes[at] ^= 1 << (at % 8);
      refused(bytes, guard);
      refused(blob.subarray(0, at), guard);
    }
    expect(guard.import(blob)).toBe('p');
  });

  test('bytes at an odd place of a larger buffer are read as well', () => {
    const blob = blobOf();
    const large = new Uint8Array(blob.length + 3);
    large.set(blob, 3);
    expect(guardOf().import(large.subarray(3))).toBe('p');
  });

  test('a name that is too long is said when it is written', () => {
    const guard = guardOf();
    const long = 'x'.repeat(1025);
    guard.enter(long, { pos: [5, 0, 5], speed: 6 });
    expect(() => guard.export(long)).toThrow(/export: id: expected at most 1024 characters, got 1025/);
    guard.enter('\u0000'.repeat(1024), { pos: [5, 0, 5], speed: 6 });
    expect(guardOf().import(guard.export('\u0000'.repeat(1024)) as Uint8Array).length).toBe(1024);
    expect(guard.export('nobody')).toBeNull();
  });

  test('wrong options change nothing', () => {
    const guard = guardOf();
    for (const transitMs of [-1, Number.NaN, Infinity, '5' as never]) {
      expect(() => guard.import(blobOf(), { transitMs })).toThrow(/import: transitMs: expected/);
    }
    expect(guard.positionAt('p') as Vec3 | null).toBeNull();
  });
});
