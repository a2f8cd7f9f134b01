// What the rules need to know of a map: its bounds and cell sizes, read from the packed map that the kernel holds.
// Imported by guard.ts.
import {
  H_AGENT_CLIMB,
  H_AGENT_RADIUS,
  H_CELL_HEIGHT,
  H_CELL_SIZE,
  H_MAX_X,
  H_MAX_Y,
  H_MAX_Z,
  H_MIN_X,
  H_MIN_Y,
  H_MIN_Z,
  H_ORIGIN_X,
  H_ORIGIN_Z,
  H_UNIT,
  MAP_BASE,
} from '../../assembly/layout.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** All in metres. */
export interface Extent {
  readonly minX: number;
  readonly minZ: number;
  readonly maxX: number;
  readonly maxZ: number;
  readonly minY: number;
  readonly maxY: number;
  readonly cellSize: number;
  readonly cellHeight: number;
  readonly agentRadius: number;
  readonly agentClimb: number;
}

/** Reads the header once. */
export function extentOf(kernel: Kernel): Extent {
  const at = (offset: number): number => kernel.f64(MAP_BASE + offset, 1)[0];
  const unit = at(H_UNIT);
  const x = at(H_ORIGIN_X);
  const z = at(H_ORIGIN_Z);
  return {
    minX: x + at(H_MIN_X) * unit,
    minZ: z + at(H_MIN_Z) * unit,
    maxX: x + at(H_MAX_X) * unit,
    maxZ: z + at(H_MAX_Z) * unit,
    minY: at(H_MIN_Y),
    maxY: at(H_MAX_Y),
    cellSize: at(H_CELL_SIZE),
    cellHeight: at(H_CELL_HEIGHT),
    agentRadius: at(H_AGENT_RADIUS),
    agentClimb: at(H_AGENT_CLIMB),
  };
}
