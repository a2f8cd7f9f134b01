// The binary form of move logs: without loss in both directions, and whatever happens to its bytes, one sentence. Seeds stand
// in the names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NavguardError } from '../../src/errors.ts';
import { frameCrc } from '../../src/log/binary/form.ts';
import { BinaryLogParser, isPlainMove } from '../../src/log/binary/index.ts';
import type { MoveLogEvent } from '../../src/log/events.ts';
import { MoveLog } from '../../src/log/reader.ts';
import { MoveLogWriter, type WriterOptions } from '../../src/log/record.ts';
import { eventLine, headerLine } from '../../src/log/writer.ts';
import { random } from '../guard/rounding.ts';

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length || at === 0; at += size) yield bytes.subarray(at, at + size);
}

interface Read {
  header: string;
  events: MoveLogEvent[];
  lines: number[];
  skipped: number;
}

async function read(bytes: Uint8Array, options: { lenient?: boolean; size?: number } = {}): Promise<Read> {
  const log = await MoveLog.open(pieces(bytes, options.size ?? 1 << 20), { name: 'log', lenient: options.lenient });
  const events: MoveLogEvent[] = [];
  const lines: number[] = [];
  do {
    for (let event = log.next(); event !== null; event = log.next()) {
      events.push(event);
      lines.push(log.line);
    }
  } while (await log.more());
  return { header: log.headerText, events, lines, skipped: log.skipped };
}

/** As `navguard convert` does it. */
async function convert(bytes: Uint8Array, form: 'binary' | 'ndjson', options: WriterOptions = {}): Promise<Buffer> {
  const log = await MoveLog.open(pieces(bytes, 1 << 20), { name: 'log' });
  const parts: Uint8Array[] = [];
  const writer = new MoveLogWriter({ write: (part) => parts.push(part) }, log.headerText, { ...options, form });
  do {
    for (let event = log.next(); event !== null; event = log.next()) {
      if (log.raw === null || (form === 'binary' && isPlainMove(event))) writer.event(event);
      else writer.line(log.raw);
    }
  } while (await log.more());
  writer.close();
  return Buffer.concat(parts);
}

const NUMBERS = [
  ...[
    0,
    -0,
    1,
    -1,
    0.5,
    1.25,
    12.345,
    -99.999,
    1 / 3,
    Math.PI,
    1e-7,
    5e-324,
    1e21,
    1.7e308,
    -1e300,
    2 ** 53,
    2 ** 53 + 2,
  ],
  ...[
    Number.NaN,
    Infinity,
    -Infinity,
    Math.fround(0.1),
    Math.fround(-731.77),
    2 ** 50 / 1000,
    2 ** 47,
    1125899906842.623,
  ],
  ...[1125899906842.624, 0.001, -0.001, 0.0005, 4294967295, 4294967296],
];

