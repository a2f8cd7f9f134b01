// What a process with a pool, or with as many empty threads, takes of memory: it loads nothing else, for what that leaves behind
// would blur the few MB of a thread. Started by pool.ts with the job's file, the number of threads and bare or pool.
import { readFileSync } from 'node:fs';
import { deserialize } from 'node:v8';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { type Recording, SPEED } from '../src/bench/walkers.ts';
import { GuardPool } from '../src/pool/index.ts';
import { LIMITS } from '../src/pool/lane.ts';
import { BATCH, fill, WARM } from './poolclaims.ts';

/** As a pool's threads are started: one file of CommonJS, the same limits. It then waits for ever. */
const BARE = `const { parentPort } = require('node:worker_threads');
parentPort.once('message', () => undefined);
parentPort.postMessage('up');`;

/** Resident memory of this process, MB, after a collection. */
function resident(): number {
  (globalThis as { gc?: () => void }).gc?.();
  const text = readFileSync('/proc/self/smaps_rollup', 'utf8');
  return Number(/^Rss:\s+(\d+)/m.exec(text)?.[1]) / 1024;
}

async function memoryOf(workers: number, bare: boolean, file: string): Promise<number> {
  const { pack, moves } = deserialize(readFileSync(file)) as { pack: ArrayBuffer; moves: Recording };
  if (bare) {
    for (let i = 0; i < workers; i++) {
      const worker = new Worker(BARE, { eval: true, env: SHARE_ENV, trackUnmanagedFds: false, resourceLimits: LIMITS });
      await new Promise((resolve) => worker.once('message', resolve));
    }
  } else {
    const pool = await GuardPool.create(pack, {}, { workers, now: () => 0 });
    for (const { id, start } of moves.entities) pool.enter(id, { pos: start, speed: SPEED });
    const handles = moves.entities.map(({ id }) => pool.slot(id));
    const claims = pool.claims(BATCH);
    for (let b = 0; b < WARM; b++) {
      fill(claims, moves, b, handles);
      await pool.check(claims, BATCH);
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  return resident();
}

const [file, workers, kind] = process.argv.slice(2);
console.log(await memoryOf(Number(workers), kind === 'bare', file));
process.exit();
