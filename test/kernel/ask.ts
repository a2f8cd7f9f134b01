// Loads test maps into kernels and asks them in batches, integer points in, plain arrays out.

import { createKernel, type Engine, type Kernel } from '../../src/kernel/index.ts';
import { conform } from '../../src/mesh/conform.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { pack } from '../../src/pack/pack.ts';
import type { Point } from '../oracle/sight.ts';

export const UNIT = 1 / 1024;
export const NONE = 0xffffffff;
export const CLEAR = 0;
export const BLOCKED = 5;
export const FROM_OFF = 6;
export const OUT_OF_RANGE = 8;

/** x, y, z in metres. */
export type Place = readonly [number, number, number];

export interface Band {
  below: number;
  above: number;
  tolerance: number;
}
/** Any height, no tolerance: plan questions on exact points. */
export const FLAT: Band = { below: 1, above: 1, tolerance: 0 };

export function packOf(mesh: NavMesh): ArrayBuffer {
  return pack(mesh, conform(mesh));
}

export function kernelOf(mesh: NavMesh, engine: Engine): Kernel {
  const kernel = createKernel(engine);
  kernel.load(packOf(mesh));
  return kernel;
}

export interface RayAnswers {
  status: Uint32Array;
  t: Float64Array;
  last: Uint32Array;
}

export function askRays(
  kernel: Kernel,
  from: readonly Place[],
  to: readonly Place[],
  band: Band = FLAT,
  hints?: readonly number[],
): RayAnswers {
  const n = from.length;
  const base = kernel.reserve(n * (24 + 24 + 8 + 4 + 4 + 4));
  const at = {
    from: base,
    to: base + 24 * n,
    t: base + 48 * n,
    polygon: base + 56 * n,
    status: base + 60 * n,
    last: base + 64 * n,
  };
  kernel.f64(at.from, 3 * n).set(from.flat());
  kernel.f64(at.to, 3 * n).set(to.flat());
  kernel.u32(at.polygon, n).set(hints ?? new Uint32Array(n).fill(NONE));
  setBand(kernel, band);
  kernel.batchRay(n, at.from, at.to, at.polygon, at.status, at.t, at.last);
  return {
    status: kernel.u32(at.status, n).slice(),
    t: kernel.f64(at.t, n).slice(),
    last: kernel.u32(at.last, n).slice(),
  };
}

/** The same rays one by one. */
export function askRay(kernel: Kernel, from: Place, to: Place, band: Band = FLAT, hint = NONE): number {
  kernel.input.set([...from, ...to, band.below, band.above, band.tolerance]);
  return kernel.ray(hint);
}

export interface LocateAnswers {
  polygon: Uint32Array;
  point: Float64Array;
  distance: Float64Array;
}

export function askLocate(kernel: Kernel, places: readonly Place[], band: Band): LocateAnswers {
  const n = places.length;
  const base = kernel.reserve(n * (24 + 24 + 8 + 4));
  const at = { pos: base, point: base + 24 * n, distance: base + 48 * n, polygon: base + 56 * n };
  kernel.f64(at.pos, 3 * n).set(places.flat());
  setBand(kernel, band);
  kernel.batchLocate(n, at.pos, at.polygon, at.point, at.distance);
  return {
    polygon: kernel.u32(at.polygon, n).slice(),
    point: kernel.f64(at.point, 3 * n).slice(),
    distance: kernel.f64(at.distance, n).slice(),
  };
}

function setBand(kernel: Kernel, band: Band): void {
  kernel.input[6] = band.below;
  kernel.input[7] = band.above;
  kernel.input[8] = band.tolerance;
}

/** An integer point as a position at height y. */
export function place(p: Point, y = 0): Place {
  return [p[0] * UNIT, y, p[1] * UNIT];
}
