// The bundled maps as inline-map specs: one function per level, seeded, so that the same bytes come out every time.
// Imported by navdata/make.ts and by tests.
import type { Box, BuildSpec, Triangle } from '../src/build/index.ts';
import { seeded } from '../src/simulate/random.ts';

export interface MapRecipe {
  readonly name: string;
  /** What the map is for, in one line. */
  readonly about: string;
  readonly spec: BuildSpec;
}

const AGENT = { radius: 0.4, height: 2, climb: 0.4, slope: 45 };
const VOXELS = { cell: 0.2, cellHeight: 0.1, agent: AGENT };

/** Open ground, sixteen pillars and one long wall. */
function pillars(): BuildSpec {
  const random = seeded(11);
  const boxes: Box[] = [[-20, -1, -20, 20, 0, 20]];
  for (let i = 0; i < 16; i++) {
    const x = cm(-17 + (i % 4) * 9.5 + random.between(0, 4));
    const z = cm(-17 + Math.floor(i / 4) * 9.5 + random.between(0, 4));
    const half = cm(random.between(0.4, 1.2));
    boxes.push([cm(x - half), -0.5, cm(z - half), cm(x + half), 3, cm(z + half)]);
  }
  boxes.push([-16, -0.5, -0.3, 14, 2.5, 0.3]);
  return { ...VOXELS, boxes };
}

/** A maze of 10 x 10 cells of 3 m with a handful of walls taken out again, so that there are ways round. */
function maze(): BuildSpec {
  const size = 10;
  const cell = 3;
  const random = seeded(12);
  // Walls to the east and south of each cell stand until a depth-first walk takes them.
  const east = new Array<boolean>(size * size).fill(true);
  const south = new Array<boolean>(size * size).fill(true);
  const seen = new Array<boolean>(size * size).fill(false);
  const stack = [0];
  seen[0] = true;
  while (stack.length > 0) {
    const at = stack[stack.length - 1];
    const x = at % size;
    const next = [
      [at + 1, x < size - 1],
      [at - 1, x > 0],
      [at + size, at + size < size * size],
      [at - size, at >= size],
    ].flatMap(([to, inside]) => (inside && !seen[to as number] ? [to as number] : []));
    if (next.length === 0) {
      stack.pop();
      continue;
    }
    const to = next[random.below(next.length)];
    open(at, to);
    seen[to] = true;
    stack.push(to);
  }
  for (let i = 0; i < 8; i++) {
    const at = random.below(size * size);
    if (at % size < size - 1) open(at, at + 1);
  }
  function open(a: number, b: number): void {
    const first = Math.min(a, b);
    (Math.abs(a - b) === 1 ? east : south)[first] = false;
  }
  const side = size * cell;
  const half = 0.2;
  const high = 2.6;
  const boxes: Box[] = [
    [0, -1, 0, side, 0, side],
    [-half, -0.5, -half, half, high, side + half],
    [side - half, -0.5, -half, side + half, high, side + half],
    [-half, -0.5, -half, side + half, high, half],
    [-half, -0.5, side - half, side + half, high, side + half],
  ];
  for (let at = 0; at < size * size; at++) {
    const x = (at % size) * cell;
    const z = Math.floor(at / size) * cell;
    if (east[at] && at % size < size - 1) {
      boxes.push([cm(x + cell - half), -0.5, cm(z - half), cm(x + cell + half), high, cm(z + cell + half)]);
    }
    if (south[at] && at < size * (size - 1)) {
      boxes.push([cm(x - half), -0.5, cm(z + cell - half), cm(x + cell + half), high, cm(z + cell + half)]);
    }
  }
  return { ...VOXELS, boxes };
}

/** A hall with an upper floor that stairs lead to, and a balcony across the hall that none do. */
function floors(): BuildSpec {
  const boxes: Box[] = [
    [0, -1, 0, 30, 0, 20],
    // Upper floor over the east end, balcony over the west end.
    [20, 2.7, 0, 30, 3, 20],
    [0, 2.7, 4, 5, 3, 16],
    // A wall along the hall, with a passage at either end.
    [3, -0.5, 9.8, 28, 2.6, 10.2],
  ];
  // Ten steps of 0.3 m, 0.5 m deep, up to the upper floor's edge.
  for (let i = 0; i < 10; i++) {
    boxes.push([cm(15 + i * 0.5), -0.5, 2, 20.2, cm(0.3 * (i + 1)), 5]);
  }
  return { ...VOXELS, boxes };
}

