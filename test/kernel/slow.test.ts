// The bound of a walk's effort over slow ground: exact in simple places, never over what a walk found on a fine grid takes,
// the same in both engines.
import { describe, expect, test } from 'vitest';
import type { Engine } from '../../src/kernel/index.ts';
import { NavMap } from '../../src/map.ts';
import type { NavLink } from '../../src/mesh/navmesh.ts';
import { box, meshOf } from '../mesh/handmade.ts';
import { effortFrom, effortPlaces, legEffort, type Speed } from '../oracle/effort.ts';
import { between, random } from '../oracle/random.ts';

const ENGINES: readonly Engine[] = ['wasm', 'twin'];
const MUD = 5;
const BOG = 6;

/** Boxes in metres, x0, z0, x1, z1 and area. */
type Patch = readonly [number, number, number, number, number];

function mapOf(patches: readonly Patch[], engine: Engine, links: readonly NavLink[] = []): NavMap {
  const portals: [number, number][] = [];
  const mesh = meshOf(
    patches.map(([x0, z0, x1, z1]) => box(x0, z0, x1, z1)),
    { cell: 1, links, portals },
  );
  mesh.areas.set(patches.map((patch) => patch[4]));
  const map = NavMap.fromMesh(mesh, { engine });
  map.setAreaSpeed(MUD, 0.5);
  map.setAreaSpeed(BOG, 0.25);
  return map;
}

const link = (x0: number, z0: number, x1: number, z1: number, bidirectional: boolean): NavLink => {
  return { from: [x0, 0, z0], to: [x1, 0, z1], radius: 0.1, bidirectional, area: 0, flags: 1, userId: 0, tile: 0 };
};

/** Effort by shortest and by reach, which must be one number. */
function efforts(map: NavMap, from: readonly [number, number], to: readonly [number, number]): number {
  const [a, b] = [[from[0], 0, from[1]] as const, [to[0], 0, to[1]] as const];
  const one = map.shortest(a, b).effort;
  const two = map.reach(a, b, 1000).effort;
  expect(one).toBeDefined();
  expect(two).toBeCloseTo(one!, 9);
  return one!;
}

