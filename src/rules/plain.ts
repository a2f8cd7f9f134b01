// The ordinary move, spelt out: an entity on the mesh and on the ground, walking straight at a steady limit, with nothing
// pending. One function without calls but the kernel's, reading typed arrays only. Imported by judgemove.ts.
//
// It says yes or nothing: on yes it has written the same state and the same verdict as judgeMove would have, to the bit
// (the tests play games both ways); otherwise nothing has changed, and judgeMove asks again. A clear ray does not depend
// on way-round budget or node cap, so neither is worked out here.
import { M_POLYGON, M_TO, MOVE_STRIDE, NONE } from '../../assembly/layout.ts';
import { Reason, VerdictKind } from '../reasons.ts';
import { answerScore } from './answer.ts';
import type { Claims } from './claims.ts';
import {
  K_ABOVE,
  K_BELOW,
  K_BURST,
  K_EDGE,
  K_GROUND,
  K_JUMP,
  K_MARK,
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
  DUE_T,
  FLAGS,
  FLOOR,
  GROUND_T,
  GROUND_Y,
  LAUNCH,
  LIMIT,
  LOWER_COUNT,
  MARK_X,
  MARK_Z,
  METRES,
  OFF,
  OPEN,
  POLYGON,
  RTT,
  SCORE_SUM,
  SEEN,
  STRIDE,
  TRAIL_REACH,
  TRAIL_X,
  TRAIL_Z,
  X,
  Y,
  Z,
} from './ledger.ts';
import type { Scene } from './scene.ts';
import { keep, noteLeap } from './slice.ts';
import { V_ALLOWED, V_LENGTH, V_SCORE, V_STRAIGHT, V_USED, V_X, V_Y, V_Z } from './verdict.ts';

/** Metres: what two sums of the same steps may differ by in f64. */
export const ROUNDING = 1e-9;

/** Numbers of one move in a wave, and where its target and its polygon stand; its floor comes next. */
export const PER_MOVE = MOVE_STRIDE / 8;
export const ASKED_X = M_TO / 8;
export const ASKED_POLYGON = M_POLYGON / 8;

/**
 * Accepts the claim at hand, whose number is used up, if it is an ordinary move; false when it may not be one, and then
 * nothing has changed.
 */
export function acceptPlain(scene: Scene, f: Float64Array, o: number): boolean {
  if (!mayBePlain(f, o)) return false;
  const { q, kernel, one, verdict } = scene;
  one.entity[0] = o / STRIDE;
  one.t[0] = q[Q_T];
  one.pos[0] = q[Q_X];
  one.pos[1] = q[Q_Y];
  one.pos[2] = q[Q_Z];
  askPlain(scene, f, o, one, 0, 0);
  setBand(scene);
  kernel.clearMoves(1);
  if (acceptRun(scene, one, 0, 0, 1) === 0) return false;
  verdict.verdictCode = VerdictKind.accept;
  verdict.reasonCode = Reason.Accept;
  verdict.detail = '';
  verdict.correction = 0;
  verdict.snapped = false;
  verdict.boundCode = 0;
  verdict.actionCode = 0;
  const { n } = verdict;
  const straight = one.straight[0];
  n[V_STRAIGHT] = straight;
  n[V_LENGTH] = straight;
  n[V_USED] = one.used[0];
  n[V_ALLOWED] = one.allowed[0];
  n[V_SCORE] = 0;
  n[V_X] = q[Q_X];
  n[V_Y] = q[Q_Y];
  n[V_Z] = q[Q_Z];
  if (f[o + SCORE_SUM] !== 0) answerScore(scene, f, o);
  return true;
}

/** Whether an entity is on the mesh, alive, and neither rooted, flying, walking a path, in the air nor to be corrected. */
export function mayBePlain(f: Float64Array, o: number): boolean {
  return (f[o + FLAGS] & ~SEEN) === ALIVE && f[o + OFF] === 0;
}

/** Writes the question of claim i to the wave, at the numbers from w on. */
export function askPlain(scene: Scene, f: Float64Array, o: number, claims: Claims, i: number, w: number): void {
  const { moves } = scene.kernel;
  const { q } = scene;
  const { pos } = claims;
  moves[w] = f[o + X];
  // in the middle of the height band over its floor: no other storey is taken for it
  moves[w + 1] = f[o + FLOOR] + q[K_MIDDLE];
  moves[w + 2] = f[o + Z];
  moves[w + 3] = pos[3 * i];
  moves[w + 4] = scene.flat ? 0 : pos[3 * i + 1] - q[K_Y_OFFSET];
  moves[w + 5] = pos[3 * i + 2];
  moves[w + ASKED_POLYGON] = f[o + POLYGON];
}

/** The band of a wave's questions. */
export function setBand(scene: Scene): void {
  const { q } = scene;
  const { input } = scene.kernel;
  input[6] = q[K_BELOW];
  input[7] = q[K_ABOVE];
  input[8] = q[K_EDGE];
}

/**
 * Accepts claims from i on, as far as they are ordinary moves; returns the first that may not be one, or `end`. They belong
 * to entities that may be plain, no two to the same one, and the wave holds the answers of the chunk that begins at `first`.
 * q[Q_T] is the time of the claim before, and of the claim returned (if there is one) afterwards. Of what a claim is told
 * only the lengths, positions and what there is of a score are written: the rest is as Claims begins.
 */
