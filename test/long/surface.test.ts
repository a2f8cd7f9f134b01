// The walk along the surface, many times over: the full count behind the quick slice in test/kernel/surface.test.ts, and
// bodies that wander on every real map.
import { afterAll, expect, test } from 'vitest';
import { walkOverruns } from '../../assembly/ray.ts';
import { createKernel } from '../../src/kernel/index.ts';
import { NavMap } from '../../src/map.ts';
import { packPolygon } from '../../src/pack/view.ts';
import { CLEAR, NONE, type Place } from '../kernel/ask.ts';
import { gridPoints } from '../kernel/gridpoints.ts';
import { add, askSurface, LARGE, nothing, SMALL, slideBattery } from '../kernel/slides.ts';
import { askShortest } from '../kernel/walks.ts';
import { random } from '../oracle/random.ts';
import { REAL_MAPS } from './realmaps.ts';

const SEED = Number(process.env.NAVGUARD_SEED ?? 20251205);
const WALK = 1;

test.each(['wasm', 'twin'] as const)(
  'at least 60,000 walks on small lattices pass no wall (%s)',
  (engine) => {
    const total = nothing();
    for (let round = 0; total.asked < 60_000 && total.faults.length < 20; round++) {
      const seed = SEED + 31 * round;
      for (const [, shape] of SMALL)
        add(
          total,
          slideBattery(() => createKernel(engine), shape, seed, 400, false),
        );
    }
    console.log(`surface (${engine}): ${total.asked} walks, ${total.slid} slid, ${total.slides} slides, 0 faults`);
    expect(total.faults).toEqual([]);
    expect(total.slid).toBeGreaterThan(20_000);
    expect(walkOverruns()).toBe(0);
  },
  600_000,
);

test('at least 40,000 walks on large lattices end where the exact simulation ends', () => {
  const total = nothing();
  for (let round = 0; total.asked < 40_000 && total.far.length < 20; round++) {
    const seed = SEED + 37 * round;
    for (const [, shape] of LARGE)
      add(
        total,
        slideBattery(() => createKernel('wasm'), shape, seed, 400, true),
      );
  }
  console.log(
    `surface: ${total.asked} walks, ${total.alike} within 2 units of the exact simulation with as many slides, ` +
      `${total.far.length} not, ${total.skipped} through a pinch, seed ${SEED}`,
  );
  expect(total.faults).toEqual([]);
  expect(total.far).toEqual([]);
  expect(total.slides).toBeGreaterThan(20_000);
}, 600_000);

const STEPS = Math.ceil(100_000 / REAL_MAPS.length);
const wander = { steps: 0, clear: 0, slid: 0, blocked: 0, slides: 0, around: 0, metres: 0 };
afterAll(() => console.log(`wandering on ${REAL_MAPS.length} maps, seed ${SEED}: ${JSON.stringify(wander)}`));

test.each(REAL_MAPS)(
  '%s: wandering bodies stay in their component and pass no wall',
  async (_name, mesh) => {
    const map = NavMap.fromMesh(await mesh());
    const { kernel } = map;
    const pack = map.toPack();
    const next = random(SEED);
    const stand = gridPoints(map, next);
    const band = { below: 0.5, above: 0.5, tolerance: 0 };
    const wrong: string[] = [];
    for (let done = 0; done < STEPS; ) {
      let at: Place = stand().at;
      const first = map.locate(at, band);
      if (!first) continue;
      let polygon = first.polygon;
      const heading = { angle: next() * 2 * Math.PI };
      for (let i = 0; i < 500 && done < STEPS; i++, done++) {
        // Ahead for a while, then somewhere else: bodies get into corners and have to get out of them.
        heading.angle += next() < 0.05 ? next() * 2 * Math.PI : (next() - 0.5) * 0.3;
        const size = next() < 0.02 ? 30 * next() : next();
        const by = [size * Math.cos(heading.angle), size * Math.sin(heading.angle)] as const;
        const got = askSurface(kernel, at, by, { hint: polygon, band });
        const says = (words: string) => wrong.push(`${at} (polygon ${polygon}) by ${by}: ${words}`);
        const view = packPolygon(pack, got.polygon);
        if (view.component !== first.component) says(`left its component for ${view.component}`);
        if (got.length > Math.hypot(by[0], by[1])) says(`walked ${got.length}`);
        for (let k = 1; k < got.corners.length; k++) {
          const [a, b] = [got.corners[k - 1], got.corners[k]];
          kernel.input.set([...a, ...b, 0.01, 0.01, 0]);
          if (kernel.ray(NONE) !== CLEAR) says(`leg ${a} -> ${b} is not clear`);
        }
        // As the guard would judge it: the way there is no longer than what was walked.
        kernel.input.set([...at, ...got.end, 0.01, 0.01, 0]);
        if (kernel.ray(NONE) !== CLEAR) {
          wander.around++;
          const options = { limit: got.length + 1e-9, band: { below: 0.01, above: 0.01, tolerance: 0 } };
          const way = askShortest(kernel, at, got.end, options);
          if (way.status !== WALK || way.length > got.length + 1e-9)
            says(`walked ${got.length}, shortest ${way.length}`);
        }
        wander.steps++;
        wander.metres = Math.round(wander.metres * 1e3 + got.length * 1e3) / 1e3;
        wander.slides += got.slides;
        if (got.status === CLEAR) wander.clear++;
        else if (got.status === WALK) wander.slid++;
        else {
          wander.blocked++;
          // Blocked is final, up to a step of the grid at its place.
          const again = askSurface(kernel, got.end, by, { hint: got.polygon, band });
          if (again.length > 2 * map.info.unit) says(`blocked, and then ${again.length} on`);
        }
        [at, polygon] = [got.end, got.polygon];
      }
    }
    expect(wrong.slice(0, 10), `seed ${SEED}, ${wrong.length} wrong`).toEqual([]);
  },
  600_000,
);