describe.each(ENGINES)('by hand, %s', (engine) => {
  const STRIP: Patch[] = [
    [0, 0, 6, 4, 0],
    [6, 0, 10, 4, MUD],
  ];

  test('three metres, the last one and a half in mud at half speed: the effort of four and a half', () => {
    const map = mapOf(STRIP, engine);
    expect(efforts(map, [4.5, 2], [7.5, 2])).toBeCloseTo(4.5, 9);
    expect(efforts(map, [7.5, 2], [4.5, 2])).toBeCloseTo(4.5, 9);
    // 0.75 s at 6 m/s.
    expect(efforts(map, [4.5, 2], [7.5, 2]) / 6).toBeCloseTo(0.75, 9);
  });

  test('places that are as far away count in no order: the same bound however the polygons are numbered', () => {
    // round a corner and back: two ways on at one distance, one of them to plain ground, the other to faster mud
    const ways: Patch[] = [
      [1, 2, 2, 3, BOG],
      [2, 3, 4, 4, MUD],
    ];
    const rest: Patch[] = [
      [0, 0, 4, 1, BOG],
      [4, 0, 6, 1, BOG],
      [4, 1, 6, 2, BOG],
      [4, 2, 6, 3, BOG],
      [2, 2, 4, 3, BOG],
      [-5, 2, 1, 3, 0],
    ];
    const one = mapOf([...rest, ...ways], engine);
    const other = mapOf([...rest, ...ways.reverse()], engine);
    const [a, b] = [[0.5, 0.5] as const, [-4, 2.5] as const];
    expect(efforts(one, a, b)).toBe(efforts(other, a, b));
    expect(efforts(one, b, a)).toBe(efforts(other, b, a));
  });

  test('beside the mud, on its seam and at its seam: nothing is added', () => {
    const map = mapOf(STRIP, engine);
    expect(efforts(map, [1, 1], [5, 3])).toBeCloseTo(Math.hypot(4, 2), 9);
    expect(efforts(map, [6, 1], [6, 3])).toBeCloseTo(2, 9);
    expect(efforts(map, [3, 2], [6, 2])).toBeCloseTo(3, 9);
    expect(efforts(map, [6, 2], [7, 2])).toBeCloseTo(2, 9);
  });

  test('a walk inside the mud: slow all the way, or out and in again, whichever is less', () => {
    const map = mapOf(STRIP, engine);
    expect(efforts(map, [8, 2], [9, 2])).toBeCloseTo(2, 9);
    // 1/4 m from the way out on both sides: only that much is sure.
    expect(efforts(map, [6.25, 0.5], [6.25, 3.5])).toBeCloseTo(3.5, 9);
  });

  test('mud without a way out is slow all the way', () => {
    const map = mapOf([[0, 0, 10, 4, MUD]], engine);
    expect(efforts(map, [1, 1], [9, 1])).toBeCloseTo(16, 9);
  });

  test('from mud over plain ground into a bog', () => {
    const map = mapOf(
      [
        [0, 0, 3, 4, MUD],
        [3, 0, 7, 4, 0],
        [7, 0, 12, 4, BOG],
      ],
      engine,
    );
    expect(efforts(map, [2, 2], [9, 2])).toBeCloseTo(7 + 1 + 3 * 2, 9);
    // From mud straight into the bog: each stretch at its own speed.
    const next = mapOf(
      [
        [0, 0, 5, 4, MUD],
        [5, 0, 10, 4, BOG],
      ],
      engine,
    );
    // Of one region both are part, with no way out: all of it at the faster multiplier.
    expect(efforts(next, [4, 2], [7, 2])).toBeCloseTo(6, 9);
  });

  test('round a wall into mud: the walls of the mud are no way out', () => {
    // A U of mud round a block; the way in is at one end.
    const map = mapOf(
      [
        [0, 0, 2, 2, 0],
        [2, 0, 10, 2, MUD],
        [10, 0, 12, 2, MUD],
        [10, 2, 12, 4, MUD],
      ],
      engine,
    );
    const length = 9 + 2;
    const a = [1, 0, 1] as const;
    const b = [10, 0, 3] as const;
    const { effort, length: walk } = map.reach(a, b, 1000);
    expect(map.reach(a, b, 1000).status).toBe('walk');
    expect(walk!).toBeLessThan(length);
    // As the crow flies to the way in, and no farther than the walk.
    expect(effort!).toBeGreaterThan(walk! + 7.9);
    expect(effort!).toBeLessThan(1 + 2 * (walk! - 1) + 1e-9);
  });

  test('a way out that is near as the crow flies and far on foot is as far as the edges before it', () => {
    // Mud: an arm to the right, a bend, an arm back, and out beside the start.
    const map = mapOf(
      [
        [0, 0, 10, 1, MUD],
        [10, 0, 11, 1, MUD],
        [10, 1, 11, 2, MUD],
        [10, 2, 11, 3, MUD],
        [0, 2, 10, 3, MUD],
        [-1, 2, 0, 3, 0],
      ],
      engine,
    );
    const { effort, length } = map.reach([0.5, 0, 0.5], [-0.5, 0, 2.5], 100);
    expect(effort!).toBeCloseTo(length! + Math.hypot(9.5, 1.5), 9);
  });

  test('slow ground of three kinds: each stretch at the fastest of what it may be on, the better of two ways to cut', () => {
    const map = mapOf(
      [
        [0, 0, 4, 4, 7],
        [4, 0, 8, 4, MUD],
        [8, 0, 12, 4, BOG],
      ],
      engine,
    );
    map.setAreaSpeed(7, 0.8);
    // The last four metres cannot be on the sand at 0.8, the first four can: 4 / 0.5, of 10 in truth.
    expect(efforts(map, [5, 2], [9, 2])).toBeCloseTo(8, 9);
    expect(efforts(map, [9, 2], [5, 2])).toBeCloseTo(8, 9);
  });

  test('where floors lie over each other and both may be meant, only what holds on both counts', () => {
    const ring = (x0: number, x1: number, y: number, tile: number) => box(x0, 0, x1, 4, tile, y);
    const mesh = meshOf([ring(0, 6, 0, 0), ring(6, 12, 0, 0), ring(6, 12, 1, 1)], { cell: 1 });
    mesh.areas.set([0, MUD, 0]);
    const map = NavMap.fromMesh(mesh, { engine });
    map.setAreaSpeed(MUD, 0.5);
    const band = { below: 0.5, above: 1.5 };
    const effort = (from: readonly [number, number], to: readonly [number, number]) =>
      map.reach([from[0], from[1], 2], [to[0], to[1], 2], 100, band).effort!;
    expect(effort([4, 0], [9, 0])).toBeCloseTo(5 + 3, 9);
    expect(effort([4, 0], [9, 1.2])).toBeCloseTo(5, 9);
    expect(effort([9, 1.2], [4, 0])).toBeCloseTo(5, 9);
  });

  test('an end of a link is a way out and a way in, whatever its direction', () => {
    const island: Patch[] = [...STRIP, [20, 0, 40, 4, MUD]];
    const out = mapOf(island, engine, [link(39, 2, 1, 2, false)]);
    // 36 to 39 in mud, 38 over the link, one more metre.
    expect(efforts(out, [36, 2], [2, 2])).toBeCloseTo(3 + 38 + 1 + 3, 9);
    const into = mapOf(island, engine, [link(1, 2, 39, 2, false)]);
    expect(efforts(into, [2, 2], [36, 2])).toBeCloseTo(1 + 38 + 3 + 3, 9);
    expect(into.shortest([36, 0, 2], [2, 0, 2]).effort).toBeUndefined();
  });

  test('a flood that is cut short knows less, never more', () => {
    const side = 44;
    const patches: Patch[] = [];
    for (let j = 0; j < side; j++) for (let i = 0; i < side; i++) patches.push([i, j, i + 1, j + 1, MUD]);
    patches.push([side, 0, side + 1, 1, 0]);
    const map = mapOf(patches, engine);
    const a = [0.5, 0, 0.5] as const;
    const b = [44.5, 0, 0.5] as const;
    const { effort, length } = map.reach(a, b, 1000);
    expect(length).toBeCloseTo(44, 9);
    // 1,024 squares nearest to a corner: a quarter of a disc of that area has a radius of 36.
    expect(effort!).toBeGreaterThan(44 + 33);
    expect(effort!).toBeLessThan(44 + 40);
  });

  test('no slow area, no effort; lengths are what they were; a multiplier may be taken back', () => {
    const map = mapOf(STRIP, engine);
    const a = [4.5, 0, 2] as const;
    const b = [7.5, 0, 2] as const;
    expect(map.reach(a, b, 10)).toEqual({ status: 'clear', length: 3, bound: 'exact', effort: expect.any(Number) });
    map.setAreaSpeed(MUD, 1);
    expect(map.reach(a, b, 10).effort).toBeCloseTo(3, 9);
    map.setAreaSpeed(BOG, 1);
    expect(map.reach(a, b, 10)).toEqual({ status: 'clear', length: 3, bound: 'exact' });
    expect('effort' in map.shortest(a, b)).toBe(false);
  });

  test('speeds go with a filtered map and with further engines', () => {
    const map = mapOf(STRIP, engine);
    expect(map.filtered({ areas: [0, MUD] }).reach([4.5, 0, 2], [7.5, 0, 2], 9).effort).toBeCloseTo(4.5, 9);
    const kernel = map.createKernel(engine);
    kernel.input.set([4.5, 0, 2, 7.5, 0, 2, 1, 1, 0, 9, 4096]);
    kernel.reach(0xffffffff, 0xffffffff);
    expect(kernel.output[16]).toBeCloseTo(4.5, 9);
  });

  test('multipliers that are none are refused', () => {
    const map = mapOf(STRIP, engine);
    expect(() => map.setAreaSpeed(MUD, 1.5)).toThrow(/over 0 and at most 1 .*not supported.*got 1.5/);
    for (const m of [0, -1, Number.NaN, Infinity])
      expect(() => map.setAreaSpeed(MUD, m)).toThrow(/over 0 and at most 1/);
    for (const a of [-1, 64, 1.5]) expect(() => map.setAreaSpeed(a, 0.5)).toThrow(/an area of 0..63/);
  });
});

