// Suspicion: evidence apart from refusal. One score per layer, all with the same half-life; the action follows from
// their sum. Five layers are fed by refusals (air by hovering as well), the others by slice.ts. Pure functions over the
// ledger; imported by rules/ and guard.ts.
import { Reason, type ReasonCode } from '../reasons.ts';
import { Q_SCORE, Q_T } from './hand.ts';
import { LAYERS, SCORE_SUM, SCORE_T, SCORES } from './ledger.ts';

export const LAYER_SPEED = 0;
export const LAYER_WALL = 1;
export const LAYER_TELEPORT = 2;
export const LAYER_AIR = 3;
export const LAYER_STATE = 4;
// these four never refuse
export const LAYER_ACCELERATION = 5;
export const LAYER_CONTINUITY = 6;
export const LAYER_BEHAVIOUR = 7;
export const LAYER_DRIFT = 8;
/** Names in the layers' order. */
export const LAYER_NAMES = [
  'speed',
  'wall',
  'teleport',
  'air',
  'state',
  'acceleration',
  'continuity',
  'behaviour',
  'drift',
] as const;

/** The most that one refusal adds. */
export const EVIDENCE_MAX = 5;
/** What a refusal without a measure adds. */
export const EVIDENCE_FLAT = 1;
/** What acting while dead or rooted adds: clients are often late to know. */
export const EVIDENCE_STATE = 0.25;
/**
 * The most that the dead, and clicks of the rooted, come to: they gain nothing by it. A dead client that goes on sending
 * where it fell, a step from where the server has it, is no cheat, and who is rooted may click in anger.
 */
export const HELD_MOST = 0.75;
/** Below this a score is nothing. */
const SCORE_MIN = 1e-6;

/**
 * 2^-x for x >= 0 from + - * only, so that every machine and engine agrees bit for bit (Math.pow may differ).
 * Whole part by halving, the rest by the Taylor series of e^-y, y < ln 2: the 15th term is below 2^-54.
 */
export function halved(x: number): number {
  power[0] = x;
  halve(power, 0);
  return power[0];
}

/** Off the hot path: see `halve`. */
const power = new Float64Array(1);

/** The same in place: numbers[k] = 2^-numbers[k]. As an argument and a result both would be put into the heap. */
function halve(numbers: Float64Array, k: number): void {
  const x = numbers[k];
  if (!(x < 64)) {
    numbers[k] = 0;
    return;
  }
  const whole = Math.floor(x);
  const y = (x - whole) * Math.LN2;
  let term = 1;
  let sum = 1;
  for (let n = 1; n <= 15; n++) {
    term *= -y / n;
    sum += term;
  }
  for (let n = 0; n < whole; n++) sum *= 0.5;
  numbers[k] = sum;
}

/** Sum of the layers at t. */
export function scoreAt(f: Float64Array, o: number, t: number, halfLifeMs: number): number {
  const sum = f[o + SCORE_SUM];
  if (sum === 0) return 0;
  const score = sum * halved((t - f[o + SCORE_T]) / halfLifeMs);
  return score < SCORE_MIN ? 0 : score;
}

/** Sum of the layers at q[Q_T], to q. */
export function weighSuspicion(f: Float64Array, o: number, q: Float64Array, halfLifeMs: number): void {
  const sum = f[o + SCORE_SUM];
  if (sum === 0) {
    q[Q_SCORE] = 0;
    return;
  }
  q[Q_SCORE] = (q[Q_T] - f[o + SCORE_T]) / halfLifeMs;
  halve(q, Q_SCORE);
  const score = sum * q[Q_SCORE];
  q[Q_SCORE] = score < SCORE_MIN ? 0 : score;
}

/** Adds evidence to a layer, which thereby does not come to more than `most`. */
export function addEvidence(
  f: Float64Array,
  o: number,
  t: number,
  layer: number,
  amount: number,
  halfLifeMs: number,
  most = Infinity,
): void {
  if (!(amount > 0)) return;
  const factor = halved((t - f[o + SCORE_T]) / halfLifeMs);
  let sum = 0;
  for (let k = 0; k < LAYERS; k++) {
    let score = f[o + SCORES + k] * factor;
    if (k === layer) score = Math.max(score, Math.min(score + amount, most));
    if (score < SCORE_MIN) score = 0;
    f[o + SCORES + k] = score;
    sum += score;
  }
  f[o + SCORE_SUM] = sum;
  f[o + SCORE_T] = t;
}

/** How far beyond the allowed: used / allowed - 1, at most EVIDENCE_MAX, never negative or not a number. */
export function excess(used: number, allowed: number): number {
  if (!(used > allowed)) return 0;
  return allowed > 0 ? Math.min(used / allowed - 1, EVIDENCE_MAX) : EVIDENCE_MAX;
}

/** Which layer a refusal speaks to. */
export function layerOf(reason: ReasonCode): number {
  switch (reason) {
    case Reason.SpeedLimit:
    case Reason.DurationMismatch:
      return LAYER_SPEED;
    case Reason.Wall:
    case Reason.PathPartial:
    case Reason.TargetNotOnNavMesh:
    case Reason.Undecided:
      return LAYER_WALL;
    case Reason.Teleport:
    case Reason.OutOfMap:
      return LAYER_TELEPORT;
    case Reason.Airborne:
      return LAYER_AIR;
    default:
      return LAYER_STATE;
  }
}

/** What `actionOf` counts. */
export const ACTION_WORDS = ['none', 'watch', 'restrict', 'kick'] as const;

/** 0 none, 1 watch, 2 restrict, 3 kick. */
export function actionOf(score: number, watchAt: number, restrictAt: number, kickAt: number): number {
  if (score < watchAt) return 0;
  return score < restrictAt ? 1 : score < kickAt ? 2 : 3;
}
