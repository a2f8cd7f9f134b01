// Sequence numbers: which is newer, on a circle of 2^32. Imported by rules/ and guard.ts.
import { Q_FIRST, Q_SEQ, Q_T } from './hand.ts';
import { FLAGS, JUDGED_T, SEEN, SEQ } from './ledger.ts';
import { noteJudged } from './wayround.ts';

/** How far a sequence number may run ahead for each millisecond of silence: 1,000 a second. */
const GAP_PER_MS = 1;

/** A whole number of 0..2^32-1; -0 counts as 0. */
export function isSequence(seq: unknown): seq is number {
  return typeof seq === 'number' && seq >>> 0 === seq;
}

/**
 * Newer means 1..2^31-1 ahead on the circle (RFC 1982), and not farther than a client can have counted: a forged huge
 * number would lock the player out.
 */
export function isNewer(seq: number, last: number, silenceMs: number, maxSeqGap: number): boolean {
  const ahead = (seq - last) >>> 0;
  return ahead >= 1 && ahead <= 0x7fffffff && ahead <= maxSeqGap + silenceMs * GAP_PER_MS;
}

/** Uses up q[Q_SEQ] and notes the time of judgement; false for an old number, which uses up nothing. */
export function takeSequence(f: Float64Array, o: number, q: Float64Array, maxSeqGap: number): boolean {
  const flags = f[o + FLAGS];
  q[Q_FIRST] = 0;
  if ((flags & SEEN) === 0) {
    f[o + FLAGS] = flags | SEEN;
    q[Q_FIRST] = 1;
  } else if (!isNewer(q[Q_SEQ], f[o + SEQ], q[Q_T] - f[o + JUDGED_T], maxSeqGap)) return false;
  f[o + SEQ] = q[Q_SEQ] + 0;
  noteJudged(f, o, q);
  return true;
}
