// A published arena in two decompositions, triangles and merged polygons: the exact length between every two of 400 points
// is the same in both, there and back. Decompositions share no search step, so they check each other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NavMap } from '../../src/map.ts';
import type { PathAnswer } from '../../src/types.ts';
import { readPolygonMesh } from '../oracle/polyanya.ts';
import { between, random } from '../oracle/random.ts';

const SEED = Number(process.env.NAVGUARD_SEED ?? 20251203);
const SAMPLES = process.env.NAVGUARD_SAMPLES;
const POINTS = 400;
type Vec = [number, number, number];

const load = (name: string): NavMap =>
  NavMap.fromMesh(readPolygonMesh(readFileSync(join(SAMPLES!, 'polyanya', name), 'utf8'), name));

describe.runIf(SAMPLES !== undefined)('arena', () => {
  test('79,800 pairs: triangles and merged polygons agree, there and back', () => {
    const [triangles, merged] = [load('arena.mesh'), load('arena-merged.mesh')];
    // One of the 55 merged polygons has more than eight corners and is cut.
    expect([triangles.info.polygons, merged.info.polygons]).toEqual([120, 56]);
    const next = random(SEED);
    const { min, max } = triangles.info.bounds;
    const points: Vec[] = [];
    while (points.length < POINTS) {
      // A quarter on whole metres, where corners and walls are.
      const step = next() < 0.25 ? 1 : 1 / 1024;
      const along = (k: number): number => min[k]! + step * between(next, 0, Math.round((max[k]! - min[k]!) / step));
      const at: Vec = [along(0), 0, along(2)];
      const options = { tolerance: 0 };
      const [a, b] = [triangles.locate(at, options), merged.locate(at, options)];
      expect(a === null, `seed ${SEED}: ${at} is on one decomposition only`).toBe(b === null);
      if (a) points.push(at);
    }
    const count = { pairs: 0, walks: 0, bitwise: 0, worst: 0 };
    const wrong: string[] = [];
    points.forEach((s, i) => {
      for (const e of points.slice(0, i)) {
        count.pairs++;
        const answers = [triangles, merged].flatMap((map) => [
          map.shortest(s, e, { tolerance: 0 }),
          map.shortest(e, s, { tolerance: 0 }),
        ]);
        const [{ status, length }] = answers as [PathAnswer];
        if (status === 'complete') count.walks++;
        const error = Math.max(...answers.map((a) => (a.length === length ? 0 : Math.abs(a.length! / length! - 1))));
        if (error === 0) count.bitwise++;
        count.worst = Math.max(count.worst, error);
        const same = answers.every((a) => a.status === status) && (status === 'complete' || status === 'unreachable');
        if (!same || !(error <= 1e-12)) wrong.push(`${s} - ${e}: ${JSON.stringify(answers)}`);
      }
    });
    console.log(`arena, seed ${SEED}: ${JSON.stringify(count)}, ${wrong.length} wrong`);
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(count.pairs).toBe(79_800);
    expect(count.walks).toBeGreaterThan(70_000);
  });
});
