// A thread of the pool's peers: one shard of the same job under piscina, and a spin that touches no memory. Started by pool.ts.
import { isMainThread, workerData } from 'node:worker_threads';
import { SPEED } from '../src/bench/walkers.ts';
import { MoveGuard, NavMap } from '../src/index.ts';
import { PoolClaims } from '../src/pool/claims.ts';

/** What a shard begins with. */
export interface Shard {
  readonly pack: ArrayBuffer;
  readonly entities: readonly { readonly id: string; readonly start: readonly [number, number, number] }[];
}

let guard: MoveGuard | undefined;

/** Piscina's task: a batch of this shard's claims in shared memory, judged in place; null begins anew. */
export default function judge(task: { memory: SharedArrayBuffer; n: number } | null): void {
  if (task === null) {
    const { pack, entities } = (Array.isArray(workerData) ? workerData[1] : workerData) as Shard;
    guard = new MoveGuard(NavMap.fromPack(pack), {}, { now: () => 0 });
    for (const { id, start } of entities) guard.enter(id, { pos: start, speed: SPEED });
    return;
  }
  guard?.checkBatch(new PoolClaims(task.memory, 0), task.n);
}

/** The control: `rounds` of arithmetic in registers, each time that the word changes. */
function spin(words: Int32Array, rounds: number): void {
  for (let turn = 0; ; turn++) {
    Atomics.wait(words, 0, turn);
    let x = turn;
    for (let i = 0; i < rounds; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0;
    Atomics.store(words, 2, x);
    Atomics.add(words, 1, 1);
    Atomics.notify(words, 1);
  }
}

const start = workerData as { spin?: Int32Array; rounds?: number; bare?: true } | null;
if (!isMainThread && start?.spin !== undefined) spin(start.spin, start.rounds as number);
