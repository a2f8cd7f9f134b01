// Two floors over the same ground, joined by a ramp that runs outside and back. Rings of integers; 1024 = 1 m.
import { ringMesh } from '../oracle/rings.ts';
import type { Point } from '../oracle/sight.ts';
import type { Place } from './ask.ts';

const M = 1024;

export interface FloorPoint {
  at: Place;
  plan: Point;
  rings: number[];
}

/**
 * Ground (y 0) and upper floor (y 3) of 3 x 3 squares of 2 m over each other, each with the middle square missing; a
 * ramp from the ground's right side, a landing, and a ramp back to the upper floor's right side.
 */
export function twoFloors() {
  const rings: { at: number[]; y: number[]; height: (x: number, z: number) => number }[] = [];
  const square = (x0: number, z0: number, x1: number, z1: number, height: (x: number, z: number) => number): void => {
    const at = [x0, z0, x1, z0, x1, z1, x0, z1].map((v) => v * M);
    rings.push({ at, y: [height(x0, z0), height(x1, z0), height(x1, z1), height(x0, z1)], height });
  };
  for (const y of [0, 3]) {
    for (let j = 0; j < 3; j++)
      for (let i = 0; i < 3; i++) if (i !== 1 || j !== 1) square(2 * i, 2 * j, 2 * i + 2, 2 * j + 2, () => y);
  }
  square(6, 0, 10, 2, (x) => ((x - 6) / 4) * 1.5);
  square(10, 0, 12, 2, () => 1.5);
  square(10, 2, 12, 4, () => 1.5);
  square(6, 2, 10, 4, (x) => 3 - ((x - 6) / 4) * 1.5);
  const map = ringMesh(rings.map(({ at, y }) => ({ at, y })));
  return {
    mesh: map.mesh,
    /** A point of some ring, on its floor; every ring that holds it there. */
    pick(next: () => number): FloorPoint {
      const { at, height } = rings[Math.floor(next() * rings.length)]!;
      const step = next() < 0.5 ? M : 64;
      const x = at[0]! + Math.floor(next() * ((at[4]! - at[0]!) / step + 1)) * step;
      const z = at[1]! + Math.floor(next() * ((at[5]! - at[1]!) / step + 1)) * step;
      const y = height(x / M, z / M);
      const holding = rings.flatMap((ring, i) => {
        const inside = x >= ring.at[0]! && x <= ring.at[4]! && z >= ring.at[1]! && z <= ring.at[5]!;
        return inside && Math.abs(ring.height(x / M, z / M) - y) < 0.3 ? [i] : [];
      });
      return { at: [x / M, y, z / M], plan: [x, z], rings: holding };
    },
  };
}
