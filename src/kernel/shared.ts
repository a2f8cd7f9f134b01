// One map in one memory for many threads: the kernels of wasm.ts, compiled for a memory that is given to them. Imported by
// pool/ only, so that nobody else loads the second binary.
//
// Shared memory:  [0, MAP_BASE) unused | packed map | one region per instance: frame, scratch
// Invariant: the map is written once, before any other thread has the memory; after that an instance writes only to its own
// region. (setup.ts lays out all that kernels write to behind the frame; links' states are the instance's own too.)
import { H_END, MAP_BASE } from '../../assembly/layout.ts';
import type { Kernel } from './kernel.ts';
import { outOfMemory } from './room.ts';
import { SHARED_KERNEL_WASM } from './sharedwasm.generated.ts';
import { compile, WasmKernel } from './wasm.ts';

/** Regions begin on pages of their own: no two threads write to one cache line. */
const PAGE = 65536;

/** What a thread needs to work on the map: post it as it is. */
export interface SharedMap {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  /** Where region 0 begins, and how long each is, bytes. */
  readonly regions: number;
  readonly stride: number;
}

let compiled: WebAssembly.Module | undefined;

/** Puts a packed map that was checked into a shared memory with `count` regions. Throws `OUT_OF_MEMORY`. */
export function shareMap(pack: ArrayBuffer, count: number): SharedMap {
  compiled ??= compile(SHARED_KERNEL_WASM);
  const module = compiled;
  const regions = pageEnd(MAP_BASE + pack.byteLength);
  // how much an instance needs, its own setup says: it reads the map's header and writes a frame
  const trial = withMap(pack.slice(0, H_END), 2 * PAGE);
  const raw = new WebAssembly.Instance(module, { env: { memory: trial } }).exports as { setup(frame: number): number };
  const stride = pageEnd(raw.setup(PAGE) >>> 0) - PAGE;
  const memory = withMap(pack, regions + count * stride);
  return { module, memory, regions, stride };
}

/** The instance of a region. `used`: the thread that had it before is gone. */
export function sharedKernel(map: SharedMap, region: number, used: boolean): Kernel {
  const kernel = new WasmKernel(new WebAssembly.Instance(map.module, { env: { memory: map.memory } }));
  kernel.attach(map.regions + region * map.stride, used);
  return kernel;
}

function withMap(pack: ArrayBuffer, bytes: number): WebAssembly.Memory {
  const pages = bytes / PAGE;
  let memory: WebAssembly.Memory;
  try {
    memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  } catch {
    throw outOfMemory(bytes);
  }
  new Uint8Array(memory.buffer, MAP_BASE, pack.byteLength).set(new Uint8Array(pack));
  return memory;
}

function pageEnd(bytes: number): number {
  return Math.ceil(bytes / PAGE) * PAGE;
}
