// Claims in memory that all threads of a pool see: filled and read by the main thread, judged in place. Made by
// GuardPool.claims. Imported by pool/.
import type { Claims } from '../rules/claims.ts';

/** Bytes of one claim. */
const CLAIM_BYTES = 13 * 8 + 2 * 4 + 4;

/** Memory for `capacity` claims. */
export function claimMemory(capacity: number): SharedArrayBuffer {
  return new SharedArrayBuffer(CLAIM_BYTES * capacity);
}

/**
 * Room for up to `capacity` move claims in order of arrival, the arrays of `Claims` of a plain guard, in shared memory. Fill
 * `entity` (`pool.slot(id)`), `seq`, `pos` and `t`, call `pool.check`, leave it alone until that has answered, read the others.
 */
export class PoolClaims implements Claims {
  readonly capacity: number;
  readonly entity: Int32Array;
  readonly seq: Float64Array;
  readonly pos: Float64Array;
  readonly t: Float64Array;
  readonly verdict: Uint8Array;
  readonly reason: Uint8Array;
  readonly used: Float64Array;
  readonly allowed: Float64Array;
  readonly straight: Float64Array;
  readonly length: Float64Array;
  readonly bound: Int8Array;
  readonly at: Float64Array;
  readonly score: Float64Array;
  readonly action: Uint8Array;
  readonly correction: Uint32Array;
  /** Which map the last answer is of: how many there were before it. */
  map = -1;
  /** @internal Its number in the pool. */
  readonly number: number;
  /** @internal Being judged. */
  busy = false;

  /** @internal Use `GuardPool.claims`. */
  constructor(memory: SharedArrayBuffer, number: number) {
    const capacity = memory.byteLength / CLAIM_BYTES;
    this.capacity = capacity;
    this.number = number;
    let at = 0;
    const doubles = (each: number): Float64Array => {
      const array = new Float64Array(memory, at, each * capacity);
      at += array.byteLength;
      return array;
    };
    this.seq = doubles(1);
    this.pos = doubles(3);
    this.t = doubles(1);
    this.used = doubles(1);
    this.allowed = doubles(1);
    this.straight = doubles(1);
    this.length = doubles(1);
    this.at = doubles(3);
    this.score = doubles(1);
    this.entity = new Int32Array(memory, at, capacity);
    this.correction = new Uint32Array(memory, at + 4 * capacity, capacity);
    at += 8 * capacity;
    this.verdict = new Uint8Array(memory, at, capacity);
    this.reason = new Uint8Array(memory, at + capacity, capacity);
    this.bound = new Int8Array(memory, at + 2 * capacity, capacity);
    this.action = new Uint8Array(memory, at + 3 * capacity, capacity);
  }
}
