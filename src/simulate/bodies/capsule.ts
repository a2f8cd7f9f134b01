// A player's body as games move it: an upright capsule that slides along what is steep, steps up and down stairs, sticks to
// the ground, falls off ledges and jumps. Imported by bodies/. It knows triangles, not navmeshes.
//
// Collide and slide: a step of at most half a radius, then pushed out of what it overlaps, deepest first, sideways only, in
// at most PUSHES pushes; what cannot be resolved is not moved. So it never passes a triangle, and never moves farther than
// asked (but for PLAY). Heights are exact: where a sphere let down an upright line first touches a triangle.
//
// A hop (a jump from the ground) lifts the body over the ground it walks on: obstacles stop it as if it stood, as players
// are stopped by the clip volumes over what is not meant to be jumped on. Off a ledge it flies for real.
import { Contact, lineToTriangle, restOnTriangle } from './contact.ts';
import type { Soup } from './soup.ts';

export interface BodySize {
  /** Metres. */
  readonly radius: number;
  readonly height: number;
  /** The highest step that it walks up, and down without falling. */
  readonly climb: number;
  /** Cosine of the steepest slope that it walks on. */
  readonly flatness: number;
  /** m/s2. */
  readonly gravity: number;
}

const PUSHES = 8;
/** Overlap that is left alone, and overlap that is borne when pushing did not end it, metres. */
const TOUCH = 1e-4;
const PLAY = 1e-3;
/** A contact whose normal is less sideways than this cannot be pushed out of sideways. */
const SIDEWAYS = 0.2;
/** A contact whose normal is less upright than this lies beside the body: nothing to rest on or to hit the head at. */
const UPRIGHT = 0.1;
/** A body in the air is let down from this much over its feet: it may have brushed what is flat. */
const BRUSH = 0.1;
/** On a face or rim too steep to stand on a body slides off at this, m/s. */
const SLIDE = 2;

export class Capsule {
  readonly soup: Soup;
  readonly size: BodySize;
  /** The feet: the capsule's lowest point, metres. */
  x = 0;
  y = 0;
  z = 0;
  /** The ground it walks on; in a hop below the feet, in a fall the feet. */
  base = 0;
  vy = 0;
  /** On the ground, over it by a hop, or falling. */
  state: 'walk' | 'hop' | 'fall' = 'fall';
  /** Something steep was in the way of the last step, and its normal in the plan. */
  touching = false;
  wallX = 0;
  wallZ = 0;
  /** It rests on something too steep to stand on. */
  steep = false;
  /** Which way it slides off what is too steep to stand on; 0, 0 = it stands. */
  #slideX = 0;
  #slideZ = 0;
  readonly #marked = { x: 0, y: 0, z: 0, base: 0, vy: 0, state: 'fall' as Capsule['state'], slideX: 0, slideZ: 0 };
  readonly #contact = new Contact();
  readonly #worst = new Contact();
  /** Answers of resolve. */
  #toX = 0;
  #toZ = 0;
  /** Answer of #rest: whether one can stand there. */
  #standable = false;
  #tooSteep = false;

  constructor(soup: Soup, size: BodySize) {
    this.soup = soup;
    this.size = size;
  }

