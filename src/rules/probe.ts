// Questions to the kernel off the hot path: where an entity stands, what lies under a point, how long the way round is.
// Answers stand in the kernel's output. Imported by guard.ts.
import { CORNER_STRIDE, F_CORNERS, FLOOR_ONLY, IN, NONE } from '../../assembly/layout.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** A floor is looked for this far down, metres: deeper than any level. */
export const DEEP = 1e5;
/** The nearest mesh is looked for in these steps, metres: most entities are on it or beside it. */
const SEARCH = [0.25, 1, 4, 16, 64] as const;
/** Farther than this from the mesh is nowhere. */
export const NOWHERE = 64;

/** Writes the arguments of `reach`, `ray` and `corridor`. */
export function ask(
  kernel: Kernel,
  fx: number,
  fy: number,
  fz: number,
  tx: number,
  ty: number,
  tz: number,
  below: number,
  above: number,
  tolerance: number,
  limit: number,
  nodeCap: number,
): void {
  const input = kernel.input;
  input[0] = fx;
  input[1] = fy;
  input[2] = fz;
  input[3] = tx;
  input[4] = ty;
  input[5] = tz;
  input[6] = below;
  input[7] = above;
  input[8] = tolerance;
  input[9] = limit;
  input[10] = nodeCap;
}

/**
 * The polygon for a point, or NONE; OUT as KernelExports.locate says. With FLOOR_ONLY where the point is a corner of two
 * fans: which of them is meant is not known, and no later question may take one for granted.
 */
export function locate(
  kernel: Kernel,
  x: number,
  y: number,
  z: number,
  below: number,
  above: number,
  tolerance: number,
): number {
  const input = kernel.input;
  input[0] = x;
  input[1] = y;
  input[2] = z;
  input[3] = below;
  input[4] = above;
  input[5] = tolerance;
  const polygon = kernel.locate() >>> 0;
  return kernel.output[6] === 1 ? (polygon | FLOOR_ONLY) >>> 0 : polygon;
}

/**
 * Where a body put at a point by the server stands: the floor of its height band under it, else the nearest floor at that
 * height, else whatever lies below. NONE when there is no mesh near; OUT as KernelExports.locate says.
 */
export function standing(kernel: Kernel, x: number, y: number, z: number, below: number, above: number): number {
  let polygon = locate(kernel, x, y, z, below, above, 0);
  if (polygon !== NONE) return polygon;
  // over a floor, in the air: that floor, but not one beside it at body height within a step
  for (const tolerance of SEARCH) {
    polygon = locate(kernel, x, y, z, below, above, tolerance);
    if (polygon !== NONE) return polygon;
    if (tolerance === SEARCH[0]) {
      polygon = locate(kernel, x, y, z, below, DEEP, 0);
      if (polygon !== NONE) return polygon;
    }
  }
  return locate(kernel, x, y, z, DEEP, DEEP, NOWHERE);
}

/** Corners of the last corridor: x, y, z in metres, three numbers each. Valid until the next call. */
export function corners(kernel: Kernel, count: number): Float64Array {
  const address = kernel.u32(kernel.input.byteOffset - IN + F_CORNERS, 1)[0];
  return kernel.f64(address, (count * CORNER_STRIDE) / 8);
}
