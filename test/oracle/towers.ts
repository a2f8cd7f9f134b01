// Random buildings whose floors lie over each other, with the corners of all floors on the same plan positions, and spiral
// ramps of more than one turn. Integers in plan, heights in metres; every ring is plane, so heights are known exactly.
import { between, random } from './random.ts';
import { type Ring, ringMesh } from './rings.ts';
import type { Point, Surface } from './sleeve.ts';

export interface TowerPoint {
  readonly plan: Point;
  readonly y: number;
  /** The rings whose closed area holds the point at this height (within BAND). */
  readonly rings: readonly number[];
}

export interface Tower {
  readonly mesh: ReturnType<typeof ringMesh>['mesh'];
  readonly surface: Surface;
  /** A point of a ring: a corner, a point of an edge's line or any integer point. */
  pick(next: () => number): TowerPoint;
}

/** How far above or under a floor a position may be. */
export const BAND = 0.3;
const STOREY = 3;

/** Rings with a height at each corner; the adjacency of the surface is found here, apart from the mesh's. */
function tower(rings: readonly (Ring & { readonly y: readonly number[] })[]): Tower {
  const key = (ring: Ring & { readonly y: readonly number[] }, k: number): string => {
    const i = k % ring.y.length;
    return `${ring.at[2 * i]},${ring.at[2 * i + 1]},${ring.y[i]}`;
  };
  const owner = new Map<string, number>();
  rings.forEach((ring, p) => {
    ring.y.forEach((_, k) => {
      owner.set(`${key(ring, k)} > ${key(ring, k + 1)}`, p);
    });
  });
  const across = rings.map((ring) => ring.y.map((_, k) => owner.get(`${key(ring, k + 1)} > ${key(ring, k)}`) ?? -1));
  return {
    mesh: ringMesh(rings).mesh,
    surface: { rings: rings.map(({ at }) => at), across },
    pick(next) {
      for (;;) {
        const ring = rings[between(next, 0, rings.length - 1)]!;
        const corner = between(next, 0, ring.y.length - 1);
        const xs = ring.at.filter((_, i) => i % 2 === 0);
        const zs = ring.at.filter((_, i) => i % 2 === 1);
        const plan: Point =
          next() < 0.35
            ? [xs[corner]!, zs[corner]!]
            : [between(next, Math.min(...xs), Math.max(...xs)), between(next, Math.min(...zs), Math.max(...zs))];
        const y = heightIn(ring, plan);
        if (y === undefined) continue;
        const gaps = rings.map((other) => Math.abs((heightIn(other, plan) ?? Infinity) - y));
        // Too near to the end of the band to say.
        if (gaps.some((gap) => Math.abs(gap - BAND) < 0.01)) continue;
        return { plan, y, rings: gaps.flatMap((gap, i) => (gap < BAND ? [i] : [])) };
      }
    },
  };
}

/** Height of a plane ring at a plan point of its closed area, else undefined. */
function heightIn({ at, y }: Ring & { readonly y: readonly number[] }, [x, z]: Point): number | undefined {
  for (let k = 0; k < y.length; k++) {
    const n = (k + 1) % y.length;
    if ((at[2 * n]! - at[2 * k]!) * (z - at[2 * k + 1]!) - (at[2 * n + 1]! - at[2 * k + 1]!) * (x - at[2 * k]!) < 0)
      return undefined;
  }
  const [ux, uz] = [at[2]! - at[0]!, at[3]! - at[1]!];
  const [vx, vz] = [at[4]! - at[0]!, at[5]! - at[1]!];
  const area = ux * vz - uz * vx;
  const u = ((x - at[0]!) * vz - (z - at[1]!) * vx) / area;
  const v = (ux * (z - at[1]!) - uz * (x - at[0]!)) / area;
  return y[0]! + u * (y[1]! - y[0]!) + v * (y[2]! - y[0]!);
}

