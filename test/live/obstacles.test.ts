// Obstacles on maps in use: the promises of the records, rays beside plain geometry, walks beside a visibility graph, and what
// comes of many changes beside a map made with the same state.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { NavMap } from '../../src/map.ts';
import type { ObstacleShape } from '../../src/types.ts';
import { fanGraph, shortestByGraph } from '../oracle/fangraph.ts';
import { latticeMesh } from '../oracle/lattice.ts';
import { between, random } from '../oracle/random.ts';
import type { Point, Triangle, Wall } from '../oracle/sight.ts';
import { faults, liveRecords } from './check.ts';
import { memoryOf } from './memory.ts';
import { randomShape, shapeDistance } from './shapes.ts';

const packs = new Map<string, ArrayBuffer>();
async function load(name: string, engine: 'wasm' | 'twin' = 'wasm', pieces = 1536): Promise<NavMap> {
  let pack = packs.get(name);
  if (pack === undefined) {
    pack = (await NavMap.load(readFileSync(new URL(`../../navdata/maps/${name}.bin`, import.meta.url)))).toPack();
    packs.set(name, pack);
  }
  return NavMap.fromPack(pack, { engine, pieces });
}

/** A random place of the map's plan, on its floor when there is one. */
function anywhere(map: NavMap, next: () => number): [number, number, number] {
  const { min, max } = map.info.bounds;
  const x = min[0] + next() * (max[0] - min[0]);
  const z = min[2] + next() * (max[2] - min[2]);
  const y = map.locate([x, min[1] + next() * (max[1] - min[1]), z], { above: 9, below: 9, tolerance: 0 })?.point[1];
  return [x, y ?? min[1], z];
}

function changeSomething(
  map: NavMap,
  next: () => number,
  now: Map<number, ObstacleShape>,
  names: number,
  grow: boolean | number = true,
): void {
  const id = between(next, 0, names - 1);
  if (now.has(id) && next() < 0.5) {
    expect(map.unblock(id)).toBe(true);
    now.delete(id);
    return;
  }
  const shape = { ...randomShape(next, ...anywhere(map, next)), grow };
  map.block(id, shape);
  now.set(id, shape);
}

test('off a lattice edges bend by less than two units, and the records keep their promises', () => {
  const seed = 9551;
  let cut = 0;
  for (let round = 0; round < 6; round++) {
    const next = random(seed + round);
    const { mesh } = latticeMesh({
      w: 5,
      h: 5,
      seed: seed + round,
      blocked: 0.15,
      scale: 1009,
      fine: 200,
      merge: round % 3 === 0 ? 8 : 0,
    });
    const map = NavMap.fromMesh(mesh, { pieces: 768 });
    const before = memoryOf(map.kernel);
    const now = new Map<number, ObstacleShape>();
    for (let k = 0; k < 14; k++) {
      changeSomething(map, next, now, 6);
      expect(faults(map, map.kernel, true), `seed ${seed}, round ${round}, change ${k}`).toEqual([]);
      cut += liveRecords(map.kernel).filter((r) => r.first !== 0).length;
    }
    for (const id of now.keys()) map.unblock(id);
    expect(memoryOf(map.kernel) === before).toBe(true);
  }
  expect(cut).toBeGreaterThan(150);
});

describe('whatever stands where, the records keep their promises', () => {
  test.each([
    ['maze', 9501],
    ['floors', 9502],
    ['terrain', 9503],
    ['islands', 9504],
    ['pillars', 9505],
  ] as const)('%s (seed %i)', async (name, seed) => {
    const map = await load(name);
    const next = random(seed);
    const before = memoryOf(map.kernel);
    expect(faults(map, map.kernel)).toEqual([]);
    const now = new Map<number, ObstacleShape>();
    for (let k = 0; k < 25; k++) {
      changeSomething(map, next, now, 14);
      expect(faults(map, map.kernel, true), `seed ${seed}, change ${k}`).toEqual([]);
    }
    expect(map.living.closures.map(({ key }) => key).sort()).toEqual([...now.keys()].map((id) => `block ${id}`).sort());
    for (const id of now.keys()) map.unblock(id);
    expect(memoryOf(map.kernel) === before).toBe(true);
  });
});

