// Client and server over a bad network, with a real guard: no honest snapshot is reported, a correction ends the quarrel,
// and the frames of navguard/wire carry it.
import { expect, test } from 'vitest';
import { MoveSync, ReportFeed, type SnapshotReport, SnapshotValidator } from '../../src/client/index.ts';
import { MoveGuard } from '../../src/guard.ts';
import { Reason } from '../../src/reasons.ts';
import { seeded } from '../../src/simulate/random.ts';
import {
  ANSWER_BYTES,
  blankAck,
  blankCorrection,
  correctionOf,
  decodeAck,
  decodeAnswer,
  decodeCorrection,
  encodeAck,
  encodeAnswer,
  encodeCorrection,
} from '../../src/wire/index.ts';
import { field } from '../guard/world.ts';
import { playNetwork, roundTripMs, type Setting } from './network.ts';

const calm: Setting = {
  seed: 1,
  rttMs: 100,
  jitterMs: 50,
  loss: 0,
  copies: 0,
  stallMs: 0,
  teleports: 'none',
  glitch: 0,
  ordered: false,
  ms: 30_000,
};

test('no snapshot of an honest server is reported, whatever the network does', () => {
  const random = seeded(20);
  let [played, late, leapt] = [0, 0, 0];
  for (let seed = 1; seed <= 24; seed++) {
    const setting: Setting = {
      seed,
      rttMs: 20 + random.below(380),
      jitterMs: random.below(300),
      loss: random.below(3) * 0.05,
      copies: random.below(3) * 0.05,
      stallMs: [0, 800, 3000][random.below(3)],
      teleports: (['none', 'tick', 'place'] as const)[random.below(3)],
      glitch: [0, 8, 20][random.below(3)],
      ordered: random.chance(0.5),
      ms: 20_000,
    };
    const game = playNetwork(setting);
    expect([setting, game.reports, game.apart]).toEqual([setting, [], 0]);
    // no number is confirmed twice
    expect(new Set(game.acknowledged).size).toBe(game.acknowledged.length);
    played += game.counts[0];
    late += game.counts[2];
    leapt += game.leaps;
  }
  expect([played > 4000, late > 200, leapt > 24]).toEqual([true, true, true]);
});

test('after a correction both agree within one round trip and one send interval; one cause, one correction', () => {
  let corrections = 0;
  for (let seed = 1; seed <= 12; seed++) {
    // 20 m aside: no credit pays for it, not even while the correction is under way
    const setting: Setting = { ...calm, seed, rttMs: 40 + 30 * seed, glitch: 20, ordered: true };
    const game = playNetwork(setting);
    corrections += game.corrections;
    expect([seed, game.corrections]).toEqual([seed, game.causes]);
    game.obeyed.forEach((at, i) => {
      expect([seed, i, game.agreed[i] - at <= roundTripMs(setting)]).toEqual([seed, i, true]);
    });
    expect([game.apart, game.reports]).toEqual([0, []]);
  }
  expect(corrections).toBeGreaterThan(20);
});

test('no ping-pong: a step just over the credit costs two corrections at most, stalls one each', () => {
  for (let seed = 1; seed <= 12; seed++) {
    // a claim under way may be accepted after the refusal: the client is then put back to where it wanted to be
    const near = playNetwork({ ...calm, seed, glitch: 8, loss: 0.05, copies: 0.05 });
    expect([seed, near.corrections <= 2 * near.causes, near.apart]).toEqual([seed, true, 0]);
    const stalled = playNetwork({ ...calm, seed, stallMs: 3000, loss: 0.05 });
    expect([seed, stalled.corrections <= stalled.causes, stalled.apart]).toEqual([seed, true, 0]);
  }
});

test('hostile snapshots among honest ones are refused and reported, and never the baseline', () => {
  const random = seeded(4);
  const reports: SnapshotReport[] = [];
  const validator = new SnapshotValidator({ maxSpeed: 6 }, new ReportFeed({ send: (r) => void reports.push(r) }));
  for (let tick = 0; tick < 4000; tick++) {
    const now = 50 * tick;
    const x = 0.29 * (tick % 1000 < 500 ? tick % 500 : 500 - (tick % 500));
    expect(validator.check(now, { tick, x, y: 0, z: 0 })).toBe(0);
    for (let k = random.below(4); k > 0; k--) {
      const bad = { tick: tick + 1, x, y: 0, z: 0 } as Record<string, unknown>;
      const name = ['tick', 'x', 'y', 'z'][random.below(4)];
      const values = [Number.NaN, -Infinity, 1e300, -900, 5e4, '1', null, undefined, {}, 2 ** 31];
      bad[name] =
        name === 'tick' && random.chance(0.5) ? tick - random.below(1000) : values[random.below(values.length)];
      const whole = random.chance(0.02) ? null : bad;
      expect(validator.check(now, whole as never)).toBeGreaterThanOrEqual(2);
      expect([validator.tick, validator.x]).toEqual([tick, x]);
    }
    validator.flush(now);
  }
  expect(reports.length).toBeGreaterThan(10);
  // 200 s: a burst of three, then one each ten seconds
  expect(reports.length).toBeLessThanOrEqual(24);
});

