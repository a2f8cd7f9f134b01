// Child of alloc.test.ts: needs --expose-gc, a large young generation and dist/. Writes and reads frames and asks the heap how
// much it grew; prints one line of JSON. What is measured is the steady state: see bench/allocchild.ts.
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import * as wire from '../../dist/src/wire/index.js';

const n = Number(process.argv[2]);
const WARM = 200_000;
const view = new DataView(new ArrayBuffer(wire.MAX_FRAME_BYTES));
const numbers = Float64Array.from({ length: 1024 }, (_, k) => 0.37 * k - 100.01);
/** What is said, and that nothing is; doubles, for a caller's choice between -1 and a large number would be boxed. */
const told = Float64Array.of(-1, 4294967295, 7, 2147483648);
const hash = Uint8Array.from({ length: 32 }, (_, k) => k);
let sink = 0;

function position(frame, i) {
  frame.x = numbers[i & 1023];
  frame.y = numbers[(i + 1) & 1023];
  frame.z = numbers[(i + 2) & 1023];
}
function said(frame, i) {
  frame.mapVersion = told[i & 3];
  frame.progress = told[(i + 1) & 3];
}
function move(frame, i) {
  said(frame, i);
  position(frame, i);
}
function ack(frame, i) {
  frame.correction = 4294967295 - i;
}
function input(frame, i) {
  frame.dirX = numbers[i & 1023];
}
function hello(frame, i) {
  frame.mapHash.set(hash);
  position(frame, i);
}
function answer(frame, i) {
  frame.seq = 4294967295 - i;
  frame.x = numbers[i & 1023];
}
function snapshot(frame, i) {
  frame.count = 8;
  frame.tick = 4294967295 - i;
  frame.pos[0] = numbers[i & 1023];
}
function left(frame, i) {
  frame.entity = 4294967295 - i;
}
function body(frame, i) {
  said(frame, i);
  frame.entity = 4294967295 - i;
  frame.hasData = true;
  frame.hasTarget = (i & 4) === 0;
  frame.from[0] = numbers[i & 1023];
  frame.to[2] = numbers[i & 511];
  frame.speed = numbers[i & 127] + 200;
  frame.durationMs = numbers[i & 255];
}

/** name, the frame to write, what changes in it, encode, the frame to read, decode, a number of what was read. */
const FRAMES = [
  ['Move', wire.blankMove, move, wire.encodeMove, wire.decodeMove, (f) => f.x],
  ['MoveFixed', wire.blankMove, move, wire.encodeMoveFixed, wire.decodeMove, (f) => f.x],
  ['MoveBegin', wire.blankMoveBegin, body, wire.encodeMoveBegin, wire.decodeMoveBegin, (f) => f.speed + f.from[0]],
  ['Ack', wire.blankAck, ack, wire.encodeAck, wire.decodeAck, (f) => f.correction],
  ['Input', wire.blankInput, input, wire.encodeInput, wire.decodeInput, (f) => f.dirX],
  ['Hello', wire.blankHello, hello, wire.encodeHello, wire.decodeHello, (f) => f.x],
  [
    'MoveAnswer',
    wire.blankAnswer,
    answer,
    (v, o, f) => wire.writeAnswer(v, o, f.seq, f.reason, f.x, f.y),
    wire.decodeAnswer,
    (f) => f.x + f.seq,
  ],
  ['MoveStarted', wire.blankMoveStarted, body, wire.encodeMoveStarted, wire.decodeMoveStarted, (f) => f.speed],
  ['MoveFail', wire.blankMoveFail, position, wire.encodeMoveFail, wire.decodeMoveFail, (f) => f.x],
  ['Correction', wire.blankCorrection, position, wire.encodeCorrection, wire.decodeCorrection, (f) => f.x],
  ['Snapshot', wire.blankSnapshot, snapshot, wire.encodeSnapshot, wire.decodeSnapshot, (f) => f.pos[0] + f.tick],
  ['Left', wire.blankLeft, left, wire.encodeLeft, wire.decodeLeft, (f) => f.entity],
];

// One function for each frame, as a caller's code has: its source names the frame, for V8 would share one function's
// feedback between all frames, and then box what the calls return.
function player(name, ...parts) {
  const make = new Function(
    'blank, change, encode, decode, read, view',
    `const frame = blank(), out = blank();
     return function play${name}(n) {
       for (let i = 0; i < n; i++) {
         change(frame, i);
         const bytes = encode(view, 0, frame);
         if (decode(view, 0, out) !== bytes) throw new Error('${name} is not read');
       }
       return read(out);
     };`,
  );
  return make(...parts, view);
}

let collections = 0;
const observer = new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries())
    if ((detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) === 0) collections++;
});

const bytesPerOp = {};
const nsPerOp = {};
for (const [name, blank, change, encode, decode, read] of FRAMES) {
  const play = player(name, blank, change, encode, decode, read);
  for (let k = 0; k < 3; k++) {
    sink += play(WARM);
    globalThis.gc();
  }
  sink += play(WARM);
  await new Promise((resolve) => setTimeout(resolve, 5));
  observer.observe({ entryTypes: ['gc'] });
  const idle = getHeapStatistics().used_heap_size;
  const before = getHeapStatistics().used_heap_size;
  const started = performance.now();
  sink += play(n);
  const ms = performance.now() - started;
  const after = getHeapStatistics().used_heap_size;
  nsPerOp[name] = Math.round((ms * 1e7) / n) / 10;
  bytesPerOp[name] = Math.max(0, after - before - (before - idle)) / n;
}
await new Promise((resolve) => setTimeout(resolve, 20));
observer.disconnect();
if (!Number.isFinite(sink)) throw new Error('allocchild: nothing was read');
console.log(JSON.stringify({ n, collections, bytesPerOp, nsPerOp }));
