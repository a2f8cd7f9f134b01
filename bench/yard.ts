// Level geometry made here: a walled yard with pillars. Seeded, so every machine builds the same map. Imported by
// levels.ts.

import { random } from '../src/bench/random.ts';
import type { Box, BuildSpec } from '../src/build/index.ts';

/** A 60 m yard: an outer wall, inner walls with gates, pillars. One tile of about 150 polygons. */
export function yard(): BuildSpec {
  const next = random(0x59a2d);
  const boxes: Box[] = [[0, -1, 0, 60, 0, 60]];
  for (const z of [20, 40]) {
    for (let x = 0; x < 60; x += 12) boxes.push([x, 0, z - 0.25, x + 9, 3, z + 0.25]);
  }
  for (let i = 0; i < 30; i++) {
    const x = 3 + next() * 54;
    const z = 3 + next() * 54;
    const half = 0.3 + next() * 1.1;
    boxes.push([x - half, 0, z - half, x + half, 3, z + half]);
  }
  return { boxes, cell: 0.3, cellHeight: 0.2, agent: { radius: 0.6, height: 2, climb: 0.9, slope: 45 } };
}
