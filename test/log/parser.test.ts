// The move log's text format, row by row: what is read, and the sentence for what is not.
import { describe, expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import type { MoveLogEvent } from '../../src/log/events.ts';
import { MoveLogParser } from '../../src/log/parser.ts';

const HEADER = '{"movelog":1}';

interface Parsed {
  events: MoveLogEvent[];
  lines: number[];
  parser: MoveLogParser;
}

/** Parses a text fed in pieces of `step` bytes. */
function parse(text: string | Buffer, options: { lenient?: boolean; step?: number } = {}): Parsed {
  const parser = new MoveLogParser({ file: 'a.ndjson', lenient: options.lenient });
  const bytes = Buffer.from(text as string);
  const step = options.step ?? Math.max(1, bytes.length);
  const events: MoveLogEvent[] = [];
  const lines: number[] = [];
  const pull = () => {
    for (let event = parser.next(); event !== null; event = parser.next()) {
      events.push(event);
      lines.push(parser.line);
    }
  };
  for (let at = 0; at < bytes.length; at += step) {
    parser.feed(bytes.subarray(at, at + step));
    pull();
  }
  parser.finish();
  pull();
  return { events, lines, parser };
}

function problem(text: string | Buffer, options: { lenient?: boolean } = {}): string {
  try {
    parse(text, options);
  } catch (error) {
    expect(error).toBeInstanceOf(NavguardError);
    expect((error as NavguardError).code).toBe('BAD_LOG');
    return (error as NavguardError).message;
  }
  return 'no error';
}

const FACTS: [string, string][] = [
  ['enter', '{"t":0,"op":"enter","id":"p1","pos":[1,0,2],"speed":6}'],
  ['enter with kind', '{"t":0,"op":"enter","id":"p1","pos":[1,0,2],"speed":6,"kind":"hero"}'],
  ['leave', '{"t":1.5,"op":"leave","id":"p1"}'],
  ['speed', '{"t":0,"op":"speed","id":"p1","speed":0}'],
  ['rtt', '{"t":0,"op":"rtt","id":"p1","ms":80.5}'],
  ['grant', '{"t":0,"op":"grant","id":"p1","grant":"g1","to":[1,2,3]}'],
  ['grant, all fields', '{"t":0,"op":"grant","id":"p1","grant":7,"to":[1,2,3],"radius":2,"ttl":1000}'],
  ['teleport', '{"t":0,"op":"teleport","id":"p1","to":[1,2,3]}'],
  ['impulse', '{"t":0,"op":"impulse","id":"p1","velocity":[14,0,-1],"decay":20}'],
  ['boost', '{"t":0,"op":"boost","id":"p1","speed":4,"ms":2000}'],
  ['pause', '{"t":0,"op":"pause","ms":700}'],
  ['state', '{"t":0,"op":"state","id":"p1","alive":false}'],
  ['carrier', '{"t":0,"op":"carrier","carrier":17,"pos":[1,2,3],"yaw":-0.5,"size":[4,2]}'],
  ['attach', '{"t":0,"op":"attach","id":"p1","carrier":17,"offset":[0.3,0,0]}'],
  ['detach', '{"t":0,"op":"detach","id":"p1","carrier":17}'],
  ['block box', '{"t":0,"op":"block","obstacle":"door","box":[0,0,0,1,2,0.2]}'],
  ['block cylinder', '{"t":0,"op":"block","obstacle":"door","cylinder":[0,0,0,1,2]}'],
  ['unblock', '{"t":0,"op":"unblock","obstacle":"door"}'],
  ['area', '{"t":0,"op":"area","area":5,"open":false}'],
  ['area speed', '{"t":0,"op":"area","area":5,"speed":0.5}'],
  ['link', '{"t":0,"op":"link","link":"j1","open":true}'],
  ['progress', '{"t":0,"op":"progress","progress":3}'],
  ['version', '{"t":0,"op":"version","mapVersion":"2"}'],
  ['ack', '{"t":0,"op":"ack","id":"p1","correction":1}'],
  ['an unknown further field', '{"t":0,"op":"leave","id":"p1","why":"quit"}'],
];

describe('facts', () => {
  test.each(FACTS)('%s', (_, line) => {
    expect(parse(`${HEADER}\n${line}\n`).events).toEqual([JSON.parse(line)]);
  });

  test.each([
    [
      'no pos',
      '{"t":0,"op":"enter","id":"p1","speed":6}',
      '"enter" needs pos to be [x, y, z] with three finite numbers, got nothing.',
    ],
    [
      'two numbers',
      '{"t":0,"op":"enter","id":"p1","pos":[1,2],"speed":6}',
      '"enter" needs pos to be [x, y, z] with three finite numbers, got [1,2].',
    ],
    [
      'NaN in a fact',
      '{"t":0,"op":"teleport","id":"p1","to":["NaN",0,0]}',
      '"teleport" needs to to be [x, y, z] with three finite numbers, got ["NaN",0,0].',
    ],
    [
      'a string as speed',
      '{"t":0,"op":"speed","id":"p1","speed":"fast"}',
      '"speed" needs speed to be a finite number of at least 0, got "fast".',
    ],
    [
      'infinite speed',
      '{"t":0,"op":"speed","id":"p1","speed":"Infinity"}',
      '"speed" needs speed to be a finite number of at least 0, got Infinity.',
    ],
    [
      'negative ms',
      '{"t":0,"op":"rtt","id":"p1","ms":-1}',
      '"rtt" needs ms to be a finite number of at least 0, got -1.',
    ],
    ['a number as id', '{"t":0,"op":"leave","id":7}', '"leave" needs id to be a string that is not empty, got 7.'],
    ['no id', '{"t":0,"op":"leave"}', '"leave" needs id to be a string that is not empty, got nothing.'],
    [
      'a misspelt field',
      '{"t":0,"op":"grant","id":"p1","grant":"g","to":[0,0,0],"radus":3}',
      '"grant" has no field "radus"; expected "radius".',
    ],
    [
      'a misspelt needed field',
      '{"t":0,"op":"enter","id":"p1","pso":[0,0,0],"speed":6}',
      '"enter" needs pos to be [x, y, z] with three finite numbers, got nothing (is "pso" meant to be "pos"?).',
    ],
    [
      'state of nothing',
      '{"t":0,"op":"state","id":"p1"}',
      '"state" needs at least one of alive, rooted, flying, got none.',
    ],
    [
      'two shapes',
      '{"t":0,"op":"block","obstacle":"d","box":[0,0,0,1,1,1],"cylinder":[0,0,0,1,1]}',
      '"block" needs exactly one of box, cylinder, got both.',
    ],
    [
      'an inverted box',
      '{"t":0,"op":"block","obstacle":"d","box":[2,0,0,1,1,1]}',
      '"block" needs box to be [minX, minY, minZ, maxX, maxY, maxZ] with six finite numbers (and yaw), each minimum no greater than its maximum, got [2,0,0,1,1,1].',
    ],
    [
      'expect on a fact',
      '{"t":0,"op":"leave","id":"p1","expect":"accept"}',
      '"leave" is a fact and cannot carry "expect"; only claims can: move, begin, input.',
    ],
    [
      'correction -1',
      '{"t":0,"op":"ack","id":"p1","correction":-1}',
      '"ack" needs correction to be a whole number of at least 0, got -1.',
    ],
  ])('stop: %s', (_, line, sentence) => {
    expect(problem(`${HEADER}\n\n${line}\n`)).toBe(`a.ndjson, line 3: ${sentence}`);
    expect(problem(`${HEADER}\n\n${line}\n`, { lenient: true })).toBe(`a.ndjson, line 3: ${sentence}`);
  });
});

describe('claims', () => {
  test.each([
    ['plain', '{"t":0,"op":"move","id":"p1","seq":1,"pos":[1,0,2]}'],
    [
      'all fields',
      '{"t":0,"op":"move","id":"p1","seq":1,"pos":[1,0,2],"mapVersion":"2","carrier":17,"offset":[0,0,0],"skill":"blink","expect":["Wall","refused"]}',
    ],
    [
      'begin',
      '{"t":0,"op":"begin","id":"p1","seq":1,"from":[0,0,0],"to":[9,0,0],"speed":6,"duration":1500,"stop":0.5,"strategy":"hero","progress":3,"mapVersion":"2"}',
    ],
    ['input', '{"t":0,"op":"input","id":"p1","seq":1,"dir":[0,1],"ms":50}'],
    ['no pos', '{"t":0,"op":"move","id":"p1","seq":1}'],
    ['a string as seq', '{"t":0,"op":"move","id":"p1","seq":"7","pos":[1,0,2]}'],
    ['garbage everywhere', '{"t":0,"op":"move","id":null,"seq":{},"pos":"here"}'],
    ['an id that reads NaN', '{"t":0,"op":"move","id":"NaN","seq":1,"pos":[0,0,0]}'],
  ])('passed on as they are: %s', (_, line) => {
    expect(parse(`${HEADER}\n${line}\n`).events).toEqual([JSON.parse(line)]);
  });

  test('numbers that JSON cannot hold', () => {
    const { events } = parse(
      `${HEADER}\n{"t":0,"op":"begin","id":"p1","seq":"NaN","from":["Infinity",0,"-Infinity"],"to":[0,0,0],"speed":"NaN","duration":"Infinity"}\n`,
    );
    expect(events[0]).toMatchObject({
      seq: Number.NaN,
      from: [Infinity, 0, -Infinity],
      speed: Number.NaN,
      duration: Infinity,
    });
  });
});

describe('lines', () => {
  test.each([
    ['broken JSON', '{"t":0,"op":"mo', 'the line is not valid JSON, expected one object, got {"t":0,"op":"mo.'],
    ['an unknown op', '{"t":0,"op":"mvoe"}', 'unknown op "mvoe", expected "move" perhaps.'],
    ['a longer op', '{"t":0,"op":"tele"}', 'unknown op "tele", expected "teleport" perhaps.'],
    ['a number', '5', 'expected an object such as {"t":0,"op":"leave","id":"p1"}, got 5.'],
    ['a list', '[1]', 'expected an object such as {"t":0,"op":"leave","id":"p1"}, got [1].'],
    ['no op', '{"t":0}', 'the line has no op, expected one of enter, leave, '],
    [
      'an op from the prototype',
      '{"t":0,"op":"constructor"}',
      'unknown op "constructor", expected one of enter, leave, ',
    ],
    ['a second header', HEADER, 'a second header, expected one log per file.'],
    [
      'two objects',
      '{"t":0,"op":"pause","ms":1}{}',
      'the line is not valid JSON, expected one object, got {"t":0,"op":"pause","ms":1}{}.',
    ],
  ])('stop, or are skipped when lenient: %s', (_, line, sentence) => {
    const text = `${HEADER}\n${line}\n{"t":0,"op":"leave","id":"p1"}`;
    const message = problem(text);
    expect(message.startsWith(`a.ndjson, line 2: ${sentence}`), message).toBe(true);
    const { events, lines, parser } = parse(text, { lenient: true });
    expect(events).toHaveLength(1);
    expect(lines).toEqual([3]);
    expect(parser.skipped).toBe(1);
  });

  test('bytes that are not UTF-8', () => {
    const text = Buffer.concat([
      Buffer.from(`${HEADER}\n{"t":0,"op":"leave","id":"`),
      Buffer.from([0xff, 0xc0]),
      Buffer.from('"}\n'),
    ]);
    expect(problem(text)).toBe('a.ndjson, line 2: the line is not valid UTF-8, expected one JSON object.');
  });

  test.each([
    [
      'missing',
      '{"op":"move","id":"p1"}',
      '"move" needs t to be a finite number (ms on the server\'s clock), got nothing.',
    ],
    [
      'a string',
      '{"t":"0","op":"leave","id":"p1"}',
      '"leave" needs t to be a finite number (ms on the server\'s clock), got "0".',
    ],
    [
      'NaN',
      '{"t":"NaN","op":"leave","id":"p1"}',
      '"leave" needs t to be a finite number (ms on the server\'s clock), got NaN.',
    ],
  ])('t is %s', (_, line, sentence) => {
    expect(problem(`${HEADER}\n${line}\n`)).toBe(`a.ndjson, line 2: ${sentence}`);
  });

  test('byte order mark, CRLF, empty lines, no newline at the end, other scripts', () => {
    const text = `\ufeff${HEADER}\r\n\r\n{"t":0,"op":"leave","id":"Łukasz 玩家"}\r\n   \n{"t":1,"op":"move","id":"p1","seq":1,"pos":[0,0,0]}`;
    const { events, lines } = parse(text);
    expect(events.map((event) => (event as { id: string }).id)).toEqual(['Łukasz 玩家', 'p1']);
    expect(lines).toEqual([3, 5]);
  });

  test('the same events whatever the pieces the bytes come in', () => {
    const text = `${HEADER}\n${FACTS.map(([, line]) => line).join('\n')}\n{"t":1,"op":"move","id":"p1","seq":1,"pos":[0.1,0,-3]}\n{"t":2,"op":"move","id":"é","seq":2,"pos":[1,0,2],"expect":"accept"}\n`;
    const whole = parse(text);
    expect(whole.events).toHaveLength(FACTS.length + 2);
    for (const step of [1, 2, 3, 7, 64, 1000]) {
      const pieces = parse(text, { step });
      expect(pieces.events).toEqual(whole.events);
      expect(pieces.lines).toEqual(whole.lines);
    }
  });

  test('a long line grows the buffer once, and the next lines follow', () => {
    const comment = 'x'.repeat(3_000_000);
    const { events, parser } = parse(`{"movelog":1,"comment":"${comment}"}\n{"t":0,"op":"pause","ms":1}\n`, {
      step: 65536,
    });
    expect(parser.header?.comment).toHaveLength(3_000_000);
    expect(events).toHaveLength(1);
  });
});

describe('header', () => {
  test.each([
    [
      'a file',
      '{"movelog":1,"map":{"file":"dungeon.bin","hash":"ab"},"rules":{"speedTolerance":1.2},"comment":"monday"}',
    ],
    ['a grid', '{"movelog":1,"map":{"grid":["..#","..."],"cell":1,"origin":[0,0],"agent":1}}'],
    ['a build', '{"movelog":1,"map":{"build":{"boxes":[[0,0,0,1,1,1]],"cell":0.2}}}'],
    ['neither', '{"movelog":1}'],
  ])('%s', (_, line) => {
    expect(parse(`${line}\n`).parser.header).toEqual(JSON.parse(line));
  });

  test.each([
    [
      'an event instead',
      '{"t":0,"op":"leave","id":"p1"}',
      'expected the header {"movelog":1,"map":{...}} first, got {"t":0,"op":"leave","id":"p1"}.',
    ],
    ['no JSON', 'MSET....', 'expected the header {"movelog":1,"map":{...}} first, got MSET.....'],
    ['a list', '[]', 'expected the header {"movelog":1,"map":{...}} first, got [].'],
    ['version 2', '{"movelog":2}', 'move log version 2 is not supported, expected 1.'],
    ['version as a word', '{"movelog":"one"}', 'move log version "one" is not supported, expected 1.'],
    [
      'two maps',
      '{"movelog":1,"map":{"file":"a.bin","grid":["."]}}',
      'the header needs map to be an object with exactly one of file, build, grid, got {"file":"a.bin","grid":["."]}.',
    ],
    [
      'no map in map',
      '{"movelog":1,"map":{}}',
      'the header needs map to be an object with exactly one of file, build, grid, got {}.',
    ],
    ['a path that is a number', '{"movelog":1,"map":{"file":5}}', 'the header needs map.file to be a path, got 5.'],
    [
      'grid rows that are numbers',
      '{"movelog":1,"map":{"grid":[1]}}',
      'the header needs map.grid[0] to be a string of "." and "#", got 1.',
    ],
    [
      'an empty grid',
      '{"movelog":1,"map":{"grid":[]}}',
      'the header needs map.grid to be a list of at least one string, got [].',
    ],
    [
      'a cell of 0',
      '{"movelog":1,"map":{"grid":["."],"cell":0}}',
      'the header needs map.cell to be a number above 0, got 0.',
    ],
    [
      'a build that is a list',
      '{"movelog":1,"map":{"build":[]}}',
      'the header needs map.build to be an object with boxes and/or triangles, got [].',
    ],
    ['rules as a list', '{"movelog":1,"rules":[]}', 'the header needs rules to be an object of rules, got [].'],
    ['a misspelt field', '{"movelog":1,"rule":{}}', 'the header has no field "rule"; expected "rules".'],
    [
      'a misspelt map field',
      '{"movelog":1,"map":{"grid":["."],"orign":[0,0]}}',
      'map has no field "orign"; expected "origin".',
    ],
  ])('stop: %s', (_, line, sentence) => {
    expect(problem(`${line}\n`)).toBe(`a.ndjson, line 1: ${sentence}`);
    expect(problem(`${line}\n`, { lenient: true })).toBe(`a.ndjson, line 1: ${sentence}`);
  });

  test.each([
    ['nothing', ''],
    ['only blank lines', '\n \n'],
  ])('stop: %s', (_, text) => {
    expect(problem(text)).toBe('a.ndjson is empty, expected a move log with a header line.');
  });
});

test('whatever the bytes, an event or one sentence: 20,000 mangled lines', () => {
  const seed = 4711;
  let state = seed;
  const below = (n: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * n);
  };
  const lines = FACTS.map(([, line]) => line);
  let events = 0;
  let errors = 0;
  for (let i = 0; i < 20_000; i++) {
    const bytes = Buffer.from(lines[below(lines.length)]);
    for (let k = below(4); k > 0; k--) bytes[below(bytes.length)] = below(256);
    try {
      events += parse(Buffer.concat([Buffer.from(`${HEADER}\n`), bytes])).events.length;
    } catch (error) {
      errors++;
      if (!(error instanceof NavguardError))
        expect.fail(`seed ${seed}, line ${i}: ${bytes.toString('latin1')}: ${error}`);
      expect(error.message).toMatch(/^a\.ndjson, line \d+: [^\n]+\.$/);
    }
  }
  expect(events).toBeGreaterThan(5000);
  expect(errors).toBeGreaterThan(5000);
});
