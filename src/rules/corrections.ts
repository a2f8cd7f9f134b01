// Corrections: one at a time. While one is pending, further refusals are the client not knowing yet, and the whole run is
// scored as its grossest claim, once. Pure functions over the ledger; imported by guard.ts.
import {
  ACKED,
  CORRECTION,
  FLAGS,
  OPEN,
  PEND_FIRST,
  PEND_GROSS,
  PEND_LAYER,
  PEND_OPEN,
  PEND_T,
  PENDING,
  RTT,
} from './ledger.ts';
import { addEvidence } from './suspicion.ts';
import { openAt } from './wayround.ts';

/** Whether a correction is pending at t: not yet acknowledged and not older than `waitMs`. */
export function isPending(f: Float64Array, o: number, t: number, waitMs: number): boolean {
  return (f[o + FLAGS] & PENDING) !== 0 && t - f[o + PEND_T] <= waitMs;
}

/** A line that is silent for longer than this may have stalled, ms. */
export const SILENCE_MS = 150;

/**
 * Whether the claim at hand is from before the pending correction for sure: its client acknowledges corrections, and has
 * not acknowledged this one. That comes behind what was sent before, so a stall of the line holds it up as well. After
 * `noteJudged`.
 */
export function isUnheard(f: Float64Array, o: number, t: number, waitMs: number): boolean {
  if ((f[o + FLAGS] & PENDING) === 0 || f[o + ACKED] === 0) return false;
  const silent = f[o + OPEN] > SILENCE_MS ? f[o + OPEN] : 0;
  return t - f[o + PEND_T] <= waitMs + silent;
}

/** Sends a correction: returns its number, counting from 1. The refusal's evidence is scored at once. */
export function sendCorrection(
  f: Float64Array,
  o: number,
  t: number,
  layer: number,
  evidence: number,
  halfLifeMs: number,
): number {
  endPending(f, o, t, halfLifeMs);
  addEvidence(f, o, t, layer, evidence, halfLifeMs);
  f[o + CORRECTION] += 1;
  f[o + FLAGS] = f[o + FLAGS] | PENDING;
  f[o + PEND_T] = t;
  f[o + PEND_OPEN] = openAt(f, o, t);
  f[o + PEND_FIRST] = evidence;
  f[o + PEND_GROSS] = evidence;
  f[o + PEND_LAYER] = layer;
  return f[o + CORRECTION];
}

/**
 * Client time that may lie between where the entity stands and the claim at hand, ms. While a correction is pending the
 * client walks on from where it believes to be: what was unaccounted for then has not passed since.
 */
export function unseenAt(f: Float64Array, o: number, t: number): number {
  const open = openAt(f, o, t);
  return (f[o + FLAGS] & PENDING) === 0 ? open : Math.max(open, f[o + PEND_OPEN] + t - f[o + PEND_T]);
}

/** A refusal while a correction is pending: only the grossest is remembered. */
export function notePending(f: Float64Array, o: number, layer: number, evidence: number): void {
  if (!(evidence > f[o + PEND_GROSS])) return;
  f[o + PEND_GROSS] = evidence;
  f[o + PEND_LAYER] = layer;
}

/** A claim is accepted: obedience, unless it came sooner than an answer is likely to (latency varies by itself). */
export function obey(f: Float64Array, o: number, t: number, halfLifeMs: number): void {
  if (t - f[o + PEND_T] >= 1.5 * f[o + RTT]) endPending(f, o, t, halfLifeMs);
}

/** The correction is acknowledged, obeyed, or given up: what its grossest claim adds to its first one is scored. */
export function endPending(f: Float64Array, o: number, t: number, halfLifeMs: number): void {
  if ((f[o + FLAGS] & PENDING) === 0) return;
  addEvidence(f, o, t, f[o + PEND_LAYER], f[o + PEND_GROSS] - f[o + PEND_FIRST], halfLifeMs);
  f[o + FLAGS] = f[o + FLAGS] & ~PENDING;
  f[o + PEND_T] = 0;
  f[o + PEND_OPEN] = 0;
  f[o + PEND_FIRST] = 0;
  f[o + PEND_GROSS] = 0;
  f[o + PEND_LAYER] = 0;
}
