// Line of sight on a walkability grid: the entry points. Exported through index.ts; the memory that they read is made by
// src/kernel/gridsight.ts. gridray.ts says which cells count and walks one ray, gridwave.ts walks many with the same answers.
import { ldU32 } from '../src/kernel/twin/memory.ts';
import { frame } from './frame.ts';
import { prepare, walk } from './gridray.ts';
import { wave } from './gridwave.ts';
import { F_NODES, GRID_WAVE } from './layout.ts';

/** Positions in cells. 1 = clear; 0 = blocked, also for ends outside the grid or not finite. */
export function gridSight(x0: f64, z0: f64, x1: f64, z1: f64): u32 {
  const r: u32 = ldU32(frame() + F_NODES);
  prepare(r, x0, z0, x1, z1);
  return walk(r);
}

/** n rays: `from`, `to` f64[2n] in cells (x, z), `clear` u8[n]. */
export function batchGridSight(n: u32, from: u32, to: u32, clear: u32): void {
  const scratch: u32 = ldU32(frame() + F_NODES);
  let i: u32 = 0;
  while (n - i > GRID_WAVE) {
    wave(GRID_WAVE, from + (i << 4), to + (i << 4), clear + i, scratch);
    i = i + GRID_WAVE;
  }
  wave(n - i, from + (i << 4), to + (i << 4), clear + i, scratch);
}
