// Falls: stepping off a ledge is a way down that the mesh does not have. Off the hot path; imported by judgemove.ts.
//
// A ledge is a boundary edge X of the floor that the entity walks on, reached in a straight line or by a walk that fits the
// budget, with a lower floor within 2 radii + 2 cells of X (what erosion takes on both sides). Lower means by more than the climb: less would be
// joined if nothing stood between, so there it is a wall; where two voxels of height are between them (the side of stairs,
// near their foot) a body may stand in the strip all the same, about as far as its middle, but not cross it. Sound because the entity then belongs to the lower floor: the
// way back up is asked of the mesh again. Until its feet are below the upper floor a jumper may drift back onto it.
import { NONE, S_CLEAR, S_WALK } from '../../assembly/layout.ts';
import { leastWay } from './climb.ts';
import { Q_BUDGET, Q_COST, Q_FLOOR, Q_POLYGON, Q_START_X, Q_START_Z, Q_T, Q_TOLERANCE, Q_X, Q_Y, Q_Z } from './hand.ts';
import { POLYGON } from './ledger.ts';
import { ask, DEEP, locate } from './probe.ts';
import { planDistance, type Scene } from './scene.ts';
import { capAt, spendNodes } from './search.ts';

/**
 * By how much more than the climb a ledge must be deep, metres: rounding, and well below the height of a voxel, for the
 * least ledge of a voxel mesh is one voxel deeper than the climb.
 */
const HEIGHT_ERROR = 0.02;
/** Where a step off the mesh leads: nowhere, onto the ledge's rim (which belongs to the upper floor), or down. */
export const NO_FALL = 0;
export const RIM = 1;
export const DOWN = 2;
export type Fall = typeof NO_FALL | typeof RIM | typeof DOWN;
/** What a fall (or standing on the rim) attaches the entity to; filled by `fallTo`. */
export const landing = { polygon: NONE as number, floor: 0, off: 0, x: 0, z: 0 };
/** The ledge that `fallTo` found: its edge on the upper floor, and that floor's polygon. */
export const ledge = { x: 0, y: 0, z: 0, polygon: NONE as number };

/** Whether the claim at hand can be a step off a ledge; if so, `landing` says onto what. */
export function fallTo(scene: Scene, f: Float64Array, o: number): Fall {
  const { kernel, rules, q } = scene;
  if (rules.falls !== 'edges' || scene.flat) return NO_FALL;
  const out = kernel.output;
  const x = q[Q_X];
  const z = q[Q_Z];
  const level = scene.level(q[Q_Y]);
  const upper = q[Q_FLOOR];

  // the ledge: where the straight line from the start leaves the upper floor
  ask(
    kernel,
    q[Q_START_X],
    upper + scene.middle,
    q[Q_START_Z],
    x,
    level,
    z,
    scene.below,
    scene.above,
    q[Q_TOLERANCE],
    0,
    0,
  );
  kernel.ray(f[o + POLYGON]);
  if (out[5] === NONE || out[0] >= 1) return NO_FALL;
  setLedge(out[1], out[2], out[3], out[5]);
  return fallFrom(scene);
}

/**
 * The same where the straight line does not lead over the ledge, along curved rims and round corners: the ledge is where a
 * walk within the budget comes nearest to the claim at hand. Its length goes to q[Q_COST] when it is longer than what stands
 * there. `forgiven`: metres that a walk may be too long by.
 */
export function fallByWalk(scene: Scene, f: Float64Array, o: number, forgiven: number): Fall {
  const { kernel, q } = scene;
  const floor = q[Q_FLOOR];
  const above = Math.max(0, scene.level(q[Q_Y]) - floor) + scene.ground;
  // a ledge at the height of the feet first: in the strip the lower floor may be the nearer one
  for (let band = scene.step; ; band = above) {
    if (walkToLedge(scene, f, o, q[Q_START_X], floor, q[Q_START_Z], q[Q_POLYGON], q[Q_BUDGET], band)) {
      const walk = kernel.output[1] - forgiven;
      const fall = fallFrom(scene);
      if (fall !== NO_FALL) {
        if (walk > q[Q_COST]) q[Q_COST] = walk;
        return fall;
      }
    }
    if (band >= above) return NO_FALL;
  }
}

/**
 * Whether a walk from a point within the budget, metres, comes as near to the claim at hand as a ledge reaches; then it is in
 * `ledge`, and OUT as KernelExports.reach says. Of floors no more than `above` under the claim.
 */
