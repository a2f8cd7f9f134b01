// Asks corridor and reach one at a time and reads all they say, and the packed polygons as plain rings.
import {
  CORNER_STRIDE,
  F_CORNERS,
  F_PATH,
  H_ORIGIN_X,
  H_ORIGIN_Z,
  H_POLYGONS,
  H_TABLE,
  H_UNIT,
  IN,
  MAP_BASE,
  NODE_CAP,
  NONE,
  P_COUNT,
  P_NEI,
  P_X,
  P_YMIN,
  P_Z,
  POLY_STRIDE,
} from '../../assembly/layout.ts';
import type { Kernel } from '../../src/kernel/index.ts';
import type { Portal, Surface } from '../oracle/sleeve.ts';
import { type Band, type Place, UNIT } from './ask.ts';

export interface WalkOptions {
  limit?: number;
  cap?: number;
  hint?: number;
  band?: Band;
}
const FLAT: Band = { below: 1, above: 1, tolerance: 0 };

function ask(kernel: Kernel, from: Place, to: Place, options: WalkOptions): void {
  const { below, above, tolerance } = options.band ?? FLAT;
  kernel.input.set([...from, ...to, below, above, tolerance, options.limit ?? Infinity, options.cap ?? NODE_CAP]);
}

export interface CorridorAnswer {
  status: number;
  length: number;
  corners: [number, number, number][];
  nodes: number;
  polygons: number[];
  proven: boolean;
}

export function askCorridor(kernel: Kernel, from: Place, to: Place, options: WalkOptions = {}): CorridorAnswer {
  ask(kernel, from, to, options);
  const status = kernel.corridor(options.hint ?? NONE);
  const [length, cornerCount, nodes, pathSize, proven] = kernel.output as unknown as number[];
  const frame = kernel.input.byteOffset - IN;
  const flat = kernel.f64(kernel.u32(frame + F_CORNERS, 1)[0]!, (cornerCount! * CORNER_STRIDE) / 8);
  return {
    status,
    length: length!,
    corners: Array.from({ length: cornerCount! }, (_, i) => [flat[3 * i]!, flat[3 * i + 1]!, flat[3 * i + 2]!]),
    nodes: nodes!,
    polygons: [...kernel.u32(kernel.u32(frame + F_PATH, 1)[0]!, pathSize!)],
    proven: proven === 1,
  };
}

export interface ReachAnswer {
  status: number;
  straight: number;
  length: number;
  bound: number;
  target: number;
  targetPoint: number[];
  targetDistance: number;
  start: number;
  startPoint: number[];
  startDistance: number;
  nodes: number;
  t: number;
  edgeDistance: number;
}

export function askReach(kernel: Kernel, from: Place, to: Place, options: WalkOptions = {}): ReachAnswer {
  ask(kernel, from, to, options);
  const status = kernel.reach(options.hint ?? NONE, NONE);
  const o = [...kernel.output] as number[];
  return {
    status,
    straight: o[0]!,
    length: o[1]!,
    bound: o[2]!,
    target: o[3]!,
    targetPoint: o.slice(4, 7),
    targetDistance: o[7]!,
    start: o[8]!,
    startPoint: o.slice(9, 12),
    startDistance: o[12]!,
    nodes: o[13]!,
    t: o[14]!,
    edgeDistance: o[15]!,
  };
}

/** The packed polygons: rings of the lattice's integers (1/1024 m) and what lies across each edge. */
export function surfaceOf(kernel: Kernel): Surface {
  const count = kernel.u32(MAP_BASE + H_POLYGONS, 1)[0]!;
  const table = kernel.u32(MAP_BASE + H_TABLE, 1)[0]!;
  const [originX, originZ, unit] = [H_ORIGIN_X, H_ORIGIN_Z, H_UNIT].map((at) => kernel.f64(MAP_BASE + at, 1)[0]!) as [
    number,
    number,
    number,
  ];
  const rings: number[][] = [];
  const across: number[][] = [];
  for (let p = 0; p < count; p++) {
    const at = MAP_BASE + table + p * POLY_STRIDE;
    // room for pieces of cut polygons holds nobody
    if (kernel.f32(at + P_YMIN, 1)[0] === Infinity) break;
    const n = kernel.u8(at + P_COUNT, 1)[0]!;
    const xs = kernel.f32(at + P_X, n);
    const zs = kernel.f32(at + P_Z, n);
    rings.push([...xs].flatMap((x, i) => [(originX + x * unit) / UNIT, (originZ + zs[i]! * unit) / UNIT]));
    across.push([...kernel.u32(at + P_NEI, n)].map((nei) => (nei === 0 ? -1 : (nei - table) / POLY_STRIDE)));
  }
  return { rings, across };
}

/** The portals of a sequence of polygons; undefined where two polygons share more than one edge. */
export function portalsOf(surface: Surface, polygons: readonly number[]): Portal[] | undefined {
  const portals: Portal[] = [];
  for (let i = 1; i < polygons.length; i++) {
    const ring = surface.rings[polygons[i - 1]!]!;
    const n = ring.length / 2;
    const edges = surface.across[polygons[i - 1]!]!.flatMap((q, e) => (q === polygons[i] ? [e] : []));
    if (edges.length !== 1) return undefined;
    const [r, l] = [edges[0]!, (edges[0]! + 1) % n];
    portals.push([
      [ring[2 * l]!, ring[2 * l + 1]!],
      [ring[2 * r]!, ring[2 * r + 1]!],
    ]);
  }
  return portals;
}

export interface ShortestAnswer {
  status: number;
  length: number;
  corners: [number, number, number][];
  nodes: number;
}

export function askShortest(kernel: Kernel, from: Place, to: Place, options: WalkOptions = {}): ShortestAnswer {
  ask(kernel, from, to, options);
  const status = kernel.shortest(options.hint ?? NONE);
  const [length, cornerCount, nodes] = kernel.output as unknown as number[];
  const frame = kernel.input.byteOffset - IN;
  const flat = kernel.f64(kernel.u32(frame + F_CORNERS, 1)[0]!, (cornerCount! * CORNER_STRIDE) / 8);
  return {
    status,
    length: length!,
    corners: Array.from({ length: cornerCount! }, (_, i) => [flat[3 * i]!, flat[3 * i + 1]!, flat[3 * i + 2]!]),
    nodes: nodes!,
  };
}