/** Two or three lattice floors over each other, some cells missing, joined by ramps of one cell. */
export function lattices(seed: number): Tower {
  const next = random(seed);
  const floors = next() < 0.75 ? 2 : 3;
  const w = between(next, 2, floors === 2 ? 4 : 3);
  const h = between(next, 2, 3);
  const spacing = 4;
  const jitter = next() < 0.3 ? 0 : 1;
  const px: number[] = [];
  const pz: number[] = [];
  for (let v = 0; v < (w + 1) * (h + 1); v++) {
    px.push((v % (w + 1)) * spacing + between(next, -jitter, jitter));
    pz.push(Math.floor(v / (w + 1)) * spacing + between(next, -jitter, jitter));
  }
  const cornersOf = (i: number, j: number): number[] => {
    const a = j * (w + 1) + i;
    return [a, a + 1, a + w + 2, a + w + 1];
  };
  const turn = (a: number, b: number, c: number): number =>
    (px[b]! - px[a]!) * (pz[c]! - pz[a]!) - (pz[b]! - pz[a]!) * (px[c]! - px[a]!);

  // What stands in each cell of each floor: ground, nothing, or a ramp that begins or ends there.
  const kind: ('gap' | 'ground' | 'ramp')[][] = Array.from({ length: floors }, () =>
    Array.from({ length: w * h }, () => (next() < 0.2 ? 'gap' : 'ground')),
  );
  const rings: (Ring & { y: number[] })[] = [];
  const put = (corners: readonly number[], heights: readonly number[]): void => {
    rings.push({ at: corners.flatMap((v) => [px[v]!, pz[v]!]), y: [...heights] });
  };
  const STEPS = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ] as const;
  for (let k = 0; k + 1 < floors; k++) {
    for (let ramps = between(next, 1, 2), tries = 0; ramps > 0 && tries < 40; tries++) {
      const [i, j] = [between(next, 0, w - 1), between(next, 0, h - 1)];
      const turnBy = between(next, 0, 3);
      const [dx, dz] = STEPS[turnBy]!;
      const inside = (x: number, z: number): boolean => x >= 0 && x < w && z >= 0 && z < h;
      if (!inside(i - dx, j - dz) || !inside(i + dx, j + dz)) continue;
      const [cell, foot, top] = [j * w + i, (j - dz) * w + i - dx, (j + dz) * w + i + dx];
      if (kind[k]![cell] === 'ramp' || kind[k + 1]![cell] === 'ramp') continue;
      if (kind[k]![foot] === 'ramp' || kind[k + 1]![top] === 'ramp') continue;
      const c = cornersOf(i, j);
      if (turn(c[0]!, c[1]!, c[2]!) <= 0 || turn(c[0]!, c[2]!, c[3]!) <= 0) continue;
      kind[k]![cell] = 'ramp';
      kind[k + 1]![cell] = 'ramp';
      kind[k]![foot] = 'ground';
      kind[k + 1]![top] = 'ground';
      // Corner n is on the far side of direction 0 for n = 1, 2; turned by one for the next direction.
      const y = c.map((_, n) => STOREY * (k + ([1, 2].includes((n - turnBy + 4) % 4) ? 1 : 0)));
      put([c[0]!, c[1]!, c[2]!], [y[0]!, y[1]!, y[2]!]);
      put([c[0]!, c[2]!, c[3]!], [y[0]!, y[2]!, y[3]!]);
      ramps--;
    }
  }
  for (let k = 0; k < floors; k++) {
    for (let cell = 0; cell < w * h; cell++) {
      if (kind[k]![cell] !== 'ground') continue;
      const c = cornersOf(cell % w, Math.floor(cell / w));
      const y = STOREY * k;
      const turns = [0, 1, 2, 3].map((n) => turn(c[n]!, c[(n + 1) % 4]!, c[(n + 2) % 4]!));
      if (turns.every((t) => t > 0) && next() < 0.6) {
        put(c, [y, y, y, y]);
        continue;
      }
      const d = next() < 0.5 ? 0 : 1;
      const halves = [d, 1 - d]
        .map((o) => [
          [c[o]!, c[1 + o]!, c[2 + o]!],
          [c[o]!, c[2 + o]!, c[(3 + o) % 4]!],
        ])
        .find((pair) => pair.every(([p, q, r]) => turn(p!, q!, r!) > 0));
      for (const half of halves ?? []) put(half, [y, y, y]);
    }
  }
  return tower(rings.length > 0 ? rings : [{ at: [0, 0, 4, 0, 4, 4], y: [0, 0, 0] }]);
}

