// Areas that open and close on a map in use: beside the same map packed anew without them, and beside itself in memory.
import { expect, test } from 'vitest';
import type { Closure } from '../../src/live/closure.ts';
import { NavMap } from '../../src/map.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { latticeMesh } from '../oracle/lattice.ts';
import { between, random } from '../oracle/random.ts';
import { memoryOf } from './memory.ts';

const AREAS = 5;

function randomMap(seed: number): { mesh: NavMesh; points: readonly (readonly [number, number])[] } {
  const next = random(seed);
  const { mesh, points } = latticeMesh({ w: 6, h: 5, seed, blocked: 0.1, merge: 8 });
  for (let p = 0; p < mesh.areas.length; p++) mesh.areas[p] = between(next, 0, AREAS - 1);
  return { mesh, points: points as never };
}

const at = (p: readonly number[]): readonly [number, number, number] => [p[0]! / 1024, 0, p[1]! / 1024];

test('a map with closed areas answers as the same map packed without them', () => {
  const seed = 9101;
  const seen: Record<string, number> = {};
  for (let round = 0; round < 40; round++) {
    const next = random(seed + round);
    const { mesh, points } = randomMap(seed + round);
    const engine = round % 4 === 0 ? 'twin' : 'wasm';
    const map = NavMap.fromMesh(mesh, { engine });
    const closed = new Set<number>();
    for (let change = 0; change < 12; change++) {
      const area = between(next, 0, AREAS - 1);
      if (closed.has(area)) closed.delete(area);
      else closed.add(area);
      map.area(area, { open: !closed.has(area) });
      if (closed.size === AREAS) continue;
      let anew: NavMap;
      try {
        anew = closed.size === 0 ? NavMap.fromMesh(mesh) : map.filtered({ excludeAreas: [...closed] });
      } catch {
        continue; // nothing of this map passes
      }
      for (let q = 0; q < 12; q++) {
        const a = at(points[between(next, 0, points.length - 1)]!);
        const b = at(points[between(next, 0, points.length - 1)]!);
        const hint = `seed ${seed}, round ${round}, change ${change}: ${a} to ${b} without ${[...closed]}`;
        const here = map.locate(a, { tolerance: 0 });
        const there = anew.locate(a, { tolerance: 0 });
        expect(here === null, hint).toBe(there === null);
        expect(map.locate(a)?.point, hint).toEqual(anew.locate(a)?.point);
        const ray = map.ray(a, b, { tolerance: 0 });
        expect({ ...ray }, hint).toEqual({ ...anew.ray(a, b, { tolerance: 0 }) });
        const x = map.shortest(a, b, { tolerance: 0 });
        const y = anew.shortest(a, b, { tolerance: 0 });
        if (here !== null && map.locate(b, { tolerance: 0 }) !== null) {
          expect(x.status, hint).toBe(y.status);
          if (y.length === null) expect(x.length, hint).toBe(null);
          else expect(x.length!, hint).toBeCloseTo(y.length, 9);
        }
        const budget = next() < 0.4 ? 0.008 : 1;
        const r = map.reach(a, b, budget, { tolerance: 0 });
        const s = anew.reach(a, b, budget, { tolerance: 0 });
        // components count all doors as open: what a door cuts off is proven by a search, which a budget may end
        if (s.status === 'unreachable') expect(['unreachable', 'over'], hint).toContain(r.status);
        else expect([r.status, r.bound, r.length?.toFixed(9)], hint).toEqual([s.status, s.bound, s.length?.toFixed(9)]);
        seen[`${r.status}`] = (seen[`${r.status}`] ?? 0) + 1;
        seen[x.status] = (seen[x.status] ?? 0) + 1;
        seen[ray.clear ? 'ray' : 'wall'] = (seen[ray.clear ? 'ray' : 'wall'] ?? 0) + 1;
      }
    }
  }
  for (const word of ['clear', 'walk', 'unreachable', 'over', 'fromOff', 'toOff', 'complete', 'ray', 'wall']) {
    expect(seen[word] ?? 0, word).toBeGreaterThan(100);
  }
});

test('after 10,000 changes memory is that of a map made with the same state, in every kernel that follows', () => {
  const seed = 9301;
  const next = random(seed);
  const { mesh } = randomMap(seed);
  const map = NavMap.fromMesh(mesh);
  const fresh = memoryOf(map.kernel);
  const often = map.createKernel('wasm');
  const seldom = map.createKernel('twin');
  const closed = new Set<number>();
  for (let change = 1; change <= 10_000; change++) {
    const area = between(next, 0, AREAS - 1);
    if (closed.has(area)) closed.delete(area);
    else closed.add(area);
    map.area(area, { open: !closed.has(area) });
    if (change % 7 === 0) map.living.sync(often);
    if (change % 1000 !== 0) continue;
    map.living.sync(often);
    map.living.sync(seldom);
    const anew = NavMap.fromMesh(mesh);
    for (const n of closed) anew.area(n, { open: false });
    for (const kernel of [map.kernel, often, seldom, map.createKernel('wasm')]) {
      expect(memoryOf(kernel) === memoryOf(anew.kernel), `seed ${seed}, change ${change}`).toBe(true);
    }
  }
  for (const n of closed) map.area(n, { open: true });
  expect(memoryOf(map.kernel) === fresh).toBe(true);
  expect(map.living.closures).toEqual([]);
});

test('closures: what is closed where, opened for one question and shut again', () => {
  const { mesh, points } = randomMap(9401);
  const map = NavMap.fromMesh(mesh);
  const guard = map.createKernel('wasm');
  const place = points.map(at).find((p) => map.locate(p, { tolerance: 0 }) !== null)!;
  const { polygon } = map.locate(place, { tolerance: 0 })!;
  const area = mesh.areas[polygon]!;
  const into: Closure[] = [];
  expect(map.living.closuresAt(guard, polygon, into)).toBe(0);
  const before = memoryOf(guard);
  map.area(area, { open: false });
  expect(map.living.closures).toEqual([{ key: `area ${area}`, kind: 'area', name: area, revision: 1 }]);
  expect(map.living.closuresAt(guard, polygon, into)).toBe(1);
  expect(into).toEqual(map.living.closures);
  expect(map.locate(place, { tolerance: 0 })?.polygon ?? -1).not.toBe(polygon);
  map.living.open(guard, into);
  expect(memoryOf(guard) === before).toBe(true);
  expect(map.locate(place, { tolerance: 0 })?.polygon ?? -1).not.toBe(polygon);
  map.living.shut(guard, into);
  expect(memoryOf(guard) === memoryOf(map.kernel)).toBe(true);
  map.area(area, { open: true });
  map.living.sync(guard);
  expect(memoryOf(guard) === before).toBe(true);
});

test('wrong changes are refused and change nothing', () => {
  const { mesh } = randomMap(9402);
  const map = NavMap.fromMesh(mesh);
  for (const [n, change] of [
    [64, { open: false }],
    [-1, {}],
    [1, { opened: true }],
    [1, { open: 1 }],
    [1, { speed: 0 }],
    [1, { speed: 1.5 }],
    [1, { open: false, speed: Number.NaN }],
    [1, null],
  ] as never as [number, object][]) {
    expect(() => map.area(n, change)).toThrow(expect.objectContaining({ code: 'BAD_ARGUMENT' }));
  }
  for (const name of ['#0', 'door', 7]) {
    expect(() => map.link(name, false)).toThrow(expect.objectContaining({ code: 'BAD_ARGUMENT' }));
  }
  expect(map.living.revision).toBe(0);
  expect(map.living.closures).toEqual([]);
});
