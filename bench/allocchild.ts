// Child of alloc.ts: needs --expose-gc and a large young generation. Plays 10^6 moves and asks the heap how much it grew;
// prints one line of JSON.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { MoveGuard } from '../src/guard.ts';
import { level } from './levels.ts';
import { type Recording, record, SPEED } from './walkers.ts';

const MAP = 'yard';
const moves = Number(process.argv[2] ?? 1_000_000);
const collect = (globalThis as { gc?: () => void }).gc;
if (!collect) throw new Error('allocchild: expected --expose-gc');

const on = await level(MAP);
const recording = record(on, 65_536, 256, 0xa110c);
const clock = { now: 0 };
const guard = new MoveGuard(on.map, {}, { now: () => clock.now });
for (const { id, start } of recording.entities) guard.enter(id, { pos: start, speed: SPEED });

/**
 * Plays moves first..last of an endless recording: forwards, then backwards, then forwards again. An honest walk read
 * backwards is an honest walk, so nobody ever jumps.
 */
function play(moves: Recording, first: number, last: number): number {
  const { n, entity, entities, pos, time } = moves;
  const span = time[n - 1] + 10;
  let accepted = 0;
  for (let i = first; i < last; i++) {
    const lap = Math.floor(i / n);
    const at = lap % 2 === 0 ? i % n : n - 1 - (i % n);
    clock.now = lap * span + (lap % 2 === 0 ? time[at] : span - time[at]);
    // One running number for all entities: it only has to grow.
    if (guard.move(entities[entity[at]].id, i, pos[3 * at], pos[3 * at + 1], pos[3 * at + 2]).accepted) accepted++;
  }
  return accepted;
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

let collections = 0;
const observer = new PerformanceObserver((list) => {
  collections += list.getEntries().length;
});

/** Bytes per operation, less what asking the heap costs by itself. */
function grown(work: () => void, operations: number): number {
  collect?.();
  const idle = getHeapStatistics().used_heap_size;
  const before = getHeapStatistics().used_heap_size;
  work();
  const after = getHeapStatistics().used_heap_size;
  return Math.max(0, after - before - (before - idle)) / operations;
}

// Warm: hot code compiled, hidden classes settled, the first collection done.
const warm = 4 * recording.n;
let accepted = play(recording, 0, warm);
ask(warm);
collect();
await new Promise((resolve) => setTimeout(resolve, 50));

// The observer sees collections only when the event loop turns: those that `grown` asks for are subtracted below.
observer.observe({ entryTypes: ['gc'] });
const started = performance.now();
const guardBytes = grown(() => {
  accepted += play(recording, warm, warm + moves);
}, moves);
const nsPerOp = ((performance.now() - started) * 1e6) / moves;
const batchBytes = grown(() => {
  ask(moves);
}, moves);
await new Promise((resolve) => setTimeout(resolve, 50));
observer.disconnect();

const ASKED = 2;
if (accepted < 0.99 * (warm + moves)) throw new Error(`allocchild: only ${accepted} of ${warm + moves} moves accepted`);
console.log(
  JSON.stringify({
    map: MAP,
    moves,
    collections: collections - ASKED,
    bytesPerOp: { 'guard.move': guardBytes, 'batch.reach': batchBytes },
    nsPerOp,
  }),
);
