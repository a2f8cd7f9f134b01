// Jumps over gaps in the mesh (rule jumpGap): where a straight line leaves the mesh, and where it comes onto it again. Off
// the hot path, and nothing at all while jumpGap is 0. Imported by judgemove.ts.
//
// E is the edge that the straight line from the last place on the mesh leaves it at, L the edge of the floor on the other
// side, seen from there. The part between, |E L| in the plan, is the gap: at most jumpGap, however long the line. L's floor
// is at most a jump higher than E's and at most as much lower (deeper is a fall). Whether there was time for the flight, and
// whether it explains the height, says judgeAir: one flight from the last ground, for over a gap there is none. Metres are
// charged as everywhere. Over the gap the entity belongs to E: it lands on the other side, comes back, or falls in:
// once its feet are below E it only goes down.
//
// A claim over the gap tells its direction only roughly (positions are rounded), so there the line may turn by 40 degrees to
// find L; the claim that lands is held to its own line.
//
// What this cannot see: whatever stands above missing mesh. A wall is missing mesh too, with the agent's radius on both
// sides: thinner than jumpGap - 2 radii it is jumped through, when the floors on its sides are level.
import { NONE } from '../../assembly/layout.ts';
import { AIR_SLACK } from './air.ts';
import { takeOff } from './climb.ts';
import { landing } from './falls.ts';
import { Q_FLOOR, Q_POLYGON, Q_START_X, Q_START_Z, Q_TOLERANCE, Q_X, Q_Y, Q_Z } from './hand.ts';
import { FLAGS, FLOOR, OVER_GAP, Y } from './ledger.ts';
import { ask, locate } from './probe.ts';
import { planDistance, type Scene } from './scene.ts';

/** What the claim at hand is: no jump over a gap, in the air over it, landed (or over the floor) beyond it. */
export const NO_GAP = 0;
export const IN_GAP = 1;
export const BEYOND = 2;
export type Gap = typeof NO_GAP | typeof IN_GAP | typeof BEYOND;
/** The edge that the jump left: place, floor, polygon, and how far from it the claim is in the plan. */
export const brink = { x: 0, y: 0, z: 0, polygon: NONE as number, off: 0 };

/** Steps of looking for the other side, and their least length, metres. */
const STEPS = 32;
const STEP_MIN = 0.1;
/** Directions looked in (cosine, sine): straight on, and up to 40 degrees to either side. */
const FAN = [1, 0, 0.9397, 0.342, 0.9397, -0.342, 0.766, 0.6428, 0.766, -0.6428] as const;

/**
 * Whether the claim at hand is a jump over a gap; `brink` says from where, and with BEYOND `landing` says onto what. `sunk`:
 * it may be below both sides, once it was over the gap: it falls in.
 */
export function findGap(scene: Scene, f: Float64Array, o: number, sunk: boolean): Gap {
  const { kernel, rules, q } = scene;
  if (!(rules.jumpGap > 0) || scene.flat) return NO_GAP;
  const out = kernel.output;
  const x = q[Q_X];
  const z = q[Q_Z];
  const level = scene.level(q[Q_Y]);
  const { below, above, middle, edge } = scene;
  ask(kernel, q[Q_START_X], q[Q_FLOOR] + middle, q[Q_START_Z], x, level, z, below, above, q[Q_TOLERANCE], 0, 0);
  kernel.ray(q[Q_POLYGON]);
  if (out[5] === NONE || out[0] >= 1) return NO_GAP;
  brink.x = out[1];
  brink.y = out[2];
  brink.z = out[3];
  brink.polygon = out[5];
  brink.off = planDistance(out[1], out[3], x, z);
  const { off } = brink;
  if (!(off > 0 && off <= rules.jumpGap + edge)) {
    return off > 0 ? landsBeyond(scene, f, o, x, level, z) : NO_GAP;
  }
  const beyond = landsBeyond(scene, f, o, x, level, z);
  if (beyond !== NO_GAP) return beyond;

  // over no mesh: is there another side within a jump?
  const step = Math.max(STEP_MIN, rules.jumpGap / STEPS);
  const ux = (x - brink.x) / off;
  const uz = (z - brink.z) / off;
  for (let k = 0; k < FAN.length; k += 2) {
    const dx = FAN[k] * ux - FAN[k + 1] * uz;
    const dz = FAN[k + 1] * ux + FAN[k] * uz;
    let low = Infinity;
    for (let i = 0; low === Infinity; i++) {
      const s = Math.min(off + i * step, rules.jumpGap + edge);
      if (isOtherSide(scene, f, o, brink.x + s * dx, brink.z + s * dz)) low = Math.min(brink.y, out[2]);
      else if (s === rules.jumpGap + edge) break;
    }
    if (low === Infinity) continue;
    if (level >= low - below || (sunk && (f[o + FLAGS] & OVER_GAP) !== 0)) return IN_GAP;
    return NO_GAP;
  }
  return NO_GAP;
}

/** Whether the entity, over a gap, is below the edge that it left: from there it only goes down. */
export function isSunk(scene: Scene, f: Float64Array, o: number): boolean {
  return scene.level(f[o + Y]) < f[o + FLOOR] - scene.below;
}

/** The claim is over mesh that a jump from the brink leads to: `landing` says where. */
function landsBeyond(scene: Scene, f: Float64Array, o: number, x: number, level: number, z: number): Gap {
  const { kernel, below, above, edge } = scene;
  const out = kernel.output;
  const polygon = locate(kernel, x, level, z, below, above, edge);
  if (polygon === NONE || !isWithinJump(scene, f, o, out[1])) return NO_GAP;
  landing.polygon = polygon;
  landing.x = out[0];
  landing.floor = out[1];
  landing.z = out[2];
  landing.off = out[3];
  return isGap(scene, polygon, out[0], out[1], out[2]) ? BEYOND : NO_GAP;
}

/** There is a floor at (x, z) that a jump from the brink leads to. OUT 2 is its height at the gap. */
function isOtherSide(scene: Scene, f: Float64Array, o: number, x: number, z: number): boolean {
  const { kernel } = scene;
  const out = kernel.output;
  const up = upMost(scene, f, o);
  const polygon = locate(kernel, x, brink.y, z, up, scene.rules.jumpHeight, 0);
  return polygon !== NONE && isGap(scene, polygon, out[0], out[1], out[2]);
}

/** Back from a place on the other side the mesh ends, and from there to the brink it is no farther than jumpGap. */
function isGap(scene: Scene, polygon: number, x: number, floor: number, z: number): boolean {
  const { kernel, below, above, middle, edge } = scene;
  const out = kernel.output;
  ask(kernel, x, floor + middle, z, brink.x, brink.y, brink.z, below, above, edge, 0, 0);
  kernel.ray(polygon);
  if (out[5] === NONE || out[0] >= 1) return false;
  return planDistance(out[1], out[3], brink.x, brink.z) <= scene.rules.jumpGap;
}

function upMost(scene: Scene, f: Float64Array, o: number): number {
  const v0 = takeOff(scene, f, o);
  return (v0 * v0) / (2 * scene.rules.gravity) + AIR_SLACK;
}

function isWithinJump(scene: Scene, f: Float64Array, o: number, floor: number): boolean {
  return floor <= brink.y + upMost(scene, f, o) && floor >= brink.y - scene.rules.jumpHeight;
}
