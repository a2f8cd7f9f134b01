// Claims in memory that all threads of a pool see: filled and read by the main thread, judged in place. Made by
// GuardPool.claims. Imported by pool/.
import { CLAIM_BYTES, Claims } from '../rules/claims.ts';

/** Memory for `capacity` claims. */
export function claimMemory(capacity: number): SharedArrayBuffer {
  return new SharedArrayBuffer(CLAIM_BYTES * capacity);
}

/**
 * Room for up to `capacity` move claims in order of arrival, as `Claims` of a plain guard, in shared memory. Fill `entity`
 * (`pool.slot(id)`), `seq`, `pos` and `t`, call `pool.check`, leave it alone until that has answered, read the others.
 */
export class PoolClaims extends Claims {
  /** Which map the last answer is of: how many there were before it. */
  map = -1;
  /** @internal Its number in the pool. */
  readonly number: number;
  /** @internal Being judged. */
  busy = false;

  /** @internal Use `GuardPool.claims`. */
  constructor(memory: SharedArrayBuffer, number: number) {
    super(memory.byteLength / CLAIM_BYTES, memory);
    this.number = number;
  }
}
