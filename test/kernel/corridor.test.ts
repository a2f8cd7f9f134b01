// Corridor lengths against independent oracles, on lattices full of coincidences and on two floors over each other.
import { describe, expect, test } from 'vitest';
import { F_GENERATION, IN, S_OVER, S_UNDECIDED, S_UNREACHABLE, S_WALK } from '../../assembly/layout.ts';
import type { Kernel } from '../../src/kernel/index.ts';
import { graphLength, visibility } from '../oracle/graph.ts';
import { type LatticeMap, latticeMesh } from '../oracle/lattice.ts';
import { random } from '../oracle/random.ts';
import { ringMesh } from '../oracle/rings.ts';
import { type Point, type SightScene, sees } from '../oracle/sight.ts';
import { shortestOverSequences, sleeveLength } from '../oracle/sleeve.ts';
import { askRays, CLEAR, FROM_OFF, kernelOf, OUT_OF_RANGE, type Place, place, UNIT } from './ask.ts';
import { twoFloors } from './floors.ts';
import { askCorridor, portalsOf, surfaceOf } from './walks.ts';

const SEED = 77001;
const RELATIVE = 1e-12;

const plan = (a: Place, b: Place): number => Math.hypot(b[0] - a[0], b[2] - a[2]);

/** Component of each ring over shared edges, by coordinates. */
function flood(rings: LatticeMap['rings']): number[] {
  const owner = new Map<string, number>();
  const edges = rings.map((ring) =>
    Array.from({ length: ring.length / 2 }, (_, i) => {
      const k = (2 * i + 2) % ring.length;
      return [`${ring[2 * i]},${ring[2 * i + 1]}`, `${ring[k]},${ring[k + 1]}`] as const;
    }),
  );
  edges.forEach((list, p) => {
    for (const [a, b] of list) owner.set(`${a}>${b}`, p);
  });
  const component = rings.map(() => -1);
  rings.forEach((_ring, seed) => {
    if (component[seed]! >= 0) return;
    const stack = [seed];
    component[seed] = seed;
    for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
      for (const [a, b] of edges[p]!) {
        const q = owner.get(`${b}>${a}`);
        if (q !== undefined && component[q]! < 0) {
          component[q] = seed;
          stack.push(q);
        }
      }
    }
  });
  return component;
}

function holding(rings: LatticeMap['rings'], p: Point): number[] {
  return rings.flatMap((ring, i) => {
    for (let k = 0; k < ring.length; k += 2) {
      const [ax, az, bx, bz] = [ring[k]!, ring[k + 1]!, ring[(k + 2) % ring.length]!, ring[(k + 3) % ring.length]!];
      if ((bx - ax) * (p[1] - az) - (bz - az) * (p[0] - ax) < 0) return [];
    }
    return [i];
  });
}

/** A point of the map: a corner (three in ten), a point of an edge, or any integer point of a polygon. */
function pick(map: LatticeMap, next: () => number): Point {
  if (next() < 0.3) return map.points[Math.floor(next() * map.points.length)]!;
  for (;;) {
    const [minX, minZ, maxX, maxZ] = map.bounds;
    const p: Point = [minX + Math.floor(next() * (maxX - minX + 1)), minZ + Math.floor(next() * (maxZ - minZ + 1))];
    if (holding(map.rings, p).length > 0) return p;
  }
}

const MAPS = [
  { w: 5, h: 5, blocked: 0.3 },
  { w: 7, h: 4, blocked: 0.25, merge: 6 },
  { w: 6, h: 6, blocked: 0.35, merge: 8, jitter: 0 },
  { w: 8, h: 3, blocked: 0.2, jitter: 0 },
  {
    w: 6,
    h: 6,
    blocked: 0.3,
    spacing: 9,
    jitter: 4,
    merge: 5,
    height: (x: number, z: number) => ((x * 7 + z * 3) % 11) / 20,
  },
];

