// navguard/pool measured: how it scales beside threads that only spin, what a further worker takes, how late the main thread
// is while all are busy, and the same job under piscina. Usage: npm run bench:pool
// [-- --rounds n --only speed|delay|memory --csv]. With --csv the rows go to bench/results, beside the other cases.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { machine, type Row, writeCsv } from '../src/bench/report.ts';
import { type Recording, record, SPEED } from '../src/bench/walkers.ts';
import { MoveGuard, type NavMap, VerdictKind } from '../src/index.ts';
import { claimMemory, PoolClaims } from '../src/pool/claims.ts';
import { GuardPool } from '../src/pool/index.ts';
import { level } from './levels.ts';
import { BATCH, ENTITIES, fill, WARM } from './poolclaims.ts';
import type { Shard } from './poolpeer.ts';

const BATCHES = 128;
const PEER = new URL('poolpeer.js', import.meta.url);

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1];
const each = (ms: number): number => (ms * 1e6) / (BATCH * BATCHES);

/** Who does the same job: writes the batches of a round, then does them. */
interface Doer {
  fill(round: number): void;
  /** ms until all are answered. */
  run(): Promise<number>;
  end(): Promise<void>;
}

async function timed(job: () => unknown): Promise<number> {
  const from = performance.now();
  await job();
  return performance.now() - from;
}

/** One guard, no threads. */
function plain(map: NavMap, moves: Recording): Doer & { verdicts(): Uint8Array[] } {
  const guard = new MoveGuard(map, {}, { now: () => 0 });
  for (const { id, start } of moves.entities) guard.enter(id, { pos: start, speed: SPEED });
  const handles = moves.entities.map(({ id }) => guard.slot(id));
  const claims = Array.from({ length: BATCHES }, () => guard.claims(BATCH));
  return {
    fill(round) {
      claims.forEach((own, b) => {
        fill(own, moves, round * BATCHES + b, handles);
      });
    },
    run: () =>
      timed(() => {
        for (const own of claims) guard.checkBatch(own, BATCH);
      }),
    end: async () => undefined,
    verdicts: () => claims.map(({ verdict }) => verdict),
  };
}

/** A pool; `expected` are the verdicts of the round. */
async function pooled(map: NavMap, moves: Recording, workers: number, expected: () => Uint8Array[]): Promise<Doer> {
  const pool = await GuardPool.create(map, {}, { workers, queue: BATCH * BATCHES, now: () => 0 });
  for (const { id, start } of moves.entities) pool.enter(id, { pos: start, speed: SPEED });
  const handles = moves.entities.map(({ id }) => pool.slot(id));
  const claims = Array.from({ length: BATCHES }, () => pool.claims(BATCH));
  return {
    fill(round) {
      claims.forEach((own, b) => {
        fill(own, moves, round * BATCHES + b, handles);
      });
    },
    async run() {
      const ms = await timed(() => Promise.all(claims.map((own) => pool.check(own, BATCH))));
      const verdicts = expected();
      claims.forEach(({ verdict }, b) => {
        for (let i = 0; i < BATCH; i++)
          if (verdict[i] !== verdicts[b][i]) throw new Error(`batch ${b}, claim ${i} differs`);
      });
      return ms;
    },
    end: () => pool.close(),
  };
}

/** Threads that spin: ms until all have done their rounds. */
class Spin {
  readonly #words: Int32Array;
  readonly #workers: Worker[];
  #turn = 0;

  constructor(threads: number, rounds: number) {
    const words = new Int32Array(new SharedArrayBuffer(64));
    this.#words = words;
    this.#workers = Array.from({ length: threads }, () => new Worker(PEER, { workerData: { spin: words, rounds } }));
  }

