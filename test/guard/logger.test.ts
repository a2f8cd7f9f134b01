// One structured record per verdict: every field, what goes where, and loggers that throw or call back.
import { describe, expect, test } from 'vitest';
import { type Logger, type LogRecord, MoveGuard } from '../../src/guard.ts';
import { REASON_NAMES } from '../../src/reasons.ts';
import { newGame, play } from './game.ts';
import { field, floors } from './world.ts';

interface Line {
  level: 'info' | 'warn';
  record: LogRecord;
  message: string;
}

function collect(): { logger: Logger; lines: Line[] } {
  const lines: Line[] = [];
  const take = (level: 'info' | 'warn') => (record: LogRecord, message: string) =>
    lines.push({ level, record, message });
  return { logger: { info: take('info'), warn: take('warn') }, lines };
}

const map = floors([[0, 0, 40, 40, 0]]);

describe('log', () => {
  test('a refused click-to-move has every field', () => {
    const { logger, lines } = collect();
    let t = 0;
    const guard = new MoveGuard(map, { durationSlackMs: 120 }, { now: () => t, log: { logger }, battle: 'arena-7' });
    guard.version('v1');
    guard.progress(3);
    guard.enter('hero', { pos: [5, 0, 5], speed: 6, player: 'Ann' });
    t = 40;
    const claim = { from: [5, 0, 5], to: [25, 0, 5], speed: 6, duration: 100, stop: 0.5, strategy: 'hero' };
    const v = guard.begin('hero', { seq: 1, ...claim, progress: 3, mapVersion: 'v1' });
    expect(v.reason).toBe('DurationMismatch');
    expect(lines).toEqual([
      {
        level: 'warn',
        message: 'begin correct: DurationMismatch',
        record: {
          battle: 'arena-7',
          player: 'Ann',
          entity: 'hero',
          op: 'begin',
          seq: 1,
          t: 40,
          strategy: 'hero',
          state: { alive: true, rooted: false, flying: false },
          progress: { server: '3', claim: 3 },
          mapVersion: { server: 'v1', claim: 'v1' },
          src: [5, 0, 5],
          target: [25, 0, 5],
          speed: 6,
          duration: 100,
          stop: 0.5,
          pos: [5, 0, 5],
          area: 0,
          areaMask: 1,
          verdict: 'correct',
          reason: 'DurationMismatch',
          detail: '',
          used: v.used,
          allowed: v.allowed,
          straight: 20,
          length: v.length,
          bound: v.bound,
          score: v.score,
          action: v.action,
          correction: 1,
          map: map.info.hash,
          rules: { durationSlackMs: 120, durationTolerance: 0.1, refuseSlow: false, maxStop: 5 },
        },
      },
    ]);
    expect(v.used).toBeGreaterThan(v.allowed as number);
    expect(JSON.parse(JSON.stringify(lines[0].record))).toEqual(lines[0].record);
  });

  test('moves: where it stood, what it claimed; accepted ones only on request, to info', () => {
    for (const accepted of [false, true]) {
      const { logger, lines } = collect();
      let t = 0;
      const guard = new MoveGuard(map, {}, { now: () => t, log: { logger, accepted } });
      guard.enter('a', { pos: [5, 0, 5], speed: 6 });
      t = 100;
      guard.move('a', 1, 5.2, 0, 5);
      t = 200;
      guard.move('a', 2, 30, 0, 5);
      guard.move('nobody', 2, 30, 0, 5);
      guard.input('a', 3, [9, 9, 9] as never, 20);
      expect(lines.map(({ level, message }) => `${level} ${message}`)).toEqual([
        ...(accepted ? ['info move accept: Accept'] : []),
        'warn move correct: SpeedLimit',
        'warn move reject: UnknownEntity',
        'warn input reject: Malformed',
      ]);
      const [refused, unknown, input] = lines.slice(accepted ? 1 : 0).map(({ record }) => record);
      expect(refused).toMatchObject({
        src: [5.2, 0, 5],
        target: [30, 0, 5],
        pos: [5.2, 0, 5],
        battle: null,
        player: null,
      });
      expect(refused.rules.speedTolerance).toBe(1.15);
      expect(unknown).toMatchObject({ entity: 'nobody', state: null, pos: null, area: null, src: null });
      expect(input).toMatchObject({ entity: 'a', target: [9, 9, 9], duration: 20 });
      expect(input.detail).toContain('dir');
    }
  });

  test('batches name the entity; a walker stood where its path was', () => {
    const { logger, lines } = collect();
    let t = 0;
    const guard = new MoveGuard(map, {}, { now: () => t, log: { logger }, battle: 7 });
    guard.enter('a', { pos: [5, 0, 5], speed: 6 });
    guard.begin('a', { seq: 1, from: [5, 0, 5], to: [15, 0, 5], speed: 5, duration: 2000 });
    const claims = guard.claims(2);
    claims.entity.fill(guard.slot('a'));
    claims.seq.set([2, 3]);
    claims.pos.set([39, 0, 39, Number.NaN, 0, 0]);
    claims.t.fill(1000);
    guard.checkBatch(claims, 2);
    expect(lines.map(({ record }) => record)).toMatchObject([
      { entity: 'a', seq: 2, t: 1000, src: [10, 0, 5], target: [39, 0, 39], battle: 7 },
      { entity: 'a', seq: 3, reason: 'Malformed' },
    ]);
    t = 1000;
  });

  test('a logger that throws breaks no verdict and is counted', () => {
    const fail = (): never => {
      throw new Error('disk full');
    };
    const guard = new MoveGuard(map, {}, { now: () => 1, log: { logger: { info: fail, warn: fail }, accepted: true } });
    guard.enter('a', { pos: [5, 0, 5], speed: 6 });
    expect(guard.logFailures).toEqual({ count: 0, first: undefined });
    expect(guard.move('a', 1, 5, 0, 5).verdict).toBe('accept');
    expect(guard.move('a', 1, 5, 0, 5).reason).toBe('Replay');
    expect(guard.logFailures.count).toBe(2);
    expect((guard.logFailures.first as Error).message).toBe('disk full');
  });

  test('a logger that calls the guard is told BAD_ARGUMENT, and nothing has changed', () => {
    const codes: string[] = [];
    const calls: (() => unknown)[] = [];
    const back = (): void => {
      for (const call of calls) {
        try {
          call();
          codes.push('none');
        } catch (error) {
          codes.push((error as { code: string }).code);
        }
      }
    };
    const guard: MoveGuard = new MoveGuard(
      map,
      {},
      { now: () => 1, log: { logger: { info: back, warn: back } }, record: {} },
    );
    guard.enter('a', { pos: [5, 0, 5], speed: 6 });
    const claims = guard.claims(1);
    calls.push(
      () => guard.move('a', 9, 5, 0, 5),
      () => guard.begin('a', {} as never),
      () => guard.input('a', 9, [0, 1], 50),
      () => guard.checkBatch(claims, 1),
      () => guard.teleport('a', [9, 0, 9]),
      () => guard.version('2'),
      () => guard.record('a'),
      () => guard.positionAt('a'),
    );
    const before = guard.stateOf('a');
    guard.move('a', Number.NaN, 5, 0, 5);
    guard.checkBatch(claims, 0);
    expect(codes).toEqual(calls.map(() => 'BAD_ARGUMENT'));
    expect(guard.stateOf('a')).toEqual(before);
    claims.seq[0] = -1;
    guard.checkBatch(claims, 1);
    expect(codes.length).toBe(2 * calls.length);
    expect(guard.logFailures.count).toBe(0);
  });

  test('wrong options are said', () => {
    const { logger } = collect();
    for (const [options, sentence] of [
      [{ log: 5 }, /^log: expected/],
      [{ log: {} }, /^log\.logger: expected an object with the methods info and warn/],
      [{ log: { logger: { info: () => undefined } } }, /^log\.logger/],
      [{ log: { logger, accepted: 1 } }, /^log\.accepted: expected true or false/],
      [{ log: { logger }, battle: {} }, /^battle: expected a string or a number/],
    ] as const) {
      expect(() => new MoveGuard(map, {}, options as never)).toThrow(sentence);
    }
    expect(() => new MoveGuard(map).enter('a', { pos: [5, 0, 5], speed: 6, player: 5 as never })).toThrow(/player/);
  });

  test('random games: one record per verdict, of plain values, whatever clients send (seed 84)', () => {
    const { logger, lines } = collect();
    const ids = ['a', 'b', 'c'];
    const game = newGame(field(60, 60), {}, { log: { logger, accepted: true } });
    for (const id of ids) game.guard.enter(id, { pos: [20, 0, 20], speed: 6 });
    const seen = play(game, ids, [20, 0, 20], 84, 3000);
    expect(lines.length).toBe([...seen.values()].reduce((sum, count) => sum + count, 0));
    for (const { level, record } of lines) {
      expect(REASON_NAMES).toContain(record.reason);
      expect(level).toBe(record.verdict === 'accept' ? 'info' : 'warn');
    }
    expect(game.guard.logFailures.count).toBe(0);
  });
});