describe.each(['wasm', 'twin'] as const)('corridor on lattices, %s', (engine) => {
  test('keeps the sandwich, pulls the string taut, walks clear legs, and knows what is unreachable', () => {
    const wrong: string[] = [];
    const count = { walks: 0, unreachable: 0, bent: 0, taut: 0, longer: 0 };
    for (let round = 0; round < 25; round++) {
      const seed = SEED + round;
      const map = latticeMesh({ ...MAPS[round % MAPS.length]!, seed });
      const next = random(seed);
      const scene: SightScene = map;
      const seen = visibility(scene, map.points);
      const component = flood(map.rings);
      const kernel = kernelOf(map.mesh, engine);
      const surface = surfaceOf(kernel);
      const legs: { from: Place; to: Place; what: string }[] = [];
      for (let i = 0; i < 60; i++) {
        const [s, e] = [pick(map, next), pick(map, next)];
        const [from, to] = [place(s, 0.25), place(e, 0.25)];
        const got = askCorridor(kernel, from, to);
        const back = askCorridor(kernel, to, from);
        const what = `seed ${seed} ${s} -> ${e}: status ${got.status}, length ${got.length}`;
        const ends = holding(map.rings, e).map((p) => component[p]);
        const reachable = holding(map.rings, s).some((p) => ends.includes(component[p]));
        if ((got.status === S_WALK) !== reachable || (!reachable && got.status !== S_UNREACHABLE)) wrong.push(what);
        if (back.status !== got.status) wrong.push(`${what}, back ${back.status}`);
        if (got.status !== S_WALK) {
          count.unreachable++;
          continue;
        }
        count.walks++;
        const straight = plan(from, to);
        const shortest = graphLength(scene, map.points, seen, s, e) * UNIT;
        if (straight * (1 - RELATIVE) > shortest || shortest * (1 - RELATIVE) > got.length)
          wrong.push(`${what}, straight ${straight}, shortest ${shortest}`);
        if (got.length > shortest * (1 + 1e-9)) count.longer++;
        // One convex polygon for both ends: the straight line.
        if (got.polygons.length === 1 && Math.abs(got.length - straight) > straight * RELATIVE) wrong.push(what);
        const portals = portalsOf(surface, got.polygons);
        if (portals) {
          const taut = sleeveLength(s, e, portals) * UNIT;
          if (Math.abs(taut - got.length) > taut * RELATIVE) wrong.push(`${what}, taut ${taut}`);
          count.taut++;
        }
        const sum = got.corners.slice(1).reduce((l, c, k) => l + plan(got.corners[k]!, c), 0);
        if (Math.abs(sum - got.length) > got.length * RELATIVE) wrong.push(`${what}, legs add up to ${sum}`);
        if (plan(got.corners[0]!, from) !== 0 || plan(got.corners.at(-1)!, to) !== 0) wrong.push(`${what}, ends`);
        if (got.corners.length > 2) count.bent++;
        got.corners.slice(1).forEach((c, k) => {
          legs.push({ from: got.corners[k]!, to: c, what });
        });
      }
      const answers = askRays(
        kernel,
        legs.map((l) => l.from),
        legs.map((l) => l.to),
      );
      legs.forEach((l, i) => {
        if (answers.status[i] !== CLEAR) wrong.push(`${l.what}: leg ${l.from} -> ${l.to} is blocked`);
      });
    }
    expect(wrong.slice(0, 12), `seed ${SEED}, ${wrong.length} wrong`).toEqual([]);
    expect(count.walks).toBeGreaterThan(700);
    expect(count.unreachable).toBeGreaterThan(50);
    expect(count.bent).toBeGreaterThan(200);
    expect(count.taut).toBeGreaterThan(500);
    // The corridor is an upper bound and not the shortest walk: both must occur.
    expect(count.longer).toBeGreaterThan(0);
    expect(count.longer).toBeLessThan(count.walks / 2);
  });

  test('the limit loses no legal walk', () => {
    const wrong: string[] = [];
    let proven = 0;
    let lost = 0;
    let kept = 0;
    for (let round = 0; round < 20; round++) {
      const seed = SEED + 500 + round;
      const map = latticeMesh({ w: 9, h: 9, blocked: 0.3, seed, spacing: 4, ...(round % 2 ? { merge: 6 } : {}) });
      const next = random(seed);
      const kernel = kernelOf(map.mesh, engine);
      for (let i = 0; i < 100; i++) {
        const [s, e] = [pick(map, next), pick(map, next)];
        const free = askCorridor(kernel, place(s), place(e));
        if (free.status !== S_WALK || free.length === 0) continue;
        const what = `seed ${seed} ${s} -> ${e}`;
        for (const share of [0.5, 0.9, 0.999999, 1, 1.000001, 1.2, 3]) {
          const limit = free.length * share;
          const got = askCorridor(kernel, place(s), place(e), { limit });
          if (got.status === S_WALK) {
            kept++;
            if (got.length > limit) wrong.push(`${what}, limit ${limit}: ${got.length}`);
          } else if (got.status !== S_OVER) wrong.push(`${what}, limit ${limit}: status ${got.status}`);
          else {
            if (got.proven) proven++;
            if (share >= 1) lost++;
            // A proof says that no walk fits; the unlimited one is a walk.
            if (got.proven && share >= 1) wrong.push(`${what}, limit ${limit} "proven" against ${free.length}`);
            if (got.proven && Number.isFinite(got.length)) wrong.push(`${what}: proven, yet ${got.length}`);
            if (!got.proven && !(got.length > limit)) wrong.push(`${what}: ${got.length} within ${limit}`);
          }
        }
      }
    }
    expect(wrong.slice(0, 12), `seed ${SEED}, ${wrong.length} wrong`).toEqual([]);
    expect(proven).toBeGreaterThan(200);
    expect(kept).toBeGreaterThan(2000);
    // Skipping portals may lead to another corridor, rarely a longer one: it is then "over", but never "proven".
    expect(lost).toBeLessThan(kept / 200);
  });

  test('a node cap is "undecided", never guilt, and never changes an answer it gives', () => {
    const map = latticeMesh({ w: 14, h: 14, blocked: 0.25, seed: SEED + 900, spacing: 4 });
    const next = random(SEED + 900);
    const kernel = kernelOf(map.mesh, engine);
    let cut = 0;
    for (let i = 0; i < 150; i++) {
      const [s, e] = [place(pick(map, next)), place(pick(map, next))];
      const free = askCorridor(kernel, s, e);
      for (const cap of [0, 1, 2, 5, 20, free.nodes - 1, free.nodes]) {
        for (const limit of [Infinity, free.status === S_WALK ? free.length * 1.5 : 1]) {
          const got = askCorridor(kernel, s, e, { cap, limit });
          expect(got.nodes).toBeLessThanOrEqual(Math.max(cap, 0));
          if (free.status === S_UNREACHABLE) expect(got.status).toBe(S_UNREACHABLE);
          else if (got.status === S_UNDECIDED) cut++;
          else expect([S_WALK, S_OVER]).toContain(got.status);
          if (free.status === S_WALK && got.status === S_OVER) expect(got.proven).toBe(false);
          if (cap === free.nodes && limit === Infinity) expect(got).toEqual(free);
        }
      }
    }
    expect(cut).toBeGreaterThan(300);
  });

  test('asking twice, with other questions between, gives the same bytes', () => {
    const map = latticeMesh({ w: 8, h: 8, blocked: 0.25, seed: SEED + 950, merge: 5 });
    const next = random(SEED + 950);
    const kernel = kernelOf(map.mesh, engine);
    const pairs = Array.from({ length: 80 }, () => [place(pick(map, next)), place(pick(map, next))] as const);
    const ask = () => pairs.map(([s, e]) => askCorridor(kernel, s, e));
    const first = ask();
    pairs.reverse();
    expect(ask().reverse()).toEqual(first);
  });
});

