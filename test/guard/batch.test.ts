// checkBatch against move one by one, the ordinary move's short cut against the whole judgement, and calls from within
// calls. Seeds stand in the names.
import { describe, expect, test } from 'vitest';
import type { NavguardError } from '../../src/errors.ts';
import { MoveGuard } from '../../src/guard.ts';
import { Reason } from '../../src/reasons.ts';
import { enterAt } from '../../src/rules/facts.ts';
import { Q_T, Q_X, Q_Y, Q_Z } from '../../src/rules/hand.ts';
import { judgeAnyMove, judgeMove } from '../../src/rules/judgemove.ts';
import { resolveRules } from '../../src/rules/rules.ts';
import { Scene } from '../../src/rules/scene.ts';
import { noteJudged } from '../../src/rules/wayround.ts';
import { random } from './rounding.ts';
import { blockedField, bundled, floors } from './world.ts';

type Map = ConstructorParameters<typeof MoveGuard>[0];

/** Maps, and a place on each. */
const MAPS: [string, () => Promise<Map>, [number, number, number]][] = [
  [
    'a grid with walls',
    async () =>
      blockedField(60, 60, 1, [
        [10, 0, 11, 40],
        [20, 20, 21, 60],
        [5, 45, 19, 46],
      ]),
    [5.5, 0, 5.5],
  ],
  [
    'floors over each other',
    async () =>
      floors([
        [0, 0, 40, 40, 0],
        [8, 8, 20, 20, 4],
      ]),
    [12, 0, 12],
  ],
  ['thin-walls', () => bundled('thin-walls'), [0, 0, 0]],
  ['terrain', () => bundled('terrain'), [0, 0, 0]],
];

function expectSame(a: Float64Array, b: Float64Array, what: string): void {
  expect(a.length).toBe(b.length);
  for (let k = 0; k < a.length; k++) {
    if (!Object.is(a[k], b[k])) throw new Error(`${what}: number ${k} is ${a[k]} and ${b[k]}`);
  }
}

const orNull = (n: number): number | null => (n === n ? n : null);

