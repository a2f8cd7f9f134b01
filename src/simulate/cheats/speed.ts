// Running faster than allowed, in six ways. Imported by simulate/cheats/index.ts.
import { type Cheat, cheat } from './cheat.ts';
import { anywhere } from './sites.ts';

/** Nothing is too fast any more. */
const NO_LIMIT = { rules: { speedTolerance: 10, restrictAt: 1e6, watchAt: 1e6, kickAt: 1e6 } };

/** Credit of burst and latency lasts so long at this factor, s; and a little for what it had of it. */
function lasts(factor: number): number {
  return (1.15 * 1.3) / (factor - 1.15);
}

function faster(factor: number): Cheat {
  const seconds = lasts(factor);
  return cheat({
    name: `speed x${factor}`,
    how: `Runs at ${factor} times its speed limit, claim after claim.`,
    bound: { ms: Math.ceil(1300 * seconds + 700) },
    ahead: (factor - 1) * (1.1 * seconds + 0.5),
    wins: 'metres',
    control: NO_LIMIT,
    plan: anywhere,
    *play(me) {
      yield* me.walk(1500 * seconds + 5000, factor);
    },
  });
}

export const speed12 = faster(1.2);
export const speed15 = faster(1.5);
export const speed3 = faster(3);

export const speed11 = cheat({
  name: 'speed x1.1',
  how: 'Runs 10 % too fast, within the tolerance of every single move, for a minute.',
  bound: { ms: 60_000 },
  ahead: 6.5,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    yield* me.walk(65_000, 1.1);
  },
});

export const boiledFrog = cheat({
  name: 'boiled frog',
  how: 'Speeds up by one percent a second, so that no two moves differ by much.',
  bound: { ms: 42_000 },
  ahead: 6,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    yield* me.walk(45_000, (ms) => 1 + ms / 100_000);
  },
});

export const splitHops = cheat({
  name: 'split hops',
  how: 'Cuts a long jump into hops 34 ms apart, each far below what a single claim may be.',
  bound: { ms: 400, claims: 12 },
  ahead: 1.6,
  wins: 'metres',
  control: { rules: { ...NO_LIMIT.rules, burstMs: 60_000 } },
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 5; i++) {
      yield* me.walk(1000, 9, 34);
      yield* me.walk(1000);
    }
  },
});

export const slowClaims = cheat({
  name: 'dt inflation',
  how: 'Sends a claim now and then only, after a silence that makes a leap of twice its speed look slow.',
  bound: { claims: 8 },
  ahead: 1.6,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 40; i++) yield* me.walk(905, 2, me.random.between(300, 900));
  },
});

export const burstBanking = cheat({
  name: 'burst banking',
  how: 'Stands still for ten seconds, still sending, and spends the time it saved in one dash.',
  bound: { ms: 800 },
  ahead: 1.6,
  wins: 'metres',
  control: { rules: { ...NO_LIMIT.rules, burstMs: 60_000 } },
  plan: anywhere,
  *warm(me) {
    yield* me.walk(2000);
    yield* me.stand(10_000);
  },
  *play(me) {
    for (let i = 0; i < 3; i++) {
      yield* me.walk(1500, 4);
      yield* me.stand(10_000);
    }
  },
});

export const pongDelay = cheat({
  name: 'pong delay',
  how: 'Answers pings two seconds late, so that its latency seems to call for credit, and runs at twice its speed.',
  bound: { ms: 2500 },
  ahead: 1.9,
  wins: 'metres',
  control: { rules: { ...NO_LIMIT.rules, rttCreditMaxMs: 10_000 } },
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 10; i++) {
      me.server({ op: 'rtt', ms: 2000 + 400 * (i % 2) });
      yield* me.walk(1000, 2);
    }
  },
});

export const sprintToggling = cheat({
  name: 'sprint toggling',
  how: 'Toggles a sprint all the time and runs at sprinting speed throughout, living on the grace of each lowering.',
  bound: { ms: 12_000 },
  ahead: 3.2,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    const { speed } = me.habits;
    for (let i = 0; i < 300; i++) {
      me.server({ op: 'speed', speed: i % 2 === 0 ? speed * 1.5 : speed });
      yield* me.walk(100, 1.6, 50);
    }
  },
});

export const churn = cheat({
  name: 'leave/enter churn',
  how: 'Runs at three times its speed, and leaves and enters again after each refusal to get fresh credit.',
  bound: { ms: 1600 },
  ahead: 1.7,
  wins: 'metres',
  control: NO_LIMIT,
  plan: anywhere,
  *play(me) {
    for (let i = 0; i < 60; i++) {
      const before = me.refusals;
      for (let k = 0; k < 20 && me.refusals === before; k++) yield* me.walk(me.beat + 1e-6, 3);
      const pos = me.refusal?.pos ?? null;
      if (pos === null) continue;
      me.obey();
      yield me.after(1);
      me.server({ op: 'leave' });
      me.server({ op: 'enter', pos: [...pos], speed: me.habits.speed });
    }
  },
});
