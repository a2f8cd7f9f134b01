// The pure-TypeScript engine: the same kernel sources, run by JavaScript over one ArrayBuffer per map. Imported by
// kernel/index.ts only. The kernels' leaf state is one per process, so a twin binds its memory before each call.
import { setFrame } from '../../assembly/frame.ts';
import * as kernels from '../../assembly/index.ts';
import { F_END, F_MOVES, IN, MAP_BASE, MOVE_STRIDE, MOVES, OUT } from '../../assembly/layout.ts';
import type { Kernel } from './kernel.ts';
import { MOST_BYTES, outOfMemory } from './room.ts';
import { copyStates, statesOf } from './states.ts';
import { bindMemory } from './twin/memory.ts';

let bound: object | undefined;

/** A fresh twin with an empty memory; `load` gives it a map. */
export function twinKernel(): Kernel {
  return new TwinKernel();
}

// A class with plain fields, for the reason that wasm.ts gives.
class TwinKernel implements Kernel {
  readonly engine = 'twin';
  buffer: ArrayBuffer = new ArrayBuffer(0);
  input: Float64Array = new Float64Array(0);
  output: Float64Array = new Float64Array(0);
  moves: Float64Array = new Float64Array(0);
  states: Uint32Array = new Uint32Array(0);
  live = 0;
  #frameAddress = 0;
  #scratchEnd = 0;

  load(pack: ArrayBuffer): void {
    const used = this.#frameAddress > 0;
    const frame = Math.ceil((MAP_BASE + pack.byteLength) / 8) * 8;
    this.#frameAddress = frame;
    this.#grow(frame + F_END);
    new Uint8Array(this.buffer, MAP_BASE, pack.byteLength).set(new Uint8Array(pack));
    bound = undefined;
    this.#bind();
    this.#scratchEnd = kernels.setup(frame);
    this.#grow(this.#scratchEnd);
    // Stamps of another map's searches must not pass for this one's; fresh memory is zero anyway.
    if (used) new Uint8Array(this.buffer, frame + F_END, this.#scratchEnd - frame - F_END).fill(0);
    this.#look();
    copyStates(this);
  }

  reserve(bytes: number): number {
    const address = this.#scratchEnd;
    const end = Math.ceil((address + bytes) / 8) * 8;
    this.#grow(end);
    if (this.#frameAddress > 0 && this.input.buffer !== this.buffer) this.#look();
    // only now: who asked for too much leaves the rest as it was
    this.#scratchEnd = end;
    return address;
  }

  f64(address: number, count: number): Float64Array {
    return new Float64Array(this.buffer, address, count);
  }
  f32(address: number, count: number): Float32Array {
    return new Float32Array(this.buffer, address, count);
  }
  u32(address: number, count: number): Uint32Array {
    return new Uint32Array(this.buffer, address, count);
  }
  u8(address: number, count: number): Uint8Array {
    return new Uint8Array(this.buffer, address, count);
  }

  setup(frame: number): number {
    this.#bind();
    return kernels.setup(frame);
  }
  locate(): number {
    this.#bind();
    return kernels.locate() >>> 0;
  }
  ray(fromPolygon: number): number {
    this.#bind();
    return kernels.ray(fromPolygon);
  }
  corridor(fromPolygon: number): number {
    this.#bind();
    return kernels.corridor(fromPolygon);
  }
  shortest(fromPolygon: number): number {
    this.#bind();
    return kernels.shortest(fromPolygon);
  }
  reach(fromPolygon: number, toPolygon: number): number {
    this.#bind();
    return kernels.reach(fromPolygon, toPolygon);
  }
  surface(fromPolygon: number): number {
    this.#bind();
    return kernels.surface(fromPolygon);
  }
  areaSpeed(area: number, multiplier: number): void {
    this.#bind();
    kernels.areaSpeed(area, multiplier);
  }
  batchRay(n: number, from: number, to: number, polygon: number, status: number, t: number, last: number): void {
    this.#bind();
    kernels.batchRay(n, from, to, polygon, status, t, last);
  }
  batchLocate(n: number, pos: number, polygon: number, point: number, distance: number): void {
    this.#bind();
    kernels.batchLocate(n, pos, polygon, point, distance);
  }
  batchCorridor(
    n: number,
    from: number,
    to: number,
    polygon: number,
    limit: number,
    status: number,
    length: number,
  ): void {
    this.#bind();
    kernels.batchCorridor(n, from, to, polygon, limit, status, length);
  }
  batchShortest(
    n: number,
    from: number,
    to: number,
    polygon: number,
    limit: number,
    status: number,
    length: number,
  ): void {
    this.#bind();
    kernels.batchShortest(n, from, to, polygon, limit, status, length);
  }
  batchReach(
    n: number,
    from: number,
    to: number,
    polygon: number,
    budget: number,
    status: number,
    length: number,
    bound_: number,
    toPolygon: number,
  ): void {
    this.#bind();
    kernels.batchReach(n, from, to, polygon, budget, status, length, bound_, toPolygon);
  }
  batchSurface(
    n: number,
    from: number,
    delta: number,
    polygon: number,
    status: number,
    point: number,
    length: number,
    last: number,
  ): void {
    this.#bind();
    kernels.batchSurface(n, from, delta, polygon, status, point, length, last);
  }
  clearMoves(n: number): void {
    this.#bind();
    kernels.clearMoves(n);
  }
  gridSight(x0: number, z0: number, x1: number, z1: number): number {
    this.#bind();
    return kernels.gridSight(x0, z0, x1, z1);
  }
  batchGridSight(n: number, from: number, to: number, clear: number): void {
    this.#bind();
    kernels.batchGridSight(n, from, to, clear);
  }

  #grow(bytes: number): void {
    if (bytes <= this.buffer.byteLength) return;
    if (bytes > MOST_BYTES) throw outOfMemory(bytes);
    let larger: ArrayBuffer;
    try {
      larger = new ArrayBuffer(Math.ceil(bytes / 65536) * 65536);
    } catch {
      throw outOfMemory(bytes);
    }
    new Uint8Array(larger).set(new Uint8Array(this.buffer));
    this.buffer = larger;
    bound = undefined;
  }

  #look(): void {
    this.input = this.f64(this.#frameAddress + IN, 32);
    this.output = this.f64(this.#frameAddress + OUT, 32);
    const [moves] = this.u32(this.#frameAddress + F_MOVES, 1);
    this.states = statesOf(this, this.#frameAddress);
    this.moves = this.f64(moves, (MOVES * MOVE_STRIDE) / 8);
  }

  #bind(): void {
    if (bound === this) return;
    bindMemory(this.buffer);
    setFrame(this.#frameAddress);
    bound = this;
  }
}
