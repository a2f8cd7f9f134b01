// Slow ground: how much more than its metres a leg costs where areas are walked slower. Off the hot path, and nothing at all
// while no area is slow. Imported by rules/.
//
// The effort of a walk is its plan length, each metre divided by the multiplier m of the ground it lies on; at speed v it takes
// effort / v. What convicts is the kernel's lower bound of the effort of every walk between the two points
// (assembly/slow.ts): (d / m + (L - d)) for a leg of L metres whose end lies d metres deep in slow ground. Credit, open time
// and durations are charged the effort in place of the metres.
//
// Seams. A position may be beside the mesh by the edge tolerance, so it may be beside a seam by as much: a leg whose two ends
// are no deeper in slow ground than that costs its metres. An end is no deeper when a way through slow ground to plain ground
// never leads farther from it than the tolerance.
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
  P_AREA,
  P_COUNT,
  P_NEI,
  P_X,
  P_Z,
  POLY_STRIDE,
} from '../../assembly/layout.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { CORNER } from './ledger.ts';

const WORDS = POLY_STRIDE / 4;
/** Slow polygons looked at for one end at most; beyond it, it counts as near a seam. */
const MOST = 256;

export class Mud {
  readonly #kernel: Kernel;
  /** Multiplier by area. */
  readonly #speeds: Readonly<Float64Array>;
  /** The least multiplier. */
  readonly least: number;
  readonly #polysAt: number;
  readonly #count: number;
  readonly #unit: number;
  readonly #originX: number;
  readonly #originZ: number;
  #words: Uint32Array;
  #floats: Float32Array;

  constructor(kernel: Kernel, speeds: Readonly<Float64Array>) {
    this.#kernel = kernel;
    this.#speeds = speeds.slice();
    this.least = speeds.reduce((least, speed) => Math.min(least, speed), 1);
    this.#polysAt = kernel.u32(MAP_BASE + H_TABLE, 1)[0];
    this.#count = kernel.u32(MAP_BASE + H_POLYGONS, 1)[0];
    this.#unit = kernel.f64(MAP_BASE + H_UNIT, 1)[0];
    this.#originX = kernel.f64(MAP_BASE + H_ORIGIN_X, 1)[0];
    this.#originZ = kernel.f64(MAP_BASE + H_ORIGIN_Z, 1)[0];
    this.#words = kernel.u32(MAP_BASE + this.#polysAt, this.#count * WORDS);
    this.#floats = kernel.f32(MAP_BASE + this.#polysAt, this.#count * WORDS);
  }

