// The claims of a batch, a chunk at a time: its ordinary moves are put to the kernel as one wave, then all are judged in their
// order. Imported by guard.ts.
//
// What comes before geometry is done when the questions are written; it looks at nothing but the claim and its entity. So does
// what plain.ts asks, and no entity comes twice in a chunk (it ends before): no answer of a wave is ever out of date, and
// verdicts and states are those of one move after the other.
import { MOVES } from '../../assembly/layout.ts';
import { Reason, VerdictKind } from '../reasons.ts';
import { reject } from './answer.ts';
import { moveFault } from './claim.ts';
import { type Claims, noteVerdict, startVerdicts } from './claims.ts';
import { Q_NOW, Q_SEQ, Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import { judgeAnyMove } from './judgemove.ts';
import { STRIDE } from './ledger.ts';
import { ASKED_X, acceptRun, askPlain, mayBePlain, PER_MOVE, setBand } from './plain.ts';
import type { Scene } from './scene.ts';
import { isSequence, takeSequence } from './sequence.ts';

/** Judges the first `n` claims in their order. */
export function judgeBatch(scene: Scene, claims: Claims, n: number): void {
  const { q, kernel } = scene;
  startVerdicts(claims, n);
  let end = 0;
  for (let first = 0; first < n; first = end) {
    const before = q[Q_NOW];
    end = askChunk(scene, claims, first, n);
    setBand(scene);
    kernel.clearMoves(end - first);
    q[Q_T] = before;
    judgeChunk(scene, claims, first, end);
  }
}

/**
 * Refuses what is refused before geometry, uses up the numbers of the others and writes their questions, from `first` on as
 * far as no entity comes again; returns where the chunk ends.
 */
function askChunk(scene: Scene, claims: Claims, first: number, n: number): number {
  const { q, ledger, plain } = scene;
  const { f } = ledger;
  const { entity, seq, pos, t } = claims;
  const { moves } = scene.kernel;
  const { maxSeqGap } = scene.rules;
  const turn = scene.turns.next();
  const turns = scene.turns.of(f.length / STRIDE);
  const most = Math.min(n, first + MOVES);
  let i = first;
  for (let w = 0; i < most; i++, w += PER_MOVE) {
    const slot = entity[i];
    const o = ledger.offsetOfSlot(slot);
    if (o >= 0) {
      if (turns[slot] === turn && i > first) break;
      turns[slot] = turn;
    }
    if (t[i] > q[Q_NOW] && t[i] < Infinity) q[Q_NOW] = t[i];
    q[Q_T] = q[Q_NOW];
    q[Q_SEQ] = seq[i];
    const x = pos[3 * i];
    const y = pos[3 * i + 1];
    const z = pos[3 * i + 2];
    if (x - x !== 0 || y - y !== 0 || z - z !== 0 || !isSequence(seq[i])) {
      refuseEarly(scene, claims, i, o, Reason.Malformed);
    } else if (o < 0) refuseEarly(scene, claims, i, o, Reason.UnknownEntity);
    else if (!takeSequence(f, o, q, maxSeqGap)) refuseEarly(scene, claims, i, o, Reason.Replay);
    else if (plain && mayBePlain(f, o)) {
      askPlain(scene, f, o, claims, i, w);
      continue;
    }
    // a target that is none is not clear
    moves[w + ASKED_X] = NaN;
  }
  return i;
}

function refuseEarly(
  scene: Scene,
  claims: Claims,
  i: number,
  o: number,
  reason: typeof Reason.Malformed | typeof Reason.UnknownEntity | typeof Reason.Replay,
): void {
  const { seq, pos } = claims;
  const malformed = reason === Reason.Malformed;
  reject(scene, o, reason, malformed ? moveFault('', seq[i], pos[3 * i], pos[3 * i + 1], pos[3 * i + 2]) : '');
  noteVerdict(claims, i, scene.verdict);
}

/** Judges the claims of a chunk whose wave is answered; q[Q_T] is the time of the claim before. */
function judgeChunk(scene: Scene, claims: Claims, first: number, end: number): void {
  const { q, ledger, verdict } = scene;
  const { f } = ledger;
  const { entity, pos } = claims;
  for (let i = acceptRun(scene, claims, first, first, end); i < end; i = acceptRun(scene, claims, first, i + 1, end)) {
    // so far only refusals have a verdict
    if (claims.verdict[i] !== VerdictKind.accept) continue;
    // -0 becomes 0
    q[Q_X] = pos[3 * i] + 0;
    q[Q_Y] = pos[3 * i + 1] + 0;
    q[Q_Z] = pos[3 * i + 2] + 0;
    judgeAnyMove(scene, f, entity[i] * STRIDE);
    noteVerdict(claims, i, verdict);
  }
}
