// One source, two compilers: every kernel runs on WASM and on the pure-TypeScript twin over the same maps and questions,
// and all bytes that come out must agree. A new entry point gets a row in KERNELS.
import { describe, expect, test } from 'vitest';
import { CORNER_STRIDE, F_CORNERS, F_PATH, IN, MOVES, NODE_CAP, S_WALK } from '../../assembly/layout.ts';
import { packGridSight } from '../../src/kernel/gridsight.ts';
import { createKernel, type Kernel } from '../../src/kernel/index.ts';
import type { NavMesh } from '../../src/mesh/navmesh.ts';
import { latticeMesh } from '../oracle/lattice.ts';
import { between, random } from '../oracle/random.ts';
import { ringMesh } from '../oracle/rings.ts';
import { NONE, type Place, packOf, UNIT } from './ask.ts';
import { innerPoint, meshOfFloors } from './linkcheck.ts';

const SEED = 20250503;

interface World {
  readonly name: string;
  readonly pack: ArrayBuffer;
  readonly from: readonly Place[];
  readonly to: readonly Place[];
  readonly hints: readonly number[];
  readonly limits: readonly number[];
  readonly tolerance: number;
}

/** Questions on and around a map of `size` integers: corners of cells, fractions, far off, not finite. */
function world(name: string, pack: ArrayBuffer, size: number, heights: readonly number[], count: number): World {
  const next = random(SEED + size);
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, -1e300, 2 ** 24 * UNIT, -(2 ** 24 + 1) * UNIT, -0];
  const coordinate = () => {
    const r = next();
    if (r < 0.01) return odd[between(next, 0, odd.length - 1)];
    const at = (next() * 1.2 - 0.1) * size;
    return (r < 0.5 ? Math.round(at) : at) * UNIT;
  };
  const height = () => heights[between(next, 0, heights.length - 1)] + (next() < 0.5 ? 0 : next() * 2 - 1);
  const places = () => Array.from({ length: count }, (): Place => [coordinate(), height(), coordinate()]);
  return {
    name,
    pack,
    from: places(),
    to: places(),
    hints: Array.from({ length: count }, () => (next() < 0.5 ? NONE : between(next, 0, 120))),
    limits: Array.from({ length: count }, () => (next() < 0.2 ? Number.POSITIVE_INFINITY : next() * 2 * size * UNIT)),
    tolerance: size * UNIT * 0.05,
  };
}

/** Two floors of islands with links between and within them, one way and both ways. */
function linkedFloors(): NavMesh {
  const next = random(SEED + 7);
  const maps = [0, 1].map((k) => latticeMesh({ w: 6, h: 6, seed: SEED + 20 + k, blocked: 0.35, scale: 4 }));
  const spot = (floor: number) => ({ floor, at: innerPoint(maps[floor], next) });
  const links = Array.from({ length: 12 }, (_, i) => ({ from: spot(i % 2), to: spot(i % 3 ? 1 : 0), both: i % 4 < 2 }));
  return meshOfFloors(maps, links);
}

const lift = (x: number, z: number) => (((x * 5 + z * 3) % 7) + 7) / 16;

const WORLDS: readonly World[] = [
  world('triangles, flat', packOf(latticeMesh({ w: 8, h: 8, seed: SEED, blocked: 0.2 }).mesh), 24, [0], 400),
  world(
    'merged, bumpy, large',
    packOf(latticeMesh({ w: 8, h: 8, seed: SEED + 1, blocked: 0.2, merge: 8, scale: 3001, height: lift }).mesh),
    24 * 3001,
    [0.5],
    400,
  ),
  world(
    'two floors',
    packOf(
      ringMesh(
        [0, 2].flatMap((base) =>
          latticeMesh({ w: 6, h: 6, seed: SEED + base, blocked: 0.25, scale: 512 }).rings.map((at) => ({
            at,
            y: [0, 2, 4].map((k) => base + lift(at[k], at[k + 1])),
          })),
        ),
      ).mesh,
    ),
    18 * 512,
    [0.5, 2.5],
    400,
  ),
  world('two floors joined by links', packOf(linkedFloors()), 18 * 4, [0.5, 4.5], 600),
];

/** What one kernel did to a world, as bytes. */
type Run = (kernel: Kernel, world: World) => ArrayBufferView[];

/** Single calls: the returned word and all of OUT after each, and whatever `more` reads. */
function single(ask: (kernel: Kernel, hint: number) => number, pathCorners = false): Run {
  return (kernel, w) => {
    const seen: ArrayBufferView[] = [];
    w.from.forEach((from, i) => {
      kernel.input.set([...from, ...w.to[i], 0.5, 1, w.tolerance, w.limits[i], NODE_CAP]);
      const word = ask(kernel, w.hints[i]) >>> 0;
      seen.push(Float64Array.of(word), kernel.output.slice());
      if (!pathCorners || word !== S_WALK) return;
      const frame = kernel.input.byteOffset - IN;
      const corners = kernel.u32(frame + F_CORNERS, 1)[0];
      seen.push(kernel.u8(corners, kernel.output[1] * CORNER_STRIDE).slice());
      seen.push(kernel.u8(kernel.u32(frame + F_PATH, 1)[0], kernel.output[3] * 4).slice());
    });
    return seen;
  };
}

