// Seeded damage to a file of any format: fields set to numbers that break readers, words and ranges swapped, copied, cut,
// bits flipped; in text, numbers and lines. One number makes one mutant, so a failing one can be made again.
import { between, random } from '../oracle/random.ts';

// Zero, one, extremes of integers, infinities, NaN, huge and tiny floats, plausible and implausible counts.
const NASTY = [
  0, 1, 2, 3, 7, 64, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe,
  0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0x00000001, 0x00800000, 0x0da24260, 0x41200000, 0xc1200000,
  0x3b9aca00, 0x1000000, 0x3f800000, 0xbf800000,
];
const WORDS = [
  '0',
  '-1',
  '1e999',
  '-1e999',
  'NaN',
  '2147483648',
  '4294967296',
  '0.1e-400',
  '1e15',
  'null',
  '""',
  '[]',
  '{}',
  '',
];

type Next = () => number;

/** Mutant `id` of a file: 1 to 3 changes. `others` are files to take ends from. */
export function mutate(file: Uint8Array, others: readonly Uint8Array[], id: number): Uint8Array {
  const next = random(id);
  const text = isText(file);
  let bytes: Uint8Array = file.slice();
  for (let changes = between(next, 1, 3); changes > 0 && bytes.length > 8; changes--) {
    const kind = between(next, 0, text ? 13 : 9);
    bytes = kind > 9 ? damageText(bytes, next) : damage(bytes, others, kind, next);
  }
  return bytes;
}

function damage(bytes: Uint8Array, others: readonly Uint8Array[], kind: number, next: Next): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The beginning holds the counts: half of all damage is done there.
  const end = next() < 0.5 ? Math.min(bytes.length, 256) : bytes.length;
  const word = () => 4 * between(next, 0, Math.floor((end - 4) / 4));
  const nasty = () => NASTY[between(next, 0, NASTY.length - 1)];
  switch (kind) {
    case 0:
    case 1:
      view.setUint32(word(), nasty(), next() < 0.75);
      return bytes;
    case 2: {
      // A number near the one that was there, or one that stands elsewhere.
      const at = word();
      const value = next() < 0.5 ? view.getUint32(at, true) + between(next, -2, 2) : view.getUint32(word(), true);
      view.setUint32(at, value, true);
      return bytes;
    }
    case 3:
      view.setUint16(2 * between(next, 0, Math.floor((end - 2) / 2)), nasty() & 0xffff, true);
      return bytes;
    case 4: {
      const [a, b] = [word(), word()];
      const kept = view.getUint32(a);
      view.setUint32(a, view.getUint32(b));
      view.setUint32(b, kept);
      return bytes;
    }
    case 5:
      for (let n = between(next, 1, 8); n > 0; n--) bytes[between(next, 0, end - 1)] ^= 1 << between(next, 0, 7);
      return bytes;
    case 6:
      for (let n = between(next, 1, 4); n > 0; n--) bytes[between(next, 0, end - 1)] = between(next, 0, 255);
      return bytes;
    case 7:
      return bytes.slice(0, between(next, 0, bytes.length - 1));
    case 8: {
      // A range written again, left out, or in another place.
      const from = between(next, 0, bytes.length - 1);
      const to = between(next, from, Math.min(bytes.length, from + 400));
      const at = between(next, 0, bytes.length);
      const range = bytes.slice(from, to);
      if (next() < 0.3) return joined(bytes.slice(0, from), bytes.slice(to));
      if (next() < 0.5) return joined(bytes.slice(0, at), range, bytes.slice(at));
      bytes.set(range.subarray(0, bytes.length - at), at);
      return bytes;
    }
    default: {
      const other = others[between(next, 0, others.length - 1)] ?? bytes;
      const at = between(next, 0, Math.min(bytes.length, other.length));
      return joined(bytes.slice(0, at), other.slice(at));
    }
  }
}

function damageText(bytes: Uint8Array, next: Next): Uint8Array {
  const text = Buffer.from(bytes).toString('latin1');
  const pieces = text.split(/([-+]?\d[\d.]*(?:e[-+]?\d+)?)/i);
  const piece = 2 * between(next, 0, Math.floor((pieces.length - 2) / 2)) + 1;
  const lines = text.split('\n');
  const line = between(next, 0, lines.length - 1);
  switch (between(next, 0, 3)) {
    case 0:
      lines.splice(line, 1);
      return latin1(lines.join('\n'));
    case 1:
      lines.splice(between(next, 0, lines.length), 0, lines[line]);
      return latin1(lines.join('\n'));
    case 2:
      if (piece < pieces.length) pieces[piece] = String(Number(pieces[piece]) + between(next, -3, 3));
      return latin1(pieces.join(''));
    default:
      if (piece < pieces.length) pieces[piece] = WORDS[between(next, 0, WORDS.length - 1)];
      return latin1(pieces.join(''));
  }
}

function isText(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 512).every((b) => b >= 32 || b === 9 || b === 10 || b === 13);
}

function latin1(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

function joined(...parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