describe('corridor, both engines', () => {
  test('say the same to the last bit, single and in batches', () => {
    const map = latticeMesh({ w: 12, h: 12, blocked: 0.25, seed: SEED + 960, merge: 6 });
    const next = random(SEED + 960);
    const [wasm, twin] = [kernelOf(map.mesh, 'wasm'), kernelOf(map.mesh, 'twin')];
    const n = 300;
    const pairs = Array.from({ length: n }, () => [place(pick(map, next)), place(pick(map, next))] as const);
    const limits = pairs.map(([s, e]) => (next() < 0.3 ? Infinity : plan(s, e) * (0.9 + next())));
    const batch = (kernel: Kernel): { status: number[]; length: number[] } => {
      const base = kernel.reserve(n * 64);
      const [from, to, limit, length] = [base, base + 24 * n, base + 48 * n, base + 56 * n];
      const rest = kernel.reserve(n * 8);
      const [polygon, status] = [rest, rest + 4 * n];
      kernel.f64(from, 3 * n).set(pairs.flatMap(([s]) => s));
      kernel.f64(to, 3 * n).set(pairs.flatMap(([, e]) => e));
      kernel.f64(limit, n).set(limits);
      kernel.u32(polygon, n).fill(0xffffffff);
      kernel.input.set([1, 1, 0, 0, 4096], 6);
      kernel.batchCorridor(n, from, to, polygon, limit, status, length);
      return { status: [...kernel.u32(status, n)], length: [...kernel.f64(length, n)] };
    };
    const [a, b] = [batch(wasm), batch(twin)];
    expect(b).toEqual(a);
    pairs.forEach(([s, e], i) => {
      const one = askCorridor(wasm, s, e, { limit: limits[i]! });
      expect(askCorridor(twin, s, e, { limit: limits[i]! })).toEqual(one);
      expect([one.status, one.length]).toEqual([a.status[i], a.length[i]]);
    });
    expect(new Set(a.status).size).toBeGreaterThan(1);
  });
});

