// Clicks from or to a point right at a wall: rounding may put it on the wall's other side, where the way is another one.
// What convicts is a lower bound, so then the ways from and to the points around it count too. Imported by judgebegin.ts.
import { NONE, S_UNDECIDED, S_WALK } from '../../assembly/layout.ts';
import { type Foot, findFoot } from './foot.ts';
import { Q_T } from './hand.ts';
import { ask } from './probe.ts';
import type { Scene } from './scene.ts';
import { capAt, spendNodes } from './search.ts';

const NEAR = [
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
] as const;
const beside: Foot = { polygon: NONE, x: 0, floor: 0, z: 0 };

/** Whether a walk of at most `most` metres leads from one point to the other when one of them is moved by a quantum. */
export function leadsWithin(scene: Scene, f: Float64Array, o: number, from: Foot, to: Foot, most: number): boolean {
  const quantum = Math.max(scene.rules.positionQuantum, scene.grain);
  for (const end of [from, to]) {
    for (const [dx, dz] of NEAR) {
      const x = end.x + dx * quantum;
      const z = end.z + dz * quantum;
      findFoot(scene, beside, x, end.floor, z, 0);
      if (beside.polygon === NONE || beside.polygon === end.polygon) continue;
      const walk = end === from ? walkOf(scene, f, o, beside, to) : walkOf(scene, f, o, from, beside);
      if (walk - quantum <= most) return true;
    }
  }
  return false;
}

/** Metres of the shortest walk, or a lower bound of it; Infinity when there is none. */
function walkOf(scene: Scene, f: Float64Array, o: number, from: Foot, to: Foot): number {
  const { kernel, rules, q, below, above, edge } = scene;
  const cap = capAt(f, o, q[Q_T], rules.searchNodesPerSecond, rules.nodeCap);
  ask(kernel, from.x, from.floor + scene.middle, from.z, to.x, to.floor, to.z, below, above, edge, Infinity, cap);
  const status = kernel.shortest(from.polygon) >>> 0;
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, kernel.output[2]);
  if (status !== S_WALK && status !== S_UNDECIDED) return Infinity;
  return kernel.output[0] < Infinity ? kernel.output[0] : 0;
}
