// The off-mesh links of a map as the guard sees them: ends in metres, and for a place in the world which links run by it.
// Read from the packed map once; only whether a link is open is asked of it each time. Imported by rules/.
//
// Link end e is end A (e even) or B (e odd) of link e / 2; `e ^ 1` is the other. How far along a link a place is counts
// from the end that was entered: by plan distance, or for links that go up more than out (ladders, drops) by height.
import {
  H_LINKS,
  H_ORIGIN_X,
  H_ORIGIN_Z,
  H_TABLE,
  H_UNIT,
  L_AX,
  L_AY,
  L_AZ,
  L_COST,
  L_END_STRIDE,
  L_FLAGS,
  L_POLY_A,
  L_RADIUS,
  LINK_STRIDE,
  LINK_STRIP,
  MAP_BASE,
  POLY_STRIDE,
  SECTION_LINKS,
} from '../../assembly/layout.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** Numbers per end: x, y (floor), z in metres, polygon id (-1 = unlinked). */
const END = 4;

/** Where a place lies beside a link, seen from one of its ends; filled by `LinkTable.measure`. */
export const beside = {
  /** Plan metres from the link's line. */
  aside: 0,
  /** 0 at the end, 1 at the other. */
  share: 0,
  /** The share in plan metres: what a walk along the link to here is long. */
  along: 0,
};

export class LinkTable {
  readonly count: number;
  readonly #kernel: Kernel;
  readonly #ends: Float64Array;
  readonly #width: Float64Array;
  /** Link numbers by the least x of their strip, and that x; the widest strip in x. */
  readonly #order: Uint32Array;
  readonly #least: Float64Array;
  readonly #span: number;
  /** L_COST of each link; the first link of the wide portal that it belongs to. */
  readonly #cost: Float64Array;
  readonly #portal: Uint32Array;
  /** How many links cost more than their plan length; those to be shut for one question, and what they were. */
  readonly costly: number;
  readonly #shut: Uint32Array;
  readonly #state: Uint32Array;
  #shutCount = 0;

