// Rays and walks on living maps beside brute force in full, within a time: counts printed.
import { expect, test } from 'vitest';
import { H_POLYGONS, H_TABLE, P_AREA, P_NEI, POLY_STRIDE } from '../../assembly/layout.ts';
import { largeMap } from '../../navdata/large.ts';
import { NavMap } from '../../src/map.ts';
import { checkLiving, NONE_YET } from '../live/exact.ts';
import { between, random } from '../oracle/random.ts';

const SEED = 98_000;
const BUDGET_MS = 12_000;

test('rays and exact lengths on maps with links, closed areas and obstacles: 0 differences', () => {
  const count = NONE_YET();
  const end = performance.now() + BUDGET_MS;
  for (let seed = SEED; performance.now() < end; seed++) checkLiving(seed, 20, count);
  console.log(
    `living: ${count.maps} maps from seed ${SEED}, ${count.rays} rays (${count.clear} clear), ${count.walks} walks, ` +
      `${count.unreachable} unreachable, ${count.wrong.length} wrong, worst relative error ${count.worst.toExponential(1)}`,
  );
  expect(count.wrong.slice(0, 20)).toEqual([]);
  expect(count.walks).toBeGreaterThan(300);
});

test('what a change costs on the large map: printed, as machines differ', async () => {
  const pack = (await NavMap.load(await largeMap(8400))).toPack();
  const next = random(SEED);
  // forty doors of four polygons each
  const view = new DataView(pack);
  const polys = view.getUint32(H_TABLE, true);
  for (let door = 1; door <= 40; door++) {
    let at = polys + between(next, 0, view.getUint32(H_POLYGONS, true) - 1) * POLY_STRIDE;
    for (let k = 0; k < 4; k++) {
      view.setUint8(at + P_AREA, door);
      for (let i = 0; i < 8; i++) {
        const there = view.getUint32(at + P_NEI + 4 * i, true);
        if (there !== 0 && view.getUint8(there + P_AREA) === 0) at = there;
      }
    }
  }
  const map = new NavMap(pack);
  const doors: number[] = [];
  const first = performance.now();
  map.area(1, { open: false });
  const hitch = performance.now() - first;
  for (let k = 0; k < 200; k++) {
    const from = performance.now();
    for (let i = 0; i < 200; i++) map.area(2 + ((i >>> 1) % 39), { open: (i & 1) === 1 });
    doors.push((performance.now() - from) * 5);
  }
  const { min, max } = map.info.bounds;
  const blocks: number[] = [];
  const unblocks: number[] = [];
  for (let i = 0; i < 2000; i++) {
    const [x, z] = [min[0] + next() * (max[0] - min[0]), min[2] + next() * (max[2] - min[2])];
    const r = 0.3 + next() * 1.2;
    const from = performance.now();
    map.block(i, i % 2 === 0 ? { cylinder: [x, -5, z, r, 10] } : { box: [x - r, -5, z - r, x + r, 5, z + r, i % 4] });
    const there = performance.now();
    if (i >= 5) map.unblock(i - 5);
    if (i >= 5) unblocks.push(performance.now() - there);
    blocks.push(there - from);
  }
  const middle = (list: number[], share: number): string =>
    [...list].sort((a, b) => a - b)[Math.floor(share * (list.length - 1))]!.toFixed(3);
  console.log(
    `living, ${map.info.polygons} polygons: a door ${middle(doors, 0.5)} us (the first change ${hitch.toFixed(1)} ms), ` +
      `an obstacle ${middle(blocks, 0.5)} ms (99 %: ${middle(blocks, 0.99)}), taken away ${middle(unblocks, 0.5)} ms`,
  );
  expect(map.living.closures).toHaveLength(6);
}, 60_000);
