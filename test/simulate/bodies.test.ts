// The body controller against hand-made levels: walls hold, slides keep what points along the wall, stairs are walked,
// ledges are fallen off, jumps are as high as asked, and the same seed moves the same way.
import { expect, test } from 'vitest';
import { RECIPES } from '../../navdata/maps.ts';
import type { Box } from '../../src/build/index.ts';
import { Capsule } from '../../src/simulate/bodies/capsule.ts';
import { Contact, lineToTriangle, restOnTriangle } from '../../src/simulate/bodies/contact.ts';
import { levelOfSpec } from '../../src/simulate/bodies/levels.ts';
import { seeded } from '../../src/simulate/random.ts';

const STEP = 1 / 60;
const GROUND: Box = [-20, -1, -20, 20, 0, 20];

function bodyOn(boxes: readonly Box[], x = 0, y = 0, z = 0): Capsule {
  const level = levelOfSpec({ boxes, agent: { radius: 0.4, height: 2, climb: 0.4, slope: 45 } });
  const body = new Capsule(level.soup, level.size);
  expect(body.place(x, y, z)).toBe(true);
  return body;
}

function walk(body: Capsule, seconds: number, vx: number, vz: number, each: () => void = () => {}): void {
  for (let i = 0; i < seconds * 60; i++) {
    body.step(STEP, vx, vz, 20);
    each();
  }
}

test('nearest points of line and triangle, and rests, agree with a fine sampling of the triangle', () => {
  const random = seeded(71);
  const contact = new Contact();
  for (let round = 0; round < 400; round++) {
    const c = Float64Array.from({ length: 9 }, () => random.between(-2, 2));
    const x = random.between(-2, 2);
    const z = random.between(-2, 2);
    const y0 = random.between(-2, 1);
    const y1 = y0 + random.between(0, 2);
    lineToTriangle(c, 0, x, z, y0, y1, contact);
    let least = Infinity;
    let highest = -Infinity;
    const r = 0.7;
    for (let i = 0; i <= 120; i++) {
      for (let k = 0; k <= 120 - i; k++) {
        const p = [0, 1, 2].map((axis) => c[axis] + ((c[3 + axis] - c[axis]) * i + (c[6 + axis] - c[axis]) * k) / 120);
        const dy = p[1] < y0 ? y0 - p[1] : p[1] > y1 ? p[1] - y1 : 0;
        const plan = (p[0] - x) ** 2 + (p[2] - z) ** 2;
        least = Math.min(least, Math.sqrt(plan + dy * dy));
        if (plan <= r * r) highest = Math.max(highest, p[1] + Math.sqrt(r * r - plan));
      }
    }
    expect(contact.distance, `round ${round}`).toBeLessThanOrEqual(least + 1e-9);
    expect(contact.distance, `round ${round}`).toBeGreaterThan(least - 0.06);
    const rest = restOnTriangle(c, 0, x, z, r, 1, contact);
    if (highest === -Infinity) continue;
    expect(rest, `round ${round}`).toBeGreaterThanOrEqual(highest - 1e-9);
    // steep near the sphere's rim: there a small step in the plan is a large one in height
    expect(rest, `round ${round}`).toBeLessThan(highest + 0.25);
  }
});

test('a wall holds at a radius and the rest of the motion slides along it', () => {
  const body = bodyOn([GROUND, [3, 0, -20, 3.1, 3, 20]]);
  walk(body, 2, 4, 3);
  expect(body.x).toBeCloseTo(2.6, 3);
  expect(body.z).toBeCloseTo(6, 1);
  expect(body.state).toBe('walk');
});

test('no speed tunnels through a wall of 2 cm', () => {
  for (const speed of [2, 7, 50, 400]) {
    const body = bodyOn([GROUND, [3, 0, -20, 3.02, 3, 20]]);
    for (let i = 0; i < 120; i++) body.step(STEP, speed, 0.3, 1000);
    expect(body.x, `${speed} m/s`).toBeCloseTo(2.6, 2);
  }
});

test('a corner of two walls holds; a sharp one does too', () => {
  const body = bodyOn([GROUND, [3, 0, -20, 3.1, 3, 20], [-20, 0, 3, 20, 3, 3.1]]);
  walk(body, 3, 5, 4);
  expect(body.x).toBeCloseTo(2.6, 2);
  expect(body.z).toBeCloseTo(2.6, 2);
});

