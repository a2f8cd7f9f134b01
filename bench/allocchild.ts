// Child of alloc.ts: needs --expose-gc and a large young generation. Plays moves and asks the heap how much it grew; prints
// one line of JSON.
//
// What is measured is the steady state. Until V8 has compiled a function for good, its interpreter boxes every number, and
// that takes a few hundred thousand moves: functions are compiled, meet a branch that they had not met, and are compiled
// again. And one whose loop was entered half way may keep only that code, and be interpreted from each call to there, until a
// full collection lets it start afresh; in a server those come by themselves. So: WARM laps of the recording, a full
// collection, SETTLE laps, a full collection, and then the count.
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Endless, record, SPEED } from '../src/bench/walkers.ts';
import { MoveGuard } from '../src/guard.ts';
import { level } from './levels.ts';

const MAP = 'yard';
const moves = Number(process.argv[2] ?? 1_000_000);
const WARM = 8;
const SETTLE = 4;
/** Batches begin this far off a tick's first move, and farther each time: a server's do not either. */
const ASKEW = 100;
const collect = (globalThis as { gc?: () => void }).gc;
if (!collect) throw new Error('allocchild: expected --expose-gc');

const on = await level(MAP);
const recording = record(on, 65_536, 256, 0xa110c);
// A caller that holds its numbers as JavaScript values boxes them once, when it reads the packet, not for the guard: so do
// these lists (a list that also holds a string keeps its numbers boxed), and the clock.
const boxed = (numbers: ArrayLike<number>): number[] => {
  const list: unknown[] = ['', ...Array.from(numbers)];
  list[0] = 0.5;
  return list as number[];
};
const coordinates = boxed(recording.pos);
const endless = new Endless(recording);
/** Moves before the count, on each of the two paths. */
const warm = (WARM + SETTLE) * recording.n;
const times = boxed(Float64Array.from({ length: 2 * (warm + moves) + 4096 }, (_, i) => endless.time(i)));
let now: number = times[1];
const guard = new MoveGuard(on.map, {}, { now: () => now });
for (const { id, start } of recording.entities) guard.enter(id, { pos: start, speed: SPEED });

let next = 0;
let accepted = 0;

/** Plays n moves. */
function play(n: number): void {
  const { entity, entities } = recording;
  const first = next;
  next += n;
  for (let i = first; i < next; i++) {
    const k = endless.at(i);
    now = times[1 + i];
    const c = 1 + 3 * k;
    // One running number for all entities: it only has to grow.
    if (guard.move(entities[entity[k]].id, i, coordinates[c], coordinates[c + 1], coordinates[c + 2]).accepted)
      accepted++;
  }
}

const claims = guard.claims(4096);
const slots = recording.entities.map(({ id }) => guard.slot(id));

/** The next 4,096 moves, for checkBatch. */
function fill(first: number): void {
  for (let j = 0; j < 4096; j++) {
    const k = endless.at(first + j);
    claims.entity[j] = slots[recording.entity[k]];
    claims.seq[j] = first + j;
    claims.t[j] = times[1 + first + j];
    for (let axis = 0; axis < 3; axis++) claims.pos[3 * j + axis] = recording.pos[3 * k + axis];
  }
}

/** Bytes that checkBatch leaves for n moves, a multiple of 4,096, without what filling leaves. */
function check(n: number): number {
  let bytes = 0;
  const first = next + ASKEW;
  next = first + n;
  for (let i = first; i < next; i += 4096) {
    fill(i);
    bytes += grownBy(() => guard.checkBatch(claims, 4096));
    for (let j = 0; j < 4096; j++) if (claims.verdict[j] === 0) accepted++;
  }
  return bytes;
}

const batch = on.map.batch(4096);
for (let i = 0; i < 4096; i++) {
  batch.from.set(recording.entities[i % 256].start, 3 * i);
  batch.to.set(recording.pos.subarray(3 * i, 3 * i + 3), 3 * i);
}
function ask(queries: number): number {
  let made = 0;
  for (let done = 0; done < queries; done += 4096) {
    batch.reach(4096);
    made += batch.status[done % 4096];
  }
  return made;
}

// Collections that nobody asked for would hide garbage.
let collections = 0;
const observer = new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { flags } = (entry as unknown as { detail: { flags: number } }).detail;
    if ((flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) === 0) collections++;
  }
});

/** Bytes that work leaves, less what asking the heap costs by itself. */
function grownBy(work: () => void): number {
  const idle = getHeapStatistics().used_heap_size;
  const before = getHeapStatistics().used_heap_size;
  work();
  const after = getHeapStatistics().used_heap_size;
  return after - before - (before - idle);
}

function grown(work: () => void, operations: number): number {
  collect?.();
  return Math.max(0, grownBy(work)) / operations;
}

for (const laps of [WARM, SETTLE]) {
  const n = laps * recording.n;
  play(n);
  check(n);
  ask(n);
  collect();
}
await new Promise((resolve) => setTimeout(resolve, 50));

observer.observe({ entryTypes: ['gc'] });
const started = performance.now();
const guardBytes = grown(() => {
  play(moves);
}, moves);
const nsPerOp = ((performance.now() - started) * 1e6) / moves;
collect?.();
const checked = Math.floor(moves / 4096) * 4096;
const checkBytes = Math.max(0, check(checked)) / checked;
const batchBytes = grown(() => {
  ask(moves);
}, moves);
await new Promise((resolve) => setTimeout(resolve, 50));
observer.disconnect();

const made = 2 * warm + moves + checked;
if (accepted < 0.99 * made) throw new Error(`allocchild: only ${accepted} of ${made} moves accepted`);
console.log(
  JSON.stringify({
    map: MAP,
    moves,
    warm,
    collections,
    bytesPerOp: { 'guard.move': guardBytes, 'guard.checkBatch': checkBytes, 'batch.reach': batchBytes },
    nsPerOp,
  }),
);