/** Hills, some too steep to climb, and a rock wall, in tiles of 64 cells. */
function terrain(): BuildSpec {
  const size = 32;
  const step = 1.5;
  const height = (i: number, k: number): number => {
    const x = i / size;
    const z = k / size;
    const waves = 1.2 * Math.sin(7 * x + 1) * Math.cos(6 * z) + 0.5 * Math.sin(17 * x + 11 * z);
    // A ridge with a steep face to one side, open at both ends.
    const ridge = z > 0.15 && z < 0.85 ? Math.max(0, 3.5 - Math.abs(x - 0.5) * (x < 0.5 ? 95 : 22)) : 0;
    return cm(waves + ridge);
  };
  const triangles: Triangle[] = [];
  for (let k = 0; k < size; k++) {
    for (let i = 0; i < size; i++) {
      const [x0, z0, x1, z1] = [i * step, k * step, (i + 1) * step, (k + 1) * step];
      const [a, b, c, d] = [height(i, k), height(i + 1, k), height(i + 1, k + 1), height(i, k + 1)];
      triangles.push([x0, a, z0, x0, d, z1, x1, b, z0], [x1, b, z0, x0, d, z1, x1, c, z1]);
    }
  }
  return {
    cell: 0.3,
    cellHeight: 0.1,
    agent: { ...AGENT, climb: 0.5 },
    tile: 64,
    triangles,
    boxes: [[33, -4, 8, 33.6, 5, 40]],
  };
}

/** Six islands in a row of two, near enough to hop; a bridge joins two of them. */
function islands(): BuildSpec {
  const boxes: Box[] = [];
  for (let row = 0; row < 2; row++) {
    for (let column = 0; column < 3; column++) {
      const x = column * 13;
      const z = row * 13;
      boxes.push([x, -2, z, x + 12, 0, z + 12], [x + 5, -0.5, z + 5, x + 7, 2.5, z + 7]);
    }
  }
  // From the first to the second island.
  boxes.push([11.5, -0.3, 5, 13.5, 0, 7]);
  return { ...VOXELS, boxes };
}

/** Rooms behind walls of 10 cm, doors 1.5 m wide at alternating ends. */
function thinWalls(): BuildSpec {
  const boxes: Box[] = [[0, -1, 0, 32, 0, 24]];
  for (let i = 1; i < 8; i++) {
    const x = i * 4;
    const [from, to] = i % 2 === 0 ? [0, 22] : [2, 24];
    boxes.push([cm(x - 0.05), -0.5, from, cm(x + 0.05), 2.5, to]);
  }
  // Each room holds a low table and a screen that does not reach the wall.
  for (let i = 0; i < 8; i++) {
    const x = i * 4;
    boxes.push([cm(x + 1.5), -0.5, 6, cm(x + 2.5), 0.8, 8], [cm(x + 1.4), -0.5, 15, cm(x + 2.6), 2.2, 15.1]);
  }
  return { ...VOXELS, boxes };
}

/** Every bundled map. */
export const RECIPES: readonly MapRecipe[] = [
  { name: 'pillars', about: 'open field with pillars and one long wall', spec: pillars() },
  { name: 'maze', about: 'maze of 3 m corridors', spec: maze() },
  { name: 'floors', about: 'two floors with stairs, a balcony without', spec: floors() },
  { name: 'terrain', about: 'tiled hills, some too steep', spec: terrain() },
  { name: 'islands', about: 'islands, two of them joined by a bridge', spec: islands() },
  { name: 'thin-walls', about: 'rooms behind walls of 10 cm', spec: thinWalls() },
];

/** Whole centimetres: specs stay readable. */
function cm(metres: number): number {
  return Math.round(metres * 100) / 100;
}