  /** Puts the feet at a point and lets the body settle on the ground within a climb of it; false when it does not fit. */
  place(x: number, y: number, z: number): boolean {
    const { climb, height, radius } = this.size;
    this.x = x;
    this.z = z;
    this.vy = 0;
    this.state = 'fall';
    this.#slideX = this.#slideZ = 0;
    this.#gather(x, z, x, z, y - climb - BRUSH, y + height + 2 * climb);
    const rest = this.#rest(x, z, y + climb);
    this.y = rest >= y - climb ? rest : y;
    this.base = this.y;
    if (rest >= y - climb && this.#standable) this.state = 'walk';
    return this.#overlap(x, z, this.y, this.y + height) <= PLAY && this.#ceiling(x, z, this.y) >= this.y && radius > 0;
  }

  /** Remembers the body as it is; `undo` puts it back there. */
  mark(): void {
    const m = this.#marked;
    m.x = this.x;
    m.y = this.y;
    m.z = this.z;
    m.base = this.base;
    m.vy = this.vy;
    m.state = this.state;
    m.slideX = this.#slideX;
    m.slideZ = this.#slideZ;
  }

  undo(): void {
    const m = this.#marked;
    this.x = m.x;
    this.y = m.y;
    this.z = m.z;
    this.base = m.base;
    this.vy = m.vy;
    this.state = m.state;
    this.#slideX = m.slideX;
    this.#slideZ = m.slideZ;
  }

  /** Takes off at `speed` m/s upwards; only from the ground. */
  jump(speed: number): void {
    if (this.state !== 'walk') return;
    this.state = 'hop';
    this.vy = speed;
  }

  /** `seconds` of wanting to go (vx, vz) m/s; `most` bounds its speed in the plan. */
  step(seconds: number, vx: number, vz: number, most: number): void {
    this.touching = false;
    this.steep = false;
    const along = vx * this.#slideX + vz * this.#slideZ;
    if ((this.#slideX !== 0 || this.#slideZ !== 0) && (this.state === 'fall' || along >= 0) && along < SLIDE) {
      vx += this.#slideX * (SLIDE - along);
      vz += this.#slideZ * (SLIDE - along);
    }
    const speed = Math.sqrt(vx * vx + vz * vz);
    const share = speed > most ? most / speed : 1;
    const pieces = Math.max(1, Math.ceil((share * speed * seconds) / (this.size.radius / 2)));
    const dx = (vx * share * seconds) / pieces;
    const dz = (vz * share * seconds) / pieces;
    for (let i = 0; i < pieces; i++) {
      if (this.state === 'fall') this.#drift(dx, dz);
      else this.#walk(dx, dz);
    }
    if (this.state === 'walk') {
      this.y = this.base;
      this.vy = 0;
    } else this.#fly(seconds);
  }

  /** Up, over and down when something is in the way; else straight, down to the ground. */
  #walk(dx: number, dz: number): void {
    const { climb, height } = this.size;
    const { x, z, base, y } = this;
    const top = y + height;
    this.#gather(x, z, x + dx, z + dz, base - climb - BRUSH, top + 2 * climb);
    this.#resolve(x, z, dx, dz, base, top);
    let toX = this.#toX;
    let toZ = this.#toZ;
    const went = (toX - x) * dx + (toZ - z) * dz;
    if (this.touching && dx * dx + dz * dz > 0 && this.#ceiling(x, z, y) >= y + climb) {
      const { wallX, wallZ } = this;
      this.#resolve(x, z, dx, dz, base + climb, top + climb);
      const rest = this.#rest(this.#toX, this.#toZ, base + climb);
      const over = (this.#toX - x) * dx + (this.#toZ - z) * dz;
      // not onto what is higher than a climb, though the round foot would let it
      if (over > went + 1e-9 && this.#standable && rest >= base - climb && this.#contact.y <= base + climb + TOUCH) {
        toX = this.#toX;
        toZ = this.#toZ;
      } else {
        this.wallX = wallX;
        this.wallZ = wallZ;
      }
    }
    const rest = this.#rest(toX, toZ, base + climb);
    const found = rest >= base - climb;
    if (found && rest > base && this.#ceiling(toX, toZ, y) < rest + (y - base)) return;
    this.#slide(toX, toZ, found ? rest : Number.NaN);
    const standable = this.#standable;
    this.x = toX;
    this.z = toZ;
    if (found && standable) {
      this.base = rest;
      return;
    }
    this.steep = found && this.#tooSteep;
    if (found && rest > this.y) this.y = rest;
    this.base = this.y;
    if (this.state === 'walk') this.vy = 0;
    this.state = 'fall';
  }

  #drift(dx: number, dz: number): void {
    const { x, y, z } = this;
    this.#gather(x, z, x + dx, z + dz, y - BRUSH, y + this.size.height);
    this.#resolve(x, z, dx, dz, y, y + this.size.height);
    this.x = this.#toX;
    this.z = this.#toZ;
  }

  /** Up and down: gravity, ceilings, landing. */
  #fly(seconds: number): void {
    const { gravity, height } = this.size;
    const { x, y, z } = this;
    let to = y + this.vy * seconds - (gravity * seconds * seconds) / 2;
    this.vy -= gravity * seconds;
    this.#gather(x, z, x, z, Math.min(y, to) - BRUSH, Math.max(y, to) + height + BRUSH);
    if (to > y) {
      const ceiling = this.#ceiling(x, z, y);
      if (to > ceiling) {
        to = Math.max(y, ceiling);
        this.vy = Math.min(this.vy, 0);
      }
    }
    if (this.state === 'hop') {
      this.y = Math.max(to, this.base);
      if (to > this.base) return;
      this.state = 'walk';
      this.vy = 0;
      return;
    }
    const rest = this.#rest(x, z, y + BRUSH);
    this.#slide(x, z, rest >= to ? rest : Number.NaN);
    const standable = this.#standable;
    this.y = Math.max(rest, to);
    this.base = this.y;
    this.steep = rest >= to && this.#tooSteep;
    if (!(rest >= to)) return;
    if (standable && this.vy <= 0) {
      this.state = 'walk';
      this.vy = 0;
    } else if (!standable) this.vy = Math.max(this.vy, -SLIDE);
  }

  /** Notes which way the body slides off what it rests on (the last contact); `rest` NaN = it rests on nothing. */
  #slide(x: number, z: number, rest: number): void {
    this.#slideX = this.#slideZ = 0;
    if (rest === rest) {
      const nx = x - this.#contact.x;
      const nz = z - this.#contact.z;
      const ny = rest + this.size.radius - this.#contact.y;
      const plan = Math.sqrt(nx * nx + nz * nz);
      // a sphere's contact leans as the normal does
      if (plan > 0 && ny < this.size.flatness * this.size.radius) {
        this.#slideX = nx / plan;
        this.#slideZ = nz / plan;
      }
    }
  }

