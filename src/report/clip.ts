// Plan geometry of convex rings in metres: what two have in common, and what one has beyond the other. Floating point:
// for reports, never for verdicts. Rings are flat lists x0, z0, x1, z1, ..., counter-clockwise. A leaf of report/ but for
// the plan. Source: Sutherland and Hodgman 1974, half-plane by half-plane.
import type { Plan } from './plan.ts';

export type Ring = readonly number[];

/** Polygon p of a plan. */
export function ringOf({ first, x, z }: Plan, p: number): Ring {
  const ring: number[] = [];
  for (let c = first[p]; c < first[p + 1]; c++) ring.push(x[c], z[c]);
  return ring;
}

/** Area, m2. */
export function ringArea(ring: Ring): number {
  let sum = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    const [dx, dz] = [ring[i] - ring[0], ring[i + 1] - ring[1]];
    sum += dx * (ring[i + 3] - ring[1]) - dz * (ring[i + 2] - ring[0]);
  }
  return sum / 2;
}

/** The mean of the corners: inside, as the ring is convex. */
export function ringMiddle(ring: Ring): readonly [number, number] {
  let [x, z] = [0, 0];
  for (let i = 0; i < ring.length; i += 2) {
    x += ring[i];
    z += ring[i + 1];
  }
  return [(2 * x) / ring.length, (2 * z) / ring.length];
}

export function ringLength(ring: Ring): number {
  let sum = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const j = i + 2 === ring.length ? 0 : i + 2;
    sum += Math.hypot(ring[j] - ring[i], ring[j + 1] - ring[i + 1]);
  }
  return sum;
}

/** The part of a ring to the left (side 1) or right (-1) of the line from a to b. */
function half(ring: Ring, ax: number, az: number, bx: number, bz: number, side: 1 | -1): number[] {
  const out: number[] = [];
  const away = (i: number) => side * ((bx - ax) * (ring[i + 1] - az) - (bz - az) * (ring[i] - ax));
  for (let i = 0; i < ring.length; i += 2) {
    const j = i + 2 === ring.length ? 0 : i + 2;
    const [p, q] = [away(i), away(j)];
    if (p >= 0) out.push(ring[i], ring[i + 1]);
    if ((p > 0 && q < 0) || (p < 0 && q > 0)) {
      const t = p / (p - q);
      out.push(ring[i] + t * (ring[j] - ring[i]), ring[i + 1] + t * (ring[j + 1] - ring[i + 1]));
    }
  }
  return out.length < 6 ? [] : out;
}

/** What both have; empty when they do not overlap. */
export function common(a: Ring, b: Ring): Ring {
  let rest = a;
  for (let i = 0; i < b.length && rest.length > 0; i += 2) {
    const j = i + 2 === b.length ? 0 : i + 2;
    rest = half(rest, b[i], b[i + 1], b[j], b[j + 1], 1);
  }
  return rest;
}

/** What a has beyond b, in convex parts without area in common; a itself when they do not overlap. */
export function beyond(a: Ring, b: Ring): Ring[] {
  const parts: Ring[] = [];
  let rest = a;
  for (let i = 0; i < b.length; i += 2) {
    const j = i + 2 === b.length ? 0 : i + 2;
    const outside = half(rest, b[i], b[i + 1], b[j], b[j + 1], -1);
    rest = half(rest, b[i], b[i + 1], b[j], b[j + 1], 1);
    if (rest.length === 0) return [a];
    if (ringArea(outside) > 0) parts.push(outside);
  }
  return ringArea(rest) > 0 ? parts : [a];
}
