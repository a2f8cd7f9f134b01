// Rings: convexity against a direct definition, cutting rings with many collinear corners, ears of bent rings.
import { expect, test } from 'vitest';
import { clipEars, cutRing, doubleArea, isConvex, turn } from '../../src/mesh/ring.ts';
import { between, random } from '../oracle/random.ts';

/** Convex hull corners (Jarvis), counter-clockwise, without collinear ones. */
function hull(points: [number, number][]): [number, number][] {
  const start = points.reduce((a, b) => (b[0] < a[0] || (b[0] === a[0] && b[1] < a[1]) ? b : a));
  const out: [number, number][] = [];
  let at = start;
  do {
    out.push(at);
    let next = at;
    for (const p of points) {
      if (p[0] === at[0] && p[1] === at[1]) continue;
      const side = next === at ? -1 : turn(at[0], at[1], next[0], next[1], p[0], p[1]);
      const farther = (p[0] - at[0]) ** 2 + (p[1] - at[1]) ** 2 > (next[0] - at[0]) ** 2 + (next[1] - at[1]) ** 2;
      if (side < 0 || (side === 0 && farther)) next = p;
    }
    at = next;
  } while ((at[0] !== start[0] || at[1] !== start[1]) && out.length <= points.length);
  return out;
}

/** A convex ring with `extra` grid points inserted on its sides. */
function ringWithPoints(seed: number): { x: number[]; z: number[] } | null {
  const next = random(seed);
  const k = 60;
  const points = Array.from({ length: between(next, 3, 7) }, () => [between(next, 0, 9) * k, between(next, 0, 9) * k]);
  const corners = hull(points as [number, number][]);
  if (corners.length < 3) return null;
  const x: number[] = [];
  const z: number[] = [];
  corners.forEach(([ax, az], i) => {
    const [bx, bz] = corners[(i + 1) % corners.length];
    x.push(ax);
    z.push(az);
    // All side vectors are multiples of 60: sixtieths are whole.
    const share = next() < 0.4 ? 0 : next() < 0.5 ? 0.9 : 0.1;
    for (let t = 1; t < k; t++) {
      if (next() >= share) continue;
      x.push(ax + ((bx - ax) / k) * t);
      z.push(az + ((bz - az) / k) * t);
    }
  });
  return { x, z };
}

test('cut rings: convex parts of at most 8 corners, the same area, every corner kept', () => {
  let large = 0;
  for (let seed = 1; seed <= 400; seed++) {
    const ring = ringWithPoints(seed);
    if (ring === null) continue;
    expect(isConvex(ring.x, ring.z, 0, ring.x.length), `seed ${seed}`).toBe(true);
    const parts = cutRing(ring.x, ring.z, 8);
    if (parts.length > 1) large++;
    let area = 0;
    const used = new Set<number>();
    for (const part of parts) {
      const x = part.map((i) => ring.x[i]);
      const z = part.map((i) => ring.z[i]);
      expect(part.length).toBeLessThanOrEqual(8);
      expect(isConvex(x, z, 0, x.length), `seed ${seed}`).toBe(true);
      area += doubleArea(x, z, 0, x.length);
      for (const i of part) used.add(i);
    }
    expect(area).toBe(doubleArea(ring.x, ring.z, 0, ring.x.length));
    expect(used.size).toBe(ring.x.length);
    // Balanced: a part of 8 corners shares two with each neighbour.
    expect(parts.length).toBeLessThanOrEqual(Math.ceil(ring.x.length / 3));
  }
  expect(large).toBeGreaterThan(150);
});

test('a triangle whose corners but one lie on one side', () => {
  const x = [0, ...Array.from({ length: 40 }, (_, i) => i - 20)];
  const z = [-50, ...Array.from({ length: 40 }, () => 0)];
  // Counter-clockwise: apex below, then the side from right to left.
  const ring = { x: [x[0], ...x.slice(1).reverse()], z };
  expect(isConvex(ring.x, ring.z, 0, 41)).toBe(true);
  for (const part of cutRing(ring.x, ring.z, 8)) expect(part).toContain(0);
});

test('convex means: every corner on the left of every side, distinct, once around', () => {
  const next = random(3);
  let yes = 0;
  for (let i = 0; i < 20_000; i++) {
    const n = between(next, 3, 6);
    const x = Array.from({ length: n }, () => between(next, 0, 3));
    const z = Array.from({ length: n }, () => between(next, 0, 3));
    const distinct = new Set(x.map((v, k) => `${v},${z[k]}`)).size === n;
    let left = true;
    let area = 0;
    for (let a = 0; a < n; a++) {
      const b = (a + 1) % n;
      area += x[a] * z[b] - x[b] * z[a];
      for (let c = 0; c < n; c++) if (turn(x[a], z[a], x[b], z[b], x[c], z[c]) < 0) left = false;
      // Straight back along the side just come.
      const d = (b + 1) % n;
      const back = (x[b] - x[a]) * (x[d] - x[b]) + (z[b] - z[a]) * (z[d] - z[b]);
      if (turn(x[a], z[a], x[b], z[b], x[d], z[d]) === 0 && back <= 0) left = false;
    }
    const expected = distinct && left && area > 0;
    if (expected) yes++;
    expect(isConvex(x, z, 0, n), `${x} | ${z}`).toBe(expected);
  }
  expect(yes).toBeGreaterThan(200);
});

test('ears of a simple bent ring fill it exactly', () => {
  // A comb: 3 teeth.
  const x = [0, 9, 9, 7, 7, 5, 5, 3, 3, 1, 1, 0];
  const z = [0, 0, 6, 6, 2, 2, 6, 6, 2, 2, 6, 6];
  const { ears, rest } = clipEars(x, z);
  expect(rest).toBe(0);
  let area = 0;
  for (let t = 0; t < ears.length; t += 3) {
    const [a, b, c] = ears.slice(t, t + 3);
    const twice = turn(x[a], z[a], x[b], z[b], x[c], z[c]);
    expect(twice).toBeGreaterThanOrEqual(0);
    area += twice;
  }
  expect(area).toBe(doubleArea(x, z, 0, x.length));
});
