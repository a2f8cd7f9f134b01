// The wave of moves against `reach`, one question at a time: what is clear, where it ends and how high the floor is there, to
// the bit.
import { describe, expect, test } from 'vitest';
import { MOVES, S_CLEAR } from '../../assembly/layout.ts';
import { createKernel, type Kernel } from '../../src/kernel/index.ts';
import { latticeMesh } from '../oracle/lattice.ts';
import { between, random } from '../oracle/random.ts';
import { ringMesh } from '../oracle/rings.ts';
import { NONE, type Place, packOf, UNIT } from './ask.ts';

const SEED = 41077;
const BAND = { below: 0.5, above: 1, tolerance: 8 * UNIT };

interface Question {
  readonly from: Place;
  readonly to: Place;
  readonly hint: number;
}
/** Polygon and floor, or null for a move that is not clear onto the mesh. */
type Answer = readonly [number, number] | null;

const lift = (x: number, z: number): number => (((x * 5 + z * 3) % 7) + 7) / 16;
const bumpy = (seed: number, base: number) =>
  latticeMesh({ w: 7, h: 7, seed, blocked: 0.2, merge: seed % 3 ? 6 : 3, scale: 64 }).rings.map((at) => ({
    at,
    y: Array.from({ length: at.length / 2 }, (_, k) => base + lift(at[2 * k], at[2 * k + 1])),
  }));

function packs(): ReadonlyMap<string, ArrayBuffer> {
  return new Map([
    ['triangles', packOf(latticeMesh({ w: 8, h: 8, seed: SEED, blocked: 0.2, scale: 64 }).mesh)],
    ['merged', packOf(latticeMesh({ w: 8, h: 8, seed: SEED + 1, blocked: 0.2, merge: 8, scale: 64 }).mesh)],
    ['bumpy floors over each other', packOf(ringMesh([0, 1.2, 4].flatMap((y, k) => bumpy(SEED + 2 + k, y))).mesh)],
  ]);
}

/** Short steps and long ones, from corners, edges and anywhere, with right, wrong and no hints; some are no places. */
function questions(kernel: Kernel, seed: number, count: number): Question[] {
  const next = random(seed);
  const size = 24 * 64;
  const coordinate = (): number => {
    const at = (next() * 1.1 - 0.05) * size;
    const how = next();
    return (how < 0.2 ? Math.round(at / 192) * 192 : how < 0.6 ? Math.round(at) : at) * UNIT;
  };
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, 1e300, 2 ** 24 * UNIT, -0];
  return Array.from({ length: count }, () => {
    const from = [coordinate(), [0, 0.5, 1.2, 1.7, 4.3][between(next, 0, 4)] + next() / 4, coordinate()];
    const to = [...from];
    const reach = next() < 0.15 ? 0 : next() < 0.7 ? 200 * UNIT : size * UNIT;
    for (const axis of [0, 2]) {
      if (next() < 0.9) to[axis] += (next() - 0.5) * reach;
      if (next() < 0.4) to[axis] = Math.round(to[axis] / UNIT) * UNIT;
    }
    to[1] += next() - 0.5;
    if (next() < 0.02) (next() < 0.5 ? from : to)[between(next, 0, 2)] = odd[between(next, 0, 4)];
    kernel.input.set([...from, BAND.below, BAND.above, BAND.tolerance]);
    const right = kernel.locate() >>> 0;
    const hint = next() < 0.8 ? right : next() < 0.5 ? NONE : between(next, 0, 150);
    return { from: from as unknown as Place, to: to as unknown as Place, hint };
  });
}

function askReach(kernel: Kernel, { from, to, hint }: Question): Answer {
  kernel.input.set([...from, ...to, BAND.below, BAND.above, BAND.tolerance, 0, 0]);
  if (kernel.reach(hint, hint) >>> 0 !== S_CLEAR || kernel.output[7] !== 0) return null;
  return [kernel.output[3], kernel.output[5]];
}

function askWave(kernel: Kernel, asked: readonly Question[]): Answer[] {
  asked.forEach(({ from, to, hint }, i) => {
    kernel.moves.set([...from, ...to, hint, Number.NaN], 8 * i);
  });
  kernel.input.set([BAND.below, BAND.above, BAND.tolerance], 6);
  kernel.clearMoves(asked.length);
  return asked.map((_, i) => {
    const [polygon, floor] = kernel.moves.subarray(8 * i + 6, 8 * i + 8);
    return polygon === NONE ? null : [polygon, floor];
  });
}

describe.each(['wasm', 'twin'] as const)('a wave of moves, %s', (engine) => {
  test.each([...packs()])('answers as reach does: %s', (name, pack) => {
    const kernel = createKernel(engine);
    kernel.load(pack);
    const asked = questions(kernel, SEED, 6000);
    const seen = { clear: 0, still: 0, crossed: 0, blocked: 0 };
    for (let first = 0, size = 1; first < asked.length; first += size, size = 1 + ((size * 37) % MOVES)) {
      const wave = asked.slice(first, first + size);
      const want = wave.map((q) => askReach(kernel, q));
      const got = askWave(kernel, wave);
      wave.forEach((q, i) => {
        const [a, b] = [got[i], want[i]];
        const same = a === null || b === null ? a === b : a[0] === b[0] && Object.is(a[1], b[1]);
        if (!same) throw new Error(`${name}, seed ${SEED}, ${first + i}: ${JSON.stringify([q, a, b])}`);
        if (b === null) seen.blocked++;
        else {
          seen.clear++;
          if (b[0] !== q.hint) seen.crossed++;
          if (q.from[0] === q.to[0] && q.from[2] === q.to[2]) seen.still++;
        }
      });
    }
    for (const [what, n] of Object.entries(seen)) expect(n, `${what}, seed ${SEED}`).toBeGreaterThan(100);
  });

  test('the answer does not depend on the others of the wave, and waves are bounded', () => {
    const [pack] = packs().values();
    const kernel = createKernel(engine);
    kernel.load(pack);
    const asked = questions(kernel, SEED + 9, MOVES);
    const together = askWave(kernel, asked);
    expect(asked.map((q) => askWave(kernel, [q])[0])).toEqual(together);
    expect(askWave(kernel, asked.toReversed()).toReversed()).toEqual(together);
    // more than there is room for: the first MOVES are answered, and nothing beyond them is touched
    const beyond = kernel.u8(kernel.moves.byteOffset + kernel.moves.byteLength, 256).slice();
    asked.forEach(({ from, to, hint }, i) => {
      kernel.moves.set([...from, ...to, hint, Number.NaN], 8 * i);
    });
    kernel.clearMoves(2 ** 31);
    expect(asked.map((_, i) => kernel.moves[8 * i + 6])).toEqual(together.map((a) => (a === null ? NONE : a[0])));
    expect(kernel.u8(kernel.moves.byteOffset + kernel.moves.byteLength, 256)).toEqual(beyond);
  });
});
