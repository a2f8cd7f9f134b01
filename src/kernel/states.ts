// The links' states of an instance: which are open in it now. The map itself is never written. Imported by kernel/ only.
import { F_STATES, H_LINKS, H_TABLE, L_STATE, LINK_STRIDE, MAP_BASE, SECTION_LINKS } from '../../assembly/layout.ts';
import type { Kernel } from './kernel.ts';

/** The view of them, one word per link. */
export function statesOf(kernel: Kernel, frame: number): Uint32Array {
  return kernel.u32(kernel.u32(frame + F_STATES, 1)[0], kernel.u32(MAP_BASE + H_LINKS, 1)[0]);
}

/** Makes them what the map says. */
export function copyStates(kernel: Kernel): void {
  const { states } = kernel;
  if (states.length === 0) return;
  const first = MAP_BASE + kernel.u32(MAP_BASE + H_TABLE + SECTION_LINKS * 8, 1)[0];
  for (let i = 0; i < states.length; i++) states[i] = kernel.u32(first + i * LINK_STRIDE + L_STATE, 1)[0];
}
