// The content hash of a packed map: sha-256 over all its bytes with the hash's own 32 bytes zero. A leaf of pack/.
import { createHash } from 'node:crypto';
import { H_HASH } from '../../assembly/layout.ts';

const HASH_BYTES = 32;

/** 32 bytes. */
export function hashPack(buffer: ArrayBuffer): Uint8Array {
  const bytes = new Uint8Array(buffer);
  return createHash('sha256')
    .update(bytes.subarray(0, H_HASH))
    .update(new Uint8Array(HASH_BYTES))
    .update(bytes.subarray(H_HASH + HASH_BYTES))
    .digest();
}

/** The hash that the pack carries, as hex. */
export function storedHash(buffer: ArrayBuffer): string {
  return Buffer.from(buffer, H_HASH, HASH_BYTES).toString('hex');
}