  #gather(x0: number, z0: number, x1: number, z1: number, low: number, high: number): void {
    const r = this.size.radius + BRUSH;
    this.soup.gather(Math.min(x0, x1) - r, low, Math.min(z0, z1) - r, Math.max(x0, x1) + r, high, Math.max(z0, z1) + r);
  }

  /**
   * The feet's height when the body is let down at x, z from `from` on, -Infinity when nothing is below among what was
   * gathered; the touched point in #contact, whether one can stand there in #standable.
   */
  #rest(x: number, z: number, from: number): number {
    const { soup } = this;
    const { radius, flatness } = this.size;
    const { near, found } = soup;
    let best = -Infinity;
    let flat = 0;
    const c = this.#contact;
    const o = this.#worst;
    for (let i = 0; i < found; i++) {
      const t = near[i];
      const y = restOnTriangle(soup.corners, 9 * t, x, z, radius, 1, o) - radius;
      if (!(y <= from + TOUCH) || y < best - 1e-9 || y + radius - o.y < UPRIGHT * radius) continue;
      // of two triangles with a common edge the flatter one counts
      if (y < best + 1e-9 && soup.flatness[t] <= flat) continue;
      if (y > best) best = y;
      flat = soup.flatness[t];
      c.x = o.x;
      c.y = o.y;
      c.z = o.z;
    }
    const upright = best + radius - c.y >= flatness * radius;
    this.#tooSteep = best > -Infinity && flat < flatness && !upright;
    // leaning over an edge it stands only on a step, with ground under it: off the rim of a ledge it rolls
    this.#standable = best > -Infinity && (upright || (flat >= flatness && this.#groundUnder(x, z, c.y)));
    return best;
  }

  /** Whether there is ground to walk on right under the axis, at most a climb under a height. */
  #groundUnder(x: number, z: number, height: number): boolean {
    const { soup } = this;
    const { near, found } = soup;
    const { climb, flatness } = this.size;
    for (let i = 0; i < found; i++) {
      if (soup.flatness[near[i]] < flatness) continue;
      const y = restOnTriangle(soup.corners, 9 * near[i], x, z, 0, 1, this.#worst);
      if (y <= height + TOUCH && y >= height - climb - TOUCH) return true;
    }
    return false;
  }

  /** The greatest height of the feet at x, z when the body is lifted from `from` (Infinity: nothing above). */
  #ceiling(x: number, z: number, from: number): number {
    const { soup } = this;
    const { radius, height } = this.size;
    const { near, found } = soup;
    const o = this.#worst;
    let least = Infinity;
    for (let i = 0; i < found; i++) {
      const y = restOnTriangle(soup.corners, 9 * near[i], x, z, radius, -1, o) + radius - height;
      if (y >= from - TOUCH && y < least && o.y - (y + height - radius) >= UPRIGHT * radius) least = y;
    }
    return least;
  }

  /** The deepest overlap with what is steep, metres; its contact in #worst. */
  #overlap(x: number, z: number, bottom: number, top: number): number {
    const { soup } = this;
    const { radius, flatness } = this.size;
    const { near, found } = soup;
    const c = this.#contact;
    const worst = this.#worst;
    let deepest = 0;
    for (let i = 0; i < found; i++) {
      lineToTriangle(soup.corners, 9 * near[i], x, z, bottom + radius, top - radius, c);
      const overlap = radius - c.distance;
      if (overlap <= deepest || c.ny >= flatness) continue;
      deepest = overlap;
      worst.nx = c.nx;
      worst.ny = c.ny;
      worst.nz = c.nz;
    }
    return deepest;
  }

  /** Where a body between two heights ends that wants to go from x, z by dx, dz: #toX, #toZ. */
  #resolve(x: number, z: number, dx: number, dz: number, bottom: number, top: number): void {
    let toX = x + dx;
    let toZ = z + dz;
    const worst = this.#worst;
    const length = Math.sqrt(dx * dx + dz * dz);
    let overlap = 0;
    for (let i = 0; i <= PUSHES; i++) {
      overlap = this.#overlap(toX, toZ, bottom, top);
      if (overlap <= TOUCH) break;
      const plan = Math.sqrt(worst.nx * worst.nx + worst.nz * worst.nz);
      this.touching = true;
      if (plan < SIDEWAYS) break;
      this.wallX = worst.nx / plan;
      this.wallZ = worst.nz / plan;
      if (i === PUSHES) break;
      const push = Math.min(overlap / plan, length + PLAY);
      toX += this.wallX * push;
      toZ += this.wallZ * push;
    }
    const moved = Math.sqrt((toX - x) * (toX - x) + (toZ - z) * (toZ - z));
    if (moved > length + PLAY) {
      const share = (length + PLAY) / moved;
      toX = x + (toX - x) * share;
      toZ = z + (toZ - z) * share;
      overlap = this.#overlap(toX, toZ, bottom, top);
    }
    // not out of it: only if it was as deep in before
    if (overlap > PLAY && overlap > this.#overlap(x, z, bottom, top)) {
      toX = x;
      toZ = z;
    }
    this.#toX = toX;
    this.#toZ = toZ;
  }
}
