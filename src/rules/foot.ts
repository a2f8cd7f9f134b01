// Which floor a claimed point of the ground means. Imported by rules/.
import { NONE } from '../../assembly/layout.ts';
import { locate } from './probe.ts';
import type { Scene } from './scene.ts';

/** A point of the ground: on which polygon and where on it; NONE = nowhere near, and the point is the claimed one. */
export interface Foot {
  polygon: number;
  x: number;
  floor: number;
  z: number;
}

/** Where the claim at hand is from, and where it leads. */
export const stance: Foot = { polygon: NONE, x: 0, floor: 0, z: 0 };
export const goal: Foot = { polygon: NONE, x: 0, floor: 0, z: 0 };

/**
 * Beside a ledge the mesh nearest in the plan may be that of the floor below: the floor at the height of the feet comes
 * first, then any in the height band.
 */
export function findFoot(scene: Scene, foot: Foot, x: number, level: number, z: number, tolerance: number): void {
  const { kernel, below, above } = scene;
  let polygon = locate(kernel, x, level, z, below, scene.step, tolerance);
  if (polygon === NONE) polygon = locate(kernel, x, level, z, below, above, tolerance);
  const out = kernel.output;
  const on = polygon !== NONE;
  foot.polygon = polygon;
  const beside = on && out[3] > 0;
  foot.x = beside ? out[0] : x;
  foot.floor = on ? out[1] : level;
  foot.z = beside ? out[2] : z;
}