describe('without loss', () => {
  test('any numbers, ids and orders of claims (seeds 91, 92, 93)', async () => {
    for (const seed of [91, 92, 93]) {
      const rand = random(seed);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(rand() * list.length)];
      const ids = ['p1', 'p2', 'ä€😀', '', 'a "b"', '\u2028', 'x'.repeat(300), '\ud800'];
      const place = new Map(ids.map((id) => [id, [rand() * 100, 0, rand() * 100]]));
      const seqs = new Map(ids.map((id) => [id, 0]));
      const number = (): number =>
        rand() < 0.5 ? pick(NUMBERS) : pick([1, 0.01, 1e-3, 1e-9]) * Math.round(rand() * 1e6);
      const events: MoveLogEvent[] = [];
      let t = 0;
      for (let i = 0; i < 6000; i++) {
        t += rand() < 0.3 ? 0 : rand() < 0.5 ? Math.round(rand() * 50) : rand() * 20;
        const id = pick(ids);
        const pos = place.get(id) as number[];
        if (rand() < 0.9) for (let k = 0; k < 3; k += 2) pos[k] = Math.round((pos[k] + rand() - 0.5) * 100) / 100;
        else pos[Math.floor(rand() * 3)] = number();
        const seq = rand() < 0.9 ? (seqs.get(id) as number) + 1 : number();
        seqs.set(id, Number.isSafeInteger(seq) ? seq : 0);
        const move: MoveLogEvent = {
          t: rand() < 0.98 ? t : pick(NUMBERS.filter(Number.isFinite)),
          op: 'move',
          id,
          seq,
          pos: [...pos],
        };
        if (rand() < 0.1)
          move.expect = pick(['accept', 'Wall', ['Wall', 'SpeedLimit'], { verdict: 'correct' as const }]);
        if (rand() < 0.05) (move as unknown as Record<string, unknown>).extra = { deep: [1, null, 'NaN', { a: [] }] };
        if (rand() < 0.02) move.mapVersion = 'NaN';
        if (rand() < 0.02) move.id = pick([null, 5, {}, [1], true]);
        if (rand() < 0.02) move.pos = pick([null, [], [1, 2], ['1', 2, 3], 'x', [1, 2, 3, 4]]);
        events.push(move);
        if (rand() < 0.05) events.push({ t, op: 'enter', id: 'p1', pos: [1, 2, 3], speed: 6 });
        if (rand() < 0.05)
          events.push({ t, op: 'begin', id, seq: i, from: [0, 0, Number.NaN], to: null, speed: 1e400 });
      }
      const text = Buffer.from(headerLine({ comment: 'ä' }) + events.map(eventLine).join(''));
      const known = await read(text);
      for (const gather of [1, 777, 1 << 18]) {
        const binary = await convert(text, 'binary', { gather });
        expect(binary.subarray(0, 4).toString()).toBe('NGML');
        for (const size of [1 << 20, 61]) {
          if (size === 61 && gather === 1) continue;
          const back = await read(binary, { size });
          expect(back, `seed ${seed}, gather ${gather}`).toEqual(known);
        }
        expect((await convert(binary, 'ndjson')).equals(text), `seed ${seed}, gather ${gather}`).toBe(true);
      }
      // written as events, not as lines: the same
      const parts: Uint8Array[] = [];
      const writer = new MoveLogWriter({ write: (part) => parts.push(part) }, { comment: 'ä' });
      for (const event of events) writer.event(event);
      writer.close();
      const written = await read(Buffer.concat(parts));
      expect(written).toEqual(known);
      for (const [i, event] of written.events.entries()) {
        if (event.op !== 'move' || !Array.isArray(event.pos)) continue;
        const wanted = (known.events[i] as { pos: number[] }).pos;
        if (!event.pos.every((n, k) => Object.is(n, wanted[k]))) throw new Error(`seed ${seed}: ${i}`);
      }
    }
  });

  test('what NDJSON spells in its own way is the same event, unknown fields and all', async () => {
    const lines = [
      '{"t":1.0,"op":"move","id":"p1","seq":1e0,"pos":[1.50,0,-0]}',
      ' { "op":"move","t":2 ,"pos":[1,2,3],"seq":2,"id":"p1"}  ',
      '{"t":3,"op":"move","id":"p1","seq":3,"pos":[1,2,3],"note":1e999,"deep":[[[[[[[[[[[[[[[[[[[["x"]]]]]]]]]]]]]]]]]]]]}',
      '{"t":4,"op":"move","id":"NaN","seq":"NaN","pos":["NaN","-Infinity","nan"]}',
      '{"t":5,"op":"move","id":"p1","id":"p2","seq":4,"pos":[1,2,3]}',
      '{"t":6,"op":"move","id":"\\ud800","seq":4,"pos":[1,2,3],"__proto__":{"a":1}}',
      '{"t":7,"op":"leave","id":"p1","reason":"tired"}',
    ];
    const text = Buffer.from(`\ufeff{"movelog":1, "comment":"c","future":[1]}\r\n\r\n${lines.join('\r\n')}`);
    const known = await read(text);
    expect(known.events).toHaveLength(lines.length);
    const binary = await convert(text, 'binary');
    const back = await read(binary);
    expect({ header: back.header, events: back.events }).toEqual({ header: known.header, events: known.events });
    const again = await convert(binary, 'ndjson');
    expect((await read(again)).events).toEqual(known.events);
    expect(again.toString().split('\n').slice(2, 4)).toEqual([lines[1].trim(), lines[2]]);
  });

  test('the bundled logs, byte for byte, in a fraction of the bytes', async () => {
    const folder = join(import.meta.dirname, '..', '..', 'navdata', 'logs');
    const names = readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const text = readFileSync(join(folder, name));
      const binary = await convert(text, 'binary');
      expect((await convert(binary, 'ndjson')).equals(text), name).toBe(true);
      expect(binary.length, name).toBeLessThan(text.length);
    }
  });
});

