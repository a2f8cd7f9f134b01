// Line of sight on walkability grids, against the best plain JavaScript.

import { compare, sameBits, sameSight } from '../../src/bench/compare.ts';
import { type Random, random } from '../../src/bench/random.ts';
import { SEGMENT, type Subject } from '../../src/bench/rounds.ts';
import { packGridSight } from '../../src/kernel/gridsight.ts';
import { createKernel, type Engine } from '../../src/kernel/index.ts';
import { type Cells, integerSight, plainSight } from '../peers/purejs.ts';
import type { MapCase } from './case.ts';

/** Grids by name. */
export const GRIDS: Readonly<Record<string, () => Cells>> = {
  'random-1024': () => scattered(1024, 0.1, 0x6121d),
  'clustered-1024': () => clustered(1024, 0xc1057e),
  'wall-10': wall,
};

function scattered(side: number, blocked: number, seed: number): Cells {
  const next = random(seed);
  const walkable = new Uint8Array(side * side);
  for (let i = 0; i < walkable.length; i++) walkable[i] = next() < blocked ? 0 : 1;
  return { width: side, height: side, walkable };
}

/** Buildings of 4 to 24 cells a side until a tenth of the cells is blocked. */
function clustered(side: number, seed: number): Cells {
  const next = random(seed);
  const walkable = new Uint8Array(side * side).fill(1);
  let open = walkable.length;
  while (open > 0.9 * walkable.length) {
    const [w, h] = [4 + Math.floor(next() * 21), 4 + Math.floor(next() * 21)];
    const [x0, z0] = [Math.floor(next() * (side - w)), Math.floor(next() * (side - h))];
    for (let z = z0; z < z0 + h; z++) {
      for (let x = x0; x < x0 + w; x++) {
        open -= walkable[z * side + x];
        walkable[z * side + x] = 0;
      }
    }
  }
  return { width: side, height: side, walkable };
}

/** Ten by ten with one wall across it and a gap at one end. */
function wall(): Cells {
  const walkable = new Uint8Array(100).fill(1);
  for (let z = 0; z < 8; z++) walkable[z * 10 + 5] = 0;
  return { width: 10, height: 10, walkable };
}

/** Sight lines between walkable cells; short: at most 8 cells along each axis. Flat x, z in cells. */
export function sightLines(
  grid: Cells,
  n: number,
  short: boolean,
  seed: number,
): { from: Float64Array; to: Float64Array } {
  const next = random(seed);
  const from = new Float64Array(2 * n);
  const to = new Float64Array(2 * n);
  for (let i = 0; i < n; ) {
    const [x0, z0] = place(grid, next);
    let [x1, z1] = place(grid, next);
    if (short) {
      x1 = x0 - 8 + 16 * next();
      z1 = z0 - 8 + 16 * next();
      if (!isOpen(grid, x1, z1)) continue;
    }
    from.set([x0, z0], 2 * i);
    to.set([x1, z1], 2 * i);
    i++;
  }
  return { from, to };
}

function place(grid: Cells, next: Random): [number, number] {
  while (true) {
    const [x, z] = [next() * grid.width, next() * grid.height];
    if (isOpen(grid, x, z)) return [x, z];
  }
}

function isOpen(grid: Cells, x: number, z: number): boolean {
  if (!(x >= 0 && x < grid.width && z >= 0 && z < grid.height)) return false;
  return grid.walkable[Math.floor(z) * grid.width + Math.floor(x)] === 1;
}

/** GridMap.sightBatch without the navmesh that a GridMap builds as well. */
function kernelSubject(name: string, engine: Engine, grid: Cells, from: Float64Array, to: Float64Array): Subject {
  const n = from.length / 2;
  const kernel = createKernel(engine);
  kernel.load(packGridSight(grid.walkable, grid.width, grid.height));
  const address = kernel.reserve(33 * n);
  kernel.f64(address, 2 * n).set(from);
  kernel.f64(address + 16 * n, 2 * n).set(to);
  const clear = kernel.u8(address + 32 * n, n);
  return {
    name,
    run(segment) {
      const first = segment * SEGMENT;
      kernel.batchGridSight(SEGMENT, address + 16 * first, address + 16 * (n + first), address + 32 * n + first);
      return clear[first + SEGMENT - 1];
    },
    answers: () => clear,
  };
}

type Sight = typeof plainSight;

function jsSubject(name: string, sight: Sight, grid: Cells, from: Float64Array, to: Float64Array): Subject {
  const clear = new Uint8Array(from.length / 2);
  return {
    name,
    run(segment) {
      let sum = 0;
      for (let i = segment * SEGMENT, end = i + SEGMENT; i < end; i++) {
        clear[i] = sight(grid, from[2 * i], from[2 * i + 1], to[2 * i], to[2 * i + 1]) ? 1 : 0;
        sum += clear[i];
      }
      return sum;
    },
    answers: () => clear,
  };
}

function gridCase(name: string, short: boolean, maps: readonly string[], seed: number): MapCase {
  return {
    name,
    maps,
    async prepare(map, queries) {
      const grid = GRIDS[map]();
      const { from, to } = sightLines(grid, queries, short, seed);
      const subject = kernelSubject('navguard', 'wasm', grid, from, to);
      const twin = kernelSubject('twin', 'twin', grid, from, to);
      const peers = [
        jsSubject('pure-js integer', integerSight, grid, from, to),
        jsSubject('pure-js plain', plainSight, grid, from, to),
      ];
      return {
        map,
        queries,
        subjects: [subject, twin, ...peers],
        best: { 'pure-js': peers.map((peer) => peer.name) },
        agreements(n) {
          const mine = subject.answers();
          return [
            compare('twin', mine, twin.answers(), n, sameBits),
            ...peers.map((peer) => compare(peer.name, mine, peer.answers(), n, sameSight)),
          ];
        },
      };
    },
  };
}

export const GRID_CASES: readonly MapCase[] = [
  gridCase('grid.short', true, Object.keys(GRIDS), 0x61),
  // Ten cells have no long lines.
  gridCase('grid.long', false, ['random-1024', 'clustered-1024'], 0x62),
];
