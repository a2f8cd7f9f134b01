// Rules in the units of the arithmetic, which all entities share, and how much client time may bunch up. A leaf of rules/
// but for the ledger's places.
import { RTT } from './ledger.ts';

/** What all entities share: rules in the units of the arithmetic, and the server's own pauses. */
export interface Terms {
  /** m/s of limit -> metres of budget per ms. */
  readonly perMs: number;
  /** m/s of limit -> metres that a clock within the drift tolerance walks per ms. */
  readonly pacePerMs: number;
  readonly burstMs: number;
  readonly dropGraceMs: number;
  /** What rounding may add to a walk, metres. */
  readonly roundingM: number;
  /** From one mark of the way to the next, metres: see slice.ts. */
  readonly markM: number;
  /** The server stood still this long... */
  pauseMs: number;
  /** ...and what arrives until then may still be the flush of it. */
  pauseUntil: number;
}

/** Client time that may bunch up, ms: the burst, latency once and bounded, and a pause of the server itself. */
export function windowMs(f: Float64Array, o: number, t: number, terms: Terms): number {
  const w = terms.burstMs + f[o + RTT];
  return t <= terms.pauseUntil ? w + terms.pauseMs : w;
}

/** What the limit allows in the window: with the tolerance, or for the slow with what rounding adds once. */
export function capOf(limit: number, window: number, terms: Terms): number {
  return Math.max(limit * terms.perMs * window, (limit * window) / 1000 + terms.roundingM);
}
