// FastLZ, the compression of Recast's tile caches: decompression only, every read and write inside its array.
// Imported by bytes/ only. Source: the block format of FastLZ (Ariya Hidayat), levels 1 and 2.

/** Level 1 copies from at most this far behind; level 2 adds 16 bits to it. */
const NEAR = 8191;

/**
 * Decompresses `bytes[from, to)` into `into` from its beginning. Returns how many bytes that gave, or -1 when the stream
 * is not sound or gives more than `into` holds. Each step reads at least a byte of input or ends, so it is linear in both.
 */
export function decompressFastLz(bytes: Uint8Array, from: number, to: number, into: Uint8Array): number {
  if (from >= to) return -1;
  const level = (bytes[from] >> 5) + 1;
  if (level > 2) return -1;
  let at = from + 1;
  let out = 0;
  // the first instruction is a literal run: its high bits say the level
  let control = bytes[from] & 31;
  for (;;) {
    if (control < 32) {
      const run = control + 1;
      if (at + run > to || out + run > into.length) return -1;
      into.set(bytes.subarray(at, at + run), out);
      at += run;
      out += run;
    } else {
      let length = (control >> 5) - 1;
      let distance = (control & 31) << 8;
      if (length === 6) {
        for (;;) {
          if (at >= to) return -1;
          const more = bytes[at++];
          length += more;
          // level 1 has one byte of it
          if (level === 1 || more !== 255) break;
        }
      }
      if (at >= to) return -1;
      const low = bytes[at++];
      if (level === 2 && low === 255 && distance === 31 << 8) {
        if (at + 2 > to) return -1;
        distance = NEAR + (bytes[at] << 8) + bytes[at + 1];
        at += 2;
      } else {
        distance += low;
      }
      length += 3;
      let source = out - distance - 1;
      if (source < 0 || out + length > into.length) return -1;
      // byte by byte: source and target may overlap, which repeats what lies between them
      for (; length > 0; length--) into[out++] = into[source++];
    }
    if (at >= to) return out;
    control = bytes[at++];
  }
}
