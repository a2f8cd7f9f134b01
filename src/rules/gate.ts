// Checks 4 and 6: claims of the dead and the rooted, claims from before a teleport, claims about another map or level.
// Imported by rules/.
import { Reason, type ReasonCode, VerdictKind } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { answer, ignore } from './answer.ts';
import { notePut } from './confirm.ts';
import { SILENCE_MS } from './corrections.ts';
import { redeem } from './grants.ts';
import { Q_FIRST, Q_FROM_X, Q_FROM_Z, Q_STRAIGHT, Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import {
  ALIVE,
  ALIVE_T,
  FLAGS,
  GRANT_COUNT,
  OPEN,
  ROOTED,
  ROOTED_T,
  RTT,
  SILENT,
  STALE,
  STALE_UNTIL,
  TELE_FROM,
  TELE_TO,
} from './ledger.ts';
import { refuse } from './refuse.ts';
import { planDistance, type Scene } from './scene.ts';
import { addEvidence, EVIDENCE_STATE, HELD_MOST, LAYER_STATE } from './suspicion.ts';

/** A dead or rooted entity that moves less than this does not move, metres. */
export const ZERO_LENGTH = 0.05;

/** Whether checks 4 and 6 have anything to say. */
export function isHeld(flags: number): boolean {
  return (flags & (ALIVE | ROOTED | STALE)) !== ALIVE;
}

/** LiveStatus, ActionStatus, or Accept for an entity that may move. */
export function stateReason(flags: number): ReasonCode {
  if ((flags & ALIVE) === 0) return Reason.LiveStatus;
  return (flags & ROOTED) !== 0 ? Reason.ActionStatus : Reason.Accept;
}

/**
 * Whether a claim of a dead or rooted entity may have been made before its client knew: also one that a stalled line held
 * back. It buys nothing, the entity stays where it is.
 */
export function isInFlight(scene: Scene, f: Float64Array, o: number, reason: ReasonCode): boolean {
  const changed = reason === Reason.LiveStatus ? f[o + ALIVE_T] : f[o + ROOTED_T];
  return scene.q[Q_T] - changed <= f[o + RTT] + lateMs(scene, f, o);
}

/**
 * How much later than its latency says the claim at hand may be, ms: by dropGraceMs, or as much as latency varies (at worst
 * by itself), and by what a silence may have held back, within burstMs. Who was never heard of was not silent: it is new.
 */
export function lateMs(scene: Scene, f: Float64Array, o: number): number {
  const { dropGraceMs, burstMs } = scene.rules;
  const varies = Math.max(dropGraceMs, 1.5 * f[o + RTT]);
  if (scene.q[Q_FIRST] === 1) return varies;
  const silent = f[o + OPEN];
  if (silent > f[o + SILENT]) f[o + SILENT] = silent;
  const late = silent > SILENCE_MS ? varies + Math.min(silent, burstMs) : varies;
  // What a line held back comes in bit by bit, and is late to the last: one that has been silent may be late by a burst.
  return f[o + SILENT] > SILENCE_MS ? Math.max(late, burstMs) : late;
}

/** Until when claims from before the last teleport may come, ms. */
export function staleUntil(scene: Scene, f: Float64Array, o: number): number {
  return f[o + STALE_UNTIL] + Math.max(0, lateMs(scene, f, o) - scene.rules.pendingMs);
}

/**
 * A move of an entity that is held: a verdict, or null to judge on. Where it stands is in q. Who may not move may still
 * fall: the claim's plan position is then its own.
 */
export function judgeHeld(scene: Scene, f: Float64Array, o: number): Verdict | null {
  const { q, rules } = scene;
  const flags = f[o + FLAGS];
  const reason = stateReason(flags);
  if (reason !== Reason.Accept) {
    const straight = planDistance(q[Q_FROM_X], q[Q_FROM_Z], q[Q_X], q[Q_Z]);
    if (straight > ZERO_LENGTH) {
      q[Q_STRAIGHT] = straight;
      if (isInFlight(scene, f, o, reason)) return ignore(scene, f, o, reason, straight);
      if (reason === Reason.ActionStatus) return refuse(scene, f, o, reason, NaN, NaN);
      // the dead are not put back: there is nothing to play on
      addEvidence(f, o, q[Q_T], LAYER_STATE, EVIDENCE_STATE, rules.scoreHalfLifeMs, HELD_MOST);
      return answer(scene, f, o, VerdictKind.reject, reason, straight, NaN, -1, NaN, NaN);
    }
    q[Q_X] = q[Q_FROM_X];
    q[Q_Z] = q[Q_FROM_Z];
  }
  return (flags & STALE) === 0 ? null : judgeStale(scene, f, o);
}

/**
 * After a teleport from A to B: a claim is from before unless it lies within ackRadius of B and nearer to B than to A.
 * Such a claim ends the wait, and so does time.
 */
export function judgeStale(scene: Scene, f: Float64Array, o: number): Verdict | null {
  const { q } = scene;
  const toNew = distance(f, o + TELE_TO, q);
  const arrived = toNew <= scene.rules.ackRadius && toNew <= distance(f, o + TELE_FROM, q);
  if (arrived || q[Q_T] > staleUntil(scene, f, o)) {
    f[o + FLAGS] = f[o + FLAGS] & ~STALE;
    // it may yet be one from before, on its way past the place
    notePut(scene, f, o, q[Q_T], 0);
    return null;
  }
  q[Q_STRAIGHT] = planDistance(q[Q_FROM_X], q[Q_FROM_Z], q[Q_X], q[Q_Z]);
  if (f[o + GRANT_COUNT] > 0) {
    const granted = redeem(scene, f, o);
    if (granted !== null) return granted;
  }
  return ignore(scene, f, o, Reason.Stale, q[Q_STRAIGHT]);
}

/** From a point of the ledger to the claimed position, metres. */
function distance(f: Float64Array, at: number, q: Float64Array): number {
  const dx = f[at] - q[Q_X];
  const dy = f[at + 1] - q[Q_Y];
  const dz = f[at + 2] - q[Q_Z];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
