// Broken copies of a file: every prefix, every byte changed in several ways, and seeded changes of whole numbers.
import { between, random } from '../oracle/random.ts';

export interface Mutant {
  /** "byte 12 ^ 0xff": enough to make it again. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Every proper prefix of the file, the empty one included. */
export function* prefixes(file: Uint8Array): Generator<Mutant> {
  for (let length = 0; length < file.length; length++)
    yield { name: `first ${length} bytes`, bytes: file.slice(0, length) };
}

/** Every byte XORed with a mask. */
export function* flips(file: Uint8Array, mask: number): Generator<Mutant> {
  for (let at = 0; at < file.length; at++) {
    const bytes = file.slice();
    bytes[at] ^= mask;
    yield { name: `byte ${at} ^ 0x${mask.toString(16)}`, bytes };
  }
}

/** Every byte replaced by another, seeded. */
export function* replaced(file: Uint8Array, seed: number): Generator<Mutant> {
  const next = random(seed);
  for (let at = 0; at < file.length; at++) {
    const bytes = file.slice();
    bytes[at] ^= between(next, 1, 255);
    yield { name: `byte ${at} = ${bytes[at]} (seed ${seed})`, bytes };
  }
}

// Numbers that have broken readers: zeros, ones, extremes, infinities, huge and tiny floats.
const NASTY = [
  0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0x00000001,
  0x00800000, 0x0da24260, 0x41200000, 0xc1200000, 0x3b9aca00, 0x00010000, 0x0000ffff,
];

/** Every aligned 32-bit word replaced by each of the nasty numbers. */
export function* nastyWords(file: Uint8Array): Generator<Mutant> {
  for (let at = 0; at + 4 <= file.length; at += 4) {
    for (const word of NASTY) {
      const bytes = file.slice();
      new DataView(bytes.buffer).setUint32(at, word, true);
      yield { name: `word at ${at} = 0x${word.toString(16)}`, bytes };
    }
  }
}

/** `count` files with 2..8 bytes changed, seeded. */
export function* scattered(file: Uint8Array, count: number, seed: number): Generator<Mutant> {
  const next = random(seed);
  for (let i = 0; i < count; i++) {
    const bytes = file.slice();
    const changes = between(next, 2, 8);
    for (let k = 0; k < changes; k++) bytes[between(next, 0, file.length - 1)] = between(next, 0, 255);
    yield { name: `scatter ${i} (seed ${seed})`, bytes };
  }
}
