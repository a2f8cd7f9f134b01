// Walks of the server's that lead through something that closes: they end where it begins. Off the hot path; imported by
// guard.ts and judgebegin.ts.
//
// The client is ahead of the server's walk by no more than it is late, and hears of a closing half a round trip after it: what
// the walk passes within the entity's credited round trip + doorGraceMs, as if nothing had closed, it passes. What it would
// come to later is shut. A walk that is in what closed at that time goes on out of it. One that is cut stays cut when the
// door opens again: its client clicks again.
import { NONE, S_CLEAR, S_WALK } from '../../assembly/layout.ts';
import type { Closure } from '../live/closure.ts';
import { findClosedAt } from './doors.ts';
import { Q_T } from './hand.ts';
import { CORNER, FLAGS, LEFT, PATH_CORNERS, PATH_END, STRIDE, WALKING } from './ledger.ts';
import { CORNER_ERROR, GRID_ERROR } from './places.ts';
import { ask, locate } from './probe.ts';
import { planDistance, type Scene } from './scene.ts';
import { walkedAt } from './timeline.ts';

/** Nodes of a search for the way along one leg: it is straight but for the mesh's grid. */
const LEG_NODES = 256;

/** Cuts all walks by what has closed at q[Q_NOW]. */
export function cutWalks(scene: Scene, t: number): void {
  const { ledger, changes } = scene;
  const { f } = ledger;
  for (let o = 0; o < ledger.slots * STRIDE; o += STRIDE) {
    if ((f[o + FLAGS] & (WALKING | LEFT)) !== WALKING) continue;
    for (const closure of changes.fresh) cutWalk(scene, f, o, closure, t);
  }
}

/** Cuts an entity's new walk by what closed before, but is open for it yet. */
export function cutByLatest(scene: Scene, f: Float64Array, o: number): void {
  const { changes, q } = scene;
  if ((f[o + FLAGS] & WALKING) === 0) return;
  for (const { closure, t } of changes.latest) {
    if (q[Q_T] - t <= changes.graceOf(f, o)) cutWalk(scene, f, o, closure, t);
  }
}

/** Cuts an entity's walk by what closed at t. */
function cutWalk(scene: Scene, f: Float64Array, o: number, closure: Closure, t: number): void {
  const { changes, kernel, ledger } = scene;
  const path = ledger.paths[o / STRIDE];
  if (path === undefined) return;
  const from = walkedAt(f, o, t + changes.graceOf(f, o));
  if (!(from < f[o + PATH_END])) return;
  const end = changes.asIfOpen(kernel, () => endOfWalk(scene, f, o, path, from, closure), closure);
  f[o + PATH_END] = Math.max(Math.min(f[o + PATH_END], end), from);
}

/** How far along its path a walk that has gone `from` metres comes with only `closure` shut. */
function endOfWalk(
  scene: Scene,
  f: Float64Array,
  o: number,
  path: Float64Array,
  from: number,
  closure: Closure,
): number {
  const { links } = scene;
  const count = f[o + PATH_CORNERS];
  let i = 0;
  while (i + 2 < count && path[(i + 1) * CORNER + 3] <= from) i++;
  let inside = true;
  for (; i + 1 < count; i++) {
    const a = i * CORNER;
    const b = a + CORNER;
    if (links.count > 0) {
      const end = links.endOfLeg(path[a], path[a + 2], path[b], path[b + 2]);
      if (end >= 0) {
        // on its way over a link it goes on
        if (!links.isOpen(end) && path[a + 3] >= from) return path[a + 3];
        continue;
      }
    }
    const length = path[b + 3] - path[a + 3];
    const share = length > 0 ? Math.max(0, (from - path[a + 3]) / length) : 0;
    const x = path[a] + share * (path[b] - path[a]);
    const y = path[a + 1] + share * (path[b + 1] - path[a + 1]);
    const z = path[a + 2] + share * (path[b + 2] - path[a + 2]);
    if (inside) {
      inside = isIn(scene, closure, x, y, z);
      if (inside) {
        // out of what closed on it: the rest of this leg at least
        inside = isIn(scene, closure, path[b], path[b + 1], path[b + 2]);
        continue;
      }
    }
    const t = clearShare(scene, x, y, z, path[b], path[b + 1], path[b + 2]);
    if (t < 1) return Math.max(from, path[a + 3] + (share + t * (1 - share)) * length - GRID_ERROR);
  }
  return Infinity;
}

/** Whether a point of a path lies in what a closure closed. */
function isIn(scene: Scene, closure: Closure, x: number, y: number, z: number): boolean {
  const at: Closure[] = [];
  findClosedAt(scene, x, y, z, at);
  return at.includes(closure);
}

/** What share of a straight leg can be walked now. */
function clearShare(scene: Scene, x: number, y: number, z: number, toX: number, toY: number, toZ: number): number {
  const { kernel, below, above, middle } = scene;
  const out = kernel.output;
  const start = locate(kernel, x, y, z, CORNER_ERROR, CORNER_ERROR, GRID_ERROR);
  ask(kernel, x, y + middle, z, toX, toY, toZ, below, above, GRID_ERROR, 0, 0);
  const straight = kernel.ray(start) >>> 0;
  if (straight === S_CLEAR) return 1;
  const share = out[5] === NONE ? 0 : out[0];
  // it may only graze a corner of a wall: see onPath
  const walk = planDistance(x, z, toX, toZ) + 2 * scene.grain;
  ask(kernel, x, y + middle, z, toX, toY, toZ, below, above, GRID_ERROR, walk, LEG_NODES);
  const status = kernel.reach(start, NONE) >>> 0;
  return status === S_CLEAR || status === S_WALK ? 1 : share;
}
