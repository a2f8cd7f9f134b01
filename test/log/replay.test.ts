// Events to guard calls: every fact reaches its method, time never runs back, expectations are compared, and what a
// guard cannot do yet is said with file and line. The guard here only writes down what it is told.
import { describe, expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import type { ReplayGuard, ReplayMap } from '../../src/log/judge.ts';
import { MoveLog } from '../../src/log/reader.ts';
import { Replay } from '../../src/log/replay.ts';
import { Tally } from '../../src/log/tally.ts';
import type { ReasonName, VerdictWord } from '../../src/reasons.ts';
import { REASON_NAMES, Reason, VERDICT_WORDS } from '../../src/reasons.ts';
import type { Verdict } from '../../src/types.ts';

function verdict(word: VerdictWord, reason: ReasonName, score = 0): Verdict {
  const made: Verdict = {
    verdict: word,
    verdictCode: VERDICT_WORDS.indexOf(word) as Verdict['verdictCode'],
    accepted: word === 'accept' || word === 'undecided',
    reason,
    reasonCode: Reason[reason],
    detail: '',
    pos: [1, 2, 3],
    straight: 1,
    length: null,
    bound: null,
    used: 2,
    allowed: 1,
    score,
    action: 'none',
    correction: word === 'correct' ? 1 : 0,
    snapshot: null,
    copy: () => made,
  };
  return made;
}

type Call = [string, ...unknown[]];

interface World {
  calls: Call[];
  clock: { now: number };
  guard: ReplayGuard;
  map: ReplayMap;
  tally: Tally;
}

/** A guard with all methods but `missing`; the seq decides the verdict: 0 accept, 1 Wall, 2 undecided, 3 unknown. */
function world(missing: string[] = []): World {
  const calls: Call[] = [];
  const clock = { now: 0 };
  const answers = [
    verdict('accept', 'Accept'),
    verdict('correct', 'Wall', 0.5),
    verdict('undecided', 'Undecided'),
    verdict('reject', 'UnknownEntity'),
  ];
  const recorder = (names: string[], judging: boolean) =>
    Object.fromEntries(
      names
        .filter((name) => !missing.includes(name))
        .map((name) => [
          name,
          (...args: unknown[]) => {
            calls.push([name, clock.now, ...args]);
            if (!judging) return undefined;
            const seq = name === 'move' ? args[1] : (args[1] as { seq: unknown }).seq;
            return answers[seq as number] ?? verdict('reject', 'Malformed');
          },
        ]),
    );
  const facts = [
    ...['enter', 'leave', 'setSpeed', 'rtt', 'grant', 'teleport', 'impulse', 'boost', 'pause', 'state', 'carrier'],
    ...['attach', 'detach', 'version', 'progress', 'ack'],
  ];
  return {
    calls,
    clock,
    guard: { ...recorder(facts, false), ...recorder(['move', 'begin', 'input'], true) } as unknown as ReplayGuard,
    map: recorder(['block', 'unblock', 'area', 'link'], false) as ReplayMap,
    tally: new Tally(),
  };
}

async function run(w: World, lines: string[], check = true): Promise<Replay> {
  const text = ['{"movelog":1}', ...lines, ''].join('\n');
  const stream = (async function* () {
    yield Buffer.from(text);
  })();
  const log = await MoveLog.open(stream, { name: 'r.ndjson' });
  w.tally.begin(log.name);
  const replay = new Replay(w.guard, w.map, w.clock, w.tally, { file: log.name, check });
  do {
    for (let event = log.next(); event !== null; event = log.next()) replay.step(event, log.line);
  } while (await log.more());
  return replay;
}

describe('facts and claims reach the guard', () => {
  test.each<[string, Call]>([
    ['{"t":5,"op":"enter","id":"p","pos":[1,2,3],"speed":6}', ['enter', 5, 'p', { pos: [1, 2, 3], speed: 6 }]],
    [
      '{"t":5,"op":"enter","id":"p","pos":[1,2,3],"speed":6,"kind":"orc"}',
      ['enter', 5, 'p', { pos: [1, 2, 3], speed: 6, kind: 'orc' }],
    ],
    ['{"t":5,"op":"leave","id":"p"}', ['leave', 5, 'p']],
    ['{"t":5,"op":"speed","id":"p","speed":7}', ['setSpeed', 5, 'p', 7]],
    ['{"t":5,"op":"rtt","id":"p","ms":80}', ['rtt', 5, 'p', 80]],
    [
      '{"t":5,"op":"grant","id":"p","grant":"g","to":[1,2,3],"ttl":9}',
      ['grant', 5, 'p', [1, 2, 3], { grant: 'g', ttl: 9 }],
    ],
    ['{"t":5,"op":"teleport","id":"p","to":[1,2,3]}', ['teleport', 5, 'p', [1, 2, 3]]],
    ['{"t":5,"op":"impulse","id":"p","velocity":[1,2,3],"decay":20}', ['impulse', 5, 'p', [1, 2, 3], 20]],
    ['{"t":5,"op":"boost","id":"p","speed":3,"ms":500}', ['boost', 5, 'p', 3, 500]],
    ['{"t":5,"op":"pause","ms":500}', ['pause', 5, 500]],
    ['{"t":5,"op":"state","id":"p","rooted":true}', ['state', 5, 'p', { rooted: true }]],
    ['{"t":5,"op":"carrier","carrier":1,"pos":[1,2,3]}', ['carrier', 5, 1, { pos: [1, 2, 3] }]],
    ['{"t":5,"op":"attach","id":"p","carrier":1,"offset":[0,0,0]}', ['attach', 5, 'p', 1, [0, 0, 0]]],
    ['{"t":5,"op":"detach","id":"p"}', ['detach', 5, 'p']],
    ['{"t":5,"op":"block","obstacle":"d","box":[0,0,0,1,1,1]}', ['block', 5, 'd', { box: [0, 0, 0, 1, 1, 1] }]],
    ['{"t":5,"op":"unblock","obstacle":"d"}', ['unblock', 5, 'd']],
    ['{"t":5,"op":"area","area":5,"speed":0.5}', ['area', 5, 5, { speed: 0.5 }]],
    ['{"t":5,"op":"link","link":"j","open":false}', ['link', 5, 'j', false]],
    ['{"t":5,"op":"progress","progress":3}', ['progress', 5, 3]],
    ['{"t":5,"op":"version","mapVersion":"2"}', ['version', 5, '2']],
    ['{"t":5,"op":"ack","id":"p","correction":2}', ['ack', 5, 'p', 2]],
    ['{"t":5,"op":"move","id":"p","seq":0,"pos":[1,2,3]}', ['move', 5, 'p', 0, 1, 2, 3]],
    [
      '{"t":5,"op":"move","id":"p","seq":0,"pos":[1,2,3],"skill":"blink"}',
      ['move', 5, 'p', 0, 1, 2, 3, { skill: 'blink' }],
    ],
    ['{"t":5,"op":"move","id":"p","seq":0,"pos":["NaN",2,3]}', ['move', 5, 'p', 0, Number.NaN, 2, 3]],
    ['{"t":5,"op":"move","id":"p","seq":0,"pos":[1,2]}', ['move', 5, 'p', 0, Number.NaN, Number.NaN, Number.NaN]],
    ['{"t":5,"op":"move","id":"p","seq":0}', ['move', 5, 'p', 0, undefined, undefined, undefined]],
    ['{"t":5,"op":"move"}', ['move', 5, undefined, undefined, undefined, undefined, undefined]],
    [
      '{"t":5,"op":"begin","id":"p","seq":0,"from":[0,0,0],"to":"there","speed":6,"duration":100,"stop":1}',
      ['begin', 5, 'p', { seq: 0, from: [0, 0, 0], to: 'there', speed: 6, duration: 100, stop: 1 }],
    ],
    ['{"t":5,"op":"input","id":"p","seq":0,"dir":[0,1],"ms":50}', ['input', 5, 'p', 0, [0, 1], 50]],
  ])('%s', async (line, call) => {
    const w = world();
    await run(w, [line]);
    expect(w.calls).toEqual([call]);
  });

  test.each([
    ['teleport', '{"t":5,"op":"teleport","id":"p","to":[1,2,3]}'],
    ['block', '{"t":5,"op":"block","obstacle":"d","box":[0,0,0,1,1,1]}'],
    ['input', '{"t":5,"op":"input","id":"p","seq":0,"dir":[0,1],"ms":50}'],
  ])('what this version cannot do: %s', async (method, line) => {
    await expect(run(world([method]), ['{"t":0,"op":"pause","ms":1}', line])).rejects.toThrow(
      `r.ndjson, line 3: "${method}" is a known event, but this version does not support it yet.`,
    );
  });

  test("a guard's refusal of a fact names file and line", async () => {
    const w = world();
    w.guard.leave = () => {
      throw new NavguardError('BAD_ARGUMENT', 'leave: no entity "p".');
    };
    await expect(run(w, ['{"t":5,"op":"leave","id":"p"}'])).rejects.toMatchObject({
      code: 'BAD_LOG',
      message: 'r.ndjson, line 2: "leave": leave: no entity "p".',
    });
  });
});

test('time never runs back; a log that begins below zero is moved to zero', async () => {
  const w = world();
  const replay = await run(
    w,
    [-50, -10, -20, 7.5, 7, 8].map((t) => `{"t":${t},"op":"pause","ms":1}`),
  );
  expect(w.calls.map((call) => call[1])).toEqual([0, 40, 40, 57.5, 57.5, 58]);
  expect(replay.backwards).toBe(2);
  expect(replay.firstMs).toBe(-50);
});

describe('counting and comparing', () => {
  const lines = [
    '{"t":1,"op":"move","id":"a","seq":0,"pos":[1,2,3],"expect":"accept"}',
    '{"t":2,"op":"move","id":"a","seq":1,"pos":[1,2,3],"expect":"accept"}',
    '{"t":3,"op":"move","id":"b","seq":1,"pos":[1,2,3],"expect":["SpeedLimit","Wall"]}',
    '{"t":4,"op":"move","id":"b","seq":1,"pos":[1,2,3]}',
    '{"t":5,"op":"move","id":"c","seq":2,"pos":[1,2,3],"expect":"accept"}',
    '{"t":6,"op":"move","id":{"x":1},"seq":9,"pos":[1,2,3],"expect":{"pos":[9,9,9]}}',
    '{"t":7,"op":"move","id":{"x":2},"seq":9,"pos":[1,2,3],"expect":"refused"}',
  ];

  test('summary', async () => {
    const w = world();
    await run(w, lines);
    const summary = w.tally.summary();
    expect(summary).toMatchObject({
      claims: 7,
      accepted: 1,
      refused: 5,
      undecided: 1,
      byVerdict: { accept: 1, correct: 3, undecided: 1, reject: 2 },
      byReason: { Accept: 1, Wall: 3, Undecided: 1, Malformed: 2 },
      expected: 6,
      mismatchCount: 3,
      logs: ['r.ndjson'],
    });
    expect(summary.byEntity.map(({ id, claims, refused }) => [id, claims, refused])).toEqual([
      ['b', 2, 2],
      ['(not a string)', 2, 2],
      ['a', 2, 1],
      ['c', 1, 0],
    ]);
    const total = Object.values(summary.byReason).reduce((sum, count) => sum + count, 0);
    expect(total).toBe(summary.claims);
    expect(Object.keys(summary.byReason).every((name) => REASON_NAMES.includes(name as ReasonName))).toBe(true);
  });

  test('mismatches: file, line, expected, got', async () => {
    const w = world();
    await run(w, lines);
    const got = { pos: [1, 2, 3], used: 2, allowed: 1, action: 'none' };
    expect(w.tally.mismatches).toEqual([
      {
        file: 'r.ndjson',
        line: 3,
        t: 2,
        id: 'a',
        seq: 1,
        expected: 'accept',
        got: { ...got, verdict: 'correct', reason: 'Wall', score: 0.5, correction: 1 },
      },
      {
        file: 'r.ndjson',
        line: 6,
        t: 5,
        id: 'c',
        seq: 2,
        expected: 'accept',
        got: { ...got, verdict: 'undecided', reason: 'Undecided', score: 0, correction: 0 },
      },
      {
        file: 'r.ndjson',
        line: 7,
        t: 6,
        id: { x: 1 },
        seq: 9,
        expected: { pos: [9, 9, 9] },
        got: { ...got, verdict: 'reject', reason: 'Malformed', score: 0, correction: 0 },
      },
    ]);
  });

  test('nothing is compared unless asked', async () => {
    const w = world();
    await run(w, lines, false);
    expect(w.tally.summary()).toMatchObject({ expected: 0, mismatchCount: 0 });
  });

  test('a wrong expect stops with file and line', async () => {
    await expect(run(world(), ['{"t":1,"op":"move","id":"a","seq":0,"pos":[1,2,3],"expect":"acept"}'])).rejects.toThrow(
      'r.ndjson, line 2: expect: expected a verdict, "refused" or a reason, got "acept" (is "accept" meant?).',
    );
  });

  test('the same id in two logs is two entities', async () => {
    const w = world();
    await run(w, lines.slice(0, 1));
    await run(w, lines.slice(0, 2));
    expect(w.tally.summary().byEntity.map(({ id, claims }) => [id, claims])).toEqual([
      ['a', 2],
      ['a', 1],
    ]);
  });
});