/** A small log in two frames. */
async function sample(): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const writer = new MoveLogWriter({ write: (part) => parts.push(part) }, { map: { grid: ['...'] } });
  writer.event({ t: 0, op: 'enter', id: 'p1', pos: [1, 0, 0.5], speed: 6 });
  for (let i = 1; i <= 4; i++) writer.move(50 * i, 'p1', i, 1 + 0.1 * i, 0, 0.5);
  writer.flush();
  writer.event({ t: 300, op: 'move', id: 'p1', seq: 5, pos: [1.6, 0, 1 / 3], expect: 'accept' });
  writer.event({ t: 350, op: 'leave', id: 'p1' });
  writer.close();
  return Buffer.concat(parts);
}

/** The sentence that reading ends with; anything but a sentence throws. */
async function trouble(bytes: Uint8Array, lenient = false): Promise<{ message: string; events: number }> {
  try {
    const { events } = await read(bytes, { lenient });
    return { message: '', events: events.length };
  } catch (error) {
    if (!(error instanceof NavguardError) || error.code !== 'BAD_LOG') throw error;
    if (/undefined|\[object|NaN/.test(error.message)) throw new Error(`no sentence: ${error.message}`);
    return { message: error.message, events: -1 };
  }
}

describe('damaged bytes', () => {
  test('every prefix: a sentence that says where, and lenient what is there', async () => {
    const whole = await sample();
    const all = (await read(whole)).events;
    const frames: number[] = [];
    for (let at = whole.indexOf('NGFR'); at >= 0; at = whole.indexOf('NGFR', at + 1)) frames.push(at);
    expect(frames).toHaveLength(3);
    let last = 0;
    for (let n = 0; n < whole.length; n++) {
      const prefix = whole.subarray(0, n);
      const strict = await trouble(prefix);
      // between two frames a log may end
      if (n === frames[1] || n === frames[2]) expect(strict.message).toBe('');
      else if (n >= 8 && n !== frames[0])
        expect(strict.message, `${n} bytes`).toContain(`log, byte ${n}: the log is cut off here`);
      else expect(strict.message, `${n} bytes`).not.toBe('');
      if (n < frames[1]) continue;
      const { events } = await read(prefix, { lenient: true });
      expect(events).toEqual(all.slice(0, events.length));
      expect(events.length, `${n} bytes`).toBeGreaterThanOrEqual(last);
      last = events.length;
    }
    expect(last).toBeGreaterThanOrEqual(all.length - 1);
  });

  test('every flipped bit: never an event that was not written, never another error', async () => {
    const whole = await sample();
    const all = (await read(whole)).events;
    for (let bit = 0; bit < 8 * whole.length; bit++) {
      const bytes = Buffer.from(whole);
      bytes[bit >> 3] ^= 1 << (bit & 7);
      const strict = await trouble(bytes);
      // three bytes of the head are left for later
      if (bit >> 3 >= 5 && bit >> 3 < 8) expect(strict).toEqual({ message: '', events: all.length });
      else expect(strict.message, `bit ${bit}`).not.toBe('');
      const lenient = await trouble(bytes, true);
      if (lenient.message === '') expect(lenient.events).toBeLessThanOrEqual(all.length);
    }
  });

  test('frames with the right checksum and any content (seed 94): an event or a sentence, soon', async () => {
    const rand = random(94);
    const whole = await sample();
    const first = whole.indexOf('NGFR');
    const second = whole.indexOf('NGFR', first + 1);
    const head = whole.subarray(0, second);
    let events = 0;
    let sentences = 0;
    for (let round = 0; round < 4000; round++) {
      const from = Buffer.from(whole.subarray(second));
      const frame =
        rand() < 0.5
          ? Buffer.concat([from.subarray(0, 16), Buffer.from(Array.from({ length: rand() * 60 }, () => rand() * 256))])
          : Buffer.from(from.subarray(0, 16 + from.readUInt32LE(4)));
      for (let k = 0; k < 3; k++) frame[16 + Math.floor(rand() * (frame.length - 16))] = Math.floor(rand() * 256);
      frame.writeUInt32LE(frame.length - 16, 4);
      if (rand() < 0.3) frame.writeUInt32LE(Math.floor(rand() * 2 ** (32 * rand())), 8);
      frame.writeUInt32LE(frameCrc(frame), 12);
      for (const lenient of [false, true]) {
        const got = await trouble(Buffer.concat([head, frame]), lenient);
        if (got.message === '') events++;
        else sentences++;
      }
    }
    expect(events).toBeGreaterThan(1000);
    expect(sentences).toBeGreaterThan(1000);
  });

  test('says what is wrong', async () => {
    const whole = await sample();
    const at = (offset: number, byte: number): Buffer => {
      const bytes = Buffer.from(whole);
      bytes[offset] = byte;
      return bytes;
    };
    const second = whole.indexOf('NGFR', whole.indexOf('NGFR') + 1);
    const cases: [Uint8Array, RegExp][] = [
      [at(4, 9), /^log, byte 4: binary move log version 9 is not supported, expected 1\.$/],
      [at(second, 0), new RegExp(`^log, byte ${second}: expected a frame \\("NGFR"\\)\\.$`)],
      [at(second + 20, 1), new RegExp(`^log, byte ${second}: the frame does not have the checksum that it names\\.$`)],
      [at(second + 7, 255), /^log, byte \d+: expected a frame of at most \d+ bytes, got one of \d+\.$/],
      [whole.subarray(0, 8), /^log holds no header, expected one as the first record\.$/],
      [Buffer.from('NGM'), /line 1: expected the header/],
      [Buffer.alloc(0), /^log is empty/],
    ];
    for (const [bytes, sentence] of cases) expect((await trouble(bytes)).message).toMatch(sentence);
  });

  test('lenient skips a damaged frame and reads the next', async () => {
    const whole = await sample();
    const second = whole.indexOf('NGFR', whole.indexOf('NGFR') + 1);
    const bytes = Buffer.from(whole);
    bytes[second + 20] ^= 255;
    const { events, skipped } = await read(bytes, { lenient: true });
    expect(events.map((event) => event.t)).toEqual([300, 350]);
    expect(skipped).toBe(1);
  });
});

describe('MoveLogWriter', () => {
  test('moves by numbers are the same as events, in both forms', async () => {
    for (const form of ['binary', 'ndjson'] as const) {
      const parts: Uint8Array[][] = [[], []];
      const [a, b] = parts.map((list) => new MoveLogWriter({ write: (part) => list.push(part) }, {}, { form }));
      for (let i = 0; i < 3000; i++) {
        const id = `p${i % 70}`;
        a.move(i / 3, id, i, i * 0.01, -0, i / 7);
        b.event({ t: i / 3, op: 'move', id, seq: i, pos: [i * 0.01, -0, i / 7] });
      }
      a.move(1, 5 as unknown as string, 1, Number.NaN, 0, 'x' as unknown as number);
      b.event({ t: 1, op: 'move', id: 5, seq: 1, pos: [Number.NaN, 0, 'x'] });
      a.close();
      b.close();
      expect(Buffer.concat(parts[0]).equals(Buffer.concat(parts[1]))).toBe(true);
      expect(a.bytes).toBe(Buffer.concat(parts[0]).length);
      expect(a.events).toBe(3001);
      expect(() => a.move(1, 'p', 1, 0, 0, 0)).toThrow(/closed/);
    }
  });

  test('what is flushed can be read though the log was never closed, and the sink is heard', async () => {
    const parts: Uint8Array[] = [];
    let willing = true;
    const writer = new MoveLogWriter(
      {
        write: (part) => {
          parts.push(part);
          return willing;
        },
      },
      {},
    );
    writer.move(1, 'a', 1, 0, 0, 0);
    willing = false;
    expect(writer.flush()).toBe(false);
    writer.move(2, 'a', 2, 0, 0, 0);
    expect((await read(Buffer.concat(parts))).events).toHaveLength(1);
  });

  test('wrong arguments and events are said', () => {
    const sink = { write: () => true };
    expect(() => new MoveLogWriter({} as never, {})).toThrow(/sink/);
    expect(() => new MoveLogWriter(sink, {}, { form: 'xml' as never })).toThrow(/form/);
    expect(() => new MoveLogWriter(sink, {}, { gather: 0 })).toThrow(/gather/);
    const writer = new MoveLogWriter(sink, {});
    expect(() => writer.event({ t: Number.NaN, op: 'leave', id: 'p' })).toThrow(/finite number of ms/);
    expect(() => writer.move(Number.NaN, 'p', 1, 0, 0, 0)).toThrow(/finite number of ms/);
    expect(() => writer.event({ t: 1, op: 'jump' } as never)).toThrow(/no event "jump"/);
  });

  test('the parser knows nothing of files', () => {
    const parser = new BinaryLogParser({ file: 'x' });
    expect(parser.next()).toBeNull();
    parser.finish();
    expect(() => parser.next()).toThrow(/x, byte 0: the log is cut off here|holds no header/);
  });
});
