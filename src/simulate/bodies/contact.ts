// Capsule against triangle: the nearest points of an upright line and a triangle, and where a sphere let down (or pushed
// up) along an upright line first touches one. Pure; imported by bodies/. Answers stand in a Contact, filled anew.
//
// Sources: closest point on a triangle after Ericson, Real-Time Collision Detection, 5.1.5; the sphere's rest is solved
// for face, edges and corners apart (a sphere on an upright line meets each in one quadratic), and the highest counts.

export class Contact {
  /** The point of the triangle. */
  x = 0;
  y = 0;
  z = 0;
  /** From the triangle's point to the body's: unit vector (what it is at distance 0 is the caller's problem). */
  nx = 0;
  ny = 0;
  nz = 0;
  /** Metres between the upright line and the triangle. */
  distance = 0;
}

const point = new Float64Array(3);

/** Nearest points of the upright line x, z from y0 up to y1 and the triangle at c[i..i+8]. */
export function lineToTriangle(
  c: Float64Array,
  i: number,
  x: number,
  z: number,
  y0: number,
  y1: number,
  out: Contact,
): void {
  let best = Infinity;
  // either end of the line and the nearest point of the triangle
  for (let end = 0; end < 2; end++) {
    const y = end === 0 ? y0 : y1;
    nearestOnTriangle(c, i, x, y, z);
    best = take(x, y, z, best, out);
  }
  // the inner part of the line and an edge: nearest in the plan, at a height that the line has
  for (let k = 0; k < 3; k++) {
    const a = i + 3 * k;
    const b = i + 3 * ((k + 1) % 3);
    const ex = c[b] - c[a];
    const ez = c[b + 2] - c[a + 2];
    const plan = ex * ex + ez * ez;
    const s = plan > 0 ? Math.min(1, Math.max(0, ((x - c[a]) * ex + (z - c[a + 2]) * ez) / plan)) : 0;
    const ey = c[a + 1] + s * (c[b + 1] - c[a + 1]);
    if (plan > 0 ? ey < y0 || ey > y1 : Math.max(c[a + 1], c[b + 1]) < y0 || Math.min(c[a + 1], c[b + 1]) > y1)
      continue;
    point[0] = c[a] + s * ex;
    point[1] = plan > 0 ? ey : Math.min(y1, Math.max(y0, Math.min(c[a + 1], c[b + 1])));
    point[2] = c[a + 2] + s * ez;
    best = take(x, point[1], z, best, out);
  }
  // the line passes through the triangle's inside: no gap at all
  if (best > 0 && pierces(c, i, x, z, y0, y1)) {
    out.x = x;
    out.z = z;
    out.nx = out.ny = out.nz = 0;
    best = 0;
  }
  out.distance = Math.sqrt(best);
}

function take(x: number, y: number, z: number, best: number, out: Contact): number {
  const dx = x - point[0];
  const dy = y - point[1];
  const dz = z - point[2];
  const squared = dx * dx + dy * dy + dz * dz;
  if (squared >= best) return best;
  const distance = Math.sqrt(squared);
  out.x = point[0];
  out.y = point[1];
  out.z = point[2];
  out.nx = distance > 0 ? dx / distance : 0;
  out.ny = distance > 0 ? dy / distance : 0;
  out.nz = distance > 0 ? dz / distance : 0;
  return squared;
}

/** Twice the plan area and the height over the plan point; the line passes inside when all three parts have one sign. */
function pierces(c: Float64Array, i: number, x: number, z: number, y0: number, y1: number): boolean {
  const a = side(c, i, i + 3, x, z);
  const b = side(c, i + 3, i + 6, x, z);
  const d = side(c, i + 6, i, x, z);
  if (!((a > 0 && b > 0 && d > 0) || (a < 0 && b < 0 && d < 0))) return false;
  const y = (b * c[i + 1] + d * c[i + 4] + a * c[i + 7]) / (a + b + d);
  return y >= y0 && y <= y1;
}

function side(c: Float64Array, a: number, b: number, x: number, z: number): number {
  return (c[b] - c[a]) * (z - c[a + 2]) - (c[b + 2] - c[a + 2]) * (x - c[a]);
}

