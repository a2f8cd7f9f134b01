// A guard with a clock of its own on a small map, and the words to tell a story in: for the tests of the guard.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GridMap } from '../../src/gridmap.ts';
import { MoveGuard } from '../../src/guard.ts';
import { NavMap } from '../../src/map.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import type { Verdict } from '../../src/types.ts';

/** Whatever holds a kernel. */
type AnyMap = ConstructorParameters<typeof MoveGuard>[0];

export class World {
  t = 0;
  seq = 0;
  readonly guard: MoveGuard;

  constructor(map: AnyMap, rules: Record<string, unknown> = {}) {
    this.guard = new MoveGuard(map, rules, { now: () => this.t });
  }

  /** Lets time pass, then claims a position under the next number. */
  move(dtMs: number, x: number, z: number, y = 0): Verdict {
    this.t += dtMs;
    return this.guard.move('p', ++this.seq, x, y, z).copy();
  }

  /** Walks in equal steps; returns the verdicts. */
  walk(steps: number, dtMs: number, dx: number, dz: number): Verdict[] {
    const verdicts: Verdict[] = [];
    for (let i = 0; i < steps; i++) {
      const [x, , z] = this.pos;
      verdicts.push(this.move(dtMs, x + dx, z + dz));
    }
    return verdicts;
  }

  /** A client that does not heed corrections: steps from its own position. */
  run(steps: number, dtMs: number, from: readonly [number, number], dx: number, dz: number): Verdict[] {
    return Array.from({ length: steps }, (_, i) => this.move(dtMs, from[0] + dx * (i + 1), from[1] + dz * (i + 1)));
  }

  get pos(): [number, number, number] {
    return this.guard.positionAt('p') as [number, number, number];
  }

  get state(): Float64Array {
    return this.guard.stateOf('p') as Float64Array;
  }
}

/** An open field, metres by metres, lower corner at 0, 0. */
export function field(width = 400, depth = 60): GridMap {
  return GridMap.from(Array.from({ length: depth }, () => '.'.repeat(width)));
}

/** A field with blocked rectangles [x0, z0, x1, z1) in cells. */
export function blockedField(width: number, depth: number, cell: number, blocks: readonly number[][]): GridMap {
  const rows = Array.from({ length: depth }, (_, z) =>
    Array.from({ length: width }, (_, x) =>
      blocks.some(([x0, z0, x1, z1]) => x >= x0 && x < x1 && z >= z0 && z < z1) ? '#' : '.',
    ).join(''),
  );
  return GridMap.from(rows, { cell });
}

/** Level rectangles [x0, z0, x1, z1, y], not joined with each other, as a navmesh of floors. */
export function floors(rects: readonly (readonly [number, number, number, number, number])[]): NavMap {
  const n = rects.length;
  const vertices = new Float32Array(12 * n);
  rects.forEach(([x0, z0, x1, z1, y], p) => {
    vertices.set([x0, y, z0, x1, y, z0, x1, y, z1, x0, y, z1], 12 * p);
  });
  const all = { x: rects.flatMap((r) => [r[0], r[2]]), z: rects.flatMap((r) => [r[1], r[3]]) };
  const mesh: NavMesh = {
    format: 'test floors',
    tiles: [
      {
        x: 0,
        y: 0,
        layer: 0,
        polyBase: 0,
        polyCount: n,
        bounds: [Math.min(...all.x), -100, Math.min(...all.z), Math.max(...all.x), 100, Math.max(...all.z)],
      },
    ],
    lattice: { x: 0, z: 0, cell: 0 },
    agent: { height: 2, radius: 0.4, climb: 0.4 },
    vertices,
    first: Uint32Array.from({ length: n + 1 }, (_, p) => 4 * p),
    corners: Uint32Array.from({ length: 4 * n }, (_, c) => c),
    neighbours: new Int32Array(4 * n).fill(-1),
    portals: new Uint32Array(0),
    areas: new Uint8Array(n),
    flags: new Uint16Array(n).fill(1),
    polyTile: new Uint32Array(n),
    detailFirstVertex: new Uint32Array(n + 1),
    detailVertices: new Float32Array(0),
    detailFirstTriangle: new Uint32Array(n + 1),
    detailTriangles: new Uint8Array(0),
    links: [],
  };
  return NavMap.fromMesh(mesh);
}

/** A bundled map. */
export async function bundled(name: string): Promise<NavMap> {
  return NavMap.load(readFileSync(join(import.meta.dirname, '../../navdata/maps', `${name}.bin`)));
}

export const accepted = (verdicts: readonly Verdict[]): boolean => verdicts.every((v) => v.verdict === 'accept');
export const firstRefusal = (verdicts: readonly Verdict[]): number => verdicts.findIndex((v) => !v.accepted);