  /** `edge`: a body may be this far beside a link however thin it is, metres. */
  constructor(kernel: Kernel, edge: number) {
    this.#kernel = kernel;
    const word = (at: number): number => kernel.u32(MAP_BASE + at, 1)[0];
    const f64 = (at: number): number => kernel.f64(MAP_BASE + at, 1)[0];
    const count = word(H_LINKS);
    this.count = count;
    const first = MAP_BASE + word(H_TABLE + SECTION_LINKS * 8);
    this.#ends = new Float64Array(2 * END * count);
    this.#width = new Float64Array(count);
    this.#cost = new Float64Array(count);
    this.#portal = new Uint32Array(count);
    const unit = f64(H_UNIT);
    const originX = f64(H_ORIGIN_X);
    const originZ = f64(H_ORIGIN_Z);
    const polysAt = word(H_TABLE);
    const least = new Float64Array(count);
    let span = 0;
    for (let i = 0; i < count; i++) {
      const at = first + i * LINK_STRIDE;
      this.#width[i] = Math.max(kernel.f32(at + L_RADIUS, 1)[0], edge);
      this.#cost[i] = kernel.f32(at + L_COST, 1)[0];
      const strip = i > 0 && (kernel.u32(at + L_FLAGS, 1)[0] & LINK_STRIP) !== 0;
      this.#portal[i] = strip ? this.#portal[i - 1] : i;
      for (let side = 0; side < 2; side++) {
        const to = (2 * i + side) * END;
        const end = at + side * L_END_STRIDE;
        this.#ends[to] = originX + kernel.f32(end + L_AX, 1)[0] * unit;
        this.#ends[to + 1] = kernel.f32(end + L_AY, 1)[0];
        this.#ends[to + 2] = originZ + kernel.f32(end + L_AZ, 1)[0] * unit;
        const record = kernel.u32(at + L_POLY_A + 4 * side, 1)[0];
        this.#ends[to + 3] = record === 0 ? -1 : (record - polysAt) / POLY_STRIDE;
      }
      const [ax, bx] = [this.#ends[2 * i * END], this.#ends[(2 * i + 1) * END]];
      least[i] = Math.min(ax, bx) - this.#width[i];
      span = Math.max(span, Math.abs(ax - bx) + 2 * this.#width[i]);
    }
    this.#order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => least[a] - least[b]);
    this.#least = Float64Array.from(this.#order, (i) => least[i]);
    this.#span = span;
    let costly = 0;
    for (let i = 0; i < count; i++) if (this.isCostly(2 * i)) costly++;
    this.costly = costly;
    this.#shut = new Uint32Array(costly);
    this.#state = new Uint32Array(costly);
  }

  x(end: number): number {
    return this.#ends[end * END];
  }
  /** Height of the floor at an end. */
  y(end: number): number {
    return this.#ends[end * END + 1];
  }
  z(end: number): number {
    return this.#ends[end * END + 2];
  }
  polygon(end: number): number {
    return this.#ends[end * END + 3];
  }
  /** How far beside the link's line a body may be, metres. */
  width(end: number): number {
    return this.#width[end >>> 1];
  }
  /** Plan length, metres. */
  length(end: number): number {
    const dx = this.x(end ^ 1) - this.x(end);
    const dz = this.z(end ^ 1) - this.z(end);
    return Math.sqrt(dx * dx + dz * dz);
  }
  /** Whether the link goes up or down by more than out. */
  isSteep(end: number): boolean {
    const dx = this.x(end ^ 1) - this.x(end);
    const dy = this.y(end ^ 1) - this.y(end);
    const dz = this.z(end ^ 1) - this.z(end);
    return dy * dy > dx * dx + dz * dz;
  }
  /** Whether a crossing takes more than the plan length, or may. */
  isCostly(end: number): boolean {
    return this.#cost[end >>> 1] !== 0 || this.isSteep(end);
  }
  /** Whether it says itself what a crossing takes. */
  isPriced(end: number): boolean {
    return this.#cost[end >>> 1] !== 0;
  }
  /**
   * What this share (0..1) of a crossing costs that is `metres` long, at v m/s: so many times as much, or as long as its
   * seconds last; never less.
   */
  priced(end: number, share: number, metres: number, v: number): number {
    const cost = this.#cost[end >>> 1];
    if (cost === 0) return metres;
    return cost > 0 ? metres * cost : Math.max(metres, -cost * v * share);
  }
  /** The end of the same portal whose line runs nearest to a place: a wide portal is many links side by side. */
  nearestStrip(end: number, x: number, z: number): number {
    const portal = this.#portal[end >>> 1];
    let best = end;
    let least = Infinity;
    for (let i = portal; i < this.count && this.#portal[i] === portal; i++) {
      const e = 2 * i + (end & 1);
      // (heights say nothing of what lies aside)
      this.measure(e, x, 0, z);
      if (beside.aside < least || (beside.aside === least && e === end)) {
        least = beside.aside;
        best = e;
      }
    }
    return best;
  }
  /** Whether the link may be entered at this end now. */
  isOpen(end: number): boolean {
    return ((this.#kernel.states[end >>> 1] >>> (end & 1)) & 1) !== 0;
  }

  /** The list of costly links to be shut for a question: emptied, added to (each link's ends one after the other). */
  forgetShut(): void {
    this.#shutCount = 0;
  }
  noteShut(link: number): void {
    if (this.#shutCount === 0 || this.#shut[this.#shutCount - 1] !== link) this.#shut[this.#shutCount++] = link;
  }
  /** Shuts the links of the list; `reopen` makes them what they were. Nothing but a question lies between. */
  shut(): void {
    const { states } = this.#kernel;
    for (let k = 0; k < this.#shutCount; k++) {
      const link = this.#shut[k];
      this.#state[k] = states[link];
      states[link] = 0;
    }
  }
  reopen(): void {
    const { states } = this.#kernel;
    for (let k = 0; k < this.#shutCount; k++) states[this.#shut[k]] = this.#state[k];
  }

  /** Where a place (plan x and z, height of the feet) lies, seen from an end: to `beside`. */
  measure(end: number, x: number, level: number, z: number): void {
    const dx = this.x(end ^ 1) - this.x(end);
    const dy = this.y(end ^ 1) - this.y(end);
    const dz = this.z(end ^ 1) - this.z(end);
    const px = x - this.x(end);
    const pz = z - this.z(end);
    const square = dx * dx + dz * dz;
    const inPlan = square > 0 ? Math.min(Math.max((px * dx + pz * dz) / square, 0), 1) : 0;
    const ax = px - inPlan * dx;
    const az = pz - inPlan * dz;
    beside.aside = Math.sqrt(ax * ax + az * az);
    const steep = dy * dy > square;
    beside.share = steep ? Math.min(Math.max((level - this.y(end)) / dy, 0), 1) : inPlan;
    beside.along = beside.share * Math.sqrt(square);
  }

  /**
   * Whether a body there may be on its way over the link of an end: beside its line by no more than its width, and between
   * its ends' heights, a little under the lower and up to `rise` over the higher one.
   */
  holds(end: number, x: number, level: number, z: number, below: number, rise: number): boolean {
    this.measure(end, x, level, z);
    if (beside.aside > this.width(end)) return false;
    const low = Math.min(this.y(end), this.y(end ^ 1));
    const high = Math.max(this.y(end), this.y(end ^ 1));
    return level >= low - below && level <= high + rise;
  }

  /** First link in the order of the least x whose strip may hold x, and the first that begins beyond it. */
  first(x: number): number {
    return this.#lowerBound(x - this.#span);
  }
  last(x: number): number {
    let k = this.#lowerBound(x);
    while (k < this.count && this.#least[k] <= x) k++;
    return k;
  }
  /** Link number at a place of that order. */
  linkAt(k: number): number {
    return this.#order[k];
  }

  /** The end of the link that a leg of a path from a to b goes over, or -1. Corners of paths are the ends themselves. */
  endOfLeg(ax: number, az: number, bx: number, bz: number): number {
    for (let k = this.first(ax); k < this.last(ax); k++) {
      const end = 2 * this.#order[k];
      for (let side = 0; side < 2; side++) {
        const e = end + side;
        if (isSame(this.x(e), ax) && isSame(this.z(e), az) && isSame(this.x(e ^ 1), bx) && isSame(this.z(e ^ 1), bz)) {
          return e;
        }
      }
    }
    return -1;
  }

  #lowerBound(x: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#least[middle] < x) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Both come from the same whole units: they differ by rounding only. */
function isSame(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-6;
}
