// The changing part of a kernel's memory, for comparison.
import { H_POLYGONS, H_TABLE, MAP_BASE, POLY_STRIDE } from '../../assembly/layout.ts';
import type { Kernel } from '../../src/kernel/index.ts';

/** Polygon records and links' states of a kernel, as they stand in its memory. */
export function memoryOf(kernel: Kernel): string {
  const count = kernel.u32(MAP_BASE + H_POLYGONS, 1)[0]!;
  const at = MAP_BASE + kernel.u32(MAP_BASE + H_TABLE, 1)[0]!;
  return Buffer.from(kernel.u8(at, count * POLY_STRIDE)).toString('hex') + [...kernel.states].join();
}
