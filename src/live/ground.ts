// Reads the pack for those who cut it: polygons in plan, what may lie under an outline, heights. Imported by obstacles.ts only.
import * as L from '../../assembly/layout.ts';
import { WORDS } from './records.ts';
import type { Frame, Outline } from './shape.ts';
import type { Room } from './spare.ts';

export class Ground {
  readonly frame: Frame;
  readonly #words: Uint32Array;
  readonly #floats: Float32Array;
  readonly #view: DataView;
  readonly #room: Room;
  readonly #seen: Uint32Array;
  #search = 0;

  constructor(pack: ArrayBuffer, room: Room) {
    this.#room = room;
    this.#words = new Uint32Array(pack, room.polysAt, room.base * WORDS);
    this.#floats = new Float32Array(pack, room.polysAt, room.base * WORDS);
    this.#view = new DataView(pack);
    this.#seen = new Uint32Array(room.base);
    const f64 = (at: number): number => this.#view.getFloat64(at, true);
    this.frame = {
      originX: f64(L.H_ORIGIN_X),
      originZ: f64(L.H_ORIGIN_Z),
      unit: f64(L.H_UNIT),
      radius: f64(L.H_AGENT_RADIUS),
      height: f64(L.H_AGENT_HEIGHT),
    };
  }

  count(p: number): number {
    return this.#words[p * WORDS + L.P_COUNT / 4] & 0xff;
  }