describe.each(['wasm', 'twin'] as const)('corridor, named cases, %s', (engine) => {
  const square = (x: number, z: number, size: number): number[] => [x, z, x + size, z, x + size, z + size, x, z + size];

  test('round a corner, with the heights of what it passes', () => {
    // An L of three squares; the inner corner is (10, 10).
    const map = ringMesh([
      { at: square(0, 0, 10), y: 1 },
      { at: square(10, 0, 10), y: [1, 2, 2, 1] },
      { at: square(10, 10, 10), y: [1, 2, 2, 1] },
    ]);
    const kernel = kernelOf(map.mesh, engine);
    // The middle square's upper side joins (10, 10, 1) - (20, 10, 2).
    const got = askCorridor(kernel, place([2, 8], 1), place([12, 18], 1.2));
    expect(got.status).toBe(S_WALK);
    expect(got.polygons).toEqual([0, 1, 2]);
    expect(got.corners).toEqual([
      [2 * UNIT, 1, 8 * UNIT],
      [10 * UNIT, 1, 10 * UNIT],
      [12 * UNIT, expect.closeTo(1.2, 6), 18 * UNIT],
    ]);
    expect(got.length).toBeCloseTo((Math.hypot(8, 2) + Math.hypot(2, 8)) * UNIT, 12);
  });

  test('the start is the target', () => {
    const kernel = kernelOf(ringMesh([{ at: square(0, 0, 10) }]).mesh, engine);
    const got = askCorridor(kernel, place([3, 3]), place([3, 3]));
    expect(got).toMatchObject({ status: S_WALK, length: 0, polygons: [0] });
    expect(got.corners.length).toBe(2);
  });

  test('no squeeze through a pinch', () => {
    const map = ringMesh([{ at: square(0, 0, 10) }, { at: square(10, 10, 10) }]);
    const kernel = kernelOf(map.mesh, engine);
    expect(askCorridor(kernel, place([5, 5]), place([15, 15])).status).toBe(S_UNREACHABLE);
    // From the touching point itself both sides are home.
    expect(askCorridor(kernel, place([10, 10]), place([15, 15])).status).toBe(S_WALK);
    expect(askCorridor(kernel, place([10, 10]), place([5, 5])).status).toBe(S_WALK);
  });

  test('a start beside the mesh is put on it, within the tolerance', () => {
    const kernel = kernelOf(ringMesh([{ at: square(0, 0, 1000) }]).mesh, engine);
    const band = { below: 1, above: 1, tolerance: 0.1 };
    const got = askCorridor(kernel, place([-50, 500]), place([500, 500]), { band });
    expect(got).toMatchObject({ status: S_WALK, length: 500 * UNIT });
    expect(askCorridor(kernel, place([-500, 500]), place([500, 500]), { band }).status).toBe(FROM_OFF);
    expect(askCorridor(kernel, place([500, 500]), place([-500, 500]), { band }).status).toBe(FROM_OFF + 1);
    expect(askCorridor(kernel, place([Number.NaN, 500]), place([0, 0]), { band }).status).toBe(OUT_OF_RANGE);
    expect(askCorridor(kernel, place([0, 0]), [0, Infinity, 0], { band }).status).toBe(OUT_OF_RANGE);
    expect(askCorridor(kernel, place([0, 0]), [1e300, 0, 0], { band }).status).toBe(OUT_OF_RANGE);
  });

  test.each([
    ['not a number', Number.NaN, S_OVER],
    ['negative', -1, S_OVER],
    ['zero', 0, S_OVER],
    ['shorter than the straight line', 9.9 * UNIT, S_OVER],
    ['the straight line', 10 * UNIT, S_WALK],
    ['infinite', Infinity, S_WALK],
  ])('a limit that is %s', (_name, limit, status) => {
    const kernel = kernelOf(ringMesh([{ at: square(0, 0, 20) }]).mesh, engine);
    expect(askCorridor(kernel, place([0, 0]), place([10, 0]), { limit }).status).toBe(status);
  });
});