/** A ramp round a pole, 1.25 to 2.75 turns; the pole is a single corner (one fan of more than 360 degrees) or a square. */
export function spiral(seed: number): Tower {
  const next = random(seed);
  const fan = next() < 0.5;
  const rise = fan ? 1.3 : 0.5;
  // Eight rays; the outer ring on a square of half-width 8, the inner one of half-width 2.
  const rays = [
    [1, 0],
    [1, 1],
    [0, 1],
    [-1, 1],
    [-1, 0],
    [-1, -1],
    [0, -1],
    [1, -1],
  ] as const;
  const wobble = rays.map(() => between(next, -1, 1));
  const outer = (k: number): Point => {
    const [x, z] = rays[k % 8]!;
    const d = wobble[k % 8]!;
    // Rays along an axis move sideways, the corners of the square stay.
    return [8 * x + (x === 0 ? d : 0), 8 * z + (z === 0 ? d : 0)];
  };
  const inner = (k: number): Point => (fan ? [0, 0] : [2 * rays[k % 8]![0], 2 * rays[k % 8]![1]]);
  const wedges = between(next, 10, 22);
  const rings: (Ring & { y: number[] })[] = [];
  const put = (corners: readonly (readonly [Point, number])[]): void => {
    rings.push({ at: corners.flatMap(([p]) => [...p]), y: corners.map(([, y]) => y) });
  };
  for (let k = 0; k < wedges; k++) {
    const [low, high] = [rise * k, rise * (k + 1)];
    if (fan) {
      put([
        [[0, 0], 0],
        [outer(k), low],
        [outer(k + 1), high],
      ]);
      continue;
    }
    put([
      [inner(k), low],
      [outer(k), low],
      [outer(k + 1), high],
    ]);
    put([
      [inner(k), low],
      [outer(k + 1), high],
      [inner(k + 1), high],
    ]);
  }
  return tower(rings);
}

/**
 * Two floors joined by two hairpins round a pole: the shorter one leads out over a long edge and back under it, so that
 * its first edge has start and target on one side; the pole of the other stands on its edge.
 */
export function hairpin(): Tower & { readonly from: TowerPoint; readonly to: TowerPoint } {
  const rings: (Ring & { y: number[] })[] = [];
  const half = STOREY / 2;
  for (const y of [0, STOREY]) {
    rings.push({ at: [-100, -39, 0, -40, 100, -39, 100, 0, -100, 0], y: [y, y, y, y, y] });
    rings.push({ at: [-100, 0, 100, 0, 0, 1], y: [y, y, half] });
  }
  // Over the upper pole from left to right, and under the lower one.
  rings.push(
    { at: [0, 1, 0, 60, -100, 0], y: [half, half, 0] },
    { at: [0, 1, 100, 0, 0, 60], y: [half, STOREY, half] },
  );
  rings.push(
    { at: [-100, -39, 0, -90, 0, -42, 0, -40], y: [0, half, half, 0] },
    { at: [0, -40, 0, -42, 0, -90, 100, -39], y: [STOREY, half, half, STOREY] },
  );
  return {
    ...tower(rings),
    from: { plan: [-90, -10], y: 0, rings: [0] },
    to: { plan: [90, -10], y: STOREY, rings: [2] },
  };
}
