// Check 11: whether a flight since the last ground contact explains how high or low a claim is. Imported by rules/.
//
// Two bounds. One flight at a time: no flight time within the jitter gives that height. All flights together: jitter may
// explain one claim, but over time late and early cancel, so the height-time beyond the parabola (AIR_DEBT) is bounded.
// Between two claims in the air a body may have landed and jumped anew; where there was time for it, it is taken to have.
import { Reason } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import {
  AIR_SLACK,
  airDebtAt,
  airDebtMax,
  flown,
  highest,
  hoverAt,
  hoverMost,
  lackedAt,
  lackedMost,
  lowest,
  TOUCH_ERROR_MS,
  touchMs,
} from './air.ts';
import { windowMs } from './credit.ts';
import { Q_T, Q_Y } from './hand.ts';
import {
  AIR_DEBT,
  AIR_RATE,
  AIR_T,
  AIRBORNE,
  FLAGS,
  FLOOR,
  GROUND_T,
  GROUND_Y,
  HOVER,
  LACKED,
  LAUNCH,
  MISSED_MS,
  MISSED_T,
  MISSED_Y,
  OPEN,
  RTT,
  Y,
} from './ledger.ts';
import { isDefiant, refuse } from './refuse.ts';
import type { Scene } from './scene.ts';
import { addEvidence, LAYER_AIR } from './suspicion.ts';

/** So much height-time beyond what jumping explains counts 1, m s. */
const HOVER_UNIT = 0.4;
/** So much time that landings lack counts 1, ms. */
const LACK_UNIT_MS = 300;
/** Claims farther apart than this may miss a landing altogether, ms. */
const SPARSE_MS = 100;

/**
 * Refuses the claim at hand as Airborne when no flight explains it; null when one does, and then the flight is noted: the
 * caller accepts. `floor` is the height under the claim (NaN = unknown).
 */
export function judgeAir(scene: Scene, f: Float64Array, o: number, floor: number): Verdict | null {
  const { q, rules } = scene;
  const { gravity, fallSpeedMax, jumpHeight } = rules;
  const t = q[Q_T];
  const level = scene.level(q[Q_Y]);
  const v0 = scene.jumpSpeed + f[o + LAUNCH];
  // what was claimed at either end may have been on its way for this long
  const jitter = windowMs(f, o, t, scene.terms);
  let groundY = f[o + GROUND_Y];
  let groundT = f[o + GROUND_T];
  let debt = airDebtAt(f[o + AIR_DEBT], f[o + AIR_RATE], t - f[o + AIR_T]);
  const height = level - groundY;
  const up = highest(t - groundT, jitter, v0, gravity, fallSpeedMax);
  const down = lowest(t - groundT, jitter, gravity, fallSpeedMax);
  const explained = height <= up && height >= down;
  let lacked = 0;
  let missedT = 0;
  let missedMs = 0;

  const flying = (f[o + FLAGS] & AIRBORNE) !== 0;
  const over = level - floor;
  const rise = touchMs(flying ? over : height, v0, gravity);
  // (who was refused in the air has told where it was: no landing)
  if (flying && !isDefiant(f, o) && over <= jumpHeight + AIR_SLACK) {
    // landed unseen since the last claim, and up again: where there was time, or as little is missing as packets vary by
    const before = scene.level(f[o + Y]) - f[o + FLOOR];
    const fastest = Math.sqrt(v0 * v0 + 2 * gravity * Math.max(0, groundY - f[o + FLOOR]));
    const gap = t - f[o + AIR_T];
    // packets that a silence held back arrive together: what they tell of took place during it
    const held = Math.max(0, f[o + OPEN] - gap);
    const missing = touchMs(before, fastest, gravity) + rise - gap - held - TOUCH_ERROR_MS;
    const beyond = height > flown((t - groundT) / 1000, v0, gravity, fallSpeedMax);
    // sparse claims may have taken a landing for a part of the flight before it
    const late = f[o + RTT] + f[o + OPEN] + 2 * Math.max(0, gap - SPARSE_MS);
    const possible = missing <= Math.min(jitter, late);
    if (missing <= 0 ? beyond : possible && !explained && height > up) {
      groundY = floor;
      groundT = t - rise;
      lacked = Math.max(0, missing);
    } else if (!explained) {
      // it may have landed earlier in the flight, unnoticed because that claim was explained
      if (!explainsMissed(scene, f, o, level, v0, jitter)) return refuseAir(scene, f, o, height, up, down);
      groundY = f[o + MISSED_Y];
      groundT = f[o + MISSED_T];
      lacked = f[o + MISSED_MS];
    } else if (possible && isBetterMissed(f, o, groundT, t - rise, missing, (1000 * v0) / gravity)) {
      missedT = t - rise;
      missedMs = Math.max(0, missing);
    }
  } else if (!explained) return refuseAir(scene, f, o, height, up, down);
  // it need not have left the ground at once
  else if (!flying && t - rise > groundT) groundT = t - rise;

  debt += (lacked * jumpHeight) / 1000;
  const now = level - groundY;
  // where the flight would have it: in the air, or on the ground from which it began, or lower where the ground is
  const lower = over <= jumpHeight + AIR_SLACK ? Math.min(0, floor - groundY) : 0;
  const due = Math.max(lower, flown((t - groundT) / 1000, v0, gravity, fallSpeedMax));
  const most = airDebtMax(jumpHeight, jitter);
  const rate = Math.max(lower, now) - due;
  if (debt > most && rate > AIR_SLACK) return refuseAir(scene, f, o, now, due - AIR_SLACK, 0);
  noteHover(scene, f, o, lacked);
  if (missedT > 0) {
    f[o + MISSED_T] = missedT;
    f[o + MISSED_Y] = floor;
    f[o + MISSED_MS] = missedMs;
  }
  f[o + AIR_DEBT] = Math.min(debt, most);
  f[o + AIR_RATE] = rate;
  f[o + AIR_T] = t;
  f[o + GROUND_Y] = groundY;
  f[o + GROUND_T] = groundT;
  f[o + FLAGS] = f[o + FLAGS] | AIRBORNE;
  return null;
}