  plan(p: number): { x: Float32Array; z: Float32Array } {
    const at = p * WORDS;
    const n = this.count(p);
    return { x: this.#floats.subarray(at, at + n), z: this.#floats.subarray(at + 8, at + 8 + n) };
  }

  /** The polygon of the pack across edge i, -1 = wall. */
  across(p: number, i: number): number {
    const offset = this.#words[p * WORDS + L.P_NEI / 4 + i];
    return offset === 0 ? -1 : (offset - this.#room.polysAt) / L.POLY_STRIDE;
  }

  /** Whether edge i of p is edge k of q, run the other way. */
  meet(p: number, i: number, q: number, k: number): boolean {
    const f = this.#floats;
    const [a, b] = [p * WORDS, q * WORDS];
    const j = i + 1 < this.count(p) ? i + 1 : 0;
    return f[a + j] === f[b + k] && f[a + 8 + j] === f[b + 8 + k];
  }

  /** Polygons whose grid cells an outline touches, by number. */
  near({ x, z }: Outline): number[] {
    const view = this.#view;
    const u32 = (at: number): number => view.getUint32(at, true);
    const inverse = view.getFloat64(L.H_GRID_INV, true);
    const [w, h] = [u32(L.H_GRID_W), u32(L.H_GRID_H)];
    const [gx, gz] = [view.getFloat64(L.H_GRID_X, true), view.getFloat64(L.H_GRID_Z, true)];
    const i0 = Math.max(0, Math.floor((Math.min(...x) - gx) * inverse));
    const i1 = Math.min(w - 1, Math.floor((Math.max(...x) - gx) * inverse));
    const j0 = Math.max(0, Math.floor((Math.min(...z) - gz) * inverse));
    const j1 = Math.min(h - 1, Math.floor((Math.max(...z) - gz) * inverse));
    const starts = u32(L.H_TABLE + 8 * L.SECTION_CELL_START);
    const lists = u32(L.H_TABLE + 8 * L.SECTION_CELL_LIST);
    const found: number[] = [];
    this.#search++;
    for (let j = j0; j <= j1; j++) {
      for (let i = i0; i <= i1; i++) {
        const end = u32(starts + 4 * (j * w + i + 1));
        for (let e = u32(starts + 4 * (j * w + i)); e < end; e++) {
          const p = u32(lists + 4 * e);
          if (this.#seen[p] === this.#search) continue;
          this.#seen[p] = this.#search;
          found.push(p);
        }
      }
    }
    return found.sort((a, b) => a - b);
  }

  /**
   * Whether the floor of polygon p may be at a height that the outline covers, somewhere under it: by the plane that its heights
   * lie near, at the corners of what they have in common, and the range of its heights.
   */
  meets(p: number, { x, z, low, high }: Outline): boolean {
    const at = p * WORDS;
    const least = this.#floats[at + L.P_YMIN / 4];
    const most = this.#floats[at + L.P_YMAX / 4];
    if (!(least < high && most > low)) return false;
    const entry = this.#words[at + L.P_DETAIL / 4];
    const f32 = (offset: number): number => this.#view.getFloat32(entry + offset, true);
    const spread = f32(L.D_SPREAD);
    if (!(spread < Infinity)) return true;
    const [slopeX, slopeZ, level] = [f32(L.D_SLOPE_X), f32(L.D_SLOPE_Z), f32(L.D_LEVEL)];
    // The plane over the smaller of both boxes: a little more than what they have in common.
    const plan = this.plan(p);
    const x0 = Math.max(Math.min(...x), Math.min(...plan.x));
    const x1 = Math.min(Math.max(...x), Math.max(...plan.x));
    const z0 = Math.max(Math.min(...z), Math.min(...plan.z));
    const z1 = Math.min(Math.max(...z), Math.max(...plan.z));
    const middle = level + (slopeX * (x0 + x1)) / 2 + (slopeZ * (z0 + z1)) / 2;
    const away = (Math.abs(slopeX) * (x1 - x0)) / 2 + (Math.abs(slopeZ) * (z1 - z0)) / 2 + spread;
    return middle - away < high && middle + away > low;
  }

  /** Height (m) of a corner that a cut has put into polygon p: on edge `edge` (or -1) of it. */
  height(p: number, edge: number, px: number, pz: number): number {
    const at = p * WORDS;
    const f = this.#floats;
    if (edge >= 0) {
      const j = edge + 1 < this.count(p) ? edge + 1 : 0;
      const [ax, az, bx, bz] = [f[at + edge], f[at + 8 + edge], f[at + j], f[at + 8 + j]];
      const t = Math.abs(bx - ax) > Math.abs(bz - az) ? (px - ax) / (bx - ax) : (pz - az) / (bz - az);
      const [a, b] = [f[at + L.P_Y / 4 + edge], f[at + L.P_Y / 4 + j]];
      return t <= 0 ? a : t >= 1 ? b : a + t * (b - a);
    }
    return Math.min(Math.max(this.#surface(p, px, pz), f[at + L.P_YMIN / 4]), f[at + L.P_YMAX / 4]);
  }

  /** The detail triangle that holds the place, else the middle of the range: a corner's height is for reports. */
  #surface(p: number, px: number, pz: number): number {
    const view = this.#view;
    const entry = this.#words[p * WORDS + L.P_DETAIL / 4];
    const verts = view.getUint32(entry + L.D_VERTS, true);
    const tris = view.getUint32(entry + L.D_TRIS, true);
    for (let t = 0; t < view.getUint32(entry + L.D_TRI_COUNT, true); t++) {
      const [a, b, c] = [0, 1, 2].map((k) => {
        const v = verts + view.getUint8(tris + t * L.DETAIL_TRI_STRIDE + k) * L.DETAIL_VERT_STRIDE;
        return [view.getFloat32(v, true) - px, view.getFloat32(v + 4, true), view.getFloat32(v + 8, true) - pz];
      });
      const wa = b[0] * c[2] - b[2] * c[0];
      const wb = c[0] * a[2] - c[2] * a[0];
      const wc = a[0] * b[2] - a[2] * b[0];
      if (wa < 0 || wb < 0 || wc < 0 || wa + wb + wc === 0) continue;
      return (wa * a[1] + wb * b[1] + wc * c[1]) / (wa + wb + wc);
    }
    const f = this.#floats;
    return (f[p * WORDS + L.P_YMIN / 4] + f[p * WORDS + L.P_YMAX / 4]) / 2;
  }
}