// What may be closed too much: eight or twelve corners round it; the next grid point of an edge (0.1 m), or a unit or two beside it.
test.each([
  ['maze', 9601, 0.1],
  ['off a lattice', 9602, 0.006],
] as const)(
  '%s: no clear ray comes closer to an obstacle than it is grown; what keeps away is as clear as before (seed %i)',
  async (name, seed, more) => {
    const next = random(seed);
    const off = latticeMesh({ w: 6, h: 6, seed, blocked: 0.15, scale: 1009, fine: 200, merge: 8 }).mesh;
    const [map, plain] =
      name === 'maze' ? [await load('maze'), await load('maze')] : [NavMap.fromMesh(off), NavMap.fromMesh(off)];
    const { min } = map.info.bounds;
    const grow = 0.4;
    const now = new Map<number, ObstacleShape>();
    const seen = { clear: 0, stopped: 0, kept: 0 };
    for (let k = 0; k < 50; k++) {
      changeSomething(map, next, now, name === 'maze' ? 10 : 4, grow);
      for (let q = 0; q < 120 * Math.min(1, now.size); q++) {
        const near = [...now.values()][between(next, 0, now.size - 1)]!;
        const about = near.cylinder ?? [(near.box![0]! + near.box![3]!) / 2, 0, (near.box![2]! + near.box![5]!) / 2];
        const a: [number, number, number] = [about[0]! + (next() - 0.5) * 6, min[1], about[2]! + (next() - 0.5) * 6];
        const [dx, dz] = [(next() - 0.5) * 8, (next() - 0.5) * 8];
        const b: [number, number, number] = [a[0] + dx, a[1], a[2] + dz];
        const ray = map.ray(a, b, { tolerance: 0 });
        const bare = plain.ray(a, b, { tolerance: 0 });
        const gaps = [...now.values()].map((s) => {
          const gap = shapeDistance(s, [a[0], a[2]], [b[0], b[2]]);
          const corners = s.cylinder === undefined ? grow * 0.083 : (grow + s.cylinder[3]!) * 0.036;
          return { gap, kept: gap - corners };
        });
        const gap = Math.min(...gaps.map((g) => g.gap));
        const kept = Math.min(...gaps.map((g) => g.kept));
        const hint = `seed ${seed}, change ${k}: ${a} to ${b}, ${gap} m from an obstacle`;
        if (ray.clear) expect(bare.clear && gap > grow - 0.003, hint).toBe(true);
        if (bare.clear && kept > grow + more + 0.003) expect(ray.clear, hint).toBe(true);
        if (ray.clear) seen.clear++;
        else if (bare.clear) seen.stopped++;
        if (bare.clear && kept > grow + more + 0.003) seen.kept++;
      }
    }
    expect(seen.clear).toBeGreaterThan(100);
    expect(seen.stopped).toBeGreaterThan(200);
    expect(seen.kept).toBeGreaterThan(50);
  },
);

