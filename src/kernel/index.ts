// The front of the kernels: one instance per map, WASM or the pure-TypeScript twin behind one interface.
import { NavguardError } from '../errors.ts';
import type { Kernel } from './kernel.ts';
import { twinKernel } from './twin.ts';
import { kernelHash, wasmKernel } from './wasm.ts';

export type { Kernel } from './kernel.ts';
export { kernelHash };
/** `wasm` (default) or `twin`, the same kernels as plain JavaScript: same answers bit for bit, slower. */
export type Engine = 'wasm' | 'twin';

/** Creates an engine. Throws `BAD_ARGUMENT` for an unknown name. */
export function createKernel(engine: Engine = 'wasm'): Kernel {
  if (engine === 'wasm') return wasmKernel();
  if (engine === 'twin') return twinKernel();
  throw new NavguardError('BAD_ARGUMENT', `engine: expected "wasm" or "twin", got ${JSON.stringify(engine)}`);
}
