// Falls: stepping off a ledge is a way down that the mesh does not have. Off the hot path; imported by judgemove.ts.
//
// A ledge is a boundary edge X of the floor that the entity walks on, reached in a straight line, with a lower floor
// within 2 radii + 2 cells of X (what erosion takes on both sides). Lower means by more than the climb: less would be
// joined if nothing stood between, so there it is a wall. Sound because the entity then belongs to the lower floor: the
// way back up is asked of the mesh again. Until its feet are below the upper floor a jumper may drift back onto it.
import { NONE, S_CLEAR } from '../../assembly/layout.ts';
import { Q_FLOOR, Q_START_X, Q_START_Z, Q_TOLERANCE, Q_X, Q_Y, Q_Z } from './hand.ts';
import { POLYGON } from './ledger.ts';
import { ask, DEEP, locate } from './probe.ts';
import { planDistance, type Scene } from './scene.ts';

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
  const { kernel, rules, q, extent } = scene;
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
  const edgeX = out[1];
  const edgeY = out[2];
  const edgeZ = out[3];
  const edgePolygon = out[5];
  ledge.x = edgeX;
  ledge.y = edgeY;
  ledge.z = edgeZ;
  ledge.polygon = edgePolygon;
  const beyond = planDistance(edgeX, edgeZ, x, z);
  const lowest = edgeY - extent.agentClimb - HEIGHT_ERROR;

  // the ground below the ledge, near it on the outer side
  const share = beyond > scene.ledge ? scene.ledge / beyond : 1;
  const nearX = edgeX + share * (x - edgeX);
  const nearZ = edgeZ + share * (z - edgeZ);
  const spread = share < 1 ? scene.edge : scene.ledge;
  const below = locate(kernel, nearX, lowest, nearZ, 0, DEEP, spread);
  if (below === NONE || !(out[1] < lowest)) return NO_FALL;
  if (planDistance(edgeX, edgeZ, out[0], out[2]) > scene.ledge + scene.edge) return NO_FALL;
  landing.polygon = below;
  landing.x = out[0];
  landing.floor = out[1];
  landing.z = out[2];
  landing.off = out[3];

  if (share === 1) {
    // feet still at the upper floor, over no ground: on the rim, which belongs to the upper floor
    if (landing.off > scene.grain && level >= edgeY - scene.below) {
      landing.polygon = edgePolygon;
      landing.x = edgeX;
      landing.floor = edgeY;
      landing.z = edgeZ;
      landing.off = beyond;
      return RIM;
    }
    return DOWN;
  }
  // farther out: down at the ledge, then straight on over the lower floor
  const floor = landing.floor;
  ask(kernel, out[0], floor + scene.middle, out[2], x, floor, z, DEEP, DEEP, scene.edge, 0, 0);
  // the band is only for the end: a lower floor may slope away under a long fall
  if (kernel.ray(below) >>> 0 !== S_CLEAR) return NO_FALL;
  landing.polygon = out[5];
  landing.x = out[1];
  landing.floor = out[2];
  landing.z = out[3];
  landing.off = planDistance(out[1], out[3], x, z);
  return DOWN;
}