test('stairs of 0.3 are walked up and down, a block of 0.5 is a wall', () => {
  const stairs: Box[] = [];
  for (let i = 0; i < 10; i++) stairs.push([2 + i * 0.5, -0.5, -2, 20, 0.3 * (i + 1), 2]);
  const body = bodyOn([GROUND, ...stairs]);
  let worst = 0;
  let before = body.y;
  walk(body, 4, 3, 0, () => {
    worst = Math.max(worst, Math.abs(body.y - before));
    before = body.y;
    expect(body.state).toBe('walk');
  });
  expect(body.y).toBeCloseTo(3, 6);
  // no jump of a whole step within a frame
  expect(worst).toBeLessThan(0.2);
  walk(body, 5, -3, 0, () => expect(body.state).toBe('walk'));
  expect(body.y).toBeCloseTo(0, 6);

  const stopped = bodyOn([GROUND, [3, 0, -20, 6, 0.5, 20]]);
  walk(stopped, 3, 4, 0);
  expect(stopped.x).toBeCloseTo(2.6, 3);
  expect(stopped.y).toBeCloseTo(0, 6);
});

test('off a ledge it falls as gravity has it, and lands', () => {
  const body = bodyOn([GROUND, [-3, -1, -3, 3, 3, 3]], 0, 3, 0);
  let fell = 0;
  walk(body, 3, 4, 0, () => {
    if (body.state === 'fall') fell++;
  });
  expect(body.y).toBeCloseTo(0, 6);
  expect(body.state).toBe('walk');
  // 3 m take 0.78 s; a little of it slides over the rim
  expect(fell / 60).toBeGreaterThan(0.7);
  expect(fell / 60).toBeLessThan(0.95);
});

test('a jump is as high as asked and comes down; a ceiling ends it', () => {
  const body = bodyOn([GROUND]);
  body.jump(Math.sqrt(2 * 9.81 * 2.1));
  let top = 0;
  walk(body, 2, 3, 0, () => {
    top = Math.max(top, body.y);
  });
  expect(top).toBeGreaterThan(2.07);
  expect(top).toBeLessThanOrEqual(2.1 + 1e-9);
  expect(body.y).toBe(0);

  const under = bodyOn([GROUND, [-20, 2.6, -20, 20, 3, 20]]);
  under.jump(6);
  top = 0;
  walk(under, 2, 0, 0, () => {
    top = Math.max(top, under.y);
  });
  // a body is two voxels taller than its agent
  expect(top).toBeCloseTo(0.4, 3);
});

test('a slope of 40 degrees is ground, one of 55 is not', () => {
  for (const [degrees, high] of [
    [40, true],
    [55, false],
  ] as const) {
    const rise = Math.tan((degrees * Math.PI) / 180) * 6;
    const level = levelOfSpec({
      boxes: [GROUND],
      triangles: [
        [2, 0, -4, 2, 0, 4, 8, rise, -4],
        [8, rise, -4, 2, 0, 4, 8, rise, 4],
      ],
    });
    const body = new Capsule(level.soup, level.size);
    expect(body.place(0, 0, 0)).toBe(true);
    walk(body, 2, 3, 0);
    expect(body.y > 1, `${degrees} degrees: ${body.y}`).toBe(high);
  }
});

test('random walks on every map stay out of solids, keep to the speed, and repeat from their seed', () => {
  for (const { name, spec } of RECIPES) {
    const level = levelOfSpec(spec);
    const [minX, minY, minZ, maxX, maxY, maxZ] = level.soup.bounds;
    const play = (seed: number): number[] => {
      const random = seeded(seed);
      const trace: number[] = [];
      const body = new Capsule(level.soup, level.size);
      const probe = new Contact();
      const { radius, height } = level.size;
      for (let run = 0; run < 6; run++) {
        for (let tries = 0; tries < 200; tries++) {
          const x = random.between(minX + 1, maxX - 1);
          const z = random.between(minZ + 1, maxZ - 1);
          if (body.place(x, maxY + 1, z)) break;
        }
        let vx = 0;
        let vz = 0;
        for (let i = 0; i < 300; i++) {
          if (i % 40 === 0) {
            const angle = random.between(0, 2 * Math.PI);
            const speed = random.between(1, 7);
            vx = speed * Math.cos(angle);
            vz = speed * Math.sin(angle);
            if (random.chance(0.3)) body.jump(random.between(2, 6.4));
          }
          const { x, z } = body;
          body.step(STEP, vx, vz, 7);
          expect(Math.hypot(body.x - x, body.z - z), `${name} seed ${seed}`).toBeLessThan(7 * STEP + 0.003);
          const count = level.soup.gather(body.x, body.y + radius, body.z, body.x, body.y + height - radius, body.z);
          for (let k = 0; k < count; k++) {
            const t = level.soup.near[k];
            const from = body.y + radius;
            lineToTriangle(level.soup.corners, 9 * t, body.x, body.z, from, body.y + height - radius, probe);
            // never past a surface: the axis keeps away from every triangle
            expect(probe.distance, `${name} seed ${seed} run ${run} frame ${i}`).toBeGreaterThan(radius * 0.5);
          }
          trace.push(body.x, body.y, body.z);
        }
        if (name !== 'islands') expect(body.y, `${name} seed ${seed}`).toBeGreaterThan(minY - 1);
      }
      return trace;
    };
    const first = play(5);
    expect(play(5)).toEqual(first);
  }
});