test('the answer 0x0202 is obeyed once: refusals of moves that were under way are stale', () => {
  let now = 0;
  const guard = new MoveGuard(field(), {}, { now: () => now });
  guard.enter('p', { pos: [5, 0, 30], speed: 6 });
  const frames: DataView[] = [];
  const me = { x: 5, y: 0, z: 30 };
  let placed = 0;
  const sync = new MoveSync({
    send: (seq, x, y, z) => {
      const frame = new DataView(new ArrayBuffer(ANSWER_BYTES));
      encodeAnswer(frame, 0, seq, guard.move('p', seq, x, y, z));
      frames.push(frame);
    },
    place: (x, y, z) => {
      placed++;
      Object.assign(me, { x, y, z });
    },
  });
  const outcomes: string[] = [];
  const answer = { seq: 0, reason: Reason.Accept as (typeof Reason)[keyof typeof Reason], x: 0, y: 0 };
  const receive = (): void => {
    expect(decodeAnswer(frames.shift() as DataView, 0, answer)).toBe(ANSWER_BYTES);
    outcomes.push(sync.answer(now, answer.seq, answer.reason === Reason.Accept, { x: answer.x, y: me.y, z: answer.y }));
  };
  for (let i = 0; i < 40; i++) {
    now += 50;
    me.x += i === 20 ? 30 : 0.25;
    sync.update(now, me);
    // four answers are always under way
    if (frames.length > 4) receive();
  }
  while (frames.length > 0) receive();
  expect([placed, outcomes.filter((o) => o === 'applied').length]).toEqual([1, 1]);
  expect(outcomes.filter((o) => o === 'stale').length).toBe(4);
  expect(guard.positionAt('p')).toEqual([me.x, 0, 30]);
});

test('correction and ack frames: a refused claim and a teleport, there and back, the ack ends what is pending', () => {
  let now = 0;
  const guard = new MoveGuard(field(), {}, { now: () => now });
  guard.enter('p', { pos: [5, 0, 30], speed: 6 });
  const down = new DataView(new ArrayBuffer(64));
  const up = new DataView(new ArrayBuffer(16));
  const me = { x: 5, y: 0, z: 30 };
  const verdicts: string[] = [];
  const correction = blankCorrection();
  const obeyed: string[] = [];
  const sync = new MoveSync({
    send: (seq, x, y, z) => {
      const v = guard.move('p', seq, x, y, z);
      verdicts.push(v.verdict);
      if (v.verdict !== 'correct') return;
      encodeCorrection(down, 0, correctionOf(correction, seq, v));
    },
    place: (x, y, z) => void Object.assign(me, { x, y, z }),
    acknowledge: (n) => {
      const ack = blankAck();
      encodeAck(up, 0, { correction: n });
      expect(decodeAck(up, 0, ack)).toBeGreaterThan(0);
      guard.ack('p', ack.correction);
    },
  });
  const receive = (): void => {
    expect(decodeCorrection(down, 0, correction)).toBeGreaterThan(0);
    obeyed.push(sync.correct(now, correction.correction, correction, correction.seq));
  };
  const step = (dx: number): void => {
    now += 50;
    me.x += dx;
    sync.update(now, me);
  };
  step(0.25);
  step(40);
  receive();
  receive();
  expect([me.x, obeyed]).toEqual([5.25, ['applied', 'repeated']]);
  step(0.25);
  guard.teleport('p', [300, 0, 30]);
  encodeCorrection(down, 0, { correction: 0, seq: sync.nextSeq - 1, reason: Reason.Accept, x: 300, y: 0, z: 30 });
  step(0.25);
  receive();
  step(0.25);
  // after its ack the old place is no longer stale but a jump
  step(-294);
  expect([obeyed.at(-1), verdicts]).toEqual([
    'applied',
    ['accept', 'correct', 'accept', 'ignore', 'accept', 'correct'],
  ]);
});
