// The funnel alone, on random sleeves of convex polygons that may lie over themselves: turns of more than a full circle,
// portals seen edge-on, corners in a line, ends on portals. What a search rarely returns.
import { expect, test } from 'vitest';
import { setFrame } from '../../assembly/frame.ts';
import { funnelBegin, funnelCorners, funnelEnd, funnelLeft, funnelRight } from '../../assembly/funnel.ts';
import {
  F_CORNERS,
  F_END,
  F_HEAP,
  H_END,
  H_UNIT,
  HEAP_CAP,
  HEAP_STRIDE,
  MAP_BASE,
  NODE_CAP,
} from '../../assembly/layout.ts';
import { bindMemory } from '../../src/kernel/twin/memory.ts';
import { between, random } from '../oracle/random.ts';
import { type Point, type Portal, sleeveLength } from '../oracle/sleeve.ts';

const SEED = 66001;
const turn = (a: Point, b: Point, c: Point): number => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

function bind(): void {
  const frame = Math.ceil((MAP_BASE + H_END) / 8) * 8;
  const heap = frame + F_END;
  const corners = heap + HEAP_CAP * HEAP_STRIDE;
  const buffer = new ArrayBuffer(corners + (NODE_CAP + 2) * 24);
  const view = new DataView(buffer);
  view.setFloat64(MAP_BASE + H_UNIT, 1, true);
  view.setUint32(frame + F_HEAP, heap, true);
  view.setUint32(frame + F_CORNERS, corners, true);
  bindMemory(buffer);
  setFrame(frame);
}

interface Sleeve {
  s: Point;
  e: Point;
  portals: Portal[];
}

/** Triangles, or triangles with a corner on the prolonged entry edge, one glued to the other, on a small integer grid. */
function sleeve(next: () => number, size: number, longest: number): Sleeve {
  const point = (around: Point): Point => [
    around[0] + between(next, -size, size),
    around[1] + between(next, -size, size),
  ];
  for (;;) {
    const s: Point = [0, 0];
    const [r, l] = [point(s), point(s)];
    // The first portal has the start on its near side, or on its line.
    if (turn(r, l, s) < 0 || (r[0] === l[0] && r[1] === l[1])) continue;
    const portals: Portal[] = [[l, r]];
    let e: Point = next() < 0.5 ? l : r;
    let [left, right] = [l, r];
    const steps = between(next, 0, longest);
    for (let i = 0; i < steps; i++) {
      let c = point(next() < 0.5 ? left : right);
      for (let k = 0; k < 50 && turn(left, right, c) <= 0; k++) c = point(next() < 0.5 ? left : right);
      if (turn(left, right, c) <= 0) break;
      const kind = next();
      const [dx, dz] = [right[0] - left[0], right[1] - left[1]];
      if (kind < 0.44) left = c;
      else if (kind < 0.88) right = c;
      // Out over the edge in line with the one just entered: beyond its right end, or beyond its left end.
      else if (kind < 0.94) left = [right[0] + dx, right[1] + dz];
      else right = [left[0] - dx, left[1] - dz];
      portals.push([left, right]);
      e = c;
    }
    if (next() < 0.3) {
      // An end on the last portal.
      const [a, b] = portals.at(-1)!;
      e = (a[0] + b[0]) % 2 === 0 && (a[1] + b[1]) % 2 === 0 ? [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] : a;
    } else {
      // Or beyond it.
      const [a, b] = portals.at(-1)!;
      let c = point(a);
      for (let k = 0; k < 50 && turn(a, b, c) <= 0; k++) c = point(a);
      if (turn(a, b, c) > 0) e = c;
      else e = b;
    }
    return { s, e, portals };
  }
}

function pull({ s, e, portals }: Sleeve): number {
  funnelBegin(s[0], s[1], 0);
  for (const [l, r] of portals) {
    funnelLeft(l[0], l[1], 0);
    funnelRight(r[0], r[1], 0);
  }
  return funnelEnd(e[0], e[1], 0);
}

test('equals the shortest walk through 40,000 random sleeves, and backwards', () => {
  bind();
  const next = random(SEED);
  const wrong: string[] = [];
  let bent = 0;
  for (let i = 0; i < 40_000; i++) {
    const one = sleeve(next, [2, 3, 5, 12][i % 4]!, 9);
    const expected = sleeveLength(one.s, one.e, one.portals);
    const got = pull(one);
    if (funnelCorners() > 2) bent++;
    if (funnelCorners() > one.portals.length + 2) wrong.push(`${funnelCorners()} corners: ${JSON.stringify(one)}`);
    const back = pull({ s: one.e, e: one.s, portals: one.portals.map(([l, r]) => [r, l] as const).reverse() });
    if (Math.abs(got - expected) > 1e-12 * expected || Math.abs(back - expected) > 1e-12 * expected)
      wrong.push(`${expected}, ${got}, back ${back}: ${JSON.stringify(one)}`);
  }
  expect(wrong.slice(0, 5), `seed ${SEED}, ${wrong.length} wrong`).toEqual([]);
  expect(bent).toBeGreaterThan(10_000);
});
