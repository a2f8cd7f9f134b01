// Off-mesh links in the searches: a seeded slice of the comparison with the brute-force graph (the full count is a long
// run), and the cases that only one rule decides.
import { describe, expect, test } from 'vitest';
import { S_CLEAR, S_OVER, S_UNREACHABLE, S_WALK } from '../../assembly/layout.ts';
import type { Kernel } from '../../src/kernel/index.ts';
import type { NavLink } from '../../src/mesh/navmesh.ts';
import { ringMesh } from '../oracle/rings.ts';
import { kernelOf, type Place } from './ask.ts';
import { checkLinks, NO_LINKS_YET } from './linkcheck.ts';
import { engine } from './shortestcheck.ts';
import { askCorridor, askReach, askShortest } from './walks.ts';

const SEED = 50_000;
const M = 1024;
const bar = (x: number, z: number, w: number, h: number, y = 0) => ({
  at: [x, z, x + w, z, x + w, z + h, x, z + h].map((v) => v * M),
  y,
});
const link = (from: Place, to: Place, bidirectional = true): NavLink => {
  return { from, to, radius: 0, bidirectional, area: 0, flags: 1, userId: 0, tile: 0 };
};
const hypot = (x: number, z: number) => Math.sqrt(x * x + z * z);

describe.each(['wasm', 'twin'] as const)('links on %s', (name) => {
  test('lengths, corners, bounds and verdicts equal the graph with link edges on random floors', () => {
    const count = NO_LINKS_YET();
    for (let seed = SEED; seed < SEED + 40; seed++) checkLinks(seed, 10, count, engine(name), seed % 3 === 0);
    expect(count.wrong.slice(0, 12), `seeds from ${SEED}, ${count.wrong.length} wrong`).toEqual([]);
    expect(count.queries).toBe(400);
    expect(count.walks).toBeGreaterThan(200);
    expect(count.linked).toBeGreaterThan(20);
    expect(count.wrongWay).toBeGreaterThan(0);
  });

  const linked = (rings: Parameters<typeof ringMesh>[0], ...links: NavLink[]): Kernel =>
    kernelOf({ ...ringMesh(rings).mesh, links }, name);
  // Three islands in a row, 2 m wide, 2 m apart.
  const islands = [bar(0, 0, 2, 2), bar(4, 0, 2, 2), bar(8, 0, 2, 2)];

  test('a chain of links: its ends are the corners, on their floors', () => {
    const rings = [bar(0, 0, 2, 2), bar(4, 0, 2, 2, 1), bar(8, 0, 2, 2, 2.5)];
    const kernel = linked(rings, link([1.5, 0, 1], [4.5, 1, 1]), link([5.5, 1, 1.5], [8.5, 2.5, 1]));
    const got = askShortest(kernel, [1, 0, 1], [9, 2.5, 1]);
    const corners: Place[] = [
      [1, 0, 1],
      [1.5, 0, 1],
      [4.5, 1, 1],
      [5.5, 1, 1.5],
      [8.5, 2.5, 1],
      [9, 2.5, 1],
    ];
    expect(got).toMatchObject({ status: S_WALK, corners });
    expect(got.length).toBeCloseTo(4 + hypot(1, 0.5) + hypot(3, 0.5), 9);
    expect(askCorridor(kernel, [1, 0, 1], [9, 2.5, 1])).toMatchObject({ status: S_WALK, corners, polygons: [0, 1, 2] });
    expect(askReach(kernel, [1, 0, 1], [9, 2.5, 1], { limit: 9 })).toMatchObject({
      status: S_WALK,
      bound: 0,
      target: 2,
    });
    expect(askReach(kernel, [1, 0, 1], [9, 2.5, 1], { limit: 8.1 })).toMatchObject({ status: S_OVER, bound: 1 });
  });

  test('a link the wrong way is a wall: unreachable by proof, within any limit', () => {
    const kernel = linked(islands, link([1.5, 0, 1], [4.5, 0, 1], false));
    const [west, east]: [Place, Place] = [
      [1, 0, 1],
      [5, 0, 1],
    ];
    expect(askShortest(kernel, west, east)).toMatchObject({ status: S_WALK });
    for (const limit of [4.5, 1000, Infinity]) {
      expect(askReach(kernel, west, east, { limit })).toMatchObject({ status: S_WALK, bound: 0 });
      const back = { status: S_UNREACHABLE, length: Infinity };
      expect(askShortest(kernel, east, west, { limit })).toMatchObject(back);
      expect(askReach(kernel, east, west, { limit })).toMatchObject(back);
      expect(askCorridor(kernel, east, west, { limit })).toMatchObject(back);
    }
    // Cut short before it went everywhere, a search proves nothing: here there is nowhere to go.
    expect(askReach(kernel, east, west, { limit: 1000, cap: 2 }).status).toBe(S_UNREACHABLE);
  });

  test('the state word opens and closes each direction of a loaded map', () => {
    const kernel = linked(islands, link([1.5, 0, 1], [4.5, 0, 1]));
    const state = kernel.states;
    const ways = () =>
      [
        askShortest(kernel, [1, 0, 1], [5, 0, 1]).status,
        askShortest(kernel, [5, 0, 1], [1, 0, 1]).status,
        askCorridor(kernel, [1, 0, 1], [5, 0, 1]).status,
        askCorridor(kernel, [5, 0, 1], [1, 0, 1]).status,
      ].map((status) => status === S_WALK);
    expect(state[0]).toBe(3);
    expect(ways()).toEqual([true, true, true, true]);
    state[0] = 1;
    expect(ways()).toEqual([true, false, true, false]);
    state[0] = 2;
    expect(ways()).toEqual([false, true, false, true]);
    state[0] = 0;
    expect(ways()).toEqual([false, false, false, false]);
  });

  test('a ring of links of no length between two floors ends', () => {
    const floors = [bar(0, 0, 4, 4), bar(0, 0, 4, 4, 4), bar(10, 0, 4, 4)];
    const [low, high]: [Place, Place] = [
      [1, 0, 1],
      [1, 4, 1],
    ];
    const kernel = linked(floors, link(low, high, false), link(high, low, false), link(low, high), link(low, low));
    const up = askShortest(kernel, [3, 0, 1], [1, 4, 3]);
    expect(up).toMatchObject({ status: S_WALK, corners: [[3, 0, 1], low, high, [1, 4, 3]] });
    expect(up.length).toBeCloseTo(4, 9);
    expect(askCorridor(kernel, [3, 0, 1], [1, 4, 3])).toMatchObject({ status: S_WALK, length: 4 });
    // Nowhere to arrive: every landing is taken once.
    const nowhere = linked(
      floors,
      link(low, high, false),
      link(high, low, false),
      link(low, high),
      link([11, 0, 1], [3, 0, 3], false),
    );
    const lost = askShortest(nowhere, [3, 0, 1], [11, 0, 2]);
    expect(lost).toMatchObject({ status: S_UNREACHABLE, length: Infinity });
    expect(lost.nodes).toBeLessThan(10);
    expect(askCorridor(nowhere, [3, 0, 1], [11, 0, 2]).status).toBe(S_UNREACHABLE);
  });

  test('a link within one polygon changes nothing, one to a pocket behind a wall is a shortcut', () => {
    const kernel = linked([bar(0, 0, 8, 2)], link([1, 0, 1], [7, 0, 1]));
    expect(askShortest(kernel, [0.5, 0, 1.5], [7.5, 0, 1.5])).toMatchObject({ status: S_WALK, corners: { length: 2 } });
    expect(askReach(kernel, [0.5, 0, 1.5], [7.5, 0, 1.5], { limit: 1 }).status).toBe(S_CLEAR);
    // A U of 2 x 8 m bars; both pockets are dead ends but for the link.
    const u = [bar(0, 0, 2, 2), bar(2, 0, 2, 2), bar(4, 0, 2, 2), bar(0, 2, 2, 6), bar(4, 2, 2, 6)];
    const short = linked(u, link([1.5, 0, 6], [4.5, 0, 6]));
    const way = 3 + 2 * hypot(0.5, 1);
    expect(askShortest(short, [1, 0, 7], [5, 0, 7]).length).toBeCloseTo(way, 9);
    expect(askReach(short, [1, 0, 7], [5, 0, 7], { limit: way + 0.01 })).toMatchObject({ status: S_WALK, bound: 0 });
    // A pocket with one way in is a dead end, but for the link to an island.
    const pocket = linked([bar(0, 0, 2, 2), bar(0, 2, 2, 6), bar(4, 2, 2, 6)], link([1.5, 0, 6], [4.5, 0, 6]));
    const over = askShortest(pocket, [1.5, 0, 1], [4.5, 0, 7.5]);
    expect(over).toMatchObject({ status: S_WALK, corners: { length: 4 } });
    expect(over.length).toBeCloseTo(5 + 3 + 1.5, 9);
  });

  test('a start or a target on the very end of a link', () => {
    const kernel = linked(islands, link([1.5, 0, 1], [4.5, 0, 1]));
    const got = askShortest(kernel, [1.5, 0, 1], [4.5, 0, 1]);
    expect(got.status).toBe(S_WALK);
    expect(got.length).toBeCloseTo(3, 9);
    expect(askCorridor(kernel, [1.5, 0, 1], [4.5, 0, 1])).toMatchObject({ status: S_WALK, length: 3 });
  });
});