/** The point of the triangle nearest to x, y, z, to `point`. */
function nearestOnTriangle(c: Float64Array, i: number, x: number, y: number, z: number): number {
  const ax = c[i];
  const ay = c[i + 1];
  const az = c[i + 2];
  const abx = c[i + 3] - ax;
  const aby = c[i + 4] - ay;
  const abz = c[i + 5] - az;
  const acx = c[i + 6] - ax;
  const acy = c[i + 7] - ay;
  const acz = c[i + 8] - az;
  const d1 = abx * (x - ax) + aby * (y - ay) + abz * (z - az);
  const d2 = acx * (x - ax) + acy * (y - ay) + acz * (z - az);
  if (d1 <= 0 && d2 <= 0) return at(c, i, 0, 0);
  const d3 = abx * (x - c[i + 3]) + aby * (y - c[i + 4]) + abz * (z - c[i + 5]);
  const d4 = acx * (x - c[i + 3]) + acy * (y - c[i + 4]) + acz * (z - c[i + 5]);
  if (d3 >= 0 && d4 <= d3) return at(c, i, 1, 0);
  const vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return at(c, i, d1 / (d1 - d3), 0);
  const d5 = abx * (x - c[i + 6]) + aby * (y - c[i + 7]) + abz * (z - c[i + 8]);
  const d6 = acx * (x - c[i + 6]) + acy * (y - c[i + 7]) + acz * (z - c[i + 8]);
  if (d6 >= 0 && d5 <= d6) return at(c, i, 0, 1);
  const vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return at(c, i, 0, d2 / (d2 - d6));
  const va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    const w = (d4 - d3) / (d4 - d3 + (d5 - d6));
    return at(c, i, 1 - w, w);
  }
  const all = va + vb + vc;
  return at(c, i, vb / all, vc / all);
}

/** The point with weights 1 - v - w, v, w to `point`; returns its height. */
function at(c: Float64Array, i: number, v: number, w: number): number {
  for (let k = 0; k < 3; k++) point[k] = c[i + k] + v * (c[i + 3 + k] - c[i + k]) + w * (c[i + 6 + k] - c[i + k]);
  return point[1];
}

/**
 * The height of the centre of a sphere of radius r that rests on the triangle, on the upright line x, z: coming from
 * above (`up` = 1) or, with `up` = -1, hanging under it from below. NaN when the sphere passes by. The touched point goes
 * to `out`.
 */
export function restOnTriangle(
  c: Float64Array,
  i: number,
  x: number,
  z: number,
  r: number,
  up: 1 | -1,
  out: Contact,
): number {
  let best = Number.NaN;
  // face
  const ux = c[i + 3] - c[i];
  const uy = c[i + 4] - c[i + 1];
  const uz = c[i + 5] - c[i + 2];
  const vx = c[i + 6] - c[i];
  const vy = c[i + 7] - c[i + 1];
  const vz = c[i + 8] - c[i + 2];
  let nx = uy * vz - uz * vy;
  let ny = uz * vx - ux * vz;
  let nz = ux * vy - uy * vx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const turn = ny * up < 0 ? -1 / length : 1 / length;
  nx *= turn;
  ny *= turn;
  nz *= turn;
  if (Math.abs(ny) > 1e-9) {
    const y = c[i + 1] + (r - nx * (x - c[i]) - nz * (z - c[i + 2])) / ny;
    const px = x - r * nx;
    const pz = z - r * nz;
    const a = side(c, i, i + 3, px, pz);
    const b = side(c, i + 3, i + 6, px, pz);
    const d = side(c, i + 6, i, px, pz);
    if ((a >= 0 && b >= 0 && d >= 0) || (a <= 0 && b <= 0 && d <= 0)) {
      best = y;
      out.x = px;
      out.y = y - r * ny;
      out.z = pz;
    }
  }
  for (let k = 0; k < 3; k++) {
    const a = i + 3 * k;
    const b = i + 3 * ((k + 1) % 3);
    const wx = x - c[a];
    const wz = z - c[a + 2];
    // corner
    const plan = wx * wx + wz * wz;
    if (plan <= r * r) {
      const y = c[a + 1] + up * Math.sqrt(r * r - plan);
      if (!(best * up >= y * up)) {
        best = y;
        out.x = c[a];
        out.y = c[a + 1];
        out.z = c[a + 2];
      }
    }
    // edge: |w|^2 - (w . e)^2 = r^2 with w = (wx, t, wz), a quadratic in t
    const ex = c[b] - c[a];
    const ey = c[b + 1] - c[a + 1];
    const ez = c[b + 2] - c[a + 2];
    const edge = Math.sqrt(ex * ex + ey * ey + ez * ez);
    if (edge === 0) continue;
    const dx = ex / edge;
    const dy = ey / edge;
    const dz = ez / edge;
    const q = 1 - dy * dy;
    if (q < 1e-9) continue;
    const h = wx * dx + wz * dz;
    const under = h * h * dy * dy - q * (plan - h * h - r * r);
    if (under < 0) continue;
    const t = (h * dy + up * Math.sqrt(under)) / q;
    const s = h + t * dy;
    if (s < 0 || s > edge) continue;
    const y = c[a + 1] + t;
    if (!(best * up >= y * up)) {
      best = y;
      out.x = c[a] + s * dx;
      out.y = c[a + 1] + s * dy;
      out.z = c[a + 2] + s * dz;
    }
  }
  return best;
}
