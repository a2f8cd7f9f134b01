// Slices: what accepted moves say apart from refusals. The way is measured from mark to mark; a position is kept every
// tenth of a second; and when ten are kept, or a second has passed, the slice is weighed: pace (pace.ts), the clock
// (drift.ts), the window (window.ts), speed-ups, leaps, and regularity. Nothing here refuses. Imported by rules/.
//
// A plain move costs one distance to the mark and two comparisons (plain.ts spells them out); all numbers stand in the
// ledger.
import { noteClock } from './drift.ts';
import { K_JUMP, K_MARK, Q_BEYOND, Q_T, Q_X, Q_Z } from './hand.ts';
import {
  BONUS_UNTIL,
  DUE_T,
  EVEN_RUN,
  LIMIT,
  MARK_X,
  MARK_Z,
  METRES,
  RING,
  RING_COUNT,
  RING_MAX,
  RING_STRIDE,
  SLICE_JUMPS,
  SLICE_MIXED,
  SLICE_T,
  SPEEDS,
  SPEEDS_MAX,
  STRAIGHT_RUN,
} from './ledger.ts';
import { chargePace, settlePace } from './pace.ts';
import type { Scene } from './scene.ts';
import { addEvidence, LAYER_ACCELERATION, LAYER_BEHAVIOUR, LAYER_CONTINUITY, LAYER_DRIFT } from './suspicion.ts';
import { noteWindow } from './window.ts';

/** Kept positions are at least this far apart, ms. */
const KEEP_EVERY_MS = 100;
/** A slice lasts about this long, ms. */
const SLICE_MS = 1000;

/** Client time that no latency explains counts 1 for each of this, ms; one slice at most EVIDENCE_SLICE. */
const PACE_MS = 150;
const EVIDENCE_SLICE = 1;

/** Speeding up: each slice faster than the one before by this share of the limit, the last one beyond the tolerance. */
const RISE = 0.004;
const EVIDENCE_RISE = 0.1;
/** What a leap counts for each window's worth of metres that it lies off the prediction. */
const EVIDENCE_LEAP = 0.1;
/** Positions from which the prediction is made. */
const RECENT = 3;
/** Regular: intervals within this, ms; straight: within this, metres; of at least this many positions. */
const EVEN_MS = 2;
const EVEN_M = 0.02;
const EVEN_MIN = 5;
/** It counts from so many slices in a row on: about two minutes. */
const EVEN_RUN_MIN = 120;
const EVIDENCE_EVEN = 0.02;
/**
 * These three layers alone do not make anyone watched: together they stay below watchAt. Auto-run is both regular and
 * straight, latency may grow and shrink in any pattern.
 */
const MOST_ACCELERATION = 0.4;
const MOST_CONTINUITY = 0.35;
const MOST_BEHAVIOUR = 0.2;

/** The entity has been put somewhere: its way begins there. */
export function beginWay(f: Float64Array, o: number, x: number, z: number): void {
  f[o + MARK_X] = x;
  f[o + MARK_Z] = z;
  f[o + RING_COUNT] = 0;
  f[o + STRAIGHT_RUN] = 0;
}

/** The claim at hand is accepted. */
export function noteMove(scene: Scene, f: Float64Array, o: number): void {
  const { q } = scene;
  const t = q[Q_T];
  const dx = q[Q_X] - f[o + MARK_X];
  const dz = q[Q_Z] - f[o + MARK_Z];
  const square = dx * dx + dz * dz;
  const mark = q[K_MARK];
  if (square >= mark * mark) {
    const leg = Math.sqrt(square);
    if (leg > mark + (f[o + LIMIT] * (t - f[o + DUE_T] + q[K_JUMP])) / 1000) noteLeap(scene, f, o);
    f[o + METRES] += leg;
    f[o + MARK_X] = q[Q_X];
    f[o + MARK_Z] = q[Q_Z];
  }
  if (t >= f[o + DUE_T]) keep(scene, f, o);
}

/** Keeps the claimed position; weighs the slice when it is over. */
export function keep(scene: Scene, f: Float64Array, o: number): void {
  const { q } = scene;
  const t = q[Q_T];
  f[o + DUE_T] = t + KEEP_EVERY_MS;
  const r = o + RING + RING_STRIDE * f[o + RING_COUNT];
  f[r] = q[Q_X];
  f[r + 1] = q[Q_Z];
  f[r + 2] = t;
  f[o + RING_COUNT] += 1;
  if (f[o + RING_COUNT] >= RING_MAX || t - f[o + SLICE_T] >= SLICE_MS) weighSlice(scene, f, o);
}

/** A slice is over. */
function weighSlice(scene: Scene, f: Float64Array, o: number): void {
  const { rules, terms, q } = scene;
  const t = q[Q_T];
  settlePace(f, o, q, Q_T, terms);
  // two ways to see the same thing: the larger one counts
  chargePace(f, o, q);
  const steady = f[o + SLICE_MIXED] === 0 && t > f[o + BONUS_UNTIL] && f[o + LIMIT] > 0;
  noteClock(f, o, q, steady, rules);
  if (q[Q_BEYOND] > 0) {
    const amount = Math.min(q[Q_BEYOND] / PACE_MS, EVIDENCE_SLICE);
    addEvidence(f, o, t, LAYER_DRIFT, amount, rules.scoreHalfLifeMs);
  }
  noteWindow(f, o, q);
  noteSpeed(scene, f, o, steady);
  noteBehaviour(scene, f, o);
  f[o + METRES] = 0;
  f[o + SLICE_T] = t;
  f[o + SLICE_MIXED] = Math.max(0, f[o + SLICE_MIXED] - 1);
  f[o + SLICE_JUMPS] = 0;
  f[o + RING_COUNT] = 0;
}

