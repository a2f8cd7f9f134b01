// Every format under random and structured damage: a mesh, or one sentence; no other throw, no hang, no more memory than
// four times the file and 64 MiB. As many mutants as fit into 17 seconds, or NAVGUARD_FUZZ of them. Needs the built library.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { FORMATS } from '../bytes/formats.ts';
import { mutate } from '../bytes/mutations.ts';

const DIST = process.env.NAVGUARD_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url));
const SEED = Number(process.env.NAVGUARD_SEED ?? 20262);
const WANTED = process.env.NAVGUARD_FUZZ === undefined ? null : Number(process.env.NAVGUARD_FUZZ);
const SECONDS = 17;
const THREADS = 2;
const BATCH = 200;
/** One in so many mutants of Detour's family takes the whole way, through recast-navigation into a map. */
const WHOLE_EVERY = 50;
/** No small file may keep a reader longer. */
const HANG_MS = 15_000;
const BYTES_SHOWN = 4000;

interface Sample {
  readonly name: string;
  readonly file: Uint8Array;
  readonly options: Readonly<Record<string, unknown>>;
  readonly beside: { readonly name: string; readonly files: ReadonlyMap<string, Uint8Array> } | null;
}

interface Answer {
  readonly tally: Readonly<Record<string, number>>;
  readonly failures: readonly { readonly id: number; readonly outcome: string; readonly message: string }[];
}

test(`mutants of ${FORMATS.length} files (seed ${SEED})`, async () => {
  expect(existsSync(join(DIST, 'src/bytes/index.js')), `${DIST} is built`).toBe(true);
  const samples = await Promise.all(
    FORMATS.map(
      async ({ name, file, options = {}, beside }): Promise<Sample> => ({
        name,
        file: await file(),
        options,
        beside: beside === undefined ? null : { name: beside.name, files: beside.files() },
      }),
    ),
  );
  const files = samples.map((sample) => sample.file);
  const end = performance.now() + SECONDS * 1000;
  const tally: Record<string, number> = {};
  const failures: string[] = [];
  let id = 0;
  /** The mutant of a number: which file, and its bytes. */
  const made = (n: number) => ({
    id: n,
    sample: n % samples.length,
    bytes: mutate(files[n % samples.length], files, (Math.imul(SEED, 0x9e3779b1) + n) >>> 0),
    // A pack that was edited by someone who hashes it anew gets past its hash.
    rehash: samples[n % samples.length].name === 'navpack' && n % 3 !== 0,
  });
  const failed = (n: number, outcome: string, message: string) => {
    const { sample, bytes } = made(n);
    const hex = Buffer.from(bytes.subarray(0, BYTES_SHOWN)).toString('hex');
    failures.push(
      `mutant ${n} of ${samples[sample].name} (seed ${SEED}): ${outcome} ${message}\n${bytes.length} bytes: ${hex}`,
    );
  };
  const more = () => failures.length < 20 && (WANTED === null ? performance.now() < end : id < WANTED);

  async function lane(): Promise<void> {
    let worker: Lane | null = null;
    while (more()) {
      worker ??= await Lane.start(samples);
      const batch = Array.from({ length: WANTED === null ? BATCH : Math.min(BATCH, WANTED - id) }, () => made(id++));
      const answer = await worker.run(batch);
      if (typeof answer === 'number') {
        failed(answer, 'HANG', `more than ${HANG_MS} ms`);
        worker = null;
        continue;
      }
      for (const [name, count] of Object.entries(answer.tally)) tally[name] = (tally[name] ?? 0) + count;
      for (const failure of answer.failures) failed(failure.id, failure.outcome, failure.message);
    }
    await worker?.stop();
  }
  const rss = process.memoryUsage().rss;
  await Promise.all(Array.from({ length: THREADS }, lane));
  console.log(`${id} mutants: ${JSON.stringify(tally)}`);
  expect(failures.join('\n\n')).toBe('');
  expect(id).toBeGreaterThanOrEqual(WANTED ?? 2000);
  expect(tally.LOADED).toBeGreaterThan(id / 100);
  expect(tally.BAD_FILE).toBeGreaterThan(id / 10);
  // Two threads with an importer and a kernel each, and the garbage of thousands of files.
  expect(process.memoryUsage().rss - rss).toBeLessThan(1.5 * 2 ** 30);
}, 3_600_000);

/** One worker thread under a watchdog. */
class Lane {
  private readonly worker: Worker;
  private readonly at: Int32Array;

  private constructor(worker: Worker, at: Int32Array) {
    this.worker = worker;
    this.at = at;
  }

  static async start(samples: readonly Sample[]): Promise<Lane> {
    const at = new SharedArrayBuffer(4);
    const worker = new Worker(new URL('./format-fuzz-worker.mjs', import.meta.url), {
      workerData: { dist: DIST, at, wholeEvery: WHOLE_EVERY, samples, warm: samples.map((_, i) => i) },
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    await new Promise((ready, wrong) => {
      worker.once('message', ready);
      worker.once('error', wrong);
    });
    return new Lane(worker, new Int32Array(at));
  }

  /** The answer, or the number of the mutant at which the thread hung or died. */
  run(batch: readonly { id: number }[]): Promise<Answer | number> {
    return new Promise((resolve) => {
      let last = -2;
      let since = performance.now();
      const watch = setInterval(() => {
        const now = Atomics.load(this.at, 0);
        if (now !== last) {
          last = now;
          since = performance.now();
        } else if (performance.now() - since > HANG_MS) end(now);
      }, 500);
      const end = (result: Answer | number) => {
        clearInterval(watch);
        this.worker.off('message', end);
        this.worker.off('error', died);
        if (typeof result === 'number') void this.worker.terminate();
        resolve(result);
      };
      const died = () => end(Atomics.load(this.at, 0));
      this.worker.on('message', end);
      this.worker.on('error', died);
      this.worker.postMessage(batch);
    });
  }

  async stop(): Promise<void> {
    await this.worker.terminate();
  }
}
