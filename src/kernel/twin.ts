// The pure-TypeScript engine: the same kernel sources, run by JavaScript over one ArrayBuffer per map. Imported by
// kernel/index.ts only. The kernels' leaf state is one per process, so a twin binds its memory before each call.
import { setFrame } from '../../assembly/frame.ts';
import * as kernels from '../../assembly/index.ts';
import { F_END, F_MOVES, IN, MAP_BASE, MOVE_STRIDE, MOVES, OUT } from '../../assembly/layout.ts';
import type { Kernel } from './kernel.ts';
import { MOST_BYTES, outOfMemory } from './room.ts';
import { bindMemory } from './twin/memory.ts';

let bound: object | undefined;

/** A fresh twin with an empty memory; `load` gives it a map. */
export function twinKernel(): Kernel {
  const self = {};
  let buffer = new ArrayBuffer(0);
  let frameAddress = 0;
  let scratchEnd = 0;
  let input = new Float64Array(0);
  let output = new Float64Array(0);
  let moves = new Float64Array(0);

  function grow(bytes: number): void {
    if (bytes <= buffer.byteLength) return;
    if (bytes > MOST_BYTES) throw outOfMemory(bytes);
    let larger: ArrayBuffer;
    try {
      larger = new ArrayBuffer(Math.ceil(bytes / 65536) * 65536);
    } catch {
      throw outOfMemory(bytes);
    }
    new Uint8Array(larger).set(new Uint8Array(buffer));
    buffer = larger;
    bound = undefined;
  }
  function look(): void {
    input = new Float64Array(buffer, frameAddress + IN, 32);
    output = new Float64Array(buffer, frameAddress + OUT, 32);
    const [at] = new Uint32Array(buffer, frameAddress + F_MOVES, 1);
    moves = new Float64Array(buffer, at, (MOVES * MOVE_STRIDE) / 8);
  }
  function bind(): void {
    if (bound === self) return;
    bindMemory(buffer);
    setFrame(frameAddress);
    bound = self;
  }

  return {
    engine: 'twin',
    get buffer() {
      return buffer;
    },
    get input() {
      return input;
    },
    get output() {
      return output;
    },
    get moves() {
      return moves;
    },
    load(pack) {
      const used = frameAddress > 0;
      frameAddress = Math.ceil((MAP_BASE + pack.byteLength) / 8) * 8;
      grow(frameAddress + F_END);
      new Uint8Array(buffer, MAP_BASE, pack.byteLength).set(new Uint8Array(pack));
      bind();
      scratchEnd = kernels.setup(frameAddress);
      grow(scratchEnd);
      // Stamps of another map's searches must not pass for this one's; fresh memory is zero anyway.
      if (used) new Uint8Array(buffer, frameAddress + F_END, scratchEnd - frameAddress - F_END).fill(0);
      look();
    },
    reserve(bytes) {
      const address = scratchEnd;
      const end = Math.ceil((address + bytes) / 8) * 8;
      grow(end);
      if (frameAddress > 0 && input.buffer !== buffer) look();
      // only now: who asked for too much leaves the rest as it was
      scratchEnd = end;
      return address;
    },
    f64: (address, count) => new Float64Array(buffer, address, count),
    f32: (address, count) => new Float32Array(buffer, address, count),
    u32: (address, count) => new Uint32Array(buffer, address, count),
    u8: (address, count) => new Uint8Array(buffer, address, count),
    setup(frame) {
      bind();
      return kernels.setup(frame);
    },
    locate() {
      bind();
      return kernels.locate() >>> 0;
    },
    ray(fromPolygon) {
      bind();
      return kernels.ray(fromPolygon);
    },
    corridor(fromPolygon) {
      bind();
      return kernels.corridor(fromPolygon);
    },
    shortest(fromPolygon) {
      bind();
      return kernels.shortest(fromPolygon);
    },
    reach(fromPolygon, toPolygon) {
      bind();
      return kernels.reach(fromPolygon, toPolygon);
    },
    surface(fromPolygon) {
      bind();
      return kernels.surface(fromPolygon);
    },
    areaSpeed(area, multiplier) {
      bind();
      kernels.areaSpeed(area, multiplier);
    },
    batchRay(n, from, to, polygon, status, t, last) {
      bind();
      kernels.batchRay(n, from, to, polygon, status, t, last);
    },
    batchLocate(n, pos, polygon, point, distance) {
      bind();
      kernels.batchLocate(n, pos, polygon, point, distance);
    },
    batchCorridor(n, from, to, polygon, limit, status, length) {
      bind();
      kernels.batchCorridor(n, from, to, polygon, limit, status, length);
    },
    batchShortest(n, from, to, polygon, limit, status, length) {
      bind();
      kernels.batchShortest(n, from, to, polygon, limit, status, length);
    },
    batchReach(n, from, to, polygon, budget, status, length, bound_, toPolygon) {
      bind();
      kernels.batchReach(n, from, to, polygon, budget, status, length, bound_, toPolygon);
    },
    batchSurface(n, from, delta, polygon, status, point, length, last) {
      bind();
      kernels.batchSurface(n, from, delta, polygon, status, point, length, last);
    },
    clearMoves(n) {
      bind();
      kernels.clearMoves(n);
    },
    gridSight(x0, z0, x1, z1) {
      bind();
      return kernels.gridSight(x0, z0, x1, z1);
    },
    batchGridSight(n, from, to, clear) {
      bind();
      kernels.batchGridSight(n, from, to, clear);
    },
  };
}
