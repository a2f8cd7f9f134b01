// Routes over the off-mesh connection of a published level beside recast-navigation's computePath. Used by detour.test.ts.

import { importNavMesh, init, NavMeshQuery } from 'recast-navigation';
import { H_TABLE, L_AX, L_AY, L_AZ, L_END_STRIDE, MAP_BASE, S_WALK, SECTION_LINKS } from '../../assembly/layout.ts';
import { NavMap } from '../../src/map.ts';
import { random } from '../oracle/random.ts';
import type { Place } from './ask.ts';
import { askCorridor, askShortest } from './walks.ts';

/** Metres. */
const NEAR = 0.004;

/** Asks for `queries` routes between the surroundings of the level's first connection's ends, in turn both ways. */
export async function overConnection(
  bytes: Uint8Array,
  queries: number,
  seed: number,
): Promise<{ crossed: number; wrong: string[] }> {
  await init();
  const map = await NavMap.load(bytes);
  const { kernel } = map;
  const table = MAP_BASE + kernel.u32(MAP_BASE + H_TABLE + 8 * SECTION_LINKS, 1)[0]!;
  const { origin, unit } = map.info;
  const ends = [0, 1].map((side): Place => {
    const [x, y, z] = [L_AX, L_AY, L_AZ].map((f) => kernel.f32(table + side * L_END_STRIDE + f, 1)[0]!) as [
      number,
      number,
      number,
    ];
    return [origin.x + x * unit, y, origin.z + z * unit];
  });
  const { navMesh } = importNavMesh(bytes);
  const query = new NavMeshQuery(navMesh, { maxNodes: 4096 });
  const next = random(seed);
  const band = { below: 1, above: 1, tolerance: 0.3 };
  const near = ([x, y, z]: Place): Place | undefined =>
    map.locate([x + (next() - 0.5) * 6, y, z + (next() - 0.5) * 6], { below: 1.5, above: 1.5, tolerance: 0.3 })?.point;
  const gap = (a: Place, b: Place) => Math.hypot(b[0] - a[0], b[2] - a[2]);
  const over = (corners: readonly Place[]) =>
    corners.some(
      (c, i) => i > 0 && ends.some((end, k) => gap(end, corners[i - 1]!) < 0.02 && gap(ends[1 - k]!, c) < 0.02),
    );
  const wrong: string[] = [];
  let crossed = 0;
  for (let i = 0; i < queries; i++) {
    const [from, to] = i % 2 ? [near(ends[0]!), near(ends[1]!)] : [near(ends[1]!), near(ends[0]!)];
    if (!from || !to) continue;
    const exact = askShortest(kernel, from, to, { band });
    const rough = askCorridor(kernel, from, to, { band });
    const theirs = query.computePath({ x: from[0], y: from[1], z: from[2] }, { x: to[0], y: to[1], z: to[2] });
    const path = theirs.path.map(({ x, y, z }): Place => [x, y, z]);
    if (!theirs.success || !over(path) || gap(path.at(-1)!, to) > 0.001) continue;
    crossed++;
    const length = path.slice(1).reduce((sum, c, k) => sum + gap(path[k]!, c), 0);
    const what = `seed ${seed}: ${from} -> ${to}: ${exact.length}, corridor ${rough.length}, theirs ${length}`;
    if (exact.status !== S_WALK || rough.status !== S_WALK) wrong.push(`${what}: no walk`);
    else if (!over(exact.corners) || !over(rough.corners)) wrong.push(`${what}: not over the connection`);
    // Both put the connection's ends on the mesh, each on a grid of its own.
    else if (Math.abs(rough.length - length) > NEAR || exact.length > rough.length * (1 + 1e-9)) wrong.push(what);
  }
  query.destroy();
  navMesh.destroy();
  return { crossed, wrong };
}
