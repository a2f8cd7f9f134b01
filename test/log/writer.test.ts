// Events to lines and back without loss; verdict lines field by field.
import { expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import type { Claim, MoveLogEvent } from '../../src/log/events.ts';
import { MoveLogParser } from '../../src/log/parser.ts';
import { eventLine, headerLine, verdictLine } from '../../src/log/writer.ts';
import type { Verdict } from '../../src/types.ts';

function readBack(lines: string): MoveLogEvent[] {
  const parser = new MoveLogParser({ file: 'round' });
  parser.feed(Buffer.from(headerLine({}) + lines));
  parser.finish();
  const events: MoveLogEvent[] = [];
  for (let event = parser.next(); event !== null; event = parser.next()) events.push(event);
  return events;
}

const EVENTS: MoveLogEvent[] = [
  { t: 0, op: 'enter', id: 'p1', pos: [1, 0, 2], speed: 6, kind: 'hero' },
  { t: 0.1 + 0.2, op: 'rtt', id: 'p1', ms: 1e-7 },
  { t: 1, op: 'grant', id: 'p1', grant: 'g', to: [1, 2, 3], radius: 2, ttl: 5 },
  { t: 1, op: 'state', id: 'p1', alive: true, rooted: false },
  { t: 2, op: 'block', obstacle: 3, box: [0, 0, 0, 1, 1, 1] },
  {
    t: 2 ** 40 + 0.5,
    op: 'move',
    id: 'p1',
    seq: 4294967295,
    pos: [1 / 3, -0, -1e300],
    expect: ['Wall', { verdict: 'accept' }],
  },
  { t: 3, op: 'move', id: 'a "quoted" \u2028 name', seq: Number.NaN, pos: [Number.NaN, Infinity, -Infinity] },
  { t: 3, op: 'move', id: null, seq: {}, pos: [] },
  {
    t: 4,
    op: 'begin',
    id: 'p1',
    seq: 2,
    from: [0, 0, 0],
    to: [1, 0, 0],
    speed: Infinity,
    duration: Number.NaN,
    stop: 0.5,
  },
  { t: 5, op: 'input', id: 'p1', seq: 3, dir: [0, -1], ms: 50 },
];

test('what is written is read back, bit for bit', () => {
  const back = readBack(EVENTS.map(eventLine).join(''));
  expect(back).toEqual(EVENTS);
  const pos = (back[5] as { pos: number[] }).pos;
  expect(Object.is(pos[1], -0)).toBe(true);
});

test('t and op come first, so that plain moves take the fast path', () => {
  const event = { pos: [1, 0, 2], seq: 1, id: 'p1', op: 'move', t: 5 } as unknown as MoveLogEvent;
  expect(eventLine(event)).toBe('{"t":5,"op":"move","pos":[1,0,2],"seq":1,"id":"p1"}\n');
});

test('whatever a client sends can be recorded', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const lines = [
    { t: 0, op: 'move', id: 'p1', seq: 10n, pos: new Float64Array([1, Number.NaN, 2]) },
    { t: 0, op: 'move', id: 'p1', seq: undefined, pos: deep },
    { t: 0, op: 'move', id: () => 0, seq: Symbol('s'), pos: [undefined, '\ud800', '\n'] },
  ].map((claim) => eventLine(claim as Claim));
  expect(lines[0]).toBe('{"t":0,"op":"move","id":"p1","seq":"10","pos":[1,"NaN",2]}\n');
  for (const line of lines) {
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(JSON.parse(line)).toMatchObject({ t: 0, op: 'move' });
  }
});

test("the server's own mistakes are errors", () => {
  expect(() => eventLine({ t: Number.NaN, op: 'leave', id: 'p1' })).toThrow(NavguardError);
  expect(() => eventLine({ t: 0, op: 'jump' } as unknown as MoveLogEvent)).toThrow(/A move log has no event "jump"/);
});

test('a verdict line has exactly the fields of the format, in order', () => {
  const verdict: Omit<Verdict, 'copy'> = {
    verdict: 'correct',
    verdictCode: 1,
    accepted: false,
    reason: 'Wall',
    reasonCode: 2,
    detail: '',
    pos: [1, -0, 2.5],
    straight: 1.4,
    length: Infinity,
    bound: 'lower',
    used: 3.25,
    allowed: null,
    score: 0.5,
    action: 'none',
    correction: 1,
    snapshot: null,
  };
  const claim: Claim = { t: 5, op: 'move', id: 'p"1', seq: 7, pos: [0, 0, 0] };
  expect(verdictLine(6.5, claim, verdict)).toBe(
    '{"t":6.5,"id":"p\\"1","seq":7,"op":"move","verdict":"correct","reason":"Wall","pos":[1,-0,2.5],"straight":1.4,' +
      '"length":"Infinity","bound":"lower","used":3.25,"allowed":null,"score":0.5,"action":"none","correction":1}\n',
  );
  expect(verdictLine(6.5, claim, verdict, 'ab12')).toMatch(/"correction":1,"map":"ab12"}\n$/);
  const unknown = { ...verdict, pos: null, straight: null, length: null, bound: null, used: null };
  expect(JSON.parse(verdictLine(0, { t: 0, op: 'begin' }, unknown))).toEqual({
    t: 0,
    id: null,
    seq: null,
    op: 'begin',
    verdict: 'correct',
    reason: 'Wall',
    pos: null,
    straight: null,
    length: null,
    bound: null,
    used: null,
    allowed: null,
    score: 0.5,
    action: 'none',
    correction: 1,
  });
});
