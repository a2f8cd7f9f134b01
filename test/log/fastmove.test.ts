// The byte reader of the commonest line against JSON.parse: whatever it takes must be the identical event.
import { describe, expect, test } from 'vitest';
import { FastMoveReader } from '../../src/log/fastmove.ts';

/** mulberry32, seeded. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function bytesOf(line: string): Buffer {
  return Buffer.concat([Buffer.from(line, 'latin1'), Buffer.from([0])]);
}

const reader = new FastMoveReader(Buffer.alloc(1));
function read(line: string): unknown {
  return reader.read(bytesOf(line), 0);
}

const STANDARD = '{"t":1204.5,"op":"move","id":"p1","seq":7,"pos":[1.25,0,-3.75]}';

describe('the fast path', () => {
  test('takes the standard line, with and without expect, LF and CRLF', () => {
    const event = { t: 1204.5, op: 'move', id: 'p1', seq: 7, pos: [1.25, 0, -3.75] };
    expect(read(`${STANDARD}\n`)).toEqual(event);
    expect(reader.next).toBe(STANDARD.length + 1);
    expect(read(`${STANDARD}\r\n`)).toEqual(event);
    expect(reader.next).toBe(STANDARD.length + 2);
    expect(read(`${STANDARD.slice(0, -1)},"expect":"accept"}\n`)).toEqual({ ...event, expect: 'accept' });
  });

  test.each([
    ['no newline yet', STANDARD],
    ['a space', '{"t": 1,"op":"move","id":"p1","seq":7,"pos":[1,0,3]}\n'],
    ['another op', '{"t":1,"op":"leave","id":"p1"}\n'],
    ['another order', '{"op":"move","t":1,"id":"p1","seq":7,"pos":[1,0,3]}\n'],
    ['an exponent', '{"t":1e3,"op":"move","id":"p1","seq":7,"pos":[1,0,3]}\n'],
    ['a leading zero', '{"t":01,"op":"move","id":"p1","seq":7,"pos":[1,0,3]}\n'],
    ['a bare point', '{"t":1.,"op":"move","id":"p1","seq":7,"pos":[1,0,3]}\n'],
    ['no digits before the point', '{"t":.5,"op":"move","id":"p1","seq":7,"pos":[1,0,3]}\n'],
    ['a lone minus', '{"t":-,"op":"move","id":"p1","seq":7,"pos":[1,0,3]}\n'],
    ['a plus', '{"t":+1,"op":"move","id":"p1","seq":7,"pos":[1,0,3]}\n'],
    ['NaN as a string', '{"t":1,"op":"move","id":"p1","seq":7,"pos":["NaN",0,3]}\n'],
    ['a string seq', '{"t":1,"op":"move","id":"p1","seq":"7","pos":[1,0,3]}\n'],
    ['two coordinates', '{"t":1,"op":"move","id":"p1","seq":7,"pos":[1,0]}\n'],
    ['four coordinates', '{"t":1,"op":"move","id":"p1","seq":7,"pos":[1,0,3,4]}\n'],
    ['an escape in the id', '{"t":1,"op":"move","id":"p\\u0031","seq":7,"pos":[1,0,3]}\n'],
    ['UTF-8 in the id', '{"t":1,"op":"move","id":"é","seq":7,"pos":[1,0,3]}\n'],
    ['an empty id', '{"t":1,"op":"move","id":"","seq":7,"pos":[1,0,3]}\n'],
    ['a further field', '{"t":1,"op":"move","id":"p1","seq":7,"pos":[1,0,3],"skill":"blink"}\n'],
    ['an expect that is a list', '{"t":1,"op":"move","id":"p1","seq":7,"pos":[1,0,3],"expect":["accept"]}\n'],
    ['something after the end', `${STANDARD}}\n`],
  ])('leaves to JSON.parse: %s', (_, line) => {
    expect(read(line)).toBeNull();
  });

  test('stops at the sentinel, not at stale bytes behind it', () => {
    const line = Buffer.from(`${STANDARD}\n`);
    for (let cut = 0; cut < line.length; cut++) {
      const stale = Buffer.from(line);
      stale[cut] = 0;
      expect(reader.read(stale, 0), `cut at ${cut}`).toBeNull();
    }
  });

  test('numbers are the doubles of JSON.parse: 200,000 decimals of every length', () => {
    const seed = 20260101;
    const next = random(seed);
    let taken = 0;
    for (let i = 0; i < 200_000; i++) {
      let text: string;
      const kind = i % 4;
      if (kind === 0) text = String((next() - 0.5) * 10 ** Math.floor(next() * 25 - 5));
      else {
        const whole = String(Math.floor(next() * 10 ** Math.floor(next() * 16)));
        const places = Math.floor(next() * 30);
        let fraction = '';
        for (let k = 0; k < places; k++) fraction += Math.floor(next() * (kind === 1 && k < places / 2 ? 1 : 10));
        text = `${next() < 0.5 ? '-' : ''}${kind === 2 ? '0' : whole}${places > 0 ? '.' : ''}${fraction}`;
      }
      const line = `{"t":${text},"op":"move","id":"p1","seq":${text},"pos":[${text},0,-0]}`;
      const event = reader.read(bytesOf(`${line}\n`), 0);
      if (event === null) continue;
      taken++;
      const pos = event.pos as number[];
      const wanted = JSON.parse(line) as { t: number };
      if (!Object.is(event.t, wanted.t) || !Object.is(pos[0], wanted.t) || !Object.is(pos[2], -0)) {
        expect.fail(`seed ${seed}: ${text} was read as ${event.t}, JSON.parse gives ${wanted.t}`);
      }
    }
    expect(taken).toBeGreaterThan(150_000);
  });

  test('fuzzed lines: taken only when JSON.parse gives the identical event', () => {
    const seed = 77001;
    const next = random(seed);
    const alphabet = '{}[]",:.-+eE0123456789 \\tmovepsqxidNaInfty\r\u00e9\u0000';
    let taken = 0;
    for (let i = 0; i < 300_000; i++) {
      let line = next() < 0.5 ? STANDARD : `${STANDARD.slice(0, -1)},"expect":"refused"}`;
      const changes = Math.floor(next() * 4);
      for (let k = 0; k < changes; k++) {
        const at = Math.floor(next() * (line.length + 1));
        const letter = alphabet[Math.floor(next() * alphabet.length)];
        const action = next();
        if (action < 0.4) line = line.slice(0, at) + letter + line.slice(at + 1);
        else if (action < 0.7) line = line.slice(0, at) + letter + line.slice(at);
        else line = line.slice(0, at) + line.slice(at + 1);
      }
      const event = reader.read(bytesOf(`${line}\n`), 0);
      if (event === null) continue;
      taken++;
      let wanted: unknown;
      try {
        wanted = JSON.parse(line);
      } catch {
        expect.fail(`seed ${seed}, line ${i}: taken, but not JSON: ${line}`);
      }
      if (JSON.stringify(event) !== JSON.stringify(wanted)) {
        expect.fail(`seed ${seed}, line ${i}: ${line} was read as ${JSON.stringify(event)}`);
      }
    }
    expect(taken).toBeGreaterThan(75_000);
  });
});
