// The claims that the pool's bench has judged. Imported by pool.ts and poolmemory.ts.
import { Endless, type Recording } from '../src/bench/walkers.ts';

export const BATCH = 4096;
export const ENTITIES = 1024;
/** Batches that a pool has judged before it is measured: its code is optimised, its journal was full several times. */
export const WARM = 48;

interface Fill {
  readonly entity: Int32Array;
  readonly seq: Float64Array;
  readonly pos: Float64Array;
  readonly t: Float64Array;
}

/** Writes the claims of batch `b`: all, or those of one shard; returns how many. */
export function fill(to: Fill, moves: Recording, b: number, handles: readonly number[], shard = 0, shards = 1): number {
  const endless = new Endless(moves);
  let n = 0;
  for (let i = b * BATCH; i < (b + 1) * BATCH; i++) {
    const k = endless.at(i);
    const entity = moves.entity[k];
    if (entity % shards !== shard) continue;
    to.entity[n] = handles[entity];
    to.seq[n] = 1 + Math.floor(i / ENTITIES);
    to.t[n] = endless.time(i);
    for (let c = 0; c < 3; c++) to.pos[3 * n + c] = moves.pos[3 * k + c];
    n++;
  }
  return n;
}