test('walks round obstacles are as long as on a visibility graph of the ground that is left', async () => {
  const seed = 9701;
  const next = random(seed);
  const turns = { walk: 0, none: 0 };
  for (const name of ['pillars']) {
    const map = await load(name);
    const now = new Map<number, ObstacleShape>();
    for (let k = 0; k < 6; k++) changeSomething(map, next, now, 6);
    const records = liveRecords(map.kernel).filter((r) => r.open);
    const walls: Wall[] = [];
    const triangles: Triangle[] = [];
    const corners = new Map<string, Point>();
    for (const r of records) {
      const n = r.x.length;
      for (let i = 1; i + 1 < n; i++) {
        const t: Triangle = [r.x[0]!, r.z[0]!, r.x[i]!, r.z[i]!, r.x[i + 1]!, r.z[i + 1]!];
        if ((t[2] - t[0]) * (t[5] - t[1]) !== (t[3] - t[1]) * (t[4] - t[0])) triangles.push(t);
      }
      r.across.forEach((q, i) => {
        if (q >= 0) return;
        const j = (i + 1) % n;
        walls.push([r.x[i]!, r.z[i]!, r.x[j]!, r.z[j]!]);
        for (const c of [i, j]) corners.set(`${r.x[c]},${r.z[c]}`, [r.x[c]!, r.z[c]!]);
      });
    }
    const graph = fanGraph({ walls, triangles }, [...corners.values()]);
    const view = new DataView(map.toPack());
    const [ox, oz, unit] = [view.getFloat64(80, true), view.getFloat64(88, true), view.getFloat64(96, true)];
    const inner = (): { at: Point; place: [number, number, number] } => {
      const r = records[between(next, 0, records.length - 1)]!;
      const at: Point = [Math.round((r.x[0]! + r.x[1]! + r.x[2]!) / 3), Math.round((r.z[0]! + r.z[1]! + r.z[2]!) / 3)];
      return { at, place: [ox + at[0] * unit, r.y[0]!, oz + at[1] * unit] };
    };
    for (let q = 0; q < 40; q++) {
      const [a, b] = [inner(), inner()];
      if (map.locate(a.place, { tolerance: 0 }) === null || map.locate(b.place, { tolerance: 0 }) === null) continue;
      const got = map.shortest(a.place, b.place, { tolerance: 0 });
      const want = shortestByGraph(graph, a.at, b.at);
      const hint = `seed ${seed}, ${name}: ${a.at} to ${b.at}`;
      if (got.status === 'undecided') continue;
      expect(got.status, hint).toBe(want < Infinity ? 'complete' : 'unreachable');
      if (want < Infinity) expect(got.length! / (want * unit || 1), hint).toBeCloseTo(want === 0 ? 0 : 1, 9);
      if (want < Infinity) turns.walk++;
      else turns.none++;
    }
  }
  expect(turns.walk).toBeGreaterThan(10);
});

test.each([
  ['maze', 9801],
  ['floors', 9802],
] as const)('after 600 changes %s answers as one made with the same obstacles (seed %i)', async (name, seed) => {
  const next = random(seed);
  const map = await load(name);
  const seldom = map.createKernel('wasm');
  const now = new Map<number, ObstacleShape>();
  for (let k = 1; k <= 600; k++) {
    if (next() < 0.15) map.area(0, { open: next() < 0.5 });
    else changeSomething(map, next, now, 12);
    if (k % 150 !== 0) continue;
    map.area(0, { open: true });
    const anew = await load(name, k % 300 === 0 ? 'wasm' : 'twin');
    for (const [id, shape] of [...now].sort(() => next() - 0.5)) anew.block(id, shape);
    map.living.sync(seldom);
    expect(memoryOf(seldom) === memoryOf(map.kernel)).toBe(true);
    for (let q = 0; q < 60; q++) {
      const [a, b] = [anywhere(map, next), anywhere(map, next)];
      const hint = `seed ${seed}, change ${k}: ${a} to ${b}`;
      const place = ({ polygon: _, ...rest }: { polygon: number }): object => rest;
      const [here, there] = [map.locate(a), anew.locate(a)];
      expect(here === null ? null : place(here), hint).toEqual(there === null ? null : place(there));
      expect({ ...map.ray(a, b) }, hint).toEqual({ ...anew.ray(a, b) });
      const [x, y] = [map.shortest(a, b), anew.shortest(a, b)];
      expect(x.status, hint).toBe(y.status);
      expect(x.length ?? -1, hint).toBeCloseTo(y.length ?? -1, 9);
      const [r, s] = [map.reach(a, b, 20), anew.reach(a, b, 20)];
      expect([r.status, r.bound], hint).toEqual([s.status, s.bound]);
      expect(r.length ?? -1, hint).toBeCloseTo(s.length ?? -1, 9);
    }
  }
});

