// Random games for tests of what watches a guard: all facts and claims, hostile ones too, under a clock that stands, runs,
// jumps and sometimes runs backwards. The same seed is the same game.
import { type GuardOptions, MoveGuard } from '../../src/guard.ts';
import type { NavMap } from '../../src/map.ts';
import { random } from './rounding.ts';

/** A version longer than what is kept of clients' words. */
const LONG = 'v'.repeat(100);

/** What a client may send in place of a number, a vector or a word. */
const HOSTILE: unknown[] = [
  Number.NaN,
  Infinity,
  -0,
  'NaN',
  '7',
  null,
  undefined,
  true,
  [],
  {},
  [1, 2],
  10n,
  Symbol('x'),
  () => 0,
  new Float64Array(3),
  { length: 3, 0: 1, 1: 0, 2: 1 },
  'x'.repeat(500),
  {
    get length(): number {
      throw new Error('trap');
    },
  },
];

export interface Game {
  guard: MoveGuard;
  now: () => number;
  set: (t: number) => void;
}

export function newGame(map: NavMap, rules: Record<string, unknown>, options: Omit<GuardOptions, 'now'>): Game {
  let t = 0;
  const guard = new MoveGuard(map, rules, { ...options, now: () => t });
  return {
    guard,
    now: () => t,
    set: (value) => {
      t = value;
    },
  };
}

/** Plays `rounds` random facts and claims; returns how often each verdict came. */
export function play(
  game: Game,
  ids: string[],
  start: [number, number, number],
  seed: number,
  rounds: number,
  each: (round: number) => void = () => undefined,
): Map<string, number> {
  const rand = random(seed);
  const { guard } = game;
  const seq = new Map(ids.map((id) => [id, 0]));
  const seen = new Map<string, number>();
  const claims = guard.claims(8);
  const note = (word: string) => seen.set(word, (seen.get(word) ?? 0) + 1);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(rand() * list.length)];
  const near = (far: number): [number, number, number] => [
    start[0] + (rand() - 0.5) * far,
    start[1],
    start[2] + (rand() - 0.5) * far,
  ];
  const evil = (value: unknown): never => (rand() < 0.02 ? pick(HOSTILE) : value) as never;
  for (let round = 0; round < rounds; round++) {
    each(round);
    // a clock that stands, runs, jumps, and sometimes runs backwards
    const dt = rand() < 0.1 ? 0 : rand() < 0.002 ? 70_000 : rand() < 0.02 ? -50 : rand() * 80;
    game.set(Math.max(0, game.now() + dt));
    const id = pick(ids);
    const what = rand();
    const at = guard.positionAt(id) ?? start;
    const next = (): number => {
      if (rand() < 0.01) return pick([0, 2 ** 32 - 1, 7, 3e9]);
      // one more than the guard's last, whatever forged number it took
      const used = guard.stateOf(id)?.[6] ?? 0;
      const said = seq.get(id) ?? 0;
      const number = ((said >= used && said < used + 99 ? said : used) + 1) % 2 ** 32;
      seq.set(id, number);
      return number;
    };
    if (what < 0.58) {
      const far = rand() < 0.03 ? 60 : rand() < 0.15 ? 4 : 0.3;
      const angle = rand() * 2 * Math.PI;
      const x = at[0] + far * rand() * Math.cos(angle);
      const y = at[1] + (rand() < 0.05 ? rand() * 4 - 1 : 0);
      const z = at[2] + far * rand() * Math.sin(angle);
      if (rand() < 0.2) {
        const n = 1 + Math.floor(rand() * 8);
        for (let i = 0; i < n; i++) {
          claims.entity[i] = rand() < 0.03 ? -1 : guard.slot(pick(ids));
          claims.seq[i] = rand() < 0.03 ? pick([Number.NaN, -1, 1.5]) : next();
          claims.pos.set([x, rand() < 0.02 ? Number.NaN : y, z], 3 * i);
          claims.t[i] = rand() < 0.05 ? Number.NaN : game.now() + 5 * i;
        }
        guard.checkBatch(claims, n);
        for (let i = 0; i < n; i++) note(`batch ${claims.verdict[i]}`);
      } else {
        const options =
          rand() < 0.2
            ? { mapVersion: evil(pick(['1', '2', 1, LONG])), progress: evil(pick([1, 2, '1', undefined])) }
            : undefined;
        const v = guard.move(evil(id), evil(next()), evil(x), evil(y), evil(z), evil(options));
        note(`${v.verdict} ${v.reason}`);
      }
    } else if (what < 0.77) {
      const to = near(14);
      const v = guard.begin(
        evil(id),
        evil({
          seq: evil(next()),
          from: evil(at),
          to: evil(to),
          speed: evil(pick([3, 5, 5, 5, 50])),
          duration: evil(pick([9000, 9000, 4000, 10])),
          stop: evil(pick([undefined, 0, 0.5])),
          strategy: evil(pick([undefined, 'hero', 'monster', 'bullet', 'rotation', 'x'])),
          mapVersion: pick([undefined, undefined, undefined, undefined, '1', LONG]),
          progress: pick([undefined, undefined, undefined, 1, '2']),
          facing: evil(pick([undefined, 1, [0, 1]])),
          flags: evil(undefined),
        }),
      );
      note(`begin ${v.verdict} ${v.reason}`);
    } else if (what < 0.82) {
      const dir = evil([rand() * 2 - 1, rand() * 2 - 1]);
      const options = rand() < 0.2 ? evil({ mapVersion: '1' }) : undefined;
      const v = guard.input(evil(id), evil(next()), dir, evil(rand() * 120), options);
      note(`input ${v.verdict}`);
    } else {
      const fact = Math.floor(rand() * 15);
      if (fact === 0) guard.setSpeed(id, Math.floor(rand() * 9));
      if (fact === 1) guard.boost(id, 5, 400);
      if (fact === 2) guard.impulse(id, [6, 3, 0], 20);
      if (fact === 3) guard.grant(id, near(20), pick([{}, { grant: 'door', radius: 2, ttl: 900 }]));
      if (fact === 4) guard.teleport(id, near(20));
      if (fact === 5) guard.state(id, { rooted: rand() < 0.3 });
      if (fact === 6) guard.state(id, { alive: rand() < 0.7 });
      if (fact === 7) guard.state(id, { flying: rand() < 0.3 });
      if (fact === 8) guard.rtt(id, rand() * 500);
      if (fact === 9) guard.pause(rand() * 400);
      if (fact === 10 && rand() < 0.3) guard.leave(id);
      if (fact === 11) {
        const strategies = pick([undefined, undefined, undefined, ['hero' as const]]);
        guard.enter(id, { pos: near(8), speed: 6, ...(strategies === undefined ? {} : { strategies }) });
      }
      if (fact === 12) guard.version(pick(['1', '2', LONG]));
      if (fact === 13) guard.progress(pick([1, '2']));
      if (fact === 14) guard.ack(id, Math.floor(rand() * 4) + 1);
    }
  }
  return seen;
}