  /** How fast the ground of a polygon is walked: 1 for plain ground. */
  of(polygon: number): number {
    if (!(polygon < this.#count)) return 1;
    this.#see();
    const area = (this.#words[polygon * WORDS + P_COUNT / 4] >>> (8 * (P_AREA - P_COUNT))) & 0xff;
    return area < this.#speeds.length ? this.#speeds[area] : 1;
  }

  /** Whether a point of a polygon (metres) lies deeper in slow ground than `tolerance`. */
  isDeep(polygon: number, x: number, z: number, tolerance: number): boolean {
    if (!(polygon < this.#count) || !(this.of(polygon) < 1)) return false;
    const px = (x - this.#originX) / this.#unit;
    const pz = (z - this.#originZ) / this.#unit;
    const near = tolerance / this.#unit;
    const found = [polygon];
    for (let k = 0; k < found.length; k++) {
      if (found.length > MOST) return false;
      const at = found[k] * WORDS;
      const n = this.#words[at + P_COUNT / 4] & 0xff;
      for (let i = 0; i < n; i++) {
        const next = this.#words[at + P_NEI / 4 + i];
        if (next === 0) continue;
        const id = (next - this.#polysAt) / POLY_STRIDE;
        if (found.includes(id) || this.#toEdge(at, i, i + 1 < n ? i + 1 : 0, px, pz) > near) continue;
        if (!(this.of(id) < 1)) return false;
        found.push(id);
      }
    }
    return true;
  }

  /** Distance (units) from a point to edge i -> j of the polygon whose record begins at word `at`. */
  #toEdge(at: number, i: number, j: number, px: number, pz: number): number {
    const f = this.#floats;
    const ax = f[at + P_X / 4 + i];
    const az = f[at + P_Z / 4 + i];
    const dx = f[at + P_X / 4 + j] - ax;
    const dz = f[at + P_Z / 4 + j] - az;
    const square = dx * dx + dz * dz;
    const share = square > 0 ? Math.min(Math.max(((px - ax) * dx + (pz - az) * dz) / square, 0), 1) : 0;
    const x = ax + share * dx - px;
    const z = az + share * dz - pz;
    return Math.sqrt(x * x + z * z);
  }

  /** Views of the kernel's memory are remade when it has grown. */
  #see(): void {
    const { buffer } = this.#kernel;
    if (this.#words.buffer === buffer) return;
    this.#words = this.#kernel.u32(MAP_BASE + this.#polysAt, this.#count * WORDS);
    this.#floats = this.#kernel.f32(MAP_BASE + this.#polysAt, this.#count * WORDS);
  }

  /**
   * After a `corridor` of `polygons` polygons and `count` corners: the way again with a corner more wherever it comes onto
   * ground of another speed (x, y, z each), and each leg's multiplier. Legs over links are plain. The polygons are convex and
   * come in the way's order: what of a leg lies in each is clipped.
   */
  split(count: number, polygons: number, isLink: (leg: number) => boolean): Split {
    this.#see();
    const kernel = this.#kernel;
    const frame = kernel.input.byteOffset - IN;
    const flat = kernel.f64(kernel.u32(frame + F_CORNERS, 1)[0], (count * CORNER_STRIDE) / 8).slice();
    const ids = kernel.u32(kernel.u32(frame + F_PATH, 1)[0], polygons);
    const out: number[] = [...flat.subarray(0, 3)];
    const speeds: number[] = [];
    const add = (leg: number, share: number, speed: number): void => {
      const a = 3 * leg;
      const last = speeds.length - 1;
      for (let k = 0; k < 3; k++) {
        out.push(share === 1 ? flat[a + 3 + k] : flat[a + k] + share * (flat[a + 3 + k] - flat[a + k]));
      }
      speeds[last + 1] = speed;
    };
    let first = 0;
    for (let leg = 0; leg + 1 < count; leg++) {
      let done = 0;
      let speed = 1;
      for (let k = first; k < polygons && done < 1 && !isLink(leg); k++) {
        if (!this.#clip(ids[k], flat, leg)) continue;
        const end = clipped.to > 1 - ROUNDING ? 1 : clipped.to;
        if (!(end > done)) continue;
        first = k;
        const here = this.of(ids[k]);
        if (here !== speed && clipped.from > done + ROUNDING && clipped.from < 1) add(leg, clipped.from, speed);
        else if (here !== speed && done > 0 && done < 1) add(leg, done, speed);
        speed = here;
        done = end;
      }
      add(leg, 1, speed);
    }
    return { corners: Float64Array.from(out), speeds };
  }

  /** What part of a leg lies in a polygon, to `clipped`; false when none does. */
  #clip(p: number, flat: Float64Array, leg: number): boolean {
    if (!(p < this.#count)) return false;
    const at = p * WORDS;
    const n = this.#words[at + P_COUNT / 4] & 0xff;
    const f = this.#floats;
    const a = 3 * leg;
    const ax = (flat[a] - this.#originX) / this.#unit;
    const az = (flat[a + 2] - this.#originZ) / this.#unit;
    const bx = (flat[a + 3] - this.#originX) / this.#unit;
    const bz = (flat[a + 5] - this.#originZ) / this.#unit;
    clipped.from = 0;
    clipped.to = 1;
    for (let i = 0; i < n; i++) {
      const j = i + 1 < n ? i + 1 : 0;
      const x = f[at + P_X / 4 + i];
      const z = f[at + P_Z / 4 + i];
      const ex = f[at + P_X / 4 + j] - x;
      const ez = f[at + P_Z / 4 + j] - z;
      // counter-clockwise from x to z: inside is where this is not negative
      const start = ex * (az - z) - ez * (ax - x);
      const end = ex * (bz - z) - ez * (bx - x);
      if (start < 0 && end < 0) return false;
      if (start < 0) clipped.from = Math.max(clipped.from, start / (start - end));
      else if (end < 0) clipped.to = Math.min(clipped.to, start / (start - end));
    }
    return clipped.to > clipped.from;
  }
}

const clipped = { from: 0, to: 1 };
/** Shares of a leg nearer than this are one. */
const ROUNDING = 1e-9;

/** A way in legs over ground of one speed each. */
export interface Split {
  readonly corners: Float64Array;
  readonly speeds: readonly number[];
}

/**
 * By how much the legs of a path whose plan distances are laid are longer on slow ground, metres; they become part of it.
 * `from`: the number of the corner that the first multiplier's leg starts at.
 */
export function slowDown(path: Float64Array, count: number, from: number, speeds: readonly number[]): number {
  let more = 0;
  let last = path[3];
  for (let i = 1; i < count; i++) {
    const at = i * CORNER + 3;
    const length = path[at] - last;
    last = path[at];
    const speed = i > from ? speeds[i - 1 - from] : 1;
    if (speed < 1) more += length / speed - length;
    path[at] += more;
  }
  return more;
}

/** How far along such a path its point `stop` plan metres before its end is. */
export function endBefore(path: Float64Array, count: number, stop: number): number {
  let left = stop;
  for (let i = count - 1; i > 0; i--) {
    const a = (i - 1) * CORNER;
    const b = i * CORNER;
    const dx = path[b] - path[a];
    const dz = path[b + 2] - path[a + 2];
    const plan = Math.sqrt(dx * dx + dz * dz);
    if (plan >= left) return path[b + 3] - (plan > 0 ? left / plan : 0) * (path[b + 3] - path[a + 3]);
    left -= plan;
  }
  return 0;
}

/** By how much a split way's effort exceeds its length, metres. */
export function metresMore({ corners, speeds }: Split): number {
  let more = 0;
  speeds.forEach((speed, leg) => {
    const dx = corners[3 * leg + 3] - corners[3 * leg];
    const dz = corners[3 * leg + 5] - corners[3 * leg + 2];
    more += Math.sqrt(dx * dx + dz * dz) * (1 / speed - 1);
  });
  return more;
}

/** How many metres each of a leg of `length` m counts at least, from the kernel's lower bound of its effort. */
export function factorOf(effort: number, length: number): number {
  return effort < Infinity && length > 0 && effort > length ? effort / length : 1;
}
