// A hash table of numbered things, by a hash of up to three numbers: chains of numbers, no objects. The mixing starts from a
// number of this process, so that no file can be made in which everything falls on one chain. Imported by bytes/ only.

const SEED = Math.floor(Math.random() * 2 ** 32) | 0;
const float = new Float64Array(1);
const words = new Int32Array(float.buffer);

/** A hash of three numbers, each equal to itself bit by bit (so -0 is not 0). */
export function hash3(a: number, b: number, c: number): number {
  let h = SEED;
  float[0] = a;
  h = mix(mix(h, words[0]), words[1]);
  float[0] = b;
  h = mix(mix(h, words[0]), words[1]);
  float[0] = c;
  h = mix(mix(h, words[0]), words[1]);
  return h;
}

/** One round of MurmurHash3's 32-bit mixing (Austin Appleby, public domain). */
function mix(h: number, word: number): number {
  let k = Math.imul(word, 0xcc9e2d51);
  k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
  const r = h ^ k;
  const m = Math.imul((r << 13) | (r >>> 19), 5) + 0xe6546b64;
  return Math.imul(m ^ (m >>> 15), 0x85ebca6b);
}

/** Chains of the numbers 0..size-1; -1 ends a chain. The newest stands first. */
export class Chains {
  readonly #heads: Int32Array;
  readonly #next: Int32Array;
  readonly #mask: number;

  constructor(size: number) {
    let slots = 16;
    while (slots < 2 * size) slots *= 2;
    this.#mask = slots - 1;
    this.#heads = new Int32Array(slots).fill(-1);
    this.#next = new Int32Array(size);
  }

  first(hash: number): number {
    return this.#heads[(hash ^ (hash >>> 16)) & this.#mask];
  }

  after(i: number): number {
    return this.#next[i];
  }

  add(i: number, hash: number): void {
    const slot = (hash ^ (hash >>> 16)) & this.#mask;
    this.#next[i] = this.#heads[slot];
    this.#heads[slot] = i;
  }
}