/**
 * Whether a landing at `landed` that lacked `missing` ms is rather the one to remember: there is none since `groundT`, or
 * it lacked no less, or that one was half a flight (`halfMs`) before.
 */
function isBetterMissed(
  f: Float64Array,
  o: number,
  groundT: number,
  landed: number,
  missing: number,
  halfMs: number,
): boolean {
  const known = f[o + MISSED_T];
  return !(known > groundT) || missing <= f[o + MISSED_MS] || landed > known + halfMs;
}

/**
 * Whether a landing that may have been missed explains the height: the claims before and after it came closer together than
 * they were made, by MISSED_MS, and the flight before it explained them too, until now.
 */
function explainsMissed(scene: Scene, f: Float64Array, o: number, level: number, v0: number, jitter: number): boolean {
  const { gravity, fallSpeedMax } = scene.rules;
  if (!(f[o + MISSED_T] > f[o + GROUND_T])) return false;
  const ms = scene.q[Q_T] - f[o + MISSED_T];
  const height = level - f[o + MISSED_Y];
  return (
    height <= highest(ms, jitter, v0, gravity, fallSpeedMax) && height >= lowest(ms, jitter, gravity, fallSpeedMax)
  );
}

/**
 * Evidence of hovering that is not refused: higher than flights would have it, by little or in between landings, but for
 * as long as it goes on; or landing again and again in less time than it takes, `lacked` ms less now.
 *
 * What stays unseen, because honest players look the same: a hover that is no higher, on average, than jumping without a
 * pause would be at that place (a metre over level ground, three metres down a slope of 27 degrees at 6 m/s), below 5
 * claims a second or for no longer than a jump takes: there a landing between two claims explains it.
 */
function noteHover(scene: Scene, f: Float64Array, o: number, lacked: number): void {
  const { rules, q } = scene;
  const t = q[Q_T];
  const most = hoverMost(rules.jumpHeight);
  const hover = hoverAt(f[o + HOVER], f[o + AIR_RATE], t - f[o + AIR_T]);
  f[o + HOVER] = Math.min(hover, most);
  const lack = lackedAt(f[o + LACKED], t - f[o + AIR_T]) + lacked;
  const mostLack = lackedMost(f[o + RTT]);
  f[o + LACKED] = Math.min(lack, mostLack);
  addEvidence(f, o, t, LAYER_AIR, Math.min((lack - mostLack) / LACK_UNIT_MS, 1), rules.scoreHalfLifeMs);
  addEvidence(f, o, t, LAYER_AIR, Math.min((hover - most) / HOVER_UNIT, 1), rules.scoreHalfLifeMs);
}

/** As metres above (below) the last ground, the slack counted on both sides so that the ratio stays tame. */
function refuseAir(scene: Scene, f: Float64Array, o: number, height: number, up: number, down: number): Verdict {
  const used = height > up ? Math.max(height, 0) + AIR_SLACK : -height;
  const allowed = height > up ? Math.max(up, 0) + AIR_SLACK : -down;
  return refuse(scene, f, o, Reason.Airborne, used, allowed);
}
