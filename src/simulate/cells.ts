// A grid as true ground: walks over free cells, never between two that touch at a corner only, found by breadth-first
// search and pulled straight where no blocked cell comes near. Imported by stage.ts.
import type { Point, Terrain, Track } from './actor.ts';
import type { Random } from './random.ts';

/** A straight leg stays this far off blocked cells: a share of a cell. */
const CLEARANCE = 0.02;
/** Cells. */
const ON_SIDE = 0.005;
const HZ = 60;
/** Metres a second of whoever is recorded; replays scale it. */
const PACE = 5;

export interface Grid {
  readonly rows: readonly string[];
  /** Metres per cell. */
  readonly cell: number;
  readonly origin: readonly [number, number];
}

export class Cells implements Terrain {
  readonly #grid: Grid;
  readonly #width: number;
  readonly #height: number;
  readonly #free: number[] = [];

  constructor(grid: Grid) {
    this.#grid = grid;
    this.#width = grid.rows[0].length;
    this.#height = grid.rows.length;
    for (let i = 0; i < this.#width * this.#height; i++)
      if (this.#isFree(i % this.#width, this.#row(i))) this.#free.push(i);
  }

  randomPoint(random: Random): Point {
    const i = this.#free[random.below(this.#free.length)];
    return this.#point((i % this.#width) + random.between(0.05, 0.95), this.#row(i) + random.between(0.05, 0.95));
  }

  onGround(p: Point): Point | null {
    const [u, v] = this.#cells(p);
    return this.#isFree(Math.floor(u), Math.floor(v)) ? { x: p.x, y: 0, z: p.z } : null;
  }

  sight(from: Point, to: Point): boolean {
    return this.#clear(this.#cells(from), this.#cells(to), 0);
  }

  walk(from: Point, to: Point): number {
    if (this.onGround(from) === null || this.onGround(to) === null) return Number.NaN;
    const corners = this.path(from, to);
    if (corners === null) return Number.POSITIVE_INFINITY;
    let length = 0;
    for (let i = 1; i < corners.length; i++) {
      length += Math.hypot(corners[i].x - corners[i - 1].x, corners[i].z - corners[i - 1].z);
    }
    return length;
  }

  path(from: Point, to: Point): Point[] | null {
    const start = this.#cells(from);
    const end = this.#cells(to);
    const first = this.#cellOf(start);
    const last = this.#cellOf(end);
    const steps = this.#search(first, last);
    if (steps === null) return null;
    const centres = steps.map((i): [number, number] => [(i % this.#width) + 0.5, this.#row(i) + 0.5]);
    const points = [start, ...centres, end];
    // pulled straight: from each corner to the farthest that is in sight
    const corners = [start];
    let at = 0;
    while (at < points.length - 1) {
      let next = at + 1;
      while (next + 1 < points.length && this.#clear(points[at], points[next + 1], CLEARANCE)) next++;
      corners.push(points[next]);
      at = next;
    }
    return corners.map(([u, v]) => this.#point(u, v));
  }

  floorAt(): number {
    return 0;
  }

  lowerGroundNear(): boolean {
    return false;
  }

  /** Walks from place to place at a constant pace. */
  record(random: Random, walkers: number, seconds: number): Track[] {
    const samples = Math.floor(seconds * HZ);
    return Array.from({ length: walkers }, () => {
      const xyz = new Float32Array(samples * 3);
      let at = this.randomPoint(random);
      let corners: Point[] = [];
      for (let i = 0; i < samples; i++) {
        let left = PACE / HZ;
        while (left > 0) {
          if (corners.length === 0) {
            corners = this.path(at, this.randomPoint(random))?.slice(1) ?? [];
            if (corners.length === 0) break;
          }
          const [next] = corners;
          const leg = Math.hypot(next.x - at.x, next.z - at.z);
          if (leg <= left) {
            at = next;
            corners.shift();
            left -= leg;
          } else {
            at = { x: at.x + ((next.x - at.x) * left) / leg, y: 0, z: at.z + ((next.z - at.z) * left) / leg };
            left = 0;
          }
        }
        xyz[i * 3] = at.x;
        xyz[i * 3 + 2] = at.z;
      }
      return { source: 'grid', hz: HZ, xyz, speed: PACE, scalable: true, reversible: true };
    });
  }

  #row(i: number): number {
    return Math.floor(i / this.#width);
  }

  #isFree(u: number, v: number): boolean {
    return u >= 0 && v >= 0 && u < this.#width && v < this.#height && this.#grid.rows[v][u] === '.';
  }

  #cells(p: Point): [number, number] {
    const { cell, origin } = this.#grid;
    return [(p.x - origin[0]) / cell, (p.z - origin[1]) / cell];
  }

  /** The cell that a point is in; on a side (positions from servers are rounded) the free one. */
  #cellOf([u, v]: readonly [number, number]): number {
    const us = [Math.floor(u), Math.floor(u - ON_SIDE), Math.floor(u + ON_SIDE)];
    const vs = [Math.floor(v), Math.floor(v - ON_SIDE), Math.floor(v + ON_SIDE)];
    for (const b of vs) for (const a of us) if (this.#isFree(a, b)) return a + b * this.#width;
    return us[0] + vs[0] * this.#width;
  }

  #point(u: number, v: number): Point {
    const { cell, origin } = this.#grid;
    return { x: origin[0] + u * cell, y: 0, z: origin[1] + v * cell };
  }

  /** Breadth-first over sides; the cells from first to last. */
  #search(first: number, last: number): number[] | null {
    const w = this.#width;
    const before = new Int32Array(w * this.#height).fill(-1);
    before[first] = first;
    const queue = [first];
    for (let head = 0; head < queue.length; head++) {
      const i = queue[head];
      if (i === last) break;
      const [u, v] = [i % w, this.#row(i)];
      for (const [du, dv] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
      ]) {
        const next = i + du + dv * w;
        if (!this.#isFree(u + du, v + dv) || before[next] >= 0) continue;
        before[next] = i;
        queue.push(next);
      }
    }
    if (before[last] < 0) return null;
    const steps = [last];
    while (steps[steps.length - 1] !== first) steps.push(before[steps[steps.length - 1]]);
    return steps.reverse();
  }

  /** No blocked cell, grown by `margin` on all sides, meets the segment. Brute force over its box. */
  #clear(a: readonly [number, number], b: readonly [number, number], margin: number): boolean {
    const [u0, u1] = [Math.min(a[0], b[0]) - margin, Math.max(a[0], b[0]) + margin];
    const [v0, v1] = [Math.min(a[1], b[1]) - margin, Math.max(a[1], b[1]) + margin];
    for (let v = Math.floor(v0); v <= Math.floor(v1); v++) {
      for (let u = Math.floor(u0); u <= Math.floor(u1); u++) {
        if (!this.#isFree(u, v) && meets(a, b, u - margin, v - margin, u + 1 + margin, v + 1 + margin)) return false;
      }
    }
    return true;
  }
}

/** Whether a segment meets a closed rectangle. Source: Liang and Barsky, 1984. */
function meets(
  a: readonly [number, number],
  b: readonly [number, number],
  minU: number,
  minV: number,
  maxU: number,
  maxV: number,
): boolean {
  let enter = 0;
  let leave = 1;
  const low = [minU, minV];
  const high = [maxU, maxV];
  for (let k = 0; k < 2; k++) {
    const d = b[k] - a[k];
    if (d === 0) {
      if (a[k] < low[k] || a[k] > high[k]) return false;
      continue;
    }
    const t0 = (low[k] - a[k]) / d;
    const t1 = (high[k] - a[k]) / d;
    enter = Math.max(enter, Math.min(t0, t1));
    leave = Math.min(leave, Math.max(t0, t1));
  }
  return enter <= leave;
}

/** Rooms with doors, or open ground with blocked cells here and there; seeded. */
export function gridRows(kind: 'rooms' | 'noise', size: number, random: Random): string[] {
  const blocked = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  if (kind === 'noise') {
    for (const row of blocked) for (let u = 0; u < size; u++) row[u] = random.chance(0.22);
  } else {
    const room = 8;
    for (let v = 0; v < size; v++) for (let u = 0; u < size; u++) blocked[v][u] = u % room === 0 || v % room === 0;
    for (let v = 0; v < size; v += room) {
      for (let u = 0; u < size; u += room) {
        // a door in the wall on the left and in the one below, most of the time
        if (random.chance(0.8)) blocked[Math.min(size - 1, v + 1 + random.below(room - 1))][u] = u === 0;
        if (random.chance(0.8)) blocked[v][Math.min(size - 1, u + 1 + random.below(room - 1))] = v === 0;
      }
    }
  }
  return blocked.map((row) => row.map((b) => (b ? '#' : '.')).join(''));
}