describe('checkBatch', () => {
  test.each(MAPS)('verdicts and states are those of move one by one: %s (seeds 71, 72)', async (name, load, start) => {
    const map = await load();
    for (const seed of [71, 72]) {
      const rand = random(seed);
      let now = 0;
      const one = new MoveGuard(map, {}, { now: () => now });
      const all = new MoveGuard(map, {}, { now: () => now });
      const ids = Array.from({ length: 12 }, (_, i) => `p${i}`);
      const both = <T>(fact: (guard: MoveGuard) => T): void => {
        fact(one);
        fact(all);
      };
      for (const id of ids) {
        const pos: [number, number, number] = [start[0] + rand() * 3, start[1], start[2] + rand() * 3];
        both((g) => g.enter(id, { pos, speed: 6 }));
      }
      const seq = ids.map(() => 0);
      const claims = all.claims(64);
      const seen = new Set<string>();
      for (let round = 0; round < 60; round++) {
        const id = ids[Math.floor(rand() * ids.length)];
        const fact = Math.floor(rand() * 12);
        const to: [number, number, number] = [start[0] + rand() * 9, start[1], start[2] + rand() * 9];
        if (fact === 0) both((g) => g.setSpeed(id, round % 9));
        if (fact === 1) both((g) => g.boost(id, 5, 400));
        if (fact === 2) both((g) => g.impulse(id, [6, 3, 0], 20));
        if (fact === 3) both((g) => g.grant(id, to));
        if (fact === 4) both((g) => g.teleport(id, to));
        if (fact === 5) both((g) => g.state(id, { rooted: round % 2 === 0 }));
        if (fact === 6) both((g) => g.state(id, { alive: round % 3 > 0 }));
        if (fact === 7) both((g) => g.rtt(id, 20 * round));
        if (fact === 8) both((g) => g.pause(300));
        if (fact === 9) both((g) => g.leave(id));
        if (fact === 10) both((g) => g.enter(id, { pos: to, speed: 6 }));
        if (fact === 11) {
          const from = one.positionAt(id);
          const n = ids.indexOf(id);
          if (from !== null)
            both((g) => g.begin(id, { seq: seq[n] + 1, from, to, speed: 5, duration: 9000, strategy: 'hero' }));
          seq[n]++;
        }
        // the batch is filled first, from where everyone stands now: several claims of one entity follow each other
        const n = Math.floor(rand() * 65);
        const places = ids.map((who) => one.positionAt(who) ?? start);
        let t = now;
        for (let i = 0; i < n; i++) {
          const k = Math.floor(rand() * ids.length);
          t += rand() < 0.4 ? 0 : rand() * 12;
          const far = rand() < 0.03 ? 60 : rand() < 0.1 ? 3 : 0.25;
          const angle = rand() * 2 * Math.PI;
          const at = places[k];
          const next = [at[0] + far * rand() * Math.cos(angle), at[1], at[2] + far * rand() * Math.sin(angle)];
          if (far < 1 && rand() < 0.9) places[k] = next as [number, number, number];
          claims.entity[i] = rand() < 0.02 ? [-1, 99, 1e6][i % 3] : all.slot(ids[k]);
          claims.seq[i] = rand() < 0.03 ? [Number.NaN, -1, 1.5, 0, 2 ** 32, 7][i % 6] : ++seq[k];
          claims.pos[3 * i] = rand() < 0.01 ? Number.NaN : next[0];
          claims.pos[3 * i + 1] = next[1] + (rand() < 0.1 ? rand() * 4 - 1 : 0);
          claims.pos[3 * i + 2] = rand() < 0.01 ? -0 : next[2];
          claims.t[i] = rand() < 0.02 ? [Number.NaN, -5, Infinity][i % 3] : t;
        }
        all.checkBatch(claims, n);
        for (let i = 0; i < n; i++) {
          now = claims.t[i];
          const who = ids.find((other) => all.slot(other) === claims.entity[i]) ?? 'nobody';
          const [x, y, z] = claims.pos.subarray(3 * i, 3 * i + 3);
          const v = one.move(who, claims.seq[i], x, y, z);
          seen.add(`${v.verdict} ${v.reason}`);
          expect(
            {
              verdict: claims.verdict[i],
              reason: claims.reason[i],
              used: orNull(claims.used[i]),
              allowed: orNull(claims.allowed[i]),
              straight: orNull(claims.straight[i]),
              length: orNull(claims.length[i]),
              bound: claims.bound[i],
              score: claims.score[i],
              action: (['none', 'watch', 'restrict', 'kick'] as const)[claims.action[i]],
              correction: claims.correction[i],
              x: orNull(claims.at[3 * i]),
              y: orNull(claims.at[3 * i + 1]),
              z: orNull(claims.at[3 * i + 2]),
            },
            `seed ${seed}, round ${round}, claim ${i}`,
          ).toEqual({
            verdict: v.verdictCode,
            reason: v.reasonCode,
            used: v.used,
            allowed: v.allowed,
            straight: v.straight,
            length: v.length,
            bound: v.bound === null ? -1 : ['exact', 'lower', 'upper'].indexOf(v.bound),
            score: v.score,
            action: v.action,
            correction: v.correction,
            x: v.pos?.[0] ?? null,
            y: v.pos?.[1] ?? null,
            z: v.pos?.[2] ?? null,
          });
        }
        now = t;
        for (const who of ids) {
          const a = one.stateOf(who);
          const b = all.stateOf(who);
          if (a === null || b === null) expect(a).toBe(b);
          else expectSame(a, b, `${name}, seed ${seed}, round ${round}, ${who}`);
        }
      }
      for (const word of ['accept Accept', 'reject Malformed', 'reject UnknownEntity', 'reject Replay'])
        expect([...seen]).toContain(word);
      expect([...seen].some((word) => word.startsWith('correct'))).toBe(true);
    }
  });

  test('says what is wrong with its arguments', () => {
    const guard = new MoveGuard(floors([[0, 0, 9, 9, 0]]));
    for (const capacity of [0, -1, 1.5, Number.NaN, 2 ** 30, '5', undefined]) {
      expect(() => guard.claims(capacity as number)).toThrow(/capacity: expected a whole number/);
    }
    const claims = guard.claims(4);
    for (const n of [5, -1, 0.5, Number.NaN]) {
      expect(() => guard.checkBatch(claims, n)).toThrow(/n: expected a whole number of 0..4/);
    }
    guard.checkBatch(claims, 4);
    expect([...claims.reason]).toEqual([6, 6, 6, 6]);
    expect(guard.slot('nobody')).toBe(-1);
  });

  test('a slot stays with its entity; one that left is unknown', () => {
    const guard = new MoveGuard(floors([[0, 0, 9, 9, 0]]));
    for (const id of ['a', 'b']) guard.enter(id, { pos: [5, 0, 5], speed: 6 });
    const slot = guard.slot('a');
    expect(guard.slot('b')).not.toBe(slot);
    const claims = guard.claims(1);
    claims.entity[0] = slot;
    claims.pos.set([5, 0, 5]);
    guard.checkBatch(claims, 1);
    expect(claims.reason[0]).toBe(Reason.Accept);
    guard.leave('a');
    expect(guard.slot('a')).toBe(-1);
    guard.checkBatch(claims, 1);
    expect(claims.reason[0]).toBe(Reason.UnknownEntity);
    guard.enter('a', { pos: [5, 0, 5], speed: 6 });
    expect(guard.slot('a')).toBe(slot);
  });
});