/** Batch calls: all arrays whole, inputs and results. */
function batch(call: (kernel: Kernel, n: number, at: BatchAddresses) => void): Run {
  return (kernel, w) => {
    const n = w.from.length;
    const base = kernel.reserve(n * 112);
    const at = {
      from: base,
      to: base + 24 * n,
      point: base + 48 * n,
      limit: base + 72 * n,
      f: base + 80 * n,
      polygon: base + 96 * n,
      u: base + 100 * n,
    };
    kernel.u8(base, n * 112).fill(0);
    kernel.f64(at.from, 3 * n).set(w.from.flat());
    kernel.f64(at.to, 3 * n).set(w.to.flat());
    kernel.f64(at.limit, n).set(w.limits);
    kernel.u32(at.polygon, n).set(w.hints);
    kernel.input.set([0.5, 1, w.tolerance, 0, NODE_CAP], 6);
    call(kernel, n, at);
    return [kernel.u8(base, n * 112).slice()];
  };
}
interface BatchAddresses {
  from: number;
  to: number;
  point: number;
  limit: number;
  f: number;
  polygon: number;
  u: number;
}

const KERNELS: readonly (readonly [string, Run])[] = [
  [
    'locate',
    single((k) => {
      k.input.set([0.5, 1, k.input[8]], 3);
      return k.locate();
    }),
  ],
  ['ray', single((k, hint) => k.ray(hint))],
  ['corridor', single((k, hint) => k.corridor(hint), true)],
  ['shortest', single((k, hint) => k.shortest(hint))],
  ['reach', single((k, hint) => k.reach(hint, NONE))],
  ['surface', single((k, hint) => k.surface(hint))],
  [
    'clearMoves',
    batch((k, n, a) => {
      // waves of any size; the answers go where the test looks for them
      const from = k.f64(a.from, 3 * n);
      const to = k.f64(a.to, 3 * n);
      const [polygon, floor] = [k.f64(a.limit, n), k.f64(a.f, n)];
      const hints = k.u32(a.polygon, n);
      for (let first = 0, size = 1; first < n; first += size, size = 1 + ((size * 7) % MOVES)) {
        const many = Math.min(size, n - first);
        for (let i = 0; i < many; i++) {
          const q = 3 * (first + i);
          k.moves.set([...from.subarray(q, q + 3), ...to.subarray(q, q + 3), hints[first + i], 0], 8 * i);
        }
        k.clearMoves(many);
        for (let i = 0; i < many; i++) [polygon[first + i], floor[first + i]] = k.moves.subarray(8 * i + 6, 8 * i + 8);
      }
    }),
  ],
  ['batchLocate', batch((k, n, a) => k.batchLocate(n, a.from, a.polygon, a.point, a.f))],
  ['batchRay', batch((k, n, a) => k.batchRay(n, a.from, a.to, a.polygon, a.u, a.f, a.u + 4 * n))],
  ['batchCorridor', batch((k, n, a) => k.batchCorridor(n, a.from, a.to, a.polygon, a.limit, a.u, a.f))],
  ['batchShortest', batch((k, n, a) => k.batchShortest(n, a.from, a.to, a.polygon, a.limit, a.u, a.f))],
  ['batchSurface', batch((k, n, a) => k.batchSurface(n, a.from, a.to, a.polygon, a.u, a.point, a.f, a.u + 4 * n))],
  [
    'batchReach',
    batch((k, n, a) => k.batchReach(n, a.from, a.to, a.polygon, a.limit, a.u, a.f, a.u + 4 * n, a.u + 8 * n)),
  ],
];

function hex(views: readonly ArrayBufferView[]): string[] {
  return views.map((v) => Buffer.from(v.buffer, v.byteOffset, v.byteLength).toString('hex'));
}

describe.each(WORLDS)('WASM and twin agree in every byte: $name', (w) => {
  test.each(KERNELS)('%s', (_, run) => {
    const [wasm, twin] = (['wasm', 'twin'] as const).map((engine) => {
      const kernel = createKernel(engine);
      kernel.load(w.pack);
      return hex(run(kernel, w));
    });
    expect(wasm.length).toBeGreaterThan(0);
    expect(twin).toEqual(wasm);
    // Not all the same answer: the questions reach into the kernel.
    expect(new Set(wasm.join('').match(/.{16}/g)).size).toBeGreaterThan(20);
  });
});

test('WASM and twin agree in every byte: grid sight', () => {
  const next = random(SEED);
  const [width, height] = [23, 17];
  const mask = Uint8Array.from({ length: width * height }, () => (next() < 0.75 ? 1 : 0));
  const ends = Array.from({ length: 4000 }, () => (next() * 1.2 - 0.1) * 20);
  ends[5] = Number.NaN;
  ends[9] = Number.POSITIVE_INFINITY;
  const [wasm, twin] = (['wasm', 'twin'] as const).map((engine) => {
    const kernel = createKernel(engine);
    kernel.load(packGridSight(mask, width, height));
    const n = ends.length / 4;
    const base = kernel.reserve(n * 40);
    kernel.u8(base, n * 40).fill(0);
    kernel.f64(base, 4 * n).set(ends);
    kernel.batchGridSight(n, base, base + 16 * n, base + 32 * n);
    const singles = Array.from({ length: n }, (_, i) =>
      kernel.gridSight(ends[2 * i], ends[2 * i + 1], ends[2 * n + 2 * i], ends[2 * n + 2 * i + 1]),
    );
    return [...hex([kernel.u8(base, n * 40).slice()]), ...singles];
  });
  expect(twin).toEqual(wasm);
  expect(new Set(wasm.slice(1)).size).toBe(2);
});
