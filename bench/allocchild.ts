// Child of alloc.ts: needs --expose-gc and a large young generation. Plays 10^6 moves and asks the heap how much it grew;
// prints one line of JSON.
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { Endless, record, SPEED } from '../src/bench/walkers.ts';
import { MoveGuard } from '../src/guard.ts';
import { level } from './levels.ts';

const MAP = 'yard';
const moves = Number(process.argv[2] ?? 1_000_000);
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
const times = boxed(Float64Array.from({ length: 8 * recording.n + 2 * moves }, (_, i) => endless.time(i)));
let now: number = times[1];
const guard = new MoveGuard(on.map, {}, { now: () => now });
for (const { id, start } of recording.entities) guard.enter(id, { pos: start, speed: SPEED });

/** Plays moves first..last; returns how many were accepted. */
function play(first: number, last: number): number {
  const { entity, entities } = recording;
  let accepted = 0;
  for (let i = first; i < last; i++) {
    const k = endless.at(i);
    now = times[1 + i];
    const c = 1 + 3 * k;
    // One running number for all entities: it only has to grow.
    if (guard.move(entities[entity[k]].id, i, coordinates[c], coordinates[c + 1], coordinates[c + 2]).accepted)
      accepted++;
  }
  return accepted;
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

/** Bytes that checkBatch leaves for moves first..last, without what filling leaves. */
function check(first: number, last: number): number {
  let bytes = 0;
  for (let i = first; i < last; i += 4096) {
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

// Warm: hot code compiled, hidden classes settled, the first collection done.
const warm = 4 * recording.n;
let accepted = play(0, warm);
check(warm, 2 * warm);
ask(warm);
collect();
await new Promise((resolve) => setTimeout(resolve, 50));

observer.observe({ entryTypes: ['gc'] });
const started = performance.now();
const guardBytes = grown(() => {
  accepted += play(2 * warm, 2 * warm + moves);
}, moves);
const nsPerOp = ((performance.now() - started) * 1e6) / moves;
collect?.();
const checked = Math.floor(moves / 4096) * 4096;
const checkBytes = Math.max(0, check(2 * warm + moves, 2 * warm + moves + checked)) / checked;
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
    collections,
    bytesPerOp: { 'guard.move': guardBytes, 'guard.checkBatch': checkBytes, 'batch.reach': batchBytes },
    nsPerOp,
  }),
);
