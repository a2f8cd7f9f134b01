// Refusing a move: unless a grant covers it or its rule is only a shadow, the state stays as it is but for the score and
// the pending correction. Imported by rules/.
import { REASON_NAMES, Reason, type ReasonCode, VerdictKind } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { answer } from './answer.ts';
import { release } from './carried.ts';
import { notePut, returnToPut } from './confirm.ts';
import { endPending, isPending, notePending, sendCorrection, unseenAt } from './corrections.ts';
import { charge, rateAt, settle } from './credit.ts';
import { enterLink } from './crosslink.ts';
import { redeem } from './grants.ts';
import { Q_COST, Q_RATE, Q_STRAIGHT, Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import { ATTACHED, FLAGS, GRANT_COUNT, PENDING, RTT, UNCONFIRMED } from './ledger.ts';
import { leaveClosed } from './oldside.ts';
import { endWalk, placeAt, touchGround } from './places.ts';
import type { Scene } from './scene.ts';
import { beginWay } from './slice.ts';
import { addEvidence, EVIDENCE_FLAT, EVIDENCE_STATE, excess, LAYER_SPEED, layerOf } from './suspicion.ts';
import { pullTrail, weighTrail } from './trail.ts';
import { payClear } from './wayround.ts';

/**
 * Refuses the claim at hand. `used` of `allowed` metres is the measure, `length` and `bound` what is known of the walk
 * (NaN and -1 = nothing).
 */
export function refuse(
  scene: Scene,
  f: Float64Array,
  o: number,
  reason: ReasonCode,
  used: number,
  allowed: number,
  length = NaN,
  bound = -1,
): Verdict {
  const { q, rules } = scene;
  const t = q[Q_T];
  const straight = q[Q_STRAIGHT];
  if (f[o + GRANT_COUNT] > 0 && reason !== Reason.ActionStatus) {
    const granted = redeem(scene, f, o);
    if (granted !== null) return granted;
  }
  if (reason !== Reason.ActionStatus && (f[o + FLAGS] & UNCONFIRMED) !== 0) {
    const back = returnToPut(scene, f, o);
    if (back !== null) return back;
  }
  // a body on a ladder hovers
  if (reason === Reason.Airborne) {
    const crossing = enterLink(scene, f, o);
    if (crossing !== null) return crossing;
  }
  const layer = layerOf(reason);
  let evidence = EVIDENCE_FLAT;
  if (reason === Reason.ActionStatus) evidence = EVIDENCE_STATE;
  else if (layer === LAYER_SPEED || reason === Reason.Teleport) {
    // against what the uncapped silence would have allowed: a long stall is no crime
    evidence = excess(used, Math.max(allowed, unseenAt(f, o, t) * q[Q_RATE]));
  } else if (used === used) evidence = excess(used, allowed);
  const halfLife = rules.scoreHalfLifeMs;
  if (scene.shadow.size > 0 && scene.shadow.has(REASON_NAMES[reason])) {
    const rate = rateAt(f, o, t, scene.terms);
    addEvidence(f, o, t, layer, evidence, halfLife);
    weighTrail(scene, f, o);
    const cost = q[Q_COST];
    settle(f, o, t, scene.terms);
    charge(f, o, cost);
    // scored as what it is: not once more as pace
    beginWay(f, o, q[Q_X], q[Q_Z]);
    if ((f[o + FLAGS] & ATTACHED) !== 0) release(scene, f, o);
    pullTrail(scene, f, o);
    endWalk(f, o);
    payClear(f, o, cost, rate);
    placeAt(scene, f, o, q[Q_X], q[Q_Y], q[Q_Z]);
    touchGround(f, o, t, scene.level(q[Q_Y]));
    endPending(f, o, t, halfLife);
    return answer(scene, f, o, VerdictKind.accept, reason, straight, length, bound, used, allowed);
  }
  if (isPending(f, o, t, f[o + RTT] + rules.pendingMs)) {
    notePending(f, o, layer, evidence);
    return answer(scene, f, o, VerdictKind.ignore, reason, straight, length, bound, used, allowed);
  }
  leaveClosed(scene, f, o, t);
  const number = sendCorrection(f, o, t, layer, evidence, halfLife);
  notePut(scene, f, o, t, number);
  answer(scene, f, o, VerdictKind.correct, reason, straight, length, bound, used, allowed);
  scene.verdict.correction = number;
  return scene.verdict;
}

/** Whether the entity was refused and has not obeyed since. */
export function isDefiant(f: Float64Array, o: number): boolean {
  return (f[o + FLAGS] & PENDING) !== 0;
}
