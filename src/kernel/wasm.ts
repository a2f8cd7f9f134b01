// The WASM engine: compiled once, lazily, from the embedded binary; one instance and one memory per map. Imported by
// kernel/index.ts only.
import { F_END, IN, MAP_BASE, OUT } from '../../assembly/layout.ts';
import type { Kernel, KernelExports } from './kernel.ts';
import { KERNEL_WASM } from './wasm.generated.ts';

type RawExports = KernelExports & { memory: WebAssembly.Memory };

let compiled: WebAssembly.Module | undefined;

/** The compiled kernels. Compiling takes about 2 ms; threads may share the module by posting it. */
export function kernelModule(): WebAssembly.Module {
  if (!compiled) {
    const text = atob(KERNEL_WASM);
    const bytes = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
    compiled = new WebAssembly.Module(bytes);
  }
  return compiled;
}

const PAGE = 65536;

/** A fresh instance with an empty memory; `load` gives it a map. */
export function wasmKernel(): Kernel {
  const raw = new WebAssembly.Instance(kernelModule()).exports as unknown as RawExports;
  const { memory } = raw;
  let frameAddress = 0;
  let scratchEnd = 0;
  let input = new Float64Array(0);
  let output = new Float64Array(0);

  function grow(bytes: number): void {
    const missing = bytes - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    if (frameAddress > 0 && input.buffer !== memory.buffer) {
      input = new Float64Array(memory.buffer, frameAddress + IN, 32);
      output = new Float64Array(memory.buffer, frameAddress + OUT, 32);
    }
  }

  return {
    engine: 'wasm',
    get buffer() {
      return memory.buffer;
    },
    get input() {
      return input;
    },
    get output() {
      return output;
    },
    load(pack) {
      frameAddress = align(MAP_BASE + pack.byteLength);
      grow(frameAddress + F_END);
      new Uint8Array(memory.buffer, MAP_BASE, pack.byteLength).set(new Uint8Array(pack));
      scratchEnd = raw.setup(frameAddress) >>> 0;
      grow(scratchEnd);
    },
    reserve(bytes) {
      const address = scratchEnd;
      scratchEnd = Math.ceil((address + bytes) / 8) * 8;
      grow(scratchEnd);
      return address;
    },
    f64: (address, count) => new Float64Array(memory.buffer, address, count),
    f32: (address, count) => new Float32Array(memory.buffer, address, count),
    u32: (address, count) => new Uint32Array(memory.buffer, address, count),
    u8: (address, count) => new Uint8Array(memory.buffer, address, count),
    setup: raw.setup,
    locate: () => raw.locate() >>> 0,
    ray: raw.ray,
    corridor: raw.corridor,
    shortest: raw.shortest,
    reach: raw.reach,
    batchRay: raw.batchRay,
    batchLocate: raw.batchLocate,
    batchCorridor: raw.batchCorridor,
    batchReach: raw.batchReach,
    batchShortest: raw.batchShortest,
    gridSight: raw.gridSight,
    batchGridSight: raw.batchGridSight,
  };
}

function align(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