export function acceptRun(scene: Scene, claims: Claims, first: number, i: number, end: number): number {
  const { q, flat } = scene;
  const { f } = scene.ledger;
  const { moves } = scene.kernel;
  const { entity, pos, used, allowed, straight, length, at } = claims;
  const arrival = claims.t;
  const { pauseUntil } = scene.terms;
  const perMs = q[K_PER_MS];
  const burst = q[K_BURST];
  const rounding = q[K_ROUNDING];
  const string = q[K_STRING];
  const mark = q[K_MARK];
  const jumpMs = q[K_JUMP];
  const ground = q[K_GROUND];
  const yOffset = q[K_Y_OFFSET];
  const minX = q[K_MIN_X];
  const maxX = q[K_MAX_X];
  const minY = q[K_MIN_Y];
  const maxY = q[K_MAX_Y];
  const minZ = q[K_MIN_Z];
  const maxZ = q[K_MAX_Z];
  let t = q[Q_T];
  for (; i < end; i++) {
    if (arrival[i] > t && arrival[i] < Infinity) t = arrival[i];
    const w = (i - first) * PER_MOVE + ASKED_POLYGON;
    const polygon = moves[w];
    if (polygon === NONE) break;
    const floor = moves[w + 1];
    const o = entity[i] * STRIDE;
    if (f[o + LOWER_COUNT] !== 0 || f[o + LAUNCH] !== 0 || t <= f[o + BONUS_UNTIL] || t <= pauseUntil) break;
    // -0 becomes 0
    const x = pos[3 * i] + 0;
    const y = pos[3 * i + 1] + 0;
    const z = pos[3 * i + 2] + 0;
    const level = flat ? 0 : y - yOffset;
    // out of the map, or in the air
    if (x < minX || x > maxX || z < minZ || z > maxZ || level < minY || level > maxY || level - floor > ground) break;

    // weigh and weighTrail
    const limit = f[o + LIMIT];
    const rate = limit * perMs;
    const window = burst + f[o + RTT];
    const cap = Math.max(rate * window, (limit * window) / 1000 + rounding);
    const credit = Math.min(f[o + CREDIT] + rate * (t - f[o + CREDIT_T]), cap);
    const dx = x - f[o + X];
    const dz = z - f[o + Z];
    const way = Math.sqrt(dx * dx + dz * dz);
    const trailX = x - f[o + TRAIL_X];
    const trailZ = z - f[o + TRAIL_Z];
    const distance = Math.sqrt(trailX * trailX + trailZ * trailZ);
    const reach = f[o + TRAIL_REACH];
    const long = way > 2 * string;
    const cost = long ? way : Math.max(distance - reach, 0);
    if (cost > credit + ROUNDING) break;

    // chargeAt, pullTrail, payClear
    f[o + CREDIT] = Math.max(credit - cost, 0);
    f[o + CREDIT_T] = t;
    f[o + BONUS] = 0;
    if (long) {
      const back = string / way;
      f[o + TRAIL_X] = x - back * dx;
      f[o + TRAIL_Z] = z - back * dz;
      f[o + TRAIL_REACH] = string;
    } else if (distance > string) {
      const share = (distance - string) / distance;
      f[o + TRAIL_X] += share * trailX;
      f[o + TRAIL_Z] += share * trailZ;
      f[o + TRAIL_REACH] = string;
    } else if (distance > reach) f[o + TRAIL_REACH] = distance;
    f[o + OPEN] = rate > 0 ? Math.max(f[o + OPEN] - cost / rate, 0) : 0;
    f[o + X] = x;
    f[o + Y] = y;
    f[o + Z] = z;
    f[o + FLOOR] = floor;
    f[o + POLYGON] = polygon;
    f[o + GROUND_Y] = level;
    f[o + GROUND_T] = t;

    used[i] = cost;
    allowed[i] = credit;
    straight[i] = way;
    length[i] = way;
    at[3 * i] = x;
    at[3 * i + 1] = y;
    at[3 * i + 2] = z;

    // noteMove
    const markX = x - f[o + MARK_X];
    const markZ = z - f[o + MARK_Z];
    const square = markX * markX + markZ * markZ;
    if (square >= mark * mark) {
      const leg = Math.sqrt(square);
      if (leg > mark + (limit * (t - f[o + DUE_T] + jumpMs)) / 1000) {
        q[Q_T] = t;
        q[Q_X] = x;
        q[Q_Z] = z;
        noteLeap(scene, f, o);
      }
      f[o + METRES] += leg;
      f[o + MARK_X] = x;
      f[o + MARK_Z] = z;
    }
    if (t >= f[o + DUE_T]) {
      q[Q_T] = t;
      q[Q_X] = x;
      q[Q_Z] = z;
      keep(scene, f, o);
    }
    if (f[o + SCORE_SUM] !== 0) {
      q[Q_T] = t;
      noteScore(scene, f, o, claims, i);
    }
  }
  q[Q_T] = t;
  return i;
}

/** Score and action of claim i. */
function noteScore(scene: Scene, f: Float64Array, o: number, claims: Claims, i: number): void {
  answerScore(scene, f, o);
  claims.score[i] = scene.verdict.n[V_SCORE];
  claims.action[i] = scene.verdict.actionCode;
}
