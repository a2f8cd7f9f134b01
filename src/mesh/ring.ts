// Exact plan geometry of one polygon ring: convexity, ear clipping, cutting large rings by diagonals. Imported by
// conform.ts and its checks. Integers in, signs out; no tolerance.

/** Twice the signed area of a, b, c; exact for |coordinate| <= 2^24. */
export function turn(ax: number, az: number, bx: number, bz: number, cx: number, cz: number): number {
  return (bx - ax) * (cz - az) - (bz - az) * (cx - ax);
}

/** Twice the signed area of a ring. Summed from the first corner, exact while the ring spans less than 2^25 units. */
export function doubleArea(x: ArrayLike<number>, z: ArrayLike<number>, first: number, count: number): number {
  let sum = 0;
  for (let i = 1; i + 1 < count; i++) {
    sum += turn(x[first], z[first], x[first + i], z[first + i], x[first + i + 1], z[first + i + 1]);
  }
  return sum;
}

/**
 * Whether the ring is convex, counter-clockwise, of positive area; collinear corners allowed. Every turn is left or
 * straight on, and the edge direction passes from the lower to the upper half-plane once: one winding.
 */
export function isConvex(x: ArrayLike<number>, z: ArrayLike<number>, first: number, count: number): boolean {
  if (count < 3) return false;
  let windings = 0;
  let px = x[first] - x[first + count - 1];
  let pz = z[first] - z[first + count - 1];
  for (let i = 0; i < count; i++) {
    const here = first + i;
    const then = i + 1 === count ? first : here + 1;
    const dx = x[then] - x[here];
    const dz = z[then] - z[here];
    const cross = px * dz - pz * dx;
    if (cross < 0) return false;
    // Straight on, never back; an edge of no length fails here too.
    if (cross === 0 && !(px * dx + pz * dz > 0)) return false;
    const lowerBefore = pz < 0 || (pz === 0 && px < 0);
    const lower = dz < 0 || (dz === 0 && dx < 0);
    if (lowerBefore && !lower) windings++;
    px = dx;
    pz = dz;
  }
  return windings === 1;
}

/**
 * Ear clipping (Meisters 1975) on exact integers. Returns triples of places in the ring, counter-clockwise; zero-area
 * ears are returned too (the caller drops them and joins what lay on both sides). A ring that crosses itself may leave a
 * rest without ears: `rest` > 0 is its corner count. At most count^2 ear tests of count steps.
 */
export function clipEars(x: readonly number[], z: readonly number[]): { ears: number[]; rest: number } {
  const left = x.map((_, i) => i);
  const ears: number[] = [];
  while (left.length > 3) {
    let best = -1;
    let flat = -1;
    for (let i = 0; i < left.length; i++) {
      const a = left[(i + left.length - 1) % left.length];
      const b = left[i];
      const c = left[(i + 1) % left.length];
      const area = turn(x[a], z[a], x[b], z[b], x[c], z[c]);
      if (area > 0 && !holdsAny(x, z, left, a, b, c)) {
        best = i;
        break;
      }
      // Only when nothing else is left: a spike, or a rest that is a line.
      if (area === 0 && flat < 0) flat = i;
    }
    if (best < 0) best = flat;
    if (best < 0) return { ears, rest: left.length };
    ears.push(left[(best + left.length - 1) % left.length], left[best], left[(best + 1) % left.length]);
    left.splice(best, 1);
  }
  const [a, b, c] = left;
  if (turn(x[a], z[a], x[b], z[b], x[c], z[c]) < 0) return { ears, rest: 3 };
  ears.push(a, b, c);
  return { ears, rest: 0 };
}

/** Whether the triangle's closed area, its corners' places excepted, holds another corner of the ring. */
function holdsAny(
  x: readonly number[],
  z: readonly number[],
  left: number[],
  a: number,
  b: number,
  c: number,
): boolean {
  for (const p of left) {
    if (p === a || p === b || p === c) continue;
    if (
      turn(x[a], z[a], x[b], z[b], x[p], z[p]) >= 0 &&
      turn(x[b], z[b], x[c], z[c], x[p], z[p]) >= 0 &&
      turn(x[c], z[c], x[a], z[a], x[p], z[p]) >= 0
    ) {
      return true;
    }
  }
  return false;
}

/**
 * Cuts a convex ring with more than `most` corners by diagonals into convex rings of positive area. Returns lists of
 * places in the ring. A diagonal is allowed when both sides hold a corner where the ring turns; among the most balanced
 * diagonals the shortest is taken. Every cut leaves both parts with fewer corners, so it ends; n log n tests when
 * balanced cuts exist.
 */
export function cutRing(x: readonly number[], z: readonly number[], most: number): number[][] {
  const done: number[][] = [];
  const open: number[][] = [x.map((_, i) => i)];
  while (open.length > 0) {
    const ring = open.pop()!;
    if (ring.length <= most) {
      done.push(ring);
      continue;
    }
    const [i, j] = bestDiagonal(x, z, ring);
    open.push([...ring.slice(j), ...ring.slice(0, i + 1)], ring.slice(i, j + 1));
  }
  return done;
}

function bestDiagonal(x: readonly number[], z: readonly number[], ring: number[]): [number, number] {
  const n = ring.length;
  // turns[i]: corners before place i where the ring turns.
  const turns = new Uint32Array(n + 1);
  for (let i = 0; i < n; i++) {
    const a = ring[(i + n - 1) % n];
    const b = ring[i];
    const c = ring[(i + 1) % n];
    turns[i + 1] = turns[i] + (turn(x[a], z[a], x[b], z[b], x[c], z[c]) > 0 ? 1 : 0);
  }
  const all = turns[n];
  for (let span = n >>> 1; span >= 2; span--) {
    let found: [number, number] | null = null;
    let shortest = Number.POSITIVE_INFINITY;
    for (let i = 0; i + span < n; i++) {
      const j = i + span;
      const between = turns[j] - turns[i + 1];
      const outside = all - (turns[j + 1] - turns[i]);
      if (between === 0 || outside === 0) continue;
      const dx = x[ring[j]] - x[ring[i]];
      const dz = z[ring[j]] - z[ring[i]];
      if (dx * dx + dz * dz < shortest) {
        shortest = dx * dx + dz * dz;
        found = [i, j];
      }
    }
    if (found) return found;
  }
  // Not reached for a convex ring of positive area with 4 corners or more: the ring turns at three corners or more, and
  // the neighbours of one of them on both sides form a diagonal unless the ring is a triangle.
  throw new Error(`ring of ${n} corners without a diagonal`);
}
