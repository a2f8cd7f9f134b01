// The ordinary move, spelt out: an entity on the mesh and on the ground, walking straight at a steady limit, with nothing
// pending. One function without calls but the kernel's, reading typed arrays only. Imported by judgemove.ts.
//
// It says yes or nothing: on yes it has written the same state and the same verdict as judgeMove would have, to the bit
// (the tests play games both ways); otherwise nothing has changed, and judgeMove asks again. A clear ray does not depend
// on way-round budget or node cap, so neither is worked out here.
import { S_CLEAR } from '../../assembly/layout.ts';
import { Reason, VerdictKind } from '../reasons.ts';
import {
  K_ABOVE,
  K_BELOW,
  K_BURST,
  K_EDGE,
  K_GROUND,
  K_MAX_X,
  K_MAX_Y,
  K_MAX_Z,
  K_MIDDLE,
  K_MIN_X,
  K_MIN_Y,
  K_MIN_Z,
  K_PER_MS,
  K_ROUNDING,
  K_STRING,
  K_Y_OFFSET,
  Q_T,
  Q_X,
  Q_Y,
  Q_Z,
} from './hand.ts';
import {
  ALIVE,
  BONUS,
  BONUS_UNTIL,
  CREDIT,
  CREDIT_T,
  FLAGS,
  FLOOR,
  GROUND_T,
  GROUND_Y,
  LAUNCH,
  LIMIT,
  LOWER_COUNT,
  OFF,
  OPEN,
  POLYGON,
  RTT,
  SCORES,
  SEEN,
  TRAIL_REACH,
  TRAIL_X,
  TRAIL_Z,
  X,
  Y,
  Z,
} from './ledger.ts';
import type { Scene } from './scene.ts';
import { V_ALLOWED, V_LENGTH, V_SCORE, V_STRAIGHT, V_USED, V_X, V_Y, V_Z } from './verdict.ts';

/** Metres: what two sums of the same steps may differ by in f64. */
export const ROUNDING = 1e-9;

/** Accepts the claim at hand if it is an ordinary move; false when it may not be one, and then nothing has changed. */
export function acceptPlain(scene: Scene, f: Float64Array, o: number): boolean {
  const { q } = scene;
  const t = q[Q_T];
  if (
    (f[o + FLAGS] & ~SEEN) !== ALIVE ||
    f[o + OFF] !== 0 ||
    f[o + LOWER_COUNT] !== 0 ||
    f[o + LAUNCH] !== 0 ||
    t <= f[o + BONUS_UNTIL] ||
    t <= scene.terms.pauseUntil
  ) {
    return false;
  }
  const fromX = f[o + X];
  const fromZ = f[o + Z];
  const x = q[Q_X];
  const y = q[Q_Y];
  const z = q[Q_Z];
  const level = scene.flat ? 0 : y - q[K_Y_OFFSET];
  if (
    x < q[K_MIN_X] ||
    x > q[K_MAX_X] ||
    z < q[K_MIN_Z] ||
    z > q[K_MAX_Z] ||
    level < q[K_MIN_Y] ||
    level > q[K_MAX_Y]
  ) {
    return false;
  }

  // weigh and weighTrail
  const rate = f[o + LIMIT] * q[K_PER_MS];
  const window = q[K_BURST] + f[o + RTT];
  const cap = Math.max(rate * window, (f[o + LIMIT] * window) / 1000 + q[K_ROUNDING]);
  const credit = Math.min(f[o + CREDIT] + rate * (t - f[o + CREDIT_T]), cap);
  const dx = x - fromX;
  const dz = z - fromZ;
  const straight = Math.sqrt(dx * dx + dz * dz);
  const string = q[K_STRING];
  const long = straight > 2 * string;
  let cost = straight;
  let distance = 0;
  if (!long) {
    const trailX = x - f[o + TRAIL_X];
    const trailZ = z - f[o + TRAIL_Z];
    distance = Math.sqrt(trailX * trailX + trailZ * trailZ);
    const beyond = distance - f[o + TRAIL_REACH];
    cost = Math.max(beyond, 0);
  }
  if (cost > credit + ROUNDING) return false;

  const { kernel } = scene;
  const { input } = kernel;
  input[0] = fromX;
  input[1] = f[o + FLOOR] + q[K_MIDDLE];
  input[2] = fromZ;
  input[3] = x;
  input[4] = level;
  input[5] = z;
  input[6] = q[K_BELOW];
  input[7] = q[K_ABOVE];
  input[8] = q[K_EDGE];
  input[9] = 0;
  input[10] = 0;
  const polygon = f[o + POLYGON];
  if (kernel.reach(polygon, polygon) >>> 0 !== S_CLEAR) return false;
  const out = kernel.output;
  const floor = out[5];
  // a little off the mesh, or in the air
  if (out[7] !== 0 || level - floor > q[K_GROUND]) return false;
  const s = o + SCORES;
  if (f[s] + f[s + 1] + f[s + 2] + f[s + 3] + f[s + 4] !== 0) return false;

  // chargeAt, pullTrail, payClear
  f[o + CREDIT] = Math.max(credit - cost, 0);
  f[o + CREDIT_T] = t;
  f[o + BONUS] = 0;
  if (long) {
    const back = string / straight;
    f[o + TRAIL_X] = x - back * dx;
    f[o + TRAIL_Z] = z - back * dz;
    f[o + TRAIL_REACH] = string;
  } else if (distance > string) {
    const share = (distance - string) / distance;
    f[o + TRAIL_X] += share * (x - f[o + TRAIL_X]);
    f[o + TRAIL_Z] += share * (z - f[o + TRAIL_Z]);
    f[o + TRAIL_REACH] = string;
  } else if (distance > f[o + TRAIL_REACH]) f[o + TRAIL_REACH] = distance;
  f[o + OPEN] = rate > 0 ? Math.max(f[o + OPEN] - cost / rate, 0) : 0;
  f[o + X] = x;
  f[o + Y] = y;
  f[o + Z] = z;
  f[o + FLOOR] = floor;
  f[o + POLYGON] = out[3];
  f[o + GROUND_Y] = level;
  f[o + GROUND_T] = t;

  const { verdict } = scene;
  verdict.verdictCode = VerdictKind.accept;
  verdict.reasonCode = Reason.Accept;
  verdict.detail = '';
  verdict.correction = 0;
  verdict.snapped = false;
  verdict.boundCode = 0;
  verdict.actionCode = 0;
  const { n } = verdict;
  n[V_STRAIGHT] = straight;
  n[V_LENGTH] = straight;
  n[V_USED] = cost;
  n[V_ALLOWED] = credit;
  n[V_SCORE] = 0;
  n[V_X] = x;
  n[V_Y] = y;
  n[V_Z] = z;
  return true;
}