describe.each(['wasm', 'twin'] as const)('corridor and off-mesh links, %s', (engine) => {
  const M = 1024;
  const bar = (x: number, z: number, w: number, h: number): { at: number[] } => ({
    at: [x, z, x + w, z, x + w, z + h, x, z + h].map((v) => v * M),
  });
  const linked = (rings: { at: number[] }[], from: Place, to: Place, bidirectional = true): Kernel => {
    const link = { from, to, radius: 0.5, bidirectional, area: 0, flags: 1, userId: 0, tile: 0 };
    return kernelOf({ ...ringMesh(rings).mesh, links: [link] }, engine);
  };

  test('islands that only a link joins are walked between over it', () => {
    const rings = [bar(0, 0, 2, 2), bar(4, 0, 2, 2)];
    const plain = kernelOf(ringMesh(rings).mesh, engine);
    expect(askCorridor(plain, [1, 0, 1], [5, 0, 1]).status).toBe(S_UNREACHABLE);
    const kernel = linked(rings, [1.5, 0, 1], [4.5, 0, 1]);
    const walk = { status: S_WALK, length: 4, polygons: [0, 1] };
    const corners = [
      [1, 0, 1],
      [1.5, 0, 1],
      [4.5, 0, 1],
      [5, 0, 1],
    ];
    expect(askCorridor(kernel, [1, 0, 1], [5, 0, 1])).toMatchObject({ ...walk, corners });
    expect(askCorridor(kernel, [5, 0, 1], [1, 0, 1])).toMatchObject({ ...walk, polygons: [1, 0] });
    expect(askCorridor(kernel, [1, 0, 1], [5, 0, 1], { limit: 4.5 })).toMatchObject(walk);
    // The straight line is longer than the limit: no link shortens that.
    expect(askCorridor(kernel, [1, 0, 1], [5, 0, 1], { limit: 3.9 })).toMatchObject({ status: S_OVER, proven: true });
    // The other way a link that goes one way is a wall, and that is proven; within a limit too.
    const oneWay = linked(rings, [1.5, 0, 1], [4.5, 0, 1], false);
    expect(askCorridor(oneWay, [1, 0, 1], [5, 0, 1])).toMatchObject(walk);
    expect(askCorridor(oneWay, [5, 0, 1], [1, 0, 1]).status).toBe(S_UNREACHABLE);
    expect(askCorridor(oneWay, [5, 0, 1], [1, 0, 1], { limit: 100 }).status).toBe(S_UNREACHABLE);
  });

  test('a link within the limit is a shortcut, one too far away is skipped', () => {
    // A U: two bars of 2 x 8 m joined at the bottom; the way round from top to top is about 14 m.
    const rings = [bar(0, 0, 2, 2), bar(2, 0, 2, 2), bar(4, 0, 2, 2), bar(0, 2, 2, 6), bar(4, 2, 2, 6)];
    const [from, to]: [Place, Place] = [
      [1, 0, 7],
      [5, 0, 7],
    ];
    const plain = kernelOf(ringMesh(rings).mesh, engine);
    expect(askCorridor(plain, from, to, { limit: 6 })).toMatchObject({ status: S_OVER, proven: true });
    const near = linked(rings, [1.5, 0, 6], [4.5, 0, 6]);
    const got = askCorridor(near, from, to, { limit: 6 });
    expect(got).toMatchObject({ status: S_WALK, polygons: [3, 4] });
    expect(got.length).toBeCloseTo(3 + 2 * Math.hypot(0.5, 1), 12);
    const far = linked(rings, [1.5, 0, 3], [4.5, 0, 3]);
    expect(askCorridor(far, from, to, { limit: 6 })).toMatchObject({ status: S_OVER, proven: true });
    expect(askCorridor(far, from, to).length).toBeCloseTo(3 + 2 * Math.hypot(0.5, 4), 12);
  });
});

