// Bytes of every kind for the decoders: random ones, frames with a few bytes changed, cut off or with bytes behind them, and
// every prefix of a frame. Each input goes to the dispatcher and to all twelve decoders. What is read is written again: it
// must be the same bytes, for every frame has one spelling (but for NaN, of which there are many).
import { seeded } from '../../src/simulate/random.ts';
import { frameKind, frameLength, Malformed } from '../../src/wire/index.ts';
import { FRAMES, type FrameKind } from './frames.ts';
import { flat, oracle } from './oracle.ts';
import { randomFrame } from './randomframe.ts';

export interface FuzzCount {
  inputs: number;
  /** Calls of decoders. */
  decodes: number;
  frames: number;
  /** Refused as short, command, value, version, by the input's own decoder. */
  refused: Record<string, number>;
  throws: number;
  /** Held against the independent decoder. */
  compared: number;
  /** The first few things that should not be. */
  faults: string[];
}

const WORDS = Object.fromEntries(Object.entries(Malformed).map(([word, code]) => [code, word]));
const COMMANDS = FRAMES.map(({ command }) => command);
const LARGEST = 4400;

/** Runs until `inputs` inputs have been tried; every `compareEvery`th is held against the oracle. */
export function fuzz(seed: number, inputs: number, compareEvery: number): FuzzCount {
  const random = seeded(seed);
  const count: FuzzCount = { inputs: 0, decodes: 0, frames: 0, refused: {}, throws: 0, compared: 0, faults: [] };
  const bytes = new Uint8Array(LARGEST);
  const spare = new Uint8Array(LARGEST);
  const again = new DataView(spare.buffer);
  const outs = FRAMES.map((kind) => kind.blank());

  const wrong = (what: string, length: number): void => {
    if (count.faults.length < 5)
      count.faults.push(
        `seed ${seed}, input ${count.inputs}: ${what}: ${Buffer.from(bytes.subarray(0, length)).toString('hex')}`,
      );
  };
  const attempt = (view: DataView, offset: number, kind: FrameKind, out: object): number => {
    count.decodes++;
    try {
      return kind.decode(view, offset, out as never);
    } catch (error) {
      count.throws++;
      wrong(`${kind.name} throws ${error}`, view.byteLength);
      return Malformed.value;
    }
  };
  const refuse = (code: number): void => {
    const word = WORDS[code] ?? `code ${code}`;
    count.refused[word] = (count.refused[word] ?? 0) + 1;
  };

  /** Tries bytes [0, length), and sees that nothing behind them matters. */
  const one = (length: number): void => {
    const view = new DataView(bytes.buffer, 0, length);
    const compare = count.inputs % compareEvery === 0;
    const kind = frameKind(view, 0);
    const whole = frameLength(view, 0);
    if (kind < 0) {
      refuse(kind);
      if (whole !== kind) wrong(`frameKind ${kind}, frameLength ${whole}`, length);
    }
    for (let k = 0; k < FRAMES.length; k++) {
      const frame = FRAMES[k];
      const out = compare ? frame.blank() : outs[k];
      const got = attempt(view, 0, frame, out);
      if (compare) hold(frame, out, got, length);
      if (frame.command !== kind) continue;
      if (got < 0) {
        refuse(got);
        if (whole !== got && (got === Malformed.short || got === Malformed.command))
          wrong(`${got}, not ${whole}`, length);
        continue;
      }
      count.frames++;
      if (got !== whole || got > length) wrong(`${frame.name}: length ${got}, frameLength ${whole}`, length);
      if (frame.encode(again, 0, out as never) !== got) wrong(`${frame.name}: written with another length`, length);
      for (let i = 0; i < got; i++) {
        if (spare[i] === bytes[i]) continue;
        if (!Object.values(flat(out)).some(Number.isNaN))
          wrong(`${frame.name}: byte ${i} is written otherwise`, length);
        break;
      }
    }
    count.inputs++;
  };

  const hold = (frame: FrameKind, out: object, got: number, length: number): void => {
    count.compared++;
    const commands = frame.command <= 0x0102 ? [0x0101, 0x0102] : [frame.command];
    const expected = oracle(bytes.subarray(0, length), commands);
    if (typeof expected === 'string') {
      if (WORDS[got] !== expected) wrong(`${frame.name}: ${got}, the oracle says ${expected}`, length);
      const before = flat(frame.blank());
      for (const [name, value] of Object.entries(flat(out)))
        if (!Object.is(before[name], value)) wrong(`${frame.name}: refused, but ${name} is ${value}`, length);
      return;
    }
    const fields = flat(out);
    if (got !== expected.bytes) wrong(`${frame.name}: ${got} bytes, the oracle says ${expected.bytes}`, length);
    const names = new Set([...Object.keys(fields), ...Object.keys(expected.fields)]);
    for (const name of names)
      if (!Object.is(fields[name] + 0, expected.fields[name] + 0))
        wrong(`${frame.name}.${name}: ${fields[name]}, the oracle says ${expected.fields[name]}`, length);
  };

  const fill = (from: number, to: number): void => {
    for (let k = from; k < to; k++) bytes[k] = random.below(256);
  };
  const valid = (): number => {
    const frame = FRAMES[random.below(FRAMES.length)];
    return frame.encode(new DataView(bytes.buffer), 0, randomFrame(frame.name, random) as never);
  };

  while (count.inputs < inputs) {
    const way = random.next();
    if (way < 0.25) {
      // random bytes, most behind a command
      const length = random.below(140);
      fill(0, length);
      if (random.chance(0.8)) new DataView(bytes.buffer).setUint16(0, COMMANDS[random.below(COMMANDS.length)]);
      one(length);
    } else if (way < 0.28) {
      // all prefixes, and bytes behind
      const length = valid();
      for (let k = 0; k <= Math.min(length, 300) && count.inputs < inputs; k++) one(k);
      for (let k = Math.max(300, length - 4); k <= length; k++) one(k);
      fill(length, length + 16);
      one(length + 1 + random.below(16));
    } else {
      // one frame, changed again and again: what is changed stays changed
      const length = valid();
      for (let k = 0; k < 8; k++) {
        for (let n = random.below(3); n >= 0; n--) {
          // the bytes that decide come first
          const at = random.chance(0.5) ? random.below(Math.min(length, 12)) : random.below(length);
          bytes[at] = random.chance(0.3) ? [0, 1, 0x7f, 0x80, 0xf0, 0xff][random.below(6)] : random.below(256);
        }
        if (random.chance(0.7)) one(length);
        else one(random.below(length + 8));
      }
    }
  }
  return count;
}
