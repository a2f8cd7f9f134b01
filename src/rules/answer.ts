// Writing the one verdict. Imported by rules/ and guard.ts.
import { Reason, type ReasonCode, type VerdictCode, VerdictKind } from '../reasons.ts';
import type { Verdict } from '../types.ts';
import { follow } from './carried.ts';
import { Q_FLOOR, Q_FROM_X, Q_FROM_Z, Q_SCORE, Q_T } from './hand.ts';
import { ATTACHED, FLAGS, WALKING, X, Y, Z } from './ledger.ts';
import { onPath } from './places.ts';
import type { Scene } from './scene.ts';
import { actionOf, weighSuspicion } from './suspicion.ts';
import { V_ALLOWED, V_LENGTH, V_SCORE, V_STRAIGHT, V_USED, V_X, V_Y, V_Z } from './verdict.ts';

/**
 * The verdict on the claim at hand. Lengths in metres, NaN = none; `bound` as BOUND_WORDS counts, -1 = none. The position
 * is the authoritative one after the event.
 */
export function answer(
  scene: Scene,
  f: Float64Array,
  o: number,
  kind: VerdictCode,
  reason: ReasonCode,
  straight: number,
  length: number,
  bound: number,
  used: number,
  allowed: number,
): Verdict {
  const { verdict, q } = scene;
  verdict.verdictCode = kind;
  verdict.reasonCode = reason;
  verdict.detail = '';
  verdict.correction = 0;
  verdict.snapped = false;
  verdict.boundCode = bound;
  const { n } = verdict;
  n[V_STRAIGHT] = straight;
  n[V_LENGTH] = length;
  n[V_USED] = used;
  n[V_ALLOWED] = allowed;
  if ((f[o + FLAGS] & WALKING) !== 0) {
    onPath(scene, f, o, q[Q_T]);
    n[V_X] = q[Q_FROM_X];
    n[V_Y] = q[Q_FLOOR] + scene.rules.yOffset;
    n[V_Z] = q[Q_FROM_Z];
  } else {
    n[V_X] = f[o + X];
    n[V_Y] = f[o + Y];
    n[V_Z] = f[o + Z];
  }
  return answerScore(scene, f, o);
}

/** The score's part of a verdict. */
export function answerScore(scene: Scene, f: Float64Array, o: number): Verdict {
  const { verdict, q, rules } = scene;
  weighSuspicion(f, o, q, rules.scoreHalfLifeMs);
  verdict.n[V_SCORE] = q[Q_SCORE];
  verdict.actionCode = q[Q_SCORE] === 0 ? 0 : actionOf(q[Q_SCORE], rules.watchAt, rules.restrictAt, rules.kickAt);
  return verdict;
}

/** A refusal before geometry: nothing of the entity changes. `o` is -1 for an unknown one. */
export function reject(scene: Scene, o: number, reason: ReasonCode, detail: string): Verdict {
  const { verdict, ledger, q } = scene;
  if (o >= 0 && (ledger.f[o + FLAGS] & ATTACHED) !== 0) follow(scene, ledger.f, o, q[Q_T], true);
  if (o >= 0) answer(scene, scene.ledger.f, o, VerdictKind.reject, reason, NaN, NaN, -1, NaN, NaN);
  else {
    verdict.verdictCode = VerdictKind.reject;
    verdict.reasonCode = reason;
    verdict.correction = 0;
    verdict.snapped = false;
    verdict.boundCode = -1;
    verdict.actionCode = 0;
    verdict.n.fill(NaN);
    verdict.n[V_SCORE] = 0;
  }
  verdict.detail = detail;
  return verdict;
}

/** A claim that is no violation and not committed either: made before its client could know. */
export function ignore(scene: Scene, f: Float64Array, o: number, reason: ReasonCode, straight: number): Verdict {
  return answer(scene, f, o, VerdictKind.ignore, reason, straight, NaN, -1, NaN, NaN);
}

/** An accepted move. */
export function accept(
  scene: Scene,
  f: Float64Array,
  o: number,
  straight: number,
  length: number,
  bound: number,
  used: number,
  allowed: number,
): Verdict {
  return answer(scene, f, o, VerdictKind.accept, Reason.Accept, straight, length, bound, used, allowed);
}