export function walkToLedge(
  scene: Scene,
  f: Float64Array,
  o: number,
  x: number,
  y: number,
  z: number,
  polygon: number,
  budget: number,
  above: number,
): boolean {
  const { kernel, rules, q, below, middle } = scene;
  if (!(scene.ledge > 0)) return false;
  const level = scene.level(q[Q_Y]);
  const cap = capAt(f, o, q[Q_T], rules.searchNodesPerSecond, rules.nodeCap);
  // the start too must be in the band
  const start = Math.min(y + middle, y + above);
  ask(kernel, x, start, z, q[Q_X], level, q[Q_Z], below, above, scene.ledge, budget, cap);
  const status = kernel.reach(polygon, NONE) >>> 0;
  const out = kernel.output;
  spendNodes(f, o, q[Q_T], rules.searchNodesPerSecond, out[13]);
  if (status !== S_CLEAR && status !== S_WALK) return false;
  if (!(out[7] > 0)) return false;
  if (scene.links.costly > 0 && status === S_WALK) {
    // over a ladder it takes longer than its plan length
    out[1] = leastWay(scene, f, o, polygon, NONE, false);
    if (out[1] > budget) return false;
  }
  setLedge(out[4], out[5], out[6], out[3]);
  return true;
}

function setLedge(x: number, y: number, z: number, polygon: number): void {
  ledge.x = x;
  ledge.y = y;
  ledge.z = z;
  ledge.polygon = polygon;
}

/** What a step from `ledge` to the claim at hand is. */
export function fallFrom(scene: Scene): Fall {
  const { kernel, q, extent } = scene;
  const out = kernel.output;
  const x = q[Q_X];
  const z = q[Q_Z];
  const level = scene.level(q[Q_Y]);
  const { x: edgeX, y: edgeY, z: edgeZ } = ledge;
  const beyond = planDistance(edgeX, edgeZ, x, z);
  const lowest = edgeY - extent.agentClimb - HEIGHT_ERROR;

  // the ground below the ledge, near it on the outer side
  const share = beyond > scene.ledge ? scene.ledge / beyond : 1;
  const nearX = edgeX + share * (x - edgeX);
  const nearZ = edgeZ + share * (z - edgeZ);
  const spread = share < 1 ? scene.edge : scene.ledge;
  const below = locate(kernel, nearX, lowest, nearZ, 0, DEEP, spread);
  if (below === NONE || !(out[1] < lowest)) return besideLow(scene, beyond);
  if (planDistance(edgeX, edgeZ, out[0], out[2]) > scene.ledge + scene.edge) return NO_FALL;
  landing.polygon = below;
  landing.x = out[0];
  landing.floor = out[1];
  landing.z = out[2];
  landing.off = out[3];

  if (share === 1) {
    // feet still at the upper floor, over no ground: on the rim, which belongs to the upper floor
    if (landing.off > scene.grain && level >= edgeY - scene.below) {
      landOnLedge(beyond);
      return RIM;
    }
    return DOWN;
  }
  // farther out: down at the ledge, then straight on over the lower floor
  const floor = landing.floor;
  ask(kernel, out[0], floor + scene.middle, out[2], x, level, z, scene.below, DEEP, scene.edge, 0, 0);
  // the band is only for the end: a lower floor may slope away under a long fall; it may end beside the mesh too
  if (kernel.reach(below, NONE) >>> 0 !== S_CLEAR) return NO_FALL;
  landOnTarget(scene);
  return DOWN;
}

/** The target of the kernel's last `reach` becomes what the entity will belong to. */
export function landOnTarget(scene: Scene): void {
  const out = scene.kernel.output;
  landing.polygon = out[3];
  landing.x = out[4];
  landing.floor = out[5];
  landing.z = out[6];
  landing.off = out[7];
}

/** Whether the claim at hand, `beyond` metres off `ledge`, is in the strip beside a floor that is lower by two voxels. */
function besideLow(scene: Scene, beyond: number): Fall {
  const { kernel, q } = scene;
  const edgeY = ledge.y;
  if (beyond > scene.ledge / 2 || !(scene.level(q[Q_Y]) >= edgeY - scene.below)) return NO_FALL;
  if (locate(kernel, q[Q_X], edgeY - scene.step, q[Q_Z], 0, DEEP, scene.ledge) === NONE) return NO_FALL;
  // over the lower floor it stands on that; beyond the middle there may be a wall
  const off = kernel.output[3];
  if (off <= scene.grain || beyond > off + scene.grain) return NO_FALL;
  landOnLedge(beyond);
  return RIM;
}

/** The entity belongs to the floor of `ledge`, at its edge, `off` metres beyond it. */
function landOnLedge(off: number): void {
  landing.polygon = ledge.polygon;
  landing.x = ledge.x;
  landing.floor = ledge.y;
  landing.z = ledge.z;
  landing.off = off;
}
