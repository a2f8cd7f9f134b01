// A thread's own copy of a map that changes: kernels of a shared map only read it. Imported by judge.ts and pool.ts.
import type { GuardedMap } from '../guard.ts';
import { wasmKernel } from '../kernel/wasm.ts';
import { Living, SPARE_PIECES } from '../live/living.ts';

/** `pack`: a packed map that was checked; it is copied. */
export function ownMap(pack: ArrayBuffer | SharedArrayBuffer, info: { format: string; hash: string }): GuardedMap {
  const own = new ArrayBuffer(pack.byteLength);
  new Uint8Array(own).set(new Uint8Array(pack));
  const living = new Living(own, SPARE_PIECES);
  const kernel = wasmKernel();
  living.load(kernel);
  return {
    ...{ kernel, living, info },
    area(n, change) {
      living.area(n, change);
      living.sync(kernel);
    },
    link(link, open) {
      living.link(link, open);
      living.sync(kernel);
    },
    block(id, shape) {
      living.block(id, shape);
      living.sync(kernel);
    },
    unblock(id) {
      const there = living.unblock(id);
      living.sync(kernel);
      return there;
    },
  };
}
