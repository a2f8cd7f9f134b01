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
import { K_MIDDLE, K_Y_OFFSET, Q_FIRST, Q_NOW, Q_SEQ, Q_T, Q_X, Q_Y, Q_Z } from './hand.ts';
import { judgeAnyMove } from './judgemove.ts';
import { ALIVE, FLAGS, FLOOR, OFF, POLYGON, SEEN, STRIDE, X, Z } from './ledger.ts';
import { ASKED_POLYGON, ASKED_X, acceptRun, askPlain, mayBePlain, PER_MOVE, setBand } from './plain.ts';
import type { Scene } from './scene.ts';
import { isSequence, takeSequence } from './sequence.ts';

/** Flags of an entity of which nothing is to be said but that it plays. */
const ORDINARY = ALIVE | SEEN;

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
  const { q, ledger, plain, flat } = scene;
  const { f, slots } = ledger;
  const { entity, seq, pos, t } = claims;
  const { moves } = scene.kernel;
  const { maxSeqGap } = scene.rules;
  const middle = q[K_MIDDLE];
  const yOffset = q[K_Y_OFFSET];
  scene.firsts.fill(0);
  const turn = scene.turns.next();
  const turns = scene.turns.of(f.length / STRIDE);
  const most = Math.min(n, first + MOVES);
  let now = q[Q_NOW];
  let i = first;
  for (let w = 0; i < most; i++, w += PER_MOVE) {
    const slot = entity[i];
    const known = slot >= 0 && slot < slots;
    if (known) {
      if (turns[slot] === turn && i > first) break;
      turns[slot] = turn;
    }
    const arrival = t[i];
    if (arrival > now && arrival < Infinity) now = arrival;
    const x = pos[3 * i];
    const y = pos[3 * i + 1];
    const z = pos[3 * i + 2];
    const sum = x + y + z;
    const number = seq[i];
    const o = slot * STRIDE;
    // present, alive and on the mesh, has spoken before, and nothing else: see mayBePlain
    if (plain && known && f[o + FLAGS] === ORDINARY && f[o + OFF] === 0 && sum - sum === 0 && isSequence(number)) {
      q[Q_T] = now;
      q[Q_SEQ] = number;
      if (takeSequence(f, o, q, maxSeqGap)) {
        moves[w] = f[o + X];
        moves[w + 1] = f[o + FLOOR] + middle;
        moves[w + 2] = f[o + Z];
        moves[w + 3] = x;
        moves[w + 4] = flat ? 0 : y - yOffset;
        moves[w + 5] = z;
        moves[w + ASKED_POLYGON] = f[o + POLYGON];
        continue;
      }
    }
    q[Q_NOW] = now;
    askAny(scene, claims, i, w);
  }
  q[Q_NOW] = now;
  return i;
}

/** The same for one claim, whatever it is, at time q[Q_NOW]. */
function askAny(scene: Scene, claims: Claims, i: number, w: number): void {
  const { q, ledger } = scene;
  const { f } = ledger;
  const { seq, pos } = claims;
  const { moves } = scene.kernel;
  const o = ledger.offsetOfSlot(claims.entity[i]);
  q[Q_T] = q[Q_NOW];
  q[Q_SEQ] = seq[i];
  // a target that is none is not clear
  moves[w + ASKED_X] = NaN;
  const x = pos[3 * i];
  const y = pos[3 * i + 1];
  const z = pos[3 * i + 2];
  // a call with these numbers would put them into the heap: only to say what is wrong
  if (x - x !== 0 || y - y !== 0 || z - z !== 0 || !isSequence(seq[i])) {
    reject(scene, o, Reason.Malformed, moveFault('', seq[i], x, y, z));
  } else if (o < 0) reject(scene, o, Reason.UnknownEntity, '');
  else if (!takeSequence(f, o, q, scene.rules.maxSeqGap)) reject(scene, o, Reason.Replay, '');
  else {
    scene.firsts[w / PER_MOVE] = q[Q_FIRST];
    if (scene.plain && mayBePlain(f, o)) askPlain(scene, f, o, claims, i, w);
    return;
  }
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
    q[Q_FIRST] = scene.firsts[i - first];
    // -0 becomes 0
    q[Q_X] = pos[3 * i] + 0;
    q[Q_Y] = pos[3 * i + 1] + 0;
    q[Q_Z] = pos[3 * i + 2] + 0;
    judgeAnyMove(scene, f, entity[i] * STRIDE);
    noteVerdict(claims, i, verdict);
  }
}