test('floors are told apart: what stands below the upper floor leaves it alone', async () => {
  const map = await load('floors');
  const plain = await load('floors');
  const next = random(9901);
  let tried = 0;
  for (let k = 0; k < 400 && tried < 40; k++) {
    const [x, , z] = anywhere(map, next);
    const low = plain.locate([x, 0.1, z], { above: 0.5, below: 0.5, tolerance: 0 });
    const high = plain.locate([x, 3.2, z], { above: 0.5, below: 0.5, tolerance: 0 });
    if (low === null || high === null) continue;
    tried++;
    const box = [x - 0.5, 0, z - 0.5, x + 0.5, 1, z + 0.5];
    map.block('crate', { box });
    expect(map.locate([x, 0.1, z], { above: 0.5, below: 0.5, tolerance: 0 })).toBeNull();
    expect(map.locate([x, 3.2, z], { above: 0.5, below: 0.5, tolerance: 0 })?.point).toEqual(high.point);
    map.block('crate', { box: [x - 0.5, 3, z - 0.5, x + 0.5, 4, z + 0.5] });
    expect(map.locate([x, 0.1, z], { above: 0.5, below: 0.5, tolerance: 0 })?.point).toEqual(low.point);
    expect(map.locate([x, 3.2, z], { above: 0.5, below: 0.5, tolerance: 0 })).toBeNull();
    map.unblock('crate');
  }
  expect(tried).toBeGreaterThan(5);
});

test('a closed obstacle is opened for one question, and shut again', async () => {
  const map = await load('maze');
  const kernel = map.createKernel('wasm');
  const [x, y, z] = map.locate([25.7, 0.1, 9.8])!.point;
  map.block('crate', { box: [x - 1, y, z - 1, x + 1, y + 1, z + 1] });
  map.living.sync(kernel);
  const shut = memoryOf(kernel);
  const ask = (): number => {
    kernel.input.set([x, y, z, 0.5, 2.6, 0]);
    return kernel.locate();
  };
  expect(ask()).toBe(0xffffffff);
  map.living.open(kernel, map.living.closures);
  const polygon = ask();
  expect(polygon).not.toBe(0xffffffff);
  map.living.shut(kernel, map.living.closures);
  expect(ask()).toBe(0xffffffff);
  expect(memoryOf(kernel) === shut).toBe(true);
  const into: never[] = [];
  expect(map.living.closuresAt(kernel, polygon, into)).toBe(1);
  expect(into).toEqual(map.living.closures);
});

test('wrong obstacles are refused, and so are too many: nothing has changed', async () => {
  const map = await load('maze', 'wasm', 20);
  const before = memoryOf(map.kernel);
  for (const shape of [
    null,
    {},
    { box: [0, 0, 0, 1, 1, 1], cylinder: [0, 0, 0, 1, 1] },
    { box: [0, 0, 0, 1, 1] },
    { box: [1, 0, 0, 1, 1, 1] },
    { box: [0, 0, 0, 1, 1, Number.NaN] },
    { box: [0, 0, 0, 1, 1, 1e9] },
    { cylinder: [0, 0, 0, 0, 1] },
    { cylinder: [0, 0, 0, 1, -1] },
    { cylinder: [0, 0, 0, 1] },
    // a list with a hole in it
    { cylinder: Object.assign(Array<number>(5), { 0: 0, 2: 0, 3: 1, 4: 1 }) },
    { cylinder: [0, 0, 0, 1, 1], grow: -1 },
    { cylinder: [0, 0, 0, 1, 1], grow: Number.NaN },
    { cylinder: [0, 0, 0, 1, 1], size: 3 },
  ] as never as ObstacleShape[]) {
    expect(() => map.block('a', shape), JSON.stringify(shape)).toThrow(
      expect.objectContaining({ code: 'BAD_ARGUMENT' }),
    );
  }
  expect(() => map.block(null as never, { cylinder: [0, 0, 0, 1, 1] })).toThrow(
    expect.objectContaining({ code: 'BAD_ARGUMENT' }),
  );
  expect(() => map.block('big', { box: [0, 0, 0, 20, 1, 20] })).toThrow(
    expect.objectContaining({ code: 'OUT_OF_MEMORY' }),
  );
  expect(map.living.revision).toBe(0);
  expect(map.unblock('big')).toBe(false);
  expect(memoryOf(map.kernel) === before).toBe(true);
  map.block('small', { cylinder: [25.7, 0, 9.8, 0.2, 1] });
  const small = memoryOf(map.kernel);
  expect(() => map.block('small', { box: [0, 0, 0, 20, 1, 20] })).toThrow(
    expect.objectContaining({ code: 'OUT_OF_MEMORY' }),
  );
  expect(memoryOf(map.kernel) === small).toBe(true);
  expect(map.unblock('small')).toBe(true);
  expect(memoryOf(map.kernel) === before).toBe(true);
});