test.each(MAPS)(
  'the short cut of the ordinary move leaves the very same state: %s (seed 73)',
  async (name, load, start) => {
    const map = await load();
    const rand = random(73);
    for (const rules of [{}, { positionQuantum: 0 }, { yOffset: 0.9 }, { wall: 'sight' }, { speedMetric: 'surface' }]) {
      const whole = resolveRules(rules);
      const flat = map.info?.format.startsWith('grid ') === true;
      const short = new Scene(map.kernel, whole, flat);
      const long = new Scene(map.kernel, whole, flat);
      let t = 0;
      const speed = 6;
      const scenes = [short, long];
      for (const scene of scenes) enterAt(scene, 'p', t, start[0], start[1] + whole.yOffset, start[2], speed);
      const o = short.ledger.offsetOf('p');
      let accepted = 0;
      for (let i = 0; i < 4000; i++) {
        t += rand() < 0.1 ? 0 : rand() * 60;
        const f = long.ledger.f;
        const angle = rand() < 0.3 ? Math.floor(rand() * 4) * (Math.PI / 2) : rand() * 2 * Math.PI;
        const step = rand() < 0.5 ? rand() * 0.1 : rand() * 0.4;
        const x = f[o] + step * Math.cos(angle);
        // on the floor it stands on, sometimes in the air
        const y = f[o + 3] + whole.yOffset + (rand() < 0.05 ? rand() * 2 : 0);
        const z = f[o + 2] + step * Math.sin(angle);
        const numbers = scenes.map((scene, k) => {
          scene.q[Q_T] = t;
          noteJudged(scene.ledger.f, o, scene.q);
          scene.q[Q_X] = x;
          scene.q[Q_Y] = y;
          scene.q[Q_Z] = z;
          (k === 0 ? judgeMove : judgeAnyMove)(scene, scene.ledger.f, o);
          const { verdict } = scene;
          const { verdictCode, reasonCode, boundCode, actionCode, correction } = verdict;
          return Float64Array.of(...verdict.n, verdictCode, reasonCode, boundCode, actionCode, correction);
        });
        if (long.verdict.accepted) accepted++;
        const what = `${name}, ${JSON.stringify(rules)}, claim ${i}`;
        expectSame(numbers[0], numbers[1], `${what}, verdict`);
        expectSame(short.ledger.f.slice(o, o + 112), f.slice(o, o + 112), `${what}, state`);
      }
      expect(accepted).toBeGreaterThan(2000);
    }
  },
);

describe('a call from within a call', () => {
  const NESTED = /a call to the guard from within a call/;
  const code = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      return (error as NavguardError).code;
    }
    return 'none';
  };
  test.each<[string, (guard: MoveGuard) => unknown]>([
    ['move', (g) => g.move('p', 9, 5, 0, 5)],
    ['begin', (g) => g.begin('p', { seq: 9, from: [5, 0, 5], to: [6, 0, 5], speed: 5, duration: 500 })],
    ['checkBatch', (g) => g.checkBatch(g.claims(1), 1)],
    ['teleport', (g) => g.teleport('p', [7, 0, 7])],
    ['enter', (g) => g.enter('q', { pos: [5, 0, 5], speed: 6 })],
    ['leave', (g) => g.leave('p')],
    ['version', (g) => g.version('2')],
    ['progress', (g) => g.progress(3)],
    ['score', (g) => g.score('p')],
  ])('%s: from the clock and from getters of claims', (_name, call) => {
    let t = 0;
    let nested: ((guard: MoveGuard) => unknown) | undefined;
    const guard: MoveGuard = new MoveGuard(
      floors([[0, 0, 9, 9, 0]]),
      {},
      {
        now: () => {
          nested?.(guard);
          return t;
        },
      },
    );
    guard.enter('p', { pos: [5, 0, 5], speed: 6 });
    guard.move('p', 1, 5, 0, 5);
    const before = guard.stateOf('p') as Float64Array;
    t = 50;
    nested = call;
    expect(() => guard.move('p', 2, 5.2, 0, 5)).toThrow(NESTED);
    expect(code(() => guard.move('p', 2, 5.2, 0, 5))).toBe('BAD_ARGUMENT');
    nested = undefined;
    const trap = {
      get mapVersion() {
        call(guard);
        return '1';
      },
    };
    expect(() => guard.move('p', 2, 5.2, 0, 5, trap)).toThrow(NESTED);
    expect(() =>
      guard.begin('p', {
        seq: 2,
        from: [5, 0, 5],
        to: [6, 0, 5],
        speed: 5,
        duration: 500,
        get stop() {
          call(guard);
          return 0;
        },
      }),
    ).toThrow(NESTED);
    expectSame(guard.stateOf('p') as Float64Array, before, 'state');
    // and the guard is none the worse for it
    expect(guard.move('p', 2, 5.2, 0, 5).verdict).toBe('accept');
  });
  test('a clock that throws leaves the guard usable', () => {
    let bad = false;
    const guard = new MoveGuard(floors([[0, 0, 9, 9, 0]]), {}, { now: () => (bad ? ([] as number[][])[0][0] : 1) });
    guard.enter('p', { pos: [5, 0, 5], speed: 6 });
    bad = true;
    expect(() => guard.move('p', 1, 5, 0, 5)).toThrow(TypeError);
    bad = false;
    expect(guard.move('p', 1, 5, 0, 5).verdict).toBe('accept');
  });
});