describe('a board of random squares', () => {
  const SPEEDS = [1, 0.8, 0.5, 0.3];
  const [W, H, FINE] = [6, 5, 4];

  test('the oracle: legs by hand', () => {
    const speed: Speed = (x, z) => (z === 0 ? ([1, 0.5, 0, 1][x] ?? 0) : z === 1 && x === 2 ? 1 : 0);
    expect(legEffort(speed, 0.5, 0.5, 1.5, 0.5)).toBeCloseTo(0.5 + 1, 12);
    expect(legEffort(speed, 1.5, 0.5, 2.5, 0.5)).toBe(Infinity);
    // (1, 0) and (2, 1) meet in a point only.
    expect(legEffort(speed, 1.5, 0.5, 2.5, 1.5)).toBe(Infinity);
    expect(legEffort(() => 0.5, 0.25, 0.25, 3.25, 4.25)).toBeCloseTo(10, 12);
  });

  test('no walk takes less effort than the bound', () => {
    const seed = 52001;
    const next = random(seed);
    let queries = 0;
    let raised = 0;
    let tight = 0;
    for (let round = 0; round < 40; round++) {
      // Speeds in lumps, so that there is depth.
      const area = new Map<string, number>();
      for (let z = 0; z < H; z++) {
        for (let x = 0; x < W; x++) {
          const near = area.get(next() < 0.5 ? `${x - 1},${z}` : `${x},${z - 1}`);
          const kind = near !== undefined && next() < 0.6 ? near : between(next, 0, SPEEDS.length - 1);
          if (next() >= 0.15) area.set(`${x},${z}`, kind);
        }
      }
      const speed: Speed = (x, z) => {
        const kind = area.get(`${x},${z}`);
        return kind === undefined ? 0 : SPEEDS[kind]!;
      };
      const patches = [...area].map(([key, kind]): Patch => {
        const [x, z] = key.split(',').map(Number) as [number, number];
        return [x, z, x + 1, z + 1, kind];
      });
      const maps = ENGINES.map((engine) => {
        const map = mapOf(patches, engine);
        SPEEDS.forEach((m, kind) => {
          map.setAreaSpeed(kind, m);
        });
        return map;
      });
      const places = effortPlaces(speed, W, H, FINE, 4);
      for (let q = 0; q < 6; q++) {
        const s = between(next, 0, places.x.length - 1);
        const least = effortFrom(places, s);
        for (let k = 0; k < 25; k++) {
          const t = between(next, 0, places.x.length - 1);
          const a = [places.x[s]!, 0, places.z[s]!] as const;
          const b = [places.x[t]!, 0, places.z[t]!] as const;
          const [wasm, twin] = maps.map((map) => map.reach(a, b, 1000));
          const where = `seed ${seed}, round ${round}, ${a} to ${b}`;
          expect(twin, where).toEqual(wasm);
          const exact = maps[0]!.shortest(a, b).effort;
          if (wasm!.effort === undefined) expect(exact, where).toBeUndefined();
          else expect(exact!, where).toBeCloseTo(wasm!.effort, 9);
          if (least[t] === Infinity) {
            expect(wasm!.status, where).toBe('unreachable');
            continue;
          }
          if (s === t) continue;
          queries++;
          expect(wasm!.effort!, where).toBeGreaterThanOrEqual(wasm!.length! * (1 - 1e-9));
          expect(wasm!.effort!, where).toBeLessThanOrEqual(least[t]! * (1 + 1e-9));
          if (wasm!.effort! > wasm!.length! * 1.05) raised++;
          if (wasm!.effort! > least[t]! * 0.95) tight++;
        }
      }
    }
    expect(queries).toBeGreaterThan(4000);
    // The bound says something, and often nearly all there is to say.
    expect(raised / queries).toBeGreaterThan(0.3);
    expect(tight / queries).toBeGreaterThan(0.2);
    console.info(`effort: ${queries} walks, bound over the length ${raised}, within 5 % of the walk found ${tight}`);
  });
});
