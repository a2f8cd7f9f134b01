// The claims of a batch one after the other, for a guard with an observer: verdicts and states are those of wave.ts.
// Imported by guard.ts.
import { Reason } from '../reasons.ts';
import { reject } from './answer.ts';
import { moveFault } from './claim.ts';
import { type Claims, noteVerdict } from './claims.ts';
import { Q_NOW, Q_SEQ, Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import { judgeMove } from './judgemove.ts';
import type { Scene } from './scene.ts';
import { isSequence, takeSequence } from './sequence.ts';

/** Sets the clock to a claim's time; returns where its entity's numbers stand, -1 for none. */
export function startClaim(scene: Scene, claims: Claims, i: number): number {
  const { q, ledger } = scene;
  const t = claims.t[i];
  if (t > q[Q_NOW] && t < Infinity) q[Q_NOW] = t;
  return ledger.offsetOfSlot(claims.entity[i]);
}

/** Judges the claim that was started. */
export function judgeOne(scene: Scene, claims: Claims, i: number, o: number): void {
  const { q, ledger, verdict, rules } = scene;
  const { f } = ledger;
  const seq = claims.seq[i];
  const x = claims.pos[3 * i];
  const y = claims.pos[3 * i + 1];
  const z = claims.pos[3 * i + 2];
  q[Q_T] = q[Q_NOW];
  q[Q_SEQ] = seq;
  // -0 becomes 0
  q[Q_X] = x + 0;
  q[Q_Y] = y + 0;
  q[Q_Z] = z + 0;
  if (x - x !== 0 || y - y !== 0 || z - z !== 0 || !isSequence(seq)) {
    reject(scene, o, Reason.Malformed, moveFault('', seq, x, y, z));
  } else if (o < 0) reject(scene, o, Reason.UnknownEntity, '');
  else if (!takeSequence(f, o, q, rules.maxSeqGap)) reject(scene, o, Reason.Replay, '');
  else judgeMove(scene, f, o);
  noteVerdict(claims, i, verdict);
}