  run(): number {
    const words = this.#words;
    const from = performance.now();
    this.#turn++;
    Atomics.store(words, 0, this.#turn);
    Atomics.notify(words, 0);
    const goal = this.#turn * this.#workers.length;
    for (let done = Atomics.load(words, 1); done < goal; done = Atomics.load(words, 1)) Atomics.wait(words, 1, done);
    return performance.now() - from;
  }

  async end(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/** The same batches, split before, under piscina: one thread for each shard, for an entity's claims stay in order only so. */
async function underPiscina(map: NavMap, moves: Recording, threads: number): Promise<Doer> {
  const shards = Array.from({ length: threads }, (_, shard) => {
    const entities = moves.entities.filter((_, i) => i % threads === shard);
    const start: Shard = {
      pack: map.toPack(),
      entities: entities.map(({ id, start: at }) => ({ id, start: [...at] })),
    };
    const piscina = new Piscina({ filename: PEER.href, minThreads: 1, maxThreads: 1, workerData: start });
    const guard = new MoveGuard(map, {}, { now: () => 0 });
    for (const { id, start: at } of entities) guard.enter(id, { pos: at, speed: SPEED });
    const handles = moves.entities.map(({ id }) => guard.slot(id));
    const tasks = Array.from({ length: BATCHES }, () => ({ memory: claimMemory(BATCH), n: 0 }));
    return { piscina, handles, tasks, shard };
  });
  await Promise.all(shards.map(({ piscina }) => piscina.run(null)));
  return {
    fill(round) {
      for (const { tasks, handles, shard } of shards) {
        tasks.forEach((task, b) => {
          task.n = fill(new PoolClaims(task.memory, 0), moves, round * BATCHES + b, handles, shard, threads);
        });
      }
    },
    run: () => timed(() => Promise.all(shards.flatMap(({ piscina, tasks }) => tasks.map((task) => piscina.run(task))))),
    async end() {
      await Promise.all(shards.map(({ piscina }) => piscina.destroy()));
    },
  };
}

/** What was measured beside times a claim, by name with its unit. */
type Figures = Record<string, number>;

/** How late timers of the main thread are, ms, while `busy` goes on. */
async function delays(figures: Figures, name: string, busy: () => Promise<void>): Promise<string> {
  const histogram = monitorEventLoopDelay({ resolution: 1 });
  histogram.enable();
  await busy();
  histogram.disable();
  const ms = (n: number): string => (n / 1e6).toFixed(2);
  figures[`ms: main thread p99 ${name}`] = histogram.percentile(99) / 1e6;
  return `p50 ${ms(histogram.percentile(50))}, p99 ${ms(histogram.percentile(99))}, most ${ms(histogram.max)} ms (timers of 1 ms)`;
}

/** Keeps a pool's queue full for a while. */
async function saturated(map: NavMap, moves: Recording, ms: number, figures: Figures): Promise<string> {
  const pool = await GuardPool.create(map, {}, { workers: 2, now: () => 0 });
  for (const { id, start } of moves.entities) pool.enter(id, { pos: start, speed: SPEED });
  const handles = moves.entities.map(({ id }) => pool.slot(id));
  const claims = Array.from({ length: 8 }, () => pool.claims(BATCH));
  claims.forEach((own, b) => {
    fill(own, moves, b, handles);
  });
  const said = await delays(figures, 'pool saturated', async () => {
    const end = performance.now() + ms;
    const one = async (own: PoolClaims): Promise<void> => {
      while (performance.now() < end) await pool.check(own, BATCH);
    };
    await Promise.all(claims.map(one));
  });
  await pool.close();
  return said;
}

/** The same beside two threads that spin. */
async function besideSpin(ms: number, figures: Figures): Promise<string> {
  const words = new Int32Array(new SharedArrayBuffer(64));
  const spins = [0, 1].map(() => new Worker(PEER, { workerData: { spin: words, rounds: 2 ** 31 } }));
  Atomics.store(words, 0, 1);
  Atomics.notify(words, 0);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const said = await delays(
    figures,
    'beside two spinning threads',
    () => new Promise((resolve) => setTimeout(resolve, ms)),
  );
  await Promise.all(spins.map((worker) => worker.terminate()));
  return said;
}

// ---- memory: in processes of their own ----------------------------------------------------------------------------------------

/** Processes of each kind: the median counts. */
const RUNS = 5;

function memory(map: NavMap, moves: Recording, figures: Figures): string[] {
  const child = fileURLToPath(new URL('poolmemory.js', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'navguard-bench-'));
  const file = join(folder, 'job');
  writeFileSync(file, serialize({ pack: map.toPack(), moves }));
  const of = (workers: number, bare: boolean): number => {
    const args = ['--expose-gc', child, file, String(workers), bare ? 'bare' : 'pool'];
    const runs = Array.from({ length: RUNS }, () => {
      const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      if (!(Number(stdout) > 0)) throw new Error(`memory: ${stderr}`);
      return Number(stdout);
    });
    return median(runs);
  };
  const pools = [1, 2, 3].map((workers) => of(workers, false));
  const bares = [1, 2, 3].map((workers) => of(workers, true));
  rmSync(folder, { recursive: true });
  const row = (name: string, pool: string, bare: string, rest: string): string =>
    name.padEnd(16) + [pool, bare, rest].map((text) => text.padStart(16)).join('');
  const mb = (n: number): string => `${n.toFixed(1)} MB`;
  const rows = ['second', 'third'].map((name, k) => {
    const [pool, bare] = [pools[k + 1] - pools[k], bares[k + 1] - bares[k]];
    figures[`MB: ${name} worker`] = pool;
    figures[`MB: ${name} worker less an empty thread`] = pool - bare;
    return row(`${name} worker`, mb(pool), mb(bare), mb(pool - bare));
  });
  return [
    `resident memory, after ${WARM} batches of ${BATCH} claims and a collection, median of ${RUNS} processes each:`,
    row('', 'of a pool', 'empty thread', "the pool's own"),
    ...rows,
  ];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      only: { type: 'string' },
      csv: { type: 'boolean', default: false },
    },
  });
  const on = machine();
  console.log(`${on.cpu}, Node ${on.node}, ${on.date}`);
  const only = values.only ?? 'all';
  const { map } = await level('terrain');
  const moves = record(await level('terrain'), 65_536, ENTITIES, 0x900d);
  console.log(
    `terrain, ${map.info.polygons} polygons, packed ${(map.info.bytes / 1e6).toFixed(1)} MB; ${ENTITIES} entities, ${BATCHES} batches of ${BATCH} claims, written before`,
  );
  const figures: Figures = {};
  let times: Record<string, number> = {};
  if (only === 'all' || only === 'speed') times = await speed(map, moves, Number(values.rounds), figures);
  if (only === 'all' || only === 'delay') {
    console.log(`main thread while the pool is saturated: ${await saturated(map, moves, 3000, figures)}`);
    console.log(`main thread beside two spinning threads: ${await besideSpin(3000, figures)}`);
  }
  if (only === 'all' || only === 'memory') for (const line of memory(map, moves, figures)) console.log(line);
  if (values.csv) {
    if (only !== 'all') throw new Error('--csv: expected a whole run, got --only');
    const { plain: alone, ...peers } = times;
    const row: Row = {
      case: 'pool',
      map: 'terrain',
      subject: 'plain guard',
      nsPerOp: alone,
      peers,
      ratios: Object.fromEntries(Object.entries(peers).map(([name, ns]) => [name, ns / alone])),
      margins: {},
      queries: BATCH * BATCHES,
      compared: BATCH * BATCHES,
      agreement: {},
      differences: {},
      figures,
    };
    const results = join(dirname(fileURLToPath(import.meta.url)), '../../bench/results');
    for (const path of writeCsv(results, [row], on)) console.log(path);
  }
}