/**
 * Acceleration: from nothing to the full speed is what keys do, and slower than the limit may be anything; but nobody
 * honest gets faster from slice to slice beyond the limit, for long.
 */
function noteSpeed(scene: Scene, f: Float64Array, o: number, steady: boolean): void {
  const { rules, q } = scene;
  const ms = q[Q_T] - f[o + SLICE_T];
  const speed = steady && ms > 0 ? (f[o + METRES] * 1000) / (f[o + LIMIT] * ms) : 0;
  const s = o + SPEEDS;
  let rising = speed > 1 + rules.driftTolerance;
  let later = speed;
  for (let k = 0; k < SPEEDS_MAX; k++) {
    const earlier = f[s + k];
    if (!(later >= earlier + RISE && earlier > 1 - RISE)) rising = false;
    f[s + k] = later;
    later = earlier;
  }
  if (!rising) return;
  const most = MOST_ACCELERATION * rules.watchAt;
  addEvidence(f, o, q[Q_T], LAYER_ACCELERATION, EVIDENCE_RISE, rules.scoreHalfLifeMs, most);
}

/**
 * Continuity: a leg longer than half a burst and the time since the last position explain. Counted; and scored by how far
 * it leads off from where the last positions pointed, with twice the room after a turn of more than 90 degrees.
 */
export function noteLeap(scene: Scene, f: Float64Array, o: number): void {
  const { q, rules, terms } = scene;
  const t = q[Q_T];
  if (t <= f[o + BONUS_UNTIL]) return;
  f[o + SLICE_JUMPS] += 1;
  // without positions to go by: it stays where it is
  let x = f[o + MARK_X];
  let z = f[o + MARK_Z];
  let turned = false;
  const count = f[o + RING_COUNT];
  if (count >= RECENT) {
    const a = o + RING + (count - RECENT) * RING_STRIDE;
    const b = a + RING_STRIDE;
    const c = b + RING_STRIDE;
    const ahead = (t - f[c + 2]) / (f[c + 2] - f[a + 2]);
    x = f[c] + ahead * (f[c] - f[a]);
    z = f[c + 1] + ahead * (f[c + 1] - f[a + 1]);
    turned = (f[b] - f[a]) * (f[c] - f[b]) + (f[b + 1] - f[a + 1]) * (f[c + 1] - f[b + 1]) < 0;
  }
  const dx = q[Q_X] - x;
  const dz = q[Q_Z] - z;
  const room = (f[o + LIMIT] * terms.burstMs) / (turned ? 1000 : 2000) + terms.markM;
  const off = Math.sqrt(dx * dx + dz * dz) / room - 1;
  const most = MOST_CONTINUITY * rules.watchAt;
  addEvidence(f, o, t, LAYER_CONTINUITY, EVIDENCE_LEAP * Math.min(off, 1), rules.scoreHalfLifeMs, most);
}

/**
 * Behaviour: positions at equal intervals, in equal steps, on a straight line. An auto-run does that, for a while; who
 * does nothing else for minutes, over a real line, is moved by something that corrects for it.
 */
function noteBehaviour(scene: Scene, f: Float64Array, o: number): void {
  const { rules, q } = scene;
  if (!isEven(f, o)) {
    f[o + EVEN_RUN] = 0;
    return;
  }
  f[o + EVEN_RUN] += 1;
  if (f[o + EVEN_RUN] <= EVEN_RUN_MIN) return;
  const most = MOST_BEHAVIOUR * rules.watchAt;
  addEvidence(f, o, q[Q_T], LAYER_BEHAVIOUR, EVIDENCE_EVEN, rules.scoreHalfLifeMs, most);
}

function isEven(f: Float64Array, o: number): boolean {
  const count = f[o + RING_COUNT];
  if (count < EVEN_MIN) return false;
  const first = o + RING;
  const last = first + (count - 1) * RING_STRIDE;
  const share = 1 / (count - 1);
  const x = f[first];
  const z = f[first + 1];
  const t = f[first + 2];
  const stepX = (f[last] - x) * share;
  const stepZ = (f[last + 1] - z) * share;
  const stepT = (f[last + 2] - t) * share;
  if (!(Math.abs(stepX) + Math.abs(stepZ) > EVEN_M)) return false;
  for (let k = 1; k < count - 1; k++) {
    const r = first + k * RING_STRIDE;
    if (!(Math.abs(f[r] - x - k * stepX) <= EVEN_M)) return false;
    if (!(Math.abs(f[r + 1] - z - k * stepZ) <= EVEN_M)) return false;
    if (!(Math.abs(f[r + 2] - t - k * stepT) <= EVEN_MS)) return false;
  }
  return true;
}