describe.each(['wasm', 'twin'] as const)('search numbers, %s', (engine) => {
  test('run out without any stale stamp passing for a new one', () => {
    const map = latticeMesh({ w: 8, h: 8, blocked: 0.25, seed: SEED + 980 });
    const next = random(SEED + 980);
    const pairs = Array.from({ length: 12 }, () => [place(pick(map, next)), place(pick(map, next))] as const);
    const fresh = kernelOf(map.mesh, engine);
    const expected = pairs.map(([s, e]) => askCorridor(fresh, s, e));
    const kernel = kernelOf(map.mesh, engine);
    const frame = kernel.input.byteOffset - IN;
    // Stamps 1, 2, 3 .. are in the table; after the wrap these numbers come again.
    for (const [s, e] of pairs) askCorridor(kernel, s, e);
    kernel.u32(frame + F_GENERATION, 1)[0] = 0xfffffffe - 4;
    expect(pairs.map(([s, e]) => askCorridor(kernel, s, e))).toEqual(expected);
    expect(kernel.u32(frame + F_GENERATION, 1)[0]).toBeLessThan(20);
  });
});

describe.each(['wasm', 'twin'] as const)('corridor over two floors, %s', (engine) => {
  test('goes over the ramp, and never through the ceiling', () => {
    const map = twoFloors();
    const kernel = kernelOf(map.mesh, engine);
    const surface = surfaceOf(kernel);
    const band = { below: 0.3, above: 0.3, tolerance: 0 };
    const next = random(SEED + 990);
    const wrong: string[] = [];
    let above = 0;
    let longer = 0;
    for (let i = 0; i < 120; i++) {
      const [s, e] = [map.pick(next), map.pick(next)];
      const got = askCorridor(kernel, s.at, e.at, { band });
      const exact = shortestOverSequences(surface, s.rings, e.rings, s.plan, e.plan);
      const what = `${s.at} -> ${e.at}: ${got.status} ${got.length}`;
      if (exact === undefined || got.status !== S_WALK) {
        wrong.push(what);
        continue;
      }
      if (got.length < exact * UNIT * (1 - RELATIVE)) wrong.push(`${what}, shortest ${exact * UNIT}`);
      if (got.length > exact * UNIT * (1 + 1e-9)) longer++;
      const taut = sleeveLength(s.plan, e.plan, portalsOf(surface, got.polygons)!) * UNIT;
      if (Math.abs(taut - got.length) > taut * RELATIVE) wrong.push(`${what}, taut ${taut}`);
      if (Math.abs(s.at[1] - e.at[1]) > 2) {
        above++;
        if (!(got.length > plan(s.at, e.at))) wrong.push(`${what}, straight through the ceiling`);
      }
      const legs = got.corners.slice(1).map((c, k) => [got.corners[k]!, c] as const);
      const rays = askRays(
        kernel,
        legs.map(([a]) => a),
        legs.map(([, b]) => b),
        band,
      );
      if (rays.status.some((status) => status !== CLEAR)) wrong.push(`${what}, a leg is blocked`);
    }
    expect(wrong.slice(0, 12), `seed ${SEED}, ${wrong.length} wrong`).toEqual([]);
    expect(above).toBeGreaterThan(20);
    expect(longer).toBeLessThan(60);
  });
});

test('the oracles agree with each other where sight decides', () => {
  const map = latticeMesh({ w: 5, h: 5, blocked: 0.25, seed: SEED + 970 });
  const next = random(SEED + 970);
  const seen = visibility(map, map.points);
  for (let i = 0; i < 200; i++) {
    const [s, e] = [pick(map, next), pick(map, next)];
    const straight = Math.hypot(e[0] - s[0], e[1] - s[1]);
    const length = graphLength(map, map.points, seen, s, e);
    if (sees(map, s, e)) expect(length).toBe(straight);
    else expect(length).toBeGreaterThanOrEqual(straight);
  }
});
