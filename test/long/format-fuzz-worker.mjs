// The killable half of the format fuzz: a worker thread that reads mutants with the built library. It says in shared memory
// which one it is at, so that a hang has a name. Detour's family is read by our own check and reader, which is what must
// stand; every `wholeEvery`-th mutant, and every one of formats that have no such short way, takes the whole way into a map.
// Started by format-fuzz.test.ts.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';

const { dist, at, wholeEvery, warm } = workerData;
const load = (path) => import(pathToFileURL(join(dist, path)).href);
const { detectFormat, readMsetFile } = await load('src/bytes/index.js');
const { rewriteMmap } = await load('src/bytes/mmap.js');
const { rewriteSet } = await load('src/bytes/rewrite.js');
const { setShape, sourceOf } = await load('src/bytes/sets.js');
const { NavguardError } = await load('src/errors.js');
const { NavMap } = await load('src/map.js');
const { hashPack } = await load('src/pack/hash.js');
const progress = new Int32Array(at);
const HASH_AT = 16;
const SLACK = 64 * 2 ** 20;
/** What an importer reserves when it starts; one that has thrown is replaced, which is no file's doing. */
const IMPORTER = 64 * 2 ** 20;

/** Bytes of this thread: heap and array buffers. */
function memory() {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

async function whole(bytes, sample) {
  if (sample.beside !== null) {
    await NavMap.loadFiles(new Map([...sample.beside.files, [sample.beside.name, bytes]]));
  } else {
    await NavMap.load(bytes, sample.options);
  }
}

async function short(bytes, sample) {
  if (sample.beside !== null) {
    const { rewritten } = rewriteMmap(new Map([...sample.beside.files, [sample.beside.name, bytes]]));
    await rewritten.blame(async () => readMsetFile(rewritten.bytes));
    return;
  }
  const { kind } = detectFormat(bytes);
  if (kind === 'mset') {
    readMsetFile(bytes);
    return;
  }
  const shape = setShape(bytes);
  if (shape === null) return whole(bytes, sample);
  const rewritten = rewriteSet(sourceOf(bytes, shape));
  await rewritten.blame(async () => readMsetFile(rewritten.bytes));
}

async function one({ id, bytes, sample, rehash }) {
  if (rehash && bytes.length > 64) bytes.set(hashPack(bytes.buffer), HASH_AT);
  const before = memory();
  let outcome = 'LOADED';
  let message = '';
  const isWhole = Math.floor(id / samples.length) % wholeEvery === 0;
  try {
    await (isWhole ? whole : short)(bytes, sample);
  } catch (error) {
    const known = error instanceof NavguardError && /^.{10,2000}$/.test(error.message);
    outcome = known ? error.code : 'THREW';
    message = known ? error.message : String(error?.stack ?? error);
  }
  const grown = memory() - before;
  if (grown > 4 * bytes.length + SLACK + IMPORTER) {
    outcome = 'MEMORY';
    message = `${grown} bytes for a file of ${bytes.length}`;
  }
  return { id, outcome, message, whole: isWhole };
}

const samples = workerData.samples;
// What is loaded once and stays (the importer, the kernel) belongs to no file.
for (const i of warm) await whole(samples[i].file, samples[i]).catch(() => {});

parentPort.on('message', async (batch) => {
  const tally = {};
  const failures = [];
  for (const mutant of batch) {
    Atomics.store(progress, 0, mutant.id);
    const { id, outcome, message, whole: isWhole } = await one({ ...mutant, sample: samples[mutant.sample] });
    const name = `${outcome}${isWhole ? ' (whole)' : ''}`;
    tally[name] = (tally[name] ?? 0) + 1;
    if (!['LOADED', 'BAD_FILE', 'UNSUPPORTED_FORMAT'].includes(outcome)) failures.push({ id, outcome, message });
  }
  Atomics.store(progress, 0, -1);
  parentPort.postMessage({ tally, failures });
});
parentPort.postMessage('ready');