/** ns a claim of each who does the job. */
async function speed(map: NavMap, moves: Recording, rounds: number, figures: Figures): Promise<Record<string, number>> {
  const times: Record<string, number[]> = {};
  const note = (name: string, ms: number): void => {
    times[name] ??= [];
    times[name].push(ms);
  };
  const alone = plain(map, moves);
  const doers: [string, Doer][] = [['plain', alone]];
  for (const workers of [1, 2]) {
    doers.push([`pool ${workers}`, await pooled(map, moves, workers, alone.verdicts)]);
    doers.push([`piscina ${workers}`, await underPiscina(map, moves, workers)]);
  }
  const spins = [1, 2].map((threads) => new Spin(threads, 100_000_000));
  // the first two rounds warm up
  for (let round = 0; round < rounds + 2; round++) {
    for (const [name, doer] of doers) {
      doer.fill(round);
      const ms = await doer.run();
      if (round >= 2) note(name, ms);
    }
    spins.forEach((spin, k) => {
      note(`spin ${k + 1}`, spin.run());
    });
  }
  let accepted = 0;
  for (const batch of alone.verdicts()) for (const verdict of batch) if (verdict === VerdictKind.accept) accepted++;
  console.log(`accepted ${accepted} of ${BATCH * BATCHES} in the last round`);
  for (const [, doer] of doers) await doer.end();
  for (const spin of spins) await spin.end();
  const at = (name: string): number => median(times[name]);
  console.log(`plain guard            ${each(at('plain')).toFixed(0)} ns a claim`);
  for (const kind of ['pool', 'piscina']) {
    for (const workers of [1, 2]) {
      console.log(
        `${`${kind}, ${workers} worker${workers > 1 ? 's' : ''}`.padEnd(22)} ${each(at(`${kind} ${workers}`)).toFixed(0)} ns a claim`,
      );
    }
  }
  // a spin does its rounds once on each thread: twice the work
  const control = (2 * at('spin 1')) / at('spin 2');
  figures['x: two spinning threads over one'] = control;
  for (const kind of ['pool', 'piscina']) {
    const scaling = at(`${kind} 1`) / at(`${kind} 2`);
    figures[`x: ${kind} 2 workers over 1`] = scaling;
    console.log(
      `${kind}: 2 workers are ${scaling.toFixed(2)}x 1; spinning threads ${control.toFixed(2)}x: ${(scaling / control).toFixed(2)} of the control`,
    );
  }
  return Object.fromEntries(doers.map(([name]) => [name, each(at(name))]));
}

try {
  await main();
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 2;
}
