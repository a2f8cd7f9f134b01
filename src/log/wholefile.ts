// Reads a whole file that may be anything, also a device without end: never more bytes than a limit and one. Imported by
// log/maps.ts and cli/.
import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 1 << 20;

/** The bytes of a file, or null when there are more than `most` says, given the first ones. Errors of the file system come through. */
export async function readAtMost(path: string, most: (head: Uint8Array) => number): Promise<Uint8Array | null> {
  const file = await open(path);
  try {
    const found = await file.stat();
    const head = await readOn(file, CHUNK_BYTES);
    const limit = most(head);
    // what the size says is known before anything is read; a device or pipe says 0
    if (head.length > limit || (found.isFile() && found.size > limit)) return null;
    const chunks = [head];
    let bytes = head.length;
    while (chunks[chunks.length - 1].length > 0) {
      const chunk = await readOn(file, Math.min(CHUNK_BYTES, limit + 1 - bytes));
      bytes += chunk.length;
      if (bytes > limit) return null;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, bytes);
  } finally {
    await file.close();
  }
}

/** From where the file stands: a full chunk, or less at the end. Pipes give what they have, so it asks again. */
async function readOn(file: FileHandle, bytes: number): Promise<Uint8Array> {
  const chunk = Buffer.allocUnsafe(bytes);
  let filled = 0;
  while (filled < bytes) {
    const { bytesRead } = await file.read(chunk, filled, bytes - filled, null);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return chunk.subarray(0, filled);
}
