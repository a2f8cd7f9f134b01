// The WASM engine: compiled once, lazily, from the embedded binary; one instance and one memory per map. Imported by
// kernel/index.ts and shared.ts.
import { createHash } from 'node:crypto';
import { F_END, F_MOVES, IN, MAP_BASE, MOVE_STRIDE, MOVES, OUT } from '../../assembly/layout.ts';
import type { Kernel, KernelExports } from './kernel.ts';
import { outOfMemory } from './room.ts';
import { copyStates, statesOf } from './states.ts';
import { KERNEL_WASM } from './wasm.generated.ts';

type RawExports = KernelExports & { memory: WebAssembly.Memory };

let compiled: WebAssembly.Module | undefined;

/** The compiled kernels. Compiling takes about 2 ms; threads may share the module by posting it. */
export function kernelModule(): WebAssembly.Module {
  compiled ??= compile(KERNEL_WASM);
  return compiled;
}

/** Compiles an embedded binary. */
export function compile(base64: string): WebAssembly.Module {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new WebAssembly.Module(bytes);
}

let hash: string | undefined;

/** Names the kernels by what they are: sha-256 of the binary, 16 hex digits. The twin is the same kernels. */
export function kernelHash(): string {
  hash ??= createHash('sha256').update(KERNEL_WASM, 'base64').digest('hex').slice(0, 16);
  return hash;
}

const PAGE = 65536;

/** A fresh instance with an empty memory; `load` gives it a map. */
export function wasmKernel(): Kernel {
  return new WasmKernel(new WebAssembly.Instance(kernelModule()));
}

// A class with plain fields, not a literal with getters: V8 keeps such a literal as a dictionary, and the guard reads
// `input`, `output` and `reach` on every move.
/** An instance and the views on its memory. */
export class WasmKernel implements Kernel {
  readonly engine = 'wasm';
  buffer: ArrayBufferLike;
  input: Float64Array = new Float64Array(0);
  output: Float64Array = new Float64Array(0);
  moves: Float64Array = new Float64Array(0);
  states: Uint32Array = new Uint32Array(0);
  live = 0;
  readonly setup: KernelExports['setup'];
  readonly ray: KernelExports['ray'];
  readonly corridor: KernelExports['corridor'];
  readonly shortest: KernelExports['shortest'];
  readonly reach: KernelExports['reach'];
  readonly surface: KernelExports['surface'];
  readonly areaSpeed: KernelExports['areaSpeed'];
  readonly batchRay: KernelExports['batchRay'];
  readonly batchLocate: KernelExports['batchLocate'];
  readonly batchCorridor: KernelExports['batchCorridor'];
  readonly batchShortest: KernelExports['batchShortest'];
  readonly batchReach: KernelExports['batchReach'];
  readonly batchSurface: KernelExports['batchSurface'];
  readonly clearMoves: KernelExports['clearMoves'];
  readonly gridSight: KernelExports['gridSight'];
  readonly batchGridSight: KernelExports['batchGridSight'];
  readonly #raw: RawExports;
  #frameAddress = 0;
  #scratchEnd = 0;

  constructor(instance: WebAssembly.Instance) {
    const raw = instance.exports as unknown as RawExports;
    this.#raw = raw;
    this.buffer = raw.memory.buffer;
    this.setup = raw.setup;
    this.ray = raw.ray;
    this.corridor = raw.corridor;
    this.shortest = raw.shortest;
    this.reach = raw.reach;
    this.surface = raw.surface;
    this.areaSpeed = raw.areaSpeed;
    this.batchRay = raw.batchRay;
    this.batchLocate = raw.batchLocate;
    this.batchCorridor = raw.batchCorridor;
    this.batchShortest = raw.batchShortest;
    this.batchReach = raw.batchReach;
    this.batchSurface = raw.batchSurface;
    this.clearMoves = raw.clearMoves;
    this.gridSight = raw.gridSight;
    this.batchGridSight = raw.batchGridSight;
  }

  locate(): number {
    // JavaScript sees WASM's u32 results signed.
    return this.#raw.locate() >>> 0;
  }

  load(pack: ArrayBuffer): void {
    const used = this.#frameAddress > 0;
    this.#frameAddress = align(MAP_BASE + pack.byteLength);
    this.#grow(this.#frameAddress + F_END);
    new Uint8Array(this.buffer, MAP_BASE, pack.byteLength).set(new Uint8Array(pack));
    this.#scratchEnd = this.#raw.setup(this.#frameAddress) >>> 0;
    this.#grow(this.#scratchEnd);
    // Stamps of another map's searches must not pass for this one's; fresh memory is zero anyway.
    const scratch = this.#frameAddress + F_END;
    if (used) new Uint8Array(this.buffer, scratch, this.#scratchEnd - scratch).fill(0);
    this.#look();
    copyStates(this);
  }

  /**
   * Works on a map that stands in a shared memory already, with its own frame and scratch memory at `frameAddress`; returns
   * the first address after them. `used`: another instance has worked there before, and is gone.
   */
  attach(frameAddress: number, used: boolean): number {
    this.#frameAddress = frameAddress;
    this.#scratchEnd = this.#raw.setup(frameAddress) >>> 0;
    const scratch = frameAddress + F_END;
    if (used) new Uint8Array(this.buffer, scratch, this.#scratchEnd - scratch).fill(0);
    this.#look();
    copyStates(this);
    return this.#scratchEnd;
  }

  reserve(bytes: number): number {
    const address = this.#scratchEnd;
    const end = align(address + bytes);
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

  #grow(bytes: number): void {
    const { memory } = this.#raw;
    const missing = bytes - memory.buffer.byteLength;
    if (missing > 0) {
      try {
        memory.grow(Math.ceil(missing / PAGE));
      } catch {
        // a RangeError, or a TypeError for more pages than 32 bits count
        throw outOfMemory(bytes);
      }
    }
    this.buffer = memory.buffer;
  }

  #look(): void {
    this.input = this.f64(this.#frameAddress + IN, 32);
    this.output = this.f64(this.#frameAddress + OUT, 32);
    const [moves] = this.u32(this.#frameAddress + F_MOVES, 1);
    this.states = statesOf(this, this.#frameAddress);
    this.moves = this.f64(moves, (MOVES * MOVE_STRIDE) / 8);
  }
}

function align(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
